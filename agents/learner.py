"""All seats learn: sb3-contrib's MaskablePPO with a collecting and a buffer of its own.

The policy class is sb3-contrib's, so a saved run opens in plain sb3-contrib. `num_timesteps` counts real choices:
decisions with more than one legal action. Forced ones are played, and never learned from.
"""

import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, cast

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer, MaskableRolloutBufferSamples
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.buffers import RolloutBuffer
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.type_aliases import Schedule
from stable_baselines3.common.utils import explained_variance
from stable_baselines3.common.vec_env import VecEnv
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from agents.advantages import seat_advantages
from agents.network import Layer
from agents.selfplay import SelfPlay
from maumau_env.game.actions import NUM_ACTIONS

VALUE_BATCH = 4096
"""Observations that the value network takes at once after a rollout: its activations stay in the cache."""

ILLEGAL = -1e8
"""The logit of an action that is not legal, as in sb3-contrib."""
FIGURES = ("policy_gradient_loss", "value_loss", "entropy", "approx_kl", "clip_fraction")
"""What an update logs, by the names of Stable-Baselines3."""


class DivergedError(ArithmeticError):
    """A loss or its gradient is not a number; the weights are those before it."""


class SeatBuffer(MaskableRolloutBuffer):
    """The rollout of a `SelfPlay` as a learner sees it: its real choices, in random minibatches.

    Nothing is copied but the rows of a minibatch; the arrays belong to the SelfPlay.
    """

    def __init__(self, *settings: Any, seed: int, **more: Any) -> None:
        super().__init__(*settings, **more)
        self._chance = torch.Generator().manual_seed(seed)

    def reset(self) -> None:
        """Nothing to allocate, nothing to forget: `fill` replaces everything."""

    def fill(self, play: SelfPlay, values: np.ndarray) -> None:
        """Take over a rollout, given the value of every observation in it: float32, shape (ticks + 1, games)."""
        advantages, closed = seat_advantages(
            values, play.movers, play.counted, play.rewards, play.finished, self.gamma, self.gae_lambda
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
        """All choices once, in random order, in batches of about this size and equal to within one."""
        rows = self._rows[torch.randperm(len(self), generator=self._chance)]
        batches = max(1, round(len(self) / batch_size)) if batch_size else 1
        for some in rows.tensor_split(batches):
            yield MaskableRolloutBufferSamples(*(column.index_select(0, some) for column in self._columns))


class SelfPlayPPO(MaskablePPO):
    """MaskablePPO that plays all seats of its games itself and judges every decision seat by seat.

    Args:
        play: the games, with the arrays of a rollout.
        seed: of weights and minibatches.
        entropy: entropy coefficient as a function of the progress remaining, from 1 to 0.
        minutes: end after so many, the schedules ending with it; None for no limit.
        average: decay per update of a slow average of the weights, which then is the policy that is exported; 0: none.
        settings: as for MaskablePPO.
    """

    env: Any  # a SelfPlay: of an environment, SB3's learn() asks no more than reset and num_envs

    def __init__(
        self,
        play: SelfPlay,
        *,
        seed: int,
        entropy: Schedule,
        minutes: float | None = None,
        average: float = 0.0,
        **settings: Any,
    ) -> None:
        super().__init__(
            "MlpPolicy", cast(VecEnv, None), n_steps=play.ticks, rollout_buffer_class=SeatBuffer,
            rollout_buffer_kwargs={"seed": seed}, seed=seed, device="cpu", _init_setup_model=False, **settings,
        )  # fmt: skip
        self.observation_space = spaces.Box(-np.inf, np.inf, (play.layout.size,), np.float32)
        self.action_space = spaces.Discrete(NUM_ACTIONS)
        self.n_envs = play.num_envs
        self._setup_model()
        self.env = play
        self.entropy, self.minutes = entropy, minutes
        self.network_seconds = 0.0
        self.average = AveragedModel(self.policy, multi_avg_fn=get_ema_multi_avg_fn(average)) if average else None

    def collect_rollouts(
        self,
        env: VecEnv,
        callback: BaseCallback,
        rollout_buffer: RolloutBuffer,
        n_rollout_steps: int,
        use_masking: bool = True,
    ) -> bool:
        """Play one rollout with the current policy in all seats; False when the callback wants to stop."""
        play, buffer = cast(SelfPlay, env), cast(SeatBuffer, rollout_buffer)
        self.policy.set_training_mode(False)
        callback.on_rollout_start()
        observations = torch.from_numpy(play.observations)
        with torch.no_grad():
            play.collect(lambda tick: self._logits(observations[tick]))
            buffer.fill(play, self._values(observations))
        self.num_timesteps += len(buffer)
        callback.update_locals(locals())
        going_on = callback.on_step()
        callback.on_rollout_end()
        return going_on

    def train(self) -> None:
        """One update from the rollout at hand, the same as MaskablePPO.train's to rounding.

        Written anew because that one takes 1.16 times as long with networks as small as ours: for each minibatch it
        builds two distribution objects and checks them.

        Raises:
            DivergedError: a loss is not a number any more.
        """
        self.policy.set_training_mode(True)
        self._update_learning_rate(self.policy.optimizer)
        self.ent_coef = self.entropy(self._current_progress_remaining)
        clip_range = cast(Schedule, self.clip_range)(self._current_progress_remaining)
        figures = []
        for _ in range(self.n_epochs):
            for batch in self.rollout_buffer.get(self.batch_size):
                with self._networks():
                    loss, found = self._loss(batch, clip_range)
                    self._descend(loss)
                figures.append(found)
            self._n_updates += 1
        if self.average is not None:
            self.average.update_parameters(self.policy)
        self._log(torch.stack(figures).mean(0).tolist())

    def remaining(self, total_timesteps: int) -> float:
        """Share of the run that is left, by choices or by minutes, whichever ends it first."""
        left = 1 - self.num_timesteps / total_timesteps
        if self.minutes is not None:
            left = min(left, 1 - (time.time_ns() - self.start_time) / 60e9 / self.minutes)
        return max(left, 0.0)

    def layers(self) -> list[Layer]:
        """The dense layers of the policy that is exported, as arrays of their own."""
        policy = self.policy if self.average is None else cast(MaskableActorCriticPolicy, self.average.module)
        parts = [*policy.mlp_extractor.policy_net, policy.action_net]
        return [
            (part.weight.detach().numpy().T.copy(), part.bias.detach().numpy().copy())
            for part in parts
            if isinstance(part, torch.nn.Linear)
        ]

    def _update_current_progress_remaining(self, num_timesteps: int, total_timesteps: int) -> None:
        """SB3's hook: what the schedules go by."""
        self._current_progress_remaining = self.remaining(total_timesteps)

    @contextmanager
    def _networks(self) -> Generator[None]:
        """Adds the time inside to `network_seconds`."""
        start = time.perf_counter()
        yield
        self.network_seconds += time.perf_counter() - start

    def _logits(self, observations: torch.Tensor) -> np.ndarray:
        with self._networks():
            return self.policy.action_net(self.policy.mlp_extractor.forward_actor(observations)).numpy()

    def _values(self, observations: torch.Tensor) -> np.ndarray:
        with self._networks():
            parts = observations.flatten(0, 1).split(VALUE_BATCH)
            values = torch.cat([self.policy.predict_values(part) for part in parts])
            return values.reshape(observations.shape[:2]).numpy()

    def _loss(self, batch: MaskableRolloutBufferSamples, clip_range: float) -> tuple[torch.Tensor, torch.Tensor]:
        """The loss of a minibatch, and the figures named in `FIGURES`."""
        advantages = (batch.advantages - batch.advantages.mean()) / (batch.advantages.std() + 1e-8)
        actor, critic = self.policy.mlp_extractor(batch.observations)
        logits = self.policy.action_net(actor).masked_fill(~batch.action_masks, ILLEGAL)
        log_probs = functional.log_softmax(logits, 1)
        log_ratio = log_probs.gather(1, batch.actions[:, None])[:, 0] - batch.old_log_prob
        ratio = log_ratio.exp()
        clipped = ratio.clamp(1 - clip_range, 1 + clip_range)
        policy_loss = -torch.min(advantages * ratio, advantages * clipped).mean()
        value_loss = functional.mse_loss(self.policy.value_net(critic)[:, 0], batch.returns)
        entropy = -(log_probs.exp() * log_probs).sum(1).mean()
        with torch.no_grad():
            divergence = (ratio - 1 - log_ratio).mean()
            clip_fraction = ((ratio - 1).abs() > clip_range).float().mean()
        loss = policy_loss - self.ent_coef * entropy + self.vf_coef * value_loss
        return loss, torch.stack([policy_loss, value_loss, entropy, divergence, clip_fraction]).detach()

    def _descend(self, loss: torch.Tensor) -> None:
        """One step of the optimizer, unless it would spoil the weights."""
        self.policy.optimizer.zero_grad()
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(self.policy.parameters(), self.max_grad_norm)
        if not torch.isfinite(norm):
            raise DivergedError(f"loss {loss.item()}, norm of its gradient {norm.item()}")
        self.policy.optimizer.step()

    def _log(self, figures: list[float]) -> None:
        for name, figure in zip(FIGURES, figures, strict=True):
            self.logger.record(f"train/{name}", figure)
        values, returns = self.rollout_buffer.values, self.rollout_buffer.returns
        self.logger.record("train/explained_variance", explained_variance(values, returns))
        self.logger.record("train/entropy_coefficient", self.ent_coef)

    def _excluded_save_params(self) -> list[str]:
        """What is ours stays out of the .zip, so that plain sb3-contrib opens it."""
        ours = ["average", "entropy", "network_seconds", "rollout_buffer_class", "rollout_buffer_kwargs", "_last_obs"]
        return [*super()._excluded_save_params(), *ours]
