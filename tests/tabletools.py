"""Small words that the tests of the rules are written in."""

import re

import pytest

SUITS = "CDHS"
READABLE = ("seat", "top", "suit", "wish", "owed", "direction", "turns", "phase", "drawn", "mau_said", "end")


def cards_in(text) -> list[str]:
    """The cards of `"7H QC"`, or of any collection, in the given order."""
    return text.split() if isinstance(text, str) else list(text)


def cards(hand) -> list[str]:
    """A hand in a fixed order: hands are compared as multisets."""
    return sorted(cards_in(hand))


def actions(text: str) -> list[str]:
    """The sorted actions of `"10H JC:* draw"`; `JC:*` stands for the Jack with each of the four suits."""
    expanded = []
    for action in text.split():
        jack, star, _ = action.partition("*")
        expanded += [jack + suit for suit in SUITS] if star else [action]
    return sorted(expanded)


def play(game, moves: str):
    """Play the actions of `"7H draw KD"` one after the other, whoever has to move."""
    for action in moves.split():
        game.play(action)
    return game


def state(game) -> dict:
    """Everything that can be read from a table, ready to be compared."""
    seen = {name: getattr(game, name) for name in READABLE}
    seen |= {"hands": [cards(hand) for hand in game.hands], "legal": list(game.legal())}
    seen |= {"pile": list(game.pile), "discards": list(game.discards)}
    return seen | {"ranking": None if game.ranking is None else list(game.ranking)}


def check_refusal(game, action: str) -> None:
    """An illegal action is refused with an error that names it, and changes nothing."""
    before = state(game)
    with pytest.raises(ValueError, match=re.escape(action)):
        game.play(action)
    assert state(game) == before
