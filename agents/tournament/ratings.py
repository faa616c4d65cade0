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

Open ends. Games bound a rating from below only where the bot finished ahead of the anchor, or of one that finished
ahead of the anchor, and so on (Ford 1957, "Solution of a ranking problem from binary comparisons"); and from above
likewise, the other way round. Without an anchor ratings are relative to the mean of all, so such a chain has to lead to
every other bot: where one bot never finishes ahead, the mean itself has no lower end, and no rating an upper one.
"""

from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations
from math import comb, log

import numpy as np
from scipy import sparse
from scipy.special import expit

from agents.tournament.bootstrap import percentiles, resamples_for, units_of, weights
from agents.tournament.pairs import cross_table

SCALE = 400 / log(10)  # points for a natural logarithm of odds
ANCHORED_AT = 1500.0
PRIOR_GAMES = 1.0  # drawn by each bot

MAX_STEPS, MAX_STEP, SETTLED = 200, 1.0, 1e-6  # Newton's method, in natural logarithms of odds


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
    resamples: int | None = None,
    seed: int = 0,
    confidence: float = 0.95,
) -> Ratings:
    """Ratings of `field` bots, of which number `anchor` has 1500 points; without an anchor their mean is 1500.

    `deal` int (games,) says which games share their cards; `bots` int (games, players) are the numbers of who sat
    where; `ranks` int (games, players) count from 1, equal ones shared. An end of an interval is open where no chain of
    bots, each ahead of the next, leads from the anchor to the bot (above) or from the bot to the anchor (below); from
    a single deal nothing is known but the anchor. Without a number of resamples there are 200, or more where the
    confidence takes them.
    """
    unit = units_of(deal)
    choices = choices_of(unit, bots, ranks, field)
    counts, chosen = choices.counts.sum(axis=0), choices.chosen.sum(axis=0)
    best = strengths(choices.sets, counts, chosen)
    again = [
        strengths(choices.sets, row_counts, row_chosen, best)
        for rows in weights(choices.counts.shape[0], resamples or resamples_for(confidence, 200), seed)
        for row_counts, row_chosen in zip(rows @ choices.counts, rows @ choices.chosen, strict=True)
    ]
    intervals = _intervals(_points(np.array(again), anchor), _known(choices, anchor), confidence)
    _open(intervals, best, _chains(bots, ranks, field), anchor, confidence)
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


def _known(choices: Choices, anchor: int | None) -> np.ndarray:
    """In how many units each bot played against others, int (field,), and no more than in how many the anchor did."""
    units = ((choices.counts @ (choices.sets > 0).astype(float)) > 0).sum(axis=0)
    return units if anchor is None else np.minimum(units, units[anchor])


def _intervals(spread: np.ndarray, units: np.ndarray, confidence: float) -> np.ndarray:
    """Intervals (field, 2) from the ratings in all resamples (resamples, field), each known from so many units."""
    return np.array([
        percentiles(column, known, confidence) if known > 1 else (-np.inf, np.inf)
        for column, known in zip(spread.T, units.tolist(), strict=True)
    ])  # fmt: skip


def _chains(bots: np.ndarray, ranks: np.ndarray, field: int) -> np.ndarray:
    """Whether a chain of bots leads from i to j, each ahead of the next or tied with it: bool (field, field)."""
    ahead, _ = cross_table(np.zeros(len(bots), int), bots, ranks, field)
    leads = (ahead[0] > 0) | np.eye(field, dtype=bool)
    for _ in range(field.bit_length()):
        leads = leads @ leads
    return leads


def _open(
    intervals: np.ndarray, strength: np.ndarray, leads: np.ndarray, anchor: int | None, confidence: float
) -> None:
    """Open the ends that the games do not bound.

    A bot without a lower end belongs to a group, those to which chains lead from it, that was never ahead of a bot
    outside. Resampling shows no spread then. At the other end, what the prior makes of no win at all, the part of a
    game that it lets the group expect, gives way to as many as none in n deals leave open, -ln((1 - confidence) / 2)
    (Clopper and Pearson). Without an upper end likewise.
    """
    to = slice(None) if anchor is None else [anchor]
    no_lower, no_upper = ~leads[:, to].all(axis=1), ~leads[to].all(axis=0)
    drawn = PRIOR_GAMES * (expit(strength) - 0.5)
    below, above = (
        SCALE * np.log(-log((1 - confidence) / 2) / np.maximum(expected, SETTLED))
        for expected in (-(leads @ drawn), leads.T @ drawn)
    )
    intervals[no_lower, 1] += np.maximum(below, 0)[no_lower]
    intervals[no_upper, 0] -= np.maximum(above, 0)[no_upper]
    intervals[no_lower, 0], intervals[no_upper, 1] = -np.inf, np.inf
