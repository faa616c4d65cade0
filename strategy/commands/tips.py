"""Tips with evidence: how often each applies, whether a strong bot obeys it, and what obeying is worth.

    python explore.py tips
    python explore.py tips --players 4 --set ace=skip --bot champion
    python explore.py tips --tips mytips.py --only save-the-jack my-own --json tips.json

Three things are measured, each by itself:
    obeyed     in games of the bot with itself: how often the tip applies, how often the bot obeys, and how often
               somebody would who draws evenly among the actions that the tip is about
    worth      in the same positions: the bot's best action that obeys against its best one that does not, both played
               out by the bot in the same worlds; the difference in win chance
    follower   the heuristic and the random player with the tip against the same player without it, on shared deals

The verdict is about the worth: holds, false, depends (and on what) or unclear, corrected for testing many tips.
Intervals are for 95 % confidence. Ctrl-C, or --minutes, ends it early and keeps what has been found.

A tip of your own is a few lines of Python: docs/tips-how.md.
"""

import argparse
from typing import Any

from agents.commandline import STOPPED
from agents.files import write_json
from strategy.commands.study import Ending, Subject, add_options, subject_of, work
from strategy.commands.tips_table import report
from strategy.folk_tips import TIPS
from strategy.survey import Effort, Survey
from strategy.tip import Tip, TipError
from strategy.tip_files import check_names, load_tips
from strategy.tips_result import as_dict


def add_parser(subparsers: Any) -> None:
    """The subcommand `tips`."""
    parser = subparsers.add_parser("tips", help="what people say, measured", description=__doc__)
    add_options(parser, Effort())
    parser.add_argument(
        "--tips", metavar="PLACE", action="append", default=[],
        help="tips of your own beside ours: a module or a file *.py, which is run; a :NAME may follow, by default TIPS",
    )  # fmt: skip
    parser.add_argument("--only", metavar="NAME", nargs="+", action="extend", help="these tips alone, by their names")


def run(arguments: argparse.Namespace) -> int:
    """Measure, print, and write the file; returns the exit code.

    Raises:
        ValueError: tips, bot, rules, players or numbers are wrong; says which, and what is allowed.
        OSError: the file cannot be written.
    """
    subject = subject_of(arguments)
    survey = new_survey(subject, chosen_tips(arguments.tips, arguments.only))
    ending = work(survey, subject.minutes)
    findings, cut_short = survey.findings(), ending is not Ending.DONE
    report(survey, findings, cut_short)
    if subject.json is not None:
        write_json(subject.json, as_dict(survey, findings, cut_short))
    return STOPPED if ending is Ending.STOPPED else 0


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
