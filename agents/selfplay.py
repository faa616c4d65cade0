"""Experience from all seats: one policy plays every seat of many games, a decision in each game a tick.

Decisions with one legal action are played inside the core and never come up here, but for the first of a round; that
one is seen and does not count. Observations, masks and actions have their suits in standard order, see `suits.py`.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from agents.network import draw
from agents.suits import standardise, suits_of
from maumau_env.game.actions import NUM_ACTIONS
from maumau_env.game.bits import scramble
from maumau_env.game.jit import kernel
from maumau_env.game.match import open_games
from maumau_env.game.result import PLACEMENT
from maumau_env.game.rules import MAX_PLAYERS, Rules
from maumau_env.game.state import RUNNING
from maumau_env.seat.batch import Buffers, observe, step
from maumau_env.seat.encode import Layout


class SelfPlay:
    """Games that go on for ever, and the arrays of one rollout of them: time first, then games.

    Attributes:
        observations: float32, (ticks + 1, games, layout.size): what the seats to move saw; the last row is what they
            see at the end, and the next rollout begins with it.
        masks: int8, (ticks + 1, games, NUM_ACTIONS): their legal actions.
        movers: int64, (ticks + 1, games): who they were; in a match, the numbers of their agents.
        actions: int64, (ticks, games): what they did.
        log_probs: float32, (ticks, games): the logarithm of the probability with which they did it.
        counted: bool, (ticks, games): whether they had a choice.
        rewards: float32, (ticks, games, 5): what everybody was paid after that decision.
        ends: int8, (ticks, games): how the round ended after it, RUNNING if it went on.
        finished: uint8, (ticks, games): set of those whose round, or match, was over by it, a bit for each.

    Args:
        rules: of the table.
        num_players: 2 to 5.
        games: how many at once.
        ticks: decisions in each of them in a rollout.
        seed: of the cards and of the policy's chance.
        penalty_limit: play whole matches up to so many points (M2); None for single rounds.
        scheme: number of a reward scheme, see `game/result.py`.
    """

    def __init__(
        self,
        rules: Rules,
        num_players: int,
        games: int,
        ticks: int,
        seed: int,
        penalty_limit: int | None = None,
        scheme: int = PLACEMENT,
    ) -> None:
        self.penalty_limit, self.scheme = penalty_limit, scheme
        self.rules, self.num_players, self.seed, self.num_envs, self.ticks = rules, num_players, seed, games, ticks
        self.layout = Layout(rules.deck, num_players)
        self._suits = suits_of(self.layout)
        self.observations = np.zeros((ticks + 1, games, self.layout.size), np.float32)
        self.masks = np.zeros((ticks + 1, games, NUM_ACTIONS), np.int8)
        self.movers = np.zeros((ticks + 1, games), np.int64)
        self.actions = np.zeros((ticks, games), np.int64)
        self.log_probs = np.zeros((ticks, games), np.float32)
        self.counted = np.zeros((ticks, games), np.bool_)
        self.rewards = np.zeros((ticks, games, MAX_PLAYERS), np.float32)
        self.ends = np.zeros((ticks, games), np.int8)
        self.finished = np.zeros((ticks, games), np.uint8)
        self.reset()

    def reset(self) -> np.ndarray:
        """Deal all games anew; what their first seats see, shape (games, layout.size)."""
        self._games = open_games(self.rules, self.num_players, self.penalty_limit, self.seed, self.num_envs)
        self._tick = 0
        observe(self._games, self.layout.seats, self._outcome(self.ticks - 1))
        self._standardise(self.ticks)
        return self.observations[-1]

    def collect(self, logits: Callable[[int], np.ndarray]) -> None:
        """Play one rollout into the arrays.

        Args:
            logits: the policy's logits, float32, shape (games, NUM_ACTIONS), for the observations of a tick.
        """
        for array in (self.observations, self.masks, self.movers):
            array[0] = array[-1]
        for tick in range(self.ticks):
            word = np.uint64(scramble(np.uint64(self.seed) ^ np.uint64(scramble(np.uint64(self._tick)))))
            choose_kernel(
                logits(tick), self.masks[tick], word, self.actions[tick], self.log_probs[tick], self.counted[tick]
            )
            actions = self._suits.actions[self._orders, self.actions[tick]]
            step(self._games, actions, self.layout.seats, self._outcome(tick), self.scheme, skip_forced=True)
            self._standardise(tick + 1)
            self._tick += 1

    def rounds(self) -> int:
        """How many rounds ended in this rollout."""
        return int(np.count_nonzero(self.ends != RUNNING))

    def _standardise(self, tick: int) -> None:
        self._orders = standardise(self.observations[tick], self.masks[tick], self._suits)

    def _outcome(self, tick: int) -> Buffers:
        """Where the core writes what the decisions of a tick led to."""
        return Buffers(
            self.observations[tick + 1], self.masks[tick + 1], self.movers[tick + 1], self.rewards[tick],
            self.ends[tick], self.finished[tick],
        )  # fmt: skip


@kernel
def choose_kernel(logits: Any, masks: Any, word: Any, actions: Any, log_probs: Any, counted: Any) -> None:
    """Draw an action for each row by the softmax of its legal logits; the word is the chance of the whole tick."""
    for i in range(len(logits)):
        action, log_prob, choices = draw(logits[i], masks[i], scramble(word + np.uint64(i)))
        actions[i], log_probs[i], counted[i] = action, log_prob, choices > 1
