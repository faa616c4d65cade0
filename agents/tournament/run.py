"""One tournament from its config to its files."""

from collections.abc import Callable, Sequence
from contextlib import closing, nullcontext
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from typing import Any

import numpy as np

from agents.arena import Entrant, Results, check_bots
from agents.arena_records import records
from agents.commandline import check_writable
from agents.tournament.analysis import analyse
from agents.tournament.config import Config
from agents.tournament.hold import Tournament
from agents.tournament.plan import Plan, enter
from agents.tournament.play import play
from agents.tournament.rows import RowsFile, write_parquet
from agents.tournament.screen import Screen
from agents.tournament.sequential import Better
from agents.tournament.stopping import IsBetter, Within
from maumau_env.game.record_file import write_records

INTERVALS = "bootstrap over deals, 1,000 resamples (200 for ratings), expanded percentiles"
LIBRARIES = ("numpy", "numba", "scipy")


def run(config: Config, command: str = "") -> dict[str, Any]:
    """Play a tournament with a live table on the screen, and write its files.

    Args:
        config: what is played, and the files.
        command: how it was asked for, for the result.

    Returns:
        The result, as plain data for JSON.

    Raises:
        ValueError: bots, rules, players, games or seed do not fit together, or a file of rows is of another tournament.
        OSError: a file cannot be written.
    """
    for path in (config.json_file, config.rows, config.parquet, config.records, config.report):
        if path is not None:
            check_writable(path)
    if config.report is not None:
        _writer_of_reports()  # better now than after the games
    entrants = enter(config.bots)
    check_bots(entrants, config.table, config.players, config.limit)
    plan = Plan.of(
        entrants, config.table, config.players, config.most_games, config.seed, penalty_limit=config.limit,
        few=config.few, looks=config.stops, move_seconds=config.move_seconds,
    )  # fmt: skip
    rule = stopping_rule(config)
    with (
        Screen(plan, entrants) as screen,
        closing(RowsFile(config.rows, plan)) if config.rows else nullcontext() as rows,
    ):
        results = play(
            plan, rows, config.workers, config.backend, config.records is not None,
            rule or (lambda games: False), screen.update,
        )  # fmt: skip
    return _finish(config, plan, entrants, results, rule, command)


def stopping_rule(config: Config) -> Within | IsBetter | None:
    """When the tournament stops before its last game; None: it does not. ValueError for bots that are not there."""
    if config.within is not None:
        return Within(len(config.bots), config.within, config.until)
    if config.better is None:
        return None
    test = Better(config.by, config.alpha, config.beta, cap=config.most_games)
    return IsBetter(config.bots, config.better, test, config.alpha, config.beta)


def _finish(
    config: Config, plan: Plan, entrants: Sequence[Entrant], results: Results, rule: Within | IsBetter | None,
    command: str,
) -> dict[str, Any]:  # fmt: skip
    """The result, and its files."""
    tournament = Tournament.of(
        entrants, plan.schedule, plan.rules, plan.seed, plan.penalty_limit, results, config.until
    )
    result = result_of(tournament, results, [*config.bots], command, rule)
    if config.name:
        result["name"] = config.name
    if config.records is not None:
        write_records(config.records, records(entrants, plan.rules, plan.seed, results, plan.penalty_limit))
    if config.parquet is not None:
        write_parquet(config.parquet, results, plan.names)
    if config.report is not None:
        _writer_of_reports()(config.report, result)
    return result


def _writer_of_reports() -> Callable[[Path, dict[str, Any]], None]:
    """The function that writes a report, loaded when it is needed; ValueError when its libraries are missing."""
    try:
        from agents.tournament.report import write_report
    except ImportError as error:
        raise ValueError(f"--report needs Jinja2: pip install 'maumau-env[report]' ({error})") from error
    return write_report


def result_of(
    tournament: Tournament, results: Results, names: Sequence[str], command: str, rule: Within | IsBetter | None
) -> dict[str, Any]:
    """All that is known of a tournament, as plain data for JSON."""
    told = analyse(names, results, tournament.confidence)
    bots = [asdict(score) | more for score, more in zip(tournament.bots, told.pop("bots"), strict=True)]
    for bot, mine in enumerate(bots):
        mine["faults"] = {kind: why for kind in mine["forfeits"] if (why := results.faults.get(f"{bot}:{kind}"))}
    return tournament.as_dict() | {
        "versions": {"python": python_version()} | {name: version(name) for name in LIBRARIES},
        "command": command,
        "line_ups": len(np.unique(np.sort(results.bots, axis=1), axis=0)),
        "intervals": INTERVALS,
        "stopped": rule and rule.as_dict(),
        "bots": bots,
        **told,
    }
