"""The tips of one table, measured in three ways that are kept apart: obedience, worth in the same positions, gain.

The work is done in small steps, and what has been found can be told after each of them.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import numpy as np

from agents.champion import Table
from agents.errors import AgentError
from maumau_env.game.rules import Rules
from strategy.example import Example, example_of
from strategy.features import FEATURES, table_of_features
from strategy.games import Decisions, play_games
from strategy.mind import Mind
from strategy.obedience import Obedience, Tally
from strategy.patched import PLAYERS, Gain, duel
from strategy.positions import Positions
from strategy.tip import Tip, TipError
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


class Weighed(NamedTuple):
    """What came of some of the positions."""

    wins: np.ndarray  # float64, (n,): mean difference in the share of the win
    places: np.ndarray  # float64, (n,): the same in places won
    pairs: np.ndarray  # int64, (n, 2): the actions compared


@dataclass
class Study:
    """A tip while it is measured; one that fails is not measured any further."""

    tip: Tip
    positions: Positions
    tally: Tally = field(default_factory=Tally)
    parts: list[Weighed] = field(default_factory=list)
    gains: dict[str, Gain] = field(default_factory=dict)
    failure: TipError | None = None

    def attempt(self, step: Callable[[], object]) -> None:
        """Take a step, unless the tip has failed before; if it fails now, keep what there is."""
        if self.failure is None:
            try:
                step()
            except TipError as error:
                self.failure = error

    def look(self, decisions: Decisions, words: np.ndarray) -> None:
        """Count some more games and draw positions from them, by a random uint64 for each decision."""
        split = self.tip.split(decisions.views)
        self.tally.add(decisions, split)
        self.positions.add(decisions, split.applies, words)

    def weigh(self, first: int, worlds: int, mind: Mind) -> None:
        """Play out the next positions, from number `first` on."""
        views = self.positions.views()[first : first + POSITIONS_AT_ONCE]
        if len(views) == 0:
            return
        words = self.positions.words()[first : first + POSITIONS_AT_ONCE]
        pairs = best_of_both(mind.judge(views), self.tip.split(views))
        wins, places = differences(views, pairs, words, worlds, mind)
        self.parts.append(Weighed(wins.mean(axis=1), places.mean(axis=1), pairs))  # at once: Ctrl-C may come

    def worth(self) -> Worth | None:
        """The figures of the positions weighed so far; None when they are too few to say anything."""
        wins = self.mean_wins()
        if len(wins) < LEAST_POSITIONS:
            return None
        return summary(wins, np.concatenate([part.places for part in self.parts]))

    def mean_wins(self) -> np.ndarray:
        """The mean difference in wins of each position weighed so far."""
        return np.concatenate([part.wins for part in self.parts]) if self.parts else np.zeros(0)

    def example(self) -> Example | None:
        """One of the positions weighed so far; None when there are none."""
        if not self.parts:
            return None
        wins = self.mean_wins()
        pairs = np.concatenate([part.pairs for part in self.parts])
        return example_of(self.positions.views()[: len(wins)], pairs, wins)


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
        self.bot_failure: AgentError | None = None
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

    @property
    def failures(self) -> dict[str, Exception]:
        """What failed, the bot or tips, each by its name."""
        parts = [(self.mind.name, self.bot_failure), *((study.tip.name, study.failure) for study in self.studies)]
        return {name: failure for name, failure in parts if failure is not None}

    @property
    def is_empty(self) -> bool:
        """Nothing has been found yet."""
        return all(study.tally.is_empty for study in self.studies)

    def steps(self) -> Iterator[str]:
        """Do all the work; after each step what it was about. A failing tip is left out, a failing bot ends it."""
        try:
            for label in self._steps():
                yield label
                if all(study.failure for study in self.studies):
                    return
        except AgentError as error:
            self.bot_failure = error

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

    def _steps(self) -> Iterator[str]:
        for first in range(0, self.effort.games, GAMES_AT_ONCE):
            self._play(first, min(GAMES_AT_ONCE, self.effort.games - first))
            yield "games"
        for first in range(0, self.effort.positions, POSITIONS_AT_ONCE):
            for study in self.studies:
                study.attempt(partial(study.weigh, first, self.effort.worlds, self.mind))
                yield "positions"
        for study in self.studies if self.effort.duels else []:
            for player in PLAYERS:
                study.attempt(partial(self._duel, study, player))
                yield "duels"

    def _play(self, first: int, number: int) -> None:
        """Play some more games; every tip looks at them."""
        decisions = play_games(self.mind.bot, self.table, self.effort.seed, first, number, self.penalty_limit)
        chance = np.random.default_rng([self.effort.seed, first, CHANCE_OF_POSITIONS])
        words = chance.integers(1 << 64, size=len(decisions.choices), dtype=np.uint64)
        for study in self.studies:
            study.attempt(partial(study.look, decisions, words))

    def _duel(self, study: Study, player: str) -> None:
        """Let a simple player follow a tip."""
        effort = self.effort
        study.gains[player] = duel(player, study.tip, self.table, effort.duels, effort.seed, self.penalty_limit)

    def _dependence(self, study: Study, tips: int) -> Dependence | None:
        wins = study.mean_wins()
        return dependence_of(table_of_features(study.positions.views()[: len(wins)]), tuple(FEATURES), wins, tips)
