"""New rules of thumb: found in a bot's play by shallow trees, and kept only if they hold on fresh games.

    python explore.py discover --bot champion
    python explore.py discover --players 4 --json rules.json

First the bot plays games with itself, and for each kind of action (a Jack, a seven, a card of the longest suit, ...) a
tree of two questions tells when it likes that kind; decisions count by what is at stake in them. Every leaf is a
candidate. Then the candidates are measured on fresh games like any other tip (python explore.py tips --help), and shown
are those that hold there and by which neither the heuristic nor the random player loses, ranked by worth × how often
they come up. Finding and testing take as many games and positions each, and half of the --minutes.

Needs scikit-learn: pip install -e ".[explore]".
"""

import argparse
from dataclasses import replace
from typing import Any

from agents.commandline import STOPPED
from agents.files import write_json
from maumau_env.game.bits import scrambled
from strategy.commands.screen import new_console
from strategy.commands.study import Ending, Subject, add_options, subject_of, work
from strategy.commands.tips_table import notes, table_of
from strategy.discovery import KINDS, candidates_of, question_of, survivors
from strategy.language import ENGLISH
from strategy.survey import Effort, Survey
from strategy.tip import Tip
from strategy.tips_result import as_dict
from strategy.tree import available

FORMAT = "maumau-discovery"


def add_parser(subparsers: Any) -> None:
    """The subcommand `discover`."""
    parser = subparsers.add_parser("discover", help="rules of thumb that no one has told", description=__doc__)
    add_options(parser, Effort(games=4000, positions=1000))


def run(arguments: argparse.Namespace) -> int:
    """Find, test, print, and write the file; returns the exit code.

    Raises:
        ValueError: bot, rules, players or numbers are wrong, or scikit-learn is not here.
        OSError: the file cannot be written.
    """
    subject = subject_of(arguments)
    if not available():
        raise ValueError('rules are found by scikit-learn, which is not here: pip install -e ".[explore]"')
    first = survey_of(subject, [question_of(kind) for kind in KINDS], replace(subject.effort, duels=0))
    minutes = None if subject.minutes is None else subject.minutes / 2
    found = work(first, minutes)
    if found is Ending.STOPPED:
        raise KeyboardInterrupt  # nothing has been tested, so there is nothing to keep
    tips = [
        tip
        for kind, study in zip(KINDS, first.studies, strict=True)
        for tip in candidates_of(kind, study, subject.mind)
    ]
    second = survey_of(subject, tips, replace(subject.effort, seed=scrambled(subject.effort.seed)))
    tested = work(second, minutes)
    cut_short = found is not Ending.DONE or tested is not Ending.DONE
    kept = survivors(second.findings())
    result = as_dict(second, kept, cut_short)
    if subject.json is not None:
        others = {key: value for key, value in result.items() if key != "tips"}
        found = {
            "format": FORMAT,
            "candidates": len(tips),
            "seed": subject.effort.seed,
            "rules_of_thumb": result["tips"],
        }
        write_json(subject.json, others | found)
    report(result, len(tips))
    return STOPPED if tested is Ending.STOPPED else 0


def survey_of(subject: Subject, tips: list[Tip], effort: Effort) -> Survey:
    """A survey of these tips at the table."""
    return Survey(tips, subject.rules, subject.players, subject.penalty_limit, subject.mind, effort)


def report(result: dict[str, Any], candidates: int) -> None:
    """Print the rules."""
    console = new_console()
    if result["tips"]:
        console.print(table_of(result, ENGLISH))
    console.print(f"{len(result['tips'])} of {candidates} candidates hold on fresh games.")
    for line in notes(result, ENGLISH):
        console.print(line)
