"""The core against the referee: random rounds of all tables, compared at every decision.

The core plays a round and records it; the record, played again, gives the core's positions, and the referee plays the
same moves on the same deal and new piles. So the record and its replay are tested along the way.
"""

import random
from collections import Counter
from functools import lru_cache

import numpy as np
import pytest
from coretable import PHASES
from hypothesis import given, settings
from hypothesis import strategies as st
from referee import PRESETS, Referee, full_deck

from maumau_env.game import batch
from maumau_env.game.actions import actions_in, legal_names
from maumau_env.game.cards import NAMES, NUM_CARDS, SUITS, cards_in
from maumau_env.game.record import Recorder, set_up
from maumau_env.game.record_check import replay
from maumau_env.game.result import ranking
from maumau_env.game.rules import Rules
from maumau_env.game.state import END_NAMES, FACE, NONE, RUNNING, copied

OTHER_VALUES = {
    "deck": [104, 16, 12, 8, 6],
    "hand_size": [1, 2, 3, 6],
    "cover_special_start": [True],
    "must_play": [False],
    "play_drawn": [False],
    "ace": ["skip", "again"],
    "draw_then_play": [True],
    "jack_on_jack": [False],
    "win_with_jack": [False],
    "nine_skips_with_two": [False],
    "mau": ["call"],
    "final_seven_draws": [True],
    "max_turns": [1, 2, 7, 30],
}
"""What each option of `classic` can be changed to, the mildest first, for hypothesis to shrink to."""

DRAW, PASS = 64, 65

# How both sides are written down, to be compared


legal_texts = lru_cache(maxsize=None)(legal_names)


@lru_cache(maxsize=100_000)
def hand_texts(first: int, second: int) -> list[str]:
    return sorted(NAMES[card] for card in cards_in(first, second))


def as_referee_sees(referee: Referee) -> dict:
    seen = {
        "legal": referee.legal(),
        "seat": referee.seat,
        "hands": [sorted(hand) for hand in referee.hands],
        "discards": referee.discards,
        "pile": referee.pile,
        "direction": referee.direction,
        "turns": referee.turns,
        "phase": referee.phase,
        "drawn": referee.drawn,
        "mau said": referee.mau_said,
        "end": referee.end,
        "ranking": referee.ranking,
    }
    # The effect of the last card is void (C13): once the round is over, neither says anything.
    return seen if referee.end else seen | {"owed": referee.owed, "wish": referee.wish}


def as_core_sees(game: np.void, legal: int) -> dict:
    running = game["end"] == RUNNING
    seen = {
        "legal": legal_texts(legal),
        "seat": game["seat"],
        "hands": [hand_texts(*sets) for sets in game["hands"][: game["num_players"]].tolist()],
        "discards": [NAMES[card] for card in game["discards"][: game["discards_size"]].tolist()],
        "pile": [NAMES[card] for card in game["pile"][: game["pile_size"]][::-1].tolist()],
        "direction": game["direction"],
        "turns": game["turns"],
        "phase": PHASES[game["phase"]],
        "drawn": None if game["drawn"] == NONE else NAMES[game["drawn"]],
        "mau said": game["mau_said"],
        "end": None if running else END_NAMES[game["end"]],
        "ranking": None if running else ranking(game),
    }
    wish = None if game["wish"] == NONE else SUITS[game["wish"]]
    return seen | {"owed": game["owed"], "wish": wish} if running else seen


def card_counts(games: np.ndarray) -> np.ndarray:
    """How often each game holds each card in hands, pile and discards together: shape (n, 52)."""
    bits = games["hands"].reshape(len(games), -1, 1) >> np.arange(NUM_CARDS, dtype=np.uint64)
    counts = (bits & np.uint64(1)).sum(1).astype(int)
    for heap, size in (("pile", "pile_size"), ("discards", "discards_size")):
        there = np.arange(games[heap].shape[1]) < games[size][:, None]
        rows, places = np.nonzero(there)
        np.add.at(counts, (rows, games[heap][rows, places] & FACE), 1)
    return counts


# One round


def play_round(dealt: np.ndarray, rng: random.Random, eagerness: float = 0.7):
    """Random moves to the end, a card more often than a draw or a pass: the recorder and the last position."""
    game = copied(dealt)
    recorder = Recorder(dealt[0], [f"player {seat}" for seat in range(dealt["num_players"][0])])
    while game["end"][0] == RUNNING:
        legal = actions_in(batch.legal(game)[0])
        cards = [action for action in legal if action not in (DRAW, PASS)]
        recorder.note(rng.choice(cards if cards and rng.random() < eagerness else legal))
        batch.step(game, np.array([recorder.actions[-1]]))
    return recorder, game


def check_agreement(dealt: np.ndarray, rng: random.Random):
    """Play one round on the core and compare everything at every decision; gives its record."""
    recorder, last = play_round(dealt, rng)
    record = recorder.record(legal=True)
    positions = replay(record)
    for field in ("hands", "discards_size", "pile_size", "seat", "turns", "end", "shown", "seats"):
        assert (positions[-1:][field] == last[field]).all(), f"the replay ends with another {field}"
    assert (card_counts(positions) == card_counts(dealt)).all()
    referee = Referee(
        record.rules, record.deal.hands, record.deal.discard, record.deal.pile, record.starter, record.reshuffles
    )
    legal = batch.legal(positions).tolist()
    for index, position in enumerate(positions):
        assert as_core_sees(position, legal[index]) == as_referee_sees(referee), (
            f"{dict(record.rules)}, after {record.moves[:index]} from {record.deal}"
        )
        if referee.end is None:
            referee.play(record.moves[index][1])
    assert referee.reshuffled == record.reshuffles
    return record


def check_rounds(rules: dict, players: int, rounds: int, seed: int) -> Counter:
    """Rounds of one table; gives how they ended and how often the discards were shuffled."""
    rng, seen = random.Random(seed), Counter()
    for dealt in batch.deal(Rules.from_dict(rules), players, seed, rounds):
        record = check_agreement(dealt.reshape(1), rng)
        seen += Counter({record.end: 1, "new piles": len(record.reshuffles)})
    return seen


# All tables


@pytest.mark.parametrize("part", range(3))
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("preset", ["classic", "match"])
def test_presets(preset, players, part):
    rounds = {"classic": 60, "match": 12}[preset]
    seen = check_rounds(PRESETS[preset], players, rounds, seed=100 * players + part)
    assert seen["emptied"] > rounds / 2
    assert seen["new piles"] > 0


@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize(
    ("option", "value"), [(option, value) for option, values in OTHER_VALUES.items() for value in values]
)
def test_every_option_alone(option, value, players):
    check_rounds(fitting(PRESETS["classic"] | {option: value}, players), players, 5 if option == "deck" else 20, seed=7)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("deck", [6, 8, 12, 16, 32, 104])
def test_as_many_cards_in_hand_as_the_deck_allows(deck, players):
    rules = {"deck": deck, "hand_size": (deck - 1) // players, "max_turns": 150}
    check_rounds(PRESETS["classic"] | rules, players, 6, seed=3)
    check_rounds(PRESETS["match"] | rules, players, 6, seed=4)


def random_rules(rng: random.Random, players: int) -> dict:
    """Each option but the deck is changed half of the time; small decks have hands that they are enough for."""
    rules = {name: rng.choice([PRESETS["classic"][name], rng.choice(values)]) for name, values in OTHER_VALUES.items()}
    rules |= {"deck": rng.choice([32, 32, 104, 6, 8, 12, 16]), "max_turns": rng.choice([3, 40, 200])}
    return fitting(rules, players)


def fitting(rules: dict, players: int) -> dict:
    """The same rules with hands no larger than the deck is enough for (C1)."""
    return rules | {"hand_size": min(rules["hand_size"], (rules["deck"] - 1) // players)}


@pytest.mark.parametrize("seed", range(12))
def test_mixtures_of_options(seed):
    rng = random.Random(seed)
    for _ in range(80):
        players = rng.randint(2, 5)
        dealt = batch.deal(Rules.from_dict(random_rules(rng, players)), players, rng.getrandbits(64), 1)
        check_agreement(dealt, rng)


def partial_deal(rules: dict, players: int, cards: int, rng: random.Random) -> np.ndarray:
    """A deal with so many cards of the deck only: hands of one to three cards, one turned up, the rest is the pile."""
    heap = rng.sample(full_deck(rules["deck"]), min(cards, rules["deck"]))
    hands = [[heap.pop()] for _ in range(players)]
    discard = [heap.pop()]
    for hand in hands:
        for _ in range(min(rng.randrange(3), len(heap))):
            hand.append(heap.pop())
    starter = rng.randrange(players)
    return set_up(Rules.from_dict(rules), hands, discard, heap, starter, seed=rng.getrandbits(64))


@pytest.mark.parametrize("seed", range(6))
def test_partial_decks_and_all_ends(seed):
    rng, ends = random.Random(seed), Counter()
    for _ in range(220):
        players = rng.randint(2, 5)
        rules = random_rules(rng, players)
        dealt = partial_deal(rules, players, rng.randint(players + 1, players + 9), rng)
        ends[check_agreement(dealt, rng).end] += 1
    assert min(ends["emptied"], ends["stuck"], ends["too long"]) >= 5


def test_a_round_that_gets_stuck_in_its_last_turn_is_stuck():
    """C17 comes before C18: the draw that leaves nothing to draw is part of that turn."""
    rules = PRESETS["classic"] | {"max_turns": 1}
    dealt = set_up(Rules.from_dict(rules), [["7C"], ["8C"]], ["9S"], ["10H"])
    assert check_agreement(dealt, random.Random(0)).end == "stuck"


# Any table, and the simplest that disagrees

table_rules = st.fixed_dictionaries(
    {name: st.sampled_from([PRESETS["classic"][name], *values]) for name, values in OTHER_VALUES.items()}
)
bounded = settings(max_examples=150, deadline=None, derandomize=True, database=None)


@bounded
@given(rules=table_rules, players=st.integers(2, 5), seed=st.integers(0, 2**64 - 1), moves=st.integers(0, 2**32))
def test_any_table(rules, players, seed, moves):
    rules = fitting(rules, players) | {"max_turns": min(rules["max_turns"], 150)}
    check_agreement(batch.deal(Rules.from_dict(rules), players, seed, 1), random.Random(moves))


@bounded
@given(rules=table_rules, players=st.integers(2, 5), more=st.integers(1, 12), seed=st.integers(0, 2**32))
def test_any_table_with_few_cards(rules, players, more, seed):
    rng = random.Random(seed)
    check_agreement(partial_deal(fitting(rules, players), players, players + more, rng), rng)
