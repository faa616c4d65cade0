"""The command `train.py`: what it refuses, what it leaves behind, and that a run can be repeated to the last byte."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import train
from agents.botfile import read
from agents.config import KEYS, read_arguments, read_config
from agents.learner import SelfPlayPPO
from maumau_env.game.record_check import replay
from maumau_env.game.record_file import read_records
from maumau_env.game.rules import Rules

ROOT = Path(__file__).resolve().parents[1]
QUICK = str(ROOT / "configs" / "quick.yaml")


def run(*arguments, runs):
    """Exit code and folder of a run in this process."""
    before = set(runs.iterdir()) if runs.exists() else set()
    code = train.main(["--config", QUICK, "--runs", str(runs), *arguments])
    (folder,) = set(runs.iterdir()) - before
    return code, folder


# ---- mistakes ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ("--sed 7", "--sed: there is no such key, perhaps you meant seed"),
        ("--players 6", "6 players: a table seats 2 to 5"),
        ("--players many", "players.0='many': Input should be a valid integer"),
        ("--choices", "--choices: a value is missing"),
        ("--epochs 2 3", "--epochs: one value, not 2: 2 3"),
        ("--gamma 1.5", "gamma='1.5': Input should be less than or equal to 1"),
        ("--actor 64 0", "actor.1='0': Input should be greater than 0"),
        ("--set ace=skp", "ace='skp' is not an option's value: plain or skip or again"),
        ("--set acee=skip", "perhaps ace"),
        ("--rules clasic", "no rules are called 'clasic': there are classic, match"),
        ("--set hand_size=16", "hand_size=16 for 2 players"),
        ("--games 2 --ticks 2", "games=2, ticks=2: together at least 256"),
        ("--name a/b", "name='a/b'"),
        ("hello", "'hello' stands before any --key"),
        ("--config nothing.yaml", "nothing.yaml"),
        ("--config {folder}/list.yaml", "no YAML file of keys and values"),
        ("--config {folder}/broken.yaml", "broken.yaml"),
        (
            "--config {folder}/unknown.yaml",
            "unknown.yaml: learning_rat: there is no such key, perhaps you meant learning",
        ),
        ("--config {folder}/wrong.yaml", "batch='big'"),
        ("--runs {folder}/list.yaml", "list.yaml"),
        ("--players 2 6", "6 players: a table seats 2 to 5"),
        ("--players 3 --seats 2", "seats=2: from the players, 3, to 5"),
        ("--varied deck", "'deck' is no option that can vary: there are hand_size, cover_special_start, must_play"),
        ("--anchors heuristik", "no bot is called 'heuristik', perhaps heuristic"),
        ("--anchors oracle", "anchors: oracle sees all hands"),
        ("--anchors nowhere.safetensors", "anchors: nowhere.safetensors: there is no such file"),
        ("--anchors agents/bots/match_2p.safetensors --league 1", "anchors: this bot plays with 104 cards"),
        ("--batch 1", "batch='1': Input should be greater than or equal to 16"),
        ("--blind cards", "there is no section cards in the observation (hand, shown,"),
        ("--start {folder}", "start: {folder}/checkpoint.safetensors: there is no checkpoint"),
        ("--resume", "--resume stands alone, with the folder of the run"),
        ("--resume {folder} --choices 9", "--resume stands alone, with the folder of the run"),
        ("--resume {folder}", "config.yaml"),
    ],
)
def test_a_wrong_key_or_value_is_one_clear_line(arguments, reason, tmp_path, capsys):
    for name, text in (
        ("list", "[1, 2]"), ("broken", "a: [1"), ("unknown", "learning_rat: 1"), ("wrong", "batch: big"),
    ):  # fmt: skip
        (tmp_path / f"{name}.yaml").write_text(text)
    runs = [] if "--runs" in arguments or "--resume" in arguments else ["--runs", str(tmp_path / "runs")]
    assert train.main([*arguments.format(folder=tmp_path).split(), *runs]) == 2
    out, err = capsys.readouterr()
    assert reason.format(folder=tmp_path) in err
    assert (out, err.count("\n"), err[:17]) == ("", 1, "train.py: error: ")
    assert not (tmp_path / "runs").exists()


def test_help_explains_every_key(capsys):
    with pytest.raises(SystemExit) as exit_info:
        train.main(["--help"])
    assert exit_info.value.code == 0
    text = capsys.readouterr().out
    for key in (*KEYS, "config"):
        assert f"--{key.replace('_', '-')} " in text
    assert text.count("(default:") >= len(KEYS)


def test_the_command_line_has_the_last_word(tmp_path):
    (tmp_path / "a.yaml").write_text("seed: 1\nset: [ace=skip]\nactor: [32]\nminutes: 3\n")
    config = read_arguments(
        [
            "--config",
            str(tmp_path / "a.yaml"),
            "--seed=7",
            "--actor",
            "64",
            "16",
            "--gae-lambda",
            "1",
            "--minutes",
            "none",
        ]
    )
    assert (config.seed, config.actor, config.gae_lambda, config.minutes) == (7, [64, 16], 1.0, None)
    assert config.table == Rules.of(ace="skip")


TRAINING = sorted(path for path in (ROOT / "configs").rglob("*.yaml") if path.parent.name != "evaluate")


@pytest.mark.parametrize("path", TRAINING, ids=lambda path: path.stem)
def test_every_config_of_ours_is_valid(path):
    config = read_config(path)
    assert config.name == path.stem
    assert config.players == {"2p": [2], "4p": [4]}.get(path.stem.rpartition("_")[2], config.players)


# ---- runs ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def first_run(tmp_path_factory):
    """A whole run by the command line: its folder, and what it printed."""
    runs = tmp_path_factory.mktemp("runs")
    command = [sys.executable, "train.py", "--config", QUICK, "--runs", str(runs), "--seed", "7"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (folder,) = runs.iterdir()
    return folder, done.stdout


def test_a_run_leaves_everything_behind(first_run):
    folder, _ = first_run
    names = {path.name for path in folder.iterdir() if "tfevents" not in path.name}
    assert names == {
        "config.yaml",
        "bot.safetensors",
        "model.zip",
        "game.jsonl",
        "result.json",
        "checkpoint.safetensors",
    }
    assert len(list(folder.glob("*tfevents*"))) == 1
    (record,) = read_records(folder / "game.jsonl")
    assert record.players == ["bot.safetensors", "heuristic"]
    replay(record)
    result = json.loads((folder / "result.json").read_text())
    assert result["choices"] >= 60_000
    assert result["rounds"] > 3000
    assert 0 < result["share_outside_networks"] < 1
    assert [look["choices"] >= 30_000 for look in result["progress"]] == [True, True]


def test_a_little_training_beats_random_play(first_run):
    folder, out = first_run
    header, _ = read(folder / "bot.safetensors")
    strength = {found.opponent: found for found in header.strength}
    assert strength["random"].win_rate_interval[0] > 0.5
    assert f"{strength['random'].games:,} games, seats rotated: {strength['random']}" in out
    assert header.players == [2]
    assert header.training["choices"] >= 60_000


def test_the_last_line_is_the_command_that_plays_the_bot(first_run):
    _, out = first_run
    command = out.splitlines()[-1].split()
    assert command[0] == "python"
    done = subprocess.run(
        [sys.executable, *command[1:], "--games", "20"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "heuristic" in done.stdout


def test_the_resolved_config_repeats_the_run_to_the_last_byte(first_run, tmp_path):
    folder, _ = first_run
    resolved = yaml.safe_load((folder / "config.yaml").read_text())
    assert set(resolved) == set(KEYS)
    assert train.main(["--config", str(folder / "config.yaml"), "--runs", str(tmp_path)]) == 0
    (again,) = tmp_path.iterdir()
    assert (again / "bot.safetensors").read_bytes() == (folder / "bot.safetensors").read_bytes()
    assert (again / "game.jsonl").read_bytes() == (folder / "game.jsonl").read_bytes()
    other = train.main(["--config", str(folder / "config.yaml"), "--runs", str(tmp_path / "other"), "--seed", "8"])
    (different,) = (tmp_path / "other").iterdir()
    assert other == 0
    assert (different / "bot.safetensors").read_bytes() != (folder / "bot.safetensors").read_bytes()


def test_other_rules_and_more_players_train_too(tmp_path, capsys):
    arguments = "--rules match --players 3 --set mau=auto --choices 2000 --final-games 60 --progress-games 6"
    code, folder = run(*arguments.split(), runs=tmp_path)
    assert code == 0
    header, _ = read(folder / "bot.safetensors")
    assert (Rules.from_dict(header.rules), header.players) == (Rules.of("match", mau="auto"), [3])
    assert capsys.readouterr().out.splitlines()[-1].endswith(" --players 3 --rules match --set mau=auto")


def test_ctrl_c_saves_the_bot_so_far(tmp_path, monkeypatch, capsys):
    collect, calls = SelfPlayPPO.collect_rollouts, []

    def interrupted(self, *arguments, **more):
        calls.append(self.n_envs)
        if calls.count(128) == 4:
            raise KeyboardInterrupt
        return collect(self, *arguments, **more)

    monkeypatch.setattr(SelfPlayPPO, "collect_rollouts", interrupted)
    code, folder = run(runs=tmp_path)
    header, _ = read(folder / "bot.safetensors")
    assert code == 130
    assert 3 * 128 * 32 * 0.9 < header.training["choices"] <= 3 * 128 * 32
    assert header.strength == []
    lines = capsys.readouterr().out.splitlines()
    assert f"Stopped by the keyboard. To go on: python train.py --resume {folder}" in lines
    assert lines[-1].startswith("python evaluate.py ")
    monkeypatch.undo()
    assert train.main(["--resume", str(folder)]) == 0
    assert json.loads((folder / "result.json").read_text())["choices"] >= 60_000


def test_a_loss_that_is_no_number_stops_the_run_and_keeps_the_last_good_bot(tmp_path, monkeypatch, capsys):
    descend, good = SelfPlayPPO._descend, []

    def poisoned(self, loss):
        if self.num_timesteps < 20_000:
            return descend(self, loss)
        if not good:
            good.extend(self.layers())
        return descend(self, loss * float("nan"))

    monkeypatch.setattr(SelfPlayPPO, "_descend", poisoned)
    code, folder = run(runs=tmp_path)
    assert code == 1
    assert "Training went astray: loss nan" in capsys.readouterr().out
    _, layers = read(folder / "bot.safetensors")
    for (weights, biases), (good_weights, good_biases) in zip(layers, good, strict=True):
        assert (weights == good_weights).all()
        assert (biases == good_biases).all()


def test_minutes_end_a_run_and_its_schedules(tmp_path):
    code, folder = run("--minutes", "0.01", "--choices", "100_000_000", "--final-games", "20", runs=tmp_path)
    result = json.loads((folder / "result.json").read_text())
    assert code == 0
    assert result["choices"] < 10_000_000
