"""A run as it goes on: the bar on the screen, the win rate as it grows, the log, the checkpoints."""

import time
from pathlib import Path
from typing import Any, Self, cast

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from stable_baselines3.common.callbacks import BaseCallback

from agents.arena import Entrant
from agents.botfile import Strength
from agents.checkpoint import CHECKPOINT, write_checkpoint
from agents.config import Config
from agents.learner import SelfPlayPPO
from agents.measure import compete, header, strength_of
from agents.policy import Policy
from agents.table import make
from maumau_env.game.state import GAME
from maumau_env.seat.encode import LAYOUT_VERSION

PROGRESS_SEED = 2**32
"""Deals of the looks at the win rate: the same for every run, and out of reach of the seeds of training."""


class Watch(BaseCallback):
    """Looks at a run after every rollout.

    Args:
        config: of the run.
        screen: where it is told.
        folder: of the run, for its checkpoints; None: none are written.
    """

    def __init__(self, config: Config, screen: Console, folder: Path | None = None) -> None:
        super().__init__()
        self.config, self.screen, self.folder = config, screen, folder
        self.anchors = [Entrant(name, make(name)) for name in config.anchors]
        self.looks: list[dict[str, Any]] = []
        self.rounds, self.seconds_of_looks, self.text = 0, 0.0, "not measured yet"
        columns = BarColumn(), TaskProgressColumn(), TimeRemainingColumn(), TextColumn("{task.description}")
        self.bar = Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal)
        self.task = self.bar.add_task("", total=1.0)

    def __enter__(self) -> Self:
        self.bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.bar.stop()

    @property
    def learner(self) -> SelfPlayPPO:
        """Who is watched."""
        return cast(SelfPlayPPO, self.model)

    def result(self) -> dict[str, Any]:
        """What is known of the run, for result.json."""
        return {
            "choices": self.learner.num_timesteps,
            "rounds": self.rounds,
            "seconds": round(self._seconds(), 1),
            "choices_per_second": round(self._rate()),
            "share_outside_networks": round(1 - self.learner.network_seconds / self._seconds(), 4),
            "progress": self.looks,
        }

    def measure(self, learner: SelfPlayPPO) -> list[Strength]:
        """How the bot as it is now fares against the anchors, with each number of players on the same deals."""
        config, found = self.config, []
        bot = Entrant("bot", Policy(header(config, learner), learner.layers()))
        for players in config.measured:
            for anchor in self.anchors:
                tournament, _ = compete(config, players, [bot, anchor], config.progress_games, PROGRESS_SEED)
                found.append(strength_of(tournament, anchor.name))
        return found

    def state(self) -> dict[str, Any]:
        """What was seen so far."""
        return {
            "looks": self.looks,
            "rounds": self.rounds,
            "seconds_of_looks": self.seconds_of_looks,
            "text": self.text,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a `state`."""
        self.looks, self.rounds = state["looks"], state["rounds"]
        self.seconds_of_looks, self.text = state["seconds_of_looks"], state["text"]

    def checkpoint(self) -> None:
        """Write a checkpoint now."""
        if self.folder is not None:
            state = {"learner": self.learner.state(), "watch": self.state(), "made_by": made_by(self.config)}
            write_checkpoint(self.folder / CHECKPOINT, state)

    def _on_training_start(self) -> None:
        self._next = self.learner.num_timesteps

    def _on_rollout_start(self) -> None:
        """Between an update and the next rollout everything is in one piece."""
        if self.learner.num_timesteps >= self._next:
            self.checkpoint()
            self._next = self._after(self.learner.num_timesteps)

    def _on_step(self) -> bool:
        """After each rollout; False when the run is over."""
        self.rounds += self.learner.env.rounds()
        if self.num_timesteps >= (len(self.looks) + 1) * self.config.progress_every:
            self._look()
        left = self.learner.remaining(self.config.choices)
        self._record(left)
        self.bar.update(self.task, completed=1 - left, description=self._text())
        return left > 0

    def _on_training_end(self) -> None:
        if not self.looks or self.looks[-1]["choices"] < self.num_timesteps:
            self._look()
        self.logger.dump(self.num_timesteps)

    def _after(self, choices: int) -> int:
        """When the next checkpoint is due."""
        return (choices // self.config.checkpoint_every + 1) * self.config.checkpoint_every

    def _record(self, left: float) -> None:
        self.logger.record("time/choices_per_second", self._rate())
        if left < 1:
            self.logger.record("time/minutes_left", self.learner.seconds() / 60 * left / (1 - left))
        if league := self.learner.env.league:
            self.logger.record("league/share_of_games", (league.guests >= 0).mean())
            for name, wins in league.wins().items():
                self.logger.record(f"league/wins_of_{name}", wins)

    def _look(self) -> None:
        """Measure, tell and keep the strength of the bot as it is now."""
        begin = time.perf_counter()
        strengths = self.measure(self.learner)
        at = {"choices": self.num_timesteps, "seconds": round(self._seconds())}
        self.looks.append(at | {"strength": [strength.model_dump(mode="json") for strength in strengths]})
        for strength in strengths:
            name = f"progress/against_{strength.opponent}_with_{strength.players}"
            low, high = strength.win_rate_interval
            for what, value in (("win_rate", strength.win_rate), ("low", low), ("high", high)):
                self.logger.record(f"{name}/{what}", value)
        self.seconds_of_looks += time.perf_counter() - begin
        self.text = "; ".join(map(str, strengths))
        self.screen.print(self._text())

    def _text(self) -> str:
        return f"{self.num_timesteps:>11,} choices, {self._rate():,.0f}/s, {self.text}"

    def _rate(self) -> float:
        return self.num_timesteps / self._seconds()

    def _seconds(self) -> float:
        """Time spent on training, the looks left out."""
        return max(self.learner.seconds() - self.seconds_of_looks, 1e-3)


def made_by(config: Config) -> dict[str, Any]:
    """What has to be the same for a run to go on: the config but for its length and what it is measured with."""
    free = {"name", "runs", "start", "choices", "minutes", "checkpoint_every", "threads"}
    free |= {"progress_every", "progress_games", "final_games"}
    return config.model_dump(mode="json", exclude=free) | {"layout": LAYOUT_VERSION, "bytes_of_a_game": GAME.itemsize}


def changes_since(config: Config, state: dict[str, Any]) -> list[str]:
    """The keys in which a config differs from that of the run whose checkpoint this is."""
    now, then = made_by(config), state.get("made_by", {})
    return sorted(key for key in now.keys() | then.keys() if now.get(key) != then.get(key))
