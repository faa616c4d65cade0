"""A decision in each of many games, and what the next seat to move sees, written into arrays that the caller owns.

This is the fast road: the vector environment, the single environment (a batch of one) and self-play all take it.
"""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from maumau_env.game import play
from maumau_env.game.actions import NUM_ACTIONS, count_actions, nth_action
from maumau_env.game.batch import IllegalActionError, illegal_action
from maumau_env.game.jit import jit, kernel
from maumau_env.game.match import settle
from maumau_env.game.result import PLACEMENT
from maumau_env.game.rules import MAX_PLAYERS
from maumau_env.game.state import GAME, RUNNING, raw
from maumau_env.seat.encode import Layout, encode, mask_actions
from maumau_env.seat.view import VIEW, look

VIEW_BYTES = VIEW.itemsize


@dataclass(frozen=True)
class Buffers:
    """The arrays that a batch of n games is seen through; slices of larger arrays will do, rows contiguous."""

    observations: np.ndarray  # float32, (n, layout.size): what the seat to move sees
    masks: np.ndarray  # int8, (n, NUM_ACTIONS): 1 for its legal actions
    movers: np.ndarray  # int64, (n,): its agent, who in a single round has the number of the seat
    rewards: np.ndarray  # float32, (n, 5): of every agent for the round that just ended, else zeros
    ends: np.ndarray  # int8, (n,): how the round that was played ended, RUNNING if it goes on
    finished: np.ndarray  # uint8, (n,): set of the agents whose round, or match, is over by it, a bit for each

    @classmethod
    def new(cls, layout: Layout, games: int) -> Self:
        """Fresh arrays for so many games."""
        return cls(
            np.zeros((games, layout.size), np.float32),
            np.zeros((games, NUM_ACTIONS), np.int8),
            np.zeros(games, np.int64),
            np.zeros((games, MAX_PLAYERS), np.float32),
            np.zeros(games, np.int8),
            np.zeros(games, np.uint8),
        )


def observe(games: np.ndarray, room: int, out: Buffers) -> None:
    """Write what the seat to move of each game sees, with room for `room` seats, and that nothing has ended."""
    observe_kernel(raw(games), room, out.observations, out.masks, out.movers)
    out.rewards[:] = 0
    out.ends[:] = RUNNING
    out.finished[:] = 0


def step(
    games: np.ndarray,
    actions: np.ndarray,
    room: int,
    out: Buffers,
    scheme: int = PLACEMENT,
    skip_forced: bool = False,
) -> None:
    """One decision in every game (actions: int64, shape (n,)); a round that ends is paid and the next one dealt.

    In a match the next round has those who are still in (M2), and after the last one another match begins.

    With `skip_forced` the game then plays every decision that has one legal action, up to the next real choice or to
    the end of the round; the first decision of a new round is always shown.

    Raises:
        IllegalActionError: names the first game whose action is illegal; no game was changed.
    """
    wrong = step_kernel(
        raw(games), actions, room, out.observations, out.masks, out.movers, out.rewards,
        out.ends, out.finished, scheme, skip_forced,
    )  # fmt: skip
    if wrong >= 0:
        raise IllegalActionError(illegal_action(games[wrong], actions[wrong], f"game {wrong}, "))


@kernel
def observe_kernel(raw_games: Any, room: Any, observations: Any, masks: Any, movers: Any) -> None:
    """See `observe`."""
    games, v = raw_games.view(GAME), blank_view()
    for i in range(len(games)):
        show(games[i], v, room, observations[i], masks[i])
        movers[i] = mover(games[i])


@kernel
def step_kernel(
    raw_games: Any, actions: Any, room: Any, observations: Any, masks: Any, movers: Any, rewards: Any,
    ends: Any, finished: Any, scheme: Any, skip_forced: Any,
) -> int:  # fmt: skip
    """Number of the first game whose action is illegal, or -1."""
    games, v = raw_games.view(GAME), blank_view()
    for i in range(len(games)):
        if not play.is_legal(games[i], actions[i]):
            return i
    for i in range(len(games)):
        g = games[i]
        play.step(g, actions[i])
        if skip_forced:
            play_forced(g)
        ends[i] = g["end"]
        rewards[i] = 0
        finished[i] = settle(g, scheme, rewards[i]) if g["end"] != RUNNING else 0
        show(g, v, room, observations[i], masks[i])
        movers[i] = mover(g)
    return -1


@jit
def blank_view() -> Any:
    """A VIEW to work in."""
    return np.zeros(VIEW_BYTES, np.uint8).view(VIEW)[0]


@jit
def play_forced(g: Any) -> None:
    """Play on while there is exactly one legal action."""
    while g["end"] == RUNNING:
        actions = play.legal(g)
        if count_actions(actions) != 1:
            return
        play.step(g, nth_action(actions, 0))


@jit
def mover(g: Any) -> Any:
    """The agent to move."""
    return g["agents"][g["seat"]]


@jit
def show(g: Any, v: Any, room: Any, observation: Any, mask: Any) -> None:
    """What the seat to move sees; `v` is a VIEW to work in."""
    look(g, g["seat"], v)
    encode(v, room, observation)
    mask_actions(v["legal"], mask)
