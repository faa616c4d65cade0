"""All seats learn: sb3-contrib's MaskablePPO with a collecting and a buffer of its own.

The policy class is sb3-contrib's, so a saved run opens in plain sb3-contrib. `num_timesteps` counts real choices:
decisions with more than one legal action. Forced ones are played, and never learned from.
"""

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, cast

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBufferSamples
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.buffers import RolloutBuffer
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.type_aliases import Schedule
from stable_baselines3.common.utils import explained_variance
from stable_baselines3.common.vec_env import VecEnv
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from agents.learner_buffer import SeatBuffer
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


class SelfPlayPPO(MaskablePPO):
    """MaskablePPO that plays all seats of its games itself and judges every decision seat by seat.

    Args:
        play: the games, with the arrays of a rollout.
        seed: of weights and minibatches.
        entropy: entropy coefficient as a function of the progress remaining, from 1 to 0.
        minutes: end after so many, the schedules ending with it; None for no limit.
        average: decay per update of a slow average of the weights, which then is the policy that is exported; 0: none.
        snapshot_every: choices from one snapshot for the league of the games to the next.
        mistaken: judge decisions across seats, as is usual elsewhere and wrong; for comparison.
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
        snapshot_every: int = 500_000,
        mistaken: bool = False,
        **settings: Any,
    ) -> None:
        super().__init__(
            "MlpPolicy", cast(VecEnv, None), n_steps=play.ticks, rollout_buffer_class=SeatBuffer,
            rollout_buffer_kwargs={"seed": seed, "mistaken": mistaken}, seed=seed, device="cpu",
            _init_setup_model=False, **settings,
        )  # fmt: skip
        self.observation_space = spaces.Box(-np.inf, np.inf, (play.layout.size,), np.float32)
        self.action_space = spaces.Discrete(NUM_ACTIONS)
        self.n_envs = play.num_envs
        self._setup_model()
        self.env = play
        self.entropy, self.minutes, self.snapshot_every = entropy, minutes, snapshot_every
        self.network_seconds = self.seconds_before = 0.0
        self._snapshots = 0
        self.optimizer = torch.optim.Adam(self.policy.parameters(), self.lr_schedule(1), eps=1e-5, fused=True)
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
        if play.league and self.num_timesteps >= self._snapshots * self.snapshot_every:
            play.league.add(self.layers(), f"snapshot {self.num_timesteps:,}")
            self._snapshots += 1
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
        self._update_learning_rate(self.optimizer)
        self.ent_coef = self.entropy(self._current_progress_remaining)
        clip_range = cast(Schedule, self.clip_range)(self._current_progress_remaining)
        figures = []
        for _ in range(self.n_epochs):
            for batch in self._buffer.get(self.batch_size):
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
            left = min(left, 1 - self.seconds() / 60 / self.minutes)
        return max(left, 0.0)

    def seconds(self) -> float:
        """How long the run has gone on, what came before an interruption included."""
        return self.seconds_before + (time.time_ns() - self.start_time) / 1e9

    def layers(self) -> list[Layer]:
        """The dense layers of the policy that is exported, as arrays of their own."""
        policy = self.policy if self.average is None else cast(MaskableActorCriticPolicy, self.average.module)
        parts = [*policy.mlp_extractor.policy_net, policy.action_net]
        layers = [
            (part.weight.detach().numpy().T.copy(), part.bias.detach().numpy().copy())
            for part in parts
            if isinstance(part, torch.nn.Linear)
        ]
        layers[0][0][self.env.blotted] = 0
        return layers

    def state(self) -> dict[str, Any]:
        """All that the rest of the run depends on: copies, as arrays and plain values."""
        state = {
            "policy": self.policy.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "average": self.average and self.average.state_dict(),
            "chance": self._buffer.chance.get_state(),
            "choices": self.num_timesteps,
            "updates": self._n_updates,
            "snapshots": self._snapshots,
            "seconds": self.seconds(),
            "network_seconds": self.network_seconds,
            "play": self.env.state(),
        }
        return _nest(state, torch.Tensor, lambda tensor: tensor.detach().numpy().copy())

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a `state`: the same run from there on, bit for bit."""
        self.start_from(state)
        self.optimizer.load_state_dict(_nest(state["optimizer"], np.ndarray, torch.tensor))
        if self.average is not None:
            self.average.load_state_dict(_nest(state["average"], np.ndarray, torch.tensor))
        self._buffer.chance.set_state(torch.from_numpy(state["chance"]))
        self.num_timesteps, self._n_updates, self._snapshots = state["choices"], state["updates"], state["snapshots"]
        self.seconds_before, self.network_seconds = state["seconds"], state["network_seconds"]
        self.env.restore(state["play"])
        self._last_obs = self.env.observations[-1]  # else SB3's learn() would deal anew

    def start_from(self, state: dict[str, Any]) -> None:
        """Take over the networks of a `state` alone; ValueError when they have other sizes."""
        try:
            self.policy.load_state_dict(_nest(state["policy"], np.ndarray, torch.tensor))
            if self.average is not None:
                self.average.module.load_state_dict(self.policy.state_dict())
        except RuntimeError as error:
            raise ValueError(f"its networks have other sizes: {' '.join(str(error).split())}") from error

    def _update_current_progress_remaining(self, num_timesteps: int, total_timesteps: int) -> None:
        """SB3's hook: what the schedules go by."""
        self._current_progress_remaining = self.remaining(total_timesteps)

    @property
    def _buffer(self) -> SeatBuffer:
        return cast(SeatBuffer, self.rollout_buffer)

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
        self.optimizer.zero_grad()
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(self.policy.parameters(), self.max_grad_norm)
        if not torch.isfinite(norm):
            raise DivergedError(f"loss {loss.item()}, norm of its gradient {norm.item()}")
        self.optimizer.step()

    def _log(self, figures: list[float]) -> None:
        for name, figure in zip(FIGURES, figures, strict=True):
            self.logger.record(f"train/{name}", figure)
        values, returns = self._buffer.values, self._buffer.returns
        self.logger.record("train/explained_variance", explained_variance(values, returns))
        self.logger.record("train/entropy_coefficient", self.ent_coef)

    def _excluded_save_params(self) -> list[str]:
        """What is ours stays out of the .zip, so that plain sb3-contrib opens it."""
        ours = ["average", "entropy", "optimizer", "rollout_buffer_class", "rollout_buffer_kwargs", "_last_obs"]
        return [*super()._excluded_save_params(), *ours]


def _nest(value: Any, kind: type, change: Callable[[Any], Any]) -> Any:
    """The same nest of dictionaries, lists and tuples with every value of a kind changed."""
    if isinstance(value, kind):
        return change(value)
    if isinstance(value, dict):
        return {key: _nest(each, kind, change) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_nest(each, kind, change) for each in value]
    return value
