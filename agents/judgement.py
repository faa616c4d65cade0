"""What a bot thinks of every legal action, the good and the bad: not only which one it would play."""

from typing import Any

import numpy as np

from agents.heuristic import score
from agents.network import Network
from agents.playout import HEURISTIC
from agents.weights import WEIGHTS
from maumau_env.game.actions import NUM_ACTIONS, count_actions, nth_action
from maumau_env.game.jit import kernel
from maumau_env.game.state import raw
from maumau_env.seat.view import VIEW


def judge(views: np.ndarray, network: Network | None = None) -> np.ndarray:
    """How good each action seems: greater is better, and only the order has a meaning.

    Args:
        views: VIEWs of the seats to move, shape (n,).
        network: by its probabilities; without one by the heuristic's weighted sums.

    Returns:
        float64, shape (n, NUM_ACTIONS); -inf for what is not legal.
    """
    seen, judged = raw(np.ascontiguousarray(views)), np.full((len(views), NUM_ACTIONS), -np.inf)
    scores_kernel(seen, HEURISTIC, judged)
    return judged if network is None else np.where(judged > -np.inf, network.probabilities(seen, len(views)), -np.inf)


@kernel
def scores_kernel(raw_views: Any, raw_weights: Any, judged: Any) -> None:
    """Write the heuristic's score of every legal action."""
    views, weights = raw_views.view(VIEW), raw_weights.view(WEIGHTS)
    for i in range(len(views)):
        v = views[i]
        w = weights[(v["num_players"] > 2) + 2 * (v["round"] > 0)]
        for n in range(count_actions(v["legal"])):
            action = nth_action(v["legal"], n)
            judged[i, action] = score(v, w, action)
