"""Train a bot by self-play, measure it, and say how to play it.

    python train.py --config configs/classic_2p.yaml --seed 7 --players 3

The run leaves a folder: config.yaml (repeats the run), bot.safetensors (the bot), model.zip (for sb3-contrib),
game.jsonl (the records of a round, or a match, that the bot played), result.json (what was measured) and a TensorBoard
log. On one thread the same config gives the same bot, byte for byte, unless `minutes` cut the run short.
"""

import json
import sys
import time
from collections.abc import Sequence
from datetime import datetime
from importlib.metadata import version
from itertools import count, islice
from pathlib import Path
from typing import Any, Self, cast

import torch
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure
from stable_baselines3.common.utils import LinearSchedule

from agents.arena import Entrant, Results
from agents.arena_records import records
from agents.botfile import Header, Strength, save
from agents.config import Config, ConfigError, print_help, read_arguments
from agents.learner import DivergedError, SelfPlayPPO
from agents.policy import Policy
from agents.selfplay import SelfPlay
from agents.table import make
from agents.tournament import Tournament, enter, hold, seatings_of
from maumau_env.game.record_file import write_records
from maumau_env.game.result import REWARDS

PROGRESS_SEED, FINAL_SEED = 2**32, 2**32 + 1
"""Deals of the measurements: the same for every run, and out of reach of the seeds of training."""

STOPPED = 130
"""The exit code after Ctrl-C."""

screen = Console(highlight=False, soft_wrap=True)


def main(arguments: Sequence[str]) -> int:
    """The command; returns its exit code: 2 for a user's mistake, else that of `train`."""
    if {"-h", "--help"} & {*arguments}:
        print_help(__doc__ or "")
    try:
        config = read_arguments(arguments)
        folder = new_folder(config)
    except (ConfigError, OSError) as error:
        print(f"train.py: error: {error}", file=sys.stderr)
        return 2
    try:
        return train(config, folder)
    except KeyboardInterrupt:
        print(f"train.py: stopped; {folder} holds what there is", file=sys.stderr)
        return STOPPED


def train(config: Config, folder: Path) -> int:
    """A whole run into an empty folder; returns 0, 1 if training went astray, or STOPPED after Ctrl-C."""
    config.write(folder / "config.yaml")
    what = "" if config.penalty_limit is None else f", matches up to {config.penalty_limit} points"
    screen.print(f"{config.table}, {config.players} players{what}, seed {config.seed}: {folder}")
    torch.set_num_threads(config.threads)
    torch.set_flush_denormal(True)
    warm_up(config)
    learner = new_learner(config)
    learner.set_logger(configure(str(folder), ["tensorboard"]))
    code = 0
    with Watch(config) as watch:
        try:
            learner.learn(config.choices, callback=watch)
        except KeyboardInterrupt:
            code = STOPPED
            screen.print("Stopped by the keyboard.")
        except DivergedError as error:
            code = 1
            screen.print(f"Training went astray: {error}. The weights before that are kept.")
    finish(config, folder, learner, watch, measured=code == 0)
    return code


def warm_up(config: Config) -> None:
    """Have everything compiled that a run uses, so that its clock shows the training alone."""
    tiny = config.model_copy(update={"games": 256, "ticks": 1, "choices": 1, "progress_games": 1})
    learner, watch = new_learner(tiny), Watch(tiny)
    learner.set_logger(configure(None, []))
    learner.learn(tiny.choices)
    watch.measure(learner)


def finish(config: Config, folder: Path, learner: SelfPlayPPO, watch: "Watch", measured: bool) -> None:
    """Save the bot, measure it if asked to, and leave the rest of the folder as the top of this file says."""
    bot, result = folder / "bot.safetensors", watch.result()
    save(bot, header(config, learner), learner.layers())
    learner.save(folder / "model.zip")
    write_game(config, bot, folder / "game.jsonl")
    if measured:
        opponents = opponents_at(config)
        tournaments = [measure(config, bot, opponent) for opponent in opponents]
        strength = [strength_of(tournament, name) for tournament, name in zip(tournaments, opponents, strict=True)]
        save(bot, header(config, learner, strength), learner.layers())
        result["strength"] = [tournament.as_dict() for tournament in tournaments]
    (folder / "result.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    screen.print(f"The bot is saved after {learner.num_timesteps:,} choices. To see it play against the heuristic:")
    screen.print(f"python evaluate.py {bot} heuristic{config.table_arguments()}")


def new_folder(config: Config) -> Path:
    """An empty folder for the run, named after it and the time."""
    stem = f"{config.name}-{datetime.now():%Y%m%d-%H%M%S}"
    names = (stem if again == 1 else f"{stem}-{again}" for again in count(1))
    folder = next(folder for name in names if not (folder := config.runs / name).exists())
    folder.mkdir(parents=True)
    return folder


def new_learner(config: Config) -> SelfPlayPPO:
    """The games and the networks."""
    play = SelfPlay(
        config.table, config.players, config.games, config.ticks, config.seed, config.penalty_limit,
        REWARDS.index(config.reward),
    )  # fmt: skip
    return SelfPlayPPO(
        play,
        seed=config.seed,
        minutes=config.minutes,
        average=config.average,
        entropy=LinearSchedule(config.entropy, config.entropy_end, 1.0),
        learning_rate=LinearSchedule(config.learning_rate, 0.0, 1.0),
        batch_size=config.batch,
        n_epochs=config.epochs,
        gamma=config.gamma,
        gae_lambda=config.gae_lambda,
        clip_range=config.clip,
        vf_coef=config.value_weight,
        max_grad_norm=config.max_gradient,
        policy_kwargs={
            "net_arch": {"pi": config.actor, "vf": config.critic},
            "activation_fn": torch.nn.ReLU,
        },
    )


class Watch(BaseCallback):
    """The bar on the screen, the win rate against the heuristic as it grows, and the figures of the run."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.config = config
        self.heuristic = Entrant("heuristic", make("heuristic"))
        self.looks: list[dict[str, Any]] = []
        self.rounds, self.start, self.seconds_of_looks, self.text = 0, time.perf_counter(), 0.0, "not measured yet"
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
            "package_version": version("maumau-env"),
            "choices": self.num_timesteps,
            "rounds": self.rounds,
            "seconds": round(self._seconds(), 1),
            "choices_per_second": round(self._rate()),
            "share_outside_networks": round(1 - self.learner.network_seconds / self._seconds(), 4),
            "progress": self.looks,
        }

    def measure(self, learner: SelfPlayPPO) -> Strength:
        """How the bot as it is now fares against the heuristic, on the same deals every time."""
        config = self.config
        bot = Entrant("bot", Policy(header(config, learner), learner.layers()))
        entrants = [bot, self.heuristic]
        tournament, _ = compete(config, entrants, config.progress_games, PROGRESS_SEED)
        return strength_of(tournament, "heuristic")

    def _on_training_start(self) -> None:
        self.start = time.perf_counter()

    def _on_step(self) -> bool:
        """After each rollout; False when the run is over."""
        self.rounds += self.learner.env.rounds()
        if self.num_timesteps >= (len(self.looks) + 1) * self.config.progress_every:
            self._look()
        left = self.learner.remaining(self.config.choices)
        self.logger.record("time/choices_per_second", self._rate())
        self.bar.update(self.task, completed=1 - left, description=self._text())
        return left > 0

    def _on_training_end(self) -> None:
        if not self.looks or self.looks[-1]["choices"] < self.num_timesteps:
            self._look()

    def _look(self) -> None:
        """Measure, tell and keep the strength of the bot as it is now."""
        begin = time.perf_counter()
        strength = self.measure(self.learner)
        self.looks.append({"choices": self.num_timesteps, "seconds": round(self._seconds())} | strength.model_dump())
        self.logger.record("progress/win_rate_against_heuristic", strength.win_rate)
        self.seconds_of_looks += time.perf_counter() - begin
        self.text = str(strength)
        screen.print(self._text())

    def _text(self) -> str:
        return f"{self.num_timesteps:>11,} choices, {self._rate():,.0f}/s, {self.text}"

    def _rate(self) -> float:
        return self.num_timesteps / self._seconds()

    def _seconds(self) -> float:
        """Time spent on training, the looks left out."""
        return time.perf_counter() - self.start - self.seconds_of_looks


def header(config: Config, learner: SelfPlayPPO, strength: Sequence[Strength] = ()) -> Header:
    """What the bot file says of the bot; nothing in it depends on the clock."""
    training = {
        "package_version": version("maumau-env"),
        "choices": learner.num_timesteps,
        "config": config.model_dump(mode="json", exclude={"name", "runs"}),
    }
    return Header.of(
        config.table, learner.env.layout, config.actor, config.table_sizes, penalty_limit=config.penalty_limit,
        training=training, strength=list(strength),
    )  # fmt: skip


def strength_of(tournament: Tournament, opponent: str) -> Strength:
    """How the first bot of a tournament of two fared."""
    score = tournament.bots[0]
    return Strength(
        opponent=opponent,
        players=tournament.players,
        penalty_limit=tournament.penalty_limit,
        games=tournament.games,
        seed=tournament.seed,
        win_rate=score.win_rate,
        win_rate_interval=score.win_rate_interval,
    )


def opponents_at(config: Config) -> tuple[str, str]:
    """Who the bot is measured against; where one may draw at will, random play does nothing else."""
    return "random" if config.table.must_play else "eager", "heuristic"


def compete(
    config: Config, entrants: Sequence[Entrant], games: int, seed: int, keep_moves: bool = False
) -> tuple[Tournament, Results]:
    """A tournament at the table of this run."""
    return hold(
        entrants, config.table, config.players, games, seed, keep_moves=keep_moves, penalty_limit=config.penalty_limit
    )


def measure(config: Config, bot: Path, opponent: str) -> Tournament:
    """The saved bot against one opponent."""
    entrants = enter([str(bot), opponent])
    tournament, _ = compete(config, entrants, config.final_games, FINAL_SEED)
    screen.print(f"{tournament.games:,} games, seats rotated: {strength_of(tournament, opponent)}")
    return tournament


def write_game(config: Config, bot: Path, path: Path) -> None:
    """The record of a game of the saved bot against the heuristic."""
    entrants = [Entrant(bot.name, make(str(bot))), Entrant("heuristic", make("heuristic"))]
    _, results = compete(config, entrants, 1, FINAL_SEED, keep_moves=True)
    seatings, rounds = seatings_of(len(entrants), config.players), int(results.rounds[0])
    played = records(entrants, seatings, config.table, FINAL_SEED, results, config.penalty_limit)
    write_records(path, islice(played, rounds))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
