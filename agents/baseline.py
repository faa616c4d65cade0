"""What the compiled baselines share: one kernel that decides view by view, and the check before it."""

from abc import abstractmethod

import numpy as np

from agents.agent import Agent
from maumau_env.game.actions import MAU_BIT
from maumau_env.game.bits import NOTHING, scrambled
from maumau_env.game.state import copied, raw

CHANCE_OF_FORGETTING = np.uint64(0xF0E6_5EED)
"""Keeps what is forgotten apart from what is decided by the same word."""


class Baseline(Agent):
    """An agent whose decisions a kernel makes, one view after the other.

    Args:
        seed: for `choose`.
        forgets_mau: how often it forgets that it could say Mau (C15), 0 to 1, as people do.
    """

    def __init__(self, seed: int = 0, forgets_mau: float = 0.0) -> None:
        super().__init__(seed)
        if not isinstance(forgets_mau, int | float) or not 0 <= forgets_mau <= 1:
            raise ValueError(f"forgets_mau={forgets_mau!r}: it is a share from 0 to 1")
        self.forgets_mau = float(forgets_mau)

    def act(self, views: np.ndarray, words: np.ndarray) -> np.ndarray:
        """A legal action for every view, as `Agent.act`.

        Raises:
            ValueError: a view without legal actions, of a seat that is not to move.
        """
        if (views["legal"] == NOTHING).any():
            raise ValueError("a view without legal actions: its seat is not to move, so there is nothing to decide")
        if self.forgets_mau > 0:
            views = self._forget_mau(views, words)
        actions = np.empty(len(views), np.int64)
        self.decide(raw(np.ascontiguousarray(views)), words, actions)
        return actions

    def _forget_mau(self, views: np.ndarray, words: np.ndarray) -> np.ndarray:
        """The same views, in some of which Mau does not come to mind."""
        views = copied(np.ascontiguousarray(views))
        shares = np.array([scrambled(word) for word in (words ^ CHANCE_OF_FORGETTING).tolist()], np.float64) / 2**64
        views["legal"][shares < self.forgets_mau] &= ~MAU_BIT
        return views

    @abstractmethod
    def decide(self, raw_views: np.ndarray, words: np.ndarray, actions: np.ndarray) -> None:
        """Write an action into `actions` (int64) for every VIEW in `raw_views` (bytes) and its word (uint64)."""
