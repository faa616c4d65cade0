"""The observation: the table of its sections against the code that writes them, and positions worked out by hand."""

from pathlib import Path

import numpy as np
import pytest
from envtools import MIXTURES, env_at, legal_in

from maumau_env import maumau_v0
from maumau_env.game import batch
from maumau_env.game.actions import ACTION_NUMBERS, action_number
from maumau_env.game.record import set_up
from maumau_env.game.rules import Rules
from maumau_env.seat.encode import Layout, observations
from maumau_env.seat.view import view_of
from tools.document_observation import document

LAYOUTS = [(deck, seats) for deck in (6, 16, 32, 104) for seats in range(2, 6)]
RANKS = ("7", "8", "9", "10", "J", "Q", "K", "A")
CARDS = [rank + suit for rank in RANKS for suit in "CDHS"]


def sections_of(game, seat, room):
    """The observation of a seat, section by section; sections of zeros are left out."""
    layout = Layout(int(game["rules"]["deck"][0]), room)
    numbers = observations(view_of(game[0], seat), room)[0]
    return {name: numbers[where].tolist() for name, where in layout.slices().items() if numbers[where].any()}


def after(game, moves):
    for move in moves.split():
        batch.step(game, np.array([action_number(move)]))
    return game


def counts(cards):
    return [float(cards.split().count(card)) for card in CARDS]


def one(names, *hot):
    """One-hot, or as many as are named; a number after = is written there instead of 1."""
    values = dict(each.partition("=")[::2] for each in hot)
    return [float(values[name] or 1) if name in values else 0.0 for name in names]


@pytest.mark.parametrize(("deck", "seats"), LAYOUTS)
def test_sections_have_their_own_names_and_sum_to_the_size(deck, seats):
    layout = Layout(deck, seats)
    names = [section.name for section in layout.sections]
    assert len(set(names)) == len(names)
    assert sum(section.length for section in layout.sections) == layout.size
    slices = list(layout.slices().values())
    assert [piece.start for piece in slices] == [0, *(piece.stop for piece in slices[:-1])]
    assert slices[-1].stop == layout.size
    assert all(section.meaning for section in layout.sections)


@pytest.mark.parametrize("options", MIXTURES, ids=str)
def test_every_section_is_written_in_its_place(options):
    """Over whole rounds each section is used, one-hots hold at most one 1, and seats that are not there are zero."""
    env = maumau_v0.raw_env(num_players=3, observation_seats=4, **options)
    generator, rows = np.random.default_rng(1), []
    for seed in range(30):
        env.reset(seed=seed)
        while not any(env.terminations.values()):
            observation = env.last()[0]
            rows.append(observation["observation"])
            env.step(int(generator.choice(legal_in(observation["action_mask"]))))
    rows = np.array(rows)
    rules, optional = env.rules, {"match", "round", "gone", "points"}  # those are for matches
    if rules.mau == "auto":
        optional.add("mau_said")
    if not rules.play_drawn:
        optional |= {"drawn_rank", "drawn_suit"}
    for section in env.layout.sections:
        part = rows[:, env.layout.slices()[section.name]]
        absent = section.name.endswith("_3")
        assert part.any() != (absent or section.name in optional), section.name
        if section.meaning.startswith("one-hot"):
            assert set(np.unique(part)) <= {0, 1}
            assert part.sum(axis=1).max() <= 1
    for name in ("top_rank", "top_suit", "suit", "phase", "players"):
        assert (rows[:, env.layout.slices()[name]].sum(axis=1) == 1).all()


def test_a_dealt_position_by_hand():
    game = set_up(Rules(), [["7H", "JC", "QC"], ["8D", "9D"], ["KS"]], ["10H", "AH"], ["7C", "7D", "8C", "9C"])
    assert sections_of(game, 0, 4) == {
        "hand": counts("7H JC QC"),
        "shown": counts("10H AH"),
        "top_rank": one(RANKS, "A"),
        "top_suit": one("CDHS", "H"),
        "suit": one("CDHS", "H"),
        "phase": [1, 0, 0],
        "direction": [1],
        "players": [0, 1, 0, 0],
        "pile": [4 / 32],
        # hand_size 5, must_play, play_drawn, ace plain, jack_on_jack, win_with_jack, nine_skips_with_two, max_turns 500
        "rules": [5 / 8, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0.5],
        "hand_sizes": [3 / 8, 2 / 8, 1 / 8, 0],
    }


def test_a_wish_and_what_an_opponent_could_not_serve_by_hand():
    game = set_up(Rules(), [["7H", "JC", "QC"], ["8D", "9D"], ["KS"]], ["10H", "AH"], ["7C", "7D", "8C", "9C"])
    seen = sections_of(after(game, "JC:S draw"), 2, 3)
    del seen["rules"]
    assert seen == {
        "hand": counts("KS"),
        "shown": counts("10H AH JC"),
        "top_rank": one(RANKS, "J"),
        "top_suit": one("CDHS", "C"),
        "suit": one("CDHS", "S"),
        "wished": [1],
        "phase": [1, 0, 0],
        "direction": [1],
        "players": [0, 1, 0, 0],
        "pile": [3 / 32],
        "turns": [np.float32(2 / 500)],
        "hand_sizes": [1 / 8, 2 / 8, 3 / 8],  # mine, then seat 0, then seat 1 with the card it drew
        "play_1_rank_1": one(RANKS, "J"),
        "play_1_suit_1": one("CDHS", "S"),
        # Seat 1 had neither a spade nor a Jack, and took one card on it.
        "drew_on_suit_2": one("CDHS", "S=0.5"),
        "drew_on_rank_2": one(RANKS, "J=0.5"),
    }


def test_debts_and_the_order_of_plays_by_hand():
    game = set_up(
        Rules(), [["7C", "7D", "8S"], ["7H", "9S", "KD"]], ["QC"], ["8C", "8D", "8H", "9C", "9D", "9H", "10C"]
    )
    seen = sections_of(after(game, "7C 7H 7D"), 1, 2)
    assert seen["owed"] == [6 / 8]
    assert seen["play_1_rank_1"] == one(RANKS, "7")
    assert seen["play_1_suit_1"] == one("CDHS", "D")
    assert seen["play_2_rank_1"] == one(RANKS, "7")
    assert seen["play_2_suit_1"] == one("CDHS", "C")
    seen = sections_of(after(game, "draw"), 0, 2)
    assert "owed" not in seen
    assert seen["drew_on_rank_1"] == pytest.approx(one(RANKS, f"7={1 / 7}"))  # six cards ago
    assert "drew_on_suit_1" not in seen  # while cards are owed a suit says nothing


def test_c6_a_drawn_card_that_may_be_played_by_hand():
    game = set_up(Rules(), [["8S", "9S"], ["KD", "KH"]], ["QC"], ["10C", "8C"])
    seen = sections_of(after(game, "draw"), 0, 2)
    assert seen["phase"] == [0, 1, 0]
    assert seen["drawn_rank"] == one(RANKS, "10")
    assert seen["drawn_suit"] == one("CDHS", "C")
    hidden = sections_of(game, 1, 2)
    assert hidden["phase"] == [1, 0, 0]
    assert not {"drawn_rank", "drawn_suit"} & set(hidden)


def test_double_deck_ace_and_called_mau_by_hand():
    rules = Rules.of("match", hand_size=5)
    game = set_up(rules, [["AS", "AS", "2C"], ["3D"]], ["KS"], ["4C"])
    layout = Layout(104, 2)
    hand = observations(view_of(game[0], 0), 2)[0][layout.slices()["hand"]]
    assert hand[ACTION_NUMBERS["2C"]] == 1
    assert hand[-1] == 2  # both aces of spades
    assert hand.sum() == 3
    seen = sections_of(after(game, "AS mau"), 0, 2)
    assert seen["phase"] == [0, 0, 1]
    assert seen["mau_said"] == [1]
    assert seen["rules"] == [5 / 8, 1, 0, 0, 0, 0, 1, 0, 1, 1, 0, 1, 1, 1]


def test_a_narrow_observation_is_the_beginning_of_a_wide_one_seat_by_seat():
    game = batch.deal(Rules(), 2, 3, 1)
    narrow, wide = sections_of(game, 0, 2), sections_of(game, 0, 5)
    assert wide.pop("hand_sizes")[:2] == narrow.pop("hand_sizes")
    assert narrow == wide


def test_decks_and_tables_that_share_no_layout_are_refused():
    with pytest.raises(ValueError, match="3 players: no one layout with 2 seats"):
        observations(view_of(batch.deal(Rules(), 3, 1, 1)[0], 0), 2)
    both = np.concatenate([view_of(batch.deal(Rules(deck=deck), 2, 1, 1)[0], 0) for deck in (32, 104)])
    with pytest.raises(ValueError, match=r"decks \[ 32 104\]"):
        observations(both, 2)
    with pytest.raises(ValueError, match="no views"):
        observations(both[:0], 2)


# ---- the state -----------------------------------------------------------------------------------------------------


def test_the_state_by_hand():
    game = set_up(Rules(), [["7H", "JC", "QC"], ["8D", "9D"], ["KS"]], ["10H", "AH"], ["7C", "7D", "8C", "9C"])
    env = env_at(after(game, "JC:S"))
    state, layout = env.state(), env.state_layout
    assert state.shape == (layout.size,) == env.state_space.shape
    at, parts = 0, {}
    for section in layout.sections:
        parts[section.name] = state[at : at + section.length].tolist()
        at += section.length
    assert at == layout.size
    assert parts["seat"] == [0, 1, 0]
    assert parts["hand"] == counts("8D 9D")
    assert parts["hand_1"] == counts("KS")
    assert parts["hand_2"] == counts("7H QC")
    assert parts["in_pile"] == counts("7C 7D 8C 9C")
    assert (state[: env.layout.size] == env.observe("player_1")["observation"]).all()


def test_the_page_on_observations_is_the_layout_in_the_code():
    page = Path(__file__).parents[1] / "docs" / "observation.md"
    assert page.read_text(encoding="utf-8") == document(), (
        "run python -m tools.document_observation > docs/observation.md"
    )
