"""A played game looked back at: what each choice cost, and how much of the result was luck.

    python explore.py review game.jsonl --seat 0
    python explore.py review games.jsonl.gz --game 3 --bot heuristic --json review.json

The cost of a choice is told by what its seat could know then, as in `position`: the win chance after what the bot would
have played, less that after what was played. A cost beyond chance is marked as a blunder.

Where the result came from is another question, and told by all hands: what the deal, the cards drawn, the own moves and
those of the others have changed adds up exactly to the result less the even share. In a match all this is about winning
the round. docs/review.md has it in full, with an example.
"""

import argparse
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from agents.files import write_json
from maumau_env.game.actions import ACTION_NAMES
from strategy.bot import Bot
from strategy.commands import screen
from strategy.commands.game import add_options, ending, game_and_bot, hand_of, heading, top_of
from strategy.ledger import PARTS
from strategy.playouts import WHOLE
from strategy.review import BLUNDER, Review, look_back

WORLDS = 1000
"""By default, for each choice and for each position of the ledger."""

FORMAT, VERSION = "maumau-review", 1


def add_parser(subparsers: Any) -> None:
    """`review` and its options."""
    parser = subparsers.add_parser("review", help="a played game: what each move cost, and luck", description=__doc__)
    add_options(parser, WORLDS)
    parser.add_argument("--seat", metavar="S", type=int, help="whose choices to look at, from 0; by default all")


def run(arguments: argparse.Namespace) -> int:
    """Print the review, and write it; returns the exit code: 130 if Ctrl-C left moves out, FAILED if the bot did.

    Raises:
        ValueError, OSError: as `game_and_bot`; or there is no such seat, or nothing was played.
    """
    game, bot = game_and_bot(arguments)
    seats = list(range(len(game.players)))
    if arguments.seat is not None:
        game.check_seat(arguments.seat)
        seats = [arguments.seat]
    if not game.actions:
        raise ValueError(f"{game.source}: nothing was played, so there is nothing to look back at")
    with screen.progress_bar("moves", len(game.actions)) as progress:
        review = look_back(game, bot, seats, arguments.worlds, arguments.seed, lambda done: progress(done, "moves"))
    if arguments.json is not None:
        write_json(arguments.json, as_dict(review, bot, arguments.worlds, arguments.seed))
    report(screen.new_console(), review, bot, arguments.worlds)
    return ending(review.is_complete, review.failure)


def report(console: Console, review: Review, bot: Bot, worlds: int) -> None:
    """Print the choices of each seat, and where the result came from."""
    game = review.game
    console.print(heading(game))
    if not review.is_complete:
        console.print(f"Stopped after move {review.moves} of {len(game.actions)}: what follows is as far as that.")
    for seat in review.seats:
        console.print(summary_of(review, seat))
        if review.choices(seat):
            console.print(choices_of(review, seat, bot))
    console.print(
        f"Costs are told by what the seat could know, in {worlds:,} worlds: by how much the win chance was lower than "
        f"after the choice of {bot.name}; in percentage points. Marks and what was best are beyond chance, with 95 % "
        "confidence for all of them together."
    )
    console.print(split_of(review))
    end = "the result" if game.is_over and review.is_complete else "the chance as it stands"
    console.print(
        f"This is told by all hands, in {worlds:,} orders of the pile, and has nothing to do with the costs above: the "
        f"win chance with {bot.name} playing on for everybody, and what changed it. The lines add up to {end}; errors "
        "above zero were gains, and in brackets are 95 % intervals."
    )


def summary_of(review: Review, seat: int) -> str:
    """How a seat has chosen, in a line."""
    choices = review.choices(seat)
    blunders = sum(review.mark(move) == BLUNDER for move in choices)
    return f"Seat {seat} ({review.game.players[seat]}), moves with a choice: {len(choices)}, blunders: {blunders}"


def choices_of(review: Review, seat: int, bot: Bot) -> Table:
    """A row for each real choice of a seat."""
    game, decisions = review.game, review.choices(seat)
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("move", justify="right")
    for column in ("hand", "top", "played", bot.name):
        table.add_column(column)
    figures = ["win chance\nbefore", *(["placement\nbefore"] if len(game.players) > 2 else []), "cost"]
    for column in figures:
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("")
    for move, decision in decisions.items():
        cost = decision.cost(review.played(move))
        free = decision.probability(review.played(move)) == 1
        table.add_row(
            str(move),
            hand_of(decision.view),
            top_of(decision.view),
            ACTION_NAMES[review.played(move)],
            ACTION_NAMES[decision.bots_choice],
            f"{screen.chance(decision.before.value)} ({screen.chance_span(decision.before.interval)})",
            *([f"{decision.place_before.value:.2f}"] if len(game.players) > 2 else []),
            "0" if free else screen.points_and_span(cost.value, cost.interval),
            note(review, move),
        )
    return table


def note(review: Review, move: int) -> str:
    """The mark of a choice, and what would have been better than it and than the bot's."""
    better = review.better_than_the_bots(move)
    notes = [review.mark(move), "" if better is None else f"best was {ACTION_NAMES[better]}"]
    return "; ".join(filter(None, notes))


def split_of(review: Review) -> Table:
    """Where the result of each seat came from, a column for each."""
    game, even = review.game, 1 / len(review.game.players)
    table = Table(title="Where the result came from", title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("", no_wrap=True)
    lines = [["even share"], *([name] for name in PARTS), ["result" if game.is_over and review.is_complete else "now"]]
    for seat in review.seats:
        table.add_column(f"seat {seat}\n({game.players[seat]})", justify="right")
        split, result = review.ledger.split(seat), float(review.ledger.result[:, seat].mean()) / WHOLE
        shown = screen.tenths([part.value for part in split.values()], round(result, 3) - round(even, 3))
        lines[0].append(screen.chance(even))
        for line, value, part in zip(lines[1:], shown, split.values(), strict=False):
            line.append(screen.points_and_span(value, part.interval))
        lines[-1].append(screen.chance(result))
    for line in lines:
        table.add_row(*line)
    return table


def as_dict(review: Review, bot: Bot, worlds: int, seed: int) -> dict[str, Any]:
    """What `--json` writes; chances are shares of 1, cards and actions texts as in a record."""
    game = review.game
    return {
        "format": FORMAT,
        "version": VERSION,
        "source": game.source,
        "rules": game.rules.as_dict(),
        "players": game.players,
        "bot": bot.name,
        "worlds": worlds,
        "seed": seed,
        "moves": len(game.actions),
        "moves_reviewed": review.moves,
        "is_over": game.is_over and review.is_complete,
        "confidence_of_a_mark": review.confidence,
        "seats": [_seat_as_dict(review, seat) for seat in review.seats],
    }


def _seat_as_dict(review: Review, seat: int) -> dict[str, Any]:
    ledger = review.ledger
    return {
        "seat": seat,
        "choices": [_choice_as_dict(review, move) for move in review.choices(seat)],
        "even_share": 1 / len(review.game.players),
        "parts": {name: {"value": part.value, "interval": part.interval} for name, part in ledger.split(seat).items()},
        "result": float(ledger.result[:, seat].mean()) / WHOLE,
    }


def _choice_as_dict(review: Review, move: int) -> dict[str, Any]:
    decision, action = review.decisions[move], review.played(move)
    cost = decision.cost(action)
    return {
        "move": move,
        "hand": hand_of(decision.view).split(),
        "top": top_of(decision.view),
        "played": ACTION_NAMES[action],
        "mark": review.mark(move) or None,
        "cost": cost.value,
        "cost_interval": cost.interval,
        **decision.as_dict(),
    }
