"""Colours, suit shapes and writing: the means with which cards and table are drawn.

Everything is drawn SCALE times too large and averaged down at the end, which smooths all edges; positions and
lengths are given in pixels of the finished picture.
"""

import math
from collections.abc import Sequence
from functools import lru_cache

from maumau_env.render.pygame_ce import pygame
from maumau_env.render.scene import SYMBOLS

SCALE = 2
FINE = 4  # a suit is drawn this much larger still, since it may be only ten pixels wide

Colour = tuple[int, int, int]
Point = tuple[float, float]
Area = tuple[float, float, float, float]  # left, top, width, height

WHITE: Colour = (252, 251, 246)
BLACK: Colour = (24, 26, 30)
GREY: Colour = (150, 152, 156)
GOLD: Colour = (255, 206, 84)
RED: Colour = (206, 38, 48)
SUIT_COLOURS: dict[str, Colour] = {"C": (22, 112, 54), "D": (28, 88, 190), "H": RED, "S": BLACK}
SUIT_OF_SYMBOL = {symbol: suit for suit, symbol in SYMBOLS.items()}


def px(length: float) -> int:
    """Pixels of the large drawing for a length in the finished picture."""
    return round(length * SCALE)


def mixed(first: Colour, second: Colour, share: float) -> Colour:
    """The colour that lies `share` of the way from the first to the second."""
    red, green, blue = (round(a + share * (b - a)) for a, b in zip(first, second, strict=True))
    return red, green, blue


def around(x: float, y: float, width: float, height: float) -> Area:
    """The rectangle with its middle at (x, y)."""
    return x - width / 2, y - height / 2, width, height


def box(surface: pygame.Surface, area: Area, colour: Sequence[int], radius: float, *, line: float = 0) -> None:
    """A rectangle with rounded corners, filled, or as an outline where `line` gives its thickness."""
    pygame.draw.rect(surface, colour, [px(length) for length in area], px(line), px(radius))


def disc(surface: pygame.Surface, centre: Point, radius: float, colour: Colour, *, line: float = 0) -> None:
    """A circle, filled, or as an outline where `line` gives its thickness."""
    pygame.draw.circle(surface, colour, (px(centre[0]), px(centre[1])), px(radius), px(line))


def polygon(surface: pygame.Surface, points: Sequence[Point], colour: Colour) -> None:
    """A filled polygon."""
    pygame.draw.polygon(surface, colour, [(px(x), px(y)) for x, y in points])


def glow(surface: pygame.Surface, area: Area, colour: Colour, reach: float = 7) -> None:
    """Soft light around a rectangle."""
    x, y, w, h = area
    light = pygame.Surface((px(w + 2 * reach), px(h + 2 * reach)), pygame.SRCALPHA)
    for step in range(8):
        inset = reach * step / 8
        lit = (inset, inset, w + 2 * (reach - inset), h + 2 * (reach - inset))
        box(light, lit, (*colour, 20 + 24 * step), radius=6 + reach - inset)
    surface.blit(light, (px(x - reach), px(y - reach)))


@lru_cache(maxsize=512)
def suit_shape(suit: str, size: float, colour: Colour | None = None) -> pygame.Surface:
    """A suit as a filled shape on a transparent square; four suits, four outlines."""
    colour = colour or SUIT_COLOURS[suit]
    side = px(size) * FINE
    large = pygame.Surface((side, side), pygame.SRCALPHA)
    large.fill((*colour, 0))  # not black: smoothing would mix it into the edges
    {"C": _club, "D": _diamond, "H": _heart, "S": _spade}[suit](large, colour, side)
    return pygame.transform.smoothscale(large, (px(size), px(size)))


def _scaled(points: Sequence[Point], side: int) -> list[Point]:
    return [(x * side, y * side) for x, y in points]


def _heart_outline() -> list[Point]:
    points = []
    for step in range(120):
        t = math.tau * step / 120
        across = 16 * math.sin(t) ** 3
        up = 13 * math.cos(t) - 5 * math.cos(2 * t) - 2 * math.cos(3 * t) - math.cos(4 * t)
        points.append((0.5 + across / 35, 0.46 - up / 33))
    return points


def _heart(surface: pygame.Surface, colour: Colour, side: int) -> None:
    pygame.draw.polygon(surface, colour, _scaled(_heart_outline(), side))


def _diamond(surface: pygame.Surface, colour: Colour, side: int) -> None:
    right = [(0.5, 0.01), (0.67, 0.27), (0.86, 0.5), (0.67, 0.73), (0.5, 0.99)]
    left = [(1 - x, y) for x, y in reversed(right)]
    pygame.draw.polygon(surface, colour, _scaled(right + left, side))


def _spade(surface: pygame.Surface, colour: Colour, side: int) -> None:
    # A heart upside down, drawn in towards its point, so that it is not taken for a club where it is small.
    leaf = [(0.5 + (x - 0.5) * (1 - max(0.0, y - 0.3) ** 1.3), 0.86 - 0.86 * y) for x, y in _heart_outline()]
    pygame.draw.polygon(surface, colour, _scaled(leaf, side))
    _stem(surface, colour, side)


def _club(surface: pygame.Surface, colour: Colour, side: int) -> None:
    for x, y in ((0.5, 0.22), (0.22, 0.58), (0.78, 0.58)):
        pygame.draw.circle(surface, colour, (x * side, y * side), 0.21 * side)
    pygame.draw.circle(surface, colour, (0.5 * side, 0.5 * side), 0.13 * side)
    _stem(surface, colour, side)


def _stem(surface: pygame.Surface, colour: Colour, side: int) -> None:
    stem = [(0.47, 0.5), (0.53, 0.5), (0.56, 0.8), (0.69, 0.97), (0.31, 0.97), (0.44, 0.8)]
    pygame.draw.polygon(surface, colour, _scaled(stem, side))


@lru_cache(maxsize=1024)
def writing(text: str, size: float, colour: Colour) -> pygame.Surface:
    """Text in pygame's own font, where suit symbols become drawn shapes (the font has none)."""
    pygame.font.init()
    font = pygame.font.Font(None, px(size))  # made anew: a font does not outlive somebody's pygame.quit()
    parts = [_part(part, size, colour, font) for part in _split_at_suits(text)]
    line = pygame.Surface((sum(part.get_width() for part in parts), font.get_height()), pygame.SRCALPHA)
    x = 0
    for part in parts:
        line.blit(part, (x, (line.get_height() - part.get_height()) // 2))
        x += part.get_width()
    return line


def _part(text: str, size: float, colour: Colour, font: pygame.font.Font) -> pygame.Surface:
    suit = SUIT_OF_SYMBOL.get(text)
    return suit_shape(suit, size * 0.62) if suit else font.render(text, True, colour)


def _split_at_suits(text: str) -> list[str]:
    for symbol in SUIT_OF_SYMBOL:
        text = text.replace(symbol, f"\0{symbol}\0")
    return [part for part in text.split("\0") if part]


def fitting(text: str, size: float, colour: Colour, width: float, smallest: float = 16) -> pygame.Surface:
    """Text no wider than `width`: smaller if need be, and at last cut short with dots."""
    while (line := writing(text, size, colour)).get_width() > px(width) and size > smallest:
        size -= 1
    keep = len(text)
    while line.get_width() > px(width) and keep > 1:
        keep -= 1
        line = writing(text[:keep] + "...", size, colour)
    return line


def stamp(surface: pygame.Surface, image: pygame.Surface, x: float, y: float) -> None:
    """Puts an image's centre at (x, y)."""
    surface.blit(image, image.get_rect(center=(px(x), px(y))))
