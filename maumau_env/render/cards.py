"""Playing cards: faces and backs."""

from functools import lru_cache

from maumau_env.render.ink import (
    BLACK,
    GREY,
    SUIT_COLOURS,
    WHITE,
    Colour,
    box,
    fitting,
    mixed,
    px,
    stamp,
    suit_shape,
    writing,
)
from maumau_env.render.pygame_ce import pygame

HAND_CARD = (60.0, 86.0)  # width and height in pixels
PILE_CARD = (76.0, 110.0)
CORNER = 21.0  # width of the corner that names the card, on a card of a hand
CORNER_HEIGHT = 34.0

BACK: Colour = (34, 62, 120)
BACK_LIGHT: Colour = (84, 116, 178)
RADIUS = 0.11  # of a card's width

# Where the pips of the number cards lie: columns and rows as shares of the field inside the corners.
LEFT, MIDDLE, RIGHT = 0.0, 0.5, 1.0
_CORNERS = ((LEFT, 0.0), (RIGHT, 0.0), (LEFT, 1.0), (RIGHT, 1.0))
_SIX = (*_CORNERS, (LEFT, 0.5), (RIGHT, 0.5))
_EIGHT = (*_SIX, (MIDDLE, 0.25), (MIDDLE, 0.75))
_TALL = (*_CORNERS, (LEFT, 1 / 3), (RIGHT, 1 / 3), (LEFT, 2 / 3), (RIGHT, 2 / 3))
PIPS: dict[str, tuple[tuple[float, float], ...]] = {
    "2": ((MIDDLE, 0.0), (MIDDLE, 1.0)),
    "3": ((MIDDLE, 0.0), (MIDDLE, 0.5), (MIDDLE, 1.0)),
    "4": _CORNERS,
    "5": (*_CORNERS, (MIDDLE, 0.5)),
    "6": _SIX,
    "7": (*_SIX, (MIDDLE, 0.25)),
    "8": _EIGHT,
    "9": (*_TALL, (MIDDLE, 0.5)),
    "10": (*_TALL, (MIDDLE, 1 / 6), (MIDDLE, 5 / 6)),
}


@lru_cache(maxsize=256)
def face(card: str, size: tuple[float, float] = HAND_CARD) -> pygame.Surface:
    """A card face up: "7H", "10S", "JC"."""
    rank, suit = card[:-1], card[-1]
    surface = _blank(size, WHITE)
    zoom = size[0] / HAND_CARD[0]
    if rank in PIPS:
        _pips(surface, rank, suit, size, zoom)
    elif rank == "A":
        stamp(surface, suit_shape(suit, 32 * zoom), size[0] / 2 + 6 * zoom, size[1] / 2)
    else:
        _court(surface, rank, suit, size, zoom)
    stamp(surface, fitting(rank, 22 * zoom, SUIT_COLOURS[suit], 17 * zoom), 10.5 * zoom, 12 * zoom)
    stamp(surface, suit_shape(suit, 13 * zoom), 10.5 * zoom, 26 * zoom)
    return surface


def _blank(size: tuple[float, float], colour: Colour) -> pygame.Surface:
    surface = pygame.Surface((px(size[0]), px(size[1])), pygame.SRCALPHA)
    box(surface, (0, 0, *size), colour, size[0] * RADIUS)
    box(surface, (0, 0, *size), GREY, size[0] * RADIUS, line=1)
    return surface


def _pips(surface: pygame.Surface, rank: str, suit: str, size: tuple[float, float], zoom: float) -> None:
    left, right = 29 * zoom, size[0] - 10 * zoom
    top, bottom = 14 * zoom, size[1] - 14 * zoom
    pip = suit_shape(suit, 13 * zoom)
    for across, down in PIPS[rank]:
        stamp(surface, pip, left + across * (right - left), top + down * (bottom - top))


def _court(surface: pygame.Surface, rank: str, suit: str, size: tuple[float, float], zoom: float) -> None:
    colour = SUIT_COLOURS[suit]
    pale = mixed(WHITE, colour, 0.14)
    x, y, w, h = CORNER * zoom, 7 * zoom, size[0] - (CORNER + 5) * zoom, size[1] - 14 * zoom
    box(surface, (x, y, w, h), pale, 4 * zoom)
    box(surface, (x, y, w, h), colour, 4 * zoom, line=1)
    stamp(surface, writing(rank, 44 * zoom, colour), x + w / 2, y + h * 0.36)
    stamp(surface, suit_shape(suit, 22 * zoom), x + w / 2, y + h * 0.74)


@lru_cache(maxsize=8)
def back(size: tuple[float, float] = HAND_CARD) -> pygame.Surface:
    """A card face down."""
    surface = _blank(size, WHITE)
    x, y, w, h = 4.0, 4.0, size[0] - 8, size[1] - 8
    box(surface, (x, y, w, h), BACK, 4)
    columns, rows = 4, 6
    for column in range(columns):
        for row in range(rows):
            centre = (x + (column + 0.5) * w / columns, y + (row + 0.5) * h / rows)
            stamp(surface, suit_shape("D", 9, BACK_LIGHT), *centre)
    box(surface, (x, y, w, h), BACK_LIGHT, 4, line=1)
    return surface


@lru_cache(maxsize=8)
def shadow(size: tuple[float, float] = HAND_CARD) -> pygame.Surface:
    """The shade that a card throws on what lies below it."""
    surface = pygame.Surface((px(size[0]), px(size[1])), pygame.SRCALPHA)
    box(surface, (0, 0, *size), (*BLACK, 70), size[0] * RADIUS)
    return surface
