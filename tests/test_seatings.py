"""Who sits where: balanced over seats, neighbours and opponents."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

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
