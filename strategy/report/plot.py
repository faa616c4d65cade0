"""What a tip is worth at several tables, as a small plot: games of 100 won more or fewer, with the intervals."""

from collections.abc import Sequence
from typing import Any
from xml.etree.ElementTree import Element

from agents.tournament.svg import Axis, element, figure, line, text
from agents.tournament.texts import elide
from strategy.language import Language
from strategy.report.sentences import GAMES

WIDTH, ROW, TOP, EDGE = 320, 36, 6, 14
LETTERS = 34
"""Of a label."""
LEAST = 2.0
"""Games of 100 that the axis spans at least."""


def worth_plot(key: str, rows: Sequence[tuple[str, dict[str, Any]]], language: Language) -> str | None:
    """A row for each table where the worth is known, by the table's label; None with fewer than two.

    Args:
        key: the figure's id on the page.
        rows: label of each table, and the tip there.
        language: of the words.
    """
    known = [(label, tip) for label, tip in rows if tip["worth"] is not None]
    if len(known) < 2:
        return None
    ends = [GAMES * end for _, tip in known for end in tip["worth_interval"]]
    axis = Axis.around([0.0, *ends], EDGE, WIDTH - EDGE, LEAST)
    bottom = TOP + ROW * len(known)
    parts = []
    for tick in axis.ticks():
        parts.append(text(axis.at(tick), bottom + 15, language.signed(tick, _digits(axis)), "tick", "middle"))
    for number, (label, tip) in enumerate(known):
        parts += _row(axis, TOP + ROW * number, label, tip, language)
    words = [f"{label}: {_figure(tip, language)}" for label, tip in known]
    title = language.gettext("What it is worth at different tables")
    return figure(key, title, "; ".join(words), (WIDTH, bottom + 22), parts)


def _row(axis: Axis, y: float, label: str, tip: dict[str, Any], language: Language) -> list[Element]:
    low, high = (axis.at(GAMES * end) for end in tip["worth_interval"])
    middle = axis.at(GAMES * tip["worth"])
    return [
        *(
            line(axis.at(tick), y + 18, axis.at(tick), y + 32, "reference" if tick == 0 else "grid")
            for tick in axis.ticks()
        ),
        text(2, y + 13, elide(label, LETTERS), "name", hint=label),
        text(WIDTH - 2, y + 13, language.signed(GAMES * tip["worth"]), "value", "end"),
        line(low, y + 25, high, y + 25, "whisker"),
        element("circle", cx=middle, cy=y + 25, r=5, class_="dot"),
    ]


def _figure(tip: dict[str, Any], language: Language) -> str:
    low, high = (language.signed(GAMES * end) for end in tip["worth_interval"])
    return f"{language.signed(GAMES * tip['worth'])} ({language.range(low, high)})"


def _digits(axis: Axis) -> int:
    return 0 if all(tick == round(tick) for tick in axis.ticks()) else 1
