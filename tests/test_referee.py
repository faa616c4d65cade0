"""The referee's own promises: what it refuses, how it shuffles, and that no card is ever lost."""

import random
from collections import Counter

import pytest
from referee import PRESETS, Referee, full_deck
from tabletools import state

CLASSIC = PRESETS["classic"]


def random_round(preset: str, players: int, seed: int, **options):
    """Every state of one random round: yields the referee before each move and after the last one."""
    rng = random.Random(seed)
    game = Referee.deal(PRESETS[preset] | options, players, rng)
    while game.end is None:
        yield game
        game.play(rng.choice(game.legal()))
    yield game


@pytest.mark.parametrize("preset", ["classic", "match"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_cards_are_conserved_and_there_is_always_a_legal_action(preset, players):
    for seed in range(5):
        for game in random_round(preset, players, seed, max_turns=100):
            whole = Counter(sum(game.hands, game.pile + game.discards))
            assert whole == Counter(full_deck(game.rules["deck"]))
            assert bool(game.legal()) == (game.end is None)
            assert game.legal() == sorted(set(game.legal()))


def test_the_same_seed_gives_the_same_round_and_another_one_does_not():
    first, again, other = ([state(game) for game in random_round("classic", 3, seed)] for seed in (5, 5, 6))
    assert first == again
    assert first != other


@pytest.mark.parametrize("preset", ["classic", "match"])
def test_the_global_generator_plays_no_part(preset):
    random.seed(0)
    before = random.getstate()
    for _ in random_round(preset, 4, 3, max_turns=60):
        pass
    assert random.getstate() == before


def test_reshuffled_lists_replay_the_round():
    rng, rules = random.Random(4), CLASSIC | {"must_play": False}
    game = Referee.deal(rules, 4, rng)
    opening, moves = ([list(hand) for hand in game.hands], game.discards[:], game.pile[:]), []
    while game.end is None:
        moves.append(rng.choice(game.legal()))
        game.play(moves[-1])
    assert len(game.reshuffled) > 1
    replayed = Referee(rules, *opening, reshuffles=game.reshuffled)
    for move in moves:
        replayed.play(move)
    assert state(replayed) == state(game)
    assert replayed.reshuffled == game.reshuffled


def test_the_order_of_the_new_pile_is_the_one_given_or_the_generators():
    position = CLASSIC, [["KS"], ["QD"]], ["8C", "AC", "QC", "KC", "10H"], []
    given = Referee(*position, reshuffles=[["QC", "8C", "KC", "AC"]])
    given.play("draw")
    assert (given.hands[0], given.pile) == (["KS", "QC"], ["8C", "KC", "AC"])
    orders = set()
    for seed in range(20):
        shuffled = Referee(*position, rng=random.Random(seed))
        shuffled.play("draw")
        orders.add(tuple(shuffled.reshuffled[0]))
        assert sorted(shuffled.reshuffled[0]) == ["8C", "AC", "KC", "QC"]
    assert len(orders) > 5


@pytest.mark.parametrize("wrong", [[], [["8C"]], [["8C", "AC", "10H"]], [["8C", "8C"]], None])
def test_a_new_pile_must_be_the_discards_below_the_top(wrong):
    game = Referee(CLASSIC, [["KS"], ["QD"]], ["8C", "AC", "10H"], [], reshuffles=wrong)
    with pytest.raises(ValueError, match=r"new pile|shuffled"):
        game.play("draw")


def test_the_callers_lists_are_left_alone():
    hands, discard, pile, reshuffles = [["KH", "QS"], ["QD"]], ["8C", "10H"], ["AS"], [["10H", "8C"]]
    game = Referee(CLASSIC, hands, discard, pile, reshuffles=reshuffles)
    for move in ("KH", "draw", "draw"):
        game.play(move)
    assert (hands, discard, pile) == ([["KH", "QS"], ["QD"]], ["8C", "10H"], ["AS"])
    assert reshuffles == [["10H", "8C"]]


def test_options_must_all_be_there_and_known():
    hands = [["KS"], ["QD"]]
    with pytest.raises(ValueError, match="hand_size"):
        Referee({key: value for key, value in CLASSIC.items() if key != "hand_size"}, hands, ["10H"], [])
    with pytest.raises(ValueError, match="jokers"):
        Referee(CLASSIC | {"jokers": 2}, hands, ["10H"], [])


def test_a_round_needs_two_to_five_hands_and_an_opening_card():
    for hands, discard in ([["KS"]], ["10H"]), ([["KS"]] * 6, ["10H"]), ([["KS"], ["QD"]], []):
        with pytest.raises(ValueError, match="2 to 5 hands"):
            Referee(CLASSIC, hands, discard, [])


def test_there_are_no_other_decks():
    with pytest.raises(ValueError, match="52"):
        full_deck(52)
