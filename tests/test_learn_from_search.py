"""Learning from search: rollouts are search's own, lessons are what they say, and a pupil learns through the noise."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from test_agents import position, words

from agents.botfile import read
from agents.lessons import Course, Lessons, LessonsError, make_lessons, portion, read_lessons
from agents.playout import play_out
from agents.policy import Policy
from agents.pupil import Lecture, centred, teach
from agents.rollouts import roll_out
from agents.tables import Tables
from maumau_env.game import batch
from maumau_env.game.actions import DRAW, NUM_ACTIONS, action_number, actions_in
from maumau_env.game.result import REWARDS
from maumau_env.game.rules import PRESETS, Rules
from maumau_env.seat.view import views
from maumau_env.seat.worlds import sample_worlds
from tools.learn_from_search import Options, course_of

ROOT = Path(__file__).resolve().parents[1]
BOT = str(ROOT / "agents" / "bots" / "match_2p.safetensors")
COURSE = Course(Tables(Rules(), [2, 3]), 4, ("random", "heuristic"), 2, seed=5, games=32)

# ---- rollouts ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("preset", "players"), [("classic", 2), ("classic", 5), ("match", 3)])
def test_a_rollout_is_what_search_would_see_in_the_same_worlds(preset, players):
    games = batch.deal(PRESETS[preset], players, 3, 12)
    batch.play_at_random(games, 15, 4)
    seen, chance = views(games), words(12)
    for reward in REWARDS:
        scheme = REWARDS.index(reward)
        worths = roll_out(seen, chance, 7, scheme)
        for i in range(12):
            actions = np.array(actions_in(int(seen["legal"][i])), np.int64)
            payoffs = play_out(sample_worlds(seen[i : i + 1], int(chance[i]), 7, True), actions, scheme=scheme)
            assert worths[i, actions] == pytest.approx(payoffs.mean(0), abs=1e-6)
            assert not np.delete(worths[i], actions).any()


def test_a_trained_policy_may_play_the_rollouts():
    games = batch.deal(PRESETS["match"], 2, 3, 4)
    batch.play_at_random(games, 5, 4)
    seen, chance, policy = views(games), words(4), Policy.load(BOT)
    worths = roll_out(seen, chance, 5, network=policy.network)
    for i in range(4):
        actions = np.array(actions_in(int(seen["legal"][i])), np.int64)
        payoffs = play_out(sample_worlds(seen[i : i + 1], int(chance[i]), 5, True), actions, policy.network)
        assert worths[i, actions] == pytest.approx(payoffs.mean(0), abs=1e-6)
    assert (worths != roll_out(seen, chance, 5)).any()


def test_the_last_card_is_worth_a_win():
    game = position(["KH", "QD 8C"], "10H", must_play=False)
    worths = roll_out(views(game), words(1), 20)[0]
    assert worths[action_number("KH")] == 1
    assert worths[DRAW] < 1


# ---- lessons -------------------------------------------------------------------------------------------------------


def test_lessons_are_real_choices_with_their_suits_in_standard_order():
    lessons = make_lessons(COURSE, 0, rounds=3)
    assert lessons.observations.shape == (len(lessons.masks), COURSE.layout.size)
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
    first, again, other = (make_lessons(COURSE, number, rounds=2) for number in (0, 0, 1))
    assert all((one == two).all() for one, two in zip(first, again, strict=True))
    assert first.worths.tobytes() != other.worths.tobytes()


def test_a_portion_is_made_once_and_belongs_to_its_course(tmp_path):
    course = replace(COURSE, games=4)
    path = portion(course, 3, tmp_path)
    made = path.stat().st_mtime_ns
    assert portion(course, 3, tmp_path) == path
    assert path.stat().st_mtime_ns == made
    assert [*tmp_path.iterdir()] == [path]
    assert (read_lessons(course, path).worths == make_lessons(course, 3).worths).all()
    with pytest.raises(LessonsError, match="lessons of another course"):
        read_lessons(replace(course, worlds=3), path)
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(LessonsError, match="damaged one: delete it"):
        read_lessons(course, path)


# ---- the pupil -----------------------------------------------------------------------------------------------------


def test_only_what_differs_between_legal_actions_counts():
    values = torch.tensor([[1.0, 2.0, 6.0, 50.0]])
    masks = torch.tensor([[True, True, True, False]])
    assert centred(values, masks).tolist() == [[-2, -1, 3, 0]]


def test_a_pupil_learns_through_noise_what_is_best():
    """Action 3 is worth 0.2 more than action 7 where the first number of the observation is 1, else so much less."""
    chance = np.random.default_rng(1)
    observations = chance.integers(0, 2, (40_000, 6)).astype(np.float16)
    masks = np.zeros((len(observations), NUM_ACTIONS), bool)
    masks[:, [3, 7]] = True
    worths = np.zeros(masks.shape, np.float16)
    worths[:, 3] = 0.1 * (2 * observations[:, 0] - 1) + chance.normal(0, 1, len(masks))
    worths[:, 7] = -0.1 * (2 * observations[:, 0] - 1) + chance.normal(0, 1, len(masks))
    errors = []
    lecture = Lecture([16], epochs=4, learning_rate=0.003)
    layers = teach(Lessons(observations, masks, worths), lecture, lambda done, steps, error: errors.append(error))
    (first, second), seen = layers, observations.astype(np.float32)
    logits = np.maximum(seen @ first[0] + first[1], 0) @ second[0] + second[1]
    assert ((logits[:, 3] > logits[:, 7]) == (observations[:, 0] == 1)).mean() > 0.97
    assert len(errors) == 4 * (40_000 // lecture.batch)
    again = teach(Lessons(observations, masks, worths), lecture, lambda done, steps, error: None)
    assert all((one[0] == two[0]).all() for one, two in zip(layers, again, strict=True))


def test_too_few_lessons_are_refused():
    few = Lessons(np.zeros((9, 6), np.float16), np.ones((9, NUM_ACTIONS), bool), np.zeros((9, NUM_ACTIONS), np.float16))
    with pytest.raises(ValueError, match="9 lessons: there have to be as many as a batch has, 4,096"):
        teach(few, Lecture([4], 1, 0.001), lambda done, steps, error: None)


# ---- the command ---------------------------------------------------------------------------------------------------


def learn(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tools.learn_from_search", *map(str, arguments)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_the_command_leaves_a_bot_that_beats_chance(tmp_path):
    done = learn(
        tmp_path / "new", "--tables", 256, "--worlds", 4, "--portions", 1, "--bots", "heuristic", "--hidden", 32,
        "--epochs", 4, "--learning-rate", 0.003, "--games", 2000,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    header, layers = read(tmp_path / "new" / "bot.safetensors")
    assert [len(biases) for _, biases in layers] == [32, NUM_ACTIONS]
    assert header.training["course"]["worlds"] == 4
    assert {strength.opponent for strength in header.strength} == {"random", "heuristic"}
    assert next(each for each in header.strength if each.opponent == "random").win_rate_interval[0] > 0.5


def test_a_mistake_is_one_line(tmp_path):
    failed = learn(tmp_path / "new", "--bots", "nobody")
    assert failed.returncode == 1
    assert failed.stderr.startswith("learn_from_search: error: ")
    assert failed.stderr.count("\n") == 1
    assert "nobody" in failed.stderr
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rules": "nothing"}, "nothing"),
        ({"players": (2, 7)}, "7"),
        ({"playouts": "none.safetensors"}, "there is no such file"),
        ({"playouts": BOT}, "deck of 32"),
        ({"worlds": 0}, "--worlds 0: 1 or more"),
        ({"players": (4,), "seats": 3}, "--seats 3: 4 or more"),
        ({"varied": ("luck",)}, "'luck' is no option that can vary"),
    ],
)
def test_what_cannot_be_learned_is_named(tmp_path, options, message):
    with pytest.raises(ValueError, match=message):
        course_of(Options(tmp_path, **options))
