"""Writing results to files."""

import json
import os
from pathlib import Path
from typing import Any


def write_json(path: Path, result: dict[str, Any]) -> None:
    """Write a result as JSON; the file appears only when it is whole."""
    unfinished = path.with_name(f".{os.getpid()}.{path.name}")
    try:
        unfinished.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
