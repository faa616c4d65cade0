"""New rules of thumb: found in a bot's play by shallow trees, and kept only if they hold on fresh games.

    python explore.py discover --bot champion
    python explore.py discover --players 4 --json rules.json --language de

First the bot plays games with itself, and for each kind of action (a Jack, a seven, a card of the longest suit, ...) a
tree of two questions tells when it likes that kind; decisions count by what is at stake in them. Every leaf is a
candidate. Then the candidates are measured on fresh games like any other tip (python explore.py tips --help), and shown
are those that hold there and by which neither the heuristic nor the random player loses, ranked by worth × how often
they come up. Those that only repeat one of the tips that people give stand behind the new ones, with its name. Finding
and testing take as many games and positions each, and half of the --minutes. Ctrl-C keeps what has been found.

Needs scikit-learn: pip install -e ".[explore]".
"""

import argparse
from dataclasses import asdict, replace
from typing import Any

from agents.files import write_json
from maumau_env.game.bits import scrambled
from strategy.commands.screen import new_console
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
from strategy.commands.tips_table import notes, table_of
from strategy.discovery import KINDS, candidates_of, is_tested, question_of, survivors
from strategy.folk_tips import TIPS
from strategy.known import known_as
from strategy.language import Language
from strategy.survey import Effort, Finding, Survey
from strategy.tip import Tip
from strategy.tips_result import as_dict
from strategy.tree import available
from strategy.words import rule

FORMAT = "maumau-discovery"


def add_parser(subparsers: Any) -> None:
    """The subcommand `discover`."""
    parser = subparsers.add_parser("discover", help="rules of thumb that no one has told", description=__doc__)
    add_options(parser, Effort(games=4000, positions=1000))
    add_language(parser, "of the table")


def run(arguments: argparse.Namespace) -> int:
    """Find, test, print, and write the file; returns the exit code: 130 after Ctrl-C, FAILED when the bot failed.

    Raises:
        ValueError: bot, rules, players or numbers are wrong, or scikit-learn is not here.
        OSError: the file cannot be written.
    """
    language, subject = language_asked(arguments), subject_of(arguments)
    if not available():
        raise ValueError('rules are found by scikit-learn, which is not here: pip install -e ".[explore]"')
    minutes = None if subject.minutes is None else subject.minutes / 2
    first = survey_of(subject, [question_of(kind) for kind in KINDS], replace(subject.effort, duels=0))
    ended = [work(first, minutes)]
    check_found(first)
    studies = zip(KINDS, first.studies, strict=True)
    tips = [tip for kind, study in studies for tip in candidates_of(kind, study, subject.mind)]
    if not tips and ended[0] is Ending.STOPPED:
        raise KeyboardInterrupt  # nothing has been found, so there is nothing to keep
    second = survey_of(subject, tips, replace(subject.effort, seed=scrambled(subject.effort.seed)))
    if ended[0] in (Ending.DONE, Ending.TIME_IS_UP):
        ended.append(work(second, minutes))
    result = result_of(second, any(ending is not Ending.DONE for ending in ended))
    failures = first.failures | second.failures
    result["effort"]["seed"] = subject.effort.seed  # that of the fresh games follows from it
    result["failed"] = [{"name": name, "error": str(error)} for name, error in failures.items()]
    if subject.json is not None:
        write_json(subject.json, result)
    report(result, language)
    return exit_code(ended[-1], failures.values())


def survey_of(subject: Subject, tips: list[Tip], effort: Effort) -> Survey:
    """A survey of these tips at the table."""
    return Survey(tips, subject.rules, subject.players, subject.penalty_limit, subject.mind, effort)


def result_of(survey: Survey, cut_short: bool) -> dict[str, Any]:
    """What `--json` writes: the rules, new ones first, and the candidates for which there was no time."""
    findings = survey.findings()
    rules = [(finding, known(survey, finding)) for finding in survivors(findings)]
    rules.sort(key=lambda each: each[1] is not None)
    result = as_dict(survey, [finding for finding, _ in rules], cut_short)
    told = [tip | {"known": said} for tip, (_, said) in zip(result.pop("tips"), rules, strict=True)]
    untested = [finding.tip.sentence for finding in findings if cut_short and not is_tested(finding)]
    candidates = {"candidates": len(findings), "untested": untested}
    return result | {"format": FORMAT} | candidates | {"rules_of_thumb": told}


def known(survey: Survey, finding: Finding) -> dict[str, Any] | None:
    """The tip that a rule repeats, and at which share of its positions; None for a new rule."""
    tips = [tip for tip in TIPS if tip.makes_sense(survey.table)]
    study = next(study for study in survey.studies if study.tip is finding.tip)
    found = known_as(finding.tip, study.positions.views(), tips)
    return None if found is None else asdict(found)


def report(result: dict[str, Any], language: Language) -> None:
    """Print the rules, and the candidates for which there was no time."""
    console = new_console()
    rules = [
        each | {"sentence": " ".join([rule(language, each["sentence"]), *told_before(each["known"], language)])}
        for each in result["rules_of_thumb"]
    ]
    if rules:
        console.print(table_of(result | {"tips": rules}, language))
    console.print(
        language.ngettext("{n} candidate was tested on fresh games.", "{n} candidates were tested on fresh games.",
                          result["candidates"] - len(result["untested"])),
        language.ngettext("{n} rule holds there.", "{n} rules hold there.", len(rules)),
    )  # fmt: skip
    if result["untested"]:
        console.print(language.gettext("Found, but not tested any more:"))
        for sentence in result["untested"]:
            console.print(f"  {rule(language, sentence)}")
    for line in notes(result, language):
        console.print(line)


def told_before(known: dict[str, Any] | None, language: Language) -> list[str]:
    """What stands behind a rule that only repeats a tip."""
    if known is None:
        return []
    share = language.percent(known["share"])
    return [
        language.gettext("(known: {tip}, the same at {share} of its positions)").format(tip=known["tip"], share=share)
    ]
