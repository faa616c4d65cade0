"""Matches in the `VecEnv`: what its learner is told, by the referee."""

import numpy as np
import pytest
from envtools import Lowest
from match_referee import MatchReferee
from test_match_agreement import follow, named
from test_match_batch import LIMIT, QUICK, every_reward, every_table, rewards_of, winners_of

from agents.agent import Agent
from agents.selfplay import SelfPlay
from agents.tables import Tables
from maumau_env.game import batch
from maumau_env.game.actions import actions_in
from maumau_env.game.match import open_matches
from maumau_env.game.record import Recorder
from maumau_env.game.result import PLACEMENT
from maumau_env.game.rules import MAX_PLAYERS, Rules
from maumau_env.game.state import RUNNING
from maumau_env.seat.encode import Layout, observations
from maumau_env.seat.single import begin_match_at, close_round_at, game_on, new_table, next_round_at
from maumau_env.seat.view import view_of, views


class Highest(Agent):
    """Takes the legal action with the highest number."""

    def act(self, views: np.ndarray, words: np.ndarray) -> np.ndarray:
        return np.array([actions_in(legal)[-1] for legal in views["legal"]])


BOTS = (Lowest(), Highest(), Lowest(), Highest())
"""Opponents, clockwise from the learner."""


def vec_env(games: int, players: int, preset: str = "classic", limit: int = LIMIT, **options):
    pytest.importorskip("stable_baselines3")
    from maumau_env.envs.vec import MauMauVecEnv

    return MauMauVecEnv(games, BOTS[: players - 1], QUICK[preset], penalty_limit=limit, seed=7, **options)


def lowest(env) -> np.ndarray:
    return env.action_masks().argmax(axis=1)


def play_round(game: np.ndarray, learner: int, players: int):
    """A round in which the learner takes the lowest action and the others sit around him; its record, and who moved."""
    agents = game["agents"][0, : game["num_players"][0]].tolist()
    recorder, movers = Recorder(game, named(agents)), []
    while game["end"][0] == RUNNING:
        movers.append(agents[game["seat"][0]])
        bot = BOTS[(movers[-1] - learner) % players - 1] if movers[-1] != learner else Lowest()
        recorder.note(bot.act(views(game), np.zeros(1, np.uint64))[0])
        batch.step(game, np.array(recorder.actions[-1:]))
    return recorder.record(), movers


class Lane:
    """One game of the `VecEnv`, played apart, by the verbs of a single game and with the referee of each match."""

    def __init__(self, env, lane: int, reward: str) -> None:
        self.rules, self.players, self.reward = env.rules, env.num_players, reward
        self.table = new_table(open_matches(env.rules, env.num_players, LIMIT, 7, 1, lane))
        self.game = game_on(self.table)
        self.learner = lane % env.num_players
        self.begin()

    def begin(self) -> None:
        self.referee = MatchReferee(self.rules.as_dict(), self.players, LIMIT)
        self.decisions, self.paid = 0, 0.0

    def episodes(self, count: int) -> list[tuple]:
        """What is told of the next episodes of the learner."""
        told = []
        while len(told) < count:
            record, movers = play_round(self.game, self.learner, self.players)
            follow(self.referee, record)
            close_round_at(self.table, PLACEMENT, np.zeros(MAX_PLAYERS))
            self.decisions += movers.count(self.learner)
            self.paid += float(rewards_of(self.referee, self.reward, self.players)[self.learner])
            finished = self.learner in (*self.referee.out, *winners_of(self.referee))
            if finished and self.decisions:
                told.append(self.episode(record.end))
            if finished or not self.decisions:  # a match in which the learner has not moved in the first round is none
                begin_match_at(self.table, int(self.game["episode"][0]) + 1)
                self.learner = (self.learner + 1) % self.players
                self.begin()
            else:
                next_round_at(self.table)
                self.referee.next_round()
        return told

    def episode(self, end: str) -> tuple:
        referee, learner = self.referee, self.learner
        better = len(referee.seats) - len(referee.out) if learner in referee.out else 0
        better += sum(referee.points[agent] < referee.points[learner] for agent in referee.out if better)
        clockwise = sorted(referee.seats, key=lambda agent: (agent - learner) % self.players)
        points = [min(referee.table[agent] / LIMIT, 2) for agent in clockwise] + [0] * (self.players - len(clockwise))
        seen = observations(view_of(self.game[0], referee.seats.index(learner)), self.players)[0]
        np.testing.assert_array_equal(
            seen[Layout(self.rules.deck, self.players).slices()["points"]], np.float32(points)
        )
        return self.decisions, end, 1 + better, learner, pytest.approx(self.paid, abs=1e-6), seen.tobytes()


@every_reward
@every_table
@pytest.mark.parametrize("players", [2, 3, 5])
def test_episodes_of_the_vec_env_are_those_of_the_referee(players, preset, reward):
    """They end when the learner is out or wins, are paid and counted over all rounds, and the learner moves on."""
    env = vec_env(5, players, preset, reward=reward)
    told, paid = [[] for _ in range(5)], np.zeros(5)
    env.reset()
    for _ in range(250):
        _, rewards, dones, infos = env.step(lowest(env))
        paid += rewards
        for i in np.flatnonzero(dones):
            info, seen = infos[i], infos[i]["terminal_observation"].tobytes()
            told[i].append((info["episode"]["l"], info["end"], info["rank"], info["seat"], paid[i], seen))
            paid[i] = 0
    ranks = set()
    for i in range(5):
        assert told[i] == Lane(env, i, reward).episodes(len(told[i]))
        ranks |= {rank for _, _, rank, *_ in told[i]}
    assert len(ranks) > 1
    assert 1 in ranks


@every_reward
def test_the_vec_env_tells_the_episode_that_vec_monitor_counts(reward):
    monitor = pytest.importorskip("stable_baselines3.common.vec_env").VecMonitor
    env, monitored = vec_env(8, 3, reward=reward), monitor(vec_env(8, 3, reward=reward))
    env.reset()
    monitored.reset()
    episodes = 0
    for _ in range(150):
        actions = lowest(env)
        infos, counted = env.step(actions)[3], monitored.step(actions)[3]
        for info, other in zip(infos, counted, strict=True):
            assert bool(info) == bool(other)
            if info:
                assert info["episode"]["l"] == other["episode"]["l"]
                assert info["episode"]["r"] == pytest.approx(other["episode"]["r"], abs=1e-5)
                episodes += 1
    assert episodes > 20


def test_a_match_of_the_vec_env_is_the_same_whatever_the_number_of_games():
    def match_of(size):
        env, told = vec_env(size, 4), []
        env.reset()
        for _ in range(100):
            seen, rewards, dones, infos = env.step(lowest(env))
            told.append((seen[2].tobytes(), rewards[2], dones[2], infos[2].get("rank")))
        return told

    assert match_of(3) == match_of(17)


@pytest.mark.parametrize("limit", [0, 10_001, 2.5, True])
def test_impossible_limits_are_refused(limit):
    for make in (
        lambda: vec_env(2, 2, limit=limit),
        lambda: open_matches(Rules(), 2, limit, 0, 1),
        lambda: SelfPlay(Tables(Rules(), [2], {}, limit), games=2, ticks=2, seed=1),
    ):
        with pytest.raises(ValueError, match=f"penalty_limit={limit}: it is a whole number from 1 to 10,000"):
            make()
