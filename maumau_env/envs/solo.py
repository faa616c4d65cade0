"""Gymnasium's environment: one round, or one match, one learner, and bots on the other seats."""

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

import agents
from agents import Agent
from agents.agent import SEES_ALL, Cheat
from maumau_env.envs.match_table import MatchTable
from maumau_env.envs.scene import drawn
from maumau_env.envs.table import OBSERVATION_HIGH, OBSERVATION_LOW, Table, check_render_mode, reward_scheme
from maumau_env.game.actions import ACTION_NAMES, NUM_ACTIONS
from maumau_env.game.batch import IllegalActionError
from maumau_env.game.record import Record
from maumau_env.game.rules import Rules
from maumau_env.game.state import END_NAMES, RUNNING
from maumau_env.render import Window

Opponents = str | Agent | Sequence[str | Agent]
ILLEGAL_WAYS = ("lose", "error")
MOST_DEALS = 1000
"""So many rounds in a row that end before the learner could move: then it will never be asked."""


class MauMauEnv(gymnasium.Env):
    """`gymnasium.make("maumau/MauMau-v0", opponents=["heuristic", "random"], ace="skip")`.

    A step leads from one decision of the learner to its next one, or to the end of the round, with all reward in
    between. An observation is float32 of shape (layout.size,); `action_masks()` gives the legal actions, as sb3-contrib
    asks for them. The info holds

    - `action_mask`: int8, shape (NUM_ACTIONS,), 1 for the legal actions, all 0 after the end;
    - `seat`: the learner's; `announcements`: by seat "Mau!", "Mau-Mau!" or "" (C15);
    - after the end also `end`, "emptied", "stuck" or "too long", and `ranking`, by seat, 1 is best (C16).

    With a `penalty_limit` a whole match is played, until the learner is out or has won. It is `player_<seat>` for the
    whole match; `ranking` is by the numbers of the players and M4 (those still in share the first rank); `round`,
    `seats` (the players on the seats of the round, to which `announcements` belong) and `last_round` are as in
    `MatchAEC`.

    A round that ends before the learner could move teaches nothing: `reset` deals another.

    Args:
        opponents: bots by name (see `agents.make`) or as Agents, the first sits next to the learner clockwise; or one
            bot, which then takes every other seat.
        rules: name of a preset, or Rules.
        num_players: by default one more than the opponents.
        seat: the learner's, or "random" for another in each round.
        reward: "placement", "win" or "points", see `game/result.py`; paid when the round is over.
        observation_seats: seats that an observation has room for, by default num_players.
        illegal: what an illegal action does: with "lose", what Gymnasium's own tools expect, the round is over for the
            learner with reward -1 and `info["illegal_action"]` says why; "error" raises IllegalActionError and changes
            nothing.
        penalty_limit: play whole matches up to so many points (M2); None for single rounds.
        render_mode: "human" (a window), "ansi" (text), "rgb_array" (a picture) or None. All hands lie face up.
        options: single options of the rules by name, such as ace="skip".

    Raises:
        ValueError: an argument that is unknown or impossible; the message says what is allowed.
    """

    metadata = {"render_modes": ["human", "ansi", "rgb_array"], "render_fps": 2}  # noqa: RUF012 (read from the class)

    def __init__(
        self,
        opponents: Opponents = "heuristic",
        rules: str | Rules = "classic",
        num_players: int | None = None,
        seat: int | str = "random",
        reward: str = "placement",
        observation_seats: int | None = None,
        illegal: str = "lose",
        penalty_limit: int | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        check_render_mode(render_mode, self.metadata["render_modes"])
        self.render_mode = render_mode
        self.rules = Rules.of(rules, **options)
        self.opponents = seat_opponents(opponents, self.rules, num_players, penalty_limit)
        self._table = new_table(self.rules, len(self.opponents) + 1, observation_seats, penalty_limit)
        if seat != "random" and seat not in range(self._table.num_players):
            raise ValueError(f'seat={seat!r}: it is "random" or 0 to {self._table.num_players - 1}')
        if illegal not in ILLEGAL_WAYS:
            raise ValueError(f"illegal={illegal!r}: there are {', '.join(ILLEGAL_WAYS)}")
        self._fixed_seat = None if seat == "random" else int(seat)
        self._illegal = illegal
        self._scheme = reward_scheme(reward)
        self.layout = self._table.layout
        self.actions = ACTION_NAMES
        self.observation_space = spaces.Box(OBSERVATION_LOW, OBSERVATION_HIGH, (self.layout.size,), np.float32)
        self.action_space = spaces.Discrete(NUM_ACTIONS)
        self._seat = 0 if self._fixed_seat is None else self._fixed_seat
        self._running = False
        self._window = Window()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Deal a round, or the first one of a match, and play up to the learner's first decision. No options."""
        for key in {"joins", "leaves"} & {*(options or ())}:
            raise ValueError(f"reset() knows no option {key!r} here: agents join and leave in match_v0")
        super().reset(seed=seed)
        for _ in range(MOST_DEALS):
            self._table.deal(int(self.np_random.integers(1 << 64, dtype=np.uint64)))
            if self._fixed_seat is None:
                self._seat = int(self.np_random.integers(self._table.num_players))
            self._told: dict[str, Any] = {}
            self._last_round: dict[str, Any] | None = None
            self._running = True
            self._show()
            self._play_opponents()
            if self._running and self._table.number == 1:
                return self._table.observation, self._info()
        raise ValueError(f"under these rules ({self.rules}) seat {self._seat} never comes to move")

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """The learner's action, and all that happens up to its next decision or the end of the round.

        Raises:
            IllegalActionError: names the seat, the action and the legal ones; nothing was changed.
            RuntimeError: there is no round, or it is over.
        """
        if not self._running:
            raise RuntimeError("call reset() first: there is no round, or it is over")
        try:
            self._table.play(action)
        except IllegalActionError as error:
            if self._illegal == "error":
                raise
            self._running = False
            info = self._info() | {"illegal_action": str(error)}
            return self._table.observation.copy(), -1.0, True, False, info
        self._show()
        reward = self._play_opponents()
        if self._running:
            return self._table.observation, reward, False, False, self._info()
        seat = self._table.agents.index(self._seat)
        return self._table.look(seat)[0], reward, True, False, self._info()

    def _play_opponents(self) -> float:
        """Play until the learner is to move, or its game is over; returns what it was paid on the way."""
        table, paid = self._table, 0.0
        while self._running:
            if table.end != RUNNING:
                paid += self._end_round()
                continue
            mover = table.agents[table.seat]
            if mover == self._seat:
                break
            opponent = self.opponents[(mover - self._seat) % (len(self.opponents) + 1) - 1]
            word = self.np_random.integers(1 << 64, size=1, dtype=np.uint64)
            action = opponent.act(table.view(), word)[0]
            try:
                table.play(action)
            except IllegalActionError as error:
                raise IllegalActionError(f"the opponent {type(opponent).__name__}: {error}") from error
            self._show()
        return paid

    def _end_round(self) -> float:
        """Settle the round that is over, and deal the next one if the match goes on; returns the learner's reward."""
        table, end = self._table, {"end": END_NAMES[self._table.end]}
        if not isinstance(table, MatchTable):
            payoffs, ranking = table.results(self._scheme)
            self._running, self._told = False, end | {"ranking": ranking}
            return payoffs[self._seat]
        led_to = table.end_round(self._scheme)
        self._last_round = led_to.info
        if self._seat in led_to.finished:
            self._running = False
            self._told = end | {"ranking": tuple(table.ranking().values())}
        else:
            table.next_round(led_to)
            self._show()
        return led_to.payoffs[self._seat]

    def _info(self) -> dict[str, Any]:
        mask = self._table.mask if self._running else np.zeros(NUM_ACTIONS, np.int8)
        info = {"action_mask": mask, "seat": self._seat, "announcements": self._table.calls(), **self._told}
        if isinstance(self._table, MatchTable):
            info |= {"round": self._table.number, "seats": self._table.names, "last_round": self._last_round}
        return info

    def action_masks(self) -> np.ndarray:
        """The learner's legal actions: bool, shape (NUM_ACTIONS,), all False when the round is over."""
        mask = self._dealt().mask.astype(bool)
        return mask if self._running else np.zeros_like(mask)

    def view(self) -> np.ndarray:
        """What the learner may know: a VIEW (`seat/view.py`), shape (1,), for a bot in its place."""
        return self._dealt().view(self._table.agents.index(self._seat))

    def record(self) -> Record:
        """The record of the round so far; before the end, its `end` is "running" and its ranking that of the moment."""
        return self._dealt().record()

    def records(self) -> list[Record]:
        """The records of the rounds that are over: of this match, or of the single round."""
        return self._dealt().records()

    def render(self) -> np.ndarray | str | None:
        """The table as a picture or as text by `render_mode`; with "human" it is shown as it changes."""
        return drawn(self._dealt().scene(), self.render_mode, self.metadata["render_modes"])

    def close(self) -> None:
        """Close the window, if there is one."""
        self._window.close()

    def _show(self) -> None:
        if self.render_mode == "human":
            self._window.show(self._table.scene(), self.metadata["render_fps"])

    def _dealt(self) -> Table:
        if not self._table.dealt:
            raise RuntimeError("call reset() first: there is no round yet")
        return self._table


def new_table(rules: Rules, num_players: int, observation_seats: int | None, penalty_limit: int | None) -> Table:
    """A table for single rounds or, with a limit, for matches; nobody joins, so there is room for the players."""
    if penalty_limit is None:
        return Table(rules, num_players, observation_seats)
    return MatchTable(
        rules, num_players, penalty_limit, num_players if observation_seats is None else observation_seats
    )


def seat_opponents(
    opponents: Opponents, rules: Rules, num_players: int | None = None, penalty_limit: int | None = None
) -> list[Agent]:
    """One agent for each other seat, clockwise from the learner; a bot that sits more than once is one object.

    Raises:
        ValueError: their number does not fit the table, one of them does not exist or cannot play there.
    """
    if num_players is not None:
        rules.check_players(num_players)
    if isinstance(opponents, str | Agent):
        opponents = [opponents] * (1 if num_players is None else num_players - 1)
    if num_players is not None and len(opponents) != num_players - 1:
        raise ValueError(
            f"{len(opponents)} opponents for {num_players} players: give {num_players - 1}, or a single one, which "
            "then takes every other seat"
        )
    rules.check_players(len(opponents) + 1)
    made = {name: agents.make(name) for name in opponents if isinstance(name, str)}
    seated = [made[each] if isinstance(each, str) else each for each in opponents]
    for agent in seated:
        if not isinstance(agent, Agent):
            raise ValueError(f"{agent!r} is no opponent: give the name of a bot or an agents.Agent")
        if isinstance(agent, Cheat):
            raise ValueError(f"{type(agent).__name__} {SEES_ALL}")
        agent.check_game(rules, len(seated) + 1, penalty_limit)
    return seated
