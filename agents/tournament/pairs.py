"""Who finished ahead of whom: the cross-table of a tournament, deal by deal."""

from itertools import permutations

import numpy as np


def cross_table(unit: np.ndarray, bots: np.ndarray, ranks: np.ndarray, field: int) -> tuple[np.ndarray, np.ndarray]:
    """How often bot i finished ahead of bot j (equal ranks count half), and how often they met, in every unit.

    `unit` int (games,) counts from 0, as `units_of` makes it; `bots` int (games, players) are the numbers, below
    `field`, of who sat where; `ranks` int (games, players) count from 1, equal ones shared. Both answers are float64
    (units, field, field). Two seats of one game with the same bot are no meeting.
    """
    shape = int(unit.max()) + 1, field, field
    ahead, met = np.zeros(np.prod(shape)), np.zeros(np.prod(shape))
    for one, other in permutations(range(bots.shape[1]), 2):
        different = bots[:, one] != bots[:, other]
        place = np.ravel_multi_index((unit, bots[:, one], bots[:, other]), shape)[different]
        score = (1 + np.sign(ranks[:, other] - ranks[:, one]))[different] / 2
        ahead += np.bincount(place, score, len(ahead))
        met += np.bincount(place, minlength=len(met))
    return ahead.reshape(shape), met.reshape(shape)
