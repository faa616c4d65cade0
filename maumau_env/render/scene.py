"""What is drawn, and the sentences that text and picture share."""

from collections.abc import Callable
from dataclasses import dataclass

SUITS = "CDHS"
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SYMBOLS = dict(zip(SUITS, "♣♦♥♠", strict=True))
LONGEST_NAME = 40

PLAIN_MOVES = {"draw": "draws", "pass": "passes", "mau": 'says "Mau!"'}
ENDINGS = {
    "emptied": "the hand is empty",
    "stuck": "stuck, nobody can play or draw",
    "too long": "too long, the turn limit is reached",
}


@dataclass(frozen=True)
class Scene:
    """A table seen from outside (all hands face up) or from one seat (the others' hands face down).

    Raises ValueError when a field cannot be drawn, naming the field, its value and what is allowed.
    """

    players: tuple[str, ...]  # names by seat, clockwise; 2 to 5
    hands: tuple[tuple[str, ...] | int, ...]  # by seat: cards face up ("7H", "10S"), or a count face down
    to_move: int | None  # seat, None when the round is over
    top: str  # uppermost discard
    discards: int  # number of discards, top included
    pile: int  # cards in the stock
    wish: str | None  # suit that a Jack named, "C", "D", "H" or "S"
    owed: int  # cards that a chain of sevens has added up
    direction: int  # +1 clockwise, -1 anticlockwise
    turn: int
    max_turns: int
    last_move: tuple[int, str] | None  # (seat, action text: "7H", "JC:S", "draw", "pass", "mau")
    calls: tuple[str, ...]  # by seat: "", "Mau!" or "Mau-Mau!"
    ranking: tuple[int, ...] | None  # by seat, 1 is best, when the round is over
    end: str | None  # "emptied", "stuck" or "too long"
    heading: str = ""  # how the match stands, if there is one

    def __post_init__(self) -> None:
        self._check_table()
        self._check_seats()
        self._check_moves()

    def _check_table(self) -> None:
        _require(2 <= len(self.players) <= 5, "players", self.players, "2 to 5 names")
        _require(is_card(self.top), "top", self.top, "a card such as '7H', '10S' or 'JC'")
        _require(self.wish is None or self.wish in SYMBOLS, "wish", self.wish, "'C', 'D', 'H', 'S' or None")
        _require(self.direction in (1, -1), "direction", self.direction, "+1 or -1")
        _require(self.end is None or self.end in ENDINGS, "end", self.end, f"None, {', '.join(ENDINGS)}")
        for field in ("discards", "pile", "owed", "turn", "max_turns"):
            _require(getattr(self, field) >= 0, field, getattr(self, field), "0 or more")

    def _check_seats(self) -> None:
        count = len(self.players)
        for field in ("hands", "calls", "ranking"):
            value = getattr(self, field)
            unranked = field == "ranking" and value is None
            _require(unranked or len(value) == count, field, value, f"one entry for each of the {count} players")
        for hand in self.hands:
            drawable = hand >= 0 if isinstance(hand, int) else all(map(is_card, hand))
            _require(drawable, "hands", hand, "cards such as '7H', '10S', 'JC', or a count")
        for call in self.calls:
            _require(call in ("", "Mau!", "Mau-Mau!"), "calls", call, "'', 'Mau!' or 'Mau-Mau!'")

    def _check_moves(self) -> None:
        last = len(self.players) - 1
        to_move, move = self.to_move, self.last_move
        _require(to_move is None or 0 <= to_move <= last, "to_move", to_move, f"a seat from 0 to {last}, or None")
        known = move is None or (0 <= move[0] <= last and is_action(move[1]))
        _require(known, "last_move", move, f"None or a seat from 0 to {last} with an action such as '7H', 'JC:S'")

    def cards_of(self, seat: int) -> int:
        """Number of cards in a hand, face up or face down."""
        hand = self.hands[seat]
        return hand if isinstance(hand, int) else len(hand)


def _require(holds: bool, field: str, value: object, allowed: str) -> None:
    if not holds:
        raise ValueError(f"cannot draw a scene with {field} = {value!r}: allowed is {allowed}")


def is_card(text: str) -> bool:
    """Whether the text is rank then suit, as in "10S"."""
    return text[:-1] in RANKS and text[-1:] in SYMBOLS


def is_action(text: str) -> bool:
    """Whether the text is a card, a Jack with the suit it names ("JC:S"), or "draw", "pass", "mau"."""
    card, colon, suit = text.partition(":")
    names_suit = card.startswith("J") and suit in SYMBOLS
    return text in PLAIN_MOVES or (is_card(card) and (names_suit or not colon))


def printable(name: str) -> str:
    """The name fit to be shown: cut after 40 characters, with "?" for what would break a line or a font."""
    shown = name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 3] + "..."
    return "".join(letter if letter.isprintable() else "?" for letter in shown)


def ordinal(rank: int) -> str:
    """1st, 2nd, 3rd, 4th, 5th."""
    return f"{rank}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(rank, 'th') }"


def last_move_sentence(scene: Scene, write: Callable[[str], str]) -> str:
    """The last move in words, "" before the first; `write` turns a card ("JC") or a suit ("S") into text."""
    if scene.last_move is None:
        return ""
    seat, action = scene.last_move
    name = printable(scene.players[seat])
    if action in PLAIN_MOVES:
        return f"{name} {PLAIN_MOVES[action]}"
    card, _, suit = action.partition(":")
    return f"{name} plays {write(card)}" + (f" and wishes {write(suit)}" if suit else "")


def end_sentence(scene: Scene) -> str:
    """How the round ended, "" while it goes on."""
    if scene.end is None:
        return ""
    if scene.ranking is None:
        return f"Round over: {ENDINGS[scene.end]}"
    first = [printable(name) for name, rank in zip(scene.players, scene.ranking, strict=True) if rank == 1]
    return f"{' and '.join(first)} {'wins' if len(first) == 1 else 'share the win'}: {ENDINGS[scene.end]}"
