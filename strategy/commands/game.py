"""What the commands that look at a played game share: their options, the game that is asked for, and its words."""

import argparse
from pathlib import Path

import numpy as np

from agents.commandline import STOPPED, check_apart, check_writable, whole
from agents.errors import AgentError
from maumau_env.game.cards import NAMES, SUITS, cards_in
from strategy.bot import Bot
from strategy.commands.screen import tell
from strategy.played import Played, read_game

LEAST_WORLDS, MOST_WORLDS = 10, 100_000
"""With fewer no interval is worth anything, and more fill the memory."""


def add_options(parser: argparse.ArgumentParser, worlds: int) -> None:
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


def game_and_bot(arguments: argparse.Namespace) -> tuple[Played, Bot]:
    """The game and the bot that `add_options` asks for.

    Raises:
        ValueError: no such game or bot, or one that is broken, or a bot that does not play at such a table.
        OSError: the game cannot be read, or the file for the figures not be written.
    """
    check_apart([arguments.json], [arguments.game])
    if arguments.json is not None:
        check_writable(arguments.json)
    game, bot = read_game(arguments.game, arguments.number), Bot(arguments.bot)
    bot.check_game(game.rules, len(game.players))
    return game, bot


def ending(is_complete: bool, failure: AgentError | None) -> int:
    """The exit code, once all there is has been told; a failure of the bot is told on standard error."""
    if failure is not None:
        return tell([failure])
    return 0 if is_complete else STOPPED


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
