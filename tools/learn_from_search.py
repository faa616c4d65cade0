"""A bot that learns from search: the choices of many games are judged by rollouts, and a network learns the judgement.

    python -m tools.learn_from_search runs/lessons --players 4 --portions 20 --workers 2

The lessons stay in the folder, a file for each portion of some hundred thousand: so a run that was stopped goes on with
the next portion, and the same lessons can be learned again in another way. The bot is bot.safetensors in the folder,
measured against random (or eager) play and the heuristic. How it works, and what it reaches: docs/training.md.
"""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Literal

import torch
import tyro
from joblib import Parallel, delayed
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from agents.botfile import Header, Strength, save
from agents.commandline import STOPPED
from agents.lessons import GAMES, HEURISTIC, Course, joined, portion, read_lessons
from agents.measure import strength_of
from agents.network import Layer
from agents.pupil import Lecture, teach
from agents.table import make
from agents.tables import Tables, values_at
from agents.tournament import enter, hold
from maumau_env.game.result import REWARDS
from maumau_env.game.rules import Rules, parse_options

HELD_OUT = 2**32 + 1
"""Seed of the deals to measure with."""

screen = Console(highlight=False, soft_wrap=True)


@dataclass(frozen=True)
class Options:
    """The command line."""

    folder: tyro.conf.Positional[Path]
    """Where the lessons and the bot are kept."""
    players: tuple[int, ...] = (2,)
    """Players at the table, 2 to 5; several numbers for as many tables of each."""
    rules: str = "classic"
    """Preset of rules."""
    set: tuple[str, ...] = ()
    """Options that differ from the preset, such as ace=skip."""
    varied: tuple[str, ...] = ()
    """Options that are drawn at half of the tables, such as ace must_play."""
    seats: int | None = None
    """Seats that the observation has room for; none for the players alone."""
    reward: Literal["win", "placement"] = "win"
    """What is learned for."""
    bots: tuple[str, ...] = ("champion", "champion", "champion", "heuristic")
    """Who plays the games: for each decision one of them is drawn."""
    playouts: str = HEURISTIC
    """Who plays the rollouts: heuristic, or the path of a saved bot, which takes ten times as long or more."""
    worlds: int = 16
    """In so many worlds every action is tried in each position."""
    portions: int = 10
    """Portions of lessons, some 240,000 choices each."""
    tables: int = GAMES
    """Games played at once for a portion."""
    hidden: tuple[int, ...] = (256, 256)
    """Widths of the hidden layers of the network."""
    epochs: int = 8
    """How often each lesson is learned."""
    learning_rate: float = 1e-3
    """Step size of Adam at the beginning."""
    seed: int = 0
    """Of all that is random."""
    workers: Annotated[int, tyro.conf.arg(help="processes that make lessons")] = 1
    games: int = 40_000
    """Games of each measurement at the end."""


def main(options: Options) -> None:
    """Make the lessons that are missing, teach a network, save and measure the bot."""
    course = course_of(options)
    options.folder.mkdir(parents=True, exist_ok=True)
    lessons = joined([read_lessons(course, path) for path in collect(course, options)])
    lecture = Lecture(options.hidden, options.epochs, options.learning_rate, seed=options.seed)
    torch.set_num_threads(1)
    with bar("learning") as progress:
        task = progress.add_task("", total=None)
        layers = teach(
            lessons, lecture,
            lambda done, steps, error: progress.update(
                task, completed=done, total=steps, description=f"unexplained: {error:.1%}"
            ),
        )  # fmt: skip
    finish(options, course, lecture, layers, len(lessons.masks))


def course_of(options: Options) -> Course:
    """What the lessons are about; ValueError when that cannot be."""
    rules = Rules.of(options.rules, **parse_options(list(options.set)))
    for players in options.players:
        rules.check_players(players)
        for bot in map(make, options.bots):
            bot.check_table(rules, players)
    if options.seats is not None and options.seats < max(options.players):
        raise ValueError(f"--seats {options.seats}: {max(options.players)} or more, as many as there are players")
    for name in ("worlds", "portions", "tables", "epochs", "workers"):
        if getattr(options, name) < 1:
            raise ValueError(f"--{name} {getattr(options, name)}: 1 or more")
    varied = {option: values_at(rules, min(options.players), option) for option in options.varied}
    course = Course(
        Tables(rules, options.players, varied), options.seats or max(options.players), options.bots, options.worlds,
        options.seed, REWARDS.index(options.reward), options.tables, options.playouts,
    )  # fmt: skip
    if course.player:
        course.player.check_table(rules, max(options.players))
    return course


def collect(course: Course, options: Options) -> list[Path]:
    """The files of all portions, made where they are not there."""
    jobs = (delayed(portion)(course, number, options.folder) for number in range(options.portions))
    with bar("lessons") as progress:
        task = progress.add_task(f"{options.portions} portions", total=options.portions)
        files = []
        for path in Parallel(n_jobs=options.workers, return_as="generator")(jobs):
            files.append(path)
            progress.update(task, advance=1)
    return files


def finish(options: Options, course: Course, lecture: Lecture, layers: Sequence[Layer], lessons: int) -> None:
    """Save the bot, measure it, and say how it fares."""
    bot, tables = options.folder / "bot.safetensors", course.tables
    training = {
        "package_version": version("maumau-env"), "method": "regression on rollouts",
        "lessons": lessons, "course": json.loads(course.text()), "lecture": lecture._asdict(),
    }  # fmt: skip

    def header(strength: Sequence[Strength] = ()) -> Header:
        return Header.of(
            tables.rules, course.layout, options.hidden, sorted({*options.players}), training=training,
            varied={option: list(values) for option, values in tables.varied.items()}, strength=list(strength),
        )  # fmt: skip

    save(bot, header(), layers)
    strength = []
    for players in sorted({*options.players}):
        for opponent in ("random" if tables.rules.must_play else "eager", "heuristic"):
            tournament, _ = hold(enter([str(bot), opponent]), tables.rules, players, options.games, HELD_OUT)
            strength.append(strength_of(tournament, opponent))
            screen.print(f"{tournament.games:,} games, seats rotated: {strength[-1]}")
    save(bot, header(strength), layers)
    screen.print(f"The bot has learned {lessons:,} lessons: {bot}")


def bar(name: str) -> Progress:
    """A progress bar."""
    columns = TextColumn(name), BarColumn(), TimeRemainingColumn(), TextColumn("{task.description}")
    return Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal)


if __name__ == "__main__":
    try:
        main(tyro.cli(Options, description=__doc__))
    except (ValueError, OSError) as mistake:
        raise SystemExit(f"learn_from_search: error: {mistake}") from None
    except KeyboardInterrupt:
        print("learn_from_search: stopped; whole portions are kept", file=sys.stderr)
        sys.exit(STOPPED)
