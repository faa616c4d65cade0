"""A position that shows what a tip is about: one of those at which it was weighed.

It is the one whose difference is nearest to the mean of all, so that following the tip is worth there what it is worth
altogether; of several such it is the first.
"""

from dataclasses import dataclass

import numpy as np

from maumau_env.game.actions import ACTION_NAMES
from maumau_env.game.cards import NAMES, SUITS, cards_in
from maumau_env.game.state import DRAWN
from strategy.reading import next_hand


@dataclass(frozen=True)
class Example:
    """What the seat to move may know that matters for a picture; cards and actions by their texts."""

    hand: list[str]
    top: str
    suit: str  # in force
    wished: bool  # that suit was named by a Jack's player
    owed: int
    drawn: str | None  # the card just drawn, which may be played
    next_hand: int  # cards of the next player
    follows: str  # the action compared that obeys the tip
    instead: str  # the one that does not
    worth: float  # the mean difference here


def example_of(views: np.ndarray, pairs: np.ndarray, worth: np.ndarray) -> Example | None:
    """The example among weighed positions; None when there are none.

    Args:
        views: VIEWs, shape (n,).
        pairs: the actions compared at each, obeying and not, int64, shape (n, 2).
        worth: mean difference of each, float64, shape (n,).
    """
    if len(views) == 0:
        return None
    chosen = int(np.abs(worth - worth.mean()).round(9).argmin())
    view, (follows, instead) = views[chosen], pairs[chosen].tolist()
    return Example(
        hand=[NAMES[card] for card in cards_in(*view["hand"].tolist())],
        top=NAMES[int(view["top"])],
        suit=SUITS[int(view["suit"])],
        wished=bool(view["wished"]),
        owed=int(view["owed"]),
        drawn=NAMES[int(view["drawn"])] if view["phase"] == DRAWN else None,
        next_hand=int(next_hand(views[chosen : chosen + 1])[0]),
        follows=ACTION_NAMES[follows],
        instead=ACTION_NAMES[instead],
        worth=float(worth[chosen]),
    )
