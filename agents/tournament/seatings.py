"""Who sits where, in every game of a tournament.

As many bots as seats, or fewer: each of k bots gets n // k of the n seats. The n % k seats that are left go to n % k
different bots, in every choice that there is. Every different order in which these bots can sit is a seating, and every
deal is played by all of them. So every bot sits equally often on every seat and behind every other bot, and holds a
spare seat, or sits out, equally often.

More bots than seats: with two players every deal is played by every pair, both ways. With more, each deal has a line-up
of its own, which plays it in every order of sitting (with five seats in twenty that put everybody equally often on
every seat and behind everybody else). Line-ups are drawn in cycles of as many deals as there are bots, so that in a
cycle each bot plays equally often, and any two of them meet about as often as any others.

Where line-ups are drawn, bots that play the first deals alone leave at the end of a cycle: their number of deals is
rounded up to that, so that each has sat as often as the others by then.
"""

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
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
        few: bots (by number) that play the first so many deals alone, 1 or more, since they are slow, say; rounded up
            to a whole cycle where line-ups are sampled.
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
        if self.few and min(self.few.values()) < 1:
            raise ValueError(f"few: {min(self.few.values())} deals: a bot plays at least one")

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
        first, present = self._stretch(deal)
        return _seatings(present, self.players, self.seed, first, deal - first if self._samples(present) else 0)

    def games(self, first: int, last: int) -> tuple[np.ndarray, np.ndarray]:
        """The games of the deals from `first` to before `last`.

        Returns:
            The deal of each, int64, shape (games,); the bots on its seats, int64, shape (games, players).
        """
        tables = [self.seatings(deal) for deal in range(first, last)]
        numbers = np.repeat(np.arange(first, last), [len(each) for each in tables])
        return numbers, np.concatenate(tables)

    def games_in(self, deals: int) -> int:
        """How many games the first so many deals have."""
        ends = [first for first, _ in self._stretches[1:]] + [deals]
        return sum(
            max(min(end, deals) - first, 0) * self.games_of(first)
            for (first, _), end in zip(self._stretches, ends, strict=True)
            if first < deals
        )

    def games_of(self, deal: int) -> int:
        """How many games a deal has."""
        return len(self.seatings(self._stretch(deal)[0]))

    def deals_for(self, games: int) -> int:
        """The deals that make at least so many games, and while line-ups are sampled a cycle, so that every bot plays.

        Raises:
            ValueError: no games are asked for, or all bots play few deals and these have not so many games.
        """
        if games < 1:
            raise ValueError(f"{games} games: a tournament has at least one")
        cycle = self.bots if self._samples(self._stretches[0][1]) else 1
        first, present = [stretch for stretch in self._stretches if self.games_in(stretch[0]) < games][-1]
        if not present:
            raise ValueError(f"{games} games: all bots are in few, and play {self.games_in(first)} games at most")
        return max(first - (self.games_in(first) - games) // self.games_of(first), cycle)

    @cached_property
    def _stretches(self) -> list[tuple[int, tuple[int, ...]]]:
        """From which deal on which bots play; the last may be none."""
        found, first = [], 0
        while True:
            present = tuple(bot for bot in range(self.bots) if first < self.few.get(bot, first + 1))
            found.append((first, present))
            limits = [self.few[bot] for bot in present if bot in self.few]
            if not limits:
                return found
            cycle = len(present) if self._samples(present) else 1
            first -= (first - min(limits)) // cycle * cycle

    def _stretch(self, deal: int) -> tuple[int, tuple[int, ...]]:
        """The first deal of those in which the same bots play as in this one, and these bots."""
        return next(stretch for stretch in reversed(self._stretches) if stretch[0] <= deal)

    def _samples(self, present: tuple[int, ...]) -> bool:
        """Whether each deal of these bots has a line-up of its own."""
        return not self.rotate and self.players > 2 and len(present) > self.players


@lru_cache(1024)
def _seatings(present: tuple[int, ...], players: int, seed: int, first: int, later: int) -> np.ndarray:
    """The games of a deal so much later than the first one of these bots; see `Schedule.seatings`."""
    numbers = np.array(present, np.int64)
    if len(present) <= players:
        return numbers[seatings_of(len(present), players)]
    if players == 2:
        return numbers[[*permutations(range(len(present)), 2)]]
    cycle, place = divmod(later, len(present))
    return numbers[_cycle(len(present), players, seed, first + cycle)[place]][orders_of(players)]


@lru_cache(1024)
def _cycle(bots: int, players: int, seed: int, number: int) -> np.ndarray:
    """As many line-ups as bots, each bot in equally many: the most even of several draws; int64, (bots, players)."""
    drawn = _draw_cycles(np.random.default_rng([seed, number]), bots, players)
    return drawn[(_meetings(drawn, bots) ** 2).sum(axis=(1, 2)).argmin()]


def _draw_cycles(rng: np.random.Generator, bots: int, players: int) -> np.ndarray:
    """Random cycles, line-ups without a bot twice, each bot in so many as there are seats: (cycles, bots, players)."""
    chance = rng.random((CANDIDATES, bots, bots)) * 1.5
    line_ups = np.empty((CANDIDATES, bots, players), np.int64)
    left = np.full((CANDIDATES, bots), players)
    for to_come in range(bots, 0, -1):
        # Whoever has to be in all that are left comes first; the others by how often they have yet to play.
        keys = np.where(left == to_come, np.inf, left + chance[:, -to_come])
        chosen = line_ups[:, -to_come] = np.argsort(-keys, axis=1)[:, :players]
        left[np.arange(CANDIDATES)[:, None], chosen] -= 1
    return line_ups


def _meetings(line_ups: np.ndarray, bots: int) -> np.ndarray:
    """How often any two bots sit at a table, in each of several cycles: (cycles, bots, bots)."""
    shape = len(line_ups), bots, bots
    cycle = np.arange(len(line_ups))[:, None, None, None]
    pairs = np.ravel_multi_index((cycle, line_ups[..., None], line_ups[:, :, None]), shape)
    return np.bincount(pairs.ravel(), minlength=np.prod(shape)).reshape(shape) * ~np.eye(bots, dtype=bool)
