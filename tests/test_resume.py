"""A run that was killed goes on, and ends as if nothing had happened; a checkpoint is whole, and never runs code."""

import io
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import train
from agents.checkpoint import CHECKPOINT, CheckpointError, read_checkpoint, write_checkpoint
from agents.config import read_config
from maumau_env.game.state import raw

ROOT = Path(__file__).resolve().parents[1]
SETTINGS = """
name: whole
choices: 40_000
games: 128
ticks: 16
batch: 512
actor: [32, 32]
critic: [32, 32]
average: 0.5
players: [2, 3]
varied: [ace, must_play]
league: 0.3
snapshots: 3
snapshot_every: 4_000
anchors: [greedy]
checkpoint_every: 5_000
progress_every: 20_000
progress_games: 20
final_games: 40
"""


@pytest.fixture(scope="module")
def whole_run(tmp_path_factory):
    """A config that uses everything a run can remember, and the folder of the run that was never interrupted."""
    folder = tmp_path_factory.mktemp("whole")
    config = folder / "whole.yaml"
    config.write_text(SETTINGS)
    assert train.main(["--config", str(config), "--runs", str(folder / "runs")]) == 0
    (run,) = (folder / "runs").iterdir()
    return config, run


def contents(run):
    """What must be equal: the bot, its game, and the networks, the optimizer and the league at the end."""
    return (run / "bot.safetensors").read_bytes(), (run / "game.jsonl").read_bytes()


def test_the_log_tells_what_matters(whole_run):
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    _, run = whole_run
    log = accumulator.EventAccumulator(str(run)).Reload()
    found = {name: log.Scalars(name)[-1].value for name in log.Tags()["scalars"]}
    assert {"train/entropy", "train/approx_kl", "train/explained_variance", "train/value_loss"} <= found.keys()
    assert {"time/choices_per_second", "time/minutes_left"} <= found.keys()
    last = read_checkpoint(run / CHECKPOINT)["watch"]["looks"][-1]["strength"]
    assert [look["players"] for look in last] == [2, 3]
    for look in last:
        name = f"progress/against_greedy_with_{look['players']}"
        told = [found[f"{name}/{what}"] for what in ("win_rate", "low", "high")]
        assert told == pytest.approx([look["win_rate"], *look["win_rate_interval"]])
    assert 0.1 < found["league/share_of_games"] < 0.5  # 0.3 of the games are begun with a guest
    assert 0 < found["league/wins_of_greedy"] < 1
    assert 0 < found["league/wins_of_snapshots"] < 1


@pytest.mark.slow
def test_a_killed_run_goes_on_and_ends_as_one_that_was_not(whole_run, tmp_path):
    config, whole = whole_run
    command = [sys.executable, "train.py", "--config", str(config), "--runs", str(tmp_path)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not (found := list(tmp_path.glob(f"*/{CHECKPOINT}"))) and process.poll() is None:
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    (path,) = found
    choices = read_checkpoint(path)["learner"]["choices"]
    assert choices < 40_000
    assert not (path.parent / "bot.safetensors").exists()
    assert train.main(["--resume", str(path.parent)]) == 0
    assert contents(path.parent) == contents(whole)
    ours, theirs = (read_checkpoint(run / CHECKPOINT) for run in (path.parent, whole))
    for timing in ("seconds", "network_seconds"):
        del ours["learner"][timing], theirs["learner"][timing]
    assert_same(ours["learner"], theirs["learner"])
    assert [look["choices"] for look in ours["watch"]["looks"]] == [
        look["choices"] for look in theirs["watch"]["looks"]
    ]


def assert_same(one, other):
    if isinstance(one, np.ndarray):
        np.testing.assert_array_equal(one, other)
    elif isinstance(one, dict):
        assert one.keys() == other.keys()
        for key in one:
            assert_same(one[key], other[key])
    elif isinstance(one, list):
        assert len(one) == len(other)
        for mine, theirs in zip(one, other, strict=True):
            assert_same(mine, theirs)
    else:
        assert one == other


def test_a_state_brings_back_the_games_the_pool_and_the_learning_rate(whole_run):
    _, run = whole_run
    state, config = read_checkpoint(run / CHECKPOINT)["learner"], read_config(run / "config.yaml")
    learner = train.new_learner(config)
    learner.restore(state)
    assert learner.num_timesteps == state["choices"] >= 40_000
    assert learner.optimizer.param_groups[0]["lr"] == state["optimizer"]["param_groups"][0]["lr"]
    np.testing.assert_array_equal(raw(learner.env._games), state["play"]["games"])
    league = learner.env.league
    assert len(league.ring) == 3
    assert {member.name for member in league.members.values()} >= {"greedy"}
    np.testing.assert_array_equal(league.guests, state["play"]["league"]["guests"])
    assert_same(learner.state()["play"], state["play"])


def test_a_run_does_not_go_on_with_another_config(whole_run, tmp_path, capsys):
    _, run = whole_run
    for name in ("config.yaml", CHECKPOINT):
        (tmp_path / name).write_bytes((run / name).read_bytes())
    changed = (run / "config.yaml").read_text().replace("league: 0.3", "league: 0.0").replace("games: 128", "games: 64")
    (tmp_path / "config.yaml").write_text(changed)
    assert train.main(["--resume", str(tmp_path)]) == 2
    assert f"--resume: {tmp_path} was begun with other values of games, league" in capsys.readouterr().err


def test_a_finished_run_that_is_resumed_is_only_measured_again(whole_run, capsys):
    _, run = whole_run
    before = contents(run)
    assert train.main(["--resume", str(run)]) == 0
    assert "Resumed after 4" in capsys.readouterr().out
    assert contents(run) == before


def test_a_run_can_start_from_the_networks_of_another(whole_run, tmp_path, capsys):
    config, run = whole_run
    arguments = ["--config", str(config), "--runs", str(tmp_path), "--start", str(run)]
    assert train.main([*arguments, "--choices", "3000", "--learning-rate", "1e-9"]) == 0
    (again,) = tmp_path.iterdir()
    old, new = (read_checkpoint(folder / CHECKPOINT)["learner"] for folder in (run, again))
    assert new["choices"] < 10_000
    for name, array in old["policy"].items():
        np.testing.assert_allclose(new["policy"][name], array, atol=1e-5)
    assert train.main([*arguments, "--actor", "16"]) == 2
    assert "start: its networks have other sizes" in capsys.readouterr().err


# ---- the file ------------------------------------------------------------------------------------------------------


STATE = {"a": {1: np.arange(6, dtype=np.uint8).reshape(2, 3), "b": [1.5, None, "x", True]}, "c": np.array(2.0)}


def test_a_checkpoint_comes_back_as_it_was(tmp_path):
    write_checkpoint(tmp_path / "c", STATE)
    assert_same(read_checkpoint(tmp_path / "c"), STATE)


def test_a_checkpoint_is_written_whole_or_not_at_all(tmp_path):
    path = tmp_path / "c"
    write_checkpoint(path, STATE)
    before = path.read_bytes()
    with pytest.raises(TypeError, match="not JSON serializable"):
        write_checkpoint(path, {"a": object()})
    assert path.read_bytes() == before


class Bomb:
    def __reduce__(self):
        return print, ("boom",)


def test_what_is_no_checkpoint_is_refused_and_never_run(tmp_path, capsys):
    path, buffer = tmp_path / "c", io.BytesIO()
    write_checkpoint(path, STATE)
    whole = path.read_bytes()
    pickle.dump(Bomb(), buffer)
    for content in (b"", whole[:-1], whole[: len(whole) // 2], buffer.getvalue(), b"{}"):
        path.write_bytes(content)
        with pytest.raises(CheckpointError, match="no checkpoint, or a damaged one"):
            read_checkpoint(path)
    with pytest.raises(CheckpointError, match="there is no checkpoint"):
        read_checkpoint(tmp_path / "none")
    assert "boom" not in capsys.readouterr().out
