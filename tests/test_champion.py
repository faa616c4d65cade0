"""`champion`: which bot plays which table, and that nothing else in a batch matters."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import agents
from agents import champion
from agents.arena_kernels import begin_kernel
from agents.botfile import Header, save
from agents.champion import BOTS, CHAMPIONS, Champion, Row, Table, champion_of
from agents.heuristic import Heuristic
from agents.network import Layer
from agents.policy import Policy
from maumau_env.game.actions import NUM_ACTIONS, actions_in
from maumau_env.game.batch import deal
from maumau_env.game.match import open_games
from maumau_env.game.rules import PRESETS, Rules
from maumau_env.game.state import raw
from maumau_env.seat.encode import Layout
from maumau_env.seat.view import views

ROOT = Path(__file__).resolve().parents[1]
CLASSIC, MATCH = PRESETS["classic"], PRESETS["match"]


def layers(layout: Layout, seed: int) -> list[Layer]:
    rng = np.random.default_rng(seed)
    return [(rng.normal(size=(layout.size, NUM_ACTIONS)).astype(np.float32), np.zeros(NUM_ACTIONS, np.float32))]


@pytest.fixture
def bots(tmp_path, monkeypatch):
    """A folder with bots of every kind that `CHAMPIONS` tells of, which know nothing, in place of the shipped ones."""
    for seed, (name, rules, players, varied) in enumerate(
        [
            ("match_2p", MATCH, [2], {}),
            ("match_4p", MATCH, [2, 3, 4], {}),
            ("classic_2p", CLASSIC, [2], {}),
            ("classic", CLASSIC, [2, 3, 4, 5], {"ace": ["plain", "skip", "again"]}),
        ]
    ):
        layout = Layout(rules.deck, max(players))
        save(
            tmp_path / f"{name}.safetensors", Header.of(rules, layout, [], players, varied=varied), layers(layout, seed)
        )
    monkeypatch.setattr(champion, "BOTS", tmp_path)
    champion._load.cache_clear()
    yield tmp_path
    champion._load.cache_clear()


def chosen(rules, players, match=False):
    """The name of the file of the champion of a table; None for the heuristic."""
    policy = champion_of(Table(rules, players, match))
    return next((path.stem for path in champion.BOTS.iterdir() if policy is champion._load(path)), None)


@pytest.mark.parametrize("match", [False, True])
@pytest.mark.parametrize(
    ("rules", "players", "file"),
    [
        (CLASSIC, 2, "classic_2p"),
        (CLASSIC, 3, "classic"),
        (CLASSIC, 4, "classic"),
        (CLASSIC, 5, "classic"),
        (Rules(ace="skip"), 2, "classic"),
        (Rules(ace="again"), 4, "classic"),
        (Rules(must_play=False), 2, None),
        (MATCH, 2, "match_2p"),
        (MATCH, 3, "match_4p"),
        (MATCH, 4, "match_4p"),
        (MATCH, 5, None),
        (Rules.of("match", ace="skip"), 2, None),
    ],
)
def test_the_first_row_that_fits_plays(bots, rules, players, match, file):
    assert chosen(rules, players, match) == file
    plays = Champion().agent_for(Table(rules, players, match))
    assert isinstance(plays, Heuristic if file is None else Policy)


def test_a_row_can_be_for_matches_or_for_rounds_alone(bots, monkeypatch):
    for match in (True, False):
        monkeypatch.setattr(champion, "CHAMPIONS", (Row("classic_2p.safetensors", range(2, 3), match=match),))
        assert (champion_of(Table(CLASSIC, 2, match)), champion_of(Table(CLASSIC, 2, not match))) == (
            champion._load(bots / "classic_2p.safetensors"),
            None,
        )


def test_a_file_that_is_not_there_is_passed_over(bots):
    (bots / "classic_2p.safetensors").unlink()
    assert chosen(CLASSIC, 2) == "classic"
    (bots / "classic.safetensors").unlink()
    assert champion_of(Table(CLASSIC, 2, False)) is None


def test_a_file_is_read_when_it_is_needed_and_once(bots, monkeypatch):
    opened, load = [], Policy.load
    monkeypatch.setattr(Policy, "load", lambda path: opened.append(path.name) or load(path))
    one, two = agents.make("champion"), agents.make("champion")
    assert opened == []
    for bot in (one, two):
        for players in (2, 2, 3):
            bot.act(views(deal(CLASSIC, players, 1, 5)), np.arange(5, dtype=np.uint64))
    assert sorted(opened) == ["classic.safetensors", "classic_2p.safetensors"]


def mixed():
    """Views of many kinds of tables, in rounds and matches, in random order, and a word for each."""
    tables = [(CLASSIC, 2), (CLASSIC, 5), (Rules(ace="skip"), 3), (Rules(must_play=False), 2), (MATCH, 2), (MATCH, 4)]
    seen = [views(deal(rules, players, 3, 20)) for rules, players in tables]
    for rules, players in ((CLASSIC, 2), (MATCH, 2), (MATCH, 5)):
        matches = open_games(rules, players, 100, 4, 20)
        begin_kernel(raw(matches), np.arange(20), np.arange(20))
        seen.append(views(matches))
    together = np.concatenate(seen)
    order = np.random.default_rng(1).permutation(len(together))
    return together[order], np.random.default_rng(2).integers(0, 2**64, len(together), np.uint64)


def test_answers_are_the_same_whatever_the_batch(bots):
    seen, words = mixed()
    together = Champion().act(seen, words)
    for action, view in zip(together, seen, strict=True):
        assert action in actions_in(int(view["legal"]))
    assert (Champion().act(seen[::-1], words[::-1])[::-1] == together).all()
    bot = Champion()
    alone = [bot.act(seen[i : i + 1], words[i : i + 1])[0] for i in range(len(seen))]
    np.testing.assert_array_equal(alone, together)
    assert len(bot.act(seen[:0], words[:0])) == 0


def test_each_table_is_played_by_its_own_bot(bots):
    seen, words = mixed()
    together = Champion().act(seen, words)
    for i in range(len(seen)):
        table = Table(Rules.from_record(seen[i]["rules"]), int(seen[i]["num_players"]), seen[i]["round"] > 0)
        bot = champion_of(table) or Heuristic()
        assert bot.act(seen[i : i + 1], words[i : i + 1])[0] == together[i]


def test_a_view_of_a_seat_that_is_not_to_move_is_refused(bots):
    seen = views(deal(CLASSIC, 2, 1, 3))
    seen["legal"][1] = 0
    with pytest.raises(ValueError, match="without legal actions"):
        Champion().act(seen, np.zeros(3, np.uint64))


def test_the_shipped_bots_are_those_of_the_table():
    assert {path.name for path in BOTS.iterdir()} == {row.file for row in CHAMPIONS}
    for row in CHAMPIONS:
        header = Policy.load(BOTS / row.file).header
        assert {*row.players} <= {*header.players}
        assert row.preset is None or Rules.from_dict(header.rules) == PRESETS[row.preset]


@pytest.mark.parametrize("players", range(2, 6))
@pytest.mark.parametrize("options", [{}, {"ace": "again"}, {"mau": "call", "must_play": False, "hand_size": 6}])
def test_every_classic_table_has_a_trained_champion(options, players):
    table = Table(Rules(**options), players, False)
    expected = "classic" if options else f"classic_{players}p"
    assert champion_of(table) is champion._load(BOTS / f"{expected}.safetensors")


def test_the_champion_needs_no_torch():
    code = """
import sys, json, numpy as np, agents
from maumau_env.game.batch import deal
from maumau_env.game.rules import Rules
from maumau_env.seat.view import views
actions = agents.make("champion").act(views(deal(Rules.of("match"), 2, 1, 5)), np.arange(5, dtype=np.uint64))
print(json.dumps([actions.tolist(), sorted({"torch", "stable_baselines3"} & {*sys.modules})]))
"""
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    seen, words = views(deal(MATCH, 2, 1, 5)), np.arange(5, dtype=np.uint64)
    assert json.loads(run.stdout) == [Policy.load(BOTS / "match_2p.safetensors").act(seen, words).tolist(), []]
