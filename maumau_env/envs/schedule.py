"""Who joins and who leaves a match before which round, as `reset(options={"joins": ..., "leaves": ...})` says."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import index
from typing import Any

from maumau_env.game.match import AGENTS
from maumau_env.game.rules import MAX_PLAYERS, MIN_PLAYERS

KEYS = ("joins", "leaves")
STEMS = ("join", "leav")
"""What looks like one of the keys, and is none, is a mistake."""


def agent_number(name: Any) -> int:
    """The number of an agent; ValueError when nobody can be called so."""
    if name not in AGENTS:
        raise ValueError(f"no agent is called {name!r}: at most five can sit down, {', '.join(AGENTS)}")
    return AGENTS.index(name)


@dataclass(frozen=True)
class Schedule:
    """Agents by number, and by the round before which they join or leave."""

    joins: dict[int, list[int]] = field(default_factory=dict)
    leaves: dict[int, list[int]] = field(default_factory=dict)

    @classmethod
    def of(cls, options: Mapping[str, Any] | None, num_players: int, room: int = MAX_PLAYERS) -> "Schedule":
        """The schedule in the options of a `reset` of a match of so many players.

        Nobody knows yet who goes out, so this is checked as if everybody stayed in: what has become impossible by its
        round, because somebody went out before, then lapses.

        Args:
            options: `{"joins": {round: [agents]}, "leaves": {round: [agents]}}`; rounds count from 1. Other keys may be
                meant for wrappers, and are ignored unless they look like one of these two.
            num_players: who sit down first.
            room: how many may sit at once.

        Raises:
            ValueError: an unknown key or agent, a round that there cannot be, or somebody who cannot do this then.
        """
        options = {} if options is None else options
        if not isinstance(options, Mapping):
            raise ValueError(f"reset() takes options by name, as in {{'joins': {{2: ['player_3']}}}}, not {options!r}")
        for key in options:
            if key not in KEYS and str(key).lower().startswith(STEMS):
                raise ValueError(f"reset() knows no option {key!r}: there are {', '.join(KEYS)}")
        schedule = cls(*(_by_round(key, options.get(key)) for key in KEYS))
        schedule._check(num_players, room)
        return schedule

    def _check(self, num_players: int, room: int) -> None:
        """Go through the rounds as if nobody went out."""
        seated, gone = set(range(num_players)), set[int]()
        for number in sorted({*self.joins, *self.leaves}):
            joining, leaving = self.joins.get(number, []), self.leaves.get(number, [])
            if len(seated) < MIN_PLAYERS:
                raise ValueError(f"round {number} is never played: by schedule only one player is left before")
            for agent in leaving:
                _require(agent in seated, agent, "leave", number, "does not sit at the table")
                seated.remove(agent)
                gone.add(agent)
                _require(bool(seated), agent, "leave", number, "has won when all others leave")
            if number == 1 and len(seated) < MIN_PLAYERS:
                raise ValueError("round 1 cannot be played: by schedule only one player is left before")
            for agent in joining if len(seated) >= MIN_PLAYERS else ():
                _require(agent not in seated, agent, "join", number, "sits at the table already")
                _require(agent not in gone, agent, "join", number, "has left before")
                _require(len(seated) < room, agent, "join", number, f"finds no place, since {room} sit there")
                seated.add(agent)


def _require(holds: bool, agent: int, verb: str, number: int, why: str) -> None:
    if not holds:
        raise ValueError(f"{AGENTS[agent]} cannot {verb} before round {number}: it {why}")


def _by_round(key: str, plan: Any) -> dict[int, list[int]]:
    """One of the two parts of a schedule, its agents by number."""
    if plan is None:
        return {}
    if not isinstance(plan, Mapping):
        raise ValueError(f"{key}={plan!r}: it says for each round who, as in {{2: ['player_3']}}")
    return {_round(key, number): _agents(key, number, who) for number, who in plan.items()}


def _round(key: str, number: Any) -> int:
    try:
        found = index(number)
    except TypeError:
        found = 0
    if found < 1 or isinstance(number, bool):
        raise ValueError(f"{key}: {number!r} is not the number of a round: they count from 1")
    return found


def _agents(key: str, number: Any, who: Any) -> list[int]:
    if isinstance(who, str) or not isinstance(who, list | tuple | set | frozenset):
        raise ValueError(f"{key}: round {number} has {who!r}: give a list of agents, as in ['player_3']")
    return [agent_number(name) for name in (sorted(who, key=str) if isinstance(who, set | frozenset) else who)]
