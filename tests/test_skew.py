"""The mean of differences: false alarms are as rare as promised however skewed they are, and the interval agrees."""

import numpy as np
import pytest
from scipy import stats

from strategy.intervals import RISK_OF_A_FAMILY
from strategy.skew import PADDING, chance_above, chance_apart, mean_difference

LEVELS = np.array([RISK_OF_A_FAMILY / 39, 0.05 / 39, 0.05 / 10, RISK_OF_A_FAMILY, 0.05])


def false_alarms(chance_of, positions: int, usual: float, rare: float) -> np.ndarray:
    """How often each of LEVELS is undercut where two values have the mean 0, counted out by binomial odds."""
    odds = -usual / (rare - usual)
    weights = stats.binom.pmf(np.arange(positions + 1), positions, odds)
    drawn = np.flatnonzero(weights > 1e-9)
    found = np.array([chance_of(np.repeat([usual, rare], [positions - count, count])) for count in drawn])
    return np.array([weights[drawn][found <= level].sum() for level in LEVELS])


@pytest.mark.parametrize("positions", [30, 60, 200, 500])
@pytest.mark.parametrize("usual", [-0.02, -0.005, -0.05, -0.2])
@pytest.mark.parametrize("rare", [0.5, 1.0])
def test_false_alarms_are_as_rare_as_promised_with_extreme_skew(positions, usual, rare):
    assert (false_alarms(chance_apart, positions, usual, rare) <= 1.05 * LEVELS).all()


def test_students_t_would_cry_wolf_there():
    def students(values: np.ndarray) -> float:
        return 0.0 if len(set(values)) == 1 else float(stats.ttest_1samp(values, 0).pvalue)

    assert (false_alarms(students, 30, -0.02, 0.5) > 6 * LEVELS).all()


@pytest.mark.parametrize("positions", [30, 60, 200, 500])
def test_false_alarms_are_as_rare_as_promised_where_next_to_nothing_differs(positions):
    generator = np.random.default_rng(positions)
    values = generator.choice([-1.0, 0.0, 1.0], p=[0.02, 0.96, 0.02], size=(4000, positions))
    found = np.array([chance_apart(row) for row in values])
    for level in LEVELS:
        assert (found <= level).sum() <= 4000 * level + 3 * np.sqrt(4000 * level)


def test_ordinary_differences_are_found_nearly_as_often_as_by_students_t():
    generator = np.random.default_rng(6)
    values = generator.normal(0.05, 0.3, (400, 800)).clip(-1, 1)
    usual = stats.ttest_1samp(values, 0, axis=1).pvalue <= LEVELS[0]
    found = np.array([chance_apart(row) for row in values]) <= LEVELS[0]
    assert usual.mean() > 0.8
    assert found.sum() >= 0.9 * usual.sum()


def test_the_interval_leaves_0_out_just_when_the_test_says_so():
    generator = np.random.default_rng(8)
    apart = 0
    for positions in (2, 5, 30, 100, 1000):
        for _ in range(100):
            tails = generator.exponential(0.2, positions) - generator.choice([0.1, 0.15, 0.2])
            values = (tails * generator.choice([-1, 1])).clip(-1, 1)
            found = mean_difference(values)
            assert -1 <= found.low <= found.value <= found.high <= 1
            assert (found.low > 0) == (chance_above(values) < 0.025)
            assert (found.high < 0) == (chance_above(-values) < 0.025)
            apart += not found.low <= 0 <= found.high
    assert 50 < apart < 450


def test_the_figures_by_hand():
    # 1/2 and -1/2: mean 0, spread 1/2 and the imagined positions; the other tail is the same.
    even = mean_difference(np.array([0.5, -0.5, 0.5, -0.5]))
    reach = stats.t.ppf(0.975, 3) * np.sqrt((1 + 2 * PADDING) / (4 * 3))
    assert even == pytest.approx((0.0, max(-1, -reach), min(1, reach)))
    # All alike: no skew, and nothing but the imagined positions says how far off it may be.
    error = np.sqrt(2 * PADDING / (50 * 49))
    assert mean_difference(np.full(50, -0.02)).high == pytest.approx(stats.t.ppf(0.975, 49) * error - 0.02)
    assert chance_above(np.full(50, 0.02)) == pytest.approx(stats.t.sf(0.02 / error, 49))
    assert chance_apart(np.zeros(30)) == 1
    assert chance_apart(np.full(30, -1.0)) == chance_apart(np.full(30, 1.0)) < 1e-10


def test_skew_against_the_mean_makes_less_sure_and_skew_along_it_not_more():
    values = np.repeat([0.2, -0.8], [90, 10])
    mean, squares = values.mean(), ((values - values.mean()) ** 2).sum() + 2 * PADDING
    plain = stats.t.sf(mean / np.sqrt(squares / (100 * 99)), 99)
    assert chance_above(values) > 1.1 * plain
    assert chance_above(-(values - 2 * mean)) == pytest.approx(plain)
