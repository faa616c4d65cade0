"""A tournament: bots at a table, every deal played by every seating, and what each of them is worth.

Seatings. Each of k bots gets n // k of the n seats. The n % k seats that are left go to n % k different bots, in every
choice that there is. Every different order in which these bots can sit is a seating, so every bot sits equally often on
every seat and behind every other bot, and holds a spare seat, or sits out, equally often.

Figures. A win is a first rank, shared by those who share it; a placement is a rank, equal ranks sharing their mean (two
winners: 1.5). Both are means over the seats that a bot held, so that with n players an even share of the wins is 1 / n.
One deal in all its seatings is one observation: intervals are those of the mean over deals by Student's t.
"""

import dataclasses
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from itertools import combinations, permutations
from typing import Any

import numpy as np
from scipy import stats

from agents.agent import Cheat
from agents.answers import KINDS
from agents.arena import TABLES, Entrant, Results, play_all
from agents.table import fingerprint, make
from maumau_env.game.rules import Rules

FORMAT, VERSION = "maumau-evaluation", 1
CONFIDENCE = 0.95

SEATINGS = "each bot n // k seats, spare seats to every choice of n % k bots, every different order of sitting"
"""The rule by which k bots fill n seats, as results name it."""
ROTATIONS = "a bot for each seat in the given order, every rotation of it"
"""The other rule, for a tournament that only asks how the first bot fares among the others."""


@dataclass(frozen=True)
class Score:
    """What one bot achieved; rates and means are per seat that it held."""

    name: str
    sha256: str | None  # of the bot's file, where it has one
    games: int  # seats it held, over all games; a bot on two seats of a table counts twice
    win_rate: float  # 0 to 1
    win_rate_interval: tuple[float, float]
    mean_placement: float  # 1 to the number of players
    mean_placement_interval: tuple[float, float]
    mean_turns: float  # length of its games
    mean_rounds: float  # the same in rounds: 1, but for matches
    stuck: float  # share of the rounds of its games that ended so (C17)
    too_long: float  # share of the rounds of its games that ended so (C18)
    cheats: bool  # it was shown all hands
    forfeits: dict[str, int]  # seats of which it forfeited the game: how many were raised, too_slow and illegal


@dataclass(frozen=True)
class Tournament:
    """A result with all that is needed to repeat it."""

    rules: Rules
    players: int
    penalty_limit: int | None  # of whole matches; None: the games are single rounds
    seed: int
    games: int  # games played: every deal once by every seating
    deals: int
    seatings: int
    bots: list[Score]  # in the order in which they were entered
    seating_rule: str = SEATINGS

    def as_dict(self) -> dict[str, Any]:
        """The result as plain data for JSON."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "package_version": package_version(),
            "rules": self.rules.as_dict(),
            "players": self.players,
            "penalty_limit": self.penalty_limit,
            "seed": self.seed,
            "games": self.games,
            "deals": self.deals,
            "seatings": self.seatings,
            "seating_rule": self.seating_rule,
            "confidence": CONFIDENCE,
            "bots": [dataclasses.asdict(score) for score in self.bots],
        }


def package_version() -> str | None:
    """The version of the installed package; None when the sources are used without an installation."""
    try:
        return version("maumau-env")
    except PackageNotFoundError:
        return None


def enter(names: Sequence[str]) -> list[Entrant]:
    """The bots called so, as `agents.make` finds them; a name may come twice.

    Raises:
        AgentError: one of them cannot be found or loaded.
    """
    return [Entrant(name, make(name), fingerprint(name)) for name in names]


def seatings_of(bots: int, players: int) -> np.ndarray:
    """Every seating of so many bots on so many seats: int64, shape (seatings, players), the number of a bot each."""
    if bots < 1:
        raise ValueError("no bots: a tournament needs at least one")
    each, spare = divmod(players, bots)
    found = {
        order
        for lucky in combinations(range(bots), spare)
        for order in permutations(sorted([*range(bots)] * each + [*lucky]))
    }
    return np.array(sorted(found), np.int64)


def rotations_of(players: int) -> np.ndarray:
    """As many bots as seats, in one order: int64, shape (players, players), every rotation of it."""
    return (np.arange(players) - np.arange(players)[:, None]) % players


def deals_for(games: int, seatings: int) -> int:
    """The deals that make at least so many games, each played once by every seating."""
    if games < 1:
        raise ValueError(f"{games} games: a tournament has at least one")
    return math.ceil(games / seatings)


def hold(
    entrants: Sequence[Entrant],
    rules: Rules,
    players: int,
    games: int,
    seed: int,
    tables: int = TABLES,
    keep_moves: bool = False,
    progress: Callable[[int], object] | None = None,
    penalty_limit: int | None = None,
    rotate: bool = False,
    move_seconds: float | None = None,
    forfeits: bool = False,
) -> tuple[Tournament, Results]:
    """Play at least `games` games, rounded up to whole deals; the other arguments are those of `play_all`.

    With `rotate` there is a bot for each seat, and they keep their order around the table.

    Raises:
        AgentError: a bot acted illegally or too late, answered with the wrong shape, or raised; not with `forfeits`.
        ValueError: the bots, players, rules, games or seed do not fit together.
    """
    if rotate and len(entrants) != players:
        raise ValueError(f"{len(entrants)} bots to rotate at a table for {players}: give one for each seat")
    seatings = rotations_of(players) if rotate else seatings_of(len(entrants), players)
    deals = deals_for(games, len(seatings))
    results = play_all(
        entrants, seatings, deals, rules, seed, tables, keep_moves, progress, penalty_limit, move_seconds, forfeits
    )
    scores = [_score(entrant, seatings == bot, results) for bot, entrant in enumerate(entrants)]
    games = len(results.turns)
    rule = ROTATIONS if rotate else SEATINGS
    return Tournament(rules, players, penalty_limit, seed, games, deals, len(seatings), scores, rule), results


def _score(entrant: Entrant, seats: np.ndarray, results: Results) -> Score:
    """The figures of one bot; `seats` marks the seats it holds, (seatings, players)."""
    players = seats.shape[1]
    ranks = results.ranks.reshape(-1, *seats.shape)
    won = (ranks == 1) / (ranks == 1).sum(axis=2, keepdims=True)
    sharing = (ranks[..., :, None] == ranks[..., None, :]).sum(axis=3)
    wins = won[:, seats].mean(axis=1)
    places = (ranks + (sharing - 1) / 2)[:, seats].mean(axis=1)
    held = np.tile(seats.sum(axis=1), len(ranks))  # seats in each game
    rounds = held @ results.rounds
    forfeited = np.bincount(results.forfeits.reshape(-1, *seats.shape)[:, seats].reshape(-1), minlength=len(KINDS))
    return Score(
        entrant.name,
        entrant.sha256,
        int(seats.sum()) * len(ranks),
        float(wins.mean()),
        interval(wins, 0, 1),
        float(places.mean()),
        interval(places, 1, players),
        float(held @ results.turns / held.sum()),
        float(rounds / held.sum()),
        float(held @ results.stuck / rounds),
        float(held @ results.too_long / rounds),
        isinstance(entrant.agent, Cheat),
        {kind.replace(" ", "_"): int(count) for kind, count in zip(KINDS[1:], forfeited[1:], strict=True)},
    )


def interval(values: np.ndarray, lowest: float, highest: float) -> tuple[float, float]:
    """Where the mean of independent values lies, with 95 % confidence, inside a range that it cannot leave.

    From one value nothing can be said: the whole range.
    """
    if len(values) < 2:
        return float(lowest), float(highest)
    reach = stats.t.ppf((1 + CONFIDENCE) / 2, len(values) - 1) * values.std(ddof=1) / math.sqrt(len(values))
    return max(lowest, float(values.mean() - reach)), min(highest, float(values.mean() + reach))
