"""Pictures of positions, drawn by hand as SVG: what lies on the table, the hand, and the next player's cards.

Suits are told apart by their shapes, the two actions compared by a tick above and a cross below their card; colour only
helps. Shapes are paths, so that no font is needed and none turns them into little pictures of its own.
"""

from typing import Any
from xml.etree.ElementTree import Element, tostring

from agents.tournament.svg import element, figure, text
from strategy.language import Language
from strategy.report.sentences import in_force, next_player, position
from strategy.verdict import DEPENDS, FALSE, HOLDS, UNCLEAR
from strategy.words import corner

WIDTH, HEIGHT = 320, 234
CARD, TALL = 44, 62
HAND_AT = 150
SHAPES = {
    "C": "M10 0a4.7 4.7 0 0 1 3.3 8a4.7 4.7 0 1 1-2.5 6.7C11 17 11.8 18.7 13.4 20H6.6C8.2 18.7 9 17 9.2 14.7"
    "A4.7 4.7 0 1 1 6.7 8A4.7 4.7 0 0 1 10 0Z",
    "D": "M10 0L17.2 10L10 20L2.8 10Z",
    "H": "M10 19C2.6 12.4 0 9.4 0 5.9C0 3 2.2 1 4.9 1C7.1 1 9 2.3 10 4.3C11 2.3 12.9 1 15.1 1C17.8 1 20 3 20 5.9"
    "C20 9.4 17.4 12.4 10 19Z",
    "S": "M10 0C12 4 19.6 8 19.6 12.6C19.6 15 17.8 16.8 15.4 16.8C13.4 16.8 11.8 15.9 10.9 14.4C11.1 17 11.9 18.8"
    " 13.4 20H6.6C8.1 18.8 8.9 17 9.1 14.4C8.2 15.9 6.6 16.8 4.6 16.8C2.2 16.8 .4 15 .4 12.6C.4 8 8 4 10 0Z",
}
"""The suits in a square of 20."""
RED = "DH"
TICK, CROSS, STROKE = "M5 10.4L8.6 14L15 6.6", "M6 6L14 14M14 6L6 14", "M5.5 10H14.5"
DISC = "M10 1a9 9 0 1 1 0 18a9 9 0 1 1 0-18Z"
SQUARE = "M2 2H18V18H2Z"
LOZENGE = "M10 0L20 10L10 20L0 10Z"
LEFT_HALF = "M10 0V20L0 10Z"


def picture(key: str, example: dict[str, Any], language: Language) -> str:
    """An example position as markup; `key` is its id on the page."""
    top, hand = example["top"], sorted(example["hand"], key=lambda card: ("CDSH".index(card[-1]), _rank(card)))
    parts = [
        text(4, 14, language.gettext("On the table"), "label"),
        _card(4, 24, top, language),
        *_suit_in_force(example, language),
        *_pile(126, 24, example),
        text(WIDTH - 4, 14, next_player(language, example), "label", "end"),
        *_backs(example["next_hand"]),
        text(4, HAND_AT - 26, language.gettext("Your hand"), "label"),
        *_hand(hand, example, language),
    ]
    title = language.gettext("An example position")
    return figure(key, title, position(language, example), (WIDTH, HEIGHT), parts)


def verdict_mark(verdict: str) -> str:
    """A verdict as a shape: a disc with a tick, a square with a cross, a half-filled lozenge, a ring with a dash."""
    parts = {
        HOLDS: (_path(DISC, "fill"), _path(TICK, "stroke")),
        FALSE: (_path(SQUARE, "fill"), _path(CROSS, "stroke")),
        DEPENDS: (_path(LOZENGE, "outline"), _path(LEFT_HALF, "fill")),
        UNCLEAR: (_path(DISC, "outline"), _path(STROKE, "outline")),
    }[verdict]
    return _mark(verdict, parts)


def action_mark(follows: bool) -> str:
    """The tick or cross that marks an action in a picture, for use in a line of words."""
    return _mark(HOLDS if follows else FALSE, _sign(follows))


def _mark(kind: str, parts: tuple[Element, ...]) -> str:
    svg = element("svg", *parts, class_=f"mark {kind}", viewBox="0 0 20 20", width=18, height=18, aria_hidden="true")
    return tostring(svg, encoding="unicode")


def _path(shape: str, kind: str, transform: str = "") -> Element:
    return element("path", d=shape, class_=kind, **({"transform": transform} if transform else {}))


def _suit(x: float, y: float, size: float, suit: str, ground: str = "card") -> Element:
    """A suit whose square has its corner at (x, y), on a card or on the page."""
    kind = "red" if suit in RED else "black"
    return _path(SHAPES[suit], f"{kind} on-{ground}", f"translate({x:g} {y:g}) scale({size / 20:g})")


def _card(x: float, y: float, card: str, language: Language, kind: str = "face") -> Element:
    """A card whose corner is at (x, y)."""
    rank, suit = card[:-1], card[-1]
    ink = "rank red" if suit in RED else "rank black"
    return element(
        "g",
        element("rect", x=x, y=y, width=CARD, height=TALL, rx=5, class_=kind),
        text(x + 5, y + 17, corner(language, rank), ink),
        _suit(x + 5, y + 22, 10, suit),
        _suit(x + CARD - 26, y + TALL - 27, 21, suit),
    )


def _suit_in_force(example: dict[str, Any], language: Language) -> list[Element]:
    """Beside the top card the suit that has to be followed, and what else is asked for."""
    said = in_force(language, example)
    x = 4 + CARD + 10
    badge = [element("circle", cx=x + 16, cy=40, r=16, class_="ground"), _suit(x + 7, 31, 18, example["suit"])]
    return [*badge, *([text(4, 24 + TALL + 15, said, "said")] if said else [])]


def _pile(x: float, y: float, example: dict[str, Any]) -> list[Element]:
    """The pile, marked when one of the actions compared is to draw."""
    backs = [element("rect", x=x + 3 * i, y=y - i, width=CARD, height=TALL, rx=5, class_="back") for i in range(2)]
    marks = []
    if example["follows"] == "draw":
        marks.append(_at(x + CARD / 2 - 8, y - 8, _sign(True)))
    if example["instead"] == "draw":
        marks.append(_at(x + CARD / 2 - 8, y + TALL - 12, _sign(False)))
    return [*backs, *marks]


def _backs(number: int) -> list[Element]:
    """The next player's cards; more than a dozen look like a dozen, and the number stands above them."""
    shown = min(number, 12)
    step = min(13.0, 76 / max(1, shown - 1))
    left = WIDTH - 6 - 28 - step * (shown - 1)
    return [element("rect", x=left + step * i, y=24, width=28, height=42, rx=4, class_="back") for i in range(shown)]


def _hand(hand: list[str], example: dict[str, Any], language: Language) -> list[Element]:
    """The hand from left to right; a tick above the card that obeys, a cross below the other, each with its wish."""
    step = min(CARD + 6.0, (WIDTH - 8 - CARD) / max(1, len(hand) - 1))
    places = {card: 4 + step * i for i, card in reversed(list(enumerate(hand)))}
    cards = []
    for i, card in enumerate(hand):
        is_first = places[card] == 4 + step * i
        kinds = [name for name in ("follows", "instead") if is_first and _plays(example[name]) == card]
        cards.append(_card(4 + step * i, HAND_AT, card, language, " ".join(["face", *kinds])))
    marks = []
    for follows, name, y in ((True, "follows", HAND_AT - 19), (False, "instead", HAND_AT + TALL + 3)):
        card, _, wish = example[name].partition(":")
        if card in places:
            marks += [_at(places[card] + 1, y, _sign(follows))]
            marks += [_suit(places[card] + 21, y + 1, 14, wish, "page")] if wish else []
    return [*cards, *marks]


def _plays(action: str) -> str:
    return action.partition(":")[0]


def _at(x: float, y: float, parts: tuple[Element, ...]) -> Element:
    return element("g", *parts, transform=f"translate({x:g} {y:g}) scale(.8)")


def _sign(follows: bool) -> tuple[Element, ...]:
    """A disc with a tick, or a square with a cross."""
    if follows:
        return _path(DISC, "fill good"), _path(TICK, "stroke")
    return _path(SQUARE, "fill bad"), _path(CROSS, "stroke")


def _rank(card: str) -> int:
    return "23456789XJQKA".index(card[:-1].replace("10", "X"))
