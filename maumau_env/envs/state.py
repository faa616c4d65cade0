"""GAME -> the state vector for centralised critics: everything that no single seat sees, behind what the mover sees."""

from dataclasses import dataclass

import numpy as np

from maumau_env.game.cards import NUM_CARDS, lowest_card
from maumau_env.game.state import FACE
from maumau_env.seat.encode import Layout, Section


@dataclass(frozen=True)
class StateLayout:
    """Where everything stands in a state; hands are those of the seats clockwise from the seat to move.

    The order of the pile is not part of it: a shuffled pile is drawn at random, so there is none yet.
    """

    observation: Layout

    @property
    def sections(self) -> tuple[Section, ...]:
        """All sections, in order."""
        cards = self._cards
        hands = [
            Section(f"hand_{seat}", cards, f"how many copies of each card the seat {seat} clockwise holds")
            for seat in range(1, self.observation.seats)
        ]
        return (
            *self.observation.sections,
            Section("seat", self.observation.seats, "one-hot: the seat to move, by its number at the table"),
            *hands,
            Section("in_pile", cards, "how many copies of each card lie in the pile"),
        )

    @property
    def size(self) -> int:
        """Length of the state."""
        return self.observation.size + self.observation.seats * (1 + self._cards)

    @property
    def _cards(self) -> int:
        return NUM_CARDS - lowest_card(self.observation.deck)

    def write(self, game: np.ndarray, observation: np.ndarray) -> np.ndarray:
        """The state, float32 of shape (size,), of one GAME, shape (1,), and the observation of its seat to move."""
        deck, room = self.observation.deck, self.observation.seats
        players, mover = int(game["num_players"][0]), int(game["seat"][0])
        hands = np.zeros((room - 1, self._cards), np.float32)
        for seat in range(1, players):
            hands[seat - 1] = copies_held(game["hands"][0, (mover + seat) % players], deck)
        pile = game["pile"][0, : game["pile_size"][0]] & FACE
        in_pile = np.bincount(pile, minlength=NUM_CARDS)[lowest_card(deck) :]
        return np.concatenate(
            (observation, np.arange(room) == mover, hands.reshape(-1), in_pile), dtype=np.float32, casting="unsafe"
        )


def copies_held(heap: np.ndarray, deck: int) -> np.ndarray:
    """How many copies of each card of the deck are in a heap: its cards held once and those held twice, uint64."""
    cards = np.arange(lowest_card(deck), NUM_CARDS, dtype=np.uint64)
    return ((heap[:, None] >> cards) & np.uint64(1)).sum(axis=0)
