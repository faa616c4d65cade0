"""Cards: their numbers, names and points, the two decks, and sets of cards.

A card is a number, rank times four plus suit, so that the 32-card deck is the upper part of the same numbering and
every rank is four neighbouring bits of a set. A set of cards is a `uint64` with bit `card` set.
"""

import numpy as np

SUITS = "CDHS"
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
NUM_SUITS, NUM_RANKS, NUM_CARDS = len(SUITS), len(RANKS), len(SUITS) * len(RANKS)
SEVEN, EIGHT, NINE, JACK, ACE = (RANKS.index(rank) for rank in ("7", "8", "9", "J", "A"))

POINTS = np.array([2, 3, 4, 5, 6, 7, 8, 9, 10, 2, 3, 4, 11], np.int64)
"""Points of a card left in hand, by rank."""

NAMES = tuple(rank + suit for rank in RANKS for suit in SUITS)
"""The text of each card by its number: rank, then suit, as in "10S"."""
NUMBERS = {name: card for card, name in enumerate(NAMES)}

SUIT_SET = np.array([sum(1 << (4 * rank + suit) for rank in range(NUM_RANKS)) for suit in range(4)], np.uint64)
RANK_SET = np.array([0b1111 << (4 * rank) for rank in range(NUM_RANKS)], np.uint64)
ALL_CARDS = np.uint64((1 << NUM_CARDS) - 1)
JACKS = RANK_SET[JACK]
SPECIAL_CARDS = np.uint64(sum(int(RANK_SET[rank]) for rank in (SEVEN, EIGHT, NINE, JACK, ACE)))

DECKS = (32, 104)
"""The decks by their size: 7 to A once, or 2 to A twice."""
MAX_DECK = max(DECKS)


def lowest_card(deck: int) -> int:
    """Number of the lowest card of a deck: its cards are this one and all above."""
    return NUMBERS["7C"] if deck == 32 else 0


def copies(deck: int) -> int:
    """How often each card is in a deck."""
    return 1 if deck == 32 else 2


def card_number(text: str) -> int:
    """Number of a card from its text; ValueError when there is no such card."""
    if text not in NUMBERS:
        raise ValueError(f"no card is called {text!r}: a card is rank then suit, such as 7H, 10S or JC")
    return NUMBERS[text]


def set_of(cards: list[int]) -> tuple[int, int]:
    """The two sets of a heap of cards: those in it at least once, and those in it twice."""
    first = second = 0
    for card in cards:
        second |= first & (1 << card)
        first |= 1 << card
    return first, second


def cards_in(first: int, second: int = 0) -> list[int]:
    """The cards of a heap, ascending, each as often as it is there."""
    return [card for card in range(NUM_CARDS) for heap in (first, second) if int(heap) >> card & 1]
