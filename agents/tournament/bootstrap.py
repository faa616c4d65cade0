"""Intervals by bootstrap over deals (Efron 1979): how much the figures would vary with other cards.

All games of one deal, in all its seatings and line-ups, share their cards; so the deal is what is drawn again, with
replacement, and not the game. Every figure is a ratio of sums over deals, such as wins by seats held. Of the ratios of
all resamples the interval takes percentiles, a little further out than the confidence asks, as Student's t is further
out than the normal: the expanded percentile interval of Hesterberg (2015, "What teachers should know about the
bootstrap", The American Statistician 69). It never leaves the range of the single deals, so with fewer than about
eight of them it holds the truth less often than it says.

Where every deal gives the same figure, resampling shows no spread at all, and yet other deals may differ. With
confidence 1 - a, n equal deals leave open that a share 1 - (a / 2)^(1 / n) of all deals is different (Clopper and
Pearson 1934), in the worst case as different as the range of the figure allows: so wide is the interval then. For 95 %
that is about 3.7 / n, known as the rule of three in its one-sided form.

Very many deals are drawn again in groups, which saves time: the first 2,000 stand alone, those up to 4,000 in twos, up
to 8,000 in fours, and so on. So half a million deals make ten thousand groups, no group has more than a thousandth of
the deals up to it, and a bot that sits in the first deals alone keeps as many groups as an interval needs.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

SINGLE = 2_000  # deals that stand alone; an even number
CHUNK = 2_000_000  # weights made at a time
TAILS, MOST_RESAMPLES = 20, 20_000  # resamples to be left outside an interval; what 99.9 % takes

EQUAL = 1e-12  # figures of deals that differ by less differ by rounding


@dataclass(frozen=True)
class Ratio:
    """A figure: the sum of one column over deals, divided by that of another; and the range that it cannot leave."""

    numerator: int
    denominator: int
    lowest: float = 0.0
    highest: float = 1.0


@dataclass(frozen=True)
class Resampled:
    """Figures with their intervals, in the order of the ratios asked for."""

    values: np.ndarray  # float64 (ratios,); nan where no deal has a denominator
    intervals: np.ndarray  # float64 (ratios, 2)
    resamples: np.ndarray  # float64 (resamples, ratios): each figure in each resample; nan without a denominator


def resampled(
    sums: np.ndarray, ratios: Sequence[Ratio], resamples: int | None = None, seed: int = 0, confidence: float = 0.95
) -> Resampled:
    """Ratios of sums over deals, with intervals.

    `sums` has a row for each deal, float64 (deals, columns), in their order. One deal alone says nothing of others: the
    whole range. Without a number of resamples there are 1,000, or more where the confidence takes them.
    """
    resamples = resamples or resamples_for(confidence, 1000)
    over = [ratio.numerator for ratio in ratios]
    under = [ratio.denominator for ratio in ratios]
    units = grouped(sums)
    drawn = np.concatenate([rows @ units for rows in weights(len(units), resamples, seed)])
    again = _quotients(drawn[:, over], drawn[:, under])
    values = _quotients(sums[:, over].sum(axis=0), sums[:, under].sum(axis=0))
    by_deal, by_unit = (_quotients(of[:, over], of[:, under]) for of in (sums, units))
    intervals = [
        _interval(ratio, value, *(of[np.isfinite(of)] for of in columns), confidence)
        for ratio, value, *columns in zip(ratios, values, by_deal.T, by_unit.T, again.T, strict=True)
    ]
    return Resampled(values, np.array(intervals).reshape(-1, 2), again)


def resamples_for(confidence: float, usual: int) -> int:
    """How many resamples: as many as usual up to 95 %, and beyond at least 20 / (1 - confidence).

    That leaves ten outside either end. There are never more than 20,000; beyond 99.9 % that is too few.
    """
    return usual if confidence <= 0.95 else max(usual, min(MOST_RESAMPLES, round(TAILS / (1 - confidence))))


def units_of(deal: np.ndarray) -> np.ndarray:
    """What is drawn again, for each game: its deal, or after the first 2,000 deals its group of consecutive deals.

    `deal` holds the number of each game's deal, any integers (games,); the answer int64 (games,) counts from 0.
    """
    deals, index = np.unique(deal, return_inverse=True)
    return _groups(len(deals))[index]


def grouped(sums: np.ndarray) -> np.ndarray:
    """Sums by deal (deals, columns) as sums by unit (units, columns)."""
    groups = _groups(len(sums))
    return np.add.reduceat(sums, np.flatnonzero(np.diff(groups, prepend=-1)), axis=0)


def weights(units: int, resamples: int, seed: int) -> Iterator[np.ndarray]:
    """How often each unit is drawn in each resample, in chunks of rows: float64 (some of the resamples, units).

    The same units and seed give the same weights, so figures made from them in different places belong together.
    """
    rng = np.random.default_rng(seed)
    rows = max(1, CHUNK // units)
    for first in range(0, resamples, rows):
        shape = min(rows, resamples - first), units
        drawn = rng.integers(units, size=shape) + units * np.arange(shape[0])[:, None]
        yield np.bincount(drawn.ravel(), minlength=shape[0] * units).reshape(shape).astype(np.float64)


def percentiles(spread: np.ndarray, units: int, confidence: float = 0.95) -> tuple[float, float]:
    """The expanded percentile interval from the values of one figure in all resamples, (resamples,).

    `units` says how many of what was drawn again, deals or groups of them, know the figure.

    Raises:
        ValueError: fewer than two units, or no value.
    """
    if units < 2 or len(spread) == 0:
        raise ValueError(f"{units} deals, {len(spread)} resamples: an interval needs two deals and a resample")
    reach = stats.t.ppf((1 + confidence) / 2, units - 1) * np.sqrt(units / (units - 1))
    low, high = np.quantile(spread, stats.norm.cdf([-reach, reach]))
    return float(low), float(high)


def _groups(deals: int) -> np.ndarray:
    """The group of each deal, int64 (deals,): of 2^k deals each, from SINGLE * 2^(k - 1) to before SINGLE * 2^k."""
    number = np.arange(deals)
    size = 2 ** np.maximum(np.frexp(number / SINGLE)[1], 0)
    return np.cumsum(number % size == 0) - 1


def _quotients(over: np.ndarray, under: np.ndarray) -> np.ndarray:
    return np.divide(over, under, out=np.full(over.shape, np.nan), where=under != 0)


def _interval(
    ratio: Ratio, value: float, by_deal: np.ndarray, by_unit: np.ndarray, spread: np.ndarray, confidence: float
) -> tuple[float, float]:
    """The interval of one figure, from its values in the deals, units and resamples that have one."""
    single = by_deal if _alike(by_deal) else by_unit
    if len(single) < 2:
        return ratio.lowest, ratio.highest
    if not _alike(single):
        return percentiles(spread, len(single), confidence)
    unseen = 1 - ((1 - confidence) / 2) ** (1 / len(single))
    return value - unseen * (value - ratio.lowest), value + unseen * (ratio.highest - value)


def _alike(values: np.ndarray) -> bool:
    return len(values) == 0 or bool(np.ptp(values) <= EQUAL)
