"""The Gymnasium environment, by Gymnasium's and stable-baselines3's own checks and by ours."""

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from envtools import MIXTURES, Lowest, Outlaw, legal_in
from gymnasium.utils.env_checker import check_env

import maumau_env
from maumau_env.envs.solo import MauMauEnv
from maumau_env.game import batch
from maumau_env.game.actions import ACTION_NAMES, actions_in
from maumau_env.game.batch import IllegalActionError
from maumau_env.game.record_check import replay
from maumau_env.game.rules import Rules

NAME = "maumau/MauMau-v0"
every_mixture = pytest.mark.parametrize("options", MIXTURES, ids=str)


def play(env, generator, rounds=1, seed=None):
    """Play rounds at random; everything that was seen."""
    seen = []
    for number in range(rounds):
        observation, info = env.reset(seed=seed if number == 0 else None)
        terminated = False
        while not terminated:
            seen.append((observation.tobytes(), legal_in(info["action_mask"]), info["announcements"]))
            action = generator.choice(legal_in(info["action_mask"]))
            observation, reward, terminated, truncated, info = env.step(action)
            assert not truncated
        seen.append((observation.tobytes(), reward, info["end"], info["ranking"], info["seat"]))
    return seen


# ---- the checks of others ------------------------------------------------------------------------------------------
# They sample any action, also illegal ones.


@pytest.mark.parametrize("options", [{}, {"opponents": ["random", "heuristic"], "rules": "match", "seat": 1}])
def test_gymnasium_check_env(options, monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setitem(MauMauEnv.metadata, "render_fps", 1000)
    check_env(gymnasium.make(NAME, **options).unwrapped)


def test_stable_baselines3_check_env():
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    checker.check_env(gymnasium.make(NAME, render_mode="ansi"), skip_render_check=False)


# ---- making it -----------------------------------------------------------------------------------------------------


def test_the_package_registers_it_by_name():
    assert maumau_env.__name__ in gymnasium.spec(NAME).entry_point
    env = gymnasium.make(NAME, opponents=["random", "heuristic"], ace="skip").unwrapped
    assert str(env.rules) == "classic, ace=skip"
    assert [type(bot).__name__ for bot in env.opponents] == ["Random", "Heuristic"]


def test_one_bot_takes_every_other_seat():
    assert len(gymnasium.make(NAME).unwrapped.opponents) == 1
    first, *others = MauMauEnv(opponents="random", num_players=5).opponents
    assert len(others) == 3
    assert all(bot is first for bot in others)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"opponents": "grandma"}, "no bot is called 'grandma'"),
        ({"opponents": [3]}, "3 is no opponent: give the name of a bot or an agents.Agent"),
        ({"opponents": ["random"], "num_players": 4}, "1 opponents for 4 players: give 3"),
        ({"opponents": []}, "1 players: a table seats 2 to 5"),
        ({"num_players": 6}, "6 players: a table seats 2 to 5"),
        ({"seat": 2}, 'seat=2: it is "random" or 0 to 1'),
        ({"illegal": "ignore"}, "illegal='ignore': there are lose, error"),
        ({"reward": "money"}, "no reward is called 'money'"),
        ({"acee": "skip"}, "no option is called 'acee', perhaps ace"),
        ({"observation_seats": 1}, "an observation with 1 seats: it has 2 to 5"),
        ({"render_mode": "smoke"}, "render_mode='smoke'"),
    ],
)
def test_wrong_arguments_are_refused_by_name(arguments, message):
    with pytest.raises(ValueError, match=message):
        MauMauEnv(**arguments)


def test_before_reset_and_after_the_end_a_reset_is_asked_for():
    env = MauMauEnv(opponents=Lowest())
    for use in (lambda: env.step(0), env.render, env.view, env.record, env.action_masks):
        with pytest.raises(RuntimeError, match="call reset"):
            use()
    play(env, np.random.default_rng(1))
    with pytest.raises(RuntimeError, match="call reset"):
        env.step(0)
    assert not env.action_masks().any()


# ---- playing it ----------------------------------------------------------------------------------------------------


@every_mixture
@pytest.mark.parametrize("players", range(2, 6))
def test_steps_lead_from_decision_to_decision_with_all_reward_between(options, players):
    env = MauMauEnv(opponents=Lowest(), num_players=players, **options)
    seats = set()
    for seed in range(8):
        _, info = env.reset(seed=seed)
        seats.add(info["seat"])
        terminated = False
        while not terminated:
            view = env.view()[0]
            assert view["to_move"] == 0
            assert legal_in(env.action_masks()) == legal_in(info["action_mask"]) == actions_in(view["legal"])
            observation, reward, terminated, _, info = env.step(legal_in(info["action_mask"])[0])
            assert observation in env.observation_space
            assert terminated or reward == 0
        rank, ties = info["ranking"][info["seat"]], info["ranking"].count(info["ranking"][info["seat"]])
        assert reward == pytest.approx(1 - 2 * (rank - 1 + (ties - 1) / 2) / (players - 1))
        assert not info["action_mask"].any()
        check_played_by_the_lowest(env.record())
    assert len(seats) > 1  # the learner does not always sit in the same place


def check_played_by_the_lowest(record):
    """Every seat, the learner's too, took the first legal action: nothing was played for anybody."""
    games = replay(record)
    for game, (seat, name) in zip(games, record.moves, strict=False):
        assert game["seat"] == seat
        lowest = actions_in(batch.legal(game.reshape(1))[0])[0]
        assert ACTION_NAMES[lowest] == name


@pytest.mark.parametrize("seat", range(4))
def test_the_learner_sits_where_it_is_told(seat):
    env = MauMauEnv(opponents="random", num_players=4, seat=seat)
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(5)} == {seat}


def test_opponents_sit_clockwise_from_the_learner():
    env = MauMauEnv(opponents=[Lowest(), Outlaw()], seat=1)
    with pytest.raises(IllegalActionError, match=r"the opponent Outlaw: seat 0: action 66 \(mau\) is illegal"):
        env.reset(seed=1)  # seat 0 is the second one clockwise from seat 1


def test_a_round_that_ends_before_the_learner_moves_is_dealt_anew():
    env = MauMauEnv(opponents="random", seat=1, hand_size=1)
    for seed in range(30):
        env.reset(seed=seed)
        assert env.action_masks().any()
    with pytest.raises(ValueError, match="seat 1 never comes to move"):
        MauMauEnv(opponents="random", seat=1, max_turns=1).reset(seed=1)


def test_illegal_actions_may_be_an_error_that_names_them_and_changes_nothing():
    env, witness = (MauMauEnv(opponents="random", seat=0, illegal="error") for _ in range(2))
    for each in (env, witness):
        each.reset(seed=5)
    for action in (66, 67, -1, 1.5, None):
        with pytest.raises(IllegalActionError, match="seat 0"):
            env.step(action)
    assert env.view().tobytes() == witness.view().tobytes()
    action = legal_in(env.action_masks())[0]
    assert str(env.step(action)) == str(witness.step(action))


def test_illegal_actions_lose_and_say_why():
    env = MauMauEnv(opponents="random", seat=0)
    first, _ = env.reset(seed=5)
    observation, reward, terminated, truncated, info = env.step(66)
    assert (reward, terminated, truncated) == (-1, True, False)
    assert (observation == first).all()
    assert "seat 0: action 66 (mau) is illegal; legal are" in info["illegal_action"]
    assert not info["action_mask"].any()


@every_mixture
def test_the_same_seed_plays_the_same_rounds(options):
    def rounds(seed):
        env = MauMauEnv(opponents=["random", "heuristic"], **options)
        return play(env, np.random.default_rng(3), rounds=4, seed=seed)

    assert rounds(1) == rounds(1)
    assert rounds(1) != rounds(2)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_go_on_exactly_as_the_original(copied):
    env = MauMauEnv(opponents=["random", "heuristic"])
    _, info = env.reset(seed=9)
    env.step(legal_in(info["action_mask"])[0])
    twin = copied(env)
    steps = [[], []]
    for each, seen in zip((env, twin), steps, strict=True):
        generator, terminated = np.random.default_rng(1), False
        while not terminated:
            result = each.step(generator.choice(legal_in(each.action_masks())))
            seen.append((result[0].tobytes(), str(result[1:])))
            terminated = result[2]
        seen.extend(play(each, generator, rounds=2))
    assert steps[0] == steps[1]


def test_rules_may_be_given_as_rules():
    rules = Rules.of("match", hand_size=9)
    assert MauMauEnv(opponents="random", rules=rules, ace="skip").rules == rules.replace(ace="skip")
