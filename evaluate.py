"""How strong are these bots? A tournament in which seats rotate and every seating plays the same deals.

    python evaluate.py heuristic random --players 2 --games 20000 --seed 1
    python evaluate.py heuristic greedy random --match --players 3 --games 2000
    python evaluate.py runs/duel/bot.safetensors heuristic random --players 3 --set ace=skip --json out.json

A bot is
    random, eager, greedy, heuristic    a baseline
    search:500, search:20ms             search with so many playouts for every action, or so much time for a move
    oracle:500                          the same, but it sees all hands: for measuring alone
    level:1 to level:5                  an opponent for people, from a beginner to the champion with search
    champion                            the best of the bots that come with the package, for the table at hand
    path/to/bot.safetensors             a saved bot; nothing in it is run
    module:Class                        a class of your own, found on the Python path; its module is run
    module:name                         a guest: a class or object with choose(view), or a function(observation, agent)
    "process:COMMAND"                   a guest: a program in any language, see docs/guests.md
and options for its constructor may follow, as in greedy:forgets_mau=0.2; after process: all is the command.

A bot that raises, takes longer for a move than it may, or answers illegally, forfeits that game, in a match the whole
match: it is last there, and greedy plays on in its place. The tournament goes on, and forfeits are counted.

Seatings: each of k bots gets n // k of the n seats; the seats that are left go to n % k different bots, in every
choice that there is; and every different order of sitting is played. So every bot holds every seat, sits behind
every other bot, and holds a spare seat or sits out, equally often. Every deal is played once by every seating: the
games are rounded up to whole deals.

Figures are per seat held: with n players, bots that are equally strong win 1 / n of their games each. Who shares the
first rank shares the win. Intervals are for 95 % confidence and are computed over deals.
"""

import json
import os
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from agents.answers import KINDS
from agents.arena import Results
from agents.arena_records import records
from agents.commandline import Parser, check_writable, table_rules
from agents.tournament import Tournament, deals_for, enter, hold, seatings_of
from maumau_env.game.match import PENALTY_LIMIT
from maumau_env.game.record_file import write_records

FEW_DEALS = 30
"""Below this many the intervals are not worth much, and the command says so."""


@dataclass(frozen=True)
class Config:
    """What the command line asks for."""

    bots: list[str]
    players: int
    games: int
    seed: int
    match: bool
    penalty_limit: int | None
    rules: str | None
    options: list[str]
    move_seconds: float | None
    json: Path | None
    records: Path | None


def new_parser() -> Parser:
    """What can be asked for."""
    parser = Parser("evaluate.py", __doc__ or "")
    parser.add_argument("bots", metavar="BOT", nargs="*", help="bots to compare; one that is named twice plays twice")
    parser.add_table()
    parser.set_defaults(rules=None)  # it depends on --match
    parser.add_argument("--games", type=int, default=20_000, help="games to play in all, at least; by default 20000")
    parser.add_argument(
        "--seed", type=int, default=0, help="of deals and bots: equal seeds, equal results; by default 0"
    )
    parser.add_argument(
        "--match", action="store_true", help="play whole matches, under the match rules if none are named"
    )
    parser.add_argument("--penalty-limit", metavar="POINTS", type=int, help="who has more is out; by default 100")
    parser.add_argument(
        "--move-seconds", metavar="SECONDS", type=float,
        help="time for a move, or the game is forfeited; by default 10 for guests, for others there is no limit",
    )  # fmt: skip
    parser.add_argument("--json", metavar="FILE", type=Path, help="file for the result, with all to repeat it")
    parser.add_argument("--records", metavar="FILE", type=Path, help="file for the games, gzipped if it ends in .gz")
    return parser


def main() -> None:
    """The command: its result on the screen and in files; a mistake is one line and exit code 2."""
    parser = new_parser()
    config = Config(**vars(parser.read()))
    try:
        evaluate(config)
    except (ValueError, OSError) as error:
        parser.error(error)
    except KeyboardInterrupt:
        parser.stopped()


def evaluate(config: Config) -> Tournament:
    """Play the tournament, print its table and write its files.

    Raises:
        ValueError: bots, rules, players, games or seed are wrong; says which, and what is allowed.
        OSError: a file cannot be written.
    """
    preset = config.rules or ("match" if config.match else "classic")
    rules = table_rules(preset, config.options, config.players)
    penalty_limit = limit_of(config)
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
            move_seconds=config.move_seconds, forfeits=True,
        )  # fmt: skip
    report(tournament)
    for line in forfeit_lines(tournament, results):
        print(line)
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


def forfeit_lines(tournament: Tournament, results: Results) -> list[str]:
    """A line for each bot that forfeited games: how many, and of each kind the first reason."""
    first = {(forfeit.bot, KINDS[forfeit.kind]): forfeit.reason for forfeit in results.first_forfeits}
    lines = []
    for bot, score in enumerate(tournament.bots):
        counts = {kind.replace("_", " "): count for kind, count in score.forfeits.items() if count}
        if counts:
            kinds = ", ".join(f"{count:,} {kind} (first: {first[bot, kind]})" for kind, count in counts.items())
            games = "game" if sum(counts.values()) == 1 else "games"
            lines.append(f"bot {bot + 1} ({score.name}) forfeited {sum(counts.values()):,} {games}: {kinds}")
    return lines


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
