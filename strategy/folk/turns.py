"""Tips on the cards that change whose turn it is: eights, nines and aces (C8, C9, C11)."""

from agents.champion import Table
from strategy.folk.jacks import FEW
from strategy.folk.sources import CRAZY, PALACE_EYES, TABLE
from strategy.reading import ACES, CARDS, EIGHTS, NINES, follows, hand, next_hand, previous_hand
from strategy.tip import Tip


def for_two(table: Table) -> bool:
    """A skip gives the same player another turn."""
    return table.players == 2


def nine_for_two(table: Table) -> bool:
    """C9: a 9 does, too."""
    return table.players == 2 and table.rules.nine_skips_with_two


TURN_TIPS = (
    Tip(
        "eight-as-a-brake",
        "Play an eight when the next player has one or two cards left.",
        PALACE_EYES,
        applies=lambda views: (next_hand(views) <= FEW) & (hand(views) > 1),
        obeys=lambda views: EIGHTS,
        among=lambda views: CARDS,
    ),
    Tip(
        "save-the-eight",
        "Keep your eights as a brake while the next player has three cards or more.",
        CRAZY,
        applies=lambda views: (next_hand(views) > FEW) & (hand(views) > 1),
        obeys=lambda views: ~EIGHTS,
        among=lambda views: CARDS,
    ),
    Tip(
        "eight-with-a-follower",
        "With two players, play an eight on which you can play another card at once.",
        PALACE_EYES,
        applies=lambda views: hand(views) > 1,
        obeys=lambda views: EIGHTS & follows(views),
        among=lambda views: CARDS,
        rules=for_two,
        needs="two players",
    ),
    Tip(
        "no-eight-without-a-follower",
        "With two players, do not play an eight on which nothing of your hand fits: you would have to draw.",
        PALACE_EYES,
        applies=lambda views: (hand(views) > 1) & ~(EIGHTS & follows(views)).any(axis=1),
        obeys=lambda views: ~EIGHTS,
        among=lambda views: CARDS,
        rules=for_two,
        needs="two players",
    ),
    Tip(
        "nine-with-two-players",
        "With two players, play a nine on which you can play another card at once.",
        TABLE,
        applies=lambda views: hand(views) > 1,
        obeys=lambda views: NINES & follows(views),
        among=lambda views: CARDS,
        rules=nine_for_two,
        needs="two players and nine_skips_with_two=yes",
    ),
    Tip(
        "nine-turns-danger-away",
        "Play a nine when the next player has fewer cards than the one before you.",
        TABLE,
        applies=lambda views: (next_hand(views) < previous_hand(views)) & (hand(views) > 1),
        obeys=lambda views: NINES,
        among=lambda views: CARDS,
        rules=lambda table: table.players > 2,
        needs="three players or more",
    ),
    Tip(
        "ace-as-a-brake",
        "Play an ace, which skips, when the next player has one or two cards left.",
        CRAZY,
        applies=lambda views: (next_hand(views) <= FEW) & (hand(views) > 1),
        obeys=lambda views: ACES,
        among=lambda views: CARDS,
        rules=lambda table: table.rules.ace == "skip",
        needs="aces skip (ace=skip)",
    ),
    Tip(
        "chain-the-aces",
        "Play an ace on which another card of your hand fits: you get rid of two at once.",
        TABLE,
        applies=lambda views: hand(views) > 1,
        obeys=lambda views: ACES & follows(views),
        among=lambda views: CARDS,
        rules=lambda table: table.rules.ace == "again",
        needs="after an ace one plays again (ace=again)",
    ),
    Tip(
        "no-ace-without-a-follower",
        "Do not play an ace on which nothing of your hand fits: you would have to draw.",
        TABLE,
        applies=lambda views: (hand(views) > 1) & ~(ACES & follows(views)).any(axis=1),
        obeys=lambda views: ~ACES,
        among=lambda views: CARDS,
        rules=lambda table: table.rules.ace == "again",
        needs="after an ace one plays again (ace=again)",
    ),
)
