"""Intervals by bootstrap over deals, the cross-table and its fit, cycles, and luck against skill."""

import numpy as np
import pytest
from scipy import stats
from statsim import placed, plackett_luce, seated

from agents.tournament.bootstrap import SINGLE, Ratio, grouped, percentiles, resampled, resamples_for, units_of, weights
from agents.tournament.cycles import Cycle, better_p, cycles, holm
from agents.tournament.fit import fit_p
from agents.tournament.luck import Luck, luck
from agents.tournament.pairs import cross_table

RATE = [Ratio(0, 1)]


# ---- bootstrap over deals ------------------------------------------------------------------------------------------


def test_figures_are_ratios_of_sums():
    sums = np.array([[1.0, 2.0, 30.0], [3.0, 4.0, 10.0]])
    found = resampled(sums, [Ratio(0, 1), Ratio(2, 1, 0, 100)], resamples=50)
    assert found.values.tolist() == [4 / 6, 40 / 6]
    assert found.resamples.shape == (50, 2)
    # Three outcomes: the first deal twice, each once, the second twice.
    assert set(found.resamples[:, 0].round(9)) == {0.5, round(4 / 6, 9), 0.75}
    assert found.intervals[0].tolist() == [0.5, 0.75]


def test_the_same_seed_draws_the_same_deals_and_another_seed_others():
    sums = np.column_stack([np.random.default_rng(1).random(300), np.ones(300)])
    first, again, other = (resampled(sums, RATE, 200, seed) for seed in (3, 3, 4))
    assert np.array_equal(first.resamples, again.resamples)
    assert not np.array_equal(first.resamples, other.resamples)
    by_hand = np.concatenate(list(weights(300, 200, 3))) @ sums
    assert first.resamples[:, 0] == pytest.approx(by_hand[:, 0] / by_hand[:, 1])


def test_every_resample_draws_as_many_deals_as_there_are():
    chunks = list(weights(9000, 500, 0))
    assert len(chunks) > 1
    drawn = np.concatenate(chunks)
    assert drawn.shape == (500, 9000)
    assert (drawn.sum(axis=1) == 9000).all()
    assert drawn.mean(axis=0).std() == pytest.approx((1 / 500) ** 0.5, rel=0.1)  # as Poisson variables of mean 1


@pytest.mark.parametrize("deals", [8, 100])
def test_the_interval_holds_the_truth_as_often_as_it_says(deals):
    rng = np.random.default_rng(deals)
    held = 0
    for seed in range(400):
        seats = rng.integers(2, 7, deals)
        sums = np.column_stack([rng.binomial(seats, 0.3 + 0.4 * (rng.random(deals) < 0.5)), seats])
        low, high = resampled(sums, RATE, 300, seed).intervals[0]
        held += low <= 0.5 <= high
    assert 0.92 * 400 <= held <= 0.995 * 400


def test_games_of_one_deal_count_as_one_observation():
    rng = np.random.default_rng(5)
    wins = (rng.random(400) < 0.5).astype(float)
    six_times = np.column_stack([6 * wins, np.full(400, 6.0)])
    low, high = resampled(six_times, RATE).intervals[0]
    assert high - low == pytest.approx(2 * 1.96 * (0.25 / 400) ** 0.5, rel=0.1)


def test_of_one_deal_alone_nothing_is_known():
    found = resampled(np.array([[1.0, 3.0, 9.0]]), [Ratio(0, 1), Ratio(2, 1, 1, 4)])
    assert found.values.tolist() == [1 / 3, 3]
    assert found.intervals.tolist() == [[0, 1], [1, 4]]


def test_deals_that_are_all_alike_leave_open_what_clopper_and_pearson_say():
    won, lost = np.ones((40, 2)), np.column_stack([np.zeros(40), np.ones(40)])
    exact = stats.binomtest(40, 40).proportion_ci(0.95)
    assert resampled(won, RATE).intervals[0] == pytest.approx([exact.low, 1])
    assert resampled(lost, RATE).intervals[0] == pytest.approx([0, 1 - exact.low])
    # In the middle other deals may differ either way, by half as much.
    unseen = 1 - exact.low
    assert resampled(won * [0.5, 1], RATE).intervals[0] == pytest.approx([0.5 - unseen / 2, 0.5 + unseen / 2])


def test_a_figure_that_few_deals_know_is_judged_by_those():
    rng = np.random.default_rng(2)
    sums = np.zeros((500, 4))
    sums[:, :2] = np.column_stack([rng.random(500), np.ones(500)])
    sums[:3, 2:] = [[1, 1], [1, 1], [0, 1]]
    found = resampled(sums, [*RATE, Ratio(2, 3), Ratio(2, 2)])
    assert found.values[1] == pytest.approx(2 / 3)
    assert found.intervals[1] == pytest.approx([0, 1])
    nobody = resampled(np.zeros((9, 2)), RATE)
    assert np.isnan(nobody.values[0])
    assert nobody.intervals[0].tolist() == [0, 1]


def test_after_the_first_two_thousand_deals_are_put_together():
    deal = np.array([7, 7, 3, 900])
    assert units_of(deal).tolist() == [1, 1, 0, 2]
    many = np.repeat(np.arange(9000) * 3, 2)
    units = units_of(many)
    # 2,000 deals of two games, 1,000 pairs, 1,000 fours, and of the last 1,000 deals 125 eights.
    assert np.bincount(units).tolist() == [2] * 2000 + [4] * 1000 + [8] * 1000 + [16] * 125
    assert (np.diff(units) >= 0).all()
    sums = np.arange(18_000, dtype=float).reshape(9000, 2)
    assert grouped(sums)[:, 0] == pytest.approx(np.bincount(units[::2], sums[:, 0]))
    assert len(grouped(np.ones((1_000_000, 1)))) < 12_000


@pytest.mark.parametrize("known", [60, SINGLE, 5000])
def test_a_bot_in_the_first_of_many_deals_has_an_interval_as_wide_as_in_them_alone(known):
    rng = np.random.default_rng(known)
    sums = np.column_stack([rng.random(400_000) < 0.5, np.ones(400_000)]).astype(float)
    few = np.where(np.arange(400_000)[:, None] < known, sums, 0)
    found = resampled(np.hstack([few, sums]), [Ratio(0, 1), Ratio(2, 3)], 300)
    for (low, high), deals in zip(found.intervals, (known, 400_000), strict=True):
        assert high - low == pytest.approx(2 * 1.96 * 0.5 / deals**0.5, rel=0.2)


def test_the_interval_of_many_deals_holds_the_truth_as_often_as_it_says():
    rng = np.random.default_rng(6)
    held = 0
    for seed in range(120):
        sums = np.column_stack([rng.binomial(2, np.where(rng.random(5000) < 0.5, 0.3, 0.7)), np.full(5000, 2.0)])
        low, high = resampled(sums, RATE, 200, seed).intervals[0]
        held += low <= 0.5 <= high
    assert 0.9 * 120 <= held <= 0.99 * 120


def test_a_figure_of_deals_that_fell_into_one_group_is_not_known():
    sums = np.zeros((4000, 2))
    sums[[2000, 2001]] = [[1, 1], [0, 1]]
    assert resampled(sums, RATE, 50).intervals[0].tolist() == [0, 1]


def test_more_confidence_takes_more_resamples():
    assert [resamples_for(confidence, 200) for confidence in (0.5, 0.95, 0.99, 0.999, 0.999999)] == [
        200, 200, 2000, 20_000, 20_000,
    ]  # fmt: skip
    sums = np.column_stack([np.random.default_rng(8).random(100), np.ones(100)])
    assert [len(resampled(sums, RATE, confidence=confidence).resamples) for confidence in (0.95, 0.99, 0.995)] == [
        1000, 2000, 4000,
    ]  # fmt: skip
    low, high = resampled(sums, RATE, confidence=0.999).intervals[0]
    reach = stats.t.ppf(0.9995, 99) * sums[:, 0].std(ddof=1) / 100**0.5
    assert high - low == pytest.approx(2 * reach, rel=0.06)


def test_an_interval_needs_two_deals():
    with pytest.raises(ValueError, match="two deals"):
        percentiles(np.ones(10), 1)


# ---- cross-table and fit -------------------------------------------------------------------------------------------


def test_the_cross_table_counts_who_was_ahead_of_whom():
    bots = np.array([[0, 1, 2], [2, 2, 1]])
    ranks = np.array([[1, 2, 2], [1, 3, 2]])
    ahead, met = cross_table(np.array([0, 1]), bots, ranks, 3)
    assert ahead[0].tolist() == [[0, 1, 1], [0, 0, 0.5], [0, 0.5, 0]]
    assert met[0].tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    assert ahead[1].tolist() == [[0, 0, 0], [0, 0, 1], [0, 1, 0]]  # bot 2 once before bot 1 and once behind
    assert met[1].tolist() == [[0, 0, 0], [0, 0, 2], [0, 2, 0]]


def test_where_one_number_explains_the_cross_table_the_fit_is_rejected_at_the_stated_rate():
    rng = np.random.default_rng(11)
    strength = np.array([0, 0.4, -0.3, 0.8])
    p_values = []
    for _ in range(200):
        deal, bots = seated(rng, 80, 4, 3)
        p_values.append(fit_p(*cross_table(deal, bots, plackett_luce(rng, strength, deal, bots), 4)))
    assert 0.01 <= np.mean(np.array(p_values) < 0.05) <= 0.1
    assert 0.4 <= np.mean(np.array(p_values) < 0.5) <= 0.6


def test_a_cross_table_that_goes_round_in_a_circle_does_not_fit():
    deal, bots, ranks = rock_paper_scissors(np.random.default_rng(12), 0.6, deals=600)
    assert fit_p(*cross_table(deal, bots, ranks, 4)) < 1e-4


def test_two_bots_always_fit():
    assert fit_p(*cross_table(np.arange(3), np.array([[0, 1]] * 3), np.array([[1, 2], [2, 1], [1, 2]]), 2)) is None


# ---- cycles --------------------------------------------------------------------------------------------------------


def rock_paper_scissors(rng: np.random.Generator, ahead: float, deals: int) -> tuple[np.ndarray, ...]:
    """Four bots at tables for two: 0 beats 1, 1 beats 2 and 2 beats 0 at the given rate; 3 meets all at one half."""
    deal, bots = seated(rng, deals, 4, 2, line_ups=2)
    rates = np.full((4, 4), 0.5)
    for one, other in ((0, 1), (1, 2), (2, 0)):
        rates[one, other], rates[other, one] = ahead, 1 - ahead
    first = rng.random(len(bots)) < rates[bots[:, 0], bots[:, 1]]
    return deal, bots, np.column_stack([2 - first, 1 + first])


def test_a_planted_cycle_is_found_in_its_direction():
    found = cycles(*cross_table(*(sim := rock_paper_scissors(np.random.default_rng(1), 0.6, 1500)), 4))
    assert [cycle.bots for cycle in found] == [(0, 1, 2)]
    assert found[0].p < 0.01
    deal, bots, ranks = sim
    turned = cycles(*cross_table(deal, bots, 3 - ranks, 4))
    assert turned == [Cycle((0, 2, 1), found[0].p)]


@pytest.mark.parametrize("step", [0.0, 0.02])
def test_a_field_without_a_cycle_raises_a_false_alarm_at_most_at_the_level(step):
    rng = np.random.default_rng(21)
    alarms = 0
    for _ in range(150):
        deal, bots = seated(rng, 100, 5, 2)
        ranks = plackett_luce(rng, step * np.arange(5), deal, bots)
        alarms += bool(cycles(*cross_table(deal, bots, ranks, 5)))
    assert alarms <= stats.binom.ppf(0.99, 150, 0.05)


def test_two_sides_of_a_cycle_and_a_tie_are_no_cycle():
    """The hard case for the level: 0 is far ahead of 1 and 1 of 2, while 2 and 0 are equal."""
    rng = np.random.default_rng(22)
    alarms = 0
    for _ in range(300):
        deal, bots = seated(rng, 60, 3, 2, line_ups=3)
        rates = np.array([[0.5, 0.9, 0.5], [0.1, 0.5, 0.9], [0.5, 0.1, 0.5]])
        first = rng.random(len(bots)) < rates[bots[:, 0], bots[:, 1]]
        alarms += bool(cycles(*cross_table(deal, bots, np.column_stack([2 - first, 1 + first]), 3)))
    assert alarms <= stats.binom.ppf(0.99, 300, 0.05)


def test_claims_are_one_sided_and_over_deals():
    ahead, met = np.zeros((5, 2, 2)), np.zeros((5, 2, 2))
    met[:, 0, 1] = met[:, 1, 0] = 2
    ahead[:, 0, 1] = [2, 1, 2, 1, 2]
    ahead[:, 1, 0] = 2 - ahead[:, 0, 1]
    claims = better_p(ahead, met)
    assert claims[0, 1] == pytest.approx(stats.t.sf(0.6 / (0.3**0.5 / 5**0.5), 4))  # mean 0.6, variance 0.3
    assert claims[1, 0] == pytest.approx(1 - claims[0, 1])
    assert claims[0, 0] == 1  # nobody meets himself
    ahead[:, 0, 1], ahead[:, 1, 0] = 2, 0
    assert better_p(ahead, met)[0, 1] == pytest.approx(0.5**5)  # the sign test
    assert better_p(ahead, met)[1, 0] == 1


def test_holm_corrects_for_the_questions_that_are_left():
    assert holm(np.array([0.03, 0.01, 0.04, 0.9])) == pytest.approx([0.09, 0.04, 0.09, 0.9])
    assert holm(np.array([0.5, 0.6])) == pytest.approx([1, 1])
    assert holm(np.zeros(0)).tolist() == []


def test_fewer_than_three_bots_make_no_cycle():
    assert cycles(np.ones((3, 2, 2)), np.ones((3, 2, 2)) * 2) == []


# ---- luck against skill --------------------------------------------------------------------------------------------


def made_of(
    rng: np.random.Generator, cards: float, chance: float, strength: list[float], players: int, deals: int
) -> tuple[tuple[np.ndarray, np.ndarray, np.ndarray, int], float, float]:
    """Scores with components of known variance, and the true shares of cards and skill."""
    deal, bots = seated(rng, deals, len(strength), players)
    skill = np.array(strength)[bots]
    skill -= skill.mean(axis=1, keepdims=True)
    dealt = rng.normal(0, cards**0.5, (deals, players))[deal]
    scores = skill + dealt + rng.normal(0, chance**0.5, bots.shape)
    relative = (players - 1) / players  # a score's variance about the mean of its table
    total = relative * (cards + chance) + (skill**2).mean()
    return (deal, bots, scores, len(strength)), relative * cards / total, (skill**2).mean() / total


@pytest.mark.parametrize("players", [2, 3])
def test_known_shares_of_cards_and_skill_are_recovered(players):
    rng = np.random.default_rng(31)
    held, estimates, truths = np.zeros(2), [], []
    for seed in range(60):
        data, cards, skill = made_of(rng, 0.5, 0.4, [0.5, 0, -0.2, 0.1, -0.4], players, deals=150)
        found = luck(*data, resamples=300, seed=seed)
        held += [low <= truth <= high for truth, (low, high) in
                 ((cards, found.cards_interval), (skill, found.skill_interval))]  # fmt: skip
        estimates.append([found.cards, found.skill])
        truths.append([cards, skill])
        assert found.rest == pytest.approx(1 - found.cards - found.skill)
    assert np.mean(estimates, axis=0) == pytest.approx(np.mean(truths, axis=0), abs=0.015)
    assert (held >= 0.85 * 60).all()


def test_pure_luck_has_no_skill_and_pure_skill_no_luck():
    rng = np.random.default_rng(32)
    data, _, _ = made_of(rng, 0.7, 0.3, [0.0] * 6, 2, deals=400)
    found = luck(*data)
    assert found.skill < 0.005
    assert found.skill_interval[0] == 0
    assert found.cards == pytest.approx(0.7, abs=0.1)
    data, _, _ = made_of(rng, 0.0, 0.0, [3.0, 2.0, 1.0, 0.0], 3, deals=100)
    found = luck(*data)
    assert (found.cards, found.skill, found.rest) == pytest.approx((0, 1, 0))


def test_the_advantage_of_a_seat_is_luck_and_not_skill():
    deal, bots = seated(np.random.default_rng(33), 200, 3, 2)
    won_by_the_first = np.tile([1.0, 0.0], (len(deal), 1))
    found = luck(deal, bots, won_by_the_first, 3)
    assert (found.cards, found.skill, found.rest) == pytest.approx((1, 0, 0))


def test_wins_of_a_tournament_are_taken_apart():
    """The better performance wins: cards and skill both show, and what is left is the chance outside them."""
    rng = np.random.default_rng(34)
    (deal, bots, performance, field), _, _ = made_of(rng, 0.5, 0.3, [0.5, 0.0, -0.5], 3, deals=500)
    found = luck(deal, bots, (placed(performance) == 1).astype(float), field)
    assert 0.2 < found.cards < 0.6
    assert 0.02 < found.skill < 0.25
    assert found.cards_interval[0] < found.cards < found.cards_interval[1]
    assert found.skill_interval[0] < found.skill < found.skill_interval[1]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("field", [5, 7, 12])
def test_skill_is_told_from_seats_in_every_field(field, players):
    for seed in range(5):
        rng = np.random.default_rng(seed)
        data, _, skill = made_of(rng, 0.2, 0.2, list(np.linspace(-1, 1, field)), players, deals=60)
        assert luck(*data, resamples=50).skill == pytest.approx(skill, abs=0.15)


def test_where_it_cannot_be_said_nothing_is_said():
    rng = np.random.default_rng(35)
    scores = rng.random((60, 2))
    deal, both = np.arange(60) // 2, np.array([[0, 1], [1, 0]] * 30)
    nothing = Luck(None, None, None, None, None)
    assert luck(deal, both, scores, 2) != nothing
    assert luck(deal, np.zeros((60, 2), int), scores, 1) == nothing  # one bot alone
    assert luck(deal, np.array([[0, 1]] * 60), scores, 2) == nothing  # bound to their seats
    assert luck(np.zeros(60, int), both, scores, 2) == nothing  # a single deal
    assert luck(deal, both, np.full((60, 2), 1 / 3), 2) == nothing  # no difference
    unshared = luck(np.arange(60), both, scores, 2)  # every deal played once: of skill something can be said
    assert unshared.cards is None
    assert unshared.rest is None
    assert unshared.skill is not None


def test_many_deals_that_a_bot_never_wins_are_counted_without_overflow():
    # Two thousand deals in which the first bot is behind in both games, as warnings are errors here.
    ahead, met = np.tile([[0.0, 0.0], [2.0, 0.0]], (2000, 1, 1)), np.tile([[0.0, 2.0], [2.0, 0.0]], (2000, 1, 1))
    assert better_p(ahead, met).tolist() == [[1, 1], [0, 1]]
