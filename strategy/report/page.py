"""The results of `explore.py tips` as one HTML file that opens anywhere: no script, nothing loaded, equal bytes always.

The words are put into `tips.html.jinja` by Jinja2, which escapes them: a user's tips and bots bear names of his own.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import agents.tournament
from agents.files import write_text
from agents.tournament.texts import clean
from strategy.language import Language
from strategy.report import details, sentences
from strategy.report.pictures import action_mark, picture, verdict_mark
from strategy.report.plot import worth_plot
from strategy.words import ORDER, conditions, failure, table_labels, table_name, verdict_word

try:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup
except ImportError as error:
    raise ImportError('a report needs Jinja2: pip install "maumau-env[report]"') from error

HERE = Path(__file__).parent
SHARED = Path(agents.tournament.__file__).parent
"""Where the style sheet is that all our pages share."""


def write_page(path: Path, results: Sequence[dict[str, Any]], language: Language) -> None:
    """Draw results (each of a table, as `--json` writes it) as an HTML page; the file appears only when it is whole.

    Raises:
        ValueError: two results are of the same table.
        OSError: the file cannot be written.
    """
    write_text(path, render(results, language))


def render(results: Sequence[dict[str, Any]], language: Language) -> str:
    """The page of results; ValueError as for `write_page`."""
    results = [_cleaned(result) for result in results]
    labels = table_labels(language, results)
    if len(set(labels)) < len(labels):
        raise ValueError(
            f"two results are of the same table ({Counter(labels).most_common(1)[0][0]}): give one of them"
        )
    cards = cards_of(results, labels, language)
    environment = Environment(
        loader=FileSystemLoader([HERE, SHARED]), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
    return environment.get_template("tips.html.jinja").render(
        _=language.gettext, code=language.code, say=sentences, language=language,
        tables=[table_name(language, result) for result in results],
        bots=list(dict.fromkeys(result["bot"]["name"] for result in results)),
        sections=[(verdict, [card for card in cards if card["verdict"] == verdict]) for verdict in ORDER],
        runs=[_run(result, language) for result in results],
        methods=list(dict.fromkeys(language.gettext(result["correction"]) for result in results)),
        compared=list(dict.fromkeys(language.gettext(result["compared"]) for result in results)),
        marks={verdict: Markup(verdict_mark(verdict)) for verdict in ORDER},
        tick=Markup(action_mark(True)), cross=Markup(action_mark(False)),
    )  # fmt: skip


def cards_of(results: Sequence[dict[str, Any]], labels: Sequence[str], language: Language) -> list[dict[str, Any]]:
    """What stands on the card of each tip; the first table where its worth is known gives words and picture."""
    names = dict.fromkeys(tip["name"] for result in results for tip in result["tips"])
    found = {
        name: [
            (label, tip)
            for label, result in zip(labels, results, strict=True)
            for tip in result["tips"]
            if tip["name"] == name
        ]
        for name in names
    }
    cards = [_card(number, tables, len(results) > 1, language) for number, tables in enumerate(found.values(), 1)]
    return sorted(cards, key=lambda card: -abs(card["tip"]["worth"] or 0.0))


def _card(number: int, tables: list[tuple[str, dict[str, Any]]], several: bool, language: Language) -> dict[str, Any]:
    label, tip = next((each for each in tables if each[1]["worth"] is not None), tables[0])
    example, found = tip.get("example"), tip["depends_on"]
    plot = worth_plot(f"worth-{number}", tables, language)
    return {
        "tip": tip,
        "verdict": tip["verdict"],
        "sentence": language.gettext(tip["sentence"]),
        "source": language.gettext(tip["source"]),
        "verdicts": _verdicts(tables, several, language),
        "main": label if len(tables) > 1 else "",
        "right": found and conditions(language, found["right_when"]),
        "wrong": found and conditions(language, found["wrong_when"]),
        "example": Markup(picture(f"example-{number}", example, language)) if example else None,
        "captions": sentences.captions(language, example) if example else None,
        "plot": plot and Markup(plot),
        "details": [(table if several else "", details.of_tip(language, each)) for table, each in tables],
    }


def _verdicts(
    tables: list[tuple[str, dict[str, Any]]], several: bool, language: Language
) -> list[tuple[str, str, list[str]]]:
    """Each verdict with its word and the tables where it was given, which go without saying where there is but one."""
    found: dict[str, list[str]] = {}
    for table, tip in tables:
        found.setdefault(tip["verdict"], []).append(table)
    return [(verdict, verdict_word(language, verdict), labels if several else []) for verdict, labels in found.items()]


def _run(result: dict[str, Any], language: Language) -> dict[str, Any]:
    """How a result was come by."""
    return {
        "table": table_name(language, result),
        "rows": details.of_result(language, result),
        "command": result.get("command"),
        "cut_short": result["cut_short"],
        "failed": [failure(language, each) for each in result.get("failed", [])],
        "skipped": [
            (tip["name"], language.gettext(tip["needs"]) or language.gettext("other rules"))
            for tip in result["skipped"]
        ],
    }


def _cleaned(value: Any) -> Any:
    """Plain data without characters that could disturb a page."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {key: _cleaned(part) for key, part in value.items()}
    return [_cleaned(part) for part in value] if isinstance(value, list | tuple) else value
