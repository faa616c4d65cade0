"""Checking game records: what can be told from the record alone, and playing it again move by move."""

from collections.abc import Sequence

import msgspec
import numpy as np

from maumau_env.game import batch
from maumau_env.game.actions import ACTION_BIT, action_number, actions_in, legal_names
from maumau_env.game.cards import MAX_DECK, NUM_CARDS
from maumau_env.game.match_check import check_match
from maumau_env.game.record import Record, hands_of, names, numbers, set_up
from maumau_env.game.result import ranking
from maumau_env.game.rules import Rules
from maumau_env.game.state import END_NAMES, GAME, LAID, RUNNING, SCRIPTED, copied, raw


class ScriptedRound:
    """A round without chance: the deal is given, and so is every new pile (C12).

    Attributes:
        game: the position, shape (1,), dtype GAME.
        new_piles: the piles not used yet, the next one first; cards by number, in the order in which they are drawn.
    """

    def __init__(self, game: np.ndarray, new_piles: Sequence[Sequence[str]]) -> None:
        self.game = game
        self.new_piles = [numbers(pile) for pile in new_piles]
        self._laid = False

    def legal(self) -> list[str]:
        """The sorted legal actions of the seat to move; none when the round is over."""
        return legal_names(batch.legal(self.game)[0])

    def play(self, action: str) -> None:
        """Carry out an action of the seat to move.

        Raises:
            ValueError: it is illegal, or makes a new pile that is not the given one; nothing was changed.
        """
        number = action_number(action)
        if number not in actions_in(batch.legal(self.game)[0]):
            raise ValueError(batch.illegal_action(self.game[0], number))
        self._lay_next_pile()
        after = copied(self.game)
        batch.step(after, np.array([number]))
        if after["shuffles"][0] > self.game["shuffles"][0]:
            is_play = ACTION_BIT[number] < NUM_CARDS
            discards = self.game["discards"][0, : self.game["discards_size"][0]].tolist()
            self._take_new_pile(discards if is_play else discards[:-1])
        self.game = after

    def _lay_next_pile(self) -> None:
        """Put the next new pile where the game looks for it; it has room there before the step that needs it."""
        if self._laid:
            return
        cards = self.new_piles[0][::-1] if self.new_piles else []
        self._laid = 0 < len(cards) <= MAX_DECK - self.game["pile_size"][0]
        self.game["order"] = SCRIPTED if self._laid else LAID
        if self._laid:
            self.game["pile"][0, -len(cards) :] = cards

    def _take_new_pile(self, needed: list[int]) -> None:
        """The discards that were shuffled must be the cards of the next new pile."""
        given = self.new_piles[0] if self.new_piles else None
        if given is None or sorted(given) != sorted(needed):
            has = "none is given" if given is None else f"the given one is {' '.join(names(given)) or 'empty'}"
            raise ValueError(f"the discards are shuffled into a new pile of {' '.join(names(needed))}, but {has}")
        del self.new_piles[0]
        self._laid = False


def replay(record: Record) -> np.ndarray:
    """Every position of a recorded round: shape (moves + 1,), dtype GAME, the deal and then what each move led to.

    Each can be played on in another way: its pile lies as recorded, and later ones are shuffled at random.

    Raises:
        RecordError: a move is illegal or another seat's, a new pile or the result is not what the rules lead to, or the
            noted legal actions are wrong.
    """
    scripted = ScriptedRound(check(record), record.reshuffles)
    positions = [raw(scripted.game)]
    for index, (seat, action) in enumerate(record.moves):
        try:
            _check_seat(scripted, seat)
            if record.legal is not msgspec.UNSET:
                _compare("legal actions", record.legal[index], scripted.legal())
            scripted.play(action)
        except ValueError as error:
            raise record.fault(error, index + 1) from None
        positions.append(raw(scripted.game))
    try:
        _check_result(record, scripted)
    except ValueError as error:
        raise record.fault(error) from None
    games = np.concatenate(positions).view(GAME)
    games["order"] = LAID
    return games


def check(record: Record) -> np.ndarray:
    """The dealt game of a record that can be played again, shape (1,); all that needs no playing is checked.

    Raises:
        RecordError: a wrong option, number of players, seed, card, action or seat, lists that do not match, or an
            impossible entry of a match.
    """
    try:
        rules, deal = Rules.from_dict(record.rules), record.deal
        dealt = set_up(rules, deal.hands, deal.discard, deal.pile, record.starter, record.seed)
        _check_lengths(record)
        for pile in [*record.reshuffles, *record.hands]:
            numbers(pile)
    except ValueError as error:
        raise record.fault(error) from None
    for number, (seat, action) in enumerate(record.moves, 1):
        try:
            action_number(action)
            if seat >= len(record.players):
                raise ValueError(f"no seat {seat}: seats are 0 to {len(record.players) - 1}")
        except ValueError as error:
            raise record.fault(error, number) from None
    check_match(record)
    return dealt


def _check_lengths(record: Record) -> None:
    seats = len(record.deal.hands)
    per_seat = {
        "players": record.players,
        "hands": record.hands,
        "ranking": record.ranking,
        "seats": record.seats,
    }
    for name, entries in per_seat.items():
        if entries is not msgspec.UNSET and len(entries) != seats:
            raise ValueError(f"{name} has {len(entries)} entries, and {seats} seats were dealt cards")
    if record.legal is not msgspec.UNSET and len(record.legal) != len(record.moves):
        raise ValueError(f"legal has {len(record.legal)} entries for {len(record.moves)} moves")


def _check_seat(scripted: ScriptedRound, seat: int) -> None:
    to_move = scripted.game["seat"][0]
    if scripted.game["end"][0] == RUNNING and seat != to_move:
        raise ValueError(f"seat {seat} moves where it is seat {to_move}'s turn")


def _check_result(record: Record, scripted: ScriptedRound) -> None:
    game = scripted.game
    if game["end"][0] == RUNNING and record.end != END_NAMES[RUNNING]:
        raise ValueError(f"the round still goes on after its {len(record.moves)} moves")
    if scripted.new_piles:
        raise ValueError(f"{len(scripted.new_piles)} of its new piles are never needed")
    _compare("end", record.end, END_NAMES[game["end"][0]])
    _compare("hands", [sorted(hand) for hand in record.hands], [sorted(hand) for hand in hands_of(game)])
    _compare("ranking", record.ranking, ranking(game[0]))


def _compare(what: str, recorded: object, found: object) -> None:
    if recorded != found:
        raise ValueError(f"{what} recorded as {recorded}, but the rules lead to {found}")
