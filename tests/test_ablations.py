"""The table of ablations: differences seed by seed with intervals by hand, and runs that are not repeated."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from agents.checkpoint import CHECKPOINT
from agents.config import read_config
from tools import ablations
from tools.ablations import Options, difference, main, table


def test_the_difference_is_paired_by_seed():
    # differences +1, +2, +3 points: mean 2, standard deviation 1, t(2) = 4.3027: 2 -+ 4.3027 / sqrt(3)
    assert difference([0.51, 0.53, 0.55], [0.50, 0.51, 0.52]) == "+2.0 (-0.5 to +4.5)"
    assert difference([0.48], [0.50]) == "-2.0"


def test_the_table_names_every_config_and_compares_it_with_the_base():
    lines = table({"base": [0.5, 0.52], "other": [0.51, 0.53]}).splitlines()
    assert lines[2] == "| base | 50.0 52.0 |  |"
    assert lines[3] == "| other | 51.0 53.0 | +1.0 (+1.0 to +1.0) |"


def test_runs_are_made_once_and_those_that_were_interrupted_go_on(tmp_path, monkeypatch, capsys):
    configs, runs, commands = tmp_path / "configs", tmp_path / "runs", []
    configs.mkdir()
    for name in ("base", "other"):
        (configs / f"{name}.yaml").write_text(f"name: {name}")

    def run(command, **_):
        commands.append([Path(command[1]).name, command[2]])
        if command[2] == "--resume":
            write_run(Path(command[3]), {"strength": strength(0.6)})
        else:
            write_run(runs / "seed_1" / "base-20260101-000000", {"strength": strength(0.5)})
        return SimpleNamespace(returncode=0)

    def write_run(folder, result):
        folder.mkdir(parents=True, exist_ok=True)
        name = folder.name.partition("-")[0]
        config = read_config(configs / f"{name}.yaml").model_copy(update={"seed": 1, "runs": runs / "seed_1"})
        config.write(folder / "config.yaml")
        (folder / "result.json").write_text(json.dumps(result))

    def strength(rate):
        return [{"bots": [{"name": "bot", "win_rate": rate}, {"name": "heuristic", "win_rate": 1 - rate}]}]

    stopped = runs / "seed_1" / "other-20260101-000000"  # as Ctrl-C leaves it
    write_run(stopped, {"choices": 5})
    (stopped / CHECKPOINT).write_bytes(b"")
    monkeypatch.setattr(ablations.subprocess, "run", run)
    for _ in range(2):
        main(Options(configs, (1,), runs, tmp_path / "table.md"))
    assert commands == [["train.py", "--config"], ["train.py", "--resume"]]
    assert (tmp_path / "table.md").read_text().splitlines()[-1] == "| other | 60.0 | +10.0 |"
    assert capsys.readouterr().out.count("| other |") == 2


def test_a_folder_without_a_base_is_refused(tmp_path):
    with pytest.raises(SystemExit, match=r"has no base\.yaml to compare with"):
        main(Options(tmp_path))


def test_a_run_that_comes_to_no_end_is_named(tmp_path, monkeypatch):
    (tmp_path / "base.yaml").write_text("name: base")
    monkeypatch.setattr(ablations.subprocess, "run", lambda *_, **__: SimpleNamespace(returncode=130))
    with pytest.raises(SystemExit, match=r"base\.yaml with seed 1 came to no end \(exit code 130\)"):
        main(Options(tmp_path, (1,), tmp_path / "runs"))
