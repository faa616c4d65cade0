"""The rollout of self-play as sb3-contrib's learner takes it: minibatches of real choices, judged seat by seat."""

from collections.abc import Generator
from typing import Any

import numpy as np
import torch
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer, MaskableRolloutBufferSamples

from agents.advantages import as_one_seat, seat_advantages
from agents.selfplay import SelfPlay


class SeatBuffer(MaskableRolloutBuffer):
    """The rollout of a `SelfPlay` as a learner sees it: its real choices, in random minibatches.

    Nothing is copied but the rows of a minibatch; the arrays belong to the SelfPlay.
    """

    def __init__(self, *settings: Any, seed: int, mistaken: bool = False, **more: Any) -> None:
        super().__init__(*settings, **more)
        self.chance = torch.Generator().manual_seed(seed)
        self._mistaken = mistaken

    def reset(self) -> None:
        """Nothing to allocate, nothing to forget: `fill` replaces everything."""

    def fill(self, play: SelfPlay, values: np.ndarray) -> None:
        """Take over a rollout, given the value of every observation in it: float32, shape (ticks + 1, games)."""
        movers, rewards = as_one_seat(play.movers, play.rewards) if self._mistaken else (play.movers, play.rewards)
        advantages, closed = seat_advantages(
            values, movers, play.counted, rewards, play.finished, self.gamma, self.gae_lambda
        )
        values = values[:-1]
        returns = advantages + values
        columns = (
            play.observations[:-1], play.actions, values, play.log_probs, advantages, returns,
            play.masks[:-1].view(np.bool_),
        )  # fmt: skip
        self._columns = [torch.from_numpy(column).flatten(0, 1) for column in columns]
        self._rows = torch.from_numpy(np.flatnonzero(closed))
        self.values, self.returns = values[closed], returns[closed]

    def __len__(self) -> int:
        return len(self._rows)

    def get(self, batch_size: int | None = None) -> Generator[MaskableRolloutBufferSamples]:
        """All choices once, in random order, as batches of about this size and equal to within one."""
        rows = self._rows[torch.randperm(len(self), generator=self.chance)]
        batches = max(1, round(len(self) / batch_size)) if batch_size else 1
        for some in rows.tensor_split(batches):
            yield MaskableRolloutBufferSamples(*(column.index_select(0, some) for column in self._columns))
