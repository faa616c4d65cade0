"""VIEW -> sampled GAMEs that agree with it: the one door through which search gets at a GAME, and no truth behind it.

What the viewer cannot see are cards in places: a place for each card of every other hand, the card taken last in the
first one, and the pile. All ways to put the unseen cards into these places that agree with the evidence are taken to be
equally likely; how the pile lies is drawn afresh in each world. That is a model: a place stands for a card that was
taken then and is still held, though it may be one that was played since.

Evidence. Who draws with nothing owed shows that no card in hand fits: neither the suit in force nor the rank of the top
nor a Jack. So such a card can only be among those taken since, and these are the first places of the hand. Not
everything that a VIEW remembers is certain:

- without `must_play` one may draw and hold a card that fits (C5);
- who pays a debt may have kept a seven (C7), and a VIEW does not tell that from a draw on a seven;
- without `jack_on_jack` a draw on a Jack shows nothing of Jacks (C4), and a VIEW does not tell that either.

The certain evidence cannot contradict itself: what really lies there always agrees with it. With `trusting` a draw is
taken to be what a sensible player does, so that the first two count, too, and under `play_drawn` a card that was drawn
and fitted was played at once, unless it was a Jack. A player who is not so sensible may show what cannot be; then as
many cards as can be are in places that agree.

Sampling. A world is followed by the next one by exchanging cards: each place in turn with one that is chosen at random,
if both cards may lie there. That is a symmetric Markov chain, so all arrangements are equally likely in the long run;
without evidence a single turn through the places is a Fisher-Yates shuffle, and each world is independent.
"""

from typing import Any

import numpy as np

from maumau_env.game.bits import BIT, NOTHING, ONE, below, count, lowest, scramble
from maumau_env.game.cards import DECK_SETS, JACK, MAX_DECK, NUM_CARDS, SEVEN
from maumau_env.game.heaps import put_in_hand
from maumau_env.game.jit import jit, kernel, outlined
from maumau_env.game.rules import MAX_PLAYERS
from maumau_env.game.state import ABSENT, FORGOTTEN, GAME, NONE, OUT, RUNNING, SEATED, SHUFFLED, raw
from maumau_env.seat.view import VIEW

FIRST_TURNS, NEXT_TURNS, MOST_TURNS = 8, 2, 64
"""Turns through the places before the first world and between two; and at most until all cards agree with the evidence.
"""

PILE = 0
"""The viewer has no hidden cards: the places of seat 0 are those of the pile."""

HIDDEN: np.dtype = np.dtype(
    [
        ("number", "i2"),  # hidden cards
        ("astray", "i2"),  # how many of them lie in places that the evidence forbids
        ("evidence", "i2"),  # 1 when there is any
        ("cards", "u1", MAX_DECK),  # the card in each place
        ("seats", "u1", MAX_DECK),  # the relative seat of each place, or PILE
        ("ages", "u1", MAX_DECK),  # 1 for the card that this seat took last, and so on
        ("newest", "u1", (MAX_PLAYERS, NUM_CARDS)),  # a card can only be among so many that the seat took last
    ],
    align=True,
)
"""An arrangement of what a viewer cannot see."""


def sample_worlds(view: np.ndarray, word: int, number: int, trusting: bool = False) -> np.ndarray:
    """Worlds that agree with a view of a round that is running.

    The viewer is seat 0 in each of them, and the agents bear the numbers of the seats. Of the match a world knows the
    points and the limit; who is out is taken to have gone out before this round. If another seat is to move, it has not
    just drawn a card that fits (C6), since the viewer could not know.

    Args:
        view: one VIEW, shape (1,).
        word: of chance, 0 to 2**64 - 1.
        number: of worlds.
        trusting: see the top of this file.

    Returns:
        GAMEs, shape (number,), each with a generator of its own.
    """
    worlds = np.zeros(number, GAME)
    worlds_kernel(raw(np.ascontiguousarray(view)), np.uint64(word), trusting, raw(np.zeros(1, HIDDEN)), raw(worlds))
    return worlds


@kernel
def worlds_kernel(raw_view: Any, word: Any, trusting: Any, raw_hidden: Any, raw_worlds: Any) -> None:
    """See `sample_worlds`."""
    v, h, worlds = raw_view.view(VIEW)[0], raw_hidden.view(HIDDEN)[0], raw_worlds.view(GAME)
    gather(v, h, trusting)
    word = settle(h, scramble(word))
    for i in range(len(worlds)):
        for _ in range(NEXT_TURNS if h["evidence"] else 1):
            word = exchange(h, word)
        lay_table(v, worlds[i])
        lay_hidden(h, worlds[i])
        word += ONE
        worlds[i]["rng"] = scramble(word)


# ---- what is hidden ------------------------------------------------------------------------------------------------


@outlined
def gather(v: Any, h: Any, trusting: Any) -> None:
    """The hidden cards in any order, their places, and what the evidence says of them."""
    number = 0
    for copy in range(2):
        cards = DECK_SETS[v["rules"]["deck"], copy]
        while cards != NOTHING:
            card = lowest(cards)
            cards &= cards - ONE
            if copies_seen(v, BIT[card]) <= copy:
                h["cards"][number] = card
                number += 1
    h["number"] = number
    at = 0
    for seat in range(1, v["num_players"]):
        for age in range(1, v["hand_sizes"][seat] + 1):
            h["seats"][at], h["ages"][at] = seat, age
            at += 1
    for place in range(at, number):
        h["seats"][place], h["ages"][place] = PILE, 0
    weigh_evidence(v, h, trusting)


@jit
def copies_seen(v: Any, card: Any) -> Any:
    """How many copies of a card, a set of one, the viewer holds or sees in the discards."""
    seen = 0
    for copy in range(2):
        seen += count(v["hand"][copy] & card) + count(v["shown"][copy] & card)
    return seen


@jit
def weigh_evidence(v: Any, h: Any, trusting: Any) -> None:
    """Where each seat can hold each card, and how many cards lie elsewhere as yet."""
    h["evidence"] = 0
    for card in range(NUM_CARDS):
        h["newest"][PILE, card] = FORGOTTEN
        for seat in range(1, v["num_players"]):
            newest = newest_with(v, v["seats"][seat], card, trusting)
            h["newest"][seat, card] = newest
            if newest < v["hand_sizes"][seat]:
                h["evidence"] = 1
    h["astray"] = 0
    for place in range(h["number"]):
        h["astray"] += is_astray(h, place, h["cards"][place])


@jit
def newest_with(v: Any, seen: Any, card: Any, trusting: Any) -> Any:
    """Among how many cards that the seat took last a card must be, FORGOTTEN when it can be any; `seen` is its SEAT."""
    rank = card >> 2
    newest = FORGOTTEN
    if not (v["rules"]["must_play"] or trusting) or (rank == JACK and not v["rules"]["jack_on_jack"]):
        return newest
    played_at_once = 1 if trusting and v["rules"]["play_drawn"] and rank != JACK else 0
    since = np.int64(seen["since_suit"][card & 3])
    if 0 < since < FORGOTTEN:
        newest = max(since - 1 - played_at_once, 0)
    since = np.int64(seen["since_rank"][rank])
    if 0 < since < FORGOTTEN and (rank != SEVEN or trusting):
        newest = min(newest, max(since - 1 - (0 if rank == SEVEN else played_at_once), 0))
    return newest


@jit
def is_astray(h: Any, place: Any, card: Any) -> Any:
    """1 when the evidence forbids the card in this place, else 0."""
    return np.int64(h["newest"][h["seats"][place], card] < h["ages"][place])


@jit
def settle(h: Any, word: Any) -> Any:
    """Bring the cards to where they may be, and mix them; returns the word that comes next."""
    if not h["evidence"]:
        return word
    turns = 0
    while h["astray"] > 0 and turns < MOST_TURNS:
        word = exchange(h, word)
        turns += 1
    for _ in range(FIRST_TURNS):
        word = exchange(h, word)
    return word


@outlined
def exchange(h: Any, word: Any) -> Any:
    """A turn through the places: exchange the card of each with another one if no more are astray by it."""
    for place in range(h["number"] - 1, 0, -1):
        word += ONE
        other = below(scramble(word), place + 1)
        one, two = h["cards"][place], h["cards"][other]
        change = is_astray(h, place, two) + is_astray(h, other, one)
        change -= is_astray(h, place, one) + is_astray(h, other, two)
        if change <= 0:
            h["cards"][place], h["cards"][other] = two, one
            h["astray"] += change
    return word


# ---- a world -------------------------------------------------------------------------------------------------------


@outlined
def lay_table(v: Any, g: Any) -> None:
    """All that the viewer sees of a table that is blank."""
    g["rules"] = v["rules"]
    g["num_players"] = v["num_players"]
    g["seat"] = v["to_move"]
    g["direction"] = v["direction"]
    g["wish"] = v["suit"] if v["wished"] else NONE
    g["owed"] = v["owed"]
    g["phase"] = v["phase"]
    g["drawn"] = v["drawn"]
    g["mau_said"] = v["mau_said"]
    g["turns"] = v["turns"]
    g["end"] = RUNNING
    g["order"] = SHUFFLED
    g["pile_size"] = v["pile_size"]
    g["pile_start"] = v["pile_size"]
    lay_discards(v, g)
    for copy in range(2):
        g["hands"][0, copy] = v["hand"][copy]
    for seat in range(MAX_PLAYERS):
        g["agents"][seat] = seat if seat < v["num_players"] else NONE
        g["seats"][seat] = v["seats"][seat]
    lay_match(v, g)


@jit
def lay_discards(v: Any, g: Any) -> None:
    """The discards: the top where it belongs, the others below it in any order."""
    size = 0
    for copy in range(2):
        g["shown"][copy] = v["shown"][copy]
        cards = v["shown"][copy]
        while cards != NOTHING:
            g["discards"][size] = lowest(cards)
            cards &= cards - ONE
            size += 1
    g["discards_size"] = size
    place = 0
    while g["discards"][place] != v["top"]:
        place += 1
    g["discards"][place] = g["discards"][size - 1]
    g["discards"][size - 1] = v["top"]


@jit
def lay_match(v: Any, g: Any) -> None:
    """The points, and that whoever is not here any more is out."""
    m = g["match"]
    m["round"] = v["round"]
    m["penalty_limit"] = v["penalty_limit"]
    m["sat"] = v["sat"]
    for agent in range(MAX_PLAYERS):
        m["points"][agent] = v["points"][agent]
        m["status"][agent] = ABSENT
        if agent < v["num_players"]:
            m["status"][agent] = SEATED
        elif agent < v["sat"]:
            m["status"][agent] = OUT


@jit
def lay_hidden(h: Any, g: Any) -> None:
    """The hidden cards go where they lie in this arrangement."""
    size = 0
    for place in range(h["number"]):
        seat, card = h["seats"][place], h["cards"][place]
        if seat == PILE:
            g["pile"][size] = card
            size += 1
        else:
            put_in_hand(g, seat, card)
