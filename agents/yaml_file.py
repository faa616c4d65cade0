"""YAML files of keys and values, and how mistakes in them are reported."""

from pathlib import Path
from typing import Any

import yaml


class ConfigError(ValueError):
    """A key or a value that there is not; one line says which, and what is allowed."""


def read_yaml(path: Path) -> dict[str, Any]:
    """The keys and values of a YAML file; ConfigError when it cannot be read, or holds anything else."""
    try:
        values = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ConfigError(f"{path}: there is no such file") from error
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ConfigError(f"{path}: {' '.join(str(error).split())}") from error
    if not isinstance(values, dict):
        raise ConfigError(f"{path}: this is no YAML file of keys and values")
    return values


def fault_in(found: Any) -> str:
    """What is wrong with a value, from an entry of pydantic's `ValidationError.errors()`."""
    key = ".".join(map(str, found["loc"]))
    message = found["msg"].removeprefix("Value error, ")
    return f"{key}={found['input']!r}: {message}" if key else message
