"""Learning from rollouts: they are what the same players make of the game, lessons tell of them, and a pupil learns."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from test_agents import position

from agents.botfile import Header, read
from agents.lessons import (
    Course,
    Games,
    Lessons,
    LessonsError,
    check_portions,
    draw_guests,
    in_doubt,
    make_lessons,
    portion,
    read_lessons,
)
from agents.playout import play_out
from agents.policy import Policy
from agents.pupil import Lecture, as_worths, centred, error_in_imitation, error_in_worths, scaled, sharpened, teach
from agents.rollouts import roll_out
from agents.tables import Tables
from maumau_env.game import batch
from maumau_env.game.actions import NUM_ACTIONS, action_number, actions_in
from maumau_env.game.result import REWARDS
from maumau_env.game.rules import PRESETS, Rules
from maumau_env.game.state import copied
from maumau_env.seat.view import views
from tools import learn_from_rollouts
from tools.learn_from_rollouts import Options, course_of, lecture_of

ROOT = Path(__file__).resolve().parents[1]
BOTS = ROOT / "agents" / "bots"
BOT = str(BOTS / "match_2p.safetensors")
COURSE = Course(Tables(Rules(), [2, 3]), 4, seed=5, games=32, lessons=300)

# ---- rollouts ------------------------------------------------------------------------------------------------------


def games_of(preset: str, players: int, number: int = 12) -> np.ndarray:
    games = batch.deal(PRESETS[preset], players, 3, number)
    batch.play_at_random(games, 15, 4)
    return games


@pytest.mark.parametrize(("preset", "players"), [("classic", 2), ("classic", 5), ("match", 3)])
@pytest.mark.parametrize("scheme", range(len(REWARDS)))
def test_a_rollout_is_how_this_very_game_goes_on(preset, players, scheme):
    games = games_of(preset, players)
    before = copied(games)
    worths, seen = roll_out(games, scheme), views(games)
    assert (games == before).all()
    for i in range(len(games)):
        actions = np.array(actions_in(int(seen["legal"][i])), np.int64)
        assert worths[i, actions] == pytest.approx(play_out(games[i : i + 1], actions, scheme=scheme)[0], abs=1e-6)
        assert not np.delete(worths[i], actions).any()


def test_the_policy_plays_its_seats_and_the_heuristic_those_of_the_guests():
    games, network = games_of("match", 2, 200), Policy.load(BOT).network
    alone = roll_out(games, network=network)
    for i in range(10):
        actions = np.array(actions_in(int(views(games[i : i + 1])["legal"][0])), np.int64)
        assert alone[i, actions] == pytest.approx(play_out(games[i : i + 1], actions, network)[0], abs=1e-6)
    guests = np.zeros((200, 5), np.uint8)
    assert (roll_out(games, network=network, guests=guests) == alone).all()
    guests[:] = 1
    heuristic = roll_out(games)
    assert (roll_out(games, network=network, guests=guests) == heuristic).all()
    guests[:, 1] = 0
    mixed = roll_out(games, network=network, guests=guests)
    assert (mixed != heuristic).any()
    assert (mixed != alone).any()


def test_the_last_card_is_worth_a_win():
    worths = roll_out(position(["KH", "QD 8C"], "10H", must_play=False))[0]
    assert worths[action_number("KH")] == 1


# ---- lessons -------------------------------------------------------------------------------------------------------


def test_lessons_are_real_choices_with_their_suits_in_standard_order():
    lessons = make_lessons(COURSE, 0)
    assert lessons.observations.shape == (300, COURSE.layout.size)
    assert (lessons.masks.sum(1) > 1).all()
    assert (lessons.worths[~lessons.masks] == 0).all()
    assert np.abs(lessons.worths).max() <= 1
    in_force = lessons.observations[:, COURSE.layout.slices()["suit"]]
    assert (in_force == [1, 0, 0, 0]).all()
    hands = lessons.observations[:, COURSE.layout.slices()["hand"]].astype(int)
    playable = lessons.masks[:, [action_number(card) for card in ("7C", "8C", "9C", "10C", "QC", "KC", "AC")]]
    held = hands.reshape(len(hands), -1, 4)[:, [0, 1, 2, 3, 5, 6, 7], 0]
    assert playable.any()
    assert (held[playable] > 0).all()


def test_equal_numbers_are_equal_lessons_and_others_are_others():
    first, again, other = (make_lessons(COURSE, number) for number in (0, 0, 1))
    assert all((one == two).all() for one, two in zip(first, again, strict=True))
    assert first.worths.tobytes() != other.worths.tobytes()


def test_the_bot_has_a_seat_in_every_game_and_guests_in_their_share():
    players = np.full(40_000, 4)
    guests = draw_guests(0.5, players, np.random.default_rng(1))[:, :4].sum(1)
    assert guests.max() == 3
    # In a quarter of the games all three others are guests; in a quarter each by the toss of a coin, but one at least.
    for number, share in enumerate([0.5, 0.25 * 4 / 8, 0.25 * 3 / 8, 0.25 + 0.25 / 8]):
        assert (guests == number).mean() == pytest.approx(share, abs=0.01)  # four standard errors
    assert not draw_guests(0, players, np.random.default_rng(1)).any()
    assert (draw_guests(1, np.full(1000, 2), np.random.default_rng(1)).sum(1) == 1).all()


def test_a_policy_is_in_doubt_where_others_have_more_than_one_in_a_hundred():
    logits = np.log([[0.985, 0.01, 0.005], [0.995, 0.005, 1e-9], [1.0, 1e-9, 1e-9]])
    assert in_doubt(np.where(logits < -20, -np.inf, logits)).tolist() == [True, False, False]


def test_lessons_of_imitation_hold_the_logits_of_the_bot():
    bot = BOTS / "classic_2p.safetensors"
    course = Course(Tables(Rules(), [2]), 2, str(bot), guests=0.5, games=32, lessons=200)
    lessons, policy = make_lessons(course, 0, Games.remembered), Policy.load(bot)
    logits = policy.network.logits(lessons.observations.astype(np.float32))
    assert lessons.worths[lessons.masks] == pytest.approx(logits[lessons.masks], rel=2e-2, abs=2e-2)  # float16
    assert not lessons.worths[~lessons.masks].any()
    assert (lessons.masks.sum(1) > 1).all()


def test_a_portion_is_made_once_and_belongs_to_its_course(tmp_path):
    course = replace(COURSE, lessons=50)
    path = portion(course, 3, tmp_path)
    made = path.stat().st_mtime_ns
    assert portion(course, 3, tmp_path) == path
    assert path.stat().st_mtime_ns == made
    assert [*tmp_path.iterdir()] == [path]
    assert (read_lessons(course, path).worths == make_lessons(course, 3).worths).all()
    with pytest.raises(LessonsError, match="lessons of another course"):
        read_lessons(replace(course, guests=0.5), path)
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(LessonsError, match="damaged one: delete it"):
        read_lessons(course, path)


def test_a_folder_of_another_course_is_refused_before_anything_is_made(tmp_path):
    portion(replace(COURSE, lessons=50), 2, tmp_path)
    check_portions(replace(COURSE, lessons=50), tmp_path)
    with pytest.raises(LessonsError, match=r"lessons-0002.npz: lessons of another course"):
        check_portions(replace(COURSE, lessons=50, seed=6), tmp_path)
    with pytest.raises(LessonsError, match="another course"):
        learn_from_rollouts.main(Options(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["lessons-0002.npz"]


def test_lessons_in_matches_and_at_mixed_tables_are_of_all_of_them():
    course = Course(
        Tables(Rules(), [2, 3, 4], {"ace": ["plain", "skip", "again"]}), 5, str(BOTS / "classic.safetensors"), 0.5,
        games=48, lessons=600,
    )  # fmt: skip
    lessons, places = make_lessons(course, 0), course.layout.slices()
    players = lessons.observations[:, places["players"]].argmax(1) + 2
    assert {*players.tolist()} == {2, 3, 4}
    assert len(np.unique(lessons.observations[:, places["rules"]], axis=0)) == 3


# ---- the pupil -----------------------------------------------------------------------------------------------------


def test_only_what_differs_between_legal_actions_counts():
    values = torch.tensor([[1.0, 2.0, 6.0, 50.0]])
    masks = torch.tensor([[True, True, True, False]])
    assert centred(values, masks).tolist() == [[-2, -1, 3, 0]]


def riddle(number: int, noise: float) -> Lessons:
    """Action 3 is worth 0.2 more than action 7 where the first number of the observation is 1, else so much less."""
    chance = np.random.default_rng(1)
    observations = chance.integers(0, 2, (number, 6)).astype(np.float16)
    masks, worths = np.zeros((number, NUM_ACTIONS), bool), np.zeros((number, NUM_ACTIONS), np.float16)
    masks[:, [3, 7]] = True
    worths[:, 3] = 0.1 * (2 * observations[:, 0] - 1) + noise * chance.normal(0, 1, number)
    worths[:, 7] = -0.1 * (2 * observations[:, 0] - 1) + noise * chance.normal(0, 1, number)
    return Lessons(observations, masks, worths)


def outputs(layers, lessons: Lessons) -> np.ndarray:
    (first, second), seen = layers, lessons.observations.astype(np.float32)
    return np.maximum(seen @ first[0] + first[1], 0) @ second[0] + second[1]


def test_a_pupil_learns_through_noise_what_is_best():
    lessons, errors = riddle(20_000, 1.0), []
    lecture, portions = Lecture([16], epochs=4, learning_rate=0.003), [lambda: lessons, lambda: lessons]
    layers = teach(portions, lecture, error_in_worths, lambda done, steps, error: errors.append(error))
    found = outputs(layers, lessons)
    assert ((found[:, 3] > found[:, 7]) == (lessons.observations[:, 0] == 1)).mean() > 0.97
    assert len(errors) == 4 * 2 * (20_000 // lecture.batch)
    again = teach(portions, lecture, error_in_worths, lambda done, steps, error: None)
    assert all((one[0] == two[0]).all() for one, two in zip(layers, again, strict=True))
    np.testing.assert_allclose(outputs(sharpened(layers), lessons), 20 * found, rtol=1e-4, atol=1e-4)


def test_a_pupil_imitates_the_probabilities_of_another_bot():
    lessons = riddle(20_000, 0.0)
    lessons = lessons._replace(worths=10 * lessons.worths)
    layers = teach([lambda: lessons], Lecture([16], 200, 0.01), error_in_imitation, lambda done, steps, error: None)
    found = outputs(layers, lessons)
    np.testing.assert_allclose(found[:, 3] - found[:, 7], lessons.worths[:, 3] - lessons.worths[:, 7], atol=0.15)


def test_a_pupil_may_begin_with_what_a_bot_knows():
    lessons = riddle(20_000, 0.0)
    knows = teach([lambda: lessons], Lecture([16], 60, 0.01), error_in_worths, lambda done, steps, error: None)
    start = as_worths(scaled(knows, 50.0), lessons)  # a policy prefers the right thing, but its logits are no worths
    np.testing.assert_allclose(outputs(start, lessons), outputs(knows, lessons), atol=0.02)
    errors = []
    teach(
        [lambda: lessons], Lecture([16], 1, 1e-6), error_in_worths, lambda done, steps, error: errors.append(error),
        start,
    )  # fmt: skip
    assert max(errors) < 0.002  # without a start 0.01, the square of 0.1


def test_errors_worked_out_by_hand():
    masks = torch.tensor([[True, True, False]])
    worths, logits = torch.tensor([[1.0, 0.0, 9.0]]), torch.tensor([[0.0, 0.0, 5.0]])
    assert error_in_worths(logits, masks, worths).item() == pytest.approx(0.25)  # 0.5 and -0.5 were expected
    same = torch.log(torch.tensor([[0.75, 0.25, 1.0]]))
    assert error_in_imitation(same, masks, same).item() == pytest.approx(0.562335)  # the entropy of 3 : 1
    assert error_in_imitation(logits, masks, same).item() == pytest.approx(0.693147)


def test_too_few_lessons_are_refused():
    few = riddle(9, 0.0)
    with pytest.raises(ValueError, match="portions of 9 lessons: a batch alone has 4,096"):
        teach([lambda: few], Lecture([4], 1, 0.001), error_in_worths, lambda done, steps, error: None)


# ---- the commands --------------------------------------------------------------------------------------------------


def run(tool: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", f"tools.{tool}", *map(str, arguments)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_the_commands_leave_bots_that_beat_chance(tmp_path):
    done = run(
        "learn_from_rollouts", tmp_path / "new", "--tables", 256, "--portions", 2, "--lessons", 30_000, "--hidden", 32,
        "--epochs", 4, "--learning-rate", 0.003, "--games", 2000,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    bot, small = tmp_path / "new" / "bot.safetensors", tmp_path / "small.safetensors"
    header, layers = read(bot)
    assert [len(biases) for _, biases in layers] == [32, NUM_ACTIONS]
    assert header.training["course"]["guests"] == 0.5
    assert_better_than_chance(header)
    done = run("distil", bot, small, "--hidden", 16, "--portions", 1, "--epochs", 3, "--games", 2000)
    assert done.returncode == 0, done.stderr
    header, layers = read(small)
    assert [len(biases) for _, biases in layers] == [16, NUM_ACTIONS]
    assert header.training["bot"]["method"] == "regression on rollouts"
    assert_better_than_chance(header)


def assert_better_than_chance(header: Header) -> None:
    assert {strength.opponent for strength in header.strength} == {"random", "heuristic"}
    assert next(each for each in header.strength if each.opponent == "random").win_rate_interval[0] > 0.5


def test_a_mistake_is_one_line(tmp_path):
    for tool, arguments, message in (
        ("learn_from_rollouts", [tmp_path / "new", "--bot", "nobody"], "nobody"),
        ("distil", ["nobody", tmp_path / "new"], "nobody"),
        ("distil", [BOT, BOT], "named twice"),
        ("distil", [BOT, tmp_path / "new", "--hidden", 5000], "each 1 to 4,096 wide"),
    ):
        failed = run(tool, *arguments)
        assert failed.returncode == 2
        assert failed.stderr.startswith(f"{tool}: error: ")
        assert failed.stderr.count("\n") == 1
        assert message in failed.stderr
        assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rules": "nothing"}, "nothing"),
        ({"players": (2, 7)}, "7"),
        ({"bot": "none.safetensors"}, "there is no such file"),
        ({"bot": BOT}, "deck of 32"),
        ({"bot": str(BOTS / "classic_4p.safetensors"), "seats": 4}, "has room for 5"),
        ({"players": ()}, "--players: one number"),
        ({"seed": -1}, "--seed -1: 0 to 4294967295"),
        ({"learning_rate": 0.0}, "--learning-rate 0.0: more than 0"),
        ({"hidden": (4096, 4096)}, "31 MiB in all"),
        ({"folder": BOTS, "bot": str(BOTS / "bot.safetensors")}, "named twice"),
        ({"portions": 0}, "--portions 0: 1 or more"),
        ({"games": 0}, "--games 0: 1 or more"),
        ({"hidden": (64, 0)}, "--hidden 64 0: up to 8 layers, each 1 to 4,096 wide"),
        ({"lessons": 4095}, "--lessons 4095: 4,096 or more"),
        ({"guests": 1.5}, "guests 1.5: a share from 0 to 1"),
        ({"players": (4,), "seats": 3}, "--seats 3: 4 or more"),
        ({"varied": ("luck",)}, "'luck' is no option that can vary"),
    ],
)
def test_what_cannot_be_learned_is_named(tmp_path, options, message):
    asked = Options(**{"folder": tmp_path, **options})
    with pytest.raises(ValueError, match=message):
        lecture_of(course_of(asked), asked)
