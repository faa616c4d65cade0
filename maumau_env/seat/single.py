"""One game, one decision at a time, for the environments that play a single table: the least work for each call.

A *table* is a `uint8` array that holds a GAME and, behind it, a VIEW to work in. It is one argument instead of two,
and it is all there is to copy.
"""

from typing import Any

import numpy as np

from maumau_env.game import play
from maumau_env.game.jit import jit, kernel
from maumau_env.game.match import attend_and_pay, begin_match, close_round, next_round
from maumau_env.game.result import pay, rank_in_match, rank_in_round
from maumau_env.game.rules import MAU_AUTO, MAX_PLAYERS
from maumau_env.game.state import GAME, raw
from maumau_env.seat.batch import show
from maumau_env.seat.encode import encode, mask_actions
from maumau_env.seat.view import VIEW, look

GAME_BYTES = GAME.itemsize
SEAT, END_AT, END, SAYING_AT = 0b111, 3, 0b11, 5
"""A moment in one number: `moment & SEAT` is the seat to move, `moment >> END_AT & END` how the round stands, and
`moment >> SAYING_AT` the set of the seats that say Mau."""
ILLEGAL = -1
"""Instead of a moment: the action was illegal, and nothing was changed."""


def new_table(game: np.ndarray) -> np.ndarray:
    """A table with a copy of one GAME, shape (1,): uint8, shape (GAME.itemsize + VIEW.itemsize,)."""
    return np.concatenate((raw(game), np.zeros(VIEW.itemsize, np.uint8)))


def game_on(table: np.ndarray) -> np.ndarray:
    """The GAME of a table, shape (1,), not a copy."""
    return table[:GAME_BYTES].view(GAME)


@kernel
def begin(table: Any, episode: Any) -> int:
    """Deal the round of this number; returns the moment."""
    g = table[:GAME_BYTES].view(GAME)[0]
    g["episode"] = episode
    play.deal(g)
    return moment_of(g, 0)


@kernel
def advance(table: Any, action: Any, said: Any, room: Any, observation: Any, mask: Any) -> int:
    """One decision, and what the next seat sees; returns the moment after it, or ILLEGAL.

    `said` is the set of the seats that have said Mau so far. A round that is over stays as it ended.
    """
    g = table[:GAME_BYTES].view(GAME)[0]
    if not play.is_legal(g, action):
        return ILLEGAL
    play.step(g, action)
    show(g, table[GAME_BYTES:].view(VIEW)[0], room, observation, mask)
    return moment_of(g, said)


@kernel
def show_seat(table: Any, seat: Any, room: Any, observation: Any, mask: Any) -> None:
    """What any seat sees; its mask is empty unless it has to move."""
    v = table[GAME_BYTES:].view(VIEW)[0]
    look(table[:GAME_BYTES].view(GAME)[0], seat, v)
    encode(v, room, observation)
    mask_actions(v["legal"], mask)


@kernel
def results(table: Any, scheme: Any, payoffs: Any, ranks: Any) -> None:
    """The payoff of each seat of a single round (float64, shape (5,)), and its rank in any (int64, shape (5,))."""
    g = table[:GAME_BYTES].view(GAME)[0]
    if g["match"]["round"] == 0:
        pay(g, close_round(g), scheme, payoffs)
    for seat in range(g["num_players"]):
        ranks[seat] = rank_in_round(g, seat)[0]


@kernel
def begin_match_at(table: Any, episode: Any) -> int:
    """M8: begin a match with its first round, which has this number; returns the moment."""
    g = table[:GAME_BYTES].view(GAME)[0]
    g["episode"] = episode
    begin_match(g)
    return moment_of(g, 0)


@kernel
def close_round_at(table: Any, scheme: Any, payoffs: Any) -> int:
    """M1-M3 after a round of a match; returns the set of agents for whom the match is over.

    Their payoffs, or under `points` those of the whole round, go into `payoffs`, float64, shape (5,), by agent.
    """
    g = table[:GAME_BYTES].view(GAME)[0]
    finished = close_round(g)
    pay(g, finished, scheme, payoffs)
    return finished


@kernel
def attend_at(table: Any, scheme: Any, payoffs: Any) -> int:
    """M5, M6 before the next round; returns the set of agents, and adds their payoffs, who won by others' leaving."""
    return attend_and_pay(table[:GAME_BYTES].view(GAME)[0], scheme, payoffs)


@kernel
def final_ranks(table: Any, ranks: Any) -> None:
    """M4: the rank of each agent of a match, int64, shape (5,), for those who are in or out."""
    g = table[:GAME_BYTES].view(GAME)[0]
    for agent in range(MAX_PLAYERS):
        ranks[agent] = rank_in_match(g, agent)[0]


@kernel
def next_round_at(table: Any) -> int:
    """M7: deal the next round of a match; returns the moment."""
    g = table[:GAME_BYTES].view(GAME)[0]
    next_round(g)
    return moment_of(g, 0)


@jit
def moment_of(g: Any, said: Any) -> int:
    """The moment of a game; `said` is the set of the seats that said Mau before."""
    return g["seat"] | g["end"] << END_AT | saying_mau(g, said) << SAYING_AT


@jit
def saying_mau(g: Any, said: Any) -> int:
    """C15: who has said Mau and still stands by it; with `auto` that is everybody with one card."""
    seats = 0
    for seat in range(g["num_players"]):
        one_card = play.hand_size(g, seat) == 1
        if g["rules"]["mau"] == MAU_AUTO:
            says = one_card
        else:
            says = (one_card and said >> seat & 1) or (g["mau_said"] and seat == g["seat"])
        if says:
            seats |= 1 << seat
    return seats


assert MAX_PLAYERS <= SEAT + 1
