"""A trained policy as an agent: views in, actions out, without torch."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np

from agents.agent import Agent
from agents.botfile import Header, read
from agents.network import Layer, Network
from maumau_env.game.bits import NOTHING
from maumau_env.game.rules import Rules
from maumau_env.game.state import raw


class Policy(Agent):
    """Plays the most probable legal action; with `sample` it draws one by the policy's probabilities.

    It plays under the rules, with all their options that varied in its training, and with as many players as it was
    trained for. With `any_rules` it also plays under other rules with the same deck, and with fewer players, as well
    as it can.
    """

    def __init__(
        self,
        header: Header,
        layers: Sequence[Layer],
        seed: int = 0,
        *,
        sample: bool = False,
        any_rules: bool = False,
    ) -> None:
        super().__init__(seed)
        self.header, self.sample, self.any_rules = header, sample, any_rules
        self._rules, self.network = Rules.from_dict(header.rules), Network(layers, header.layout)

    @classmethod
    def load(cls, path: str | Path, seed: int = 0, *, sample: bool = False, any_rules: bool = False) -> Self:
        """The bot in a file; BotFileError, a ValueError, says what is wrong with it."""
        return cls(*read(path), seed, sample=sample, any_rules=any_rules)

    def act(self, views: np.ndarray, words: np.ndarray) -> np.ndarray:
        """A legal action for every view, as `Agent.act`.

        Raises:
            ValueError: a view without legal actions, or of a table at which this bot does not play.
        """
        self._check_views(views)
        return self.network.decide(raw(np.ascontiguousarray(views)), words, self.sample)

    def probabilities(self, views: np.ndarray) -> np.ndarray:
        """How probable each action is for every view, as `Agent.probabilities`; ValueError as for `act`.

        With `sample` these are the policy's own probabilities; without, the most probable action has all of it.
        """
        if not self.sample:
            return super().probabilities(views)
        self._check_views(views)
        return self.network.probabilities(raw(np.ascontiguousarray(views)), len(views))

    def check_table(self, rules: Rules, num_players: int) -> None:
        """Raise ValueError unless the bot plays under these rules and with so many players."""
        rules.check_players(num_players)
        layout = self.header.layout
        if rules.deck != layout.deck:
            raise ValueError(f"this bot plays with {layout.deck} cards, and the table has a deck of {rules.deck}")
        if num_players > layout.seats:
            raise ValueError(f"this bot has room for {layout.seats} players, and {num_players} are at the table")
        if self.any_rules:
            return
        if num_players not in self.header.players:
            trained = " or ".join(map(str, self.header.players))
            raise ValueError(f"this bot was trained for {trained} players, not for {num_players}; {_ANYWAY}")
        if not self.header.allows(rules):
            trained = f"{self._rules}{_any_of(self.header.varied)}"
            raise ValueError(f"this bot was trained for the rules {trained}, not for {rules}; {_ANYWAY}")

    def _check_views(self, views: np.ndarray) -> None:
        """ValueError unless there is something to decide in every view, at a table at which the bot plays.

        It costs little when the tables are all alike, as they usually are.
        """
        if (views["legal"] == NOTHING).any():
            raise ValueError("a view without legal actions: its seat is not to move, so there is nothing to decide")
        tables = views[["rules", "num_players"]]
        for table in tables[:1] if (tables == tables[:1]).all() else np.unique(tables):
            self.check_table(Rules.from_record(table["rules"]), int(table["num_players"]))


def _any_of(varied: Mapping[str, Sequence[Any]]) -> str:
    """The options that varied in training, for a message."""
    options = [f"{option} any of {', '.join(map(str, values))}" for option, values in varied.items()]
    return f" ({'; '.join(options)})" if options else ""


_ANYWAY = "any_rules=yes, as in bot.safetensors:any_rules=yes, lets it try"

load = Policy.load
"""`agents.make` opens bot files with this."""
