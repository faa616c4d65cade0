"""Stopping rules: their error rates and coverage are what they say, on scores as tournaments have them."""

from collections import Counter
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import brentq

from agents.arena import Results
from agents.tournament import stopping
from agents.tournament.bootstrap import Ratio, resampled
from agents.tournament.sequential import BLOCK, Better, narrow_enough, share
from agents.tournament.stopping import Within

STEPS = np.array([-1, -0.5, 0, 0.5, 1])  # of a deal in two seatings
WIDE, SELDOM = (0.1, 0.2, 0.4, 0.2, 0.1), (0.002, 0.01, 0.976, 0.01, 0.002)  # their chances between equals


def chances(mean: float, equal: tuple[float, ...]) -> np.ndarray:
    """The chances between equals, tilted until the mean difference is as asked."""

    def tilted(by: float) -> np.ndarray:
        odds = np.array(equal) * np.exp(by * STEPS)
        return odds / odds.sum()

    return tilted(brentq(lambda by: float(tilted(by) @ STEPS) - mean, -20, 20))


def verdicts(mean: float, by: float, equal: tuple[float, ...], runs: int = 400, **more) -> tuple[Counter, float]:
    """How often each verdict comes, and after how many deals on average."""
    rng = np.random.default_rng(7)
    found, deals, odds = Counter(), 0, chances(mean, equal)
    for _ in range(runs):
        test = Better(by, **more)
        while test.add(rng.choice(STEPS, 500, p=odds)) is None:
            pass
        found[test.verdict] += 1
        deals += test.deals
    return found, deals / runs


def at_most(rate: float, runs: int = 400) -> int:
    """The count that chance exceeds once in a hundred tests at that rate."""
    return int(stats.binom.ppf(0.99, runs, rate))


# ---- A is better than B --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("by", "equal"), [(0.1, WIDE), (0.05, WIDE), (0.01, SELDOM)])
def test_equal_bots_are_called_better_at_most_at_alpha(by, equal):
    assert verdicts(0, by, equal)[0]["better"] <= at_most(0.05)


@pytest.mark.parametrize(("by", "equal"), [(0.1, WIDE), (0.05, WIDE), (0.01, SELDOM)])
def test_a_bot_better_by_what_matters_is_missed_at_most_at_beta(by, equal):
    assert verdicts(by, by, equal)[0]["not better"] <= at_most(0.05)


def test_other_error_rates_are_kept_too():
    assert verdicts(0, 0.1, WIDE, alpha=0.01, beta=0.2)[0]["better"] <= at_most(0.01)
    assert at_most(0.05) < verdicts(0.1, 0.1, WIDE, alpha=0.01, beta=0.2)[0]["not better"] <= at_most(0.2)


def test_errors_are_rarer_where_the_difference_is_clearer():
    assert verdicts(-0.05, 0.1, WIDE)[0]["better"] <= at_most(0.005)
    assert verdicts(0.15, 0.1, WIDE)[0]["not better"] <= at_most(0.005)


def test_in_between_either_verdict_comes_and_takes_longest():
    found, deals = verdicts(0.05, 0.1, WIDE)
    assert 0.35 * 400 < found["better"] < 0.65 * 400
    assert found["undecided"] == 0
    assert deals > verdicts(0, 0.1, WIDE)[1]


def test_the_test_needs_fewer_deals_than_one_of_fixed_size():
    """With the same error rates: ((1.645 + 1.645) sd / by)² deals, sd² = 0.3."""
    assert verdicts(0, 0.1, WIDE)[1] < 0.8 * (2 * 1.645) ** 2 * 0.3 / 0.1**2


def test_the_likelihood_ratio_is_that_of_the_normal():
    test = Better(0.1)
    test.add(np.tile([1.0, 0.0], BLOCK // 2))
    variance = (BLOCK * 0.25 + 2) / BLOCK  # of the deals, and of one more in each direction
    by_hand = (
        stats.norm.logpdf(1.0, [0.1, 0.0], variance**0.5) + stats.norm.logpdf(0.0, [0.1, 0.0], variance**0.5)
    ) * 25
    assert test.log_ratio() == pytest.approx(by_hand[0] - by_hand[1])


def test_nothing_is_decided_before_the_first_block():
    test = Better(0.5)
    assert test.add(np.ones(BLOCK - 1)) is None
    assert test.log_ratio() == 0
    assert test.add(np.ones(1)) == "better"
    assert test.deals == BLOCK


def test_the_verdict_is_the_same_however_the_deals_come_in():
    differences = np.random.default_rng(3).choice(STEPS, 20_000, p=chances(0.02, WIDE))
    ends = []
    for size in (1, 37, BLOCK, 20_000):
        test = Better(0.05)
        for first in range(0, len(differences), size):
            if test.add(differences[first : first + size]) is not None:
                break
        ends.append((test.verdict, test.deals, test.log_ratio()))
    assert len(set(ends)) == 1
    assert ends[0][0] is not None


def test_after_the_verdict_nothing_changes_it():
    test = Better(0.5)
    test.add(np.ones(BLOCK))
    assert test.add(-np.ones(1000)) == "better"
    assert test.deals == BLOCK


def test_the_same_bot_twice_is_not_better():
    test = Better(0.01)
    assert test.add(np.zeros(5000)) == "not better"
    assert test.deals > BLOCK  # fifty deals without a difference say little of one in a hundred


def test_at_the_cap_it_is_undecided():
    test = Better(0.001, cap=3 * BLOCK + 20)
    assert test.add(np.tile([1.0, -1.0], 500)) == "undecided"
    assert test.deals == 3 * BLOCK


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"by": 0}, "above 0"),
        ({"by": 1.5}, "at most 1"),
        ({"by": float("nan")}, "above 0"),
        ({"by": 0.1, "alpha": 0}, "alpha"),
        ({"by": 0.1, "beta": 0.5}, "beta"),
        ({"by": 0.1, "cap": 20}, "20 deals at most: a sequential test needs at least 50 deals"),
    ],
)
def test_what_cannot_be_tested_is_refused(more, words):
    with pytest.raises(ValueError, match=words):
        Better(**more)


# ---- intervals of a fixed width ------------------------------------------------------------------------------------


def test_intervals_at_a_fixed_width_still_hold_the_truth():
    rng = np.random.default_rng(17)
    held, odds = 0, chances(0.1, WIDE)
    for seed in range(400):
        wins = np.zeros(0)
        interval = np.array([0.0, 1.0])
        while not narrow_enough(interval, 0.04, len(wins)):
            wins = np.concatenate([wins, 0.5 + rng.choice(STEPS, BLOCK, p=odds) / 2])
            interval = resampled(np.column_stack([wins, np.ones(len(wins))]), [Ratio(0, 1)], 300, seed).intervals[0]
        held += interval[0] <= 0.55 <= interval[1]
    assert held >= 0.93 * 400


def test_every_interval_must_be_narrow_and_the_first_block_complete():
    assert narrow_enough(np.array([[0.491, 0.5], [0.3, 0.309]]), 0.005, BLOCK)
    assert not narrow_enough(np.array([[0.491, 0.5], [0.3, 0.311]]), 0.005, BLOCK)
    assert not narrow_enough(np.array([[0.5, 0.5]]), 0.005, BLOCK - 1)


def games_of(shares: np.ndarray, first: int) -> Results:
    """Two games for each deal from number `first` on, in which the first of two bots wins 0, 1 or 2 halves of each."""
    ranks = np.array([[[2, 1], [2, 1]], [[2, 1], [1, 1]], [[1, 2], [2, 1]], [[1, 2], [1, 1]], [[1, 2], [1, 2]]])
    deals = np.repeat(np.arange(first, first + len(shares)), 2)
    told = {"deals": deals, "ranks": ranks[np.rint(4 * shares).astype(int)].reshape(-1, 2)}
    return cast(Results, SimpleNamespace(**told, bots=np.tile([0, 1], (len(deals), 1))))


def until_enough(rule: Within, rng: np.random.Generator, odds: np.ndarray) -> np.ndarray:
    """The first bot's share of the win in each deal that is played until the rule says so."""
    won = np.zeros(0)
    while True:
        won = np.concatenate([won, 0.5 + rng.choice(STEPS, 40, p=odds) / 2])
        if rule(games_of(won[-40:], len(won) - 40)):
            return won


@pytest.mark.parametrize(("mean", "equal", "within"), [(0.1, WIDE, 0.05), (0.9, WIDE, 0.03), (0.0, SELDOM, 0.02)])
def test_where_a_tournament_stops_the_intervals_of_the_result_are_narrow_and_hold_the_truth(mean, equal, within):
    rng, odds, held = np.random.default_rng(18), chances(mean, equal), 0
    for _ in range(120):
        won = until_enough(Within(2, within, 0.95), rng, odds)
        low, high = resampled(np.column_stack([won, np.ones(len(won))]), [Ratio(0, 1)]).intervals[0]
        assert high - low <= 2 * within + 1e-9
        held += low <= 0.5 + mean / 2 <= high
    assert held >= 0.91 * 120


def test_deals_that_one_bot_wins_all_are_not_known_closely_before_clopper_and_pearson_say_so():
    rule = Within(2, 0.001, 0.95)
    enough = [rule(games_of(np.ones(64), 64 * look)) for look in range(29)]
    # 1 - 0.025^(1 / n) is 0.002 or less from 1,843 deals on, in the 29th look: 64 * 28 = 1,792.
    assert enough == [False] * 28 + [True]
    assert rule.as_dict() == {"rule": "within", "within": 0.001, "confidence": 0.95, "reached": True}


def test_a_look_is_cheap_as_long_as_the_intervals_are_wide_and_says_that_the_rule_was_not_reached(monkeypatch):
    monkeypatch.setattr(stopping, "resampled", lambda *args, **more: pytest.fail("no bootstrap is needed yet"))
    rule, rng = Within(2, 0.01, 0.95), np.random.default_rng(19)
    for look in range(20):
        assert not rule(games_of(0.5 + rng.choice(STEPS, 50, p=chances(0, WIDE)) / 2, 50 * look))
    assert rule.as_dict()["reached"] is False


@pytest.mark.parametrize(
    ("text", "value"), [("0.5pp", 0.005), ("0.005", 0.005), ("1%", 0.01), (" 2 pp ", 0.02), (".01", 0.01)]
)
def test_widths_are_read(text, value):
    assert share(text) == pytest.approx(value)


@pytest.mark.parametrize("text", ["", "pp", "-1pp", "0", "50%", "0.5", "1e-2", "0.5 points", "nan", "1,5pp"])
def test_other_widths_are_refused_with_what_is_allowed(text):
    with pytest.raises(ValueError, match=r"write a width like 0.5pp, 0.5% or 0.005"):
        share(text)
