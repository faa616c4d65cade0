"""Mau-Mau for PettingZoo: a whole match, 2 to 5 players, rounds until one is left.

    from maumau_env import match_v0

    env = match_v0.env(rules="match", num_players=4, penalty_limit=100)
    env.reset(seed=42, options={"joins": {3: ["player_4"]}})
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        action = None if terminated or truncated else env.action_space(agent).sample(observation["action_mask"])
        env.step(action)

The arguments are those of `MatchAEC`. An illegal action raises IllegalActionError and changes nothing.
"""

from typing import Any

from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from maumau_env.envs.match import MatchAEC

__all__ = ["env", "raw_env"]

raw_env = MatchAEC
"""The environment without a guard against calls in the wrong order, and faster for it."""


def env(*args: Any, **kwargs: Any) -> OrderEnforcingWrapper:
    """The environment as most should use it, wrapped as `maumau_v0.env` is and for its reasons."""
    return OrderEnforcingWrapper(raw_env(*args, **kwargs))
