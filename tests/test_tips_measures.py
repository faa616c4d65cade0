"""The three measures of a tip: planted tips are found out, and estimates agree with what is solved exactly."""

from functools import cache

import numpy as np
import pytest
from scipy import stats
from test_agents import words
from test_privacy import with_other_hidden_cards

from agents.champion import Table
from agents.judgement import judge
from agents.outcome import outcomes
from maumau_env.game import batch
from maumau_env.game.actions import ACTION_NAMES, action_number
from maumau_env.game.match import open_matches
from maumau_env.game.record import set_up
from maumau_env.game.rules import Rules
from maumau_env.game.state import RUNNING, taken
from maumau_env.seat.view import view_of, views
from strategy.bot import Bot
from strategy.folk_tips import TIPS
from strategy.games import play_games
from strategy.intervals import ratio_of
from strategy.mind import Mind, open_mind
from strategy.patched import Follower, duel
from strategy.positions import Positions
from strategy.reading import CARDS, DRAWS, SUIT_CARDS, hand
from strategy.survey import Effort, Finding, Survey
from strategy.tip import Tip
from strategy.worth import best_of_both, differences
from tools.game_tree import CHANCE, OVER, Tree, build

MAY_DRAW = Rules(must_play=False)
TAKE = Tip("take-the-win", "Play your last card.", "planted", lambda views: hand(views) == 1, lambda views: CARDS)
REFUSE = Tip("refuse-the-win", "Draw rather than win.", "planted", lambda views: hand(views) == 1, lambda views: DRAWS)
LOWEST = Tip(
    "lowest-suit", "Play clubs before diamonds, diamonds before hearts, hearts before spades.", "planted",
    lambda views: hand(views) > 1, lambda views: np.arange(len(CARDS)) % 2 == 0, lambda views: SUIT_CARDS,
)  # fmt: skip


def survey_of(tips, bot="heuristic", rules=MAY_DRAW, players=2, **effort) -> dict[str, Finding]:
    usual = {"games": 250, "positions": 100, "worlds": 4, "duels": 300, "seed": 5}
    mind = bot if isinstance(bot, Mind) else open_mind(bot, Table(rules, players, False))
    survey = Survey(tips, rules, players, None, mind, Effort(**usual | effort))
    assert len(list(survey.steps())) == survey.number_of_steps
    return {finding.tip.name: finding for finding in survey.findings()}


# ---- planted tips --------------------------------------------------------------------------------------------------


@cache
def planted() -> dict[str, Finding]:
    return survey_of([TAKE, REFUSE])


def test_a_planted_good_tip_holds():
    found = planted()["take-the-win"]
    assert found.verdict == "holds"
    assert found.worth.win_interval[0] > 0.05
    assert found.obedience.obeyed == 1.0
    assert 1 / 2 < found.obedience.obeyed_by_chance < 4 / 5  # one card, or a Jack with four wishes, or drawing
    assert found.gains["random"].gain_interval[0] > 0


def test_a_planted_false_tip_is_called_false():
    found = planted()["refuse-the-win"]
    assert found.verdict == "false"
    assert found.worth.win == -planted()["take-the-win"].worth.win
    assert found.obedience.obeyed == 0.0
    assert found.gains["heuristic"].gain_interval[1] < 0


def test_a_bot_that_follows_a_planted_tip_is_found_out():
    bots = {"plain": open_mind("random", Table(Rules(), 2, False))}
    bots["planted"] = Mind(Bot("planted", Follower("random", LOWEST)), None, None)
    found = {name: survey_of([LOWEST], bot, Rules(), positions=0, duels=0)["lowest-suit"] for name, bot in bots.items()}
    assert found["planted"].obedience.obeyed == 1.0
    assert found["planted"].obedience.beyond_chance_interval[0] > 0.3
    low, high = found["plain"].obedience.beyond_chance_interval
    assert low < 0 < high
    assert found["planted"].verdict == "unclear"
    assert found["planted"].worth is None


def test_following_a_tip_that_changes_nothing_gains_nothing():
    gain = duel("heuristic", TAKE, Table(Rules(), 2, False), 100, seed=1)
    assert (gain.win_rate, gain.gain) == (0.5, 0.0)
    unseen = 1 - 0.025 ** (1 / 50)  # what 50 equal deals leave open: so many others, all won or all lost
    assert gain.gain_interval == pytest.approx((-unseen / 2, unseen / 2))


def test_a_follower_obeys_wherever_it_would_not():
    games = batch.deal(Rules(), 3, seed=2, count=300)
    batch.play_at_random(games, 7, seed=3)
    seen = views(games[games["end"] == RUNNING])
    for player in ("heuristic", "random"):
        for tip in TIPS:
            split, actions = tip.split(seen), Follower(player, tip).act(seen, words(len(seen)))
            assert not split.against[np.arange(len(seen)), actions].any()


# ---- games and positions -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [None, 30])
def test_decisions_are_the_real_choices_of_whole_games(limit):
    rules = Rules.of("match" if limit else "classic")
    mind = open_mind("heuristic", Table(rules, 3, limit is not None), limit)
    found = play_games(mind.bot, Table(rules, 3, limit is not None), 1, 0, 20, limit)
    assert set(found.games.tolist()) == set(range(20))
    assert (found.views["to_move"] == 0).all()
    assert (found.views["num_players"] == 3).all()
    assert (np.isfinite(judge(found.views)).sum(axis=1) > 1).all()
    assert np.isfinite(judge(found.views)[np.arange(len(found.choices)), found.choices]).all()
    assert (found.views["round"].max() > 1) == (limit is not None)


def test_positions_are_one_of_a_game_whatever_the_bot_did():
    rules = Rules()
    mind = open_mind("heuristic", Table(rules, 2, False))
    games = play_games(mind.bot, Table(rules, 2, False), 3, 0, 50)
    applies, chance = hand(games.views) > 2, words(len(games.choices))
    positions = Positions(40)
    positions.add(games, applies, chance)
    where = [np.flatnonzero(chance == word)[0] for word in positions.words()]
    assert applies[where].all()
    assert len(where) == 40
    assert len(set(games.games[where].tolist())) == 40
    assert positions.views().tobytes() == taken(games.views, np.array(where)).tobytes()
    positions.add(games, applies, chance)
    assert len(positions) == 40


def test_intervals_are_over_games():
    found = ratio_of(np.array([1.0, 0.0]), np.array([2.0, 2.0]))
    reach = stats.t.ppf(0.975, 1) * 0.25  # residuals ±1/2: sqrt(2 / 1 * (1/4 + 1/4)) / 4
    assert found == pytest.approx((0.25, 0.25 - reach, 0.25 + reach))
    assert ratio_of(np.array([1.0]), np.array([2.0]), 0, 1) == (0.5, 0, 1)  # one game says nothing of others


# ---- how games end -------------------------------------------------------------------------------------------------


def test_outcomes_are_shares_of_the_win_and_placements():
    game = set_up(Rules(must_play=False), [["9H"], ["QD", "8C"], ["KD"]], ["10H"], ["7C", "7S"])
    wins, places = outcomes(np.repeat(game, 3), np.array([[action_number("9H")]] * 3))
    assert wins.tolist() == [[1.0]] * 3
    assert places.tolist() == [[1.0]] * 3


def test_a_match_is_played_to_its_end():
    games = open_matches(Rules.of("match"), 2, 30, seed=1, count=200)
    games["seed"] = words(200, 1)  # worlds of one view differ in what comes after the round
    actions = np.array([[np.isfinite(row).argmax()] for row in judge(views(games))])
    wins, places = outcomes(games, actions)
    assert set(wins.ravel().tolist()) <= {0.0, 0.5, 1.0}
    assert np.allclose(wins, 2 - places)
    assert 0.3 < wins.mean() < 0.7


# ---- against exact values ------------------------------------------------------------------------------------------


@cache
def solved() -> tuple[Tree, np.ndarray]:
    """A small round, and the value of each node for seat 0 when the heuristic plays both seats."""
    tree = build(Rules(deck=6, hand_size=2, max_turns=8))
    judged = judge(tree.views)
    values = tree.payoff.copy()
    for node in range(len(values) - 1, -1, -1):
        if tree.player[node] == OVER:
            continue
        below = np.arange(tree.first[node], tree.first[node] + tree.children[node])
        if tree.player[node] == CHANCE:
            values[node] = tree.chance[below] @ values[below]
        else:
            liked = judged[tree.infoset[node], tree.actions[tree.infoset[node]]]
            values[node] = values[below[liked == liked.max()]].mean()
    return tree, values


def exact_difference(infoset: int) -> float:
    """Win chance of the first legal action less that of the last one, over all worlds of a view."""
    tree, values = solved()
    nodes = np.flatnonzero(tree.infoset == infoset)
    first, last = (values[tree.first[nodes] + k].mean() for k in (0, tree.children[nodes[0]] - 1))
    return (first - last) / 2 * (1 if tree.seats[infoset] == 0 else -1)


@pytest.mark.parametrize("known", [False, True], ids=["all worlds enumerated", "all hands known"])
def test_estimates_agree_with_exact_values_at_the_stated_rate(known):
    tree, _ = solved()
    choice = np.array([len(actions) > 1 for actions in tree.actions])
    asked = tree.views["pile_size"] == 0 if known else tree.views["turns"] + (tree.before > 0) == 0
    some = np.flatnonzero(asked & choice)[:: 7 if known else 1][:60]
    pairs = np.array([[tree.actions[i][0], tree.actions[i][-1]] for i in some])
    exact = np.array([exact_difference(i) for i in some])
    mind = open_mind("heuristic", Table(Rules(deck=6, hand_size=2, max_turns=8), 2, False))
    wins, _ = differences(tree.views[some].copy(), pairs, words(len(some), 7), 400, mind)
    error = wins.std(axis=1, ddof=1) / np.sqrt(400)
    hits = np.abs(wins.mean(axis=1) - exact) <= stats.t.ppf(0.975, 399) * error + 1e-12
    assert len(some) >= 30
    assert (error > 0).sum() >= 5
    assert np.abs(exact).max() > 0.1
    assert hits.mean() >= 0.85
    assert abs((wins.mean(axis=1) - exact).mean()) <= 3 * np.sqrt((error**2).sum()) / len(some) + 1e-12


# ---- from the view alone -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", ["classic", "match"])
def test_hidden_cards_change_nothing(preset):
    generator = np.random.default_rng(4)
    games = batch.deal(Rules.of(preset), 3, seed=6, count=40)
    batch.play_at_random(games, 8, seed=7)
    games = [games[i : i + 1] for i in np.flatnonzero(games["end"] == RUNNING)]
    others = [with_other_hidden_cards(game, int(game["seat"][0]), generator) for game in games]
    assert any(game["hands"].tobytes() != other["hands"].tobytes() for game, other in zip(games, others, strict=True))
    mind = open_mind("champion", Table(Rules.of(preset), 3, False))
    results = []
    for tables in (games, others):
        seen = np.concatenate([view_of(game[0], int(game["seat"][0])) for game in tables])
        splits = [tip.split(seen) for tip in TIPS]
        both = next(split for split in splits if split.applies.any())
        rows = np.flatnonzero(both.applies)
        pairs = best_of_both(mind.judge(seen), both)[rows]
        found = differences(seen[rows], pairs, words(len(rows)), 3, mind)
        results.append([part.tobytes() for split in splits for part in split] + [part.tobytes() for part in found])
    assert results[0] == results[1]


def test_the_best_of_both_are_the_bots_favourites():
    seen = views(set_up(Rules(), [["9H", "JC", "KS"], ["QD", "8C"]], ["10H"], ["7C"]))
    save = next(tip for tip in TIPS if tip.name == "save-the-jack")
    judged = judge(seen)
    obeying, against = best_of_both(judged, save.split(seen))[0]
    jacks = [action_number(f"JC:{suit}") for suit in "CDHS"]
    assert ACTION_NAMES[obeying] == "9H"
    assert against == max(jacks, key=lambda action: judged[0, action])
