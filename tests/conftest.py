"""The `table` fixture: every test of the rules runs on the referee and on the package's own game."""

import os
from collections import Counter
from collections.abc import Callable

import pytest
from corematch import CoreMatch
from coretable import CoreTable
from match_referee import MatchReferee
from referee import PRESETS, Referee, full_deck
from tabletools import cards_in

from maumau_env.game import jit

# The tests run side by side, and threads that wait for each other on busy cores stand still.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# What is printed is compared with English.
os.environ["LANGUAGE"] = "en"
# Which test of a process is the first to compile depends on the order: the announcement is no command's own output.
jit._announcement.told = True


@pytest.fixture(params=["referee", "core"])
def table(request: pytest.FixtureRequest) -> Callable:
    """A function that sets up any position; cards are given as a list or as one text, `"7H QC"`."""
    table_class = CoreTable if request.param == "core" else Referee

    def set_up(hands, discard, pile="", reshuffles=None, preset="classic", starter=0, **options):
        rules = PRESETS[preset] | options
        hands, discard, pile = [cards_in(hand) for hand in hands], cards_in(discard), cards_in(pile)
        too_many = Counter(sum(hands, discard + pile)) - Counter(full_deck(rules["deck"]))
        assert not too_many, f"the position is impossible with this deck: {list(too_many)}"
        if reshuffles is not None:
            reshuffles = [cards_in(new_pile) for new_pile in reshuffles]
        return table_class(rules, hands, discard, pile, starter=starter, reshuffles=reshuffles)

    return set_up


@pytest.fixture(params=["referee", "core"])
def match(request: pytest.FixtureRequest) -> Callable:
    """A function that opens a match, whose rounds are then laid with chosen cards."""
    match_class = CoreMatch if request.param == "core" else MatchReferee

    def open_match(players, penalty_limit=100, preset="match", **options):
        return match_class(PRESETS[preset] | options, players, penalty_limit)

    return open_match
