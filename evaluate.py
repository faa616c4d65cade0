"""Which of these bots is better, by how much, and is it luck? Tournaments in which seats rotate and deals are shared.

    python evaluate.py heuristic random --players 2 --games 20000 --seed 1
    python evaluate.py heuristic greedy random --match --players 3 --games 2000
    python evaluate.py champion heuristic --until 0.95 --within 0.5pp      stops when the win rates are known so closely
    python evaluate.py new.safetensors old.safetensors --better new.safetensors old.safetensors      a sequential test
    python evaluate.py champion heuristic greedy level:3 --rows run.jsonl --workers 2 --report out.html
    python evaluate.py --config configs/evaluate/ladder.yaml

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

Seatings: each of k bots gets n // k of the n seats; the seats that are left go to n % k different bots, in every
choice that there is; and every different order of sitting is played. So every bot holds every seat, sits behind
every other bot, and holds a spare seat or sits out, equally often. With more bots than seats, two players meet in
every pair, both ways; at larger tables each deal has a line-up of its own, and any two bots meet about equally often.
Every deal is played once by every seating, and every seat draws by an order of its own: games are rounded up to whole
deals.

Figures are per seat held: with n players, bots that are equally strong win 1 / n of their games each. Who shares the
first rank shares the win. Intervals are by bootstrap over deals. A bot that raises, takes longer for a move than
it may, or answers illegally, forfeits that game, in a match the whole match: it is last there, greedy plays on in its
place, and the result says how often. The tournament goes on.
"""

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agents.commandline import Parser, check_writable
from agents.files import write_json
from agents.tournament.config import GAMES, MOST_GAMES, Config, read_configs
from agents.tournament.markdown import write_markdown
from agents.tournament.play import BACKENDS
from agents.tournament.run import Event
from agents.tournament.screen import print_result
from agents.yaml_file import ConfigError

SEVERAL = "maumau-evaluations"
"""Format of a JSON file with several results."""


def new_parser() -> Parser:
    """What can be asked for. Options that are not given are None, so that a file can say them."""
    parser = Parser("evaluate.py", __doc__ or "")
    add = parser.add_argument
    add("bots", metavar="BOT", nargs="*", help="bots to compare; one that is named twice plays twice")
    add("--config", metavar="FILE", type=Path, help="YAML file with these options; its `tables` are several")
    add("--table", metavar="NAME", help="play this one of the tables of the file alone")
    parser.add_table()
    parser.set_defaults(players=None, rules=None, options=None)
    add("--games", type=int, help=f"games to play, at least; {GAMES}, or {MOST_GAMES} at most if it stops by itself")
    add("--seed", type=int, help="of deals and bots: equal seeds, equal results; by default 0")
    add("--match", action="store_true", default=None, help="whole matches, under the match rules if none are named")
    add("--penalty-limit", metavar="POINTS", type=int, help="who has more is out; by default 100")
    stop = parser.add_argument_group("stop when sure")
    stop.add_argument("--within", metavar="WIDTH", help="stop when every win rate is known so closely, such as 0.5pp")
    stop.add_argument("--until", metavar="CONFIDENCE", type=float, help="with this confidence; by default 0.95")
    stop.add_argument("--better", metavar="BOT", nargs=2, help="stop when it is clear whether the first is better")
    stop.add_argument("--by", metavar="WIDTH", help="the difference of win rates that matters; by default 1pp")
    stop.add_argument("--alpha", metavar="RATE", help="how often it may be called better wrongly; by default 0.05")
    stop.add_argument("--beta", metavar="RATE", help="how often a bot better by as much may be missed; by default 0.05")
    run = parser.add_argument_group("the run")
    run.add_argument("--workers", type=int, metavar="N", help="processes; the results are the same; by default 1")
    run.add_argument("--backend", help=f"where they run: {' or '.join(BACKENDS)}; by default {BACKENDS[0]}")
    run.add_argument(
        "--move-seconds",
        type=float,
        metavar="SECONDS",
        help="for a move; 10 for guests, none for others",
    )
    out = parser.add_argument_group("files")
    out.add_argument("--json", metavar="FILE", help="the result, with all to repeat it")
    out.add_argument("--report", metavar="FILE", help="a page to look at, which opens offline")
    out.add_argument("--rows", metavar="FILE", help="each game as a line of JSON; a killed run goes on from it")
    out.add_argument("--parquet", metavar="FILE", help="the same as Parquet, at the end")
    out.add_argument("--records", metavar="FILE", help="the games move by move, gzipped if the name ends in .gz")
    out.add_argument("--markdown", metavar="FILE", type=Path, help="the tables of all results")
    return parser


def main() -> None:
    """The command: its result on the screen and in files; a mistake is one line and exit code 2."""
    parser = new_parser()
    given = {key: value for key, value in vars(parser.read()).items() if value not in (None, [])}
    if "options" in given:
        given["set"] = given.pop("options")
    file, table, markdown = (given.pop(name, None) for name in ("config", "table", "markdown"))
    try:
        evaluate(chosen(read_configs(file, given), table), markdown)
    except (ValueError, OSError) as error:
        parser.error(error)
    except KeyboardInterrupt:
        parser.stopped()


def evaluate(configs: Sequence[Config], markdown: Path | None = None) -> list[dict[str, Any]]:
    """Play the tournaments, print their tables and write their files; returns the results.

    Raises:
        ValueError: bots, rules, players, games or seed are wrong; says which, and what is allowed.
        OSError: a file cannot be written.
    """
    if markdown is not None:
        check_writable(markdown)
    command = shlex.join(["python", Path(sys.argv[0]).name, *sys.argv[1:]])
    events, told = [Event.of(config.named_files() if config.name else config) for config in configs], []
    for event in events:
        results = event.play()
        told.append(event.result(results, command))
        if event.config.json_file is not None:
            several = {"format": SEVERAL, "version": 1, "tournaments": told}
            write_json(event.config.json_file, told[0] if len(events) == 1 else several)
        if markdown is not None:
            write_markdown(markdown, told)
        event.write_files(results, told[-1])
        print_result(told[-1])
    return told


def chosen(configs: Sequence[Config], table: str | None) -> list[Config]:
    """The table of this name alone, or all; ConfigError when there is none."""
    found = [config for config in configs if table in (None, config.name)]
    if not found:
        names = ", ".join(config.name or "one without a name" for config in configs)
        raise ConfigError(f"--table {table}: there is no such table; there are {names}")
    return found


if __name__ == "__main__":
    main()
