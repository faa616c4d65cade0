"""The players' places: where they are, and their hands, names, calls and ranks."""

from dataclasses import dataclass

from maumau_env.render.cards import CORNER_HEIGHT, HAND_CARD, back, face, shadow
from maumau_env.render.ink import (
    BLACK,
    GOLD,
    GREY,
    SCALE,
    WHITE,
    Colour,
    around,
    box,
    disc,
    fitting,
    glow,
    polygon,
    px,
    stamp,
    writing,
)
from maumau_env.render.pygame_ce import pygame
from maumau_env.render.scene import Scene, ordinal, printable

MOST_ROWS = 3
EASY_STEP = 21.0  # pixels from card to card at which every corner is read with ease
WIDEST_STEP = 63.0
PLATE = (164.0, 26.0)
PLATE_COLOUR: Colour = (20, 40, 30)
NO_CARD: Colour = (70, 132, 94)
LAST_MOVER: Colour = (126, 200, 255)
MEDALS: dict[int, Colour] = {1: GOLD, 2: (208, 214, 222), 3: (214, 150, 92)}


@dataclass(frozen=True)
class Place:
    """Where one player sits: the middle of the name plate, and the room for the hand beside it, in pixels."""

    x: float
    y: float
    width: float  # of the hand
    bubble: int = 1  # a call appears right (+1) or left (-1) of the name
    growth: int = 1  # the hand lies below (+1) or above (-1) the name, further rows further away


# By number of players, clockwise from the lower edge.
_NEAR = Place(480, 619, 500, growth=-1)
PLACES: dict[int, tuple[Place, ...]] = {
    2: (_NEAR, Place(480, 24, 500)),
    3: (_NEAR, Place(235, 74, 330), Place(725, 74, 330, bubble=-1)),
    4: (_NEAR, Place(160, 230, 260), Place(480, 24, 400), Place(800, 230, 260, bubble=-1)),
    5: (
        _NEAR,
        Place(150, 260, 260),
        Place(285, 40, 320),
        Place(675, 40, 320, bubble=-1),
        Place(810, 260, 260, bubble=-1),
    ),
}


def places(scene: Scene) -> list[Place]:
    """Each seat's place. The one seat whose hand lies open is nearest; without such a seat it is seat 0."""
    open_seats = [seat for seat, hand in enumerate(scene.hands) if not isinstance(hand, int)]
    nearest = open_seats[0] if len(open_seats) == 1 else 0
    count = len(scene.players)
    return [PLACES[count][(seat - nearest) % count] for seat in range(count)]


def draw_seat(surface: pygame.Surface, scene: Scene, seat: int, place: Place) -> None:
    """Everything that belongs to one player."""
    _draw_hand(surface, scene, seat, place)
    _draw_plate(surface, scene, seat, place)
    if scene.calls[seat]:
        _draw_bubble(surface, scene.calls[seat], place)


def _rows(count: int, width: float) -> list[int]:
    """How many cards lie in each row: one row while it stays easy to read, at most three."""
    easy = 1 + int((width - HAND_CARD[0]) / EASY_STEP)
    rows = min(MOST_ROWS, max(1, -(-count // easy)))
    return [count // rows + (row < count % rows) for row in range(rows)]


def _draw_hand(surface: pygame.Surface, scene: Scene, seat: int, place: Place) -> None:
    hand = scene.hands[seat]
    cards = [back()] * hand if isinstance(hand, int) else [face(card) for card in hand]
    rows = _rows(len(cards), place.width)
    w, h = HAND_CARD
    height = h + (len(rows) - 1) * CORNER_HEIGHT
    gap = PLATE[1] / 2 + 9
    top = place.y + gap if place.growth > 0 else place.y - gap - height
    step = min(WIDEST_STEP, (place.width - w) / max(1, rows[0] - 1))
    width = w + (rows[0] - 1) * step
    if not cards:
        box(surface, (place.x - w / 2, top, w, h), NO_CARD, 7, line=1.5)
    elif seat == scene.to_move:
        glow(surface, (place.x - width / 2, top, width, height), GOLD)
    for row, count in enumerate(rows):
        above = sum(rows[:row])
        _draw_row(surface, cards[above : above + count], place.x - width / 2, top + row * CORNER_HEIGHT, step)


def _draw_row(surface: pygame.Surface, cards: list[pygame.Surface], left: float, top: float, step: float) -> None:
    for number, card in enumerate(cards):
        surface.blit(shadow(), (px(left + number * step - 2), px(top + 2)))
        surface.blit(card, (px(left + number * step), px(top)))


def _draw_plate(surface: pygame.Surface, scene: Scene, seat: int, place: Place) -> None:
    x, y, (w, h) = place.x, place.y, PLATE
    moves = seat == scene.to_move
    moved = scene.last_move is not None and scene.last_move[0] == seat
    ink = BLACK if moves else WHITE
    box(surface, around(x, y, w, h), GOLD if moves else PLATE_COLOUR, h / 2)
    box(surface, around(x, y, w, h), LAST_MOVER if moved else GREY, h / 2, line=2.5 if moved else 1)
    if moves:
        left = x - w / 2 + 10
        polygon(surface, [(left, y - 7), (left, y + 7), (left + 11, y)], BLACK)
    if scene.ranking:
        _draw_medal(surface, scene.ranking[seat], x - w / 2 + 18, y)
    stamp(surface, fitting(printable(scene.players[seat]), 21, ink, w - 78), x, y + 1)
    stamp(surface, writing(str(scene.cards_of(seat)), 20, ink), x + w / 2 - 19, y + 1)


def _draw_medal(surface: pygame.Surface, rank: int, x: float, y: float) -> None:
    disc(surface, (x, y), 17, MEDALS.get(rank, GREY))
    disc(surface, (x, y), 17, BLACK, line=1)
    stamp(surface, writing(ordinal(rank), 19, BLACK), x, y)


def _draw_bubble(surface: pygame.Surface, call: str, place: Place) -> None:
    y, side = place.y, place.bubble
    text = writing(call, 22, BLACK)
    w, h = text.get_width() / SCALE + 22, 30.0
    edge = place.x + side * (PLATE[0] / 2 + 10)
    middle = edge + side * w / 2
    polygon(surface, [(edge - 10 * side, y + 6), (edge + 8 * side, y - 6), (edge + 8 * side, y + 8)], WHITE)
    box(surface, around(middle, y, w, h), WHITE, h / 2)
    stamp(surface, text, middle, y)
