"""The little of SVG that figures need: elements, and axes that know where a value lies.

Colours, fonts and dashes are left to the style sheet of the page, so that a figure follows it into the dark and onto
paper. Lengths are in user units, which a browser takes for pixels; coordinates are written with two decimals.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element, tostring

MOST_TICKS = 5


@dataclass(frozen=True)
class Axis:
    """Values from `low` to `high`, drawn from the coordinate `start` to `end`; an upright one ends above its start."""

    low: float
    high: float
    start: float
    end: float

    @classmethod
    def around(cls, values: Iterable[float | None], start: float, end: float, least: float) -> "Axis":
        """An axis on which all values (None apart) find room, that spans at least `least`."""
        known = [value for value in values if value is not None]
        low, high = min(known), max(known)
        spare = max(0.04 * (high - low), (least - (high - low)) / 2)
        return cls(low - spare, high + spare, start, end)

    def at(self, value: float) -> float:
        """The coordinate of a value."""
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self) -> list[float]:
        """Round values on the axis, five at most."""
        unit = 10 ** math.floor(math.log10((self.high - self.low) / MOST_TICKS))
        for step in (unit, 2 * unit, 2.5 * unit, 5 * unit, 10 * unit, 20 * unit):
            first, last = math.ceil(self.low / step), math.floor(self.high / step)
            if last - first < MOST_TICKS:
                break
        return [round(multiple * step, 10) for multiple in range(first, last + 1)]


def element(tag: str, *content: "Element | str | None", **attributes: str | float) -> Element:
    """An element; `class_` and `text_anchor` stand for the attributes class and text-anchor. None adds nothing."""
    made = Element(tag, {name.strip("_").replace("_", "-"): _text(value) for name, value in attributes.items()})
    for part in content:
        if isinstance(part, str):
            made.text = part
        elif part is not None:
            made.append(part)
    return made


def text(x: float, y: float, words: str, kind: str = "", anchor: str = "start", hint: str | None = None) -> Element:
    """Words whose baseline starts, has its middle, or ends at (x, y); the hint appears under the pointer."""
    attributes = {"class": kind} if kind else {}
    return element("text", words, tooltip(hint), x=x, y=y, text_anchor=anchor, **attributes)


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> Element:
    """A straight line."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=kind)


def box(x: float, y: float, width: float, height: float, kind: str = "", fill: str = "", hint: str = "") -> Element:
    """A rectangle whose colour comes from its class, or is given where it means a number."""
    attributes = ({"class": kind} if kind else {}) | ({"fill": fill} if fill else {})
    return element("rect", tooltip(hint or None), x=x, y=y, width=width, height=height, **attributes)


def tooltip(words: str | None) -> Element | None:
    """What appears under the pointer, None for nothing."""
    return None if words is None else element("title", words)


def figure(key: str, title: str, description: str, size: tuple[float, float], parts: Sequence[Element | None]) -> str:
    """A whole figure as markup; `key` is its id on the page, the description is for those who cannot see it."""
    width, height = size
    names = element("title", title, id=f"{key}-title"), element("desc", description, id=f"{key}-desc")
    svg = element(
        "svg", *names, *parts, id=key, role="img", aria_labelledby=f"{key}-title {key}-desc",
        viewBox=f"0 0 {_text(width)} {_text(height)}", width=width, height=height,
    )  # fmt: skip
    return tostring(svg, encoding="unicode")


def _text(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:.2f}".rstrip("0").rstrip(".")
