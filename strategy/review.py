"""A played round looked back at: what each choice cost, and how much of the result was luck.

Two different questions, which are answered apart. What a choice *cost* is told by what its seat could know then, by
`chances.py`. Where the *result* came from is told by all hands, by `ledger.py`: there a good move may count as an
error, and a blunder as none, since the hidden cards were what they were.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from agents.errors import AgentError
from strategy.bot import Bot
from strategy.chances import Decision, weigh, word_for
from strategy.intervals import RISK_OF_A_FAMILY
from strategy.ledger import Accountant, Ledger
from strategy.played import Played

BLUNDER, BETTER, NO_MARK = "blunder", "better than the bot", ""
"""What a choice is marked with: it cost something, or gained something, beyond chance; or neither is sure."""


@dataclass(frozen=True)
class Review:
    """What was found."""

    game: Played
    seats: list[int]  # whose choices were looked at
    decisions: dict[int, Decision]  # by move
    ledger: Ledger
    failure: AgentError | None = None  # of the bot, which ended it early

    @property
    def moves(self) -> int:
        """How many moves were looked at."""
        return len(self.ledger.entries)

    @property
    def is_complete(self) -> bool:
        """Nothing was left out because of Ctrl-C, or because the bot failed."""
        return self.moves == len(self.game.actions)

    @cached_property
    def confidence(self) -> float:
        """How sure a single mark must be, so that with 97.5 % confidence all of them are right (Bonferroni)."""
        doubtful = sum(decision.probability(self.played(move)) < 1 for move, decision in self.decisions.items())
        return 1 - RISK_OF_A_FAMILY / max(1, doubtful)

    def played(self, move: int) -> int:
        """The action of a move."""
        return self.game.actions[move - 1]

    def choices(self, seat: int) -> dict[int, Decision]:
        """The decisions of one seat, by move."""
        return {move: decision for move, decision in self.decisions.items() if self.game.seat(move) == seat}

    def mark(self, move: int) -> str:
        """What the choice of a move is marked with."""
        cost = self.decisions[move].cost(self.played(move), self.confidence)
        if cost.low > 0:
            return BLUNDER
        return BETTER if cost.high < 0 else NO_MARK

    def better_than_the_bots(self, move: int) -> int | None:
        """An action that was not played and is better than the bot's choice, beyond chance at all moves together."""
        decision = self.decisions[move]
        action, gain = decision.best(1 - RISK_OF_A_FAMILY / len(self.decisions))
        return action if gain.low > 0 and action != self.played(move) else None


def look_back(
    game: Played, bot: Bot, seats: list[int], worlds: int, seed: int, progress: Callable[[int], object] | None = None
) -> Review:
    """Review a round. Ctrl-C, or a failure of the bot, ends it early: then it goes as far as it has come.

    Args:
        game: the round, over or running.
        bot: by whose play chances are meant.
        seats: whose choices to look at; the ledger is for all.
        worlds: for each choice, and for each position of the ledger.
        seed: of chance, 0 to 2**64 - 1.
        progress: called after each move with the number of moves done.

    Raises:
        AgentError: the bot fails before the deal is reckoned.
    """
    failure = None
    choices, decisions = set(game.real_choices(seats)), dict[int, Decision]()
    accountant = Accountant(game.before(1), bot, worlds, word_for(seed, 0))
    try:
        for move, action in enumerate(game.actions, 1):
            if move in choices:
                decisions[move] = weigh(game.view(move), bot, worlds, word_for(seed, move))
            accountant.book(game.before(move), action, game.before(move + 1))
            if progress:
                progress(move)
    except (KeyboardInterrupt, AgentError) as error:
        failure = error if isinstance(error, AgentError) else None
        booked = len(accountant.ledger.entries)
        decisions = {move: decision for move, decision in decisions.items() if move <= booked}
    return Review(game, seats, decisions, accountant.ledger, failure)
