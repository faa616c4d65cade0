"""`search` and `oracle`: they find what is to be found, know no more than they may, and can be repeated."""

import re
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from test_agents import answers, position, words
from test_privacy import with_other_hidden_cards

import agents
from agents import AgentError
from agents.agent import Agent, Cheat
from agents.oracle import Oracle
from agents.playout import play_out
from agents.policy import Policy
from agents.search import MOST_PLAYOUTS, Search, parse_budget
from agents.table import fingerprint
from agents.tournament import enter, hold
from maumau_env.game import batch
from maumau_env.game.actions import ACTION_NAMES, action_number, actions_in
from maumau_env.game.cards import NUMBERS, set_of
from maumau_env.game.result import REWARDS
from maumau_env.game.rules import PRESETS, Rules
from maumau_env.game.state import EMPTIED, RUNNING, copied
from maumau_env.seat.view import VIEW, view_of, views
from maumau_env.seat.worlds import sample_worlds

BOT = str(Path(__file__).resolve().parents[1] / "agents" / "bots" / "match_2p.safetensors")


def chosen(bot: Agent, game: np.ndarray, count: int = 3) -> set[str]:
    """What a bot does with a position, asked with several words; a cheat is shown the game."""
    if isinstance(bot, Cheat):
        return {ACTION_NAMES[action] for action in bot.act_on(np.repeat(game, count), words(count))}
    return {ACTION_NAMES[action] for action in bot.act(np.repeat(views(game), count), words(count))}


# ---- strength ------------------------------------------------------------------------------------------------------


def test_it_plays_the_last_card():
    assert answers("search:30", position(["KH", "QD 8C"], "10H", must_play=False), 3) == {"KH"}


def test_it_wishes_a_suit_that_the_other_cannot_serve():
    """Three clubs are hidden, everything else lies in the discards: whoever holds which, diamonds or spades win."""
    view = view_of(position(["JC 9D 9S", "KC QC"], "10H", pile="8C")[0], 0)
    out_of_sight = [NUMBERS[name] for name in ("JC", "9D", "9S", "KC", "QC", "8C")]
    view["shown"][0] = set_of([card for card in range(NUMBERS["7C"], 52) if card not in out_of_sight])
    found = Search(budget=60).act(np.repeat(view, 5), words(5))
    assert {ACTION_NAMES[action] for action in found} <= {"JC:D", "JC:S"}


def test_it_beats_greedy():
    tournament, _ = hold(enter(["search:20", "greedy"]), Rules(), 2, 400, seed=4)
    assert tournament.bots[0].win_rate_interval[0] > 0.5


def test_the_oracle_wishes_what_the_other_really_cannot_serve():
    pile = "7C 8C 9C 7H 8H KH"
    diamonds, spades = (position(["JC QD QS", hand], "10H", pile=pile) for hand in ("AD 8D", "AS 8S"))
    assert views(diamonds).tobytes() == views(spades).tobytes()
    assert chosen(Oracle(budget=20), diamonds) == {"JC:S"}
    assert chosen(Oracle(budget=20), spades) == {"JC:D"}


def test_saying_mau_comes_first():
    game = position(["KH QH", "QD 8C"], "10H", preset="match")
    assert answers("search:1", game, 2) == {"mau"}


# ---- the same again, and no more than it may know ------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"bot": BOT}], ids=["heuristic", "policy"])
def test_an_answer_depends_on_view_and_word_alone(options):
    games = batch.deal(PRESETS["match"], 2, seed=1, count=12)
    batch.play_at_random(games, 9, seed=2)
    seen, chance = views(games), words(12)
    together = Search(budget=3, **options).act(seen, chance)
    assert together.dtype == np.int64
    backwards = Search(budget=3, seed=7, **options).act(seen[::-1], chance[::-1])[::-1]
    one_by_one = [Search(budget=3, **options).act(seen[i : i + 1], chance[i : i + 1])[0] for i in range(12)]
    assert together.tolist() == backwards.tolist() == one_by_one


@pytest.mark.parametrize("preset", list(PRESETS))
def test_the_truth_does_not_show_in_what_it_plays(preset):
    games = batch.deal(PRESETS[preset], 3, seed=5, count=6)
    batch.play_at_random(games, 8, seed=6)
    others = np.concatenate(
        [with_other_hidden_cards(game.reshape(1), int(game["seat"]), np.random.default_rng(1)) for game in games]
    )
    assert (games["hands"] != others["hands"]).any()
    bot = Search(budget=4)
    assert bot.act(views(games), words(6)).tolist() == bot.act(views(others), words(6)).tolist()


def test_a_playout_leaves_the_world_alone_and_pays_by_the_rank():
    worlds = sample_worlds(view_of(position(["KH 8C QD", "QC 7D 9C"], "10H")[0], 0), 1, 20)
    before = copied(worlds)
    payoffs = play_out(worlds, np.array([action_number("KH")]))
    assert worlds.tobytes() == before.tobytes()
    assert payoffs.shape == (20, 1)
    assert set(payoffs.ravel().tolist()) <= {1.0, 0.0, -1.0}


def test_a_search_plays_for_the_win_or_for_the_place():
    """C16: the next player is sure to go out; a Queen kept costs less than the third's King, a King as much."""
    game = position(["KH QH", "10H", "KC"], "AH")
    actions = np.array([action_number("KH"), action_number("QH")])
    assert play_out(game, actions).tolist() == [[-0.5, -0.5]]
    assert play_out(game, actions, scheme=REWARDS.index("placement")).tolist() == [[0, -0.5]]
    assert chosen(Oracle(budget=4, reward="placement"), game) == {"KH"}
    assert play_out(game, actions, scheme=REWARDS.index("points")).tolist() == [[(4 / 2 - 3) / 100, -0.02]]


def test_a_policy_plays_the_playouts_as_it_plays_at_the_table():
    policy, rules = Policy.load(BOT), PRESETS["match"]
    view = view_of(batch.deal(rules, 2, 5, 1)[0], 0)
    worlds, actions = sample_worlds(view, 1, 30), np.array(actions_in(int(view["legal"][0])), np.int64)
    payoffs, different = play_out(worlds, actions, policy.network), 0
    by_heuristic = play_out(worlds, actions)
    for i in range(len(worlds)):
        for k, action in enumerate(actions):
            game = copied(worlds[i : i + 1])
            batch.step(game, np.array([action]))
            while game["end"][0] == RUNNING:
                batch.step(game, policy.act(views(game), np.zeros(1, np.uint64)))
            if game["end"][0] == EMPTIED:
                assert payoffs[i, k] == (1 if not game["hands"][0, 0].any() else -1)
                different += payoffs[i, k] != by_heuristic[i, k]
    assert different > 10


def test_all_actions_are_tried_with_the_same_chance():
    worlds = sample_worlds(view_of(position(["KH QH 8C 9D", "QC 7D 9C"], "10H")[0], 0), 1, 20)
    action = action_number("KH")
    one, two = play_out(worlds, np.array([action, action])).T
    assert one.tolist() == two.tolist()
    assert len(set(one.tolist())) > 1


# ---- what a user may ask for ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "budget"), [("search", (100, 0)), ("search:500", (500, 0)), ("search:20ms", (0, 0.02))]
)
def test_the_budget_stands_behind_the_name(text, budget):
    bot = agents.make(text)
    assert (bot._lookahead._playouts, bot._lookahead._seconds) == budget


def test_a_budget_of_time_plays_something_legal_however_short():
    game = position(["KH QH 8C 9D", "QC 7D 9C"], "10H")
    assert answers("search:0.001ms", game, 3) <= {"KH", "QH"}


@pytest.mark.parametrize("playouts", ["heuristic", "bot"])
def test_a_saved_bot_guides_and_may_play_the_playouts(playouts):
    bot = agents.make(f"search:4,bot={BOT},playouts={playouts}")
    game = batch.deal(PRESETS["match"], 2, 3, 1)
    assert chosen(bot, game) <= {ACTION_NAMES[action] for action in range(67)}
    with pytest.raises(ValueError, match="room for 2 players"):
        bot.check_table(PRESETS["match"], 3)
    with pytest.raises(ValueError, match="deck of 32"):
        bot.check_table(Rules(), 2)


def test_a_guide_may_have_a_network_for_every_table():
    asked, policy = [], Policy.load(BOT)

    def guide(view):
        asked.append(int(view["num_players"][0]))
        return policy.network if view["num_players"][0] == 2 else None

    game = batch.deal(PRESETS["match"], 2, 3, 1)
    by_guide = chosen(Search(budget=4, bot=guide, playouts="bot"), game)
    assert by_guide == chosen(Search(budget=4, bot=policy, playouts="bot"), game)
    assert set(asked) == {2}


class Opinion:
    """In place of a network: it always thinks of the same action."""

    def __init__(self, habit):
        self.habit = action_number(habit)

    def decide(self, raw_views, words, sample):
        return np.array([self.habit])


def test_what_the_policy_that_guides_does_not_think_of_is_tried_too():
    game = position(["KH", "QD 8C"], "10H", must_play=False)  # KH wins at once
    assert chosen(Search(budget=30, bot=lambda view: Opinion("draw")), game) == {"KH"}


def test_what_the_policy_that_guides_would_do_is_done_where_nothing_is_better():
    game = position(["KH QH 8C", "10H"], "9H")  # King and Queen do the same
    for habit in ("KH", "QH"):
        assert chosen(Search(budget=30, bot=lambda view, habit=habit: Opinion(habit)), game) == {habit}


@pytest.mark.parametrize("budget", [0, -5, True, 1.5, "20", "ms", "0ms", "-3ms", "20s", MOST_PLAYOUTS + 1, None])
def test_a_wrong_budget_is_one_clear_line(budget):
    said = f"budget={budget!r}: it is a number of playouts for each action, 1 to 1,000,000, or a time for each move"
    with pytest.raises(ValueError, match=re.escape(said)) as failure:
        parse_budget(budget)
    assert "\n" not in str(failure.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("search:fast", "search:fast: Search cannot be made: ValueError: budget='fast': it is a number of playouts"),
        ("search:20,playouts=bot", "playouts='bot': they are played by heuristic, or with bot=... by the bot"),
        ("search:20,playouts=dice", "playouts='dice': they are played by heuristic"),
        ("search:20,reward=luck", "reward='luck': a round is played for placement, win or points"),
        ("oracle:20,reward=luck", "reward='luck': a round is played for placement, win or points"),
        ("search:20,bot=5", "bot=5: it is champion or the path of a saved bot"),
        ("search:20,bot=yes", "bot=True: it is champion or the path of a saved bot"),
        ("search:20,bot=nowhere.safetensors", "nowhere.safetensors: there is no such file"),
        ("search:20,depth=3", "Search cannot be made with these options"),
        ("oracle:0", "Oracle cannot be made: ValueError: budget=0"),
    ],
)
def test_what_cannot_be_made_is_one_clear_line(text, message):
    with pytest.raises(AgentError, match=re.escape(message)) as failure:
        agents.make(text)
    assert "\n" not in str(failure.value)


def test_a_view_of_a_seat_that_is_not_to_move_is_refused():
    with pytest.raises(ValueError, match="not to move"):
        Search().act(view_of(batch.deal(Rules(), 2, 1, 1)[0], 1), words(1))


# ---- the oracle is for measuring only ------------------------------------------------------------------------------


def test_the_oracle_cannot_play_by_views():
    with pytest.raises(ValueError, match="Oracle sees all hands: it is for measuring"):
        agents.make("oracle").act(np.zeros(1, VIEW), words(1))


def test_an_environment_refuses_the_oracle_as_an_opponent():
    with pytest.raises(ValueError, match="Oracle sees all hands"):
        gymnasium.make("maumau/MauMau-v0", opponents=["oracle"])


def test_an_evaluation_says_who_cheats():
    tournament, _ = hold(enter(["oracle:2", "random"]), Rules(), 2, 4, seed=1)
    assert [bot["cheats"] for bot in tournament.as_dict()["bots"]] == [True, False]


def test_the_oracle_does_not_see_the_order_of_the_pile():
    games = batch.deal(Rules(), 2, 3, 8)
    batch.play_at_random(games, 4, 1)
    others = copied(games)
    others["rng"] += np.uint64(99)
    assert Oracle(budget=5).act_on(games, words(8)).tolist() == Oracle(budget=5).act_on(others, words(8)).tolist()


def test_matches_are_played_to_their_end():
    tournament, results = hold(enter(["search:2", "oracle:2"]), PRESETS["match"], 2, 4, seed=2, penalty_limit=30)
    assert tournament.games == 4
    assert sorted(results.ranks[0].tolist()) == [1, 2]


def test_an_evaluation_names_the_saved_bot_that_plays_the_playouts():
    assert fingerprint(f"search:4,bot={BOT}") == fingerprint(BOT)
    assert fingerprint("search:4") is None
