"""The action table: number <-> text.

    0 .. 35    play a card from 2C to 10S, by its number
    36 .. 51   play a Jack and name a suit: JC:C, JC:D, JC:H, JC:S, JD:C, ...
    52 .. 63   play a card from QC to AS
    64         draw    one card, or all that is owed
    65         pass    keep the card just drawn (C6)
    66         mau     announce the last but one card (C15)

The table is the same for all decks and all rules. The legal actions of a moment fit into one `uint64`: a bit for each
card (a Jack's bit stands for all its wishes), then one each for draw, pass and mau. The bits above these are a number:
how many suits the deck lacks, given when a Jack may be played, since a suit that is not there cannot be wished (C10).
"""

from typing import Any

import numpy as np

from maumau_env.game.bits import BIT, ONE, below, count, nth
from maumau_env.game.cards import JACK, JACKS, NAMES, NUM_CARDS, NUM_SUITS, SUITS
from maumau_env.game.jit import jit

DRAW_BIT, PASS_BIT, MAU_BIT = BIT[NUM_CARDS], BIT[NUM_CARDS + 1], BIT[NUM_CARDS + 2]
MISSING_AT = np.uint64(NUM_CARDS + 3)
"""Where the number of missing suits begins in a set of legal actions."""
ACTION_BITS = BIT[NUM_CARDS + 3] - ONE


def _table() -> list[tuple[str, int, int]]:
    """(text, bit number, suit wished or -1) of every action."""
    rows = []
    for card, name in enumerate(NAMES):
        if card // 4 == JACK:
            rows += [(f"{name}:{suit}", card, wish) for wish, suit in enumerate(SUITS)]
        else:
            rows.append((name, card, -1))
    return [*rows, *((name, NUM_CARDS + i, -1) for i, name in enumerate(("draw", "pass", "mau")))]


ACTION_NAMES = tuple(text for text, _, _ in _table())
ACTION_NUMBERS = {text: number for number, text in enumerate(ACTION_NAMES)}
NUM_ACTIONS = len(ACTION_NAMES)
DRAW, PASS, MAU = (ACTION_NUMBERS[text] for text in ("draw", "pass", "mau"))

_BITS = [bit for _, bit, _ in _table()]
_WISHES = [wish for _, _, wish in _table()]
ACTION_BIT = np.array(_BITS, np.int64)
"""The bit number of each action in a set of legal actions; for plays it is the card."""
ACTION_WISH = np.array(_WISHES, np.int64)
"""The suit that each action names, -1 for all but Jacks."""
FIRST_ACTION = np.array([list(ACTION_BIT).index(bit) for bit in range(NUM_CARDS + 3)], np.int64)
"""The first action of each bit number; a Jack's other three follow it."""


def action_number(text: str) -> int:
    """Number of an action from its text; ValueError when there is no such action."""
    if text not in ACTION_NUMBERS:
        raise ValueError(
            f"no action is called {text!r}: play a card (7H), a Jack with the suit it names (JC:S), draw, pass or mau"
        )
    return ACTION_NUMBERS[text]


def actions_in(legal: int) -> list[int]:
    """The numbers of all actions in a set of legal actions, ascending."""
    bits, suits = int(legal), NUM_SUITS - (int(legal) >> int(MISSING_AT))
    return [action for action, bit in enumerate(_BITS) if bits >> bit & 1 and _WISHES[action] < suits]


@jit
def wishes(legal: Any) -> Any:
    """How many suits, the first ones, a Jack of this set may name."""
    return NUM_SUITS - np.int64(legal >> MISSING_AT)


@jit
def count_actions(legal: Any) -> Any:
    """How many actions a set of legal actions holds."""
    return count(legal & ACTION_BITS) + (wishes(legal) - 1) * count(legal & JACKS)


@jit
def nth_action(legal: Any, n: Any) -> Any:
    """The n-th action of a set, n from 0 to count_actions(legal) - 1, in a fixed order: Jacks come last."""
    others = legal & ACTION_BITS & ~JACKS
    jack_plays = n - count(others)
    if jack_plays < 0:
        return FIRST_ACTION[nth(others, n)]
    suits = wishes(legal)
    return FIRST_ACTION[nth(legal & JACKS, jack_plays // suits)] + jack_plays % suits


@jit
def any_action(legal: Any, word: Any) -> Any:
    """An action of a set that is not empty, by a random word: all are equally likely, each wish is one of its own."""
    return nth_action(legal, below(word, count_actions(legal)))


def legal_names(legal: int) -> list[str]:
    """The texts of all actions in a set of legal actions, sorted as in a game record."""
    return sorted(ACTION_NAMES[action] for action in actions_in(legal))


assert len(ACTION_NAMES) == NUM_CARDS + 3 * NUM_SUITS + 3
