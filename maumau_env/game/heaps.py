"""Hands, pile and discards of a GAME: how cards move between them, and what everybody sees of it.

A hand is two sets, the cards held at least once and those held twice; so is what the discards show. The pile and the
discards are arrays besides, since their order matters.
"""

from typing import Any

import numpy as np

from maumau_env.game.bits import BIT, NOTHING, below, count, scramble
from maumau_env.game.cards import MAX_DECK, NUM_RANKS, NUM_SUITS, POINTS, RANK_SET
from maumau_env.game.jit import jit, outlined
from maumau_env.game.state import FORGOTTEN, LAST_PLAYS, NONE, SCRIPTED, SHUFFLED


@jit
def take_cards(g: Any, seat: Any, number: Any) -> Any:
    """C7, C12: the seat takes so many cards, or what there is; returns the last one, NONE if there was none."""
    card = NONE
    for _ in range(number):
        if g["pile_size"] == 0 and not make_new_pile(g):
            break
        card = take_from_pile(g)
        put_in_hand(g, seat, card)
        age_evidence(g, seat)
    return card


@jit
def take_from_pile(g: Any) -> Any:
    """The next card of a pile that is not empty: the one function that decides which."""
    last = g["pile_size"] - 1
    if g["order"] == SHUFFLED:
        g["rng"] += np.uint64(1)
        chosen = below(scramble(g["rng"]), g["pile_size"])
        g["pile"][chosen], g["pile"][last] = g["pile"][last], g["pile"][chosen]
    g["pile_size"] = last
    return np.int64(g["pile"][last])


@outlined
def make_new_pile(g: Any) -> bool:
    """C12: the discards below the top become the pile; False when there are none."""
    size = g["discards_size"] - 1
    if size == 0:
        return False
    scripted = g["order"] == SCRIPTED
    for i in range(size):
        g["pile"][i] = g["pile"][MAX_DECK - size + i] if scripted else g["discards"][i]
    g["order"] = SCRIPTED if scripted else SHUFFLED
    g["pile_size"] = size
    g["pile_start"] = size
    g["shuffles"] += 1
    last = top(g)
    g["discards_size"] = 0
    g["shown"][:] = NOTHING
    put_on_discards(g, last)
    return True


@jit
def put_on_discards(g: Any, card: Any) -> None:
    """A card becomes the top."""
    g["discards"][g["discards_size"]] = card
    g["discards_size"] += 1
    bit = BIT[card]
    g["shown"][1] |= g["shown"][0] & bit
    g["shown"][0] |= bit


@jit
def put_in_hand(g: Any, seat: Any, card: Any) -> None:
    """A card more in the hand of a seat."""
    bit = BIT[card]
    g["hands"][seat, 1] |= g["hands"][seat, 0] & bit
    g["hands"][seat, 0] |= bit


@jit
def take_from_hand(g: Any, seat: Any, card: Any) -> None:
    """A card that the seat holds leaves its hand."""
    bit = BIT[card]
    if g["hands"][seat, 1] & bit:
        g["hands"][seat, 1] &= ~bit
    else:
        g["hands"][seat, 0] &= ~bit


@jit
def top(g: Any) -> Any:
    """The uppermost discard."""
    return np.int64(g["discards"][g["discards_size"] - 1])


@jit
def held(g: Any, seat: Any) -> Any:
    """The cards that a seat holds at least once."""
    return g["hands"][seat, 0]


@jit
def hand_size(g: Any, seat: Any) -> Any:
    """How many cards a seat holds."""
    return count(g["hands"][seat, 0]) + count(g["hands"][seat, 1])


@jit
def points_of(once: Any, twice: Any) -> Any:
    """M1: card points, by the faces, of a heap of cards held at least once and of those held twice."""
    points = 0
    for rank in range(NUM_RANKS):
        points += POINTS[rank] * (count(once & RANK_SET[rank]) + count(twice & RANK_SET[rank]))
    return points


@jit
def remember_play(g: Any, seat: Any, action: Any) -> None:
    """The action becomes the latest of the plays that a seat is remembered by."""
    plays = g["seats"][seat]["last_plays"]
    for i in range(LAST_PLAYS - 1, 0, -1):
        plays[i] = plays[i - 1]
    plays[0] = action


@jit
def age_evidence(g: Any, seat: Any) -> None:
    """The seat took a card, which may be of any suit and rank."""
    seen = g["seats"][seat]
    for suit in range(NUM_SUITS):
        since = seen["since_suit"][suit]
        seen["since_suit"][suit] = since + (0 < since < FORGOTTEN)
    for rank in range(NUM_RANKS):
        since = seen["since_rank"][rank]
        seen["since_rank"][rank] = since + (0 < since < FORGOTTEN)
