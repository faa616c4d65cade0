"""From figures to a verdict: `holds`, `false`, `depends` or `unclear`, corrected for testing many tips at once.

A tip `holds` when obeying it wins more in the same positions, and is `false` when it wins less, both beyond chance, by
Holm's step-down method (1979). It `depends` when there are two kinds of positions, told apart by a tree, such that
obeying is right in the one and wrong in the other; found on one half of the positions and tested on the other, both
kinds at a level divided by the number of tips. Each of the two takes half of the risk, so that the risk that any of the
tips tested together is judged wrongly is 5 % at most.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from strategy.intervals import RISK_OF_A_FAMILY, Interval
from strategy.skew import chance_above, mean_difference
from strategy.tree import Tree, grow

CORRECTION = (
    "verdicts at a risk of 5 % in all: half of it for holds and false, by Holm over all tips tested at this table, and "
    "half for depends, both sides on held-out positions, by Bonferroni"
)

HOLDS, FALSE, DEPENDS, UNCLEAR = "holds", "false", "depends", "unclear"

LEAST_POSITIONS = 30
"""With fewer nothing is said."""


@dataclass(frozen=True)
class Dependence:
    """When obeying is right and when it is wrong, in words, and what it is worth then, on held-out positions."""

    right_when: str
    right_worth: float
    right_interval: Interval
    right_positions: int
    wrong_when: str
    wrong_worth: float
    wrong_interval: Interval
    wrong_positions: int


def holm(p_values: Sequence[float], risk: float = RISK_OF_A_FAMILY) -> np.ndarray:
    """Which of several hypotheses are rejected: bool, in their order."""
    order = np.argsort(p_values, kind="stable")
    rejected = np.zeros(len(order), bool)
    for step, i in enumerate(order):
        if p_values[i] > risk / (len(order) - step):
            break
        rejected[i] = True
    return rejected


def verdict_of(worth: float, significant: bool, dependence: Dependence | None) -> str:
    """The verdict on a tip."""
    if dependence is not None:
        return DEPENDS
    if not significant:
        return UNCLEAR
    return HOLDS if worth > 0 else FALSE


def dependence_of(features: np.ndarray, names: Sequence[str], worth: np.ndarray, tips: int) -> Dependence | None:
    """On what the sign of the difference depends; None when that cannot be shown.

    Args:
        features: of each position, float64, (n, len(names)).
        names: of the features.
        worth: mean difference of each position, float64, (n,).
        tips: how many are tested together.
    """
    half = np.arange(len(worth)) % 2 == 0
    if half.sum() < 2 * LEAST_POSITIONS:
        return None
    tree = grow(features[half], worth[half])
    if tree is None:
        return None
    right = tree.says_right(features[~half])
    sides = worth[~half][right], worth[~half][~right]
    if min(map(len, sides)) < LEAST_POSITIONS or not all(
        chance_above(side) <= RISK_OF_A_FAMILY / tips for side in (sides[0], -sides[1])
    ):
        return None
    return _described(tree, names, *sides)


def _described(tree: Tree, names: Sequence[str], right: np.ndarray, wrong: np.ndarray) -> Dependence:
    gain, loss = mean_difference(right), mean_difference(wrong)
    return Dependence(
        tree.when(True, names), gain.value, gain.interval, len(right),
        tree.when(False, names), loss.value, loss.interval, len(wrong),
    )  # fmt: skip
