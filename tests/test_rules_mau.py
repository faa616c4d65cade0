"""C15: saying "Mau"."""

from tabletools import actions, cards, play


def test_c15_auto_asks_nothing_and_costs_nothing(table):
    game = table(["KH 8H", "QD KD"], discard="10H", pile="8C 9C")
    assert game.legal() == ["8H", "KH"]
    play(game, "KH")
    assert cards(game.hands[0]) == ["8H"]
    assert game.seat == 1


def test_c15_call_with_two_cards_and_one_playable(table):
    game = table(["KH 9S", "QD KD 10D"], discard="10H", pile="8C 9C", mau="call")
    assert game.legal() == ["KH", "mau"]


def test_c15_call_needs_a_card_that_may_be_played_now(table):
    game = table(["KS 9S", "QD KD 10D"], discard="10H", pile="8C 9C", mau="call")
    assert game.legal() == ["draw"]


def test_c15_call_needs_exactly_two_cards(table):
    hands = ["KH", "QH KD 10D", "QS KS AS"]
    game = table(hands, discard="10H", pile="8C 9C", preset="match")
    assert game.legal() == ["KH", "draw"]
    assert play(game, "draw").legal() == ["10D", "QH", "draw"]


def test_c15_saying_it_is_free_and_the_same_player_goes_on(table):
    game = table(["KH 9S", "QD KD 10D"], discard="10H", pile="8C 9C", preset="match")
    assert game.legal() == ["KH", "draw", "mau"]
    play(game, "mau")
    assert (game.seat, game.turns, game.phase, game.mau_said) == (0, 0, "normal", True)
    assert cards(game.hands[0]) == cards("KH 9S")
    assert game.legal() == ["KH", "draw"]


def test_c15_who_said_it_keeps_one_card(table):
    game = play(table(["KH 9S", "QD KD 10D"], discard="10H", pile="8C 9C", mau="call"), "mau KH")
    assert cards(game.hands[0]) == ["9S"]
    assert list(game.pile) == ["8C", "9C"]
    assert (game.seat, game.mau_said) == (1, False)


def test_c15_who_forgot_it_draws_two(table):
    game = play(table(["KH 9S", "QD KD 10D"], discard="10H", pile="8C 9C AC", mau="call"), "KH")
    assert cards(game.hands[0]) == cards("9S 8C 9C")
    assert list(game.pile) == ["AC"]
    assert (game.seat, game.turns) == (1, 1)


def test_c15_nobody_says_it_for_the_last_card(table):
    game = table(["KH", "QD KD 10D"], discard="10H", pile="8C 9C", mau="call")
    assert game.legal() == ["KH"]
    assert play(game, "KH").end == "emptied"
    assert cards(game.hands[0]) == []


def test_c15_the_two_cards_come_before_the_sevens_effect(table):
    game = play(table(["7H 9S", "QD KD 10D"], discard="10H", pile="8C 9C AC QC KC", mau="call"), "7H")
    assert cards(game.hands[0]) == cards("9S 8C 9C")
    assert (game.seat, game.owed) == (1, 2)
    play(game, "draw")
    assert cards(game.hands[1]) == cards("QD KD 10D AC QC")


def test_c15_the_two_cards_come_before_the_aces_effect(table):
    game = play(table(["AH 9S", "QD KD 10D"], discard="10H", pile="KH AC QC", preset="match"), "AH")
    assert (game.seat, game.phase) == (0, "again")
    assert cards(game.hands[0]) == cards("9S KH AC")
    assert game.legal() == ["AC", "KH", "draw"]


def test_c15_the_two_cards_may_need_a_new_pile_and_the_played_card_stays_on_top(table):
    hands, discard = ["KH 9S", "QD KD 10D"], "AC QC 10H"
    game = table(hands, discard=discard, pile="8C", reshuffles=["QC 10H AC"], mau="call")
    play(game, "KH")
    assert cards(game.hands[0]) == cards("9S 8C QC")
    assert (list(game.pile), list(game.discards)) == (["10H", "AC"], ["KH"])


def test_c15_when_cards_run_short_who_forgot_draws_what_there_is(table):
    game = table(["KH 9S", "QD KD 10D"], discard="10H", pile="", reshuffles=["10H"], mau="call")
    play(game, "KH")
    assert cards(game.hands[0]) == cards("9S 10H")
    assert game.seat == 1
    assert game.legal() == ["KD"]


def test_c15_the_wish_stands_when_a_jack_was_played_without_it(table):
    game = play(table(["JC 9S", "QD KD 10S"], discard="10H", pile="8C 9C AC", mau="call"), "JC:D")
    assert cards(game.hands[0]) == cards("9S 8C 9C")
    assert (game.seat, game.wish) == (1, "D")
    assert game.legal() == ["KD", "QD"]


def test_c15_a_jack_may_be_the_card_it_is_said_for(table):
    game = table(["JC 9S", "QD KD 10S"], discard="10H", pile="8C", mau="call")
    assert game.legal() == actions("JC:* mau")


def test_c15_saying_it_and_then_drawing_costs_nothing(table):
    game = table(["KH 9S", "QD KD 10D"], discard="10H", pile="8C 9C", preset="match")
    play(game, "mau draw")
    assert cards(game.hands[0]) == cards("KH 9S 8C")
    assert (game.seat, game.mau_said, game.owed) == (1, False, 0)


def test_c15_in_the_choice_after_a_draw_it_counts_the_drawn_card(table):
    game = table(["9S", "QD KD 10D"], discard="10H", pile="KH 8C 9C AC", mau="call")
    assert play(game, "draw").legal() == ["KH", "mau", "pass"]
    play(game, "mau")
    assert (game.seat, game.phase, game.drawn, game.mau_said) == (0, "drawn", "KH", True)
    assert game.legal() == ["KH", "pass"]
    play(game, "KH")
    assert cards(game.hands[0]) == ["9S"]
    assert game.seat == 1


def test_c15_in_the_choice_after_a_draw_forgetting_it_costs_two_and_passing_nothing(table):
    hands, set_up = ["9S", "QD KD 10D"], {"discard": "10H", "pile": "KH 8C 9C AC", "mau": "call"}
    assert cards(play(table(hands, **set_up), "draw KH").hands[0]) == cards("9S 8C 9C")
    assert cards(play(table(hands, **set_up), "draw pass").hands[0]) == cards("9S KH")
    game = play(table(hands, **set_up), "draw mau pass")
    assert cards(game.hands[0]) == cards("9S KH")
    assert (game.seat, game.mau_said) == (1, False)


def test_c15_in_the_choice_after_a_draw_three_cards_are_too_many(table):
    game = play(table(["9S 8S", "QD KD 10D"], discard="10H", pile="KH 8C", mau="call"), "draw")
    assert game.legal() == ["KH", "pass"]


def test_c15_under_a_debt_only_a_seven_allows_it(table):
    set_up = {"discard": "10H", "pile": "8C 9C AC QC", "mau": "call"}
    game = play(table(["7H 9S 8S", "7D KH"], **set_up), "7H")
    assert game.legal() == ["7D", "draw", "mau"]
    play(game, "mau 7D")
    assert cards(game.hands[1]) == ["KH"]
    assert game.owed == 4
    game = play(table(["7H 9S 8S", "QH KH"], **set_up), "7H")
    assert game.legal() == ["draw"]


def test_c15_it_holds_through_a_paid_debt_to_the_end_of_the_turn(table):
    options = {"mau": "call", "draw_then_play": True}
    game = table(["7H 9S 8S", "7D KH"], discard="10H", pile="8C 9C AC QC", **options)
    play(game, "7H mau draw")
    assert (game.seat, game.mau_said, game.phase) == (1, True, "normal")
    assert game.legal() == ["7D", "KH"]
    play(game, "KH")
    assert game.mau_said is False


def test_c15_it_holds_for_the_second_card_after_an_ace(table):
    game = table(["AH KH", "QD KD 10D"], discard="10H", pile="8C 9C", preset="match")
    play(game, "mau AH")
    assert cards(game.hands[0]) == ["KH"]
    assert (game.seat, game.phase, game.mau_said) == (0, "again", True)
    assert game.legal() == ["KH", "draw"]
    assert play(game, "KH").end == "emptied"


def test_c15_it_can_be_said_between_an_ace_and_the_second_card(table):
    game = table(["AH KH 9S", "QD KD 10D"], discard="10H", pile="8C 9C", preset="match")
    assert play(game, "AH").legal() == ["KH", "draw", "mau"]
    play(game, "mau KH")
    assert cards(game.hands[0]) == ["9S"]


def test_c15_it_must_be_said_anew_in_the_next_turn(table):
    hands = ["KH 9S", "3H KD 10D", "AC QC"]
    game = table(hands, discard="10H", pile="KS QS 8C 9C AS", preset="match")
    play(game, "mau draw")  # seat 0 now has KH 9S KS
    play(game, "3H draw KH mau KD draw")
    assert (game.seat, game.top, game.mau_said) == (0, "KD", False)
    assert game.legal() == ["KS", "draw", "mau"]
    play(game, "KS")
    assert cards(game.hands[0]) == cards("9S 9C AS")


def test_c15_a_second_turn_after_an_eight_is_a_turn_of_its_own(table):
    game = table(["8H KH 9S", "QD KD"], discard="10H", pile="8C 9C AC", mau="call")
    play(game, "8H")
    assert game.legal() == ["KH", "mau"]
    game = table(["8H 8S", "QD KD"], discard="10H", pile="8C 9C AC", mau="call")
    play(game, "mau 8H")
    assert (game.seat, game.turns, game.mau_said) == (0, 1, False)
    assert cards(game.hands[0]) == ["8S"]
    assert game.legal() == ["8S"]
