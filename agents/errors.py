"""What goes wrong with an agent, in one line."""

import traceback
from pathlib import Path
from types import TracebackType


class AgentError(ValueError):
    """There is no such agent, or one of somebody's own does not work; the message says which, what and where."""


def describe(error: BaseException) -> str:
    """An error in one line, with the place where it came up."""
    kind = type(error).__name__
    said = " ".join(str(error).split())
    return f"{kind}: {said}{_place(error.__traceback__)}" if said else f"{kind}{_place(error.__traceback__)}"


def _place(trace: TracebackType | None) -> str:
    frames = traceback.extract_tb(trace)
    return f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
