"""Reading many VIEWs at once, as tips do: what is in the hand, what an action plays, what the next player may hold.

Functions take VIEWs, shape (n,), and give an answer for each: shape (n,), or (n, 4) by suit, (n, 13) by rank, or
(n, NUM_ACTIONS). The constants in capitals are sets of actions, bool, shape (NUM_ACTIONS,), or say of each action which
card it plays; -1 for draw, pass and mau.
"""

import numpy as np

from maumau_env.game.actions import ACTION_BIT, ACTION_WISH, DRAW, MAU, MISSING_AT, NUM_ACTIONS, PASS
from maumau_env.game.bits import BIT, NOTHING
from maumau_env.game.cards import (
    ACE,
    DECK_SETS,
    EIGHT,
    JACK,
    JACKS,
    NINE,
    NUM_CARDS,
    NUM_SUITS,
    POINTS,
    RANK_SET,
    SEVEN,
    SPECIAL_CARDS,
    SUIT_SET,
)

CARD = np.where(ACTION_BIT < NUM_CARDS, ACTION_BIT, -1)
RANK = np.where(CARD >= 0, CARD >> 2, -1)
SUIT = np.where(ACTION_WISH >= 0, ACTION_WISH, np.where(CARD >= 0, CARD & 3, -1))
"""The suit that has to be followed after each action: the wish, or that of the card."""
WORTH = np.where(CARD >= 0, POINTS[RANK], 0)
"""Card points that each action gets rid of."""

CARDS = CARD >= 0
"""All actions that play a card."""
JACK_PLAYS, SEVENS, EIGHTS, NINES, ACES = (np.equal(RANK, rank) for rank in (JACK, SEVEN, EIGHT, NINE, ACE))
SUIT_CARDS = CARDS & ~JACK_PLAYS
"""All cards but Jacks."""
SPECIALS = CARDS & ((BIT[np.maximum(CARD, 0)] & SPECIAL_CARDS) != NOTHING)
DRAWS, PASSES, MAUS = (np.equal(np.arange(NUM_ACTIONS), action) for action in (DRAW, PASS, MAU))

_BITS = BIT[ACTION_BIT]
_PLAYED = np.where(CARDS, _BITS, NOTHING)
_FITTING = np.where(CARDS, SUIT_SET[SUIT] | RANK_SET[RANK] | JACKS, NOTHING)


def legal(views: np.ndarray) -> np.ndarray:
    """Which actions are legal: bool, (n, NUM_ACTIONS)."""
    suits = NUM_SUITS - (views["legal"] >> MISSING_AT).astype(np.int64)
    return ((views["legal"][:, None] & _BITS) != NOTHING) & (suits[:, None] > ACTION_WISH)


def held(views: np.ndarray, cards: np.uint64) -> np.ndarray:
    """How many of a set of cards the viewer holds, both copies counted: int64, (n,)."""
    return np.bitwise_count(views["hand"] & cards).sum(axis=1, dtype=np.int64)


def suit_lengths(views: np.ndarray) -> np.ndarray:
    """How many cards of each suit the viewer holds, Jacks left out: int64, (n, 4)."""
    return np.stack([held(views, suit & ~JACKS) for suit in SUIT_SET], axis=1)


def rank_counts(views: np.ndarray) -> np.ndarray:
    """How many cards of each rank the viewer holds: int64, (n, 13)."""
    return np.stack([held(views, rank) for rank in RANK_SET], axis=1)


def length_of(views: np.ndarray) -> np.ndarray:
    """How many cards of the suit that each action leaves in force the viewer holds now, Jacks left out."""
    return suit_lengths(views)[:, SUIT]


def number_of(views: np.ndarray) -> np.ndarray:
    """How many cards of the rank that each action plays the viewer holds now: int64, (n, NUM_ACTIONS)."""
    return rank_counts(views)[:, RANK]


def unseen(views: np.ndarray, cards: np.uint64) -> np.ndarray:
    """How many of a set of cards lie in the pile or in other hands: int64, (n,)."""
    deck = np.bitwise_count(DECK_SETS[views["rules"]["deck"]] & cards).sum(axis=1, dtype=np.int64)
    return deck - held(views, cards) - np.bitwise_count(views["shown"] & cards).sum(axis=1, dtype=np.int64)


def unseen_by_suit(views: np.ndarray) -> np.ndarray:
    """How many cards of each suit are unseen, Jacks left out: int64, (n, 4)."""
    return np.stack([unseen(views, suit & ~JACKS) for suit in SUIT_SET], axis=1)


def hand(views: np.ndarray) -> np.ndarray:
    """Cards in the viewer's hand: int64, (n,)."""
    return views["hand_sizes"][:, 0].astype(np.int64)


def next_seat(views: np.ndarray) -> np.ndarray:
    """Relative seat of the next player in the direction of play."""
    return views["direction"] % views["num_players"]


def next_hand(views: np.ndarray) -> np.ndarray:
    """Cards in the hand of the next player: int64, (n,)."""
    return views["hand_sizes"][np.arange(len(views)), next_seat(views)].astype(np.int64)


def previous_hand(views: np.ndarray) -> np.ndarray:
    """Cards in the hand of the player before the viewer, who comes next after a 9: int64, (n,)."""
    return views["hand_sizes"][np.arange(len(views)), -views["direction"] % views["num_players"]].astype(np.int64)


def next_lacks(views: np.ndarray) -> np.ndarray:
    """Suits that the next player drew on, having taken no card since but the one drawn then: bool, (n, 4)."""
    since = views["seats"][np.arange(len(views)), next_seat(views)]["since_suit"]
    return (since > 0) & (since <= 2)


def next_played(views: np.ndarray) -> np.ndarray:
    """The suit that the latest play of the next player left in force, -1 when there is none: int64, (n,)."""
    plays = views["seats"][np.arange(len(views)), next_seat(views)]["last_plays"][:, 0]
    return np.where(plays >= 0, SUIT[plays], -1)


def follows(views: np.ndarray) -> np.ndarray:
    """After which legal plays a card that is left in the viewer's hand fits (C4): bool, (n, NUM_ACTIONS)."""
    once, twice = views["hand"][:, :1], views["hand"][:, 1:]
    left = np.where((twice & _PLAYED) != NOTHING, once, once & ~_PLAYED)
    no_jack = JACK_PLAYS & (views["rules"]["jack_on_jack"][:, None] == 0)
    return legal(views) & ((left & np.where(no_jack, _FITTING & ~JACKS, _FITTING)) != NOTHING)


def is_most(values: np.ndarray, among: np.ndarray) -> np.ndarray:
    """Which actions have the greatest of the values among a set of actions of each view: bool, (n, NUM_ACTIONS)."""
    lowest = np.iinfo(np.int64).min
    counted = np.where(among, values, lowest)
    return among & (counted == counted.max(axis=1, keepdims=True))
