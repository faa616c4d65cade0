"""Suits without names: the four are alike, so a policy is shown every position with its suits in one standard order.

The suit in force comes first, then the others: that of which I hold more cards before that of which I hold fewer, and
between equals the one with the lower cards in my hand, then in the discards. Of up to 24 positions that differ only in
the names of their suits the policy sees one, and has to learn but one. Its actions are meant in the same order and have
to be translated back.

    suits = suits_of(layout)
    orders = standardise(observations, masks, suits)            in place
    actions = suits.actions[orders, policy(observations, masks)]
"""

from functools import cache
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np

from maumau_env.game.actions import ACTION_NAMES, ACTION_NUMBERS
from maumau_env.game.cards import NAMES, NUM_SUITS, SUITS
from maumau_env.game.jit import jit, kernel
from maumau_env.seat.encode import Layout

ORDERS = np.array(list(permutations(range(NUM_SUITS))), np.int64)
"""Every order of the suits by its number: int64, (24, 4), in place i the suit that comes i-th."""

NUMBERS = np.zeros((NUM_SUITS, NUM_SUITS, NUM_SUITS), np.int64)
"""The number of an order by the first three of its suits."""
NUMBERS[tuple(ORDERS[:, :3].T)] = np.arange(len(ORDERS))


class Suits(NamedTuple):
    """For one layout: where every number of an observation comes from in each order, and what every action means."""

    numbers: np.ndarray  # int64, (24, layout.size)
    actions: np.ndarray  # int64, (24, NUM_ACTIONS)
    standard: np.ndarray  # int64, (24, NUM_ACTIONS): the way back, from an action to what it is called in each order
    force: int  # where the suit in force begins in an observation
    heaps: np.ndarray  # int64, (2, number of cards): where the cards of hand and discards are


@cache
def suits_of(layout: Layout) -> Suits:
    """The tables of a layout."""
    places = layout.slices()
    actions = np.array([_meanings(order) for order in ORDERS], np.int64)
    return Suits(
        np.array([_sources(layout, order) for order in ORDERS], np.int64),
        actions,
        np.argsort(actions, 1),
        places["suit"].start,
        np.array([range(places[name].start, places[name].stop) for name in ("hand", "shown")], np.int64),
    )


def standardise(observations: np.ndarray, masks: np.ndarray, suits: Suits) -> np.ndarray:
    """Put the suits of observations and masks, rows of positions, into standard order, in place.

    Returns:
        The number of the order of each position, int64.
    """
    orders = np.empty(len(observations), np.int64)
    standardise_kernel(observations, masks, suits, orders)
    return orders


def _sources(layout: Layout, order: np.ndarray) -> list[int]:
    """Where each number of an observation comes from when its suits are put into this order."""
    sources = []
    for name, place in layout.slices().items():
        by_suit = name in ("hand", "shown") or "suit" in name  # suit after suit, for each rank
        for i in range(place.stop - place.start):
            rank, suit = divmod(i, NUM_SUITS)
            sources.append(place.start + (rank * NUM_SUITS + int(order[suit]) if by_suit else i))
    return sources


def _meanings(order: np.ndarray) -> list[int]:
    """Which action each action means when the suits stand in this order."""
    renamed = {suit: SUITS[int(order[place])] for place, suit in enumerate(SUITS)}
    meanings = []
    for name in ACTION_NAMES:
        card, _, wish = name.partition(":")
        meant = card[:-1] + renamed[card[-1]] if card in NAMES else card
        meanings.append(ACTION_NUMBERS[f"{meant}:{renamed[wish]}" if wish else meant])
    return meanings


@kernel
def standardise_kernel(observations: Any, masks: Any, suits: Any, orders: Any) -> None:
    """See `standardise`."""
    seen, legal = np.empty(observations.shape[1], np.float32), np.empty(masks.shape[1], np.int8)
    for i in range(len(observations)):
        seen[:], legal[:] = observations[i], masks[i]
        orders[i] = put_in_order(seen, legal, suits, observations[i], masks[i])


@jit
def put_in_order(seen: Any, legal: Any, suits: Any, observation: Any, mask: Any) -> Any:
    """Write a position in standard order into `observation` and `mask`; returns the number of the order."""
    order = standard_order(seen, suits)
    for i in range(len(seen)):
        observation[i] = seen[suits.numbers[order, i]]
    for action in range(len(legal)):
        mask[action] = legal[suits.actions[order, action]]
    return order


@jit
def standard_order(seen: Any, suits: Any) -> Any:
    """The number of the order in which the suits of an observation are to stand."""
    order = np.arange(NUM_SUITS)
    for last in range(1, NUM_SUITS):
        for place in range(last, 0, -1):
            if not comes_before(seen, suits, order[place], order[place - 1]):
                break
            order[place - 1], order[place] = order[place], order[place - 1]
    return NUMBERS[order[0], order[1], order[2]]


@jit
def comes_before(seen: Any, suits: Any, one: Any, other: Any) -> Any:
    """Whether the suit `one` stands before the suit `other`."""
    if seen[suits.force + one] != seen[suits.force + other]:
        return seen[suits.force + one] > seen[suits.force + other]
    hand = suits.heaps[0]
    more = 0.0
    for card in range(0, len(hand), NUM_SUITS):
        more += seen[hand[card + one]] - seen[hand[card + other]]
    if more != 0:
        return more > 0
    for heap in suits.heaps:
        for card in range(0, len(heap), NUM_SUITS):
            if seen[heap[card + one]] != seen[heap[card + other]]:
                return seen[heap[card + one]] > seen[heap[card + other]]
    return False
