"""Whether one number for each bot explains the cross-table.

If it does, then bot i finishes ahead of bot j at odds that are a ratio of strengths, as in Bradley and Terry (1952) and
so in every Plackett-Luce model; and around a circle of bots the logarithms of the odds add up to nothing. The test fits
such strengths to the cross-table and asks whether what is left of it, in all independent circles at once, is more than
other deals would leave by chance. Games of one deal depend on each other, so what chance would leave is measured over
deals: a conditional moment test (Newey 1985, "Maximum likelihood specification testing and conditional moment tests"),
with the quantiles of Hotelling's T² since that spread is estimated.
"""

import numpy as np
from scipy import linalg, stats

from agents.tournament.ratings import strengths

NEGLIGIBLE = 1e-10  # of the largest spread: no spread but rounding


def fit_p(ahead: np.ndarray, met: np.ndarray) -> float | None:
    """The p-value of a cross-table by unit, as `cross_table` makes it; small: one number each does not explain it.

    None where that cannot be asked: no three bots that all met, or too few deals for so many of them.
    """
    units, field = len(met), met.shape[1]
    one, other = np.nonzero(np.triu(met.sum(axis=0)))
    pairs = np.zeros((field, len(one)))
    pairs[one, range(len(one))], pairs[other, range(len(one))] = 1, -1
    circles = linalg.null_space(pairs) if len(one) else np.zeros((0, 0))
    if circles.shape[1] == 0:
        return None
    games, wins = met[:, one, other], ahead[:, one, other]
    strength = strengths(np.abs(pairs.T), games.sum(axis=0), ahead.sum(axis=(0, 2)))
    expected = 1 / (1 + np.exp(-pairs.T @ strength))
    left = wins - games * expected
    # The strengths were fitted to the same deals: what each deal contributed to them is taken out of what is left.
    spread = games.sum(axis=0) * expected * (1 - expected)
    fitted = (spread[:, None] * pairs.T) @ np.linalg.pinv((pairs * spread) @ pairs.T, hermitian=True) @ pairs
    return _hotelling((left - left @ fitted.T) @ circles, units)


def _hotelling(values: np.ndarray, units: int) -> float | None:
    """The p-value of means of zero, from independent rows (units, dimensions); None where no spread can be seen."""
    if units <= values.shape[1]:
        return None
    sizes, axes = np.linalg.eigh(np.cov(values.T).reshape(values.shape[1], -1))
    seen = sizes > NEGLIGIBLE * max(sizes.max(), NEGLIGIBLE)
    dimensions = int(seen.sum())
    if dimensions == 0:
        return None
    squared = units * float(((values.mean(axis=0) @ axes[:, seen]) ** 2 / sizes[seen]).sum())
    return float(
        stats.f.sf(squared * (units - dimensions) / (dimensions * (units - 1)), dimensions, units - dimensions)
    )
