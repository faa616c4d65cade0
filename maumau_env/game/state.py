"""The truth of one round as one numpy record: a GAME, and how records are made, copied and handed to the kernels.

A round of a match knows the match, too; who plays it are *agents*, numbered 0 to 4 for the whole match, and they sit on
the *seats* of the round, which are numbered anew in each: 0 to num_players - 1, clockwise.

A batch of games is an array of GAMEs. Kernels take it as a `uint8` array (`raw(games)`) and view it as GAMEs inside:
numba unpacks a byte array twenty times faster than a structured one.
"""

from typing import Any

import numpy as np

from maumau_env.game.cards import MAX_DECK, NUM_RANKS, NUM_SUITS
from maumau_env.game.rules import MAX_PLAYERS, RULES, Rules

NONE = -1
"""In any field: no card, no suit, no action."""

NORMAL, DRAWN, AGAIN = range(3)
"""Phases of a turn: its beginning; a drawn card may be played (C6); the second card after an ace (C11)."""

RUNNING, EMPTIED, STUCK, TOO_LONG = range(4)
"""How a round stands: running, or ended by an empty hand (C13), stuck (C17) or too long (C18)."""
END_NAMES = ("running", "emptied", "stuck", "too long")

SHUFFLED, LAID, SCRIPTED, OWN = range(4)
"""Order of the pile: drawn at random; drawn as it lies, and the next one at random; drawn as it lies, and so is the
next one, which lies ready at the far end of the array (this is how a game record is replayed); each seat draws by its
own random order of the cards that are left, so that nobody's cards depend on how many the others draw.

For the players the first and the last are the same game. A table keeps OWN in all its rounds and piles."""

SECOND = 64
"""Added in an OWN pile to the second of two equal cards, which have to be told apart: they come at different times."""
FACE = SECOND - 1
"""What is left of a card of the pile, be it marked or not, is the card."""

LAST_PLAYS = 2
"""How many of its last plays a seat is remembered by."""

FORGOTTEN = 255
"""Evidence that is so old counts no higher."""

SEAT: np.dtype = np.dtype(
    [
        # Per suit and rank: 1 + the cards that the seat took since it last drew instead of serving it, that draw's
        # included, at most FORGOTTEN; 0 if it never did.
        ("since_suit", "u1", NUM_SUITS),
        ("since_rank", "u1", NUM_RANKS),
        ("last_plays", "i1", LAST_PLAYS),  # actions, the latest first, or NONE
    ],
    align=True,
)
"""What everybody at the table has seen one seat do."""

ABSENT, SEATED, OUT, LEFT = range(4)
"""How an agent stands in a match: has not sat down yet, plays, has more points than the limit, or went by himself."""

MATCH: np.dtype = np.dtype(
    [
        ("round", "i2"),  # number of the round, from 1; 0: a single round, and nothing else here has a meaning
        ("over", "i2"),  # 1 when the match is decided
        ("penalty_limit", "i2"),  # whoever has more points is out
        ("starter", "i2"),  # agent who starts the round
        ("openers", "i2"),  # agents who sit down first
        ("sat", "i2"),  # agents who have sat down so far
        ("joining", "i2"),  # set of the agents who sit down before the next round, a bit for each
        ("leaving", "i1", MAX_PLAYERS),  # of each agent its place among those who asked to leave, 0: none
        ("points", "i2", MAX_PLAYERS),  # penalty points of each agent
        ("out_in", "i2", MAX_PLAYERS),  # round by which each agent went out, 0 for those who did not
        ("status", "i1", MAX_PLAYERS),  # ABSENT, SEATED, OUT or LEFT, of each agent
    ],
    align=True,
)
"""The match that a round belongs to."""

GAME: np.dtype = np.dtype(
    [
        ("rules", RULES),
        ("num_players", "i2"),  # 2 to 5
        ("starter", "i2"),  # seat that moves first
        ("seat", "i2"),  # seat to move, 0 to num_players - 1; after the end whoever would move
        ("direction", "i2"),  # 1 clockwise, -1 counter-clockwise
        ("wish", "i2"),  # suit wished, or NONE
        ("owed", "i2"),  # cards owed by the chain of sevens
        ("phase", "i2"),  # NORMAL, DRAWN or AGAIN
        ("drawn", "i2"),  # in phase DRAWN the card just drawn, else NONE
        ("mau_said", "i2"),  # 1 when Mau was called in this turn
        ("turns", "i2"),  # turns completed
        ("end", "i2"),  # RUNNING, EMPTIED, STUCK or TOO_LONG
        ("pile_size", "i2"),  # cards in the pile
        ("pile_start", "i2"),  # cards in the pile when it was last shuffled
        ("discards_size", "i2"),  # cards in the discards, the top included
        ("shuffles", "i2"),  # how often the discards became a new pile
        ("order", "i2"),  # SHUFFLED, LAID, SCRIPTED or OWN
        ("rng", "u8"),  # counter of the game's own random generator
        ("seed", "u8"),  # with lane and episode: names the game, and with the rules all of its chance
        ("lane", "u4"),  # number of the game in its batch
        ("episode", "u4"),  # how many rounds this lane played before this one
        ("agents", "i1", MAX_PLAYERS),  # agent on each seat, NONE beyond; in a single round the number of the seat
        ("match", MATCH),
        ("hands", "u8", (MAX_PLAYERS, 2)),  # per seat the cards held at least once, and those held twice
        ("shown", "u8", 2),  # the same for the discards, the top included
        ("seats", SEAT, MAX_PLAYERS),
        # The last of the first pile_size is drawn next where the cards are drawn as they lie; beyond them, cards drawn
        # before. Under OWN some are marked as SECOND.
        ("pile", "u1", MAX_DECK),
        ("discards", "u1", MAX_DECK),  # bottom first, the top is the last of the first discards_size
    ],
    align=True,
)


def new_games(rules: Rules, num_players: int, seed: int, count: int, first_lane: int = 0) -> np.ndarray:
    """Games of these rules, not dealt yet, in lanes first_lane, first_lane + 1, ...: shape (count,), dtype GAME.

    Raises:
        ValueError: so many players cannot sit at this table, or the seed is no whole number from 0 to 2**64 - 1.
    """
    rules.check_players(num_players)
    if not 0 <= seed < 1 << 64:
        raise ValueError(f"seed={seed}: a seed is a whole number from 0 to 2**64 - 1")
    games = np.zeros(count, GAME)
    games["rules"] = rules.record()
    games["num_players"] = num_players
    games["seed"] = seed
    games["lane"] = np.arange(first_lane, first_lane + count)
    games["agents"] = [seat if seat < num_players else NONE for seat in range(MAX_PLAYERS)]
    return games


def raw(records: np.ndarray) -> np.ndarray:
    """The bytes of an array of records, without a copy, as the kernels take them."""
    return records.view(np.uint8).reshape(-1)


def copied(records: np.ndarray) -> np.ndarray:
    """A copy of an array of records; as bytes, since numpy takes fifty times longer to copy field by field."""
    return raw(records).copy().view(records.dtype)


def taken(records: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Copies of some records of an array, by their numbers; as bytes, for the same reason."""
    return raw(records).reshape(len(records), -1)[rows].reshape(-1).view(records.dtype)


def game_rules(game: Any) -> Rules:
    """The rules of one GAME."""
    return Rules.from_record(game["rules"])
