"""A smaller network that plays as a trained bot does: it learns the bot's own probabilities, choice by choice.

    python -m tools.distil agents/bots/classic_2p.safetensors small.safetensors --hidden 128 128

The bot plays all seats, but for those at which the heuristic sits in half of the games, and its choices are remembered
(distillation; docs/training.md tells what a pupil keeps). At tables at which the bot may sit the pupil may sit, too.
"""

import json
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import tyro
from joblib import delayed

from agents.botfile import Header
from agents.commandline import check_apart, check_writable
from agents.lessons import Course, Games, Lessons, make_lessons
from agents.policy import load
from agents.pupil import Lecture, error_in_imitation
from agents.tables import Tables
from maumau_env.game.rules import Rules
from tools.pupils import check_lecture, check_numbers, command, gathered, save_measured, screen, taught


@dataclass(frozen=True)
class Options:
    """The command line."""

    bot: tyro.conf.Positional[Path]
    """The bot that is imitated."""
    pupil: tyro.conf.Positional[Path]
    """The file of the new bot."""
    hidden: tuple[int, ...] = (128, 128)
    """Widths of the hidden layers of its network."""
    guests: float = 0.5
    """Share of the games in which the heuristic sits at one seat or more beside the bot, 0 to 1."""
    portions: int = 24
    """Quarters of a million choices; all of them are in memory, half a gigabyte for a million with two players."""
    epochs: int = 5
    """How often each choice is learned."""
    learning_rate: float = 1.5e-3
    """Step size of Adam at the beginning."""
    seed: int = 0
    """Of all that is random."""
    workers: Annotated[int, tyro.conf.arg(help="processes that make lessons")] = 1
    games: int = 40_000
    """Games of each measurement at the end."""


def main(options: Options) -> None:
    """Remember choices, teach a network, save and measure the pupil."""
    check_apart([options.pupil], [options.bot])
    check_writable(options.pupil)
    course = course_of(options)
    lecture = Lecture(options.hidden, options.epochs, options.learning_rate, seed=options.seed)
    check_lecture(lecture, course.layout)
    header = header_of(course, lecture, options)
    jobs = [delayed(make_lessons)(course, number, Games.remembered) for number in range(options.portions)]
    portions: list[Lessons] = gathered("choices", jobs, options.workers)
    layers = taught([lambda lessons=lessons: lessons for lessons in portions], lecture, error_in_imitation)
    save_measured(options.pupil, header, layers, options.games)
    screen.print(f"The bot has learned {options.portions * course.lessons:,} choices: {options.pupil}")


def course_of(options: Options) -> Course:
    """The tables of the bot; ValueError when there is none, or no number of things is asked for."""
    check_numbers(portions=options.portions, epochs=options.epochs, workers=options.workers, games=options.games)
    header = load(options.bot).header
    tables = Tables(Rules.from_dict(header.rules), header.players, header.varied, header.penalty_limit)
    return Course(tables, header.layout.seats, str(options.bot), options.guests, options.seed)


def header_of(course: Course, lecture: Lecture, options: Options) -> Header:
    """What the file of the pupil says: the tables of the bot, and how the pupil came about."""
    bot = load(options.bot).header
    training = {
        "package_version": version("maumau-env"), "method": "distilled", "bot": bot.training,
        "choices": options.portions * course.lessons, "course": json.loads(course.text()), "lecture": lecture._asdict(),
    }  # fmt: skip
    return bot.model_copy(update={"hidden": [*options.hidden], "training": training, "strength": []})


if __name__ == "__main__":
    command("distil", lambda: main(tyro.cli(Options, description=__doc__)))
