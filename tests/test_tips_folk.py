"""Every tip that we ship, at positions worked out by hand: where it speaks, and what obeys it."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import pytest
from test_agents import position

from agents.champion import Table
from maumau_env.game.actions import ACTION_NAMES
from maumau_env.game.rules import PRESETS
from maumau_env.seat.view import views
from strategy.folk_tips import TIPS
from strategy.tip_files import check_names

BY_NAME = {tip.name: tip for tip in TIPS}
JACK_OF_CLUBS = "JC:C JC:D JC:H JC:S"
TWO, THREE = "QD 8C", "QD 8C 7D"
SKIP, AGAIN = {"ace": "skip"}, {"ace": "again"}
MAY_DRAW = {"must_play": False}


class At(NamedTuple):
    """A position: the hands, and what differs from a 10H turned up and nothing played."""

    hands: list[str]
    moves: str = ""
    discard: str = "10H"
    pile: str = "7C 8S KD"
    options: Mapping = MappingProxyType({})


SPEAKS = [
    ("save-the-jack", At(["JC 9H KS", TWO]), "9H", JACK_OF_CLUBS),
    ("jack-when-pressed", At(["JC 9H KS", TWO]), JACK_OF_CLUBS, "9H"),
    ("jack-for-the-last-card", At(["JC 9H", TWO]), "9H", JACK_OF_CLUBS),
    ("jack-before-the-last-card", At(["JC 9H", TWO]), "JC:H", "9H JC:C JC:D JC:S"),
    ("no-jack-for-the-last-card", At(["JC 9H", TWO], options={"win_with_jack": False}), JACK_OF_CLUBS, "9H"),
    ("wish-your-longest-suit", At(["JC 9S KS AD", TWO]), "JC:S", "JC:C JC:D JC:H"),
    ("wish-a-suit-you-hold", At(["JC 9S AD", TWO]), "JC:D JC:S", "JC:C JC:H"),
    ("wish-the-suit-of-your-last-card", At(["JC 9S", TWO]), "JC:S", "JC:C JC:D JC:H"),
    ("wish-what-the-next-lacks", At(["KH JC 9S", TWO], "KH draw"), "JC:H", "JC:C JC:D JC:S"),
    ("wish-the-rarest-suit", At(["JC 9S KS", TWO]), "JC:S", "JC:C JC:D JC:H"),
    ("play-from-your-longest-suit", At(["9H 10S KS QS", TWO]), "10S", "9H"),
    ("empty-a-suit", At(["9H 10S KS QS", TWO]), "9H", "10S"),
    ("chain-ranks", At(["9H KH 9S", TWO]), "9H", "KH"),
    ("stay-able-to-follow", At(["9H KH 10S", TWO]), "9H KH", "10S"),
    ("lead-what-they-drew-on", At(["KH 9H KS QS", TWO], "KH draw"), "9H", "KS"),
    ("leave-their-suit", At(["KH 9H QS", "QH 8C 7D"], "KH QH"), "QS", "9H"),
    ("ordinary-cards-first", At(["9H KH", TWO]), "KH", "9H"),
    ("high-cards-early", At(["AH KH QS 10S", TWO, "9C"]), "AH", "KH 10S"),
    ("keep-one-seven", At(["7H KH", TWO]), "KH", "7H"),
    ("play-the-spare-seven", At(["7H 7S KH", TWO]), "7H", "KH"),
    ("answer-a-seven", At(["7H KH", "7S 8C 9D"], "7H"), "7S", "draw"),
    ("answer-a-long-chain", At(["7H 7D KC", "7S 8C 9D"], "7H 7S"), "7D", "draw"),
    ("seven-on-a-short-hand", At(["7H KH QS", TWO]), "7H", "KH"),
    ("count-the-sevens", At(["7H 7C KH", TWO], discard="7S 10H", pile="8S"), "7H", "KH"),
    ("no-seven-for-the-last-card", At(["7H KH", TWO]), "7H", "KH"),
    ("eight-as-a-brake", At(["8H KH QS", TWO]), "8H", "KH"),
    ("save-the-eight", At(["8H KH QS", THREE]), "KH", "8H"),
    ("eight-with-a-follower", At(["8H KH QS", TWO]), "8H", "KH"),
    ("no-eight-without-a-follower", At(["8H 10S QS", TWO]), "10S", "8H"),
    ("nine-with-two-players", At(["9H KH QS", TWO]), "9H", "KH"),
    ("nine-turns-danger-away", At(["9H KH", "QD", "8C 9C"]), "9H", "KH"),
    ("ace-as-a-brake", At(["AH KH QS", TWO], options=SKIP), "AH", "KH"),
    ("chain-the-aces", At(["AH KH QS", TWO], options=AGAIN), "AH", "KH"),
    ("no-ace-without-a-follower", At(["AH 10S QS", TWO], options=AGAIN), "10S", "AH"),
    ("play-what-you-draw", At(["9S KC", TWO], "draw", pile="QH 8S"), "QH", "pass"),
    ("keep-a-drawn-jack", At(["9S KC", TWO], "draw", pile="JC 8S"), "pass", JACK_OF_CLUBS),
    ("play-while-you-can", At(["9H 9S KC", TWO], options=MAY_DRAW), "9H", "draw"),
    ("draw-rather-than-play-a-jack", At(["JC 9S KC", TWO], options=MAY_DRAW), "draw", JACK_OF_CLUBS),
    ("say-mau", At(["9H KC", TWO], options={"mau": "call"}), "mau", "9H"),
]

SILENT = [
    ("save-the-jack", At(["9H KH", TWO])),
    ("save-the-jack", At(["JC 9S", TWO])),  # nothing but the Jack fits
    ("jack-when-pressed", At(["JC 9H KS", THREE])),
    ("jack-for-the-last-card", At(["JC 9H KH", TWO])),
    ("jack-before-the-last-card", At(["JC JD", TWO])),
    ("no-jack-for-the-last-card", At(["JC 9H KH", TWO], options={"win_with_jack": False})),
    ("wish-your-longest-suit", At(["JC JD", TWO])),
    ("wish-a-suit-you-hold", At(["JC 9C 9D 9H 9S", TWO])),
    ("wish-the-suit-of-your-last-card", At(["JC 9S KS", TWO])),
    ("wish-what-the-next-lacks", At(["JC 9S", TWO])),
    ("wish-the-rarest-suit", At(["JC", TWO])),
    ("play-from-your-longest-suit", At(["9H KH QS", TWO])),
    ("empty-a-suit", At(["9H KH 10S KS", TWO])),
    ("chain-ranks", At(["9H KH QS", TWO])),
    ("stay-able-to-follow", At(["9H KH", TWO])),
    ("lead-what-they-drew-on", At(["9H 10S", TWO])),
    ("lead-what-they-drew-on", At(["KH 9D KS QS", "9C KD", "9S 8C"], "KH KD draw", pile="7C 7S")),  # not the next one
    ("leave-their-suit", At(["9H 10S", TWO])),
    ("ordinary-cards-first", At(["KH QH", TWO])),
    ("high-cards-early", At(["KH QS", TWO, "9C"])),
    ("keep-one-seven", At(["7H 7S KH", TWO])),
    ("play-the-spare-seven", At(["7H KH", TWO])),
    ("answer-a-seven", At(["7H KH", TWO])),
    ("answer-a-long-chain", At(["7H KH", "7S 8C 9D"], "7H")),
    ("seven-on-a-short-hand", At(["7H KH QS", THREE])),
    ("count-the-sevens", At(["7H 7C KH", TWO], pile="8S")),
    ("no-seven-for-the-last-card", At(["7H KH QS", TWO])),
    ("eight-as-a-brake", At(["8H KH QS", THREE])),
    ("save-the-eight", At(["8H KH QS", TWO])),
    ("eight-with-a-follower", At(["8H 10S QS", TWO])),
    ("no-eight-without-a-follower", At(["8H KH QS", TWO])),
    ("nine-with-two-players", At(["9H 10S QS", TWO])),
    ("nine-turns-danger-away", At(["9H KH", "8C 9C", "QD"])),
    ("ace-as-a-brake", At(["AH KH QS", THREE], options=SKIP)),
    ("chain-the-aces", At(["AH 10S QS", TWO], options=AGAIN)),
    ("no-ace-without-a-follower", At(["AH KH QS", TWO], options=AGAIN)),
    ("play-what-you-draw", At(["9S KC", TWO], "draw", pile="JC 8S")),
    ("keep-a-drawn-jack", At(["9S KC", TWO], "draw", pile="QH 8S")),
    ("play-while-you-can", At(["9H 9S KC", TWO])),
    ("draw-rather-than-play-a-jack", At(["JC 9H KC", TWO], options=MAY_DRAW)),
    ("say-mau", At(["9H KC 9S", TWO], options={"mau": "call"})),
    ("save-the-jack", At(["JC 9H", TWO], options={"mau": "call"})),  # first of all Mau is to be said
]


def split_of(name: str, at: At) -> tuple[str, str]:
    """The names of the actions that obey and of those that do not, in the order of their numbers."""
    game = position(at.hands, at.discard, at.moves, at.pile, **at.options)
    return tuple(
        " ".join(ACTION_NAMES[action] for action in np.flatnonzero(part[0]))
        for part in BY_NAME[name].split(views(game))
    )


@pytest.mark.parametrize(("name", "at", "obeying", "against"), SPEAKS, ids=[case[0] for case in SPEAKS])
def test_a_tip_speaks(name, at, obeying, against):
    assert [set(part.split()) for part in split_of(name, at)] == [set(obeying.split()), set(against.split())]


@pytest.mark.parametrize(("name", "at"), SILENT, ids=[f"{case[0]}-{i}" for i, case in enumerate(SILENT)])
def test_a_tip_is_silent(name, at):
    assert split_of(name, at) == ("", "")


def test_every_tip_is_shown_speaking_and_silent():
    assert {name for name, *_ in SPEAKS} == {name for name, _ in SILENT} == set(BY_NAME)
    assert len(TIPS) >= 20
    check_names(TIPS)
    assert all(tip.sentence.endswith(".") and tip.source for tip in TIPS)


@pytest.mark.parametrize(
    ("preset", "options", "players", "match", "missing"),
    [
        ("classic", {}, 2, False, "no-jack-for-the-last-card high-cards-early nine-turns-danger-away ace-as-a-brake "
         "chain-the-aces no-ace-without-a-follower play-while-you-can draw-rather-than-play-a-jack say-mau"),
        ("classic", {"ace": "skip"}, 4, False, "no-jack-for-the-last-card eight-with-a-follower "
         "no-eight-without-a-follower nine-with-two-players chain-the-aces no-ace-without-a-follower "
         "play-while-you-can draw-rather-than-play-a-jack say-mau"),
        ("match", {"win_with_jack": False}, 2, True, "jack-for-the-last-card nine-with-two-players "
         "nine-turns-danger-away ace-as-a-brake play-what-you-draw keep-a-drawn-jack"),
    ],
)  # fmt: skip
def test_a_tip_is_for_the_rules_under_which_it_makes_sense(preset, options, players, match, missing):
    table = Table(PRESETS[preset].replace(**options), players, match)
    silent = {tip.name for tip in TIPS if not tip.makes_sense(table)}
    assert silent == set(missing.split())
    assert all(BY_NAME[name].needs for name in silent)
