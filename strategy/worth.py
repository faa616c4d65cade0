"""What obeying a tip is worth in the same positions.

Compared are two actions at each position at which the tip applies: the one that the bot likes best among those that
obey the tip, and the one that it likes best among those that do not. Both are carried out in the same worlds, which
agree with what the seat has seen (`maumau_env/seat/worlds.py`), and the bot plays all seats to the end, with the same
chance after both. The unit is the position: the mean difference over its worlds.
"""

from dataclasses import dataclass

import numpy as np

from agents.outcome import outcomes
from agents.search import TRUSTING
from maumau_env.game.bits import scrambled
from maumau_env.game.state import GAME, raw
from maumau_env.seat.worlds import sample_worlds
from strategy.intervals import Interval, mean_of
from strategy.mind import Mind
from strategy.skew import chance_apart, mean_difference
from strategy.tip import Split


@dataclass(frozen=True)
class Worth:
    """Mean differences, obeying less not obeying, with 95 % intervals."""

    positions: int
    win: float  # share of the wins, -1 to 1
    win_interval: Interval
    placement: float  # places won: what obeying brings nearer to the first
    placement_interval: Interval
    p_value: float  # that the difference in wins is none, two-sided; below 0.05 where the interval leaves 0 out


def best_of_both(judged: np.ndarray, split: Split) -> np.ndarray:
    """The best action that obeys and the best that does not, by judgements, (n, NUM_ACTIONS): int64, (n, 2)."""
    return np.stack([np.where(part, judged, -np.inf).argmax(axis=1) for part in split], axis=1)


def differences(
    views: np.ndarray, pairs: np.ndarray, words: np.ndarray, worlds: int, mind: Mind
) -> tuple[np.ndarray, np.ndarray]:
    """The first action of each pair less the second, in worlds that agree with the view.

    Args:
        views: VIEWs, shape (n,).
        pairs: legal actions of each, int64, shape (n, 2).
        words: uint64, shape (n,): the chance of each position's worlds.
        worlds: how many for each position.
        mind: plays on.

    Returns:
        Difference in the share of the win, float64, shape (n, worlds), and in places won, of the same shape.
    """
    sampled = [
        raw(sample_worlds(views[i : i + 1], scrambled(int(words[i])), worlds, TRUSTING)) for i in range(len(views))
    ]
    games = np.concatenate(sampled).view(GAME)
    games["seed"] = games["rng"]  # later rounds of a match, which are dealt by it, differ between worlds
    wins, places = outcomes(games, np.repeat(pairs, worlds, axis=0), mind.network)
    shape = len(views), worlds
    return (wins[:, 0] - wins[:, 1]).reshape(shape), (places[:, 1] - places[:, 0]).reshape(shape)


def summary(wins: np.ndarray, places: np.ndarray) -> Worth:
    """The figures of positions by their mean differences, float64, (n,) each, n at least 2."""
    win, placement = mean_difference(wins), mean_of(places)
    return Worth(len(wins), win.value, win.interval, placement.value, placement.interval, chance_apart(wins))
