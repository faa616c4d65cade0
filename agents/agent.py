"""What an agent is: a function from views to actions, always in batches, with the chance it may use handed to it.

    class Mine(Agent):
        def act(self, views, words):
            ...

`views` is an array of VIEWs (`maumau_env/seat/view.py`), one for each decision, from as many games at once as the
caller likes; `words` holds one random uint64 for each of them. An agent keeps no state between calls and has no
generator of its own, so what it does depends on the view and the word alone: not on the size of the batch, on the
games beside it, or on the number of processes.
"""

from abc import ABC, abstractmethod

import numpy as np

from maumau_env.game.actions import NUM_ACTIONS
from maumau_env.game.bits import scrambled
from maumau_env.game.rules import MIN_PLAYERS, Rules

TRIES = 64
"""How many decisions on one view say how an agent decides there by chance."""


class Agent(ABC):
    """Plays any seat of any game that its rules allow."""

    slow = False
    """Whether a move takes milliseconds or more, so that games are played in small portions."""

    def __init__(self, seed: int = 0) -> None:
        self._word = scrambled(seed)

    @abstractmethod
    def act(self, views: np.ndarray, words: np.ndarray) -> np.ndarray:
        """A legal action for every view.

        Args:
            views: VIEWs of the seats to move, shape (n,).
            words: uint64, shape (n,): the chance of each decision.

        Returns:
            Action numbers, int64, shape (n,).
        """

    def choose(self, view: np.ndarray) -> int:
        """One decision: the action for a view such as `env.unwrapped.view(agent)`, by the agent's own seed."""
        self._word = scrambled(self._word)
        return int(self.act(view.reshape(1), np.array([self._word], np.uint64))[0])

    def probabilities(self, views: np.ndarray) -> np.ndarray:
        """How probable each action is for every view.

        As `act` tells it, asked 64 times with different words: exact for an agent without chance, for others an
        estimate. Agents that know their probabilities override this.

        Args:
            views: VIEWs of the seats to move, shape (n,).

        Returns:
            float64, shape (n, NUM_ACTIONS): rows that sum to 1, zero for illegal actions.
        """
        shares = np.zeros((len(views), NUM_ACTIONS), np.float64)
        rows = np.arange(len(views))
        for word in range(TRIES):
            words = np.full(len(views), scrambled(word), np.uint64)
            shares[rows, self.act(views, words)] += 1 / TRIES
        return shares

    def check_table(self, rules: Rules, num_players: int) -> None:
        """Raise ValueError when this agent cannot play under these rules or with so many players; most can."""
        rules.check_players(num_players)

    def check_game(self, rules: Rules, num_players: int, penalty_limit: int | None) -> None:
        """`check_table` for every table of a round or, with a limit, of a match, in which players go out."""
        for players in [num_players] if penalty_limit is None else range(num_players, MIN_PLAYERS - 1, -1):
            self.check_table(rules, players)


class Cheat(Agent):
    """An agent that is shown the truth, to measure what there is to know. Only the arena asks one, by `act_on`."""

    def act(self, views: np.ndarray, words: np.ndarray) -> np.ndarray:
        """ValueError: it is no use showing it a view."""
        raise ValueError(f"{type(self).__name__} {SEES_ALL}")

    @abstractmethod
    def act_on(self, games: np.ndarray, words: np.ndarray) -> np.ndarray:
        """A legal action for the seat to move of every game, which it must not change.

        Args:
            games: GAMEs that are running, shape (n,), as `maumau_env/game/state.py` says.
            words: uint64, shape (n,): the chance of each decision.

        Returns:
            Action numbers, int64, shape (n,).
        """


SEES_ALL = "sees all hands: it is for measuring in evaluate.py, and plays nowhere else"
"""Why an agent that cheats is refused."""
