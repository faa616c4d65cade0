"""The plain road and the best response, as a user types them: stock MaskablePPO on one seat."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from agents.sb3_model import Sb3Model
from examples import plain_road
from maumau_env.game.actions import actions_in
from maumau_env.game.batch import deal
from maumau_env.game.rules import Rules
from maumau_env.seat.encode import Layout, observations
from maumau_env.seat.view import views
from tools import best_response

ROOT = Path(__file__).resolve().parents[1]
SHARE = r"(\d+\.\d+)% \((\d+\.\d+)% – (\d+\.\d+)%\)"


def road(capsys, line):
    """Win rate and interval before and after, in per cent."""
    plain_road.main(line.split())
    out = capsys.readouterr().out
    return [[float(figure) for figure in found] for found in re.findall(SHARE, out)]


def test_the_script_runs_as_a_user_types_it(tmp_path):
    save = tmp_path / "m.zip"
    line = f"examples/plain_road.py --choices 4096 --players 3 --opponents random greedy --games 30 --save {save}"
    run = subprocess.run(
        [sys.executable, *line.split()], cwd=ROOT, capture_output=True, text=True, check=False,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    first, before, after = run.stdout.splitlines()
    assert first == "classic, 3 players, against random, greedy"
    assert re.fullmatch(rf"before: {SHARE} of 30 games, even is 33.3%", before)
    assert re.fullmatch(rf"after 4,096 choices: {SHARE} of 30 games, even is 33.3%", after)
    assert save.exists()


def test_the_plain_road_learns(capsys):
    before, after = road(capsys, "--choices 40000 --games 4000")
    assert before[2] < 50
    assert after[1] > 54


def test_before_and_after_are_measured_on_the_same_deals(capsys, monkeypatch):
    monkeypatch.setattr(plain_road.MaskablePPO, "learn", lambda self, choices: None)
    before, after = road(capsys, "--games 200")
    assert before == after


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("--choice 3", "--choice: there is no such option, perhaps you meant --choices"),
        ("--choices many", "argument --choices: 'many' is no whole number, 1 or more"),
        ("--choices 0", "argument --choices: '0' is no whole number, 1 or more"),
        ("--games 0", "argument --games: '0' is no whole number, 1 or more"),
        ("--seed -1", "argument --seed: '-1' is no whole number, 0 to 4294967295"),
        ("--players 6", "6 players: a table seats 2 to 5"),
        ("--opponents randon", "no bot is called 'randon', perhaps random"),
        ("--players 4 --opponents random greedy", "2 opponents for 4 players: give 3"),
        ("--set ace=jump", "ace='jump'"),
        ("--save no/such/folder/m.zip", "there is no folder"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(capsys, line, message):
    with pytest.raises(SystemExit) as end:
        plain_road.main(line.split())
    error = capsys.readouterr().err
    assert end.value.code == 2
    assert error.startswith("plain_road.py: error: ")
    assert error.count("\n") == 1
    assert message in error


# ---- a model as an agent -------------------------------------------------------------------------------------------


class FirstLegal:
    """A model that plays the first legal action, and keeps what it was shown."""

    def predict(self, observation, action_masks, deterministic):
        self.observation = observation
        assert deterministic
        return action_masks.argmax(axis=1), None


def test_a_model_is_shown_the_observation_and_the_mask_of_every_view():
    model, seen = FirstLegal(), views(deal(Rules(), 3, 1, 50))
    actions = Sb3Model(model, Layout(32, 4)).act(seen, np.zeros(50, np.uint64))
    assert actions.tolist() == [actions_in(int(view["legal"]))[0] for view in seen]
    np.testing.assert_array_equal(model.observation, observations(seen, 4))


def test_a_model_refuses_what_it_cannot_see():
    bot = Sb3Model(FirstLegal(), Layout(32, 3))
    bot.check_table(Rules(ace="skip"), 2)
    for rules, players in ((Rules(), 4), (Rules.of("match"), 2)):
        with pytest.raises(ValueError, match="this model sees layout"):
            bot.check_table(rules, players)
    seen = views(deal(Rules(), 2, 1, 2))
    seen["legal"] = 0
    with pytest.raises(ValueError, match="without legal actions"):
        bot.act(seen, np.zeros(2, np.uint64))


# ---- best response -------------------------------------------------------------------------------------------------


def test_a_best_response_is_measured_and_written(capsys, tmp_path):
    out = tmp_path / "out.json"
    line = f"heuristic --players 3 --set ace=skip --choices 4000 --tables 64 --games 300 --seed 2 --json {out}"
    best_response.main(line.split())
    printed = capsys.readouterr()
    result = json.loads(out.read_text())
    assert (result["bot"], result["players"], result["seed"], result["sha256"]) == ("heuristic", 3, 2, None)
    assert Rules.from_dict(result["rules"]) == Rules(ace="skip")
    assert result["choices"] == 4096
    response = result["response"]
    low, high = response["win_rate_interval"]
    assert 0 < low < response["win_rate"] < high < 0.5
    assert (
        f"wins {response['win_rate']:.2%} ({low:.2%} – {high:.2%}), so at least {low:.2%}; even is 33.3%" in printed.out
    )
    assert "choices, " in printed.err
    assert "4,096 choices" in printed.out


def test_a_weak_bot_is_exploited(capsys, tmp_path):
    out = tmp_path / "out.json"
    line = f"random --choices 49152 --tables 128 --games 3000 --seed 1 --json {out}"
    best_response.main(line.split())
    assert json.loads(out.read_text())["response"]["win_rate_interval"][0] > 0.5


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "BOT"),
        ("heuristc", "no bot is called 'heuristc', perhaps heuristic"),
        ("random --choices 0", "argument --choices: '0' is no whole number, 1 or more"),
        ("random --json no/such/folder/out.json", "there is no folder"),
        ("agents/bots/match_2p.safetensors", "this bot plays with 104 cards"),
        ("random --penalty-limit 0", "'0' is no whole number, 1 or more"),
    ],
)
def test_a_mistake_of_best_response_is_one_line(capsys, monkeypatch, line, message):
    monkeypatch.chdir(ROOT)
    with pytest.raises(SystemExit) as end:
        best_response.main(line.split())
    error = capsys.readouterr().err
    assert end.value.code == 2
    assert error.startswith("best_response: error: ")
    assert error.count("\n") == 1
    assert message in error
