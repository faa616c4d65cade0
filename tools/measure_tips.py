"""The tips of `explore.py tips` at the tables that people play at, written to docs/tips.md.

    python -m tools.measure_tips                    all tables, one after the other: five to ten minutes
    python -m tools.measure_tips --only classic-2   one of them again

Each result is kept as JSON in runs/tips, so that a run that was ended goes on with the next table. A result that is not
as it would be now (version, bot, effort, tips) is measured again; with --only it is left out of the page, and that is
said.
"""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro

from agents.champion import Table
from agents.files import write_json, write_text
from maumau_env.game.match import PENALTY_LIMIT
from maumau_env.game.rules import Rules
from strategy.commands.screen import points, points_and_span
from strategy.commands.study import Ending, work
from strategy.folk.sources import RULES
from strategy.folk_tips import TIPS
from strategy.mind import open_mind
from strategy.survey import Effort, Survey
from strategy.tips_result import as_dict
from strategy.tips_schema import read_result
from strategy.verdict import DEPENDS, FALSE, HOLDS

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "tips.md"


@dataclass(frozen=True)
class Run:
    """A table, and how much is played at it."""

    title: str
    players: int
    effort: Effort
    match: bool = False

    @property
    def command(self) -> str:
        """What a user types for the same figures."""
        effort, match = self.effort, " --match" if self.match else ""
        return (
            f"python explore.py tips --players {self.players}{match} --games {effort.games} "
            f"--positions {effort.positions} --worlds {effort.worlds} --duels {effort.duels} --seed {effort.seed}"
        )


RUNS = {
    "classic-2": Run("classic, 2", 2, Effort(8000, 2000, 8, 2000, seed=1)),
    "classic-3": Run("3", 3, Effort(3500, 900, 7, 1800, seed=1)),
    "classic-4": Run("4", 4, Effort(3000, 800, 6, 1800, seed=1)),
    "classic-5": Run("5", 5, Effort(2500, 800, 5, 1800, seed=1)),
    "match-2": Run("match, 2", 2, Effort(800, 600, 4, 200, seed=1), match=True),
}
"""The tables of the page."""


@dataclass(frozen=True)
class Config:
    """What to measure."""

    only: Annotated[tuple[str, ...], tyro.conf.arg(help="these tables alone; the others as they are")] = ()
    results: Annotated[Path, tyro.conf.arg(help="folder of the results")] = ROOT / "runs" / "tips"
    page: Annotated[Path, tyro.conf.arg(help="the page to write")] = PAGE


def main(config: Config) -> None:
    """Measure what is missing or asked for, and write the page."""
    for name in config.only:
        if name not in RUNS:
            raise ValueError(f"--only {name}: there are {', '.join(RUNS)}")
    config.results.mkdir(parents=True, exist_ok=True)
    results = {name: result for name in RUNS if (result := result_of(name, config)) is not None}
    write_text(config.page, page_of(results))


def result_of(name: str, config: Config) -> dict[str, Any] | None:
    """The result at a table, kept or measured now; None for one that is not asked for and not there as it would be."""
    path, survey = config.results / f"{name}.json", new_survey(RUNS[name])
    if path.exists() and name not in config.only:
        try:
            kept = read_result(path)
            if not (stale := differs(kept, survey)):
                return kept
            why = f"{path}: {', '.join(stale)} not as of now"
        except ValueError as error:
            why = str(error)
        print(f"{why}: {'left out of the page' if config.only else 'measured again'}", file=sys.stderr)
    if config.only and name not in config.only:
        return None
    result = measure(survey)
    write_json(path, result)
    return result


def differs(kept: dict[str, Any], survey: Survey) -> list[str]:
    """By what a result that was kept is not that of a survey: the names of what differs, without the figures."""
    fresh = as_dict(survey, survey.findings(), cut_short=False)
    told = [[[tip["name"], tip["sentence"], tip["source"]] for tip in each["tips"]] for each in (kept, fresh)]
    others = [name for name in fresh if name != "tips" and kept.get(name) != fresh[name]]
    return others if told[0] == told[1] else [*others, "tips"]


def new_survey(run: Run) -> Survey:
    """A survey of all tips at the table of a run."""
    rules = Rules.of("match" if run.match else "classic")
    limit = PENALTY_LIMIT if run.match else None
    mind = open_mind("champion", Table(rules, run.players, run.match), limit)
    return Survey(TIPS, rules, run.players, limit, mind, run.effort)


def measure(survey: Survey) -> dict[str, Any]:
    """The result of a survey; what failed, or KeyboardInterrupt: half a table is not for the page."""
    ending = work(survey, None)
    for failure in survey.failures.values():
        raise failure
    if ending is not Ending.DONE:
        raise KeyboardInterrupt
    return as_dict(survey, survey.findings(), cut_short=False)


# ---- the page ------------------------------------------------------------------------------------------------------


def page_of(results: dict[str, dict[str, Any]]) -> str:
    """docs/tips.md from the results by table."""
    parts = [INTRODUCTION, *headlines(results), overview(results)]
    for name, result in results.items():
        parts += [f"## {table_title(RUNS[name])}", f"`{RUNS[name].command}`", table_of(result), *dependences(result)]
    return "\n\n".join(parts) + "\n"


def table_title(run: Run) -> str:
    """A table in words."""
    return f"{'Whole matches' if run.match else 'Classic'}, {run.players} players"


def headlines(results: dict[str, dict[str, Any]]) -> list[str]:
    """The most valuable habits and the most popular false tip at the first table."""
    if not results:
        return []
    name, result = next(iter(results.items()))
    habits = [tip for tip in result["tips"] if tip["verdict"] == HOLDS and (tip["beyond_chance"] or 0) > 0]
    habits.sort(key=lambda tip: -tip["worth"] * comes_up(tip))
    wrong = sorted(
        (tip for tip in result["tips"] if tip["verdict"] == FALSE),
        key=lambda tip: (tip["source"] != RULES, tip["worth"] * comes_up(tip)),
    )
    lines = [
        f"**The champion's most valuable habits** ({table_title(RUNS[name])}), by worth × how often they come up:\n"
    ]
    lines += [f"{i}. {in_short(tip)}" for i, tip in enumerate(habits[:3], 1)]
    if wrong:
        lines += [f"\n**The most popular false tip**, one that many rules print if there is such: {in_short(wrong[0])}"]
    return ["\n".join(lines)]


def comes_up(tip: dict[str, Any]) -> float:
    """Share of the real choices at which the champion took an action that the tip is about."""
    return tip["choices"] / max(1, tip["decisions"])


def in_short(tip: dict[str, Any]) -> str:
    """A tip in a line."""
    return (
        f"*{tip['sentence']}* Worth {percent(tip['worth'], tip['worth_interval'])} points of win chance "
        f"where it applies, at {comes_up(tip):.0%} of the real choices; "
        f"the champion obeys in {tip['obeyed']:.0%}, chance in {tip['obeyed_by_chance']:.0%}."
    )


def overview(results: dict[str, dict[str, Any]]) -> str:
    """Every tip at every table: verdict and worth."""
    by_table = [{tip["name"]: tip for tip in result["tips"]} for result in results.values()]
    lines = ["## All tables", "", "| tip | " + " | ".join(RUNS[name].title for name in results) + " |"]
    lines.append("|---|" + "---|" * len(results))
    for tip in TIPS:
        cells = [short_verdict(found[tip.name]) if tip.name in found else "" for found in by_table]
        if any(cells):
            lines.append(f"| {tip.sentence} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def short_verdict(tip: dict[str, Any]) -> str:
    """Verdict and worth in a cell."""
    mark = {HOLDS: "**holds**", FALSE: "**false**", DEPENDS: "**depends**"}.get(tip["verdict"], "unclear")
    return mark if tip["worth"] is None else f"{mark} {points(tip['worth'])}"


def table_of(result: dict[str, Any]) -> str:
    """The three measures of every tip at a table, the most valuable first."""
    many = result["players"] > 2
    places = " places won |" if many else ""
    lines = [
        f"| tip | verdict | worth |{places} positions | applies | obeyed / by chance | "
        "heuristic with it | random with it |",
        "|---|---|---|" + ("---|" if many else "") + "---|---|---|---|---|",
    ]
    for tip in sorted(result["tips"], key=lambda tip: -(tip["worth"] if tip["worth"] is not None else -9)):
        obeyed = f"{tip['obeyed']:.0%} / {tip['obeyed_by_chance']:.0%}" if tip["obeyed"] is not None else "–"
        cells = [f"`{tip['name']}`", tip["verdict"], percent(tip["worth"], tip["worth_interval"])]
        if many:
            cells.append(f"{tip['placement']:+.3f}" if tip["placement"] is not None else "–")
        cells += [f"{tip['positions']:,}", f"{tip['applies']:.1%}", obeyed]
        cells += [percent(gain["gain"], gain["gain_interval"]) for gain in tip["patched"].values()]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def percent(value: float | None, interval: list[float] | None) -> str:
    """Percentage points with their interval."""
    if value is None or interval is None:
        return "–"
    low, high = interval
    return points_and_span(value, (low, high))


def dependences(result: dict[str, Any]) -> list[str]:
    """On what tips depend at a table."""
    lines = [
        f"- `{tip['name']}` is right when {found['right_when']} ({points(found['right_worth'])}), "
        f"and wrong when {found['wrong_when']} ({points(found['wrong_worth'])})."
        for tip in result["tips"]
        if (found := tip["depends_on"]) is not None
    ]
    return ["\n".join(lines)] if lines else []


INTRODUCTION = """# Tips with evidence

What people say about Mau-Mau, measured in the champion's play; this page is written by `python -m tools.measure_tips`.
How a tip is measured, and how to measure one of your own, stands in [tips-how.md](tips-how.md). All differences are in
percentage points of win chance with 95 % intervals. *Worth* compares the best action that obeys with the best one that
does not, in the same positions, one of each game in which the tip applies; the verdict is about it. *Obeyed* is how
often the champion obeys in its own games, and how often chance would. The last columns are what a simple player gains
in games against itself who follows the tip."""


if __name__ == "__main__":
    try:
        main(tyro.cli(Config, description=__doc__))
    except ValueError as mistake:
        raise SystemExit(f"measure_tips: error: {mistake}") from None
