"""A shallow tree over whole numbers that says, for each position, whether obeying is right, and says so in words.

scikit-learn grows it, which `pip install -e ".[explore]"` brings; without it nothing is said to depend on anything.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np

DEPTH = 2
LEAST_SHARE = 0.1
"""Share of the positions that a leaf must hold."""

Condition = tuple[int, bool, int]
"""A feature's number; whether it is at most (or at least) the bound; the bound."""


def available() -> bool:
    """scikit-learn is here."""
    return find_spec("sklearn") is not None


@dataclass(frozen=True)
class Tree:
    """Its leaves: the conditions that lead there, and what is right there."""

    leaves: Sequence[tuple[tuple[Condition, ...], bool]]

    def says_right(self, features: np.ndarray) -> np.ndarray:
        """Bool, (n,), for features, float64, (n, k)."""
        right = [conditions_hold(conditions, features) for conditions, is_right in self.leaves if is_right]
        return np.logical_or.reduce(right)

    def when(self, is_right: bool, names: Sequence[str]) -> str:
        """When obeying is right, or wrong, in words."""
        return "; or ".join(
            conditions_text(conditions, names) for conditions, right in self.leaves if right == is_right
        )


def grow(features: np.ndarray, worth: np.ndarray) -> Tree | None:
    """The tree that tells where the worth, float64, (n,), is positive; None when it says the same everywhere.

    Positions count by how much is at stake there, and where nothing is they do not count.
    """
    if not available():
        return None
    from sklearn.tree import DecisionTreeClassifier

    matters = worth != 0
    if matters.sum() < 2 or len(set(worth[matters] > 0)) < 2:
        return None
    least = max(1, int(LEAST_SHARE * matters.sum()))
    model = DecisionTreeClassifier(max_depth=DEPTH, min_samples_leaf=least, random_state=0)
    model.fit(features[matters], worth[matters] > 0, sample_weight=np.abs(worth[matters]))
    leaves = _merged(list(_leaves(model.tree_, 0, ())))
    return Tree(leaves) if len({right for _, right in leaves}) == 2 else None


def _leaves(tree: Any, node: int, path: tuple[Condition, ...]) -> Iterator[tuple[tuple[Condition, ...], bool]]:
    if tree.children_left[node] < 0:
        yield path, bool(tree.value[node][0].argmax() == 1)
        return
    feature, bound = int(tree.feature[node]), int(np.floor(tree.threshold[node]))
    yield from _leaves(tree, tree.children_left[node], (*path, (feature, True, bound)))
    yield from _leaves(tree, tree.children_right[node], (*path, (feature, False, bound + 1)))


def _merged(leaves: list[tuple[tuple[Condition, ...], bool]]) -> list[tuple[tuple[Condition, ...], bool]]:
    """Two neighbours that say the same become one."""
    merged: list[tuple[tuple[Condition, ...], bool]] = []
    for path, right in leaves:
        if (
            merged
            and merged[-1][1] == right
            and path
            and len(merged[-1][0]) == len(path)
            and merged[-1][0][:-1] == path[:-1]
        ):
            merged[-1] = path[:-1], right
        else:
            merged.append((path, right))
    return merged


def conditions_hold(conditions: Sequence[Condition], features: np.ndarray) -> np.ndarray:
    """Where all of the conditions hold: bool, (n,), for features, float64, (n, k)."""
    holds = np.ones(len(features), bool)
    for feature, below, bound in conditions:
        holds &= features[:, feature] <= bound if below else features[:, feature] >= bound
    return holds


def conditions_text(conditions: Sequence[Condition], names: Sequence[str]) -> str:
    """The conditions in words, those on one feature as one."""
    parts = []
    for feature in dict.fromkeys(feature for feature, _, _ in conditions):
        most = min((bound for other, below, bound in conditions if other == feature and below), default=None)
        least = max((bound for other, below, bound in conditions if other == feature and not below), default=None)
        parts.append(_range_text(names[feature], least, most))
    return " and ".join(parts)


def _range_text(name: str, least: int | None, most: int | None) -> str:
    if most == 0:
        return f"no {name}"
    if most is None:
        return f"{name}: {least} or more"
    if least is None:
        return f"{name}: {most} or fewer"
    return f"{name}: {least}" if least == most else f"{name}: {least} to {most}"
