"""The terminal: standard output, a bar for what is being done, and words for figures."""

import sys
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from agents.tournament.texts import number_span, percent, points_of
from strategy.commands import FAILED
from strategy.intervals import Interval


def new_console() -> Console:
    """Standard output, 120 wide where it is no screen."""
    console = Console(highlight=False, markup=False)
    return console if console.is_terminal else Console(width=120, highlight=False, markup=False)


def tell(failures: Iterable[Exception]) -> int:
    """Say on standard error what failed, a line for each; the exit code for that."""
    for failure in failures:
        print(f"explore.py: error: {failure}", file=sys.stderr)
    return FAILED


@contextmanager
def progress_bar(what: str, total: int) -> Generator[Callable[[int, str], object]]:
    """A function that takes how much is done, and of what; a bar on the screen, if there is a screen to see it."""
    console = Console(stderr=True)
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done, what: bar.update(task, completed=done, description=what)


def chance(share: float) -> str:
    """A chance: 0.5 as `50.0 %`."""
    return percent(share, 1)


def chance_span(interval: Interval) -> str:
    """The interval of a chance, in percent."""
    return number_span([100 * end for end in interval], 1)


def points(difference: float) -> str:
    """A difference of chances, in percentage points with its sign."""
    return points_of(difference, 1)


def points_and_span(difference: float, interval: Interval) -> str:
    """A difference, and in brackets its interval; none where both ends read alike."""
    low, high = map(points, interval)
    return points(difference) + ("" if low == high else f" ({low} to {high})")


def tenths(parts: Sequence[float], total: float) -> list[float]:
    """Parts of a total rounded to tenths of a percent so that, as shown, they add up to the total as shown.

    Each is rounded down, and those that lose most by it are rounded up instead (largest remainders).
    """
    exact = 1000 * np.array(parts)
    shown = np.floor(exact)
    short = round(1000 * total - float(shown.sum()))
    shown[np.argsort(shown - exact, kind="stable")[:short]] += 1
    return (shown / 1000).tolist()
