"""Game records: what the referee plays we replay, what we record the referee replays, and how deals are set up."""

import json
import random

import numpy as np
import pytest
from referee import PRESETS, Referee

from maumau_env.game import batch
from maumau_env.game.actions import action_number, actions_in, nth_action
from maumau_env.game.cards import card_number, set_of
from maumau_env.game.record import Record, Recorder, RecordError, set_up
from maumau_env.game.record_check import replay
from maumau_env.game.record_file import read_records
from maumau_env.game.rules import Rules
from maumau_env.game.state import EMPTIED, RUNNING, STUCK, copied

CLASSIC = PRESETS["classic"]


def refereed_round(rules: dict, players: int, seed: int) -> dict:
    """A random round as the referee plays it, written down as a record."""
    rng = random.Random(seed)
    game = Referee.deal(rules, players, rng, starter=seed % players)
    record = {
        "format": "maumau-record",
        "version": 1,
        "rules": rules,
        "players": ["random"] * players,
        "seed": seed,
        "starter": game.seat,
        "deal": {"hands": [list(hand) for hand in game.hands], "discard": list(game.discards), "pile": list(game.pile)},
        "moves": [],
        "legal": [],
    }
    while game.end is None:
        legal = game.legal()
        cards = [action for action in legal if action not in ("draw", "pass")]
        action = rng.choice(cards if cards and rng.random() < 0.6 else legal)
        record["moves"].append([game.seat, action])
        record["legal"].append(legal)
        game.play(action)
    return record | {"reshuffles": game.reshuffled, "end": game.end, "hands": game.hands, "ranking": game.ranking}


REFEREED = {
    "classic, 2 players": (CLASSIC, 2),
    "classic, 5 players": (CLASSIC, 5),
    "match, 3 players": (PRESETS["match"], 3),
    "match, 5 players": (PRESETS["match"], 5),
    "aces skip": (CLASSIC | {"ace": "skip"}, 3),
    "aces again, both decks' cards": (CLASSIC | {"ace": "again", "deck": 104, "hand_size": 9}, 4),
    "draw, then play": (CLASSIC | {"draw_then_play": True}, 2),
    "no Jack on a Jack, no win with one": (CLASSIC | {"jack_on_jack": False, "win_with_jack": False}, 2),
    "Mau must be called": (CLASSIC | {"mau": "call", "hand_size": 3}, 4),
    "a last seven draws": (CLASSIC | {"final_seven_draws": True, "hand_size": 2}, 3),
    "too long": (CLASSIC | {"max_turns": 9}, 2),
    "almost all cards in hand": (CLASSIC | {"hand_size": 15, "must_play": False}, 2),
}


@pytest.mark.parametrize(("rules", "players"), REFEREED.values(), ids=REFEREED)
def test_rounds_of_the_referee_are_replayed_exactly(tmp_path, rules, players):
    rounds = [refereed_round(rules, players, seed) for seed in range(4)]
    file = tmp_path / "games.jsonl"
    file.write_text("".join(json.dumps(written) + "\n" for written in rounds))
    for written, record in zip(rounds, read_records(file), strict=True):
        positions = replay(record)
        assert len(positions) == len(written["moves"]) + 1
        assert positions["seat"][:-1].tolist() == [seat for seat, _ in written["moves"]]
        assert positions["shuffles"][-1] == len(written["reshuffles"])
        assert (positions["end"][:-1] == RUNNING).all()
        for seat, hand in enumerate(written["hands"]):
            assert tuple(positions["hands"][-1, seat]) == set_of([card_number(card) for card in hand])


def recorded_round(rules: Rules, players: int, seed: int, legal: bool = False) -> Record:
    """A random round as the core plays it."""
    rng, game = random.Random(seed), batch.deal(rules, players, seed, 1)
    recorder = Recorder(game[0], [f"bot {seat}" for seat in range(players)])
    while game["end"][0] == RUNNING:
        recorder.note(rng.choice(actions_in(batch.legal(game)[0])))
        batch.step(game, np.array(recorder.actions[-1:]))
    return recorder.record(legal)


def round_with_a_new_pile(rules: Rules, players: int) -> Record:
    return next(record for seed in range(99) if (record := recorded_round(rules, players, seed)).reshuffles)


@pytest.mark.parametrize("preset", PRESETS)
def test_our_records_are_replayed_by_the_referee(preset):
    record = round_with_a_new_pile(Rules.of(preset), 3)
    deal = record.deal
    referee = Referee(record.rules, deal.hands, deal.discard, deal.pile, record.starter, record.reshuffles)
    for seat, action in record.moves:
        assert referee.seat == seat
        referee.play(action)
    assert (referee.end, referee.ranking, referee.reshuffled) == (record.end, record.ranking, record.reshuffles)
    assert [sorted(hand) for hand in referee.hands] == [sorted(hand) for hand in record.hands]


def test_the_pile_is_recorded_in_the_order_in_which_it_is_drawn():
    """In the game itself, whose pile is drawn at random: every draw takes the next cards of the recorded pile."""
    record = recorded_round(Rules(), 2, 11)
    game = batch.deal(Rules(), 2, 11, 1)
    pile = [card_number(card) for card in record.deal.pile]
    assert len(pile) == 32 - 10 - 1
    for seat, action in record.moves:
        before = int(game["hands"][0, seat, 0])
        batch.step(game, np.array([action_number(action)]))
        if action == "draw" and not game["shuffles"][0]:
            taken = int(game["hands"][0, seat, 0]) & ~before
            assert taken.bit_count() >= 1
            assert taken == set_of(pile[: taken.bit_count()])[0]
            del pile[: taken.bit_count()]
    assert len(pile) < 15


# A deal by hand


def test_a_game_is_set_up_from_an_explicit_deal():
    games = set_up(Rules(), [["7H", "QC"], ["AS"]], ["KD", "9S"], ["10D", "8C"], starter=1)
    game = games[0]
    assert games.shape == (1,)
    assert (game["seat"], game["end"], game["pile_size"], game["discards_size"]) == (1, RUNNING, 2, 2)
    assert game["discards"][:2].tolist() == [card_number("KD"), card_number("9S")]
    batch.step(games, np.array([action_number("AS")]))
    assert game["end"] == EMPTIED


def test_the_next_card_of_the_pile_comes_first():
    game = set_up(Rules.of(play_drawn=False), [["7H"], ["AS"]], ["QC"], ["10D", "8D"])
    batch.step(game, np.array([action_number("draw")]))
    assert tuple(game["hands"][0, 0]) == set_of([card_number("7H"), card_number("10D")])


def test_a_double_deck_holds_a_card_twice_in_one_hand():
    game = set_up(Rules.of(deck=104), [["7H", "7H"], ["AS"]], ["QC"], [])
    assert tuple(game["hands"][0, 0]) == set_of([card_number("7H")] * 2)


def test_a_deal_can_be_stuck_from_the_start():
    assert set_up(Rules(), [["7H"], ["8D"]], ["9S"], [])["end"][0] == STUCK


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pile": ["7H"]}, "7H is dealt 2x: a deck of 32 has it 1x"),
        ({"pile": ["2C"]}, "2C is dealt 1x: a deck of 32 has it 0x"),
        ({"pile": ["1C"]}, "no card is called '1C'"),
        ({"discard": []}, "no card is turned up"),
        ({"hands": [["7H"], []]}, "seat 1 is dealt no card"),
        ({"hands": [["7H"]]}, "1 players: a table seats 2 to 5"),
        ({"starter": 2}, "seat 2 cannot start: seats are 0 to 1"),
    ],
)
def test_an_impossible_deal_is_refused(change, message):
    deal = {"hands": [["7H"], ["8D"]], "discard": ["9S"], "pile": [], "starter": 0}
    with pytest.raises(ValueError, match=message):
        set_up(Rules(), **deal | change)


def test_three_of_a_card_are_too_many_for_the_double_deck():
    with pytest.raises(ValueError, match="7H is dealt 3x: a deck of 104 has it 2x"):
        set_up(Rules.of(deck=104), [["7H", "7H"], ["8D"]], ["7H"], [])


# The recorder


def test_a_round_so_far_can_be_recorded_and_replayed():
    game = batch.deal(Rules(), 2, 0, 1)
    recorder = Recorder(game[0], ["a", "b"])
    recorder.note(nth_action(batch.legal(game)[0], 0))
    record = recorder.record()
    assert (record.end, len(record.moves)) == ("running", 1)
    assert len(replay(record)) == 2
    record.end = "emptied"
    with pytest.raises(RecordError, match="the round still goes on after its 1 moves"):
        replay(record)


def test_the_recorder_refuses_what_cannot_have_been_played():
    game = batch.deal(Rules(), 2, 0, 1)
    with pytest.raises(ValueError, match="3 names for 2 seats"):
        Recorder(game[0], ["a", "b", "c"])
    recorder = Recorder(game[0], ["a", "b"])
    recorder.note(0)
    with pytest.raises(ValueError, match=r"seat 0: action 0 \(2C\) is illegal"):
        recorder.record()
    over = set_up(Rules(), [["7H"], ["8D"]], ["9H"], [])
    recorder = Recorder(over[0], ["a", "b"])
    for action in ("7H", "draw"):
        recorder.note(action_number(action))
    with pytest.raises(ValueError, match="the round is over"):
        recorder.record()


def test_the_recorder_refuses_a_game_that_was_played_on():
    game = set_up(Rules(), [["7H"], ["8D"]], ["9S"], ["10D"])
    batch.step(game, np.array([action_number("draw")]))
    with pytest.raises(ValueError, match="right after the deal"):
        Recorder(game[0], ["a", "b"])


def test_a_position_of_a_replay_can_be_played_on_in_another_way():
    """The recorded new piles then no longer fit; the cards must still be exactly the deck."""
    record = round_with_a_new_pile(Rules.of(must_play=False), 2)
    positions = replay(record)
    before = np.flatnonzero(np.diff(positions["shuffles"]))[0] - 3
    games = copied(positions[before : before + 1])
    for _ in range(200):
        batch.step(games, np.array([actions_in(batch.legal(games)[0])[-1]]))
        if games["end"][0] != RUNNING:
            break
    game = games[0]
    cards = game["pile"][: game["pile_size"]].tolist() + game["discards"][: game["discards_size"]].tolist()
    for first, second in game["hands"].tolist():
        cards += [card for card in range(52) for heap in (first, second) if heap >> card & 1]
    assert sorted(cards) == list(range(20, 52))
    assert game["shuffles"] > positions["shuffles"][before]
