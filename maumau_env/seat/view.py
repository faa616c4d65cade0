"""What one seat may know of a game: a VIEW. Bots, search and pages get VIEWs and never a GAME.

Seats in a VIEW are relative: 0 is the viewer, 1 the next one clockwise, and so on; `direction` tells which way play
goes. Rows of seats that are not there are zero.
"""

from typing import Any

import numpy as np

from maumau_env.game.bits import NOTHING
from maumau_env.game.jit import jit, kernel, outlined
from maumau_env.game.play import around, forget_seat, hand_size, legal, suit_in_force, top
from maumau_env.game.rules import MAX_PLAYERS, RULES
from maumau_env.game.state import DRAWN, GAME, NONE, NORMAL, SEAT, raw

VIEW: np.dtype = np.dtype(
    [
        ("rules", RULES),
        ("num_players", "i2"),  # 2 to 5
        ("to_move", "i2"),  # relative seat to move; 0: it is the viewer's turn
        ("direction", "i2"),  # 1 clockwise, -1 counter-clockwise
        ("top", "i2"),  # uppermost discard, a card
        ("suit", "i2"),  # suit in force: the wish, or that of the top
        ("wished", "i2"),  # 1 when that suit was named by a Jack's player
        ("owed", "i2"),  # cards owed by the chain of sevens
        ("phase", "i2"),  # NORMAL, DRAWN or AGAIN; DRAWN is seen by the seat to move alone
        ("drawn", "i2"),  # in phase DRAWN the card just drawn, else NONE
        ("mau_said", "i2"),  # 1 when Mau was called in this turn
        ("turns", "i2"),  # turns completed
        ("pile_size", "i2"),
        ("round", "i2"),  # number of the round in its match, from 1; 0 in a single round, and then the next three, too
        ("penalty_limit", "i2"),  # whoever has more points is out (M2)
        ("sat", "i2"),  # players who have sat down so far; those who are not here any more are out or have left
        ("points", "i2", MAX_PLAYERS),  # penalty points by relative seat
        ("hand_sizes", "i2", MAX_PLAYERS),  # cards in each hand by relative seat
        ("legal", "u8"),  # the viewer's legal actions, none when another seat moves
        ("hand", "u8", 2),  # the viewer's cards held at least once, and those held twice
        ("shown", "u8", 2),  # the same for the discards since the last shuffle, the top included
        ("seats", SEAT, MAX_PLAYERS),  # what each relative seat has been seen to do, see `state.py`
    ],
    align=True,
)


@jit
def look(g: Any, seat: Any, v: Any) -> None:
    """Write into the VIEW `v`, a blank one or one that was looked through before, what `seat` may know of `g`."""
    for relative in range(g["num_players"], v["num_players"]):
        clear_seat(v, relative)
    if g["match"]["round"] > 0 or v["round"] > 0:
        look_at_match(g, seat, v)
    mine = seat == g["seat"]
    v["rules"] = g["rules"]
    v["num_players"] = g["num_players"]
    v["to_move"] = around(g, g["seat"] - seat)
    v["direction"] = g["direction"]
    v["top"] = top(g)
    v["suit"] = suit_in_force(g)
    v["wished"] = 1 if g["wish"] != NONE else 0
    v["owed"] = g["owed"]
    # That a drawn card fits is known to its player alone (C6).
    hide = g["phase"] == DRAWN and not mine
    v["phase"] = NORMAL if hide else g["phase"]
    v["drawn"] = NONE if hide else g["drawn"]
    v["mau_said"] = g["mau_said"]
    v["turns"] = g["turns"]
    v["pile_size"] = g["pile_size"]
    v["legal"] = legal(g) if mine else NOTHING
    for copy in range(2):
        v["hand"][copy] = g["hands"][seat, copy]
        v["shown"][copy] = g["shown"][copy]
    for relative in range(g["num_players"]):
        other = around(g, seat + relative)
        v["hand_sizes"][relative] = hand_size(g, other)
        v["seats"][relative] = g["seats"][other]


@outlined
def look_at_match(g: Any, seat: Any, v: Any) -> None:
    """How the match stands, or in a single round that there is none."""
    v["round"] = g["match"]["round"]
    v["penalty_limit"] = g["match"]["penalty_limit"]
    v["sat"] = g["match"]["sat"]
    for relative in range(g["num_players"]):
        v["points"][relative] = g["match"]["points"][g["agents"][around(g, seat + relative)]]


@outlined
def clear_seat(v: Any, relative: Any) -> None:
    """Nobody sits there any more."""
    v["hand_sizes"][relative] = 0
    v["points"][relative] = 0
    forget_seat(v["seats"][relative])
    v["seats"][relative]["last_plays"][:] = 0


def views(games: np.ndarray) -> np.ndarray:
    """What the seat to move of each game may know: array of VIEWs, shape (n,), for games of shape (n,)."""
    seen = np.zeros(len(games), VIEW)
    views_kernel(raw(games), raw(seen))
    return seen


def view_of(game: np.ndarray, seat: int) -> np.ndarray:
    """What one seat may know of one GAME: a VIEW array of shape (1,).

    Raises:
        ValueError: nobody sits at this seat.
    """
    if not 0 <= seat < int(game["num_players"]):
        raise ValueError(f"seat {seat}: seats are 0 to {int(game['num_players']) - 1}")
    seen = np.zeros(1, VIEW)
    view_kernel(raw(game.reshape(1)), seat, raw(seen))
    return seen


@kernel
def views_kernel(raw_games: Any, raw_views: Any) -> None:
    """See `views`."""
    games, seen = raw_games.view(GAME), raw_views.view(VIEW)
    for i in range(len(games)):
        look(games[i], games[i]["seat"], seen[i])


@kernel
def view_kernel(raw_games: Any, seat: Any, raw_views: Any) -> None:
    """See `view_of`."""
    look(raw_games.view(GAME)[0], seat, raw_views.view(VIEW)[0])
