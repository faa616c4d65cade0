"""The positions at which a tip is weighed: at most one of each game, drawn among all those at which it applies.

They are drawn without a look at what the bot did there, since where it obeyed would be other positions than where it
did not. One of a game, so that they are independent of each other.
"""

from dataclasses import dataclass, field

import numpy as np

from maumau_env.game.state import raw, taken
from maumau_env.seat.view import VIEW
from strategy.games import Decisions


@dataclass
class Positions:
    """Views at which a tip applies, in the order of their games, and a word of chance for each."""

    most: int
    _views: list[np.ndarray] = field(default_factory=list)
    _words: list[np.ndarray] = field(default_factory=list)

    def __len__(self) -> int:
        """How many there are so far."""
        return sum(len(words) for words in self._words)

    def add(self, decisions: Decisions, applies: np.ndarray, words: np.ndarray) -> None:
        """Draw from some more games, by a random uint64 for each decision, until there are enough."""
        rows = np.flatnonzero(applies)
        rows = rows[np.lexsort((words[rows], decisions.games[rows]))]
        first = np.ones(len(rows), bool)
        first[1:] = np.diff(decisions.games[rows]) > 0
        rows = rows[first][: self.most - len(self)]
        self._views.append(taken(decisions.views, rows))
        self._words.append(words[rows])

    def views(self) -> np.ndarray:
        """VIEWs, shape (len(self),)."""
        return np.concatenate([raw(part) for part in self._views]).view(VIEW) if self._views else np.zeros(0, VIEW)

    def words(self) -> np.ndarray:
        """The chance of each position's worlds: uint64, (len(self),)."""
        return np.concatenate(self._words) if self._words else np.zeros(0, np.uint64)
