"""Who forfeits a game, and what that does to its ranks.

An agent whose decision is at fault (`answers.py`) forfeits the game, and in a match the whole match: it is last, those
who forfeit share the last rank, and the others are ranked among themselves as the game ends. If all forfeit, all share
the first rank, as nobody is above them. So that the game stays a real one for the others, `greedy` makes this decision
and all later ones in the place of whoever forfeits.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.answers import FINE, ILLEGAL, RAISED, TOO_SLOW, Answers, named
from agents.greedy import Greedy
from maumau_env.game.actions import ACTION_BIT, ACTION_WISH, wishes
from maumau_env.game.batch import illegal_action
from maumau_env.game.bits import BIT, NOTHING
from maumau_env.game.jit import jit, kernel
from maumau_env.game.state import taken
from maumau_env.seat.view import views

VERBS = {RAISED: "failed: ", TOO_SLOW: "was too slow: ", ILLEGAL: ""}


@dataclass(frozen=True)
class Forfeit:
    """A game that a bot forfeited, and why."""

    bot: int  # its number, from 0
    game: int  # number of the game
    deal: int  # number of its deal
    kind: int  # RAISED, TOO_SLOW or ILLEGAL
    reason: str
    is_action: bool  # the answer was an action, though not a legal one

    def sentence(self, name: str) -> str:
        """The same as the message of an error about the bot with this name."""
        who = f"bot {self.bot + 1} ({name})"
        if self.is_action:
            return f"{who}, deal {self.deal}, {self.reason}"
        return f"{who} {VERBS[self.kind]}{self.reason}; deal {self.deal}"


class Forfeits:
    """The forfeits of a tournament."""

    def __init__(self, deals: np.ndarray, bots: np.ndarray) -> None:
        self.kinds = np.zeros(bots.shape, np.uint8)  # of each agent in each game, FINE or how it failed
        self.first: dict[tuple[int, int], Forfeit] = {}  # by bot and kind, the one in the game with the lowest number
        self._deals, self._bots, self._stand_in = deals, bots, Greedy()

    def note(self, games: np.ndarray, numbers: np.ndarray, words: np.ndarray, found: Answers) -> list[Forfeit]:
        """Note all that is at fault in n answers, and put legal actions in their place.

        Args:
            games: the GAMEs, shape (n,), as they were when the seats to move were asked.
            numbers: of these games, shape (n,).
            words: uint64, shape (n,): the chance of each decision.
            found: the answers; their faults are complete.
        """
        bad = np.flatnonzero(found.faults)
        noted = [self._forfeit(games[i], int(numbers[i]), int(i), found) for i in bad]
        found.actions[bad] = self.play_on(views(taken(games, bad)), words[bad])
        return noted

    def told(self) -> dict[str, str]:
        """Why each bot first forfeited in each way: the reasons, by texts such as `2:too_slow`, bots from 0."""
        return {f"{bot}:{named(kind)}": self.first[bot, kind].reason for bot, kind in sorted(self.first)}

    def play_on(self, seen: np.ndarray, words: np.ndarray) -> np.ndarray:
        """The actions in the place of agents that have forfeited, as `Agent.act`."""
        return self._stand_in.act(seen, words)

    def _forfeit(self, game: np.ndarray, number: int, i: int, found: Answers) -> Forfeit:
        agent, kind, deal = game["agents"][game["seat"]], found.faults[i], int(self._deals[number])
        is_action = i not in found.reasons
        reason = illegal_action(game, found.actions[i]) if is_action else found.reasons[i]
        forfeit = Forfeit(int(self._bots[number, agent]), number, deal, int(kind), reason, is_action)
        self.kinds[number, agent] = kind
        first = self.first.setdefault((forfeit.bot, forfeit.kind), forfeit)
        if number < first.game:
            self.first[forfeit.bot, forfeit.kind] = forfeit
        return forfeit


@kernel
def judge_kernel(legal: Any, actions: Any, faults: Any) -> int:
    """Find the actions that are not in their sets of legal ones (uint64); returns how many faults there are."""
    count = 0
    for i in range(len(legal)):
        if faults[i] == FINE and not allows(legal[i], actions[i]):
            faults[i] = ILLEGAL
        count += faults[i] != FINE
    return count


@jit
def allows(legal: Any, action: Any) -> bool:
    """Whether a set of legal actions holds this one; False for a number that is no action."""
    if action < 0 or action >= len(ACTION_BIT):
        return False
    return legal & BIT[ACTION_BIT[action]] != NOTHING and ACTION_WISH[action] < wishes(legal)


@jit
def place_last(ranks: Any, forfeits: Any) -> None:
    """Change the ranks of the agents of one game as the top of this file says, where there are forfeits."""
    agents, honest = len(ranks), 0
    for agent in range(agents):
        if forfeits[agent] == FINE:
            honest += 1
            above = 0
            for other in range(agents):
                above += forfeits[other] != FINE and ranks[other] < ranks[agent]
            ranks[agent] -= above
    for agent in range(agents):
        if forfeits[agent] != FINE:
            ranks[agent] = honest + 1
