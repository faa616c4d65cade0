"""The languages of what players read: translations by gettext, and numbers as the language writes them.

Translations are in `strategy/locale`: the sources *.po, and the *.mo that `python -m tools.languages` compiles them to.
Messages are English sentences; whatever is not translated, such as a tip of the user's own, stays as it is.
"""

import gettext
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

LANGUAGES = ("en", "it", "ru", "de")
DOMAIN = "explore"
LOCALE = Path(__file__).parent / "locale"

DASH, MINUS, SPACE = "–", "\N{MINUS SIGN}", "\N{NO-BREAK SPACE}"

SEPARATORS = {"en": (",", "."), "it": (".", ","), "ru": (SPACE, ","), "de": (".", ",")}
"""What stands between thousands, and before the decimals."""
BEFORE_PERCENT = {"en": "", "it": "", "ru": SPACE, "de": SPACE}


@dataclass(frozen=True)
class Language:
    """A language by its code, one of LANGUAGES."""

    code: str
    _catalogue: gettext.NullTranslations = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.code not in LANGUAGES:
            raise ValueError(f"no language is called {self.code!r}: there are {', '.join(LANGUAGES)}")
        english = self.code == "en"
        catalogue = gettext.NullTranslations() if english else gettext.translation(DOMAIN, LOCALE, [self.code])
        object.__setattr__(self, "_catalogue", catalogue)

    def gettext(self, message: str) -> str:
        """The translation of a message."""
        return self._catalogue.gettext(message) if message else ""

    def pgettext(self, context: str, message: str) -> str:
        """The translation of a word that needs a context to be understood."""
        return self._catalogue.pgettext(context, message)

    def ngettext(self, one: str, many: str, n: int) -> str:
        """The form of a message for a number, with {n} in it filled in."""
        return self._catalogue.ngettext(one, many, n).format(n=self.number(n))

    def number(self, value: float, digits: int = 0) -> str:
        """1234.5 with one digit as `1,234.5` in English and `1.234,5` in German."""
        thousands, point = SEPARATORS[self.code]
        separators = str.maketrans({",": thousands, ".": point, "-": MINUS})
        return f"{_without_minus_zero(value, digits):,.{digits}f}".translate(separators)

    def signed(self, value: float, digits: int = 1) -> str:
        """The same with its sign, which 0 has not."""
        sign = "+" if _without_minus_zero(value, digits) > 0 else ""
        return sign + self.number(value, digits)

    def percent(self, share: float, digits: int = 0) -> str:
        """0.5 as `50%`, or `50 %` where the language leaves a space."""
        return f"{self.number(100 * share, digits)}{BEFORE_PERCENT[self.code]}%"

    def range(self, low: str, high: str) -> str:
        """The two ends of an interval, which are written already."""
        return self.gettext("{low} to {high}").format(low=low, high=high)


def _without_minus_zero(value: float, digits: int) -> float:
    return round(value, digits) + 0.0


ENGLISH = Language("en")


def language_of(environment: Mapping[str, str]) -> str:
    """The code that an environment asks for by LANGUAGE, LC_ALL, LC_MESSAGES or LANG, in this order; else English.

    LANGUAGE is a list, of which the first that we speak counts; of the others the first that is set decides.
    """
    locale = next((environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), "")
    for wish in (*environment.get("LANGUAGE", "").split(":"), locale):
        code = re.split(r"[_.@-]", wish)[0].lower()
        if code in LANGUAGES:
            return code
    return "en"
