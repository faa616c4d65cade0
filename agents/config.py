"""What a training run can be told, in a YAML file and on the command line, and how mistakes in either are reported."""

import difflib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import tyro
import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from agents.table import parse
from agents.tables import Tables, values_at, values_of
from agents.yaml_file import ConfigError, fault_in, read_yaml
from maumau_env.game.match import MOST_POINTS
from maumau_env.game.rules import MAX_PLAYERS, MIN_PLAYERS, Rules, parse_options
from maumau_env.seat.encode import Layout

Positive = Annotated[int, Field(gt=0)]
Widths = Annotated[list[Positive], Field(min_length=1)]
Numbers = Annotated[list[int], Field(min_length=1), BeforeValidator(lambda n: [n] if isinstance(n, int) else n)]
Fraction = Annotated[float, Field(ge=0, le=1)]

SMALLEST_ROLLOUT = 256
"""Fewer decisions than these tell an update nothing."""


class Config(BaseModel):
    """A training run. The defaults are those of a two-player bot in a few minutes."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Annotated[str, Field(pattern=r"^[\w.-]+$")] = "run"
    """Name of the run; its folder is named after it and the time."""
    runs: Path = Path("runs")
    """Folder in which the run folder is made."""
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 0
    """Seed of the cards, the weights and all else that is random, 0 to 2**32 - 1."""

    rules: str = "classic"
    """Preset of rules: classic or match."""
    set: list[str] = []
    """Options that differ from the preset, such as ace=skip must_play=no."""
    players: Numbers = [2]
    """Players at the table, 2 to 5; several numbers for as many tables of each (2 4 4: twice as many of four)."""
    varied: list[str] = []
    """Options that are drawn at half of the tables, such as ace must_play hand_size: one bot for all of them."""
    seats: int | None = None
    """Seats that the observation has room for, for a bot that goes on to larger tables; none for the players alone."""
    penalty_limit: Annotated[int, Field(ge=1, le=MOST_POINTS)] | None = None
    """Play whole matches: who has more penalty points is out; none for single rounds."""
    reward: Literal["placement", "win", "points"] = "placement"
    """What is learned for: the final placement, the win alone, or the card points of each round."""

    choices: Positive = 8_000_000
    """Length of the run in real choices: decisions with more than one legal action."""
    minutes: Annotated[float, Field(gt=0)] | None = None
    """End after so many minutes even if there are choices left, the schedules ending with it; none for no limit."""
    start: Path | None = None
    """Folder of another run, of whose last checkpoint this one takes the networks; none to begin with nothing."""
    checkpoint_every: Positive = 500_000
    """Choices from one checkpoint, from which --resume goes on, to the next."""

    games: Positive = 1024
    """Games played at once."""
    ticks: Positive = 64
    """Decisions in each of them before the policy is updated."""
    epochs: Positive = 4
    """How often each choice is learned from."""
    batch: Annotated[int, Field(ge=16)] = 4096
    """Choices in a minibatch, about."""
    learning_rate: Annotated[float, Field(gt=0)] = 2e-3
    """Step size of Adam at the beginning; it falls to 0 in a straight line."""
    gamma: Fraction = 1.0
    """Discount for each decision of a seat."""
    gae_lambda: Fraction = 0.8
    """How far an advantage looks: 0 to the seat's next decision, 1 to the end of the round."""
    clip: Annotated[float, Field(gt=0)] = 0.2
    """How far the probability of a choice may move in one update, as a ratio."""
    entropy: Annotated[float, Field(ge=0)] = 0.02
    """Weight of the entropy in the loss at the beginning."""
    entropy_end: Annotated[float, Field(ge=0)] = 0.002
    """The same at the end; in between it falls in a straight line."""
    value_weight: Annotated[float, Field(ge=0)] = 0.5
    """Weight of the value network's error in the loss."""
    max_gradient: Annotated[float, Field(gt=0)] = 0.5
    """Longer gradients are cut to this norm."""
    average: Annotated[float, Field(ge=0, lt=1)] = 0.0
    """Decay per update of a slow average of the weights, which then is the bot; 0 for the last weights themselves."""
    actor: Widths = [128, 128]
    """Widths of the hidden layers of the policy."""
    critic: Widths = [64, 64]
    """Widths of the hidden layers of the value network."""

    league: Fraction = 0.0
    """Share of the games in which earlier selves or anchors sit on some of the seats."""
    snapshots: Positive = 16
    """Earlier selves that are kept, drawn by how often they still win."""
    snapshot_every: Positive = 1_000_000
    """Choices from one of them to the next."""
    anchors: list[str] = ["heuristic"]
    """Fixed bots: what the run is measured against as it goes on, and guests of the league if there is one."""

    advantages: Literal["by_seat", "across_seats"] = "by_seat"
    """For comparison: across seats is the mistake that is made elsewhere."""
    learn_from: Literal["all", "one"] = "all"
    """For comparison: one learns from a single seat of each game."""
    skip_forced: bool = True
    """For comparison: no learns from decisions with one legal action, too."""
    blind: list[str] = []
    """For comparison: sections of the observation that are blotted out, by their names in docs/observation.md."""

    threads: Positive = 1
    """Threads of torch; more than one make a run hard to repeat, and slow on a busy machine."""

    progress_every: Positive = 500_000
    """Choices from one look at the win rate against the heuristic to the next."""
    progress_games: Positive = 2000
    """Games of such a look."""
    final_games: Positive = 20_000
    """Games of each measurement at the end, against random (or eager) and against the heuristic."""

    @model_validator(mode="after")
    def _check_table(self) -> Self:
        for players in self.players:
            self.table.check_players(players)
        if self.seats is not None and not max(self.players) <= self.seats <= MAX_PLAYERS:
            raise ValueError(f"seats={self.seats}: from the players, {max(self.players)}, to {MAX_PLAYERS}")
        if self.games * self.ticks < SMALLEST_ROLLOUT:
            raise ValueError(f"games={self.games}, ticks={self.ticks}: together at least {SMALLEST_ROLLOUT} decisions")
        for option in self.varied:
            values_of(option)
        for anchor in self.anchors:
            parse(anchor)
        Layout(self.table.deck, self.seats or max(self.players)).places(self.blind)
        return self

    @property
    def table(self) -> Rules:
        """The rules of the table."""
        return Rules.of(self.rules, **parse_options(self.set))

    @property
    def tables(self) -> Tables:
        """Which tables there are in training."""
        varied = {option: values_at(self.table, min(self.players), option) for option in self.varied}
        return Tables(self.table, self.players, varied, self.penalty_limit)

    @property
    def measured(self) -> list[int]:
        """The numbers of players with which the bot is measured."""
        return sorted({*self.players})

    @property
    def table_sizes(self) -> list[int]:
        """The numbers of players that there are at the table: in a match it empties down to two."""
        sizes = {*self.players} if self.penalty_limit is None else {*range(MIN_PLAYERS, max(self.players) + 1)}
        return sorted(sizes)

    def write(self, path: Path) -> None:
        """All keys and values, as a YAML file that repeats the run."""
        path.write_text(yaml.safe_dump(self.model_dump(mode="json"), sort_keys=False), encoding="utf-8")

    def table_arguments(self) -> str:
        """What has to be added to `evaluate.py BOT BOT` so that it plays at this table."""
        parts = [f" --players {max(self.players)}"]
        if self.penalty_limit is not None:
            parts.append(f" --match --penalty-limit {self.penalty_limit}")
        if self.rules != "classic" or self.penalty_limit is not None:
            parts.append(f" --rules {self.rules}")
        return "".join(parts) + (f" --set {' '.join(self.set)}" if self.set else "")


KEYS = tuple(Config.model_fields)


class CommandLine(Config):
    """What `--help` shows: the keys, and the file that they may stand in."""

    config: Path | None = None
    """YAML file with values for any of these keys; what else stands on the command line goes before it."""


def print_help(description: str) -> None:
    """Explain every key, and exit."""
    tyro.cli(
        CommandLine, prog="train.py", description=description, args=["--help"], config=(tyro.conf.FlagConversionOff,)
    )


def read_arguments(arguments: Sequence[str]) -> Config:
    """The config of a command line: the values of the file after `--config`, and over them those of the other keys.

    Raises:
        ConfigError: a key that there is not, or a value that a key cannot have.
    """
    given = parse_arguments(arguments)
    values = _read_yaml(Path(given.pop("config")[0])) if "config" in given else {}
    for key, texts in given.items():
        values[key] = texts if isinstance(Config.model_fields[key].default, list) else _only(key, texts)
    return check(values)


def read_config(path: str | Path) -> Config:
    """The config in a YAML file; ConfigError as for `read_arguments`."""
    return check(_read_yaml(Path(path)))


def _read_yaml(path: Path) -> dict[str, Any]:
    """The keys and values of a YAML file."""
    values = read_yaml(path)
    for key in values:
        _check_key(str(key), f"{path}: ")
    return values


def parse_arguments(arguments: Sequence[str]) -> dict[str, list[str]]:
    """The texts after each `--key`; also `--key=text`, and dashes for underscores."""
    given: dict[str, list[str]] = {}
    key = ""
    for argument in arguments:
        if argument.startswith("--"):
            name, equals, text = argument[2:].partition("=")
            key = name.replace("-", "_")
            if key != "config":
                _check_key(key, "--")
            given[key] = [text] if equals else []
        elif not key:
            raise ConfigError(f"{argument!r} stands before any --key; the keys are in --help")
        else:
            given[key].append(argument)
    for key, texts in given.items():
        if not texts:
            raise ConfigError(f"--{key}: a value is missing")
    return given


def check(values: dict[str, Any]) -> Config:
    """The config with these values; ConfigError names every one that is wrong."""
    try:
        return Config.model_validate(values)
    except ValidationError as error:
        raise ConfigError("; ".join(fault_in(found) for found in error.errors())) from error


def _check_key(key: str, where: str) -> None:
    if key not in KEYS:
        close = difflib.get_close_matches(key, KEYS, 1)
        hint = f", perhaps you meant {close[0]}" if close else ""
        raise ConfigError(f"{where}{key}: there is no such key{hint}; --help explains them all")


def _only(key: str, texts: list[str]) -> str | None:
    if len(texts) > 1:
        raise ConfigError(f"--{key}: one value, not {len(texts)}: {' '.join(texts)}")
    return None if texts[0] == "none" else texts[0]
