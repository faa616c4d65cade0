"""The same measurements on other people's games, for whichever packages are installed (the extra `benchmark`).

Each function plays whole rounds at random until a number of decisions is reached and returns how many there were; the
caller times it. Seeds are fixed and every game has four players, as far as the game allows.
"""

import importlib.util
import random
from collections.abc import Callable
from functools import cache
from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

PLAYERS = 4
ACTIONS = 67


class EmptyEnv(AECEnv):
    """An AEC environment in which nothing happens: four agents in turn, every action legal, a round of 80 decisions."""

    metadata = {"name": "empty_v0", "render_modes": [], "is_parallelizable": False}  # noqa: RUF012 (PettingZoo's own way)

    def __init__(self) -> None:
        super().__init__()
        self.render_mode = None
        self.possible_agents = [f"player_{seat}" for seat in range(PLAYERS)]
        vector = gymnasium.spaces.Box(0, 1, (1,), np.float32)
        mask = gymnasium.spaces.Box(0, 1, (ACTIONS,), np.int8)
        space = gymnasium.spaces.Dict({"observation": vector, "action_mask": mask})
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = dict.fromkeys(self.possible_agents, gymnasium.spaces.Discrete(ACTIONS))
        self.seen = {"observation": np.zeros(1, np.float32), "action_mask": np.ones(ACTIONS, np.int8)}

    def observation_space(self, agent: str) -> gymnasium.spaces.Space:
        """The same for all."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space:
        """The same for all."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """Always the same."""
        return self.seen

    def reset(self, seed: int | None = None, options: dict | None = None) -> None:
        """Begin again."""
        self.agents = self.possible_agents[:]
        self.agent_selection = self.agents[0]
        self.decisions = 0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}

    def step(self, action: int | None) -> None:
        """The next agent's turn."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self.decisions += 1
        self.agent_selection = self.agents[self.decisions % PLAYERS]
        if self.decisions == 80:
            self.terminations = dict.fromkeys(self.agents, True)
            self._deads_step_first()

    def wrapped(self) -> AECEnv:
        """In the wrappers that PettingZoo's own card games use."""
        env = wrappers.TerminateIllegalWrapper(self, illegal_reward=-1)
        return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))


def installed() -> dict[str, Callable[[int], int]]:
    """The rivals that can be measured here, by name."""
    rivals = {
        "OpenSpiel crazy_eights, its own C++ loop": ("pyspiel", openspiel_rollouts),
        "OpenSpiel crazy_eights, from Python with observation": ("pyspiel", openspiel_observed),
        "RLCard uno (2 players)": ("rlcard", rlcard_uno),
        "PettingZoo leduc_holdem, unwrapped (2 players)": ("rlcard", leduc_holdem),
    }
    return {name: run for name, (package, run) in rivals.items() if importlib.util.find_spec(package)}


@cache
def crazy_eights() -> Any:
    """The game object; made once."""
    import pyspiel

    return pyspiel.load_game(f"crazy_eights(players={PLAYERS})")


def _dealt(rng: random.Random) -> Any:
    state = crazy_eights().new_initial_state()
    while state.is_chance_node():
        state.apply_action(rng.choice(state.legal_actions()))
    return state


@cache
def decisions_per_round() -> float:
    """Mean number of decisions of a random round after the deal, over 2,000 of OpenSpiel's own."""
    import pyspiel

    rng = random.Random(0)
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(PLAYERS)]
    decisions = 0
    for number in range(2000):
        state = _dealt(rng)
        dealt = len(state.full_history())
        pyspiel.evaluate_bots(state, bots, number)
        decisions += sum(move.player >= 0 for move in state.full_history()[dealt:])
    return decisions / 2000


def openspiel_rollouts(decisions: int) -> int:
    """Random rounds inside OpenSpiel: the rollouts with which its tree search values a position, from C++ to C++."""
    import pyspiel

    rollouts = max(1, round(decisions / decisions_per_round() / 10))
    rng = random.Random(1)
    for seed in range(10):
        evaluator = pyspiel.RandomRolloutEvaluator(rollouts, seed)
        pyspiel.MCTSBot(crazy_eights(), evaluator, 2.0, 1, 100, False, seed, False).step(_dealt(rng))
    return round(10 * rollouts * decisions_per_round())


def openspiel_observed(decisions: int) -> int:
    """A Python loop that asks for the observation and the legal actions of every decision."""
    rng, played = random.Random(2), 0
    while played < decisions:
        state = _dealt(rng)
        while not state.is_terminal():
            if not state.is_chance_node():
                state.observation_tensor()
                played += 1
            state.apply_action(rng.choice(state.legal_actions()))
    return played


def rlcard_uno(decisions: int) -> int:
    """RLCard's own step loop; its game has two players whatever is asked for."""
    import rlcard

    env, rng, played = rlcard.make("uno", config={"seed": 3}), random.Random(3), 0
    while played < decisions:
        state, _ = env.reset()
        while not env.is_over():
            state, _ = env.step(rng.choice(list(state["legal_actions"])))
            played += 1
    return played


def leduc_holdem(decisions: int) -> int:
    """PettingZoo's leduc_holdem, `raw_env`, through agent_iter."""
    from pettingzoo.classic import leduc_holdem_v4

    return agent_iter_loop(leduc_holdem_v4.raw_env(), decisions)


def agent_iter_loop(env: Any, decisions: int) -> int:
    """The usual AEC loop with a random legal action for every decision; returns how many decisions there were."""
    rng, played = random.Random(4), 0
    env.reset(seed=4)
    while played < decisions:
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                action = None
            else:
                legal = observation["action_mask"].nonzero()[0]
                action = legal[int(rng.random() * len(legal))]
                played += 1
            env.step(action)
        env.reset()
    return played
