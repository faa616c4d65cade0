"""The findings on the screen, from the result that `--json` writes, in any of our languages."""

from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from strategy.commands.screen import new_console
from strategy.language import DASH, Language
from strategy.patched import PLAYERS
from strategy.verdict import DEPENDS, FALSE, HOLDS, UNCLEAR
from strategy.words import ORDER, dependence, failure, table_name, verdict_word

STYLES = {HOLDS: "green", DEPENDS: "yellow", UNCLEAR: "dim", FALSE: "red"}


def report(result: dict[str, Any], language: Language) -> None:
    """Print the table, what the tips depend on, and how it was come by."""
    console = new_console()
    result = result | {"tips": sorted(result["tips"], key=rank)}
    console.print(table_of(result, language))
    for tip in result["tips"]:
        if tip["depends_on"] is not None:
            console.print(f"{tip['name']}: {dependence(language, tip['depends_on'])}")
    for line in notes(result, language):
        console.print(line)


def rank(tip: dict[str, Any]) -> tuple[int, float]:
    """By verdict, and then by worth."""
    return ORDER.index(tip["verdict"]), -(tip["worth"] or 0.0)


def table_of(result: dict[str, Any], language: Language) -> Table:
    """A row for each tip, with the interval under each figure."""
    many = result["players"] > 2
    title = Text(f"{table_name(language, result)}; {result['bot']['name']}")
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    table.add_column(language.gettext("tip"), min_width=24)
    table.add_column(language.gettext("verdict"))
    headings = [
        language.gettext("worth in\nwin chance"),
        *([language.gettext("places\nwon")] if many else []),
        language.gettext("posi-\ntions"),
        language.gettext("applies\n "),
        language.gettext("obeyed\nby chance"),
    ]
    followers = [player_with_tip(language, player) for player in PLAYERS]
    for heading in (*headings, *followers):
        table.add_column(heading, justify="right", no_wrap=True)
    for tip in result["tips"]:
        table.add_row(*cells(tip, many, language))
    return table


def player_with_tip(language: Language, player: str) -> str:
    """The heading of the column that tells what a simple player gains."""
    return {
        "heuristic": language.gettext("follower:\nheuristic"),
        "random": language.gettext("follower:\nrandom"),
    }[player]


def cells(tip: dict[str, Any], many: bool, language: Language) -> list[Text | str]:
    """The cells of a tip's row."""
    name = Text.assemble((tip["name"], "bold"), "\n", (language.gettext(tip["sentence"]), "dim"))
    row: list[Text | str] = [name, Text(verdict_word(language, tip["verdict"]), STYLES[tip["verdict"]])]
    row.append(difference(language, tip["worth"], tip["worth_interval"], 100, 1))
    if many:
        row.append(difference(language, tip["placement"], tip["placement_interval"], 1, 3))
    row.append(language.number(tip["positions"]))
    row.append(language.percent(tip["applies"], 1) if tip["applies"] is not None else DASH)
    if tip["obeyed"] is not None:
        row.append(f"{language.percent(tip['obeyed'])}\n{language.percent(tip['obeyed_by_chance'])}")
    else:
        row.append(DASH)
    for player in PLAYERS:
        gain = tip["patched"].get(player)
        row.append(difference(language, gain["gain"], gain["gain_interval"], 100, 1) if gain else DASH)
    return row


def difference(language: Language, value: float | None, interval: Any, unit: float, digits: int) -> str:
    """A difference with its sign, its interval below; a dash for None."""
    if value is None:
        return DASH
    low, high = (language.signed(unit * end, digits) for end in interval)
    return f"{language.signed(unit * value, digits)}\n{low} {DASH} {high}"


def notes(result: dict[str, Any], language: Language) -> list[str]:
    """How it was come by."""
    effort = result["effort"]
    played = [
        language.ngettext("{n} game", "{n} games", effort["games"]),
        language.ngettext("up to {n} position for each tip", "up to {n} positions for each tip", effort["positions"]),
        language.ngettext("{n} world for each position", "{n} worlds for each position", effort["worlds"]),
        language.ngettext("duels of {n} game", "duels of {n} games", effort["duels"]),
    ]
    how = language.gettext("seed {seed}; played out by {bot}").format(
        seed=effort["seed"], bot=result["bot"]["played_out_by"]
    )
    lines = [
        f"{', '.join(played)}; {how}; {language.gettext(result['correction'])}.",
        language.gettext(
            "Worth and follower are percentage points of win chance; under obeyed what chance alone would obey."
        ),
    ]
    if result["skipped"]:
        lines.append(language.gettext("Make no sense at this table: {tips}.").format(tips=skipped(result, language)))
    if not result["dependence_looked_for"]:
        lines.append(
            language.gettext("What a tip depends on was not looked for: that needs {command}.").format(
                command='pip install -e ".[explore]"'
            )
        )
    if result["cut_short"]:
        lines.append(language.gettext("Cut short: figures are of what had been played by then."))
    lines += [failure(language, each) for each in result.get("failed", [])]
    return lines


def skipped(result: dict[str, Any], language: Language) -> str:
    """The tips that make no sense at the table, and what they need."""
    return "; ".join(f"{tip['name']} ({language.gettext(tip['needs'] or 'other rules')})" for tip in result["skipped"])
