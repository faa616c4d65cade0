"""Small words that the tests of the environments are written in."""

import numpy as np

from agents.agent import Agent
from maumau_env import maumau_v0
from maumau_env.envs.aec import MauMauAEC
from maumau_env.game.actions import actions_in
from maumau_env.game.rules import Rules
from maumau_env.seat.single import new_table

MIXTURES = (
    {},
    {"rules": "match"},
    {"ace": "skip", "draw_then_play": True, "jack_on_jack": False, "win_with_jack": False},
    {"deck": 104, "mau": "call", "play_drawn": False, "final_seven_draws": True},
    {"rules": "match", "ace": "plain", "must_play": True, "max_turns": 40},
    {"hand_size": 6, "cover_special_start": True, "nine_skips_with_two": False, "mau": "call"},
)
"""Keyword arguments of an environment: both presets, and mixtures that use every option."""


class Lowest(Agent):
    """Takes the legal action with the lowest number: no chance in it, so that games can be worked out apart."""

    def act(self, views: np.ndarray, words: np.ndarray) -> np.ndarray:
        return np.array([actions_in(legal)[0] for legal in views["legal"]], np.int64)


class Outlaw(Agent):
    """Always says Mau."""

    def act(self, views: np.ndarray, words: np.ndarray) -> np.ndarray:
        return np.full(len(views), 66)


def legal_in(mask: np.ndarray) -> list[int]:
    return np.flatnonzero(mask).tolist()


def env_at(game: np.ndarray) -> MauMauAEC:
    """An environment at a position: a GAME of shape (1,)."""
    env = maumau_v0.raw_env(Rules.from_record(game["rules"][0]), int(game["num_players"][0]))
    env.reset(seed=0)
    table = env._table
    table._bytes = new_table(game)
    table.seat, table.end = int(game["seat"][0]), int(game["end"][0])
    table.observation, table.mask = table.look(table.seat)
    env.agent_selection = env.possible_agents[table.seat]
    env._inform()
    return env


def play_on(env, generator: np.random.Generator, most: int = 10**9) -> list[tuple]:
    """Play at random, at most so many decisions, and note all that is seen on the way."""
    seen = []
    for agent in env.agent_iter(most):
        observation, reward, terminated, truncated, info = env.last()
        told = [value.tobytes() if isinstance(value, np.ndarray) else value for value in info.values()]
        seen.append((agent, observation["observation"].tobytes(), reward, terminated, truncated, told))
        env.step(None if terminated else int(generator.choice(np.flatnonzero(observation["action_mask"]))))
    return seen
