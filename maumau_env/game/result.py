"""What a finished round is worth: ranks and payoffs."""

from typing import Any

import numpy as np

from maumau_env.game.bits import NOTHING, count
from maumau_env.game.cards import NUM_RANKS, POINTS, RANK_SET
from maumau_env.game.jit import jit, kernel
from maumau_env.game.play import hand_size
from maumau_env.game.state import GAME, raw

PLACEMENT, WIN, BY_POINTS = range(3)
REWARDS = ("placement", "win", "points")
"""Reward schemes by number, all zero-sum.

`placement`: from +1 for the first evenly down to -1 for the last; equal ranks share their mean.
`win`: +1 for the winner, and the others share -1 equally; joint winners share what the others pay.
`points`: the mean of the others' card points less one's own, divided by 100.
"""


@jit
def hand_points(g: Any, seat: Any) -> Any:
    """Card points of a hand, by the faces of the cards."""
    points = 0
    for copy in range(2):
        if g["hands"][seat, copy] != NOTHING:
            for rank in range(NUM_RANKS):
                points += POINTS[rank] * count(g["hands"][seat, copy] & RANK_SET[rank])
    return points


@jit
def compare(g: Any, seat: Any, other: Any) -> Any:
    """C16: below zero when `seat` ranks above `other`, zero when they share the rank."""
    difference = hand_size(g, seat) - hand_size(g, other)
    return difference if difference != 0 else hand_points(g, seat) - hand_points(g, other)


@jit
def rank_of(g: Any, seat: Any) -> Any:
    """(rank from 1, number of seats that share it) of a seat by C16."""
    rank, sharing = 1, 1
    for other in range(g["num_players"]):
        if other != seat:
            difference = compare(g, other, seat)
            rank += difference < 0
            sharing += difference == 0
    return rank, sharing


@jit
def payoff(g: Any, seat: Any, scheme: Any) -> float:
    """The reward of a seat for this result under one of REWARDS."""
    others = g["num_players"] - 1
    if scheme == BY_POINTS:
        total = 0
        for other in range(g["num_players"]):
            total += hand_points(g, other)
        own = hand_points(g, seat)
        return ((total - own) / others - own) / 100
    rank, sharing = rank_of(g, seat)
    if scheme == PLACEMENT:
        place = rank - 1 + (sharing - 1) / 2
        return 1 - 2 * place / others
    if rank == 1:
        return (others + 1 - sharing) / (others * sharing)
    return -1 / others


def ranking(game: np.ndarray) -> list[int]:
    """C16: the rank of each seat of one finished GAME, from 1; equal seats share it."""
    ranks = np.empty(int(game["num_players"]), np.int64)
    ranking_kernel(raw(game.reshape(1)), ranks)
    return ranks.tolist()


@kernel
def ranking_kernel(raw_games: Any, ranks: Any) -> None:
    """Write the rank of every seat of one game into `ranks`."""
    game = raw_games.view(GAME)[0]
    for seat in range(len(ranks)):
        ranks[seat] = rank_of(game, seat)[0]
