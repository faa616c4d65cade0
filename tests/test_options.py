"""The options of the rules: presets, mixtures, and one clear sentence for whatever is wrong."""

import dataclasses

import numpy as np
import pytest
from referee import PRESETS as REFEREED

from maumau_env.game.rules import OPTIONS, PRESETS, Rules, parse_options


@pytest.mark.parametrize("preset", REFEREED)
def test_presets_are_those_of_the_rules(preset):
    assert Rules.of(preset).as_dict() == REFEREED[preset]
    assert list(PRESETS) == list(REFEREED)


def test_classic_is_the_default():
    assert Rules() == Rules.of() == Rules.of("classic")


def test_options_change_a_preset_and_leave_it_as_it_was():
    changed = Rules.of("match", ace="skip", hand_size=5)
    assert (changed.ace, changed.hand_size, changed.deck) == ("skip", 5, 104)
    assert Rules.of(changed, mau="auto").mau == "auto"
    assert Rules.of("match").ace == "again"
    with pytest.raises(dataclasses.FrozenInstanceError):
        changed.ace = "plain"


@pytest.mark.parametrize("rules", [*PRESETS.values(), Rules.of("match", ace="skip", jack_on_jack=False)])
def test_rules_survive_every_form(rules):
    assert Rules.from_dict(rules.as_dict()) == rules
    assert Rules.from_record(rules.record()) == rules
    assert rules.replace() == rules
    assert hash(Rules.from_dict(rules.as_dict())) == hash(rules)


def test_numpy_values_are_taken_as_what_they_are():
    assert Rules.of(hand_size=np.int64(6), must_play=np.bool_(False)) == Rules.of(hand_size=6, must_play=False)


@pytest.mark.parametrize(
    ("rules", "text"),
    [
        (Rules(), "classic"),
        (Rules.of("match"), "match"),
        (Rules.of(ace="skip"), "classic, ace=skip"),
        (Rules.of("match", must_play=True, hand_size=5), "match, hand_size=5, must_play=yes"),
        (Rules.of(jack_on_jack=False, win_with_jack=False), "classic, jack_on_jack=no, win_with_jack=no"),
    ],
)
def test_rules_as_text_are_the_nearest_preset_and_what_differs(rules, text):
    assert str(rules) == text
    preset, *options = text.split(", ")
    assert Rules.of(preset, **parse_options(options)) == rules


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"aces": "skip"}, "no option is called 'aces', perhaps ace: there are deck, hand_size,"),
        ({"xyz": 1}, "no option is called 'xyz': there are"),
        ({"ace": "fly"}, "ace='fly' is not an option's value: plain or skip or again"),
        ({"ace": 1}, "ace=1 is not an option's value: plain or skip or again"),
        ({"mau": True}, "mau=True is not an option's value: auto or call"),
        ({"deck": 52}, "deck=52 is not an option's value: 6 or 8 or 12 or 16 or 32 or 104"),
        ({"deck": 32.0}, "deck=32.0 is not an option's value: 6 or 8 or 12 or 16 or 32 or 104"),
        ({"hand_size": 0}, "hand_size=0 is not an option's value: 1 to 51"),
        ({"hand_size": True}, "hand_size=True is not an option's value: 1 to 51"),
        ({"hand_size": 5.0}, "hand_size=5.0 is not an option's value: 1 to 51"),
        ({"deck": 8}, "hand_size=5 for 2 players: a deck of 8 allows at most 3"),
        ({"hand_size": 16}, "hand_size=16 for 2 players: a deck of 32 allows at most 15"),
        ({"must_play": 1}, "must_play=1 is not an option's value: yes or no"),
        ({"must_play": "no"}, "must_play='no' is not an option's value: yes or no"),
        ({"max_turns": 0}, "max_turns=0 is not an option's value: 1 to 10000"),
        ({"max_turns": 10_001}, "max_turns=10001 is not an option's value: 1 to 10000"),
        ({"max_turns": None}, "max_turns=None is not an option's value: 1 to 10000"),
    ],
)
def test_a_wrong_option_is_named_with_what_is_allowed(options, message):
    with pytest.raises(ValueError, match=f"^{message}") as error:
        Rules.of("classic", **options)
    assert "\n" not in str(error.value)


def test_an_unknown_preset_is_named():
    with pytest.raises(ValueError, match="no rules are called 'uno': there are classic, match"):
        Rules.of("uno")


def test_missing_options_are_named():
    options = Rules().as_dict()
    del options["ace"], options["mau"]
    with pytest.raises(ValueError, match="rules without ace, mau"):
        Rules.from_dict(options)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("deck", [6, 8, 12, 16, 32, 104])
def test_c1_as_many_cards_as_leave_one_to_turn_up(deck, players):
    most = (deck - 1) // players
    Rules.of(deck=deck, hand_size=most).check_players(players)
    if most < 51:
        with pytest.raises(ValueError, match=f"hand_size={most + 1} for {players} players: .* at most {most}"):
            Rules.of(deck=104, hand_size=1).replace(deck=deck, hand_size=most + 1).check_players(players)


@pytest.mark.parametrize("players", [1, 6, 0, -2, 2.0, True, "3", None])
def test_a_wrong_number_of_players_is_named(players):
    with pytest.raises(ValueError, match=f"^{players!r} players: a table seats 2 to 5$"):
        Rules().check_players(players)


def test_options_are_read_from_text():
    texts = ["ace=skip", "must_play=no", "jack_on_jack=False", "play_drawn=YES", "hand_size=7", "deck=104"]
    assert parse_options(texts) == {
        "ace": "skip", "must_play": False, "jack_on_jack": False, "play_drawn": True, "hand_size": 7, "deck": 104,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ace", "'ace' is not of the form option=value, such as ace=skip"),
        ("ace=", "ace='' is not an option's value: plain or skip or again"),
        ("must_play=maybe", "must_play='maybe' is not an option's value: yes or no"),
        ("hand_size=many", "hand_size='many' is not an option's value: 1 to 51"),
        ("hand_size=-3", "hand_size=-3 is not an option's value: 1 to 51"),
        ("hand_size=--3", "hand_size='--3' is not an option's value: 1 to 51"),
        ("hand_size=³", "hand_size='³' is not an option's value: 1 to 51"),
        ("colour=red", "no option is called 'colour'"),
        ("=5", "no option is called ''"),
    ],
)
def test_what_is_wrong_in_a_text_is_named(text, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        Rules.of("classic", **parse_options([text]))


def test_there_are_exactly_the_documented_options():
    assert set(OPTIONS) == set(REFEREED["classic"])
