"""Tips on drawing, on what to do with the card drawn, and on saying Mau (C5, C6, C15)."""

from agents.champion import Table
from maumau_env.game.cards import JACK
from maumau_env.game.state import DRAWN
from strategy.folk.sources import PALACE_LAST, RULES, TABLE
from strategy.reading import CARDS, DRAWS, JACK_PLAYS, MAUS, PASSES, SUIT_CARDS, hand, legal
from strategy.tip import Tip


def may_hold_back(table: Table) -> bool:
    """C5: who can play may draw instead."""
    return not table.rules.must_play


DRAW_TIPS = (
    Tip(
        "play-what-you-draw",
        "Play the card just drawn if it fits.",
        TABLE,
        applies=lambda views: (views["phase"] == DRAWN) & (views["drawn"] >> 2 != JACK),
        obeys=lambda views: CARDS,
        rules=lambda table: table.rules.play_drawn,
        needs="a drawn card may be played at once (play_drawn=yes)",
    ),
    Tip(
        "keep-a-drawn-jack",
        "Keep a Jack that you have just drawn for later.",
        RULES,
        applies=lambda views: (views["phase"] == DRAWN) & (views["drawn"] >> 2 == JACK),
        obeys=lambda views: PASSES,
        rules=lambda table: table.rules.play_drawn,
        needs="a drawn card may be played at once (play_drawn=yes)",
    ),
    Tip(
        "play-while-you-can",
        "Never draw when you can play.",
        TABLE,
        applies=lambda views: (views["owed"] == 0) & (hand(views) > 1),
        obeys=lambda views: CARDS,
        rules=may_hold_back,
        needs="one may draw instead of playing (must_play=no)",
    ),
    Tip(
        "draw-rather-than-play-a-jack",
        "Draw of your own will when only a Jack fits.",
        TABLE,
        applies=lambda views: (views["owed"] == 0) & (hand(views) > 1) & ~(legal(views) & SUIT_CARDS).any(axis=1),
        obeys=lambda views: DRAWS,
        among=lambda views: DRAWS | JACK_PLAYS,
        rules=may_hold_back,
        needs="one may draw instead of playing (must_play=no)",
    ),
    Tip(
        "say-mau",
        "Say Mau before you play your last card but one.",
        PALACE_LAST,
        applies=lambda views: hand(views) == 2,
        obeys=lambda views: MAUS,
        rules=lambda table: table.rules.mau == "call",
        needs="Mau has to be said (mau=call)",
    ),
)
