"""Named facts of a position that people count, by which it is told what a tip depends on."""

from collections.abc import Callable
from types import MappingProxyType

import numpy as np

from maumau_env.game.cards import ALL_CARDS, JACKS, RANK_SET, SEVEN
from strategy.reading import hand, held, next_hand, suit_lengths, unseen


def fewest_of_others(views: np.ndarray) -> np.ndarray:
    """The smallest hand of another player."""
    sizes = views["hand_sizes"][:, 1:].astype(np.int64)
    there = np.arange(1, sizes.shape[1] + 1) < views["num_players"][:, None]
    return np.where(there, sizes, np.iinfo(np.int64).max).min(axis=1)


FEATURES = MappingProxyType[str, Callable[[np.ndarray], np.ndarray]](
    {
        "cards in my hand": hand,
        "cards of the next player": next_hand,
        "fewest cards of another player": fewest_of_others,
        "cards in the pile": lambda views: views["pile_size"],
        "Jacks in my hand": lambda views: held(views, JACKS),
        "sevens in my hand": lambda views: held(views, RANK_SET[SEVEN]),
        "suits in my hand": lambda views: (suit_lengths(views) > 0).sum(axis=1),
        "cards of my longest suit": lambda views: suit_lengths(views).max(axis=1),
        "Jacks still out": lambda views: unseen(views, JACKS),
        "sevens still out": lambda views: unseen(views, RANK_SET[SEVEN]),
        "cards owed": lambda views: views["owed"],
        "cards that I can play": lambda views: np.bitwise_count(views["legal"] & ALL_CARDS),
    }
)
"""Each by its name, with a function from VIEWs, shape (n,), to whole numbers, shape (n,)."""


def table_of_features(views: np.ndarray) -> np.ndarray:
    """All features: float64, (n, len(FEATURES))."""
    return np.stack([read(views) for read in FEATURES.values()], axis=1).astype(np.float64)
