"""A bot that is one step better than another: the choices of many games are judged by rollouts, and a network learns.

    python -m tools.learn_from_rollouts runs/lessons --players 4 --bot agents/bots/classic_4p.safetensors --workers 2

The lessons stay in the folder, a file for each portion of a quarter of a million: so a run that was stopped goes on
with the next portion, and the same lessons can be learned again in another way. The pupil is bot.safetensors in the
folder, measured against random (or eager) play and the heuristic. How it works, and what it reaches: docs/training.md.
"""

import json
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Literal

import tyro
from joblib import delayed

from agents.botfile import Header
from agents.commandline import check_apart, check_writable
from agents.lessons import GAMES, HEURISTIC, LESSONS, Course, check_portions, portion, read_lessons
from agents.policy import load
from agents.pupil import BATCH, Lecture, as_worths, error_in_worths, sharpened
from agents.tables import Tables, values_at
from maumau_env.game.result import REWARDS
from maumau_env.game.rules import Rules, parse_options
from tools.pupils import check_lecture, check_numbers, command, gathered, save_measured, screen, taught

HIDDEN = (256, 256)
"""Widths of a pupil of the heuristic."""


@dataclass(frozen=True)
class Options:
    """The command line."""

    folder: tyro.conf.Positional[Path]
    """Where the lessons and the pupil are kept."""
    players: tuple[int, ...] = (2,)
    """Players at the table, 2 to 5; several numbers for as many tables of each."""
    rules: str = "classic"
    """Preset of rules."""
    set: tuple[str, ...] = ()
    """Options that differ from the preset, such as ace=skip."""
    varied: tuple[str, ...] = ()
    """Options that are drawn at half of the tables, such as ace must_play."""
    seats: int | None = None
    """Seats that the observation has room for; none for those of the bot, or the players alone."""
    reward: Literal["win", "placement"] = "win"
    """What is learned for."""
    bot: str = HEURISTIC
    """Who plays the games and the rollouts: heuristic, or the path of a saved bot."""
    guests: float = 0.5
    """Share of the games in which the heuristic sits at one seat or more beside the bot, 0 to 1."""
    portions: int = 10
    """Portions of lessons."""
    lessons: int = LESSONS
    """Lessons in a portion."""
    tables: int = GAMES
    """Games played at once for a portion."""
    hidden: tuple[int, ...] | None = None
    """Widths of the hidden layers of the network; none for those of the bot, or 256 256. A pupil of the bot's widths
    begins with what the bot knows, which spares it most of the lessons."""
    epochs: int = 2
    """How often each lesson is learned."""
    learning_rate: float = 1e-3
    """Step size of Adam at the beginning."""
    seed: int = 0
    """Of all that is random."""
    workers: Annotated[int, tyro.conf.arg(help="processes that make lessons")] = 1
    games: int = 40_000
    """Games of each measurement at the end."""


def main(options: Options) -> None:
    """Make the lessons that are missing, teach a network, save and measure the pupil."""
    course, file = course_of(options), options.folder / "bot.safetensors"
    lecture = lecture_of(course, options)
    make_folder(options.folder)
    check_writable(file)
    check_portions(course, options.folder)
    jobs = [delayed(portion)(course, number, options.folder) for number in range(options.portions)]
    portions = [partial(read_lessons, course, path) for path in gathered("lessons", jobs, options.workers)]
    start = None
    if course.policy and course.policy.header.hidden == [*lecture.hidden]:
        start = as_worths(course.policy.network.layers(), portions[0]())
    layers = sharpened(taught(portions, lecture, error_in_worths, start))
    save_measured(file, header_of(course, lecture, options), layers, options.games)
    screen.print(f"The bot has learned {options.portions * course.lessons:,} lessons: {file}")


def course_of(options: Options) -> Course:
    """What the lessons are about; ValueError when that cannot be."""
    if not options.players:
        raise ValueError("--players: one number of players or more")
    rules, most = Rules.of(options.rules, **parse_options(list(options.set))), max(options.players)
    for players in options.players:
        rules.check_players(players)
    check_numbers(
        portions=options.portions, tables=options.tables, epochs=options.epochs, workers=options.workers,
        games=options.games,
    )  # fmt: skip
    if options.lessons < BATCH:
        raise ValueError(f"--lessons {options.lessons}: {BATCH:,} or more, as many as the network learns at once")
    if options.bot != HEURISTIC:
        check_apart([options.folder / "bot.safetensors"], [Path(options.bot)])
    varied = {option: values_at(rules, min(options.players), option) for option in options.varied}
    return Course(
        Tables(rules, options.players, varied), seats_of(options, rules, most), options.bot,
        options.guests, options.seed, REWARDS.index(options.reward),
        options.tables, options.lessons,
    )  # fmt: skip


def seats_of(options: Options, rules: Rules, most: int) -> int:
    """Seats that the observation has room for: the pupil sees what the bot saw."""
    if options.bot == HEURISTIC:
        if options.seats is not None and options.seats < most:
            raise ValueError(f"--seats {options.seats}: {most} or more, as many as there are players")
        return options.seats or most
    policy = load(options.bot, any_rules=True)
    policy.check_table(rules, most)
    if policy.header.penalty_limit is not None:
        raise ValueError(f"{options.bot} plays whole matches, and lessons are of single rounds")
    seats = policy.header.layout.seats
    if options.seats not in (None, seats):
        raise ValueError(f"--seats {options.seats}: the observation of {options.bot} has room for {seats}")
    return seats


def lecture_of(course: Course, options: Options) -> Lecture:
    """How the pupil is taught: by default with the widths of the bot. ValueError when that cannot be."""
    hidden = options.hidden
    if hidden is None:
        hidden = HIDDEN if course.policy is None else course.policy.header.hidden
    lecture = Lecture(hidden, options.epochs, options.learning_rate, seed=options.seed)
    check_lecture(lecture, course.layout)
    return lecture


def header_of(course: Course, lecture: Lecture, options: Options) -> Header:
    """What the file of the pupil says."""
    tables = course.tables
    training = {
        "package_version": version("maumau-env"), "method": "regression on rollouts",
        "lessons": options.portions * course.lessons, "course": json.loads(course.text()), "lecture": lecture._asdict(),
    }  # fmt: skip
    return Header.of(
        tables.rules, course.layout, lecture.hidden, sorted({*options.players}), training=training,
        varied={option: list(values) for option, values in tables.varied.items()},
    )  # fmt: skip


def make_folder(folder: Path) -> None:
    """ValueError when there is a file in its place."""
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder} is a file, and the lessons need a folder")
    folder.mkdir(parents=True, exist_ok=True)


if __name__ == "__main__":
    command("learn_from_rollouts", lambda: main(tyro.cli(Options, description=__doc__)))
