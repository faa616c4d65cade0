"""How a round is played: the single source of truth, one small function per sentence of `rules.py`.

`g` is one GAME, changed in place. `deal` begins a round, `legal` is the set of legal actions, `step` carries out a
legal action (it does not check: callers do). A set of legal actions is a `uint64` as described in `actions.py`.
"""

from typing import Any

import numpy as np

from maumau_env.game.actions import (
    ACTION_BIT,
    ACTION_WISH,
    DRAW,
    DRAW_BIT,
    MAU,
    MAU_BIT,
    MISSING_AT,
    PASS,
    PASS_BIT,
    wishes,
)
from maumau_env.game.bits import BIT, NOTHING, scramble
from maumau_env.game.cards import (
    ACE,
    ALL_CARDS,
    DECK_CARDS,
    EIGHT,
    JACK,
    JACKS,
    MISSING_SUITS,
    NINE,
    NUM_RANKS,
    NUM_SUITS,
    RANK_SET,
    SEVEN,
    SPECIAL_CARDS,
    SUIT_SET,
)
from maumau_env.game.heaps import (
    any_place,
    hand_size,
    held,
    mark_copies,
    put_in_hand,
    put_on_discards,
    remember_play,
    take_at,
    take_cards,
    take_from_hand,
    top,
)
from maumau_env.game.jit import jit, outlined
from maumau_env.game.rules import ACE_AGAIN, ACE_SKIP, MAU_CALL
from maumau_env.game.state import (
    AGAIN,
    DRAWN,
    EMPTIED,
    LAST_PLAYS,
    NONE,
    NORMAL,
    OWN,
    RUNNING,
    SHUFFLED,
    STUCK,
    TOO_LONG,
)

# ---- dealing -------------------------------------------------------------------------------------------------------


@outlined
def deal(g: Any) -> None:
    """C1-C3: a fresh round of the same table; seed, lane and episode alone decide the cards."""
    clear(g)
    g["rng"] = scramble(g["seed"] ^ scramble(np.uint64(g["lane"]) ^ scramble(np.uint64(g["episode"]))))
    lay_out_deck(g)
    for seat in range(g["num_players"]):
        for _ in range(g["rules"]["hand_size"]):
            put_in_hand(g, seat, take_at(g, any_place(g)))
    turn_up(g)
    while g["rules"]["cover_special_start"] and g["pile_size"] > 0 and BIT[top(g)] & SPECIAL_CARDS:
        turn_up(g)
    g["pile_start"] = g["pile_size"]
    if g["order"] == OWN:
        mark_copies(g)


@jit
def clear(g: Any) -> None:
    """Forget everything but the table, who sits there and how they draw, the seed, the lane and the episode."""
    g["seat"] = g["starter"]
    g["direction"] = 1
    g["owed"] = 0
    g["turns"] = 0
    g["end"] = RUNNING
    g["shuffles"] = 0
    if g["order"] != OWN:
        g["order"] = SHUFFLED
    g["discards_size"] = 0
    g["wish"] = NONE
    begin_turn(g)
    g["hands"][:] = NOTHING
    g["shown"][:] = NOTHING
    for seat in range(g["num_players"]):
        forget_seat(g["seats"][seat])


@jit
def forget_seat(seen: Any) -> None:
    """No evidence, no plays."""
    for suit in range(NUM_SUITS):
        seen["since_suit"][suit] = 0
    for rank in range(NUM_RANKS):
        seen["since_rank"][rank] = 0
    for i in range(LAST_PLAYS):
        seen["last_plays"][i] = NONE


@jit
def lay_out_deck(g: Any) -> None:
    """The whole deck as the pile, in order: it is shuffled by being drawn at random."""
    deck = g["rules"]["deck"]
    for i in range(deck):
        g["pile"][i] = DECK_CARDS[deck, i]
    g["pile_size"] = deck


@jit
def turn_up(g: Any) -> None:
    """The next card of the pile goes on the discards."""
    put_on_discards(g, take_at(g, any_place(g)))


# ---- what is legal -------------------------------------------------------------------------------------------------


@jit
def legal(g: Any) -> Any:
    """The legal actions of the seat to move; nothing after the end."""
    if g["end"] != RUNNING:
        return NOTHING
    if g["phase"] == DRAWN:
        actions = BIT[g["drawn"]] | PASS_BIT
    else:
        playable = held(g, g["seat"]) & fitting(g)
        actions = playable
        if playable == NOTHING or g["owed"] > 0 or not g["rules"]["must_play"]:
            actions = actions | DRAW_BIT
    if may_call_mau(g) and actions & ALL_CARDS:
        actions = actions | MAU_BIT
    if actions & JACKS:
        actions = actions | MISSING_SUITS[g["rules"]["deck"]] << MISSING_AT
    return actions


@jit
def fitting(g: Any) -> Any:
    """C4, C7: all cards that fit now, in whose hand ever."""
    if g["owed"] > 0:
        return RANK_SET[SEVEN]
    rank = top(g) >> 2
    cards = SUIT_SET[suit_in_force(g)] | RANK_SET[rank] | JACKS
    if rank == JACK and not g["rules"]["jack_on_jack"]:
        cards = cards & ~JACKS
    return cards


@jit
def may_call_mau(g: Any) -> bool:
    """C15, but for the playable card."""
    if g["rules"]["mau"] != MAU_CALL or g["mau_said"]:
        return False
    return hand_size(g, g["seat"]) == 2


@jit
def is_legal(g: Any, action: Any) -> bool:
    """Whether the seat to move may do this; False for a number that is no action."""
    if action < 0 or action >= len(ACTION_BIT):
        return False
    actions = legal(g)
    return (actions & BIT[ACTION_BIT[action]]) != NOTHING and ACTION_WISH[action] < wishes(actions)


# ---- one decision --------------------------------------------------------------------------------------------------


@jit
def step(g: Any, action: Any) -> None:
    """Carry out a legal action of the seat to move."""
    if action == DRAW:
        draw(g)
    elif action == PASS:
        end_turn(g, 1)
    elif action == MAU:
        g["mau_said"] = 1
    else:
        play(g, action)
    if g["end"] == RUNNING:
        give_up(g)


@jit
def play(g: Any, action: Any) -> None:
    """Play a card, then what follows from how many are left, then its effect."""
    seat, card = g["seat"], ACTION_BIT[action]
    take_from_hand(g, seat, card)
    put_on_discards(g, card)
    remember_play(g, seat, action)
    g["phase"] = NORMAL
    g["drawn"] = NONE
    left = hand_size(g, seat)
    if left == 0:
        play_last_card(g, card, ACTION_WISH[action])
        return
    if left == 1 and g["rules"]["mau"] == MAU_CALL and not g["mau_said"]:
        take_cards(g, seat, 2)
    g["wish"] = ACTION_WISH[action]
    take_effect(g, card >> 2)


@outlined
def play_last_card(g: Any, card: Any, wish: Any) -> None:
    """C13, C14: the round is over, unless a Jack may not win."""
    g["wish"] = NONE
    if card >> 2 == JACK and not g["rules"]["win_with_jack"]:
        take_cards(g, g["seat"], 1)
        g["wish"] = wish
        end_turn(g, 1)
        return
    if card >> 2 == SEVEN and g["rules"]["final_seven_draws"]:
        take_cards(g, seat_after(g, 1), g["owed"] + 2)
    g["owed"] = 0
    g["end"] = EMPTIED


@jit
def take_effect(g: Any, rank: Any) -> None:
    """C7-C9, C11: what a card does that is not the last."""
    if rank == SEVEN:
        g["owed"] += 2
        end_turn(g, 1)
    elif rank == EIGHT or (rank == ACE and g["rules"]["ace"] == ACE_SKIP):
        end_turn(g, 2)
    elif rank == NINE:
        g["direction"] = -g["direction"]
        end_turn(g, 2 if g["num_players"] == 2 and g["rules"]["nine_skips_with_two"] else 1)
    elif rank == ACE and g["rules"]["ace"] == ACE_AGAIN:
        g["phase"] = AGAIN
    else:
        end_turn(g, 1)


@jit
def draw(g: Any) -> None:
    """C6, C7: take the debt, or one card that may then be playable."""
    seat = g["seat"]
    show_by_drawing(g, seat)
    owed = g["owed"]
    g["owed"] = 0
    card = take_cards(g, seat, owed if owed > 0 else 1)
    if owed > 0:
        if not g["rules"]["draw_then_play"]:
            end_turn(g, 1)
    elif card != NONE and g["rules"]["play_drawn"] and fitting(g) & BIT[card]:
        g["phase"] = DRAWN
        g["drawn"] = card
    else:
        end_turn(g, 1)


@jit
def end_turn(g: Any, steps: Any) -> None:
    """The seat so many steps on moves next."""
    g["seat"] = seat_after(g, steps)
    g["turns"] += 1
    begin_turn(g)


@jit
def begin_turn(g: Any) -> None:
    """Nothing drawn, nothing said."""
    g["phase"] = NORMAL
    g["drawn"] = NONE
    g["mau_said"] = 0


@jit
def give_up(g: Any) -> None:
    """C17, C18: end a running round that is stuck, be it in its last turn, or that has lasted too long."""
    if is_stuck(g):
        g["end"] = STUCK
    elif g["turns"] >= g["rules"]["max_turns"]:
        g["end"] = TOO_LONG


@jit
def is_stuck(g: Any) -> bool:
    """C17."""
    if g["pile_size"] > 0 or g["discards_size"] > 1 or g["owed"] > 0:
        return False
    everyone = NOTHING
    for seat in range(g["num_players"]):
        everyone = everyone | held(g, seat)
    return everyone & fitting(g) == NOTHING


# ---- who is next, and what holds ----------------------------------------------------------------------------------


@jit
def seat_after(g: Any, steps: Any) -> Any:
    """The seat one or two steps on in the direction of play."""
    return around(g, g["seat"] + g["direction"] * steps)


@jit
def around(g: Any, seat: Any) -> Any:
    """A seat number at most one round beyond the table, brought back to it: a remainder without a division."""
    if seat < 0:
        return seat + g["num_players"]
    return seat - g["num_players"] if seat >= g["num_players"] else seat


@jit
def suit_in_force(g: Any) -> Any:
    """The suit to be followed: the wish, or that of the top."""
    return g["wish"] if g["wish"] != NONE else top(g) & 3


@jit
def show_by_drawing(g: Any, seat: Any) -> None:
    """A seat that draws shows what it could not, or would not, serve: a seven, or suit, rank and Jack."""
    seen = g["seats"][seat]
    if g["owed"] > 0:
        seen["since_rank"][SEVEN] = 1
        return
    seen["since_suit"][suit_in_force(g)] = 1
    seen["since_rank"][top(g) >> 2] = 1
    if fitting(g) & JACKS:
        seen["since_rank"][JACK] = 1
