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

from agents.tournament.bootstrap import EQUAL

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

    The arguments are those of `cycles`; 1 where two never met. Where all units say the same, t has no spread to go by.
    But if not more than half were true, at most a share most / (most + surplus) of all units could say so, `most` being
    the furthest that one could say the opposite; that they all do has this chance to the power of their number.
    """
    meetings, surplus = met > 0, ahead - met / 2
    units = meetings.sum(axis=0)
    mean = surplus.sum(axis=0) / np.maximum(units, 1)
    spread = np.sqrt(np.where(meetings, (surplus - mean) ** 2, 0).sum(axis=0) / np.maximum(units - 1, 1))
    alike = spread < EQUAL
    t = mean * np.sqrt(units) / np.where(alike, 1, spread)
    by_spread = stats.t.sf(t, np.maximum(units - 1, 1))
    most = met.max(axis=0) / 2
    share = most / np.maximum(most + np.maximum(mean, 0), EQUAL)
    by_count = np.where(mean > EQUAL, share**units, 1)
    return np.where(alike, by_count, by_spread)


def holm(single: np.ndarray) -> np.ndarray:
    """p-values, float64 (questions,), corrected for their number by Holm's method."""
    order = np.argsort(single, kind="stable")
    corrected = np.empty(len(single))
    steps = single[order] * np.arange(len(single), 0, -1)
    corrected[order] = np.minimum(np.maximum.accumulate(steps), 1)
    return corrected
