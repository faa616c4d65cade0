"""A bot as it is asked for in studies: whatever goes wrong with it is told under the name that the user gave it."""

import numpy as np

from agents.agent import SEES_ALL, Agent, Cheat
from agents.arena import Entrant, check_bots
from agents.errors import AgentError
from agents.table import describe, make
from maumau_env.game.actions import NUM_ACTIONS
from maumau_env.game.batch import illegal_action, step_kernel
from maumau_env.game.rules import Rules
from maumau_env.game.state import raw


class Bot:
    """An agent under the name that the user gave it.

    Args:
        name: as in `agents.make`.
        agent: that one instead of the one that `make` finds.

    Raises:
        AgentError: there is no such bot, or it is one that sees all hands.
    """

    def __init__(self, name: str, agent: Agent | None = None) -> None:
        self.name, self.agent = name, agent or make(name)
        if isinstance(self.agent, Cheat):
            raise AgentError(f"{name} {SEES_ALL}")

    def check_game(self, rules: Rules, players: int, penalty_limit: int | None = None) -> None:
        """ValueError when it cannot play at such a table, or in such a match."""
        check_bots([Entrant(self.name, self.agent)], rules, players, penalty_limit)

    def act(self, views: np.ndarray, words: np.ndarray) -> np.ndarray:
        """As `Agent.act`; AgentError when it fails."""
        try:
            actions = np.asarray(self.agent.act(views, words))
        except Exception as error:
            raise AgentError(f"{self.name} failed: {describe(error)}") from error
        if actions.shape != (len(views),) or actions.dtype.kind not in "iu":
            raise AgentError(f"{self.name} answered {len(views)} views with {actions.dtype} of shape {actions.shape}")
        return actions

    def probabilities(self, view: np.ndarray) -> np.ndarray:
        """Of each action for one VIEW, shape (1,): float64, (NUM_ACTIONS,); AgentError when it fails."""
        try:
            shares = np.asarray(self.agent.probabilities(view))
        except Exception as error:
            raise AgentError(f"{self.name} failed: {describe(error)}") from error
        if shares.shape != (1, NUM_ACTIONS):
            raise AgentError(f"{self.name} gave probabilities of shape {shares.shape}, not (1, {NUM_ACTIONS})")
        return shares[0]

    def carry_out(self, games: np.ndarray, actions: np.ndarray) -> None:
        """Its actions, int64, (n,), in every one of the GAMEs that is running; AgentError for an illegal one."""
        if (wrong := step_kernel(raw(games), actions.astype(np.int64))) >= 0:
            raise AgentError(illegal_action(games[wrong], actions[wrong], f"{self.name}: "))
