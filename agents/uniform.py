"""`random`: every legal action is equally likely, the zero of every scale; `eager`: random, but it plays when it can.

Under the `match` rules a player may always draw, and one who does so by chance draws itself to death. There `eager` is
the player without a thought.
"""

from typing import Any

import numpy as np

from agents.baseline import Baseline
from maumau_env.game.actions import DRAW_BIT, NUM_ACTIONS, PASS_BIT, any_action
from maumau_env.game.bits import NOTHING
from maumau_env.game.jit import kernel
from maumau_env.seat.encode import mask_actions
from maumau_env.seat.view import VIEW


class Random(Baseline):
    """Uniform over the legal actions; a Jack counts as four, one for each wish."""

    def decide(self, raw_views: np.ndarray, words: np.ndarray, actions: np.ndarray) -> None:
        """As `Baseline.decide`."""
        random_kernel(raw_views, words, actions)

    def probabilities(self, views: np.ndarray) -> np.ndarray:
        """As `Agent.probabilities`, exactly."""
        masks = np.zeros((len(views), NUM_ACTIONS), np.int8)
        masks_kernel(views["legal"].copy(), masks)
        return masks / masks.sum(1, keepdims=True, dtype=np.float64)


@kernel
def random_kernel(raw_views: Any, words: Any, actions: Any) -> None:
    """Write one action for each view."""
    views = raw_views.view(VIEW)
    for i in range(len(views)):
        actions[i] = any_action(views[i]["legal"], words[i])


@kernel
def masks_kernel(legal: Any, masks: Any) -> None:
    """Write the action mask of every set of legal actions."""
    for i in range(len(legal)):
        mask_actions(legal[i], masks[i])


class Eager(Baseline):
    """Uniform over the legal actions that are neither drawing nor passing; draws or passes when there is no other."""

    def decide(self, raw_views: np.ndarray, words: np.ndarray, actions: np.ndarray) -> None:
        """As `Baseline.decide`."""
        eager_kernel(raw_views, words, actions)


@kernel
def eager_kernel(raw_views: Any, words: Any, actions: Any) -> None:
    """Write one action for each view."""
    views = raw_views.view(VIEW)
    for i in range(len(views)):
        choices = views[i]["legal"] & ~(DRAW_BIT | PASS_BIT)
        if choices == NOTHING:
            choices = views[i]["legal"]
        actions[i] = any_action(choices, words[i])
