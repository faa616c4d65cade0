"""One decision: what every legal action is worth, as far as the seat to move can know.

Worlds that agree with the view are sampled as `search` does it (`maumau_env/seat/worlds.py`), every action is carried
out in each of them, and the bot plays on for everybody. All actions are tried in the same worlds with the same chance,
so that what differs between them is not luck. Nothing here has seen a GAME: only a VIEW.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any, Self

import numpy as np

from agents.search import TRUSTING
from maumau_env.game.actions import ACTION_NAMES, actions_in
from maumau_env.game.bits import scrambled
from maumau_env.game.state import taken
from maumau_env.seat.worlds import sample_worlds
from strategy.bot import Bot
from strategy.intervals import CONFIDENCE, Estimate, chance_of, difference_of, mean_of
from strategy.playouts import WHOLE, play_out

FIRST_PORTION, PORTION = 10, 250
"""Worlds at once: after a portion there is something to show, soon with a slow bot; each is as large as all before."""


@dataclass(frozen=True)
class Decision:
    """A choice of the seat to move, and how it went on from there in every world."""

    view: np.ndarray  # one VIEW, shape (1,)
    actions: list[int]  # the legal ones, ascending
    probabilities: np.ndarray  # float64, (actions,): how likely the bot is to play each
    shares: np.ndarray  # float64, (worlds, actions): of the win, for the seat to move
    places: np.ndarray  # float64, (worlds, actions): its place, from 1

    @property
    def worlds(self) -> int:
        """In how many worlds every action was tried."""
        return len(self.shares)

    @property
    def players(self) -> int:
        """How many sit at the table."""
        return int(self.view["num_players"][0])

    @cached_property
    def before(self) -> Estimate:
        """The win chance before the decision, which is that of the bot's own choice, by its probabilities."""
        return chance_of(self._bots_shares)

    @cached_property
    def place_before(self) -> Estimate:
        """The expected placement before the decision, likewise."""
        return mean_of(self.places @ self.probabilities, 1, self.players)

    @property
    def bots_choice(self) -> int:
        """The action that the bot is most likely to play."""
        return self.actions[int(self.probabilities.argmax())]

    def chance(self, action: int) -> Estimate:
        """The win chance after an action."""
        return chance_of(self.shares[:, self.actions.index(action)])

    def place(self, action: int) -> Estimate:
        """The expected placement after an action."""
        return mean_of(self.places[:, self.actions.index(action)], 1, self.players)

    def probability(self, action: int) -> float:
        """How likely the bot is to play an action."""
        return float(self.probabilities[self.actions.index(action)])

    def cost(self, action: int, confidence: float = CONFIDENCE) -> Estimate:
        """How much lower the win chance is after an action than after the bot's choice: below zero, it is higher.

        What the bot plays for certain costs nothing, by definition.
        """
        if self.probability(action) == 1:
            return Estimate(0.0, 0.0, 0.0)
        return difference_of(self._bots_shares - self.shares[:, self.actions.index(action)], confidence)

    def best(self, confidence: float = CONFIDENCE) -> tuple[int, Estimate]:
        """The best action, and by how much its win chance is above that of the bot's choice.

        One half of the worlds says which it is and the other half by how much, since what comes out best of many has
        also been lucky. The bot's choice has the benefit of equal figures.
        """
        means = self.shares[::2].mean(axis=0)
        choice = self.actions.index(self.bots_choice)
        best = choice if means[choice] == means.max() else int(means.argmax())
        if self.probabilities[best] == 1 or self.worlds == 1:
            return self.actions[best], Estimate(0.0, 0.0, 0.0)
        return self.actions[best], difference_of((self.shares[:, best] - self._bots_shares)[1::2], confidence)

    def as_dict(self) -> dict[str, Any]:
        """What `--json` says of a decision; chances are shares of 1."""
        best, gain = self.best()
        return {
            "worlds": self.worlds,
            "win_chance": self.before.value,
            "win_chance_interval": self.before.interval,
            "placement": self.place_before.value,
            "placement_interval": self.place_before.interval,
            "bots_choice": ACTION_NAMES[self.bots_choice],
            "best": {"action": ACTION_NAMES[best], "gain": gain.value, "gain_interval": gain.interval},
            "actions": [self._action_as_dict(action) for action in self.actions],
        }

    def joined(self, other: Self) -> Self:
        """The same decision in the worlds of both."""
        shares, places = np.concatenate([self.shares, other.shares]), np.concatenate([self.places, other.places])
        return type(self)(self.view, self.actions, self.probabilities, shares, places)

    @cached_property
    def _bots_shares(self) -> np.ndarray:
        return self.shares @ self.probabilities

    def _action_as_dict(self, action: int) -> dict[str, Any]:
        chance, place, cost = self.chance(action), self.place(action), self.cost(action)
        return {
            "action": ACTION_NAMES[action],
            "probability": self.probability(action),
            "win_chance": chance.value,
            "win_chance_interval": chance.interval,
            "placement": place.value,
            "placement_interval": place.interval,
            "cost": cost.value,
            "cost_interval": cost.interval,
        }


def weigh(view: np.ndarray, bot: Bot, worlds: int, word: int) -> Decision:
    """Every legal action of a decision, in so many worlds; the same arguments give the same figures.

    Args:
        view: one VIEW of the seat to move, which has a choice; shape (1,).
        bot: plays on.
        worlds: how many, at least 1.
        word: of chance, 0 to 2**64 - 1.

    Raises:
        AgentError: the bot fails.
    """
    return reduce(Decision.joined, portions(view, bot, worlds, word))


def word_for(seed: int, move: int) -> int:
    """The chance for a move of a game; with the number 0 that for the game as a whole."""
    return scrambled(scrambled(seed) ^ move)


def portions(view: np.ndarray, bot: Bot, worlds: int, word: int) -> Iterator[Decision]:
    """What `weigh` joins: the decision in some of the worlds, then in some more, until there were so many."""
    actions = actions_in(view["legal"][0])
    probabilities = bot.probabilities(view)[actions]
    done = 0
    while done < worlds:
        number = min(max(FIRST_PORTION, done), PORTION, worlds - done)
        done += number
        word = scrambled(word)
        trials = taken(sample_worlds(view, word, number, TRUSTING), np.repeat(np.arange(number), len(actions)))
        outcomes = play_out(trials, bot, np.tile(actions, number))
        shares, places = (column[:, 0].reshape(number, len(actions)) for column in outcomes)
        yield Decision(view, actions, probabilities, shares / WHOLE, places)
