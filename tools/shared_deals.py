"""What do shared deals save? The same field plays three tournaments, and the spread of its win rates is compared.

    python -m tools.shared_deals heuristic greedy --players 2 --games 20000 --seed 1

In the first, plain rotation, every seating has deals of its own. In the second all seatings share the deals, and
cards are drawn in the order of the table, so that one card more for one seat gives all others other cards. In the
third, as in `evaluate.py`, each seat draws by its own order. Errors are standard errors; a tournament whose variance
is x times that of plain rotation needs x times its games for an interval of the same width.
"""

import sys
from collections.abc import Sequence

import numpy as np

from agents.arena import Entrant, Terms, play_all
from agents.commandline import Parser, table_rules, whole
from agents.tournament import Schedule, enter, seatings_of
from agents.tournament.scores import shares
from maumau_env.game.bits import scrambled
from maumau_env.game.rules import Rules
from maumau_env.game.state import OWN, SHUFFLED


def main(arguments: Sequence[str]) -> None:
    """The command: plays and prints; a mistake is one line and exit code 2."""
    parser = new_parser()
    asked = parser.read(arguments)
    try:
        rules = table_rules(asked.rules, asked.options, asked.players)
        if not 2 <= len(asked.bots) <= asked.players:
            raise ValueError(f"{len(asked.bots)} bots: 2 to {asked.players}, the seats at the table, can be compared")
        entrants = enter(asked.bots)
        deals = Schedule(len(entrants), asked.players).deals_for(asked.games)
        table = compare(entrants, rules, asked.players, deals, asked.seed, asked.penalty_limit)
    except ValueError as error:
        parser.error(error)
    except KeyboardInterrupt:
        parser.stopped()
    print("\n".join(table))


def new_parser() -> Parser:
    """What can be asked for."""
    parser = Parser("shared_deals", __doc__ or "")
    parser.add_argument("bots", metavar="BOT", nargs="+", help="two bots or more; the first two are compared")
    parser.add_table()
    parser.add_argument(
        "--penalty-limit", metavar="POINTS", type=whole(1), help="play whole matches up to so many points"
    )
    parser.add_argument("--games", type=whole(1), default=20_000, help="games of each tournament; by default 20000")
    parser.add_argument("--seed", type=whole(0, 1 << 64), default=0, help="of deals and bots; by default 0")
    return parser


def compare(
    entrants: Sequence[Entrant], rules: Rules, players: int, deals: int, seed: int, penalty_limit: int | None
) -> list[str]:
    """The lines of a Markdown table: for each way of sharing both figures, their errors, variances and savings."""
    seatings = seatings_of(len(entrants), players)

    def wins(some: np.ndarray, seed: int, order: int) -> np.ndarray:  # of each seat in each game
        results = play_all(entrants, some, deals, rules, seed, penalty_limit=penalty_limit, terms=Terms(order=order))
        return shares(results.ranks)[0].reshape(deals, *some.shape)

    apart = [wins(seatings[i : i + 1], scrambled(seed + i), SHUFFLED) for i in range(len(seatings))]
    ways = {
        "deals of its own for each seating": apart,
        "shared deals, the table's order": [wins(seatings, seed, SHUFFLED)],
        "shared deals, own orders": [wins(seatings, seed, OWN)],
    }
    first, second = (share_of(bot, seatings) for bot in (0, 1))
    lines = [
        f"{entrants[0].name} v {entrants[1].name}, {rules}, {players} players, {deals * len(seatings):,} games each",
        "",
        "| | win rate | error | variance | games saved | difference | error | variance | games saved |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name, parts in ways.items():
        cells = [name]
        for weights in (first, first - second):
            mean, variance = mean_and_variance(parts, weights)
            ratio = variance / mean_and_variance(apart, weights)[1]
            cells += [f"{mean:.2%}", f"{variance**0.5:.2%}", f"{ratio:.2f}", f"{1 - ratio:.0%}"]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def share_of(bot: int, seatings: np.ndarray) -> np.ndarray:
    """By what each seat of each seating counts for the win rate of a bot: shape (seatings, players)."""
    return (seatings == bot) / (seatings == bot).sum()


def mean_and_variance(parts: Sequence[np.ndarray], weights: np.ndarray) -> tuple[float, float]:
    """A weighted sum of wins, and the variance of its mean over the deals.

    Args:
        parts: wins, each of shape (deals, some of the seatings, players), one after the other all seatings; the deals
            of one part have nothing to do with those of another.
        weights: shape (seatings, players).
    """
    mean = variance = 0.0
    done = 0
    for wins in parts:
        values = (wins * weights[done : done + wins.shape[1]]).sum(axis=(1, 2))
        done += wins.shape[1]
        mean += float(values.mean())
        variance += float(values.var(ddof=1)) / len(values)
    return mean, variance


if __name__ == "__main__":
    main(sys.argv[1:])
