"""How strong are these bots? A tournament in which seats rotate and every seating plays the same deals.

    python evaluate.py heuristic random --players 2 --games 20000 --seed 1
    python evaluate.py heuristic greedy random --match --players 3 --games 2000
    python evaluate.py runs/duel/bot.safetensors heuristic random --players 3 --set ace=skip --json out.json

A bot is random, eager, greedy, heuristic, search (search:500 for so many playouts of each action, search:20ms for so
much time for a move) or oracle, which sees all hands; a saved bot (a file *.safetensors) or a class of your own
(module:Class, found on the Python path; its module is run). Options for its constructor may follow, as in
greedy:seed=5.

Seatings: each of k bots gets n // k of the n seats; the seats that are left go to n % k different bots, in every
choice that there is; and every different order of sitting is played. So every bot holds every seat, sits behind
every other bot, and holds a spare seat or sits out, equally often. Every deal is played once by every seating: the
games are rounded up to whole deals.

Figures are per seat held: with n players, bots that are equally strong win 1 / n of their games each. Who shares the
first rank shares the win. Intervals are for 95 % confidence and are computed over deals.
"""

import json
import os
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from agents.arena_records import records
from agents.tournament import Tournament, deals_for, enter, hold, seatings_of
from maumau_env.game.match import PENALTY_LIMIT
from maumau_env.game.record_file import write_records
from maumau_env.game.rules import Rules, parse_options

FEW_DEALS = 30
"""Below this many the intervals are not worth much, and the command says so."""


@dataclass(frozen=True)
class Config:
    """What the command line asks for."""

    bots: Annotated[tyro.conf.Positional[tuple[str, ...]], tyro.conf.arg(metavar="BOT [BOT ...]")]
    """Bots to compare: names, files or module:Class. One that is named twice plays twice."""
    players: int = 2
    """Seats at the table, 2 to 5."""
    games: int = 20_000
    """Games to play in all, at least; rounded up so that every seating plays every deal."""
    seed: int = 0
    """Names the deals and the chance of the bots: the same seed gives the same result."""
    match: bool = False
    """Play whole matches instead of single rounds: points are carried over, the last one left wins."""
    penalty_limit: Annotated[int | None, tyro.conf.arg(metavar="POINTS")] = None
    """In a match whoever has more penalty points is out; by default 100."""
    rules: Annotated[str | None, tyro.conf.arg(metavar="PRESET")] = None
    """Preset of rules: classic or match; by default match for --match, and else classic."""
    options: Annotated[
        tuple[tuple[str, ...], ...], tyro.conf.arg(name="set", metavar="OPTION=VALUE [OPTION=VALUE ...]")
    ] = ()
    """Options that differ from the preset, such as ace=skip or must_play=no; may be repeated."""
    json: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """File for the result, with all that is needed to repeat it."""
    records: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """File for the records of all games, one JSON object a line; gzipped if it ends in .gz."""


def main() -> None:
    """The command: its result on the screen and in files; a mistake is one line and exit code 2."""
    config = tyro.cli(Config, prog="evaluate.py", description=__doc__, config=(tyro.conf.UseAppendAction,))
    try:
        evaluate(config)
    except (ValueError, OSError) as error:
        print(f"evaluate.py: error: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("evaluate.py: stopped", file=sys.stderr)
        sys.exit(130)


def evaluate(config: Config) -> Tournament:
    """Play the tournament, print its table and write its files.

    Raises:
        ValueError: bots, rules, players, games or seed are wrong; says which, and what is allowed.
        OSError: a file cannot be written.
    """
    settings = [setting for group in config.options for setting in group]
    preset = config.rules or ("match" if config.match else "classic")
    rules = Rules.of(preset, **parse_options(settings))
    penalty_limit = limit_of(config)
    rules.check_players(config.players)
    for path in (config.json, config.records):
        if path is not None:
            check_writable(path)
    entrants = enter(config.bots)
    seatings = seatings_of(len(entrants), config.players)
    total = deals_for(config.games, len(seatings)) * len(seatings)
    with progress_bar(total) as progress:
        tournament, results = hold(
            entrants, rules, config.players, config.games, config.seed,
            keep_moves=config.records is not None, progress=progress, penalty_limit=penalty_limit,
        )  # fmt: skip
    report(tournament)
    if config.records is not None:
        write_records(config.records, records(entrants, seatings, rules, config.seed, results, penalty_limit))
    if config.json is not None:
        write_json(config.json, tournament)
    return tournament


def limit_of(config: Config) -> int | None:
    """The penalty limit of the matches, None for single rounds; ValueError for one that means nothing."""
    if not config.match and config.penalty_limit is not None:
        raise ValueError(f"--penalty-limit {config.penalty_limit}: that is for matches, which --match asks for")
    return PENALTY_LIMIT if config.match and config.penalty_limit is None else config.penalty_limit


def check_writable(path: Path) -> None:
    """OSError when a file cannot be put there: better now than after the games."""
    folder = path.absolute().parent
    if not folder.is_dir():
        raise FileNotFoundError(f"{path}: there is no folder {folder}")
    if path.is_dir() or not os.access(folder, os.W_OK):
        raise PermissionError(f"{path} cannot be written")


@contextmanager
def progress_bar(total: int) -> Generator[Callable[[int], object] | None]:
    """A function that takes the number of games played; a bar on the screen, if there is a screen to see it."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    columns = TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("games", total=total)
        yield lambda played: bar.update(task, completed=played)


def report(tournament: Tournament) -> None:
    """Print the table, and how it was come by."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=120)
    console.print(table_of(tournament))
    console.print(
        f"{tournament.games:,} games: {tournament.deals:,} deals, each played by {tournament.seatings} seatings; "
        f"seed {tournament.seed}; an even share of the wins is {1 / tournament.players:.1%}",
        highlight=False,
    )
    if tournament.deals < FEW_DEALS:
        console.print(
            f"Only {tournament.deals} deals: ask for {FEW_DEALS * tournament.seatings:,} games or more "
            "to trust the intervals.",
            highlight=False,
        )


def table_of(tournament: Tournament) -> Table:
    """A row for each bot, with the interval under each figure."""
    limit = tournament.penalty_limit
    title = f"{tournament.rules}, {tournament.players} players" + (f", matches up to {limit} points" if limit else "")
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("bot", overflow="fold", min_width=9)
    rounds = ["rounds"] if limit else []
    for heading in ("games", "win rate", "placement", *rounds, "turns", "stuck", "too\nlong"):
        table.add_column(heading, justify="right", no_wrap=True)
    for score in tournament.bots:
        won, placed = score.win_rate_interval, score.mean_placement_interval
        table.add_row(
            f"{score.name}\n(sees all hands)" if score.cheats else score.name,
            f"{score.games:,}",
            f"{score.win_rate:.2%}\n{won[0]:.2%} – {won[1]:.2%}",
            f"{score.mean_placement:.3f}\n{placed[0]:.3f} – {placed[1]:.3f}",
            *[f"{score.mean_rounds:.1f}" for _ in rounds],
            f"{score.mean_turns:.1f}",
            f"{score.stuck:.2%}",
            f"{score.too_long:.2%}",
        )
    return table


def write_json(path: Path, tournament: Tournament) -> None:
    """Write the result; the file appears only when it is whole."""
    unfinished = path.with_name(f".{os.getpid()}.{path.name}")
    try:
        unfinished.write_text(json.dumps(tournament.as_dict(), indent=1) + "\n", encoding="utf-8")
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
