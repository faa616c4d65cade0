"""How a report writes what it is given: foreign names made harmless and short, figures with their units.

Whatever cannot be said (None) is a dash.
"""

import unicodedata
from collections.abc import Sequence

DASH = "–"
SPACE = "\N{NO-BREAK SPACE}"


def clean(text: str) -> str:
    """The text without control characters, turned writing directions and lone surrogates: each becomes �."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


def elide(text: str, most: int) -> str:
    """The text at a width of `most` letters, the middle left out: the end of a path tells more than its beginning."""
    if _width(text) <= most:
        return text
    head, tail = text[: most // 3], text
    while tail and _width(head) + 1 + _width(tail) > most:
        tail = tail[1:]
    return f"{head}…{tail}"


def percent(share: float | None, digits: int = 2) -> str:
    """0.5 as `50.00 %`."""
    return DASH if share is None else f"{100 * share:.{digits}f}{SPACE}%"


def points_of(difference: float, digits: int = 2) -> str:
    """A difference of two shares: 0.02 as `+2.00`, in percentage points; what rounds to zero has no sign."""
    text = f"{100 * difference:+.{digits}f}"
    return text.replace("-", "\N{MINUS SIGN}") if float(text) else text[1:]


def number(value: float | None, digits: int = 0) -> str:
    """1234.5 with one digit as `1,234.5`."""
    return DASH if value is None else f"{value:,.{digits}f}".replace("-", "\N{MINUS SIGN}")


def percent_span(interval: Sequence[float] | None, digits: int = 2) -> str:
    """The ends of an interval of shares, as `49.00–51.00 %`; nothing for None."""
    return "" if interval is None else f"{number_span([100 * end for end in interval], digits)}{SPACE}%"


def number_span(interval: Sequence[float] | None, digits: int = 0) -> str:
    """The ends of an interval, as `1,480–1,520`; nothing for None."""
    if interval is None:
        return ""
    low, high = (number(end, digits) for end in interval)
    return f"{low}–{high}"


def rounded(value: float | None) -> str:
    """A rating: 1500.4 as `1500`."""
    return DASH if value is None else f"{value:.0f}"


def rounded_span(interval: Sequence[float] | None) -> str:
    """The ends of an interval of ratings, as `1480–1520`; nothing for None, nor for the anchor, no estimate."""
    return "" if interval is None or interval[0] == interval[1] else "–".join(map(rounded, interval))


def p_value(p: float) -> str:
    """0.0031 as `p = 0.0031`, with two digits that count."""
    return f"p{SPACE}={SPACE}{p:.2g}"


def listed(names: Sequence[str], most: int = 4) -> str:
    """`a, b and c`; with many names only the first, and how many others there are."""
    if len(names) > most:
        names = [*names[: most - 1], f"{len(names) - most + 1} others"]
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def ordinal(place: int) -> str:
    """1 as `1st`; for places up to 5."""
    return f"{place}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(place, 'th') }"


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)
