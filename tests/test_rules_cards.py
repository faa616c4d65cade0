"""C1-C6, C10 and C12: dealing, what fits, drawing, wishing, and the new pile."""

import random

import pytest
from referee import PRESETS, Referee, full_deck
from tabletools import actions, cards, check_refusal, play

CLASSIC, MATCH = PRESETS["classic"], PRESETS["match"]
SPECIAL = ("7", "8", "9", "J", "A")


# C1


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize(("preset", "hand_size", "deck"), [("classic", 5, 32), ("match", 7, 104)])
def test_c1_everyone_is_dealt_the_hand_size(preset, hand_size, deck, players):
    game = Referee.deal(PRESETS[preset], players, random.Random(1))
    assert [len(hand) for hand in game.hands] == [hand_size] * players
    assert len(game.pile) == deck - hand_size * players - len(game.discards)
    assert cards(sum(game.hands, game.pile + game.discards)) == cards(full_deck(deck))


def test_c1_the_next_card_is_turned_up_and_the_rest_is_the_pile():
    game = Referee.deal(CLASSIC | {"hand_size": 3}, 4, random.Random(2))
    assert [len(hand) for hand in game.hands] == [3, 3, 3, 3]
    assert (len(game.discards), len(game.pile)) == (1, 32 - 12 - 1)


def test_c1_the_decks_are_32_cards_once_and_52_cards_twice():
    assert len(full_deck(32)) == len(set(full_deck(32))) == 32
    assert len(full_deck(104)) == 104
    assert len(set(full_deck(104))) == 52
    assert {"7C", "AS"} <= set(full_deck(32))
    assert not {"6C", "2S"} & set(full_deck(32))
    assert full_deck(104).count("2D") == 2


def test_c1_a_position_reads_as_it_was_set_up(table):
    game = table(["KH 8C", "QD 9D"], discard="AC 10H", pile="KS QS")
    assert [cards(hand) for hand in game.hands] == [["8C", "KH"], ["9D", "QD"]]
    assert (list(game.discards), list(game.pile)) == (["AC", "10H"], ["KS", "QS"])
    assert (game.top, game.suit, game.wish, game.owed) == ("10H", "H", None, 0)
    assert (game.seat, game.direction, game.turns) == (0, 1, 0)
    assert (game.phase, game.drawn, game.mau_said) == ("normal", None, False)
    assert (game.end, game.ranking) == (None, None)


# C2


@pytest.mark.parametrize("top", ["7H", "8H", "9H", "AH"])
@pytest.mark.parametrize("ace", ["plain", "skip", "again"])
def test_c2_a_special_opening_card_has_no_effect(table, top, ace):
    game = table(["KH 10S", "QH KC", "10C QC"], discard=top, pile="KD", ace=ace)
    assert (game.seat, game.owed, game.direction, game.phase) == (0, 0, 1, "normal")
    assert game.legal() == ["KH"]
    assert play(game, "KH").seat == 1


def test_c2_an_opening_seven_costs_nothing_later_either(table):
    game = table(["7D KC", "QD AC", "10C QC"], discard="7H", pile="KD AS KS")
    assert play(game, "7D").owed == 2


@pytest.mark.parametrize("top", ["8H", "9H"])
def test_c2_an_opening_skip_is_none_with_two_players(table, top):
    game = table(["KH 10S", "QH KC"], discard=top, pile="KD")
    assert game.seat == 0
    assert play(game, "KH").seat == 1


def test_c2_an_opening_jack_counts_as_its_own_suit(table):
    game = table(["KS QH JC", "QS KC"], discard="JS", pile="KD")
    assert (game.wish, game.suit) == (None, "S")
    assert game.legal() == actions("KS JC:*")


def test_c2_a_special_start_is_covered_until_the_top_is_ordinary():
    games = [Referee.deal(MATCH, 3, random.Random(seed)) for seed in range(40)]
    for game in games:
        assert not game.top.startswith(SPECIAL)
        assert all(card.startswith(SPECIAL) for card in game.discards[:-1])
        assert len(game.pile) == 104 - 21 - len(game.discards)
    assert {len(game.discards) for game in games} >= {1, 2, 3}


def test_c2_a_special_start_stays_open_without_the_option():
    games = [Referee.deal(CLASSIC, 3, random.Random(seed)) for seed in range(40)]
    assert all(len(game.discards) == 1 for game in games)
    assert {game.top[:-1] for game in games} > set(SPECIAL)


def test_c2_covering_stops_when_no_card_is_left():
    rules = CLASSIC | {"cover_special_start": True, "hand_size": 6}
    games = [Referee.deal(rules, 5, random.Random(seed)) for seed in range(40)]
    uncovered = [game for game in games if game.top.startswith(SPECIAL)]
    assert uncovered
    assert all(len(game.discards) == 2 and not game.pile for game in uncovered)


def test_c2_the_covered_cards_come_back_in_the_new_pile(table):
    game = table(["KS 3S", "QS 4S"], discard="7H 8S 10D", pile="", reshuffles=["8S 7H"], preset="match")
    assert game.top == "10D"
    assert game.legal() == ["draw"]
    play(game, "draw")
    assert cards(game.hands[0]) == cards("KS 3S 8S")
    assert list(game.pile) == ["7H"]


# C3


def test_c3_seat_0_starts_and_play_goes_clockwise(table):
    game = table(["KH 10S", "QH AS", "10H 8C"], discard="AH", pile="KD")
    seats = [game.seat]
    for card in ("KH", "QH", "10H"):
        seats.append(play(game, card).seat)
    assert seats == [0, 1, 2, 0]
    assert game.turns == 3


def test_c3_another_starter_can_be_named(table):
    game = table(["KH 10S", "QH AS", "10H 8C"], discard="AH", pile="KD", starter=2)
    assert (game.seat, game.turns) == (2, 0)
    assert play(game, "10H").seat == 0


# C4


def test_c4_a_card_fits_by_suit_or_by_rank_and_a_jack_always(table):
    game = table(["KH 10S JC AC", "QD 9D"], discard="10H", pile="KS")
    assert game.legal() == ["10S", "JC:C", "JC:D", "JC:H", "JC:S", "KH"]


def test_c4_the_wish_takes_the_place_of_the_jacks_suit(table):
    game = table(["JC KS", "KD QC JS 10H"], discard="QH", pile="AS")
    assert play(game, "JC:D").legal() == actions("KD JS:*")


@pytest.mark.parametrize("wish", ["C", "S"])
def test_c4_no_jack_on_a_jack_under_the_option_even_in_the_suit_wished(table, wish):
    game = table(["JC KH", "JS 10H"], discard="QH", pile="AD", jack_on_jack=False)
    assert play(game, f"JC:{wish}").legal() == ["draw"]


def test_c4_no_jack_on_an_opening_jack_under_the_option(table):
    assert table(["JS KC", "QD KD"], discard="JC", pile="AD", jack_on_jack=False).legal() == ["KC"]
    assert table(["JS KC", "QD KD"], discard="JC", pile="AD").legal() == actions("KC JS:*")


def test_c4_a_jack_still_fits_on_all_else_under_the_option(table):
    game = table(["JS KC", "QD KD"], discard="10H", pile="AD", jack_on_jack=False)
    assert game.legal() == actions("JS:*")


def test_c4_the_two_cards_of_a_double_deck_are_one_action(table):
    game = table(["3H 3H 3S", "4H 5H"], discard="6H", pile="2C", preset="match")
    assert game.legal() == ["3H", "draw"]
    play(game, "3H")
    assert cards(game.hands[0]) == ["3H", "3S"]


# C5


def test_c5_who_can_play_must(table):
    assert table(["KH QS", "QD 9D"], discard="10H", pile="KS").legal() == ["KH"]


def test_c5_who_cannot_play_draws(table):
    assert table(["KS QS", "QD 9D"], discard="10H", pile="AS").legal() == ["draw"]


def test_c5_without_must_play_drawing_is_legal_beside_the_cards(table):
    game = table(["KH QS", "QD 9D"], discard="10H", pile="KS AS", must_play=False)
    assert game.legal() == ["KH", "draw"]
    assert play(game, "draw").seat == 1


# C6


def test_c6_a_drawn_card_that_does_not_fit_ends_the_turn(table):
    game = play(table(["KS QS", "QD 9D"], discard="10H", pile="AS KH"), "draw")
    assert cards(game.hands[0]) == cards("KS QS AS")
    assert list(game.pile) == ["KH"]
    assert (game.seat, game.phase, game.drawn, game.turns) == (1, "normal", None, 1)


def test_c6_a_drawn_card_that_fits_may_be_played_or_kept(table):
    game = play(table(["KS QS", "QD 9D"], discard="10H", pile="AH KH"), "draw")
    assert (game.seat, game.phase, game.drawn, game.turns) == (0, "drawn", "AH", 0)
    assert cards(game.hands[0]) == cards("KS QS AH")
    assert game.legal() == ["AH", "pass"]


def test_c6_playing_the_drawn_card_ends_the_turn(table):
    game = play(table(["KS QS", "QD 9D"], discard="10H", pile="AH KH"), "draw AH")
    assert (game.seat, game.top, game.turns) == (1, "AH", 1)
    assert (game.phase, game.drawn) == ("normal", None)
    assert cards(game.hands[0]) == cards("KS QS")


def test_c6_passing_keeps_the_drawn_card(table):
    game = play(table(["KS QS", "QD 9D"], discard="10H", pile="AH KH"), "draw pass")
    assert (game.seat, game.top, game.turns) == (1, "10H", 1)
    assert (game.phase, game.drawn) == ("normal", None)
    assert cards(game.hands[0]) == cards("KS QS AH")


def test_c6_only_the_drawn_card_may_be_played(table):
    game = table(["KH 10S JC", "QD 9D"], discard="10H", pile="AH", must_play=False)
    assert play(game, "draw").legal() == ["AH", "pass"]


def test_c6_a_drawn_jack_fits_and_names_a_suit(table):
    game = play(table(["KS QS", "QD 9D"], discard="10H", pile="JC KH"), "draw")
    assert game.legal() == actions("JC:* pass")
    assert play(game, "JC:S").suit == "S"


def test_c6_a_jack_drawn_on_a_jack_does_not_fit_under_the_option(table):
    game = play(table(["KS QS", "QD 9D"], discard="JH", pile="JC KH", jack_on_jack=False), "draw")
    assert (game.seat, game.phase) == (1, "normal")


def test_c6_without_play_drawn_the_turn_ends_though_the_card_fits(table):
    game = play(table(["KS QS", "QD 9D"], discard="10H", pile="AH KH", play_drawn=False), "draw")
    assert (game.seat, game.phase, game.drawn) == (1, "normal", None)
    assert cards(game.hands[0]) == cards("KS QS AH")


def test_c6_a_drawn_card_has_its_effect_when_played(table):
    hands = ["KS QS", "QD 9D", "KD AD"]
    assert play(table(hands, discard="10H", pile="8H KH"), "draw 8H").seat == 2
    assert play(table(hands, discard="10H", pile="9H KH"), "draw 9H").seat == 2
    assert play(table(hands, discard="10H", pile="7H KH"), "draw 7H").owed == 2


def test_c6_when_nothing_can_be_drawn_the_turn_just_ends(table):
    game = table(["KS QC", "10H KD"], discard="10D", pile="")
    assert game.legal() == ["draw"]
    play(game, "draw")
    assert (game.seat, game.turns, game.end) == (1, 1, None)
    assert cards(game.hands[0]) == cards("KS QC")
    assert game.legal() == actions("10H KD")


# C10


def test_c10_any_suit_may_be_named_the_jacks_own_included(table):
    game = table(["JC KS", "KC QD"], discard="QH", pile="AS")
    assert game.legal() == ["JC:C", "JC:D", "JC:H", "JC:S"]
    play(game, "JC:C")
    assert (game.wish, game.suit, game.top) == ("C", "C", "JC")
    assert game.legal() == ["KC"]


def test_c10_the_wish_lives_through_draws_and_passes(table):
    game = table(["JC KS AD", "10H 8S", "QS 9S"], discard="QH", pile="10C KD 7S")
    play(game, "JC:D")  # seat 1 holds no diamond and draws none, seat 2 draws one and keeps it
    assert play(game, "draw").legal() == ["draw"]
    assert play(game, "draw").legal() == ["KD", "pass"]
    play(game, "pass")
    assert (game.seat, game.wish, game.suit) == (0, "D", "D")
    assert game.legal() == ["AD"]


def test_c10_the_wish_ends_with_the_next_card(table):
    game = play(table(["JC KS QC", "KD 8H"], discard="QH", pile="10S"), "JC:D KD")
    assert (game.wish, game.suit) == (None, "D")
    assert game.legal() == ["KS"]


def test_c10_a_jack_on_the_jack_names_a_new_suit(table):
    game = play(table(["JC KS QC", "JD 8H"], discard="QH", pile="10S"), "JC:D JD:S")
    assert (game.wish, game.suit) == ("S", "S")
    assert game.legal() == ["KS"]


def test_c10_the_wish_lives_through_a_new_pile(table):
    game = table(["JC KS AD", "10S 8S"], discard="9C QH", reshuffles=["9C QH"])
    play(game, "JC:D draw")
    assert cards(game.hands[1]) == cards("10S 8S 9C")
    assert (game.top, game.wish) == ("JC", "D")
    assert game.legal() == ["AD"]


def test_c10_a_jack_comes_back_from_the_new_pile_without_its_wish(table):
    game = table(["JC KS AS", "10D 8C"], discard="QH", reshuffles=["JC QH"])
    play(game, "JC:D 10D draw")  # seat 0 has neither diamond nor ten, and draws its own Jack again
    assert (game.drawn, game.wish, game.suit) == ("JC", None, "D")
    assert game.legal() == actions("JC:* pass")


# C12


def test_c12_taking_the_last_card_of_the_pile_makes_no_new_one_yet(table):
    game = play(table(["KS QS", "QD 9D"], discard="8C 10H", pile="AS"), "draw")
    assert list(game.pile) == []
    assert list(game.discards) == ["8C", "10H"]


def test_c12_the_next_draw_turns_the_discards_below_the_top_into_the_pile(table):
    game = table(["KS QS", "QD 9D"], discard="8C AC 10H", pile="AS", reshuffles=["AC 8C"])
    play(game, "draw draw")
    assert cards(game.hands[1]) == cards("QD 9D AC")
    assert (list(game.pile), list(game.discards)) == (["8C"], ["10H"])


def test_c12_a_new_pile_may_be_made_in_the_middle_of_drawing_a_debt(table):
    game = table(["7H KS", "QD 9D"], discard="AC 10H", pile="QS", reshuffles=["10H AC"])
    play(game, "7H draw")
    assert cards(game.hands[1]) == cards("QD 9D QS 10H")
    assert (list(game.pile), list(game.discards)) == (["AC"], ["7H"])


def test_c12_no_second_new_pile_is_made_of_the_top_alone(table):
    game = table(["7H KS 8S", "7D 9D"], discard="AC 10H", pile="QS", reshuffles=["10H 7H AC"])
    play(game, "7H 7D draw")  # owes 4, and exactly 4 cards exist
    assert cards(game.hands[0]) == cards("KS 8S QS 10H 7H AC")
    assert (list(game.pile), list(game.discards)) == ([], ["7D"])


# Actions in general


@pytest.mark.parametrize("action", ["AH", "QS", "JC", "JC:X", "JH:D", "KH:H", "pass", "draw", "mau", "card"])
def test_an_illegal_action_is_refused_and_changes_nothing(table, action):
    game = table(["KH QS JC", "AH 9D"], discard="10H", pile="KS")
    assert action not in game.legal()
    check_refusal(game, action)


def test_an_illegal_action_is_refused_in_the_choice_after_a_draw(table):
    game = play(table(["KS QS", "QD 9D"], discard="10H", pile="AH KH"), "draw")
    for action in ("draw", "KS", "mau"):
        check_refusal(game, action)
