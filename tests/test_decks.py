"""The small decks: what is in them, what may be wished, and that bots and observations know what is missing."""

import random
from collections import Counter

import numpy as np
import pytest
from referee import PRESETS, Referee, full_deck
from test_agreement import check_rounds

import agents.table
from maumau_env.game import batch
from maumau_env.game.actions import (
    ACTION_NAMES,
    ACTION_NUMBERS,
    NUM_ACTIONS,
    actions_in,
    any_action,
    count_actions,
    legal_names,
    nth_action,
)
from maumau_env.game.cards import NAMES, cards_of
from maumau_env.game.record import Recorder, hands_of, set_up
from maumau_env.game.record_check import replay
from maumau_env.game.rules import Rules
from maumau_env.seat.encode import Layout, mask_actions, observations
from maumau_env.seat.view import views

SMALL = (6, 8, 12, 16)
WISHES = {6: "CD", 8: "CD", 12: "CDH", 16: "CDHS"}
JACKS = {deck: [f"J{suit}:{wish}" for suit in suits for wish in suits] for deck, suits in WISHES.items()}


def only_jacks(deck: int) -> np.ndarray:
    """The seat to move holds every Jack of the deck and may play each."""
    jacks = [f"J{suit}" for suit in WISHES[deck]]
    return set_up(Rules(deck=deck, hand_size=1), [jacks, ["7D"]], ["AC"], [])


# ---- cards ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("deck", "cards"),
    [
        (6, "7C 7D JC JD AC AD"),
        (8, "7C 7D 8C 8D JC JD AC AD"),
        (12, "7C 7D 7H 8C 8D 8H JC JD JH AC AD AH"),
        (16, "7C 7D 7H 7S 8C 8D 8H 8S JC JD JH JS AC AD AH AS"),
    ],
)
def test_c1_the_cards_of_the_small_decks(deck, cards):
    assert [NAMES[card] for card in cards_of(deck)] == full_deck(deck) == cards.split()


@pytest.mark.parametrize("players", range(2, 6))
@pytest.mark.parametrize("deck", SMALL)
def test_c1_every_card_is_dealt_once(deck, players):
    most = (deck - 1) // players
    for game in batch.deal(Rules(deck=deck, hand_size=most), players, 3, 40):
        record = Recorder(game, ["one"] * players).record()
        dealt = [*record.deal.pile, *record.deal.discard, *(card for hand in record.deal.hands for card in hand)]
        assert Counter(dealt) == Counter(full_deck(deck))
        assert {len(hand) for hand in hands_of(game.reshape(1))} == {most}


def test_c2_a_deck_of_special_cards_is_turned_up_to_its_end():
    """Every card of the deck of six is special: all that are not dealt cover each other, and the pile is empty."""
    games = batch.deal(Rules(deck=6, hand_size=1, cover_special_start=True), 2, 0, 20)
    assert (games["discards_size"] == 4).all()
    assert (games["pile_size"] == 0).all()


def test_a_card_that_the_deck_lacks_cannot_be_dealt():
    with pytest.raises(ValueError, match="8C is dealt 1x: a deck of 6 has it 0x"):
        set_up(Rules(deck=6, hand_size=1), [["8C"], ["7C"]], ["AC"], [])
    with pytest.raises(ValueError, match="7H is dealt 1x: a deck of 8 has it 0x"):
        set_up(Rules(deck=8, hand_size=1), [["7H"], ["7C"]], ["AC"], [])


# ---- wishes --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("deck", SMALL)
def test_c10_only_suits_of_the_deck_can_be_wished(deck):
    game = only_jacks(deck)
    legal = batch.legal(game)[0]
    assert legal_names(legal) == sorted(JACKS[deck])
    for number, name in enumerate(ACTION_NAMES):
        if name.startswith("J") and name not in JACKS[deck]:
            with pytest.raises(batch.IllegalActionError, match=rf"{name}\) is illegal; legal are J"):
                batch.step(game, np.array([number]))


@pytest.mark.parametrize("deck", [*SMALL, 32])
def test_every_way_to_read_a_set_of_legal_actions_gives_the_same_ones(deck):
    """Counting, picking, drawing at random, the mask and the texts."""
    games = batch.deal(Rules(deck=deck, hand_size=2, must_play=False, mau="call"), 2, 1, 200)
    batch.play_at_random(games, 3, 5)
    for legal in batch.legal(games):
        expected = actions_in(legal)
        mask = np.zeros(NUM_ACTIONS, np.int8)
        mask_actions(legal, mask)
        number = count_actions(legal)
        words = [np.uint64(round(2**64 * (i + 0.5) / number)) for i in range(number)]
        assert np.flatnonzero(mask).tolist() == expected
        assert sorted(nth_action(legal, i) for i in range(number)) == expected
        assert sorted(any_action(legal, word) for word in words) == expected


@pytest.mark.parametrize("bot", ["random", "eager", "greedy", "heuristic", "search:5", "level:1", "level:3"])
@pytest.mark.parametrize("deck", SMALL)
def test_baselines_wish_no_suit_that_is_not_there(bot, deck):
    """A greedy hand without a plain card holds equally much of every suit, absent ones included."""
    seen = np.repeat(views(only_jacks(deck)), 200)
    words = np.array([random.Random(i).getrandbits(64) for i in range(200)], np.uint64)
    chosen = {ACTION_NAMES[action] for action in agents.table.make(bot).act(seen, words)}
    assert chosen <= set(JACKS[deck])


def test_random_plays_every_wish_of_the_deck_equally_often():
    shares = agents.table.make("random").probabilities(views(only_jacks(6)))[0]
    assert {ACTION_NAMES[action]: shares[action] for action in np.flatnonzero(shares)} == dict.fromkeys(JACKS[6], 0.25)


# ---- whole rounds --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("deck", SMALL)
def test_rounds_agree_with_the_referee(deck, preset):
    for players in (2, 3, 5):
        rules = PRESETS[preset] | {"deck": deck, "hand_size": min(3, (deck - 1) // players), "max_turns": 60}
        check_rounds(rules, players, 12, seed=deck + players)


def test_a_record_of_a_small_deck_can_be_played_again():
    rules = Rules(deck=8, hand_size=2, ace="again")
    dealt = Referee.deal(rules.as_dict(), 2, random.Random(4))
    game = set_up(rules, dealt.hands, dealt.discards, dealt.pile)
    recorder = Recorder(game, ["one", "two"])
    recorder.note(actions_in(batch.legal(game)[0])[0])
    assert len(replay(recorder.record(legal=True))) == 2


# ---- what is seen --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("deck", SMALL)
def test_small_decks_have_the_sections_of_the_deck_of_32(deck):
    assert Layout(deck, 3).sections == Layout(32, 3).sections


def test_cards_and_pile_of_a_small_deck_by_hand():
    """A hand of 7C (the first card), AD (the thirtieth), on JC; three of eight cards are in the pile."""
    game = set_up(Rules(deck=8, hand_size=2), [["7C", "AD"], ["8C", "8D"]], ["JC"], ["7D", "JD", "AC"])
    seen = {name: observations(views(game), 2)[0, where] for name, where in Layout(8, 2).slices().items()}
    assert np.flatnonzero(seen["hand"]).tolist() == [0, 29]
    assert np.flatnonzero(seen["shown"]).tolist() == [16]
    assert seen["top_rank"].tolist() == [0, 0, 0, 0, 1, 0, 0, 0]
    assert seen["pile"].tolist() == [3 / 8]


def test_the_action_table_is_that_of_all_decks():
    assert batch.legal(only_jacks(16))[0] >> np.uint64(55) == 0
    assert batch.legal(only_jacks(12))[0] >> np.uint64(55) == 1
    assert ACTION_NUMBERS["JC:S"] == 39
