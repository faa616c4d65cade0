"""Many games at once between any agents: each tick takes one decision from every table, bot by bot.

A game is a single round or, with a penalty limit, a whole match; its deal then is the first of several, which all
follow from it. Every deal is played once by each seating. A table that ends its game gets the next one at once, so the
batches stay full; which game runs at which table changes nothing: what is dealt depends on (seed, deal), what a seat
draws on (seed, deal, seat, pile) and on which cards are left, not on how many the others drew, and the chance given to
the bots on (seed, deal, decision, agent). Equal bots therefore play equal games in every seating.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.agent import Agent, Cheat
from agents.table import AgentError, describe
from maumau_env.game.batch import illegal_action, step_kernel
from maumau_env.game.bits import scramble
from maumau_env.game.jit import jit, kernel
from maumau_env.game.match import begin, open_games, play_on
from maumau_env.game.result import final_rank
from maumau_env.game.rules import MAX_PLAYERS, Rules
from maumau_env.game.state import GAME, OWN, RUNNING, STUCK, TOO_LONG, raw
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
    """How the games ended; game number i is deal i // seatings, seating i % seatings."""

    ranks: np.ndarray  # int8, (games, players): rank of each agent, from 1 (C16, M4); in a round its seat's
    turns: np.ndarray  # int32, (games,): in all its rounds
    rounds: np.ndarray  # int32, (games,): 1, but for matches
    stuck: np.ndarray  # int32, (games,): rounds that ended so (C17)
    too_long: np.ndarray  # int32, (games,): rounds that ended so (C18)
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
    order: int = OWN,
) -> Results:
    """Play every deal once in every seating.

    Args:
        entrants: the bots.
        seatings: int64, (seatings, players): for each the number of the bot that is each agent.
        deals: how many deals.
        rules: of the table.
        seed: of the cards and of the bots' chance, 0 to 2**64 - 1.
        tables: games at once.
        keep_moves: keep the actions of every game.
        progress: called now and then with the number of games that have ended.
        penalty_limit: play whole matches up to so many points (M2); None for single rounds.
        order: how cards are drawn, OWN or SHUFFLED; the law of the game is the same.

    Raises:
        AgentError: a bot answered with an illegal action or the wrong shape, or raised; names bot, seat and deal.
        ValueError: the rules do not allow so many players, or a bot cannot play under them.
    """
    players = seatings.shape[1]
    rules.check_players(players)
    for entrant in entrants:
        try:
            entrant.agent.check_game(rules, players, penalty_limit)
        except ValueError as error:
            raise ValueError(f"{entrant.name}: {error}") from error
    total = deals * len(seatings)
    games = open_games(rules, players, penalty_limit, seed, min(tables, total))
    games["order"] = order
    hall = _Hall(entrants, seatings, games, total)
    log: list[tuple[np.ndarray, np.ndarray]] = []
    while hall.ended < total:
        numbers, actions = hall.tick()
        if keep_moves:
            log.append((numbers.astype(np.int32), actions.astype(np.uint8)))
        if progress:
            progress(hall.ended)
    return Results(*hall.results, _by_game(log, total) if keep_moves else None)


class _Hall:
    """The tables, which game runs at each, and the arrays that every tick is written into."""

    def __init__(self, entrants: Sequence[Entrant], seatings: np.ndarray, games: np.ndarray, total: int) -> None:
        tables, players = len(games), seatings.shape[1]
        self.entrants, self.seatings, self.games, self.total = entrants, seatings, games, total
        self.results = np.zeros((total, players), np.int8), *np.zeros((4, total), np.int32)
        self.ended, self.begun = 0, tables
        self.numbers = np.arange(tables)  # of the game at each table
        self.decisions = np.zeros(tables, np.int64)  # taken so far in that game
        self.busy = np.arange(tables)  # tables where a game runs
        self.order = np.empty(tables, np.int64)  # the busy tables, sorted by the bot to move
        self.first = np.empty(len(entrants) + 1, np.int64)  # where each bot's tables begin in that order
        self.views, self.words = np.zeros(tables, VIEW), np.empty(tables, np.uint64)  # in that order
        self.actions = np.empty(tables, np.int64)  # by table
        begin_kernel(raw(games), self.busy, self.numbers // len(seatings))

    def tick(self) -> tuple[np.ndarray, np.ndarray]:
        """One decision at every busy table; returns the numbers of the games and the actions."""
        survey_kernel(
            raw(self.games), self.busy, self.numbers, self.decisions, self.seatings, self.order, self.first,
            raw(self.views), self.words,
        )  # fmt: skip
        for bot in range(len(self.entrants)):
            start, stop = self.first[bot], self.first[bot + 1]
            if start < stop:
                tables = self.order[start:stop]
                self.actions[tables] = self._ask(bot, tables, self.views[start:stop], self.words[start:stop])
        played = self.numbers[self.busy], self.actions[self.busy]
        if (wrong := step_kernel(raw(self.games), self.actions)) >= 0:
            self._refuse(wrong)
        self.decisions += 1
        over = self.order[: settle_kernel(raw(self.games), self.busy, self.numbers, *self.results, self.order)]
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
        begin_kernel(raw(self.games), again, self.numbers[again] // len(self.seatings))
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
        game, (deal_number, seating) = self.games[table], divmod(self.numbers[table], len(self.seatings))
        bot = self.seatings[seating, game["agents"][game["seat"]]]
        who = f"bot {bot + 1} ({self.entrants[bot].name}), deal {deal_number}, "
        raise AgentError(illegal_action(game, self.actions[table], who))


def _by_game(log: list[tuple[np.ndarray, np.ndarray]], games: int) -> list[np.ndarray]:
    """The actions of each game in the order in which they were taken."""
    numbers, actions = (np.concatenate(column) for column in zip(*log, strict=True))
    order = np.argsort(numbers, kind="stable")
    ends = np.cumsum(np.bincount(numbers, minlength=games))
    return np.split(actions[order], ends[:-1])


@kernel
def survey_kernel(
    raw_games: Any, busy: Any, numbers: Any, decisions: Any, seatings: Any, order: Any, first: Any,
    raw_views: Any, words: Any,
) -> None:  # fmt: skip
    """Sort the busy tables by the bot to move, and show each bot its views and words."""
    games, views = raw_games.view(GAME), raw_views.view(VIEW)
    first[:] = 0
    for table in busy:
        bot = seatings[numbers[table] % len(seatings), games[table]["agents"][games[table]["seat"]]]
        first[bot + 1] += 1
    for bot in range(len(first) - 1):
        first[bot + 1] += first[bot]
    place = first.copy()
    for table in busy:
        g = games[table]
        bot = seatings[numbers[table] % len(seatings), g["agents"][g["seat"]]]
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
    raw_games: Any, busy: Any, numbers: Any, ranks: Any, turns: Any, rounds: Any, stuck: Any, too_long: Any, over: Any
) -> int:
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
        if play_on(g):
            continue
        for agent in range(ranks.shape[1]):
            ranks[number, agent] = final_rank(g, agent)[0]
        over[ended] = table
        ended += 1
    return ended
