"""Tournaments: fair seatings, shared deals, right figures, honest intervals, and clear words about bad bots."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import agents
from agents import AgentError
from agents.agent import Agent
from agents.answers import RAISED, TOO_SLOW
from agents.arena import Entrant, Results, play_all
from agents.arena_records import records
from agents.habits import HABITS
from agents.tournament import Schedule, Tournament, enter, hold, seatings_of
from agents.tournament.scores import scores
from maumau_env.game.record_check import replay
from maumau_env.game.rules import PRESETS, Rules

CLASSIC = Rules()


def tournament(names: str, players: int, games: int, seed: int = 1, rules: Rules = CLASSIC, **more) -> Tournament:
    return hold(enter(names.split()), rules, players, games, seed, **more)[0]


# ---- seatings ------------------------------------------------------------------------------------------------------


def test_the_seats_are_filled_as_documented():
    assert seatings_of(2, 2).tolist() == [[0, 1], [1, 0]]
    assert seatings_of(1, 3).tolist() == [[0, 0, 0]]
    assert seatings_of(2, 3).tolist() == [[0, 0, 1], [0, 1, 0], [0, 1, 1], [1, 0, 0], [1, 0, 1], [1, 1, 0]]
    assert seatings_of(3, 2).tolist() == [[0, 1], [0, 2], [1, 0], [1, 2], [2, 0], [2, 1]]
    assert len(seatings_of(4, 4)) == 24
    assert len(seatings_of(2, 4)) == 6
    with pytest.raises(ValueError, match="no bots"):
        seatings_of(0, 2)


@pytest.mark.parametrize(("bots", "players"), list(product(range(1, 7), range(2, 6))))
def test_every_bot_sits_equally_often_on_every_seat_and_behind_every_other(bots, players):
    seatings = seatings_of(bots, players)
    for seat in range(players):
        assert len(set(np.bincount(seatings[:, seat], minlength=bots))) == 1
    followers = Counter((seating[seat - 1], seating[seat]) for seating in seatings.tolist() for seat in range(players))
    assert len({followers[a, b] for a, b in product(range(bots), repeat=2) if a != b}) <= 1
    assert len({followers[a, a] for a in range(bots)}) == 1


def test_games_are_rounded_up_to_whole_deals():
    assert [Schedule(3, 3).deals_for(games) for games in (1, 6, 7, 600)] == [1, 1, 2, 100]
    result = tournament("greedy random", 3, 100)
    assert (result.games, result.deals, result.seatings) == (102, 17, 6)
    with pytest.raises(ValueError, match="0 games"):
        tournament("greedy random", 3, 0)


# ---- figures -------------------------------------------------------------------------------------------------------


def test_shared_ranks_share_the_win_and_the_placement():
    # Two deals, three players, seatings (0 0 1) and (1 0 0): worked out by hand.
    deals, bots = np.array([0, 0, 1, 1]), np.array([[0, 0, 1], [1, 0, 0]] * 2)
    ranks = np.array([[1, 2, 3], [1, 1, 3], [1, 1, 1], [2, 2, 1]], np.int8)
    # The second game is a round that is stuck; the third and the fourth last too long.
    turns, rounds, stuck, too_long = np.array([[10, 20, 30, 60], [1] * 4, [0, 1, 0, 0], [0, 0, 1, 1]], np.int32)
    forfeits = np.array([[0, 0, 0], [RAISED, 0, 0], [0, TOO_SLOW, RAISED], [0] * 3], np.uint8)
    points = np.array([[0, 10, 20], [0, 0, 30], [4, 4, 4], [7, 7, 1]], np.int32)
    counted = np.zeros((2, HABITS), np.int64), np.zeros(2)
    results = Results(deals, bots, ranks, points, turns, rounds, stuck, too_long, forfeits, {}, *counted, None)
    first, second = scores([Entrant(name, agents.make("random")) for name in ("first", "second")], results)
    # Seats of the first bot: 1 and 0; 1/2 and 0; 1/3 and 1/3; 0 and 1.  Placements 1, 2; 1.5, 3; 2, 2; 2.5, 1.
    assert first.win_rate == pytest.approx(
        float(Fraction(1 + 0, 8) + Fraction(1, 16) + Fraction(2, 24) + Fraction(1, 8))
    )
    assert first.mean_placement == pytest.approx((1 + 2 + 1.5 + 3 + 2 + 2 + 2.5 + 1) / 8)
    # Seats of the second: 0, 1/2, 1/3, 0.  Placements 3, 1.5, 2, 2.5.
    assert second.win_rate == pytest.approx(float(Fraction(1, 8) + Fraction(1, 12)))
    assert second.mean_placement == pytest.approx((3 + 1.5 + 2 + 2.5) / 4)
    assert first.points == pytest.approx((0 + 10 + 0 + 30 + 4 + 4 + 7 + 1) / 8)
    assert second.points == pytest.approx((20 + 0 + 4 + 7) / 4)
    assert (first.games, second.games) == (8, 4)
    assert first.mean_turns == second.mean_turns == 30
    assert (first.stuck, first.too_long) == (0.25, 0.5)
    assert first.forfeits == {"raised": 0, "too_slow": 1, "illegal": 0}
    assert second.forfeits == {"raised": 2, "too_slow": 0, "illegal": 0}
    # Resampling two deals gives their figures, 1.5 / 4 and 5 / 12, as the ends.
    assert first.win_rate_interval == pytest.approx((1.5 / 4, 5 / 12))


@pytest.mark.parametrize(
    ("names", "players"), [("greedy random", 2), ("heuristic greedy random", 2), ("greedy random", 5)]
)
def test_win_rates_add_up_to_the_share_of_seats(names, players):
    result = tournament(names, players, 200)
    bots = len(names.split())
    assert sum(score.win_rate for score in result.bots) == pytest.approx(bots / players)
    assert sum(score.mean_placement for score in result.bots) == pytest.approx(bots * (players + 1) / 2)
    assert len({score.games for score in result.bots}) == 1
    assert sum(score.games for score in result.bots) == result.games * players


@pytest.mark.parametrize(("name", "players"), [("random", 2), ("greedy", 3), ("heuristic", 4)])
def test_equal_bots_fare_exactly_equally(name, players):
    result = tournament(f"{name} {name}", players, 300)
    for score in result.bots:
        assert score.win_rate == pytest.approx(1 / players)
        low, high = score.win_rate_interval  # of the deals that were not played nothing is certain
        assert 1 / players - 0.1 < low < 1 / players < high < 1 / players + 0.1
        assert score.mean_placement == pytest.approx((players + 1) / 2)


def test_a_bot_named_twice_has_two_entries():
    result = tournament("random greedy random", 3, 60)
    assert [score.name for score in result.bots] == ["random", "greedy", "random"]
    assert result.bots[0].win_rate == pytest.approx(result.bots[2].win_rate)


def test_rounds_that_last_too_long_are_counted():
    result = tournament("random greedy", 2, 200, rules=Rules(max_turns=6))
    assert result.bots[0].too_long > 0.5
    assert result.bots[0].mean_turns <= 6
    assert result.bots[0].stuck == 0


# ---- the same games whatever the batch, and as their records say ---------------------------------------------------


@pytest.mark.parametrize("rules", list(PRESETS.values()), ids=list(PRESETS))
def test_results_do_not_depend_on_how_many_games_run_at_once(rules):
    kept = [
        hold(enter(["heuristic", "random"]), rules, 3, 120, seed=4, tables=tables, keep_moves=True)
        for tables in (1, 7, 120, 2048)
    ]
    assert len({repr(result) for result, _ in kept}) == 1
    for _, results in kept[1:]:
        assert all(np.array_equal(a, b) for a, b in zip(results.moves, kept[0][1].moves, strict=True))


def test_another_seed_gives_other_games():
    assert tournament("greedy random", 2, 100, seed=1).bots != tournament("greedy random", 2, 100, seed=2).bots


@pytest.mark.parametrize(("names", "players"), [(["greedy", "random"], 3), (["heuristic", "greedy", "random"], 2)])
def test_figures_agree_with_an_independent_count_of_the_records(names, players):
    entrants, rules = enter(names), PRESETS["match"]
    result, played = hold(entrants, rules, players, 90, seed=3, keep_moves=True)
    seatings = seatings_of(len(names), players)
    wins, places, seats, turns = Counter(), Counter(), Counter(), Counter()
    deals = {}
    for record in records(entrants, rules, 3, played):
        positions = replay(record)
        # What is dealt is shared; the order of the pile is each seat's own, so how it was drawn depends on who played.
        dealt = record.deal.hands, record.deal.discard, sorted(record.deal.pile)
        deals.setdefault(str(dealt), []).append(tuple(record.players))
        for bot, rank in zip(record.players, record.ranking, strict=True):
            sharing = record.ranking.count(rank)
            wins[bot] += Fraction(1, sharing) if rank == 1 else 0
            places[bot] += rank + Fraction(sharing - 1, 2)
            turns[bot] += int(positions[-1]["turns"])
            seats[bot] += 1
    for score in result.bots:
        assert score.games == seats[score.name]
        assert score.win_rate == pytest.approx(float(wins[score.name] / seats[score.name]))
        assert score.mean_placement == pytest.approx(float(places[score.name] / seats[score.name]))
        assert score.mean_turns == pytest.approx(turns[score.name] / seats[score.name])
    everyone = sorted(tuple(names[bot] for bot in seating) for seating in seatings)
    assert len(deals) == result.deals
    assert all(sorted(played_by) == everyone for played_by in deals.values())


# ---- strength ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("better", "worse", "players", "preset", "bound"),
    [
        ("heuristic", "greedy", 2, "classic", 0.54),
        ("heuristic", "random", 2, "classic", 0.71),
        ("greedy", "random", 2, "classic", 0.66),
        ("heuristic", "greedy", 3, "classic", 0.345),
        ("heuristic", "greedy", 4, "classic", 0.26),
        ("heuristic", "greedy", 5, "classic", 0.205),
        ("greedy", "random", 4, "classic", 0.31),
        ("heuristic", "greedy", 2, "match", 0.51),
        ("heuristic", "greedy", 4, "match", 0.26),
    ],
)
def test_strength(better, worse, players, preset, bound):
    score = tournament(f"{better} {worse}", players, 20_000, seed=11, rules=PRESETS[preset]).bots[0]
    assert score.win_rate_interval[0] > bound


def part_of(results: Results, first: int, last: int) -> Results:
    """Some of the games."""
    arrays = {name: value[first:last] for name, value in vars(results).items() if np.ndim(value) and len(value) > 2}
    return replace(results, **arrays)


def test_intervals_hold_the_truth_as_often_as_they_say():
    truth = tournament("greedy random", 2, 60_000, seed=100).bots[0].win_rate
    entrants, deals, tournaments = enter(["greedy", "random"]), 50, 400
    # One long run, cut into tournaments of 50 deals each: the deals are independent of each other.
    results = play_all(entrants, seatings_of(2, 2), deals * tournaments, CLASSIC, seed=5)
    found = [
        scores(entrants, part_of(results, at, at + 2 * deals))[0].win_rate_interval for at in range(0, 40_000, 100)
    ]
    held = sum(low <= truth <= high for low, high in found)
    assert 0.92 < held / tournaments < 0.98


# ---- bad bots ------------------------------------------------------------------------------------------------------


class Scripted(Agent):
    """Answers with whatever the function makes of the views."""

    def __init__(self, answer):
        super().__init__()
        self.answer = answer

    def act(self, views, words):
        return self.answer(views)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (
            lambda views: np.full(len(views), 66),
            r"bot 2 \(mine\), deal \d+, seat \d: action 66 \(mau\) is illegal; legal",
        ),
        (lambda views: np.full(len(views), 67), r"bot 2 \(mine\), .*no action \(they are 0 to 66\)"),
        (lambda views: np.full(len(views), -1), r"bot 2 \(mine\), .*no action \(they are 0 to 66\)"),
        (lambda views: 64, r"bot 2 \(mine\) must answer \d+ views .* not with shape \(\) of int64"),
        (lambda views: np.zeros((len(views), 1), int), r"bot 2 \(mine\) must answer .* not with shape \(\d+, 1\)"),
        (lambda views: np.full(len(views), 64.0), r"bot 2 \(mine\) must answer .* of float64"),
        (lambda views: None, r"bot 2 \(mine\) must answer .* of object"),
        (lambda views: [[1], [2, 3]], r"bot 2 \(mine\) failed: ValueError: .*inhomogeneous"),
        (lambda views: 1 // 0, r"bot 2 \(mine\) failed: ZeroDivisionError: .* \(test_tournament.py, line \d+\)"),
    ],
)
def test_a_bad_answer_is_one_clear_error(answer, message):
    entrants = [*enter(["random"]), Entrant("mine", Scripted(answer))]
    with pytest.raises(AgentError, match=message) as failure:
        hold(entrants, CLASSIC, 2, 100, seed=1)
    assert "\n" not in str(failure.value)


def test_a_bot_that_cannot_play_at_this_table_is_refused_before_the_first_game():
    class TwoOnly(Scripted):
        def check_table(self, rules, num_players):
            if num_players != 2:
                raise ValueError("this bot plays with two players only")

    with pytest.raises(ValueError, match="two players only"):
        hold([*enter(["random"]), Entrant("mine", TwoOnly(None))], CLASSIC, 3, 100, seed=1)


@pytest.mark.parametrize(("players", "seed", "message"), [(6, 1, "2 to 5"), (1, 1, "2 to 5"), (2, -1, "seed=-1")])
def test_what_does_not_fit_is_refused(players, seed, message):
    with pytest.raises(ValueError, match=message):
        tournament("greedy random", players, 10, seed)
