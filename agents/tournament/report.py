"""A tournament's result as one HTML file that opens anywhere: no script, nothing loaded, the same bytes every time.

The words and tables are put into `report.html.jinja` by Jinja2, which escapes them: bots' names are foreign text.
"""

from pathlib import Path
from typing import Any

from agents.files import write_text
from agents.tournament import figures, sentences, tables
from agents.tournament.texts import SPACE, clean, elide, number, percent
from maumau_env.game.rules import Rules

try:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup
except ImportError as error:
    raise ImportError('a report needs Jinja2: pip install "maumau-env[report]"') from error

FORMAT, VERSION = "maumau-evaluation", 2
FIGURES = ("ratings", "placements", "seats", "lengths", "luck", "cross_table")
NAME_LETTERS = 40  # of a bot's name in a table


def write_report(path: Path, result: dict[str, Any]) -> None:
    """Draw a result (the dict of `evaluate.py --json`) as an HTML page; the file appears only when it is whole.

    Raises:
        ValueError: it is not the result of a tournament in the version that this draws.
        OSError: the file cannot be written.
    """
    write_text(path, render(result))


def render(result: dict[str, Any]) -> str:
    """The page of a result; ValueError as for `write_report`."""
    found = result.get("format"), result.get("version")
    if found != (FORMAT, VERSION):
        expected = f"a report is drawn from {FORMAT!r}, version {VERSION}"
        raise ValueError(f"{expected}; this is {found[0]!r}, version {found[1]}")
    result = ranked(result)
    rules = Rules.from_dict(result["rules"])
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
    environment.filters |= {"number": number, "percent": percent, "elide": elide}
    return environment.get_template("report.html.jinja").render(
        result=result, rules=rules, preset=tables.preset_of(rules), options=tables.options(rules),
        scores=tables.scores(result), decisions=tables.decisions(result), say=sentences,
        drawn={name: _markup(getattr(figures, name)(result)) for name in FIGURES}, letters=NAME_LETTERS,
    )  # fmt: skip


def ranked(result: dict[str, Any]) -> dict[str, Any]:
    """The result with its bots in the order of their win rates, and the cross-table with them.

    Where some played few deals alone the others had easier opponents afterwards, so ratings order them.

    Every bot gets its `number` in that order, a `short` name, a `label` of these two for figures, and `shares_name`:
    whether another has the same name. Names and the command are cleaned of what could disturb a page.
    """
    entered = result["bots"]
    by = "rating" if result.get("few") else "win_rate"
    order = sorted(range(len(entered)), key=lambda bot: -entered[bot][by])
    names = [clean(bot["name"]) for bot in entered]
    bots = [
        entered[bot]
        | {
            "name": names[bot],
            "number": place,
            "short": names[bot].removesuffix(".safetensors"),
            "label": f"{place}{SPACE}{SPACE}{names[bot].removesuffix('.safetensors')}",
            "shares_name": names.count(names[bot]) > 1,
        }
        for place, bot in enumerate(order, 1)
    ]
    table = result["cross_table"]
    cross_table = [[table[i][j] for j in order] for i in order]
    stopped = result["stopped"]
    if stopped and "bots" in stopped:
        stopped = stopped | {"bots": [clean(name) for name in stopped["bots"]]}
    cycles = [cycle | {"bots": [clean(name) for name in cycle["bots"]]} for cycle in result["cycles"] or []]
    return result | {
        "bots": bots,
        "cross_table": cross_table,
        "stopped": stopped,
        "cycles": cycles,
        "command": clean(result["command"]),
    }


def _markup(drawn: str | list[str] | None) -> Any:
    """SVG that has been escaped already."""
    if isinstance(drawn, list):
        return [Markup(svg) for svg in drawn]
    return drawn and Markup(drawn)
