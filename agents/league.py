"""The league: in some games earlier selves or fixed bots sit on some of the seats.

Opponents are drawn by how often they still win. Snapshots are copies of the weights, kept in a ring: the oldest goes
when a new one comes; at a table where it sits it plays its game to the end. *Anchors* are bots that never change.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.agent import Agent
from agents.network import Layer, Network
from maumau_env.game.rules import MAX_PLAYERS
from maumau_env.seat.encode import Layout

NOBODY = -1
"""In place of a member's number: the policy itself."""

EVEN, MEMORY = 0.5, 0.98
"""A new member is taken to win half of its games; each game then counts for 2 % of the estimate."""

LEAST = 0.02
"""Nobody is drawn less often than as if he won so many games, so that it shows when he comes back."""


@dataclass
class Member:
    """An opponent: a snapshot has a network, an anchor is an agent."""

    name: str
    agent: Agent | None = None
    network: Network | None = None
    wins: float = EVEN  # share of its games in which it did better than the learner lately, 0 to 1


class League:
    """The members, and who sits where.

    Attributes:
        guests: int64, (games,): number of the member at each table, or NOBODY.
        theirs: int64, (games,): set of the seats (in a match, agents) whose decisions are not the learner's experience.

    Args:
        layout: of the observations of snapshots.
        games: tables.
        share: of the games that have a guest, 0 to 1.
        size: snapshots that are kept.
        anchors: fixed bots by name.
        one_seat: the policy learns from one seat of each game, though it plays the others, too; for comparison.
    """

    def __init__(
        self, layout: Layout, games: int, share: float, size: int, anchors: dict[str, Agent], one_seat: bool = False
    ) -> None:
        self.layout, self.share, self.size, self.one_seat = layout, share, size, one_seat
        self.members = {number: Member(name, agent) for number, (name, agent) in enumerate(anchors.items())}
        self.ring: list[int] = []  # numbers of the snapshots that are drawn, the oldest first
        self.guests, self.theirs = np.full(games, NOBODY), np.zeros(games, np.int64)
        self._paid = np.zeros((games, MAX_PLAYERS))  # what everybody was paid in the game at each table so far
        self._next = len(self.members)

    def add(self, layers: Sequence[Layer], name: str) -> None:
        """A new snapshot; the layers are copied. Snapshots that neither are drawn nor play any more are forgotten."""
        self.members[self._next] = Member(name, network=Network(layers, self.layout))
        self.ring = [*self.ring, self._next][-self.size :]
        self._next += 1
        stay = {*self._drawn(), *self.guests.tolist()}
        self.members = {number: member for number, member in self.members.items() if number in stay}

    def seat(self, games: np.ndarray, players: np.ndarray, chance: np.random.Generator) -> None:
        """Draw who sits at these tables (their numbers, and how many players each has), where games begin.

        A guest leaves one seat to the learner, or two of them with three players and more as often.
        """
        numbers = self._drawn()
        with_guest = chance.random(len(games)) < (self.share if numbers else 0)
        learners = np.where(chance.random(len(games)) < 0.5, 1, np.minimum(players - 1, 2))
        order = np.argsort(chance.random((len(games), MAX_PLAYERS)) + (np.arange(MAX_PLAYERS) >= players[:, None]), 1)
        place = np.argsort(order, 1)  # of each seat, in random order
        alone = with_guest | self.one_seat
        learning = place < np.where(with_guest, learners, 1)[:, None]
        seats = (~learning & (np.arange(MAX_PLAYERS) < players[:, None])) @ (1 << np.arange(MAX_PLAYERS))
        self.theirs[games] = np.where(alone, seats, 0)
        self.guests[games] = np.where(with_guest, self._draw(chance, len(games)), NOBODY)
        self._paid[games] = 0

    def pay(self, games: np.ndarray, rewards: np.ndarray) -> None:
        """What everybody at these tables was paid: float32, (games, 5)."""
        self._paid[games] += rewards

    def close(self, games: np.ndarray) -> None:
        """Note who did better in the games at these tables, which are over: all guests together, or the learner."""
        for game in games[self.guests[games] != NOBODY]:
            seats = self.theirs[game] >> np.arange(MAX_PLAYERS) & 1 != 0
            member = self.members[self.guests[game]]
            member.wins = MEMORY * member.wins + (1 - MEMORY) * (self._paid[game, seats].sum() > 0)

    def wins(self) -> dict[str, float]:
        """How often each anchor, and the snapshots on average, have won lately."""
        found = {member.name: member.wins for member in self.members.values() if member.agent is not None}
        if self.ring:
            found["snapshots"] = float(np.mean([self.members[number].wins for number in self.ring]))
        return found

    def state(self) -> dict[str, Any]:
        """Everything that changes, as plain data and arrays."""
        members = [
            (number, member.name, member.network and member.network.layers(), member.wins)
            for number, member in self.members.items()
        ]
        return {
            "members": members, "ring": [*self.ring], "next": self._next,
            "guests": self.guests.copy(), "theirs": self.theirs.copy(), "paid": self._paid.copy(),
        }  # fmt: skip

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a `state` of a league with the same anchors."""
        agents = {number: member.agent for number, member in self.members.items()}
        self.members = {
            number: Member(name, agents.get(number), layers and Network(layers, self.layout), wins)
            for number, name, layers, wins in state["members"]
        }
        self.ring, self._next = list(state["ring"]), state["next"]
        self.guests[:], self.theirs[:], self._paid[:] = state["guests"], state["theirs"], state["paid"]

    def _drawn(self) -> list[int]:
        """The numbers of those who can be drawn."""
        return [number for number, member in self.members.items() if member.agent is not None or number in self.ring]

    def _draw(self, chance: np.random.Generator, count: int) -> np.ndarray:
        """Numbers of so many guests: the more often a member wins, the more often it is drawn."""
        numbers = self._drawn() or [NOBODY]
        weights = np.array([max(self.members[number].wins, LEAST) if number >= 0 else 1.0 for number in numbers])
        return chance.choice(numbers, count, p=weights / weights.sum())
