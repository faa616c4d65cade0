"""A played round out of a file of game records, every position of it as the seats saw it.

A record of a match tells the points and who plays; the positions know them, too, so that a bot sees there what it saw.
Moves count from 1, as in the messages of `record_check.py`.
"""

from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np

from maumau_env.game import batch
from maumau_env.game.actions import ACTION_NUMBERS, actions_in, legal_names
from maumau_env.game.match import AGENTS
from maumau_env.game.match_check import MatchRound
from maumau_env.game.record import Record
from maumau_env.game.record_check import replay
from maumau_env.game.record_file import read_records
from maumau_env.game.rules import Rules
from maumau_env.game.state import NONE, RUNNING, SEATED, game_rules
from maumau_env.seat.view import view_of


@dataclass(frozen=True)
class Played:
    """A round, played to its end or so far."""

    source: str  # file and line
    players: list[str]  # a name for each seat
    games: np.ndarray  # GAMEs, (moves + 1,): the deal, and what each move led to
    actions: list[int]  # of each move

    @property
    def rules(self) -> Rules:
        """Of the table."""
        return game_rules(self.games[0])

    @property
    def is_over(self) -> bool:
        """The round was played to its end."""
        return bool(self.games["end"][-1] != RUNNING)

    @property
    def round(self) -> int:
        """Its number in the match, from 1; 0 for a single round."""
        return int(self.games["match"]["round"][0])

    def before(self, move: int) -> np.ndarray:
        """The position before a move: a GAME, shape (1,)."""
        return self.games[move - 1 : move]

    def seat(self, move: int) -> int:
        """Whose move it is."""
        return int(self.games["seat"][move - 1])

    def view(self, move: int) -> np.ndarray:
        """What that seat sees before it: a VIEW, shape (1,)."""
        return view_of(self.games[move - 1], self.seat(move))

    def choices(self, move: int) -> int:
        """Between how many actions the seat can choose there."""
        return len(actions_in(batch.legal(self.before(move))[0]))

    def real_choices(self, seats: list[int]) -> list[int]:
        """The moves of these seats at which they had a choice."""
        return [move for move in range(1, len(self.actions) + 1) if self.seat(move) in seats and self.choices(move) > 1]

    def check_move(self, move: int) -> None:
        """ValueError unless there is a choice before this move; of a running round the move to come counts, too."""
        moves = len(self.actions)
        last = moves if self.is_over else moves + 1
        if not 1 <= move <= last:
            to_come = "" if self.is_over else f", and move {last} is to come"
            raise ValueError(f"{self.source}: there is no move {move}: it has moves 1 to {moves}{to_come}")
        if self.choices(move) == 1:
            (only,) = legal_names(batch.legal(self.before(move))[0])
            raise ValueError(f"{self.source}: move {move} was forced: seat {self.seat(move)} could only {_do(only)}")

    def check_seat(self, seat: int) -> None:
        """ValueError unless somebody sits there."""
        if not 0 <= seat < len(self.players):
            raise ValueError(f"{self.source}: there is no seat {seat}: seats are 0 to {len(self.players) - 1}")


def read_game(path: Path, number: int) -> Played:
    """The game with this number, from 1, of a file of records; rounds of matches count each by itself.

    Raises:
        ValueError: there is no such game; or, a RecordError, the file or the game is broken.
        OSError: the file cannot be read.
    """
    if not path.is_file():
        raise FileNotFoundError(f"{path}: there is no such file")
    line, matches = 0, dict[str, set[str]]()
    for line, record in enumerate(read_records(path), 1):
        sat = seen_in(matches, record)
        if line == number:
            return played(record, len(sat))
    raise ValueError(f"{path}: there is no game {number}: it holds {line}")


def seen_in(matches: dict[str, set[str]], record: Record) -> set[str]:
    """The agents who have sat down in the match of a record by now; `matches` has them by match, and is kept up."""
    if record.match is msgspec.UNSET or record.seats is msgspec.UNSET:
        return set()
    sat = matches.setdefault(record.match.id, set())
    sat.update(record.seats, record.match.left)
    return sat


def played(record: Record, sat: int) -> Played:
    """A record played again; `sat` is how many have sat down in its match so far.

    Raises:
        RecordError: it does not say the truth.
    """
    games = replay(record)
    if record.match is not msgspec.UNSET:
        _enter_match(games, MatchRound(record), sat)
    actions = [ACTION_NUMBERS[action] for _, action in record.moves]
    return Played(record.source, list(record.players), games, actions)


def _enter_match(games: np.ndarray, told: MatchRound, sat: int) -> None:
    """What the table knew of the match during the round: who plays, the points before it, the limit (M1, M2)."""
    agents = [AGENTS.index(agent) for agent in told.seats]
    games["agents"] = [*agents, *[NONE] * (len(AGENTS) - len(agents))]
    match = games["match"]
    match["round"], match["penalty_limit"], match["sat"] = told.match.round, told.match.penalty_limit, sat
    for agent, points in zip(agents, told.before.values(), strict=True):
        match["points"][:, agent], match["status"][:, agent] = points, SEATED


def _do(action: str) -> str:
    """An action in a sentence."""
    return action if action in ("draw", "pass") else f"play {action}"
