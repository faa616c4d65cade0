"""What is named in words in every language: cards, actions, verdicts, tables, and what a tip depends on."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from maumau_env.game.cards import RANKS
from maumau_env.game.rules import Rules
from strategy.language import Language
from strategy.verdict import DEPENDS, FALSE, HOLDS, UNCLEAR

ORDER = (HOLDS, DEPENDS, UNCLEAR, FALSE)
"""In which verdicts are shown."""

OR, AND = "; or ", " and "
CONDITION = re.compile(
    r"no (?P<none>.+)|(?P<name>.+): (?:(?P<least>\d+) or more|(?P<most>\d+) or fewer|(?P<number>.+))"
)
"""How `strategy.tree` writes a condition on a feature."""


def verdict_word(language: Language, verdict: str) -> str:
    """A verdict."""
    return {
        HOLDS: language.gettext("holds"),
        DEPENDS: language.gettext("depends"),
        UNCLEAR: language.gettext("unclear"),
        FALSE: language.gettext("false"),
    }[verdict]


# ---- cards and actions ---------------------------------------------------------------------------------------------


def suit_name(language: Language, suit: str) -> str:
    """A suit as it is wished, by its letter."""
    return {
        "C": language.gettext("clubs"),
        "D": language.gettext("diamonds"),
        "H": language.gettext("hearts"),
        "S": language.gettext("spades"),
    }[suit]


def corner(language: Language, rank: str) -> str:
    """What is printed in the corner of a card of this rank."""
    letters = {
        "J": language.pgettext("corner of a card", "J"),
        "Q": language.pgettext("corner of a card", "Q"),
        "K": language.pgettext("corner of a card", "K"),
        "A": language.pgettext("corner of a card", "A"),
    }
    return letters.get(rank, rank)


def card_name(language: Language, card: str) -> str:
    """A card in words, such as "Jack of hearts"."""
    rank, suit = card[:-1], card[-1]
    ranks = dict(
        zip(
            RANKS,
            (
                language.pgettext("card", "two"),
                language.pgettext("card", "three"),
                language.pgettext("card", "four"),
                language.pgettext("card", "five"),
                language.pgettext("card", "six"),
                language.pgettext("card", "seven"),
                language.pgettext("card", "eight"),
                language.pgettext("card", "nine"),
                language.pgettext("card", "ten"),
                language.pgettext("card", "Jack"),
                language.pgettext("card", "Queen"),
                language.pgettext("card", "King"),
                language.pgettext("card", "ace"),
            ),
            strict=True,
        )
    )
    suits = {
        "C": language.pgettext("of a card", "clubs"),
        "D": language.pgettext("of a card", "diamonds"),
        "H": language.pgettext("of a card", "hearts"),
        "S": language.pgettext("of a card", "spades"),
    }
    return language.gettext("{rank} of {suit}").format(rank=ranks[rank], suit=suits[suit])


def action_name(language: Language, action: str, owed: int = 0) -> str:
    """An action by its text, in words, such as "Jack of hearts, wishing clubs"; with cards owed drawing takes them."""
    others = {
        "draw": language.gettext("take the cards") if owed else language.gettext("draw"),
        "pass": language.gettext("keep the card and pass"),
        "mau": language.gettext("say Mau"),
    }
    if action in others:
        return others[action]
    card, _, wish = action.partition(":")
    name = card_name(language, card)
    if not wish:
        return name
    return language.gettext("{card}, wishing {suit}").format(card=name, suit=suit_name(language, wish))


# ---- tables --------------------------------------------------------------------------------------------------------


def rules_name(language: Language, rules: Rules) -> str:
    """The preset in words, and the options that differ from it."""
    preset, *options = str(rules).split(", ")
    presets = {"classic": language.gettext("classic rules"), "match": language.gettext("match rules")}
    return ", ".join([presets[preset], *options])


def players_count(language: Language, players: int) -> str:
    """How many play."""
    return language.ngettext("{n} player", "{n} players", players)


def table_name(language: Language, result: Mapping[str, Any]) -> str:
    """The table of a result: rules, players, and how far a match goes."""
    limit = result["penalty_limit"]
    parts = [
        rules_name(language, Rules.from_dict(result["rules"])),
        players_count(language, result["players"]),
        language.ngettext("matches up to {n} point", "matches up to {n} points", limit) if limit is not None else "",
    ]
    return ", ".join(filter(None, parts))


def table_labels(language: Language, results: Sequence[Mapping[str, Any]]) -> list[str]:
    """What tells the tables of several results apart, as short as it can be."""
    players = [players_count(language, each["players"]) for each in results]
    rules = [rules_name(language, Rules.from_dict(each["rules"])) for each in results]
    with_rules = [", ".join(parts) for parts in zip(rules, players, strict=True)]
    candidates = [*([players] if len(set(rules)) == 1 else []), with_rules]
    return next(
        (labels for labels in candidates if len(set(labels)) == len(labels)),
        [table_name(language, each) for each in results],
    )


def failure(language: Language, failed: Mapping[str, str]) -> str:
    """That a tip, or the bot, failed while it was measured."""
    return language.gettext("{name} failed, and is measured as far as that.").format(name=failed["name"])


# ---- what a tip depends on -----------------------------------------------------------------------------------------


def conditions(language: Language, text: str) -> str:
    """When a tip is right or wrong, as the tree wrote it in English."""
    return language.gettext("; or ").join(
        language.gettext(" and ").join(_condition(language, part) for part in branch.split(AND))
        for branch in text.split(OR)
    )


def _condition(language: Language, text: str) -> str:
    found = CONDITION.fullmatch(text)
    if found is None:
        return text
    name = language.gettext(found["none"] or found["name"])
    if found["none"]:
        return language.gettext("no {what}").format(what=name)
    if found["least"]:
        return language.gettext("{what}: {n} or more").format(what=name, n=found["least"])
    if found["most"]:
        return language.gettext("{what}: {n} or fewer").format(what=name, n=found["most"])
    low, _, high = found["number"].partition(" to ")
    number = language.range(low, high) if high else low
    return language.gettext("{what}: {n}").format(what=name, n=number)


def rule(language: Language, sentence: str) -> str:
    """A rule of thumb as `strategy.discovery` words it in English."""
    what, when, text = sentence.removesuffix(".").partition(" when ")
    if when:
        said = language.gettext("{rule} when {conditions}.")
        return said.format(rule=language.gettext(what), conditions=conditions(language, text))
    return language.gettext("{rule}, always.").format(rule=language.gettext(what.removesuffix(", always")))


def dependence(language: Language, found: Mapping[str, Any]) -> str:
    """On what a tip depends, with what it is worth then in percentage points."""
    return language.gettext("right when {right} ({right_worth}); wrong when {wrong} ({wrong_worth}).").format(
        right=conditions(language, found["right_when"]),
        right_worth=language.signed(100 * found["right_worth"]),
        wrong=conditions(language, found["wrong_when"]),
        wrong_worth=language.signed(100 * found["wrong_worth"]),
    )
