"""A checkpoint: one file with all that a run depends on, written whole or not at all; nothing in it is ever run.

It is a .safetensors file: the arrays, and one entry of metadata, `maumau-checkpoint`: the nest of dictionaries, lists
and plain values that they belong to, as JSON. In it a dictionary is {"pairs": [[key, value], ...]} and an array
{"array": name}.
"""

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import safetensors
import safetensors.numpy

FORMAT, VERSION = "maumau-checkpoint", 1

CHECKPOINT = "checkpoint.safetensors"
"""Its name in the folder of a run."""


class CheckpointError(ValueError):
    """The file is no checkpoint that a run can go on from; the message says why."""


def write_checkpoint(path: Path, state: dict[str, Any]) -> None:
    """Save a nest of arrays and plain values; the file before it stays until this one is safe on the disk."""
    arrays: dict[str, np.ndarray] = {}
    text = json.dumps({"version": VERSION, "state": _packed(state, arrays)})
    partial = Path(f"{path}.partial")
    with partial.open("wb") as file:
        file.write(safetensors.numpy.save(arrays, {FORMAT: text}))
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)


def read_checkpoint(path: Path) -> dict[str, Any]:
    """The state in a checkpoint; tuples come back as lists. What is in it is trusted: resume your own runs alone.

    Raises:
        CheckpointError: there is none, or it is damaged or of another version.
    """
    if not path.is_file():
        raise CheckpointError(f"{path}: there is no checkpoint: it was stopped before it began, so start it anew")
    try:
        with safetensors.safe_open(path, framework="numpy") as file:
            saved = json.loads((file.metadata() or {})[FORMAT])
            if saved["version"] != VERSION:
                raise LookupError
            return _unpacked(saved["state"], file.get_tensor)
    except (safetensors.SafetensorError, OSError, LookupError, TypeError, ValueError) as error:
        raise CheckpointError(f"{path}: no checkpoint, or a damaged one") from error


def _packed(value: Any, arrays: dict[str, np.ndarray]) -> Any:
    """A value as JSON can hold it; its arrays are put aside."""
    match value:
        case np.ndarray():
            name = str(len(arrays))
            arrays[name] = np.ascontiguousarray(value).reshape(value.shape)
            return {"array": name}
        case dict():
            return {"pairs": [[key, _packed(each, arrays)] for key, each in value.items()]}
        case list() | tuple():
            return [_packed(each, arrays) for each in value]
        case np.generic():
            return value.item()
    return value


def _unpacked(value: Any, array: Any) -> Any:
    match value:
        case {"array": name}:
            return array(name)
        case {"pairs": pairs}:
            return {key: _unpacked(each, array) for key, each in pairs}
        case list():
            return [_unpacked(each, array) for each in value]
    return value
