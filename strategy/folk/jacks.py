"""Tips on when to play a Jack, and on what to wish with it (C10)."""

from maumau_env.game.cards import JACKS
from strategy.folk.sources import CRAZY, RULES, TABLE
from strategy.reading import (
    CARDS,
    JACK_PLAYS,
    SUIT,
    SUIT_CARDS,
    hand,
    held,
    is_most,
    length_of,
    next_hand,
    next_lacks,
    suit_lengths,
    unseen_by_suit,
)
from strategy.tip import Tip

FEW = 2
"""A player with so many cards or fewer is about to go out."""

JACK_TIPS = (
    Tip(
        "save-the-jack",
        "Keep your Jacks while you can play another card.",
        RULES,
        applies=lambda views: hand(views) > 1,
        obeys=lambda views: SUIT_CARDS,
        among=lambda views: CARDS,
    ),
    Tip(
        "jack-when-pressed",
        "Save the Jack for tough moments: play it when the next player has one or two cards left.",
        RULES,
        applies=lambda views: (next_hand(views) <= FEW) & (hand(views) > 1),
        obeys=lambda views: JACK_PLAYS,
        among=lambda views: CARDS,
    ),
    Tip(
        "jack-for-the-last-card",
        "With two cards left, play the other one first and finish with the Jack, which always fits.",
        RULES,
        applies=lambda views: (hand(views) == 2) & (held(views, JACKS) == 1),
        obeys=lambda views: SUIT_CARDS,
        among=lambda views: CARDS,
        rules=lambda table: table.rules.win_with_jack,
        needs="a Jack may be the last card (win_with_jack=yes)",
    ),
    Tip(
        "jack-before-the-last-card",
        "With two cards left, play the Jack and wish the suit of your last card.",
        RULES,
        applies=lambda views: (hand(views) == 2) & (held(views, JACKS) == 1),
        obeys=lambda views: JACK_PLAYS & (length_of(views) == 1),
        among=lambda views: CARDS,
    ),
    Tip(
        "no-jack-for-the-last-card",
        "Do not be left with nothing but a Jack: you cannot win with it.",
        TABLE,
        applies=lambda views: (hand(views) == 2) & (held(views, JACKS) == 1),
        obeys=lambda views: JACK_PLAYS,
        among=lambda views: CARDS,
        rules=lambda table: not table.rules.win_with_jack,
        needs="a last Jack does not win (win_with_jack=no)",
    ),
)

WISH_TIPS = (
    Tip(
        "wish-your-longest-suit",
        "With a Jack, wish the suit of which you hold most cards.",
        CRAZY,
        applies=lambda views: suit_lengths(views).max(axis=1) > 0,
        obeys=lambda views: is_most(length_of(views), JACK_PLAYS[None]),
        among=lambda views: JACK_PLAYS,
    ),
    Tip(
        "wish-a-suit-you-hold",
        "With a Jack, wish a suit that you can follow yourself.",
        RULES,
        applies=lambda views: suit_lengths(views).max(axis=1) > 0,
        obeys=lambda views: JACK_PLAYS & (length_of(views) > 0),
        among=lambda views: JACK_PLAYS,
    ),
    Tip(
        "wish-the-suit-of-your-last-card",
        "When you are left with one card after a Jack, wish its suit.",
        RULES,
        applies=lambda views: (hand(views) == 2) & (held(views, JACKS) == 1),
        obeys=lambda views: JACK_PLAYS & (length_of(views) == 1),
        among=lambda views: JACK_PLAYS,
    ),
    Tip(
        "wish-what-the-next-lacks",
        "With a Jack, wish a suit on which the next player just had to draw.",
        RULES,
        applies=lambda views: next_lacks(views).any(axis=1) & (hand(views) > 1),
        obeys=lambda views: JACK_PLAYS & next_lacks(views)[:, SUIT],
        among=lambda views: JACK_PLAYS,
    ),
    Tip(
        "wish-the-rarest-suit",
        "Count the cards: with a Jack, wish the suit of which fewest cards are still out.",
        CRAZY,
        applies=lambda views: hand(views) > 1,
        obeys=lambda views: is_most(-unseen_by_suit(views)[:, SUIT], JACK_PLAYS[None]),
        among=lambda views: JACK_PLAYS,
    ),
)
