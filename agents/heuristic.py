"""`heuristic`: what a good player of this game goes by, as a weighted sum over a few features of every legal action.

Each action is judged by what it leaves behind: the hand that is kept, the card and suit that the next player has to
serve, and who that player is; in a match also by the points. The weights are in `weights.py`.
"""

import dataclasses
from typing import Any

import numpy as np

from agents.baseline import Baseline
from agents.weights import TUNED, WEIGHTS, Sets
from maumau_env.game.actions import ACTION_BIT, ACTION_WISH, DRAW, MAU, PASS, count_actions, nth_action
from maumau_env.game.bits import BIT, NOTHING, ONE, below, count, lowest, scramble
from maumau_env.game.cards import (
    ACE,
    ALL_CARDS,
    DECK_SETS,
    EIGHT,
    JACK,
    JACKS,
    NINE,
    NUM_SUITS,
    RANK_SET,
    SEVEN,
    SUIT_SET,
)
from maumau_env.game.heaps import points_of
from maumau_env.game.jit import jit, kernel
from maumau_env.game.rules import ACE_AGAIN, ACE_SKIP
from maumau_env.game.state import NONE, raw
from maumau_env.seat.view import VIEW

CERTAIN = 1e6
"""Added to what no weight may forbid: saying Mau, which is free, and going out."""


class Heuristic(Baseline):
    """Plays the action with the greatest weighted sum of features; the word decides between equal ones."""

    def __init__(self, seed: int = 0, forgets_mau: float = 0.0, weights: Sets = TUNED) -> None:
        super().__init__(seed, forgets_mau)
        self._weights = raw(np.array([dataclasses.astuple(each) for each in weights], WEIGHTS))

    def decide(self, raw_views: np.ndarray, words: np.ndarray, actions: np.ndarray) -> None:
        """As `Baseline.decide`."""
        heuristic_kernel(raw_views, words, self._weights, actions)


@kernel
def heuristic_kernel(raw_views: Any, words: Any, raw_weights: Any, actions: Any) -> None:
    """Write one action for each view."""
    views, weights = raw_views.view(VIEW), raw_weights.view(WEIGHTS)
    for i in range(len(views)):
        v = views[i]
        w = weights[(v["num_players"] > 2) + 2 * (v["round"] > 0)]
        actions[i] = best_action(v, w, words[i])


@jit
def best_action(v: Any, w: Any, word: Any) -> Any:
    """The legal action with the greatest score."""
    choices = v["legal"]
    number = count_actions(choices)
    best, most, equals = DRAW, -np.inf, 1
    for i in range(number):
        action = nth_action(choices, i)
        value = score(v, w, action) if number > 1 else 0.0
        if value > most:
            best, most, equals = action, value, 1
        elif value == most:
            equals += 1
            word = scramble(word)
            if below(word, equals) == 0:
                best = action
    return best


@jit
def score(v: Any, w: Any, action: Any) -> float:
    """What an action is worth."""
    if action == MAU:
        return CERTAIN
    if action == DRAW:
        return w["draw"]
    once, twice = v["hand"][0], v["hand"][1]
    card, suit, played = np.int64(v["top"]), np.int64(v["suit"]), action != PASS
    value = w["keep"]
    if played:
        card = ACTION_BIT[action]
        suit = card & 3 if ACTION_WISH[action] == NONE else ACTION_WISH[action]
        once, twice = without(once, twice, card)
        if once == NOTHING and may_win_with(v, card):
            return CERTAIN
        value = worth_of_following(v, w, once, twice, card, suit)
        if card >> 2 == SEVEN:
            value += w["seven"] + w["seven_urgent"] * urgency(v, seat_at(v, np.int64(1)))
    value += worth_of_hand(v, w, once, twice)
    if played and moves_again(v, card):
        return value
    steps = steps_after(v, card) if played else 1
    return value + worth_of_turn(v, w, card, suit, steps, played and card >> 2 == SEVEN)


# ---- the hand that is kept -----------------------------------------------------------------------------------------


@jit
def worth_of_hand(v: Any, w: Any, once: Any, twice: Any) -> float:
    """What the cards kept are good for, whatever lies on top."""
    jacks = count(once & JACKS) + count(twice & JACKS)
    value = w["jacks"] * jacks
    for suit in range(NUM_SUITS):
        if once & SUIT_SET[suit] & ~JACKS:
            value += w["suits"]
    if once & RANK_SET[SEVEN]:
        value += w["shield"]
    if jacks > 0 and once & ~JACKS == NOTHING and not v["rules"]["win_with_jack"]:
        value += w["last_jacks"]
    if v["round"] > 0:
        value += w["burden"] * points_of(once, twice) / 10
    return value


@jit
def worth_of_following(v: Any, w: Any, once: Any, twice: Any, card: Any, suit: Any) -> float:
    """What the cards kept are good for on top of the card played."""
    fits = fitting_on(v, card, suit)
    fit = count(once & fits) + count(twice & fits)
    value = w["follow_share"] * fit / max(1, count(once) + count(twice))
    if once & fits & ~JACKS:
        value += w["follow"]
    if moves_again(v, card) and fit > 0:
        value += w["again"] + (CERTAIN / 2 if runs_out(v, once, twice, card) else 0.0)
    return value


@jit
def runs_out(v: Any, once: Any, twice: Any, card: Any) -> bool:
    """The cards kept, one or two, can all be played on a card in the same go, which wins the round."""
    left = count(once) + count(twice)
    following = once & fitting_on(v, card, card & 3)
    while following != NOTHING and left <= 2:
        follower = lowest(following)
        following &= following - ONE
        if left == 1:
            return may_win_with(v, follower)
        last = lowest(without(once, twice, follower)[0])
        fits = BIT[last] & fitting_on(v, follower, follower & 3) != NOTHING
        if fits and moves_again(v, follower) and may_win_with(v, last):
            return True
    return False


# ---- what it does to the others ------------------------------------------------------------------------------------


@jit
def worth_of_turn(v: Any, w: Any, card: Any, suit: Any, steps: Any, owes: Any) -> float:
    """What it is worth that the player so many steps on has to serve this card and suit, or a debt."""
    target = seat_at(v, steps)
    pressing = urgency(v, target)
    denial = deny(v, target, card, suit, owes)
    worth_of_denial = w["deny"] + w["deny_urgent"] * pressing + w["deny_near"] * nearness(v, target)
    return worth_of_denial * denial + w["pass_on"] * pressing


@jit
def deny(v: Any, seat: Any, card: Any, suit: Any, owes: Any) -> float:
    """Chance that a seat can serve neither suit nor rank nor with a Jack, or holds no seven to answer one.

    The unseen cards are taken as evenly spread; but of a suit or rank that the seat once drew on it can hold no more
    cards than it took since.
    """
    rank = card >> 2
    lack = lacks(v, seat, RANK_SET[rank], v["seats"][seat]["since_rank"][rank])
    if owes:
        return lack
    jacks = fitting_on(v, card, suit) & JACKS & ~RANK_SET[rank]
    lack *= lacks(v, seat, SUIT_SET[suit] & ~RANK_SET[rank] & ~JACKS, v["seats"][seat]["since_suit"][suit])
    return lack * lacks(v, seat, jacks, v["seats"][seat]["since_rank"][JACK])


@jit
def lacks(v: Any, seat: Any, cards: Any, since: Any) -> float:
    """Chance that a seat holds none of these cards, when it took `since` - 1 cards since it showed that (0: never)."""
    chances = v["hand_sizes"][seat]
    if since > 0:
        chances = min(chances, since - 1)
    miss = 1 - unseen(v, cards) / max(1, unseen(v, ALL_CARDS))
    chance = 1.0
    for _ in range(chances):
        chance *= miss
    return chance


# ---- reading a view ------------------------------------------------------------------------------------------------


@jit
def fitting_on(v: Any, card: Any, suit: Any) -> Any:
    """The cards that may be played on a card, `suit` being in force (C4)."""
    cards = SUIT_SET[suit] | RANK_SET[card >> 2] | JACKS
    if card >> 2 == JACK and not v["rules"]["jack_on_jack"]:
        cards = cards & ~JACKS
    return cards


@jit
def skips(v: Any, rank: Any) -> bool:
    """C8, C9, C11: a card of this rank skips the next player."""
    if rank == NINE:
        return v["num_players"] == 2 and v["rules"]["nine_skips_with_two"] != 0
    return rank == EIGHT or (rank == ACE and v["rules"]["ace"] == ACE_SKIP)


@jit
def steps_after(v: Any, card: Any) -> Any:
    """How many seats on in the present direction the turn goes after a card that gives no other go (C8, C9)."""
    if skips(v, card >> 2):
        return 2
    return -1 if card >> 2 == NINE else 1


@jit
def moves_again(v: Any, card: Any) -> bool:
    """Whoever plays this card has another go at once, unless it was the last."""
    rank = card >> 2
    return (v["num_players"] == 2 and skips(v, rank)) or (rank == ACE and v["rules"]["ace"] == ACE_AGAIN)


@jit
def may_win_with(v: Any, card: Any) -> bool:
    """C14."""
    return card >> 2 != JACK or v["rules"]["win_with_jack"] != 0


@jit
def unseen(v: Any, cards: Any) -> Any:
    """How many of these cards, both copies counted, lie in the pile or in other hands."""
    number, deck = 0, v["rules"]["deck"]
    for copy in range(2):
        seen = count(cards & v["hand"][copy]) + count(cards & v["shown"][copy])
        number += count(cards & DECK_SETS[deck, copy]) - seen
    return number


@jit
def seat_at(v: Any, steps: Any) -> Any:
    """The relative seat so many steps on in the direction of play."""
    return (v["direction"] * steps) % v["num_players"]


@jit
def urgency(v: Any, seat: Any) -> float:
    """1 / the cards a seat holds: how near it is to going out."""
    return 1 / max(1, v["hand_sizes"][seat])


@jit
def nearness(v: Any, seat: Any) -> float:
    """M2: how near a seat is to the limit, from 0 to 1; 0 in a single round."""
    return v["points"][seat] / max(1, v["penalty_limit"])


@jit
def without(once: Any, twice: Any, card: Any) -> Any:
    """A hand less one copy of a card."""
    bit = BIT[card]
    if twice & bit:
        return once, twice & ~bit
    return once & ~bit, twice
