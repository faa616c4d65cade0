"""Figures with the intervals in which they lie, at 95 % confidence unless more is asked for."""

import math
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from scipy import stats

CONFIDENCE = 0.95

RISK = 0.05
"""That anything is wrong of what one result calls beyond chance, all its tests together."""
RISK_OF_A_FAMILY = RISK / 2
"""Of tests there are two families: in a survey what holds or is false and what depends, in a review marks and gains."""

Interval = tuple[float, float]


class Estimate(NamedTuple):
    """A figure, and the interval in which the truth lies."""

    value: float
    low: float
    high: float

    @property
    def interval(self) -> Interval:
        """Its two ends."""
        return self.low, self.high


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


def mean_of(values: np.ndarray, lowest: float = -math.inf, highest: float = math.inf) -> Estimate:
    """The mean of independent values, float64, (n,), in a range that it cannot leave: Student's t."""
    return around(float(values.mean()), _error(values), len(values), lowest, highest)


def ratio_of(parts: np.ndarray, wholes: np.ndarray, lowest: float = -math.inf, highest: float = math.inf) -> Estimate:
    """The sum of the parts by that of the wholes, of which every game has one of each: float64, (games,).

    The interval is by the spread of the games around it (the usual linearization). Where all wholes are zero nothing
    is known: 0, and the whole range.
    """
    total, games = float(wholes.sum()), len(parts)
    if total == 0:
        return Estimate(0.0, lowest, highest)
    share = float(parts.sum()) / total
    spread = math.sqrt(games / max(1, games - 1) * float(((parts - share * wholes) ** 2).sum())) / total
    return around(share, spread, games, lowest, highest)


def around(value: float, error: float, number: int, lowest: float, highest: float) -> Estimate:
    """A figure with its standard error from so many independent values; one alone says nothing: the whole range."""
    if number < 2:
        return Estimate(value, lowest, highest)
    reach = float(stats.t.ppf((1 + CONFIDENCE) / 2, number - 1)) * error
    return Estimate(value, max(lowest, value - reach), min(highest, value + reach))


def deviations(confidence: float) -> float:
    """How many standard deviations of a normal distribution hold this share of it on both sides of the middle."""
    return NormalDist().inv_cdf((1 + confidence) / 2)


def _error(values: np.ndarray) -> float:
    """The standard error of the mean; 0 for a single value."""
    return float(values.std(ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else 0.0
