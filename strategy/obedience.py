"""How often a tip applies in a bot's games, and how often the bot obeys it, against chance.

A game is one observation: decisions of one game are alike. So figures are ratios of sums over games.
"""

from dataclasses import dataclass, field

import numpy as np

from strategy.games import Decisions
from strategy.intervals import Interval, ratio_of
from strategy.tip import Split


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

    @property
    def is_empty(self) -> bool:
        """No game has been counted."""
        return not self._parts

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
        if self.is_empty:
            return None
        all_choices, applies, counted, obeyed, chance = np.concatenate(self._parts).T
        share = ratio_of(applies, all_choices, 0, 1)
        rate, chance_rate = ratio_of(obeyed, counted, 0, 1), ratio_of(chance, counted)
        beyond = ratio_of(obeyed - chance, counted, -1, 1)
        nothing = counted.sum() == 0
        return Obedience(
            games=len(applies),
            decisions=int(all_choices.sum()),
            applies=share.value,
            applies_interval=share.interval,
            choices=int(counted.sum()),
            obeyed=None if nothing else rate.value,
            obeyed_interval=None if nothing else rate.interval,
            obeyed_by_chance=None if nothing else chance_rate.value,
            beyond_chance=None if nothing else beyond.value,
            beyond_chance_interval=None if nothing else beyond.interval,
        )
