"""Luck against skill: what share of the outcome is the deal, and what share is who plays.

The variance of a seat's score, as it differs from the mean of its table, is taken apart into three:

- cards: what two different bots have in common when they sit on the same seat of the same deal, beyond what they do
  everywhere: the covariance of their scores. The advantage of a seat belongs to it.
- skill: who plays. The score is fitted by least squares as the strength of the seat's bot less the mean strength of
  the table, beside the advantages of the seats; skill is the variance of that, so the strength of the opponents
  counts too.
- rest: what remains: interplay of cards and bots, and chance outside the deal.

These are variance components as in the analysis of variance by Henderson's third method (1953), for deals that are a
random sample and bots that are not. The estimates are unbiased but for terms of one over the number of deals: pairs of
different games give the cards without the chance of single games, and from skill the part is subtracted that estimated
strengths vary by chance, measured over deals. Such differences can come out below 0; only the final figures and the
ends of intervals are clipped to 0 and 1, and the rest is what the two leave of one. Intervals are by bootstrap over
deals, for the strengths by their scores (Kline and Santos 2012): the fit is not repeated.
"""

from dataclasses import dataclass

import numpy as np

from agents.tournament.bootstrap import EQUAL, percentiles, resamples_for, units_of, weights

NEGLIGIBLE = 1e-10  # of the largest eigenvalue: 0 but for rounding


@dataclass(frozen=True)
class Luck:
    """Shares of the variance of a seat's score, 0 to 1; None where the games cannot say."""

    cards: float | None = None
    cards_interval: tuple[float, float] | None = None
    skill: float | None = None
    skill_interval: tuple[float, float] | None = None
    rest: float | None = None


def luck(
    deal: np.ndarray,
    bots: np.ndarray,
    scores: np.ndarray,
    field: int,
    resamples: int | None = None,
    seed: int = 0,
    confidence: float = 0.95,
) -> Luck:
    """The shares of cards, skill and the rest in the scores of a tournament.

    `deal` int (games,) says which games share their cards; `bots` int (games, players) are the numbers, below `field`,
    of who sat where; `scores` float (games, players) are what they achieved, such as shares of the win. Nothing can be
    said from a single deal, of scores that are all alike, of one bot alone, or of bots that are bound to their seats;
    and nothing of the cards where no deal had different bots on the same seat. Without a number of resamples there are
    1,000, or more where the confidence takes them.
    """
    score = scores - scores.mean(axis=1, keepdims=True)
    skill = _Skill(units_of(deal), bots, score, field)
    if len(np.unique(deal)) < 2 or np.ptp(score) < EQUAL or not skill.known:
        return Luck()
    sums = np.column_stack([_squares(skill.unit, score), *_common(deal, skill.unit, bots, score - skill.fitted, field)])
    now, units = sums.sum(axis=0), len(sums)
    drawn = weights(units, resamples or resamples_for(confidence, 1000), seed)
    again, skills = map(np.concatenate, zip(*((rows @ sums, skill.again(rows)) for rows in drawn), strict=True))
    skills /= again[:, 0] / score.size
    skilled = _clip(skill.variance / (now[0] / score.size))
    skill_interval = _ends(skills, units, confidence)
    if now[2] == 0:
        return Luck(skill=skilled, skill_interval=skill_interval)
    paired = again[again[:, 2] > 0]
    cards = _clip(now[1] / now[2] / (now[0] / score.size))
    cards_interval = _ends(paired[:, 1] / paired[:, 2] / (paired[:, 0] / score.size), units, confidence)
    return Luck(cards, cards_interval, skilled, skill_interval, _clip(1 - cards - skilled))


class _Skill:
    """Strengths by least squares, beside the advantages of the seats, and how much they vary by chance."""

    def __init__(self, unit: np.ndarray, bots: np.ndarray, score: np.ndarray, field: int):
        self.unit, self.field, self.size = unit, field, score.size
        self.products = _products(bots, field)
        skill, seats = self.products[:field, :field], self.products[field:, field:]
        self.known = bool(skill.any()) and _rank(self.products) == _rank(skill) + _rank(seats)
        self.inverse = np.linalg.pinv(self.products, rtol=NEGLIGIBLE, hermitian=True)
        self.effects = self.inverse @ self._by_effect(bots, score).sum(axis=0)
        strength = self.effects[:field][bots]
        self.fitted = strength - strength.mean(axis=1, keepdims=True)
        # Each unit's part in the slope of the squared error: they add up to 0, and their spread is that of the fit.
        self.slopes = self._by_effect(bots, score - self.fitted - self.effects[field:])
        units = len(self.slopes)
        by_chance = self.inverse @ (self.slopes.T @ self.slopes) @ self.inverse * units / max(units - 1, 1)
        self.chance = float((skill * by_chance[:field, :field]).sum()) / self.size
        self.variance = float(self._variance(self.effects)) - self.chance

    def again(self, rows: np.ndarray) -> np.ndarray:
        """The variance in resamples of units (resamples, units), which add their own chance to that of the deals."""
        return self._variance(self.effects + rows @ self.slopes @ self.inverse) - 2 * self.chance

    def _variance(self, effects: np.ndarray) -> np.ndarray:
        strength = effects[..., : self.field]
        return ((strength @ self.products[: self.field, : self.field]) * strength).sum(axis=-1) / self.size

    def _by_effect(self, bots: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Sums of values, 0 in every game, over the seats of each bot and over each seat: (units, field + players)."""
        units = int(self.unit.max()) + 1
        place = self.unit[:, None] * self.field + bots
        by_bot = np.bincount(place.ravel(), values.ravel(), units * self.field).reshape(units, self.field)
        return np.column_stack([by_bot, *(np.bincount(self.unit, seat) for seat in values.T)])


def _rank(products: np.ndarray) -> int:
    return int(np.linalg.matrix_rank(products, rtol=NEGLIGIBLE, hermitian=True))


def _products(bots: np.ndarray, field: int) -> np.ndarray:
    """Sums over all games of the products of the regressors, (field + players,) squared, one seating at a time."""
    players = bots.shape[1]
    _, example, games = np.unique(bots @ field ** np.arange(players), return_index=True, return_counts=True)
    own = np.eye(field)[bots[example]]
    design = np.concatenate(
        [own - own.mean(axis=1, keepdims=True), np.broadcast_to(np.eye(players), (len(example), players, players))],
        axis=2,
    )
    return np.tensordot(design * games[:, None, None], design, axes=([0, 1], [0, 1]))


def _common(
    deal: np.ndarray, unit: np.ndarray, bots: np.ndarray, score: np.ndarray, field: int
) -> tuple[np.ndarray, np.ndarray]:
    """Sums of products of a seat's scores over pairs of games of one deal in which different bots held it; and pairs.

    Each by unit, float64 (units,).
    """
    _, first, index = np.unique(deal, return_index=True, return_inverse=True)
    products, pairs = np.zeros(len(first)), np.zeros(len(first))
    for bot, value in zip(bots.T, score.T, strict=True):
        shape = len(first), field
        sums = np.bincount(index * field + bot, value, len(first) * field).reshape(shape)
        games = np.bincount(index * field + bot, minlength=len(first) * field).reshape(shape)
        products += sums.sum(axis=1) ** 2 - (sums**2).sum(axis=1)
        pairs += games.sum(axis=1) ** 2 - (games**2).sum(axis=1)
    return np.bincount(unit[first], products), np.bincount(unit[first], pairs)


def _squares(unit: np.ndarray, score: np.ndarray) -> np.ndarray:
    return np.bincount(unit, (score**2).sum(axis=1))


def _clip(value: float) -> float:
    return float(min(max(value, 0), 1))


def _ends(spread: np.ndarray, units: int, confidence: float) -> tuple[float, float]:
    low, high = percentiles(spread, units, confidence)
    return _clip(low), _clip(high)
