"""Lessons: positions out of games, and what every action is worth in each of them, for a pupil to learn (`pupil.py`).

They are made in portions, each from a number of its own, so that a collection can be made by several processes, cut
short, and gone on with; a portion is a file of arrays (.npz) that appears when it is whole.
"""

import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from agents.agent import Agent
from agents.files import whole_file
from agents.policy import Policy, load
from agents.rollouts import roll_out
from agents.suits import standardise, suits_of
from agents.table import fingerprint, make
from agents.tables import Tables
from maumau_env.game.bits import scrambled
from maumau_env.game.result import WIN
from maumau_env.seat.batch import Buffers, observe, step
from maumau_env.seat.encode import Layout
from maumau_env.seat.view import views

GAMES = 4096
"""Games played at once for a portion."""

BEFORE, BETWEEN = 24, 2
"""Decisions of each game before the first lesson, so that the games stand anywhere, and from one lesson to the next."""

HEURISTIC = "heuristic"

ROUNDS = 60
"""So often a portion takes a lesson of each of its games."""


class LessonsError(ValueError):
    """A portion of lessons that is damaged, or of another course."""


class Lessons(NamedTuple):
    """Positions with two legal actions or more; the suits in standard order, see `suits.py`."""

    observations: np.ndarray  # float16, (n, layout.size): of the seats to move
    masks: np.ndarray  # bool, (n, NUM_ACTIONS): their legal actions
    worths: np.ndarray  # float16, (n, NUM_ACTIONS): what these pay on average; 0 for the others


@dataclass(frozen=True)
class Course:
    """What lessons are about, and how they are made.

    Attributes:
        tables: the tables of the games.
        seats: seats that the observation has room for.
        bots: who plays the games: each decision is that of one of them, drawn anew; who is named twice is drawn twice
            as often.
        worlds: in which every action is tried in each position.
        seed: of all chance.
        scheme: what a single round pays, by its number in `game/result.py`.
        games: played at once; a portion has up to ROUNDS lessons of each.
        playouts: who plays the rollouts, "heuristic" or the path of a saved bot.
    """

    tables: Tables
    seats: int
    bots: tuple[str, ...]
    worlds: int
    seed: int = 0
    scheme: int = WIN
    games: int = GAMES
    playouts: str = HEURISTIC

    @property
    def layout(self) -> Layout:
        """The layout of the observations."""
        return Layout(self.tables.rules.deck, self.seats)

    @cached_property
    def player(self) -> Policy | None:
        """Plays the rollouts, None where the heuristic does; ValueError when its file cannot be opened."""
        return None if self.playouts == HEURISTIC else load(self.playouts, any_rules=True)

    def text(self) -> str:
        """All that a portion depends on beside its number."""
        tables = self.tables
        about = {
            "rules": tables.rules.as_dict(), "players": [*tables.players], "varied": {**tables.varied},
            "penalty_limit": tables.penalty_limit, "seats": self.seats, "bots": [*self.bots], "worlds": self.worlds,
            "seed": self.seed, "scheme": self.scheme, "games": self.games,
            "playouts": self.playouts if self.playouts == HEURISTIC else fingerprint(self.playouts),
        }  # fmt: skip
        return json.dumps(about)


def make_lessons(course: Course, number: int, rounds: int = ROUNDS) -> Lessons:
    """A portion of lessons, by its number: equal numbers, equal lessons."""
    chance = np.random.default_rng((course.seed, number))
    games = course.tables.open(scrambled(course.seed ^ scrambled(number)), course.games)
    agents, out = [make(name) for name in course.bots], Buffers.new(course.layout, course.games)
    observe(games, course.seats, out)
    parts = []
    for decision in range(BEFORE + BETWEEN * rounds):
        step(games, _decisions(agents, games, chance), course.seats, out, course.scheme, skip_forced=True)
        if decision >= BEFORE and decision % BETWEEN == 0:
            parts.append(_judged(course, games, out, chance))
    return joined(parts)


def portion(course: Course, number: int, folder: Path) -> Path:
    """The file of a portion in a folder, made now unless it is there."""
    path = folder / f"lessons-{number:04d}.npz"
    if not path.exists():
        made = make_lessons(course, number)
        with whole_file(path) as unfinished, unfinished.open("wb") as file:
            np.savez(file, course=np.array(course.text()), **made._asdict())
    return path


def read_lessons(course: Course, path: Path) -> Lessons:
    """The lessons in a file; LessonsError when they are of another course, or the file is damaged."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            about, lessons = str(arrays["course"]), Lessons(*(arrays[name] for name in Lessons._fields))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise LessonsError(f"{path}: no file of lessons, or a damaged one: delete it, and it is made again") from error
    if about != course.text():
        raise LessonsError(f"{path}: lessons of another course ({about}): name another folder")
    return lessons


def joined(parts: Sequence[Lessons]) -> Lessons:
    """All these lessons."""
    return Lessons(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _decisions(agents: Sequence[Agent], games: np.ndarray, chance: np.random.Generator) -> np.ndarray:
    """What one of the agents, drawn anew for every game, does there."""
    who, words = chance.integers(len(agents), size=len(games)), chance.integers(0, 2**64, len(games), np.uint64)
    seen, actions = views(games), np.zeros(len(games), np.int64)
    for number, agent in enumerate(agents):
        mine = who == number
        if mine.any():
            actions[mine] = agent.act(seen[mine], words[mine])
    return actions


def _judged(course: Course, games: np.ndarray, out: Buffers, chance: np.random.Generator) -> Lessons:
    """The real choices among the positions of these games."""
    rows = np.flatnonzero(out.masks.sum(1) > 1)
    observations, masks = out.observations[rows], out.masks[rows]
    suits = suits_of(course.layout)
    orders = standardise(observations, masks, suits)
    words = chance.integers(0, 2**64, len(rows), np.uint64)
    network = course.player.network if course.player else None
    worths: Any = roll_out(views(games)[rows], words, course.worlds, course.scheme, network)
    worths = np.take_along_axis(worths, suits.actions[orders], 1)
    return Lessons(observations.astype(np.float16), masks.astype(bool), worths.astype(np.float16))
