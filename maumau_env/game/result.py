"""What a finished round, or match, is worth: ranks and payoffs."""

from typing import Any

import numpy as np

from maumau_env.game.heaps import hand_size, points_of
from maumau_env.game.jit import jit, kernel
from maumau_env.game.rules import MAX_PLAYERS
from maumau_env.game.state import GAME, OUT, SEATED, raw

PLACEMENT, WIN, BY_POINTS = range(3)
REWARDS = ("placement", "win", "points")
"""Reward schemes by number, all zero-sum.

`placement`: from +1 for the first evenly down to -1 for the last; equal ranks share their mean.
`win`: +1 for the winner, and the others share -1 equally; joint winners share what the others pay.
`points`: the mean of the others' card points less one's own, divided by 100.

In a match the first two are paid to each agent when it goes out or wins. They place it among all who have sat down so
far; who left counts as placed behind those who then were in, and is paid nothing. `points` is paid after every round.
"""


@jit
def hand_points(g: Any, seat: Any) -> Any:
    """Card points of a hand."""
    return points_of(g["hands"][seat, 0], g["hands"][seat, 1])


@jit
def compare_hands(g: Any, seat: Any, other: Any) -> Any:
    """C16: below zero when `seat` ranks above `other`, zero when they share the rank."""
    difference = hand_size(g, seat) - hand_size(g, other)
    return difference if difference != 0 else hand_points(g, seat) - hand_points(g, other)


@jit
def rank_in_round(g: Any, seat: Any) -> Any:
    """(rank from 1, number of seats that share it) of a seat by C16."""
    rank, sharing = 1, 1
    for other in range(g["num_players"]):
        if other != seat:
            difference = compare_hands(g, other, seat)
            rank += difference < 0
            sharing += difference == 0
    return rank, sharing


@jit
def rank_in_match(g: Any, agent: Any) -> Any:
    """(rank from 1, number of agents who share it) of an agent by M4; those still in share the first."""
    rank, sharing = 1, 1
    status = g["match"]["status"]
    for other in range(MAX_PLAYERS):
        if other != agent and (status[other] == SEATED or status[other] == OUT):
            difference = compare_careers(g["match"], other, agent)
            rank += difference < 0
            sharing += difference == 0
    return rank, sharing


@jit
def compare_careers(m: Any, agent: Any, other: Any) -> Any:
    """M4: below zero when `agent` ranks above `other`, zero when they share the rank."""
    if m["status"][agent] == SEATED or m["status"][other] == SEATED:
        return np.int64(m["status"][other] == SEATED) - np.int64(m["status"][agent] == SEATED)
    later = np.int64(m["out_in"][other]) - m["out_in"][agent]
    return later if later != 0 else np.int64(m["points"][agent]) - m["points"][other]


@jit
def final_rank(g: Any, agent: Any) -> Any:
    """(rank from 1, number who share it) of an agent: in the match, or in the single round."""
    return rank_in_round(g, agent) if g["match"]["round"] == 0 else rank_in_match(g, agent)


@jit
def final_points(g: Any, agent: Any) -> Any:
    """M1: the penalty points of an agent at the end of the match, or the card points left in its hand in a round."""
    return hand_points(g, agent) if g["match"]["round"] == 0 else np.int64(g["match"]["points"][agent])


@jit
def pay(g: Any, finished: Any, scheme: Any, rewards: Any) -> None:
    """Write what every agent gets for the round that has ended; `finished` are those whose game is over by it."""
    for seat in range(g["num_players"]):
        agent = np.int64(g["agents"][seat])
        if scheme == BY_POINTS:
            rewards[agent] = payoff_by_points(g, seat)
        elif finished >> agent & 1:
            rewards[agent] = payoff_by_rank(g, agent, scheme)


@jit
def payoff_by_points(g: Any, seat: Any) -> float:
    """The reward of a seat for its card points and those of the others."""
    others, total = g["num_players"] - 1, 0
    for other in range(g["num_players"]):
        total += hand_points(g, other)
    own = hand_points(g, seat)
    return ((total - own) / others - own) / 100


@jit
def payoff_by_rank(g: Any, agent: Any, scheme: Any) -> float:
    """The reward of an agent for its final rank, under PLACEMENT or WIN."""
    rank, sharing = final_rank(g, agent)
    others = (g["num_players"] if g["match"]["round"] == 0 else g["match"]["sat"]) - 1
    if scheme == PLACEMENT:
        place = rank - 1 + (sharing - 1) / 2
        return 1 - 2 * place / others
    if rank == 1:
        return (others + 1 - sharing) / (others * sharing)
    return -1 / others


def ranking(game: np.ndarray) -> list[int]:
    """C16: the rank of each seat of one finished round, a GAME, from 1; equal seats share it."""
    ranks = np.zeros(MAX_PLAYERS, np.int64)
    ranking_kernel(raw(game.reshape(1)), ranks)
    return ranks[: game["num_players"]].tolist()


@kernel
def ranking_kernel(raw_games: Any, ranks: Any) -> None:
    """Write the rank of every seat of one round into `ranks`."""
    game = raw_games.view(GAME)[0]
    for seat in range(game["num_players"]):
        ranks[seat] = rank_in_round(game, seat)[0]
