"""The tables of a report: what stands in them, as texts."""

from collections.abc import Callable
from typing import Any, NamedTuple

from agents.tournament.texts import number, number_span, percent, percent_span, rounded, rounded_span
from maumau_env.game.rules import PRESETS, Rules


class Column(NamedTuple):
    """A heading, and what each bot has under it: a figure, and its interval or nothing."""

    heading: str
    cells: list[tuple[str, str]]


class Option(NamedTuple):
    """An option of the rules, and the value that the preset has, where it differs."""

    name: str
    value: str
    usual: str | None


def scores(result: dict[str, Any]) -> list[Column]:
    """The columns of the score table."""
    columns = [
        _column(result, "games", lambda bot: number(bot["games"])),
        _column(result, "win rate", lambda bot: percent(bot["win_rate"]), "win_rate_interval", percent_span),
        _column(result, "placement", _placement, "mean_placement_interval", _thousandths),
        _column(result, "points", lambda bot: number(bot["points"], 2), "points_interval", _hundredths),
        _column(result, "rating", lambda bot: rounded(bot["rating"]), "rating_interval", rounded_span),
    ]
    if any(_forfeits(bot) for bot in result["bots"]):
        columns.append(_column(result, "forfeits", lambda bot: number(_forfeits(bot))))
    return columns


def decisions(result: dict[str, Any]) -> list[Column]:
    """The columns of the table of how the bots play."""
    columns = [
        _column(result, "decisions", lambda bot: number(bot["decisions"]["asked"])),
        _column(result, "real choices", lambda bot: number(bot["decisions"]["choices"])),
        _column(result, "drew when it could play", lambda bot: percent(bot["decisions"]["drew_when_it_could_play"])),
        _column(result, "Jacks saved", lambda bot: percent(bot["decisions"]["jacks_saved"])),
        _column(result, "cards left when losing", lambda bot: number(bot["decisions"]["cards_left_when_losing"], 2)),
        _column(result, "decisions per second", lambda bot: number(bot["decisions"]["per_second"])),
        _column(result, "turns of its games", lambda bot: number(bot["mean_turns"], 1)),
        _column(result, "rounds that got stuck", lambda bot: percent(bot["stuck"])),
        _column(result, "rounds that got too long", lambda bot: percent(bot["too_long"])),
    ]
    if result["penalty_limit"] is not None:
        columns.insert(7, _column(result, "rounds of its matches", lambda bot: number(bot["mean_rounds"], 1)))
    return columns


def options(rules: Rules) -> list[Option]:
    """Every option of the rules; those that differ from the nearest preset come first."""
    usual = PRESETS[preset_of(rules)].as_dict()
    found = [
        Option(name, _value(value), _value(usual[name]) if value != usual[name] else None)
        for name, value in rules.as_dict().items()
    ]
    return sorted(found, key=lambda option: option.usual is None)


def preset_of(rules: Rules) -> str:
    """The name of the nearest preset."""
    return str(rules).partition(",")[0]


def _column(
    result: dict[str, Any],
    heading: str,
    write: Callable[[dict[str, Any]], str],
    interval: str | None = None,
    span: Callable[[Any], str] = str,
) -> Column:
    cells = [(write(bot), span(bot[interval]) if interval else "") for bot in result["bots"]]
    return Column(heading, cells)


def _forfeits(bot: dict[str, Any]) -> int:
    return sum(bot["forfeits"].values())


def _placement(bot: dict[str, Any]) -> str:
    return number(bot["mean_placement"], 3)


def _hundredths(interval: list[float] | None) -> str:
    return number_span(interval, 2)


def _thousandths(interval: list[float] | None) -> str:
    return number_span(interval, 3)


def _value(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
