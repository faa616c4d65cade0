"""What a tournament can be told, on the command line and in a YAML file, and how mistakes in either are reported."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from agents.tournament.play import BACKENDS
from agents.tournament.scores import CONFIDENCE
from agents.tournament.sequential import share
from agents.yaml_file import ConfigError, fault_in, read_yaml
from maumau_env.game.match import PENALTY_LIMIT, check_penalty_limit
from maumau_env.game.rules import Rules, parse_options

GAMES, MOST_GAMES = 20_000, 1_000_000
"""Games of a tournament, and of one that stops by itself, unless told otherwise."""


def _share(value: Any) -> Any:
    return share(value) if isinstance(value, str) else value


Whole = Annotated[int, Field(strict=True)]
Positive = Annotated[Whole, Field(gt=0)]
Share = Annotated[float, BeforeValidator(_share), Field(gt=0, lt=0.5)]


class Config(BaseModel):
    """A tournament. The keys of the file are the options of the command line."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Annotated[str, Field(pattern=r"^[\w.-]*$")] = ""
    bots: Annotated[list[str], Field(min_length=1)]
    players: Whole = 2
    games: Positive | None = None
    seed: Annotated[Whole, Field(ge=0, lt=2**64)] = 0
    match: Annotated[bool, Field(strict=True)] = False
    penalty_limit: Whole | None = None
    rules: str | None = None
    set: list[str] = []
    few: dict[str, Positive] = {}
    """Bots that play the first so many deals alone: they take milliseconds for a move, say."""

    until: Annotated[float, Field(ge=0.5, lt=1)] = CONFIDENCE
    within: Share | None = None
    better: list[str] | None = None
    by: Share = 0.01
    alpha: Share = 0.05
    beta: Share = 0.05

    move_seconds: Annotated[float | None, Field(gt=0, allow_inf_nan=False)] = None
    workers: Positive | None = None
    backend: Literal["processes", "ray"] = BACKENDS[0]

    json_file: Annotated[Path | None, Field(alias="json")] = None
    rows: Path | None = None
    parquet: Path | None = None
    records: Path | None = None
    report: Path | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.penalty_limit is not None:
            if not self.match:
                raise ValueError(f"penalty_limit {self.penalty_limit}: that is for matches, which match asks for")
            check_penalty_limit(self.penalty_limit)
        self.table.check_players(self.players)
        if self.better is not None and self.within is not None:
            raise ValueError("within and better: a tournament stops by one of them, not by both")
        if self.better is None and (alone := sorted({"by", "alpha", "beta"} & self.model_fields_set)):
            raise ValueError(f"{alone[0]}: that is for a sequential test, which better asks for")
        if self.better is not None and len(self.better) != 2:
            raise ValueError(f"better: two bots, not {len(self.better)}")
        if self.records is not None and (self.stops or self.rows is not None):
            raise ValueError(
                "records: of a tournament that is played at one go alone, so without rows, within or better"
            )
        paths = [path.resolve() for path in self.files if path is not None]
        if twice := [path for path in paths if paths.count(path) > 1]:
            raise ValueError(f"{twice[0]}: two options name this file")
        return self

    @property
    def files(self) -> list[Path | None]:
        """What is written."""
        return [self.json_file, self.rows, self.parquet, self.records, self.report]

    def named_files(self) -> Self:
        """The same, with the name of the table in those of its files: out.jsonl becomes out-NAME.jsonl."""
        paths = {"rows": self.rows, "parquet": self.parquet, "records": self.records, "report": self.report}
        named = {key: path.with_name(_named(path.name, self.name)) for key, path in paths.items() if path is not None}
        return self.model_copy(update=named)

    @property
    def table(self) -> Rules:
        """The rules of the table."""
        return Rules.of(self.rules or ("match" if self.match else "classic"), **parse_options(self.set))

    @property
    def limit(self) -> int | None:
        """The penalty limit of whole matches; None for single rounds."""
        return (self.penalty_limit or PENALTY_LIMIT) if self.match else None

    @property
    def stops(self) -> bool:
        """Whether it may stop before its last game."""
        return self.within is not None or self.better is not None

    @property
    def most_games(self) -> int:
        """Games to play at least, if nothing stops it."""
        return self.games or (MOST_GAMES if self.stops else GAMES)


def read_configs(path: Path | None, given: dict[str, Any]) -> list[Config]:
    """The tournaments that are asked for: one, or one for each of the `tables` of a file.

    Args:
        path: YAML file of keys and values; None: there is none.
        given: what the command line says; it goes before the file.

    Raises:
        ConfigError: a file that cannot be read, a key that there is not, or a value that a key cannot have.
    """
    values = {} if path is None else read_yaml(path)
    tables = values.pop("tables", None)
    if tables is None:
        return [_check(values | given, "" if path is None else f"{path}: ")]
    named = isinstance(tables, list) and all(isinstance(table, dict) and table.get("name") for table in tables)
    if not named or not tables or len({str(table["name"]) for table in tables}) < len(tables):
        raise ConfigError(f"{path}: tables is a list of keys and values, each with a name of its own")
    if own := [table["name"] for table in tables if "json" in table]:
        raise ConfigError(f"{path}, {own[0]}: json is one file for all tables, so it stands beside tables")
    return [_check(values | table | given, f"{path}, {table['name']}: ") for table in tables]


def _named(file: str, name: str) -> str:
    stem, dot, endings = file.partition(".")
    return f"{stem}-{name}{dot}{endings}"


def _check(values: Mapping[str, Any], where: str) -> Config:
    try:
        return Config.model_validate(values)
    except ValidationError as error:
        raise ConfigError(where + "; ".join(_fault(found) for found in error.errors())) from error


def _fault(found: Any) -> str:
    key = ".".join(map(str, found["loc"]))
    if found["type"] == "extra_forbidden":
        known = ", ".join(field.alias or name for name, field in Config.model_fields.items())
        return f"{key}: there is no such key; there are {known} and tables"
    if found["type"] == "missing" and key == "bots":
        return "no bots: a tournament needs at least one"
    return fault_in(found)
