"""M1 to M4 and M7 to M9: what a round costs, who is out, the final ranking and its rewards; every round begins afresh.

Agents are the numbers 0 to 4. Every round is laid out by hand; it ends by the last card of a chosen winner
(`win`), or at once because nobody can move (`stuck`).
"""

import pytest
from tabletools import actions, cards_in, play


def lay(game, hands: dict[int, str], discard="10H", pile="9D 8D", reshuffles=None):
    """Lay the hands of all agents of the round, given by agent; a hand is one text, `"7H QC"`."""
    assert sorted(hands) == sorted(game.seats)
    new_piles = None if reshuffles is None else [cards_in(cards) for cards in reshuffles]
    game.lay([cards_in(hands[agent]) for agent in game.seats], cards_in(discard), cards_in(pile), new_piles)
    assert game.round.seat == game.starter
    return game


def win(game, winner: int, losers: dict[int, str]):
    """Play a round that `winner` wins and that leaves the losers these cards.

    From the starter to the winner everyone holds one King more, and plays it: the first fits the 10H by its suit,
    the others by their rank.
    """
    hands, moves = dict(losers) | {winner: ""}, []
    for step, king in zip(range(len(game.seats)), ["KH", "KD", "KS", "KC", "KH"], strict=False):
        agent = game.seats[(game.starter + step) % len(game.seats)]
        hands[agent] = f"{hands[agent]} {king}"
        moves.append(king)
        if agent == winner:
            break
    lay(game, hands)
    for king in moves:
        if "mau" in game.round.legal():
            game.play("mau")
        game.play(king)
    assert game.round.end == "emptied"
    return game


def stuck(game, hands: dict[int, str]):
    """Lay a round that is stuck at once (C17), hands without a heart, a 7 or a Jack: everybody is charged all of it."""
    lay(game, hands, discard="7H", pile="")
    assert game.round.end == "stuck"
    return game


# M1


@pytest.mark.parametrize(("card", "points"), [("AC", 11), ("10C", 10), ("9C", 9), ("8C", 8), ("7C", 7), ("6C", 6),
                          ("5C", 5), ("4C", 4), ("3C", 3), ("2C", 2), ("KC", 4), ("QC", 3), ("JC", 2)])  # fmt: skip
def test_m1_a_card_left_in_hand_costs_its_points(match, card, points):
    game = win(match(2), 0, {1: card})
    assert game.points == {0: 0, 1: points}


def test_m1_all_cards_left_in_hand_are_charged_and_the_winner_nothing(match):
    game = win(match(3), 0, {1: "AC 10C KC QC JC", 2: "9C 8C 7C 6C 5C 4C 3C 2C"})
    assert game.points == game.table == {0: 0, 1: 30, 2: 44}  # 11+10+4+3+2; 9+8+7+6+5+4+3+2
    assert (game.number, game.out, game.over, game.ranking) == (1, [], False, None)


def test_m1_whoever_wins_is_charged_nothing_be_it_the_starter_or_not(match):
    assert win(match(3), 1, {0: "5C", 2: "6C"}).points == {0: 5, 1: 0, 2: 6}
    assert win(match(3), 2, {0: "5C", 1: "6C 9C"}).points == {0: 5, 1: 15, 2: 0}


def test_m1_the_charges_of_the_rounds_add_up(match):
    game = win(match(3), 0, {1: "AC", 2: "5C"})
    game.next_round()
    win(game, 1, {0: "KC QC", 2: "10C"})
    assert game.points == game.table == {0: 7, 1: 11, 2: 15}
    game.next_round()
    win(game, 0, {1: "9C", 2: "2C"})
    assert game.points == game.table == {0: 7, 1: 20, 2: 17}


def test_m1_nothing_is_charged_while_the_round_is_played(match):
    game = lay(match(2), {0: "KH QH 5C", 1: "KC KD"})
    assert game.points == {0: 0, 1: 0}
    play(game, "KH mau KC")
    assert (game.points, game.out, game.round.end) == ({0: 0, 1: 0}, [], None)
    play(game, "draw KD")
    assert game.points == {0: 17, 1: 0}  # QH 5C and the 9D just drawn


def test_m1_the_two_cards_of_a_forgotten_mau_are_charged(match):
    game = lay(match(2), {0: "KH 5C", 1: "KS"}, pile="9D 8D")
    assert play(game, "KH KS").points == {0: 22, 1: 0}  # 5 + 9 + 8


def test_m1_what_a_last_seven_makes_the_next_player_draw_is_charged(match):
    game = lay(match(3), {0: "7H", 1: "QD", 2: "5C"}, pile="9C 8C AS")
    assert play(game, "7H").points == {0: 0, 1: 20, 2: 5}  # 3 + 9 + 8


def test_m1_what_a_last_seven_adds_to_a_running_debt_is_charged(match):
    game = lay(match(3), {0: "7H KS", 1: "7D", 2: "5C"}, pile="9C 8C 8S 9S AS")
    assert play(game, "mau 7H 7D").points == {0: 4, 1: 0, 2: 39}  # 5 + 9+8+8+9


def test_m1_without_final_seven_draws_a_last_seven_costs_nobody_anything(match):
    game = lay(match(3, final_seven_draws=False), {0: "7H KS", 1: "7D", 2: "QC"}, pile="9C 8C 8S 9S AS")
    assert play(game, "mau 7H 7D").points == {0: 4, 1: 0, 2: 3}


def test_m1_in_a_stuck_round_everybody_is_charged(match):
    game = lay(match(2), {0: "JC QC", 1: "AC QH"}, pile="", reshuffles=["10H"])
    play(game, "mau JC:S draw")  # the 10H from below the Jack was the last card to be drawn
    assert game.round.end == "stuck"
    assert game.points == {0: 3, 1: 24}  # QC; AC QH 10H


def test_m1_a_round_stuck_from_the_start_is_charged_at_once(match):
    game = stuck(match(3), {0: "AC", 1: "KS QS", 2: "5C"})
    assert game.points == game.table == {0: 11, 1: 7, 2: 5}
    game.next_round()
    assert (game.number, game.starter) == (2, 1)


def test_m1_in_a_round_that_lasted_too_long_everybody_is_charged(match):
    game = lay(match(3, max_turns=1), {0: "QC 5C", 1: "AC", 2: "KD"}, pile="9S 8S")
    play(game, "draw")
    assert game.round.end == "too long"
    assert game.points == {0: 17, 1: 11, 2: 4}  # 3 + 5 + the 9S drawn


def test_m1_the_next_round_waits_for_the_end_of_this_one(match):
    game = match(2)
    for moves in ("", "KH mau KC"):
        if moves:
            play(lay(game, {0: "KH QH 5C", 1: "KC KD"}), moves)
        with pytest.raises(ValueError, match=r"."):
            game.next_round()
    assert game.number == 1


def test_m1_cards_are_laid_before_the_first_move_only(match):
    game = lay(match(2), {0: "QH 5C", 1: "KC KD"})
    lay(game, {0: "KH QH 5C", 1: "KC"})  # nobody has moved
    play(game, "KH")
    for moves in ("", "KC"):
        play(game, moves)
        with pytest.raises(ValueError, match=r"."):
            lay(game, {0: "KH QH 5C", 1: "KC"})
    assert game.points == {0: 8, 1: 0}


# M2


def test_m2_a_hundred_points_stay_in_and_one_more_is_out_by_default(match):
    # Eight aces, 10 and 2 are 100; six tens, four nines and 5 are 101.
    hundred = "AC AD AH AS AC AD AH AS 10C 2C"
    game = win(match(3), 0, {1: hundred, 2: "10D 10D 10S 10S 10C 10H 9C 9D 9H 9S 5C"})
    assert game.points == game.table == {0: 0, 1: 100, 2: 101}
    assert (game.out, game.over) == ([2], False)


def test_m2_exactly_the_limit_stays_in_over_several_rounds(match):
    game = win(match(3, penalty_limit=20), 0, {1: "10C", 2: "AC"})
    game.next_round()
    win(game, 0, {1: "10C", 2: "10D"})
    assert (game.points, game.out) == ({0: 0, 1: 20, 2: 21}, [2])
    game.next_round()
    win(game, 1, {0: "AC"})  # a player at the limit may still win every round
    assert (game.points, game.out, game.over) == ({0: 11, 1: 20}, [], False)


def test_m2_the_others_play_on_and_the_seats_close_up(match):
    game = win(match(4, penalty_limit=20), 0, {1: "AC AD", 2: "5C", 3: "AS"})
    assert (game.seats, game.out, game.points) == ([0, 1, 2, 3], [1], {0: 0, 1: 22, 2: 5, 3: 11})
    game.next_round()
    assert (game.number, game.seats, game.out, game.points) == (2, [0, 2, 3], [], {0: 0, 2: 5, 3: 11})
    win(game, 2, {0: "2C", 3: "3C"})  # round seat 1 is agent 2, and he starts
    assert game.points == game.table == {0: 2, 2: 5, 3: 14}


def test_m2_several_go_out_in_one_round(match):
    game = win(match(5, penalty_limit=20), 3, {0: "AC AD", 1: "5C", 2: "AS 10S", 4: "AC AD"})
    assert (game.out, game.over) == ([0, 2, 4], False)
    game.next_round()
    assert (game.seats, game.points) == ([1, 3], {1: 5, 3: 0})


@pytest.mark.parametrize("winner", [0, 1])
def test_m2_when_one_of_two_goes_out_the_match_is_over_at_that_moment(match, winner):
    loser = 1 - winner
    game = win(match(2, penalty_limit=20), winner, {loser: "AC 10C"})
    assert (game.over, game.out, game.number) == (True, [loser], 1)
    assert game.points == game.table == {winner: 0, loser: 21}
    assert game.ranking == {winner: 1, loser: 2}
    assert game.payoffs == {winner: 1, loser: -1}


def test_m2_all_but_one_go_out_in_one_round(match):
    game = win(match(4, penalty_limit=20), 2, {0: "AC AD", 1: "AC 10C", 3: "AD AS 2C"})
    assert (game.over, game.out) == (True, [0, 1, 3])
    assert game.ranking == {2: 1, 1: 2, 0: 3, 3: 4}  # 21, 22 and 24 points


def test_m2_a_stuck_round_can_leave_one_player_who_was_charged_too(match):
    game = stuck(match(3, penalty_limit=10), {0: "AC", 1: "10S", 2: "AD KD"})
    assert (game.over, game.out, game.points) == (True, [0, 2], {0: 11, 1: 10, 2: 15})
    assert game.ranking == {1: 1, 0: 2, 2: 3}


@pytest.mark.parametrize(("pile", "points", "out"), [("9C 8C", 20, []), ("9C 9D", 21, [1])])
def test_m2_a_last_seven_can_put_the_next_player_over_the_limit(match, pile, points, out):
    game = lay(match(3, penalty_limit=20), {0: "7H", 1: "QD", 2: "5C"}, pile=pile)
    play(game, "7H")
    assert (game.points, game.out) == ({0: 0, 1: points, 2: 5}, out)  # 3 points in hand and the two drawn


def test_m2_a_last_seven_on_a_running_debt_can_put_the_next_player_over_the_limit(match):
    game = lay(match(3, penalty_limit=30), {0: "7H KS", 1: "7D", 2: "5C"}, pile="9C 8C 8S 9S AS")
    play(game, "mau 7H 7D")
    assert (game.points, game.out) == ({0: 4, 1: 0, 2: 39}, [2])  # with this seven's two cards alone, 22


def test_m2_a_last_seven_can_end_the_match(match):
    game = play(lay(match(2, penalty_limit=20), {0: "7H", 1: "QD"}, pile="9C 9D"), "7H")
    assert (game.over, game.ranking) == (True, {0: 1, 1: 2})


@pytest.mark.parametrize("limit", [0, -1, 10_001])
def test_m2_the_limit_is_1_to_10000(match, limit):
    with pytest.raises(ValueError, match="penalty_limit"):
        match(2, penalty_limit=limit)


@pytest.mark.parametrize(("limit", "over"), [(1, True), (2, False), (10_000, False)])
def test_m2_the_smallest_and_the_largest_limit(match, limit, over):
    assert win(match(2, penalty_limit=limit), 0, {1: "2C"}).over is over


# M3


def test_m3_if_all_would_be_out_the_fewest_points_win(match):
    game = stuck(match(3, penalty_limit=10), {0: "AC QC", 1: "AS", 2: "AD KD"})
    assert (game.over, game.out) == (True, [0, 2])
    assert game.points == game.table == {0: 14, 1: 11, 2: 15}
    assert game.ranking == {1: 1, 0: 2, 2: 3}
    assert game.payoffs == {1: 1, 0: 0, 2: -1}


def test_m3_equal_fewest_points_win_together(match):
    game = stuck(match(3, penalty_limit=10), {0: "AC", 1: "AD KD", 2: "AS"})
    assert (game.over, game.out) == (True, [1])
    assert game.ranking == {0: 1, 2: 1, 1: 3}
    assert game.payoffs == {0: 0.5, 2: 0.5, 1: -1}  # the winners share places 0 and 1 of 0, 1, 2


def test_m3_equal_points_further_down_share_their_rank(match):
    game = stuck(match(4, penalty_limit=10), {0: "AC", 1: "AS QS", 2: "AD QD", 3: "AC KC"})
    assert game.out == [1, 2, 3]
    assert game.ranking == {0: 1, 1: 2, 2: 2, 3: 4}  # 11, 14, 14 and 15 points
    assert game.payoffs == pytest.approx({0: 1, 1: 0, 2: 0, 3: -1})  # places 0, 1.5, 1.5, 3 of 3


def test_m3_two_and_two_share(match):
    game = stuck(match(5, penalty_limit=10), {0: "AC QC", 1: "AS", 2: "AD QD", 3: "AC", 4: "AS KS"})
    assert game.ranking == {1: 1, 3: 1, 0: 3, 2: 3, 4: 5}  # 11, 11, 14, 14 and 15 points
    # Places 0.5, 0.5, 2.5, 2.5 and 4 of 4
    assert game.payoffs == pytest.approx({1: 0.75, 3: 0.75, 0: -0.25, 2: -0.25, 4: -1})


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_m3_all_can_win_together(match, players):
    aces = dict(enumerate(["AC", "AD", "AS", "AC", "AD"][:players]))
    game = stuck(match(players, penalty_limit=10), aces)
    assert (game.over, game.out) == (True, [])
    assert game.ranking == dict.fromkeys(range(players), 1)
    assert game.payoffs == pytest.approx(dict.fromkeys(range(players), 0))


def test_m3_holds_for_a_round_that_lasted_too_long(match):
    game = lay(match(3, penalty_limit=10, max_turns=1), {0: "QC 5C", 1: "AC KD", 2: "AD"}, pile="9S 8S")
    play(game, "draw")
    assert (game.over, game.out) == (True, [0, 1])
    assert game.ranking == {2: 1, 1: 2, 0: 3}  # 11, 15 and 3+5+9 points


def test_m3_an_open_debt_is_not_paid_when_the_round_lasted_too_long(match):
    game = lay(match(2, penalty_limit=10, max_turns=1), {0: "7H AS", 1: "AC"}, pile="9S 8S")
    play(game, "mau 7H")
    assert game.ranking == {0: 1, 1: 1}


def test_m3_the_points_of_the_whole_match_count_not_those_of_the_round(match):
    game = win(match(2, penalty_limit=20), 0, {1: "10C"})
    game.next_round()
    stuck(game, {0: "AC 10C", 1: "AS 2S"})
    assert game.points == {0: 21, 1: 23}
    assert game.ranking == {0: 1, 1: 2}


def test_m3_points_count_not_cards(match):
    game = stuck(match(2, penalty_limit=5), {0: "AC", 1: "2S 3S 4S"})
    assert game.round.ranking == [1, 2]  # C16: one card before three
    assert game.ranking == {1: 1, 0: 2}  # 9 points before 11


def test_m3_does_not_hold_while_somebody_stays_in(match):
    game = stuck(match(3, penalty_limit=10), {0: "AC", 1: "5S", 2: "9D"})
    assert (game.over, game.out, game.ranking) == (False, [0], None)


# M4


def test_m4_later_out_is_better_though_with_more_points(match):
    game = win(match(3, penalty_limit=20), 0, {1: "10C 10D", 2: "AC 10C"})
    assert game.ranking is None
    game.next_round()
    win(game, 0, {1: "AC AD AS"})
    assert game.points == {0: 0, 1: 53}
    assert game.ranking == {0: 1, 1: 2, 2: 3}  # agent 2 went out with 21


def test_m4_out_in_one_round_fewer_points_are_better(match):
    game = win(match(4, penalty_limit=20), 0, {1: "AC AD", 2: "5C", 3: "AS 10S"})
    assert (game.out, game.ranking) == ([1, 3], None)
    game.next_round()
    win(game, 2, {0: "AC 10C"})
    assert game.ranking == {2: 1, 0: 2, 3: 3, 1: 4}  # 21 points before 22


def test_m4_out_in_one_round_with_equal_points_share_the_rank(match):
    game = win(match(5, penalty_limit=20), 0, {1: "AC AD", 2: "5C", 3: "AD AS", 4: "AC KC KD QC"})
    assert game.points == {0: 0, 1: 22, 2: 5, 3: 22, 4: 22}
    game.next_round()
    win(game, 2, {0: "AC 10C"})
    assert game.ranking == {2: 1, 0: 2, 1: 3, 3: 3, 4: 3}


def test_m4_a_shared_rank_uses_up_the_ranks_behind_it(match):
    game = win(match(4, penalty_limit=20), 0, {1: "AC AD", 2: "AS AD", 3: "AS AC 2C"})
    assert game.ranking == {0: 1, 1: 2, 2: 2, 3: 4}


def test_m4_the_winner_can_have_more_points_than_anybody_before(match):
    game = win(match(2, penalty_limit=20), 0, {1: "10C 10D"})
    game.next_round()
    win(game, 1, {0: "AC 10C"})
    assert (game.points, game.ranking) == ({0: 21, 1: 20}, {1: 1, 0: 2})


def test_m4_after_the_end_nothing_goes_on(match):
    game = win(match(2, penalty_limit=20), 0, {1: "AC 10C"})
    for refused in (game.next_round, lambda: game.play("draw"), lambda: lay(game, {0: "KH", 1: "QC"})):
        with pytest.raises(ValueError, match=r"."):
            refused()
    assert (game.number, game.ranking, game.points) == (1, {0: 1, 1: 2}, {0: 0, 1: 21})


# The rewards of M4's places


@pytest.mark.parametrize(
    ("players", "rewards"),
    [(2, [1, -1]), (3, [1, 0, -1]), (4, [1, 1 / 3, -1 / 3, -1]), (5, [1, 0.5, 0, -0.5, -1])],
)
def test_m4_the_places_are_paid_in_equal_steps_as_they_are_lost(match, players, rewards):
    game = match(players, penalty_limit=10)
    for last in range(players - 1, 0, -1):
        twos = dict(zip(range(1, last), ["2C", "2D", "2S"], strict=False))  # 6 points at most before the ace
        win(game, 0, twos | {last: "AC"})
        if last > 1:
            assert game.payoffs == pytest.approx(dict(enumerate(rewards[last:], start=last)))
            game.next_round()
    assert game.payoffs == pytest.approx(dict(enumerate(rewards)))


def test_m4_two_places_lost_in_one_round(match):
    game = win(match(4, penalty_limit=20), 0, {1: "5C", 2: "AC AD", 3: "AS 10C"})
    assert game.payoffs == pytest.approx({3: -1 / 3, 2: -1})  # 21 points: place 2 of 3; 22 points: place 3


def test_m4_two_places_shared_in_one_round(match):
    game = win(match(4, penalty_limit=20), 0, {1: "5C", 2: "AC AD", 3: "AS AD"})
    assert game.payoffs == pytest.approx({2: -2 / 3, 3: -2 / 3})  # place 2.5 of 3


# M7: who starts is shown beside who joins and leaves

# What a round begins with, whatever the last one ended with.
FRESH = {"direction": 1, "wish": None, "owed": 0, "mau_said": False, "turns": 0, "phase": "normal", "drawn": None}
LAST_PLAYS = {
    "a last 9": ({0: "9H"}, "9H"),
    "a 9 that turned the direction": ({0: "9H QC QS", 2: "9C"}, "9H 9C"),
    "a last Jack": ({0: "JC"}, "JC:S"),
    "a Jack before the last card": ({0: "JC QC QS", 1: "KS"}, "JC:S KS"),
    "a last 7": ({0: "7H"}, "7H"),
    "a last 7 on a debt": ({0: "7H QC QS", 1: "7D"}, "7H 7D"),
    "a last 8": ({0: "8H"}, "8H"),
    "a last ace": ({0: "AH"}, "AH"),
}


@pytest.mark.parametrize("preset", ["match", "classic"])
@pytest.mark.parametrize(("hands", "moves"), LAST_PLAYS.values(), ids=LAST_PLAYS.keys())
def test_m7_nothing_is_carried_into_the_next_round(match, preset, hands, moves):
    game = lay(match(3, preset=preset), {0: "KC", 1: "KD", 2: "8C"} | hands, pile="AS AD 10S 10C 8S")
    play(game, moves)
    assert game.round.end == "emptied"
    game.next_round()
    lay(game, {0: "QC QD", 1: "KC 9D 10D", 2: "KD QS"}, discard="10H", pile="9C 8D")
    assert {name: getattr(game.round, name) for name in FRESH} == FRESH
    assert (game.round.seat, game.round.suit) == (1, "H")
    assert game.round.legal() == (["10D"] if preset == "classic" else ["10D", "draw"])
    assert play(game, "10D").round.seat == 2


def test_m7_a_debt_left_open_by_a_round_that_lasted_too_long_is_forgotten(match):
    game = lay(match(3, max_turns=1), {0: "7H QC QS", 1: "KD", 2: "8C"})
    assert play(game, "7H").round.owed == 2
    game.next_round()
    lay(game, {0: "QC", 1: "QH QD KS", 2: "KD"})
    assert (game.round.owed, game.round.turns, game.round.legal()) == (0, 0, ["QH", "draw"])


def test_m7_a_mau_said_in_the_last_round_is_forgotten(match):
    game = lay(match(2), {0: "AH KH", 1: "QC QS"})
    assert play(game, "mau AH KH").round.mau_said
    game.next_round()
    lay(game, {0: "QC QS", 1: "QH KD"})
    assert (game.round.mau_said, game.round.legal()) == (False, actions("QH draw mau"))


def test_m7_the_turns_are_counted_afresh(match):
    game = lay(match(2, max_turns=2), {0: "KH QC QS", 1: "KD"})
    play(game, "KH KD")
    assert game.round.end == "emptied"
    game.next_round()
    assert play(lay(game, {0: "QC QS", 1: "QH KD 5C"}), "draw").round.end is None
    assert play(game, "draw").round.end == "too long"


# M8


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_m8_a_match_begins_with_as_many_players_as_one_likes(match, players):
    game = match(players)
    assert (game.number, game.seats, game.starter) == (1, list(range(players)), 0)
    assert game.points == dict.fromkeys(range(players), 0)
    assert (game.out, game.joined, game.left, game.over, game.ranking, game.payoffs) == ([], [], [], False, None, {})
    play(lay(game, dict(enumerate(["KH", "KD", "KS", "KC", "KC"][:players]))), "KH")
    assert game.points == {0: 0} | dict.fromkeys(range(1, players), 4)


@pytest.mark.parametrize("players", [0, 1, 6])
def test_m8_a_match_is_for_2_to_5_players(match, players):
    with pytest.raises(ValueError, match="players"):
        match(players)


# M9


def test_m9_classic_can_be_played_as_a_match(match):
    game = win(match(4, penalty_limit=20, preset="classic"), 2, {0: "AC", 1: "10C AD", 3: "9C"})
    assert (game.out, game.points) == ([1], {0: 11, 1: 21, 2: 0, 3: 9})
    game.next_round()
    assert (game.seats, game.starter) == ([0, 2, 3], 1)
    win(game, 0, {2: "8C QD", 3: "JC"})
    assert (game.out, game.points) == ([], {0: 11, 2: 11, 3: 11})
    game.next_round()
    assert (game.seats, game.starter) == ([0, 2, 3], 2)
    stuck(game, {0: "10C", 2: "KC QC KS", 3: "QS AC"})
    assert (game.over, game.out, game.points) == (True, [2, 3], {0: 21, 2: 22, 3: 25})
    assert game.ranking == {0: 1, 2: 2, 3: 3, 1: 4}
    assert game.payoffs == pytest.approx({0: 1, 2: 1 / 3, 3: -1 / 3, 1: -1})


def test_m9_in_classic_a_last_seven_puts_nobody_out(match):
    game = lay(match(2, penalty_limit=20, preset="classic"), {0: "7H", 1: "10C 10D"}, pile="AC AD")
    play(game, "7H")
    assert (game.points, game.out, game.over) == ({0: 0, 1: 20}, [], False)


def test_m9_in_classic_the_card_drawn_and_not_played_is_charged(match):
    game = lay(match(2, preset="classic"), {0: "QC", 1: "KH"}, pile="AH 8C")
    assert play(game, "draw pass KH").points == {0: 14, 1: 0}


@pytest.mark.parametrize(
    "options",
    [{"deck": 32}, {"mau": "auto"}, {"ace": "skip"}, {"must_play": True}, {"win_with_jack": False}, {"hand_size": 1}],
)
def test_m9_any_option_of_a_round_can_be_played_as_a_match(match, options):
    game = win(match(3, penalty_limit=20, **options), 1, {0: "AC QC", 2: "10C AD"})
    assert (game.points, game.out) == ({0: 14, 1: 0, 2: 21}, [2])
    game.next_round()
    win(game, 1, {0: "7C"})
    assert (game.ranking, game.points) == ({1: 1, 0: 2, 2: 3}, {0: 21, 1: 0})
