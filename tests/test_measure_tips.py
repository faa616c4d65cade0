"""`tools.measure_tips`: the page is made of the results, and a run that was ended goes on with the next table."""

import json

import pytest

from strategy.folk_tips import TIPS
from strategy.survey import Effort
from tools import measure_tips
from tools.measure_tips import Config, Run, headlines, main, page_of

TINY = {"classic-2": Run("classic, 2", 2, Effort(60, 40, 1, 20, seed=4))}


def tip(name: str, verdict: str, worth: float, choices: int, **others) -> dict:
    return {
        "name": name, "sentence": f"About {name}.", "source": "said at the table", "verdict": verdict, "worth": worth,
        "worth_interval": [worth - 0.01, worth + 0.01], "choices": choices, "decisions": 100, "obeyed": 0.9,
        "obeyed_by_chance": 0.5, "beyond_chance": 0.4,
    } | others  # fmt: skip


def test_a_table_is_measured_once_and_the_page_tells_how(tmp_path, monkeypatch):
    monkeypatch.setattr(measure_tips, "RUNS", TINY)
    config = Config(results=tmp_path / "results", page=tmp_path / "tips.md")
    main(config)
    result = json.loads((tmp_path / "results" / "classic-2.json").read_text(encoding="utf-8"))
    page = config.page.read_text(encoding="utf-8")
    assert "`python explore.py tips --players 2 --games 60 --positions 40 --worlds 1 --duels 20 --seed 4`" in page
    assert all(f"| `{tip['name']}` | {tip['verdict']} |" in page for tip in result["tips"])
    assert TIPS[0].sentence in page
    monkeypatch.setattr(measure_tips, "measure", None)
    main(config)
    assert config.page.read_text(encoding="utf-8") == page == page_of({"classic-2": result})


def test_headlines_are_by_worth_and_how_often_it_comes_up():
    tips = [
        tip("rare", "holds", 0.3, 1),
        tip("often", "holds", 0.1, 30),
        tip("disobeyed", "holds", 0.5, 50, beyond_chance=-0.1),
        tip("wrong", "false", -0.3, 40),
        tip("printed", "false", -0.1, 10, source="the tips at the end of the rules"),
    ]
    text = "".join(headlines({"classic-2": {"tips": tips}}))
    assert "1. *About often.*" in text
    assert "2. *About rare.*" in text
    assert "About disobeyed" not in text
    assert "About printed" in text
    assert "About wrong" not in text


def test_a_table_that_is_not_there(tmp_path):
    with pytest.raises(ValueError, match="--only chess: there are classic-2, "):
        main(Config(only=("chess",), results=tmp_path))
