"""The tips of one table, measured in three ways that are kept apart: obedience, worth in the same positions, gain.

The work is done in small steps, and what has been found can be told after each of them.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from agents.champion import Table
from maumau_env.game.rules import Rules
from strategy.example import Example, example_of
from strategy.features import FEATURES, table_of_features
from strategy.games import play_games
from strategy.mind import Mind
from strategy.obedience import Obedience, Tally
from strategy.patched import PLAYERS, Gain, duel
from strategy.positions import Positions
from strategy.tip import Tip
from strategy.verdict import LEAST_POSITIONS, UNCLEAR, Dependence, dependence_of, holm, verdict_of
from strategy.worth import Worth, best_of_both, differences, summary

GAMES_AT_ONCE, POSITIONS_AT_ONCE = 250, 100
"""What a step does."""

CHANCE_OF_POSITIONS = 0x905
"""Keeps which positions are drawn apart from all else that is drawn with the same seed."""


@dataclass(frozen=True)
class Effort:
    """How much is played.

    Attributes:
        games: of the bot with itself, for obedience and positions.
        positions: at most so many for each tip.
        worlds: for each position.
        duels: games of each patched player.
        seed: of everything, 0 to 2**64 - 1.
    """

    games: int = 8000
    positions: int = 2000
    worlds: int = 8
    duels: int = 2000
    seed: int = 0

    def __post_init__(self) -> None:
        for name, least in (("games", 1), ("positions", 0), ("worlds", 1), ("duels", 0)):
            if getattr(self, name) < least:
                raise ValueError(f"--{name} {getattr(self, name)}: it is {least} or more")
        if not 0 <= self.seed < 1 << 64:
            raise ValueError(f"--seed {self.seed}: a seed is a whole number from 0 to 2**64 - 1")


@dataclass(frozen=True)
class Finding:
    """What was found out about a tip; None for what was not measured."""

    tip: Tip
    verdict: str
    obedience: Obedience | None
    positions: int  # weighed so far; with too few of them the worth is not told
    worth: Worth | None
    gains: dict[str, Gain]  # by who was patched
    depends_on: Dependence | None
    example: Example | None = None


@dataclass
class Study:
    """A tip while it is measured."""

    tip: Tip
    positions: Positions
    tally: Tally = field(default_factory=Tally)
    parts: list[tuple[np.ndarray, np.ndarray]] = field(default_factory=list)  # mean differences: wins, places
    pairs: list[np.ndarray] = field(default_factory=list)  # the actions compared
    gains: dict[str, Gain] = field(default_factory=dict)

    def worth(self) -> Worth | None:
        """The figures of the positions weighed so far; None when they are too few to say anything."""
        wins = self.mean_wins()
        if len(wins) < LEAST_POSITIONS:
            return None
        return summary(wins, np.concatenate([places for _, places in self.parts]))

    def mean_wins(self) -> np.ndarray:
        """The mean difference in wins of each position weighed so far."""
        return np.concatenate([wins for wins, _ in self.parts]) if self.parts else np.zeros(0)

    def example(self) -> Example | None:
        """One of the positions weighed so far; None when there are none."""
        if not self.parts:
            return None
        wins = self.mean_wins()
        return example_of(self.positions.views()[: len(wins)], np.concatenate(self.pairs), wins)


class Survey:
    """All tips that make sense at a table.

    Args:
        tips: those asked for.
        rules, players: the table.
        penalty_limit: of whole matches; None for single rounds.
        mind: the bot whose play is studied.
        effort: how much is played.
    """

    def __init__(
        self,
        tips: Sequence[Tip],
        rules: Rules,
        players: int,
        penalty_limit: int | None,
        mind: Mind,
        effort: Effort,
    ) -> None:
        self.table, self.penalty_limit = Table(rules, players, penalty_limit is not None), penalty_limit
        self.mind, self.effort = mind, effort
        sensible = [tip.makes_sense(self.table) for tip in tips]
        self.skipped = [tip for tip, makes_sense in zip(tips, sensible, strict=True) if not makes_sense]
        self.studies = [
            Study(tip, Positions(effort.positions))
            for tip, makes_sense in zip(tips, sensible, strict=True)
            if makes_sense
        ]

    @property
    def number_of_steps(self) -> int:
        """How many steps there are in all."""
        games = math.ceil(self.effort.games / GAMES_AT_ONCE)
        passes = math.ceil(self.effort.positions / POSITIONS_AT_ONCE)
        return games + len(self.studies) * (passes + (len(PLAYERS) if self.effort.duels else 0))

    def steps(self) -> Iterator[str]:
        """Do all the work; after each step what it was about."""
        for first in range(0, self.effort.games, GAMES_AT_ONCE):
            self._play(first, min(GAMES_AT_ONCE, self.effort.games - first))
            yield "games"
        for first in range(0, self.effort.positions, POSITIONS_AT_ONCE):
            for study in self.studies:
                self._weigh(study, first)
                yield "positions"
        for study in self.studies if self.effort.duels else []:
            for player in PLAYERS:
                study.gains[player] = duel(
                    player, study.tip, self.table, self.effort.duels, self.effort.seed, self.penalty_limit
                )
                yield "duels"

    def findings(self) -> list[Finding]:
        """What has been found so far, of each tip, in the order of the tips."""
        worths = [study.worth() for study in self.studies]
        tested = [worth.p_value for worth in worths if worth is not None]
        rejected = iter(holm(tested))
        found = []
        for study, worth in zip(self.studies, worths, strict=True):
            dependence, verdict = None, UNCLEAR
            if worth is not None:
                dependence = self._dependence(study, len(tested))
                verdict = verdict_of(worth.win, bool(next(rejected)), dependence)
            counted, weighed = study.tally.result(), len(study.mean_wins())
            gains, example = dict(study.gains), study.example()
            found.append(Finding(study.tip, verdict, counted, weighed, worth, gains, dependence, example))
        return found

    def _play(self, first: int, number: int) -> None:
        """Play some more games; every tip looks at them."""
        decisions = play_games(self.mind.bot, self.table, self.effort.seed, first, number, self.penalty_limit)
        chance = np.random.default_rng([self.effort.seed, first, CHANCE_OF_POSITIONS])
        words = chance.integers(1 << 64, size=len(decisions.choices), dtype=np.uint64)
        splits = [study.tip.split(decisions.views) for study in self.studies]
        for study, split in zip(self.studies, splits, strict=True):
            study.tally.add(decisions, split)
            study.positions.add(decisions, split.applies, words)

    def _weigh(self, study: Study, first: int) -> None:
        """Play out the next positions of a tip."""
        views = study.positions.views()[first : first + POSITIONS_AT_ONCE]
        if len(views) == 0:
            return
        words = study.positions.words()[first : first + POSITIONS_AT_ONCE]
        pairs = best_of_both(self.mind.judge(views), study.tip.split(views))
        wins, places = differences(views, pairs, words, self.effort.worlds, self.mind)
        study.parts.append((wins.mean(axis=1), places.mean(axis=1)))
        study.pairs.append(pairs)

    def _dependence(self, study: Study, tips: int) -> Dependence | None:
        wins = study.mean_wins()
        return dependence_of(table_of_features(study.positions.views()[: len(wins)]), tuple(FEATURES), wins, tips)
