"""A tournament at one table, from beginning to end, in this process: what training and tools ask for."""

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from agents.arena import TABLES, Entrant, Results, play_games
from agents.tournament.plan import package_version
from agents.tournament.scores import CONFIDENCE, Score, scores
from agents.tournament.seatings import Schedule
from maumau_env.game.rules import Rules

FORMAT, VERSION = "maumau-evaluation", 2


@dataclass(frozen=True)
class Tournament:
    """A result with all that is needed to repeat it."""

    rules: Rules
    players: int
    penalty_limit: int | None  # of whole matches; None: the games are single rounds
    seed: int
    games: int  # games played
    deals: int
    seatings: int  # games for each deal; with bots that play few deals, for the first one
    seating_rule: str
    bots: list[Score]  # in the order in which they were entered
    confidence: float = CONFIDENCE

    @classmethod
    def of(
        cls, entrants: Sequence[Entrant], schedule: Schedule, rules: Rules, seed: int, penalty_limit: int | None,
        results: Results, confidence: float = CONFIDENCE,
    ) -> "Tournament":  # fmt: skip
        """The result of these games, played by this schedule."""
        deals, seatings = int(results.deals.max()) + 1, len(schedule.seatings(0))
        figures = scores(entrants, results, confidence)
        return cls(
            rules, schedule.players, penalty_limit, seed, len(results.deals), deals, seatings, schedule.rule, figures,
            confidence,
        )  # fmt: skip

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
            "confidence": self.confidence,
            "bots": [dataclasses.asdict(score) for score in self.bots],
        }


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
) -> tuple[Tournament, Results]:
    """Play at least `games` games, rounded up to whole deals; the other arguments are those of `play_games`.

    With `rotate` there is a bot for each seat, and they keep their order around the table.

    Raises:
        AgentError: a bot forfeited a game; names it, the deal and the reason.
        ValueError: the bots, players, rules, games or seed do not fit together.
    """
    schedule = Schedule(len(entrants), players, seed, rotate=rotate)
    deals, bots = schedule.games(0, schedule.deals_for(games))
    results = play_games(entrants, deals, bots, rules, seed, tables, keep_moves, progress, penalty_limit)
    return Tournament.of(entrants, schedule, rules, seed, penalty_limit, results), results
