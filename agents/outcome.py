"""Who wins after which action: playouts to the end of the round, or of the match, that end in ranks.

`playout.py` says what an action is worth by the payoff that bots are trained on; here it is the win and the placement
that people ask for. Every world is tried with each of its actions and with the same chance, so that what differs
between them is not luck.
"""

from typing import Any

import numpy as np

from agents.network import Network, clear_desk
from agents.playout import (
    CHANCE_OF_PLAYERS,
    GAME_BYTES,
    HEURISTIC,
    VIEW_BYTES,
    Brain,
    finish,
    heuristic_move,
    policy_move,
)
from agents.weights import WEIGHTS
from maumau_env.game.bits import scramble
from maumau_env.game.jit import jit, kernel
from maumau_env.game.match import play_on
from maumau_env.game.play import step
from maumau_env.game.result import final_rank
from maumau_env.game.state import GAME, raw
from maumau_env.seat.view import VIEW


def outcomes(worlds: np.ndarray, actions: np.ndarray, network: Network | None = None) -> tuple[np.ndarray, np.ndarray]:
    """How the game ends for the seat to move of each world, after each of some actions.

    Args:
        worlds: GAMEs that are running, shape (n,). Those of a match are played to the end of the match.
        actions: legal actions of each world, int64, shape (n, k).
        network: plays all seats from then on, its most probable action each time; without one the heuristic does.

    Returns:
        Shares of the win (a first rank, shared by those who share it; C16, M4), float64, shape (n, k), and placements
        (1 for the first; equal ranks share their mean), of the same shape.
    """
    ends = np.empty((*actions.shape, 2))
    if network is None:
        heuristic_kernel(raw(worlds), actions, HEURISTIC, ends)
    else:
        policy_kernel(raw(worlds), actions, *network.parts, ends)
    return ends[..., 0], ends[..., 1]


@kernel
def heuristic_kernel(raw_worlds: Any, actions: Any, raw_weights: Any, ends: Any) -> None:
    """`outcomes` with the heuristic."""
    try_each(raw_worlds, actions, heuristic_move, raw_weights.view(WEIGHTS), ends)


@kernel
def policy_kernel(raw_worlds: Any, actions: Any, room: Any, suits: Any, sizes: Any, numbers: Any, ends: Any) -> None:
    """`outcomes` with a policy."""
    try_each(raw_worlds, actions, policy_move, Brain(room, suits, sizes, numbers, clear_desk(sizes)), ends)


@jit
def try_each(raw_worlds: Any, actions: Any, move: Any, brain: Any, ends: Any) -> None:
    """Write the end of every world after each of its actions; `move(view, brain, word)` plays all seats after it."""
    size = GAME_BYTES
    raw_trial = np.empty(size, np.uint8)
    g, v = raw_trial.view(GAME)[0], np.zeros(VIEW_BYTES, np.uint8).view(VIEW)[0]
    for i in range(actions.shape[0]):
        for k in range(actions.shape[1]):
            raw_trial[:] = raw_worlds[i * size : (i + 1) * size]
            me = np.int64(g["agents"][g["seat"]])
            word = scramble(g["rng"] ^ CHANCE_OF_PLAYERS)
            step(g, actions[i, k])
            finish(g, v, move, brain, word)
            while play_on(g):
                word = scramble(word)
                finish(g, v, move, brain, word)
            rank, sharing = final_rank(g, me)
            ends[i, k, 0] = 1 / sharing if rank == 1 else 0.0
            ends[i, k, 1] = rank + (sharing - 1) / 2
