"""Game records: one round as data, enough to play it again without a random generator.

A record holds the rules, the deal in the order in which cards are drawn, every move as `[seat, action]`, every new pile
(C12) in the order in which it is drawn, and the result. Cards and actions are texts, as in `actions.py`. On disk it is
one line of JSON, see `record_file.py`; `record_check.py` plays it again and checks every move.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, ClassVar, Literal, Self

import msgspec
import numpy as np

from maumau_env.game import batch
from maumau_env.game.actions import ACTION_NAMES, legal_names
from maumau_env.game.cards import NAMES, card_number, cards_in, cards_of, set_of
from maumau_env.game.heaps import take_from_pile
from maumau_env.game.jit import kernel
from maumau_env.game.match_record import Count, Match, match_of, seats_of
from maumau_env.game.play import is_stuck
from maumau_env.game.result import ranking
from maumau_env.game.rules import Rules
from maumau_env.game.state import END_NAMES, FACE, GAME, LAID, NONE, RUNNING, STUCK, copied, game_rules, raw

FORMAT, VERSION = "maumau-record", 1

Heap = list[str]
"""Cards by their texts; of a pile the next card to be drawn comes first."""


class RecordError(ValueError):
    """A record that cannot be read, or does not say the truth; the message names file, line, move and reason."""


class Deal(msgspec.Struct, forbid_unknown_fields=True):
    """The cards before the first move."""

    hands: list[Heap]
    discard: Heap  # bottom first
    pile: Heap  # next card first


class Record(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, dict=True):
    """One round from the deal to the ranking; the fields are those of the file, in its order."""

    format: Literal["maumau-record"] = FORMAT
    version: Literal[1] = VERSION
    rules: dict[str, Any]
    players: list[str]
    seats: list[str] | msgspec.UnsetType = msgspec.UNSET  # in a match: the agent on each seat of the round
    match: Match | msgspec.UnsetType = msgspec.UNSET
    seed: Count
    starter: Count
    deal: Deal
    moves: list[tuple[Count, str]]
    legal: list[list[str]] | msgspec.UnsetType = msgspec.UNSET  # for each move the sorted legal actions
    reshuffles: list[Heap]
    end: Literal["running", "emptied", "stuck", "too long"]  # running: the record of a round so far
    hands: list[Heap]
    ranking: list[int]

    source: ClassVar[str] = "record"
    """Where the record comes from, for messages; reading a file sets it to the file and the line."""

    def fault(self, reason: object, move: int | None = None) -> RecordError:
        """The error that something is wrong with this record; moves count from 1."""
        place = self.source if move is None else f"{self.source}, move {move}"
        return RecordError(f"{place}: {reason}")

    def located(self, source: str) -> Self:
        """The same record, which now knows where it comes from."""
        self.__dict__["source"] = source
        return self


class Recorder:
    """Notes the actions of one round, at the cost of an append, and writes its record.

    Args:
        dealt: the GAME right after the deal; it is copied.
        players: who plays, one name for each seat.
        match_id: for a round of a match, what names that match among others in a file.
        joined: for such a round, the agents who sat down before it.
        left: for such a round, the agents who left before it.
    """

    def __init__(
        self,
        dealt: np.ndarray,
        players: Sequence[str],
        match_id: str = "",
        joined: Sequence[str] = (),
        left: Sequence[str] = (),
    ) -> None:
        self._match = match_id, joined, left
        self.dealt = copied(dealt.reshape(1))
        seen = self.dealt["seats"][0, : self.dealt["num_players"][0]]
        self.players = list(players)
        self.actions: list[int] = []
        if len(self.players) != self.dealt["num_players"][0]:
            raise ValueError(f"{len(self.players)} names for {self.dealt['num_players'][0]} seats")
        untouched = self.dealt["turns"][0] == 0 and self.dealt["mau_said"][0] == 0
        if not untouched or (seen["last_plays"] != NONE).any() or seen["since_rank"].any():
            raise ValueError("a recorder needs the game right after the deal, and this one has been played on")

    def note(self, action: int) -> None:
        """The seat to move has taken this action, forced or not."""
        self.actions.append(int(action))

    def record(self, legal: bool = False) -> Record:
        """The record of the round, or of what has been played of it, on request with the legal actions at each move.

        Raises:
            ValueError: an action was noted that is not legal, or after the end.
        """
        game, moves, legal_actions, piles = copied(self.dealt), [], [], []
        for action in self.actions:
            moves.append((int(game["seat"][0]), ACTION_NAMES[action]))
            if game["end"][0] != RUNNING:
                raise ValueError(batch.illegal_action(game[0], action))
            if legal:
                legal_actions.append(legal_names(batch.legal(game)[0]))
            before = copied(game)
            batch.step(game, np.array([action]))
            if game["shuffles"][0] > len(piles):  # a step never shuffles twice
                piles.append(drawing_order(before, drawer(before, game)))
        first, *new_piles = [*piles, drawing_order(game)]
        in_match = game["match"]["round"][0] > 0
        return Record(
            rules=game_rules(game[0]).as_dict(),
            players=self.players,
            seats=seats_of(game) if in_match else msgspec.UNSET,
            match=match_of(game, *self._match) if in_match else msgspec.UNSET,
            seed=int(game["seed"][0]),
            starter=int(self.dealt["seat"][0]),
            deal=Deal(hands_of(self.dealt), discards_of(self.dealt), first),
            moves=moves,
            legal=legal_actions if legal else msgspec.UNSET,
            reshuffles=new_piles,
            end=END_NAMES[game["end"][0]],
            hands=hands_of(game),
            ranking=ranking(game[0]),
        )


def set_up(
    rules: Rules,
    hands: Sequence[Sequence[str]],
    discard: Sequence[str],
    pile: Sequence[str],
    starter: int = 0,
    seed: int = 0,
) -> np.ndarray:
    """A game with exactly these cards, before its first move: shape (1,), dtype GAME.

    The hands need not be of the rules' size, and cards of the deck may be missing. When the pile is used up, the
    discards are shuffled at random, which the seed decides.

    Args:
        rules: the table.
        hands: the cards of each seat.
        discard: bottom first.
        pile: next card first.
        starter: the seat that moves first.
        seed: 0 to 2**64 - 1.

    Raises:
        ValueError: an impossible number of players, starter or deal; an unknown card, or more of one than the deck has.
    """
    check_deal(rules, hands, discard, pile, starter)
    games = batch.deal(rules, len(hands), seed, 1)
    game = games[0]
    game["starter"] = game["seat"] = starter
    game["order"] = LAID
    game["hands"] = 0
    game["pile"] = 0
    game["discards"] = 0
    for seat, hand in enumerate(hands):
        game["hands"][seat] = set_of(numbers(hand))
    game["shown"] = set_of(numbers(discard))
    game["discards"][: len(discard)] = numbers(discard)
    game["discards_size"] = len(discard)
    game["pile"][: len(pile)] = numbers(pile)[::-1]
    game["pile_size"] = game["pile_start"] = len(pile)
    end_if_stuck_kernel(raw(games))
    return games


def check_deal(
    rules: Rules,
    hands: Sequence[Sequence[str]],
    discard: Sequence[str],
    pile: Sequence[str],
    starter: int,
) -> None:
    """ValueError, as `set_up` says, unless a round can begin like this."""
    rules.check_players(len(hands))
    if not 0 <= starter < len(hands):
        raise ValueError(f"seat {starter} cannot start: seats are 0 to {len(hands) - 1}")
    if not discard:
        raise ValueError("no card is turned up")
    for seat, hand in enumerate(hands):
        if not hand:
            raise ValueError(f"seat {seat} is dealt no card")
    cards = Counter(numbers([*(card for hand in hands for card in hand), *discard, *pile]))
    deck = Counter(cards_of(rules.deck))
    for card, times in cards.items():
        if times > (most := deck[card]):
            raise ValueError(f"{NAMES[card]} is dealt {times}x: a deck of {rules.deck} has it {most}x")


def numbers(heap: Sequence[str]) -> list[int]:
    """The numbers of cards given by their texts, in their order."""
    return [card_number(text) for text in heap]


def names(cards: Sequence[int]) -> Heap:
    """The texts of cards given by their numbers, in their order."""
    return [NAMES[card] for card in cards]


def hands_of(game: np.ndarray) -> list[Heap]:
    """The hand of every seat of a game of shape (1,), each in ascending order."""
    return [names(cards_in(*sets)) for sets in game["hands"][0, : game["num_players"][0]].tolist()]


def discards_of(game: np.ndarray) -> Heap:
    """The discards of a game of shape (1,), bottom first."""
    return names(game["discards"][0, : game["discards_size"][0]].tolist())


def drawing_order(game: np.ndarray, seat: int = 0) -> Heap:
    """The pile of a game of shape (1,) as it was when it was made: drawn cards as they were drawn, then those to come.

    A shuffled pile is drawn at random card by card, so the order of the rest is found by drawing it from a copy. Who
    draws it, `seat`, matters where each seat draws by its own order.
    """
    rest = copied(game)
    draw_all_kernel(raw(rest), seat)
    return names((rest["pile"][0, : rest["pile_start"][0]][::-1] & FACE).tolist())


def drawer(before: np.ndarray, after: np.ndarray) -> int:
    """The seat that drew in a step in which cards were drawn, from the games of shape (1,) before it and after it.

    Only one seat ever draws in a step: a victim of C13, the one whose hand changes though it did not move, or else the
    seat that moved (C6, C7, C14, C15).
    """
    mover = int(before["seat"][0])
    changed = np.flatnonzero((before["hands"] != after["hands"]).any(axis=2)[0])
    return next((int(seat) for seat in changed if seat != mover), mover)


@kernel
def draw_all_kernel(raw_games: Any, seat: Any) -> None:
    """A seat empties the pile of one game; the drawn cards are left lying in it."""
    game = raw_games.view(GAME)[0]
    while game["pile_size"] > 0:
        take_from_pile(game, seat)


@kernel
def end_if_stuck_kernel(raw_games: Any) -> None:
    """C17 for a deal."""
    game = raw_games.view(GAME)[0]
    if is_stuck(game):
        game["end"] = STUCK
