"""The figures behind a card and behind the page, for researchers: labels and values, as texts."""

from typing import Any

from maumau_env.game.rules import Rules
from strategy.language import DASH, Language
from strategy.words import players_count, rules_name

Row = tuple[str, str]


def of_tip(language: Language, tip: dict[str, Any]) -> list[Row]:
    """Everything that was measured of a tip at a table."""
    rows = [
        (language.gettext("positions"), language.number(tip["positions"])),
        (
            language.gettext("worth, points of win chance"),
            points(language, tip["worth"], tip["worth_interval"]),
        ),
        (language.gettext("p-value"), DASH if tip["p_value"] is None else p_value(language, tip["p_value"])),
        (
            language.gettext("places won"),
            _difference(language, tip["placement"], tip["placement_interval"], 1, 3),
        ),
        (language.gettext("applies"), _share(language, tip["applies"], tip.get("applies_interval"))),
        (language.gettext("obeyed"), _share(language, tip["obeyed"], tip.get("obeyed_interval"))),
        (language.gettext("obeyed by chance"), _share(language, tip["obeyed_by_chance"], None)),
        (
            language.gettext("obeyed beyond chance, points"),
            points(language, tip.get("beyond_chance"), tip.get("beyond_chance_interval")),
        ),
        *_gains(language, tip["patched"]),
        *(_dependence(language, tip["depends_on"]) if tip["depends_on"] else []),
    ]
    return [(label, value) for label, value in rows if value]


def of_result(language: Language, result: dict[str, Any]) -> list[Row]:
    """How a result was come by."""
    effort, bot = result["effort"], result["bot"]
    limit = result["penalty_limit"]
    numbers = [
        (language.gettext("games"), effort["games"]),
        (language.gettext("positions for each tip, at most"), effort["positions"]),
        (language.gettext("worlds for each position"), effort["worlds"]),
        (language.gettext("games of each duel"), effort["duels"]),
    ]
    return [
        (language.gettext("rules"), rules_name(language, Rules.from_dict(result["rules"]))),
        (language.gettext("players"), players_count(language, result["players"])),
        *([(language.gettext("penalty limit"), language.number(limit))] if limit is not None else []),
        (language.gettext("bot"), bot["name"]),
        (language.gettext("played out by"), bot["played_out_by"]),
        *([("SHA-256", bot["sha256"])] if bot["sha256"] else []),
        *((label, language.number(value)) for label, value in numbers),
        (language.gettext("seed"), str(effort["seed"])),
        (language.gettext("confidence of the intervals"), language.percent(result["confidence"])),
        ("maumau-env", result["package_version"] or DASH),
    ]


def points(language: Language, value: float | None, interval: Any) -> str:
    """A difference in percentage points, and its interval."""
    return _difference(language, value, interval, 100, 1)


def p_value(language: Language, p: float) -> str:
    """The probability of such a difference by chance alone."""
    if p < 1e-4:
        return f"< {language.number(1e-4, 4)}"
    return language.number(p, 4)


def _difference(language: Language, value: float | None, interval: Any, unit: float, digits: int) -> str:
    if value is None:
        return DASH
    low, high = (language.signed(unit * end, digits) for end in interval)
    return f"{language.signed(unit * value, digits)} ({language.range(low, high)})"


def _share(language: Language, value: float | None, interval: Any) -> str:
    if value is None:
        return DASH
    text = language.percent(value, 1)
    if interval is None:
        return text
    low, high = (language.percent(end, 1) for end in interval)
    return f"{text} ({language.range(low, high)})"


def _gains(language: Language, patched: dict[str, Any]) -> list[Row]:
    """What simple players gain who follow the tip, in points of their win rate."""
    labels = {
        "heuristic": language.gettext("heuristic with the tip, points"),
        "random": language.gettext("random player with the tip, points"),
    }
    return [(labels[player], points(language, gain["gain"], gain["gain_interval"])) for player, gain in patched.items()]


def _dependence(language: Language, found: dict[str, Any]) -> list[Row]:
    """Both kinds of positions on the held-out half."""
    sides = (
        (language.gettext("where it is right, points"), "right"),
        (
            language.gettext("where it is wrong, points"),
            "wrong",
        ),
    )
    return [
        (
            label,
            points(language, found[f"{side}_worth"], found[f"{side}_interval"])
            + "; "
            + language.ngettext("{n} position", "{n} positions", found[f"{side}_positions"]),
        )
        for label, side in sides
    ]
