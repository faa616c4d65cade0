"""What is played in a tournament, down to the last card: equal plans give equal results, wherever they are played."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from agents.arena import Entrant
from agents.table import fingerprint, make
from agents.tournament.seatings import Schedule
from maumau_env.game.rules import Rules

BLOCK_GAMES, SLOW_BLOCK_GAMES, LOOK_GAMES = 16_384, 128, 2_000
"""About so many games are played at a stretch, kept, and if need be looked at: usually; where a bot takes milliseconds
for a move; and where the tournament may stop at any look."""


@dataclass(frozen=True)
class Plan:
    """A tournament before it is played.

    Attributes:
        names: what the bots are called, as `agents.make` finds them; a name may come twice.
        sha256: of their files, where they have one.
        rules, players, penalty_limit, seed: of the games.
        deals: how many; every deal is played by all its line-ups and seatings.
        few: bots that sit in the first so many deals alone (see `Schedule`).
        looks: the tournament may stop early, so blocks are small.
        move_seconds: what a foreign bot may take for a move; None: no limit.
        slow: a bot takes milliseconds for a move.
    """

    names: tuple[str, ...]
    sha256: tuple[str | None, ...]
    rules: Rules
    players: int
    penalty_limit: int | None
    seed: int
    deals: int
    few: dict[str, int] = field(default_factory=dict)
    looks: bool = False
    move_seconds: float | None = None
    slow: bool = False

    @classmethod
    def of(cls, entrants: Sequence[Entrant], rules: Rules, players: int, games: int, seed: int, **rest: Any) -> "Plan":
        """The plan for at least so many games; ValueError when bots, players and games do not fit together."""
        names = tuple(entrant.name for entrant in entrants)
        few = rest.get("few", {})
        if unknown := sorted({*few} - {*names}):
            raise ValueError(f"few: {unknown[0]} is none of the bots: {', '.join(names)}")
        deals = Schedule(len(names), players, seed, _by_number(names, few)).deals_for(games)
        hashes = tuple(entrant.sha256 for entrant in entrants)
        slow = any(entrant.agent.slow for entrant in entrants)
        limit = rest.pop("penalty_limit", None)
        return cls(names, hashes, rules, players, limit, seed, deals, slow=slow, **rest)

    @property
    def schedule(self) -> Schedule:
        """Who sits where."""
        return Schedule(len(self.names), self.players, self.seed, _by_number(self.names, self.few))

    @property
    def games(self) -> int:
        """Games in all."""
        return self.schedule.games_in(self.deals)

    def blocks(self, first: int = 0) -> Iterator[tuple[int, int]]:
        """The deals from `first` on that are played at a stretch, as (first, one after the last)."""
        schedule, wanted = self.schedule, SLOW_BLOCK_GAMES if self.slow else LOOK_GAMES if self.looks else BLOCK_GAMES
        while first < self.deals:
            last = min(self.deals, first + max(1, wanted // schedule.games_of(first)))
            yield first, last
            first = last

    def as_dict(self) -> dict[str, Any]:
        """All that decides how the games go, as plain data for JSON."""
        return {
            "bots": [{"name": name, "sha256": sha} for name, sha in zip(self.names, self.sha256, strict=True)],
            "rules": self.rules.as_dict(),
            "players": self.players,
            "penalty_limit": self.penalty_limit,
            "seed": self.seed,
            "few": self.few,
            "looks": self.looks,
            "move_seconds": self.move_seconds,
            "package_version": package_version(),
        }


def enter(names: Sequence[str]) -> list[Entrant]:
    """The bots called so, as `agents.make` finds them; a name may come twice.

    Raises:
        AgentError: one of them cannot be found or loaded.
    """
    return [Entrant(name, make(name), fingerprint(name)) for name in names]


def package_version() -> str | None:
    """The version of the installed package; None when the sources are used without an installation."""
    try:
        return version("maumau-env")
    except PackageNotFoundError:
        return None


def _by_number(names: Sequence[str], few: dict[str, int]) -> dict[int, int]:
    """The same limits by the numbers of the bots."""
    return {number: few[name] for number, name in enumerate(names) if name in few}
