"""Results on disk, game by game, while a tournament is played: a killed run goes on where it was.

A file of rows is JSON Lines. The first line is the plan; then come the games, a line each, in the order in which they
are played; and each block of games ends with a line of its own, which says that it is whole. What follows the last
such line was cut off in the middle, and is played again.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any, Literal

import msgspec
import numpy as np

from agents.arena import Results
from agents.files import whole_file
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
        whole = 0
        if path.exists() and path.stat().st_size:
            whole = self._read(plan)
        self._file: IO[bytes] = path.open("r+b" if path.exists() else "xb")
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
        with self.path.open("rb") as file:
            for number, line in enumerate(file, 1):
                at += len(line)
                if not line.endswith(b"\n"):
                    break  # cut off in the middle of a line
                try:
                    whole = self._read_line(number, line, plan, rows, at, whole)
                except msgspec.DecodeError as error:
                    raise RowsError(f"{self.path}, line {number}: {error}") from None
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
        deals = [*range(*end.block)]
        if end.block[0] != first or sorted({row.deal for row in rows}) != deals:
            raise RowsError(f"{self.path}, line {number}: the games before it are not those of deals {end.block}")
        self.played.append((end.block, results_of(rows, end)))
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
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError as error:
        raise ValueError(f"{path}: Parquet needs pyarrow: pip install 'maumau-env[parquet]'") from error
    columns = {name: getattr(results, name).tolist() for name in _BY_GAME}
    columns["bots"] = [[names[bot] for bot in bots] for bots in columns["bots"]]
    with whole_file(path) as unfinished:
        parquet.write_table(pa.table(columns), unfinished)


def _end_of(block: tuple[int, int], results: Results) -> Block:
    return Block(block, results.habits.tolist(), results.seconds.tolist(), results.faults)
