"""The tables of a training run: all alike, or mixed in players and options, so that one bot learns every table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from maumau_env.game.match import open_games
from maumau_env.game.rules import CHOICES, Rules
from maumau_env.game.state import GAME, raw

HAND_SIZES = (3, 4, 5, 6, 7)
"""Hands that mixed tables deal; where there are too few cards for one, another is drawn."""

CHANCE_OF_TABLES = 1
"""Keeps their rules apart from all else that is drawn with the same seed."""

SHARE_VARIED = 0.5
"""Share of the tables whose options are drawn; the others have the rules of the run as they are."""


def values_at(rules: Rules, players: int, option: str) -> list[Any]:
    """The values that an option can take at tables with otherwise these rules, and so many players or more."""
    return [value for value in values_of(option) if Tables(rules, [players])._fitting({option: value}, players)]


def values_of(option: str) -> tuple[Any, ...]:
    """The values that an option takes at mixed tables; ValueError for one that cannot vary."""
    value = Rules().as_dict().get(option)
    if option in CHOICES:
        return CHOICES[option]
    if isinstance(value, bool):
        return False, True
    if option == "hand_size":
        return HAND_SIZES
    can = [name for name, usual in Rules().as_dict().items() if name in (*CHOICES, "hand_size") or usual in (0, 1)]
    raise ValueError(f"{option!r} is no option that can vary: there are {', '.join(can)}")


@dataclass(frozen=True)
class Tables:
    """Which tables there are.

    Attributes:
        rules: of half of the tables, or of all when nothing is varied.
        players: numbers of players, as many tables of each, or of one that comes twice twice as many.
        varied: options that are drawn at the other half of the tables, each from its values.
        penalty_limit: of whole matches; None: single rounds.
    """

    rules: Rules
    players: Sequence[int]
    varied: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    penalty_limit: int | None = None

    def open(self, seed: int, count: int) -> np.ndarray:
        """So many tables, dealt: array of GAMEs, shape (count,); the same number of each kind, in turn.

        Raises:
            ValueError: so many players cannot sit at such a table, or the seed is out of range.
        """
        if not self.varied and len(self.players) == 1:
            return open_games(self.rules, self.players[0], self.penalty_limit, seed, count)
        tables = []
        for lane in range(count):
            players = self.players[lane % len(self.players)]
            rules = self.rules_of(seed, lane)
            tables.append(raw(open_games(rules, players, self.penalty_limit, seed, 1, lane)))
        return np.concatenate(tables).view(GAME)

    def rules_of(self, seed: int, lane: int) -> Rules:
        """The rules of one table by its number; every run with this seed has the same."""
        players, chance = self.players[lane % len(self.players)], np.random.default_rng([seed, lane, CHANCE_OF_TABLES])
        while self.varied and chance.random() < SHARE_VARIED:
            options = {name: values[int(chance.integers(len(values)))] for name, values in self.varied.items()}
            if (rules := self._fitting(options, players)) is not None:
                return rules
        return self.rules

    def _fitting(self, options: Mapping[str, Any], players: int) -> Rules | None:
        """The rules with these options, None when so many players cannot be dealt their cards."""
        try:
            rules = self.rules.replace(**options)
            rules.check_players(players)
        except ValueError:
            return None
        return rules
