"""Many games at once between any agents: each tick takes one decision from every table, bot by bot.

A game is a single round or, with a penalty limit, a whole match; its deal then is the first of several, which all
follow from it. A table that ends its game gets the next one at once, so the batches stay full; which game runs at which
table changes nothing: what is dealt depends on (seed, deal), what a seat draws on (seed, deal, seat, pile) and on which
cards are left, not on how many the others drew, and the chance given to the bots on (seed, deal, decision, agent).
Equal bots therefore play equal games wherever they sit.

A bot that fails forfeits the game, as `forfeits.py` says; the other games go on as if nothing had happened.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from agents.agent import Agent, Cheat
from agents.answers import START_SECONDS, answers, check_seconds
from agents.arena_kernels import begin_kernel, step_kernel, survey_kernel
from agents.errors import AgentError
from agents.forfeits import Forfeits, judge_kernel
from agents.habits import HABITS, TIMED, note_choices
from maumau_env.game.match import open_games
from maumau_env.game.rules import Rules
from maumau_env.game.state import OWN, raw, taken
from maumau_env.seat.view import VIEW

TABLES = 2048
"""How many games are played at once, unless told otherwise; it changes the speed alone."""


@dataclass(frozen=True)
class Entrant:
    """A bot at the start of a tournament."""

    name: str
    agent: Agent
    sha256: str | None = None  # of the bot's file, where it has one


@dataclass(frozen=True)
class Results:
    """How the games ended, in the order in which they were asked for."""

    deals: np.ndarray  # int64, (games,)
    bots: np.ndarray  # int64, (games, players): number of the bot that was each agent
    ranks: np.ndarray  # int8, (games, players): rank of each agent, from 1 (C16, M4); who forfeits is last
    points: np.ndarray  # int32, (games, players): penalty points of each agent at the end (M1)
    turns: np.ndarray  # int32, (games,): in all its rounds
    rounds: np.ndarray  # int32, (games,): 1, but for matches
    stuck: np.ndarray  # int32, (games,): rounds that ended so (C17)
    too_long: np.ndarray  # int32, (games,): rounds that ended so (C18)
    forfeits: np.ndarray  # uint8, (games, players): FINE, or how each agent forfeited, see `answers.py`
    faults: dict[str, str]  # why each bot first forfeited in each way, as `Forfeits.told` gives it
    habits: np.ndarray  # int64, (bots, HABITS): what each bot did in all these games, counted
    seconds: np.ndarray  # float64, (bots,): time that each bot took for the decisions that were timed
    moves: list[np.ndarray] | None  # uint8 action numbers of each game, when they were asked for


@dataclass(frozen=True)
class Terms:
    """How games are played.

    Attributes:
        order: how cards are drawn, OWN or SHUFFLED; the law of the game is the same.
        move_seconds: the time that a bot has for a move; None: guests have 10 s, others any time.
        forfeits: whether a bot may forfeit games; else the first forfeit is an error.
    """

    order: int = OWN
    move_seconds: float | None = None
    forfeits: bool = False

    def __post_init__(self) -> None:
        check_seconds(self.move_seconds)


STRICT = Terms()


def play_all(
    entrants: Sequence[Entrant],
    seatings: np.ndarray,
    deals: int,
    rules: Rules,
    seed: int,
    tables: int = TABLES,
    keep_moves: bool = False,
    progress: Callable[[int], object] | None = None,
    penalty_limit: int | None = None,
    terms: Terms = STRICT,
) -> Results:
    """Play every deal once in every seating: game number i is deal i // seatings, seating i % seatings.

    `seatings` are int64, (seatings, players): for each the number of the bot that is each agent; `deals` is their
    number. All else is as for `play_games`.
    """
    lanes = np.repeat(np.arange(deals), len(seatings))
    bots = np.tile(seatings, (deals, 1))
    return play_games(entrants, lanes, bots, rules, seed, tables, keep_moves, progress, penalty_limit, terms)


def play_games(
    entrants: Sequence[Entrant],
    deals: np.ndarray,
    bots: np.ndarray,
    rules: Rules,
    seed: int,
    tables: int = TABLES,
    keep_moves: bool = False,
    progress: Callable[[int], object] | None = None,
    penalty_limit: int | None = None,
    terms: Terms = STRICT,
) -> Results:
    """Play these games.

    Args:
        entrants: the bots.
        deals: number of the deal of each game, int64, (games,).
        bots: number of the bot that is each agent, int64, (games, players).
        rules: of the table.
        seed: of the cards and of the bots' chance, 0 to 2**64 - 1.
        tables: games at once.
        keep_moves: keep the actions of every game.
        progress: called now and then with the number of games that have ended.
        penalty_limit: play whole matches up to so many points (M2); None for single rounds.
        terms: how they are played.

    Raises:
        AgentError: a bot answered illegally or too late, or raised; names bot, deal and reason. Not if it may forfeit.
        ValueError: the rules do not allow so many players, or a bot cannot play under them.
    """
    total, players = bots.shape
    check_bots(entrants, rules, players, penalty_limit)
    games = open_games(rules, players, penalty_limit, seed, min(tables, total))
    games["order"] = terms.order
    hall = _Hall(entrants, deals, bots, games, terms)
    log: list[tuple[np.ndarray, np.ndarray]] = []
    while hall.ended < total:
        numbers, actions = hall.tick()
        if keep_moves:
            log.append((numbers.astype(np.int32), actions.astype(np.uint8)))
        if progress:
            progress(hall.ended)
    return Results(
        deals, bots, *hall.results, hall.forfeits.kinds, hall.forfeits.told(), hall.habits, hall.seconds,
        _by_game(log, total) if keep_moves else None,
    )  # fmt: skip


def check_bots(entrants: Sequence[Entrant], rules: Rules, players: int, penalty_limit: int | None) -> None:
    """ValueError when so many players cannot sit at this table, or a bot cannot play there; names the bot."""
    rules.check_players(players)
    for entrant in entrants:
        try:
            entrant.agent.check_game(rules, players, penalty_limit)
        except ValueError as error:
            raise ValueError(f"{entrant.name}: {error}") from error


class _Hall:
    """The tables, which game runs at each, and the arrays that every tick is written into."""

    def __init__(
        self, entrants: Sequence[Entrant], deals: np.ndarray, bots: np.ndarray, games: np.ndarray, terms: Terms
    ) -> None:
        tables, (total, players) = len(games), bots.shape
        self.entrants, self.deals, self.bots, self.games, self.total = entrants, deals, bots, games, total
        self.terms, self.forfeits, self.asked = terms, Forfeits(deals, bots), set[int]()
        by_agent = np.zeros((total, players), np.int8), np.zeros((total, players), np.int32)
        self.results = *by_agent, *np.zeros((4, total), np.int32)
        self.habits, self.seconds = np.zeros((len(entrants), HABITS), np.int64), np.zeros(len(entrants))
        self.ended, self.begun = 0, tables
        self.numbers = np.arange(tables)  # of the game at each table
        self.decisions = np.zeros(tables, np.int64)  # taken so far in that game
        self.busy = np.arange(tables)  # tables where a game runs
        self.movers = np.empty(tables, np.int64)  # the bot to move at each table
        self.order = np.empty(tables, np.int64)  # the busy tables, sorted by the bot to move
        self.first = np.empty(len(entrants) + 2, np.int64)  # where the tables of each bot, and of nobody, begin there
        self.views, self.words = np.zeros(tables, VIEW), np.empty(tables, np.uint64)  # in that order
        self.legal = np.empty(tables, np.uint64)  # the same sets of actions as in the views, out of the bots' reach
        self.actions = np.empty(tables, np.int64)  # by table
        begin_kernel(raw(games), self.busy, deals[self.numbers])

    def tick(self) -> tuple[np.ndarray, np.ndarray]:
        """One decision at every busy table; returns the numbers of the games and the actions."""
        survey_kernel(
            raw(self.games), self.busy, self.numbers, self.decisions, self.bots, self.forfeits.kinds, self.movers,
            self.order, self.first, raw(self.views), self.words, self.legal,
        )  # fmt: skip
        for bot in range(len(self.first) - 1):
            start, stop = self.first[bot], self.first[bot + 1]
            if start < stop:
                self.actions[self.order[start:stop]] = self._ask(bot, slice(start, stop))
        played = self.numbers[self.busy], self.actions[self.busy]
        self.decisions += 1
        ended = step_kernel(
            raw(self.games), self.busy, self.numbers, self.actions, self.bots, self.forfeits.kinds, *self.results,
            self.habits, self.order,
        )  # fmt: skip
        over = self.order[:ended]
        if len(over):
            self._turn_over(over.copy())
        return played

    def _turn_over(self, tables: np.ndarray) -> None:
        """Begin the next games at tables where one has ended, while there are any."""
        self.ended += len(tables)
        again = tables[: self.total - self.begun]
        self.numbers[again] = np.arange(self.begun, self.begun + len(again))
        self.begun += len(again)
        self.decisions[again] = 0
        begin_kernel(raw(self.games), again, self.deals[self.numbers[again]])
        if len(again) < len(tables):
            self.busy = np.setdiff1d(self.busy, tables[len(again) :], assume_unique=True)

    def _ask(self, bot: int, part: slice) -> np.ndarray:
        """Legal actions of a bot for its part of the tables in their order, of which it is shown the views."""
        tables, views, words = self.order[part], self.views[part], self.words[part]
        if bot == len(self.entrants):
            return self.forfeits.play_on(views, words)
        agent, start_seconds = self.entrants[bot].agent, 0 if bot in self.asked else START_SECONDS
        games = taken(self.games, tables) if isinstance(agent, Cheat) else None
        begin = perf_counter()
        found = answers(agent, views, words, self.terms.move_seconds, games, start_seconds)
        if bot in self.asked:  # the first time it is loaded and compiled
            self.seconds[bot] += perf_counter() - begin
            self.habits[bot, TIMED] += len(views)
        self.asked.add(bot)
        if judge_kernel(self.legal[part], found.actions, found.faults):
            noted = self.forfeits.note(taken(self.games, tables), self.numbers[tables], words, found)
            if not self.terms.forfeits:
                raise AgentError(noted[0].sentence(self.entrants[bot].name))
        note_choices(raw(views), found.actions, found.faults, self.habits[bot])
        return found.actions


def _by_game(log: list[tuple[np.ndarray, np.ndarray]], games: int) -> list[np.ndarray]:
    """The actions of each game in the order in which they were taken."""
    numbers, actions = (np.concatenate(column) for column in zip(*log, strict=True))
    order = np.argsort(numbers, kind="stable")
    ends = np.cumsum(np.bincount(numbers, minlength=games))
    return np.split(actions[order], ends[:-1])
