"""Mau-Mau for PettingZoo: one round, 2 to 5 players.

    from maumau_env import maumau_v0

    env = maumau_v0.env(rules="classic", num_players=4, ace="skip")
    env.reset(seed=42)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        action = None if terminated or truncated else env.action_space(agent).sample(observation["action_mask"])
        env.step(action)

The arguments are those of `MauMauAEC`. An illegal action raises IllegalActionError and changes nothing.
"""

from typing import Any

from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from maumau_env.envs.aec import MauMauAEC

__all__ = ["env", "raw_env"]

raw_env = MauMauAEC
"""The environment without a guard against calls in the wrong order, and faster for it."""


def env(*args: Any, **kwargs: Any) -> OrderEnforcingWrapper:
    """The environment as most should use it: `raw_env` in PettingZoo's guard against calls in the wrong order.

    The two other wrappers that are customary in PettingZoo are left out on purpose. The game itself checks every action
    and says what is wrong with it; they would say less (AssertOutOfBoundsWrapper) or end the game
    (TerminateIllegalWrapper, which can still be put around `raw_env` where that is wanted).
    """
    return OrderEnforcingWrapper(raw_env(*args, **kwargs))
