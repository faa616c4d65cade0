"""`random`: every legal action is equally likely; the zero of every scale."""

from typing import Any

import numpy as np

from agents.baseline import Baseline
from maumau_env.game.actions import count_actions, nth_action
from maumau_env.game.bits import below
from maumau_env.game.jit import kernel
from maumau_env.seat.view import VIEW


class Random(Baseline):
    """Uniform over the legal actions; a Jack counts as four, one for each wish."""

    def decide(self, raw_views: np.ndarray, words: np.ndarray, actions: np.ndarray) -> None:
        """As `Baseline.decide`."""
        random_kernel(raw_views, words, actions)


@kernel
def random_kernel(raw_views: Any, words: Any, actions: Any) -> None:
    """Write one action for each view."""
    views = raw_views.view(VIEW)
    for i in range(len(views)):
        choices = views[i]["legal"]
        actions[i] = nth_action(choices, below(words[i], count_actions(choices)))
