"""Results on disk, game by game, while a tournament is played: a killed run goes on where it was.

A file of rows is JSON Lines. The first line is the plan; then come the games, a line each, in the order in which they
are played; and each block of games ends with a line of its own, which says that it is whole. What follows the last
such line was cut off in the middle, and is played again.
"""

import os
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any, Literal

import msgspec
import numpy as np

from agents.arena import Results
from agents.files import whole_file
from agents.habits import HABITS
from agents.tournament.plan import Plan

FORMAT, VERSION = "maumau-rows", 1


class RowsError(ValueError):
    """A file of rows that is damaged, or of another tournament; the message names the file and what is wrong."""


class Header(msgspec.Struct, forbid_unknown_fields=True):
    """The first line."""

    format: Literal["maumau-rows"]
    version: Literal[1]
    plan: dict[str, Any]


class Row(msgspec.Struct, forbid_unknown_fields=True):
    """A game: who sat where and how it ended; the fields are those of `agents.arena.Results`."""

    deal: int
    bots: list[int]
    ranks: list[int]
    points: list[int]
    forfeits: list[int]
    turns: int
    rounds: int
    stuck: int
    too_long: int


class Block(msgspec.Struct, forbid_unknown_fields=True):
    """The end of a block: its deals as (first, one after the last), and what was counted in it, bot by bot."""

    block: tuple[int, int]
    habits: list[list[int]]
    seconds: list[float]
    faults: dict[str, str] = {}


BEGINNING = b'{"format":"maumau-rows",'
"""How every file of rows begins."""

_ENCODER, _ROW, _BLOCK = msgspec.json.Encoder(), msgspec.json.Decoder(Row), msgspec.json.Decoder(Block)
_HEADER = msgspec.json.Decoder(Header)


class RowsFile:
    """A file of rows that is written on.

    Args:
        path: of a new file, or of one that was begun with an equal plan.
        plan: of the tournament.

    Raises:
        RowsError: the file belongs to another tournament, or is damaged.
        OSError: it cannot be read or written.
    """

    def __init__(self, path: Path, plan: Plan) -> None:
        self.path = path
        self.played: list[tuple[tuple[int, int], Results]] = []
        self._file: IO[bytes] = path.open("r+b" if path.exists() else "x+b")
        try:
            lock(self._file, path)
            whole = self._read(plan)
        except BaseException:
            self._file.close()
            raise
        self._file.truncate(whole)
        self._file.seek(whole)
        if not whole:
            self._write([{"format": FORMAT, "version": VERSION, "plan": plan.as_dict()}])

    def append(self, block: tuple[int, int], results: Results) -> None:
        """Write the games of a block; they are on the disk when this returns."""
        self._write([*rows_of(results), _end_of(block, results)])
        self.played.append((block, results))

    def close(self) -> None:
        """Nothing more is written."""
        self._file.close()

    def _write(self, lines: Sequence[Any]) -> None:
        self._file.write(b"".join(_ENCODER.encode(line) + b"\n" for line in lines))
        self._file.flush()
        os.fsync(self._file.fileno())

    def _read(self, plan: Plan) -> int:
        """Read what there is of the same tournament; returns the bytes up to the end of its last whole block."""
        rows: list[Row] = []
        at = whole = 0
        for number, line in enumerate(self._file, 1):
            if number == 1 and not (line.startswith(BEGINNING) or BEGINNING.startswith(line)):
                raise RowsError(f"{self.path} is no file of rows: name another one, or remove it")
            at += len(line)
            if not line.endswith(b"\n"):
                break  # cut off in the middle of a line
            try:
                whole = self._read_line(number, line, plan, rows, at, whole)
            except (msgspec.DecodeError, ValueError, OverflowError) as error:
                fault = error if isinstance(error, RowsError) else RowsError(f"{self.path}, line {number}: {error}")
                raise fault from None
        return whole

    def _read_line(self, number: int, line: bytes, plan: Plan, rows: list[Row], at: int, whole: int) -> int:
        if number == 1:
            self._compare(_HEADER.decode(line).plan, plan)
            return at
        if not line.startswith(b'{"block"'):
            rows.append(_ROW.decode(line))
            return whole
        end = _BLOCK.decode(line)
        first = self.played[-1][0][1] if self.played else 0
        results = results_of(rows, end)
        if end.block[0] != first or not is_of(results, plan, end.block):
            raise RowsError(f"{self.path}, line {number}: the games before it are not those of deals {end.block}")
        if end.block[1] > plan.deals:
            raise RowsError(
                f"{self.path} holds {end.block[1]:,} deals or more, and these games have {plan.deals:,}: ask for "
                "as many games as before, or more, or name another file"
            )
        self.played.append((end.block, results))
        rows.clear()
        return at

    def _compare(self, found: dict[str, Any], plan: Plan) -> None:
        asked = plan.as_dict()
        for key in sorted(asked):
            if found.get(key) != asked[key]:
                raise RowsError(
                    f"{self.path} belongs to another tournament: its {key} is {found.get(key)}, not {asked[key]}; "
                    f"name another file, or remove this one"
                )


def lock(file: IO[bytes], path: Path) -> None:
    """RowsError when another run is writing to the file; on systems that know no such locks nothing happens."""
    try:
        import fcntl
    except ImportError:  # Windows
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise RowsError(f"{path} is being written by another run") from None


def is_of(results: Results, plan: Plan, block: tuple[int, int]) -> bool:
    """Whether these can be the results of the games that the plan has for these deals."""
    if not 0 <= block[0] < block[1]:
        return False
    deals, bots = plan.schedule.games(*block)
    shape, field = bots.shape, len(plan.names)
    return (
        np.array_equal(results.deals, deals)
        and np.array_equal(results.bots, bots)
        and all(of.shape == shape for of in (results.ranks, results.points, results.forfeits))
        and bool(((results.ranks >= 1) & (results.ranks <= plan.players)).all())
        and results.habits.shape == (field, HABITS)
        and results.seconds.shape == (field,)
    )


def rows_of(results: Results) -> list[Row]:
    """Results as rows."""
    columns = (
        results.deals, results.bots, results.ranks, results.points, results.forfeits,
        results.turns, results.rounds, results.stuck, results.too_long,
    )  # fmt: skip
    return [Row(*values) for values in zip(*(column.tolist() for column in columns), strict=True)]


def results_of(rows: Sequence[Row], end: Block) -> Results:
    """The rows of a block as results again."""

    def column(name: str, dtype: type) -> np.ndarray:
        return np.array([getattr(row, name) for row in rows], dtype)

    return Results(
        column("deal", np.int64), column("bots", np.int64), column("ranks", np.int8), column("points", np.int32),
        column("turns", np.int32), column("rounds", np.int32), column("stuck", np.int32), column("too_long", np.int32),
        column("forfeits", np.uint8), end.faults, np.array(end.habits, np.int64), np.array(end.seconds), None,
    )  # fmt: skip


def joined(parts: Sequence[Results]) -> Results:
    """The results of blocks as those of one; counts and seconds add up."""

    def all_of(name: str) -> Any:
        return np.concatenate([getattr(part, name) for part in parts])

    games = {name: all_of(name) for name in _BY_GAME}
    faults = {bot: told for part in reversed(parts) for bot, told in part.faults.items()}
    moves = [each for part in parts for each in part.moves or []] if parts[0].moves is not None else None
    habits, seconds = (sum((getattr(part, name) for part in parts[1:]), getattr(parts[0], name)) for name in _ADDED)
    return Results(**games, faults=faults, habits=habits, seconds=seconds, moves=moves)


_BY_GAME = ("deals", "bots", "ranks", "points", "turns", "rounds", "stuck", "too_long", "forfeits")
_ADDED = ("habits", "seconds")


def write_parquet(path: Path, results: Results, names: Sequence[str]) -> None:
    """The games as a Parquet file: a row for each game, bots by their names; it appears only when it is whole.

    Raises:
        ValueError: pyarrow is not installed.
    """
    check_parquet()
    import pyarrow as pa
    from pyarrow import parquet

    columns = {name: getattr(results, name).tolist() for name in _BY_GAME}
    columns["bots"] = [[names[bot] for bot in bots] for bots in columns["bots"]]
    with whole_file(path) as unfinished:
        parquet.write_table(pa.table(columns), unfinished)


def check_parquet() -> None:
    """ValueError unless Parquet can be written here."""
    if find_spec("pyarrow") is None:
        raise ValueError("Parquet needs pyarrow: pip install 'maumau-env[parquet]'")


def _end_of(block: tuple[int, int], results: Results) -> Block:
    return Block(block, results.habits.tolist(), results.seconds.tolist(), results.faults)
