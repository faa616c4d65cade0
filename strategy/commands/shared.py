"""What the subcommands share: options, the game that is asked for, a progress bar, files, words for figures."""

import argparse
import json
import os
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from agents.commandline import check_writable, whole
from maumau_env.game.cards import NAMES, SUITS, cards_in
from strategy.intervals import Estimate
from strategy.played import Played, read_game
from strategy.playouts import Bot

LEAST_WORLDS, MOST_WORLDS = 10, 100_000
"""With fewer no interval is worth anything, and more fill the memory."""


def add_game(parser: argparse.ArgumentParser, worlds: int) -> None:
    """The game and what it is looked at with; `worlds` is the default."""
    parser.add_argument("game", metavar="FILE", type=Path, help="game records, JSON Lines, gzipped if it ends in .gz")
    parser.add_argument(
        "--game", metavar="N", dest="number", type=whole(1), default=1, help="which of them; by default 1"
    )
    parser.add_argument("--bot", default="champion", help="who plays on in the worlds; by default champion")
    parser.add_argument(
        "--worlds", metavar="N", type=whole(LEAST_WORLDS, MOST_WORLDS + 1), default=worlds,
        help=f"in how many worlds to try; by default {worlds:,}",
    )  # fmt: skip
    parser.add_argument("--seed", type=whole(0, 1 << 64), default=0, help="equal seeds, equal figures; by default 0")
    parser.add_argument("--json", metavar="FILE", type=Path, help="file for the figures")


def opened(arguments: argparse.Namespace) -> tuple[Played, Bot]:
    """The game and the bot that `add_game` asks for.

    Raises:
        ValueError: no such game or bot, or one that is broken, or a bot that does not play at such a table.
        OSError: the game cannot be read, or the file for the figures not be written.
    """
    if arguments.json is not None:
        check_writable(arguments.json)
    game, bot = read_game(arguments.game, arguments.number), Bot(arguments.bot)
    try:
        bot.agent.check_table(game.rules, len(game.players))
    except ValueError as error:
        raise ValueError(f"{bot.name}: {error}") from error
    return game, bot


def write_json(path: Path, figures: dict[str, Any]) -> None:
    """Write figures; the file appears only when it is whole."""
    unfinished = path.with_name(f".{os.getpid()}.{path.name}")
    try:
        unfinished.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


@contextmanager
def progress_bar(what: str, total: int) -> Generator[Callable[[int], object] | None]:
    """A function that takes how much is done; a bar on the screen, if there is a screen to see it."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    columns = TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)


def new_console() -> Console:
    """Standard output, 120 wide where it is no screen."""
    console = Console(highlight=False, markup=False)
    return console if console.is_terminal else Console(width=120, highlight=False, markup=False)


def heading(game: Played) -> str:
    """Which game this is."""
    kind = f"round {game.round} of a match" if game.round else "a round"
    return f"{game.source}: {kind}, rules {game.rules}, {len(game.players)} players"


def hand_of(view: np.ndarray) -> str:
    """The viewer's cards."""
    return " ".join(NAMES[card] for card in cards_in(*view["hand"][0].tolist()))


def top_of(view: np.ndarray) -> str:
    """What lies on top, and what it asks for beyond its face: a wish, or cards that are owed."""
    top, owed = NAMES[int(view["top"][0])], int(view["owed"][0])
    wish = f", {SUITS[int(view['suit'][0])]} wished" if view["wished"][0] else ""
    return top + wish + (f", {owed} owed" if owed else "")


def percent(share: float) -> str:
    """A share of 1."""
    return f"{100 * share:.1f} %"


def reach(estimate: Estimate) -> str:
    """The interval of a chance."""
    return f"{100 * estimate.low:.1f} – {100 * estimate.high:.1f}"


def points(difference: float) -> str:
    """A difference of chances, in percentage points with its sign."""
    text = f"{100 * difference:+.1f}".replace("-", "−")
    return "0.0" if text in ("+0.0", "−0.0") else text


def points_reach(estimate: Estimate) -> str:
    """The interval of such a difference, in brackets; nothing where there is no doubt."""
    return "" if estimate.low == estimate.high else f" ({points(estimate.low)} to {points(estimate.high)})"


def tenths(parts: Sequence[float], total: float) -> list[float]:
    """Parts of a total rounded to tenths of a percent so that, as shown, they add up to the total as shown.

    Each is rounded down, and those that lose most by it are rounded up instead (largest remainders).
    """
    exact = 1000 * np.array(parts)
    shown = np.floor(exact)
    short = round(1000 * total - float(shown.sum()))
    shown[np.argsort(shown - exact, kind="stable")[:short]] += 1
    return (shown / 1000).tolist()
