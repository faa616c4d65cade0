"""Files that appear when they are whole: whoever reads one never sees half of it, whatever went wrong in between."""

import json
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def whole_file(path: Path) -> Generator[Path]:
    """A place beside `path` to write to; what is there becomes `path` at the end, unless there was an error."""
    unfinished = path.with_name(f".{os.getpid()}.{path.name}")
    try:
        yield unfinished
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write a text in UTF-8, with the same bytes on every system."""
    with whole_file(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8", newline="\n")


def write_json(path: Path, value: Any) -> None:
    """Write plain data as JSON; ValueError for a number that JSON does not have."""
    write_text(path, json.dumps(value, indent=1, allow_nan=False) + "\n")
