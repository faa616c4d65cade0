"""What the tools that teach networks share: progress bars, and the bot file with what was measured of the bot."""

import sys
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import torch
from joblib import Parallel
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from agents.botfile import MOST_BYTES, MOST_HEADER_BYTES, MOST_LAYERS, MOST_WIDTH, Header, save
from agents.commandline import STOPPED
from agents.measure import HELD_OUT, opponents_at, strength_of
from agents.network import Layer
from agents.policy import load
from agents.pupil import Error, Lecture, Portion, teach
from agents.table import make
from agents.tournament import Entrant, hold
from maumau_env.game.actions import NUM_ACTIONS
from maumau_env.game.rules import Rules
from maumau_env.seat.encode import Layout

screen = Console(highlight=False, soft_wrap=True)


def bar(name: str) -> Progress:
    """A progress bar."""
    columns = TextColumn(name), BarColumn(), TimeRemainingColumn(), TextColumn("{task.description}")
    return Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal)


def gathered(name: str, jobs: Sequence[Any], workers: int) -> list[Any]:
    """The results of joblib's jobs, in their order, under a bar."""
    with bar(name) as progress:
        task = progress.add_task(f"{len(jobs)} portions", total=len(jobs))
        results = []
        for result in Parallel(n_jobs=workers, return_as="generator")(jobs):
            results.append(result)
            progress.update(task, advance=1)
    return results


def taught(
    portions: Sequence[Portion], lecture: Lecture, error: Error, start: Sequence[Layer] | None = None
) -> list[Layer]:
    """`teach` on one core, under a bar."""
    torch.set_num_threads(1)
    with bar("learning") as progress:
        task = progress.add_task("", total=None)

        def told(done: int, steps: int, wrong: float) -> None:
            progress.update(task, completed=done, total=steps, description=f"error {wrong:.3f}")

        return teach(portions, lecture, error, told, start)


def save_measured(path: Path, header: Header, layers: Sequence[Layer], games: int) -> None:
    """Save a bot; measure it against random (or eager) play and the heuristic, and save what came out with it."""
    save(path, header, layers)
    rules, strength = Rules.from_dict(header.rules), []
    for players in header.players:
        for opponent in opponents_at(rules):
            field = [Entrant(path.name, load(path)), Entrant(opponent, make(opponent))]
            tournament, _ = hold(field, rules, players, games, HELD_OUT, penalty_limit=header.penalty_limit)
            strength.append(strength_of(tournament, opponent))
            screen.print(f"{tournament.games:,} games, seats rotated: {strength[-1]}")
    save(path, header.model_copy(update={"strength": strength}), layers)


def check_numbers(**options: int) -> None:
    """ValueError for an option of which there has to be one at least."""
    for name, value in options.items():
        if value < 1:
            raise ValueError(f"--{name} {value}: 1 or more")


def check_lecture(lecture: Lecture, layout: Layout) -> None:
    """ValueError for a network that has no room in a bot file, or numbers with which nothing can be learned."""
    sizes = [layout.size, *lecture.hidden, NUM_ACTIONS]
    weights = sum(4 * (inputs + 1) * outputs for inputs, outputs in pairwise(sizes))
    wrong = len(lecture.hidden) > MOST_LAYERS or not all(1 <= width <= MOST_WIDTH for width in lecture.hidden)
    if wrong or weights + MOST_HEADER_BYTES > MOST_BYTES:
        raise ValueError(
            f"--hidden {' '.join(map(str, lecture.hidden))}: up to {MOST_LAYERS} layers, "
            f"each 1 to {MOST_WIDTH:,} wide, and {(MOST_BYTES - MOST_HEADER_BYTES) >> 20} MiB in all"
        )
    if not 0 < lecture.learning_rate < 1:
        raise ValueError(f"--learning-rate {lecture.learning_rate}: more than 0 and less than 1")
    if not 0 <= lecture.seed < 2**32:
        raise ValueError(f"--seed {lecture.seed}: 0 to {2**32 - 1}")


def command(name: str, run: Callable[[], None]) -> None:
    """Run a tool: a mistake is one line, and so is Ctrl-C."""
    try:
        run()
    except (ValueError, OSError) as mistake:
        print(f"{name}: error: {mistake}", file=sys.stderr)
        raise SystemExit(2) from None
    except KeyboardInterrupt:
        screen.print(f"{name}: stopped")
        raise SystemExit(STOPPED) from None
