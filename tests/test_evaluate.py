"""`evaluate.py`, as a user types it."""

import gzip
import json
import subprocess
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from textwrap import dedent
from unittest.mock import patch

import pytest
from rich.console import Console

import evaluate
from agents.tournament import FORMAT, enter, hold
from agents.tournament.screen import score_table
from maumau_env.game.record_check import replay
from maumau_env.game.record_file import read_records
from maumau_env.game.rules import Rules

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def command(monkeypatch, capsys):
    """A function that runs the command in this process: (exit code, standard output, standard error)."""

    def run(line: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["evaluate.py", *line.split()])
        code = 0
        try:
            evaluate.main()
        except SystemExit as end:
            code = end.code
        return code, *capsys.readouterr()

    return run


@pytest.fixture
def somebodys(tmp_path, monkeypatch):
    """Bots of somebody's own on the Python path: one that plays, one that cheats, one that crashes."""
    source = """
        import numpy as np
        from agents.greedy import Greedy

        class Bot(Greedy):
            pass

        class Cheat(Greedy):
            def act(self, views, words):
                return np.full(len(views), 66)

        class Crash(Greedy):
            def act(self, views, words):
                return self.not_there

        class Interrupt(Greedy):
            def act(self, views, words):
                raise KeyboardInterrupt
    """
    (tmp_path / "somebodys_bots.py").write_text(dedent(source))
    monkeypatch.syspath_prepend(tmp_path)


def test_the_command_of_the_readme(tmp_path):
    out = tmp_path / "out.json"
    line = f"evaluate.py heuristic random --players 2 --games 2000 --seed 1 --json {out}"
    run = subprocess.run([sys.executable, *line.split()], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert "progress" not in run.stderr
    assert "2,000 games: 1,000 deals, each played by 2 seatings; seed 1" in run.stdout
    result = json.loads(out.read_text())
    heuristic, random = result["bots"]
    assert f"{heuristic['win_rate']:.2%}" in run.stdout
    assert heuristic["win_rate_interval"][0] > 0.6
    assert heuristic["win_rate"] + random["win_rate"] == pytest.approx(1)


def repeatable(path: Path) -> dict:
    """A result without what differs from run to run: the names of its files, and how quick the bots were."""
    result = json.loads(path.read_text())
    result.pop("command")
    for bot in result["bots"]:
        bot["decisions"].pop("per_second")
    return result


def test_the_json_holds_all_that_is_needed_to_repeat_it(command, tmp_path):
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    code, _, _ = command(f"random greedy random --players 3 --games 100 --seed 9 --set ace=skip --json {first}")
    assert code == 0
    result = json.loads(first.read_text())
    assert (result["format"], result["version"]) == (FORMAT, 2)
    assert Rules.from_dict(result["rules"]) == Rules(ace="skip")
    assert (result["players"], result["seed"]) == (3, 9)
    assert (result["games"], result["deals"], result["seatings"]) == (102, 17, 6)
    assert [bot["name"] for bot in result["bots"]] == ["random", "greedy", "random"]
    for bot in result["bots"]:
        assert bot["games"] == 102
        for figure in ("win_rate", "mean_placement", "points"):
            low, high = bot[f"{figure}_interval"]
            assert low <= bot[figure] <= high
        assert bot.keys() >= {"mean_turns", "stuck", "too_long", "sha256"}
    again = " ".join(bot["name"] for bot in result["bots"])
    command(f"{again} --players 3 --games {result['games']} --seed 9 --set ace=skip --json {second}")
    assert repeatable(second) == repeatable(first)


def test_options_can_be_repeated_and_listed(command):
    code, out, _ = command("random --games 10 --set ace=skip must_play=no --set hand_size=3 --players 2")
    assert code == 0
    assert "must_play=no" in out
    assert "ace=skip" in out
    assert "hand_size=3" in out
    assert "Only 10 deals" in out


def test_records_are_written_and_bear_out_the_result(command, tmp_path):
    path, out = tmp_path / "games.jsonl.gz", tmp_path / "out.json"
    code, _, _ = command(f"greedy random --games 40 --seed 2 --rules match --records {path} --json {out}")
    assert code == 0
    with gzip.open(path, "rt") as file:
        assert sum(1 for _ in file) == 40
    games = list(read_records(path))
    won = sum(game.ranking[game.players.index("greedy")] == 1 for game in games)
    assert json.loads(out.read_text())["bots"][0]["win_rate"] == pytest.approx(won / 40)
    for game in games:
        replay(game)


def test_the_table_fits_a_narrow_terminal():
    tournament = hold(enter(["heuristic", "random"]), Rules(), 2, 200, seed=1)[0]
    games = [replace(score, games=1_000_000) for score in tournament.bots]
    known = {"rating": [1500.0, 1400.0], "rating_interval": [[1500.0, 1500.0], [1390.0, None]]}
    console = Console(width=80)
    with console.capture() as printed:
        console.print(score_table(tournament.rules, tournament.players, None, games, known))
    text = printed.get()
    assert text.count("…") == 1  # the end of a rating that is open
    for score in tournament.bots:
        low, high = score.win_rate_interval
        assert f"{low:.2%} – {high:.2%}" in text
        assert score.name in text
    for end in ("1,000,000", "placement", "points", "rating"):
        assert end in text


def test_names_with_a_number_and_the_champion_play(command):
    code, out, _ = command("level:3 level:1 --players 3 --games 60 champion")
    assert code == 0
    assert all(name in out for name in ("level:3", "level:1", "champion"))


def test_a_bot_of_ones_own_plays(command, somebodys):
    code, out, _ = command("somebodys_bots:Bot greedy --games 200 --players 2")
    assert code == 0
    assert "somebodys_bots:Bot" in out
    assert out.count("50.00%") >= 2  # it is greedy under another name


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("heuristc random", "no bot is called 'heuristc', perhaps heuristic"),
        ("", "no bots"),
        ("random --player 3", "--player: there is no such option, perhaps you meant --players"),
        ("random --players three", "argument --players: invalid int value: 'three'"),
        ("random --players", "argument --players: expected one argument"),
        ("random --players 7", "7 players: a table seats 2 to 5"),
        ("random --games 0", "games=0: Input should be greater than 0"),
        ("random --seed -1", "seed=-1: Input should be greater than or equal to 0"),
        ("random --rules clasic", "no rules are called 'clasic'"),
        ("random --set acce=skip", "no option is called 'acce', perhaps ace"),
        ("random --set ace=jump", "ace='jump'"),
        ("random --set ace", "'ace' is not of the form option=value"),
        ("random --set hand_size=16", "hand_size"),
        ("nowhere:Bot random", "no module nowhere"),
        ("none.safetensors random", "none.safetensors: there is no such file"),
        ("random --games 10 --move-seconds 0", "move_seconds=0.0: Input should be greater than 0"),
        ("random --games 10 --move-seconds -1", "move_seconds=-1.0"),
        ("random --games 10 --move-seconds nan", "move_seconds=nan"),
        ("random --move-seconds soon", "argument --move-seconds: invalid float value: 'soon'"),
        ("process: random", "process: without a command: it is process:COMMAND"),
        ("process:no-such-program", "process:no-such-program: there is no program no-such-program that can be run"),
        (
            "somebodys_bots:__name__ random",
            "__name__ is no bot: it must be a subclass of agents.agent.Agent, a class or an object",
        ),
        ("random --games 10 --json no/such/folder/out.json", "there is no folder"),
        ("random --games 10 --records .", ". cannot be written"),
        ("random greedy --within 60pp", "within='60pp': '60pp': write a width like 0.5pp"),
        ("random greedy --by 1pp", "by: that is for a sequential test, which better asks for"),
        (
            "random greedy --games 20 --better random greedy",
            "20 games on 10 deals: a sequential test needs at",
        ),
        ("random greedy --games 20 --json o.json --rows o.json", "two options name this file"),
        ("random greedy --within 0.5pp --better random greedy", "within and better"),
        ("random greedy --better random heuristic", "better: heuristic is none of the bots"),
        ("random greedy --better random random", "better: random cannot be better than itself"),
        ("random greedy --within 1pp --records r.jsonl", "records: of a tournament that is played at one go"),
        ("random greedy --workers 0", "workers=0"),
        ("random greedy --backend cloud", "backend='cloud'"),
        ("--config none.yaml", "none.yaml: there is no such file"),
        ("random --penalty-limit 50", "penalty_limit 50: that is for matches"),
        ("level:9 random", "levels are 1 to 5, as in level:3"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(command, somebodys, line, message):
    code, out, error = command(line)
    assert code == 2
    assert out == ""
    assert error.startswith("evaluate.py: error: ")
    assert error.count("\n") == 1
    assert message in error


def test_without_ray_one_line_names_the_extra(command):
    if find_spec("ray"):
        pytest.skip("Ray is here")
    code, _, error = command("random greedy --games 10 --backend ray")
    assert (code, error.count("\n")) == (2, 1)
    assert "--backend ray needs Ray: pip install 'maumau-env[cluster]'" in error


def test_a_config_with_tables_plays_all_of_them_or_one(command, tmp_path):
    config, out, page = tmp_path / "two.yaml", tmp_path / "out.json", tmp_path / "page.md"
    config.write_text(
        """
        seed: 3
        bots: [greedy, random]
        games: 40
        tables:
          - {name: two, players: 2}
          - {name: three, players: 3, bots: [greedy, random, eager], few: {eager: 1}}
        """
    )
    line = f"--config {config} --json {out} --markdown {page} --rows {tmp_path / 'rows.jsonl'}"
    code, told, error = command(line)
    assert (code, error) == (0, "")
    two, three = json.loads(out.read_text())["tournaments"]
    assert (two["name"], two["players"], two["seed"], three["players"]) == ("two", 2, 3, 3)
    assert three["bots"][2]["games"] == 6  # the six seatings of the first deal
    assert {path.name for path in tmp_path.iterdir()} == {
        "two.yaml", "out.json", "page.md", "rows-two.jsonl", "rows-three.jsonl",
    }  # fmt: skip
    for result in (two, three):
        for bot in result["bots"]:
            assert f"{bot['win_rate']:.1%}" in page.read_text()
    code, alone, _ = command(f"--config {config} --table two --games 20")
    assert code == 0
    assert "20 games: 10 deals" in alone
    assert "2 players" in told
    assert "3 players" in told
    assert "3 players" not in alone
    code, _, error = command(f"--config {config} --table four")
    assert "--table four: there is no such table; there are two, three" in error


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bots: [random]\ngames: true\n", "games=True: Input should be a valid integer"),
        ("bots: [random]\nmatch: 1\n", "match=1: Input should be a valid boolean"),
        ("bots: random\n", "bots='random': Input should be a valid list"),
        ("bot: [random]\n", "bot: there is no such key; there are name, bots, players, games"),
        ("- random\n", "this is no YAML file of keys and values"),
        ("bots: [random\n", "while parsing a flow sequence"),
        (
            "bots: [random]\ntables: [{players: 2}]\n",
            "tables is a list of keys and values, each with a name of its own",
        ),
        ("bots: [random]\ntables: [{name: a}, {name: a}]\n", "each with a name of its own"),
        ("bots: [random]\ntables: [{name: a, json: a.json}]\n", "json is one file for all tables"),
        ("tables: [{name: a, bots: [random]}, {name: b, bots: [gready]}]\n", "no bot is called 'gready'"),
        ("bots: [random, greedy]\nfew: {heuristic: 3}\n", "few: heuristic is none of the bots"),
    ],
)
def test_a_mistake_in_a_file_is_one_line_before_anything_is_played(command, tmp_path, text, message):
    config = tmp_path / "mine.yaml"
    config.write_text(text)
    code, out, error = command(f"--config {config}")
    assert (code, out, error.count("\n")) == (2, "", 1)
    assert message in error


def test_it_stops_when_the_win_rates_are_known_closely_enough(command, tmp_path):
    out = tmp_path / "out.json"
    code, told, _ = command(f"heuristic random --until 0.9 --within 1.5pp --seed 2 --json {out}")
    result = json.loads(out.read_text())
    assert code == 0
    assert result["stopped"] == {"rule": "within", "within": 0.015, "confidence": 0.9, "reached": True}
    assert result["confidence"] == 0.9
    assert 2000 <= result["games"] < 20_000
    for bot in result["bots"]:
        low, high = bot["win_rate_interval"]
        assert high - low < 2 * 0.015 + 1e-9
    assert "Played until every win rate was known within ±1.50%" in told


def test_a_sequential_test_says_who_is_better(command, tmp_path):
    verdicts = {}
    for pair in ("heuristic random", "random heuristic"):
        out = tmp_path / "out.json"
        code, told, _ = command(f"heuristic random greedy --better {pair} --by 5pp --seed 2 --json {out}")
        assert code == 0
        verdicts[pair] = json.loads(out.read_text())["stopped"]["verdict"]
    assert verdicts == {"heuristic random": "better", "random heuristic": "not better"}
    assert "random is not better than heuristic by 5.00% or more" in told


def test_forfeits_are_counted_by_kind_and_named_with_the_reason(command, somebodys, tmp_path):
    out, games = tmp_path / "out.json", tmp_path / "games.jsonl"
    line = f"somebodys_bots:Crash somebodys_bots:Cheat random --games 60 --seed 3 --json {out} --records {games}"
    code, told, error = command(line)
    assert (code, error) == (0, "")
    crash, cheat, random = json.loads(out.read_text())["bots"]
    assert crash["forfeits"] == {"raised": 40, "too_slow": 0, "illegal": 0}  # it holds a seat in two games of three
    assert cheat["forfeits"] == {"raised": 0, "too_slow": 0, "illegal": 40}
    assert sum(random["forfeits"].values()) == 0
    assert random["win_rate"] == 1
    assert "bot 1 (somebodys_bots:Crash) forfeited 40 games: 40 raised (first: AttributeError: 'Crash' object" in told
    assert "bot 2 (somebodys_bots:Cheat) forfeited 40 games: 40 illegal (first: seat 1: action 66 (mau) is" in told
    assert "bot 3" not in told
    assert len(list(read_records(games))) == 60


def test_the_example_of_a_guest_plays(command, tmp_path):
    out = tmp_path / "out.json"
    name = f"process:{sys.executable} {ROOT / 'examples/first_card.py'}"
    with patch.object(sys, "argv", ["evaluate.py", name, "random", "--games", "20", "--json", str(out)]):
        evaluate.main()
    guest = json.loads(out.read_text())["bots"][0]
    assert guest["name"] == name
    assert len(guest["sha256"]) == 64
    assert guest["forfeits"] == {"raised": 0, "too_slow": 0, "illegal": 0}


def test_a_failed_tournament_leaves_files_as_they_were(command, somebodys, tmp_path):
    out, games = tmp_path / "out.json", tmp_path / "games.jsonl"
    out.write_text("the result of yesterday")
    code, _, _ = command(f"random somebodys_bots:Interrupt --json {out} --records {games}")
    assert code == 130
    assert out.read_text() == "the result of yesterday"
    assert {path.name for path in tmp_path.glob("*.json*")} == {"out.json"}
    assert not [path for path in tmp_path.iterdir() if "jsonl" in path.name]


def test_help_explains_every_option(command):
    code, out, _ = command("--help")
    assert code == 0
    options = """
        --players --games --seed --rules --set --match --penalty-limit --move-seconds --json --records --config --table
        --within --until --better --by --alpha --beta --workers --backend --rows --parquet --report --markdown
    """
    for option in options.split():
        assert option in out
    for bot in (
        "random",
        "greedy",
        "heuristic",
        "search:500",
        "level:1 to level:5",
        "champion",
        ".safetensors",
        "module:Class",
        "process:COMMAND",
    ):
        assert bot in out
    assert "every different order of sitting" in out.replace("\n", " ")


def test_evaluating_needs_no_torch():
    code = "import sys, evaluate, agents; agents.make('heuristic'); print('torch' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.stdout.strip() == "False", run.stderr
