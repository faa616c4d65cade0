"""The drawn table: every fact is there, in text and in the picture, and nothing needs a display."""

import os
import random
import subprocess
import sys
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scenes import DECK, MIDGAME, table_of

from maumau_env.render import Scene, ansi, picture


def line_of(name: str, text: str) -> str:
    return next(line for line in text.splitlines() if f" {name} " in line)


def run_python(code: str, **environment: str) -> subprocess.CompletedProcess:
    tests = Path(__file__).parent
    environment["PYTHONPATH"] = os.pathsep.join(map(str, (tests, tests.parent)))
    imports = "import sys, zlib; from maumau_env.render import *; from scenes import *; "
    return subprocess.run(
        [sys.executable, "-c", imports + code],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_text_shows_every_seat_with_its_hand(count):
    scene = table_of(count)
    text = ansi(scene)
    for name, hand in zip(scene.players, scene.hands, strict=True):
        assert all(card in line_of(name, text) for card in hand)


def test_text_writes_cards_in_letters_with_the_symbol_beside_them():
    assert "7H♥ 10S♠ JC♣" in ansi(MIDGAME)
    assert "Top 9D♦" in ansi(MIDGAME)


def test_text_keeps_a_face_down_hand_secret_but_counts_it():
    assert line_of("Bob", ansi(MIDGAME)).split() == ["Bob", "4", "(face", "down)"]


def test_text_marks_the_player_to_move():
    for seat, name in enumerate(MIDGAME.players):
        marked = [line for line in ansi(replace(MIDGAME, to_move=seat)).splitlines() if line.startswith(">")]
        assert len(marked) == 1
        assert name in marked[0]
    assert not any(line.startswith(">") for line in ansi(replace(MIDGAME, to_move=None)).splitlines())


@pytest.mark.parametrize(
    ("changes", "shown"),
    [
        ({"wish": "S"}, "wish S♠"),
        ({"owed": 6}, "owed +6"),
        ({"direction": 1}, ", clockwise"),
        ({"direction": -1}, "anticlockwise"),
        ({"pile": 3}, "stock 3"),
        ({"discards": 21}, "discards 21"),
        ({"turn": 77, "max_turns": 1000}, "Turn 77 of 1000"),
        ({"last_move": (0, "10S")}, "Ann plays 10S♠"),
        ({"last_move": (0, "JC:S")}, "Ann plays JC♣ and wishes S♠"),
        ({"last_move": (1, "draw")}, "Bob draws"),
        ({"last_move": (1, "pass")}, "Bob passes"),
        ({"last_move": (1, "mau")}, 'Bob says "Mau!"'),
        ({"calls": ("", "Mau!")}, "Mau!"),
        ({"calls": ("Mau-Mau!", "")}, "Mau-Mau!"),
    ],
)
def test_text_shows_each_fact(changes, shown):
    scene = replace(MIDGAME, last_move=None)
    other = replace(scene, turn=1, direction=-changes.get("direction", 1))
    assert shown in ansi(replace(scene, **changes))
    assert shown not in ansi(other)


def test_text_shows_the_ranking_and_how_the_round_ended():
    hands = ((), ("7H",), ("7S",), ("8C", "9C"))
    over = replace(table_of(4), hands=hands, to_move=None, ranking=(1, 2, 2, 4), end="emptied")
    text = ansi(over)
    assert [line_of(name, text).split()[0] for name in over.players] == ["1st", "2nd", "2nd", "4th"]
    assert "Ann wins: the hand is empty" in text
    assert "stuck" in ansi(replace(over, end="stuck"))
    assert "Ann and Bob share the win: too long" in ansi(replace(over, ranking=(1, 1, 3, 4), end="too long"))


def test_text_breaks_long_hands_into_lines_and_loses_no_card():
    text = ansi(replace(MIDGAME, hands=(DECK * 2, 0)))
    assert max(map(len, text.splitlines())) <= 110
    assert all(text.count(f"{card}{symbol}") == 2 for card, symbol in (("7H", "♥"), ("10S", "♠"), ("AD", "♦")))


def test_text_survives_names_that_would_break_a_line():
    assert len(ansi(replace(MIDGAME, players=("A\nB", "C\0D"))).splitlines()) == len(ansi(MIDGAME).splitlines())


def test_text_never_imports_pygame():
    done = run_python("ansi(MIDGAME); Window().close(); print('pygame' in sys.modules)")
    assert done.stdout.strip() == "False", done.stderr


def test_text_needs_no_pygame():
    done = run_python("sys.modules['pygame'] = None; print(ansi(MIDGAME))", PYTHONIOENCODING="utf-8")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_picture_is_rgb_and_not_empty(count):
    drawn = picture(table_of(count))
    assert (drawn.shape, drawn.dtype) == ((640, 960, 3), np.uint8)
    assert len(np.unique(drawn @ np.array([1 << 16, 1 << 8, 1]))) > 100  # colours
    assert drawn.flags.writeable  # a video writer may draw into its frame


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_picture_gives_each_hand_its_own_room_whatever_its_length(count):
    bare = replace(table_of(count), hands=((),) * count, to_move=None)
    blank = picture(bare)
    rooms = [(picture(replace(bare, top="AS")) != blank).any(axis=2)]
    for seat in range(count):
        hands = tuple(DECK * 3 if seat == other else () for other in range(count))
        rooms.append((picture(replace(bare, hands=hands)) != blank).any(axis=2))
    assert all(room.sum() > 500 for room in rooms)
    assert not any((one & other).any() for one, other in combinations(rooms, 2))


@pytest.mark.parametrize("count", [2, 5])
def test_picture_of_a_hand_of_twenty_shows_the_corner_of_every_card(count):
    scene = table_of(count)
    whole = picture(replace(scene, hands=(*scene.hands[:-1], DECK[:20])))
    for position in range(20):
        changed = (*DECK[:position], "AS", *DECK[position + 1 : 20])
        other = picture(replace(scene, hands=(*scene.hands[:-1], changed)))
        assert (whole != other).any(axis=2).sum() > 40


@pytest.mark.parametrize(
    "changes",
    [
        {"top": "9H"},
        {"wish": "S"},
        {"owed": 2},
        {"direction": -1},
        {"to_move": 1},
        {"to_move": None},
        {"last_move": None},
        {"last_move": (0, "9D")},
        {"last_move": (1, "draw")},
        {"last_move": (1, "pass")},
        {"pile": 15},
        {"discards": 9},
        {"turn": 13},
        {"calls": ("", "Mau!")},
        {"calls": ("", "Mau-Mau!")},
        {"ranking": (2, 1)},
        {"end": "stuck"},
        {"hands": (("7H", "10S", "JD"), 4)},
        {"hands": (("7H", "10S", "JC"), 5)},
        {"players": ("Ann", "Rob")},
    ],
    ids=str,
)
def test_picture_shows_each_fact(changes):
    differs = (picture(replace(MIDGAME, **changes)) != picture(MIDGAME)).any(axis=2)
    assert differs.sum() > 15


def test_picture_tells_every_value_of_a_fact_apart():
    wishes = [picture(replace(MIDGAME, wish=suit)) for suit in (None, *"CDHS")]
    debts = [picture(replace(MIDGAME, owed=owed)) for owed in (0, 2, 4, 16)]
    moves = [picture(replace(MIDGAME, last_move=(0, f"JC:{suit}"))) for suit in "CDHS"]
    endings = [picture(replace(MIDGAME, end=end)) for end in ("emptied", "stuck", "too long")]
    for drawn in (wishes, debts, moves, endings):
        assert all((one != other).any() for one, other in combinations(drawn, 2))


def dark(scene: Scene) -> np.ndarray:
    """Where the picture is darker than half grey: all that is left of it without colour."""
    return picture(scene) @ np.array([0.299, 0.587, 0.114]) < 128


@pytest.mark.parametrize("where", ["top", "wish"])
def test_suits_are_told_apart_without_colour(where):
    shown = {suit: dark(replace(MIDGAME, **{where: suit if where == "wish" else f"A{suit}"})) for suit in "CDHS"}
    varies = np.logical_or.reduce([one != other for one, other in combinations(shown.values(), 2)])
    rows, columns = np.nonzero(varies)
    window = np.s_[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
    for one, other in combinations(shown.values(), 2):
        inks = min(one[window].sum(), other[window].sum())
        assert (one ^ other)[window].sum() > 0.2 * inks


def test_picture_puts_the_one_open_hand_nearest_to_the_viewer():
    bob_sees = replace(table_of(3), hands=(5, ("7H",), 5), to_move=None)
    drawn, changed = picture(bob_sees), picture(replace(bob_sees, hands=(5, ("7S",), 5)))
    rows, _ = np.nonzero((drawn != changed).any(axis=2))
    assert rows.min() > 480


def test_picture_is_the_same_in_every_process():
    code = "print(zlib.crc32(picture(table_of(5)).tobytes()))"
    first, second = (run_python(code, PYTHONHASHSEED=seed) for seed in ("1", "2"))
    assert first.stdout == second.stdout != "", first.stderr
    assert first.stdout.count("\n") == 1  # pygame greets nobody


def test_picture_is_repeatable_and_leaves_global_random_state_alone():
    before = random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002
    assert (picture(MIDGAME) == picture(MIDGAME)).all()
    assert before == (random.getstate(), np.random.get_state()[1].tolist())  # noqa: NPY002


def test_picture_survives_pygame_being_shut_down_by_others():
    import pygame

    drawn = picture(MIDGAME)
    pygame.init()
    pygame.quit()
    assert (picture(replace(MIDGAME, turn=13)) != drawn).any()
    assert (picture(MIDGAME) == drawn).all()


def test_picture_survives_odd_names():
    picture(replace(MIDGAME, players=("a\nb\0c\ud800", "x" * 300), ranking=(1, 2), end="emptied"))
    picture(replace(MIDGAME, players=("", "Жанна ♥"), ranking=(1, 1), end="stuck"))


def test_picture_without_pygame_names_the_command_that_installs_it():
    for code in ("picture(MIDGAME)", "Window().show(MIDGAME, fps=1)"):
        error = run_python(f"sys.modules['pygame'] = None; {code}").stderr.splitlines()[-1]
        assert error.startswith("ImportError: pictures and windows need pygame-ce")
        assert 'pip install "maumau-env[render]"' in error


@pytest.mark.parametrize(
    "changes",
    [
        {"players": ("Ann",)},
        {"players": ("A", "B", "C", "D", "E", "F")},
        {"hands": (3,)},
        {"hands": (("7X",), 4)},
        {"hands": (("11H",), 4)},
        {"hands": (-1, 4)},
        {"to_move": 2},
        {"top": ""},
        {"wish": "X"},
        {"owed": -2},
        {"direction": 0},
        {"last_move": (2, "7H")},
        {"last_move": (0, "7H:S")},
        {"last_move": (0, "JC:")},
        {"last_move": (0, "JC:X")},
        {"last_move": (0, "fold")},
        {"calls": ("", "Uno!")},
        {"ranking": (1,)},
        {"end": "over"},
    ],
    ids=str,
)
def test_scene_names_the_field_that_cannot_be_drawn(changes):
    (field,) = changes
    with pytest.raises(ValueError, match=f"cannot draw a scene with {field} = "):
        replace(MIDGAME, **changes)


def test_the_heading_of_a_match_stands_above_the_table_and_is_drawn():
    plain, headed = table_of(2), table_of(2, heading="Round 3, limit 100, out: Cleo")
    assert ansi(headed).splitlines() == ["Round 3, limit 100, out: Cleo", *ansi(plain).splitlines()]
    assert (picture(headed) != picture(plain)).any()
