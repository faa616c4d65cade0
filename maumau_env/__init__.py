"""Mau-Mau for learning machines.

    from maumau_env import maumau_v0                    # PettingZoo
    pettingzoo.make("aec", "maumau/maumau-v0")          # the same, from its registry
    from maumau_env import match_v0                     # PettingZoo: a whole match
    gymnasium.make("maumau/MauMau-v0", opponents=...)   # Gymnasium: one learner among bots

Importing this package registers the environments by name; what they need is loaded when they are made.
"""

import gymnasium
import pettingzoo

pettingzoo.register("aec", "maumau/maumau-v0", entry_point="maumau_env.maumau_v0:env")
pettingzoo.register("aec", "maumau/match-v0", entry_point="maumau_env.match_v0:env")
gymnasium.register("maumau/MauMau-v0", entry_point="maumau_env.envs.solo:MauMauEnv")
