"""A model of plain sb3-contrib as an agent, so that it can sit in tournaments. This file itself needs no torch."""

from typing import Any

import numpy as np

from agents.agent import Agent
from maumau_env.game.actions import NUM_ACTIONS, actions_in
from maumau_env.game.bits import NOTHING
from maumau_env.game.rules import Rules
from maumau_env.seat.encode import Layout, observations


class Sb3Model(Agent):
    """Plays the most probable legal action of a MaskablePPO that was trained on `MauMauVecEnv` or `MauMauEnv`.

    Args:
        model: of sb3-contrib; `predict(observations, action_masks=..., deterministic=True)` is all that is used.
        layout: of the observations it was trained on, the `layout` of its environment.
    """

    def __init__(self, model: Any, layout: Layout, seed: int = 0) -> None:
        super().__init__(seed)
        self.model, self.layout = model, layout

    def act(self, views: np.ndarray, words: np.ndarray) -> np.ndarray:
        """A legal action for every view, as `Agent.act`; ValueError for a view without legal actions."""
        if (views["legal"] == NOTHING).any():
            raise ValueError("a view without legal actions: its seat is not to move, so there is nothing to decide")
        masks = np.zeros((len(views), NUM_ACTIONS), np.bool_)
        for mask, legal in zip(masks, views["legal"].tolist(), strict=True):
            mask[actions_in(legal)] = True
        seen = observations(np.ascontiguousarray(views), self.layout.seats)
        actions, _ = self.model.predict(seen, action_masks=masks, deterministic=True)
        return actions.astype(np.int64)

    def check_table(self, rules: Rules, num_players: int) -> None:
        """Raise ValueError unless the table fits into the observations of the model."""
        rules.check_players(num_players)
        if rules.deck != self.layout.deck or num_players > self.layout.seats:
            raise ValueError(f"this model sees {self.layout}, not {num_players} players with {rules.deck} cards")
