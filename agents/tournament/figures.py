"""The figures of a report, each drawn from a result (`agents.tournament.report.ranked`) as SVG markup.

All say in words what they show, for those who cannot see them; where there is nothing to show they are None. Colours
that mean a number run from light to dark, so that they can be told apart without seeing hues, and on grey paper.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any
from xml.etree.ElementTree import Element

from agents.tournament.svg import Axis, box, element, figure, line, text
from agents.tournament.texts import (
    DASH,
    SPACE,
    elide,
    number,
    number_span,
    ordinal,
    percent,
    percent_span,
    rounded,
    rounded_span,
)

WIDTH = 400  # of a figure that stands in one column
EDGE = 8
NAME_LETTERS = 27

LIGHT, MIDDLE, DARK = (253, 236, 200), (176, 178, 184), (11, 60, 116)
MANY_BOTS = 6  # with more the cross-table has no room for intervals
LUCK = {"cards": "#2b5c94", "skill": "#e08a1e", "rest": "#cfd6dd"}


def shade(share: float) -> tuple[str, str]:
    """The colour of a share from 0 (light) to 1 (dark), and the black or white that is legible on it."""
    first, second, way = (LIGHT, MIDDLE, 2 * share) if share < 0.5 else (MIDDLE, DARK, 2 * share - 1)
    mixed = [round(a + (b - a) * way) for a, b in zip(first, second, strict=True)]
    return "#" + "".join(f"{part:02x}" for part in mixed), "#000000" if luminance(mixed) > 0.18 else "#ffffff"


def luminance(colour: Sequence[int]) -> float:
    """The relative luminance of red, green and blue from 0 to 255, as WCAG 2 defines it."""
    linear = [part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def ratings(result: dict[str, Any]) -> str | None:
    """A row for each bot: its rating and the interval of it."""
    bots = [bot for bot in result["bots"] if bot["rating"] is not None]
    if not bots:
        return None
    values = [1500, *(end for bot in bots for end in [bot["rating"], *(bot["rating_interval"] or [])])]
    axis = Axis.around(values, EDGE, WIDTH - EDGE, least=20)
    top, bottom = 12, 12 + 36 * len(bots)
    parts = [*_grid(axis, top, bottom), line(axis.at(1500), top, axis.at(1500), bottom, "reference")]
    said = []
    for row, bot in enumerate(bots):
        y = top + 36 * row + 26
        figures = f"{rounded(bot['rating'])} ({rounded_span(bot['rating_interval'])})".removesuffix(" ()")
        parts += [_name(bot, y - 12), text(WIDTH - EDGE, y - 12, figures, "value", "end")]
        parts += _whisker(axis, y, bot["rating"], bot["rating_interval"])
        said.append(f"{bot['label']}: {figures}")
    return figure("ratings", "Ratings with intervals", "; ".join(said), (WIDTH, bottom + 22), parts)


def placements(result: dict[str, Any]) -> str | None:
    """A bar for each bot, divided by how often it came first, second and so on."""
    bots = [bot for bot in result["bots"] if bot["placements"] is not None]
    if not bots:
        return None
    players, parts, said = result["players"], [], []
    for place in range(players):
        x = EDGE + place * 76
        parts += [box(x, 6, 14, 14, "part", _place_colours(place, players)[0]), text(x + 20, 18, ordinal(place + 1))]
    axis = Axis(0, 1, EDGE, WIDTH - EDGE)
    for row, bot in enumerate(bots):
        y = 52 + 44 * row
        mean = f"mean {number(bot['mean_placement'], 3)}"
        parts += [_name(bot, y - 6), text(WIDTH - EDGE, y - 6, mean, "value", "end")]
        parts += _divided(axis, y, bot["placements"], [_place_colours(place, players) for place in range(players)])
        shares = ", ".join(f"{ordinal(place + 1)} {percent(share)}" for place, share in enumerate(bot["placements"]))
        said.append(f"{bot['label']}: {shares}")
    size = WIDTH, 52 + 44 * len(bots) - 16
    return figure("placements", "How often each bot came first, second and so on", "; ".join(said), size, parts)


def seats(result: dict[str, Any]) -> list[str]:
    """The win rate on each seat: first that of all bots together, then that of each bot, all to one scale."""
    even = 1 / result["players"]
    groups = [("seats", "all bots", None, result["seats"])]
    groups += [(f"seats-{bot['number']}", bot["label"], bot["name"], bot["by_seat"]) for bot in result["bots"]]
    groups = [group for group in groups if group[3] and any(seat["win_rate"] is not None for seat in group[3])]
    everything = [seat for *_, rates in groups for seat in rates]
    ends = [end for seat in everything for end in [seat["win_rate"], *(seat["win_rate_interval"] or [])]]
    if not groups:
        return []
    axis = Axis.around([even, *ends], 126, 26, least=0.02)
    return [_seats_of(key, label, name, rates, axis, even) for key, label, name, rates in groups]


def _seats_of(key: str, label: str, name: str | None, rates: list[dict], axis: Axis, even: float) -> str:
    """The win rates of one bot, upright, beside the even share."""
    width, left = 190, 44
    across = Axis(-0.5, len(rates) - 0.5, left, width - EDGE)
    parts = [text(EDGE, 14, elide(label, 20), "name", hint=name)]
    for tick in axis.ticks():
        y = axis.at(tick)
        parts += [line(left, y, width - EDGE, y, "grid"), text(left - 5, y + 4, _short_percent(tick), "tick", "end")]
    parts += [
        line(left, axis.at(even), width - EDGE, axis.at(even), "reference"),
        text(left - 5, 146, "seat", "tick", "end"),
    ]
    said = []
    for seat, rate in enumerate(rates):
        x, share, ends = across.at(seat), rate["win_rate"], rate["win_rate_interval"]
        parts.append(text(x, 146, str(seat), "tick", "middle"))
        words = f"seat {seat}: {percent(share)} ({percent_span(ends)})".removesuffix(" ()")
        said.append(words)
        if share is not None:
            if ends is not None:
                parts.append(line(x, axis.at(ends[0]), x, axis.at(ends[1]), "whisker"))
            parts.append(element("circle", element("title", words), cx=x, cy=axis.at(share), r=4, class_="dot"))
    said.append(f"an even share is {percent(even)}")
    return figure(key, f"Win rate by seat: {label}", "; ".join(said), (width, 156), parts)


def lengths(result: dict[str, Any]) -> str | None:
    """A histogram of the turns of a game; where the bins differ in width, areas and not heights are games."""
    table = result["lengths"]
    if not table or not table["games"]:
        return None
    bins = list(zip(pairwise(table["turns"]), table["games"], strict=True))
    unit = min(high - low for (low, high), _ in bins)
    heights = [games * unit / (high - low) for (low, high), games in bins]
    across = Axis(table["turns"][0], table["turns"][-1], 56, WIDTH - EDGE - 8)
    upright = Axis(0, max(*heights, 1) * 1.04, 196, 26)
    even = all(high - low == unit for (low, high), _ in bins)
    parts = [text(EDGE, 14, "games" if even else f"games for each {unit:g} turns", "tick")]
    for tick in upright.ticks():
        y = upright.at(tick)
        parts += [line(56, y, WIDTH - EDGE - 8, y, "grid"), text(50, y + 4, f"{tick:,g}", "tick", "end")]
    said = []
    for ((low, high), games), height in zip(bins, heights, strict=True):
        x, width = across.at(low), across.at(high) - across.at(low)
        words = f"{low:g} to under {high:g} turns: {number(games)} games"
        said.append(words)
        y = upright.at(height)
        parts.append(box(x, y, width - min(1, width / 10), upright.start - y, "bar", hint=words))
    parts += [text(across.at(tick), 212, f"{tick:,g}", "tick", "middle") for tick in across.ticks()]
    parts.append(text(WIDTH - EDGE, 230, "turns of a game", "tick", "end"))
    return figure("lengths", "Length of the games", "; ".join(said), (WIDTH, 238), parts)


def luck(result: dict[str, Any]) -> str | None:
    """One bar: how much of the outcome is the cards, how much which bot played, and the rest."""
    shares = result["luck"]
    if not shares or any(shares[part] is None for part in LUCK):
        return None
    values = [max(0.0, shares[part]) for part in LUCK]
    axis = Axis(0, sum(values) or 1, EDGE, WIDTH - EDGE)
    parts, start = [], 0.0
    words = {"cards": "the cards dealt", "skill": "which bot played", "rest": "the rest"}
    said = []
    for row, (part, value) in enumerate(zip(LUCK, values, strict=True)):
        figures = f"{percent(shares[part])} ({percent_span(shares.get(f'{part}_interval'))})".removesuffix(" ()")
        said.append(f"{words[part]}: {figures}")
        width = axis.at(start + value) - axis.at(start)
        parts += [
            box(axis.at(start), 6, width, 30, "part", LUCK[part], said[-1]),
            box(EDGE, 50 + 22 * row, 14, 14, "part", LUCK[part]),
            text(EDGE + 22, 62 + 22 * row, words[part]),
            text(WIDTH - EDGE, 62 + 22 * row, figures, "value", "end"),
        ]
        start += value
    return figure("luck", "What share of the outcome is luck, and what is skill", "; ".join(said), (WIDTH, 116), parts)


def cross_table(result: dict[str, Any]) -> str | None:
    """How often the bot of a row was placed ahead of the bot of a column, as a heat map with its figures."""
    bots, cells = result["bots"], [cell for row in result["cross_table"] for cell in row if cell]
    if not cells:
        return None
    wide, high = (72, 46) if len(bots) <= MANY_BOTS else (38, 30)
    left, top = 150, 30
    reach = max(0.05, *(abs(cell["ahead"] - 0.5) for cell in cells))
    parts, said = [text(EDGE, 18, "ahead of bot …", "tick")], []
    for j, bot in enumerate(bots):
        parts.append(text(left + (j + 0.5) * wide, 18, str(bot["number"]), "name", "middle", bot["name"]))
    for i, bot in enumerate(bots):
        parts.append(text(EDGE, top + (i + 0.5) * high + 4, elide(bot["label"], 16), "name", hint=bot["name"]))
        for j, rival in enumerate(bots):
            cell = result["cross_table"][i][j]
            words = f"{bot['label']} ahead of {rival['label']}: {_cell_words(cell)}"
            parts.append(_cell(left + j * wide, top + i * high, (wide, high), cell if i != j else None, reach, words))
            if cell and i != j:
                said.append(words)
    bottom = top + len(bots) * high
    parts += _scale(left, bottom + 12, reach)
    size = left + max(len(bots) * wide, 144) + EDGE, bottom + 46
    return figure("cross-table", "Cross-table: how often one bot was ahead of another", "; ".join(said), size, parts)


def _cell(x: float, y: float, size: tuple[int, int], cell: dict | None, reach: float, words: str) -> Element:
    """One field of the cross-table; bold where the interval leaves out one half."""
    wide, high = size
    middle = x + wide / 2
    if not cell:
        return element("g", box(x, y, wide, high, "empty"), text(middle, y + high / 2 + 4, DASH, "tick", "middle"))
    fill, ink = shade((cell["ahead"] - 0.5) / (2 * reach) + 0.5)
    low, top = cell["interval"] or (0, 1)
    kind = "cell sure" if low > 0.5 or top < 0.5 else "cell"
    roomy = high > 40 and cell["interval"] is not None
    at = y + high / 2 + (-3 if roomy else 4)
    ahead = element("text", f"{100 * cell['ahead']:.1f}", x=middle, y=at, text_anchor="middle", class_=kind, fill=ink)
    ends = number_span([100 * end for end in cell["interval"]], 1) if roomy else ""
    small = element("text", ends, x=middle, y=at + 17, text_anchor="middle", class_="span", fill=ink) if roomy else None
    return element("g", element("title", words), box(x, y, wide, high, "part", fill), ahead, small)


def _cell_words(cell: dict | None) -> str:
    if not cell:
        return DASH
    return f"{percent(cell['ahead'])} ({percent_span(cell['interval'])}) of {number(cell['games'])} games".replace(
        " ()", ""
    )


def _scale(x: float, y: float, reach: float) -> list[Element]:
    """What the colours of the cross-table mean."""
    steps = 9
    parts = [box(x + 16 * step, y, 16, 10, "part", shade(step / (steps - 1))[0]) for step in range(steps)]
    for step, share in ((0, 0.5 - reach), (4, 0.5), (8, 0.5 + reach)):
        parts.append(text(x + 16 * step + 8, y + 25, _short_percent(round(share, 3)), "tick", "middle"))
    return parts


def _place_colours(place: int, players: int) -> tuple[str, str]:
    """The first place is the darkest, so that the dark end of a bar is the good one."""
    return shade(1 - place / (players - 1))


def _divided(axis: Axis, y: float, shares: Sequence[float], colours: Sequence[tuple[str, str]]) -> list[Element]:
    """A bar in parts that follow each other, with their per cent where there is room."""
    parts, start = [], 0.0
    for share, (fill, ink) in zip(shares, colours, strict=True):
        x, width = axis.at(start), axis.at(start + share) - axis.at(start)
        parts.append(box(x, y, width, 20, "part", fill, percent(share)))
        if width > 26:
            middle = {"x": x + width / 2, "y": y + 14, "text_anchor": "middle", "class": "span"}
            parts.append(element("text", f"{100 * share:.0f}", fill=ink, **middle))
        start += share
    return parts


def _grid(axis: Axis, top: float, bottom: float) -> list[Element]:
    """Upright lines at the ticks, and their values under them."""
    parts = []
    for tick in axis.ticks():
        x = axis.at(tick)
        parts += [line(x, top, x, bottom, "grid"), text(x, bottom + 15, f"{tick:g}", "tick", "middle")]
    return parts


def _whisker(axis: Axis, y: float, value: float, ends: Sequence[float] | None) -> list[Element]:
    whisker = [] if ends is None else [line(axis.at(ends[0]), y, axis.at(ends[1]), y, "whisker")]
    return [*whisker, element("circle", cx=axis.at(value), cy=y, r=5, class_="dot")]


def _name(bot: dict[str, Any], y: float) -> Element:
    return text(EDGE, y, elide(bot["label"], NAME_LETTERS), "name", hint=bot["name"])


def _short_percent(share: float) -> str:
    return f"{round(100 * share, 6):g}{SPACE}%"
