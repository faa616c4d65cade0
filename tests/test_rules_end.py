"""C13, C14, C16, C17 and C18: how a round ends, and its ranking."""

import pytest
from tabletools import actions, cards, check_refusal, play

# C13


def test_c13_the_last_card_ends_the_round_at_once(table):
    game = play(table(["KH", "QD KD", "10C QC AC"], discard="10H", pile="9C"), "KH")
    assert (game.end, game.top) == ("emptied", "KH")
    assert game.ranking == [1, 2, 3]
    assert cards(game.hands[0]) == []


def test_c13_after_the_end_nothing_is_legal(table):
    game = play(table(["KH", "QD KD"], discard="10H", pile="9C"), "KH")
    assert game.legal() == []
    for action in ("draw", "KD", "pass", "mau"):
        check_refusal(game, action)


@pytest.mark.parametrize("card", ["7H", "8H", "9H", "AH", "JH:D"])
@pytest.mark.parametrize("ace", ["plain", "skip", "again"])
def test_c13_the_effect_of_the_last_card_is_void(table, card, ace):
    game = play(table([card[:2], "QD KD", "10C QC AC"], discard="10H", pile="9C AD", ace=ace), card)
    assert game.end == "emptied"
    assert [cards(hand) for hand in game.hands] == [[], cards("QD KD"), cards("10C QC AC")]
    assert list(game.pile) == ["9C", "AD"]
    assert game.ranking == [1, 2, 3]


def test_c13_the_second_card_after_an_ace_can_be_the_last(table):
    game = play(table(["AH KH", "QD KD"], discard="10H", pile="9C", ace="again"), "AH KH")
    assert game.end == "emptied"
    assert game.ranking == [1, 2]


def test_c13_a_last_seven_answers_a_seven_and_the_debt_is_void(table):
    game = play(table(["7H KS", "7D", "QC AC"], discard="10H", pile="9C 8C 8S 9S"), "7H 7D")
    assert (game.end, game.ranking) == ("emptied", [2, 1, 3])
    assert cards(game.hands[2]) == cards("QC AC")


def test_c13_final_seven_draws_makes_the_next_player_draw_two(table):
    game = play(table(["7H", "QD", "QC AC"], discard="10H", pile="9C 8C 8S", final_seven_draws=True), "7H")
    assert game.end == "emptied"
    assert cards(game.hands[1]) == cards("QD 9C 8C")
    assert cards(game.hands[2]) == cards("QC AC")
    assert list(game.pile) == ["8S"]
    assert game.ranking == [1, 3, 2]  # the two cards count: seat 1 would have been second


def test_c13_final_seven_draws_no_seven_of_the_next_player_helps(table):
    game = play(table(["7H", "7D KD"], discard="10H", pile="9C 8C", final_seven_draws=True), "7H")
    assert game.end == "emptied"
    assert cards(game.hands[1]) == cards("7D KD 9C 8C")


def test_c13_final_seven_draws_all_that_is_owed_this_seven_included(table):
    game = table(["7H KS", "7D", "QC AC"], discard="10H", pile="9C 8C 8S 9S AS", final_seven_draws=True)
    play(game, "7H 7D")
    assert game.end == "emptied"
    assert cards(game.hands[2]) == cards("QC AC 9C 8C 8S 9S")
    assert cards(game.hands[0]) == ["KS"]
    assert game.ranking == [2, 1, 3]


def test_c13_final_seven_draws_against_the_clock(table):
    hands = ["9H KS", "QC AC", "7H"]
    game = play(table(hands, discard="10H", pile="9C 8C", final_seven_draws=True), "9H 7H")
    assert cards(game.hands[1]) == cards("QC AC 9C 8C")
    assert cards(game.hands[0]) == ["KS"]


def test_c13_final_seven_draws_what_there_is_and_makes_a_new_pile(table):
    set_up = {"pile": "9C", "final_seven_draws": True}
    game = table(["7H", "QC AC"], discard="AD 10H", reshuffles=["10H AD"], **set_up)
    play(game, "7H")
    assert cards(game.hands[1]) == cards("QC AC 9C 10H")
    game = table(["7H KH", "7D"], discard="10H", reshuffles=["7H 10H"], **set_up)
    play(game, "7H 7D")
    assert cards(game.hands[0]) == cards("KH 9C 7H 10H")
    assert game.ranking == [2, 1]


def test_c13_final_seven_draws_concerns_sevens_only(table):
    game = table(["8H", "QD", "QC AC"], discard="10H", pile="9C 8C", final_seven_draws=True)
    play(game, "8H")
    assert [cards(hand) for hand in game.hands] == [[], ["QD"], cards("QC AC")]


def test_c13_a_last_jack_wins(table):
    game = table(["JC", "QD KD"], discard="10H", pile="9C")
    assert game.legal() == actions("JC:*")
    play(game, "JC:S")
    assert (game.end, game.ranking) == ("emptied", [1, 2])


# C14


def test_c14_a_last_jack_does_not_win_under_the_option(table):
    game = table(["JC", "QD KD", "10S QS"], discard="10H", pile="9S 8C", win_with_jack=False)
    play(game, "JC:D")
    assert (game.end, game.seat, game.turns) == (None, 1, 1)
    assert cards(game.hands[0]) == ["9S"]
    assert (game.top, game.wish) == ("JC", "D")
    assert game.legal() == ["KD", "QD"]


def test_c14_the_drawn_card_is_not_played_though_it_fits(table):
    game = play(table(["JC", "QD KD"], discard="10H", pile="9D 8C", win_with_jack=False), "JC:D")
    assert (game.seat, game.phase, game.drawn) == (1, "normal", None)
    assert cards(game.hands[0]) == ["9D"]


def test_c14_a_last_jack_that_fits_must_be_played_under_must_play(table):
    options = {"discard": "10H", "pile": "9S 8C", "win_with_jack": False}
    assert table(["JC", "QD KD"], **options).legal() == actions("JC:*")
    assert table(["JC", "QD KD"], must_play=False, **options).legal() == actions("JC:* draw")


def test_c14_the_card_comes_from_a_new_pile_if_need_be(table):
    game = table(["JC", "QD KD"], discard="10H", reshuffles=["10H"], win_with_jack=False)
    play(game, "JC:D")
    assert cards(game.hands[0]) == ["10H"]
    assert (game.end, game.seat, list(game.discards)) == (None, 1, ["JC"])


def test_c14_every_other_last_card_wins_under_the_option(table):
    game = play(table(["KH", "QD KD"], discard="10H", pile="9S", win_with_jack=False), "KH")
    assert (game.end, game.ranking) == ("emptied", [1, 2])


def test_c14_a_jack_that_is_not_the_last_card_draws_nothing(table):
    game = play(table(["JC KS", "QD KD"], discard="10H", pile="9S", win_with_jack=False), "JC:D")
    assert cards(game.hands[0]) == ["KS"]


def test_c14_a_last_jack_after_an_ace_does_not_win_either(table):
    options = {"win_with_jack": False, "ace": "again"}
    game = play(table(["AH JC", "QD KD"], discard="10H", pile="9S 8S", **options), "AH JC:S")
    assert (game.end, game.seat, game.phase) == (None, 1, "normal")
    assert cards(game.hands[0]) == ["9S"]


# C16


def test_c16_fewer_cards_before_fewer_points(table):
    game = play(table(["KH", "JD JS", "AC"], discard="10H", pile="9C"), "KH")
    assert game.ranking == [1, 3, 2]  # one card of 11 points before two of 4 points together


def test_c16_equal_in_cards_fewer_points_are_better(table):
    game = play(table(["KH", "AD JS", "10C QS", "9D KD"], discard="10H", pile="9C"), "KH")
    assert game.ranking == [1, 2, 2, 2]  # 13 points each
    game = play(table(["KH", "AD JS", "10C JD", "9D QD"], discard="10H", pile="9C"), "KH")
    assert game.ranking == [1, 4, 2, 2]  # 13, 12 and 12 points


def test_c16_equal_on_both_share_the_rank(table):
    game = play(table(["KH", "KD", "KS", "QC QD"], discard="10H", pile="9C"), "KH")
    assert game.ranking == [1, 2, 2, 4]


@pytest.mark.parametrize(("better", "worse"), [("10C", "AC"), ("9C", "10C"), ("8C", "9C"), ("7C", "8C"),
                                           ("KC", "7C"), ("QC", "KC"), ("JC", "QC")])  # fmt: skip
def test_c16_the_points_of_the_classic_deck(table, better, worse):
    game = play(table(["KH", worse, better], discard="10H", pile="9D"), "KH")
    assert game.ranking == [1, 3, 2]


@pytest.mark.parametrize(("low", "court"), [("4C", "KC"), ("3C", "QC"), ("2C", "JC")])
def test_c16_a_four_counts_as_a_king_a_three_as_a_queen_a_two_as_a_jack(table, low, court):
    game = play(table(["KH", low, court], discard="10H", pile="9D", preset="match"), "KH")
    assert game.ranking == [1, 2, 2]


@pytest.mark.parametrize(("better", "worse"), [("6C", "7C"), ("5C", "6C"), ("4C", "5C"), ("3C", "4C"), ("2C", "3C")])
def test_c16_a_higher_number_is_worse(table, better, worse):
    game = play(table(["KH", worse, better], discard="10H", pile="9D", preset="match"), "KH")
    assert game.ranking == [1, 3, 2]


# C17: without the card that the Jack was laid on, nothing is left to draw


def test_c17_stuck_when_nobody_can_draw_or_play(table):
    game = table(["JC QC", "AC QH"], discard="10H", reshuffles=["10H"])
    play(game, "JC:S")
    assert game.end is None  # 10H can still be drawn
    play(game, "draw")
    assert (game.end, game.turns) == ("stuck", 2)
    assert cards(game.hands[1]) == cards("AC QH 10H")
    assert game.ranking == [1, 2]
    assert game.legal() == []


def test_c17_stuck_is_ranked_as_any_end(table):
    game = table(["JC QC", "AC", "QH", "KH KD"], discard="10H", reshuffles=["10H"])
    play(game, "JC:S draw")
    assert game.end == "stuck"
    assert game.ranking == [1, 4, 1, 3]  # QC; AC 10H, 21 points; QH; KH KD, 8 points


def test_c17_not_stuck_while_anybody_holds_a_card_that_fits(table):
    game = table(["JC QC", "AC QH", "KS KD"], discard="10H", reshuffles=["10H"])
    play(game, "JC:S draw")
    assert (game.end, game.seat) == (None, 2)
    assert game.legal() == ["KS"]


def test_c17_a_jack_in_hand_keeps_the_round_going_unless_it_fits_not(table):
    hands, set_up = ["JC QC", "AC QH", "JS KD"], {"discard": "10H", "reshuffles": ["10H"]}
    game = play(table(hands, **set_up), "JC:S draw")
    assert (game.end, game.legal()) == (None, actions("JS:*"))
    assert play(table(hands, jack_on_jack=False, **set_up), "JC:S draw").end == "stuck"


def test_c17_stuck_after_the_two_cards_of_a_forgotten_mau(table):
    game = table(["JC QC", "AC QH KD"], discard="10H", reshuffles=["10H"], mau="call")
    play(game, "JC:S")
    assert (game.end, game.turns) == ("stuck", 1)
    assert cards(game.hands[0]) == cards("QC 10H")
    assert game.ranking == [1, 2]


def test_c17_stuck_after_a_last_jack_that_does_not_win(table):
    game = table(["JC", "AC QH"], discard="10H", reshuffles=["10H"], win_with_jack=False)
    play(game, "JC:S")
    assert game.end == "stuck"
    assert cards(game.hands[0]) == ["10H"]


def test_c17_a_round_can_be_stuck_from_the_start(table):
    game = table(["KS QS", "QD"], discard="10H", pile="")
    assert (game.end, game.turns) == ("stuck", 0)
    assert game.ranking == [2, 1]


# C18


def test_c18_after_max_turns_the_round_lasted_too_long(table):
    game = table(["KH 10S", "QH AS", "10H 8C JD"], discard="AH", pile="KD", max_turns=3)
    assert play(game, "KH QH").end is None
    play(game, "10H")
    assert (game.end, game.turns) == ("too long", 3)
    assert game.ranking == [1, 2, 3]  # 10 points, 11 points, two cards
    assert game.legal() == []
    check_refusal(game, "10S")


def test_c18_drawing_and_then_choosing_is_one_turn(table):
    game = table(["KS QS", "QC 10H", "9C 10C"], discard="AH", pile="QH KH", max_turns=2)
    play(game, "draw")
    assert (game.end, game.turns) == (None, 0)
    play(game, "QH")
    assert (game.end, game.turns) == (None, 1)
    assert play(game, "QC").end == "too long"


def test_c18_saying_mau_and_going_on_after_an_ace_are_no_turns(table):
    game = table(["AH KH QC", "QH KD AD"], discard="10H", pile="8C 8S", preset="match", max_turns=1)
    play(game, "AH mau")
    assert (game.end, game.turns) == (None, 0)
    play(game, "KH")
    assert (game.end, game.turns) == ("too long", 1)
    assert cards(game.hands[0]) == ["QC"]


def test_c18_a_second_turn_with_two_players_counts(table):
    game = play(table(["8H KH QC", "QH KD"], discard="10H", pile="8C", max_turns=2), "8H KH")
    assert (game.end, game.turns) == ("too long", 2)


def test_c18_a_skipped_player_has_no_turn(table):
    hands = ["8H KC QC", "QH KD AD", "KH AC AS"]
    game = play(table(hands, discard="10H", pile="8C", max_turns=2), "8H")
    assert (game.end, game.turns, game.seat) == (None, 1, 2)


def test_c18_an_open_debt_is_not_paid_any_more(table):
    game = play(table(["7H KH AC", "QH KD"], discard="10H", pile="8C 8S", max_turns=1), "7H")
    assert game.end == "too long"
    assert cards(game.hands[1]) == cards("QH KD")
    assert game.ranking == [2, 1]  # 15 and 7 points; seat 1 would be last with four cards


def test_c18_the_last_card_in_the_last_turn_wins(table):
    game = play(table(["KH", "QH KD"], discard="10H", pile="8C 8S", max_turns=1), "KH")
    assert (game.end, game.ranking) == ("emptied", [1, 2])
