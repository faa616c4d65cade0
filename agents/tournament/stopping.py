"""When a tournament stops before its last game: it is told the games of each block, and says whether that is enough.

What a rule says depends on the games in their order alone, so it stops at the same game however many processes play,
and again when a run that was killed goes on.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import stats

from agents.arena import Results
from agents.tournament.bootstrap import Ratio, resampled
from agents.tournament.scores import by_deal, shares
from agents.tournament.sequential import UNDECIDED, Better, narrow_enough


def seats_and_wins(results: Results, bots: Sequence[int]) -> np.ndarray:
    """The seats that each of these bots held in each deal, and its wins: float64, (deals, 2 * bots), pairwise."""
    wins, _ = shares(results.ranks)
    held = [results.bots == bot for bot in bots]
    columns = [of for mine in held for of in (mine.sum(axis=1), (mine * wins).sum(axis=1))]
    return by_deal(results.deals, columns)


class Within:
    """Stops when the win rate of every bot is known closely enough (Chow and Robbins 1965).

    The intervals are those of the result, by bootstrap over deals. They are made only when normal ones, which a look
    has for nothing, are narrow enough too: where all deals are alike these have no width, and those of the result do.

    Args:
        bots: how many there are.
        within: half the width of the intervals that is asked for, 0 to 0.5.
        confidence: of the intervals, 0 to 1.
    """

    def __init__(self, bots: int, within: float, confidence: float) -> None:
        self.bots, self.within, self.confidence = bots, within, confidence
        self.reached = False
        """Whether it has said so."""
        self._deals: list[np.ndarray] = []
        self._moments = np.zeros((5, bots))

    def __call__(self, results: Results) -> bool:
        """Whether that is enough."""
        self._deals.append(seats_and_wins(results, range(self.bots)))
        seats, won = self._deals[-1].T.reshape(self.bots, 2, -1).transpose(1, 0, 2)
        self._moments += [of.sum(axis=1) for of in (seats, won, seats**2, won**2, seats * won)]
        deals = sum(map(len, self._deals))
        self.reached = all(
            narrow_enough(intervals(), self.within, deals) for intervals in (self._by_normal, self._by_bootstrap)
        )
        return self.reached

    def _by_normal(self) -> np.ndarray:
        """Normal intervals over deals: float64, (bots, 2)."""
        seats, won, seats2, won2, both = self._moments
        rate = won / np.maximum(seats, 1)
        squares = won2 - 2 * rate * both + rate**2 * seats2
        reach = stats.norm.ppf((1 + self.confidence) / 2) * np.sqrt(np.maximum(squares, 0)) / np.maximum(seats, 1)
        return np.stack([rate - reach, rate + reach], axis=1)

    def _by_bootstrap(self) -> np.ndarray:
        """The intervals of the result: float64, (bots, 2)."""
        ratios = [Ratio(2 * bot + 1, 2 * bot) for bot in range(self.bots)]
        return resampled(np.concatenate(self._deals), ratios, confidence=self.confidence).intervals

    def as_dict(self) -> dict[str, Any]:
        """The rule, for the result, and whether it stopped the tournament before its last game."""
        return {"rule": "within", "within": self.within, "confidence": self.confidence, "reached": self.reached}


class IsBetter:
    """Stops when it is decided whether one bot is better than another: a sequential test (see `sequential.py`).

    A deal counts by the difference of their win rates in it, where both played it.

    Args:
        names: of all bots.
        pair: the names of the two.
        test: the test.

    Raises:
        ValueError: one of the two is no bot of the tournament, or they are the same.
    """

    def __init__(self, names: Sequence[str], pair: Sequence[str], test: Better, alpha: float, beta: float) -> None:
        for name in pair:
            if name not in names:
                raise ValueError(f"better: {name} is none of the bots: {', '.join(names)}")
        if pair[0] == pair[1]:
            raise ValueError(f"better: {pair[0]} cannot be better than itself")
        self.pair, self.test, self.alpha, self.beta = tuple(pair), test, alpha, beta
        self._numbers = [list(names).index(name) for name in pair]

    def __call__(self, results: Results) -> bool:
        """Whether it is decided."""
        seats_a, wins_a, seats_b, wins_b = seats_and_wins(results, self._numbers).T
        both = (seats_a > 0) & (seats_b > 0)
        differences = wins_a[both] / seats_a[both] - wins_b[both] / seats_b[both]
        return self.test.add(differences) is not None

    def as_dict(self) -> dict[str, Any]:
        """The rule and its verdict, for the result."""
        return {
            "rule": "better", "bots": [*self.pair], "by": self.test.by, "alpha": self.alpha, "beta": self.beta,
            "verdict": self.test.verdict or UNDECIDED, "deals": self.test.deals,
        }  # fmt: skip
