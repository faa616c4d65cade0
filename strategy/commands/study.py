"""What the commands that study a bot's play share: their options, and doing the work with a bar on the screen."""

import argparse
import os
import time
from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from agents.champion import Table
from agents.commandline import STOPPED, Parser, check_writable, table_rules
from maumau_env.game.match import PENALTY_LIMIT, check_penalty_limit
from maumau_env.game.rules import Rules
from strategy.commands.screen import progress_bar, tell
from strategy.language import LANGUAGES, Language, language_of
from strategy.mind import Mind, open_mind
from strategy.survey import Effort, Survey


@dataclass(frozen=True)
class Subject:
    """Whose play is studied, where, and with how much effort."""

    rules: Rules
    players: int
    penalty_limit: int | None
    mind: Mind
    effort: Effort
    minutes: float | None
    json: Path | None


def add_options(parser: Parser, usual: Effort) -> None:
    """The options of the table, the bot and the effort."""
    parser.add_table()
    parser.set_defaults(rules=None)  # it depends on --match
    parser.add_argument("--match", action="store_true", help="whole matches, under the match rules if none are named")
    parser.add_argument("--penalty-limit", metavar="POINTS", type=int, help="of matches; by default 100")
    parser.add_argument("--bot", default="champion", help="whose play is studied; by default champion")
    for name, value, meaning in (
        ("games", usual.games, "of the bot"),
        ("positions", usual.positions, "for each tip, at most"),
        ("worlds", usual.worlds, "for each position"),
        ("duels", usual.duels, "games of each patched player, 0 to leave them out"),
        ("seed", usual.seed, "equal seeds, equal figures"),
    ):
        parser.add_argument(f"--{name}", metavar="N", type=int, default=value, help=f"{meaning}; by default {value}")
    parser.add_argument("--minutes", type=float, help="stop after so long with what has been found")
    parser.add_argument("--json", metavar="FILE", type=Path, help="file for the result, with all to repeat it")


def add_language(parser: Parser, what: str) -> None:
    """--language."""
    parser.add_argument(
        "--language", choices=LANGUAGES, help=f"{what}; by default what LANGUAGE, LC_ALL or LANG ask for"
    )


def language_asked(arguments: argparse.Namespace) -> Language:
    """That of --language, or of the environment."""
    return Language(arguments.language or language_of(os.environ))


def subject_of(arguments: argparse.Namespace) -> Subject:
    """What was asked for.

    Raises:
        ValueError: bot, rules, players or numbers are wrong; says which, and what is allowed.
        OSError: the file cannot be written.
    """
    if arguments.json is not None:
        check_writable(arguments.json)
    if arguments.minutes is not None and not arguments.minutes > 0:
        raise ValueError(f"--minutes {arguments.minutes:g}: it is more than 0")
    if arguments.penalty_limit is not None:
        if not arguments.match:
            raise ValueError(f"--penalty-limit {arguments.penalty_limit}: that is for matches, which --match asks for")
        check_penalty_limit(arguments.penalty_limit)
    limit = (arguments.penalty_limit or PENALTY_LIMIT) if arguments.match else None
    preset = arguments.rules or ("match" if arguments.match else "classic")
    rules = table_rules(preset, arguments.options, arguments.players)
    effort = Effort(arguments.games, arguments.positions, arguments.worlds, arguments.duels, arguments.seed)
    mind = open_mind(arguments.bot, Table(rules, arguments.players, arguments.match), limit)
    return Subject(rules, arguments.players, limit, mind, effort, arguments.minutes, arguments.json)


class Ending(Enum):
    """How the work came to its end."""

    DONE, TIME_IS_UP, STOPPED, BOT_FAILED = range(4)


def work(survey: Survey, minutes: float | None) -> Ending:
    """Do the steps, until they are done, time is up, Ctrl-C, or the bot fails."""
    end = None if minutes is None else time.monotonic() + 60 * minutes
    with progress_bar("games", survey.number_of_steps) as progress:
        try:
            for number, label in enumerate(survey.steps(), 1):
                progress(number, label)
                if end is not None and time.monotonic() >= end and number < survey.number_of_steps:
                    return Ending.TIME_IS_UP
        except KeyboardInterrupt:
            return Ending.STOPPED
    return Ending.DONE if survey.bot_failure is None else Ending.BOT_FAILED


def check_found(survey: Survey) -> None:
    """AgentError or TipError when the bot, or all tips, failed before anything was found: then nothing can be kept."""
    if survey.is_empty:
        for failure in survey.failures.values():
            raise failure


def exit_code(ending: Ending, failures: Collection[Exception]) -> int:
    """The exit code, once all there is has been written; what failed is told on standard error."""
    code = tell(failures) if failures else 0
    return STOPPED if ending is Ending.STOPPED else code
