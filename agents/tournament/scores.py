"""What each bot achieved, with intervals.

A win is a first rank, shared by those who share it; a placement is a rank, equal ranks sharing their mean (two winners:
1.5); points are penalty points: of the cards left in hand, in a match all of them. All are means over the seats that a
bot held, so that with n players an even share of the wins is 1 / n. One deal in all its games is one observation:
intervals are by bootstrap over deals.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from agents.agent import Cheat
from agents.answers import FINE, KINDS, named
from agents.arena import Entrant, Results
from agents.tournament.bootstrap import Ratio, resampled

CONFIDENCE = 0.95
FEW_DEALS = 30
"""With fewer the intervals are not worth much, and results say so."""
MOST_POINTS = 1_000_000
"""More than anybody can have: the range of a mean that rests on a single deal."""

Interval = tuple[float, float]


@dataclass(frozen=True)
class Score:
    """What one bot achieved; rates and means are per seat that it held."""

    name: str
    sha256: str | None  # of the bot's file, where it has one
    games: int  # seats it held, over all games; a bot on two seats of a table counts twice
    win_rate: float  # 0 to 1
    win_rate_interval: Interval
    mean_placement: float  # 1 to the number of players
    mean_placement_interval: Interval
    points: float  # penalty points at the end of a game
    points_interval: Interval
    mean_turns: float  # length of its games
    mean_rounds: float  # the same in rounds: 1, but for matches
    stuck: float  # share of the rounds of its games that ended so (C17)
    too_long: float  # share of the rounds of its games that ended so (C18)
    forfeits: dict[str, int]  # games that it forfeited, by kind
    cheats: bool  # it was shown all hands


def shares(ranks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Shares of the win, and placements, from ranks: float64, (games, players) each."""
    first = ranks == 1
    return first / first.sum(axis=1, keepdims=True), ranks + (sharing(ranks) - 1) / 2


def sharing(ranks: np.ndarray) -> np.ndarray:
    """By how many each rank is shared, from ranks: int64, (games, players)."""
    return (ranks[:, :, None] == ranks[:, None, :]).sum(axis=2)


def by_deal(deals: np.ndarray, columns: Sequence[np.ndarray]) -> np.ndarray:
    """Sums over the games of each deal: float64, (deals, columns), of columns of shape (games,)."""
    _, index = np.unique(deals, return_inverse=True)
    return np.stack([np.bincount(index, column) for column in columns], axis=1)


def scores(entrants: Sequence[Entrant], results: Results, confidence: float = CONFIDENCE) -> list[Score]:
    """The figures of every bot, in the order in which they were entered."""
    wins, places = shares(results.ranks)
    columns, ratios, players = [], [], results.ranks.shape[1]
    for bot in range(len(entrants)):
        held = results.bots == bot
        at = len(columns)
        columns += [(held * of).sum(axis=1) for of in (np.ones_like(wins), wins, places, results.points)]
        ratios += [Ratio(at + 1, at), Ratio(at + 2, at, 1, players), Ratio(at + 3, at, 0, MOST_POINTS)]
    found = resampled(by_deal(results.deals, columns), ratios, confidence=confidence)
    figures = zip(found.values.tolist(), map(tuple, found.intervals.tolist()), strict=True)
    return [_score(entrant, bot, results, [next(figures) for _ in range(3)]) for bot, entrant in enumerate(entrants)]


def _score(entrant: Entrant, bot: int, results: Results, figures: list[tuple[float, Interval]]) -> Score:
    held = results.bots == bot
    seats = held.sum(axis=1)  # in each game
    rounds = int(seats @ results.rounds)
    (win_rate, won), (placement, placed), (points, charged) = figures
    return Score(
        entrant.name,
        entrant.sha256,
        int(seats.sum()),
        win_rate,
        won,
        placement,
        placed,
        points,
        charged,
        float(seats @ results.turns / seats.sum()),
        rounds / int(seats.sum()),
        float(seats @ results.stuck / rounds),
        float(seats @ results.too_long / rounds),
        {named(number): int((results.forfeits[held] == number).sum()) for number in range(FINE + 1, len(KINDS))},
        isinstance(entrant.agent, Cheat),
    )
