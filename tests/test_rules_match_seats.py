"""M5 to M7: who joins, who leaves and who starts."""

import re

import pytest
from tabletools import play
from test_rules_match import lay, stuck, win


def pass_round(game):
    """A round that its starter wins at once and that costs the others 2 points each."""
    losers = [agent for agent in game.seats if agent != game.seats[game.starter]]
    win(game, game.seats[game.starter], dict(zip(losers, ["2C", "2D", "2S", "2C"], strict=False)))
    game.next_round()
    return game


def starter(game) -> int:
    """The agent who starts the round."""
    return game.seats[game.starter]


def seen(game) -> dict:
    """All that can be read from a match, its round apart."""
    names = ("number", "starter", "over", "ranking")
    collections = {"seats": list(game.seats), "points": dict(game.points), "payoffs": dict(game.payoffs)}
    lists = {name: list(getattr(game, name)) for name in ("out", "joined", "left")}
    return {name: getattr(game, name) for name in names} | collections | lists


def check_refused(game, request: str, agent: int) -> None:
    """`join` or `leave` is refused with an error that names the agent, and changes nothing."""
    before = seen(game)
    with pytest.raises(ValueError, match=re.escape(f"player_{agent}") + r"\b"):
        getattr(game, request)(agent)
    assert seen(game) == before


# M5


def test_m5_a_newcomer_sits_down_before_the_next_round_with_the_points_of_the_worst(match):
    game = match(3)
    game.join(3)
    assert (game.seats, game.joined, game.points) == ([0, 1, 2], [], {0: 0, 1: 0, 2: 0})
    win(game, 0, {1: "AC", 2: "5C"})
    assert game.points == game.table == {0: 0, 1: 11, 2: 5}
    game.next_round()
    assert (game.seats, game.joined, game.left) == ([0, 1, 2, 3], [3], [])
    assert game.points == {0: 0, 1: 11, 2: 5, 3: 11}
    win(game, 1, {0: "2C", 2: "3C", 3: "4C"})
    assert game.points == game.table == {0: 2, 1: 11, 2: 8, 3: 15}


def test_m5_one_can_ask_to_join_before_in_and_after_the_round(match):
    game = match(2)
    game.join(2)
    play(lay(game, {0: "KH QH 5C", 1: "KC"}), "KH")
    game.join(4)
    play(game, "KC")
    game.join(3)
    game.next_round()
    assert (game.seats, game.joined, game.points) == ([0, 1, 2, 3, 4], [2, 3, 4], {0: 8, 1: 0, 2: 8, 3: 8, 4: 8})


def test_m5_joined_tells_of_the_round_being_played_only(match):
    game = match(2)
    game.join(2)
    assert pass_round(game).joined == [2]
    assert pass_round(game).joined == []
    assert game.seats == [0, 1, 2]


def test_m5_newcomers_sit_by_their_number_also_in_the_middle(match):
    game = match(3, penalty_limit=20)
    game.join(4)
    win(game, 0, {1: "AC 10C", 2: "5C"})
    game.next_round()
    assert (game.seats, game.points) == ([0, 2, 4], {0: 0, 2: 5, 4: 5})
    game.join(3)
    win(game, 0, {2: "2C", 4: "6C"})
    game.next_round()
    assert (game.seats, game.points) == ([0, 2, 3, 4], {0: 0, 2: 7, 3: 11, 4: 11})
    win(game, 2, {0: "3C", 3: "4C", 4: "5C"})  # hands go by round seat: 3 sits on seat 2
    assert game.points == {0: 3, 2: 7, 3: 15, 4: 16}


def test_m5_the_worst_is_the_worst_still_in_not_who_just_went_out(match):
    game = match(3, penalty_limit=20)
    game.join(3)
    win(game, 0, {1: "AC 10C", 2: "5C"})
    assert game.out == [1]
    game.next_round()
    assert (game.seats, game.points) == ([0, 2, 3], {0: 0, 2: 5, 3: 5})


def test_m5_a_newcomer_is_never_over_the_limit(match):
    game = match(3, penalty_limit=20)
    game.join(3)
    win(game, 0, {1: "10C 10D", 2: "AC 10S"})
    game.next_round()
    assert (game.points, game.out) == ({0: 0, 1: 20, 3: 20}, [])
    win(game, 1, {0: "3C", 3: "2C"})
    assert (game.points, game.out) == ({0: 3, 1: 20, 3: 22}, [3])


def test_m5_the_worst_can_be_the_winner_of_the_round(match):
    game = win(match(2), 0, {1: "AC"})
    game.next_round()
    game.join(2)
    win(game, 1, {0: "5C"})
    game.next_round()
    assert game.points == {0: 5, 1: 11, 2: 11}


def test_m5_a_place_that_became_free_can_be_taken(match):
    game = match(4, penalty_limit=20)
    game.join(4)
    win(game, 0, {1: "5C", 2: "AC 10C", 3: "6C"})
    game.next_round()
    assert (game.seats, game.points) == ([0, 1, 3, 4], {0: 0, 1: 5, 3: 6, 4: 6})


def test_m5_a_join_lapses_when_the_round_ends_the_match(match):
    game = match(2, penalty_limit=20)
    game.join(2)
    win(game, 0, {1: "AC 10C"})
    assert (game.over, game.points) == (True, {0: 0, 1: 21})
    assert (game.ranking, game.payoffs) == ({0: 1, 1: 2}, {0: 1, 1: -1})
    game = match(2, penalty_limit=10)
    game.join(2)
    stuck(game, {0: "AC", 1: "AD"})
    assert (game.ranking, game.payoffs) == ({0: 1, 1: 1}, {0: 0, 1: 0})


def test_m5_who_cannot_join(match):
    game = match(4, penalty_limit=20)
    for agent in (0, 1, 2, 3, 5, 9, -1):  # seated, or unknown
        check_refused(game, "join", agent)
    game.join(4)
    check_refused(game, "join", 4)  # asked already
    game.leave(1)
    check_refused(game, "join", 1)  # still seated
    win(game, 0, {1: "2C", 2: "AC 10C", 3: "2D"})
    check_refused(game, "join", 2)  # out
    game.next_round()
    assert game.seats == [0, 3, 4]
    for agent in (0, 1, 2, 4):  # seated, left, out, seated
        check_refused(game, "join", agent)


def test_m5_a_sixth_player_is_unknown(match):
    game = match(5)
    for agent in (0, 1, 2, 3, 4, 5):
        check_refused(game, "join", agent)


# M6


def test_m6_a_player_leaves_before_the_next_round_and_is_deleted(match):
    game = match(3, penalty_limit=20)
    game.leave(0)  # the leader
    win(game, 0, {1: "AC", 2: "5C"})
    assert (game.seats, game.left, game.table) == ([0, 1, 2], [], {0: 0, 1: 11, 2: 5})
    game.next_round()
    assert (game.seats, game.left, game.out, game.over) == ([1, 2], [0], [], False)
    assert (game.points, game.payoffs) == ({1: 11, 2: 5}, {0: 0})
    win(game, 1, {2: "9C 8C"})
    assert game.table == {1: 11, 2: 22}
    assert game.ranking == {1: 1, 2: 2}


def test_m6_left_tells_of_the_round_being_played_only(match):
    game = match(4)
    game.leave(2)
    assert pass_round(game).left == [2]
    assert pass_round(game).left == []
    assert game.seats == [0, 1, 3]


def test_m6_who_asked_to_leave_plays_the_round_and_is_charged(match):
    game = lay(match(3), {0: "KH QH 5C", 1: "KC KD", 2: "KS"})
    game.leave(1)
    play(game, "KH mau KC KS")
    assert game.points == game.table == {0: 8, 1: 4, 2: 0}
    game.next_round()
    assert game.points == {0: 8, 2: 0}


def test_m6_the_worst_leaves_as_somebody_joins(match):
    game = match(3)
    game.join(3)
    game.leave(1)
    win(game, 0, {1: "AC", 2: "5C"})
    game.next_round()
    assert (game.seats, game.joined, game.left) == ([0, 2, 3], [3], [1])
    assert game.points == {0: 0, 2: 5, 3: 5}


def test_m6_when_one_is_left_that_player_has_won(match):
    game = match(2)
    game.leave(0)
    win(game, 0, {1: "AC"})
    assert not game.over
    game.next_round()
    assert (game.over, game.number, game.points) == (True, 1, {1: 11})
    assert game.ranking == {1: 1}
    assert game.payoffs == {0: 0, 1: 1}
    with pytest.raises(ValueError, match=r"."):
        game.next_round()


def test_m6_several_leave_at_once(match):
    game = match(5)
    for agent in (4, 0, 2):
        game.leave(agent)
    pass_round(game)
    assert (game.seats, game.left, game.points) == ([1, 3], [0, 2, 4], {1: 2, 3: 2})
    game.leave(3)
    pass_round(game)
    assert (game.over, game.ranking) == (True, {1: 1})
    assert game.payoffs == {0: 0, 1: 1, 2: 0, 3: 0, 4: 0}


def test_m6_the_joins_lapse_when_one_is_left(match):
    game = match(2)
    game.join(2)
    game.leave(1)
    pass_round(game)
    assert (game.over, game.number, game.points) == (True, 1, {0: 0})
    assert (game.ranking, game.payoffs) == ({0: 1}, {0: 1, 1: 0})


def test_m6_the_leaves_come_after_who_goes_out(match):
    game = match(3, penalty_limit=20)
    game.leave(1)
    win(game, 0, {1: "2C", 2: "AC 10C"})
    assert (game.out, game.over) == ([2], False)
    game.next_round()
    assert (game.over, game.ranking) == (True, {0: 1, 2: 2})
    assert game.payoffs == {0: 1, 1: 0, 2: -1}


def test_m6_who_goes_out_in_the_round_is_out_and_has_not_left(match):
    game = match(3, penalty_limit=20)
    game.leave(2)
    win(game, 0, {1: "2C", 2: "AC 10C"})
    assert (game.out, game.payoffs) == ([2], {2: -1})
    game.next_round()
    assert (game.seats, game.left) == ([0, 1], [])
    win(game, 0, {1: "10C 9C"})
    assert game.ranking == {0: 1, 1: 2, 2: 3}
    assert game.payoffs == {0: 1, 1: 0, 2: -1}


def test_m6_a_leave_lapses_when_the_round_ends_the_match(match):
    game = match(2, penalty_limit=20)
    game.leave(0)
    win(game, 0, {1: "AC 10C"})
    assert (game.over, game.ranking, game.payoffs) == (True, {0: 1, 1: 2}, {0: 1, 1: -1})
    game = match(3, penalty_limit=10)
    game.leave(1)
    stuck(game, {0: "AC QC", 1: "AS", 2: "AD"})
    assert (game.ranking, game.payoffs) == ({1: 1, 2: 1, 0: 3}, {1: 0.5, 2: 0.5, 0: -1})


def test_m6_who_left_does_not_count_as_a_place_behind(match):
    game = match(3, penalty_limit=20)
    game.leave(2)
    pass_round(game)
    win(game, 0, {1: "AC 10C"})
    assert game.ranking == {0: 1, 1: 2}
    assert game.payoffs == {0: 1, 1: 0, 2: 0}  # three have sat down: place 1 of 0, 1, 2


def test_m6_the_places_count_all_who_have_sat_down(match):
    game = match(3, penalty_limit=20)
    game.join(3)
    win(game, 0, {1: "5C", 2: "AC 10C"})
    assert game.payoffs == {2: -1}  # three have sat down; the fourth only asked to
    game.next_round()
    win(game, 0, {1: "2C", 3: "8C 8D"})
    assert (game.out, game.points) == ([3], {0: 0, 1: 7, 3: 21})
    assert game.payoffs == pytest.approx({2: -1, 3: -1 / 3})  # place 2 of 0 to 3
    game.join(4)
    game.next_round()
    game.leave(1)
    win(game, 0, {1: "2C", 4: "3C"})
    game.next_round()
    assert (game.seats, game.points) == ([0, 4], {0: 0, 4: 10})
    win(game, 4, {0: "AC 10C"})
    assert game.ranking == {4: 1, 0: 2, 3: 3, 2: 4}
    assert game.payoffs == pytest.approx({4: 1, 0: 0.5, 1: 0, 3: -1 / 3, 2: -1})  # place 1 of 0 to 4


def test_m6_who_cannot_leave(match):
    game = match(4, penalty_limit=20)
    for agent in (4, 5, -1):  # not seated, unknown
        check_refused(game, "leave", agent)
    game.leave(1)
    check_refused(game, "leave", 1)  # asked already
    win(game, 0, {1: "2C", 2: "AC 10C", 3: "5C"})
    check_refused(game, "leave", 2)  # out
    check_refused(game, "leave", 1)
    game.next_round()
    assert game.seats == [0, 3]
    for agent in (1, 2, 4):  # left, out, not seated
        check_refused(game, "leave", agent)


def test_m6_not_all_can_leave(match):
    game = match(3, penalty_limit=20)
    game.leave(0)
    game.leave(2)
    check_refused(game, "leave", 1)
    game.join(3)
    check_refused(game, "leave", 1)  # a newcomer sits down only if two are left
    pass_round(game)
    assert game.ranking == {1: 1}


def test_m6_not_all_can_leave_after_others_went_out(match):
    game = match(3, penalty_limit=20)
    game.leave(0)
    win(game, 0, {1: "2C", 2: "AC 10C"})
    check_refused(game, "leave", 1)
    game.next_round()
    assert game.ranking == {1: 1, 2: 2}


def test_m6_if_all_still_in_have_asked_to_leave_the_last_to_ask_stays(match):
    game = match(3, penalty_limit=20)
    game.leave(1)
    game.leave(0)  # agent 2 would stay, but goes out
    win(game, 0, {1: "2C", 2: "AC 10C"})
    game.next_round()
    assert (game.over, game.ranking) == (True, {0: 1, 2: 2})
    assert game.payoffs == {0: 1, 1: 0, 2: -1}


def test_m6_a_join_can_be_taken_back_and_asked_again(match):
    game = match(2)
    game.join(3)
    game.leave(3)
    check_refused(game, "leave", 3)
    pass_round(game)
    assert (game.seats, game.joined, game.left, game.payoffs) == ([0, 1], [], [], {})
    game.join(3)
    game.leave(3)
    game.join(3)
    pass_round(game)
    assert (game.seats, game.joined, game.points) == ([0, 1, 3], [3], {0: 2, 1: 2, 3: 2})


def test_m6_nothing_can_be_asked_for_once_the_match_is_over(match):
    game = win(match(3, penalty_limit=20), 0, {1: "AC 10C", 2: "AD 10D"})
    for agent in (0, 1, 2, 3):
        check_refused(game, "join", agent)
        check_refused(game, "leave", agent)
    game = match(2)
    game.leave(0)
    pass_round(game)
    for agent in (0, 1, 2):
        check_refused(game, "join", agent)
        check_refused(game, "leave", agent)


# M7


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_m7_each_in_turn_starts_a_round(match, players):
    game, starters = match(players), []
    for _ in range(2 * players + 1):
        starters.append(starter(game))
        pass_round(game)
    assert starters == [*range(players), *range(players), 0]


def test_m7_the_starter_does_not_depend_on_who_won_nor_on_the_direction(match):
    game = lay(match(4), {0: "9H QC QS", 1: "KC", 2: "KD", 3: "KH"})
    play(game, "9H KH")  # the 9 turned the direction, and agent 3 has won
    game.next_round()
    assert starter(game) == 1


@pytest.mark.parametrize(
    ("losers", "seats", "next_starter"),
    [
        ({0: "AC 10C", 2: "2C", 3: "2D"}, [1, 2, 3], 1),  # the last starter went out: round seat 0 goes on
        ({0: "AC 10C", 2: "AD 10D", 3: "2D"}, [1, 3], 1),
        ({0: "2C", 2: "AC 10C", 3: "2D"}, [0, 1, 3], 1),
    ],
)
def test_m7_the_next_one_still_in_starts(match, losers, seats, next_starter):
    game = win(match(4, penalty_limit=20), 1, losers)
    game.next_round()
    assert (game.seats, starter(game)) == (seats, next_starter)


def test_m7_who_went_out_is_passed_over(match):
    game = win(match(4, penalty_limit=20), 3, {0: "2C", 1: "AC 10C", 2: "AD 10D"})
    game.next_round()
    assert (game.seats, game.starter) == ([0, 3], 1)


def test_m7_the_last_starter_and_the_next_went_out(match):
    game = win(match(5, penalty_limit=20), 3, {0: "AC 10C", 1: "AD 10D", 2: "2C", 4: "2D"})
    game.next_round()
    assert (game.seats, game.starter) == ([2, 3, 4], 0)


def test_m7_clockwise_goes_by_agents_not_by_round_seats(match):
    game = pass_round(match(4, penalty_limit=20))
    assert starter(game) == 1
    win(game, 1, {0: "AC 10C", 2: "2C", 3: "2D"})
    game.next_round()
    assert (game.seats, game.starter) == ([1, 2, 3], 1)  # agent 2; two seats on would be agent 3


def test_m7_after_the_highest_number_comes_the_lowest_still_in(match):
    game = pass_round(pass_round(match(3, penalty_limit=20)))
    assert starter(game) == 2
    win(game, 1, {0: "AC 10C", 2: "2C"})
    game.next_round()
    assert (game.seats, starter(game)) == ([1, 2], 1)


def test_m7_newcomers_start_when_their_number_comes(match):
    game = pass_round(match(2))
    starters = [0, starter(game)]
    for newcomers in ([3], [2], [], [], []):
        for agent in newcomers:
            game.join(agent)
        starters.append(starter(pass_round(game)))
    assert game.seats == [0, 1, 2, 3]
    assert starters == [0, 1, 3, 0, 1, 2, 3]  # agent 2 sat down when 3 had just started


def test_m7_the_last_starter_left(match):
    game = match(4)
    game.leave(0)
    assert starter(pass_round(game)) == 1
    game.leave(1)
    game.join(4)
    pass_round(game)
    assert (game.seats, game.starter) == ([2, 3, 4], 0)
    game.leave(3)
    pass_round(game)  # who would have been next has left too
    assert (game.seats, game.starter) == ([2, 4], 1)


def test_m7_the_last_starter_left_and_a_newcomer_starts(match):
    game = pass_round(match(3))
    assert starter(pass_round(game)) == 2
    game.leave(2)
    game.join(3)
    pass_round(game)
    assert (game.seats, game.starter) == ([0, 1, 3], 2)


def test_m7_starters_of_a_whole_match(match):
    game = match(4, penalty_limit=20)
    win(game, 0, {1: "10C", 2: "AC 10D", 3: "5C"})  # 2 out
    game.join(4)
    game.next_round()
    assert (game.seats, starter(game), game.points) == ([0, 1, 3, 4], 1, {0: 0, 1: 10, 3: 5, 4: 10})
    game.leave(3)
    win(game, 4, {0: "KC", 1: "AC", 3: "QC"})  # 1 out, and then 3 leaves: place 3 of 0 to 4
    game.next_round()
    assert (game.seats, starter(game), game.points) == ([0, 4], 4, {0: 4, 4: 10})
    win(game, 0, {4: "10C"})
    game.next_round()
    assert (starter(game), game.points) == (0, {0: 4, 4: 20})
    win(game, 4, {0: "9C"})
    game.next_round()
    assert (starter(game), game.points) == (4, {0: 13, 4: 20})
    win(game, 0, {4: "2C"})
    assert game.ranking == {0: 1, 4: 2, 1: 3, 2: 4}
    assert game.payoffs == pytest.approx({0: 1, 4: 0.5, 1: -0.5, 2: -1, 3: 0})
