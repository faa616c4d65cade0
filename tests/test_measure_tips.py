"""`tools.measure_tips`: the page is made of the results, and a run that was ended goes on with the next table."""

import json

import pytest
from sample_tips import sample_tips

from strategy.folk_tips import TIPS
from strategy.survey import Effort
from strategy.tips_result import as_dict
from tools import measure_tips
from tools.measure_tips import Config, Run, headlines, main, new_survey, page_of

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


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"package_version": "0.0.1"}, "package_version not as of now"),
        ({"bot": {"name": "champion", "sha256": "ab" * 32, "played_out_by": "champion"}}, "bot not as of now"),
        ({"effort": {"games": 50, "positions": 40, "worlds": 1, "duels": 20, "seed": 4}}, "effort not as of now"),
        ({"tips": sample_tips()}, "tips not as of now"),
        ({"format": "maumau-game"}, "not a file of explore.py tips --json"),
    ],
)
def test_a_result_that_is_not_as_of_now_is_measured_again(tmp_path, monkeypatch, capsys, change, said):
    monkeypatch.setattr(measure_tips, "RUNS", TINY)
    survey = new_survey(TINY["classic-2"])
    asked = []

    def measure(survey):
        asked.append(survey)
        return as_dict(survey, survey.findings(), cut_short=False)

    monkeypatch.setattr(measure_tips, "measure", measure)
    monkeypatch.setattr(measure_tips, "page_of", " and ".join)
    config = Config(results=tmp_path, page=tmp_path / "tips.md")
    kept = tmp_path / "classic-2.json"
    kept.write_text(json.dumps(as_dict(survey, survey.findings(), cut_short=False)), encoding="utf-8")
    main(config)
    assert (asked, capsys.readouterr().err) == ([], "")
    kept.write_text(json.dumps(json.loads(kept.read_text(encoding="utf-8")) | change), encoding="utf-8")
    monkeypatch.setattr(measure_tips, "RUNS", TINY | {"classic-3": Run("3", 3, TINY["classic-2"].effort)})
    main(Config(only=("classic-3",), results=tmp_path, page=tmp_path / "tips.md"))
    assert len(asked) == 1
    error = capsys.readouterr().err
    assert said in error
    assert error.endswith(": left out of the page\n")
    assert config.page.read_text(encoding="utf-8") == "classic-3"
    main(config)
    assert len(asked) == 2
    assert config.page.read_text(encoding="utf-8") == "classic-2 and classic-3"
    assert capsys.readouterr().err.endswith(": measured again\n")
    main(config)
    assert len(asked) == 2


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
