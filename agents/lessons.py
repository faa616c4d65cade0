"""Lessons: choices out of games, and what each of the legal actions would have led to, for a pupil (`pupil.py`).

A bot plays all seats; in a share of the games the heuristic sits at some of them, and nobody learns from its choices.
Now and then the bot draws its action by its own probabilities instead of playing the best, so that it also sees what
comes after a mistake. Lessons are made in portions, each from a number of its own, so that a collection can be made by
several processes, cut short, and gone on with; a portion is a file of arrays (.npz) that appears when it is whole.
"""

import json
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from agents.files import whole_file
from agents.heuristic import Heuristic
from agents.policy import Policy, load
from agents.rollouts import roll_out
from agents.suits import standardise, suits_of
from agents.tables import Tables
from maumau_env.game.bits import scrambled
from maumau_env.game.result import WIN
from maumau_env.game.rules import MAX_PLAYERS
from maumau_env.game.state import RUNNING, taken
from maumau_env.seat.batch import Buffers, observe, step
from maumau_env.seat.encode import LAYOUT_VERSION, Layout
from maumau_env.seat.view import views

HEURISTIC = "heuristic"

GAMES, LESSONS = 2048, 250_000
"""Games that are played at once for a portion, and its lessons."""

BEFORE = 20
"""Decisions of each game before the first lesson, so that the games stand anywhere."""

DRAWN = 0.1
"""Share of the decisions that are drawn by the bot's own probabilities."""

UNSURE, SURE = 0.7, 0.1
"""Share of the choices that become a lesson, where the bot is in doubt and where it is not."""
DOUBT = 0.01
"""It is in doubt where it gives all other actions together more than this."""


class LessonsError(ValueError):
    """A portion of lessons that is damaged, or of another course."""


class Lessons(NamedTuple):
    """Positions with two legal actions or more; the suits in standard order, see `suits.py`."""

    observations: np.ndarray  # float16, (n, layout.size): of the seats to move
    masks: np.ndarray  # bool, (n, NUM_ACTIONS): their legal actions
    worths: np.ndarray  # float16, (n, NUM_ACTIONS): what these were paid in the end; 0 for the others


@dataclass(frozen=True)
class Course:
    """What lessons are about, and how they are made.

    Attributes:
        tables: the tables of the games.
        seats: seats that the observation has room for; those of the bot, if it is a saved one.
        bot: who plays, "heuristic" or the path of a saved bot.
        guests: share of the games in which the heuristic sits at some of the seats, 0 to 1.
        seed: of all chance.
        scheme: what a single round pays, by its number in `game/result.py`.
        games: played at once for a portion.
        lessons: in a portion.

    Raises:
        ValueError: guests are no share.
    """

    tables: Tables
    seats: int
    bot: str = HEURISTIC
    guests: float = 0.0
    seed: int = 0
    scheme: int = WIN
    games: int = GAMES
    lessons: int = LESSONS

    def __post_init__(self) -> None:
        if not 0 <= self.guests <= 1:
            raise ValueError(f"--guests {self.guests}: a share from 0 to 1")

    @property
    def layout(self) -> Layout:
        """The layout of the observations."""
        return Layout(self.tables.rules.deck, self.seats)

    @cached_property
    def policy(self) -> Policy | None:
        """The saved bot, None where the heuristic plays; ValueError when its file cannot be opened."""
        return None if self.bot == HEURISTIC else load(self.bot, any_rules=True)

    def text(self) -> str:
        """All that a portion depends on beside its number."""
        tables = self.tables
        about = {
            "rules": tables.rules.as_dict(), "players": [*tables.players], "varied": {**tables.varied},
            "penalty_limit": tables.penalty_limit, "seats": self.seats, "guests": self.guests, "seed": self.seed,
            "scheme": self.scheme, "games": self.games, "lessons": self.lessons, "layout": LAYOUT_VERSION,
            "before": BEFORE, "drawn": DRAWN, "unsure": UNSURE, "sure": SURE, "doubt": DOUBT,
            "bot": self.bot if self.policy is None else sha256(Path(self.bot).read_bytes()).hexdigest(),
        }  # fmt: skip
        return json.dumps(about)


class Seen(NamedTuple):
    """What the seats to move see, the suits in standard order."""

    observations: np.ndarray  # float32, (n, layout.size)
    masks: np.ndarray  # int8, (n, NUM_ACTIONS)
    orders: np.ndarray  # int64, (n,): the numbers of the orders in which the suits really stand


class Games:
    """The games of a portion, which are dealt anew when they end."""

    def __init__(self, course: Course, number: int) -> None:
        self._course, self._chance = course, np.random.default_rng((course.seed, number))
        self._games = course.tables.open(scrambled(course.seed ^ scrambled(number)), course.games)
        self._share = 0.0 if course.policy is None else course.guests  # the heuristic has no other guest than itself
        self._guests = draw_guests(self._share, self._games["num_players"], self._chance)
        self._out, self._suits = Buffers.new(course.layout, course.games), suits_of(course.layout)
        observe(self._games, course.seats, self._out)

    def look(self) -> Seen:
        """What the seats to move see."""
        observations, masks = self._out.observations.copy(), self._out.masks.copy()
        return Seen(observations, masks, standardise(observations, masks, self._suits))

    def play(self, actions: np.ndarray) -> None:
        """A decision in each game: the bot's action, or where a guest sits what that one does."""
        actions, theirs = actions.copy(), np.flatnonzero(self._guests_to_move())
        actions[theirs] = self._heuristic(theirs)
        step(self._games, actions, self._course.seats, self._out, self._course.scheme, skip_forced=True)
        ended = np.flatnonzero(self._out.ends != RUNNING)
        self._guests[ended] = draw_guests(self._share, self._games["num_players"][ended], self._chance)

    def logits(self, seen: Seen) -> np.ndarray | None:
        """What the bot thinks of the actions, float32, (n, NUM_ACTIONS), -inf for illegal ones; None: the heuristic."""
        policy = self._course.policy
        return None if policy is None else np.where(seen.masks, policy.network.logits(seen.observations), -np.inf)

    def actions(self, seen: Seen, logits: np.ndarray | None) -> np.ndarray:
        """What the bot does, int64: the best, and now and then what it draws."""
        if logits is None:
            return self._heuristic(np.arange(self._course.games))
        drawn = (logits + self._chance.gumbel(size=logits.shape)).argmax(1)
        chosen = np.where(self._chance.random(len(logits)) < DRAWN, drawn, logits.argmax(1))
        return self._suits.actions[seen.orders, chosen]

    def judged(self, seen: Seen, logits: np.ndarray | None) -> Lessons:
        """Some of the bot's choices that are to be made now, and what each action would lead to."""
        share = UNSURE if logits is None else np.where(in_doubt(logits), UNSURE, SURE)
        rows = np.flatnonzero(self._own_choices(seen) & (self._chance.random(self._course.games) < share))
        policy = self._course.policy
        network = None if policy is None else policy.network
        worths: Any = roll_out(taken(self._games, rows), self._course.scheme, network, self._guests[rows])
        return lessons_of(seen, rows, np.take_along_axis(worths, self._suits.actions[seen.orders[rows]], 1))

    def remembered(self, seen: Seen, logits: np.ndarray) -> Lessons:
        """All choices of the bot that are to be made now, and what it thinks of the actions: logits, no worths."""
        rows = np.flatnonzero(self._own_choices(seen))
        return lessons_of(seen, rows, np.where(seen.masks[rows], logits[rows], 0))

    def _own_choices(self, seen: Seen) -> np.ndarray:
        return (seen.masks.sum(1) > 1) & ~self._guests_to_move()

    def _guests_to_move(self) -> np.ndarray:
        return self._guests[np.arange(len(self._guests)), self._games["seat"]] == 1

    def _heuristic(self, rows: np.ndarray) -> np.ndarray:
        words = self._chance.integers(0, 2**64, len(rows), np.uint64)
        return Heuristic().act(views(taken(self._games, rows)), words)


def draw_guests(share: float, players: np.ndarray, chance: np.random.Generator) -> np.ndarray:
    """Where the heuristic sits, uint8, (n, 5), in games of so many players: in a share of them, at one seat or more.

    In half of its games it has all seats but one, in the others each by the toss of a coin; the bot always has one.
    """
    games, seats = np.arange(len(players)), np.arange(MAX_PLAYERS)
    guests = chance.random((len(players), MAX_PLAYERS)) < np.where(chance.random(len(players)) < 0.5, 1.0, 0.5)[:, None]
    bots = chance.integers(0, players)
    guests[games, (bots + chance.integers(1, players)) % players] |= ~(
        guests & (seats != bots[:, None]) & (seats < players[:, None])
    ).any(1)
    guests[games, bots] = False
    guests[chance.random(len(players)) >= share] = False
    return (guests & (seats < players[:, None])).astype(np.uint8)


def in_doubt(logits: np.ndarray) -> np.ndarray:
    """Where a policy is not sure of its choice, bool, (n,)."""
    total = np.exp(logits - logits.max(1, keepdims=True)).sum(1)
    return 1 - 1 / total > DOUBT


def lessons_of(seen: Seen, rows: np.ndarray, worths: np.ndarray) -> Lessons:
    """Lessons about some of the positions that are seen."""
    return Lessons(
        seen.observations[rows].astype(np.float16), seen.masks[rows].astype(np.bool_), worths.astype(np.float16)
    )


def make_lessons(course: Course, number: int, lessons: Callable[..., Lessons] = Games.judged) -> Lessons:
    """A portion of lessons, by its number: equal numbers, equal lessons.

    With `Games.remembered` it is about what the bot, a saved one, thinks of its actions.
    """
    games, parts, made = Games(course, number), [], 0
    for decision in count():
        seen = games.look()
        logits = games.logits(seen)
        if decision >= BEFORE:
            parts.append(lessons(games, seen, logits))
            made += len(parts[-1].masks)
        if made >= course.lessons:
            break
        games.play(games.actions(seen, logits))
    return Lessons(*(np.concatenate(column)[: course.lessons] for column in zip(*parts, strict=True)))


def portion(course: Course, number: int, folder: Path) -> Path:
    """The file of a portion in a folder, made now unless it is there."""
    path = folder / f"lessons-{number:04d}.npz"
    if not path.exists():
        made = make_lessons(course, number)
        with whole_file(path) as unfinished, unfinished.open("wb") as file:
            np.savez(file, course=np.array(course.text()), **made._asdict())
    return path


def check_portions(course: Course, folder: Path) -> None:
    """LessonsError when a portion that is in the folder already is of another course, or damaged."""
    for path in sorted(folder.glob("lessons-*.npz")):
        _open(course, path, ())


def read_lessons(course: Course, path: Path) -> Lessons:
    """The lessons in a file; LessonsError when they are of another course, or the file is damaged."""
    return Lessons(*_open(course, path, Lessons._fields))


def _open(course: Course, path: Path, names: Sequence[str]) -> list[np.ndarray]:
    """Some of the arrays in a file of lessons."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            about, found = str(arrays["course"]), [arrays[name] for name in names]
    except (ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise LessonsError(f"{path}: no file of lessons, or a damaged one: delete it, and it is made again") from error
    if about != course.text():
        raise LessonsError(f"{path}: lessons of another course ({about}): name another folder")
    return found
