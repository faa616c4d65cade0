"""Tips with evidence: how often each applies, whether a strong bot obeys it, and what obeying is worth.

    python explore.py tips
    python explore.py tips --players 4 --set ace=skip --bot champion
    python explore.py tips --tips mytips.py --only save-the-jack my-own --json tips.json
    python explore.py tips --report tips.html --language de
    python explore.py tips --report tips.html --from two.json three.json four.json      results of before, on one page

Three things are measured, each by itself:
    obeyed     in games of the bot with itself: how often the tip applies, how often the bot obeys, and how often
               somebody would who draws evenly among the actions that the tip is about
    worth      in the same positions: the bot's best action that obeys against its best one that does not, both played
               out by the bot in the same worlds; the difference in win chance
    follower   the heuristic and the random player with the tip against the same player without it, on shared deals

The verdict is about the worth: holds, false, depends (and on what) or unclear, corrected for testing many tips.
Intervals are for 95 % confidence. Ctrl-C, or --minutes, ends it early and keeps what has been found; so does a bot that
fails (exit code 1). A tip that fails is left alone from then on.

A tip of your own is a few lines of Python: docs/tips-how.md.
"""

import argparse
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from agents.commandline import check_apart, check_writable
from agents.files import write_json
from strategy.commands.study import (
    Ending,
    Subject,
    add_language,
    add_options,
    check_found,
    exit_code,
    language_asked,
    subject_of,
    work,
)
from strategy.commands.tips_table import report
from strategy.folk_tips import TIPS
from strategy.language import Language
from strategy.survey import Effort, Survey
from strategy.tip import Tip, TipError
from strategy.tip_files import check_names, load_tips
from strategy.tips_result import as_dict
from strategy.tips_schema import read_result

MEASURING = (
    "players", "rules", "options", "match", "penalty_limit", "bot", "games", "positions", "worlds", "duels", "seed",
    "tips", "only", "minutes", "json",
)  # fmt: skip
"""What is said by options about what is measured, and how."""

Writer = Callable[[Path, Sequence[dict[str, Any]], Language], None]


def add_parser(subparsers: Any) -> None:
    """The subcommand `tips`."""
    parser = subparsers.add_parser("tips", help="what people say, measured", description=__doc__)
    add_options(parser, Effort())
    parser.add_argument(
        "--tips", metavar="PLACE", action="append", default=[],
        help="tips of your own beside ours: a module or a file *.py, which is run; a :NAME may follow, by default TIPS",
    )  # fmt: skip
    parser.add_argument("--only", metavar="NAME", nargs="+", action="extend", help="these tips alone, by their names")
    parser.set_defaults(usual={name: parser.get_default(name) for name in MEASURING})
    parser.add_argument("--report", metavar="FILE", type=Path, help="a page to look at, which opens offline")
    parser.add_argument(
        "--from", metavar="FILE", dest="sources", type=Path, nargs="+", action="extend",
        help="results of --json, of one table each, to show instead of measuring",
    )  # fmt: skip
    add_language(parser, "of tables and page")


def run(arguments: argparse.Namespace) -> int:
    """Measure or read, print, and write the files; returns the exit code: 130 after Ctrl-C, FAILED if something did.

    Raises:
        ValueError: tips, bot, rules, players, numbers or results are wrong; says which, and what is allowed.
        OSError: a file cannot be read or written.
    """
    language = language_asked(arguments)
    write_page = None
    check_apart([arguments.json, arguments.report], arguments.sources or [])
    if arguments.report is not None:
        check_writable(arguments.report)
        write_page = writer_of_pages()
    results, code = results_of(arguments)
    if write_page is not None:
        write_page(arguments.report, results, language)
    for result in results:
        report(result, language)
    return code


def results_of(arguments: argparse.Namespace) -> tuple[list[dict[str, Any]], int]:
    """The results that --from names, by their players, or the one that is measured now; and the exit code."""
    if arguments.sources is None:
        result, code = measure(arguments)
        return [result], code
    for option, _ in said(arguments):
        raise ValueError(f"{option}: nothing is measured when --from gives the results")
    results = [read_result(path) for path in dict.fromkeys(arguments.sources)]
    return sorted(results, key=lambda result: (result["penalty_limit"] is not None, result["players"])), 0


def measure(arguments: argparse.Namespace) -> tuple[dict[str, Any], int]:
    """The result, which is kept in the file of --json, and the exit code; errors as for `run`."""
    subject = subject_of(arguments)
    survey = new_survey(subject, chosen_tips(arguments.tips, arguments.only))
    ending = work(survey, subject.minutes)
    check_found(survey)
    cut_short = ending is not Ending.DONE
    result = as_dict(survey, survey.findings(), cut_short) | {"command": command_of(arguments)}
    if subject.json is not None:
        write_json(subject.json, result)
    return result, exit_code(ending, survey.failures.values())


def said(arguments: argparse.Namespace) -> list[tuple[str, Any]]:
    """The options about measuring that differ from what is usual, with their values."""
    names = {name: "--set" if name == "options" else f"--{name.replace('_', '-')}" for name in MEASURING}
    values = {name: getattr(arguments, name) for name in MEASURING}
    return [(names[name], value) for name, value in values.items() if value != arguments.usual[name]]


def command_of(arguments: argparse.Namespace) -> str:
    """The command that gives the same result again."""
    words = ["python", "explore.py", "tips"]
    for option, value in said(arguments):
        if option == "--tips":
            words += [word for place in value for word in (option, place)]
        elif option not in ("--json", "--minutes"):
            words += [option, *([] if value is True else map(str, value if isinstance(value, list) else [value]))]
    return shlex.join(words)


def writer_of_pages() -> Writer:
    """The function that writes a page, loaded when it is needed; ValueError when its libraries are missing."""
    try:
        from strategy.report.page import write_page
    except ImportError as error:
        raise ValueError(f"--report needs Jinja2: pip install 'maumau-env[report]' ({error})") from error
    return write_page


def new_survey(subject: Subject, tips: list[Tip]) -> Survey:
    """The survey that is asked for; TipError when none of the tips makes sense at the table."""
    survey = Survey(tips, subject.rules, subject.players, subject.penalty_limit, subject.mind, subject.effort)
    if not survey.studies:
        needs = "; ".join(f"{tip.name} needs {tip.needs or 'other rules'}" for tip in survey.skipped)
        raise TipError(f"no tip makes sense at this table: {needs}")
    return survey


def chosen_tips(places: list[str], only: list[str] | None) -> list[Tip]:
    """Ours and those of the user, or those among them that were asked for; TipError for a name that none has."""
    tips = [*TIPS, *(tip for place in places for tip in load_tips(place))]
    check_names(tips)
    by_name = {tip.name: tip for tip in tips}
    for name in only or []:
        if name not in by_name:
            raise TipError(f"--only {name}: no tip is called so; there are {', '.join(by_name)}")
    return tips if only is None else [by_name[name] for name in dict.fromkeys(only)]
