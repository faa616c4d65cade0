"""Who sits where, in every game of a tournament.

As many bots as seats, or fewer: each of k bots gets n // k of the n seats. The n % k seats that are left go to n % k
different bots, in every choice that there is. Every different order in which these bots can sit is a seating, and every
deal is played by all of them. So every bot sits equally often on every seat and behind every other bot, and holds a
spare seat, or sits out, equally often.

More bots than seats: with two players every deal is played by every pair, both ways. With more, each deal has a line-up
of its own, which plays it in every order of sitting (with five seats in twenty that put everybody equally often on
every seat and behind everybody else). Line-ups are drawn so that in as many deals as there are bots each bot plays
equally often, and any two of them meet about as often as any others.
"""

from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, permutations

import numpy as np

from maumau_env.game.rules import MAX_PLAYERS

SEATINGS = "each bot n // k seats, spare seats to every choice of n % k bots, every different order of sitting"
"""The rule by which k bots fill n seats, as results name it."""
ROTATIONS = "a bot for each seat in the given order, every rotation of it"
"""The other rule, for a tournament that only asks how the first bot fares among the others."""
PAIRS = "every deal by every pair, both ways"
LINE_UPS = "every deal by a sampled line-up, in every order of sitting; any two bots meet about equally often"

CANDIDATES = 12
"""Draws of a cycle of line-ups, of which the one is taken in which the bots meet most evenly."""


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


def orders_of(players: int) -> np.ndarray:
    """As many bots as seats, on every seat and behind every other one equally often: int64, (seatings, players).

    With five, the circles in which one sits 1, 2, 3 or 4 places from the next, each of them rotated.
    """
    if players < MAX_PLAYERS:
        return seatings_of(players, players)
    circles = np.arange(players) * np.arange(1, players)[:, None] % players
    return np.concatenate([circle[rotations_of(players)] for circle in circles])


@dataclass(frozen=True)
class Schedule:
    """The games of a tournament: for each deal, who sits where in each game that is played with it.

    Attributes:
        bots: how many there are.
        players: seats at the table.
        seed: of the line-ups that are sampled.
        few: bots (by number) that play the first so many deals alone, since they are slow, say.
        rotate: there is a bot for each seat, and they keep their order around the table.
    """

    bots: int
    players: int
    seed: int = 0
    few: dict[int, int] = field(default_factory=dict)
    rotate: bool = False

    def __post_init__(self) -> None:
        if self.bots < 1:
            raise ValueError("no bots: a tournament needs at least one")
        if self.rotate and self.bots != self.players:
            raise ValueError(f"{self.bots} bots to rotate at a table for {self.players}: give one for each seat")

    @property
    def rule(self) -> str:
        """How the seats are filled, in words."""
        if self.rotate:
            return ROTATIONS
        if self.bots <= self.players:
            return SEATINGS
        return PAIRS if self.players == 2 else LINE_UPS

    def seatings(self, deal: int) -> np.ndarray:
        """The games of a deal: int64, shape (games, players), the bot on each seat."""
        if self.rotate:
            return rotations_of(self.players)
        return _seatings(self._present(deal), self.players, self.seed, deal if self.is_sampled(deal) else 0)

    def games(self, first: int, last: int) -> tuple[np.ndarray, np.ndarray]:
        """The games of the deals from `first` to before `last`.

        Returns:
            The deal of each, int64, shape (games,); the bots on its seats, int64, shape (games, players).
        """
        tables = [self.seatings(deal) for deal in range(first, last)]
        numbers = np.repeat(np.arange(first, last), [len(each) for each in tables])
        return numbers, np.concatenate(tables)

    def deals_for(self, games: int) -> int:
        """The deals that make at least so many games; ValueError when that is none."""
        if games < 1:
            raise ValueError(f"{games} games: a tournament has at least one")
        deals, played = 0, 0
        for limit in sorted({*self.few.values(), games}):
            each = len(self.seatings(deals))
            more = min(-(-(games - played) // each), max(limit - deals, 0))
            deals, played = deals + more, played + more * each
            if played >= games:
                break
        return deals

    def is_sampled(self, deal: int) -> bool:
        """Whether this deal has a line-up of its own."""
        return not self.rotate and self.players > 2 and len(self._present(deal)) > self.players

    def _present(self, deal: int) -> tuple[int, ...]:
        """The bots that still play."""
        return tuple(bot for bot in range(self.bots) if deal < self.few.get(bot, deal + 1))


@lru_cache(1024)
def _seatings(present: tuple[int, ...], players: int, seed: int, deal: int) -> np.ndarray:
    """See `Schedule.seatings`."""
    numbers = np.array(present, np.int64)
    if len(present) <= players:
        return numbers[seatings_of(len(present), players)]
    if players == 2:
        return numbers[[*permutations(range(len(present)), 2)]]
    cycle, place = divmod(deal, len(present))
    return numbers[_cycle(len(present), players, seed, cycle)[place]][orders_of(players)]


@lru_cache(1024)
def _cycle(bots: int, players: int, seed: int, number: int) -> np.ndarray:
    """As many line-ups as bots, each bot in equally many: the most even of several draws; int64, (bots, players)."""
    rng = np.random.default_rng([seed, number])
    drawn = [_draw_cycle(rng, bots, players) for _ in range(CANDIDATES)]
    return min(drawn, key=lambda line_ups: float((_meetings(line_ups, bots) ** 2).sum()))


def _draw_cycle(rng: np.random.Generator, bots: int, players: int) -> np.ndarray:
    """A random cycle: the bots in random order so many times, cut into line-ups without a bot twice."""
    line_ups: list[list[int]] = []
    left = np.full(bots, players)
    for to_come in range(bots, 0, -1):
        # Whoever has to be in all that are left comes first; the others by how often they have yet to play.
        keys = np.where(left == to_come, np.inf, left + rng.random(bots) * 1.5)
        chosen = np.argsort(-keys)[:players]
        left[chosen] -= 1
        line_ups.append(chosen.tolist())
    return np.array(line_ups, np.int64)


def _meetings(line_ups: np.ndarray, bots: int) -> np.ndarray:
    """How often any two bots sit at a table: (bots, bots)."""
    present = np.zeros((len(line_ups), bots))
    np.put_along_axis(present, line_ups, 1, 1)
    met = present.T @ present
    np.fill_diagonal(met, 0)
    return met
