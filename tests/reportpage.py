"""Reading a report back: its tables, its figures, the values that positions in a figure stand for; a browser's eyes."""

import re
import shutil
import subprocess
from html.parser import HTMLParser
from xml.etree import ElementTree

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
QUIET = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-quic", "--no-first-run"]
QUIET += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]

ACTIVE = {"script", "link", "img", "iframe", "object", "embed", "image", "use", "base"}
LOADING = {"src", "href", "xlink:href", "srcset", "data"}


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

    @property
    def loads_or_runs(self):
        """Whatever in it could load something or run."""
        tags = ACTIVE & {tag for tag, _ in self.tags}
        names = LOADING & {name for _, attributes in self.tags for name in attributes}
        return tags | names | set(re.findall(r"https?:|url\(|@import|@font-face", self.html))

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


def widths_on_a_telephone(pages, folder):
    """How wide each page wants to be on a screen of 360 pixels, seen by Chromium."""
    frames = ""
    for html in pages:
        quoted = html.replace("&", "&amp;").replace('"', "&quot;")
        frames += f'<iframe width="360" height="800" style="border:0" srcdoc="{quoted}"></iframe>'
    measure = (
        "onload = () => { document.title = [...document.querySelectorAll('iframe')].map(frame => "
        "frame.contentDocument.documentElement.scrollWidth).join(' ') }"
    )
    wrapper = folder / "frames.html"
    wrapper.write_text(f"<!doctype html><script>{measure}</script><body>{frames}", encoding="utf-8")
    run = subprocess.run(
        [CHROMIUM, *QUIET, f"--user-data-dir={folder / 'profile'}", "--dump-dom", wrapper.as_uri()],
        capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip
    return [int(width) for width in re.search(r"<title>(.*?)</title>", run.stdout)[1].split()]
