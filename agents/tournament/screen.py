"""A tournament in the terminal: a live table while it is played, and the result."""

from collections.abc import Sequence
from time import monotonic
from types import TracebackType
from typing import Any, Self

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group
from rich.live import Live
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from agents.arena import Entrant, Results
from agents.tournament.hold import Tournament
from agents.tournament.plan import Plan
from agents.tournament.rows import joined
from agents.tournament.scores import FEW_DEALS, Score
from maumau_env.game.rules import Rules

SECONDS = 5.0
"""Between two live tables."""

Interval = Sequence[float]


class Screen:
    """A live table and a bar with the time left, if there is a terminal to show them."""

    def __init__(self, plan: Plan, entrants: Sequence[Entrant], confidence: float) -> None:
        console = Console(stderr=True)
        self.plan, self.entrants, self.confidence, self.parts = plan, entrants, confidence, list[Results]()
        columns = TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
        self._bar = Progress(*columns, console=console)
        self._live = Live(self._bar, console=console, transient=True) if console.is_terminal else None
        self._task = self._bar.add_task("games", total=plan.games if self._live else None)
        self._played, self._shown = 0, monotonic()

    def __enter__(self) -> Self:
        if self._live:
            self._live.start()
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._live:
            self._live.stop()

    def update(self, games: int, results: Results | None) -> None:
        """So many games of the block that is being played are over, or the whole block with these results is."""
        if not self._live:
            return
        if results is not None:
            self.parts.append(results)
            self._played += len(results.turns)
            if monotonic() - self._shown > SECONDS:
                self._show()
        self._bar.update(self._task, completed=self._played + games)

    def _show(self) -> None:
        plan, self.parts = self.plan, [joined(self.parts)]
        found = Tournament.of(
            self.entrants, plan.schedule, plan.rules, plan.seed, plan.penalty_limit, self.parts[0], self.confidence
        )
        if self._live:
            self._live.update(
                Group(score_table(found.rules, found.players, found.penalty_limit, found.bots), self._bar)
            )
        self._shown = monotonic()


def print_result(result: dict[str, Any]) -> None:
    """The tables of a result, and how it was come by."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=120)
    bots = result["bots"]
    known = {name: [bot[name] for bot in bots] for name in ("rating", "rating_interval")}
    scores = [Score(**{name: bot[name] for name in Score.__dataclass_fields__}) for bot in bots]
    rules = Rules.from_dict(result["rules"])
    console.print(score_table(rules, result["players"], result["penalty_limit"], scores, known))
    if len(bots) > 2:
        console.print(cross_table(result))
    for line in sentences(result):
        console.print(line, highlight=False, markup=False)


def sentences(result: dict[str, Any]) -> list[str]:
    """How the games were played, and what there is to say of them."""
    lines = [
        f"{result['games']:,} games: {result['deals']:,} deals, each played by {result['seatings']} "
        f"seating{'s' if result['seatings'] > 1 else ''}; "
        f"seed {result['seed']}; an even share of the wins is {1 / result['players']:.1%}",
        _lengths(result),
    ]
    if result["few"]:
        lines.append("Some bots played few deals, and the others had easier opponents then: compare the ratings.")
    if result["deals"] < FEW_DEALS:
        lines.append(
            f"Only {result['deals']} deals: ask for {FEW_DEALS * result['seatings']:,} games or more "
            "to trust the intervals."
        )
    lines += [
        f"Cycle: {' > '.join(found['bots'])} > {found['bots'][0]} (p = {found['p']:.2g})" for found in result["cycles"]
    ]
    return [*lines, *_forfeits(result["bots"]), *_stopped(result["stopped"])]


def _lengths(result: dict[str, Any]) -> str:
    """How long the games were."""
    bots = result["bots"]
    seats = sum(bot["games"] for bot in bots)
    turns, rounds = (sum(bot[name] * bot["games"] for bot in bots) / seats for name in ("mean_turns", "mean_rounds"))
    stuck, too_long = (
        sum(bot[name] * bot["mean_rounds"] * bot["games"] for bot in bots) / seats / rounds
        for name in ("stuck", "too_long")
    )
    matches = f" in {rounds:.1f} rounds" if result["penalty_limit"] else ""
    return f"A game has {turns:.1f} turns{matches}; {stuck:.2%} of the rounds got stuck, {too_long:.2%} took too long"


def _forfeits(bots: Sequence[dict[str, Any]]) -> list[str]:
    """A line for each bot that forfeited games: how many, and of each kind the first reason."""
    lines = []
    for number, bot in enumerate(bots, 1):
        kinds = {kind: count for kind, count in bot["forfeits"].items() if count}
        told = [f"{count:,} {kind.replace('_', ' ')} (first: {bot['faults'][kind]})" for kind, count in kinds.items()]
        games = sum(kinds.values())
        if games:
            noun = "game" if games == 1 else "games"
            lines.append(f"bot {number} ({bot['name']}) forfeited {games:,} {noun}: {', '.join(told)}")
    return lines


def _stopped(rule: dict[str, Any] | None) -> list[str]:
    if rule is None:
        return []
    if rule["rule"] == "within":
        known = f"every win rate was known within ±{rule['within']:.2%}, with confidence {100 * rule['confidence']:g}%"
        return [f"Played until {known}." if rule["reached"] else f"The games were over before {known}."]
    first, second = rule["bots"]
    verdict = {
        "better": f"{first} is better than {second}",
        "not better": f"{first} is not better than {second} by {rule['by']:.2%} or more",
        "undecided": f"whether {first} is better than {second} is undecided",
    }[rule["verdict"]]
    return [
        f"Sequential test after {rule['deals']:,} deals: {verdict} "
        f"(wrongly better in at most {100 * rule['alpha']:g}%, a lead of {rule['by']:.2%} missed in at most "
        f"{100 * rule['beta']:g}% of such tests)."
    ]


def score_table(
    rules: Rules, players: int, limit: int | None, bots: Sequence[Score], known: dict[str, list] | None = None
) -> Table:
    """A row for each bot, with the interval under each figure."""
    title = f"{rules}, {players} players" + (f", matches up to {limit} points" if limit else "")
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("bot", overflow="fold", min_width=9)
    ratings = ["rating"] if known and len(bots) > 1 else []
    for heading in ("win rate", "placement", "points", *ratings):
        table.add_column(heading, justify="right", no_wrap=True)
    for number, score in enumerate(bots):
        rated = [_rating(known["rating"][number], known["rating_interval"][number]) for _ in ratings] if known else []
        table.add_row(
            f"{escape(score.name)}\n{score.games:,} games" + (", sees all hands" if score.cheats else ""),
            _figure(score.win_rate, score.win_rate_interval, ".2%"),
            _figure(score.mean_placement, score.mean_placement_interval, ".3f"),
            _figure(score.points, score.points_interval, ".2f"),
            *rated,
        )
    return table


def cross_table(result: dict[str, Any]) -> Table:
    """How often the bot of a row came ahead of that of a column."""
    table = Table(title="ahead of", title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("")
    for number, _ in enumerate(result["bots"], 1):
        table.add_column(str(number), justify="right")
    for number, (bot, row) in enumerate(zip(result["bots"], result["cross_table"], strict=True), 1):
        table.add_row(f"{number} {escape(bot['name'])}", *[f"{cell['ahead']:.1%}" if cell else "" for cell in row])
    return table


def _figure(value: float, interval: Interval, form: str) -> str:
    return f"{value:{form}}\n{interval[0]:{form}} – {interval[1]:{form}}"


def _rating(value: float, interval: Sequence[float | None]) -> str:
    low, high = ("…" if end is None else f"{end:.0f}" for end in interval)
    return f"{value:.0f}\n{low} – {high}"
