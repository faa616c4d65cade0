"""Write `docs/observation.md` from the layout in the code; a test compares the two.

python -m tools.document_observation > docs/observation.md
"""

from maumau_env.game.actions import ACTION_NAMES
from maumau_env.game.cards import MAX_DECK
from maumau_env.game.rules import MAX_PLAYERS, MIN_PLAYERS
from maumau_env.seat.encode import LAYOUT_VERSION, Layout

DECKS = 32, MAX_DECK

INTRODUCTION = """\
# Observations and actions

An observation is a float32 vector of named sections, one after the other, in this order. It depends on the deck and on
the number of seats that it has room for (`observation_seats`, by default the players at the table; in `match_v0` five,
since others can join): sections of seats that are not there are zero, so a policy with room for five can sit at every
table. Single rounds and matches share it: in a match whoever is out has no seat any more. Cards are ordered by rank,
and by suit within a rank: 7C, 7D, 7H, 7S, 8C, ... Everything that is not said to be "mine" was seen by everybody.
The decks of 6 to 16 cards have the sections of the 32 cards that they are taken from.

In Python: `env.unwrapped.layout.slices()["hand"]` is where a section lies, `.sections` are all of them.
"""

REPEATED = """\
The sections that end in `_1` are of the next seat clockwise; with more seats those of `_2`, `_3` and `_4` follow.
`points` and `hand_sizes` have as many numbers as there are seats.
"""


def document() -> str:
    """The whole page."""
    parts = [INTRODUCTION, f"Layout version {LAYOUT_VERSION}.\n", sections(), REPEATED, sizes(), actions()]
    return "\n".join(parts)


def sections() -> str:
    """A row for every section of a table of two."""
    small, large = (Layout(deck, MIN_PLAYERS).sections for deck in DECKS)
    rows = [f"| `{a.name}` | {a.length} | {b.length} | {a.meaning} |" for a, b in zip(small, large, strict=True)]
    return table(f"| section | {DECKS[0]} cards | {DECKS[1]} cards | meaning |", rows)


def sizes() -> str:
    """How long the observation is."""
    rows = [
        f"| {seats} | " + " | ".join(str(Layout(deck, seats).size) for deck in DECKS) + " |"
        for seats in range(MIN_PLAYERS, MAX_PLAYERS + 1)
    ]
    return table(f"| seats | {DECKS[0]} cards | {DECKS[1]} cards |", rows)


def actions() -> str:
    """The action table, eight to a row."""
    rows = [
        f"| {start} | " + " ".join(f"`{name}`" for name in ACTION_NAMES[start : start + 8]) + " |"
        for start in range(0, len(ACTION_NAMES), 8)
    ]
    head = "Actions are numbered the same for all decks and all rules; the mask (int8) is 1 for the legal ones.\n\n"
    return head + table("| from | actions |", rows)


def table(head: str, rows: list[str]) -> str:
    """A table in Markdown."""
    line = "|" + "---|" * (head.count("|") - 1)
    return "\n".join([head, line, *rows]) + "\n"


if __name__ == "__main__":
    print(document(), end="")
