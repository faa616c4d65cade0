"""Many games at once between any agents: each tick takes one decision from every table, bot by bot.

A game is a single round or, with a penalty limit, a whole match; its deal then is the first of several, which all
follow from it. Every deal is played once by each seating. A table that ends its game gets the next one at once, so the
batches stay full; which game runs at which table changes nothing, since a game's cards depend on (seed, deal) and the
chance given to its bots on (seed, deal, decision, agent). Equal bots therefore play equal games in every seating.

A bot that fails forfeits the game, as `forfeits.py` says; the other games go on as if nothing had happened.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.agent import Agent, Cheat
from agents.answers import START_SECONDS, answers, check_seconds
from agents.errors import AgentError
from agents.forfeits import Forfeit, Forfeits, judge_kernel, place_last
from maumau_env.game import play
from maumau_env.game.bits import scramble
from maumau_env.game.jit import jit, kernel
from maumau_env.game.match import begin, open_games, play_on
from maumau_env.game.result import final_rank
from maumau_env.game.rules import MAX_PLAYERS, Rules
from maumau_env.game.state import GAME, RUNNING, STUCK, TOO_LONG, raw, taken
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

    ranks: np.ndarray  # int8, (games, players): rank of each agent, from 1 (C16, M4); who forfeits is last
    turns: np.ndarray  # int32, (games,): in all its rounds
    rounds: np.ndarray  # int32, (games,): 1, but for matches
    stuck: np.ndarray  # int32, (games,): rounds that ended so (C17)
    too_long: np.ndarray  # int32, (games,): rounds that ended so (C18)
    forfeits: np.ndarray  # uint8, (games, players): FINE, or how each agent forfeited, see `answers.py`
    first_forfeits: Sequence[Forfeit]  # the first of each bot and kind
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
    move_seconds: float | None = None,
    forfeits: bool = False,
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
        move_seconds: the time that a bot has for a move; None: guests have 10 s, others any time.
        forfeits: whether a bot may forfeit games; else the first forfeit is an error.

    Raises:
        AgentError: a bot answered illegally or too late, or raised; names bot, deal and reason. Not with `forfeits`.
        ValueError: the rules do not allow so many players, or a bot cannot play under them.
    """
    players = seatings.shape[1]
    rules.check_players(players)
    check_seconds(move_seconds)
    for entrant in entrants:
        try:
            entrant.agent.check_game(rules, players, penalty_limit)
        except ValueError as error:
            raise ValueError(f"{entrant.name}: {error}") from error
    total = deals * len(seatings)
    games = open_games(rules, players, penalty_limit, seed, min(tables, total))
    hall = _Hall(entrants, seatings, games, total, move_seconds, forfeits)
    log: list[tuple[np.ndarray, np.ndarray]] = []
    while hall.ended < total:
        numbers, actions = hall.tick()
        if keep_moves:
            log.append((numbers.astype(np.int32), actions.astype(np.uint8)))
        if progress:
            progress(hall.ended)
    first = tuple(hall.forfeits.first[key] for key in sorted(hall.forfeits.first))
    return Results(*hall.results, hall.forfeits.kinds, first, _by_game(log, total) if keep_moves else None)


class _Hall:
    """The tables, which game runs at each, and the arrays that every tick is written into."""

    def __init__(
        self,
        entrants: Sequence[Entrant],
        seatings: np.ndarray,
        games: np.ndarray,
        total: int,
        move_seconds: float | None,
        may_forfeit: bool,
    ) -> None:
        tables, players = len(games), seatings.shape[1]
        self.entrants, self.seatings, self.games, self.total = entrants, seatings, games, total
        self.move_seconds, self.may_forfeit = move_seconds, may_forfeit
        self.forfeits, self.asked = Forfeits(seatings, total), set[int]()
        self.results = np.zeros((total, players), np.int8), *np.zeros((4, total), np.int32)
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
        begin_kernel(raw(games), self.busy, self.numbers // len(seatings))

    def tick(self) -> tuple[np.ndarray, np.ndarray]:
        """One decision at every busy table; returns the numbers of the games and the actions."""
        survey_kernel(
            raw(self.games), self.busy, self.numbers, self.decisions, self.seatings, self.forfeits.kinds, self.movers,
            self.order, self.first, raw(self.views), self.words, self.legal,
        )  # fmt: skip
        for bot in range(len(self.first) - 1):
            start, stop = self.first[bot], self.first[bot + 1]
            if start < stop:
                self.actions[self.order[start:stop]] = self._ask(bot, slice(start, stop))
        played = self.numbers[self.busy], self.actions[self.busy]
        self.decisions += 1
        ended = step_kernel(
            raw(self.games), self.busy, self.numbers, self.actions, self.forfeits.kinds, *self.results, self.order
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
        begin_kernel(raw(self.games), again, self.numbers[again] // len(self.seatings))
        if len(again) < len(tables):
            self.busy = np.setdiff1d(self.busy, tables[len(again) :], assume_unique=True)

    def _ask(self, bot: int, part: slice) -> np.ndarray:
        """Legal actions of a bot for its part of the tables in their order, of which it is shown the views."""
        tables, views, words = self.order[part], self.views[part], self.words[part]
        if bot == len(self.entrants):
            return self.forfeits.play_on(views, words)
        agent, start_seconds = self.entrants[bot].agent, 0 if bot in self.asked else START_SECONDS
        games = taken(self.games, tables) if isinstance(agent, Cheat) else None
        found = answers(agent, views, words, self.move_seconds, games, start_seconds)
        self.asked.add(bot)
        if judge_kernel(self.legal[part], found.actions, found.faults):
            noted = self.forfeits.note(taken(self.games, tables), self.numbers[tables], words, found)
            if not self.may_forfeit:
                raise AgentError(noted[0].sentence(self.entrants[bot].name))
        return found.actions


def _by_game(log: list[tuple[np.ndarray, np.ndarray]], games: int) -> list[np.ndarray]:
    """The actions of each game in the order in which they were taken."""
    numbers, actions = (np.concatenate(column) for column in zip(*log, strict=True))
    order = np.argsort(numbers, kind="stable")
    ends = np.cumsum(np.bincount(numbers, minlength=games))
    return np.split(actions[order], ends[:-1])


@kernel
def survey_kernel(
    raw_games: Any, busy: Any, numbers: Any, decisions: Any, seatings: Any, forfeits: Any, movers: Any,
    order: Any, first: Any, raw_views: Any, words: Any, legal: Any,
) -> None:  # fmt: skip
    """Sort the busy tables by the bot to move, last those of agents that forfeited; make their views and words."""
    games, views = raw_games.view(GAME), raw_views.view(VIEW)
    first[:] = 0
    for table in busy:
        movers[table] = bot_to_move(games[table], numbers[table], seatings, forfeits, len(first) - 2)
        first[movers[table] + 1] += 1
    for bot in range(len(first) - 1):
        first[bot + 1] += first[bot]
    place = first.copy()
    for table in busy:
        g = games[table]
        i = place[movers[table]]
        place[movers[table]] += 1
        order[i] = table
        look(g, g["seat"], views[i])
        words[i] = word_of(g, decisions[table])
        legal[i] = views[i]["legal"]


@jit
def bot_to_move(g: Any, number: Any, seatings: Any, forfeits: Any, nobody: Any) -> Any:
    """The bot that is the agent to move in the game with this number; `nobody` if that agent has forfeited."""
    agent = g["agents"][g["seat"]]
    return nobody if forfeits[number, agent] else seatings[number % len(seatings), agent]


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
def step_kernel(
    raw_games: Any, busy: Any, numbers: Any, actions: Any, forfeits: Any,
    ranks: Any, turns: Any, rounds: Any, stuck: Any, too_long: Any, over: Any,
) -> int:  # fmt: skip
    """Take the decisions, which are legal. Returns how many games are `over`; where a round has ended, count it."""
    games, ended = raw_games.view(GAME), 0
    for table in busy:
        g, number = games[table], numbers[table]
        play.step(g, actions[table])
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
        place_last(ranks[number], forfeits[number])
        over[ended] = table
        ended += 1
    return ended
