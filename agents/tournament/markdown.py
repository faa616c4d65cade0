"""Results as a page of Markdown: a table for each, with what is needed to repeat it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agents.files import write_text
from agents.tournament.cycles import LEVEL
from maumau_env.game.rules import Rules


def write_markdown(path: Path, results: Sequence[dict[str, Any]]) -> None:
    """Write the tables of results to a file, which appears only when it is whole."""
    write_text(path, markdown(results))


def markdown(results: Sequence[dict[str, Any]]) -> str:
    """The page."""
    lines = [
        "# Leaderboard",
        "",
        f"Written by `{results[0]['command']}`",
        "and repeated by it: equal seeds give equal games. A rating of 400 points more means odds of ten to one",
        "to finish ahead (Plackett-Luce). A win rate is per seat held, the placement is the mean rank, points are",
        "those of the cards left in hand, in matches all penalty points. Intervals are by bootstrap over deals.",
        "",
    ]
    for result in results:
        lines += [*_section(result), ""]
    return "\n".join(lines)


def _section(result: dict[str, Any]) -> list[str]:
    rules, limit = Rules.from_dict(result["rules"]), result["penalty_limit"]
    kind = f"matches up to {limit} points" if limit else "rounds"
    lines = [
        f"## {result.get('name', 'Table')}: {rules}, {result['players']} players, {kind}",
        "",
        f"{result['games']:,} games on {result['deals']:,} deals, seed {result['seed']}; an even share of the wins is "
        f"{1 / result['players']:.1%}.",
        f"Intervals are for {100 * result['confidence']:g} %; {_anchor(result)}.",
        *_few(result),
        "",
        "| bot | rating | win rate | placement | points | games |",
        "|---|---|---|---|---|---|",
    ]
    for bot in sorted(result["bots"], key=lambda bot: -bot["rating"]):
        lines.append(
            f"| {_code(bot['name'])} | {_rating(bot)} | {_figure(bot, 'win_rate', '.1%')} | "
            f"{_figure(bot, 'mean_placement', '.3f')} | {_figure(bot, 'points', '.1f')} | {bot['games']:,} |"
        )
    cycles = [" > ".join([*found["bots"], found["bots"][0]]) + f" (p = {found['p']:.2g})" for found in result["cycles"]]
    for number, bot in enumerate(result["bots"], 1):
        if any(bot["forfeits"].values()):
            kinds = [f"{count:,} {kind.replace('_', ' ')}" for kind, count in bot["forfeits"].items() if count]
            lines += ["", f"{_code(bot['name'])} (bot {number}) forfeited games: {', '.join(kinds)}."]
    return [*lines, "", f"Rock-paper-scissors: {'; '.join(cycles) or 'no cycle found'}.", *_fit(result)]


def _fit(result: dict[str, Any]) -> list[str]:
    """Whether the ratings tell all."""
    p = result["ratings"]["fit_p"]
    if p is None:
        return []
    if p < LEVEL:
        return [f"One number for each bot does not explain the cross-table (p = {p:.2g}): who meets whom matters."]
    return [f"One number for each bot explains the cross-table well enough (p = {p:.2g})."]


def _anchor(result: dict[str, Any]) -> str:
    anchor = result["ratings"]["anchor"]
    return f"{anchor} has 1500" if anchor else "the mean rating is 1500"


def _few(result: dict[str, Any]) -> list[str]:
    """Who played few deals."""
    if not result["few"]:
        return []
    told = ", ".join(f"{name} ({deals:,})" for name, deals in result["few"].items())
    return [f"Few deals were played by {told};", "the others had easier opponents then, so compare the ratings."]


def _code(name: str) -> str:
    """A bot's name as code in a table."""
    text = "".join(letter if letter.isprintable() and letter != "`" else "'" for letter in name).replace("|", "\\|")
    return f"`{text}`"


def _figure(bot: dict[str, Any], name: str, form: str) -> str:
    low, high = bot[f"{name}_interval"]
    return f"{bot[name]:{form}} ({low:{form}} – {high:{form}})"


def _rating(bot: dict[str, Any]) -> str:
    low, high = ("…" if end is None else f"{end:.0f}" for end in bot["rating_interval"])
    return f"{bot['rating']:.0f} ({low} – {high})"
