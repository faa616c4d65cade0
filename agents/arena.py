"""Many games at once between any agents: each tick takes one decision from every table, bot by bot.

A game is a single round or, with a penalty limit, a whole match; its deal then is the first of several, which all
follow from it. Every deal is played once by each seating. A table that ends its game gets the next one at once, so the
batches stay full; which game runs at which table changes nothing, since a game's cards depend on (seed, deal) and the
chance given to its bots on (seed, deal, decision, agent). Equal bots therefore play equal games in every seating.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from agents.agent import Agent, Cheat
from agents.habits import HABITS, note_choices, note_losses
from agents.table import AgentError, describe
from maumau_env.game.batch import illegal_action, step_kernel
from maumau_env.game.bits import scramble
from maumau_env.game.jit import jit, kernel
from maumau_env.game.match import begin, open_games, play_on
from maumau_env.game.result import final_points, final_rank
from maumau_env.game.rules import MAX_PLAYERS, Rules
from maumau_env.game.state import GAME, RUNNING, STUCK, TOO_LONG, raw
from maumau_env.seat.view import VIEW, look

TABLES = 2048
"""How many games are played at once, unless told otherwise; it changes the speed alone."""

CHANCE_OF_BOTS = np.uint64(0xB07_5EED)
"""Keeps the words of the bots apart from the generator of the game."""


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
    ranks: np.ndarray  # int8, (games, players): rank of each agent, from 1 (C16, M4); in a round its seat's
    points: np.ndarray  # int32, (games, players): penalty points of each agent at the end (M1)
    turns: np.ndarray  # int32, (games,): in all its rounds
    rounds: np.ndarray  # int32, (games,): 1, but for matches
    stuck: np.ndarray  # int32, (games,): rounds that ended so (C17)
    too_long: np.ndarray  # int32, (games,): rounds that ended so (C18)
    habits: np.ndarray  # int64, (bots, HABITS): what each bot did in all these games, counted
    seconds: np.ndarray  # float64, (bots,): time that each bot took for its decisions
    moves: list[np.ndarray] | None  # uint8 action numbers of each game, when they were asked for


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
) -> Results:
    """Play every deal once in every seating: game number i is deal i // seatings, seating i % seatings.

    Args:
        seatings: int64, (seatings, players): for each the number of the bot that is each agent.
        deals: how many deals.
        entrants, rules, seed, tables, keep_moves, progress, penalty_limit: as for `play_games`.

    Raises:
        AgentError, ValueError: as `play_games`.
    """
    lanes = np.repeat(np.arange(deals), len(seatings))
    bots = np.tile(seatings, (deals, 1))
    return play_games(entrants, lanes, bots, rules, seed, tables, keep_moves, progress, penalty_limit)


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

    Raises:
        AgentError: a bot answered with an illegal action or the wrong shape, or raised; names bot, seat and deal.
        ValueError: the rules do not allow so many players, or a bot cannot play under them.
    """
    total, players = bots.shape
    check_bots(entrants, rules, players, penalty_limit)
    hall = _Hall(entrants, deals, bots, open_games(rules, players, penalty_limit, seed, min(tables, total)))
    log: list[tuple[np.ndarray, np.ndarray]] = []
    while hall.ended < total:
        numbers, actions = hall.tick()
        if keep_moves:
            log.append((numbers.astype(np.int32), actions.astype(np.uint8)))
        if progress:
            progress(hall.ended)
    moves = _by_game(log, total) if keep_moves else None
    return Results(deals, bots, *hall.results, hall.habits, hall.seconds, moves)


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

    def __init__(self, entrants: Sequence[Entrant], deals: np.ndarray, bots: np.ndarray, games: np.ndarray) -> None:
        tables, (total, players) = len(games), bots.shape
        self.entrants, self.deals, self.bots, self.games, self.total = entrants, deals, bots, games, total
        self.results = (
            np.zeros((total, players), np.int8), np.zeros((total, players), np.int32), *np.zeros((4, total), np.int32)
        )  # fmt: skip
        self.habits, self.seconds = np.zeros((len(entrants), HABITS), np.int64), np.zeros(len(entrants))
        self.ended, self.begun = 0, tables
        self.numbers = np.arange(tables)  # of the game at each table
        self.decisions = np.zeros(tables, np.int64)  # taken so far in that game
        self.busy = np.arange(tables)  # tables where a game runs
        self.order = np.empty(tables, np.int64)  # the busy tables, sorted by the bot to move
        self.first = np.empty(len(entrants) + 1, np.int64)  # where each bot's tables begin in that order
        self.views, self.words = np.zeros(tables, VIEW), np.empty(tables, np.uint64)  # in that order
        self.actions = np.empty(tables, np.int64)  # by table
        begin_kernel(raw(games), self.busy, deals[self.numbers])

    def tick(self) -> tuple[np.ndarray, np.ndarray]:
        """One decision at every busy table; returns the numbers of the games and the actions."""
        survey_kernel(
            raw(self.games), self.busy, self.numbers, self.decisions, self.bots, self.order, self.first,
            raw(self.views), self.words,
        )  # fmt: skip
        for bot in range(len(self.entrants)):
            start, stop = self.first[bot], self.first[bot + 1]
            if start < stop:
                tables, begin = self.order[start:stop], perf_counter()
                self.actions[tables] = self._ask(bot, tables, self.views[start:stop], self.words[start:stop])
                self.seconds[bot] += perf_counter() - begin
                note_choices(raw(self.views[start:stop]), self.actions[tables], self.habits[bot])
        played = self.numbers[self.busy], self.actions[self.busy]
        if (wrong := step_kernel(raw(self.games), self.actions)) >= 0:
            self._refuse(wrong)
        self.decisions += 1
        ended = settle_kernel(
            raw(self.games), self.busy, self.numbers, self.bots, *self.results, self.habits, self.order
        )
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

    def _ask(self, bot: int, tables: np.ndarray, views: np.ndarray, words: np.ndarray) -> np.ndarray:
        """The actions of a bot, one for each of these tables, of which it is shown the views."""
        who, agent = f"bot {bot + 1} ({self.entrants[bot].name})", self.entrants[bot].agent
        try:
            cheats = isinstance(agent, Cheat)
            actions = np.asarray(agent.act_on(self.games[tables], words) if cheats else agent.act(views, words))
        except Exception as error:
            raise AgentError(f"{who} failed: {describe(error)}") from error
        if actions.shape != (len(views),) or actions.dtype.kind not in "iu":
            raise AgentError(
                f"{who} must answer {len(views)} views with an array of as many whole numbers, "
                f"not with shape {actions.shape} of {actions.dtype}"
            )
        return actions

    def _refuse(self, table: int) -> None:
        """AgentError for an illegal action."""
        game, number = self.games[table], self.numbers[table]
        bot = self.bots[number, game["agents"][game["seat"]]]
        who = f"bot {bot + 1} ({self.entrants[bot].name}), deal {self.deals[number]}, "
        raise AgentError(illegal_action(game, self.actions[table], who))


def _by_game(log: list[tuple[np.ndarray, np.ndarray]], games: int) -> list[np.ndarray]:
    """The actions of each game in the order in which they were taken."""
    numbers, actions = (np.concatenate(column) for column in zip(*log, strict=True))
    order = np.argsort(numbers, kind="stable")
    ends = np.cumsum(np.bincount(numbers, minlength=games))
    return np.split(actions[order], ends[:-1])


@kernel
def survey_kernel(
    raw_games: Any, busy: Any, numbers: Any, decisions: Any, bots: Any, order: Any, first: Any,
    raw_views: Any, words: Any,
) -> None:  # fmt: skip
    """Sort the busy tables by the bot to move, and show each bot its views and words."""
    games, views = raw_games.view(GAME), raw_views.view(VIEW)
    first[:] = 0
    for table in busy:
        bot = bots[numbers[table], games[table]["agents"][games[table]["seat"]]]
        first[bot + 1] += 1
    for bot in range(len(first) - 1):
        first[bot + 1] += first[bot]
    place = first.copy()
    for table in busy:
        g = games[table]
        bot = bots[numbers[table], g["agents"][g["seat"]]]
        i = place[bot]
        place[bot] += 1
        order[i] = table
        look(g, g["seat"], views[i])
        words[i] = word_of(g, decisions[table])


@jit
def word_of(g: Any, decision: Any) -> Any:
    """The chance given to the agent to move for its decision, by its number in this game."""
    game = scramble(scramble(g["seed"] ^ CHANCE_OF_BOTS) ^ np.uint64(g["lane"]))
    return scramble(game ^ np.uint64(decision * MAX_PLAYERS + g["agents"][g["seat"]]))


@kernel
def begin_kernel(raw_games: Any, tables: Any, lanes: Any) -> None:
    """Begin the game of a lane at each of these tables."""
    games = raw_games.view(GAME)
    for i in range(len(tables)):
        g = games[tables[i]]
        g["lane"], g["episode"] = lanes[i], 0
        begin(g)


@kernel
def settle_kernel(
    raw_games: Any, busy: Any, numbers: Any, bots: Any, ranks: Any, points: Any, turns: Any, rounds: Any, stuck: Any,
    too_long: Any, habits: Any, over: Any,
) -> int:  # fmt: skip
    """Count the rounds that have ended, and play on where there are more; returns how many games are `over`."""
    games, ended = raw_games.view(GAME), 0
    for table in busy:
        g, number = games[table], numbers[table]
        if g["end"] == RUNNING:
            continue
        turns[number] += g["turns"]
        rounds[number] += 1
        stuck[number] += g["end"] == STUCK
        too_long[number] += g["end"] == TOO_LONG
        note_losses(g, bots[number], habits)
        if play_on(g):
            continue
        for agent in range(ranks.shape[1]):
            ranks[number, agent] = final_rank(g, agent)[0]
            points[number, agent] = final_points(g, agent)
        over[ended] = table
        ended += 1
    return ended
