"""One number for each bot: Plackett-Luce ratings by maximum likelihood, with intervals by bootstrap over deals.

The model (Luce 1959, Plackett 1975): a table is ranked from the top, and of those still without a rank each comes next
in proportion to its strength. A rating is that strength on the scale of chess: 400 points more are odds of ten to one
to finish ahead. The likelihood needs to know only how often each set of bots stood to be chosen from, and how often
each bot was chosen (Hunter 2004, "MM algorithms for generalized Bradley-Terry models"); it is concave in the logarithms
of the strengths, and Newton's method finds its top.

Ties. A tied group counts as the mean of the log-likelihoods of all its orders.

One bot on several seats. It stands to be chosen once for each seat. That one of its seats comes before another says
nothing of its strength; that it comes before other bots does.

Prior. Every bot counts as having drawn one more game, against an imaginary bot of middling strength; so one that never
finishes ahead has a rating that is low but finite.
"""

from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations
from math import comb, log, log10

import numpy as np
from scipy import sparse
from scipy.special import expit

from agents.tournament.bootstrap import percentiles, units_of, weights

SCALE = 400 / log(10)  # points for a natural logarithm of odds
ANCHORED_AT = 1500.0
PRIOR_GAMES = 1.0  # drawn by each bot

MAX_STEPS, MAX_STEP, SETTLED = 200, 1.0, 1e-9  # Newton's method, in natural logarithms of odds


@dataclass(frozen=True)
class Ratings:
    """The rating of each bot, and the interval that holds it with the confidence asked for."""

    values: np.ndarray  # float64 (field,)
    intervals: np.ndarray  # float64 (field, 2), -inf and inf included


@dataclass(frozen=True)
class Choices:
    """All that the likelihood needs: the sets that stood to be chosen from, and who was chosen, by unit."""

    sets: np.ndarray  # float64 (sets, field): how many seats of each bot stood to be chosen
    counts: sparse.csr_array  # float64 (units, sets): how often each set did
    chosen: sparse.csr_array  # float64 (units, field): how often each bot came next, out of a set with others in it


def rate(
    deal: np.ndarray,
    bots: np.ndarray,
    ranks: np.ndarray,
    field: int,
    anchor: int | None = None,
    resamples: int = 200,
    seed: int = 0,
    confidence: float = 0.95,
) -> Ratings:
    """Ratings of `field` bots, of which number `anchor` has 1500 points; without an anchor their mean is 1500.

    `deal` int (games,) says which games share their cards; `bots` int (games, players) are the numbers of who sat
    where; `ranks` int (games, players) count from 1, equal ones shared. A bot that never finished behind another has
    an interval without an upper end, one that never finished ahead one without a lower end; from a single deal nothing
    is known but the anchor.
    """
    unit = units_of(deal)
    choices = choices_of(unit, bots, ranks, field)
    counts, chosen = choices.counts.sum(axis=0), choices.chosen.sum(axis=0)
    best = strengths(choices.sets, counts, chosen)
    again = [
        strengths(choices.sets, row_counts, row_chosen, best)
        for rows in weights(choices.counts.shape[0], resamples, seed)
        for row_counts, row_chosen in zip(rows @ choices.counts, rows @ choices.chosen, strict=True)
    ]
    spread = _points(np.array(again), anchor)
    intervals = _intervals(spread, len(np.unique(deal)), chosen, counts @ (choices.sets > 0), confidence)
    if anchor is not None:
        intervals[anchor] = ANCHORED_AT
    return Ratings(_points(best, anchor), intervals)


def choices_of(unit: np.ndarray, bots: np.ndarray, ranks: np.ndarray, field: int) -> Choices:
    """Rankings, one for each game, as the choices that they are made of; arguments as for `rate`, units from 0."""
    codes = np.sort(ranks * field + bots, axis=1)
    _, example, pattern = np.unique(
        codes @ (field * (bots.shape[1] + 1)) ** np.arange(bots.shape[1]), return_index=True, return_inverse=True
    )
    numbers: dict[tuple[int, ...], int] = defaultdict(lambda: len(numbers))
    stood, came = [], []
    for row, code in enumerate(codes[example].tolist()):
        standing, chosen = _expand([divmod(seat, field) for seat in code])
        stood += [(row, numbers[members], count) for members, count in standing.items()]
        came += [(row, bot, count) for bot, count in chosen.items()]
    sets = np.array([np.bincount(members, minlength=field) for members in numbers], float).reshape(-1, field)
    games = sparse.csr_array((np.ones(len(unit)), (unit, pattern)))
    return Choices(
        sets, games @ _matrix(stood, (len(example), len(sets))), games @ _matrix(came, (len(example), field))
    )


def strengths(sets: np.ndarray, counts: np.ndarray, chosen: np.ndarray, start: np.ndarray | None = None) -> np.ndarray:
    """The most likely logarithms of strength, float64 (field,), where the imaginary bot of the prior has 0.

    `sets` float64 (sets, field), `counts` float64 (sets,) and `chosen` float64 (field,) are those of `Choices`.

    Raises:
        RuntimeError: Newton's method does not settle.
    """
    strength = np.zeros(len(chosen)) if start is None else start.copy()
    for _ in range(MAX_STEPS):
        share = sets * np.exp(strength)
        share /= share.sum(axis=1, keepdims=True)
        expected, prior = counts @ share, expit(strength)
        slope = chosen - expected + PRIOR_GAMES * (0.5 - prior)
        curvature = np.diag(expected + PRIOR_GAMES * prior * (1 - prior)) - (share.T * counts) @ share
        step = np.linalg.solve(curvature, slope)
        strength += step * min(1, MAX_STEP / max(np.abs(step).max(), MAX_STEP))
        if np.abs(step).max() < SETTLED:
            return strength
    raise RuntimeError(f"the ratings do not settle within {MAX_STEPS} steps")


def _expand(order: list[tuple[int, int]]) -> tuple[dict[tuple[int, ...], float], dict[int, float]]:
    """How often each set stood to be chosen from and each bot was chosen, in one ranking of (rank, bot), sorted.

    Of a tied group every part of a size is as likely to be left: that is the mean over its orders.
    """
    standing, chosen = defaultdict[tuple[int, ...], float](float), defaultdict[int, float](float)
    for rank in {rank for rank, _ in order}:
        tied = [bot for its, bot in order if its == rank]
        behind = [bot for its, bot in order if its > rank]
        for size in range(1, len(tied) + 1):
            for left in combinations(tied, size):
                members = tuple(sorted([*left, *behind]))
                if members[0] == members[-1]:
                    continue  # the same bot on every seat: no choice
                standing[members] += 1 / comb(len(tied), size)
                for bot in left:
                    chosen[bot] += 1 / comb(len(tied), size) / size
    return standing, chosen


def _matrix(entries: list[tuple[int, int, float]], shape: tuple[int, int]) -> sparse.csr_array:
    rows, columns, values = zip(*entries, strict=True) if entries else ((), (), ())
    return sparse.csr_array((np.array(values, float), (np.array(rows, int), np.array(columns, int))), shape=shape)


def _points(strength: np.ndarray, anchor: int | None) -> np.ndarray:
    """Logarithms of strength (..., field) as points."""
    zero = strength.mean(axis=-1) if anchor is None else strength[..., anchor]
    return ANCHORED_AT + SCALE * (strength - zero[..., None])


def _intervals(spread: np.ndarray, deals: int, chosen: np.ndarray, stood: np.ndarray, confidence: float) -> np.ndarray:
    """Intervals (field, 2) from the ratings in all resamples (resamples, field).

    Without a game ahead (or behind) resampling shows no spread: one end is open, and at the other the half game of the
    prior gives way to as many as n deals without one leave open, -ln((1 - confidence) / 2) (Clopper and Pearson 1934).
    """
    if deals < 2:
        return np.tile([-np.inf, np.inf], (spread.shape[1], 1))
    intervals = np.array([percentiles(column, deals, confidence) for column in spread.T])
    unseen = 400 * log10(-2 * log((1 - confidence) / 2) / PRIOR_GAMES)
    never_ahead, never_behind = chosen < SETTLED, stood - chosen < SETTLED
    intervals[never_ahead] += [-np.inf, unseen]
    intervals[never_behind] += [-unseen, np.inf]
    return intervals
