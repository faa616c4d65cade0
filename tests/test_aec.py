"""The PettingZoo environment, by PettingZoo's own tests and by ours."""

import copy
import pickle
import sys
from types import SimpleNamespace

import numpy as np
import pettingzoo
import pettingzoo.test
import pytest
from envtools import MIXTURES, Lowest, env_at, legal_in, play_on
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

from maumau_env import maumau_v0
from maumau_env.envs.aec import MauMauAEC
from maumau_env.game.actions import ACTION_NAMES, NUM_ACTIONS, action_number, actions_in
from maumau_env.game.batch import IllegalActionError, legal
from maumau_env.game.record import set_up
from maumau_env.game.record_check import replay
from maumau_env.game.rules import Rules

MAKERS = [maumau_v0.env, maumau_v0.raw_env]
every_table = pytest.mark.parametrize("players", range(2, 6))
every_mixture = pytest.mark.parametrize("options", MIXTURES, ids=str)
# The mask of an agent whose round is over is empty, since nothing is legal any more; api_test remarks on it.
empty_masks = pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros")


# ---- PettingZoo's tests --------------------------------------------------------------------------------------------


@empty_masks
@every_table
@pytest.mark.parametrize("rules", ["classic", "match"])
@pytest.mark.parametrize("make", MAKERS)
def test_pettingzoo_api_test(make, rules, players):
    pettingzoo.test.api_test(make(rules=rules, num_players=players), num_cycles=60)


@every_mixture
def test_pettingzoo_seed_test(options):
    pettingzoo.test.seed_test(lambda: maumau_v0.env(**options), num_cycles=50)


def test_pettingzoo_render_test(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setitem(MauMauAEC.metadata, "render_fps", 1000)
    pettingzoo.test.render_test(maumau_v0.env)


def test_pettingzoo_performance_benchmark(monkeypatch, capsys):
    seconds = iter(np.arange(0, 100, 0.05))
    clock = SimpleNamespace(time=lambda: next(seconds))
    monkeypatch.setattr(sys.modules["pettingzoo.test.performance_benchmark"], "time", clock)
    pettingzoo.test.performance_benchmark(maumau_v0.env())
    assert "turns per second" in capsys.readouterr().out


# ---- making it -----------------------------------------------------------------------------------------------------


def test_registry_makes_the_environment_with_its_options():
    env = pettingzoo.make("aec", "maumau/maumau-v0", num_players=3, ace="skip")
    assert str(env) == "maumau_v0"
    assert str(env.unwrapped.rules) == "classic, ace=skip"
    assert env.possible_agents == ["player_0", "player_1", "player_2"]


def test_rules_may_be_given_as_rules_and_changed():
    rules = Rules.of("match", hand_size=9)
    assert maumau_v0.env(rules=rules, ace="skip").unwrapped.rules == rules.replace(ace="skip")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"acee": "skip"}, "no option is called 'acee', perhaps ace"),
        ({"ace": "twice"}, "ace='twice' is not an option's value: plain or skip or again"),
        ({"rules": "poker"}, "no rules are called 'poker': there are classic, match"),
        ({"num_players": 6}, "6 players: a table seats 2 to 5"),
        ({"num_players": 5, "hand_size": 7}, "hand_size=7 for 5 players: a deck of 32 allows at most 6"),
        ({"reward": "money"}, "no reward is called 'money': there are placement, win, points"),
        ({"render_mode": "smoke"}, "render_mode='smoke': there are human, ansi, rgb_array and None"),
        ({"observation_seats": 3}, "observation_seats=3 for 4 players: it is at least their number"),
        ({"observation_seats": 6}, "6 seats: it has 2 to 5"),
    ],
)
@pytest.mark.parametrize("make", MAKERS)
def test_wrong_arguments_are_refused_by_name(make, arguments, message):
    with pytest.raises(ValueError, match=message):
        make(**arguments)


@pytest.mark.parametrize("make", MAKERS)
def test_spaces_work_before_reset_and_are_the_same_objects_and_equal_for_all(make):
    env = make(num_players=3, observation_seats=5)
    first = env.possible_agents[0]
    for agent in env.possible_agents:
        assert env.observation_space(agent) is env.observation_space(agent)
        assert env.action_space(agent) is env.action_space(agent)
        assert env.observation_space(agent) == env.observation_space(first)
        assert env.action_space(agent) == env.action_space(first)
        assert env.action_space(agent).n == NUM_ACTIONS
    assert env.observation_space(first)["observation"].shape == (env.unwrapped.layout.size,)
    assert env.metadata["name"] == "maumau_v0"
    assert env.unwrapped.actions == ACTION_NAMES


NEEDS_A_ROUND = {
    "agents": lambda env: env.agents,
    "agent_selection": lambda env: env.agent_selection,
    "rewards": lambda env: env.rewards,
    "infos": lambda env: env.infos,
    "num_agents": lambda env: env.num_agents,
    "last": lambda env: env.last(),
    "observe": lambda env: env.observe("player_0"),
    "step": lambda env: env.step(0),
    "state": lambda env: env.state(),
    "render": lambda env: env.render(),
    "agent_iter": lambda env: next(iter(env.agent_iter())),
    "view": lambda env: env.unwrapped.view(),
    "game": lambda env: env.unwrapped.game,
    "record": lambda env: env.unwrapped.record(),
}


@pytest.mark.parametrize("use", NEEDS_A_ROUND)
@pytest.mark.parametrize("make", MAKERS)
def test_before_reset_everything_else_asks_for_a_reset(make, use):
    with pytest.raises((AttributeError, AssertionError), match=r"reset"):
        NEEDS_A_ROUND[use](make())


# ---- playing it ----------------------------------------------------------------------------------------------------


@every_table
@every_mixture
def test_whole_rounds_keep_every_promise(options, players):
    env = maumau_v0.raw_env(num_players=players, **options)
    generator = np.random.default_rng(players)
    env.reset(seed=players)
    for _ in range(5):
        paid = {}
        while env.agents:
            agent = env.agent_selection
            observation, reward, terminated, truncated, info = env.last()
            for keyed in (env.rewards, env.terminations, env.truncations, env.infos):
                assert set(keyed) == set(env.agents)
            assert env.observation_space(agent).contains(observation)
            assert env.state_space.contains(env.state())
            assert not truncated
            mask = observation["action_mask"]
            assert (info["action_mask"] == mask).all()
            assert legal_in(mask) == actions_in(legal(env.game)[0])
            if terminated:
                assert set(env.terminations.values()) == {True}
                assert not mask.any()
                paid[agent] = reward
                env.step(None)
                continue
            assert reward == 0
            assert mask.any()
            for other in env.agents:
                if other != agent:
                    assert not env.observe(other)["action_mask"].any()
                    assert not env.infos[other]["action_mask"].any()
            env.step(int(generator.choice(np.flatnonzero(mask))))
        check_placements(paid, info, env.possible_agents)
        env.reset()


def check_placements(paid, info, agents):
    assert list(paid) == agents  # everyone, losers too
    assert sum(paid.values()) == pytest.approx(0)
    ranking = info["ranking"]
    for agent, rank in zip(agents, ranking, strict=True):
        place = rank - 1 + (ranking.count(rank) - 1) / 2
        assert paid[agent] == pytest.approx(1 - 2 * place / (len(agents) - 1))


@pytest.mark.parametrize(
    ("reward", "expected"),
    [
        ("placement", [1, 0, -1]),
        ("win", [1, -0.5, -0.5]),
        # Left are nothing, 8 + 7 = 15 and 11 + 10 + 4 = 25: half of what the others hold less one's own.
        ("points", [0.2, -0.025, -0.175]),
    ],
)
def test_rewards_by_scheme_reach_every_agent(reward, expected):
    env = env_at(set_up(Rules(), [["QC"], ["8H", "7D"], ["AS", "10H", "KD"]], ["9C"], ["7H"]))
    env._scheme = maumau_v0.raw_env(reward=reward)._scheme
    env.step(action_number("QC"))
    assert env.agents == ["player_0", "player_1", "player_2"]
    for agent, worth in zip(list(env.agents), expected, strict=True):
        assert env.agent_selection == agent
        _, paid, terminated, _, info = env.last()
        assert paid == pytest.approx(worth)
        assert terminated
        assert (info["end"], info["ranking"]) == ("emptied", (1, 2, 3))
        env.step(None)
    assert env.agents == []


def test_c18_a_round_that_lasts_too_long_is_terminated_with_its_ranking():
    env = maumau_v0.raw_env(max_turns=1)
    env.reset(seed=3)
    while not env.terminations["player_0"]:
        env.step(legal_in(env.last()[0]["action_mask"])[0])
    info = env.infos["player_0"]
    assert info["end"] == "too long"
    assert env.truncations == dict.fromkeys(env.agents, False)
    assert sum(env.rewards.values()) == pytest.approx(0)


@pytest.mark.parametrize("action", [3, 66, 67, -1, 10**30, 1.5, None, "7H", np.int8(3)])
@pytest.mark.parametrize("make", MAKERS)
def test_illegal_actions_are_named_and_change_nothing(make, action):
    env, witness = make(num_players=3), make(num_players=3)
    for each in (env, witness):
        each.reset(seed=5)
    with pytest.raises(IllegalActionError, match=r"seat 0: .*(illegal; legal are|is not the number of an action)"):
        env.step(action)
    assert play_on(env, np.random.default_rng(1)) == play_on(witness, np.random.default_rng(1))


def test_after_the_end_only_none_is_a_step_and_then_a_reset():
    env = maumau_v0.raw_env(num_players=2)
    env.reset(seed=1)
    while not any(env.terminations.values()):
        env.step(legal_in(env.last()[0]["action_mask"])[0])
    with pytest.raises(ValueError, match="the only valid action is None"):
        env.step(64)
    env.step(None)
    env.step(None)
    with pytest.raises(RuntimeError, match="call reset"):
        env.step(None)


def test_pettingzoos_terminate_illegal_wrapper_fits():
    env = TerminateIllegalWrapper(maumau_v0.raw_env(num_players=3), illegal_reward=-1)
    env.reset(seed=5)
    env.step(3)
    rewards = {}
    for agent in env.agent_iter():
        rewards[agent] = env.last()[1]
        env.step(None)
    assert rewards == {"player_0": -1, "player_1": 0, "player_2": 0}


@pytest.mark.parametrize("decisions", [0, 1, 25, 10**6])
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("make", MAKERS)
def test_copies_go_on_exactly_as_the_original(make, copied, decisions):
    env = make(num_players=3, mau="call", ace="again")
    twin = copied(env)  # before the first reset too
    env.reset(seed=8)
    twin.reset(seed=8)
    generator = np.random.default_rng(2)
    play_on(env, generator, decisions)
    play_on(twin, np.random.default_rng(2), decisions)
    other = copied(env)
    for each in (env, other):
        each.action_space("player_1").seed(4)
    state = generator.bit_generator.state
    ends = []
    for each in (env, twin, other):
        generator.bit_generator.state = state
        ends.append(play_on(each, generator))
        each.reset()  # the next round of the same seed
        ends[-1] += play_on(each, generator)
    assert ends[0] == ends[1] == ends[2]


def test_agents_is_no_list_that_anything_else_counts_on():
    env = maumau_v0.raw_env(num_players=4)
    env.reset(seed=1)
    env.agents.remove("player_1")
    assert env.possible_agents == [f"player_{seat}" for seat in range(4)]
    env.reset(seed=1)
    assert env.agents == env.possible_agents


def test_the_same_seed_deals_the_same_rounds_and_the_next_ones_follow():
    def rounds(seed):
        env = maumau_v0.raw_env()
        env.reset(seed=seed)
        deals = [env.game["hands"].tolist()]
        for _ in range(3):
            env.reset()
            deals.append(env.game["hands"].tolist())
        return deals

    assert rounds(7) == rounds(7)
    assert len({str(deal) for deal in rounds(7) + rounds(8)}) == 8
    assert rounds(None) != rounds(None)


@pytest.mark.parametrize("seed", [-1, 1 << 64])
def test_impossible_seeds_are_refused(seed):
    with pytest.raises(ValueError, match="a seed is a whole number"):
        maumau_v0.raw_env().reset(seed=seed)


def test_a_bot_plays_in_one_line():
    env, bot = maumau_v0.env(num_players=2), Lowest()
    env.reset(seed=42)
    while not any(env.terminations.values()):
        before = legal_in(env.last()[0]["action_mask"])[0]
        env.step(bot.choose(env.unwrapped.view(env.agent_selection)))
        assert env.unwrapped._table._actions[-1] == before
    with pytest.raises(ValueError, match="no agent called 'player_7' is playing: there are player_0, player_1"):
        env.unwrapped.view("player_7")


@every_mixture
def test_records_bear_out_the_round(options):
    env = maumau_v0.env(num_players=3, **options)
    env.reset(seed=4)
    env.reset()
    assert env.unwrapped.record().end == "running"
    play_on(env, np.random.default_rng(4))
    record = env.unwrapped.record()
    assert record.players == ["player_0", "player_1", "player_2"]
    last = replay(record)[-1]
    assert last["hands"].tolist() == env.unwrapped.game["hands"][0].tolist()


# ---- what is said and shown ----------------------------------------------------------------------------------------


def said(env, actions):
    """What every seat is saying after each of these actions."""
    heard = []
    for action in actions.split():
        env.step(action_number(action))
        heard.append(env.infos["player_0"]["announcements"])
        assert {info["announcements"] for info in env.infos.values()} == {heard[-1]}
    return heard


def test_c15_auto_announces_mau_at_one_card_and_mau_mau_at_the_win():
    env = env_at(set_up(Rules(), [["QC", "QD"], ["KC", "KD", "10D"]], ["9C"], ["7H", "8H"]))
    assert said(env, "QC KC draw KD QD 10D") == [
        ("Mau!", ""),
        ("Mau!", ""),
        ("", ""),
        ("", "Mau!"),
        ("Mau!", "Mau!"),
        ("Mau!", "Mau-Mau!"),
    ]


def test_c15_called_mau_is_heard_until_the_hand_changes():
    rules = Rules(mau="call")
    env = env_at(set_up(rules, [["QC", "QD"], ["KC", "QH", "10D"]], ["9C"], ["7H", "8H"]))
    heard = said(env, "mau QC QH QD")
    assert heard == [("Mau!", ""), ("Mau!", ""), ("Mau!", ""), ("Mau-Mau!", "")]


def test_c15_without_the_call_nothing_is_heard():
    rules = Rules(mau="call")
    env = env_at(set_up(rules, [["QC", "QD"], ["KC", "QH", "10D"]], ["9C"], ["7H", "8H"]))
    assert said(env, "QC QH") == [("", ""), ("", "")]


@every_table
def test_rendering_follows_every_move_without_a_display(players, monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    env = maumau_v0.env(num_players=players, render_mode="ansi")
    env.reset(seed=6)
    pictures = [env.render()]
    while not any(env.terminations.values()):
        mover = env.agent_selection
        env.step(legal_in(env.last()[0]["action_mask"])[0])
        pictures.append(env.render())
        assert f"Last move: {mover} " in pictures[-1]
    assert len(set(pictures)) == len(pictures)
    assert "Mau-Mau!" in pictures[-1]


def test_rendering_without_a_mode_warns_and_draws_nothing():
    env = maumau_v0.env()
    env.reset()
    with pytest.warns(UserWarning, match="render_mode"):
        assert env.render() is None
