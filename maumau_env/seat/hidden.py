"""What nobody at the table may know: the hands of the others. For critics in training, never for a bot that plays."""

from typing import Any

import numpy as np

from maumau_env.game.bits import ONE
from maumau_env.game.cards import NUM_CARDS, lowest_card
from maumau_env.game.jit import kernel
from maumau_env.game.state import GAME, raw
from maumau_env.seat.encode import Layout


def hidden_size(layout: Layout) -> int:
    """How many numbers the hidden hands take: one for each card, for each opponent that there is room for."""
    return (NUM_CARDS - lowest_card(layout.deck)) * (layout.seats - 1)


def write_hidden(games: np.ndarray, layout: Layout, out: np.ndarray) -> None:
    """Write how many copies of each card the opponents of the seat to move hold, clockwise from it.

    Args:
        games: array of GAMEs, shape (n,).
        layout: of the observations beside which this stands.
        out: float32, shape (n, hidden_size(layout)); seats that are not there are zero.
    """
    hidden_kernel(raw(games), lowest_card(layout.deck), out)


@kernel
def hidden_kernel(raw_games: Any, first: Any, out: Any) -> None:
    """See `write_hidden`."""
    games, cards = raw_games.view(GAME), NUM_CARDS - first
    out[:] = 0
    for i in range(len(games)):
        g = games[i]
        for relative in range(1, g["num_players"]):
            seat = (g["seat"] + relative) % g["num_players"]
            for copy in range(2):
                hand = g["hands"][seat, copy] >> np.uint64(first)
                at = (relative - 1) * cards
                while hand:
                    out[i, at] += np.float32(hand & ONE)
                    hand >>= ONE
                    at += 1
