"""A saved bot: one .safetensors file, the weights of a policy and a JSON header. Nothing in it is ever run.

The header is the one entry of the file's metadata, `maumau-bot`. The tensors are `0.weight`, shape (inputs, outputs),
`0.bias`, shape (outputs,), `1.weight`, ...: dense layers with ReLU between them, from the observation to a logit for
each action.

A file from a stranger may claim anything. Its size and that of its header are looked at before it is read, and every
tensor's name, type and shape before an array is made of it, so it costs no more memory than a few times MOST_BYTES.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import numpy as np
import safetensors
import safetensors.numpy
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from agents.network import Layer
from maumau_env.game.actions import NUM_ACTIONS
from maumau_env.game.rules import MAX_PLAYERS, MIN_PLAYERS, OPTIONS, Rules
from maumau_env.seat.encode import LAYOUT_VERSION, Layout

FORMAT, FORMAT_VERSION = "maumau-bot", 2

MOST_BYTES, MOST_HEADER_BYTES = 32 << 20, 1 << 20
"""The largest bot file, and the largest header in one: 32 MiB and 1 MiB."""
MOST_LAYERS, MOST_WIDTH = 8, 4096
"""The most hidden layers, and the widest."""

_ZIP, _LENGTH = b"PK\x03\x04", 8
_FAULTS, _MESSAGE = 3, 400
"""So many faults of a header are told, in so many characters each: the texts in it are a stranger's."""

Players = Annotated[int, Field(ge=MIN_PLAYERS, le=MAX_PLAYERS)]
Width = Annotated[int, Field(ge=1, le=MOST_WIDTH)]
Share = Annotated[float, Field(ge=0, le=1)]


class BotFileError(ValueError):
    """The file is no bot that can be played here; the message says why and what to do."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ObservationHeader(_Strict):
    """The layout of the observations that the policy was trained on."""

    version: int
    deck: int
    seats: Players
    sha256: str  # of its sections, see `layout_hash`
    suits: Literal["standard order"] = "standard order"  # see `suits.py`


class Strength(_Strict):
    """How a bot fared in a tournament against one other."""

    opponent: str
    players: Players
    penalty_limit: int | None = None  # of whole matches
    games: int
    seed: int
    win_rate: Share
    win_rate_interval: tuple[Share, Share]

    def __str__(self) -> str:
        low, high = self.win_rate_interval
        rate = f"{self.win_rate:.1%} ({low:.1%} – {high:.1%})"
        return f"{rate} against {self.opponent} with {self.players} players"


class Header(_Strict):
    """All that a bot file says about its bot beside the weights."""

    format_version: Literal[2] = FORMAT_VERSION
    rules: dict[str, Any]
    varied: dict[str, Annotated[list[Any], Field(min_length=1)]] = {}  # option → every value it had in training
    players: list[Players] = Field(min_length=1)  # numbers of players that it was trained for
    penalty_limit: Annotated[int, Field(ge=1)] | None = None  # of the matches it was trained in; None: single rounds
    observation: ObservationHeader
    hidden: list[Width] = Field(max_length=MOST_LAYERS)  # widths of the hidden layers
    activation: Literal["relu"] = "relu"
    training: dict[str, Any] = {}  # how it came about, for people to read
    strength: list[Strength] = []

    @classmethod
    def of(cls, rules: Rules, layout: Layout, hidden: Sequence[int], players: Sequence[int], **more: Any) -> Self:
        """The header of a bot trained now."""
        observation = ObservationHeader(
            version=LAYOUT_VERSION, deck=layout.deck, seats=layout.seats, sha256=layout_hash(layout)
        )
        return cls(rules=rules.as_dict(), players=list(players), observation=observation, hidden=list(hidden), **more)

    @model_validator(mode="after")
    def _check_that_it_can_be_played(self) -> Self:
        for option in [*self.rules, *self.varied]:
            if option not in OPTIONS:
                raise ValueError(f"no option is called {option!r}: there are {', '.join(OPTIONS)}")
        rules, seen = Rules.from_dict(self.rules), self.observation
        for option, values in self.varied.items():
            if option == "deck":
                raise ValueError("varied: a policy plays with one deck")
            for value in values:
                rules.replace(**{option: value})
        if seen.version != LAYOUT_VERSION:
            raise ValueError(
                f"trained on observation layout {seen.version}, and this version has layout {LAYOUT_VERSION}"
            )
        if rules.deck != seen.deck or max(self.players) > seen.seats:
            raise ValueError("its rules and players do not fit its observation layout")
        if seen.sha256 != layout_hash(self.layout):
            raise ValueError(
                f"its observation layout has sha256 {seen.sha256[:12]}…, and {self.layout} of this version "
                f"{layout_hash(self.layout)[:12]}…: the sections are not the same"
            )
        return self

    @property
    def layout(self) -> Layout:
        """The layout of its observations."""
        return Layout(self.observation.deck, self.observation.seats)

    def allows(self, rules: Rules) -> bool:
        """Whether every option of a table was met in training: as in `rules`, or as `varied`."""
        return all(
            value == self.rules[option] or value in self.varied.get(option, ())
            for option, value in rules.as_dict().items()
        )


@cache
def layout_hash(layout: Layout) -> str:
    """SHA-256, in hex, of the names, lengths and meanings of a layout's sections."""
    return hashlib.sha256(json.dumps(layout.sections).encode()).hexdigest()


def save(path: str | Path, header: Header, layers: Sequence[Layer]) -> None:
    """Write a bot file, whole or not at all; equal contents give equal bytes.

    Raises:
        BotFileError: `read` would refuse the file.
    """
    tensors = {}
    for number, (weights, biases) in enumerate(layers):
        tensors[f"{number}.weight"], tensors[f"{number}.bias"] = map(np.ascontiguousarray, (weights, biases))
    _check_shapes(header, {name: tensor.shape for name, tensor in tensors.items()})
    for name, tensor in tensors.items():
        _check_numbers(name, tensor.dtype == np.float32, tensor)
    contents = safetensors.numpy.save(tensors, {FORMAT: header.model_dump_json()})
    if len(contents) > MOST_BYTES:
        raise BotFileError(f"{path}: {len(contents):,} bytes, and a bot file may have {MOST_BYTES:,}")
    _open(contents)
    partial = Path(f"{path}.partial")
    partial.write_bytes(contents)
    partial.replace(path)


def read(path: str | Path) -> tuple[Header, list[Layer]]:
    """The header and the layers of a bot file.

    Raises:
        BotFileError: the file is missing, broken, too large or no bot, or its bot needs another version of this
            package.
    """
    try:
        header, parts = _open(_contents(Path(path)))
        _check_shapes(header, {name: tuple(part["shape"]) for name, part in parts.items()})
        tensors = {name: _array(name, part) for name, part in parts.items()}
    except OSError as error:
        raise BotFileError(f"{path}: it cannot be read: {error.strerror or error}") from error
    except BotFileError as error:
        raise BotFileError(f"{path}: {error}") from error
    return header, [(tensors[f"{number}.weight"], tensors[f"{number}.bias"]) for number in range(len(tensors) // 2)]


def _contents(path: Path) -> bytes:
    """The bytes of a file that is small enough to be a bot, and whose header is."""
    if not path.is_file():
        what = "it is a folder, and a bot is a file" if path.is_dir() else "there is no such file"
        raise BotFileError(what)
    with path.open("rb") as file:
        contents = file.read(MOST_BYTES + 1)
    if contents.startswith(_ZIP):
        raise BotFileError(
            "a zip archive, such as Stable-Baselines3 saves for resuming one's own run. Opening it would run the code "
            "pickled inside, so it is not played from: name the bot.safetensors that train.py wrote beside it"
        )
    if len(contents) > MOST_BYTES:
        raise BotFileError(f"no bot: it is larger than {MOST_BYTES:,} bytes, the most that a bot file may have")
    length = _header_length(contents)
    if len(contents) < _LENGTH or length > len(contents) - _LENGTH:
        raise BotFileError("no bot, or a damaged one: it ends before the header that it announces")
    if length > MOST_HEADER_BYTES:
        raise BotFileError(f"no bot: its header has {length:,} bytes, and {MOST_HEADER_BYTES:,} are allowed")
    return contents


def _open(contents: bytes) -> tuple[Header, dict[str, Any]]:
    """The header, checked, and of each tensor its `dtype`, `shape` and `data`, which agree but may be anything."""
    try:
        parts = dict(sorted(safetensors.deserialize(contents)))  # it gives them in any order
    except safetensors.SafetensorError as error:
        raise BotFileError(
            f"no bot, or a damaged one: it cannot be read as safetensors ({_printable(str(error))})"
        ) from error
    table = json.loads(contents[_LENGTH : _LENGTH + _header_length(contents)])  # the library has accepted it
    text = (table.get("__metadata__") or {}).get(FORMAT)
    if text is None:
        raise BotFileError(f"a safetensors file, but no bot of this game: its metadata has no entry {FORMAT!r}")
    try:
        return Header.model_validate_json(text), parts
    except ValidationError as error:
        faults = error.errors()
        told = "; ".join(_printable(_fault(found)) for found in faults[:_FAULTS])
        more = f"; and {len(faults) - _FAULTS} more" if len(faults) > _FAULTS else ""
        raise BotFileError(f"its header does not fit this version of the package: {told}{more}") from error


def _header_length(contents: bytes) -> int:
    return int.from_bytes(contents[:_LENGTH], "little")


def _fault(found: Any) -> str:
    place = ".".join(map(str, found["loc"]))
    message = found["msg"].removeprefix("Value error, ")
    return f"{place}: {message}" if place else message


def _printable(text: str) -> str:
    """A text with a stranger's words in it as part of one line: short, and without control characters."""
    shown = "".join(letter if letter.isprintable() else "?" for letter in text[:_MESSAGE])
    return shown if len(text) <= _MESSAGE else f"{shown}…"


def _check_shapes(header: Header, shapes: Mapping[str, tuple[int, ...]]) -> None:
    """BotFileError unless these are exactly the tensors that the header tells of."""
    sizes = [header.layout.size, *header.hidden, NUM_ACTIONS]
    expected: dict[str, tuple[int, ...]] = {}
    for number, (inputs, outputs) in enumerate(pairwise(sizes)):
        expected |= {f"{number}.weight": (inputs, outputs), f"{number}.bias": (outputs,)}
    if shapes != expected:
        raise BotFileError(f"its tensors are not those of a network {' → '.join(map(str, sizes))}")


def _check_numbers(name: str, is_float32: bool, tensor: np.ndarray) -> None:
    """BotFileError unless a tensor is made of numbers that a network can have."""
    if not is_float32 or not np.isfinite(tensor).all():
        raise BotFileError(f"the tensor {name} is not made of finite float32 numbers")


def _array(name: str, part: Mapping[str, Any]) -> np.ndarray:
    """The tensor that was read, its shape being right."""
    numbers = np.frombuffer(part["data"], "<f4" if part["dtype"] == "F32" else np.uint8)
    _check_numbers(name, part["dtype"] == "F32", numbers)
    return numbers.reshape(part["shape"])
