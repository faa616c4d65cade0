"""`explore.py tips`: what the user types, what he gets, and what he is told when it makes no sense."""

import json
from textwrap import dedent

import pytest

import explore
from agents.errors import AgentError
from strategy import survey

SMALL = ["tips", "--bot", "heuristic", "--games", "60", "--positions", "40", "--worlds", "2", "--duels", "20"]
FEW = ["--only", "save-the-jack", "keep-one-seven", "say-mau"]

MINE = """
    import numpy as np

    from strategy.reading import CARDS, DRAWS, SUIT, hand
    from strategy.tip import Tip

    TIPS = [
        Tip("hearts-first", "Play hearts first.", "mine", lambda views: hand(views) > 2, lambda views: SUIT == 2),
    ]
    BROKEN = Tip("broken", "No.", "mine", lambda views: hand(views) / 0, lambda views: CARDS)
    ODD = Tip("odd", "No.", "mine", lambda views: hand(views), lambda views: CARDS)
    NUMBERS = [1, 2]
    CALLS = []

    def late(views):
        CALLS.append(len(views))
        return hand(views) > 1 if len(CALLS) < {at} else np.ones(3) + np.ones(4)

    LATE = Tip("late", "Soon.", "mine", late, lambda views: CARDS & (SUIT == 2))
    SAME = [Tip("save-the-jack", "No.", "mine", lambda views: hand(views) > 0, lambda views: CARDS)]
"""


@pytest.fixture
def mine(tmp_path):
    path = tmp_path / "mytips.py"
    path.write_text(dedent(MINE).format(at=1), encoding="utf-8")
    return str(path)


def test_the_result_is_printed_and_written_and_the_same_again(tmp_path, capsys):
    results = []
    for name in ("one.json", "two.json"):
        assert explore.main([*SMALL, *FEW, "--seed", "3", "--json", str(tmp_path / name)]) == 0
        results.append((tmp_path / name).read_text(encoding="utf-8"))
    assert results[0] == results[1]
    found = json.loads(results[0])
    assert (found["format"], found["players"], found["rules"]["ace"]) == ("maumau-tips", 2, "plain")
    assert found["bot"] == {"name": "heuristic", "sha256": None, "played_out_by": "heuristic"}
    assert found["effort"] == {"games": 60, "positions": 40, "worlds": 2, "duels": 20, "seed": 3}
    assert (found["cut_short"], found["skipped"]) == (
        False,
        [{"name": "say-mau", "needs": "Mau has to be said (mau=call)"}],
    )
    tip = found["tips"][0]
    assert (tip["name"], tip["positions"], set(tip["patched"])) == ("save-the-jack", 40, {"heuristic", "random"})
    assert tip["worth_interval"][0] <= tip["worth"] <= tip["worth_interval"][1]
    assert 0 < tip["applies"] < 1
    assert 0 <= tip["obeyed"] <= 1
    assert tip["verdict"] in ("holds", "false", "depends", "unclear")
    printed = capsys.readouterr().out
    assert "save-the-jack" in printed
    assert "Make no sense at this table: say-mau (Mau has to be said (mau=call))" in printed.replace("\n", " ")


def test_the_champion_at_a_match_of_three(tmp_path):
    path = tmp_path / "out.json"
    options = ["--match", "--penalty-limit", "20", "--players", "3", "--only", "say-mau", "high-cards-early"]
    explore.main(
        ["tips", "--games", "10", "--positions", "10", "--worlds", "1", "--duels", "0", *options, "--json", str(path)]
    )
    found = json.loads(path.read_text(encoding="utf-8"))
    assert (found["penalty_limit"], found["rules"]["deck"], len(found["bot"]["sha256"])) == (20, 104, 64)
    assert [tip["verdict"] for tip in found["tips"]] == ["unclear"] * 2  # fewer positions than say anything
    assert [tip["patched"] for tip in found["tips"]] == [{}, {}]
    assert all(0 < tip["positions"] <= 10 and tip["worth"] is None for tip in found["tips"])


def test_what_is_cut_short_is_kept(tmp_path, capsys):
    path = tmp_path / "out.json"
    assert explore.main([*SMALL, "--games", "600", *FEW, "--minutes", "0.00001", "--json", str(path)]) == 0
    found = json.loads(path.read_text(encoding="utf-8"))
    assert found["cut_short"]
    assert (found["tips"][0]["games"], found["tips"][0]["positions"], found["tips"][0]["worth"]) == (250, 0, None)
    assert "Cut short" in capsys.readouterr().out


def test_ctrl_c_keeps_what_there_is(monkeypatch, tmp_path):
    def stop(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr("strategy.survey.duel", stop)
    assert explore.main([*SMALL, *FEW, "--json", str(tmp_path / "out.json")]) == 130
    found = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert (found["cut_short"], found["tips"][0]["positions"], found["tips"][0]["patched"]) == (True, 40, {})


def test_a_tip_of_ones_own(tmp_path, mine):
    explore.main([*SMALL, "--tips", mine, "--only", "hearts-first", "--json", str(tmp_path / "out.json")])
    found = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert [(tip["name"], tip["source"]) for tip in found["tips"]] == [("hearts-first", "mine")]
    assert found["tips"][0]["applies"] > 0


def test_a_tip_that_ends_the_program_fails_like_any_other(tmp_path, capsys):
    path = tmp_path / "ends.py"
    path.write_text(
        dedent(MINE).format(at=1) + "\nTIPS = [Tip('ends', 'No.', 'mine', exit, lambda views: CARDS)]\n", "utf-8"
    )
    assert explore.main([*SMALL, "--tips", str(path), "--only", "ends", "keep-one-seven"]) == 1
    assert capsys.readouterr().err.startswith("explore.py: error: tip ends: applies failed: SystemExit")


@pytest.mark.parametrize(("at", "weighed"), [(1, None), (2, 0), (3, 40)])
def test_a_tip_that_fails_late_costs_nothing_but_itself(tmp_path, capsys, at, weighed):
    path, out = tmp_path / "late.py", tmp_path / "out.json"
    path.write_text(dedent(MINE).format(at=at), encoding="utf-8")
    line = 1 + next(i for i, text in enumerate(path.read_text("utf-8").splitlines()) if "np.ones(3)" in text)
    options = ["--tips", f"{path}:LATE", "--only", "save-the-jack", "late", "keep-one-seven"]
    assert explore.main([*SMALL, *options, "--json", str(out), "--report", str(tmp_path / "out.html")]) == 1
    error = capsys.readouterr().err
    assert error.startswith("explore.py: error: tip late: applies failed: ValueError: operands could not be broadcast")
    assert f"(late.py, line {line})" in error
    assert error.count("\n") == 1
    result = json.loads(out.read_text(encoding="utf-8"))
    jack, late, seven = result["tips"]
    assert [set(tip["patched"]) for tip in (jack, late, seven)] == [{"heuristic", "random"}, set(), {*jack["patched"]}]
    assert (jack["positions"], result["cut_short"], result["failed"][0]["name"]) == (40, False, "late")
    assert (late["positions"], late["applies"] is None) == (weighed or 0, weighed is None)
    assert "late failed, and is measured as far as that." in (tmp_path / "out.html").read_text(encoding="utf-8")
    assert explore.main(["tips", "--from", str(out)]) == 0


def test_a_bot_that_fails_late_leaves_what_was_found(tmp_path, capsys, monkeypatch):
    play, calls = survey.play_games, []

    def moody(*arguments):
        calls.append(arguments)
        if len(calls) > 1:
            raise AgentError("heuristic failed: KeyError: 'x' (mine.py, line 3)")
        return play(*arguments)

    monkeypatch.setattr(survey, "play_games", moody)
    assert explore.main([*SMALL, "--games", "600", *FEW, "--json", str(tmp_path / "out.json")]) == 1
    assert capsys.readouterr().err == "explore.py: error: heuristic failed: KeyError: 'x' (mine.py, line 3)\n"
    found = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert (found["cut_short"], found["failed"][0]["name"], found["tips"][0]["games"]) == (True, "heuristic", 250)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--tips", "nowhere.py"], "--tips nowhere.py: there is no file nowhere.py"),
        (["--tips", "no_such_module"], "--tips no_such_module: no module no_such_module on the Python path"),
        (["--tips", "{mine}:NONE"], "there is no NONE in"),
        (["--tips", "{mine}:NUMBERS"], "1 is no strategy.tip.Tip"),
        (["--tips", "{mine}:SAME"], "two tips are called 'save-the-jack'"),
        (["--tips", "{mine}:BROKEN", "--only", "broken"], "tip broken: applies failed:"),
        (["--tips", "{mine}:ODD", "--only", "odd"], "tip odd: applies must answer"),
        (["--only", "save-jack"], "--only save-jack: no tip is called so; there are save-the-jack, "),
        (["--only", "say-mau"], "no tip makes sense at this table: say-mau needs Mau has to be said (mau=call)"),
        (["--bot", "nobody"], "no bot is called 'nobody'"),
        (["--bot", "oracle:10"], "oracle:10 sees all hands"),
        (["--players", "6"], "6 players: a table seats 2 to 5"),
        (["--set", "aces=skip"], "no option is called 'aces', perhaps ace"),
        (["--penalty-limit", "50"], "--penalty-limit 50: that is for matches"),
        (["--games", "0"], "--games 0: it is 1 or more"),
        (["--worlds", "0"], "--worlds 0: it is 1 or more"),
        (["--minutes", "0"], "--minutes 0: it is more than 0"),
        (["--seed", "-1"], "--seed -1: a seed is a whole number"),
        (["--json", "no/such/folder/x.json"], "there is no folder"),
        (["--playrs", "3"], "there is no such option, perhaps you meant --players"),
    ],
)
def test_a_mistake_is_one_line(options, said, mine, capsys):
    with pytest.raises(SystemExit) as ended:
        explore.main([*SMALL, *(option.format(mine=mine) for option in options)])
    error = capsys.readouterr().err.strip()
    assert ended.value.code == 2
    assert said in error
    assert "\n" not in error


def test_a_command_is_asked_for(capsys):
    with pytest.raises(SystemExit) as ended:
        explore.main([])
    assert ended.value.code == 2
    assert capsys.readouterr().err == "explore.py: error: the following arguments are required: COMMAND\n"
