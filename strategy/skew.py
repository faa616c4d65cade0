"""The mean of differences in the share of a win, tested, and with its interval, also where they are few and skewed.

Most positions of a tip may differ by next to nothing and a few by a whole win. Student's t knows only the spread that
it has seen, and calls such a mean certain as long as none of the few has come up. So three things are done, and all of
them make less sure:

    imagined positions   the spread is reckoned as if PADDING more positions had been won outright, and as many lost
    Johnson (1978)       where the longer tail is on the other side of the mean, the statistic is lowered by the skew
    one and the same     the interval is the set of means that the test does not reject

With two values, one of them rare, the rate of false alarms can be counted out by binomial odds: at 30 to 2000 positions
and at all levels from 0.025 % to 5 % it is at most 1.04 times the level, where that of Student's t is a thousand times.
"""

import math

import numpy as np
from scipy import stats

from strategy.intervals import CONFIDENCE, Estimate

PADDING = 3
"""Imagined positions at each end of the range, -1 and 1."""


def mean_difference(values: np.ndarray) -> Estimate:
    """The mean of independent differences, -1 to 1, float64, (n,), n > 1, at 95 % confidence."""
    mean, error, skew = _moments(values)
    reach = float(stats.t.ppf((1 + CONFIDENCE) / 2, len(values) - 1))
    low, high = (error * (reach + _doubt(tail) * (1 + 2 * reach**2)) for tail in (-skew, skew))
    return Estimate(mean, max(-1.0, mean - low), min(1.0, mean + high))


def chance_above(values: np.ndarray) -> float:
    """How likely a mean at least as high is by chance where the truth is 0: one-sided."""
    mean, error, skew = _moments(values)
    return float(stats.t.sf(_lowered(mean / error, _doubt(-skew)), len(values) - 1))


def chance_apart(values: np.ndarray) -> float:
    """The same for one at least as far from 0, above or below: two-sided."""
    return min(1.0, 2 * min(chance_above(values), chance_above(-values)))


def _moments(values: np.ndarray) -> tuple[float, float, float]:
    """Mean, its standard error, and its skewness, the two latter with the imagined positions in the spread."""
    n, mean = len(values), float(values.mean())
    away = values - mean
    squares = float((away**2).sum()) + 2 * PADDING
    return mean, math.sqrt(squares / (n * (n - 1))), float((away**3).sum()) / squares**1.5


def _doubt(tail: float) -> float:
    """Johnson's coefficient, by how much longer the tail is on the side that has been seen less than it should."""
    return max(0.0, tail) / 6


def _lowered(statistic: float, doubt: float) -> float:
    """The t whose interval ends where the statistic is: t + doubt (1 + 2 t²) = statistic; one below 0 stays."""
    if doubt == 0 or statistic <= 0:
        return statistic
    return (math.sqrt(1 + 8 * doubt * (statistic - doubt)) - 1) / (4 * doubt) if statistic > doubt else 0.0
