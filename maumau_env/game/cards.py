"""Cards: their numbers, names and points, the decks, and sets of cards.

A card is a number, rank times four plus suit, so that the 32-card deck is the upper part of the same numbering and
every rank is four neighbouring bits of a set. A set of cards is a `uint64` with bit `card` set.
"""

from typing import NamedTuple

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


class Deck(NamedTuple):
    """What a deck is made of: every one of its ranks in every one of its suits, so that all its suits are alike."""

    ranks: tuple[str, ...]
    suits: str  # the first ones of SUITS
    copies: int  # how often it has each card


DECKS = {
    6: Deck(("7", "J", "A"), "CD", 1),
    8: Deck(("7", "8", "J", "A"), "CD", 1),
    12: Deck(("7", "8", "J", "A"), "CDH", 1),
    16: Deck(("7", "8", "J", "A"), SUITS, 1),
    32: Deck(RANKS[SEVEN:], SUITS, 1),
    104: Deck(RANKS, SUITS, 2),
}
"""The decks by their size. The four small ones are parts of the deck of 32, for games that can be solved exactly."""
MAX_DECK = max(DECKS)
LOWEST_OF_32 = NUMBERS["7C"]


def lowest_card(deck: int) -> int:
    """Number of the card at which a deck is counted from: 7C for the deck of 32 and its parts, 2C for that of 104."""
    return 0 if deck == MAX_DECK else LOWEST_OF_32


def cards_of(deck: int) -> list[int]:
    """The cards of a deck, ascending, each as often as it is there."""
    ranks, suits, copies = DECKS[deck]
    return [NUMBERS[rank + suit] for rank in ranks for suit in suits for _ in range(copies)]


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


# By the size of a deck, as the compiled game looks them up; rows of sizes that no deck has are zero.

DECK_CARDS = np.zeros((MAX_DECK + 1, MAX_DECK), np.uint8)
"""The cards of each deck, ascending."""
DECK_SETS = np.zeros((MAX_DECK + 1, 2), np.uint64)
"""The sets of the cards that are in each deck at least once, and of those that are in it twice."""
MISSING_SUITS = np.zeros(MAX_DECK + 1, np.uint64)
"""How many of the four suits each deck lacks; they are the last ones."""

for _size, _deck in DECKS.items():
    DECK_CARDS[_size, :_size] = cards_of(_size)
    DECK_SETS[_size] = set_of(cards_of(_size))
    MISSING_SUITS[_size] = NUM_SUITS - len(_deck.suits)
