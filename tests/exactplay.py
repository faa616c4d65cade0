"""Small rounds reckoned exactly: one bot without chance plays all seats, and every draw is followed with its odds."""

from collections.abc import Iterator
from itertools import combinations
from math import comb

import numpy as np

from agents.agent import Agent
from agents.heuristic import Heuristic
from maumau_env.game import batch
from maumau_env.game.actions import actions_in
from maumau_env.game.cards import cards_in, cards_of, set_of
from maumau_env.game.result import ranking
from maumau_env.game.state import LAID, RUNNING, SCRIPTED, copied, raw
from maumau_env.seat.view import view_of
from maumau_env.seat.worlds import sample_worlds
from tools.game_tree import heaps_drawn_from, piles


class Settled(Agent):
    """The heuristic, which always takes the same one of equal actions."""

    def act(self, views, words):
        return Heuristic().act(views, np.zeros(len(words), np.uint64))


class Solver:
    """Win chances when an agent without chance plays all seats."""

    def __init__(self, agent: Agent) -> None:
        self.agent, self.known = agent, {}

    def chances(self, game: np.ndarray) -> np.ndarray:
        """Of every seat, for a GAME of shape (1,) whose pile may lie in any order."""
        if game["end"][0] != RUNNING:
            first = np.array(ranking(game[0])) == 1
            return first / first.sum()
        key = self._key(game)
        if key not in self.known:
            view = view_of(game[0], int(game["seat"][0]))
            self.known[key] = self.after(game, int(self.agent.act(view, np.zeros(1, np.uint64))[0]))
        return self.known[key]

    def after(self, game: np.ndarray, action: int) -> np.ndarray:
        """The same once an action is decided."""
        return sum(odds * self.chances(after) for odds, after in outcomes(game, action))

    @staticmethod
    def _key(game: np.ndarray) -> bytes:
        """All of a position but the order of its pile and of its discards below the top."""
        plain = copied(game)
        for name in ("rng", "order", "pile_start", "shuffles"):
            plain[name] = 0
        size, shown = int(plain["pile_size"][0]), int(plain["discards_size"][0])
        plain["pile"][0, :size].sort()
        plain["pile"][0, size:] = 0
        plain["discards"][0, : shown - 1].sort()
        plain["discards"][0, shown:] = 0
        return raw(plain).tobytes()


def outcomes(game: np.ndarray, action: int) -> Iterator[tuple[float, np.ndarray]]:
    """Every position that an action can lead to, with its odds."""
    game = copied(game)
    game["order"] = LAID
    after = copied(game)
    batch.step(after, np.array([action]))
    (heap,), (ways,) = heaps_drawn_from(game, after)
    if ways == 1:
        yield 1.0, after
        return
    is_new = after["shuffles"][0] > game["shuffles"][0]
    for pile in piles(heap, len(heap) - int(after["pile_size"][0])):
        laid = copied(game)
        laid["order"] = SCRIPTED if is_new else LAID
        start = laid["pile"].shape[1] - len(pile) if is_new else 0
        laid["pile"][0, start : start + len(pile)] = pile
        batch.step(laid, np.array([action]))
        yield 1 / ways, laid


def arrangements(view: np.ndarray) -> Iterator[np.ndarray]:
    """Every world for two that agrees with a view without evidence: GAMEs of shape (1,), equally likely."""
    seen = cards_in(*view["hand"][0].tolist()) + cards_in(*view["shown"][0].tolist())
    hidden = [card for card in cards_of(int(view["rules"]["deck"][0])) if card not in seen]
    table = sample_worlds(view, 0, 1)
    for theirs in combinations(hidden, int(view["hand_sizes"][0, 1])):
        world = copied(table)
        world["hands"][0, 1] = set_of(list(theirs))
        world["pile"][0, : int(view["pile_size"][0])] = [card for card in hidden if card not in theirs]
        yield world


def number_of_arrangements(view: np.ndarray) -> int:
    """How many `arrangements` there are."""
    theirs = int(view["hand_sizes"][0, 1])
    return comb(theirs + int(view["pile_size"][0]), theirs)


def random_positions(rules, players: int, seed: int) -> Iterator[np.ndarray]:
    """Positions with a choice on the way of random rounds, GAMEs of shape (1,), without end."""
    generator = np.random.default_rng(seed)
    while True:
        game = batch.deal(rules, players, int(generator.integers(1 << 40)), 1)
        while game["end"][0] == RUNNING:
            legal = actions_in(batch.legal(game)[0])
            if len(legal) > 1:
                yield copied(game)
            batch.step(game, np.array([generator.choice(legal)]))
