"""`champion`: the best honest bot for the table at hand, one of those that come with the package or `heuristic`.

It looks at every view: under which rules, with how many players, in a round or in a match is this? The first row of
`CHAMPIONS` that is for such a table, and whose bot can play there, decides.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from agents.agent import Agent
from agents.heuristic import Heuristic
from agents.network import Network
from agents.policy import Policy
from maumau_env.game.rules import MAX_PLAYERS, MIN_PLAYERS, PRESETS, RULES, Rules

BOTS = Path(__file__).resolve().parent / "bots"


class Table(NamedTuple):
    """What a bot is chosen by."""

    rules: Rules
    players: int  # 2 to 5, those who are in it now
    match: bool  # a round of a match, or else a single round


class Row(NamedTuple):
    """A bot file in `BOTS`, and the tables that it is the champion of."""

    file: str
    players: range
    preset: str | None = None  # its rules; None: all that the header of the file allows
    match: bool | None = None  # matches alone, single rounds alone, or None: both

    def is_for(self, table: Table) -> bool:
        """Whether the table is one of those, and the file is there; nothing is opened."""
        return (
            table.players in self.players
            and self.match in (None, table.match)
            and (self.preset is None or PRESETS[self.preset] == table.rules)
            and (BOTS / self.file).exists()
        )


CHAMPIONS = (
    Row("match_2p.safetensors", range(2, 3), "match"),  # in single rounds, too, these two are above the heuristic
    Row("match_4p.safetensors", range(2, 5), "match"),
    Row("classic_2p.safetensors", range(2, 3), "classic"),
    Row("classic_3p.safetensors", range(3, 4), "classic"),
    Row("classic_4p.safetensors", range(4, 5), "classic"),
    Row("classic_5p.safetensors", range(5, 6), "classic"),
    Row("classic.safetensors", range(MIN_PLAYERS, MAX_PLAYERS + 1)),
)
"""The first that fits plays: specialists come before the general bot. One whose file is not there is passed over."""

KIND: np.dtype = np.dtype([("rules", RULES), ("players", "i2"), ("match", "i2")])
"""A `Table` as a record."""


class Champion(Agent):
    """Plays every table as the best bot for it that comes with the package.

    Every view is handed to an agent that is chosen by its table, and so by nothing else in its batch.
    """

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self._agents: dict[bytes, Agent] = {}

    def act(self, views: np.ndarray, words: np.ndarray) -> np.ndarray:
        """A legal action for every view, as `Agent.act`; ValueError for a view without legal actions."""
        kinds = kinds_of(views)
        if len(views) and (kinds == kinds[0]).all():  # as they usually are
            return self._agent(kinds[0]).act(views, words)
        actions = np.empty(len(views), np.int64)
        for kind in np.unique(kinds):
            mine = np.flatnonzero(kinds == kind)
            actions[mine] = self._agent(kind).act(views[mine], words[mine])
        return actions

    def agent_for(self, table: Table) -> Agent:
        """The bot of the first row that fits, or the heuristic."""
        return champion_of(table) or Heuristic()

    def _agent(self, kind: np.ndarray) -> Agent:
        key = kind.tobytes()
        if key not in self._agents:
            self._agents[key] = self.agent_for(table_of(kind))
        return self._agents[key]


def champion_of(table: Table) -> Policy | None:
    """The trained bot that is best at a table; None where there is none, and the heuristic plays."""
    for row in CHAMPIONS:
        if row.is_for(table):
            policy = _load(BOTS / row.file)
            if _plays(policy, table):
                return policy
    return None


def champion_guide() -> Callable[[np.ndarray], Network | None]:
    """A function from a VIEW, shape (1,), to the network of the champion of its table, None for the heuristic."""
    networks: dict[bytes, Network | None] = {}

    def guide(view: np.ndarray) -> Network | None:
        kind = kinds_of(view)[0]
        key = kind.tobytes()
        if key not in networks:
            policy = champion_of(table_of(kind))
            networks[key] = None if policy is None else policy.network
        return networks[key]

    return guide


def kinds_of(views: np.ndarray) -> np.ndarray:
    """The tables of VIEWs, as records."""
    kinds = np.empty(len(views), KIND)
    kinds["rules"], kinds["players"], kinds["match"] = views["rules"], views["num_players"], views["round"] > 0
    return kinds


def table_of(kind: np.ndarray) -> Table:
    """The table of a record."""
    return Table(Rules.from_record(kind["rules"]), int(kind["players"]), bool(kind["match"]))


@cache
def _load(path: Path) -> Policy:
    """The bot in a file, read when it is first needed, and once."""
    return Policy.load(path)


def _plays(policy: Policy, table: Table) -> bool:
    try:
        policy.check_table(table.rules, table.players)
    except ValueError:
        return False
    return True
