"""Games in which one bot plays all seats, as the decisions that were made in them."""

from dataclasses import dataclass

import numpy as np

from agents.agent import Agent
from agents.arena import settle_kernel
from agents.champion import Table
from maumau_env.game import batch
from maumau_env.game.match import open_games
from maumau_env.game.rules import MAX_PLAYERS
from maumau_env.game.state import raw, taken
from maumau_env.seat.view import VIEW, views
from strategy.reading import legal

CHANCE_OF_GAMES = 0x6A3E5
"""Keeps the chance of the players apart from all else that is drawn with the same seed."""


@dataclass(frozen=True)
class Decisions:
    """The real choices in some games: the decisions at which more than one action was legal.

    In a match only those while all who sat down are still in.
    """

    views: np.ndarray  # VIEW, (n,)
    choices: np.ndarray  # int64, (n,): what was played
    games: np.ndarray  # int64, (n,): the number of the game, from 0
    number: int  # of games


def play_games(
    agent: Agent, table: Table, seed: int, first: int, number: int, penalty_limit: int | None = None
) -> Decisions:
    """Games number first, first + 1, ... of a seed; the same ones whenever they are asked for in the same portions.

    Raises:
        IllegalActionError: the bot played what is not legal.
    """
    games = open_games(table.rules, table.players, penalty_limit, seed, number, first)
    chance = np.random.default_rng([seed, first, CHANCE_OF_GAMES])
    busy, seen, chosen, numbers = np.arange(number), [], [], []
    while len(busy) > 0:
        running = taken(games, busy)
        looked = views(running)
        actions = agent.act(looked, chance.integers(1 << 64, size=len(busy), dtype=np.uint64))
        real = (legal(looked).sum(axis=1) > 1) & (looked["num_players"] == table.players)
        seen.append(taken(looked, real))
        chosen.append(actions[real])
        numbers.append(busy[real])
        batch.step(running, actions)
        going_on = play_on_all(running)
        raw(games).reshape(number, -1)[busy] = raw(running).reshape(len(busy), -1)
        busy = busy[going_on]
    return Decisions(
        np.concatenate([raw(part) for part in seen]).view(VIEW), np.concatenate(chosen), np.concatenate(numbers), number
    )


def play_on_all(games: np.ndarray) -> np.ndarray:
    """Deal the next round in matches whose round has ended; returns which games go on, bool, (n,)."""
    number = len(games)
    counts = np.zeros((number, MAX_PLAYERS), np.int8), *np.zeros((4, number), np.int32)
    over = np.empty(number, np.int64)
    ended = settle_kernel(raw(games), np.arange(number), np.arange(number), *counts, over)
    going_on = np.ones(number, bool)
    going_on[over[:ended]] = False
    return going_on
