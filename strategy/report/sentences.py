"""What is said of a tip on its card, in plain words."""

from typing import Any

from strategy.language import Language
from strategy.verdict import DEPENDS, FALSE, HOLDS, UNCLEAR
from strategy.words import action_name, card_name, suit_name

GAMES = 100
"""Worth is told in games of so many."""


def heading(language: Language, verdict: str) -> str:
    """Over the tips with a verdict."""
    return {
        HOLDS: language.gettext("These hold"),
        DEPENDS: language.gettext("These depend on the position"),
        UNCLEAR: language.gettext("These are not settled"),
        FALSE: language.gettext("These are false"),
    }[verdict]


def meaning(language: Language, verdict: str) -> str:
    """What a verdict means."""
    return {
        HOLDS: language.gettext("Whoever follows them wins more, and that is more than luck."),
        DEPENDS: language.gettext("In some positions it is right to follow them, in others it is wrong."),
        UNCLEAR: language.gettext(
            "The difference is so small, or so rarely seen, that it may be luck. More positions may tell."
        ),
        FALSE: language.gettext("Whoever follows them wins less, and that is more than luck."),
    }[verdict]


def count(language: Language, verdict: str, n: int) -> str:
    """How many tips have a verdict."""
    forms = {
        HOLDS: lambda: language.ngettext("{n} tip holds", "{n} tips hold", n),
        DEPENDS: lambda: language.ngettext("{n} tip depends", "{n} tips depend", n),
        UNCLEAR: lambda: language.ngettext("{n} tip is unclear", "{n} tips are unclear", n),
        FALSE: lambda: language.ngettext("{n} tip is false", "{n} tips are false", n),
    }
    return forms[verdict]()


def worth(language: Language, tip: dict[str, Any]) -> str:
    """What following the tip is worth."""
    if tip["worth"] is None:
        return language.gettext("Such positions came up too rarely to say what it is worth.")
    games = language.number(abs(GAMES * tip["worth"]), 1)
    if games == language.number(0, 1):
        return language.gettext("In such positions it makes no difference that could be seen.")
    if tip["worth"] > 0:
        text = language.gettext("Whoever follows it wins {games} more games of 100 in such positions.")
    else:
        text = language.gettext("Whoever follows it wins {games} fewer games of 100 in such positions.")
    more = {
        DEPENDS: language.gettext("That is the average of two kinds of positions:"),
        UNCLEAR: language.gettext("That may be luck."),
    }
    return f"{text.format(games=games)} {more.get(tip['verdict'], '')}".rstrip()


def obedience(language: Language, tip: dict[str, Any]) -> str:
    """How often the tip applies, and whether the bot obeys it."""
    if tip["applies"] is None:
        return ""
    text = language.gettext("It has something to say at {share} of the decisions.").format(
        share=language.percent(tip["applies"], 1)
    )
    if tip["obeyed"] is None:
        return text
    rate = language.gettext("The strong player follows it in {share} of the cases; by chance it would be {chance}.")
    return f"{text} " + rate.format(
        share=language.percent(tip["obeyed"]), chance=language.percent(tip["obeyed_by_chance"])
    )


def position(language: Language, example: dict[str, Any]) -> str:
    """An example position in words, for those who cannot see it."""
    hand = ", ".join(card_name(language, card) for card in example["hand"])
    parts = [
        language.gettext("On the table: {card}.").format(card=card_name(language, example["top"])),
        _in_force(language, example),
        language.gettext("Your hand: {cards}.").format(cards=hand),
        f"{next_player(language, example)}.",
    ]
    return " ".join(filter(None, parts))


def in_force(language: Language, example: dict[str, Any]) -> str:
    """What the top card asks for beyond its face; nothing where it asks for no more."""
    if example["owed"]:
        return language.ngettext("{n} card owed", "{n} cards owed", example["owed"])
    if example["wished"]:
        return language.gettext("{suit} wished").format(suit=suit_name(language, example["suit"]))
    return ""


def _in_force(language: Language, example: dict[str, Any]) -> str:
    said = in_force(language, example)
    return said and f"{said[0].upper()}{said[1:]}."


def next_player(language: Language, example: dict[str, Any]) -> str:
    """How many cards the next player has."""
    return language.ngettext("Next player: {n} card", "Next player: {n} cards", example["next_hand"])


def captions(language: Language, example: dict[str, Any]) -> dict[str, str]:
    """What the two actions compared in the example are, and what had just been drawn."""
    drawn = example["drawn"]
    return {
        "follows": language.gettext("follows the tip: {action}").format(
            action=action_name(language, example["follows"], example["owed"])
        ),
        "instead": language.gettext("goes against it: {action}").format(
            action=action_name(language, example["instead"], example["owed"])
        ),
        "drawn": drawn
        and language.gettext("The card just drawn is the {card}.").format(card=card_name(language, drawn)),
    }
