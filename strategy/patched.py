"""What a player gains who follows a tip: a simple player with the tip against the same one without it.

Where the tip applies and the player would go against it, it takes an action that obeys instead: the heuristic the one
that it likes best, the random player any. Everything else stays as it is, and both play the same deals from all seats.
"""

from dataclasses import dataclass

import numpy as np

from agents.agent import Agent
from agents.champion import Table
from agents.errors import AgentError
from agents.judgement import judge
from agents.table import make
from agents.tournament import Entrant, hold
from maumau_env.game.bits import scrambled
from strategy.intervals import Interval
from strategy.tip import Tip, TipError

PLAYERS = ("heuristic", "random")
"""Who is patched."""


class Follower(Agent):
    """A player with a tip.

    Args:
        player: "heuristic" or "random".
        tip: is obeyed wherever it applies and the player takes an action that it is about.
        seed: for `choose`.
    """

    def __init__(self, player: str, tip: Tip, seed: int = 0) -> None:
        super().__init__(seed)
        self._player, self._tip, self._by_chance = make(player), tip, player == "random"
        self.failure: TipError | None = None

    def act(self, views: np.ndarray, words: np.ndarray) -> np.ndarray:
        """A legal action for every view, as `Agent.act`; TipError, which is kept as `failure`, when the tip fails."""
        actions = self._player.act(views, words)
        try:
            split = self._tip.split(views)
        except TipError as error:
            self.failure = error
            raise
        wrong = np.flatnonzero(split.against[np.arange(len(views)), actions])
        if len(wrong) > 0:
            obeying = split.obeying[wrong]
            liking = _evenly(words[wrong], obeying.shape[1]) if self._by_chance else judge(views[wrong])
            actions[wrong] = np.where(obeying, liking, -np.inf).argmax(axis=1)
        return actions


@dataclass(frozen=True)
class Gain:
    """How the player with the tip fares against the one without."""

    games: int
    win_rate: float  # per seat that it held
    win_rate_interval: Interval
    even: float  # what it would be if the tip did nothing
    gain: float  # the difference
    gain_interval: Interval


def duel(player: str, tip: Tip, table: Table, games: int, seed: int, penalty_limit: int | None = None) -> Gain:
    """Play the player with the tip against itself without, at least so many games; TipError when the tip fails."""
    follower = Follower(player, tip)
    entrants = [Entrant(f"{player} with {tip.name}", follower), Entrant(player, make(player))]
    try:
        tournament, _ = hold(entrants, table.rules, table.players, games, seed, penalty_limit=penalty_limit)
    except AgentError as error:
        raise follower.failure or error from error
    score, even = tournament.bots[0], 1 / table.players
    low, high = score.win_rate_interval
    return Gain(
        tournament.games,
        score.win_rate,
        score.win_rate_interval,
        even,
        score.win_rate - even,
        (low - even, high - even),
    )


def _evenly(words: np.ndarray, number: int) -> np.ndarray:
    """Random numbers by the word of each decision: float64, (n, number)."""
    return np.stack([np.random.default_rng(scrambled(word)).random(number) for word in words.tolist()])
