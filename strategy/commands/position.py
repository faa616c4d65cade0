"""One decision of a played game: what its seat saw, and what every action is worth, as far as that seat could know.

    python explore.py position game.jsonl --move 14
    python explore.py position games.jsonl.gz --game 3 --move 7 --bot runs/duel/bot.safetensors --json decision.json

The file holds game records: from an environment's record(), from evaluate.py --records, or written by hand. Moves count
from 1. Of a round that is still running the move to come can be asked for, too.

Every action is tried in the same worlds, sampled among those that agree with what the seat has seen, and the bot plays
on for everybody. Intervals are for 95 % confidence. In a match this is the chance to win the round.
"""

import argparse
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from agents.errors import AgentError
from agents.files import write_json
from agents.tournament.texts import number_span
from maumau_env.game.actions import ACTION_NAMES
from strategy.bot import Bot
from strategy.chances import Decision, portions, word_for
from strategy.commands import screen
from strategy.commands.game import add_options, ending, game_and_bot, hand_of, heading, top_of
from strategy.played import Played

WORLDS = 4000
"""By default: two-sided intervals of at most 1.6 percentage points each way, in a few seconds."""

FORMAT, VERSION = "maumau-position", 1


def add_parser(subparsers: Any) -> None:
    """`position` and its options."""
    parser = subparsers.add_parser("position", help="one decision: every action with its chance", description=__doc__)
    add_options(parser, WORLDS)
    parser.add_argument("--move", metavar="M", type=int, required=True, help="the move before which to look, from 1")


def run(arguments: argparse.Namespace) -> int:
    """Print the decision, and write it; returns the exit code: 130 if Ctrl-C left worlds out, FAILED if the bot did.

    Raises:
        ValueError, OSError: as `game_and_bot`; or there is no such move, or no choice in it.
    """
    game, bot = game_and_bot(arguments)
    game.check_move(arguments.move)
    decision, failure = weighed(game, bot, arguments)
    if arguments.json is not None:
        write_json(arguments.json, as_dict(game, arguments.move, bot, decision, arguments.seed))
    report(screen.new_console(), game, arguments.move, bot, decision)
    return ending(decision.worlds == arguments.worlds, failure)


def weighed(game: Played, bot: Bot, arguments: argparse.Namespace) -> tuple[Decision, AgentError | None]:
    """The decision in all worlds, or in those before Ctrl-C or a failure of the bot, which is told, too."""
    view, word = game.view(arguments.move), word_for(arguments.seed, arguments.move)
    found, failure = list[Decision](), None
    try:
        with screen.progress_bar("worlds", arguments.worlds) as progress:
            for portion in portions(view, bot, arguments.worlds, word):
                found = [found[0].joined(portion) if found else portion]
                progress(found[0].worlds, "worlds")
    except (KeyboardInterrupt, AgentError) as error:
        if not found:
            raise
        failure = error if isinstance(error, AgentError) else None
    return found[0], failure


def played_there(game: Played, move: int) -> int | None:
    """The action of a move, if it has been made."""
    return game.actions[move - 1] if move <= len(game.actions) else None


def report(console: Console, game: Played, move: int, bot: Bot, decision: Decision) -> None:
    """Print what the seat saw, and the table of its actions."""
    console.print(heading(game))
    console.print(f"Move {move}: seat {game.seat(move)} ({game.players[game.seat(move)]}) has to move and sees")
    for name, text in seen(game, move).items():
        console.print(f"  {name:<7}{text}")
    before = decision.before
    console.print(
        f"Win chance before the move, {bot.name} playing on for all: {screen.chance(before.value)} "
        f"({screen.chance_span(before.interval)}); that is the chance of its own choice."
    )
    console.print(table_of(decision, played_there(game, move), bot))
    console.print(f"Tried in {decision.worlds:,} worlds that agree with what the seat has seen.")


def seen(game: Played, move: int) -> dict[str, str]:
    """What the seat to move sees, by name."""
    view = game.view(move)
    seat, count, sizes = game.seat(move), len(game.players), view["hand_sizes"][0]
    others = ((seat + relative) % count for relative in range(1, count))
    cards = [f"seat {other} ({game.players[other]}) {sizes[(other - seat) % count]}" for other in others]
    return {
        "hand": hand_of(view),
        "top": top_of(view),
        "cards": ", ".join([*cards, f"pile {view['pile_size'][0]}"]),
        "turn": "clockwise" if view["direction"][0] == 1 else "counter-clockwise",
    }


def table_of(decision: Decision, played: int | None, bot: Bot) -> Table:
    """A row for each action, the best chance first."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("action")
    for title in (
        f"{bot.name}\nplays it",
        "win chance",
        "95 %\ninterval",
        "against the bot's choice,\npercentage points",
    ):
        table.add_column(title, justify="right")
    if decision.players > 2:
        table.add_column("expected\nplacement", justify="right")
    table.add_column("")
    for action in sorted(decision.actions, key=lambda action: -decision.chance(action).value):
        chance, cost, place = decision.chance(action), decision.cost(action), decision.place(action)
        table.add_row(
            ACTION_NAMES[action],
            f"{decision.probability(action):.0%}",
            screen.chance(chance.value),
            screen.chance_span(chance.interval),
            screen.points_and_span(-cost.value, (-cost.high, -cost.low)),
            *([f"{place.value:.2f} ({number_span(place.interval, 2)})"] if decision.players > 2 else []),
            "played" if action == played else "",
        )
    return table


def as_dict(game: Played, move: int, bot: Bot, decision: Decision, seed: int) -> dict[str, Any]:
    """What `--json` writes; cards and actions are texts as in a record."""
    played, view = played_there(game, move), game.view(move)
    return {
        "format": FORMAT,
        "version": VERSION,
        "source": game.source,
        "rules": game.rules.as_dict(),
        "move": move,
        "seat": game.seat(move),
        "players": game.players,
        "bot": bot.name,
        "seed": seed,
        "hand": hand_of(view).split(),
        "top": top_of(view),
        "played": None if played is None else ACTION_NAMES[played],
        **decision.as_dict(),
    }
