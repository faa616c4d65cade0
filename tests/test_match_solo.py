"""Gymnasium's environment with a penalty limit: one learner in a whole match."""

import gymnasium
import numpy as np
import pytest
from envtools import Lowest, legal_in
from gymnasium.utils.env_checker import check_env

import maumau_env  # noqa: F401 (registers)
from maumau_env import match_v0

QUICK = {"classic": {"max_turns": 30}, "match": {"hand_size": 4, "max_turns": 60}}


def make(rules: str, opponents: int, **options):
    bots = [Lowest() for _ in range(opponents)]
    return gymnasium.make("maumau/MauMau-v0", opponents=bots, rules=rules, **QUICK[rules] | options)


def played_apart(rules: str, players: int, seed: int, learner: str, **options):
    """What an agent sees and is paid when everybody takes the lowest action, in the AEC environment."""
    env = match_v0.raw_env(rules, players, observation_seats=players, **QUICK[rules] | options)
    env.reset(seed=seed)
    seen, paid = [], 0.0
    for agent in env.agent_iter():
        observation, reward, terminated, _, info = env.last()
        if agent == learner:
            paid += reward
            if terminated:
                return seen, observation["observation"], paid, info
            seen.append(observation["observation"].tobytes())
        env.step(None if terminated else legal_in(observation["action_mask"])[0])
    raise AssertionError(f"{learner} never finished")


@pytest.mark.parametrize("reward", ["placement", "points"])
@pytest.mark.parametrize("rules", QUICK)
@pytest.mark.parametrize("players", [2, 3, 5])
def test_an_episode_is_the_match_as_its_learner_sees_it(players, rules, reward):
    env = make(rules, players - 1, penalty_limit=40, reward=reward)
    ended_early = 0
    for seed in range(8):
        observation, info = env.reset(seed=seed)
        learner, deal = f"player_{info['seat']}", env.unwrapped.record().seed
        seen, paid, over = [], 0.0, False
        while not over:
            seen.append(observation.tobytes())
            observation, earned, over, truncated, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
            assert not truncated
            paid += earned
        expected, last, worth, told = played_apart(rules, players, deal, learner, penalty_limit=40, reward=reward)
        assert seen == expected
        assert observation.tobytes() == last.tobytes()
        assert paid == pytest.approx(worth)
        assert info["ranking"][info["seat"]] == told["placement"]
        assert info["last_round"] == told["last_round"]
        assert not info["action_mask"].any()
        ended_early += "ranking" not in told
    assert (ended_early > 0) == (players > 2)  # the others would have played on


def test_gymnasiums_own_checks_pass_in_matches(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    check_env(make("classic", 2, penalty_limit=30).unwrapped)


def test_a_single_round_says_nothing_of_a_match():
    env = make("classic", 2)
    _, info = env.reset(seed=1)
    assert "last_round" not in info
    with pytest.raises(ValueError, match="penalty_limit=0"):
        make("classic", 2, penalty_limit=0)
