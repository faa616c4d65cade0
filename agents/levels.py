"""`level:1` to `level:5`: opponents for people, from a beginner to the champion with search. None of them cheats.

Levels 1 to 4 play like another bot with *slips*: now and then one decides as a beginner does, who plays any card that
comes to mind, a Jack with any wish, and forgets the rest; and sometimes Mau is forgotten. How often is all there is to
a level, in `HABITS`. Level 5 is the champion, guiding a search.
"""

from typing import Any, NamedTuple

import numpy as np

from agents.agent import Agent
from agents.champion import Champion
from agents.greedy import Greedy
from agents.heuristic import Heuristic
from agents.table import make
from maumau_env.game.actions import DRAW, DRAW_BIT, FIRST_ACTION, MAU, MAU_BIT, PASS, PASS_BIT, wishes
from maumau_env.game.bits import BIT, NOTHING, ONE, below, count, lowest, nth, scramble
from maumau_env.game.cards import ALL_CARDS, JACKS
from maumau_env.game.jit import jit, kernel
from maumau_env.game.state import copied, raw
from maumau_env.seat.view import VIEW

LEVELS = range(1, 6)

THINKS = -1
"""In place of an action: no slip, the player decides."""

CHANCE_OF_SLIPS = np.uint64(0x51_195EED)
"""Keeps the slips apart from what is decided by the same word."""

BUDGET = 300
"""Playouts that level 5 gives to every action."""


class Habits(NamedTuple):
    """How a level differs from the bot that it plays like; all numbers are shares from 0 to 1."""

    plays_like: type[Agent]
    slips: float  # decisions in which it plays any card that comes to mind
    overlooks: float  # cards that do not come to mind then, if it may draw or pass instead (C5, C6, C7)
    forgets_mau: float  # decisions in which it could say Mau and does not think of it (C15)


HABITS = {
    1: Habits(Greedy, slips=0.9, overlooks=0.25, forgets_mau=0.4),
    2: Habits(Greedy, slips=0.5, overlooks=0.1, forgets_mau=0.2),
    3: Habits(Heuristic, slips=0.28, overlooks=0.05, forgets_mau=0.1),
    4: Habits(Champion, slips=0.1, overlooks=0.02, forgets_mau=0.03),
}


class Level(Agent):
    """A level of skill.

    Args:
        seed: for `choose`.
        level: 1 to 5.
    """

    def __init__(self, seed: int = 0, level: int | None = None) -> None:
        super().__init__(seed)
        if not isinstance(level, int) or isinstance(level, bool) or level not in LEVELS:
            raise ValueError(f"level={level!r}: levels are 1 to {max(LEVELS)}, as in level:3")
        self.level, self.habits = level, HABITS.get(level)
        self._player = player_of(level)
        self.slow = self._player.slow

    def act(self, views: np.ndarray, words: np.ndarray) -> np.ndarray:
        """A legal action for every view, as `Agent.act`; ValueError for a view without legal actions."""
        if self.habits is None:
            return self._player.act(views, words)
        views = copied(np.ascontiguousarray(views))
        actions = np.empty(len(views), np.int64)
        _, slips, overlooks, forgets_mau = self.habits
        slips_kernel(raw(views), words, slips, overlooks, forgets_mau, actions)
        thinks = np.flatnonzero(actions == THINKS)
        actions[thinks] = self._player.act(views[thinks], words[thinks])
        return actions


def player_of(level: int) -> Agent:
    """Who decides where no slip does."""
    if level in HABITS:
        return HABITS[level].plays_like()
    return make("search", budget=BUDGET, bot="champion")


@kernel
def slips_kernel(
    raw_views: Any, words: Any, slips: Any, overlooks: Any, forgets_mau: Any, actions: Any
) -> None:  # fmt: skip
    """Write the action of every slip, and THINKS for the rest; Mau that is forgotten goes from the VIEWs."""
    views = raw_views.view(VIEW)
    for i in range(len(views)):
        v = views[i]
        word = scramble(words[i] ^ CHANCE_OF_SLIPS)
        if happens(word, forgets_mau):
            v["legal"] &= ~MAU_BIT
        word = scramble(word)
        actions[i] = slip(v["legal"], overlooks, word) if happens(word, slips) else THINKS


@jit
def happens(word: Any, share: Any) -> bool:
    """Whether something comes about that does so in this share of all words."""
    return np.float64(word >> np.uint64(11)) * 2.0**-53 < share


@jit
def slip(choices: Any, overlooks: Any, word: Any) -> Any:
    """Mau if it comes to mind, any card that does, or no card; THINKS when there is nothing to decide.

    Each card is overlooked by itself, unless one must be played.
    """
    if choices & MAU_BIT:
        return MAU
    plays = noticed = choices & ALL_CARDS
    if plays == NOTHING:
        return THINKS
    if choices & (DRAW_BIT | PASS_BIT):
        cards = plays
        while cards != NOTHING:
            word = scramble(word)
            if happens(word, overlooks):
                noticed &= ~BIT[lowest(cards)]
            cards &= cards - ONE
        if noticed == NOTHING:
            return PASS if choices & PASS_BIT else DRAW
    word = scramble(word)
    card = nth(noticed, below(word, count(noticed)))
    wish = below(scramble(word), wishes(choices)) if BIT[card] & JACKS else 0
    return FIRST_ACTION[card] + wish
