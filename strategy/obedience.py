"""How often a tip applies in a bot's games, and how often the bot obeys it, against chance.

A game is one observation: decisions of one game are alike. Figures are ratios of sums over games, and their intervals
are those of such a ratio by the spread of the games around it (the usual linearization).
"""

import math
from dataclasses import dataclass, field

import numpy as np
from scipy import stats

from strategy.games import Decisions
from strategy.tip import Split

CONFIDENCE = 0.95

Interval = tuple[float, float]


@dataclass(frozen=True)
class Obedience:
    """Shares from 0 to 1 with 95 % intervals; None where the tip never applied."""

    games: int
    decisions: int  # real choices in them
    applies: float  # share of the real choices at which the tip applies
    applies_interval: Interval
    choices: int  # those among them at which the bot took an action that the tip is about
    obeyed: float | None  # share of these at which it obeyed
    obeyed_interval: Interval | None
    obeyed_by_chance: float | None  # the same for one that draws evenly among the actions that the tip is about
    beyond_chance: float | None  # the difference
    beyond_chance_interval: Interval | None

    @property
    def comes_up(self) -> float:
        """Share of the real choices at which the bot took an action that the tip is about: how often it matters."""
        return self.choices / max(1, self.decisions)


@dataclass
class Tally:
    """What is counted of a tip, by game, while games are played."""

    _parts: list[np.ndarray] = field(default_factory=list)

    def add(self, decisions: Decisions, split: Split) -> None:
        """Count the decisions of some more games, which the tip has split."""
        applies = split.applies
        rows = np.arange(len(decisions.choices))
        obeyed = split.obeying[rows, decisions.choices]
        counted = obeyed | split.against[rows, decisions.choices]
        about = split.obeying.sum(axis=1) + split.against.sum(axis=1)
        chance = np.where(counted, split.obeying.sum(axis=1) / np.maximum(about, 1), 0.0)
        columns = np.ones(len(rows)), applies, counted, obeyed, chance
        self._parts.append(
            np.stack([np.bincount(decisions.games, column, decisions.number) for column in columns], axis=1)
        )

    def result(self) -> Obedience | None:
        """The figures of all games counted so far; None before the first ones."""
        if not self._parts:
            return None
        all_choices, applies, counted, obeyed, chance = np.concatenate(self._parts).T
        share, interval = ratio(applies, all_choices)
        rate, chance_rate, beyond = (ratio(part, counted) for part in (obeyed, chance, obeyed - chance))
        nothing = counted.sum() == 0
        return Obedience(
            games=len(applies),
            decisions=int(all_choices.sum()),
            applies=share,
            applies_interval=_within(interval, 0),
            choices=int(counted.sum()),
            obeyed=None if nothing else rate[0],
            obeyed_interval=None if nothing else _within(rate[1], 0),
            obeyed_by_chance=None if nothing else chance_rate[0],
            beyond_chance=None if nothing else beyond[0],
            beyond_chance_interval=None if nothing else _within(beyond[1], -1),
        )


def ratio(parts: np.ndarray, wholes: np.ndarray) -> tuple[float, Interval]:
    """The sum of the parts by that of the wholes, and its interval; one of each for every game, float64, (games,)."""
    total = wholes.sum()
    if total == 0:
        return 0.0, (-math.inf, math.inf)
    share, games = float(parts.sum() / total), len(parts)
    if games < 2:
        return share, (-math.inf, math.inf)
    spread = math.sqrt(games / (games - 1) * float(((parts - share * wholes) ** 2).sum())) / float(total)
    reach = float(stats.t.ppf((1 + CONFIDENCE) / 2, games - 1)) * spread
    return share, (share - reach, share + reach)


def _within(interval: Interval, lowest: float) -> Interval:
    return max(lowest, interval[0]), min(1.0, interval[1])
