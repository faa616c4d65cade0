"""Rows on disk: a run that is killed goes on where it was, and its file says what happened in every game."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from agents.arena import Results
from agents.tournament import Plan, enter
from agents.tournament.play import play
from agents.tournament.rows import RowsError, RowsFile, joined, write_parquet
from maumau_env.game.rules import Rules

ROOT = Path(__file__).resolve().parent.parent
BOTS = ("heuristic", "greedy", "random")


def plan_of(games: int = 300, bots: tuple[str, ...] = BOTS, **more) -> Plan:
    """A tournament in small blocks."""
    return Plan.of(enter(bots), Rules(), 2, games, 3, **{"looks": True} | more)


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr("agents.tournament.plan.LOOK_GAMES", 60)


def play_into(path: Path, plan: Plan) -> Results:
    """Play what is left of a plan, with a file of rows."""
    with closing(RowsFile(path, plan)) as rows:
        return play(plan, rows)


def same(one, other) -> bool:
    names = ("deals", "bots", "ranks", "points", "turns", "rounds", "stuck", "too_long", "forfeits")
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in names)


def test_blocks_follow_each_other_and_hold_all_deals():
    plan = plan_of()
    blocks = list(plan.blocks())
    assert blocks[0][0] == 0
    assert blocks[-1][1] == plan.deals == 50
    assert all(before[1] == after[0] for before, after in pairwise(blocks))
    assert list(plan.blocks(20)) == blocks[2:]


@pytest.mark.parametrize("cut", ["whole blocks", "in a block", "in a line", "after the header", "in the header"])
def test_a_run_that_was_killed_goes_on_to_the_same_games_and_the_same_file(tmp_path, cut):
    plan, whole, broken = plan_of(), tmp_path / "whole.jsonl", tmp_path / "broken.jsonl"
    results = play_into(whole, plan)
    lines = whole.read_bytes().splitlines(keepends=True)
    ends = [number for number, line in enumerate(lines, 1) if line.startswith(b'{"block"')]
    assert len(ends) == 5
    keep = {"whole blocks": ends[1], "in a block": ends[1] + 7, "in a line": ends[2] + 3, "after the header": 1}
    text = b"".join(lines[: keep.get(cut, 1)])
    broken.write_bytes(text[:-9] if cut in ("in a line", "in the header") else text)
    again = play_into(broken, plan)
    assert same(again, results)
    told = [[json.loads(line) for line in path.read_text().splitlines()] for path in (whole, broken)]
    for row in [*told[0], *told[1]]:
        row.pop("seconds", None)
        row.pop("habits", None)
    assert told[0] == told[1]


def test_a_run_that_is_over_plays_no_more_and_can_be_made_longer(tmp_path, monkeypatch):
    path, short, long = tmp_path / "rows.jsonl", plan_of(300), plan_of(420)
    first = play_into(path, short)
    longer = play_into(path, long)
    assert same(longer, play(long))
    assert len(longer.turns) == 420
    assert same(first, play(short))
    monkeypatch.setattr("agents.tournament.play.play_block", None)
    assert same(play_into(path, long), longer)
    with pytest.raises(RowsError, match="holds 60 deals or more, and these games have 50: ask for as many games"):
        RowsFile(path, short)


def test_the_file_tells_every_game(tmp_path):
    path, plan = tmp_path / "rows.jsonl", plan_of(60)
    results = play_into(path, plan)
    header, *games, end = (json.loads(line) for line in path.read_text().splitlines())
    assert header["plan"]["bots"] == [{"name": name, "sha256": None} for name in BOTS]
    assert end["block"] == [0, 10]
    assert [game["ranks"] for game in games] == results.ranks.tolist()
    assert [game["bots"] for game in games] == results.bots.tolist()
    assert all(game["points"][rank - 1] == 0 for game in games for rank in [game["ranks"].index(1) + 1])


def test_a_file_of_another_tournament_is_refused_and_stays_as_it_is(tmp_path):
    path, plan = tmp_path / "rows.jsonl", plan_of(60)
    play_into(path, plan)
    before = path.read_bytes()
    others = (plan_of(60, BOTS[:2]), plan_of(60, move_seconds=1.0))
    for other, key in zip(others, ("bots", "move_seconds"), strict=True):
        with pytest.raises(RowsError, match=f"{path} belongs to another tournament: its {key} is"):
            RowsFile(path, other)
    assert path.read_bytes() == before


def test_a_game_that_is_missing_or_changed_is_found(tmp_path):
    path, plan = tmp_path / "rows.jsonl", plan_of(60)
    play_into(path, plan)
    lines = path.read_text().splitlines(keepends=True)
    swapped = lines[2].replace('"bots":[0,2]', '"bots":[2,0]')
    assert swapped != lines[2]
    for broken in (lines[:2] + lines[3:], [*lines[:2], swapped, *lines[3:]], [*lines[:2], lines[1], *lines[3:]]):
        path.write_text("".join(broken))
        with pytest.raises(RowsError, match="the games before it are not those of deals"):
            RowsFile(path, plan)
    path.write_text("".join([*lines[:2], lines[2].replace('"ranks":[1,2]', '"ranks":[1,300]'), *lines[3:]]))
    with pytest.raises(RowsError, match="line"):
        RowsFile(path, plan)


@pytest.mark.parametrize("text", ["my precious notes", '{"format":"maumau-record","version":1}\n'])
def test_a_file_that_is_no_file_of_rows_stays_as_it_is(tmp_path, text):
    path = tmp_path / "notes.txt"
    path.write_text(text)
    with pytest.raises(RowsError, match="is no file of rows"):
        RowsFile(path, plan_of(60))
    assert path.read_text() == text


def test_two_runs_do_not_write_to_one_file(tmp_path):
    path, plan = tmp_path / "rows.jsonl", plan_of(60)
    with closing(RowsFile(path, plan)), pytest.raises(RowsError, match="is being written by another run"):
        RowsFile(path, plan)
    play_into(path, plan)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"deal":0}\n', "line 2: Object missing required field"),
        (b"no json\n", "line 2: JSON is malformed"),
        (b'{"block":[0,10],"habits":[],"seconds":[],"faults":{}}\n', r"line 2: the games before it are not those"),
    ],
)
def test_a_damaged_file_is_one_clear_error(tmp_path, line, message):
    path, plan = tmp_path / "rows.jsonl", plan_of(60)
    RowsFile(path, plan).close()
    with path.open("ab") as file:
        file.write(line)
    with pytest.raises(RowsError, match=message):
        RowsFile(path, plan)


def test_parquet_has_a_row_for_each_game(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    results, path = play(plan_of(60)), tmp_path / "games.parquet"
    write_parquet(path, results, BOTS)
    table = parquet.read_table(path).to_pydict()
    assert table["ranks"] == results.ranks.tolist()
    assert table["bots"][0] == [BOTS[bot] for bot in results.bots[0]]
    assert [entry.name for entry in tmp_path.iterdir()] == ["games.parquet"]


def test_blocks_joined_are_the_tournament_in_one():
    plan = plan_of()
    parts = [play(plan_of(60)), play(plan)]
    both = joined(parts)
    assert len(both.turns) == 360
    assert both.habits.tolist() == (parts[0].habits + parts[1].habits).tolist()


@pytest.mark.parametrize("workers", [2, 3])
def test_any_number_of_workers_gives_the_same_games(workers):
    # The champion is a network: its arithmetic must not depend on the process, either.
    plan = plan_of(240, ("champion", "greedy", "random"))
    assert same(play(plan, workers=workers), play(plan))


def test_killed_and_resumed_on_the_command_line(tmp_path):
    rows, whole = tmp_path / "rows.jsonl", tmp_path / "whole.json"
    guest = f"process:{sys.executable} examples/first_card.py"
    line = [sys.executable, "evaluate.py", "heuristic", guest, "--games", "3000", "--seed", "5"]
    run = subprocess.Popen([*line, "--rows", str(rows)], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    while not (rows.exists() and b'{"block"' in rows.read_bytes()):
        time.sleep(0.05)
        assert run.poll() is None, "it was over before it could be killed"
    os.kill(run.pid, signal.SIGKILL)
    run.communicate()
    assert rows.read_bytes().count(b'{"block"') < 24
    results = []
    for out, more in ((tmp_path / "resumed.json", ["--rows", str(rows)]), (whole, [])):
        subprocess.run([*line, *more, "--json", str(out)], cwd=ROOT, check=True, capture_output=True)
        result = json.loads(out.read_text())
        result.pop("command")
        for bot in result["bots"]:
            bot["decisions"].pop("per_second")
        results.append(result)
    assert results[0] == results[1]
