"""Tips on which of the cards that fit to play, whatever its effect."""

from strategy.folk.sources import CRAZY, PALACE_FIRST, RULES, TABLE, VOID
from strategy.reading import (
    CARDS,
    SPECIALS,
    SUIT,
    SUIT_CARDS,
    WORTH,
    follows,
    hand,
    is_most,
    legal,
    length_of,
    next_lacks,
    next_played,
    number_of,
)
from strategy.tip import Tip

LEAD_TIPS = (
    Tip(
        "play-from-your-longest-suit",
        "Play from the suit of which you hold most cards.",
        CRAZY,
        applies=lambda views: hand(views) > 1,
        obeys=lambda views: is_most(length_of(views), legal(views) & SUIT_CARDS),
        among=lambda views: SUIT_CARDS,
    ),
    Tip(
        "empty-a-suit",
        "Get rid of the only card that you hold of a suit.",
        VOID,
        applies=lambda views: hand(views) > 1,
        obeys=lambda views: length_of(views) == 1,
        among=lambda views: SUIT_CARDS,
    ),
    Tip(
        "chain-ranks",
        "Play a card of which you hold another one of the same rank, so that you can follow any suit with it.",
        TABLE,
        applies=lambda views: hand(views) > 1,
        obeys=lambda views: number_of(views) > 1,
        among=lambda views: SUIT_CARDS,
    ),
    Tip(
        "stay-able-to-follow",
        "Play a card on which another one of your hand fits.",
        CRAZY,
        applies=lambda views: hand(views) > 1,
        obeys=follows,
        among=lambda views: CARDS,
    ),
    Tip(
        "lead-what-they-drew-on",
        "Play the suit on which the next player just had to draw.",
        RULES,
        applies=lambda views: next_lacks(views).any(axis=1) & (hand(views) > 1),
        obeys=lambda views: next_lacks(views)[:, SUIT],
        among=lambda views: SUIT_CARDS,
    ),
    Tip(
        "leave-their-suit",
        "Do not play the suit that the next player has just played: they may hold more of it.",
        TABLE,
        applies=lambda views: (next_played(views) >= 0) & (hand(views) > 1),
        obeys=lambda views: next_played(views)[:, None] != SUIT,
        among=lambda views: SUIT_CARDS,
    ),
    Tip(
        "ordinary-cards-first",
        "Play your ordinary cards first and keep the sevens, eights, nines, Jacks and aces.",
        CRAZY,
        applies=lambda views: hand(views) > 1,
        obeys=lambda views: ~SPECIALS,
        among=lambda views: CARDS,
    ),
    Tip(
        "high-cards-early",
        "When points count, get rid of your most expensive cards first.",
        PALACE_FIRST,
        applies=lambda views: hand(views) > 1,
        obeys=lambda views: is_most(WORTH[None], legal(views) & SUIT_CARDS),
        among=lambda views: SUIT_CARDS,
        rules=lambda table: table.match or table.players > 2,
        needs="the points in hand decide something: a match, or three players and more",
    ),
)
