"""What the arena does at all its tables at once, compiled."""

from typing import Any

import numpy as np

from agents.forfeits import place_last
from agents.habits import note_losses
from maumau_env.game import play
from maumau_env.game.bits import scramble
from maumau_env.game.jit import jit, kernel
from maumau_env.game.match import begin, play_on
from maumau_env.game.result import final_points, final_rank
from maumau_env.game.rules import MAX_PLAYERS
from maumau_env.game.state import GAME, RUNNING, STUCK, TOO_LONG
from maumau_env.seat.view import VIEW, look

CHANCE_OF_BOTS = np.uint64(0xB07_5EED)
"""Keeps the words of the bots apart from the generator of the game."""


@kernel
def survey_kernel(
    raw_games: Any, busy: Any, numbers: Any, decisions: Any, bots: Any, forfeits: Any, movers: Any,
    order: Any, first: Any, raw_views: Any, words: Any, legal: Any,
) -> None:  # fmt: skip
    """Sort the busy tables by the bot to move, last those of agents that forfeited; make their views and words."""
    games, views = raw_games.view(GAME), raw_views.view(VIEW)
    first[:] = 0
    for table in busy:
        movers[table] = bot_to_move(games[table], numbers[table], bots, forfeits, len(first) - 2)
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
def bot_to_move(g: Any, number: Any, bots: Any, forfeits: Any, nobody: Any) -> Any:
    """The bot that is the agent to move in the game with this number; `nobody` if that agent has forfeited."""
    agent = g["agents"][g["seat"]]
    return nobody if forfeits[number, agent] else bots[number, agent]


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
    raw_games: Any, busy: Any, numbers: Any, actions: Any, bots: Any, forfeits: Any, ranks: Any, points: Any,
    turns: Any, rounds: Any, stuck: Any, too_long: Any, habits: Any, over: Any,
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
        note_losses(g, bots[number], forfeits[number], habits)
        if play_on(g):
            continue
        for agent in range(ranks.shape[1]):
            ranks[number, agent] = final_rank(g, agent)[0]
            points[number, agent] = final_points(g, agent)
        place_last(ranks[number], forfeits[number])
        over[ended] = table
        ended += 1
    return ended
