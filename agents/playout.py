"""Playouts: from a GAME to the end of its round, every seat played by the heuristic or by a trained policy.

All actions are tried in the same worlds and with the same chance, so that what differs between them is not luck.
Whoever decides in a playout is shown the VIEW of its seat and no more.
"""

from typing import Any, NamedTuple

import numpy as np

from agents.heuristic import best_action
from agents.network import Desk, Network, choose, clear_desk
from agents.suits import Suits
from agents.weights import TUNED, WEIGHTS
from maumau_env.game.actions import count_actions, nth_action
from maumau_env.game.bits import ONE, scramble
from maumau_env.game.jit import jit, kernel
from maumau_env.game.play import legal, step
from maumau_env.game.result import BY_POINTS, WIN, payoff_by_points, payoff_by_rank
from maumau_env.game.state import GAME, RUNNING, raw
from maumau_env.seat.view import VIEW, look

CHANCE_OF_PLAYERS = np.uint64(0x914_0D75)
"""Keeps the chance of the players apart from that of the cards."""

GAME_BYTES, VIEW_BYTES = GAME.itemsize, VIEW.itemsize

HEURISTIC = raw(np.array([tuple(vars(weights).values()) for weights in TUNED], WEIGHTS))


class Brain(NamedTuple):
    """A policy as the compiled playouts take it: what `choose` needs."""

    room: int
    suits: Suits
    sizes: np.ndarray
    numbers: np.ndarray
    desk: Desk


def play_out(worlds: np.ndarray, actions: np.ndarray, network: Network | None = None, scheme: int = WIN) -> np.ndarray:
    """What each action of the seat to move leads to in each world.

    Args:
        worlds: GAMEs of rounds that are running, shape (n,), with the same seat to move and the same legal actions.
        actions: some of these actions, int64, shape (k,).
        network: plays all seats from then on, its most probable action each time; without one the heuristic does.
        scheme: what is paid for a single round, by its number in `game/result.py`; a round of a match pays by points.

    Returns:
        Payoffs of the seat to move, float64, shape (n, k).
    """
    payoffs = np.empty((len(worlds), len(actions)))
    if network is None:
        heuristic_kernel(raw(worlds), actions, scheme, HEURISTIC, payoffs)
    else:
        policy_kernel(raw(worlds), actions, scheme, *network.parts, payoffs)
    return payoffs


@kernel
def heuristic_kernel(raw_worlds: Any, actions: Any, scheme: Any, raw_weights: Any, payoffs: Any) -> None:
    """`play_out` with the heuristic."""
    try_actions(raw_worlds, actions, scheme, heuristic_move, raw_weights.view(WEIGHTS), payoffs)


@kernel
def policy_kernel(
    raw_worlds: Any, actions: Any, scheme: Any, room: Any, suits: Any, sizes: Any, numbers: Any, payoffs: Any
) -> None:
    """`play_out` with a policy."""
    policy = Brain(room, suits, sizes, numbers, clear_desk(sizes))
    try_actions(raw_worlds, actions, scheme, policy_move, policy, payoffs)


@jit
def heuristic_move(_seat: Any, v: Any, weights: Any, word: Any) -> Any:
    """The heuristic's action for the VIEW `v`; `weights` for every table, as in `Sets`."""
    return best_action(v, weights[(v["num_players"] > 2) + 2 * (v["round"] > 0)], word)


@jit
def policy_move(_seat: Any, v: Any, policy: Any, word: Any) -> Any:
    """The policy's action for the VIEW `v`."""
    return choose(v, word, policy.room, policy.suits, policy.sizes, policy.numbers, False, policy.desk)


@jit
def try_actions(raw_worlds: Any, actions: Any, scheme: Any, move: Any, brain: Any, payoffs: Any) -> None:
    """Write the payoff of each action in each world; `move(seat, view, brain, word)` plays after it."""
    size = GAME_BYTES
    raw_trial = np.empty(size, np.uint8)
    g, v = raw_trial.view(GAME)[0], np.zeros(VIEW_BYTES, np.uint8).view(VIEW)[0]
    for i in range(len(payoffs)):
        for k in range(len(actions)):
            raw_trial[:] = raw_worlds[i * size : (i + 1) * size]
            me = np.int64(g["seat"])
            word = scramble(g["rng"] ^ CHANCE_OF_PLAYERS)
            step(g, actions[k])
            finish(g, v, move, brain, word)
            payoffs[i, k] = payoff(g, me, scheme)


@jit
def finish(g: Any, v: Any, move: Any, brain: Any, word: Any) -> None:
    """Play the round to its end; `v` is a VIEW to look through."""
    while g["end"] == RUNNING:
        word += ONE
        choices = legal(g)
        if count_actions(choices) == 1:
            step(g, nth_action(choices, 0))
        else:
            look(g, g["seat"], v)
            step(g, move(g["seat"], v, brain, scramble(word)))


@jit
def payoff(g: Any, seat: Any, scheme: Any) -> float:
    """What the round that has ended is worth to a seat."""
    if scheme == BY_POINTS or g["match"]["round"] > 0:
        return payoff_by_points(g, seat)
    return payoff_by_rank(g, g["agents"][seat], scheme)
