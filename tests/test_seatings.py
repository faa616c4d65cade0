"""Who sits where: balanced over seats, neighbours and opponents."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from agents.tournament import seatings
from agents.tournament.seatings import Schedule, orders_of, rotations_of, seatings_of


def neighbours(bots: np.ndarray) -> Counter:
    """How often each bot sits directly before each other one, clockwise."""
    return Counter((int(row[i]), int(row[(i + 1) % len(row)])) for row in bots for i in range(len(row)))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_line_up_puts_everybody_on_every_seat_and_behind_everybody_equally_often(players):
    orders = orders_of(players)
    assert len({tuple(row) for row in orders.tolist()}) == len(orders) == {2: 2, 3: 6, 4: 24, 5: 20}[players]
    for seat in range(players):
        assert set(Counter(orders[:, seat].tolist()).values()) == {len(orders) // players}
    assert set(neighbours(orders).values()) == {len(orders) * players // (players * (players - 1))}


def test_two_players_meet_in_every_pair_both_ways_on_every_deal():
    schedule = Schedule(4, 2)
    deals, bots = schedule.games(0, 3)
    assert deals.tolist() == [0] * 12 + [1] * 12 + [2] * 12
    for deal in range(3):
        pairs = {tuple(row) for row in bots[deals == deal].tolist()}
        assert pairs == {pair for a, b in combinations(range(4), 2) for pair in ((a, b), (b, a))}


@pytest.mark.parametrize(("bots", "players"), [(4, 3), (7, 3), (7, 4), (6, 5), (11, 5)])
def test_in_as_many_deals_as_there_are_bots_each_plays_equally_often_and_meets_all(bots, players):
    schedule = Schedule(bots, players, seed=5)
    cycles = 12
    line_ups = [sorted({*schedule.seatings(deal)[0].tolist()}) for deal in range(cycles * bots)]
    for cycle in range(cycles):
        seats = Counter(bot for line_up in line_ups[cycle * bots : (cycle + 1) * bots] for bot in line_up)
        assert set(seats.values()) == {players}
    met = Counter(pair for line_up in line_ups for pair in combinations(line_up, 2))
    even = cycles * bots * players * (players - 1) / (bots * (bots - 1))
    assert len(met) == bots * (bots - 1) // 2
    assert min(met.values()) > 0.5 * even
    assert max(met.values()) < 1.6 * even


def test_line_ups_depend_on_the_seed_and_the_deal_alone():
    one, other = Schedule(7, 3, seed=1), Schedule(7, 3, seed=2)
    at_once, later = one.games(0, 40), one.games(20, 40)
    assert np.array_equal(at_once[1][at_once[0] >= 20], later[1])
    assert not np.array_equal(one.games(0, 40)[1], other.games(0, 40)[1])


def test_slow_bots_sit_in_the_first_deals_alone():
    schedule = Schedule(4, 2, few={3: 10, 0: 20})
    _, bots = schedule.games(0, 30)
    deals = schedule.games(0, 30)[0]
    assert set(bots[deals < 10].ravel().tolist()) == {0, 1, 2, 3}
    assert set(bots[(deals >= 10) & (deals < 20)].ravel().tolist()) == {0, 1, 2}
    assert set(bots[deals >= 20].ravel().tolist()) == {1, 2}
    # 10 deals of 12 games, 10 of 6, and then 2 each: 181 games need one more deal than 180.
    assert [schedule.deals_for(games) for games in (1, 120, 121, 180, 181, 184)] == [1, 10, 11, 20, 21, 22]


def line_ups_of(schedule: Schedule, first: int, last: int) -> Counter:
    """In how many of these deals each bot has a seat."""
    return Counter(bot for deal in range(first, last) for bot in {*schedule.seatings(deal).ravel().tolist()})


def test_where_line_ups_are_drawn_few_deals_are_rounded_up_to_a_cycle_and_the_next_one_begins_anew():
    schedule = Schedule(10, 4, few={9: 1, 3: 12, 4: 5})
    assert line_ups_of(schedule, 0, 10) == dict.fromkeys(range(10), 4)
    # 9 and 4 have left: 12 deals end in the first cycle of the eight others.
    assert line_ups_of(schedule, 10, 18) == dict.fromkeys([0, 1, 2, 3, 5, 6, 7, 8], 4)
    assert line_ups_of(schedule, 18, 25) == dict.fromkeys([0, 1, 2, 5, 6, 7, 8], 4)
    assert line_ups_of(schedule, 25, 32) == dict.fromkeys([0, 1, 2, 5, 6, 7, 8], 4)


@pytest.mark.parametrize(
    "schedule",
    [
        Schedule(10, 4), Schedule(7, 3, few={0: 9, 1: 30, 2: 30, 3: 31, 4: 32}), Schedule(4, 2, few={3: 10, 0: 20}),
        Schedule(2, 5), Schedule(4, 4, rotate=True),
    ],
)  # fmt: skip
def test_games_are_counted_as_they_are_played_and_deals_for_them_are_as_few_as_can_be(schedule):
    for deals in (0, 1, 9, 31, 40, 60):
        games = sum(len(schedule.seatings(deal)) for deal in range(deals))
        assert schedule.games_in(deals) == games
        if deals >= 10:
            assert [schedule.deals_for(games + more) for more in (-1, 0, 1)] == [deals, deals, deals + 1]


def test_games_are_counted_without_a_draw_of_their_line_ups():
    seatings._cycle.cache_clear()
    schedule = Schedule(10, 4, seed=77)
    assert schedule.deals_for(1_000_000) == 41_667
    assert schedule.games_in(41_667) == 1_000_008
    assert seatings._cycle.cache_info().misses <= 1


@pytest.mark.parametrize(("bots", "players"), [(10, 4), (4, 3), (12, 5)])
def test_every_bot_plays_however_few_games_are_asked_for(bots, players):
    schedule = Schedule(bots, players)
    assert schedule.deals_for(1) == bots
    assert line_ups_of(schedule, 0, bots) == dict.fromkeys(range(bots), players)


def test_few_deals_that_seat_nobody_are_refused():
    with pytest.raises(ValueError, match="few: 0 deals: a bot plays at least one"):
        Schedule(4, 2, few={1: 0})
    all_few = Schedule(3, 2, few={0: 5, 1: 5, 2: 5})
    assert all_few.deals_for(30) == 5
    with pytest.raises(ValueError, match="31 games: all bots are in few, and play 30 games at most"):
        all_few.deals_for(31)


def test_fewer_bots_than_seats_share_them_and_rotations_keep_their_order():
    assert np.array_equal(Schedule(2, 3).seatings(7), seatings_of(2, 3))
    assert np.array_equal(Schedule(3, 3, rotate=True).seatings(7), rotations_of(3))
    assert Schedule(2, 5).rule != Schedule(3, 2).rule != Schedule(6, 5).rule
    with pytest.raises(ValueError, match="2 bots to rotate at a table for 3"):
        Schedule(2, 3, rotate=True)
    with pytest.raises(ValueError, match="no bots"):
        Schedule(0, 3)
    with pytest.raises(ValueError, match="0 games"):
        Schedule(2, 2).deals_for(0)
