"""Where is it decided: what a bot did in its games, counted."""

from typing import Any

import numpy as np

from maumau_env.game.actions import ACTION_WISH, DRAW, DRAW_BIT, count_actions
from maumau_env.game.bits import NOTHING
from maumau_env.game.cards import ALL_CARDS, JACKS
from maumau_env.game.heaps import hand_size
from maumau_env.game.jit import jit, kernel
from maumau_env.game.result import rank_in_round
from maumau_env.seat.view import VIEW

ASKED, CHOICES, COULD_PLAY, DREW, COULD_SAVE, SAVED, LOST, LEFT, TIMED, HABITS = range(10)
"""Columns of the counts, and their number:

decisions; decisions with more than one legal action; those in which both drawing, with nothing owed, and a card were
legal, and in which the bot then drew; those in which both a Jack and another card were legal, and in which it did not
play the Jack; rounds that it did not win, and cards left in its hand in those; decisions of which the time was taken.
"""


@kernel
def note_choices(raw_views: Any, actions: Any, faults: Any, counts: Any) -> None:
    """Count the decisions of one bot for n VIEWs: legal actions by number, int64, (n,), but for those with a fault."""
    views = raw_views.view(VIEW)
    for i in range(len(views)):
        if faults[i]:
            continue
        v = views[i]
        counts[ASKED] += 1
        counts[CHOICES] += count_actions(v["legal"]) > 1
        cards = v["legal"] & ALL_CARDS
        if v["legal"] & DRAW_BIT and cards != NOTHING and v["owed"] == 0:
            counts[COULD_PLAY] += 1
            counts[DREW] += actions[i] == DRAW
        if cards & JACKS and cards & ~JACKS:
            counts[COULD_SAVE] += 1
            counts[SAVED] += ACTION_WISH[actions[i]] < 0


@jit
def note_losses(g: Any, bots: Any, forfeits: Any, habits: Any) -> None:
    """Count what is left in the hands of a round that has ended, but for those of agents that forfeited the game."""
    for seat in range(g["num_players"]):
        agent = g["agents"][seat]
        if forfeits[agent] == 0 and rank_in_round(g, seat)[0] > 1:
            bot = bots[agent]
            habits[bot, LOST] += 1
            habits[bot, LEFT] += hand_size(g, seat)


def summary(counts: np.ndarray, seconds: float) -> dict[str, float | None]:
    """The counts of one bot, int64, (HABITS,), as figures; None where it never could."""
    asked, choices, could_play, drew, could_save, saved, lost, left, timed = counts.tolist()
    return {
        "asked": asked,
        "choices": choices,
        "drew_when_it_could_play": drew / could_play if could_play else None,
        "jacks_saved": saved / could_save if could_save else None,
        "cards_left_when_losing": left / lost if lost else None,
        "per_second": timed / seconds if seconds else None,
    }
