"""`explore.py discover`: what a planted habit looks like when it is found, and what does not survive."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

import explore
from agents.champion import Table
from agents.errors import AgentError
from maumau_env.game.rules import Rules
from strategy import survey
from strategy.bot import Bot
from strategy.commands import discover
from strategy.discovery import KINDS, candidates_of, question_of, survivors
from strategy.folk_tips import TIPS
from strategy.games import play_games
from strategy.known import Known, known_as
from strategy.mind import open_mind
from strategy.obedience import Obedience
from strategy.patched import PLAYERS, Gain
from strategy.reading import hand
from strategy.survey import Effort, Finding, Survey
from strategy.worth import Worth

TABLE = Table(Rules(), 2, False)


def found(name: str, worth: float, applies: float, verdict: str = "holds", gain: float = 0.0) -> Finding:
    tip = question_of(next(kind for kind in KINDS if kind.name == name))
    interval = (gain - 0.01, gain + 0.01)
    return Finding(
        tip, verdict,
        Obedience(100, 1000, applies, (0, 1), round(1000 * applies), 0.5, (0, 1), 0.5, 0.0, (-1, 1)),
        100,
        Worth(100, worth, (worth - 0.01, worth + 0.01), worth, (0, 0), 0.0),
        {player: Gain(100, 0.5 + gain, (0, 1), 0.5, gain, interval) for player in PLAYERS},
        None,
    )  # fmt: skip


def test_rules_survive_by_worth_and_followers_and_come_by_worth_times_frequency():
    rare, often = found("jack", 0.2, 0.01), found("seven", 0.05, 0.2)
    losing, unclear = found("eight", 0.2, 0.5, gain=-0.05), found("nine", 0.3, 0.5, verdict="unclear")
    untried = replace(often, gains={})  # cut short before anybody followed it
    assert [each.tip.name for each in survivors([rare, losing, unclear, often, untried])] == ["seven", "jack"]


def test_saving_the_jack_is_found_in_play():
    mind = open_mind("heuristic", Table(Rules(), 2, False))
    jack = next(kind for kind in KINDS if kind.name == "jack")
    study_of_jacks = Survey([question_of(jack)], Rules(), 2, None, mind, Effort(250, 200, 4, 0, seed=2))
    for _ in study_of_jacks.steps():
        continue
    candidates = candidates_of(jack, study_of_jacks.studies[0], mind)
    views = study_of_jacks.studies[0].positions.views()
    assert any(tip.sentence.startswith("Play no Jack") for tip in candidates)
    spoken = sum(tip.split(views).applies.astype(int) for tip in candidates)
    assert (spoken == 1).all()  # the leaves share out all positions


def test_the_rules_are_printed_and_written(tmp_path, capsys):
    path = tmp_path / "rules.json"
    small = ["--games", "250", "--positions", "100", "--worlds", "2", "--duels", "20", "--bot", "heuristic"]
    assert explore.main(["discover", *small, "--seed", "7", "--json", str(path)]) == 0
    result = json.loads(path.read_text(encoding="utf-8"))
    kept = result["rules_of_thumb"]
    assert result["format"] == "maumau-discovery"
    assert result["candidates"] >= 10
    assert result["effort"]["seed"] == 7
    assert all(rule["verdict"] == "holds" and rule["worth"] > 0 for rule in kept)
    ranks = [rule["worth"] * rule["choices"] for rule in kept]
    assert ranks == sorted(ranks, reverse=True)
    assert np.isfinite(ranks).all()
    printed = capsys.readouterr().out
    assert f"{result['candidates']} candidates were tested on fresh games. {len(kept)} rule" in printed


def test_without_scikit_learn_it_says_what_is_missing(monkeypatch, capsys):
    monkeypatch.setattr("strategy.commands.discover.available", lambda: False)
    with pytest.raises(SystemExit) as ended:
        explore.main(["discover", "--bot", "heuristic"])
    assert ended.value.code == 2
    assert 'pip install -e ".[explore]"' in capsys.readouterr().err


def test_time_is_shared_by_finding_and_testing(tmp_path, capsys):
    path = tmp_path / "rules.json"
    small = ["--games", "500", "--positions", "60", "--worlds", "1", "--duels", "20", "--bot", "heuristic"]
    assert explore.main(["discover", *small, "--minutes", "0.00001", "--json", str(path)]) == 0
    result = json.loads(path.read_text(encoding="utf-8"))
    assert (result["cut_short"], result["rules_of_thumb"]) == (True, [])
    assert "Cut short" in capsys.readouterr().out


def test_ctrl_c_while_candidates_are_looked_for_keeps_those_that_there_are(monkeypatch, tmp_path, capsys):
    weigh, calls = survey.differences, []

    def stop(*arguments):
        calls.append(arguments)
        if len(calls) > 5:
            raise KeyboardInterrupt
        return weigh(*arguments)

    monkeypatch.setattr(survey, "differences", stop)
    path = tmp_path / "rules.json"
    small = ["--games", "250", "--positions", "60", "--worlds", "1", "--duels", "20", "--bot", "heuristic"]
    assert explore.main(["discover", *small, "--json", str(path)]) == 130
    result = json.loads(path.read_text(encoding="utf-8"))
    assert (result["cut_short"], result["rules_of_thumb"]) == (True, [])
    assert 5 <= len(result["untested"]) == result["candidates"] <= 20
    printed = capsys.readouterr().out
    assert "0 candidates were tested on fresh games. 0 rules hold there." in printed
    assert f"Found, but not tested any more:\n  {result['untested'][0]}"[:70] in printed


def test_a_bot_that_fails_while_candidates_are_tested_leaves_them_untested(monkeypatch, tmp_path, capsys):
    play, calls = survey.play_games, []

    def moody(*arguments):
        calls.append(arguments)
        if len(calls) > 1:
            raise AgentError("heuristic failed: KeyError: 'x' (mine.py, line 3)")
        return play(*arguments)

    monkeypatch.setattr(survey, "play_games", moody)
    path = tmp_path / "rules.json"
    small = ["--games", "250", "--positions", "60", "--worlds", "1", "--duels", "20", "--bot", "heuristic"]
    assert explore.main(["discover", *small, "--json", str(path)]) == 1
    result = json.loads(path.read_text(encoding="utf-8"))
    assert (result["cut_short"], result["failed"][0]["name"]) == (True, "heuristic")
    assert len(result["untested"]) == result["candidates"] >= 5
    assert capsys.readouterr().err == "explore.py: error: heuristic failed: KeyError: 'x' (mine.py, line 3)\n"


def test_a_rule_that_repeats_a_tip_is_known(monkeypatch):
    decisions = play_games(Bot("heuristic"), TABLE, 3, 0, 60)
    kind = next(kind for kind in KINDS if kind.name == "jack")
    keep = replace(question_of(kind), obeys=lambda views: ~kind.actions(views), applies=lambda views: hand(views) > 1)
    views = decisions.views[keep.split(decisions.views).applies]
    assert len(views) > 100
    assert known_as(keep, views, TIPS) == Known("save-the-jack", 1.0)
    half = replace(keep, applies=lambda views: hand(views) > 0)  # save-the-jack waits with a single card
    assert known_as(half, views, TIPS) == Known("save-the-jack", 1.0)
    assert known_as(question_of(kind), views, [tip for tip in TIPS if tip.name != "jack-when-pressed"]) is None
    assert known_as(keep, views[:0], TIPS) is None
    assert known_as(keep, views, []) is None


def test_new_rules_come_before_those_that_are_known_and_all_is_in_ones_language(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(discover, "known_as", lambda rule, *_: Known("chain-ranks", 0.9) if rule.name < "n" else None)
    small = ["--games", "500", "--positions", "300", "--worlds", "4", "--duels", "40", "--bot", "heuristic"]
    path = tmp_path / "rules.json"
    explore.main(["discover", *small, "--language", "de", "--json", str(path)])
    rules = json.loads(path.read_text(encoding="utf-8"))["rules_of_thumb"]
    assert len(rules) >= 2
    told = [rule["known"] is not None for rule in rules]
    assert told == sorted(told)
    assert [rule["known"] is not None for rule in rules] == [rule["name"] < "n" for rule in rules]
    printed = " ".join(capsys.readouterr().out.split())
    assert re.search(r"\d+ Kandidaten wurden an neuen Spielen geprüft\. \d+ Regeln? bewähr", printed)
    assert not re.search(r"\b(when|Play|the|games|candidates|known)\b", printed)
    assert "Spiel " in printed


def test_ctrl_c_before_anything_was_tested_ends_it(monkeypatch, capsys):
    def stop(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr("strategy.survey.play_games", stop)
    with pytest.raises(SystemExit) as ended:
        explore.main(["discover", "--bot", "heuristic"])
    assert ended.value.code == 130
    assert "stopped" in capsys.readouterr().err
