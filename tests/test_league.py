"""Mixed tables, guests out of the league, and what is there for comparison: worked out by hand or counted."""

import numpy as np
import pytest
from test_selfplay import new_learner, uniform

from agents.config import read_arguments
from agents.greedy import Greedy
from agents.league import LEAST, MEMORY, NOBODY, League
from agents.network import Network
from agents.selfplay import SelfPlay
from agents.tables import HAND_SIZES, Tables, values_of
from maumau_env.game.rules import Rules
from maumau_env.game.state import RUNNING, game_rules
from maumau_env.seat.encode import Layout

LAYOUT = Layout(32, 2)


# ---- mixed tables --------------------------------------------------------------------------------------------------


def test_every_number_of_players_has_as_many_tables_and_half_of_them_have_the_rules_of_the_run():
    varied = {name: values_of(name) for name in ("ace", "must_play", "hand_size")}
    tables = Tables(Rules(), [2, 3, 5], varied)
    games = tables.open(seed=4, count=900)
    assert np.bincount(games["num_players"], minlength=6).tolist() == [0, 0, 300, 300, 0, 300]
    rules = [game_rules(game) for game in games]
    usual = sum(each == Rules() for each in rules) / len(rules)
    assert usual == pytest.approx(0.5 + 0.5 / (3 * 2 * len(HAND_SIZES)), abs=0.06)
    assert {(each.ace, each.must_play) for each in rules} == {
        (ace, must) for ace in ("plain", "skip", "again") for must in (False, True)
    }
    assert {each.hand_size for each in rules} == {*HAND_SIZES}
    assert max(each.hand_size for each, game in zip(rules, games, strict=True) if game["num_players"] == 5) == 6
    assert len({each.max_turns for each in rules}) == 1
    np.testing.assert_array_equal(tables.open(seed=4, count=30), games[:30])


def test_hands_that_the_deck_is_too_small_for_are_not_drawn():
    tables = read_arguments(["--set", "deck=12", "hand_size=2", "--players", "2", "3", "--varied", "hand_size"]).tables
    assert tables.varied == {"hand_size": [3, 4, 5]}  # with three players 3 at most
    dealt = {(int(game["num_players"]), game_rules(game).hand_size) for game in tables.open(1, 200)}
    assert dealt == {(3, 2), (3, 3), (2, 2), (2, 3), (2, 4), (2, 5)}


def test_mixed_tables_play_on_under_their_own_rules():
    play = SelfPlay(Tables(Rules(), [2, 4], {"must_play": (False, True)}), games=40, ticks=60, seed=2)
    before = play._games["num_players"].copy(), play._games["rules"].copy()
    play.collect(uniform(play))
    assert play.rounds() > 40
    np.testing.assert_array_equal(play._games["num_players"], before[0])
    np.testing.assert_array_equal(play._games["rules"], before[1])
    assert play.layout == Layout(32, 4)
    assert (play.movers[:, ::2] < 2).all()
    assert play.movers[:, 1::2].max() == 3


# ---- who sits where ------------------------------------------------------------------------------------------------


def league_of(games, share, one_seat=False, size=2):
    return League(LAYOUT, games, share, size, {"greedy": Greedy()}, one_seat)


def count_bits(sets):
    return np.array([int(each).bit_count() for each in sets])


def test_a_share_of_the_games_has_guests_who_leave_one_or_two_seats():
    games, chance = np.arange(6000), np.random.default_rng(1)
    league = league_of(6000, 0.2)
    players = np.repeat([2, 4, 5], 2000)
    league.seat(games, players, chance)
    with_guest = league.guests != NOBODY
    assert with_guest.mean() == pytest.approx(0.2, abs=0.02)
    learners = players - count_bits(league.theirs)
    assert (learners[~with_guest] == players[~with_guest]).all()
    assert (learners[with_guest & (players == 2)] == 1).all()
    for more in (4, 5):
        mine = learners[with_guest & (players == more)]
        assert {*mine} == {1, 2}
        assert (mine == 1).mean() == pytest.approx(0.5, abs=0.1)
    assert (league.theirs >> players == 0).all()  # nobody sits beyond the table
    for seat in range(5):  # every seat as often as any other
        taken = (league.theirs[with_guest & (players == 5)] >> seat & 1).mean()
        assert taken == pytest.approx(3.5 / 5, abs=0.1)


def test_from_one_seat_alone_the_others_are_played_and_not_learned_from():
    play = SelfPlay(
        Tables(Rules(), [3]),
        64,
        40,
        seed=3,
        league=lambda layout, games: League(layout, games, 0, 1, {}, one_seat=True),
    )
    play.collect(uniform(play))
    league = play.league
    assert (count_bits(league.theirs) == 2).all()
    assert (league.guests == NOBODY).all()
    assert 0.2 < play.counted.sum() / (play.masks[:-1].sum(2) > 1).sum() < 0.47


def test_guests_play_their_games_to_the_end_and_are_no_experience():
    seen = []

    class Spy(Greedy):
        def act(self, views, words):
            seen.extend(views["to_move"].tolist())
            return super().act(views, words)

    play = SelfPlay(
        Tables(Rules(), [3]), 64, 30, 3, league=lambda layout, games: League(layout, games, 0.5, 2, {"spy": Spy()})
    )
    for _ in range(3):
        guests, theirs = [], []
        seat_guests = play._seat_guests

        def note(league, tick, seat_guests=seat_guests, guests=guests, theirs=theirs):
            guests.append(league.guests.copy())
            theirs.append(league.theirs.copy())
            seat_guests(league, tick)

        play._seat_guests = note
        play.collect(uniform(play))
        guests, theirs = np.array(guests), np.array(theirs)
        away = theirs >> play.movers[:-1] & 1 != 0
        assert not play.counted[away].any()
        assert (play.counted[~away] == (play.masks[:-1].sum(2) > 1)[~away]).all()
        same = (guests[1:] == guests[:-1]) & (theirs[1:] == theirs[:-1])
        assert same[play.ends[:-1] == RUNNING].all()
        play._seat_guests = seat_guests
    assert len(seen) > 500


def test_a_guest_that_wins_is_drawn_more_often():
    league, chance = league_of(1, 1.0), np.random.default_rng(5)
    weights = [(np.zeros((LAYOUT.size, 67), np.float32), np.zeros(67, np.float32))]
    league.add(weights, "snapshot 1")
    league.seat(np.array([0]), np.array([2]), chance)
    league.guests[0], league.theirs[0] = 1, 0b10
    for won in (True, True, False):
        league.pay(np.array([0]), np.array([[-1, 1, 0, 0, 0] if won else [1, -1, 0, 0, 0]], np.float32))
        league.close(np.array([0]))
        league._paid[0] = 0
    expected = 0.5
    for won in (1, 1, 0):
        expected = MEMORY * expected + (1 - MEMORY) * won
    assert league.members[1].wins == pytest.approx(expected)
    league.members[0].wins, league.members[1].wins = 0.6, 0.2
    drawn = league._draw(chance, 20_000)
    assert (drawn == 0).mean() == pytest.approx(0.75, abs=0.02)
    league.members[1].wins = 0.0
    assert (league._draw(chance, 20_000) == 1).mean() == pytest.approx(LEAST / (0.6 + LEAST), abs=0.01)


def test_a_snapshot_is_a_copy_that_outlives_the_ring_while_it_plays():
    league = league_of(2, 1.0)
    layers = [(np.ones((LAYOUT.size, 67), np.float32), np.zeros(67, np.float32))]
    league.add(layers, "first")
    layers[0][0][:] = 5
    assert (league.members[1].network.layers()[0][0] == 1).all()
    league.guests[:] = 1, NOBODY
    league.add(layers, "second")
    league.add(layers, "third")
    assert league.ring == [2, 3]
    assert {member.name for member in league.members.values()} == {"greedy", "first", "second", "third"}
    assert 1 not in league._draw(np.random.default_rng(1), 100)
    league.guests[:] = NOBODY
    league.add(layers, "fourth")
    assert {member.name for member in league.members.values()} == {"greedy", "third", "fourth"}


def test_a_snapshot_plays_what_its_weights_say():
    layers = [(np.zeros((LAYOUT.size, 67), np.float32), np.arange(67, dtype=np.float32) * 100)]
    play = SelfPlay(Tables(Rules(), [2]), 64, 1, 3, league=lambda layout, games: League(layout, games, 1.0, 1, {}))
    play.league.add(layers, "the highest number")
    play.league.seat(np.arange(64), np.full(64, 2), np.random.default_rng(1))
    ours = []
    for _ in range(30):
        theirs = play.league.theirs >> play.movers[-1] & 1 != 0
        play.collect(uniform(play))
        choice = play.masks[0].sum(1) > 1
        highest = 66 - np.argmax(play.masks[0][:, ::-1], 1) == play.actions[0]
        assert highest[theirs].all()
        ours.extend(highest[~theirs & choice])
    assert len(ours) > 200
    assert np.mean(ours) < 0.6


# ---- comparisons ---------------------------------------------------------------------------------------------------


def test_blotted_sections_reach_neither_learner_nor_bot():
    blind = ["drew_on_suit_1", "hand_sizes"]
    play = SelfPlay(Tables(Rules(), [2]), 64, 8, seed=1, blind=blind)
    learner = new_learner(play)
    learner.learn(1)
    places = play.layout.places(blind)
    assert len(places) == 4 + 2
    assert not play.observations[:, :, places].any()
    network = Network(learner.layers(), play.layout)
    seen = play.observations[-1].copy()
    told = network.logits(seen)
    seen[:, places] = 1
    np.testing.assert_array_equal(network.logits(seen), told)


def test_forced_decisions_can_be_learned_from_for_comparison():
    play = SelfPlay(Tables(Rules(), [2]), 64, 8, seed=1, skip_forced=False)
    play.collect(uniform(play))
    assert play.counted.all()
    assert (play.masks[:-1].sum(2) == 1).mean() > 0.2
