"""One table and the match being played on it: what the environments for a whole match share."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from maumau_env.envs.schedule import Schedule, agent_number
from maumau_env.envs.table import Table, record_of
from maumau_env.game.attendance import join, leave, places, why_not_join, why_not_leave
from maumau_env.game.match import AGENTS, PENALTY_LIMIT, check_penalty_limit, open_matches
from maumau_env.game.match_record import match_id
from maumau_env.game.record import Record, Recorder
from maumau_env.game.result import PLACEMENT
from maumau_env.game.rules import MAX_PLAYERS, Rules
from maumau_env.game.state import END_NAMES, LEFT, OUT, SEATED
from maumau_env.seat.single import (
    attend_at,
    begin_match_at,
    close_round_at,
    final_ranks,
    game_on,
    next_round_at,
)

Names = tuple[str, ...]


@dataclass(frozen=True)
class RoundEnd:
    """What a round of a match led to; agents by number."""

    payoffs: list[float]  # of all five agents, paid by this round
    finished: tuple[int, ...]  # for whom the match is over by it: they are out, or have won
    left: tuple[int, ...]  # who leave after it
    joined: tuple[int, ...]  # who sit down for the next one
    over: bool  # there is no next one
    places: dict[str, int]  # rank of each before anybody left or joined; those still in share the first
    seen: dict[str, np.ndarray]  # what each agent of the round sees at its end, when all have been charged
    info: dict[str, Any]  # the same and more, for people, see `MatchAEC`


class MatchTable(Table):
    """Some agents and their rules, and after `deal` a match; the round being played is that of `Table`.

    Attributes:
        number: of the round, from 1.
        agents: number of the agent on each seat of the round, and `names` its name.
        joined, left: names of the agents who sat down, or left, before this round.
    """

    def __init__(
        self,
        rules: Rules,
        num_players: int,
        penalty_limit: int = PENALTY_LIMIT,
        observation_seats: int | None = None,
    ) -> None:
        check_penalty_limit(penalty_limit)
        super().__init__(rules, num_players, MAX_PLAYERS if observation_seats is None else observation_seats)
        self.penalty_limit, self._openers = penalty_limit, num_players
        self._schedule = self._next_schedule = Schedule()

    def schedule(self, options: dict[str, Any] | None) -> None:
        """Who joins and who leaves in the next match that is dealt; ValueError as for `Schedule.of`."""
        self._next_schedule = Schedule.of(options, self._openers, places(self.rules, self.layout.seats))

    def _new_game(self, seed: int) -> np.ndarray:
        return open_matches(self.rules, self._openers, self.penalty_limit, seed, 1)

    def _begin(self) -> int:
        self._schedule = self._next_schedule
        self._match["joining"] = sum(1 << agent for agent in self._schedule.joins.get(1, ()))
        self._match["leaving"] = 0
        for turn, agent in enumerate(self._schedule.leaves.get(1, ()), 1):
            self._match["leaving"][agent] = turn
        self.joined, self.left = (_names(plan.get(1, ())) for plan in (self._schedule.joins, self._schedule.leaves))
        self._played: list[_Round] = []
        moment = begin_match_at(self._bytes, self._episode)
        self._id = match_id(game_on(self._bytes))
        return moment

    def _begin_round(self, moment: int) -> None:
        game = game_on(self._bytes)[0]
        self.number, self.num_players = int(game["match"]["round"]), int(game["num_players"])
        self.agents = game["agents"][: self.num_players].tolist()
        self.names = _names(self.agents)
        super()._begin_round(moment)

    @property
    def _match(self) -> Any:
        """The MATCH, not a copy."""
        return game_on(self._bytes)["match"][0]

    @property
    def over(self) -> bool:
        """Whether the match is decided."""
        return bool(self._match["over"])

    def points(self) -> dict[str, int]:
        """Penalty points of everybody who is in or out, by number; who left is deleted (M6)."""
        match = self._match
        return {
            name: int(match["points"][agent])
            for agent, name in enumerate(AGENTS)
            if match["status"][agent] in (SEATED, OUT)
        }

    def ranking(self) -> dict[str, int]:
        """M4: rank of everybody who is in or out, 1 is best; those still in share the first."""
        ranks = np.zeros(MAX_PLAYERS, np.int64)
        final_ranks(self._bytes, ranks)
        return {name: int(ranks[agent_number(name)]) for name in self.points()}

    def join(self, name: str) -> None:
        """M5: an agent sits down before the next round; ValueError says why he cannot."""
        join(game_on(self._bytes), agent_number(name), self.layout.seats)

    def leave(self, name: str) -> None:
        """M6: an agent leaves before the next round; ValueError says why he cannot."""
        leave(game_on(self._bytes), agent_number(name))

    def end_round(self, scheme: int = PLACEMENT) -> RoundEnd:
        """M1-M6 after a round; the next one is not dealt yet. The scheme is a number of REWARDS."""
        self._played.append(self._round())
        before, payoffs, coming = self.points(), np.zeros(MAX_PLAYERS), 0
        finished = close_round_at(self._bytes, scheme, payoffs)
        table, ranks = self.points(), self.ranking()
        seen = {name: self.look(seat)[0] for seat, name in enumerate(self.names)}
        if not self.over:
            self._attend_to_schedule()
            coming = int(self._match["joining"])
            finished |= attend_at(self._bytes, scheme, payoffs)
        status = self._match["status"]
        left = tuple(agent for agent in self.agents if status[agent] == LEFT)
        joined = () if self.over else _members(coming)
        info = {
            "round": self.number,
            "end": END_NAMES[self.end],
            "seats": self.names,
            "ranking": self.results()[1],
            "announcements": self.calls(),
            "charged": {name: table[name] - before[name] for name in self.names},
            "table": {name: table[name] for name in self.names},
            "out": _names(agent for agent in self.agents if status[agent] == OUT),
            "left": _names(left),
            "joined": _names(joined),
        }
        return RoundEnd(payoffs.tolist(), _members(finished), left, joined, self.over, ranks, seen, info)

    def next_round(self, end: RoundEnd) -> None:
        """M7: deal the next round, if the end of the last one says that there is one."""
        self.joined, self.left = _names(end.joined), _names(end.left)
        self._episode += 1
        self._begin_round(next_round_at(self._bytes))

    def _attend_to_schedule(self) -> None:
        """What the schedule says of the next round, so far as it is still possible."""
        game, number = game_on(self._bytes), self.number + 1
        for agent in self._schedule.leaves.get(number, ()):
            if not why_not_leave(game, agent):
                leave(game, agent)
        for agent in self._schedule.joins.get(number, ()):
            if not why_not_join(game, agent, self.layout.seats):
                join(game, agent, self.layout.seats)

    def _round(self) -> "_Round":
        return _Round(self._dealt, self.names, self._id, self.joined, self.left, list(self._actions))

    def record(self) -> Record:
        """The record of the round so far."""
        return self._round().record()

    def records(self) -> list[Record]:
        """The records of the rounds of this match that are over."""
        return [played.record() for played in self._played]

    def heading(self) -> str:
        """The round and the limit, and who is out; at the end, who has won the match."""
        ranks, number = self.ranking(), f"Round {self.number}, limit {self.penalty_limit}"
        first = [name for name, rank in ranks.items() if rank == 1]
        if self.over:
            return f"{number}: {' and '.join(first)} won the match"
        out = [name for name in ranks if name not in first]
        return f"{number}, out: {', '.join(out)}" if out else number

    def labels(self) -> Names:
        """Name and points of each seat."""
        points = self.points()
        return tuple(f"{name} ({points[name]})" if name in points else f"{name} (left)" for name in self.names)


@dataclass(frozen=True)
class _Round:
    """All that the record of a round is made of, when somebody asks for it."""

    dealt: np.ndarray
    names: Names
    match_id: str
    joined: Names
    left: Names
    actions: list[int]

    def record(self) -> Record:
        recorder = Recorder(game_on(self.dealt), self.names, self.match_id, self.joined, self.left)
        return record_of(recorder, self.actions)


def _names(agents: Iterable[int]) -> Names:
    return tuple(AGENTS[agent] for agent in agents)


def _members(agents: int) -> tuple[int, ...]:
    """The numbers in a set with a bit for each."""
    return tuple(agent for agent in range(MAX_PLAYERS) if agents >> agent & 1)
