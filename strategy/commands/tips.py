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
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from agents.champion import Table
from agents.commandline import check_writable, table_rules
from maumau_env.game.match import PENALTY_LIMIT, check_penalty_limit
from strategy.commands.files import write_json
from strategy.commands.tips_table import report
from strategy.folk_tips import TIPS
from strategy.mind import open_mind
from strategy.survey import Effort, Survey
from strategy.tip import Tip, TipError
from strategy.tip_files import check_names, load_tips
from strategy.tips_result import as_dict


def add_parser(subparsers: Any) -> None:
    """The subcommand `tips`."""
    usual = Effort()
    parser = subparsers.add_parser("tips", help="what people say, measured", description=__doc__)
    parser.add_table()
    parser.set_defaults(rules=None)  # it depends on --match
    parser.add_argument("--match", action="store_true", help="whole matches, under the match rules if none are named")
    parser.add_argument("--penalty-limit", metavar="POINTS", type=int, help="of matches; by default 100")
    parser.add_argument("--bot", default="champion", help="whose play is studied; by default champion")
    parser.add_argument(
        "--tips", metavar="PLACE", action="append", default=[],
        help="tips of your own beside ours: a module or a file *.py, which is run; a :NAME may follow, by default TIPS",
    )  # fmt: skip
    parser.add_argument("--only", metavar="NAME", nargs="+", action="extend", help="these tips alone, by their names")
    parser.add_argument("--games", type=int, default=usual.games, help=f"of the bot; by default {usual.games}")
    parser.add_argument(
        "--positions", type=int, default=usual.positions, help=f"for each tip, at most; by default {usual.positions}"
    )
    parser.add_argument(
        "--worlds", type=int, default=usual.worlds, help=f"for each position; by default {usual.worlds}"
    )
    parser.add_argument(
        "--duels", type=int, default=usual.duels,
        help=f"games of each patched player, 0 to leave them out; by default {usual.duels}",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=usual.seed, help="equal seeds, equal figures; by default 0")
    parser.add_argument("--minutes", type=float, help="stop after so long with what has been found")
    parser.add_argument("--json", metavar="FILE", type=Path, help="file for the result, with all to repeat it")


def run(arguments: argparse.Namespace) -> None:
    """Measure, print, and write the file.

    Raises:
        ValueError: tips, bot, rules, players or numbers are wrong; says which, and what is allowed.
        OSError: the file cannot be written.
    """
    if arguments.json is not None:
        check_writable(arguments.json)
    if arguments.minutes is not None and arguments.minutes <= 0:
        raise ValueError(f"--minutes {arguments.minutes:g}: it is more than 0")
    survey = new_survey(arguments)
    cut_short = work(survey, arguments.minutes)
    findings = survey.findings()
    report(survey, findings, cut_short)
    if arguments.json is not None:
        write_json(arguments.json, as_dict(survey, findings, cut_short))


def new_survey(arguments: argparse.Namespace) -> Survey:
    """The survey that is asked for; ValueError when it cannot be."""
    if arguments.penalty_limit is not None:
        if not arguments.match:
            raise ValueError(f"--penalty-limit {arguments.penalty_limit}: that is for matches, which --match asks for")
        check_penalty_limit(arguments.penalty_limit)
    limit = (arguments.penalty_limit or PENALTY_LIMIT) if arguments.match else None
    preset = arguments.rules or ("match" if arguments.match else "classic")
    rules = table_rules(preset, arguments.options, arguments.players)
    effort = Effort(arguments.games, arguments.positions, arguments.worlds, arguments.duels, arguments.seed)
    tips = chosen_tips(arguments.tips, arguments.only)
    mind = open_mind(arguments.bot, Table(rules, arguments.players, arguments.match), limit)
    survey = Survey(tips, rules, arguments.players, limit, mind, effort)
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


def work(survey: Survey, minutes: float | None) -> bool:
    """Do the steps, until they are done, time is up or Ctrl-C; returns whether it was cut short."""
    end = None if minutes is None else time.monotonic() + 60 * minutes
    with progress_bar(survey.number_of_steps) as advance:
        try:
            for number, label in enumerate(survey.steps(), 1):
                advance(label)
                if end is not None and time.monotonic() >= end and number < survey.number_of_steps:
                    return True
        except KeyboardInterrupt:
            return True
    return False


@contextmanager
def progress_bar(total: int) -> Generator[Callable[[str], object]]:
    """A function to call after each step; a bar on the screen, if there is a screen to see it."""
    console = Console(stderr=True)
    columns = TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("games", total=total)
        yield lambda label: bar.update(task, advance=1, description=label)
