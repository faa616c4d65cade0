"""A bot as an object of study: who it is, how it plays, and who stands in for it when games are played out."""

from dataclasses import dataclass

import numpy as np

from agents.champion import BOTS, CHAMPIONS, Champion, Table, champion_of
from agents.judgement import judge
from agents.network import Network
from agents.policy import Policy
from agents.table import fingerprint
from strategy.bot import Bot


@dataclass(frozen=True)
class Mind:
    """A bot at a table.

    Attributes:
        bot: plays.
        sha256: of its file, where it has one; of the champion that of the file which plays at this table.
        network: the bot's own; None where it has none, and then the heuristic judges actions and plays games out.
    """

    bot: Bot
    sha256: str | None
    network: Network | None

    @property
    def name(self) -> str:
        """As the user calls it."""
        return self.bot.name

    @property
    def plays_out(self) -> str:
        """Who judges actions and plays games out."""
        return self.name if self.network is not None else "heuristic"

    def judge(self, views: np.ndarray) -> np.ndarray:
        """How good each action seems, float64, (n, NUM_ACTIONS); see `agents.judgement.judge`."""
        return judge(views, self.network)


def open_mind(name: str, table: Table, penalty_limit: int | None = None) -> Mind:
    """The bot called so, as `agents.make` finds it.

    Raises:
        AgentError: there is none, it cannot be loaded, or it sees all hands.
        ValueError: it cannot play at this table.
    """
    bot = Bot(name)
    bot.check_game(table.rules, table.players, penalty_limit)
    is_champion = isinstance(bot.agent, Champion)
    policy = champion_of(table) if is_champion else bot.agent
    if not isinstance(policy, Policy):
        return Mind(bot, fingerprint(name), None)
    return Mind(bot, fingerprint(champion_file(table, policy) if is_champion else name), policy.network)


def champion_file(table: Table, champion: Policy) -> str:
    """The path of the file that the champion of a table was read from, known by its header and weights."""
    files = (str(BOTS / row.file) for row in CHAMPIONS if row.is_for(table))
    return next(file for file in files if _holds(file, champion))


def _holds(file: str, policy: Policy) -> bool:
    found = Policy.load(file)
    return found.header == policy.header and np.array_equal(found.network.parts[-1], policy.network.parts[-1])
