"""What a decision is worth: figures agree with exact ones, intervals hold, and nothing hidden is seen."""

from itertools import islice

import numpy as np
import pytest
from exactplay import Settled, Solver, arrangements, number_of_arrangements, random_positions
from test_privacy import position, with_other_hidden_cards

from agents import AgentError
from agents.agent import Agent
from maumau_env.game import batch
from maumau_env.game.actions import MAU, NUM_ACTIONS, action_number, actions_in
from maumau_env.game.record import set_up
from maumau_env.game.rules import Rules
from maumau_env.game.state import SHUFFLED, raw, taken
from maumau_env.seat.view import view_of
from strategy import chances
from strategy.bot import Bot
from strategy.chances import Decision, weigh
from strategy.intervals import chance_of, difference_of, mean_of
from strategy.playouts import WHOLE, play_out

SMALL = Rules(deck=8, hand_size=2, max_turns=12)
THREE = Rules(deck=12, hand_size=2, max_turns=10, ace="skip")
SETTLED = Bot("settled", Settled())
CHAMPION = Bot("champion")


def first_choice(preset: str, players: int, seed: int) -> np.ndarray:
    """The VIEW of the first real choice of a round."""
    game = position({"rules": preset}, players, seed, 0)
    while len(legal := actions_in(batch.legal(game)[0])) == 1:
        batch.step(game, np.array(legal))
    return view_of(game[0], int(game["seat"][0]))


# ---- exact ---------------------------------------------------------------------------------------------------------


def check_rate(hits: list[bool]) -> None:
    """At least as many intervals hold the truth as 95 % of them, less three standard deviations."""
    assert sum(hits) >= 0.95 * len(hits) - 3 * np.sqrt(0.95 * 0.05 * len(hits))


@pytest.mark.parametrize(("rules", "players"), [(SMALL, 2), (THREE, 3)])
def test_with_all_hands_known_the_interval_holds_the_exact_chance(rules, players):
    solver, hits, apart = Solver(SETTLED.agent), [], []
    for number, game in enumerate(islice(random_positions(rules, players, 5), 120)):
        seat = int(game["seat"][0])
        worlds = taken(game, np.zeros(300, np.int64))
        worlds["order"], worlds["rng"] = SHUFFLED, np.random.default_rng(number).integers(1 << 62, size=300)
        found = chance_of(play_out(worlds, SETTLED).shares[:, seat] / WHOLE)
        truth = solver.chances(game)[seat]
        hits.append(found.low - 1e-12 <= truth <= found.high + 1e-12)
        apart.append(abs(found.value - truth))
    check_rate(hits)
    assert np.mean(apart) < 0.025  # the mean distance of 300 tosses of a fair coin from their mean is 0.023
    assert np.max(apart) > 0  # chance does play a part in these positions


def test_from_the_view_alone_the_intervals_hold_the_exact_chances_and_costs():
    solver, found, costs = Solver(SETTLED.agent), [], []
    generator = np.random.default_rng(1)
    for number, (view, _) in enumerate(islice(solvable_views(11), 100)):
        decision = weigh(view, SETTLED, 300, number)
        action, worlds = int(generator.choice(decision.actions)), list(arrangements(view))
        exact = {
            each: np.mean([solver.after(world, each)[0] for world in worlds]) for each in (action, decision.bots_choice)
        }
        chance, cost = decision.chance(action), decision.cost(action)
        found.append(chance.low - 1e-12 <= exact[action] <= chance.high + 1e-12)
        if action != decision.bots_choice:
            costs.append(cost.low - 1e-12 <= exact[decision.bots_choice] - exact[action] <= cost.high + 1e-12)
    assert len(costs) > 30
    check_rate(found)
    check_rate(costs)


def solvable_views(seed: int):
    """(view, worlds that agree with it) of choices at which nothing is known of hidden cards, or everything."""
    for game in random_positions(SMALL, 2, seed):
        view = view_of(game[0], int(game["seat"][0]))
        evidence = any(view["seats"][field][0, 1].any() for field in ("since_suit", "since_rank"))
        number = number_of_arrangements(view)
        if number == 1 or not evidence:
            yield view, number


def test_the_solved_positions_are_of_both_kinds():
    numbers = [number for _, number in islice(solvable_views(11), 100)]
    assert sum(number == 1 for number in numbers) > 10
    assert sum(number > 1 for number in numbers) > 10


def test_a_decision_worked_out_by_hand():
    # Seat 0 can pass on the debt with its seven: seat 1 holds no seven, takes four and cannot stop the king. If seat 0
    # takes the two cards instead, seat 1 plays its last card, which fits.
    rules = Rules(play_drawn=False)
    game = set_up(rules, [["7H", "KH"], ["QD", "8D", "7D"]], ["9D"], ["9C", "9S", "10C", "10S", "AC", "AS"], starter=1)
    for action in ("8D", "7D"):
        batch.step(game, np.array([action_number(action)]))
    view = view_of(game[0], 0)
    decision = weigh(view, CHAMPION, 100, 0)
    seven, take = action_number("7H"), action_number("draw")
    assert decision.actions == [seven, take]
    assert decision.bots_choice == seven
    assert decision.chance(take).value < decision.chance(seven).value
    assert decision.cost(take).low > 0
    assert decision.best()[0] == seven


# ---- the bot -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("preset", "players"), [("classic", 2), ("classic", 4), ("match", 2), ("match", 3)])
def test_the_champions_probabilities_are_what_it_plays(preset, players):
    for seed in range(6):
        view = first_choice(preset, players, seed)
        decision = weigh(view, CHAMPION, 10, seed)
        (played,) = {int(CHAMPION.act(view, np.array([word], np.uint64))[0]) for word in range(20)}
        assert decision.probability(played) == 1
        assert decision.bots_choice == played
        assert decision.probabilities.sum() == pytest.approx(1)


def test_a_sampling_bot_plays_by_its_probabilities():
    bot = Bot("agents/bots/classic_2p.safetensors:sample=yes")
    view = first_choice("classic", 2, 3)
    decision = weigh(view, bot, 10, 0)
    words = np.random.default_rng(0).integers(1 << 64, size=4000, dtype=np.uint64)
    played = bot.act(np.repeat(view, 4000), words)
    shares = np.bincount(played, minlength=NUM_ACTIONS)[decision.actions] / 4000
    assert abs(shares - decision.probabilities).max() < 0.03  # 3.8 standard deviations of a half


@pytest.mark.parametrize("players", [2, 5])
def test_the_chance_before_a_decision_is_that_of_the_bots_own_choice(players):
    decision = weigh(first_choice("classic", players, 1), CHAMPION, 60, 0)
    assert decision.before == decision.chance(decision.bots_choice)
    assert decision.place_before == decision.place(decision.bots_choice)
    assert decision.cost(decision.bots_choice) == (0, 0, 0)
    sampling = weigh(first_choice("classic", 2, 1), Bot("agents/bots/classic_2p.safetensors:sample=yes"), 60, 0)
    mixed = sum(sampling.probability(action) * sampling.chance(action).value for action in sampling.actions)
    assert sampling.before.value == pytest.approx(mixed)


def test_all_actions_are_tried_in_the_same_worlds_with_the_same_chance(monkeypatch):
    tried = []

    def watched(worlds, bot, first):
        tried.append((raw(worlds).reshape(len(worlds), -1), first))
        return play_out(worlds, bot, first)

    monkeypatch.setattr(chances, "play_out", watched)
    decision = weigh(first_choice("match", 3, 0), CHAMPION, 10, 0)
    ((worlds, first),) = tried
    k = len(decision.actions)
    assert (first.reshape(10, k) == decision.actions).all()
    for world in range(10):
        assert (worlds[world * k : (world + 1) * k] == worlds[world * k]).all()
    assert len({row.tobytes() for row in worlds}) == 10


class Breaks(Agent):
    """A bot of somebody's own that fails."""

    def act(self, views, words):
        return self.not_there


class Cheats(Agent):
    """One that plays what it must not."""

    def act(self, views, words):
        return np.full(len(views), MAU)


@pytest.mark.parametrize(("agent", "message"), [(Breaks(), "mine failed: AttributeError"), (Cheats(), "mau.*illegal")])
def test_what_goes_wrong_in_a_bot_is_told_under_its_name(agent, message):
    worlds = batch.deal(Rules(), 2, 1, 3)
    with pytest.raises(AgentError, match=message):
        play_out(worlds, Bot("mine", agent))


def test_a_bot_that_sees_all_hands_is_refused():
    with pytest.raises(AgentError, match="oracle:10 sees all hands"):
        Bot("oracle:10")


# ---- what is hidden ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("preset", "players", "decisions"), [("classic", 2, 5), ("classic", 4, 9), ("match", 3, 12)])
def test_other_hidden_cards_change_nothing(preset, players, decisions):
    game = position({"rules": preset}, players, 7, decisions)
    while len(legal := actions_in(batch.legal(game)[0])) == 1:
        batch.step(game, np.array(legal))
    seat, generator = int(game["seat"][0]), np.random.default_rng(0)
    found = weigh(view_of(game[0], seat), CHAMPION, 40, 3)
    for _ in range(3):
        other = with_other_hidden_cards(game, seat, generator)
        assert (other["hands"] != game["hands"]).any()
        same = weigh(view_of(other[0], seat), CHAMPION, 40, 3)
        assert same.as_dict() == found.as_dict()


def test_a_playout_is_the_same_in_any_batch():
    worlds = batch.deal(Rules.of("match"), 3, 5, 30)
    together = play_out(worlds, Bot("heuristic"))
    for rows in ([0], [29, 3], range(10, 20)):
        alone = play_out(taken(worlds, np.array(rows)), Bot("heuristic"))
        assert (alone.shares == together.shares[list(rows)]).all()
        assert (alone.places == together.places[list(rows)]).all()


def test_wins_and_places_are_shared_out():
    outcomes = play_out(batch.deal(Rules(max_turns=9), 5, 2, 200), Bot("heuristic"))
    assert (outcomes.shares.sum(axis=1) == WHOLE).all()
    assert (outcomes.places.sum(axis=1) == 15).all()


def test_more_worlds_begin_with_the_same_ones():
    view = first_choice("classic", 2, 0)
    few, many = weigh(view, Bot("greedy"), 250, 9), weigh(view, Bot("greedy"), 600, 9)
    assert (many.shares[:250] == few.shares).all()
    assert many.worlds == 600


# ---- intervals -----------------------------------------------------------------------------------------------------


def test_the_interval_of_a_chance_is_wilsons():
    found = chance_of(np.array([1.0] * 30 + [0.0] * 70))
    # (0.3 + 1.92/100 ± 1.96 sqrt(0.0021 + 0.0096/100)) / 1.0384
    assert found == pytest.approx((0.3, 0.2189, 0.3958), abs=2e-4)
    assert chance_of(np.ones(10)) == pytest.approx((1, 10 / 13.8415, 1), abs=1e-4)
    assert chance_of(np.zeros(10)) == pytest.approx((0, 0, 3.8415 / 13.8415), abs=1e-4)


def test_the_interval_of_a_difference_does_not_shrink_to_nothing():
    found = difference_of(np.zeros(98))
    assert found == pytest.approx((0, -0.0196, 0.0196), abs=1e-4)  # 1.96 × 0.1 / 10
    assert difference_of(np.ones(5)).high == 1
    wide = difference_of(np.zeros(98), 0.999)
    assert wide.high > found.high


def test_a_difference_holds_its_level():
    generator = np.random.default_rng(3)
    pairs = generator.choice([-1.0, 0.0, 1.0], p=[0.1, 0.7, 0.2], size=(2000, 60))
    hits = [found.low <= 0.1 <= found.high for found in map(difference_of, pairs)]
    assert 0.935 < np.mean(hits) < 0.975


def test_what_comes_out_best_of_many_is_measured_on_other_worlds():
    # Ten actions that are all the same, and the bot's choice is the first: on the same worlds the best of them would
    # look better by more than one standard error, always.
    generator = np.random.default_rng(8)
    view, gains = first_choice("classic", 2, 0), []
    for _ in range(300):
        shares = generator.integers(0, 2, size=(100, 10)).astype(float)
        _, gain = Decision(view, list(range(10)), np.eye(10)[0], shares, shares + 1).best()
        gains.append(gain.value)
    assert abs(np.mean(gains)) < 0.02


def test_a_mean_stays_in_its_range():
    assert mean_of(np.array([1.0, 1.0, 2.0]), 1, 2).low == 1
