"""Tips on sevens (C7)."""

from maumau_env.game.cards import RANK_SET, SEVEN
from strategy.folk.jacks import FEW
from strategy.folk.sources import CRAZY, PALACE_EYES, PALACE_LAST, RULES, TABLE
from strategy.reading import CARDS, SEVENS, hand, held, next_hand, unseen
from strategy.tip import Tip

LONG_CHAIN = 4
"""Owed cards from which on it hurts."""

SEVEN_TIPS = (
    Tip(
        "keep-one-seven",
        "A seven in hand is a shield against everyone else's sevens: do not play your only one.",
        RULES,
        applies=lambda views: (views["owed"] == 0) & (held(views, RANK_SET[SEVEN]) == 1) & (hand(views) > 1),
        obeys=lambda views: ~SEVENS,
        among=lambda views: CARDS,
    ),
    Tip(
        "play-the-spare-seven",
        "Of two sevens or more, play one and keep the other as a shield.",
        RULES,
        applies=lambda views: (views["owed"] == 0) & (held(views, RANK_SET[SEVEN]) > 1),
        obeys=lambda views: SEVENS,
        among=lambda views: CARDS,
    ),
    Tip(
        "answer-a-seven",
        "Answer a seven with a seven rather than take the cards.",
        RULES,
        applies=lambda views: views["owed"] > 0,
        obeys=lambda views: SEVENS,
    ),
    Tip(
        "answer-a-long-chain",
        "When four cards or more are owed, always answer with a seven.",
        TABLE,
        applies=lambda views: views["owed"] >= LONG_CHAIN,
        obeys=lambda views: SEVENS,
    ),
    Tip(
        "seven-on-a-short-hand",
        "Play a seven when the next player has one or two cards left.",
        CRAZY,
        applies=lambda views: (views["owed"] == 0) & (next_hand(views) <= FEW) & (hand(views) > 1),
        obeys=lambda views: SEVENS,
        among=lambda views: CARDS,
    ),
    Tip(
        "count-the-sevens",
        "Say nothing and count sevens: play yours when at most one other is still out.",
        PALACE_EYES,
        applies=lambda views: (views["owed"] == 0) & (unseen(views, RANK_SET[SEVEN]) <= 1) & (hand(views) > 1),
        obeys=lambda views: SEVENS,
        among=lambda views: CARDS,
    ),
    Tip(
        "no-seven-for-the-last-card",
        "With two cards left, do not keep a seven for the last one.",
        PALACE_LAST,
        applies=lambda views: (views["owed"] == 0) & (hand(views) == 2) & (held(views, RANK_SET[SEVEN]) == 1),
        obeys=lambda views: SEVENS,
        among=lambda views: CARDS,
    ),
)
