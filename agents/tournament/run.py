"""One tournament from its config to its files."""

from collections.abc import Callable, Sequence
from contextlib import closing, nullcontext
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from typing import Any, Self

import numpy as np

from agents.arena import Entrant, Results, check_bots
from agents.arena_records import records
from agents.commandline import check_writable
from agents.tournament.analysis import analyse
from agents.tournament.config import Config
from agents.tournament.hold import Tournament
from agents.tournament.plan import Plan, enter
from agents.tournament.play import check_backend, play
from agents.tournament.rows import RowsFile, check_parquet, write_parquet
from agents.tournament.screen import Screen
from agents.tournament.sequential import BLOCK, Better
from agents.tournament.stopping import IsBetter, Within
from maumau_env.game.record_file import write_records

INTERVALS = "bootstrap over deals, 1,000 resamples (200 for ratings; more beyond 95 %), expanded percentiles"
LIBRARIES = ("numpy", "numba", "scipy")


@dataclass(frozen=True)
class Event:
    """A tournament that can begin: its bots are there, they may sit at its table, and its files can be written."""

    config: Config
    entrants: Sequence[Entrant]
    plan: Plan
    rule: Within | IsBetter | None  # when it stops before its last game; None: it does not

    @classmethod
    def of(cls, config: Config) -> Self:
        """Nothing is played yet.

        Raises:
            ValueError: bots, rules, players, games or seed do not fit together, or a library is missing.
            OSError: a file cannot be written.
        """
        for path in config.files:
            if path is not None:
                check_writable(path)
        if config.report is not None:
            _writer_of_reports()
        if config.parquet is not None:
            check_parquet()
        check_backend(config.backend)
        entrants = enter(config.bots)
        check_bots(entrants, config.table, config.players, config.limit)
        plan = Plan.of(
            entrants, config.table, config.players, config.most_games, config.seed, penalty_limit=config.limit,
            few=config.few, looks=config.stops, move_seconds=config.move_seconds,
        )  # fmt: skip
        return cls(config, entrants, plan, stopping_rule(config, plan))

    def play(self) -> Results:
        """Play it, with a live table on the screen; ValueError when the file of rows is of another tournament."""
        config, plan = self.config, self.plan
        file = closing(RowsFile(config.rows, plan)) if config.rows else nullcontext()
        with file as rows, Screen(plan, self.entrants, config.until) as screen:
            return play(
                plan, rows, config.workers, config.backend, config.records is not None,
                self.rule or (lambda games: False), screen.update,
            )  # fmt: skip

    def result(self, results: Results, command: str = "") -> dict[str, Any]:
        """All that is known of the games, as plain data for JSON; `command` says how they were asked for."""
        plan, confidence = self.plan, self.config.until
        tournament = Tournament.of(
            self.entrants, plan.schedule, plan.rules, plan.seed, plan.penalty_limit, results, confidence
        )
        told = analyse(plan.names, results, confidence)
        bots = [asdict(score) | more for score, more in zip(tournament.bots, told.pop("bots"), strict=True)]
        for bot, mine in enumerate(bots):
            mine["faults"] = {kind: why for kind in mine["forfeits"] if (why := results.faults.get(f"{bot}:{kind}"))}
        named = {"name": self.config.name} if self.config.name else {}
        return named | tournament.as_dict() | {
            "versions": {"python": python_version()} | {name: version(name) for name in LIBRARIES},
            "command": command,
            "few": plan.few,
            "move_seconds": plan.move_seconds,
            "line_ups": len(np.unique(np.sort(results.bots, axis=1), axis=0)),
            "intervals": INTERVALS,
            "stopped": self.rule and self.rule.as_dict(),
            "bots": bots,
            **told,
        }  # fmt: skip

    def write_files(self, results: Results, result: dict[str, Any]) -> None:
        """Write the records, Parquet and the report, where they were asked for."""
        config, plan = self.config, self.plan
        if config.records is not None:
            write_records(config.records, records(self.entrants, plan.rules, plan.seed, results, plan.penalty_limit))
        if config.parquet is not None:
            write_parquet(config.parquet, results, plan.names)
        if config.report is not None:
            _writer_of_reports()(config.report, result)


def stopping_rule(config: Config, plan: Plan) -> Within | IsBetter | None:
    """When the tournament stops before its last game; None: it does not.

    Raises:
        ValueError: bots that are not there, or too few games for a test.
    """
    if config.within is not None:
        return Within(len(config.bots), config.within, config.until)
    if config.better is None:
        return None
    if plan.deals < BLOCK:
        raise ValueError(
            f"{config.most_games:,} games on {plan.deals} deals: a sequential test needs at least {BLOCK} deals"
        )
    test = Better(config.by, config.alpha, config.beta, cap=plan.deals)
    return IsBetter(config.bots, config.better, test, config.alpha, config.beta)


def _writer_of_reports() -> Callable[[Path, dict[str, Any]], None]:
    """The function that writes a report, loaded when it is needed; ValueError when its libraries are missing."""
    try:
        from agents.tournament.report import write_report
    except ImportError as error:
        raise ValueError(f"--report needs Jinja2: pip install 'maumau-env[report]' ({error})") from error
    return write_report
