"""What the compiled baselines share: one kernel that decides view by view, and the check before it."""

from abc import abstractmethod

import numpy as np

from agents.agent import Agent
from maumau_env.game.bits import NOTHING
from maumau_env.game.state import raw


class Baseline(Agent):
    """An agent whose decisions a kernel makes, one view after the other."""

    def act(self, views: np.ndarray, words: np.ndarray) -> np.ndarray:
        """A legal action for every view, as `Agent.act`.

        Raises:
            ValueError: a view without legal actions, of a seat that is not to move.
        """
        if (views["legal"] == NOTHING).any():
            raise ValueError("a view without legal actions: its seat is not to move, so there is nothing to decide")
        actions = np.empty(len(views), np.int64)
        self.decide(raw(np.ascontiguousarray(views)), words, actions)
        return actions

    @abstractmethod
    def decide(self, raw_views: np.ndarray, words: np.ndarray, actions: np.ndarray) -> None:
        """Write an action into `actions` (int64) for every VIEW in `raw_views` (bytes) and its word (uint64)."""
