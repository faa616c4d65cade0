"""Rules of thumb found in play that are known: they only repeat one of the tips that people give.

A rule repeats a tip where both apply and the same of the legal actions obey them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from strategy.tip import Tip

SAME = 0.8
"""A rule is known when a tip says the same at this share of the rule's positions or more."""


@dataclass(frozen=True)
class Known:
    """The tip that a rule repeats most."""

    tip: str  # its name
    share: float  # of the positions at which the rule applies: the tip applies there, too, and demands the same


def known_as(rule: Tip, views: np.ndarray, tips: Sequence[Tip]) -> Known | None:
    """What a rule is known as among tips, by VIEWs, shape (n,), at which it applies; None for one that is new."""
    if len(views) == 0:
        return None
    demanded = rule.split(views)
    shares = [float((demanded.applies & says_the_same(demanded.obeying, tip, views)).mean()) for tip in tips]
    if max(shares, default=0.0) < SAME:
        return None
    return Known(tips[int(np.argmax(shares))].name, max(shares))


def says_the_same(obeying: np.ndarray, tip: Tip, views: np.ndarray) -> np.ndarray:
    """Where exactly these actions, bool, (n, NUM_ACTIONS), obey a tip: bool, (n,)."""
    return (obeying == tip.split(views).obeying).all(axis=1)
