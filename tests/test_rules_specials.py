"""C7, C8, C9 and C11: sevens, eights, nines and aces."""

import pytest
from tabletools import actions, cards, play

# C7


def test_c7_a_seven_makes_the_next_player_owe_two(table):
    game = play(table(["7H KS", "QD KD", "10C QC"], discard="10H", pile="9C 8C AD"), "7H")
    assert (game.seat, game.owed, game.top) == (1, 2, "7H")
    assert game.legal() == ["draw"]
    play(game, "draw")
    assert cards(game.hands[1]) == cards("QD KD 9C 8C")
    assert list(game.pile) == ["AD"]
    assert (game.seat, game.owed, game.turns) == (2, 0, 2)


def test_c7_only_sevens_of_any_suit_answer_a_seven(table):
    game = play(table(["7H KS", "7S QH JC AH"], discard="10H", pile="9C 8C"), "7H")
    assert game.legal() == ["7S", "draw"]


@pytest.mark.parametrize("preset", ["classic", "match"])
def test_c7_drawing_is_legal_with_a_seven_in_hand(table, preset):
    game = play(table(["7H KS AS", "7S QH JC"], discard="10H", pile="9C 8C", preset=preset), "7H")
    assert game.legal() == ["7S", "draw"]
    play(game, "draw")
    assert cards(game.hands[1]) == cards("7S QH JC 9C 8C")
    assert (game.seat, game.owed) == (0, 0)


def test_c7_a_jack_does_not_answer_a_seven(table):
    game = play(table(["7H KS", "JC JS"], discard="10H", pile="9C 8C"), "7H")
    assert game.legal() == ["draw"]


def test_c7_sevens_add_up(table):
    game = table(["7H 7D KS", "7S 7C KD"], discard="10H", pile="8C 9C 10C QC KC AC 8S 9S 10S")
    for card, owed in (("7H", 2), ("7S", 4), ("7D", 6), ("7C", 8)):
        assert play(game, card).owed == owed
    assert game.legal() == ["draw"]
    play(game, "draw")
    assert cards(game.hands[0]) == cards("KS 8C 9C 10C QC KC AC 8S 9S")
    assert list(game.pile) == ["10S"]
    assert (game.seat, game.owed) == (1, 0)


def test_c7_the_next_seven_after_a_paid_debt_starts_at_two(table):
    game = table(["7H KS 8S", "QD KD 9D", "7D 10S AS"], discard="10H", pile="8C 9C 10C")
    assert play(game, "7H draw 7D").owed == 2


def test_c7_paying_ends_the_turn_though_a_drawn_card_fits(table):
    game = play(table(["7H KS", "QD KD", "AH QC"], discard="10H", pile="8H 9H"), "7H draw")
    assert (game.seat, game.phase, game.drawn) == (2, "normal", None)
    assert game.legal() == ["AH"]


def test_c7_a_paid_seven_is_an_ordinary_card_to_the_next_player(table):
    game = play(table(["7H KS", "QD KD", "8H 7C JS QS"], discard="10H", pile="8C 9C"), "7H draw")
    assert game.legal() == actions("7C 8H JS:*")


def test_c7_a_seven_played_after_a_draw_answers_nothing_but_owes_two(table):
    game = play(table(["KS QS", "7D 9D"], discard="10H", pile="7H KH AC"), "draw 7H")
    assert (game.seat, game.owed) == (1, 2)
    assert game.legal() == ["7D", "draw"]


def test_c7_a_seven_meets_a_wish_only_in_its_suit(table):
    game = play(table(["JC KS", "7D 7S"], discard="QH", pile="9C"), "JC:D")
    assert game.legal() == ["7D"]
    assert play(game, "7D").owed == 2
    assert (game.wish, game.suit) == (None, "D")


def test_c7_the_debt_passes_on_against_the_clock(table):
    hands = ["9H KS", "AC QC", "7D 10S", "7H AS"]
    game = play(table(hands, discard="10H", pile="8C 9C 10C KC QD"), "9H 7H 7D")
    assert (game.seat, game.owed) == (1, 4)
    play(game, "draw")
    assert cards(game.hands[1]) == cards("AC QC 8C 9C 10C KC")
    assert game.seat == 0


def test_c7_debt_is_gone_when_cards_run_short(table):
    game = table(["7H KS", "QD KD"], discard="10H", pile="", reshuffles=["10H"])
    play(game, "7H draw")
    assert cards(game.hands[1]) == cards("QD KD 10H")
    assert (game.seat, game.owed, game.end) == (0, 0, None)
    assert game.legal() == ["draw"]
    play(game, "draw")
    assert cards(game.hands[0]) == ["KS"]
    assert (game.seat, game.owed) == (1, 0)


def test_c7_draw_then_play_goes_on_with_a_normal_turn(table):
    game = table(["7H KS", "QD KD JC", "AC QC"], discard="10H", pile="8H 9C", draw_then_play=True)
    play(game, "7H draw")
    assert (game.seat, game.owed, game.phase, game.turns) == (1, 0, "normal", 1)
    assert game.legal() == actions("8H JC:*")
    assert play(game, "8H").seat == 0


def test_c7_draw_then_play_may_draw_once_more_without_a_card_that_fits(table):
    hands, options = ["7H KS", "QD KD", "AC QC"], {"discard": "10H", "draw_then_play": True}
    game = play(table(hands, pile="8C 9C AS 8S", **options), "7H draw")
    assert game.legal() == ["draw"]
    assert play(game, "draw").seat == 2
    assert cards(game.hands[1]) == cards("QD KD 8C 9C AS")
    game = play(table(hands, pile="8C 9C AH 8S", **options), "7H draw draw")
    assert (game.seat, game.phase, game.drawn) == (1, "drawn", "AH")
    assert game.legal() == ["AH", "pass"]


def test_c7_draw_then_play_without_must_play(table):
    options = {"draw_then_play": True, "must_play": False}
    game = play(table(["7H KS", "QD KD", "AC QC"], discard="10H", pile="8H 9C", **options), "7H draw")
    assert game.legal() == ["8H", "draw"]


def test_c7_draw_then_play_may_answer_instead(table):
    game = table(["7H KS", "7D KD QC", "AC QH"], discard="10H", pile="8H 9C", draw_then_play=True)
    assert play(game, "7H").legal() == ["7D", "draw"]
    game = play(game, "7D")
    assert (game.seat, game.owed) == (2, 4)


def test_c7_draw_then_play_a_kept_seven_starts_a_new_debt(table):
    game = table(["7H KS", "7D KD QC"], discard="10H", pile="8C 9C AS", draw_then_play=True)
    assert play(game, "7H draw").legal() == ["7D"]
    play(game, "7D")
    assert (game.seat, game.owed) == (0, 2)


# C8


def test_c8_an_eight_skips_the_next_player(table):
    game = play(table(["8H KS", "QD KD", "10C QC"], discard="10H", pile="9C"), "8H")
    assert (game.seat, game.turns, game.owed) == (2, 1, 0)


def test_c8_with_two_players_the_same_player_moves_again(table):
    game = play(table(["8H KS AH", "QD KD"], discard="10H", pile="9C"), "8H")
    assert (game.seat, game.turns, game.phase) == (0, 1, "normal")
    assert game.legal() == ["AH"]
    assert play(game, "AH").seat == 1


def test_c8_the_skip_follows_the_direction(table):
    hands = ["9H KS", "QD KD", "8C QC", "10C AC", "8H AS"]
    game = play(table(hands, discard="10H", pile="9C"), "9H 8H")
    assert (game.seat, game.direction) == (2, -1)
    assert play(game, "8C").seat == 0


def test_c8_an_eight_is_no_answer_to_a_skip(table):
    game = play(table(["8H KS", "8D KD", "8C QC", "10C QH"], discard="10H", pile="9C"), "8H")
    assert game.seat == 2  # seat 1 is passed over though it holds an eight
    assert play(game, "8C").seat == 0


# C9


def test_c9_a_nine_turns_the_direction_at_once(table):
    game = play(table(["9H KS", "QD KD", "9C QC"], discard="10H", pile="8C"), "9H")
    assert (game.seat, game.direction) == (2, -1)
    play(game, "9C")
    assert (game.seat, game.direction) == (0, 1)


def test_c9_the_player_before_the_nine_moves_next(table):
    game = play(table(["KH KS", "9H KD", "10C QC", "QH AC"], discard="10H", pile="8C 8S"), "KH 9H")
    assert (game.seat, game.direction) == (0, -1)
    assert play(game, "draw").seat == 3
    assert play(game, "QH").seat == 2


def test_c9_with_two_players_a_nine_is_a_skip(table):
    game = play(table(["9H KS AH", "QD KD"], discard="10H", pile="8C"), "9H")
    assert (game.seat, game.turns) == (0, 1)
    assert game.legal() == ["AH"]
    assert play(game, "AH").seat == 1


def test_c9_with_two_players_and_without_the_option_the_other_player_moves(table):
    game = table(["9H KS", "9D KD"], discard="10H", pile="8C AD", nine_skips_with_two=False)
    assert play(game, "9H").seat == 1
    assert play(game, "9D").seat == 0
    assert play(game, "draw").seat == 1


@pytest.mark.parametrize("option", [True, False])
def test_c9_with_three_players_a_nine_never_skips(table, option):
    game = table(["9H KS", "QD KD", "10C QC"], discard="10H", pile="8C", nine_skips_with_two=option)
    assert play(game, "9H").seat == 2


# C11


@pytest.mark.parametrize("preset", ["classic", "match"])
def test_c11_a_plain_ace_is_an_ordinary_card(table, preset):
    hands = ["AH KS AD", "QD KD", "10C QC"]
    game = play(table(hands, discard="10H", pile="8C", preset=preset, ace="plain"), "AH")
    assert (game.seat, game.phase, game.turns) == (1, "normal", 1)


def test_c11_a_skipping_ace_is_an_eight(table):
    game = play(table(["AH KS", "QD KD", "10C QC"], discard="10H", pile="8C", ace="skip"), "AH")
    assert game.seat == 2
    game = play(table(["AH KH QS", "QD KD"], discard="10H", pile="8C", ace="skip"), "AH")
    assert (game.seat, game.phase, game.turns) == (0, "normal", 1)
    assert game.legal() == ["KH"]


def test_c11_after_an_ace_the_same_player_plays_any_card_that_fits(table):
    game = table(["AH KH AS JC QS", "QD KD", "10C QC"], discard="10H", pile="8C", preset="match")
    play(game, "AH")
    assert (game.seat, game.phase, game.turns) == (0, "again", 0)
    assert game.legal() == actions("AS KH JC:* draw")
    play(game, "KH")
    assert (game.seat, game.phase, game.turns, game.top) == (1, "normal", 1, "KH")


def test_c11_the_second_card_must_be_played_under_must_play(table):
    game = table(["AH KH QS", "QD KD"], discard="10H", pile="8C", ace="again")
    assert play(game, "AH").legal() == ["KH"]


@pytest.mark.parametrize("preset", ["classic", "match"])
def test_c11_with_nothing_that_fits_only_draw_is_left(table, preset):
    hands = ["AH KS QS 10S", "QD KD AC"]
    game = play(table(hands, discard="10H", pile="8C 9S", preset=preset, ace="again"), "AH")
    assert game.legal() == ["draw"]
    play(game, "draw")
    assert cards(game.hands[0]) == cards("KS QS 10S 8C")
    assert (game.seat, game.phase, game.turns) == (1, "normal", 1)


def test_c11_the_card_drawn_instead_of_a_second_one_is_not_playable_in_match(table):
    game = table(["AH KS QS 10S", "QD KD AC"], discard="10H", pile="KH 9S", preset="match")
    play(game, "AH draw")
    assert cards(game.hands[0]) == cards("KS QS 10S KH")
    assert (game.seat, game.phase, game.drawn) == (1, "normal", None)


def test_c11_the_card_drawn_instead_of_a_second_one_follows_c6(table):
    game = play(table(["AH KS QS", "QD KD"], discard="10H", pile="KH 9S", ace="again"), "AH draw")
    assert (game.seat, game.phase, game.drawn) == (0, "drawn", "KH")
    assert game.legal() == ["KH", "pass"]
    assert play(game, "pass").seat == 1


def test_c11_an_ace_on_an_ace_goes_on_again(table):
    game = table(["AH AS KS QD 10D", "QC KD"], discard="10H", pile="8C", preset="match")
    play(game, "AH AS")
    assert (game.seat, game.phase, game.turns) == (0, "again", 0)
    assert game.legal() == ["KS", "draw"]


def test_c11_the_second_card_has_its_effect(table):
    hands = ["AH 7H 8H 9H JC", "QC KD 7D", "10C 10D 10S"]
    set_up = {"discard": "10H", "pile": "8C", "preset": "match"}
    game = play(table(hands, **set_up), "AH 7H")
    assert (game.seat, game.owed, game.phase) == (1, 2, "normal")
    assert play(table(hands, **set_up), "AH 8H").seat == 2
    assert play(table(hands, **set_up), "AH 9H").seat == 2
    game = play(table(hands, **set_up), "AH JC:D")
    assert (game.seat, game.wish, game.phase) == (1, "D", "normal")


def test_c11_an_ace_played_after_a_draw_goes_on_too(table):
    game = play(table(["KS AC", "QD KD"], discard="10H", pile="AH 9S", ace="again"), "draw AH")
    assert (game.seat, game.phase, game.drawn) == (0, "again", None)
    assert game.legal() == ["AC"]


def test_c11_the_second_card_after_a_skip_of_two_players_is_a_turn_of_its_own(table):
    game = play(table(["8H AH KH QH", "QD KD"], discard="10H", pile="8C", ace="again"), "8H AH KH")
    assert (game.seat, game.turns) == (1, 2)
