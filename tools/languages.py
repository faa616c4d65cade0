"""The translations of `explore.py`: messages out of the sources into *.po, and from there into *.mo.

    python -m tools.languages       collect the messages, say which of them lack a translation, and compile

Translators write strategy/locale/*/LC_MESSAGES/explore.po; gettext reads the explore.mo beside it. This needs Babel,
which `make test` installs. Messages are what is passed to gettext, pgettext and ngettext, the sentences of the tips,
what they need and where they were read, what rules of thumb are about, and the features on which they depend. A
translation that is not used any more is kept at the end of its file, marked #~, and comes back with its message.
"""

import io
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from strategy.discovery import KINDS
from strategy.features import FEATURES
from strategy.folk_tips import TIPS
from strategy.language import DOMAIN, LANGUAGES, LOCALE
from strategy.tips_result import COMPARED
from strategy.verdict import CORRECTION

STRATEGY = LOCALE.parent
METHODS = [("**.py", "python"), ("**.jinja", "jinja2.ext:babel_extract")]
KEYWORDS = {"_": None, "gettext": None, "ngettext": (1, 2), "pgettext": ((1, "c"), 2)}
TRANSLATED = tuple(code for code in LANGUAGES if code != "en")

Key = tuple[str | tuple[str, ...], str | None]
"""A message, or its two English forms, and its context."""


def messages() -> dict[Key, None]:
    """All messages, in the order of the sources."""
    found: dict[Key, None] = {}
    for _, _, message, _, context in extract_from_dir(STRATEGY, METHODS, keywords=KEYWORDS):
        found[message, context] = None
    return found | dict.fromkeys((text, None) for text in _texts() if text)


def _texts() -> Iterator[str]:
    """Messages that are data."""
    for tip in TIPS:
        yield from (tip.sentence, tip.needs, tip.source)
    for kind in KINDS:
        yield from (kind.do, kind.do_not)
    yield from (*FEATURES, CORRECTION, COMPARED)


def catalogue(code: str) -> Catalog:
    """What is in the source of a language."""
    with source(code).open("rb") as file:
        return read_po(file, locale=code, domain=DOMAIN)


def updated(old: Catalog) -> Catalog:
    """The catalogue with all messages of today, and the translations that it has."""
    new = Catalog(old.locale, DOMAIN, old.header_comment, fuzzy=False)
    new.mime_headers = old.mime_headers  # the plural forms are the file's own
    known = {_key(message): message for message in (*old.obsolete.values(), *old) if message.id}
    for message, context in messages():
        before = known.pop((_singular(message), context), None)
        new.add(message, before.string if before else "", context=context)
    new.obsolete.update({str(key): message for key, message in known.items()})
    return new


def written(new: Catalog) -> bytes:
    """The source of a catalogue."""
    file = io.BytesIO()
    write_po(file, new, width=120)
    return file.getvalue()


def compiled(new: Catalog) -> bytes:
    """What gettext reads."""
    file = io.BytesIO()
    write_mo(file, new)
    return file.getvalue()


def missing(new: Catalog) -> list[str]:
    """Messages without a translation, in one of their forms."""
    return [_singular(message.id) for message in new if message.id and not all(_forms(message.string))]


def source(code: str) -> Path:
    """The file that translators write."""
    return LOCALE / code / "LC_MESSAGES" / f"{DOMAIN}.po"


def target(code: str) -> Path:
    """The file that gettext reads."""
    return source(code).with_suffix(".mo")


def _forms(string: str | tuple[str, ...] | list[str] | None) -> tuple[str, ...]:
    return (string or "",) if isinstance(string, str | None) else tuple(string)


def _singular(message: str | tuple[str, ...] | list[str]) -> str:
    return message if isinstance(message, str) else message[0]


def _key(message: Message) -> Key:
    return _singular(message.id), message.context


def main() -> None:
    """Collect, compile, and say what is missing."""
    for code in TRANSLATED:
        new = updated(catalogue(code))
        source(code).write_bytes(written(new))
        target(code).write_bytes(compiled(new))
        gaps = missing(new)
        print(f"{code}: {len(new)} messages, {len(gaps)} of them without a translation", *gaps, sep="\n    ")


if __name__ == "__main__":
    main()
