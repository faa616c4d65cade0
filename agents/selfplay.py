"""Experience from all seats: one policy plays every seat of many games, a decision in each game a tick.

Decisions with one legal action are played inside the core and never come up here, but for the first of a round; that
one is seen and does not count. Observations, masks and actions have their suits in standard order, see `suits.py`.

With a league some games have guests: opponents out of its pool, drawn when the game begins, sit on some of the seats to
its end. What they decide does not count either.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from agents.league import League
from agents.network import draw
from agents.suits import standardise, suits_of
from agents.tables import Tables
from maumau_env.game.actions import NUM_ACTIONS
from maumau_env.game.bits import scramble, scrambled
from maumau_env.game.jit import kernel
from maumau_env.game.result import PLACEMENT
from maumau_env.game.rules import MAX_PLAYERS
from maumau_env.game.state import GAME, RUNNING, raw, taken
from maumau_env.seat.batch import Buffers, observe, step
from maumau_env.seat.encode import Layout
from maumau_env.seat.view import views

CHANCE_OF_SEATS, CHANCE_OF_GUESTS = 2, 3
"""Keep who sits where apart from what the guests decide, and both from the rules of the tables."""


class SelfPlay:
    """Games that go on for ever, and the arrays of one rollout of them: time first, then games.

    Attributes:
        observations: float32, (ticks + 1, games, layout.size): what the seats to move saw; the last row is what they
            see at the end, and the next rollout begins with it.
        masks: int8, (ticks + 1, games, NUM_ACTIONS): their legal actions.
        movers: int64, (ticks + 1, games): who they were; in a match, the numbers of their agents.
        actions: int64, (ticks, games): what they did.
        log_probs: float32, (ticks, games): the logarithm of the probability with which they did it.
        counted: bool, (ticks, games): whether it is experience: a choice, and the policy's own.
        rewards: float32, (ticks, games, 5): what everybody was paid after that decision.
        ends: int8, (ticks, games): how the round ended after it, RUNNING if it went on.
        finished: uint8, (ticks, games): set of those whose round, or match, was over by it, a bit for each.

    Args:
        tables: which tables there are.
        games: how many at once.
        ticks: decisions in each of them in a rollout.
        seed: of the cards and of the policy's chance.
        scheme: number of a reward scheme, see `game/result.py`.
        league: makes the league for the layout and the number of games; None: nobody but the policy plays.
        seats: seats that the observation has room for; None for as many as the players.
        blind: names of sections of the observation that are blotted out, for comparison.
        skip_forced: play decisions with one legal action inside the core; if not, they are experience, for comparison.
    """

    def __init__(
        self,
        tables: Tables,
        games: int,
        ticks: int,
        seed: int,
        scheme: int = PLACEMENT,
        league: Callable[[Layout, int], League] | None = None,
        seats: int | None = None,
        blind: Sequence[str] = (),
        skip_forced: bool = True,
    ) -> None:
        self.tables, self.scheme, self.seed, self.num_envs, self.ticks = tables, scheme, seed, games, ticks
        self.skip_forced = skip_forced
        self.layout = Layout(tables.rules.deck, seats or max(tables.players))
        self.league = league(self.layout, games) if league else None
        self._suits = suits_of(self.layout)
        self.blotted = self.layout.places(blind)
        self.observations = np.zeros((ticks + 1, games, self.layout.size), np.float32)
        self.masks = np.zeros((ticks + 1, games, NUM_ACTIONS), np.int8)
        self.movers = np.zeros((ticks + 1, games), np.int64)
        self.actions = np.zeros((ticks, games), np.int64)
        self.log_probs = np.zeros((ticks, games), np.float32)
        self.counted = np.zeros((ticks, games), np.bool_)
        self.rewards = np.zeros((ticks, games, MAX_PLAYERS), np.float32)
        self.ends = np.zeros((ticks, games), np.int8)
        self.finished = np.zeros((ticks, games), np.uint8)
        self.reset()

    def reset(self) -> np.ndarray:
        """Deal all games anew; what their first seats see, shape (games, layout.size)."""
        self._games = self.tables.open(self.seed, self.num_envs)
        self._tick = 0
        if self.league:
            self.league.seat(np.arange(self.num_envs), self._games["num_players"], self._chance(CHANCE_OF_SEATS))
        observe(self._games, self.layout.seats, self._outcome(self.ticks - 1))
        self._standardise(self.ticks)
        return self.observations[-1]

    def collect(self, logits: Callable[[int], np.ndarray]) -> None:
        """Play one rollout into the arrays.

        Args:
            logits: the policy's logits, float32, shape (games, NUM_ACTIONS), for the observations of a tick.
        """
        for array in (self.observations, self.masks, self.movers):
            array[0] = array[-1]
        for tick in range(self.ticks):
            word = np.uint64(scrambled(self.seed ^ scrambled(self._tick)))
            choose_kernel(
                logits(tick), self.masks[tick], word, self.actions[tick], self.log_probs[tick], self.counted[tick]
            )
            if not self.skip_forced:
                self.counted[tick] = True
            if self.league:
                self._let_guests_move(self.league, tick)
            actions = self._suits.actions[self._orders, self.actions[tick]]
            step(self._games, actions, self.layout.seats, self._outcome(tick), self.scheme, self.skip_forced)
            self._standardise(tick + 1)
            self._tick += 1
            if self.league:
                self._seat_guests(self.league, tick)

    def rounds(self) -> int:
        """How many rounds ended in this rollout."""
        return int(np.count_nonzero(self.ends != RUNNING))

    def state(self) -> dict[str, Any]:
        """All that the next rollout depends on, but for the policy: plain data and arrays."""
        return {
            "games": raw(self._games).copy(),
            "tick": self._tick,
            "league": self.league.state() if self.league else None,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a `state`, bit for bit."""
        self._games, self._tick = state["games"].copy().view(GAME), state["tick"]
        if self.league:
            self.league.restore(state["league"])
        observe(self._games, self.layout.seats, self._outcome(self.ticks - 1))
        self._standardise(self.ticks)

    def _let_guests_move(self, league: League, tick: int) -> None:
        """The decisions of guests, in place of the policy's; and none of them counts."""
        theirs = league.theirs >> self.movers[tick] & 1 != 0
        self.counted[tick, theirs] = False
        rows = np.flatnonzero(theirs & (league.guests >= 0))
        words = self._chance(CHANCE_OF_GUESTS).integers(0, 2**64, len(rows), np.uint64)
        for number in np.unique(league.guests[rows]):
            mine = league.guests[rows] == number
            here, member = rows[mine], league.members[number]
            if member.agent is not None:
                meant = member.agent.act(views(taken(self._games, here)), words[mine])
                self.actions[tick, here] = self._suits.standard[self._orders[here], meant]
            elif member.network is not None:
                seen, legal = self.observations[tick, here], self.masks[tick, here]
                self.actions[tick, here] = member.network.draw(seen, legal, words[mine])

    def _seat_guests(self, league: League, tick: int) -> None:
        """Note who won the games that are over, and draw the guests of those that begin."""
        ended = np.flatnonzero(self.ends[tick] != RUNNING)
        over = ended[self._games["match"]["round"][ended] <= 1]  # in a match the next round is another number
        league.pay(ended, self.rewards[tick, ended])
        league.close(over)
        league.seat(over, self._games["num_players"][over], self._chance(CHANCE_OF_SEATS))

    def _chance(self, purpose: int) -> np.random.Generator:
        """The league's chance in this tick, for one purpose."""
        return np.random.default_rng((self.seed, self._tick, purpose))

    def _standardise(self, tick: int) -> None:
        self._orders = standardise(self.observations[tick], self.masks[tick], self._suits)
        if len(self.blotted):
            self.observations[tick][:, self.blotted] = 0

    def _outcome(self, tick: int) -> Buffers:
        """Where the core writes what the decisions of a tick led to."""
        return Buffers(
            self.observations[tick + 1], self.masks[tick + 1], self.movers[tick + 1], self.rewards[tick],
            self.ends[tick], self.finished[tick],
        )  # fmt: skip


@kernel
def choose_kernel(logits: Any, masks: Any, word: Any, actions: Any, log_probs: Any, counted: Any) -> None:
    """Draw an action for each row by the softmax of its legal logits; the word is the chance of the whole tick."""
    for i in range(len(logits)):
        action, log_prob, choices = draw(logits[i], masks[i], scramble(word + np.uint64(i)))
        actions[i], log_probs[i], counted[i] = action, log_prob, choices > 1
