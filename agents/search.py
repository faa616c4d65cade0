"""`search`: tries every action in worlds that agree with what it sees, and plays the one that ends best on average.

    search              100 playouts for each legal action
    search:500          so many
    search:20ms         as many as there is time for, in each move
    search:500,bot=runs/.../bot.safetensors     guided by a trained policy; also bot=champion
    search:50,bot=...,playouts=bot              the policy also plays them out, instead of the heuristic
    search:500,reward=placement                 for the best place, instead of for the win

Flat Monte-Carlo. Worlds are sampled from the view (`maumau_env/seat/worlds.py`), each action is carried out in all of
them, and the rounds are played to their end (`playout.py`). Playouts are not spread evenly: after a share of them the
worse half of the actions is dropped, and so on until two are left (sequential halving; Karnin, Koren and Somekh, 2013).
The heuristic, or the policy that guides, would do something here, too: that is the *habit*, and another action takes
its place only when it is better beyond doubt, since a few playouts say little.
"""

import math
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from agents.agent import Agent
from agents.champion import champion_guide
from agents.heuristic import Heuristic
from agents.network import Network
from agents.playout import play_out
from agents.policy import Policy, load
from maumau_env.game.actions import MAU, MAU_BIT, actions_in
from maumau_env.game.bits import NOTHING, scrambled
from maumau_env.game.result import REWARDS
from maumau_env.game.rules import Rules
from maumau_env.game.state import raw
from maumau_env.seat.worlds import sample_worlds

Guide = Callable[[np.ndarray], Network | None]
"""The network for the table of a VIEW, shape (1,); None where the heuristic is to play."""
Worlds = Callable[[int, int], np.ndarray]
"""So many GAMEs by a word of chance: (number, word) to shape (number,)."""

DOUBT = 1.0
"""By how many standard errors an action must be better than the habit to be played instead."""

TRUSTING = True
"""Draws are taken as evidence as in `maumau_env/seat/worlds.py`."""

CHUNK = 8
"""Worlds between two looks at the clock."""

MOST_AT_ONCE = 4096
"""Worlds in memory at the same time."""

PLAYOUTS = ("heuristic", "bot")
"""Who can play the playouts."""

MOST_PLAYOUTS = 1_000_000
"""The highest budget of playouts for each action."""


class Lookahead:
    """Chooses by playouts; `Search` gives it worlds that it has thought of, `Oracle` the true one.

    Args:
        budget: playouts for each legal action, on average; or a text such as "20ms", the time for a move.
        bot: the policy that guides, if any: "champion" or the path of a saved bot, a `Policy`, or a `Guide`, which may
            have a network for every table.
        playouts: who plays them, "heuristic" or "bot".
        reward: what a round is played for, one of `REWARDS`; a round of a match is always played for its points.

    Raises:
        ValueError: a budget, players or a reward that are none; or the saved bot cannot be opened.
    """

    def __init__(
        self,
        budget: int | str,
        bot: str | Path | Policy | Guide | None,
        playouts: str = "heuristic",
        reward: str = "win",
    ) -> None:
        self._playouts, self._seconds = parse_budget(budget)
        if reward not in REWARDS:
            raise ValueError(f"reward={reward!r}: a round is played for {', '.join(REWARDS[:-1])} or {REWARDS[-1]}")
        self._scheme = REWARDS.index(reward)
        if playouts not in PLAYOUTS or (playouts == "bot" and bot is None):
            raise ValueError(f"playouts={playouts!r}: they are played by heuristic, or with bot=... by the bot")
        self._bot_plays = playouts == "bot"
        self.policy = opened(bot)
        self._heuristic = Heuristic()

    def choose(self, view: np.ndarray, word: int, worlds: Worlds) -> int:
        """The action for a VIEW, shape (1,), all of whose `worlds` agree with it."""
        legal = int(view["legal"][0])
        if legal & int(MAU_BIT):
            return MAU  # what one may do without saying it one may still do after it
        actions = np.array(actions_in(legal), np.int64)
        if len(actions) == 1:
            return int(actions[0])
        network = self._network_for(view)
        if network is None:
            habit = int(self._heuristic.act(view, np.array([word], np.uint64))[0])
            return self._search(actions, habit, word, worlds, None)
        habit = int(network.decide(raw(view), np.array([word], np.uint64), sample=False)[0])
        return self._search(actions, habit, word, worlds, network if self._bot_plays else None)

    def check_table(self, rules: Rules, num_players: int) -> None:
        """ValueError when the bot that guides cannot play there."""
        if isinstance(self.policy, Policy):
            self.policy.check_table(rules, num_players)

    def _network_for(self, view: np.ndarray) -> Network | None:
        if isinstance(self.policy, Policy):
            self.policy.check_table(Rules.from_record(view["rules"][0]), int(view["num_players"][0]))
            return self.policy.network
        return self.policy(view) if self.policy else None

    def _search(self, actions: np.ndarray, habit: int, word: int, worlds: Worlds, network: Network | None) -> int:
        """Sequential halving; the habit is never dropped. A network plays the playouts, or else the heuristic."""
        stages = math.ceil(math.log2(len(actions)))
        playouts = self._playouts * len(actions) / stages
        payoffs = np.empty((0, len(actions)))
        for stage in range(stages):
            if stage > 0:
                worth = np.where(actions == habit, np.inf, payoffs.mean(axis=0))
                kept = np.argsort(-worth, kind="stable")[: (len(actions) + 1) // 2]
                actions, payoffs = actions[kept], payoffs[:, kept]
            for number in self._portions(playouts / len(actions), self._seconds / stages):
                word = scrambled(word)
                payoffs = np.concatenate([payoffs, play_out(worlds(number, word), actions, network, self._scheme)])
        return _decide(actions, habit, payoffs, scrambled(word))

    def _portions(self, playouts: float, seconds: float) -> Iterator[int]:
        """How many worlds to try next, until the budget of a stage is used up."""
        left = max(1, round(playouts)) if seconds == 0 else 0
        while left > 0:
            yield min(left, MOST_AT_ONCE)
            left -= MOST_AT_ONCE
        if seconds == 0:
            return
        end = time.perf_counter() + seconds
        yield CHUNK
        while time.perf_counter() < end:
            yield CHUNK


class Search(Agent):
    """The action that wins the most rounds on average, or is best for another reward.

    What it plays depends on the view and the word alone. With a budget of time it also depends on the speed of the
    machine, and cannot be repeated.

    Args:
        seed: for `choose`.
        budget, bot, playouts, reward: as for `Lookahead`.
    """

    slow = True

    def __init__(
        self,
        seed: int = 0,
        budget: int | str = 100,
        bot: str | Path | Policy | Guide | None = None,
        playouts: str = "heuristic",
        reward: str = "win",
    ) -> None:
        super().__init__(seed)
        self._lookahead = Lookahead(budget, bot, playouts, reward)

    def act(self, views: np.ndarray, words: np.ndarray) -> np.ndarray:
        """A legal action for every view, as `Agent.act`.

        Raises:
            ValueError: a view without legal actions, of a seat that is not to move.
        """
        if (views["legal"] == NOTHING).any():
            raise ValueError("a view without legal actions: its seat is not to move, so there is nothing to decide")
        views = np.ascontiguousarray(views)
        return np.array([self._move(views[i : i + 1], int(words[i])) for i in range(len(views))], np.int64)

    def check_table(self, rules: Rules, num_players: int) -> None:
        """Raise ValueError when the bot that guides cannot play there."""
        rules.check_players(num_players)
        self._lookahead.check_table(rules, num_players)

    def _move(self, view: np.ndarray, word: int) -> int:
        return self._lookahead.choose(view, word, lambda number, chance: sample_worlds(view, chance, number, TRUSTING))


def opened(bot: str | Path | Policy | Guide | None) -> Policy | Guide | None:
    """What guides; ValueError for what cannot."""
    if bot == "champion":
        return champion_guide()
    if isinstance(bot, str | Path):
        return load(bot, any_rules=True)
    if bot is None or isinstance(bot, Policy) or (callable(bot) and not isinstance(bot, Agent)):
        return bot
    raise ValueError(f"bot={bot!r}: it is champion or the path of a saved bot")


def parse_budget(budget: int | str) -> tuple[int, float]:
    """(playouts for each action, 0) or (0, seconds for a move); ValueError for what is neither."""
    if isinstance(budget, int) and not isinstance(budget, bool) and 1 <= budget <= MOST_PLAYOUTS:
        return budget, 0.0
    if isinstance(budget, str) and (found := re.fullmatch(r"(\d+(?:\.\d+)?)ms", budget)) and float(found[1]) > 0:
        return 0, float(found[1]) / 1000
    raise ValueError(
        f"budget={budget!r}: it is a number of playouts for each action, 1 to {MOST_PLAYOUTS:,}, "
        "or a time for each move such as 20ms"
    )


def _decide(actions: np.ndarray, habit: int, payoffs: np.ndarray, word: int) -> int:
    """The best action by its payoffs, (worlds, actions), the word choosing between equals; or the habit, in doubt."""
    means = payoffs.mean(axis=0)
    best = np.flatnonzero(means == means.max())
    chosen = best[word % len(best)]
    gain = payoffs[:, chosen] - payoffs[:, np.flatnonzero(actions == habit)[0]]
    error = math.sqrt((gain**2).mean() / len(gain))
    return int(actions[chosen]) if gain.mean() > DOUBT * error else habit
