"""Files of game records: JSON Lines, one round a line, gzipped when the name ends in `.gz`."""

import gzip
import os
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

import msgspec

from maumau_env.game.match_check import MatchBook
from maumau_env.game.record import FORMAT, VERSION, Record, RecordError
from maumau_env.game.record_check import check


class _Kind(msgspec.Struct):
    """What a line says of itself, before the rest of it is looked at."""

    format: str
    version: int


_KIND, _RECORD, _ENCODER = msgspec.json.Decoder(_Kind), msgspec.json.Decoder(Record), msgspec.json.Encoder()


def read_records(path: str | os.PathLike[str]) -> Iterator[Record]:
    """The records of a file, one after the other, each checked as far as that needs no playing.

    Rounds of a match are checked against those before them, also when several matches are mixed in one file.

    Raises:
        RecordError: a line is no record of ours, or a record contradicts itself or an earlier round of its match; names
            file, line, move and reason.
        OSError: the file cannot be opened.
    """
    path, book = Path(path), MatchBook()
    for number, line in enumerate(_lines(path), 1):
        record = _decode(line, f"{path}, line {number}")
        check(record)
        book.check(record)
        yield record


def write_records(path: str | os.PathLike[str], records: Iterable[Record], append: bool = False) -> None:
    """Write records to a file, after those it holds if `append` is set.

    The file appears, or changes, only when all is written: whatever goes wrong before leaves it as it was.

    Raises:
        RecordError: the file to append to is damaged.
        OSError: the file cannot be written, or is no ordinary one.
    """
    target = Path(path).resolve()
    if target.exists() and not target.is_file():
        raise OSError(f"{path} is no ordinary file, so records cannot be written to it")
    unfinished = target.with_name(f".{os.getpid()}.{target.name}")
    try:
        with _open(unfinished, "xb") as file:
            if append and target.exists():
                file.writelines(line.removesuffix(b"\n") + b"\n" for line in _lines(target))
            file.writelines(_ENCODER.encode(record) + b"\n" for record in records)
        with unfinished.open("rb") as file:
            os.fsync(file.fileno())
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)


def _decode(line: bytes, source: str) -> Record:
    try:
        kind = _KIND.decode(line)
        if (kind.format, kind.version) != (FORMAT, VERSION):
            raise RecordError(
                f"{source}: format {kind.format!r}, version {kind.version}: "
                f"only {FORMAT!r}, version {VERSION}, can be read"
            )
        return _RECORD.decode(line).located(source)
    except msgspec.DecodeError as error:
        raise RecordError(f"{source}: {error}") from None


def _open(path: Path, mode: str) -> IO[bytes] | gzip.GzipFile:
    """Open a file in binary mode, packed or not as its name says; equal records give equal bytes."""
    if path.suffix != ".gz":
        return path.open(mode)
    return gzip.GzipFile(path, mode, mtime=0)


def _lines(path: Path) -> Iterator[bytes]:
    number = 0
    try:
        with _open(path, "rb") as file:
            for number, line in enumerate(file, 1):  # noqa: B007
                yield line
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise RecordError(f"{path}, line {number + 1}: damaged gzip file: {error}") from None
