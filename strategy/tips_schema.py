"""Reading the results of `explore.py tips --json` back, so that pages and tables are made only of what is whole."""

import json
from pathlib import Path
from typing import Any, Literal, NotRequired, TypedDict

import msgspec

from maumau_env.game.actions import action_number
from maumau_env.game.cards import card_number
from maumau_env.game.rules import Rules
from strategy.example import Example
from strategy.patched import Gain
from strategy.survey import Effort
from strategy.tips_result import FORMAT, VERSION
from strategy.verdict import DEPENDS, UNCLEAR, Dependence

Span = tuple[float, float]


class BotResult(TypedDict):
    """Whose play was studied, and who played out."""

    name: str
    sha256: str | None
    played_out_by: str


class SkippedTip(TypedDict):
    """A tip that makes no sense at the table."""

    name: str
    needs: str


class FailedPart(TypedDict):
    """A tip that failed while it was measured, or the bot."""

    name: str
    error: str


class TipResult(TypedDict):
    """A tip; None for what was not measured. A file of an older version has no example."""

    name: str
    sentence: str
    source: str
    verdict: Literal["holds", "false", "depends", "unclear"]
    positions: int
    worth: float | None
    worth_interval: Span | None
    p_value: float | None
    placement: float | None
    placement_interval: Span | None
    games: NotRequired[int]
    decisions: NotRequired[int]
    applies: float | None
    applies_interval: NotRequired[Span]
    choices: NotRequired[int]
    obeyed: float | None
    obeyed_interval: NotRequired[Span | None]
    obeyed_by_chance: float | None
    beyond_chance: NotRequired[float | None]
    beyond_chance_interval: NotRequired[Span | None]
    patched: dict[Literal["heuristic", "random"], Gain]
    depends_on: Dependence | None
    example: NotRequired[Example | None]


class TipsResult(TypedDict):
    """The result at one table; the command is missing where no command line asked for it."""

    format: str
    version: int
    package_version: str | None
    rules: dict[str, Any]
    players: int
    penalty_limit: int | None
    bot: BotResult
    effort: Effort
    confidence: float
    correction: str
    compared: str
    dependence_looked_for: bool
    cut_short: bool
    tips: list[TipResult]
    skipped: list[SkippedTip]
    failed: NotRequired[list[FailedPart]]
    command: NotRequired[str]


TOGETHER = (
    ("worth", "worth_interval", "p_value", "placement", "placement_interval"),
    ("applies", "applies_interval"),
    ("obeyed", "obeyed_interval", "obeyed_by_chance", "beyond_chance", "beyond_chance_interval"),
)
"""What of a tip is measured together: all of it is there, or none."""


def read_result(path: Path) -> dict[str, Any]:
    """The result in a file, as plain data.

    Raises:
        ValueError: it is no result of `explore.py tips`, or not a whole one; says which file and what is wrong.
        OSError: the file cannot be read.
    """
    try:
        result = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ValueError(f"{path}: there is no such file") from error
    except ValueError as error:
        raise ValueError(f"{path}: not a JSON file ({error})") from error
    found = (result.get("format"), result.get("version")) if isinstance(result, dict) else (None, None)
    if found != (FORMAT, VERSION):
        raise ValueError(
            f"{path}: not a file of explore.py tips --json, {FORMAT!r} version {VERSION}, but {found[0]!r} version "
            f"{found[1]}"
        )
    try:
        _check(result)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
    return result


def _check(result: dict[str, Any]) -> None:
    """ValueError where something is missing or of the wrong kind."""
    msgspec.convert(result, TipsResult)
    Rules.from_dict(result["rules"]).check_players(result["players"])
    if not result["tips"]:
        raise ValueError("there are no tips in it")
    for tip in result["tips"]:
        _check_whole(tip)
    for example in filter(None, (tip.get("example") for tip in result["tips"])):
        for card in (*example["hand"], example["top"], *filter(None, [example["drawn"]])):
            card_number(card)
        for action in (example["follows"], example["instead"]):
            action_number(action)
        if example["suit"] not in tuple("CDHS"):
            raise ValueError(f"no suit is called {example['suit']!r}")


def _check_whole(tip: dict[str, Any]) -> None:
    """ValueError where one half of what belongs together is there and the other is not."""
    for names in TOGETHER:
        missing = [name for name in names if tip.get(name) is None]
        if 0 < len(missing) < len(names):
            given = next(name for name in names if name not in missing)
            raise ValueError(
                f"tip {tip['name']}: there is {given} but no {missing[0]}; "
                f"{', '.join(names)} are there together or not at all"
            )
    if (tip["verdict"] == DEPENDS) != (tip["depends_on"] is not None):
        raise ValueError(f"tip {tip['name']}: its verdict is {tip['verdict']}, and depends_on does not fit that")
    if tip["worth"] is None and tip["verdict"] != UNCLEAR:
        raise ValueError(f"tip {tip['name']}: its verdict is {tip['verdict']}, but there is no worth")
