"""What the tools that teach networks share: progress bars, and the bot file with what was measured of the bot."""

from collections.abc import Callable, Sequence
from pathlib import Path

import torch
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from agents.botfile import MOST_LAYERS, MOST_WIDTH, Header, save
from agents.commandline import STOPPED
from agents.measure import strength_of
from agents.network import Layer
from agents.pupil import Error, Lecture, Portion, teach
from agents.tournament import enter, hold
from maumau_env.game.rules import Rules

HELD_OUT = 2**32 + 1
"""Seed of the deals to measure with."""

screen = Console(highlight=False, soft_wrap=True)


def bar(name: str) -> Progress:
    """A progress bar."""
    columns = TextColumn(name), BarColumn(), TimeRemainingColumn(), TextColumn("{task.description}")
    return Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal)


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
        for opponent in ("random" if rules.must_play else "eager", "heuristic"):
            field = enter([str(path), opponent])
            tournament, _ = hold(field, rules, players, games, HELD_OUT, penalty_limit=header.penalty_limit)
            strength.append(strength_of(tournament, opponent))
            screen.print(f"{tournament.games:,} games, seats rotated: {strength[-1]}")
    save(path, header.model_copy(update={"strength": strength}), layers)


def check_numbers(**options: int) -> None:
    """ValueError for an option of which there has to be one at least."""
    for name, value in options.items():
        if value < 1:
            raise ValueError(f"--{name} {value}: 1 or more")


def check_hidden(widths: Sequence[int]) -> None:
    """ValueError for hidden layers that a bot file does not have."""
    if len(widths) > MOST_LAYERS or not all(1 <= width <= MOST_WIDTH for width in widths):
        raise ValueError(
            f"--hidden {' '.join(map(str, widths))}: up to {MOST_LAYERS} layers, each 1 to {MOST_WIDTH:,} wide"
        )


def command(name: str, run: Callable[[], None]) -> None:
    """Run a tool: a mistake is one line, and so is Ctrl-C."""
    try:
        run()
    except (ValueError, OSError) as mistake:
        raise SystemExit(f"{name}: error: {mistake}") from None
    except KeyboardInterrupt:
        screen.print(f"{name}: stopped")
        raise SystemExit(STOPPED) from None
