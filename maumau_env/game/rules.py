"""The rules of Mau-Mau, one round, as prose; and the options in which tables differ, as data.

C1   Everyone is dealt `hand_size` cards; the next card is turned up, the rest is the pile. The deck has 32 cards (7 to
     A in four suits) or 104 (2 to A in four suits, twice); or, small enough to be solved exactly, 6 (7, J, A in clubs
     and diamonds), 8 (7, 8, J, A in these two), 12 (hearts, too) or 16 (all four suits).
C2   The card turned up has no effect, and an opening Jack counts as its own suit. With `cover_special_start` a special
     one (7, 8, 9, J, A) is covered by the next card until an ordinary one lies on top or no card is left.
C3   Seat 0 plays first; the direction is clockwise.
C4   A card fits on the top card by suit (by the wished suit, if there is a wish) or by rank. A Jack fits on
     everything, except while cards are owed, and except on a Jack when `jack_on_jack` is off.
C5   Under `must_play` whoever holds a card that fits must play one; otherwise they may draw instead.
C6   `draw` takes one card. With `play_drawn`, if it fits, the same player plays it or passes; otherwise the turn ends,
     as it does when there is nothing to draw.
C7   A 7 makes the next player owe two cards. While cards are owed only a 7 may be played, which passes the debt on,
     two cards higher; `draw` takes all that is owed and ends the turn, or, with `draw_then_play`, begins a normal one.
     If there are too few cards, the player takes what there is and the debt is gone.
C8   An 8 skips the next player; with two players the same player moves again.
C9   A 9 turns the direction. With two players it skips under `nine_skips_with_two`, otherwise it changes nothing.
C10  A Jack names a suit of the deck, which binds until another card is played on it.
C11  An ace is `plain`; or skips like an 8 (`skip`); or its player goes on (`again`): plays a second card or draws.
C12  When a card must be drawn and the pile is empty, the discards below the top are shuffled into a new pile.
C13  The last card ends the round and has no effect; but with `final_seven_draws` the player after a last 7 draws all
     that is owed.
C14  With `win_with_jack` off, a last Jack does not win: its player draws one card and the game goes on with the wish.
C15  `mau=auto`: the game announces "Mau!". `mau=call`: with two cards, one of them playable, the player may say `mau`
     once in a turn, which holds to its end; whoever plays the last but one card without it draws two cards at once.
C16  Fewer cards rank higher, then fewer points; equal on both share the rank (1, 2, 2, 4).
C17  The round ends stuck when nothing is owed, nothing can be drawn and nobody holds a card that fits.
C18  The round ends as too long after `max_turns` turns. A turn ends when the next player has to move.

`play.py` is these sentences as code; every number and switch that tables differ in is a field of `Rules`.
"""

import dataclasses
import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from maumau_env.game.cards import DECKS

MIN_PLAYERS, MAX_PLAYERS = 2, 5

ACE_PLAIN, ACE_SKIP, ACE_AGAIN = range(3)
MAU_AUTO, MAU_CALL = range(2)
CHOICES: dict[str, tuple[str, ...]] = {"ace": ("plain", "skip", "again"), "mau": ("auto", "call")}
"""The named values of an option, in the order of their numbers in a RULES record."""

RULES: np.dtype = np.dtype(
    [
        ("deck", "i2"),  # cards in the deck, one of DECKS
        ("hand_size", "i2"),  # cards dealt to each seat, 1 or more
        ("cover_special_start", "i2"),  # 0 or 1, as all switches
        ("must_play", "i2"),
        ("play_drawn", "i2"),
        ("ace", "i2"),  # ACE_PLAIN, ACE_SKIP or ACE_AGAIN
        ("draw_then_play", "i2"),
        ("jack_on_jack", "i2"),
        ("win_with_jack", "i2"),
        ("nine_skips_with_two", "i2"),
        ("mau", "i2"),  # MAU_AUTO or MAU_CALL
        ("final_seven_draws", "i2"),
        ("max_turns", "i2"),  # 1 to 10,000
    ]
)
"""The numeric record of `Rules` that the compiled game reads."""


@dataclass(frozen=True)
class Rules:
    """The options of a table. Every mixture is a valid game; `classic` is the default of each."""

    deck: int = 32
    hand_size: int = 5
    cover_special_start: bool = False
    must_play: bool = True
    play_drawn: bool = True
    ace: Literal["plain", "skip", "again"] = "plain"
    draw_then_play: bool = False
    jack_on_jack: bool = True
    win_with_jack: bool = True
    nine_skips_with_two: bool = True
    mau: Literal["auto", "call"] = "auto"
    final_seven_draws: bool = False
    max_turns: int = 500

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.generic):
                object.__setattr__(self, field.name, value := value.item())
            _check_option(field.name, value)
        self.check_players(MIN_PLAYERS)

    @classmethod
    def of(cls, rules: "str | Rules" = "classic", **options: Any) -> "Rules":
        """The rules of a preset by its name, or given rules, with some options changed.

        Raises:
            ValueError: no such preset, no such option, or a value that the option does not have.
        """
        if isinstance(rules, str):
            if rules not in PRESETS:
                raise ValueError(f"no rules are called {rules!r}: there are {', '.join(PRESETS)}")
            rules = PRESETS[rules]
        return rules.replace(**options)

    @classmethod
    def from_dict(cls, options: Mapping[str, Any]) -> "Rules":
        """The rules with exactly these options, every one given; ValueError names what is missing or wrong."""
        if missing := [name for name in OPTIONS if name not in options]:
            raise ValueError(f"rules without {', '.join(missing)}")
        return PRESETS["classic"].replace(**options)

    @classmethod
    def from_record(cls, record: Any) -> "Rules":
        """The rules of a RULES record."""
        values: dict[str, Any] = {name: int(record[name]) for name in OPTIONS}
        for name in OPTIONS:
            if name in CHOICES:
                values[name] = CHOICES[name][values[name]]
            elif isinstance(getattr(PRESETS["classic"], name), bool):
                values[name] = bool(values[name])
        return cls(**values)

    def replace(self, **options: Any) -> "Rules":
        """The same rules with some options changed; ValueError as for `of`."""
        for name in options:
            if name not in OPTIONS:
                close = difflib.get_close_matches(name, OPTIONS, 1)
                hint = f", perhaps {close[0]}" if close else ""
                raise ValueError(f"no option is called {name!r}{hint}: there are {', '.join(OPTIONS)}")
        return dataclasses.replace(self, **options)

    def as_dict(self) -> dict[str, Any]:
        """Every option by its name, as in a game record."""
        return {name: getattr(self, name) for name in OPTIONS}

    def record(self) -> np.ndarray:
        """A zero-dimensional RULES record."""
        values = ((name, getattr(self, name)) for name in OPTIONS)
        return np.array(
            tuple(CHOICES[name].index(value) if name in CHOICES else value for name, value in values), RULES
        )

    def check_players(self, players: int) -> None:
        """ValueError unless so many players can sit at this table and be dealt their cards."""
        if isinstance(players, bool) or not isinstance(players, int) or not MIN_PLAYERS <= players <= MAX_PLAYERS:
            raise ValueError(f"{players!r} players: a table seats {MIN_PLAYERS} to {MAX_PLAYERS}")
        most = (self.deck - 1) // players
        if self.hand_size > most:
            raise ValueError(
                f"hand_size={self.hand_size} for {players} players: a deck of {self.deck} allows at most {most}, "
                "since one card is turned up"
            )

    def __str__(self) -> str:
        """The nearest preset and what differs from it, as in "classic, ace=skip"."""
        differences = {
            name: [f"{key}={_text(value)}" for key, value in self.as_dict().items() if value != getattr(preset, key)]
            for name, preset in PRESETS.items()
        }
        nearest = min(differences, key=lambda name: len(differences[name]))
        return ", ".join([nearest, *differences[nearest]])


OPTIONS = tuple(field.name for field in dataclasses.fields(Rules))
RANGES = {"hand_size": (1, (max(DECKS) - 1) // MIN_PLAYERS), "max_turns": (1, 10_000)}


def parse_options(settings: list[str]) -> dict[str, Any]:
    """Options from texts such as `ace=skip`, `must_play=no` or `hand_size=7`, for `Rules.of` to check."""
    options: dict[str, Any] = {}
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals:
            raise ValueError(f"{setting!r} is not of the form option=value, such as ace=skip")
        options[name] = _value(name, text)
    return options


def _value(name: str, text: str) -> Any:
    words = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}
    if name in OPTIONS and name not in CHOICES:
        if isinstance(getattr(PRESETS["classic"], name), bool):
            return words.get(text.lower(), text)
        return int(text) if text.removeprefix("-").isdecimal() else text
    return text


def _text(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _check_option(name: str, value: Any) -> None:
    """ValueError unless the option may have this value."""
    default = Rules.__dataclass_fields__[name].default
    if name in CHOICES:
        allowed, good = " or ".join(CHOICES[name]), value in CHOICES[name]
    elif name == "deck":
        allowed, good = " or ".join(map(str, DECKS)), isinstance(value, int) and value in DECKS
    elif isinstance(default, bool):
        allowed, good = "yes or no (True or False)", isinstance(value, bool)
    else:
        low, high = RANGES[name]
        whole = isinstance(value, int) and not isinstance(value, bool)
        allowed, good = f"{low} to {high}", whole and low <= value <= high
    if not good:
        raise ValueError(f"{name}={value!r} is not an option's value: {allowed}")


PRESETS = {
    "classic": Rules(),
    "match": Rules(
        deck=104,
        hand_size=7,
        cover_special_start=True,
        must_play=False,
        play_drawn=False,
        ace="again",
        nine_skips_with_two=False,
        mau="call",
        final_seven_draws=True,
        max_turns=1000,
    ),
}
