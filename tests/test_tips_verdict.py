"""From figures to verdicts: corrected for many tips, and `depends` only where both sides are shown."""

import numpy as np
import pytest

from strategy.intervals import RISK, RISK_OF_A_FAMILY
from strategy.tree import Tree, conditions_text
from strategy.verdict import dependence_of, holm, verdict_of

NAMES = ("cards in my hand", "Jacks in my hand")


def positions(count: int, seed: int) -> tuple[np.ndarray, np.random.Generator]:
    generator = np.random.default_rng(seed)
    return generator.integers(0, 10, (count, 2)).astype(np.float64), generator


def test_holm_steps_down_until_one_is_not_rejected():
    # 0.005 <= 0.05 / 4, 0.01 <= 0.05 / 3, but 0.03 > 0.05 / 2
    assert holm([0.01, 0.04, 0.03, 0.005], 0.05).tolist() == [True, False, False, True]
    assert holm([0.04], 0.05).tolist() == [True]
    assert holm([], 0.05).tolist() == []


def test_what_holds_and_what_depends_share_a_risk_of_5_percent():
    assert 2 * RISK_OF_A_FAMILY == RISK == 0.05
    most = 1000 * RISK_OF_A_FAMILY + 3 * np.sqrt(1000 * RISK_OF_A_FAMILY)
    generator = np.random.default_rng(1)
    assert sum(holm(generator.random(20)).any() for _ in range(1000)) <= most
    depends = 0
    for seed in range(1000):  # right with few cards, and with many of no consequence
        features, generator = positions(200, seed)
        worth = np.where(features[:, 0] <= 4, 0.3, 0.0) + generator.normal(0, 0.2, 200)
        depends += dependence_of(features, NAMES, worth, tips=1) is not None
    assert depends <= most


def test_verdicts():
    assert verdict_of(0.1, True, None) == "holds"
    assert verdict_of(-0.1, True, None) == "false"
    assert verdict_of(0.1, False, None) == "unclear"


def test_a_tip_that_is_right_with_few_cards_depends_on_them():
    features, generator = positions(800, 2)
    worth = np.where(features[:, 0] <= 4, 0.2, -0.2) + generator.normal(0, 0.3, 800)
    found = dependence_of(features, NAMES, worth, tips=20)
    assert found is not None
    assert found.right_when == "cards in my hand: 4 or fewer"
    assert found.wrong_when == "cards in my hand: 5 or more"
    assert found.right_worth == pytest.approx(0.2, abs=0.06)
    assert found.wrong_worth == pytest.approx(-0.2, abs=0.06)
    assert found.right_positions + found.wrong_positions == 400
    assert verdict_of(float(worth.mean()), True, found) == "depends"


def test_a_tip_that_is_right_in_a_corner_is_told_by_two_conditions():
    features, generator = positions(2000, 3)
    corner = (features[:, 0] <= 4) & (features[:, 1] >= 5)
    found = dependence_of(features, NAMES, np.where(corner, 0.3, -0.3) + generator.normal(0, 0.3, 2000), tips=20)
    assert found is not None
    assert set(found.right_when.split(" and ")) == {"cards in my hand: 4 or fewer", "Jacks in my hand: 5 or more"}


def test_chance_and_differences_of_one_sign_are_no_dependence():
    for seed in range(20):
        features, generator = positions(400, seed)
        noise = generator.normal(0, 0.3, 400)
        assert dependence_of(features, NAMES, noise, tips=20) is None
        assert dependence_of(features, NAMES, np.where(features[:, 0] <= 4, 0.3, 0.6) + noise / 10, tips=20) is None


def test_few_positions_say_nothing():
    features, _ = positions(80, 4)
    assert dependence_of(features, NAMES, np.where(features[:, 0] <= 4, 1.0, -1.0), tips=1) is None


def test_a_tree_in_words():
    tree = Tree(
        [(((0, True, 0),), False), (((0, False, 1), (1, True, 2)), True), (((0, False, 1), (1, False, 3)), False)]
    )
    assert tree.when(True, NAMES) == "cards in my hand: 1 or more and Jacks in my hand: 2 or fewer"
    assert tree.when(False, NAMES) == (
        "no cards in my hand; or cards in my hand: 1 or more and Jacks in my hand: 3 or more"
    )
    assert tree.says_right(np.array([[0, 2], [1, 2], [1, 3]])).tolist() == [False, True, False]


def test_conditions_on_one_feature_are_told_as_one():
    both = ((0, True, 5), (0, False, 3))
    assert conditions_text(both, NAMES) == "cards in my hand: 3 to 5"
    assert conditions_text((*both, (0, True, 3), (1, False, 1)), NAMES) == (
        "cards in my hand: 3 and Jacks in my hand: 1 or more"
    )
    assert conditions_text(((0, True, 5), (0, True, 2)), NAMES) == "cards in my hand: 2 or fewer"
