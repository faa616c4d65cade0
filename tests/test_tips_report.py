"""`explore.py tips --report`: the page says what the result says, in four languages, and is safe and whole."""

import copy
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import get_args, get_type_hints

import numpy as np
import pytest
from reportpage import CHROMIUM, Page, at, of_class, widths_on_a_telephone
from sample_tips import DEPENDENCE, EXAMPLE, sample_result, sample_tip

import explore
from agents.champion import Table
from maumau_env.game.actions import ACTION_NUMBERS
from maumau_env.game.cards import NAMES, cards_in
from maumau_env.game.rules import Rules
from strategy.folk_tips import TIPS
from strategy.language import ENGLISH, LANGUAGES, Language
from strategy.mind import open_mind
from strategy.report.page import render, write_page
from strategy.report.pictures import picture
from strategy.survey import Effort, Survey
from strategy.tips_schema import TOGETHER, TipResult

ROOT = Path(__file__).resolve().parents[1]
OTHERS = [code for code in LANGUAGES if code != "en"]


def page(*results, code="en"):
    return Page(render(results or [sample_result()], Language(code)))


def read_svg(markup):
    return Page(markup).figure("key")


# ---- what it says --------------------------------------------------------------------------------------------------


def test_every_tip_is_a_card_with_its_verdict_and_its_worth_in_plain_words():
    shown = page()
    for tip in sample_result()["tips"]:
        assert tip["sentence"] in shown.text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    assert "Whoever follows it wins 1.3 more games of 100 in such positions." in shown.text
    assert "Whoever follows it wins 6.0 fewer games of 100 in such positions." in shown.text
    assert "wins 0.8 fewer games of 100 in such positions. That may be luck." in shown.text
    assert "Such positions came up too rarely to say what it is worth." in shown.text
    assert "It has something to say at 31.7% of the decisions." in shown.text
    assert "The strong player follows it in 92% of the cases; by chance it would be 24%." in shown.text
    assert [tag for tag, _ in shown.tags].count("article") == 5


def test_sections_come_by_verdict_and_count_their_tips():
    shown = page()
    headings = re.findall(r"<h2>(.*?)</h2>", shown.html)
    assert headings == [
        "These hold", "These depend on the position", "These are not settled", "These are false", "How it was measured",
    ]  # fmt: skip
    for words in ("1 tip holds", "1 tip depends", "2 tips are unclear", "1 tip is false"):
        assert words in shown.text


def test_what_a_tip_depends_on_is_told_with_its_worth():
    text = page().text
    assert "right: Jacks in my hand: 1 or more and cards owed: 2 to 4; or cards in my hand: 3 (+10.5)" in text
    assert "wrong: no Jacks in my hand and cards in the pile: 7 or fewer (−3.4)" in text


def test_a_difference_that_rounds_to_nothing_is_said_to_be_none():
    shown = page(sample_result(tips=[sample_tip("save-the-jack", "unclear", 0.0003)]))
    assert "In such positions it makes no difference that could be seen." in shown.text


def test_the_figures_for_researchers_are_all_there_and_folded_away():
    shown = page()
    folded = " ".join(re.findall(r"<details>(.*?)</details>", shown.html, re.DOTALL))
    for words in ("+1.3 (+0.3 to +2.3)", "0.0123", "31.7% (31.0% to 32.0%)", "+68.3 (+67.0 to +69.0)", "1,500",
                  "+1.0 (0.0 to +2.0)", "python explore.py tips --players 2 --seed 1", "Holm over all tips",
                  "+10.5 (+8.0 to +13.0); 502 positions", "say-mau", "ab" * 32):  # fmt: skip
        assert words in folded
    assert "<details open" not in shown.html


def test_several_tables_share_a_card_and_a_plot():
    shown = page(
        sample_result(2, [sample_tip("save-the-jack", "holds", 0.02)]),
        sample_result(4, [sample_tip("save-the-jack", "false", -0.03)]),
    )
    assert [tag for tag, _ in shown.tags].count("article") == 1
    words = " ".join(re.sub(r"<.*?>", " ", re.search(r'<p class="verdicts">.*?</p>', shown.html)[0]).split())
    assert words == "holds 2 players false 4 players"
    assert "2 players: Whoever follows it wins 2.0 more games" in shown.text
    svg = shown.figure("worth-1")
    ticks = {at(label, "x"): float(label.text.replace("−", "-")) for label in of_class(svg, "tick")}
    (first, low), (last, high) = min(ticks.items()), max(ticks.items())
    value = [low + (at(dot, "cx") - first) / (last - first) * (high - low) for dot in of_class(svg, "dot")]
    assert value == pytest.approx([2.0, -3.0], abs=0.02)
    ends = [(at(w, "x1"), at(w, "x2")) for w in of_class(svg, "whisker")]
    found = [[low + (x - first) / (last - first) * (high - low) for x in pair] for pair in ends]
    assert np.allclose(found, [[1.0, 3.0], [-4.0, -2.0]], atol=0.02)
    assert {at(line, "x1") for line in of_class(svg, "grid")} | {
        at(line, "x1") for line in of_class(svg, "reference")
    } == set(ticks)


def test_one_table_has_no_plot():
    assert page().figure("worth-1") is None


def test_a_result_without_examples_or_command_is_drawn_too():
    tips = [sample_tip("save-the-jack")]
    del tips[0]["example"]
    result = sample_result(tips=tips)
    del result["command"]
    shown = page(result)
    assert shown.figure("example-1") is None
    assert "Whoever follows it wins 1.3 more games" in shown.text


# ---- the picture ---------------------------------------------------------------------------------------------------


def drawn(**changes):
    return read_svg(picture("key", EXAMPLE | changes, ENGLISH))


def test_the_picture_shows_hand_top_suit_and_next_player():
    svg = drawn()
    corners = [part.text for part in of_class(svg, "rank")]
    assert sorted(corners) == sorted(["J", "7", "9", "J", "Q"])
    assert len(of_class(svg, "back")) == 2 + 1  # the pile, and the next player's card
    assert svg.find("desc").text == (
        "On the table: Jack of hearts. Diamonds wished. Your hand: seven of diamonds, nine of spades, Jack of clubs, "
        "Queen of hearts. Next player: 1 card."
    )
    assert [part.text for part in of_class(svg, "said")] == ["diamonds wished"]


def test_the_card_that_obeys_is_marked_and_so_is_the_other():
    svg = drawn()
    (follows,), (instead,) = of_class(svg, "follows"), of_class(svg, "instead")
    tick, cross = (next(g for g in svg.iter("g") if any(part.get("class") == f"fill {kind}" for part in g))
                   for kind in ("good", "bad"))  # fmt: skip
    place = [float(re.match(r"translate\(([\d.]+) ([\d.]+)\)", mark.get("transform"))[1]) for mark in (tick, cross)]
    assert place == [at(follows, "x") + 1, at(instead, "x") + 1]
    cards = [group for group in svg.iter("g") if group.find("rect") is not None]
    assert [card.find("text").text for card in cards if card[0] in (follows, instead)] == ["J", "7"]


@pytest.mark.parametrize(
    ("changes", "ticks", "crosses"),
    [
        ({"follows": "draw"}, 1, 1),
        ({"follows": "7D", "instead": "draw", "owed": 2}, 1, 1),
        ({"follows": "JC:H", "instead": "JC:S"}, 1, 1),
        ({"follows": "pass", "instead": "7D", "drawn": "7D"}, 0, 1),
        ({"follows": "mau"}, 0, 1),
        ({"hand": ["7D", "7D", "QH"], "instead": "QH"}, 1, 1),
        ({"hand": [*sorted(NAMES[-24:]), "7D"], "next_hand": 30, "instead": "9S"}, 1, 1),
    ],
)
def test_whatever_the_actions_are_the_picture_holds_them(changes, ticks, crosses):
    svg = drawn(**changes)
    assert (len(of_class(svg, "good")), len(of_class(svg, "bad"))) == (ticks, crosses)
    assert len(of_class(svg, "follows")) <= 1
    for rect in svg.iter("rect"):
        assert at(rect, "x") >= 0
        assert at(rect, "x") + at(rect, "width") <= 320


def test_captions_tell_the_actions_and_what_was_drawn():
    text = page(sample_result(tips=[sample_tip("save-the-jack", example=EXAMPLE | {"drawn": "7D"})])).text
    assert "follows the tip: seven of diamonds" in text
    assert "goes against it: Jack of clubs, wishing spades" in text
    assert "The card just drawn is the seven of diamonds." in text


def test_the_example_is_a_weighed_position_whose_difference_is_nearest_to_the_mean():
    tips = [tip for tip in TIPS if tip.name in ("ordinary-cards-first", "wish-a-suit-you-hold")]
    survey = Survey(tips, Rules(), 2, None, open_mind("heuristic", Table(Rules(), 2, False)), Effort(60, 40, 2, 0, 3))
    for _ in survey.steps():
        continue
    for finding, study in zip(survey.findings(), survey.studies, strict=True):
        wins, views, example = study.mean_wins(), study.positions.views(), finding.example
        off = abs(wins - wins.mean())
        nearest = next(i for i in range(len(wins)) if off[i] <= off.min() + 1e-9)
        assert example.worth == wins[nearest]
        assert example.hand == [NAMES[card] for card in cards_in(*views[nearest]["hand"].tolist())]
        assert example.next_hand == views[nearest]["hand_sizes"][1]
        split = finding.tip.split(views[nearest : nearest + 1])
        assert split.obeying[0, ACTION_NUMBERS[example.follows]]
        assert split.against[0, ACTION_NUMBERS[example.instead]]


# ---- four languages ------------------------------------------------------------------------------------------------


def texts(shown):
    """Everything a reader sees or hears, code and names apart."""
    html = re.sub(r"<(code|pre)>.*?</\1>", "", shown.html, flags=re.DOTALL)
    return {" ".join(text.split()) for text in Page(html).texts if re.search(r"[^\W\d_]{2}", text)}


NAMES_OF_ALL = {"champion", "SHA-256", "maumau-env", "ab" * 32}


def whole_sample():
    """Two tables with every tip and every need."""
    tips = [sample_tip(tip.name, depends_on=DEPENDENCE, verdict="depends") for tip in TIPS]
    skipped = [{"name": tip.name, "needs": tip.needs} for tip in TIPS]
    match = {"rules": Rules.of("match").as_dict(), "penalty_limit": 100, "cut_short": True}
    example = EXAMPLE | {"drawn": "7D", "owed": 2, "follows": "pass"}
    few = [sample_tip(tip.name, example=example) for tip in TIPS]
    return [sample_result(2, tips, skipped=skipped), sample_result(3, few, **match)]


@pytest.mark.parametrize("code", OTHERS)
def test_no_english_is_left(code):
    for results in ([sample_result()], whole_sample()):
        english, shown = texts(page(*results)), texts(page(*results, code=code))
        assert (english & shown) - NAMES_OF_ALL == set()
        left = [
            text for text in shown if re.search(r"\b(the|and|of|with|which|games?|players?|cards?|you|tips)\b", text)
        ]
        assert left == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_page_names_its_language(code):
    assert f'<html lang="{code}">' in page(code=code).html


def test_figures_are_written_as_the_language_does():
    text = page(code="de").text
    assert "Wer ihn befolgt, gewinnt in solchen Stellungen von 100 Spielen 1,3 mehr." in text
    assert "1.500" in text
    assert "на 6,0 партии из 100 меньше" in page(code="ru").text
    assert "2 tips are unclear" in page().text
    assert "2 совета под вопросом" in page(code="ru").text


# ---- safe, whole, repeatable ---------------------------------------------------------------------------------------


def test_foreign_text_is_only_text():
    nasty = '"><script>alert(1)</script>\u202e\x00'
    result = sample_result(tips=[sample_tip(nasty, sentence=nasty, source=nasty)], command=nasty)
    result["bot"]["name"] = nasty
    shown = page(result)
    assert {tag for tag, _ in shown.tags} & {"script", "img"} == set()
    assert not set("\u202e\x00") & set(shown.html)


def test_nothing_is_loaded_and_nothing_runs():
    shown = page(sample_result(2), sample_result(3))
    assert shown.loads_or_runs == set()
    assert "default-src 'none'" in shown.html
    ids = [found["id"] for _, found in shown.tags if "id" in found]
    assert len(ids) == len(set(ids))


def test_the_result_is_left_alone_and_the_bytes_are_the_same_in_any_process(tmp_path):
    result = sample_result()
    before = copy.deepcopy(result)
    (tmp_path / "a.json").write_text(json.dumps(result), encoding="utf-8")
    command = [sys.executable, "explore.py", "tips", "--from", tmp_path / "a.json", "--language", "ru"]
    environment = os.environ | {"PYTHONHASHSEED": "1", "PYTHONPATH": str(ROOT)}
    subprocess.run(
        [*command, "--report", tmp_path / "there.html"],
        check=True,
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
    )
    write_page(tmp_path / "here.html", [result], Language("ru"))
    assert result == before
    assert (tmp_path / "here.html").read_bytes() == (tmp_path / "there.html").read_bytes()


def test_a_page_that_cannot_be_drawn_leaves_the_file_as_it_was(tmp_path):
    path = tmp_path / "out.html"
    path.write_text("last week's")
    with pytest.raises(ValueError, match="two results are of the same table"):
        write_page(path, [sample_result(), sample_result()], ENGLISH)
    assert (path.read_text(), list(tmp_path.iterdir())) == ("last week's", [path])


# ---- on the command line -------------------------------------------------------------------------------------------


@pytest.fixture
def kept(tmp_path):
    path = tmp_path / "kept.json"
    path.write_text(json.dumps(sample_result(3)), encoding="utf-8")
    return path


def test_measured_written_and_drawn_at_once(tmp_path, capsys):
    out, path = tmp_path / "tips.html", tmp_path / "tips.json"
    small = ["--bot", "heuristic", "--games", "60", "--positions", "40", "--worlds", "2", "--duels", "0"]
    options = [*small, "--only", "save-the-jack", "--set", "ace=skip", "--seed", "3"]
    explore.main(["tips", *options, "--json", str(path), "--report", str(out), "--language", "it"])
    result = json.loads(path.read_text(encoding="utf-8"))
    assert result["command"] == (
        "python explore.py tips --set ace=skip --bot heuristic --games 60 --positions 40 --worlds 2 --duels 0 --seed 3 "
        "--only save-the-jack"
    )
    assert "Tieni da parte i fanti" in capsys.readouterr().out.replace("\n", " ")
    first = out.read_bytes()
    assert b'id="example-1"' in first
    explore.main(["tips", "--from", str(path), "--report", str(out), "--language", "it"])
    assert out.read_bytes() == first


def test_the_language_is_that_of_the_environment_unless_one_is_asked_for(kept, capsys, monkeypatch):
    monkeypatch.setenv("LANGUAGE", "de")
    explore.main(["tips", "--from", str(kept)])
    assert "klassische Regeln, 3 Spieler" in capsys.readouterr().out
    explore.main(["tips", "--from", str(kept), "--language", "en"])
    assert "classic rules, 3 players" in capsys.readouterr().out


def broken(**changes):
    return json.dumps(sample_result() | changes)


UNWEIGHED = dict.fromkeys(TOGETHER[0])
NULLABLE = [name for name, kind in get_type_hints(TipResult).items() if type(None) in get_args(kind)]


@pytest.mark.parametrize("half", [name for name in NULLABLE if name != "example"])
def test_half_of_what_belongs_together_is_refused_in_one_line(tmp_path, capsys, half):
    path = tmp_path / "a.json"
    tip = sample_tip("save-the-jack", "depends", depends_on=DEPENDENCE)
    path.write_text(broken(tips=[tip | {half: None}]), encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        explore.main(["tips", "--from", str(path)])
    error = capsys.readouterr().err.strip()
    assert (ended.value.code, "\n" in error) == (2, False)
    assert str(path) in error
    assert half in error


@pytest.mark.parametrize("group", TOGETHER)
def test_what_was_not_measured_may_be_missing_as_a_whole(tmp_path, group):
    path = tmp_path / "a.json"
    tip = sample_tip("save-the-jack", "unclear") | dict.fromkeys(group)
    if "applies" in group:
        del tip["applies_interval"]  # which is there or is not, and never null
    path.write_text(broken(tips=[tip]), encoding="utf-8")
    assert explore.main(["tips", "--from", str(path), "--report", str(tmp_path / "a.html")]) == 0


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("{", "not a JSON file"),
        ("[]", "not a file of explore.py tips --json"),
        (broken(format="maumau-evaluation"), "but 'maumau-evaluation' version 1"),
        (broken(tips=[]), "there are no tips in it"),
        (broken(tips=[{"name": "x"}]), "Object missing required field"),
        (broken(players="two"), "Expected `int`, got `str`"),
        (broken(rules={}), "rules without deck"),
        (broken(tips=[sample_tip("save-the-jack", example=EXAMPLE | {"top": "1X"})]), "no card is called '1X'"),
        (broken(tips=[sample_tip("save-the-jack", "maybe")]), "Invalid enum value 'maybe'"),
        (broken(tips=[sample_tip("save-the-jack", depends_on=DEPENDENCE)]), "verdict is holds, and depends_on"),
        (broken(tips=[sample_tip("save-the-jack") | UNWEIGHED]), "verdict is holds, but there is no worth"),
    ],
)
def test_a_file_that_is_no_result_is_one_line(tmp_path, capsys, content, complaint):
    path = tmp_path / "a.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        explore.main(["tips", "--from", str(path)])
    error = capsys.readouterr().err.strip()
    assert (ended.value.code, "\n" in error) == (2, False)
    assert str(path) in error
    assert complaint in error


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--players", "4"], "--players: nothing is measured when --from gives the results"),
        (["--set", "ace=skip"], "--set: nothing is measured"),
        (["--json", "x.json"], "--json: nothing is measured"),
        (["--language", "fr"], "invalid choice: 'fr'"),
        (["--report", "no/such/folder/x.html"], "there is no folder"),
    ],
)
def test_a_mistake_is_one_line(options, said, kept, capsys):
    with pytest.raises(SystemExit) as ended:
        explore.main(["tips", "--from", str(kept), *options])
    error = capsys.readouterr().err.strip()
    assert (ended.value.code, "\n" in error) == (2, False)
    assert said in error


def test_without_the_extra_one_line_names_it():
    code = "import sys; sys.modules['jinja2'] = None; import explore; explore.main(['tips', '--report', 'x.html'])"
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, env=environment, check=False
    )
    assert run.returncode == 2
    assert "--report needs Jinja2: pip install 'maumau-env[report]'" in run.stderr
    assert "Traceback" not in run.stderr


# ---- in a browser --------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
def test_a_telephone_360_pixels_wide_need_not_scroll_sideways(tmp_path):
    pages = [page(*whole_sample(), code=code).html.replace("<details>", "<details open>") for code in LANGUAGES]
    assert widths_on_a_telephone(pages, tmp_path) == [360] * 4
