"""What every action of many positions is worth, by rollouts: what a policy can learn from instead of from results.

A game tells of the one action that was played, and mostly of luck. Here each legal action is carried out in worlds that
agree with what the seat to move sees, the same for all of them, and the heuristic or a trained policy plays every seat
to the end (rollouts; Tesauro and Galperin, 1996). That is what `search` does at the table, with fewer worlds and
without making up its mind: a network that learns to foretell these figures takes their mean over all positions that
look alike, and so needs no more than a rough one of each.
"""

from typing import Any

import numpy as np

from agents.network import Network, clear_desk
from agents.playout import GAME_BYTES, HEURISTIC, Brain, heuristic_move, policy_move, try_actions
from agents.weights import WEIGHTS
from maumau_env.game.actions import NUM_ACTIONS, count_actions, nth_action
from maumau_env.game.jit import jit, kernel
from maumau_env.game.result import WIN
from maumau_env.game.state import GAME, raw
from maumau_env.seat.view import VIEW
from maumau_env.seat.worlds import HIDDEN, fill_worlds


def roll_out(
    views: np.ndarray, words: np.ndarray, number: int, scheme: int = WIN, network: Network | None = None
) -> np.ndarray:
    """The mean payoff of every legal action, all seats played by the heuristic after it, or by a network.

    Args:
        views: VIEWs of the seats to move, shape (n,).
        words: of chance, uint64, shape (n,).
        number: of worlds for each view; draws are taken as evidence, as by `search`.
        scheme: what is paid for a single round, by its number in `game/result.py`; a round of a match pays by points.
        network: plays its most probable action each time; it takes ten to twenty times as long as the heuristic.

    Returns:
        float32, shape (n, NUM_ACTIONS); 0 for actions that are not legal.
    """
    worths = np.zeros((len(views), NUM_ACTIONS), np.float32)
    seen, hidden = raw(np.ascontiguousarray(views)), raw(np.zeros(1, HIDDEN))
    if network is None:
        heuristic_kernel(seen, words, number, scheme, hidden, HEURISTIC, worths)
    else:
        policy_kernel(seen, words, number, scheme, hidden, *network.parts, worths)
    return worths


@kernel
def heuristic_kernel(
    raw_views: Any, words: Any, number: Any, scheme: Any, raw_hidden: Any, raw_weights: Any, worths: Any
) -> None:
    """`roll_out` with the heuristic."""
    judge_all(raw_views, words, number, scheme, raw_hidden, heuristic_move, raw_weights.view(WEIGHTS), worths)


@kernel
def policy_kernel(
    raw_views: Any, words: Any, number: Any, scheme: Any, raw_hidden: Any, room: Any, suits: Any, sizes: Any,
    numbers: Any, worths: Any,
) -> None:  # fmt: skip
    """`roll_out` with a policy."""
    policy = Brain(room, suits, sizes, numbers, clear_desk(sizes))
    judge_all(raw_views, words, number, scheme, raw_hidden, policy_move, policy, worths)


@jit
def judge_all(
    raw_views: Any, words: Any, number: Any, scheme: Any, raw_hidden: Any, move: Any, brain: Any, worths: Any
) -> None:
    """Write what the legal actions of every VIEW are worth; `move(view, brain, word)` plays all seats after them."""
    views, h = raw_views.view(VIEW), raw_hidden.view(HIDDEN)[0]
    raw_worlds = np.empty(number * GAME_BYTES, np.uint8)
    for i in range(len(views)):
        choices = views[i]["legal"]
        actions = np.array([nth_action(choices, k) for k in range(count_actions(choices))])
        payoffs = np.empty((number, len(actions)))
        raw_worlds[:] = 0
        fill_worlds(views[i], words[i], True, h, raw_worlds.view(GAME))
        try_actions(raw_worlds, actions, scheme, move, brain, payoffs)
        for k in range(len(actions)):
            worths[i, actions[k]] = payoffs[:, k].mean()
