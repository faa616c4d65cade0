"""Every position that a round of two players can come to, found by stepping the core through all its chance.

What chance decides is the deal (C1, C2) and which cards are taken from the pile (C6, C7, C12-C15); everything else
follows from the actions. A step that takes cards is made once to see from which heap they come, and then once for each
set of them, with the pile laid so that these are on top. Their order makes no difference: a hand is a set.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from maumau_env.game import batch
from maumau_env.game.actions import actions_in
from maumau_env.game.bits import BIT
from maumau_env.game.cards import DECKS, MAX_DECK, SPECIAL_CARDS, cards_of
from maumau_env.game.jit import kernel
from maumau_env.game.record import names, set_up
from maumau_env.game.result import PLACEMENT, pay
from maumau_env.game.rules import MAX_PLAYERS, Rules
from maumau_env.game.state import GAME, LAID, RUNNING, SCRIPTED, raw
from maumau_env.seat.view import VIEW, views

CHANCE, OVER = -1, -4
"""Who decides at a node where no seat does, in OpenSpiel's numbers."""

CHUNK = 4096
"""How many positions are stepped at once."""


class TooLargeError(ValueError):
    """The game has more positions than were asked for."""


@dataclass(frozen=True)
class Tree:
    """A round as a tree; node 0 is the deal, and the children of a node follow each other.

    An infoset is what a seat knows when it has to move: all the VIEWs that it has had to decide on, and what it did. A
    *sequence* is an infoset with an action taken there; sequence 0 is the beginning, when a seat has decided nothing.
    """

    player: np.ndarray  # int64, (nodes,): seat to move, CHANCE or OVER
    first: np.ndarray  # int64, (nodes,): the first child
    children: np.ndarray  # int64, (nodes,): how many there are
    move: np.ndarray  # int64, (nodes,): the action, or the number of the chance outcome, that leads here
    chance: np.ndarray  # float64, (nodes,): probability of that outcome, 1 after an action
    infoset: np.ndarray  # int64, (nodes,): of the seat to move, else -1
    sequences: np.ndarray  # int64, (nodes, 2): what each seat has seen and done before
    payoff: np.ndarray  # float64, (nodes,): of seat 0 where the round is over, else 0
    views: np.ndarray  # VIEW, (infosets,): what the bot is shown there
    seats: np.ndarray  # int64, (infosets,): who moves
    before: np.ndarray  # int64, (infosets,): the sequence that led its seat there
    sequence: np.ndarray  # int64, (infosets,): that of its first action; those of the others follow
    actions: list[list[int]]  # of each infoset the legal actions, ascending
    num_sequences: int  # of both seats together


def build(rules: Rules, scheme: int = PLACEMENT, most: int = 2_000_000) -> Tree:
    """The tree of a round for two under these rules, paid by this reward scheme.

    With `ace=again` and `mau=call` it has no end: a player of two aces who never says Mau may draw them for ever (C15),
    all in one turn.

    Raises:
        TooLargeError: it has more than `most` nodes.
        ValueError: the deck holds cards twice.
    """
    if DECKS[rules.deck].copies > 1:
        raise ValueError(f"deck={rules.deck} holds every card twice, and a round is solved with single cards only")
    grower = Grower(scheme, most)
    deck, hand = rules.deck, rules.hand_size
    grower.check_room(comb(deck, hand) * comb(deck - hand, hand) * (deck - 2 * hand))
    games, chances = zip(*deals(rules), strict=True)
    waiting = [grower.begin(np.concatenate(games), np.array(chances))]
    while waiting:
        branch = waiting.pop()
        if len(branch.nodes) > CHUNK:
            waiting.append(branch.taken(np.arange(CHUNK, len(branch.nodes))))
            branch = branch.taken(np.arange(CHUNK))
        if len(branch.nodes) > 0:
            waiting += grower.grow(branch)
    return grower.tree()


def deals(rules: Rules) -> Iterator[tuple[np.ndarray, float]]:
    """Every deal (C1, C2), a GAME of shape (1,), and its probability."""
    deck = cards_of(rules.deck)
    hands = [
        (mine, theirs)
        for mine in combinations(deck, rules.hand_size)
        for theirs in combinations([card for card in deck if card not in mine], rules.hand_size)
    ]
    for mine, theirs in hands:
        rest = [card for card in deck if card not in (*mine, *theirs)]
        for discards, chance in openings(rules, rest, []):
            pile = [card for card in rest if card not in discards]
            game = set_up(rules, [names(mine), names(theirs)], names(discards), names(pile))
            yield game, chance / len(hands)


def openings(rules: Rules, rest: list[int], turned: list[int]) -> Iterator[tuple[list[int], float]]:
    """C2: every row of cards that may be turned up from the rest of the deck, and its probability."""
    left = [card for card in rest if card not in turned]
    if turned and not (rules.cover_special_start and left and BIT[turned[-1]] & SPECIAL_CARDS):
        yield turned, 1.0
        return
    for card in left:
        for discards, chance in openings(rules, rest, [*turned, card]):
            yield discards, chance / len(left)


@dataclass(frozen=True)
class Branch:
    """Nodes and their positions."""

    nodes: np.ndarray  # int64, (n,)
    games: np.ndarray  # GAME, (n,)
    sequences: np.ndarray  # int64, (n, 2)
    infosets: np.ndarray  # int64, (n,)

    def taken(self, which: np.ndarray) -> "Branch":
        """Some of them, or one several times: by their numbers, int64, or a mask."""
        games = games_at(self.games, which)
        return Branch(self.nodes[which], games, self.sequences[which], self.infosets[which])


class Grower:
    """A tree while it is being grown."""

    def __init__(self, scheme: int, most: int) -> None:
        self._scheme, self._most, self._size = scheme, most, 0
        self._columns: dict[str, list[np.ndarray]] = {}
        self._families: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        self._infosets: dict[tuple[int, int, bytes], int] = {}
        self._actions: list[list[int]] = []
        self._sequence: list[int] = [1]  # the last one is that of the next infoset

    def check_room(self, more: int) -> None:
        """TooLargeError unless so many nodes may be added."""
        if self._size + more > self._most:
            raise TooLargeError(
                f"the round has more than {self._most:,} positions: take a smaller deck, hand_size or max_turns"
            )

    def begin(self, dealt: np.ndarray, chances: np.ndarray) -> Branch:
        """Node 0 and the deals below it; returns those that go on."""
        root = self._add(dealt[:1], np.zeros(1, np.int64), np.ones(1), np.zeros((1, 2), np.int64), np.array([True]))
        number, nobody = len(dealt), np.zeros((len(dealt), 2), np.int64)
        below = self._add(dealt, np.arange(number), chances, nobody, np.zeros(number, bool))
        self._families.append((root.nodes, below.nodes[:1], np.array([number])))
        return below.taken(dealt["end"] == RUNNING)

    def grow(self, branch: Branch) -> list[Branch]:
        """Every action at every one of these nodes, with all that chance may make of it; returns what goes on."""
        choices = [self._actions[infoset] for infoset in branch.infosets]
        counts = np.array([len(actions) for actions in choices])
        first, actions = np.cumsum(counts) - counts, np.concatenate(choices)
        parents = branch.taken(np.repeat(np.arange(len(counts)), counts))
        before = parents.games
        before["order"] = LAID
        after = games_at(before, np.arange(len(before)))
        batch.step(after, actions)
        place = np.arange(len(actions)) - np.repeat(first, counts)
        taken = np.array(self._sequence)[parents.infosets] + place
        sequences = parents.sequences
        sequences[np.arange(len(actions)), before["seat"]] = taken
        heaps, ways = heaps_drawn_from(before, after)
        by_chance = ways > 1
        below = self._add(after, actions, np.ones(len(actions)), sequences, by_chance)
        self._families.append((branch.nodes, below.nodes[first], counts))
        branches = [below.taken((after["end"] == RUNNING) & ~by_chance)]
        if by_chance.any():
            drawn = np.flatnonzero(by_chance)
            branches.append(self._draw(below.taken(drawn), before, after, actions, drawn, heaps, ways))
        return branches

    def tree(self) -> Tree:
        """The tree as it is now."""
        first, children = np.zeros(self._size, np.int64), np.zeros(self._size, np.int64)
        for nodes, firsts, counts in self._families:
            first[nodes], children[nodes] = firsts, counts
        keys = list(self._infosets)
        columns = {name: np.concatenate(parts) for name, parts in self._columns.items()}
        return Tree(
            **columns,
            first=first,
            children=children,
            views=np.frombuffer(b"".join(seen for _, _, seen in keys), VIEW),
            seats=np.array([seat for seat, _, _ in keys], np.int64),
            before=np.array([before for _, before, _ in keys], np.int64),
            sequence=np.array(self._sequence[:-1], np.int64),
            actions=self._actions,
            num_sequences=self._sequence[-1],
        )

    def _draw(
        self,
        nodes: Branch,
        before: np.ndarray,
        after: np.ndarray,
        actions: np.ndarray,
        drawn: np.ndarray,
        heaps: list[np.ndarray],
        ways: np.ndarray,
    ) -> Branch:
        """Below these chance nodes, every set of cards that the actions `drawn` may take; returns what goes on."""
        ways = ways[drawn]
        games = games_at(before, np.repeat(drawn, ways))
        laid = (pile for i in drawn for pile in piles(heaps[i], len(heaps[i]) - int(after["pile_size"][i])))
        is_new = np.repeat((after["shuffles"] > before["shuffles"])[drawn], ways)
        games["order"] = np.where(is_new, SCRIPTED, LAID)
        for row, (pile, new) in enumerate(zip(laid, is_new, strict=True)):
            start = MAX_DECK - len(pile) if new else 0
            games["pile"][row, start : start + len(pile)] = pile
        batch.step(games, np.repeat(actions[drawn], ways))
        first = np.cumsum(ways) - ways
        outcome = np.arange(len(games)) - np.repeat(first, ways)
        sequences = np.repeat(nodes.sequences, ways, axis=0)
        below = self._add(games, outcome, 1 / np.repeat(ways, ways), sequences, np.zeros(len(games), bool))
        self._families.append((nodes.nodes, below.nodes[first], ways))
        return below.taken(games["end"] == RUNNING)

    def _add(
        self, games: np.ndarray, moves: np.ndarray, chance: np.ndarray, sequences: np.ndarray, by_chance: np.ndarray
    ) -> Branch:
        """New nodes; at those `by_chance`, chance decides, and their positions mean nothing yet."""
        self.check_room(len(games))
        nodes = np.arange(self._size, self._size + len(games))
        self._size += len(games)
        over = games["end"] != RUNNING
        player = np.where(by_chance, CHANCE, np.where(over, OVER, games["seat"].astype(np.int64)))
        infosets, payoff = np.full(len(games), -1), np.zeros((len(games), MAX_PLAYERS))
        deciding = player >= 0
        infosets[deciding] = self._seen(games_at(games, deciding), sequences[deciding])
        pay_kernel(raw(games), self._scheme, payoff)
        columns = {
            "player": player,
            "move": moves,
            "chance": chance,
            "infoset": infosets,
            "sequences": sequences,
            "payoff": np.where(player == OVER, payoff[:, 0], 0.0),
        }
        for name, column in columns.items():
            self._columns.setdefault(name, []).append(column)
        return Branch(nodes, games, sequences, infosets)

    def _seen(self, games: np.ndarray, sequences: np.ndarray) -> np.ndarray:
        """The infoset of the seat to move of each position."""
        seen = views(games)
        row_bytes = raw(seen).reshape(-1, VIEW.itemsize)
        numbers = np.empty(len(games), np.int64)
        for i, seat in enumerate(games["seat"].tolist()):
            key = seat, int(sequences[i, seat]), row_bytes[i].tobytes()
            numbers[i] = self._infosets.setdefault(key, len(self._infosets))
            if numbers[i] == len(self._actions):
                self._actions.append(actions_in(seen["legal"][i]))
                self._sequence.append(self._sequence[-1] + len(self._actions[-1]))
        return numbers


def games_at(games: np.ndarray, which: np.ndarray) -> np.ndarray:
    """Copies of some games, as `games[which]`; as bytes, since numpy takes far longer to copy field by field."""
    return raw(games).reshape(-1, GAME.itemsize)[which].reshape(-1).view(GAME)


def heaps_drawn_from(before: np.ndarray, after: np.ndarray) -> tuple[list[np.ndarray], np.ndarray]:
    """Of each step the pile from which cards were taken by chance, and how many sets of cards that may have been.

    When a new pile was made (C12) all of the old one was taken, and chance decided only what came from the new one.
    """
    is_new = after["shuffles"] > before["shuffles"]
    sizes = np.where(is_new, after["pile_start"], before["pile_size"])
    piles_there = np.where(is_new[:, None], after["pile"], before["pile"])
    ways = [comb(int(size), int(left)) for size, left in zip(sizes, after["pile_size"], strict=True)]
    return [pile[:size] for pile, size in zip(piles_there, sizes, strict=True)], np.array(ways)


def piles(heap: np.ndarray, number: int) -> Iterator[list[int]]:
    """The heap as a pile, once for every set of so many cards that may be drawn from it; the last card comes first."""
    for drawn in combinations(heap.tolist(), number):
        yield [card for card in heap.tolist() if card not in drawn] + list(drawn)


@kernel
def pay_kernel(raw_games: Any, scheme: Any, payoffs: Any) -> None:
    """Write what each seat of every round would be paid if it ended now."""
    games = raw_games.view(GAME)
    for i in range(len(games)):
        pay(games[i], (1 << games[i]["num_players"]) - 1, scheme, payoffs[i])
