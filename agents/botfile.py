"""A saved bot: one .safetensors file, the weights of a policy and a JSON header. Nothing in it is ever run.

The header is the one entry of the file's metadata, `maumau-bot`. The tensors are `0.weight`, shape (inputs, outputs),
`0.bias`, shape (outputs,), `1.weight`, ...: dense layers with ReLU between them, from the observation to a logit for
each action.
"""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
import safetensors
import safetensors.numpy
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from agents.network import Layer
from maumau_env.game.actions import NUM_ACTIONS
from maumau_env.game.rules import Rules
from maumau_env.seat.encode import LAYOUT_VERSION, Layout

FORMAT = "maumau-bot"
_ZIP = b"PK\x03\x04"


class BotFileError(ValueError):
    """The file is no bot that can be played here; the message says why and what to do."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ObservationHeader(_Strict):
    """The layout of the observations that the policy was trained on."""

    version: int
    deck: int
    seats: int
    suits: Literal["standard order"] = "standard order"  # see `suits.py`


class Strength(_Strict):
    """How a bot fared in a tournament against one other."""

    opponent: str
    players: int
    penalty_limit: int | None = None  # of whole matches
    games: int
    seed: int
    win_rate: float
    win_rate_interval: tuple[float, float]

    def __str__(self) -> str:
        low, high = self.win_rate_interval
        rate = f"{self.win_rate:.1%} ({low:.1%} – {high:.1%})"
        return f"{rate} against {self.opponent} with {self.players} players"


class Header(_Strict):
    """All that a bot file says about its bot beside the weights."""

    format_version: Literal[1] = 1
    rules: dict[str, Any]
    varied: dict[str, list[Any]] = {}  # options in which the tables of its training differed, with their values
    players: list[int] = Field(min_length=1)  # numbers of players that it was trained for
    penalty_limit: int | None = None  # of the matches that it was trained in; None: single rounds
    observation: ObservationHeader
    hidden: list[int]  # widths of the hidden layers
    activation: Literal["relu"] = "relu"
    training: dict[str, Any] = {}  # how it came about, for people to read
    strength: list[Strength] = []

    @classmethod
    def of(cls, rules: Rules, layout: Layout, hidden: Sequence[int], players: Sequence[int], **more: Any) -> Self:
        """The header of a bot trained now."""
        observation = ObservationHeader(version=LAYOUT_VERSION, deck=layout.deck, seats=layout.seats)
        return cls(rules=rules.as_dict(), players=list(players), observation=observation, hidden=list(hidden), **more)

    @model_validator(mode="after")
    def _check_that_it_can_be_played(self) -> Self:
        version = self.observation.version
        if version != LAYOUT_VERSION:
            raise ValueError(f"trained on observation layout {version}, and this version has layout {LAYOUT_VERSION}")
        if self.layout.deck != Rules.from_dict(self.rules).deck or max(self.players) > self.layout.seats:
            raise ValueError("its rules and players do not fit its observation layout")
        return self

    @property
    def layout(self) -> Layout:
        """The layout of its observations."""
        return Layout(self.observation.deck, self.observation.seats)


def save(path: str | Path, header: Header, layers: Sequence[Layer]) -> None:
    """Write a bot file, whole or not at all; equal contents give equal bytes."""
    tensors = {}
    for number, (weights, biases) in enumerate(layers):
        tensors[f"{number}.weight"], tensors[f"{number}.bias"] = map(np.ascontiguousarray, (weights, biases))
    _check_layers(header, tensors)
    contents = safetensors.numpy.save(tensors, {FORMAT: header.model_dump_json()})
    partial = Path(f"{path}.partial")
    partial.write_bytes(contents)
    partial.replace(path)


def read(path: str | Path) -> tuple[Header, list[Layer]]:
    """The header and the layers of a bot file.

    Raises:
        BotFileError: the file is missing, broken or no bot, or its bot needs another version of this package.
    """
    try:
        header, tensors = _open(Path(path))
        _check_layers(header, tensors)
    except BotFileError as error:
        raise BotFileError(f"{path}: {error}") from error
    return header, [(tensors[f"{number}.weight"], tensors[f"{number}.bias"]) for number in range(len(tensors) // 2)]


def _open(path: Path) -> tuple[Header, dict[str, np.ndarray]]:
    if not path.is_file():
        raise BotFileError("there is no such file")
    with path.open("rb") as file:
        is_zip = file.read(len(_ZIP)) == _ZIP
    if is_zip:
        raise BotFileError(
            "a zip archive, such as Stable-Baselines3 saves for resuming one's own run. Opening it would run the code "
            "pickled inside, so it is not played from: name the bot.safetensors that train.py wrote beside it"
        )
    try:
        with safetensors.safe_open(path, framework="numpy") as file:
            text = (file.metadata() or {}).get(FORMAT)
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (safetensors.SafetensorError, OSError, TypeError) as error:
        raise BotFileError(f"no bot, or a damaged one: it cannot be read as safetensors ({error})") from error
    if text is None:
        raise BotFileError(f"a safetensors file, but no bot of this game: its metadata has no entry {FORMAT!r}")
    try:
        return Header.model_validate_json(text), tensors
    except ValidationError as error:
        faults = "; ".join(_fault(found) for found in error.errors())
        raise BotFileError(f"its header does not fit this version of the package: {faults}") from error


def _fault(found: Any) -> str:
    place = ".".join(map(str, found["loc"]))
    message = found["msg"].removeprefix("Value error, ")
    return f"{place}: {message}" if place else message


def _check_layers(header: Header, tensors: dict[str, np.ndarray]) -> None:
    """BotFileError unless the tensors are exactly the layers that the header tells of, and finite."""
    sizes = [header.layout.size, *header.hidden, NUM_ACTIONS]
    expected: dict[str, tuple[int, ...]] = {}
    for number, (inputs, outputs) in enumerate(pairwise(sizes)):
        expected |= {f"{number}.weight": (inputs, outputs), f"{number}.bias": (outputs,)}
    if {name: tensor.shape for name, tensor in tensors.items()} != expected:
        raise BotFileError(f"its tensors are not those of a network {' → '.join(map(str, sizes))}")
    for name, tensor in tensors.items():
        if tensor.dtype != np.float32 or not np.isfinite(tensor).all():
            raise BotFileError(f"the tensor {name} is not made of finite float32 numbers")
