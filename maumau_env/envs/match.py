"""PettingZoo's AEC environment: a whole match of Mau-Mau. `match_v0.py` tells how to use it."""

from typing import Any

import numpy as np

from maumau_env.envs.aec import AFTER_RESET, NOTHING_LEGAL, MauMauAEC
from maumau_env.envs.match_table import MatchTable, RoundEnd
from maumau_env.envs.table import Table
from maumau_env.game.match import AGENTS, PENALTY_LIMIT
from maumau_env.game.record import Record
from maumau_env.game.rules import Rules


class MatchAEC(MauMauAEC):
    """A match: rounds of Mau-Mau, each as in `MauMauAEC`, until one agent is left (`game/match.py` has the rules).

    There are five possible agents, `player_0` to `player_4`; the first `num_players` of them sit down, others can join.
    Who still is in sits clockwise by number. When a round is over, everybody is charged the points left in hand, and

    - who has more than `penalty_limit` is out: terminated, with the reward of its placement; the others play on;
    - who asked to leave is truncated, and paid for no placement;
    - the last one left has won and is terminated.

    Each info holds `action_mask` and `announcements`, by seat of the round, as in `MauMauAEC`, and

    - `round`: number of the round being played, from 1, and `seats`: the agents on its seats;
    - `last_round`: None, or what the round before led to: `round`, `end`, `seats`, `ranking` (by seat, C16) and
      `announcements`, `charged` and `table` (points of the round, and in all, by agent), the agents `out` by it, and
      those who `left` and `joined` after it;
    - when the match is over for the agent also `placement`, its rank by then, as it is paid for; and, when it is over
      for all, `ranking` by agent, M4.

    Rewards place an agent among all who have sat down so far: zero-sum unless somebody joins or leaves. With
    `reward="points"` every round pays instead.

    Args:
        rules: name of a preset, or Rules.
        num_players: 2 to 5 who sit down first.
        penalty_limit: whoever has more points is out, 1 to 10,000.
        render_mode, reward, options: as in `MauMauAEC`.
        observation_seats: seats that an observation has room for, by default 5; no more can sit at once.

    Raises:
        ValueError: an argument that is unknown or impossible; the message says what is allowed.
    """

    metadata = MauMauAEC.metadata | {"name": "match_v0"}
    after_reset = AFTER_RESET | {"table"}

    _table: MatchTable
    _round: MatchTable

    def __init__(
        self,
        rules: str | Rules = "match",
        num_players: int = 4,
        penalty_limit: int = PENALTY_LIMIT,
        render_mode: str | None = None,
        reward: str = "placement",
        observation_seats: int | None = None,
        **options: Any,
    ) -> None:
        self.penalty_limit = penalty_limit
        self._last_round: dict[str, Any] | None = None
        self._last_seen: dict[str, np.ndarray] = {}  # by those who have finished
        super().__init__(rules, num_players, render_mode, reward, observation_seats, **options)

    def _new_table(self, num_players: int, observation_seats: int | None) -> Table:
        return MatchTable(self.rules, num_players, self.penalty_limit, observation_seats)

    def _all_agents(self) -> list[str]:
        return list(AGENTS)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match: with a seed always the same, without one the next of the last seed.

        Args:
            seed: 0 to 2**64 - 1.
            options: `{"joins": {round: [agents]}, "leaves": {round: [agents]}}`: who sits down or leaves before which
                round, counted from 1. What has become impossible by then, because the agent is out, lapses.

        Raises:
            ValueError: a schedule that cannot be; the match before, if there is one, goes on.
        """
        super().reset(seed, options)

    def _deal(self, seed: int | None, options: dict[str, Any] | None) -> None:
        self._table.schedule(options)
        self._table.deal(seed)
        self._last_round, self._last_seen = None, {}

    def join(self, agent: str) -> None:
        """M5: the agent sits down before the next round, with the points of the worst player still in.

        Raises:
            ValueError: it sits there or has asked already, has been in this match before, or nobody is called so; there
                is no room for it in the observations; or the match is over.
        """
        self._round.join(agent)

    def leave(self, agent: str) -> None:
        """M6: the agent leaves before the next round; one that was to join then stays away.

        Raises:
            ValueError: it does not sit there, has asked already, or is the last one; or the match is over.
        """
        self._round.leave(agent)

    @property
    def table(self) -> dict[str, int]:
        """Penalty points of every agent that is in or out; who left is deleted (M6)."""
        return self._round.points()

    def records(self) -> list[Record]:
        """The records of the rounds of this match that are over; `record()` is that of the one being played."""
        return self._round.records()

    def _finish(self) -> None:
        """A round is over: charge, pay and see off, and deal the next one if there is one."""
        self._show()
        table = self._round
        end = table.end_round(self._scheme)
        self._last_round = end.info
        self._last_seen = {AGENTS[agent]: end.seen[AGENTS[agent]] for agent in (*end.finished, *end.left)}
        self.rewards = {agent: end.payoffs[AGENTS.index(agent)] for agent in self.agents}
        self._accumulate_rewards()
        self._paid = True
        for agent in end.finished:
            self.terminations[AGENTS[agent]] = True
        for agent in end.left:
            self.truncations[AGENTS[agent]] = True
        if not end.over:
            self._go_on(end)
        self._inform()
        for agent in end.finished:
            info = self.infos[AGENTS[agent]]
            info["placement"] = end.places[AGENTS[agent]]
            if end.over:
                info["ranking"] = table.ranking()
        self._deads_step_first()

    def _go_on(self, end: RoundEnd) -> None:
        """The next round, with those who have joined."""
        table = self._round
        table.next_round(end)
        self.agents = sorted({*self.agents, *table.names})
        for agent in end.joined:
            name = AGENTS[agent]
            self.rewards[name] = self._cumulative_rewards[name] = 0.0
            self.terminations[name] = self.truncations[name] = False
        self.agent_selection = table.names[table.seat]

    def _tell(self) -> dict[str, Any]:
        table = self._round
        told = {"round": table.number, "seats": table.names, "last_round": self._last_round}
        return super()._tell() | told

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What an agent sees now, and its legal actions; an agent that has finished sees the end of its last round."""
        if agent in self._last_seen:
            return {"observation": self._last_seen[agent], "action_mask": NOTHING_LEGAL}
        return super().observe(agent)
