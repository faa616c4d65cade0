"""Tournaments made up with known truth, for the tests of their statistics."""

from itertools import permutations

import numpy as np


def seated(
    rng: np.random.Generator, deals: int, field: int, players: int, line_ups: int = 1
) -> tuple[np.ndarray, np.ndarray]:
    """Deal (games,) and bots (games, players): line-ups drawn for every deal, each in every order of sitting."""
    orders = np.array(list(permutations(range(players))))
    line_up = np.array([rng.permutation(field)[:players] for _ in range(deals * line_ups)])
    return np.repeat(np.arange(deals), line_ups * len(orders)), line_up[:, orders].reshape(-1, players)


def plackett_luce(rng: np.random.Generator, strength: np.ndarray, deal: np.ndarray, bots: np.ndarray) -> np.ndarray:
    """Ranks (games, players) by the Plackett-Luce model: of strength plus a Gumbel variable the largest is first.

    Four times in five the variable is that of the deal, the seat and the bot, so games of one deal are alike.
    """
    players = bots.shape[1]
    shared = rng.gumbel(size=(deal.max() + 1, players, len(strength)))[deal[:, None], np.arange(players), bots]
    chance = np.where(rng.random(bots.shape) < 0.8, shared, rng.gumbel(size=bots.shape))
    return placed(strength[bots] + chance)


def placed(performance: np.ndarray) -> np.ndarray:
    """Ranks from 1, the best first, equal performances sharing the better: 1, 2, 2, 4."""
    return 1 + (performance[:, None, :] > performance[:, :, None]).sum(axis=2)
