"""Figures with the intervals in which they lie, at 95 % confidence unless more is asked for."""

import math
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from agents.tournament import interval

CONFIDENCE = 0.95


class Estimate(NamedTuple):
    """A figure, and the interval in which the truth lies."""

    value: float
    low: float
    high: float

    @property
    def interval(self) -> list[float]:
        """As in JSON."""
        return [self.low, self.high]


def chance_of(shares: np.ndarray) -> Estimate:
    """A chance from independent shares of a win, 0 to 1, shape (n,).

    The interval is Wilson's (1927) for wins and losses. Shared wins vary less, so it is wide enough for these, too; and
    unlike the usual one it does not shrink to nothing when all playouts end alike.
    """
    n, mean, z = len(shares), float(shares.mean()), deviations(CONFIDENCE)
    middle = (mean + z * z / (2 * n)) / (1 + z * z / n)
    reach = z / (1 + z * z / n) * math.sqrt(mean * (1 - mean) / n + z * z / (4 * n * n))
    return Estimate(mean, min(mean, max(0.0, middle - reach)), max(mean, min(1.0, middle + reach)))


def difference_of(pairs: np.ndarray, confidence: float = CONFIDENCE) -> Estimate:
    """The mean of differences between two shares of a win, -1 to 1, in equal worlds: shape (n,).

    The interval is that of Agresti and Min (2005) for matched pairs: half a pair more of each kind, so that it does not
    shrink to nothing either when no pair differs.
    """
    n = len(pairs) + 2
    middle, squares = float(pairs.sum()) / n, float((pairs**2).sum() + 1) / n
    reach = deviations(confidence) * math.sqrt((squares - middle**2) / n)
    value = float(pairs.mean())
    return Estimate(value, max(-1.0, min(value, middle - reach)), min(1.0, max(value, middle + reach)))


def mean_of(values: np.ndarray, lowest: float, highest: float) -> Estimate:
    """The mean of independent values, shape (n,), in a range that it cannot leave: Student's t."""
    return Estimate(float(values.mean()), *interval(values, lowest, highest))


def deviations(confidence: float) -> float:
    """How many standard deviations of a normal distribution hold this share of it on both sides of the middle."""
    return NormalDist().inv_cdf((1 + confidence) / 2)
