"""The package's own game with the referee's face, so that one test of the rules can run on both."""

from maumau_env.game.cards import SUITS
from maumau_env.game.record import discards_of, drawing_order, hands_of, names, set_up
from maumau_env.game.record_check import ScriptedRound
from maumau_env.game.result import ranking
from maumau_env.game.rules import Rules
from maumau_env.game.state import END_NAMES, NONE, RUNNING

PHASES = ("normal", "drawn", "again")


class CoreTable:
    """One round on the core, read and played like a `Referee`."""

    def __init__(self, rules, hands, discard, pile, starter=0, reshuffles=None):
        self.rules = dict(rules)
        self._round = ScriptedRound(set_up(Rules.from_dict(rules), hands, discard, pile, starter), reshuffles or [])
        self.reshuffled = []

    @classmethod
    def around(cls, scripted: ScriptedRound) -> "CoreTable":
        """The table of a round that has been set up already."""
        table = cls.__new__(cls)
        table._round, table.reshuffled = scripted, []
        table.rules = Rules.from_record(scripted.game["rules"][0]).as_dict()
        return table

    def legal(self) -> list[str]:
        return self._round.legal()

    def play(self, action: str) -> None:
        next_piles = list(self._round.new_piles)
        self._round.play(action)
        self.reshuffled += next_piles[: len(next_piles) - len(self._round.new_piles)]

    @property
    def raw_game(self):
        return self._round.game

    @property
    def game(self):
        return self._round.game[0]

    @property
    def hands(self) -> list[list[str]]:
        return hands_of(self._round.game)

    @property
    def discards(self) -> list[str]:
        return discards_of(self._round.game)

    @property
    def pile(self) -> list[str]:
        drawn = int(self.game["pile_start"] - self.game["pile_size"])
        return drawing_order(self._round.game)[drawn:]

    @property
    def top(self) -> str:
        return self.discards[-1]

    @property
    def suit(self) -> str:
        return self.wish or self.top[-1]

    @property
    def wish(self) -> str | None:
        return None if self.game["wish"] == NONE else SUITS[self.game["wish"]]

    @property
    def drawn(self) -> str | None:
        return None if self.game["drawn"] == NONE else names([self.game["drawn"]])[0]

    @property
    def phase(self) -> str:
        return PHASES[self.game["phase"]]

    @property
    def mau_said(self) -> bool:
        return bool(self.game["mau_said"])

    @property
    def seat(self) -> int:
        return int(self.game["seat"])

    @property
    def owed(self) -> int:
        return int(self.game["owed"])

    @property
    def direction(self) -> int:
        return int(self.game["direction"])

    @property
    def turns(self) -> int:
        return int(self.game["turns"])

    @property
    def end(self) -> str | None:
        return None if self.game["end"] == RUNNING else END_NAMES[self.game["end"]]

    @property
    def ranking(self) -> list[int] | None:
        return None if self.end is None else ranking(self.game)
