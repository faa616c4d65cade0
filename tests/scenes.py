"""Tables to draw, for the tests of the renderer."""

from dataclasses import replace

from maumau_env.render import Scene

DECK = tuple(rank + suit for rank in ("7", "8", "9", "10", "J", "Q", "K", "A") for suit in "CDHS")
MIDGAME = Scene(
    players=("Ann", "Bob"),
    hands=(("7H", "10S", "JC"), 4),
    to_move=0,
    top="9D",
    discards=8,
    pile=16,
    wish=None,
    owed=0,
    direction=1,
    turn=12,
    max_turns=500,
    last_move=(1, "9D"),
    calls=("", ""),
    ranking=None,
    end=None,
)


def table_of(count: int, **changes: object) -> Scene:
    names = ("Ann", "Bob", "Cleo", "Dan", "Eve")[:count]
    hands = tuple(DECK[5 * seat : 5 * seat + 5] for seat in range(count))
    return replace(MIDGAME, players=names, hands=hands, calls=("",) * count, **changes)
