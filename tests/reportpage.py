"""Reading a report back: its tables, its figures, and the values that positions in a figure stand for."""

import re
from html.parser import HTMLParser
from xml.etree import ElementTree


class Page(HTMLParser):
    """All start tags with their attributes, and all text outside of the style sheet."""

    def __init__(self, html):
        super().__init__()
        self.html, self.tags, self.texts, self._path = html, [], [], []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        self._path.append(tag)

    def handle_endtag(self, tag):
        while self._path and self._path.pop() != tag:
            continue

    def handle_data(self, data):
        if "style" not in self._path:
            self.texts.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.texts).split())

    def headline(self):
        return re.search(r"<h1>(.*?)</h1>", self.html, re.DOTALL)[1].replace("\N{NO-BREAK SPACE}", " ")

    def tables(self):
        """Every table as a list of rows of cells; a cell is its texts, figure and interval."""
        return [
            [[[part.strip() for part in cell.itertext() if part.strip()] for cell in row] for row in table.iter("tr")]
            for table in map(ElementTree.fromstring, re.findall(r"<table>.*?</table>", self.html, re.DOTALL))
        ]

    def figure(self, key):
        """The SVG with this id, None if the page has none."""
        found = re.search(rf'<svg [^>]*id="{key}".*?</svg>', self.html, re.DOTALL)
        return found and ElementTree.fromstring(found[0])


def of_class(svg, kind, tag=None):
    return [part for part in svg.iter(tag) if kind in part.get("class", "").split()]


def at(part, name):
    return float(part.get(name))


def scale(svg, along):
    """The value for a coordinate, by two ticks that the figure itself shows beside its grid lines (`x` or `y`)."""
    ticks = []
    for label in of_class(svg, "tick"):
        words = label.text.replace(",", "").replace("\N{NO-BREAK SPACE}%", "")
        if not re.fullmatch(r"-?[\d.]+", words):
            continue
        near = [
            at(line, along + "1")
            for line in of_class(svg, "grid")
            if abs(at(line, along + "1") - at(label, along)) <= 4.01 and at(line, along + "1") == at(line, along + "2")
        ]
        ticks += [(place, float(words)) for place in near]
    (first, low), (last, high) = min(ticks), max(ticks)
    assert first != last
    return lambda coordinate: low + (coordinate - first) / (last - first) * (high - low)
