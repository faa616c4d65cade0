"""Games in which one bot plays all seats, as the decisions that were made in them."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.champion import Table
from maumau_env.game.jit import kernel
from maumau_env.game.match import open_games, play_on
from maumau_env.game.state import GAME, RUNNING, raw, taken
from maumau_env.seat.view import VIEW, views
from strategy.bot import Bot
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
    bot: Bot, table: Table, seed: int, first: int, number: int, penalty_limit: int | None = None
) -> Decisions:
    """Games number first, first + 1, ... of a seed; the same ones whenever they are asked for in the same portions.

    Raises:
        AgentError: the bot failed, or played what is not legal.
    """
    running = open_games(table.rules, table.players, penalty_limit, seed, number, first)
    chance = np.random.default_rng([seed, first, CHANCE_OF_GAMES])
    busy, seen, chosen, numbers = np.arange(number), [], [], []
    while len(busy) > 0:
        looked = views(running)
        actions = bot.act(looked, chance.integers(1 << 64, size=len(busy), dtype=np.uint64))
        real = (legal(looked).sum(axis=1) > 1) & (looked["num_players"] == table.players)
        seen.append(taken(looked, real))
        chosen.append(actions[real])
        numbers.append(busy[real])
        bot.carry_out(running, actions)
        goes_on = np.empty(len(busy), np.bool_)
        play_on_kernel(raw(running), goes_on)
        running, busy = taken(running, goes_on), busy[goes_on]
    return Decisions(
        np.concatenate([raw(part) for part in seen]).view(VIEW), np.concatenate(chosen), np.concatenate(numbers), number
    )


@kernel
def play_on_kernel(raw_games: Any, goes_on: Any) -> None:
    """Deal the next round in matches whose round has ended, and write which games go on."""
    games = raw_games.view(GAME)
    for i in range(len(games)):
        goes_on[i] = games[i]["end"] == RUNNING or play_on(games[i])
