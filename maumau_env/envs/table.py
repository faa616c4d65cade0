"""One table and the round being played on it: what the environments for a single game share.

It speaks of seats and actions only; what an API makes of them is the matter of its adapter.
"""

import secrets
from collections.abc import Iterable
from operator import index
from typing import Any

import numpy as np

from maumau_env.envs.scene import hand_names, scene_of
from maumau_env.envs.state import StateLayout
from maumau_env.game.actions import ACTION_NAMES, NUM_ACTIONS
from maumau_env.game.batch import IllegalActionError, illegal_action
from maumau_env.game.cards import MAX_DECK
from maumau_env.game.record import Record, Recorder
from maumau_env.game.result import PLACEMENT, REWARDS
from maumau_env.game.rules import MAX_PLAYERS, Rules
from maumau_env.game.state import EMPTIED, END_NAMES, NONE, RUNNING, new_games, raw
from maumau_env.render import Scene
from maumau_env.seat.encode import HAND_SCALE, Layout
from maumau_env.seat.single import (
    END,
    END_AT,
    GAME_BYTES,
    ILLEGAL,
    SAYING_AT,
    SEAT,
    advance,
    begin,
    game_on,
    new_table,
    results,
    show_seat,
)
from maumau_env.seat.view import VIEW, view_kernel

FLOAT32, INT8 = np.dtype(np.float32), np.dtype(np.int8)
OBSERVATION_LOW, OBSERVATION_HIGH = -1.0, float(MAX_DECK * HAND_SCALE)
"""Bounds of all numbers in observations and states: the direction is -1, and a whole deck in one hand the most."""


class Table:
    """Some seats and their rules, and after `deal` a round.

    Attributes:
        seat: the seat to move; after the end whoever would move.
        end: RUNNING, EMPTIED, STUCK or TOO_LONG.
        saying_mau: set of the seats that say "Mau!", a bit for each (C15).
        observation: what the seat to move sees, float32 of shape (layout.size,), a new array after every move.
        mask: its legal actions, int8 of shape (NUM_ACTIONS,), a new array too; all 0 after the end.
    """

    def __init__(self, rules: Rules, num_players: int, observation_seats: int | None = None) -> None:
        rules.check_players(num_players)
        self.rules = rules
        self.num_players = num_players
        self.number = 1  # of the round
        self.agents = list(range(num_players))  # by seat
        self.names = tuple(f"player_{seat}" for seat in range(num_players))
        self.layout = layout_for(rules, num_players, observation_seats)
        self._size, self._room = self.layout.size, self.layout.seats
        self._bytes = self._dealt = np.zeros(0, np.uint8)  # the table as `seat/single.py` has it, now and at the deal
        self._rounds = 0
        self._mover = NONE  # who made the last move

    @property
    def dealt(self) -> bool:
        """Whether there is a round, running or over."""
        return len(self._bytes) > 0

    def deal(self, seed: int | None = None) -> None:
        """A new round. Without a seed it follows from the round before, and from chance if there was none.

        Raises:
            ValueError: the seed is no whole number from 0 to 2**64 - 1.
        """
        if seed is not None or not self.dealt:
            seed = secrets.randbits(64) if seed is None else index(seed)
            self._bytes = new_table(self._new_game(seed))
            self._episode = 0
        else:
            self._episode += 1
        self._begin_round(self._begin())

    def _new_game(self, seed: int) -> np.ndarray:
        """A GAME, shape (1,), for `_begin` to begin."""
        return new_games(self.rules, self.num_players, seed, 1)

    def _begin(self) -> int:
        """Deal the round of this episode; returns the moment."""
        return begin(self._bytes, self._episode)

    def _begin_round(self, moment: int) -> None:
        """A round has been dealt."""
        self._read(moment)
        self._dealt = self._bytes.copy()
        self.observation, self.mask = self.look(self.seat)
        self._rounds += 1
        self._actions: list[int] = []
        self._mover = NONE

    def play(self, action: Any) -> None:
        """One decision of the seat to move.

        Raises:
            IllegalActionError: names the seat, the action and the legal ones; nothing was changed.
        """
        try:
            number = index(action)
        except TypeError:
            raise IllegalActionError(f"seat {self.seat}: {action!r} is not the number of an action") from None
        observation, mask = np.empty(self._size, FLOAT32), np.empty(NUM_ACTIONS, INT8)
        saying_mau = self.saying_mau
        known = 0 <= number < NUM_ACTIONS
        moment = advance(self._bytes, number, saying_mau, self._room, observation, mask) if known else ILLEGAL
        if moment == ILLEGAL:
            raise IllegalActionError(illegal_action(self.game()[0], number))
        self._mover = self.seat
        self._actions.append(number)
        self.observation, self.mask = observation, mask
        self._read(moment)

    def _read(self, moment: int) -> None:
        self.seat = moment & SEAT
        self.end = moment >> END_AT & END
        self.saying_mau = moment >> SAYING_AT

    def look(self, seat: int) -> tuple[np.ndarray, np.ndarray]:
        """(observation, mask) of any seat; the mask is all 0 unless it is to move."""
        observation, mask = np.empty(self._size, FLOAT32), np.empty(NUM_ACTIONS, INT8)
        show_seat(self._bytes, seat, self._room, observation, mask)
        return observation, mask

    def view(self, seat: int | None = None) -> np.ndarray:
        """What a seat may know, by default the one to move: a VIEW of shape (1,)."""
        seen = np.zeros(1, VIEW)
        view_kernel(self._bytes[:GAME_BYTES], self.seat if seat is None else seat, raw(seen))
        return seen

    def game(self) -> np.ndarray:
        """The whole truth: a copy of the GAME, shape (1,)."""
        return game_on(self._bytes.copy())

    def state(self) -> np.ndarray:
        """The whole truth as numbers: float32, shape (StateLayout(layout).size,)."""
        return StateLayout(self.layout).write(game_on(self._bytes), self.observation)

    def results(self, scheme: int = PLACEMENT) -> tuple[tuple[float, ...], tuple[int, ...]]:
        """(payoffs, ranks) by seat of a finished round; the scheme is a number of REWARDS."""
        payoffs, ranks = np.zeros(MAX_PLAYERS), np.zeros(MAX_PLAYERS, np.int64)
        results(self._bytes, scheme, payoffs, ranks)
        return tuple(payoffs.tolist()[: self.num_players]), tuple(ranks.tolist()[: self.num_players])

    def moment(self) -> tuple[int, int]:
        """Names this moment among all of this table: the number of the round and of the moves in it."""
        return self._rounds, len(self._actions)

    def calls(self) -> tuple[str, ...]:
        """C15: what each seat is saying: "Mau!", "Mau-Mau!" or nothing."""
        calls = ["Mau!" if self.saying_mau >> seat & 1 else "" for seat in range(self.num_players)]
        if self.end == EMPTIED:
            calls[self._mover] = "Mau-Mau!"
        return tuple(calls)

    def record(self) -> Record:
        """The record of the round so far."""
        return record_of(Recorder(game_on(self._dealt), self.names), self._actions)

    def records(self) -> list[Record]:
        """The records of the rounds that are over."""
        return [] if self.end == RUNNING else [self.record()]

    def labels(self) -> tuple[str, ...]:
        """What is written on each seat."""
        return self.names

    def heading(self) -> str:
        """What is written above the table."""
        return ""

    def scene(self, seat: int | None = None) -> Scene:
        """What is drawn: the table with all hands face up, or as one seat sees it."""
        hands = None
        if seat is None:
            hands = tuple(map(hand_names, game_on(self._bytes)["hands"][0, : self.num_players]))
        over = self.end != RUNNING
        return scene_of(
            self.view(seat),
            self.seat if seat is None else seat,
            self.labels(),
            hands,
            last_move=None if self._mover == NONE else (self._mover, ACTION_NAMES[self._actions[-1]]),
            calls=self.calls(),
            end=END_NAMES[self.end] if over else None,
            ranking=self.results()[1] if over else None,
            heading=self.heading(),
        )


def record_of(recorder: Recorder, actions: Iterable[int]) -> Record:
    """The record of a round in which these actions were taken."""
    for action in actions:
        recorder.note(action)
    return recorder.record()


def layout_for(rules: Rules, num_players: int, observation_seats: int | None = None) -> Layout:
    """The layout of a table's observations, with room for exactly its players or for more.

    Raises:
        ValueError: there is no such room, or the players do not fit into it.
    """
    layout = Layout(rules.deck, num_players if observation_seats is None else observation_seats)
    if layout.seats < num_players:
        raise ValueError(f"observation_seats={layout.seats} for {num_players} players: it is at least their number")
    return layout


def reward_scheme(reward: str) -> int:
    """The number of a reward scheme by its name; ValueError lists them when there is none."""
    if reward not in REWARDS:
        raise ValueError(f"no reward is called {reward!r}: there are {', '.join(REWARDS)}")
    return REWARDS.index(reward)


def check_render_mode(render_mode: str | None, modes: list[str]) -> None:
    """ValueError unless this is one of the modes, or None."""
    if render_mode is not None and render_mode not in modes:
        raise ValueError(f"render_mode={render_mode!r}: there are {', '.join(modes)} and None")
