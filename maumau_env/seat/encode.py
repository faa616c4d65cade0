"""VIEW -> observation: a float32 vector whose every section has a name, a length and a meaning, given in `layout`.

`encode` writes the sections in the order of the table; `tests/test_encode.py` holds the two together.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from maumau_env.game.actions import ACTION_BIT, ACTION_BITS, ACTION_WISH, FIRST_ACTION, wishes
from maumau_env.game.bits import ONE, lowest
from maumau_env.game.cards import JACK, LOWEST_OF_32, MAX_DECK, NUM_CARDS, NUM_RANKS, NUM_SUITS, lowest_card
from maumau_env.game.jit import jit, kernel, outlined
from maumau_env.game.rules import MAX_PLAYERS, MIN_PLAYERS
from maumau_env.game.state import AGAIN, DRAWN, FORGOTTEN, LAST_PLAYS, NONE, NORMAL, raw
from maumau_env.seat.view import VIEW

LAYOUT_VERSION = 2
"""Goes up when a section changes: a bot trained with another version is refused."""

HAND_SCALE = np.float32(1 / 8)
"""Hand sizes and debts are counted in eights, so that usual values lie between 0 and 1."""

ROUND_SCALE, GONE_SCALE = np.float32(1 / 10), np.float32(1 / (MAX_PLAYERS - 1))
"""Rounds of a match are counted in tens, players who are gone as a share of those who can be."""

MOST = np.float32(2)
"""Rounds and points are said to be no more than so many tens, or limits."""


class Section(NamedTuple):
    """One named part of the observation."""

    name: str
    length: int
    meaning: str


RULES_MEANING = (
    "the options: hand_size / 8, cover_special_start, must_play, play_drawn, ace one-hot (plain, skip, again), "
    "draw_then_play, jack_on_jack, win_with_jack, nine_skips_with_two, mau (1: call), final_seven_draws, "
    "max_turns / 1000"
)


@dataclass(frozen=True)
class Layout:
    """Where everything stands in an observation; two tables share a layout when deck and seats are equal.

    A small deck has the sections of the deck of 32, of which it is a part; cards that it lacks are zero.

    `seats` is the number of seats that the observation has room for, at least the players at the table: a bot with
    room for five can sit at every table, and the sections of seats that are not there are zero.
    """

    deck: int
    seats: int

    def __post_init__(self) -> None:
        if not MIN_PLAYERS <= self.seats <= MAX_PLAYERS:
            raise ValueError(f"an observation with {self.seats!r} seats: it has {MIN_PLAYERS} to {MAX_PLAYERS}")

    @property
    def sections(self) -> tuple[Section, ...]:
        """All sections, in order."""
        cards = NUM_CARDS - lowest_card(self.deck)
        ranks = cards // NUM_SUITS
        return (
            Section("hand", cards, "how many copies of each card I hold"),
            Section("shown", cards, "how many copies of each card lie in the discards since the last shuffle"),
            Section("top_rank", ranks, "one-hot: rank of the top card"),
            Section("top_suit", NUM_SUITS, "one-hot: suit of the top card"),
            Section("suit", NUM_SUITS, "one-hot: suit in force, the wish if there is one"),
            Section("wished", 1, "1 when the suit in force was wished"),
            Section("owed", 1, "cards owed / 8"),
            Section("phase", 3, "one-hot: normal, drawn card may be played, second card after an ace"),
            Section("mau_said", 1, "1 when Mau was called in this turn"),
            Section("drawn_rank", ranks, "one-hot: rank of the drawn card that may be played"),
            Section("drawn_suit", NUM_SUITS, "one-hot: suit of that card"),
            Section("direction", 1, "1 clockwise, -1 counter-clockwise"),
            Section("players", MAX_PLAYERS - 1, "one-hot: 2, 3, 4 or 5 players"),
            Section("pile", 1, "cards in the pile / cards in the deck"),
            Section("turns", 1, "turns used / max_turns"),
            Section("rules", 14, RULES_MEANING),
            Section("match", 1, "1 in a match; in a single round 0, and so are the next three"),
            Section("round", 1, "number of the round in the match / 10, at most 2"),
            Section("gone", 1, "players who sat here and are out or have left / 4"),
            Section("points", self.seats, "penalty points / the limit, at most 2: mine, then clockwise"),
            Section("hand_sizes", self.seats, "cards in each hand / 8: mine, then clockwise"),
            *(section for seat in range(1, self.seats) for section in _seat_sections(seat, ranks)),
        )

    @property
    def size(self) -> int:
        """Length of the observation."""
        return sum(section.length for section in self.sections)

    def slices(self) -> dict[str, slice]:
        """Where each section lies in the observation."""
        ends = np.cumsum([section.length for section in self.sections])
        return {
            part.name: slice(int(end) - part.length, int(end)) for part, end in zip(self.sections, ends, strict=True)
        }

    def places(self, names: Sequence[str]) -> np.ndarray:
        """The places of all numbers of some sections: int64; ValueError for a section that there is not."""
        slices = self.slices()
        if unknown := [name for name in names if name not in slices]:
            raise ValueError(f"there is no section {', '.join(unknown)} in the observation ({', '.join(slices)})")
        return np.array([at for name in names for at in range(slices[name].start, slices[name].stop)], np.int64)

    def __str__(self) -> str:
        return f"layout {LAYOUT_VERSION}, deck of {self.deck}, {self.seats} seats, {self.size} numbers"


def _seat_sections(seat: int, ranks: int) -> list[Section]:
    """What is known of the opponent `seat` places clockwise from me."""
    whose = f"of the opponent {seat} clockwise"
    fading = "1 / (1 + cards taken since it last drew on it), 0 for never"
    plays = [
        section
        for turn in range(1, LAST_PLAYS + 1)
        for section in (
            Section(f"play_{turn}_rank_{seat}", ranks, f"one-hot: rank of the play {turn} back {whose}"),
            Section(
                f"play_{turn}_suit_{seat}",
                NUM_SUITS,
                "one-hot: suit of that play, for a Jack the suit it named",
            ),
        )
    ]
    return [
        Section(f"drew_on_suit_{seat}", NUM_SUITS, f"evidence {whose} having no card of a suit: {fading}"),
        Section(f"drew_on_rank_{seat}", ranks, f"evidence {whose} having no card of a rank: {fading}"),
        *plays,
    ]


# ---- writing -------------------------------------------------------------------------------------------------------
# Positions (`at`) are uint64: of a signed one numba would ask at every number whether it counts from the end.

U = np.uint64
BYTE, BYTE_BITS = U(255), U(8)
BITS_OF_BYTE = np.array([[byte >> bit & 1 for bit in range(8)] for byte in range(256)], np.float32)
"""The eight bits of every byte as numbers: a set of cards is written eight cards at a time."""
FADING = np.array([0, *(1 / since for since in range(1, FORGOTTEN)), 0], np.float32)
"""Weight of evidence by `since_suit` and `since_rank`: none for never, and none for FORGOTTEN."""
PLAY_RANK = ACTION_BIT >> 2
PLAY_SUIT = np.where(ACTION_WISH == NONE, ACTION_BIT & 3, ACTION_WISH)
"""Rank and suit of each play, for a Jack the suit it named."""


@jit
def encode(v: Any, seats: Any, out: Any) -> None:
    """Write the observation of the VIEW `v` with room for `seats` seats into `out`, all of it."""
    first = 0 if v["rules"]["deck"] == MAX_DECK else LOWEST_OF_32
    ranks = NUM_RANKS - (first >> 2)
    out[:] = 0
    at = put_heap(out, U(0), v["hand"], first)
    at = put_heap(out, at, v["shown"], first)
    at = put_card(out, at, v["top"], ranks)
    at = put_one_hot(out, at, NUM_SUITS, v["suit"])
    at = put(out, at, v["wished"])
    at = put(out, at, v["owed"] * HAND_SCALE)
    at = put_one_hot(out, at, 3, v["phase"])
    at = put(out, at, v["mau_said"])
    at = put_card(out, at, v["drawn"], ranks)
    at = put(out, at, v["direction"])
    at = put_one_hot(out, at, MAX_PLAYERS - 1, v["num_players"] - MIN_PLAYERS)
    at = put(out, at, v["pile_size"] / v["rules"]["deck"])
    at = put(out, at, v["turns"] / v["rules"]["max_turns"])
    at = put_rules(out, at, v["rules"])
    if v["round"] > 0:
        put_match(out, at, v)
    at += U(3 + seats)
    for seat in range(v["num_players"]):
        out[at + U(seat)] = v["hand_sizes"][seat] * HAND_SCALE
    at += U(seats)
    for seat in range(1, v["num_players"]):
        at = put_seat(out, at, v["seats"][seat], ranks)


@jit
def put(out: Any, at: Any, value: Any) -> Any:
    """One number."""
    out[at] = value
    return at + ONE


@jit
def put_one_hot(out: Any, at: Any, length: Any, hot: Any) -> Any:
    """`out` is zero there already."""
    out[at + U(hot)] = 1
    return at + U(length)


@jit
def put_card(out: Any, at: Any, card: Any, ranks: Any) -> Any:
    """Rank and suit; for NONE they stay zero."""
    if card >= 0:
        out[at + U((card >> 2) - (NUM_RANKS - ranks))] = 1
        out[at + U(ranks + (card & 3))] = 1
    return at + U(ranks + NUM_SUITS)


@jit
def put_heap(out: Any, at: Any, heap: Any, first: Any) -> Any:
    """Number of copies of each card from the card `first` on; spills zeros over what comes next."""
    end = at + U(NUM_CARDS - first)
    cards = heap[0] >> U(first)
    put_at = at
    while put_at < end:
        bits = BITS_OF_BYTE[cards & BYTE]
        for i in range(8):
            out[put_at + U(i)] = bits[i]
        put_at += BYTE_BITS
        cards >>= BYTE_BITS
    cards = heap[1]
    while cards:
        out[at + U(lowest(cards) - first)] = 2
        cards &= cards - ONE
    return end


@jit
def put_rules(out: Any, at: Any, rules: Any) -> Any:
    """The options of the table."""
    at = put(out, at, rules["hand_size"] * HAND_SCALE)
    at = put(out, at, rules["cover_special_start"])
    at = put(out, at, rules["must_play"])
    at = put(out, at, rules["play_drawn"])
    at = put_one_hot(out, at, 3, rules["ace"])
    at = put(out, at, rules["draw_then_play"])
    at = put(out, at, rules["jack_on_jack"])
    at = put(out, at, rules["win_with_jack"])
    at = put(out, at, rules["nine_skips_with_two"])
    at = put(out, at, rules["mau"])
    at = put(out, at, rules["final_seven_draws"])
    return put(out, at, rules["max_turns"] / 1000)


@outlined
def put_match(out: Any, at: Any, v: Any) -> None:
    """How the match stands."""
    out[at] = 1
    out[at + ONE] = min(v["round"] * ROUND_SCALE, MOST)
    out[at + U(2)] = (v["sat"] - v["num_players"]) * GONE_SCALE
    for seat in range(v["num_players"]):
        out[at + U(3 + seat)] = min(v["points"][seat] / v["penalty_limit"], MOST)


@jit
def put_seat(out: Any, at: Any, seen: Any, ranks: Any) -> Any:
    """What is known of an opponent, a SEAT."""
    for suit in range(NUM_SUITS):
        out[at + U(suit)] = FADING[seen["since_suit"][suit]]
    at += U(NUM_SUITS)
    for rank in range(ranks):
        out[at + U(rank)] = FADING[seen["since_rank"][U(NUM_RANKS - ranks + rank)]]
    at += U(ranks)
    for turn in range(LAST_PLAYS):
        action = seen["last_plays"][turn]
        if action >= 0:
            out[at + U(PLAY_RANK[U(action)] - (NUM_RANKS - ranks))] = 1
            out[at + U(ranks + PLAY_SUIT[U(action)])] = 1
        at += U(ranks + NUM_SUITS)
    return at


@jit
def mask_actions(legal: Any, mask: Any) -> None:
    """Write the action mask (int8, shape (NUM_ACTIONS,)) of a set of legal actions."""
    mask[:] = 0
    suits, left = wishes(legal), legal & ACTION_BITS
    while left:
        bit = lowest(left)
        action = U(FIRST_ACTION[bit])
        mask[action] = 1
        if bit >> 2 == JACK:
            for wish in range(1, suits):
                mask[action + U(wish)] = 1
        left &= left - ONE


def observations(seen: np.ndarray, seats: int) -> np.ndarray:
    """The observations of an array of VIEWs of one deck, shape (n,): float32, shape (n, Layout(deck, seats).size).

    Raises:
        ValueError: a table has more players than the layout has seats, or the decks differ.
    """
    if len(seen) == 0:
        raise ValueError("no views to encode")
    decks = np.unique(seen["rules"]["deck"])
    if len(decks) > 1 or seen["num_players"].max() > seats:
        raise ValueError(f"decks {decks}, up to {seen['num_players'].max()} players: no one layout with {seats} seats")
    out = np.empty((len(seen), Layout(int(decks[0]), seats).size), np.float32)
    encode_kernel(raw(seen), seats, out)
    return out


@kernel
def encode_kernel(raw_views: Any, seats: Any, out: Any) -> None:
    """See `observations`."""
    seen = raw_views.view(VIEW)
    for i in range(len(seen)):
        encode(seen[i], seats, out[i])


assert (NORMAL, DRAWN, AGAIN) == (0, 1, 2)
