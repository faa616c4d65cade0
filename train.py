"""Train a bot by self-play, measure it, and say how to play it.

    python train.py --config configs/classic_2p.yaml --seed 7 --players 3
    python train.py --resume runs/classic_2p-…       go on with a run that was interrupted

The run leaves a folder: config.yaml (repeats the run), bot.safetensors (the bot), model.zip (for sb3-contrib),
game.jsonl (the records of a round, or a match, that the bot played), result.json (what was measured), a TensorBoard log
and checkpoint.safetensors, written while it goes on. On one thread the same config gives the same bot, byte for byte,
interrupted or not, unless `minutes` cut the run short.
"""

import sys
from collections.abc import Sequence
from datetime import datetime
from importlib.metadata import version
from itertools import count
from pathlib import Path
from typing import Any, cast

import torch
from rich.console import Console
from stable_baselines3.common.logger import configure
from stable_baselines3.common.utils import LinearSchedule

from agents.agent import Cheat
from agents.botfile import save
from agents.checkpoint import CHECKPOINT, CheckpointError, read_checkpoint
from agents.commandline import STOPPED
from agents.config import Config, ConfigError, print_help, read_arguments, read_config
from agents.files import write_json
from agents.league import League
from agents.learner import DivergedError, SelfPlayPPO
from agents.measure import HELD_OUT, compete, header, opponents_at, strength_of, write_game
from agents.progress import Watch, changes_since
from agents.selfplay import SelfPlay
from agents.table import make
from agents.tournament import Tournament, enter
from maumau_env.game.result import REWARDS
from maumau_env.seat.encode import Layout

screen = Console(highlight=False, soft_wrap=True)


def main(arguments: Sequence[str]) -> int:
    """The command; returns its exit code: 2 for a user's mistake, else that of `train`."""
    if {"-h", "--help"} & {*arguments}:
        print_help(__doc__ or "")
    try:
        config, folder, state = begin(arguments)
    except (ConfigError, CheckpointError, OSError) as error:
        print(f"train.py: error: {error}", file=sys.stderr)
        return 2
    try:
        return train(config, folder, state)
    except KeyboardInterrupt:
        print(f"train.py: stopped; {folder} holds what there is", file=sys.stderr)
        return STOPPED


def begin(arguments: Sequence[str]) -> tuple[Config, Path, dict[str, Any] | None]:
    """The config and the folder of a run, new or to be resumed, and the state that it goes on from."""
    if "--resume" not in arguments:
        config = read_arguments(arguments)
        check_anchors(config)
        if config.start is not None:
            take_over(config)
        return config, new_folder(config), None
    if len(arguments) != 2 or arguments[0] != "--resume":
        raise ConfigError("--resume stands alone, with the folder of the run: its config goes on, too")
    folder = Path(arguments[1])
    config, state = read_config(folder / "config.yaml"), read_checkpoint(folder / CHECKPOINT)
    if changed := changes_since(config, state):
        raise ConfigError(f"--resume: {folder} was begun with other values of {', '.join(changed)}")
    return config, folder, state


def check_anchors(config: Config) -> None:
    """ConfigError unless every anchor can be had, and plays at all tables of the run."""
    for name in config.anchors:
        try:
            anchor = make(name)
            if isinstance(anchor, Cheat):
                raise ConfigError(f"anchors: {name} sees all hands, and plays in no league")
            for lane in range(config.games if config.league else 1):
                players = config.players[lane % len(config.players)]
                anchor.check_game(config.tables.rules_of(config.seed, lane), players, config.penalty_limit)
        except ValueError as error:
            raise ConfigError(f"anchors: {error}") from error


def train(config: Config, folder: Path, state: dict[str, Any] | None = None) -> int:
    """A whole run, or the rest of one; returns 0, 1 if training went astray, or STOPPED after Ctrl-C."""
    config.write(folder / "config.yaml")
    screen.print(f"{config.table}, {describe(config)}, seed {config.seed}: {folder}")
    torch.set_num_threads(config.threads)
    torch.set_flush_denormal(True)
    warm_up(config)
    learner = new_learner(config)
    learner.set_logger(configure(str(folder), ["tensorboard"]))
    if config.start is not None and state is None:
        take_over(config, learner)
    code = 0
    with Watch(config, screen, folder) as watch:
        try:
            if state is not None:
                learner.restore(state["learner"])
                watch.restore(state["watch"])
                screen.print(f"Resumed after {learner.num_timesteps:,} choices.")
            learner.learn(config.choices - learner.num_timesteps, callback=watch, reset_num_timesteps=state is None)
        except KeyboardInterrupt:
            code = STOPPED
            screen.print(f"Stopped by the keyboard. To go on: python train.py --resume {folder}")
        except DivergedError as error:
            code = 1
            screen.print(f"Training went astray: {error}. The weights before that are kept.")
    finish(config, folder, learner, watch, measured=code == 0)
    return code


def describe(config: Config) -> str:
    """The tables of a run in a few words."""
    players = " or ".join(map(str, config.players))
    varied = f", {' and '.join(config.varied)} varied" if config.varied else ""
    what = "" if config.penalty_limit is None else f", matches up to {config.penalty_limit} points"
    return f"{players} players{varied}{what}"


def warm_up(config: Config) -> None:
    """Have everything compiled that a run uses, so that its clock shows the training alone."""
    tiny = config.model_copy(update={"games": 256, "ticks": 1, "choices": 1, "progress_games": 1})
    learner, watch = new_learner(tiny), Watch(tiny, screen)
    learner.set_logger(configure(None, []))
    learner.learn(tiny.choices)
    watch.measure(learner)


def finish(config: Config, folder: Path, learner: SelfPlayPPO, watch: Watch, measured: bool) -> None:
    """Save the bot, measure it if asked to, and leave the rest of the folder as the top of this file says."""
    bot, result = folder / "bot.safetensors", {"package_version": version("maumau-env")} | watch.result()
    save(bot, header(config, learner), learner.layers())
    learner.save(folder / "model.zip")
    write_game(config, bot, HELD_OUT, folder / "game.jsonl")
    if measured:
        watch.checkpoint()
        tournaments = [measure(config, bot, *pair) for pair in matchups(config)]
        strength = [strength_of(found, found.bots[1].name) for found in tournaments]
        save(bot, header(config, learner, strength), learner.layers())
        result["strength"] = [tournament.as_dict() for tournament in tournaments]
    write_json(folder / "result.json", result)
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
    return SelfPlayPPO(
        new_play(config),
        seed=config.seed,
        minutes=config.minutes,
        average=config.average,
        entropy=LinearSchedule(config.entropy, config.entropy_end, 1.0),
        snapshot_every=config.snapshot_every,
        mistaken=config.advantages == "across_seats",
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


def take_over(config: Config, learner: SelfPlayPPO | None = None) -> None:
    """Give a learner, or one to try it with, the networks of another run; ConfigError when they do not fit."""
    path = cast(Path, config.start) / CHECKPOINT
    try:
        state = read_checkpoint(path)["learner"]
        (learner or new_learner(config)).start_from(state)
    except ValueError as error:
        raise ConfigError(f"start: {error}") from error


def new_play(config: Config) -> SelfPlay:
    """The games: who sits at which tables."""
    one_seat = config.learn_from == "one"

    def league(layout: Layout, games: int) -> League:
        anchors = {name: make(name) for name in config.anchors}
        return League(layout, games, config.league, config.snapshots, anchors, one_seat)

    return SelfPlay(
        config.tables,
        config.games,
        config.ticks,
        config.seed,
        scheme=REWARDS.index(config.reward),
        league=league if config.league or one_seat else None,
        seats=config.seats,
        blind=config.blind,
        skip_forced=config.skip_forced,
    )


def matchups(config: Config) -> list[tuple[int, str]]:
    """Numbers of players, and opponents, of the measurements at the end."""
    return [(players, opponent) for players in config.measured for opponent in opponents_at(config.table)]


def measure(config: Config, bot: Path, players: int, opponent: str) -> Tournament:
    """The saved bot against one opponent."""
    tournament, _ = compete(config, players, enter([str(bot), opponent]), config.final_games, HELD_OUT)
    screen.print(f"{tournament.games:,} games, seats rotated: {strength_of(tournament, opponent)}")
    return tournament


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
