"""Plackett-Luce ratings: right by hand, recovered from made-up tournaments, with honest intervals."""

from itertools import permutations, product
from math import log, log10

import numpy as np
import pytest
from scipy.optimize import minimize
from statsim import placed, plackett_luce, seated

from agents.tournament.ratings import ANCHORED_AT, SCALE, choices_of, rate


def games(*results: tuple[list[int], list[int], int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A deal for each game, from (bots, ranks, how often)."""
    bots = np.array([bots for bots, _, times in results for _ in range(times)])
    ranks = np.array([ranks for _, ranks, times in results for _ in range(times)])
    return np.arange(len(bots)), bots, ranks


def by_force(bots: np.ndarray, ranks: np.ndarray, field: int) -> np.ndarray:
    """Strengths that maximize the definition itself: the mean over the orders of ties, seat by seat, and the prior."""

    def likelihood(strength: np.ndarray) -> float:
        total = float((strength / 2 - np.log1p(np.exp(strength))).sum())
        for row, places in zip(bots, ranks, strict=True):
            orders = [
                order
                for order in permutations(range(len(row)))
                if all(places[order[i]] <= places[order[i + 1]] for i in range(len(row) - 1))
            ]
            total += sum(log_chance(strength, [int(row[seat]) for seat in order]) for order in orders) / len(orders)
        return total

    return minimize(lambda strength: -likelihood(strength), np.zeros(field), method="BFGS", options={"gtol": 1e-7}).x


def log_chance(strength: np.ndarray, order: list[int]) -> float:
    """Of the order of bots; which seat of a bot comes first is left out, as it says nothing."""
    return sum(
        float(strength[bot] - np.log(np.exp(strength[order[place:]]).sum()))
        for place, bot in enumerate(order)
        if len(set(order[place:])) > 1
    )


def test_of_two_bots_the_difference_is_that_of_the_odds():
    rated = rate(*games(([0, 1], [1, 2], 60_000), ([0, 1], [2, 1], 20_000)), field=2, anchor=1, resamples=2)
    assert rated.values[1] == ANCHORED_AT
    assert rated.values[0] - ANCHORED_AT == pytest.approx(400 * log10(3), abs=0.05)


def test_ten_to_one_are_400_points():
    assert pytest.approx(log(10) * SCALE) == 400


def test_a_tie_of_two_is_half_a_win():
    tied = rate(*games(([0, 1], [1, 1], 200), ([0, 1], [1, 2], 100)), field=2, resamples=2)
    halved = rate(*games(([0, 1], [2, 1], 100), ([0, 1], [1, 2], 200)), field=2, resamples=2)
    assert tied.values == pytest.approx(halved.values)


def test_the_ratings_maximize_the_likelihood_as_it_is_defined():
    results = (
        ([0, 1, 2], [1, 2, 3], 4),
        ([2, 0, 1], [1, 2, 2], 3),  # a tie behind the winner
        ([1, 2, 0], [1, 1, 3], 2),  # and one at the top
        ([0, 0, 1], [1, 3, 2], 3),  # one bot on two seats
        ([2, 0, 2], [1, 2, 2], 2),  # tied with another
        ([1, 1, 2], [1, 1, 1], 1),
    )
    deal, bots, ranks = games(*results)
    rated = rate(deal, bots, ranks, field=3, anchor=0, resamples=2)
    strength = by_force(bots, ranks, 3)
    assert rated.values == pytest.approx(ANCHORED_AT + SCALE * (strength - strength[0]), abs=0.01)


def test_a_tie_counts_as_the_mean_over_its_orders():
    """1 and 2 tie behind 0: either order is half a game, so the two pairs stand as often as in those."""
    tied = choices_of(np.zeros(1, int), np.array([[0, 1, 2]]), np.array([[1, 2, 2]]), 3)
    halves = choices_of(np.zeros(2, int), np.array([[0, 1, 2]] * 2), np.array([[1, 2, 3], [1, 3, 2]]), 3)
    assert tied.chosen.toarray() * 2 == pytest.approx(halves.chosen.toarray())
    as_sets = [dict(zip(map(tuple, c.sets), c.counts.toarray()[0], strict=True)) for c in (tied, halves)]
    assert {members: 2 * count for members, count in as_sets[0].items()} == as_sets[1]


def test_a_bot_against_itself_says_nothing():
    alone = games(([0, 0], [1, 2], 50), ([1, 1], [2, 1], 3))
    assert rate(*alone, field=2, resamples=2).values == pytest.approx([1500, 1500])
    played = games(([0, 1], [1, 2], 50), ([0, 1], [2, 1], 30))
    both = tuple(np.concatenate(parts) for parts in zip(alone, played, strict=True))
    assert rate(*both, field=2, resamples=2).values == pytest.approx(rate(*played, field=2, resamples=2).values)


def test_the_anchor_has_1500_without_doubt_and_else_the_field_on_average():
    rng = np.random.default_rng(1)
    deal, bots = seated(rng, 50, 4, 3)
    ranks = plackett_luce(rng, np.array([0, 1, 2, -1.0]), deal, bots)
    anchored = rate(deal, bots, ranks, 4, anchor=2)
    assert anchored.values[2] == 1500
    assert anchored.intervals[2].tolist() == [1500, 1500]
    free = rate(deal, bots, ranks, 4)
    assert free.values.mean() == pytest.approx(1500)
    assert np.diff(free.values) == pytest.approx(np.diff(anchored.values))


def test_a_bot_that_never_wins_has_a_finite_rating_and_an_interval_without_a_lower_end():
    rated = rate(*games(([0, 1], [1, 2], 100)), field=2, anchor=0)
    # Half a game drawn by each, less what is expected of it: odds between 1 to 200 and 1 to 400.
    assert 1500 - 400 * log10(400) < rated.values[1] < 1500 - 400 * log10(200)
    assert rated.intervals[1, 0] == -np.inf
    # Clopper and Pearson: of 100 deals it may win 3.62 %, and so far the interval reaches.
    assert rated.intervals[1, 1] == pytest.approx(1500 + 400 * log10(0.0362 / 0.9638), abs=5)
    winner = rate(*games(([0, 1], [1, 2], 100)), field=2, anchor=1)
    assert winner.intervals[0, 1] == np.inf
    assert np.isfinite(winner.intervals[0, 0])


def test_an_anchor_that_is_never_ahead_leaves_the_others_without_an_upper_end():
    drawn = ([0, 1], [1, 2], 40), ([0, 1], [2, 1], 40)
    rated = rate(*games(([2, 0], [2, 1], 50), ([2, 1], [2, 1], 50), *drawn), field=3, anchor=2)
    assert rated.intervals[:2, 1].tolist() == [np.inf, np.inf]
    assert np.isfinite(rated.intervals[:2, 0]).all()
    # Of its 100 deals the anchor may win 3.62 %, as Clopper and Pearson say: so near it the others may be.
    assert (rated.intervals[:2, 0] < 1500 + 400 * log10(0.9638 / 0.0362)).all()


def test_of_two_groups_of_which_one_always_wins_only_the_own_is_known_on_both_sides():
    within = [(pair, ranks, 30) for pair in ([0, 1], [2, 3]) for ranks in ([1, 2], [2, 1])]
    across = [([one, other], [1, 2], 20) for one in (0, 1) for other in (2, 3)]
    above, below = (rate(*games(*within, *across), field=4, anchor=anchor).intervals for anchor in (0, 2))
    assert np.isfinite(above).tolist() == [[True, True], [True, True], [False, True], [False, True]]
    assert np.isfinite(below).tolist() == [[True, False], [True, False], [True, True], [True, True]]
    assert (above[2:, 1] > 1500 + 400 * log10(0.045 / 0.955)).all()  # 80 deals, and 4.5 % of them
    free = rate(*games(*within, *across), field=4).intervals
    assert np.isfinite(free).tolist() == [[True, False]] * 2 + [[False, True]] * 2


def test_a_chain_bounds_a_rating_where_two_never_met_or_one_always_won():
    """0 is always ahead of 1; but 1 is as often ahead of 2 as behind, and so is 2 of 0."""
    results = [([0, 1], [1, 2], 60)]
    results += [(pair, ranks, 30) for pair in ([1, 2], [0, 2]) for ranks in ([1, 2], [2, 1])]
    assert np.isfinite(rate(*games(*results), field=3, anchor=0).intervals).all()
    assert np.isfinite(rate(*games(*results), field=3).intervals).all()
    tied = rate(*games(([0, 1], [1, 1], 60), ([0, 1], [1, 2], 20)), field=2, anchor=0)
    assert np.isfinite(tied.intervals).all()  # a tie bounds on both sides


def test_where_one_bot_is_never_ahead_the_mean_has_no_lower_end():
    drawn = ([0, 1], [1, 2], 40), ([0, 1], [2, 1], 40)
    free = rate(*games(*drawn, ([0, 2], [1, 2], 40), ([1, 2], [1, 2], 40)), field=3)
    assert np.isfinite(free.intervals).tolist() == [[True, False], [True, False], [False, True]]


def test_a_bot_that_met_nobody_has_no_interval():
    rated = rate(*games(([0, 1], [1, 2], 40), ([0, 1], [2, 1], 40), ([2, 2], [1, 2], 9)), field=3, anchor=0)
    assert rated.intervals[2].tolist() == [-np.inf, np.inf]
    assert np.isfinite(rated.intervals[:2]).all()


def test_a_bot_in_the_first_of_many_deals_is_rated_as_closely_as_in_them_alone():
    rng = np.random.default_rng(9)
    deals = 200_000
    bots = np.tile([0, 1], (deals, 1))
    bots[:60, 1] = 2
    first = rng.random(deals) < 0.5
    ranks = np.column_stack([2 - first, 1 + first])
    widths = np.ptp(rate(np.arange(deals), bots, ranks, 3, anchor=0).intervals, axis=1)
    # The standard error of log odds is 1 / sqrt(n p (1 - p)).
    for width, games_played in zip(widths[1:], (deals - 60, 60), strict=True):
        assert width == pytest.approx(2 * 1.96 * SCALE * 2 / games_played**0.5, rel=0.25)


def test_more_confidence_takes_more_resamples():
    told = games(([0, 1], [1, 2], 60), ([0, 1], [2, 1], 50))
    usual, more = (rate(*told, field=2, anchor=0, confidence=confidence).intervals[1] for confidence in (0.95, 0.99))
    assert usual.tolist() == rate(*told, field=2, anchor=0, resamples=200).intervals[1].tolist()
    assert more.tolist() == rate(*told, field=2, anchor=0, resamples=2000, confidence=0.99).intervals[1].tolist()


def test_of_a_single_deal_only_the_anchor_is_known():
    rated = rate(np.zeros(2, int), np.array([[0, 1], [1, 0]]), np.array([[1, 2], [1, 2]]), 2, anchor=0)
    assert rated.values == pytest.approx([1500, 1500])
    assert rated.intervals.tolist() == [[1500, 1500], [-np.inf, np.inf]]


def test_known_strengths_are_within_the_intervals_as_often_as_stated():
    rng = np.random.default_rng(2)
    strength = np.array([0.0, 0.3, -0.2, 0.6])
    truth = 1500 + SCALE * strength
    held = 0
    for seed in range(60):
        deal, bots = seated(rng, 60, 4, 3)
        rated = rate(deal, bots, plackett_luce(rng, strength, deal, bots), 4, anchor=0, seed=seed)
        held += int(((rated.intervals[1:, 0] <= truth[1:]) & (truth[1:] <= rated.intervals[1:, 1])).sum())
    assert 0.9 <= held / 180 <= 0.99


def test_ratings_narrow_towards_the_truth():
    rng = np.random.default_rng(3)
    strength = np.array([0.0, 0.5, -0.5])
    deal, bots = seated(rng, 4000, 3, 3)
    rated = rate(deal, bots, plackett_luce(rng, strength, deal, bots), 3, anchor=0)
    assert rated.values == pytest.approx(1500 + SCALE * strength, abs=12)
    assert np.ptp(rated.intervals, axis=1).max() < 24


def test_the_order_of_games_and_seats_makes_no_difference():
    rng = np.random.default_rng(4)
    deal, bots = seated(rng, 40, 5, 4)
    ranks = placed(np.round(rng.normal(size=bots.shape), 0))  # with many ties
    rated = rate(deal, bots, ranks, 5)
    mixed, turned = rng.permutation(len(deal)), rng.permutation(4)
    again = rate(deal[mixed], bots[mixed][:, turned], ranks[mixed][:, turned], 5)
    assert again.values == pytest.approx(rated.values)
    assert again.intervals == pytest.approx(rated.intervals)


def test_patterns_of_ranks_that_differ_are_told_apart():
    """All rankings of three seats with ties, in one tournament: as many sets as there are pairs, and the table."""
    rankings = {tuple(placed(np.array([performance]))[0]) for performance in product(range(3), repeat=3)}
    assert len(rankings) == 13
    choices = choices_of(np.arange(13), np.array([[0, 1, 2]] * 13), np.array(sorted(rankings)), 3)
    assert sorted(map(tuple, choices.sets)) == [(0, 1, 1), (1, 0, 1), (1, 1, 0), (1, 1, 1)]
    assert choices.counts.toarray().sum(axis=1) == pytest.approx(2)  # a choice of three and one of two
    assert choices.chosen.toarray().sum(axis=1) == pytest.approx(2)
