"""Gymnasium's environment with a penalty limit: one learner in a whole match."""

import gymnasium
import numpy as np
import pettingzoo
import pytest
from envtools import Lowest, legal_in
from gymnasium.utils.env_checker import check_env

import maumau_env  # noqa: F401 (registers)
from maumau_env import match_v0

QUICK = {"classic": {"max_turns": 30}, "match": {"hand_size": 4, "max_turns": 60}}


def make(rules: str, opponents: int, bot: type = Lowest, **options):
    bots = [bot() for _ in range(opponents)]
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
        records = env.unwrapped.records()
        assert [record.match.round for record in records] == [*range(1, info["round"] + 1)]
        assert records[-1].match.table == info["last_round"]["table"]
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


def test_a_single_round_has_one_record_when_it_is_over():
    env = make("classic", 2)
    _, info = env.reset(seed=1)
    assert env.unwrapped.records() == []
    over = False
    while not over:
        _, _, over, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
    assert env.unwrapped.records() == [env.unwrapped.record()]


def test_a_match_whose_first_round_ends_without_the_learner_is_dealt_anew():
    env = make("classic", 2, penalty_limit=30, seat=2, hand_size=1)
    for seed in range(60):
        _, info = env.reset(seed=seed)
        assert (info["round"], info["last_round"]) == (1, None)


def test_announcements_belong_to_the_seats_that_the_info_names():
    env, smaller = make("classic", 2, penalty_limit=30), 0
    for seed in range(10):
        _, info = env.reset(seed=seed)
        over = False
        while not over:
            assert len(info["announcements"]) == len(info["seats"])
            assert f"player_{info['seat']}" in info["seats"]
            smaller += len(info["seats"]) == 2
            _, _, over, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
    assert smaller > 0


class OnlyThree(Lowest):
    """Plays at tables of three alone."""

    def check_table(self, rules, num_players):
        if num_players != 3:
            raise ValueError(f"not at a table of {num_players}")


def test_opponents_must_be_able_to_play_the_smaller_tables_of_a_match():
    make("classic", 2, bot=OnlyThree)
    with pytest.raises(ValueError, match="not at a table of 2"):
        make("classic", 2, bot=OnlyThree, penalty_limit=40)


@pytest.mark.parametrize("key", ["joins", "leaves"])
def test_agents_join_and_leave_in_the_aec_environment_alone(key):
    env = make("classic", 2, penalty_limit=40)
    with pytest.raises(ValueError, match=f"reset\\(\\) knows no option '{key}' here"):
        env.reset(options={key: {2: ["player_3"]}})


def test_the_match_is_in_pettingzoos_registry():
    env = pettingzoo.make("aec", "maumau/match-v0", rules="classic", num_players=3, penalty_limit=20)
    env.reset(seed=1)
    assert env.unwrapped.penalty_limit == 20
    assert env.agents == ["player_0", "player_1", "player_2"]
    assert env.possible_agents == [f"player_{number}" for number in range(5)]


def test_the_heading_tells_round_limit_who_is_out_and_who_has_won():
    env = make("classic", 2, penalty_limit=30, render_mode="ansi")
    headings = []
    for seed in range(6):
        _, info = env.reset(seed=seed)
        over = False
        while not over:
            heading = env.render().splitlines()[0]
            gone = [f"player_{number}" for number in range(3) if f"player_{number}" not in info["seats"]]
            assert heading == f"Round {info['round']}, limit 30" + (f", out: {gone[0]}" if gone else "")
            headings.append(bool(gone))
            _, _, over, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        if min(info["ranking"]) == 1 and info["ranking"].count(1) == 1:
            winner = info["ranking"].index(1)
            assert env.render().splitlines()[0] == f"Round {info['round']}, limit 30: player_{winner} won the match"
    assert any(headings)
