"""`greedy`: plays whenever it can, any card before a Jack, and wishes the suit it holds most of."""

from typing import Any

import numpy as np

from agents.baseline import Baseline
from maumau_env.game.actions import ACTION_BIT, DRAW, FIRST_ACTION, MAU, MAU_BIT, PASS, PASS_BIT, wishes
from maumau_env.game.bits import BIT, NOTHING, below, count, nth, scramble
from maumau_env.game.cards import ALL_CARDS, JACKS, SUIT_SET
from maumau_env.game.jit import jit, kernel
from maumau_env.seat.view import VIEW


class Greedy(Baseline):
    """Says Mau when it may; plays any other card, all equally likely, before a Jack; draws when it must.

    With a Jack it names the suit of which it holds most other cards, Jacks left out; equal suits are equally likely.
    """

    def decide(self, raw_views: np.ndarray, words: np.ndarray, actions: np.ndarray) -> None:
        """As `Baseline.decide`."""
        greedy_kernel(raw_views, words, actions)


@kernel
def greedy_kernel(raw_views: Any, words: Any, actions: Any) -> None:
    """Write one action for each view."""
    views = raw_views.view(VIEW)
    for i in range(len(views)):
        actions[i] = greedy_action(views[i], words[i])


@jit
def greedy_action(v: Any, word: Any) -> Any:
    """The action for the VIEW `v`."""
    choices = v["legal"]
    plays = choices & ALL_CARDS
    if choices & MAU_BIT:
        return MAU
    if plays == NOTHING:
        return PASS if choices & PASS_BIT else DRAW
    if plays & ~JACKS:
        plays = plays & ~JACKS
    first = FIRST_ACTION[nth(plays, below(word, count(plays)))]
    if BIT[ACTION_BIT[first]] & JACKS:
        return first + longest_suit(v["hand"], wishes(choices), scramble(word))
    return first


@jit
def longest_suit(hand: Any, suits: Any, word: Any) -> Any:
    """Which of the first so many suits has most cards in a hand, Jacks left out; the word decides between equals."""
    best, most, equals = 0, -1, 0
    for suit in range(suits):
        cards = SUIT_SET[suit] & ~JACKS
        length = count(hand[0] & cards) + count(hand[1] & cards)
        if length > most:
            best, most, equals = suit, length, 1
        elif length == most:
            equals += 1
            word = scramble(word)
            if below(word, equals) == 0:
                best = suit
    return best
