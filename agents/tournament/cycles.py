"""Rock-paper-scissors: three bots of which each finishes ahead of the next, which no rating can show.

That A is ahead of B, B of C, and C of A are three claims, and the cycle holds only if all do: its p-value is the
largest of theirs (an intersection-union test, Berger 1982). Each claim is a one-sided t test, over deals, of how often
one finishes ahead against one half. Every three bots in both directions are asked, and the p-values are corrected for
so many questions by Holm's method (1979): in a field without a cycle the chance to report one stays below the level.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy import stats

LEVEL = 0.05


@dataclass(frozen=True)
class Cycle:
    """Each of the bots finishes ahead of the next, and the last ahead of the first."""

    bots: tuple[int, int, int]  # their numbers; the lowest comes first
    p: float  # corrected for all cycles that were asked about


def cycles(ahead: np.ndarray, met: np.ndarray, level: float = LEVEL) -> list[Cycle]:
    """The cycles in a cross-table by unit, as `cross_table` makes it, with a corrected p-value below the level.

    The most certain comes first.
    """
    claims = better_p(ahead, met)
    asked = [order for a, b, c in combinations(range(len(claims)), 3) for order in ((a, b, c), (a, c, b))]
    single = np.array([max(claims[a, b], claims[b, c], claims[c, a]) for a, b, c in asked])
    found = [Cycle(bots, float(p)) for bots, p in zip(asked, holm(single), strict=True) if p < level]
    return sorted(found, key=lambda cycle: cycle.p)


def better_p(ahead: np.ndarray, met: np.ndarray) -> np.ndarray:
    """How easily chance alone would show bot i as far ahead of bot j: one-sided p-values, float64 (field, field).

    The arguments are those of `cycles`; 1 where two never met.
    """
    field = met.shape[1]
    return np.array([[_claim(ahead[:, i, j], met[:, i, j]) for j in range(field)] for i in range(field)])


def holm(single: np.ndarray) -> np.ndarray:
    """p-values, float64 (questions,), corrected for their number by Holm's method."""
    order = np.argsort(single, kind="stable")
    corrected = np.empty(len(single))
    steps = single[order] * np.arange(len(single), 0, -1)
    corrected[order] = np.minimum(np.maximum.accumulate(steps), 1)
    return corrected


def _claim(ahead: np.ndarray, met: np.ndarray) -> float:
    """The p-value of one claim, from its units (units,).

    Where all of them say the same, t has no spread to go by. If not more than half were true, at most a share
    most / (most + surplus) of the units could say so, `most` being the furthest that one could say the opposite.
    """
    surplus = (ahead - met / 2)[met > 0]
    if len(surplus) == 0:
        return 1.0
    if np.ptp(surplus) > 0:
        return float(stats.ttest_1samp(surplus, 0, alternative="greater").pvalue)
    most = met.max() / 2
    return float((most / (most + surplus[0])) ** len(surplus)) if surplus[0] > 0 else 1.0
