"""What goes wrong with an agent, in one line."""

import traceback
from pathlib import Path
from types import TracebackType


class AgentError(ValueError):
    """There is no such agent, or one of somebody's own does not work; the message says which, what and where."""


MOST_LETTERS = 300
"""Of what somebody else's code says."""


def one_line(said: str) -> str:
    """A text fit for a terminal, a table and a file: one line of printable letters, not too long."""
    line = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in " ".join(said.split()))
    return line if len(line) <= MOST_LETTERS else f"{line[: MOST_LETTERS - 1]}…"


def describe(error: BaseException) -> str:
    """An error in one line, with the place where it came up."""
    kind = type(error).__name__
    try:
        said = one_line(str(error))
    except Exception:  # noqa: BLE001 (somebody else's error may fail to say what it is)
        said = ""
    return f"{kind}: {said}{_place(error.__traceback__)}" if said else f"{kind}{_place(error.__traceback__)}"


def _place(trace: TracebackType | None) -> str:
    frames = traceback.extract_tb(trace)
    return f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
