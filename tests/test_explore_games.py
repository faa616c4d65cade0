"""`explore.py position` and `review`, as a user types them."""

import json
from itertools import islice

import numpy as np
import pytest
from match_rounds import random_records

import explore
from agents.errors import AgentError
from agents.greedy import Greedy
from maumau_env import maumau_v0
from maumau_env.game import batch
from maumau_env.game.actions import PASS, action_number, actions_in
from maumau_env.game.record import Recorder
from maumau_env.game.record_file import write_records
from maumau_env.game.rules import Rules
from maumau_env.game.state import RUNNING
from maumau_env.seat.view import view_of
from strategy import chances, review
from strategy.bot import Bot
from strategy.commands import screen
from strategy.commands.review import note
from strategy.played import Played, played, read_game, seen_in
from strategy.review import BLUNDER

BY_HAND = {
    "format": "maumau-record", "version": 1, "rules": Rules().as_dict(), "players": ["you", "other"], "seed": 0,
    "starter": 0, "deal": {"hands": [["KH"], ["QD"]], "discard": ["QS"], "pile": ["KS", "9C"]},
    "moves": [[0, "draw"], [0, "pass"], [1, "QD"]], "reshuffles": [], "end": "emptied",
    "hands": [["KH", "KS"], []], "ranking": [2, 1],
}  # fmt: skip
"""The example of docs/review.md: seat 0 draws the card that would have won, and passes."""


@pytest.fixture
def command(capsys):
    """A function that runs the command in this process: (exit code, standard output, standard error)."""

    def run(line: str) -> tuple[int, str, str]:
        try:
            code = explore.main(line.split())
        except SystemExit as end:
            code = end.code
        return code, *capsys.readouterr()

    return run


@pytest.fixture
def by_hand(tmp_path):
    """A function that writes the record by hand, with some fields changed, and returns its path."""

    def write(**changes):
        path = tmp_path / "hand.jsonl"
        path.write_text(json.dumps(BY_HAND | changes) + "\n")
        return path

    return write


@pytest.fixture
def games(tmp_path):
    """A file of two rounds for three and one for two, played at random."""
    records = [record for record, _ in islice(random_records(Rules(), 3, 2), 2)]
    records += [record for record, _ in islice(random_records(Rules.of("match", max_turns=30), 2, 2), 1)]
    write_records(path := tmp_path / "games.jsonl.gz", records)
    return path


# ---- position ------------------------------------------------------------------------------------------------------


def test_a_position_shows_what_its_seat_sees_and_what_each_action_is_worth(command, by_hand, tmp_path):
    out = tmp_path / "out.json"
    code, text, _ = command(f"position {by_hand()} --move 2 --worlds 200 --json {out}")
    assert code == 0
    for line in ("seat 0 (you) has to move", "hand   KH KS", "top    QS", "seat 1 (other) 1, pile 1", "200 worlds"):
        assert line in text
    found = json.loads(out.read_text())
    assert (found["move"], found["seat"], found["played"], found["bots_choice"]) == (2, 0, "pass", "KS")
    keep, win = (next(row for row in found["actions"] if row["action"] == name) for name in ("pass", "KS"))
    assert (win["probability"], keep["probability"]) == (1, 0)
    assert found["win_chance"] == win["win_chance"]
    assert win["win_chance_interval"][0] <= win["win_chance"] <= win["win_chance_interval"][1]
    assert keep["cost"] == pytest.approx(win["win_chance"] - keep["win_chance"])
    (row,) = [line for line in text.splitlines() if "played" in line and "pass" in line]
    assert screen.chance(keep["win_chance"]) in row


def test_a_game_of_the_environment_can_be_looked_at_while_it_runs(command, tmp_path):
    env = maumau_v0.env(num_players=4)
    env.reset(seed=3)
    for _ in range(6):
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    while env.last()[0]["action_mask"].sum() == 1:
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    record = env.unwrapped.record()
    write_records(path := tmp_path / "running.jsonl", [record])
    move = len(record.moves) + 1
    code, text, _ = command(f"position {path} --move {move} --worlds 20 --bot heuristic")
    assert code == 0
    assert "placement" in text
    assert "played\n" not in text.replace(" ", "")
    code, _, error = command(f"position {path} --move {move + 1} --worlds 20")
    assert code == 2
    assert f"move {move} is to come" in error


def test_a_match_is_seen_as_it_was_played():
    """Points, round and who sat down are in no single record's cards, and yet the seats saw them."""
    told = islice(random_records(Rules.of("match"), 4, 6, penalty_limit=40), 6)
    records, positions = zip(*told, strict=True)
    rounds = [record.match.round for record in records]
    assert max(rounds) > 1
    matches = {}
    for record, games in zip(records, positions, strict=True):
        game = played(record, len(seen_in(matches, record)))
        for before, after in zip(games, game.games, strict=True):
            for seat in range(len(game.players)):
                assert view_of(after, seat).tobytes() == view_of(before[0], seat).tobytes()


def test_other_hidden_cards_give_the_same_figures(command, by_hand, tmp_path):
    out, found = tmp_path / "out.json", []
    for theirs, pile in ((["QD", "7D"], ["9C", "8C"]), (["8C", "9C"], ["7D", "QD"])):
        deal = {"hands": [["KH", "KS", "AS"], theirs], "discard": ["QS"], "pile": pile}
        path = by_hand(deal=deal, moves=[], end="running", hands=deal["hands"])
        code, text, error = command(f"position {path} --move 1 --worlds 50 --json {out}")
        assert code == 0, error
        found.append((text, out.read_text()))
    assert found[0] == found[1]


def test_position_and_review_agree_on_a_move(command, games, tmp_path):
    one, all_of_it = tmp_path / "one.json", tmp_path / "all.json"
    command(f"review {games} --game 3 --seat 1 --worlds 30 --seed 5 --bot heuristic --json {all_of_it}")
    choice = json.loads(all_of_it.read_text())["seats"][0]["choices"][2]
    command(f"position {games} --game 3 --move {choice['move']} --worlds 30 --seed 5 --bot heuristic --json {one}")
    found = json.loads(one.read_text())
    for name in ("actions", "win_chance", "best", "hand", "top", "played"):
        assert found[name] == choice[name]


# ---- review --------------------------------------------------------------------------------------------------------


def test_the_review_of_the_example_in_the_docs(command, by_hand, tmp_path):
    out = tmp_path / "out.json"
    code, text, _ = command(f"review {by_hand()} --worlds 500 --json {out}")
    assert code == 0
    assert "Seat 0 (you), moves with a choice: 1, blunders: 1" in text
    assert "Seat 1 (other), moves with a choice: 0, blunders: 0" in text
    found = json.loads(out.read_text())
    you, other = found["seats"]
    (choice,) = you["choices"]
    assert (choice["move"], choice["played"], choice["bots_choice"], choice["mark"]) == (2, "pass", "KS", BLUNDER)
    assert choice["cost_interval"][0] > 0
    assert you["parts"]["own errors"]["value"] == -1
    assert other["parts"]["others' errors"]["value"] == 1
    for seat in (you, other):
        parts = sum(part["value"] for part in seat["parts"].values())
        assert parts == pytest.approx(seat["result"] - seat["even_share"], abs=1e-12)
    assert (you["result"], other["result"]) == (0, 1)


def test_the_figures_on_the_screen_add_up_to_the_last_digit(command, games):
    _, text, _ = command(f"review {games} --game 2 --worlds 37 --bot heuristic")
    rows = [line.replace("−", "-") for line in text.partition("Where the result came from")[2].splitlines()]
    start = next(i for i, row in enumerate(rows) if row.startswith(" even share"))
    columns = [[], [], []]
    for row in rows[start : start + 6]:
        figures = row[16:].replace("%", "")
        while "(" in figures:
            figures = figures[: figures.index("(")] + figures[figures.index(")") + 1 :]
        for column, figure in zip(columns, figures.split(), strict=True):
            column.append(round(10 * float(figure)))
    for *parts, result in columns:
        assert sum(parts) == result


def test_tenths_add_up():
    assert screen.tenths([1 / 3, 1 / 3, 1 / 3], 1.0) == pytest.approx([0.334, 0.333, 0.333])
    assert screen.tenths([-0.0006, 0.0006, -0.25], -0.25) == pytest.approx([-0.001, 0.001, -0.25])


def test_a_review_is_the_same_each_time(command, games):
    first, second = (command(f"review {games} --seat 2 --worlds 15 --bot heuristic --seed 4") for _ in range(2))
    assert first == second
    assert command(f"review {games} --seat 2 --worlds 15 --bot heuristic --seed 5") != first


def test_marks_are_beyond_chance_all_together():
    """A player whose every choice is the bot's, or as good, is hardly ever blamed."""
    bot = Bot("heuristic")
    blamed = 0
    for number in range(20):
        game = read_own_play(number)
        found = review.look_back(game, bot, [0, 1], 40, number)
        blamed += any(found.mark(move) for move in found.decisions)
    assert blamed <= 4  # one in twenty, and three standard deviations more


class Passes(Greedy):
    """It keeps whatever it has drawn."""

    def act(self, views, words):
        may_pass = [PASS in actions_in(legal) for legal in views["legal"]]
        return np.where(may_pass, PASS, super().act(views, words))


def test_what_is_better_than_the_bots_own_choice_is_told(by_hand):
    game, bot = read_game(by_hand(), 1), Bot("passes", Passes())
    found = review.look_back(game, bot, [0], 600, 0)
    assert found.decisions[2].bots_choice == PASS
    assert found.decisions[2].cost(PASS) == (0, 0, 0)
    assert found.mark(2) == ""
    assert found.better_than_the_bots(2) == action_number("KS")
    assert note(found, 2) == "best was KS"
    assert not found.ledger.entries[1].error.any()  # by hindsight it is no error either: the bot passes, too


def read_own_play(seed: int) -> Played:
    """A round in which the heuristic plays both seats."""
    game, bot, generator = batch.deal(Rules(), 2, seed, 1), Bot("heuristic"), np.random.default_rng(seed)
    recorder = Recorder(game, ["heuristic"] * 2)
    while game["end"][0] == RUNNING:
        word = generator.integers(1 << 64, size=1, dtype=np.uint64)
        (action,) = bot.act(view_of(game[0], int(game["seat"][0])), word)
        recorder.note(int(action))
        batch.step(game, np.array([action]))
    return played(recorder.record(), 0)


# ---- cut short -----------------------------------------------------------------------------------------------------


BOT_FAILED = AgentError("heuristic failed: KeyError: 'x' (mine.py, line 3)")


def interrupted_after(times: int, function, how: BaseException | None = None):
    """The function, which is interrupted, by Ctrl-C or as told, when it is called once more than so many times."""
    calls = []

    def call(*arguments):
        calls.append(arguments)
        if len(calls) > times:
            raise how or KeyboardInterrupt
        return function(*arguments)

    return call


def test_ctrl_c_keeps_the_worlds_of_a_position(command, games, monkeypatch, tmp_path):
    monkeypatch.setattr(chances, "play_out", interrupted_after(4, chances.play_out))
    game = read_game(games, 3)
    move = game.real_choices([0, 1])[0]
    code, text, _ = command(f"position {games} --game 3 --move {move} --bot heuristic --json {tmp_path / 'out.json'}")
    assert code == 130
    assert "Tried in 80 worlds" in text
    assert json.loads((tmp_path / "out.json").read_text())["worlds"] == 80
    code, text, error = command(f"position {games} --game 3 --move {move} --bot heuristic")
    assert (code, text) == (130, "")
    assert "stopped" in error


def test_ctrl_c_keeps_the_moves_of_a_review(command, games, monkeypatch, tmp_path):
    monkeypatch.setattr(review, "weigh", interrupted_after(3, review.weigh))
    out = tmp_path / "out.json"
    code, text, _ = command(f"review {games} --game 3 --worlds 20 --bot heuristic --json {out}")
    assert code == 130
    found = json.loads(out.read_text())
    assert 3 <= found["moves_reviewed"] < found["moves"]
    assert f"Stopped after move {found['moves_reviewed']} of {found['moves']}" in text
    assert sum(len(seat["choices"]) for seat in found["seats"]) == 3
    for seat in found["seats"]:
        parts = sum(part["value"] for part in seat["parts"].values())
        assert parts == pytest.approx(seat["result"] - seat["even_share"], abs=1e-12)


def test_a_bot_that_fails_on_the_way_leaves_what_was_found(command, games, monkeypatch, tmp_path):
    monkeypatch.setattr(chances, "play_out", interrupted_after(4, chances.play_out, BOT_FAILED))
    out = tmp_path / "out.json"
    move = read_game(games, 3).real_choices([0, 1])[0]
    code, text, error = command(f"position {games} --game 3 --move {move} --bot heuristic --json {out}")
    assert (code, error) == (1, f"explore.py: error: {BOT_FAILED}\n")
    assert "Tried in 80 worlds" in text
    assert json.loads(out.read_text())["worlds"] == 80
    monkeypatch.undo()
    monkeypatch.setattr(review, "weigh", interrupted_after(3, review.weigh, BOT_FAILED))
    code, text, error = command(f"review {games} --game 3 --worlds 20 --bot heuristic --json {out}")
    assert (code, error) == (1, f"explore.py: error: {BOT_FAILED}\n")
    assert "Stopped after move" in text
    assert sum(len(seat["choices"]) for seat in json.loads(out.read_text())["seats"]) == 3


# ---- mistakes ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("position nowhere.jsonl --move 1", "nowhere.jsonl: there is no such file"),
        ("position {file} --move 0", "there is no move 0: it has moves 1 to 3"),
        ("position {file} --move 4", "there is no move 4: it has moves 1 to 3"),
        ("position {file} --move 1", "move 1 was forced: seat 0 could only draw"),
        ("position {file} --move 3", "move 3 was forced: seat 1 could only play QD"),
        ("position {file}", "--move"),
        ("position {file} --move two", "'two'"),
        ("position {file} --game 2 --move 1", "there is no game 2: it holds 1"),
        ("position {file} --game 0 --move 1", "'0' is no whole number, 1 or more"),
        ("position {file} --move 2 --worlds 3", "'3' is no whole number, 10 to 100000"),
        ("position {file} --move 2 --bot champoin", "no bot is called 'champoin', perhaps champion"),
        ("position {file} --move 2 --bot oracle:5", "oracle:5 sees all hands"),
        ("position {file} --move 2 --bot agents/bots/match_2p.safetensors", "plays with 104 cards"),
        ("position {file} --move 2 --json nowhere/out.json", "there is no folder"),
        ("position {file} --mov 2", "--mov"),
        ("review {file} --seat 2", "there is no seat 2: seats are 0 to 1"),
        ("review {file} --seat -1", "there is no seat -1: seats are 0 to 1"),
        ("revue {file}", "'revue'"),
        ("", "COMMAND"),
    ],
)
def test_a_mistake_is_one_clear_line(command, by_hand, line, message):
    code, out, error = command(line.format(file=by_hand()))
    assert (code, out) == (2, "")
    last = error.strip().splitlines()[-1]
    assert message in last
    assert "Traceback" not in error


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"moves": [[0, "draw"], [0, "KC"], [1, "QD"]]}, "move 2"),
        ({"moves": [[0, "draw"], [1, "QD"]]}, "move 2: seat 1 moves where it is seat 0's turn"),
        ({"deal": {"hands": [["KH"], ["QQ"]], "discard": ["QS"], "pile": []}}, "no card is called 'QQ'"),
        ({"version": 2}, "version 2"),
        ({"ranking": [1, 2]}, "ranking"),
    ],
)
def test_a_broken_record_is_told_where(command, by_hand, changes, message):
    for line in ("position {} --move 2", "review {}"):
        code, out, error = command(line.format(by_hand(**changes)))
        assert (code, out) == (2, "")
        assert error.count("\n") == 1
        assert "hand.jsonl, line 1" in error
        assert message in error


def test_there_is_nothing_to_review_before_the_first_move(command, by_hand):
    path = by_hand(moves=[], end="running", hands=BY_HAND["deal"]["hands"])
    code, out, error = command(f"review {path}")
    assert (code, out) == (2, "")
    assert "hand.jsonl, line 1: nothing was played" in error
