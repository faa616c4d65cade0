"""When to stop: a sequential test of "A is better than B", and intervals of a fixed width.

`Better` is Wald's sequential probability ratio test (1945) between a mean difference of 0 and one of `by`, with normal
likelihoods whose variance is estimated on the way, as the testers of chess engines use it (the GSPRT). What it tests is
the difference of two bots' scores in a deal, over all its seatings; deals are independent, games are not. It looks only
at the ends of blocks of deals, counted in the order of the deals, so its verdict is the same however they come in.

`narrow_enough` stops at a fixed width (Chow and Robbins 1965): as soon as the intervals are as narrow as was asked.
"""

import math
import re

import numpy as np

BLOCK = 50
"""Deals between two looks, and so before the first; a spread from fewer deals could be far too small by chance."""

BETTER, NOT_BETTER, UNDECIDED = "better", "not better", "undecided"


class Better:
    """The test of whether A is better than B.

    The chance of "better" is at most `alpha` where the mean difference is 0 or less, and that of "not better" at most
    `beta` where it is `by` or more; between the two either answer is right.

    Args:
        by: the difference that matters, above 0, in the unit of the score.
        alpha: chance of a wrong "better", above 0 and below one half.
        beta: chance of a wrong "not better", likewise.
        cap: deals after which the test gives up, "undecided".
        span: the largest difference that a deal can show; 1 for win rates. The variance is estimated as if one deal
            had shown it in each direction, so that two bots whose first deals are all alike are not judged at once.

    Raises:
        ValueError: an argument is out of its range.
    """

    def __init__(self, by: float, alpha: float = 0.05, beta: float = 0.05, cap: int = 1_000_000, span: float = 1.0):
        if not 0 < by <= span < math.inf:
            raise ValueError(f"by {by}: the difference that matters is above 0 and at most {span}")
        for name, rate in (("alpha", alpha), ("beta", beta)):
            if not 0 < rate < 0.5:
                raise ValueError(f"{name} {rate}: an error rate is above 0 and below 0.5")
        if cap < BLOCK:
            raise ValueError(f"{cap} deals at most: a sequential test needs at least {BLOCK} deals")
        self.by, self.span = by, span
        self.cap = cap - cap % BLOCK
        self.accept, self.reject = math.log((1 - beta) / alpha), math.log(beta / (1 - alpha))
        self.deals = 0
        """Deals that the verdict rests on."""
        self.verdict: str | None = None
        """"better", "not better", "undecided", or None as long as more deals are needed."""
        self._sum = self._squares = 0.0
        self._waiting = np.zeros(0)

    def add(self, differences: np.ndarray) -> str | None:
        """The verdict after more deals, each A's score less B's, float64 (deals,), in the order of the deals.

        What comes after the verdict changes nothing.
        """
        self._waiting = np.concatenate([self._waiting, differences])
        while self.verdict is None and len(self._waiting) >= BLOCK:
            block, self._waiting = self._waiting[:BLOCK], self._waiting[BLOCK:]
            self.deals += BLOCK
            self._sum += float(block.sum())
            self._squares += float(block @ block)
            self.verdict = self._look()
        return self.verdict

    def log_ratio(self) -> float:
        """The logarithm of the likelihood ratio of `by` to 0, from whole blocks; 0 before the first."""
        if self.deals == 0:
            return 0.0
        mean = self._sum / self.deals
        variance = (self._squares - self._sum * mean + 2 * self.span**2) / self.deals
        return self.deals * self.by * (mean - self.by / 2) / variance

    def _look(self) -> str | None:
        ratio = self.log_ratio()
        if ratio >= self.accept:
            return BETTER
        if ratio <= self.reject:
            return NOT_BETTER
        return UNDECIDED if self.deals >= self.cap else None


def narrow_enough(intervals: np.ndarray, within: float, deals: int) -> bool:
    """Whether the interval of every bot, float64 (bots, 2), reaches at most `within` to either side of its middle.

    Not before the first block of deals is complete.
    """
    return deals >= BLOCK and bool((np.ptp(intervals, axis=-1) <= 2 * within).all())


def share(text: str) -> float:
    """A share of one, from "0.5pp" (percentage points), "0.5%" or "0.005".

    Raises:
        ValueError: it is none of these, or not above 0 and below one half.
    """
    found = re.fullmatch(r"\s*(\d+\.?\d*|\.\d+)\s*(pp|%|)\s*", text)
    value = float(found[1]) / (100 if found[2] else 1) if found else 0.0
    if not 0 < value < 0.5:
        raise ValueError(f"{text!r}: write a width like 0.5pp, 0.5% or 0.005, above 0 and below 50pp")
    return value
