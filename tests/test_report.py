"""The report of a tournament: every figure is the result's, and the page is safe, whole, readable and repeatable."""

import copy
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from reportpage import CHROMIUM, Page, at, of_class, scale, widths_on_a_telephone
from sample_result import around, sample_result

from agents.tournament import figures
from agents.tournament.report import render, write_report

ROOT = Path(__file__).resolve().parents[1]
NBSP = "\N{NO-BREAK SPACE}"
TWENTY = ["heuristic", *(f"runs/2026-11-{day:02d}/checkpoints/bot_{day}.safetensors" for day in range(1, 20))]


def page(result):
    return Page(render(result))


def last_named_best(names=("random", "greedy", "heuristic"), **changes):
    """The sample with its bots entered worst first, so that the page must put them, and the cross-table, in order."""
    result = sample_result(names[::-1], **changes)
    result["bots"].reverse()
    result["cross_table"] = [row[::-1] for row in result["cross_table"][::-1]]
    return result


# ---- every figure is the result's ----------------------------------------------------------------------------------


def test_the_score_table_holds_the_results_figures_best_bot_first():
    result = last_named_best()
    result["bots"][0]["forfeits"]["raised"] = 3
    heading, *rows = page(result).tables()[0]
    assert heading == [["bot"], ["games"], ["win rate"], ["placement"], ["points"], ["rating"], ["forfeits"]]
    assert [row[0] for row in rows] == [["1", "heuristic"], ["2", "greedy"], ["3", "random"]]
    for row, bot in zip(rows, result["bots"][::-1], strict=True):
        won, placed, lost = bot["win_rate_interval"], bot["mean_placement_interval"], bot["points_interval"]
        rated = bot["rating_interval"]
        assert row[1:] == [
            [f"{bot['games']:,}"],
            [f"{100 * bot['win_rate']:.2f}{NBSP}%", f"{100 * won[0]:.2f}–{100 * won[1]:.2f}{NBSP}%"],
            [f"{bot['mean_placement']:.3f}", f"{placed[0]:.3f}–{placed[1]:.3f}"],
            [f"{bot['points']:.2f}", f"{lost[0]:.2f}–{lost[1]:.2f}"],
            [f"{bot['rating']:.0f}", *([f"{rated[0]:.0f}–{rated[1]:.0f}"] if bot["name"] != "heuristic" else [])],
            ["3" if bot["name"] == "random" else "0"],
        ]


def test_the_cross_table_holds_the_results_figures_in_the_order_of_the_score_table():
    result = last_named_best()
    svg = page(result).figure("cross-table")
    cells = list(svg.iter("g"))
    assert len(cells) == 9
    for place, cell in enumerate(cells):
        i, j = divmod(place, 3)
        expected = result["cross_table"][2 - i][2 - j]
        texts = [part.text for part in cell.iter("text")]
        if expected is None:
            assert texts == ["–"]
        else:
            low, high = expected["interval"]
            assert texts == [f"{100 * expected['ahead']:.1f}", f"{100 * low:.1f}–{100 * high:.1f}"]


def test_a_cell_is_bold_exactly_when_its_interval_leaves_out_one_half():
    result = sample_result(["a", "b", "c"])
    for (i, j), interval in {
        (0, 1): [0.49, 0.53],
        (0, 2): [0.502, 0.55],
        (1, 0): [0.47, 0.51],
        (2, 0): [0.4, 0.49],
    }.items():
        result["cross_table"][i][j] = {"ahead": sum(interval) / 2, "interval": interval, "games": 100}
    result["cross_table"][1][2] = result["cross_table"][2][1] = None
    bold = [part.text for part in of_class(page(result).figure("cross-table"), "sure")]
    assert bold == ["52.6", "44.5"]


def test_the_ratings_and_their_intervals_lie_where_the_axis_says():
    result = sample_result(spread=37.0)
    svg = page(result).figure("ratings")
    value = scale(svg, "x")
    dots, whiskers = of_class(svg, "dot"), of_class(svg, "whisker")
    for dot, whisker, bot in zip(dots, whiskers, result["bots"], strict=True):
        assert value(at(dot, "cx")) == pytest.approx(bot["rating"], abs=0.01)
        assert value(at(whisker, "x1")) == pytest.approx(bot["rating_interval"][0], abs=0.01)
        assert value(at(whisker, "x2")) == pytest.approx(bot["rating_interval"][1], abs=0.01)
    (reference,) = of_class(svg, "reference")
    assert value(at(reference, "x1")) == pytest.approx(1500, abs=0.01)
    assert [part.text for part in of_class(svg, "value")] == ["1500", "1463 (1458–1468)", "1426 (1422–1430)"]


@pytest.mark.parametrize("players", [2, 5])
def test_the_win_rates_by_seat_lie_where_the_axis_says(players):
    result = sample_result(players=players)
    shown = page(result)
    for key, rates in [
        ("seats", result["seats"]),
        *((f"seats-{n + 1}", bot["by_seat"]) for n, bot in enumerate(result["bots"])),
    ]:
        svg = shown.figure(key)
        value = scale(svg, "y")
        dots, whiskers = of_class(svg, "dot"), of_class(svg, "whisker")
        for dot, whisker, rate in zip(dots, whiskers, rates, strict=True):
            low, high = rate["win_rate_interval"]
            assert value(at(dot, "cy")) == pytest.approx(100 * rate["win_rate"], abs=0.01)
            assert [value(at(whisker, end)) for end in ("y1", "y2")] == pytest.approx([100 * low, 100 * high], abs=0.01)
        (even,) = of_class(svg, "reference")
        assert value(at(even, "y1")) == pytest.approx(100 / players, abs=0.01)


def test_the_parts_of_the_placement_bars_are_the_shares():
    result = sample_result(["a", "b"], players=4)
    svg = page(result).figure("placements")
    parts = [part for part in of_class(svg, "part", "rect") if at(part, "height") == 20]
    expected = [share for bot in result["bots"] for share in bot["placements"]]
    assert [at(part, "width") / (figures.WIDTH - 2 * figures.EDGE) for part in parts] == pytest.approx(
        expected, abs=1e-4
    )
    assert at(parts[1], "x") == pytest.approx(at(parts[0], "x") + at(parts[0], "width"), abs=0.02)


def test_the_lengths_are_as_high_as_there_are_games():
    result = sample_result(lengths={"turns": [0, 10, 20, 30], "games": [100, 5000, 900]})
    svg = page(result).figure("lengths")
    games = scale(svg, "y")
    bars = of_class(svg, "bar")
    assert [games(at(bar, "y")) for bar in bars] == pytest.approx([100, 5000, 900], abs=1)
    assert {games(at(bar, "y") + at(bar, "height")) for bar in bars} == {0}


def test_where_bins_differ_in_width_their_areas_are_games():
    result = sample_result(lengths={"turns": [0, 10, 20, 60], "games": [100, 400, 800]})
    svg = page(result).figure("lengths")
    assert "games for each 10 turns" in [part.text for part in of_class(svg, "tick")]
    assert [scale(svg, "y")(at(bar, "y")) for bar in of_class(svg, "bar")] == pytest.approx([100, 400, 200], abs=0.1)


def test_luck_and_skill_share_the_bar():
    result = sample_result(
        luck={"cards": 0.5, "cards_interval": [0.4, 0.6], "skill": 0.1, "skill_interval": None, "rest": 0.4}
    )
    shown = page(result)
    bar = [at(part, "width") for part in of_class(shown.figure("luck"), "part") if at(part, "height") == 30]
    assert bar == pytest.approx([192, 38.4, 153.6], abs=0.01)
    assert f"The cards dealt decide 50.00{NBSP}% (40.00–60.00{NBSP}%) of who wins" in shown.html
    assert f"which bot plays decides 10.00{NBSP}%. The rest, 40.00{NBSP}%," in re.sub(r"\s*\n\s*", " ", shown.html)


def test_how_the_bots_play_is_in_the_second_table():
    result = sample_result(["a"])
    heading, row = page(result).tables()[1]
    figures_of = dict(zip((cell[0] for cell in heading), row, strict=True))
    assert figures_of["decisions"] == ["123,456"]
    assert figures_of["real choices"] == ["60,000"]
    assert figures_of["drew when it could play"] == ["–"]
    assert figures_of["Jacks saved"] == [f"41.00{NBSP}%"]
    assert figures_of["cards left when losing"] == ["3.40"]
    assert figures_of["decisions per second"] == [f"{result['bots'][0]['decisions']['per_second']:,.0f}"]


def test_every_colour_of_the_scale_is_darker_than_the_one_before_and_legible_under_its_figure():
    before = 1.1
    for step in range(101):
        fill, ink = figures.shade(step / 100)
        light, dark = (figures.luminance(bytes.fromhex(colour[1:])) for colour in (fill, ink))
        assert light < before
        assert (max(light, dark) + 0.05) / (min(light, dark) + 0.05) >= 4.5
        before = light


# ---- what it says --------------------------------------------------------------------------------------------------


def duel(ahead, reach, names=("champion", "heuristic"), **changes):
    result = sample_result(names, **changes)
    for bot, other, share in ((0, 1, ahead), (1, 0, 1 - ahead)):
        result["cross_table"][bot][other] = {"ahead": share, "interval": around(share, reach), "games": 1000}
        result["bots"][bot]["win_rate"] = share
    return result


SEQUENTIAL = {
    "rule": "better",
    "bots": ["champion", "heuristic"],
    "by": 0.01,
    "alpha": 0.05,
    "beta": 0.1,
    "deals": 1200,
}


@pytest.mark.parametrize(
    ("result", "headline"),
    [
        (
            duel(0.56, 0.02),
            "champion wins most: 56.00 % of its games, 12.00 percentage points more than heuristic, and this is more "
            "than luck: it is ahead of heuristic by more than chance explains.",
        ),
        (
            duel(0.51, 0.02),
            "champion wins most: 51.00 % of its games, 2.00 percentage points more than heuristic; but this may be "
            "luck: nothing here shows that it is better than heuristic.",
        ),
        (
            duel(0.44, 0.02),
            "heuristic wins most: 56.00 % of its games, 12.00 percentage points more than champion, and this is more "
            "than luck: it is ahead of champion by more than chance explains.",
        ),
        (
            duel(0.5, 0.02),
            "champion and heuristic share the highest win rate, 50.00 %; but this may be luck: nothing here shows that "
            "champion is better than heuristic.",
        ),
        (
            duel(0.56, 0.02, stopped=SEQUENTIAL | {"verdict": "undecided"}),
            "champion wins most: 56.00 % of its games, 12.00 percentage points more than heuristic; but this may be "
            "luck: nothing here shows that it is better than heuristic.",
        ),
        (
            duel(0.51, 0.02, stopped=SEQUENTIAL | {"verdict": "better"}),
            "champion wins most: 51.00 % of its games, 2.00 percentage points more than heuristic, and this is more "
            "than luck: it is ahead of heuristic by more than chance explains.",
        ),
        (duel(0.56, 0.02, names=["a", "a"]), "a (no. 1) wins most: 56.00 % of its games, 12.00 percentage points more "
         "than a (no. 2), and this is more than luck: it is ahead of a (no. 2) by more than chance explains."),
        (sample_result(["a"]), "a played alone: there is nobody to compare it with."),
    ],
)  # fmt: skip
def test_the_headline_says_who_leads_and_whether_it_is_luck(result, headline):
    assert page(result).headline() == headline


def test_the_leader_must_be_ahead_of_every_bot():
    result = sample_result(["a", "b", "c"], players=3)
    assert page(result).headline().endswith("it is ahead of every other bot by more than chance explains.")
    result["cross_table"][0][2]["interval"] = [0.499, 0.8]
    assert page(result).headline().endswith("; but this may be luck: nothing here shows that it is better than c.")


def test_a_bot_that_beats_the_leader_is_named():
    result = sample_result(["a", "b", "c"], players=3)
    result["cross_table"][2][0]["interval"] = [0.51, 0.53]
    assert page(result).headline().endswith("; but where they meet, c is ahead of a, and that is more than luck.")


def test_bots_that_never_met_are_told_apart_by_win_rates_that_do_not_touch():
    result = sample_result(["a", "b"])
    result["cross_table"] = [[None, None], [None, None]]
    result["bots"][0]["win_rate_interval"], result["bots"][1]["win_rate_interval"] = [0.55, 0.6], [0.4, 0.55]
    assert "this may be luck" in page(result).headline()
    result["bots"][1]["win_rate_interval"] = [0.4, 0.549]
    assert "this is more than luck" in page(result).headline()


def test_forfeits_cheats_and_few_deals_are_said_aloud():
    result = sample_result(deals=29)
    result["bots"][1]["forfeits"] = {"raised": 10, "too_slow": 2, "illegal": 0}
    result["bots"][2]["cheats"] = True
    text = page(result).text
    reasons = "10 raised (first: KeyError: 'weights') and 2 too slow (first: no answer within 10 s)"
    assert f"greedy forfeited 12 games: {reasons}." in text
    assert "random sees all hands: it is for measuring alone." in text
    assert "Only 29 deals were played: the intervals are not worth much." in text


@pytest.mark.parametrize(
    ("stopped", "sentence"),
    [
        (None, "The number of games was fixed beforehand."),
        (
            {"rule": "within", "within": 0.005, "confidence": 0.95, "reached": True},
            "Played until the win rates were known to within ±0.5 percentage points at 95 % confidence.",
        ),
        (
            SEQUENTIAL | {"verdict": "not better"},
            "whether champion is better than heuristic, by 1 percentage point. After 1,200 deals: champion is not "
            "better than heuristic by so much. Such a test calls a bot better that is not in at most 5 % of cases, and "
            "overlooks one that is better by so much in at most 10 %.",
        ),
    ],
)
def test_the_stopping_rule_and_its_verdict_are_told(stopped, sentence):
    assert sentence in page(sample_result(["champion", "heuristic"], stopped=stopped)).text


def test_circles_are_told_and_so_is_that_there_are_none():
    found = page(sample_result(cycles=[{"bots": ["heuristic", "greedy", "random"], "p": 0.003}])).text
    assert "heuristic beats greedy beats random beats heuristic (p = 0.003): no single number" in found
    assert "No three bots were found to beat each other in a circle" in page(sample_result()).text


def test_seats_that_differ_from_the_even_share_are_named():
    rates = [(0.36, 0.02), (0.33, 0.02), (0.31, 0.02)]
    result = sample_result(
        players=3, seats=[{"win_rate": rate, "win_rate_interval": around(rate, reach)} for rate, reach in rates]
    )
    assert "even share of 33.33 %, in percentage points: seat 0 +2.67 and seat 2 −2.33." in page(result).text


def test_command_seed_versions_and_rules_are_there_and_what_differs_comes_first():
    result = sample_result(seed=77)
    result["rules"] |= {"ace": "skip", "max_turns": 300}
    shown = page(result)
    assert "python evaluate.py heuristic greedy random --players 2 --games 20000 --seed 77" in shown.text
    for name, value in {"seed": "77", "maumau-env": "0.1.0", "numpy": "2.4.6", "python": "3.11.7"}.items():
        assert f"<dt>{name}</dt><dd>{value}</dd>" in shown.html
    names = re.findall(r"<dt>(\w+)</dt>", shown.html.partition("<h3>Rules: classic, ace=skip, max_turns=300</h3>")[2])
    assert names[:3] == ["ace", "max_turns", "deck"]
    assert set(names) == set(result["rules"])
    assert "ace skip classic: plain" in shown.text


# ---- safe and whole ------------------------------------------------------------------------------------------------


def test_a_bots_name_is_text_wherever_it_stands():
    name = "<script>alert(1)</script>.safetensors"
    result = sample_result(
        [name, '"><img src=x onerror=alert(1)>', "a"], cycles=[{"bots": [name, "a", "b"], "p": 0.01}]
    )
    result["bots"][0]["forfeits"]["raised"] = 1
    result["ratings"]["anchor"] = name
    result["stopped"] = {**SEQUENTIAL, "bots": [name, "a"], "verdict": "better"}
    shown = page(result)
    assert {tag for tag, _ in shown.tags} & {"script", "img"} == set()
    assert not [name for _, attributes in shown.tags for name in attributes if name.startswith("on")]
    assert f"{name} forfeited 1 game: 1 raised (first: KeyError: 'weights')." in shown.text


def test_control_characters_and_turned_writing_in_names_are_made_visible():
    html = render(sample_result(["a\u202eb\x00\n", "surrogate\udc80"]))
    assert "a�b��" in html
    assert "surrogate�" in html
    assert not set("\u202e\x00\udc80") & set(html)


@pytest.mark.parametrize("names", [["a", "b"], TWENTY])
def test_nothing_is_loaded_and_nothing_runs(names):
    shown = page(sample_result(names))
    assert shown.loads_or_runs == set()
    assert "default-src 'none'" in shown.html


def test_long_names_lose_their_middle_and_are_whole_in_the_title():
    name = "/home/somebody/a/very/long/way/to/the/runs/of/last/year/classic_2p/bot.safetensors"
    shown = page(sample_result([name, "heuristic"]))
    (cell,) = [row[0] for row in shown.tables()[0] if row[0][0] == "1"]
    assert cell == ["1", "/home/somebod…classic_2p/bot.safetensors"]
    assert ("span", {"title": name}) in shown.tags


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("names", [["heuristic"], ["a", "b"], TWENTY], ids=len)
def test_any_field_gives_a_page_with_all_its_figures(names, players):
    shown = page(sample_result(names, players))
    expected = ["placements", "lengths", "seats", *(f"seats-{number + 1}" for number in range(len(names)))]
    expected += ["ratings", "luck", "cross-table"] if len(names) > 1 else []
    drawn = [attributes["id"] for tag, attributes in shown.tags if tag == "svg"]
    assert sorted(drawn) == sorted(expected)
    for key in drawn:
        svg = shown.figure(key)
        assert svg.get("aria-labelledby") == f"{key}-title {key}-desc"
        assert svg.find("title").text
        assert svg.find("desc").text
    ids = [attributes["id"] for _, attributes in shown.tags if "id" in attributes]
    assert len(ids) == len(set(ids))


def test_what_cannot_be_said_is_a_dash_and_not_a_fault():
    result = sample_result(["a", "b"], luck=None, ratings=None, package_version=None)
    result["cross_table"] = [[None, None], [None, None]]
    for bot in result["bots"]:
        kept = ("name", "win_rate", "games", "forfeits", "decisions", "by_seat", "cheats")
        bot.update(dict.fromkeys(set(bot) - set(kept)))
        bot["win_rate_interval"] = None
        bot["decisions"] = dict.fromkeys(bot["decisions"])
        bot["by_seat"] = [{"win_rate": None, "win_rate_interval": None}] * 2
    result["seats"] = result["bots"][0]["by_seat"]
    result["lengths"] = {"turns": [0], "games": []}
    shown = page(result)
    assert "None" not in shown.text
    assert "nan" not in shown.text
    assert [tag for tag, _ in shown.tags if tag == "svg"] == []
    assert shown.tables()[0][1][3:] == [["–"], ["–"], ["–"]]


def test_the_result_itself_is_left_alone():
    result = last_named_best()
    before = copy.deepcopy(result)
    render(result)
    assert result == before


def test_equal_results_give_equal_bytes_in_any_process(tmp_path):
    result = sample_result(TWENTY, 4)
    (tmp_path / "result.json").write_text(json.dumps(result))
    code = (
        "import json, sys; from pathlib import Path; from agents.tournament.report import write_report; "
        "write_report(Path(sys.argv[2]), json.loads(Path(sys.argv[1]).read_text()))"
    )
    command = [sys.executable, "-c", code, tmp_path / "result.json", tmp_path / "there.html"]
    subprocess.run(command, check=True, cwd=ROOT, env=os.environ | {"PYTHONHASHSEED": "1"})
    write_report(tmp_path / "here.html", result)
    assert (tmp_path / "here.html").read_bytes() == (tmp_path / "there.html").read_bytes()


# ---- whole or not at all -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (
            {"version": 1},
            "a report is drawn from 'maumau-evaluation', version 2; this is 'maumau-evaluation', version 1",
        ),
        ({"format": None}, "a report is drawn from 'maumau-evaluation', version 2; this is None, version 2"),
        ({"rules": {"deck": 32}}, "rules without hand_size"),
    ],
)
def test_a_result_that_cannot_be_drawn_leaves_the_file_as_it_was(tmp_path, change, complaint):
    path = tmp_path / "out.html"
    path.write_text("last week's")
    with pytest.raises(ValueError, match=complaint):
        write_report(path, sample_result() | change)
    assert path.read_text() == "last week's"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_cannot_be_put_in_place_leaves_nothing_behind(tmp_path):
    (tmp_path / "out.html").mkdir()
    with pytest.raises(OSError, match=r"out\.html"):
        write_report(tmp_path / "out.html", sample_result())
    assert [path.name for path in tmp_path.iterdir()] == ["out.html"]


def test_without_the_extra_one_line_names_it_and_tournaments_still_import():
    code = (
        "import sys; sys.modules['jinja2'] = None\n"
        "import agents.tournament\n"
        "try: import agents.tournament.report\n"
        "except ImportError as error: print(error)"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout == 'a report needs Jinja2: pip install "maumau-env[report]"\n'


# ---- in a browser --------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
def test_a_telephone_360_pixels_wide_need_not_scroll_sideways(tmp_path):
    results = sample_result(), sample_result(TWENTY, 5), sample_result(["W" * 300, "heuristic"])
    assert widths_on_a_telephone(map(render, results), tmp_path) == [360] * 3
