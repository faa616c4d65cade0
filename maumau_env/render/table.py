"""The picture of the whole table."""

import math
from functools import lru_cache

import numpy as np

from maumau_env.render.cards import PILE_CARD, back, face, shadow
from maumau_env.render.ink import (
    BLACK,
    GOLD,
    RED,
    SCALE,
    WHITE,
    Colour,
    Point,
    around,
    box,
    disc,
    fitting,
    glow,
    mixed,
    polygon,
    px,
    stamp,
    suit_shape,
    writing,
)
from maumau_env.render.pygame_ce import pygame
from maumau_env.render.scene import PLAIN_MOVES, SYMBOLS, Scene, end_sentence, last_move_sentence
from maumau_env.render.seats import draw_seat, places

SIZE = (960, 640)  # width and height in pixels
CENTRE = (480.0, 298.0)
STOCK_X, DISCARD_X = CENTRE[0] - 48, CENTRE[0] + 48
CAPTION_WIDTH = 350.0
RING = (172.0, 86.0)  # half axes of the oval along which the direction is drawn

ROOM: Colour = (38, 30, 28)
RIM: Colour = (104, 66, 40)
FELT: Colour = (22, 92, 56)
FELT_LIGHT: Colour = (40, 128, 80)
ARROW: Colour = (132, 190, 150)
PALE: Colour = (214, 230, 218)


def paint(scene: Scene) -> np.ndarray:
    """The picture, uint8 of shape (640, 960, 3), of RGB colours."""
    surface = _empty_table().copy()
    _draw_direction(surface, scene)
    for seat, place in enumerate(places(scene)):
        draw_seat(surface, scene, seat, place)
    _draw_stock(surface, scene)
    _draw_discard(surface, scene)
    _draw_wish_and_debt(surface, scene)
    _draw_sentences(surface, scene)
    return _averaged(surface)


def _averaged(surface: pygame.Surface) -> np.ndarray:
    """Each pixel is the mean of SCALE x SCALE drawn ones."""
    width, height = SIZE
    drawn = np.frombuffer(pygame.image.tobytes(surface, "RGB"), np.uint8)
    blocks = drawn.reshape(height, SCALE, width, SCALE, 3)
    total = np.zeros((height, width, 3), np.uint16)
    for row in range(SCALE):
        for column in range(SCALE):
            total += blocks[:, row, :, column]
    return (total // SCALE**2).astype(np.uint8)


@lru_cache(maxsize=1)
def _empty_table() -> pygame.Surface:
    surface = pygame.Surface((px(SIZE[0]), px(SIZE[1])))
    surface.fill(ROOM)
    _ellipse(surface, 470, 308, RIM)
    _ellipse(surface, 456, 294, mixed(FELT, BLACK, 0.3))
    shades = 24
    for shade in range(shades):
        share = shade / (shades - 1)
        size = 1 - 0.8 * share
        _ellipse(surface, 452 * size, 290 * size, mixed(FELT, FELT_LIGHT, share))
    return surface


def _ellipse(surface: pygame.Surface, across: float, down: float, colour: Colour) -> None:
    """A filled ellipse around the middle of the picture."""
    area = around(SIZE[0] / 2, SIZE[1] / 2, 2 * across, 2 * down)
    pygame.draw.ellipse(surface, colour, [px(length) for length in area])


def _draw_direction(surface: pygame.Surface, scene: Scene) -> None:
    """Two bent arrows around the piles, the way play goes."""
    for start in (math.radians(205), math.radians(25)):
        _draw_arrow(surface, start, math.radians(130), scene.direction)


def _draw_arrow(surface: pygame.Surface, start: float, length: float, direction: int) -> None:
    # Angles grow clockwise on the screen, where y points down.
    tail, tip = (start, start + length) if direction > 0 else (start + length, start)
    neck = tip - direction * math.radians(11)
    bend = [tail + (neck - tail) * step / 40 for step in range(41)]
    outer = [_on_ring(angle, 2.5) for angle in bend]
    inner = [_on_ring(angle, -2.5) for angle in reversed(bend)]
    polygon(surface, outer + inner, ARROW)
    polygon(surface, [_on_ring(neck, 11), _on_ring(neck, -11), _on_ring(tip, 0)], ARROW)


def _on_ring(angle: float, outwards: float) -> Point:
    """A point on the oval around the piles, or so many pixels outside it."""
    across, down = RING[0] + outwards, RING[1] + outwards
    return CENTRE[0] + across * math.cos(angle), CENTRE[1] + down * math.sin(angle)


def _draw_stock(surface: pygame.Surface, scene: Scene) -> None:
    area = around(STOCK_X, CENTRE[1], *PILE_CARD)
    if scene.last_move is not None and scene.last_move[1] == "draw":
        glow(surface, area, GOLD)
    if not scene.pile:
        box(surface, area, ARROW, 8, line=1.5)
    layers = min(4, -(-scene.pile // 8))
    for depth in range(2 * layers - 2, -1, -2):
        x, y = STOCK_X + depth, CENTRE[1] + depth
        stamp(surface, shadow(PILE_CARD), x + 2, y + 2)
        stamp(surface, back(PILE_CARD), x, y)
    _draw_count(surface, scene.pile, STOCK_X)


def _draw_discard(surface: pygame.Surface, scene: Scene) -> None:
    if scene.last_move is not None and scene.last_move[1] not in PLAIN_MOVES:
        glow(surface, around(DISCARD_X, CENTRE[1], *PILE_CARD), GOLD)
    stamp(surface, shadow(PILE_CARD), DISCARD_X + 3, CENTRE[1] + 3)
    stamp(surface, face(scene.top, PILE_CARD), DISCARD_X, CENTRE[1])
    _draw_count(surface, scene.discards, DISCARD_X)


def _draw_count(surface: pygame.Surface, count: int, x: float) -> None:
    y = CENTRE[1] + PILE_CARD[1] / 2 + 6
    box(surface, around(x, y, 38, 20), BLACK, 10)
    stamp(surface, writing(str(count), 20, WHITE), x, y + 1)


def _draw_wish_and_debt(surface: pygame.Surface, scene: Scene) -> None:
    away = PILE_CARD[0] / 2 + 34
    if scene.wish:
        _draw_badge(surface, DISCARD_X + away, suit_shape(scene.wish, 30), "wish", WHITE, GOLD)
    if scene.owed:
        _draw_badge(surface, STOCK_X - away, fitting(f"+{scene.owed}", 30, WHITE, 40), "owed", RED, WHITE)


def _draw_badge(
    surface: pygame.Surface, x: float, sign: pygame.Surface, label: str, ground: Colour, rim: Colour
) -> None:
    y = CENTRE[1]
    disc(surface, (x, y), 26, rim)
    disc(surface, (x, y), 23, ground)
    stamp(surface, sign, x, y)
    stamp(surface, writing(label, 19, WHITE), x, y + 36)


def _draw_sentences(surface: pygame.Surface, scene: Scene) -> None:
    stamp(surface, writing(f"turn {scene.turn} / {scene.max_turns}", 20, PALE), 70, 20)
    if scene.heading:
        _draw_caption(surface, scene.heading, CENTRE[1] - 104, PALE)
    if move := last_move_sentence(scene, _with_shape):
        _draw_caption(surface, move, CENTRE[1] + 104, WHITE)
    if end := end_sentence(scene):
        _draw_caption(surface, end, CENTRE[1] + 130, GOLD)


def _with_shape(text: str) -> str:
    """A card or a suit with its letter replaced by the symbol that `writing` draws as a shape."""
    return text[:-1] + SYMBOLS[text[-1]]


def _draw_caption(surface: pygame.Surface, sentence: str, y: float, colour: Colour) -> None:
    line = fitting(sentence, 22, BLACK, CAPTION_WIDTH - 24)
    box(surface, around(CENTRE[0], y, line.get_width() / SCALE + 24, 24), colour, 12)
    stamp(surface, line, CENTRE[0], y + 1)
