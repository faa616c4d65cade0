"""Hands, pile and discards of a GAME: how cards move between them, and what everybody sees of it.

A hand is two sets, the cards held at least once and those held twice; so is what the discards show. The pile and the
discards are arrays besides, since their order matters.
"""

from typing import Any

import numpy as np

from maumau_env.game.bits import BIT, NOTHING, below, count, scramble
from maumau_env.game.cards import MAX_DECK, NUM_RANKS, NUM_SUITS, POINTS, RANK_SET
from maumau_env.game.jit import jit, outlined
from maumau_env.game.rules import MAX_PLAYERS
from maumau_env.game.state import FACE, FORGOTTEN, LAID, LAST_PLAYS, NONE, OWN, SCRIPTED, SECOND, SHUFFLED

OWN_ORDERS = np.uint64(0x0DE_5EA7)
"""Keeps the orders of the seats apart from the generator of the game."""


@jit
def take_cards(g: Any, seat: Any, number: Any) -> Any:
    """C7, C12: the seat takes so many cards, or what there is; returns the last one, NONE if there was none."""
    card = NONE
    for _ in range(number):
        if g["pile_size"] == 0 and not make_new_pile(g):
            break
        card = take_from_pile(g, seat)
        put_in_hand(g, seat, card)
        age_evidence(g, seat)
    return card


@jit
def take_from_pile(g: Any, seat: Any) -> Any:
    """The next card for a seat, from a pile that is not empty: the one function that decides which."""
    place = g["pile_size"] - 1
    if g["order"] == SHUFFLED:
        place = any_place(g)
    elif g["order"] == OWN:
        place = own_place(g, seat)
    return take_at(g, place)


@jit
def any_place(g: Any) -> Any:
    """A place of the pile at random, by the game's own generator."""
    g["rng"] += np.uint64(1)
    return below(scramble(g["rng"]), g["pile_size"])


@outlined
def own_place(g: Any, seat: Any) -> Any:
    """Where the first card of the pile lies in the seat's own order: that of one random word for each card.

    The words depend on the deal, the seat, the number of the pile and the card, and on nothing that anybody did.
    """
    number = np.uint64(np.int64(g["shuffles"]) * MAX_PLAYERS + seat)
    order = scramble(scramble(g["rng"] ^ OWN_ORDERS) ^ number)
    place, least = 0, scramble(order ^ np.uint64(g["pile"][0]))
    for i in range(1, g["pile_size"]):
        word = scramble(order ^ np.uint64(g["pile"][i]))
        if word < least:
            place, least = i, word
    return place


@jit
def take_at(g: Any, place: Any) -> Any:
    """The card at this place of the pile, which then lies behind all that are left."""
    last = g["pile_size"] - 1
    g["pile"][place], g["pile"][last] = g["pile"][last], g["pile"][place]
    g["pile_size"] = last
    return np.int64(g["pile"][last]) & FACE


@outlined
def mark_copies(g: Any) -> None:
    """Tell equal cards of a pile apart for as long as it lasts: with one word for both they would come together."""
    seen = NOTHING
    for i in range(g["pile_size"]):
        card = g["pile"][i]
        if seen & BIT[card]:
            g["pile"][i] = card | SECOND
        seen |= BIT[card]


@outlined
def make_new_pile(g: Any) -> bool:
    """C12: the discards below the top become the pile; False when there are none."""
    size = g["discards_size"] - 1
    if size == 0:
        return False
    scripted = g["order"] == SCRIPTED
    for i in range(size):
        g["pile"][i] = g["pile"][MAX_DECK - size + i] if scripted else g["discards"][i]
    if g["order"] == LAID:
        g["order"] = SHUFFLED
    g["pile_size"] = size
    if g["order"] == OWN:
        mark_copies(g)
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
