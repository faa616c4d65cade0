"""A bot as an object of study: who it is, how it plays, and who stands in for it when games are played out."""

from dataclasses import dataclass

import numpy as np

from agents.champion import BOTS, Champion, Table, champion_of
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
        sha256: of its file, where it has one.
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
    policy = champion_of(table) if isinstance(bot.agent, Champion) else bot.agent
    if not isinstance(policy, Policy):
        return Mind(bot, fingerprint(name), None)
    return Mind(bot, _sha256(name, policy), policy.network)


def _sha256(name: str, policy: Policy) -> str | None:
    """That of the bot's file; of the champion that of the file which plays at this table."""
    files = (str(path) for path in sorted(BOTS.glob("*.safetensors")))
    return fingerprint(name) or next((fingerprint(file) for file in files if _is_of(file, policy)), None)


def _is_of(file: str, policy: Policy) -> bool:
    return Policy.load(file).header == policy.header
