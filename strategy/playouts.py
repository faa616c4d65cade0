"""Rounds played to their end by one bot on every seat, thousands at once.

Any agent can be asked, since all it ever gets are views: in each step it decides in every round that is still running.
The chance that it may use comes from a word of each round, so equal rounds with equal words end alike. Told is how the
round ends for every seat, in whole numbers. Compiled playouts, by a network or the heuristic alone and for the seat to
move, to the end of a match, are `agents/outcome.py`.
"""

from typing import Any, NamedTuple

import numpy as np

from maumau_env.game.actions import count_actions, nth_action
from maumau_env.game.bits import ONE, scramble
from maumau_env.game.jit import kernel
from maumau_env.game.play import legal, step
from maumau_env.game.result import rank_in_round
from maumau_env.game.state import GAME, RUNNING, copied, raw
from maumau_env.seat.view import VIEW, look
from strategy.bot import Bot

WHOLE = 60
"""A win in parts, so that every share of it among 2 to 5 is a whole number and sums are exact."""

CHANCE_OF_BOTS = np.uint64(0x5EA7_5EA7)
"""Keeps the chance of the bot apart from that of the cards."""


class Outcomes(NamedTuple):
    """How rounds ended, each row one round."""

    shares: np.ndarray  # int64, (n, seats): of the win, in parts of WHOLE; who shares the first rank shares it (C16)
    places: np.ndarray  # float64, (n, seats): rank from 1, equal ones the mean of the places that they share


def play_out(worlds: np.ndarray, bot: Bot, first: np.ndarray | None = None) -> Outcomes:
    """How each of these rounds ends when the bot plays on for everybody.

    Args:
        worlds: GAMEs, shape (n,), with equally many seats; they stay as they are. Those that are over end as they did.
        bot: plays all seats, and is shown the VIEW of the seat to move alone.
        first: legal actions, int64, shape (n,), which the seats to move carry out before.

    Raises:
        AgentError: the bot fails, or answers with an illegal action.
    """
    games, words = copied(worlds), worlds["rng"] ^ CHANCE_OF_BOTS
    if first is not None:
        bot.carry_out(games, first)
    views, chances = np.zeros(len(games), VIEW), np.empty(len(games), np.uint64)
    rows, actions = np.empty(len(games), np.int64), np.zeros(len(games), np.int64)
    while waiting := choices_kernel(raw(games), words, raw(views), chances, rows):
        actions[rows[:waiting]] = bot.act(views[:waiting], chances[:waiting])
        bot.carry_out(games, actions)
    seats = int(games["num_players"][0])
    outcomes = Outcomes(np.zeros((len(games), seats), np.int64), np.zeros((len(games), seats)))
    outcomes_kernel(raw(games), *outcomes)
    return outcomes


@kernel
def choices_kernel(raw_games: Any, words: Any, raw_views: Any, chances: Any, rows: Any) -> int:
    """Carry every running round through what is forced to its next choice, and show it.

    Writes a VIEW, the chance for the decision and the row of the round, for as many as the number returned.
    """
    games, views, waiting = raw_games.view(GAME), raw_views.view(VIEW), 0
    for i in range(len(games)):
        g = games[i]
        while g["end"] == RUNNING:
            choices = legal(g)
            if count_actions(choices) > 1:
                words[i] += ONE
                look(g, g["seat"], views[waiting])
                chances[waiting] = scramble(words[i])
                rows[waiting] = i
                waiting += 1
                break
            step(g, nth_action(choices, 0))
    return waiting


@kernel
def outcomes_kernel(raw_games: Any, shares: Any, places: Any) -> None:
    """Write what each round that is over was worth to every seat (C16)."""
    games = raw_games.view(GAME)
    for i in range(len(games)):
        for seat in range(shares.shape[1]):
            rank, sharing = rank_in_round(games[i], seat)
            shares[i, seat] = WHOLE // sharing if rank == 1 else 0
            places[i, seat] = rank + (sharing - 1) / 2
