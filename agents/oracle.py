"""`oracle`: searches like `search`, but sees all hands. For measuring what there is to know, not for playing.

How far an honest bot is from it tells how much luck and hidden cards leave to be won. Only the arena of `evaluate.py`
lets it see; environments refuse it as an opponent.
"""

from pathlib import Path

import numpy as np

from agents.agent import Cheat
from agents.policy import Policy
from agents.search import Guide, Lookahead
from maumau_env.game.bits import scrambled
from maumau_env.game.rules import Rules
from maumau_env.game.state import SHUFFLED
from maumau_env.seat.view import views


class Oracle(Cheat):
    """Tries every action in the true world; only the order of the pile is drawn anew for each playout.

    Args:
        seed: for `choose`.
        budget, bot, reward: as for `agents.search.Lookahead`.
    """

    slow = True

    def __init__(
        self,
        seed: int = 0,
        budget: int | str = 100,
        bot: str | Path | Policy | Guide | None = None,
        reward: str = "win",
    ) -> None:
        super().__init__(seed)
        self._lookahead = Lookahead(budget, bot, reward=reward)

    def act_on(self, games: np.ndarray, words: np.ndarray) -> np.ndarray:
        """A legal action for the seat to move of every game, as `Cheat.act_on`."""
        seen = views(games)
        moves = [self._move(games[i : i + 1], seen[i : i + 1], int(words[i])) for i in range(len(games))]
        return np.array(moves, np.int64)

    def check_table(self, rules: Rules, num_players: int) -> None:
        """Raise ValueError when the bot that guides cannot play there."""
        rules.check_players(num_players)
        self._lookahead.check_table(rules, num_players)

    def _move(self, game: np.ndarray, view: np.ndarray, word: int) -> int:
        return self._lookahead.choose(view, word, lambda number, chance: _with_other_piles(game, number, chance))


def _with_other_piles(game: np.ndarray, number: int, word: int) -> np.ndarray:
    """The game so many times, each with a pile in an order of its own."""
    worlds = np.repeat(game, number)
    worlds["order"] = SHUFFLED
    for i in range(number):
        word = scrambled(word)
        worlds["rng"][i] = word
    return worlds
