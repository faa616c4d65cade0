"""What `heuristic` holds its features to be worth, tuned by simulation with `python -m tools.tune_heuristic`."""

import dataclasses
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


@dataclass(frozen=True)
class Weights:
    """What each feature of an action is worth; only ratios matter. *Urgency* of a seat is 1 / the cards it holds."""

    jacks: float  # Jacks kept
    shield: float  # 1 when a seven is kept, to answer one
    suits: float  # suits among the cards kept, Jacks left out
    follow: float  # 1 when a kept card, no Jack, fits on the card played
    follow_share: float  # share of the kept cards that fit on it, Jacks too
    again: float  # 1 when it gives another go and a kept card fits on it
    deny: float  # chance that the next player cannot serve it
    deny_urgent: float  # the same, times that player's urgency
    pass_on: float  # urgency of the player who moves next, if that is another one
    seven: float  # 1 for a seven
    seven_urgent: float  # urgency of the player who owes for it
    last_jacks: float  # 1 when nothing but Jacks is kept, and none of them may win (C14)
    keep: float  # 1 for keeping a drawn card that fits
    draw: float  # 1 for drawing while there is something to play
    # In a match alone:
    burden: float = 0  # card points kept, in tens
    deny_near: float = 0  # chance that the next player cannot serve it, times that player's points / the limit


DUEL = Weights(
    jacks=4.1, shield=-0.3, suits=-1.1, follow=2.9, follow_share=-0.9, again=1.7, deny=1.1, deny_urgent=2,
    pass_on=-0.7, seven=-0.7, seven_urgent=1.2, last_jacks=-6, keep=-3.6, draw=-7,
)  # fmt: skip
"""Weights for two players."""

TABLE = Weights(
    jacks=5.9, shield=0.8, suits=0.8, follow=0.9, follow_share=2.2, again=1.3, deny=2.6, deny_urgent=2,
    pass_on=-4, seven=-2, seven_urgent=2.1, last_jacks=-8, keep=-4, draw=-7,
)  # fmt: skip
"""Weights for three players and more."""

MATCH_DUEL = Weights(
    jacks=6.6, shield=-0.6, suits=0, follow=4.5, follow_share=-1.9, again=2.8, deny=0.6, deny_urgent=3.2,
    pass_on=-1.4, seven=-2.4, seven_urgent=2, last_jacks=-5.4, keep=-4.9, draw=-8.7,
    burden=-0.8, deny_near=1.5,
)  # fmt: skip
"""Weights for two players in a match."""

MATCH_TABLE = Weights(
    jacks=6.6, shield=0.6, suits=1.7, follow=1.8, follow_share=1, again=2.2, deny=2.6, deny_urgent=2.4,
    pass_on=-3.4, seven=-2.6, seven_urgent=2.5, last_jacks=-8.5, keep=-4.1, draw=-7.3,
    burden=-1.6,
)  # fmt: skip
"""Weights for three players and more in a match."""


class Sets(NamedTuple):
    """Weights for every table, in the order in which the kernel looks them up."""

    duel: Weights = DUEL
    table: Weights = TABLE
    match_duel: Weights = MATCH_DUEL
    match_table: Weights = MATCH_TABLE


TUNED = Sets()

WEIGHTS = np.dtype([(field.name, "f8") for field in dataclasses.fields(Weights)])
"""`Weights` as the record that the kernel reads."""
