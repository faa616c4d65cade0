"""Where the result of a played round came from, told by all hands: deal, draws, own errors, others' errors.

V is the chance of every seat to win if from here on the bot played for everybody, with the hands as they really are and
the pile in an order that nobody knows. Along the game it changes, and every change has one cause:

    deal      V after the deal, less the even share
    errors    at every choice: V once the move made is decided, less V before, when the bot would decide
    draws     whenever cards are taken from the pile, be it a new one: V now that they are known, less V before

After the last move V is the result. So the changes add up to the result less the even share, whatever V is: in each of
the worlds (orders of the pile) in which V is estimated, and in whole numbers, without rounding. The estimates only
decide how much goes where.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from maumau_env.game import batch
from maumau_env.game.actions import actions_in
from maumau_env.game.bits import scrambled
from maumau_env.game.state import RUNNING, SHUFFLED, taken
from maumau_env.seat.view import view_of
from strategy.bot import Bot
from strategy.intervals import Estimate, mean_of
from strategy.playouts import WHOLE, play_out

PARTS = ("deal", "draws", "own errors", "others' errors")
"""What the result is split into, in the order of `Ledger.split`."""


class Entry(NamedTuple):
    """What one move has changed; both arrays are int64, (worlds, seats), in parts of WHOLE."""

    seat: int  # who moved
    error: np.ndarray  # by the decision; zero for one that the bot would have taken, too
    luck: np.ndarray  # by the cards that came


@dataclass(frozen=True)
class Ledger:
    """The chances of all seats from the deal to the result, or as far as it was reckoned."""

    deal: np.ndarray  # int64, (worlds, seats): V after the deal less the even share, in parts of WHOLE
    entries: list[Entry]
    result: np.ndarray  # int64, (worlds, seats): the last V; of a round that is over, everybody's share of the win

    def parts(self, seat: int) -> np.ndarray:
        """What a seat owes to each of PARTS: int64, (worlds, 4), whose rows add up to `over_even`."""
        parts = np.zeros((len(self.deal), len(PARTS)), np.int64)
        parts[:, 0] = self.deal[:, seat]
        for entry in self.entries:
            parts[:, 1] += entry.luck[:, seat]
            parts[:, 2 if entry.seat == seat else 3] += entry.error[:, seat]
        return parts

    def over_even(self, seat: int) -> np.ndarray:
        """The result of a seat less the even share: int64, (worlds,)."""
        return self.result[:, seat] - WHOLE // self.result.shape[1]

    def split(self, seat: int) -> dict[str, Estimate]:
        """The parts as shares of a win, with the intervals in which more worlds would find them."""
        return {name: mean_of(column / WHOLE) for name, column in zip(PARTS, self.parts(seat).T, strict=True)}


class Accountant:
    """Reckons the changes of one round, move by move.

    Args:
        dealt: the GAME after the deal, shape (1,).
        bot: by whose play V is meant.
        worlds: in how many orders of the pile V is estimated.
        word: of chance, 0 to 2**64 - 1.
    """

    def __init__(self, dealt: np.ndarray, bot: Bot, worlds: int, word: int) -> None:
        self._bot, self._words = bot, np.empty(worlds, np.uint64)
        for i in range(worlds):
            self._words[i] = word = scrambled(word)
        values = self._value(dealt)
        self._ledger = Ledger(values - WHOLE // int(dealt["num_players"][0]), [], values)

    def book(self, before: np.ndarray, action: int, after: np.ndarray) -> None:
        """The next move: the GAMEs before and after it, shape (1,), and the action, which may be forced."""
        values = self._ledger.result
        decided = values if self._is_the_bots(before, action) else self._value(before, action)
        known = self._value(after) if took_cards(before, after) or after["end"][0] != RUNNING else decided
        entry = Entry(int(before["seat"][0]), decided - values, known - decided)
        self._ledger = Ledger(self._ledger.deal, [*self._ledger.entries, entry], known)  # at once: Ctrl-C may come

    @property
    def ledger(self) -> Ledger:
        """What has been booked so far."""
        return self._ledger

    def _is_the_bots(self, game: np.ndarray, action: int) -> bool:
        """Whether there was no choice, or the bot would have made this one for certain."""
        if len(actions_in(batch.legal(game)[0])) == 1:
            return True
        view = view_of(game[0], int(game["seat"][0]))
        return self._bot.probabilities(view)[action] == 1

    def _value(self, game: np.ndarray, action: int | None = None) -> np.ndarray:
        """V of a position, or once the action is decided and nothing of what it draws is known."""
        worlds = taken(game, np.zeros(len(self._words), np.int64))
        worlds["order"], worlds["rng"] = SHUFFLED, self._words
        first = None if action is None else np.full(len(worlds), action)
        return play_out(worlds, self._bot, first).shares


def took_cards(before: np.ndarray, after: np.ndarray) -> bool:
    """Whether the move between two GAMEs took cards from the pile, be it a new one: then chance had a part in it."""
    return any((before[field] != after[field]).any() for field in ("pile_size", "shuffles"))
