"""Promises of the core beyond the rules: batches, chance, copies, illegal actions, payoffs."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2
from test_agreement import card_counts

from maumau_env.game import batch
from maumau_env.game.actions import (
    ACTION_BIT,
    ACTION_NAMES,
    NUM_ACTIONS,
    action_number,
    actions_in,
    count_actions,
    legal_names,
    nth_action,
)
from maumau_env.game.cards import card_number, cards_in, lowest_card, set_of
from maumau_env.game.record import set_up
from maumau_env.game.result import PLACEMENT, REWARDS, ranking
from maumau_env.game.rules import PRESETS, Rules
from maumau_env.game.state import EMPTIED, GAME, RUNNING, copied, new_games, raw
from maumau_env.seat.single import new_table, results

TABLES = [
    ("classic", 2, {}),
    ("classic", 5, {"ace": "again", "mau": "call", "jack_on_jack": False}),
    ("match", 3, {}),
    ("match", 4, {"draw_then_play": True, "win_with_jack": False, "max_turns": 40}),
]


def mixed_games(each: int, seed: int = 3) -> np.ndarray:
    """Games of several tables in one array."""
    deals = [batch.deal(Rules.of(name, **options), players, seed, each) for name, players, options in TABLES]
    return np.concatenate([raw(games) for games in deals]).view(GAME)


def policy(games: np.ndarray) -> np.ndarray:
    """A legal action for each game that depends on nothing but that game, and differs from turn to turn."""
    choices = [actions_in(legal) or [0] for legal in batch.legal(games).tolist()]
    words = (games["turns"].astype(int) * 7 + games["seat"]) * 31 + games["lane"]
    return np.array([legal[word % len(legal)] for legal, word in zip(choices, words.tolist(), strict=True)])


def play_on(games: np.ndarray, decisions: int = 60) -> np.ndarray:
    for _ in range(decisions):
        batch.step(games, policy(games))
    return games


def same(a: np.ndarray, b: np.ndarray) -> bool:
    """In every field; what lies between fields is left out."""
    return (a == b).all()


# Batches


@pytest.mark.parametrize(("preset", "players", "options"), TABLES)
def test_a_game_is_the_same_in_every_batch(preset, players, options):
    rules = Rules.of(preset, **options)
    together = play_on(batch.deal(rules, players, seed=9, count=40))
    alone = play_on(batch.deal(rules, players, seed=9, count=1, first_lane=17))
    some = play_on(batch.deal(rules, players, seed=9, count=10, first_lane=30)[::-1].copy())[::-1].copy()
    assert same(alone, together[17:18])
    assert same(some, together[30:])
    assert len(np.unique(raw(together).reshape(40, -1), axis=0)) == 40


def test_games_of_different_tables_share_a_batch():
    games = play_on(mixed_games(each=5))
    apart = [play_on(batch.deal(Rules.of(name, **options), players, 3, 5)) for name, players, options in TABLES]
    assert same(games, np.concatenate([raw(part) for part in apart]).view(GAME))


def test_a_finished_game_of_a_batch_stays_as_it_is():
    games = mixed_games(each=5)
    play_on(games, 2000)
    assert (games["end"] != RUNNING).all()
    before = copied(games)
    batch.step(games, np.full(len(games), -5))
    assert same(games, before)
    assert not batch.legal(games).any()


def test_seed_lane_and_episode_name_a_deal():
    def hands(seed=1, lane=0, episode=0) -> bytes:
        games = new_games(Rules(), 2, seed, 1, lane)
        games["episode"] = episode
        batch.deal_kernel(raw(games))
        return games["hands"].tobytes()

    names = [{}, {"seed": 2}, {"lane": 1}, {"episode": 1}, {"seed": 2**64 - 1}]
    assert len({hands(**name) for name in names}) == len(names)
    assert [hands(**name) for name in names] == [hands(**name) for name in names]


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_a_seed_out_of_range_is_refused(seed):
    with pytest.raises(ValueError, match=f"seed={seed}: a seed is a whole number from 0"):
        batch.deal(Rules(), 2, seed, 1)


def test_after_every_step_hands_pile_and_discards_are_exactly_the_deck():
    games = mixed_games(each=50)
    deck = games["rules"]["deck"][:, None]
    whole = np.where(deck == 104, 2, np.where(np.arange(52) >= lowest_card(32), 1, 0))
    for decision in range(400):
        assert (card_counts(games) == whole).all()
        batch.play_at_random(games, 1, seed=decision)
    assert games["episode"].any()
    assert games["shuffles"].any()


def test_the_discards_shown_are_the_discards():
    games = mixed_games(each=20)
    batch.play_at_random(games, 150, seed=1)
    for game in games:
        assert tuple(game["shown"]) == set_of(game["discards"][: game["discards_size"]].tolist())
    assert games["shuffles"].any()


# Copies


@pytest.mark.parametrize(
    "duplicate", [copied, copy.copy, copy.deepcopy, lambda games: pickle.loads(pickle.dumps(games))]
)
@pytest.mark.parametrize("decisions", [0, 5, 90])
def test_a_copy_goes_on_exactly_as_the_original(duplicate, decisions):
    games = play_on(mixed_games(each=6), decisions)
    twin = duplicate(games)
    before = copied(twin)
    play_on(games, 40)
    assert same(twin, before)
    assert same(play_on(twin, 40), games)


# Illegal actions


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (65, r"seat 0: action 65 \(pass\) is illegal; legal are "),
        (-1, r"seat 0: action -1 \(no action \(they are 0 to 66\)\) is illegal; legal are "),
        (67, r"seat 0: action 67 \(no action "),
        (2**40, r"seat 0: action 1099511627776 \(no action "),
    ],
)
def test_an_illegal_action_names_game_seat_and_legal_actions_and_changes_nothing(action, reason):
    games = batch.deal(Rules(), 2, 4, 3)
    actions = policy(games)
    actions[1] = action
    before = copied(games)
    with pytest.raises(batch.IllegalActionError, match=f"^game 1, {reason}") as error:
        batch.step(games, actions)
    assert same(games, before)
    if action == 65:
        assert str(error.value).endswith("; legal are " + ", ".join(legal_names(batch.legal(games)[1])))


# Chance


def p_value(counts: np.ndarray, expected: float) -> float:
    """Of Pearson's test that all outcomes are equally likely."""
    return chi2.sf(((counts - expected) ** 2 / expected).sum(), counts.size - 1)


def test_every_card_is_equally_likely_on_every_place():
    rounds = 20_000
    games = batch.deal(Rules.of(hand_size=15), 2, seed=1, count=rounds)  # draws all cards but the last
    counts = np.array([np.bincount(games["pile"][:, place] - 20, minlength=32) for place in range(32)])
    # A place holds one card and a card has one place: 31 * 31 counts are free, and the sum is 32/31 times too large.
    statistic = ((counts - rounds / 32) ** 2 / (rounds / 32)).sum() * 31 / 32
    assert 0.001 < chi2.sf(statistic, 31 * 31) < 0.999


@pytest.mark.parametrize("neighbour", ["lane", "seed"])
def test_neighbouring_games_have_nothing_in_common(neighbour):
    rounds = 20_000
    first = batch.deal(Rules(), 2, 1, rounds)
    if neighbour == "lane":
        second = batch.deal(Rules(), 2, 1, rounds, first_lane=1)
    else:
        second = batch.deal(Rules(), 2, 2, rounds)
    pairs = (first["pile"][:, 31].astype(int) - 20) * 32 + second["pile"][:, 31] - 20
    assert p_value(np.bincount(pairs, minlength=1024), rounds / 1024) > 0.001


def test_the_new_pile_is_shuffled():
    """The five cards below the top are drawn in all 120 orders."""
    rounds = 24_000
    one = set_up(Rules.of(must_play=False), [["7H", "8H"], ["7C"]], ["QC", "KC", "QS", "KS", "AS", "10S"], [])
    games = raw(one)[None].repeat(rounds, 0).reshape(-1).view(GAME)
    games["rng"] = batch.deal(Rules(), 2, 5, rounds)["rng"]
    games["owed"] = 5
    batch.step(games, np.full(rounds, action_number("draw")))
    orders, counts = np.unique(games["pile"][:, :5], axis=0, return_counts=True)
    assert len(orders) == 120
    assert p_value(counts, rounds / 120) > 0.001


SETS_OF_ACTIONS = st.sets(st.integers(0, 54), min_size=1).map(lambda bits: sum(1 << bit for bit in bits))


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(legal=SETS_OF_ACTIONS)
def test_counting_through_a_set_gives_exactly_its_actions(legal):
    word = np.uint64(legal)
    chosen = [int(nth_action(word, n)) for n in range(count_actions(word))]
    assert sorted(chosen) == actions_in(legal)
    assert sorted(chosen) == [action for action in range(NUM_ACTIONS) if legal >> int(ACTION_BIT[action]) & 1]


def test_random_play_chooses_every_action_equally_often():
    one = set_up(Rules.of(must_play=False), [["7H", "8H", "JC"], ["AC"]], ["QH"], ["KC", "AS"])
    legal = actions_in(batch.legal(one)[0])
    assert [ACTION_NAMES[action] for action in legal] == ["7H", "8H", "JC:C", "JC:D", "JC:H", "JC:S", "draw"]
    games = raw(one)[None].repeat(14_000, 0).reshape(-1).view(GAME)
    batch.play_at_random(games, 1, seed=8)
    # A draw leaves no play behind.
    counts = np.array([(games["seats"]["last_plays"][:, 0, 0] == action).sum() for action in [*legal[:-1], -1]])
    assert counts.sum() == 14_000
    assert p_value(counts, 2_000) > 0.001


def test_random_play_restarts_rounds_and_counts_them():
    games = mixed_games(each=3)
    assert batch.play_at_random(games, 3000, seed=2) == games["episode"].sum() > 12
    assert (games["end"] == RUNNING).all()


# What a round is worth


def finished(hands: list[str]) -> np.void:
    game = np.zeros(1, GAME)
    game["num_players"], game["end"] = len(hands), EMPTIED
    game["agents"] = np.arange(5)
    for seat, hand in enumerate(hands):
        game["hands"][0, seat] = set_of([card_number(card) for card in hand.split()])
    return game[0]


WORTH = {
    # hands, ranks, placement, win, points (the mean of the others' points less one's own, in hundreds)
    "2 players": (["", "AC 10D"], [1, 2], [1, -1], [1, -1], [0.21, -0.21]),
    "2 players, equal": (["9C", "9D"], [1, 1], [0, 0], [0, 0], [0, 0]),
    "fewer cards before fewer points": (["JC JD", "AC"], [2, 1], [-1, 1], [-1, 1], [0.07, -0.07]),
    "3 players": (["KC", "", "QD QH"], [2, 1, 3], [0, 1, -1], [-0.5, 1, -0.5], [-0.01, 0.05, -0.04]),
    "3 players, two seconds": (["7C", "7D", ""], [2, 2, 1], [-0.5, -0.5, 1], [-0.5, -0.5, 1], [-0.035, -0.035, 0.07]),
    "4 players, two winners": (
        ["8C", "8D", "9S", "AC AD"],
        [1, 1, 3, 4],
        [2 / 3, 2 / 3, -1 / 3, -1],
        [1 / 3, 1 / 3, -1 / 3, -1 / 3],
        [(39 / 3 - 8) / 100, (39 / 3 - 8) / 100, (38 / 3 - 9) / 100, (25 / 3 - 22) / 100],
    ),
    "5 players, all different": (
        ["JC JD JH", "", "KC KD KH KS", "QC", "10C 10D"],
        [4, 1, 5, 2, 3],
        [-0.5, 1, -1, 0.5, 0],
        [-0.25, 1, -0.25, -0.25, -0.25],
        [(39 / 4 - 6) / 100, (45 / 4) / 100, (29 / 4 - 16) / 100, (42 / 4 - 3) / 100, (25 / 4 - 20) / 100],
    ),
    "5 players, all equal": (["QC", "QD", "QH", "QS", "QC"], [1] * 5, [0] * 5, [0] * 5, [0] * 5),
    "the same card twice": (["AC AC", "10D 10D"], [2, 1], [-1, 1], [-1, 1], [-0.02, 0.02]),
}


def payoffs(game, scheme):
    paid, ranks = np.zeros(5), np.zeros(5, np.int64)
    results(new_table(game.reshape(1)), scheme, paid, ranks)
    return paid[: game["num_players"]].tolist()


@pytest.mark.parametrize(("hands", "ranks", "placement", "win", "points"), WORTH.values(), ids=WORTH)
def test_c16_ranking_and_payoffs(hands, ranks, placement, win, points):
    game = finished(hands)
    assert ranking(game) == ranks
    for scheme, worth in enumerate([placement, win, points]):
        paid = payoffs(game, scheme)
        assert paid == pytest.approx(worth), REWARDS[scheme]


CARD_SETS = st.lists(st.integers(0, 51), max_size=30).map(set_of)


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(hands=st.lists(CARD_SETS, min_size=2, max_size=5))
def test_payoffs_sum_to_zero_and_follow_the_ranking(hands):
    game = finished([""] * len(hands))
    game["hands"][: len(hands)] = hands
    ranks = ranking(game)
    for scheme in range(len(REWARDS)):
        paid = payoffs(game, scheme)
        assert sum(paid) == pytest.approx(0, abs=1e-9)
    placement = payoffs(game, PLACEMENT)
    by_rank, by_payoff = np.argsort(ranks, kind="stable"), np.argsort(-np.array(placement), kind="stable")
    assert by_rank.tolist() == by_payoff.tolist()


# Cards


@pytest.mark.parametrize(("deck", "copies"), [(32, 1), (104, 2)])
def test_the_cards_of_a_deck(deck, copies):
    games = batch.deal(Rules.of(deck=deck), 2, 0, 1)
    counts = card_counts(games)[0]
    assert counts.sum() == deck
    assert set(counts[lowest_card(deck) :]) == {copies}
    assert cards_in(*set_of([7, 3, 7])) == [3, 7, 7]


def test_all_presets_can_be_dealt_to_two_to_five_players():
    for rules in PRESETS.values():
        for players in range(2, 6):
            hands = batch.deal(rules, players, 0, 1)["hands"][0]
            sizes = [len(cards_in(*sets)) for sets in hands.tolist()]
            assert sizes == [rules.hand_size] * players + [0] * (5 - players)
