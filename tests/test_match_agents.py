"""Bots in matches: the baselines look at the points, forget Mau when told to, and all commands play whole matches."""

import json
from dataclasses import asdict, replace
from itertools import groupby

import numpy as np
import pytest
from test_agents import answers, mixture, position, words
from test_evaluate import command as command
from test_train import run

import agents
from agents.arena import Entrant, play_all
from agents.botfile import read
from agents.heuristic import Heuristic
from agents.tournament import enter, hold, seatings_of
from agents.weights import MATCH_DUEL, Sets, Weights
from maumau_env.game.actions import ACTION_NAMES, DRAW, DRAW_BIT, MAU, MAU_BIT, PASS, actions_in
from maumau_env.game.record_check import replay
from maumau_env.game.record_file import read_records
from maumau_env.game.rules import PRESETS, Rules
from maumau_env.seat.view import view_of

NOTHING_COUNTS = dict.fromkeys(asdict(MATCH_DUEL), 0.0)


def in_match(game: np.ndarray, *points: int, limit: int = 100) -> np.ndarray:
    """The game as the third round of a match in which the seats have so many points."""
    game["match"]["round"], game["match"]["penalty_limit"], game["match"]["sat"] = 3, limit, len(points)
    game["match"]["points"][0, : len(points)] = points
    return game


def choice(game: np.ndarray, **weights: float) -> str:
    """What a heuristic with these weights alone does in a match of two."""
    bot = Heuristic(weights=Sets(match_duel=Weights(**NOTHING_COUNTS | weights)))
    return ACTION_NAMES[bot.choose(view_of(game[0], int(game["seat"][0])))]


# ---- random that plays when it can ---------------------------------------------------------------------------------


def test_eager_is_random_but_plays_when_it_can():
    game = position(["7H KS 9H JC", "QD 8D"], "10H", preset="match")
    assert answers("random", game) == {"7H", "9H", "JC:C", "JC:D", "JC:H", "JC:S", "draw"}
    assert answers("eager", game) == {"7H", "9H", "JC:C", "JC:D", "JC:H", "JC:S"}
    assert answers("eager", position(["7S KS", "QD 8D"], "10H", pile="2C 3C", preset="match")) == {"draw"}
    assert answers("eager", position(["KS 7S", "QD"], "10H", "draw", "QH QS")) == {"QH"}  # it may also pass (C6)


def test_random_draws_itself_to_death_under_the_match_rules_and_eager_does_not():
    share = {}
    for bot in ("random", "eager"):
        tournament, _ = hold(enter([bot]), PRESETS["match"], 2, 400, seed=3)
        share[bot] = tournament.bots[0].too_long
    assert share["random"] > 0.65  # three rounds in four
    assert share["eager"] == 0


# ---- Mau -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bot", ["greedy", "heuristic"])
def test_c15_a_baseline_says_mau_unless_it_forgets(bot):
    game = position(["7H KS", "QD 8D 9C"], "10H", preset="match")
    assert answers(bot, game) == {"mau"}
    assert answers(f"{bot}:forgets_mau=1", game) == {"7H"}
    view = np.repeat(view_of(game[0], 0), 4000)
    said = agents.make(bot, forgets_mau=0.2).act(view, words(4000)) == MAU
    assert abs(said.mean() - 0.8) < 4 * np.sqrt(0.2 * 0.8 / 4000)
    assert (view["legal"] & MAU_BIT).all()  # the views are the caller's, and stay as they were


def test_c15_what_is_forgotten_changes_nothing_else():
    game = position(["7H KS 9H 8H", "QD 8D 9C"], "10H", preset="match")
    view = np.repeat(view_of(game[0], 0), 200)
    plain, forgetful = (agents.make("greedy", forgets_mau=share).act(view, words(200)) for share in (0, 0.9))
    assert plain.tolist() == forgetful.tolist()


@pytest.mark.parametrize("share", ["-0.1", "1.5", "often"])
def test_how_often_mau_is_forgotten_is_a_share(share):
    with pytest.raises(ValueError, match=r"it is a share from 0 to 1"):
        agents.make(f"greedy:forgets_mau={share}")


def test_forgetting_mau_costs_matches():
    field = enter(["heuristic", "heuristic:forgets_mau=0.5"])
    tournament, _ = hold(field, PRESETS["match"], 2, 2000, seed=5, penalty_limit=100)
    assert tournament.bots[0].win_rate_interval[0] > 0.55


# ---- points --------------------------------------------------------------------------------------------------------


def test_m1_the_heuristic_throws_high_cards_when_points_count():
    hands = ["10H 3H 5C", "QD 8D 9C"]
    game = position(hands, "6H", preset="match")
    assert choice(in_match(game, 0, 0), burden=-1, draw=-9) == "10H"
    assert choice(game, burden=1, draw=-9) == "3H"  # the weight decides, not chance


def test_m2_the_heuristic_denies_whoever_is_close_to_the_limit():
    # All tens but two are in my hand or lie open, and so is no queen: whoever has to serve hearts has the queens left.
    hands = ["10H QH 10C 10D 10S 10C 10D", "KC KD KS"]
    game = position(hands, "10H 6H", preset="match")
    assert choice(in_match(game, 0, 90), deny_near=1, draw=-9) == "10H"
    assert choice(game, deny_near=-1, draw=-9) == "QH"


def test_m2_the_points_have_no_weight_in_a_single_round():
    game = position(["10H 3H 5C", "QD 8D 9C"], "6H", preset="match")
    view = np.repeat(view_of(game[0], 0), 100)
    points = NOTHING_COUNTS | {"burden": -9, "deny_near": 9, "draw": -1}
    blind = Heuristic(weights=Sets(duel=Weights(**NOTHING_COUNTS | {"draw": -1})))
    seeing = Heuristic(weights=Sets(duel=Weights(**points)))
    assert blind.act(view, words(100)).tolist() == seeing.act(view, words(100)).tolist()


def test_c11_the_heuristic_chains_aces():
    # The two aces and the ten go in one turn: whatever else is played leaves cards in hand.
    game = position(["AH AS 10S", "QD 8D 9C"], "6H", preset="match")
    assert answers("heuristic", game) == {"AH"}
    assert answers("heuristic", position(["AH AS 10S", "QD 8D 9C"], "6H", "AH", preset="match")) == {"mau"}
    assert answers("heuristic", position(["AH AS 10S", "QD 8D 9C"], "6H", "AH mau", preset="match")) == {"AS"}


def test_the_tuned_weights_for_matches_pay():
    """Against the same heuristic with the weights for single rounds."""
    rounds_only = Heuristic(weights=Sets(match_duel=Sets().duel, match_table=Sets().table))
    field = [*enter(["heuristic"]), Entrant("rounds only", rounds_only)]
    tournament, _ = hold(field, PRESETS["match"], 2, 4000, seed=6, penalty_limit=100)
    assert tournament.bots[0].win_rate_interval[0] > 0.5


# ---- always legal --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 5])
@pytest.mark.parametrize("rules", [*PRESETS.values(), *map(mixture, range(5))], ids=str)
def test_baselines_play_whole_matches_under_any_rules(rules, players):
    names = ["eager", "greedy", "heuristic:forgets_mau=0.3"]
    short = rules.replace(max_turns=60)
    results = play_all(enter(names), seatings_of(3, players)[:6], 2, short, seed=1, penalty_limit=40)
    assert (results.rounds >= 1).all()
    assert (results.ranks.min(axis=1) == 1).all()


def test_eager_never_draws_what_it_need_not():
    results = play_all(enter(["eager"]), seatings_of(1, 3), 20, PRESETS["classic"], seed=1, keep_moves=True)
    assert sum(PASS in moves for moves in results.moves) == 0
    assert sum(DRAW in moves for moves in results.moves) > 0
    legal = actions_in(DRAW_BIT)
    assert legal == [DRAW]


# ---- tournaments ---------------------------------------------------------------------------------------------------


def test_equal_bots_share_a_match_evenly_and_equal_seeds_repeat_it():
    first, again = (hold(enter(["greedy", "greedy"]), PRESETS["match"], 2, 60, 4, penalty_limit=50)[0] for _ in "ab")
    assert first == again
    assert [bot.win_rate for bot in first.bots] == [0.5, 0.5]  # every deal is played from both seats
    assert first.penalty_limit == 50
    assert first.bots[0].mean_rounds > 1


def test_the_number_of_tables_changes_nothing_in_matches():
    field, rules = enter(["eager", "heuristic"]), PRESETS["classic"]
    some, all_at_once = (hold(field, rules, 3, 60, 4, tables=tables, penalty_limit=60)[1] for tables in (7, 100))
    for figures in ("ranks", "turns", "rounds", "stuck", "too_long"):
        assert np.array_equal(getattr(some, figures), getattr(all_at_once, figures))


def test_evaluate_plays_matches(command, tmp_path):
    path, report = tmp_path / "m.jsonl", tmp_path / "m.json"
    line = f"heuristic greedy eager --match --players 3 --games 12 --records {path} --json {report}"
    code, out, err = command(line)
    assert (code, err) == (0, "")
    assert "match, 3 players, matches up to 100 points" in out
    assert "rounds" in out
    told = json.loads(report.read_text())
    assert (told["penalty_limit"], told["players"], told["games"]) == (100, 3, 12)
    records = list(read_records(path))
    rounds = [len(list(match)) for _, match in groupby(records, key=lambda record: record.match.id)]
    assert len(rounds) == 12
    assert sum(rounds) / 12 == pytest.approx(np.mean([bot["mean_rounds"] for bot in told["bots"]]))
    for record in records:
        replay(record)


@pytest.mark.parametrize(
    ("flags", "reason"),
    [
        ("--penalty-limit 50", "penalty_limit 50: that is for matches, which match asks for"),
        ("--match --penalty-limit 0", "penalty_limit=0: it is a whole number from 1 to 10,000"),
    ],
)
def test_evaluate_refuses_a_limit_that_means_nothing(command, flags, reason):
    code, _, err = command(f"greedy random {flags}")
    assert code == 2
    assert reason in err


def test_evaluate_plays_any_rules_as_a_match(command):
    code, out, _ = command("heuristic greedy --match --rules classic --set ace=skip --penalty-limit 30 --games 20")
    assert code == 0
    assert "classic, ace=skip, 2 players, matches up to 30 points" in out


# ---- training ------------------------------------------------------------------------------------------------------


def test_a_bot_is_trained_in_matches_and_plays_wherever_its_rules_hold(tmp_path, capsys):
    code, folder = run("--players", "3", "--penalty-limit", "40", "--reward", "points", "--choices", "3000",
                       "--final-games", "20", "--progress-games", "10", runs=tmp_path)  # fmt: skip
    assert code == 0
    bot = folder / "bot.safetensors"
    header, _ = read(bot)
    assert (header.players, header.penalty_limit) == ([2, 3], 40)
    assert {strength.penalty_limit for strength in header.strength} == {40}
    last_line = capsys.readouterr().out.splitlines()[-1]
    assert last_line.endswith("heuristic --players 3 --match --penalty-limit 40 --rules classic")
    assert {record.match.penalty_limit for record in read_records(folder / "game.jsonl")} == {40}
    for limit in (40, 70, None):  # in matches of another length, and in single rounds
        tournament, _ = hold(enter([str(bot), "greedy"]), PRESETS["classic"], 3, 12, 1, penalty_limit=limit)
        assert tournament.games >= 12


def test_a_bot_trained_on_rounds_sits_in_a_match(tmp_path):
    _, folder = run("--choices", "2000", "--final-games", "20", "--progress-games", "10", runs=tmp_path)
    bot = str(folder / "bot.safetensors")
    tournament, _ = hold(enter([bot, "greedy"]), Rules(), 2, 20, 1, penalty_limit=60)
    assert tournament.bots[0].mean_rounds > 1


def test_a_bot_that_cannot_play_the_smaller_tables_of_a_match_is_refused(tmp_path):
    _, folder = run("--players", "3", "--choices", "2000", "--final-games", "20", "--progress-games", "10",
                    runs=tmp_path)  # fmt: skip
    with pytest.raises(ValueError, match="trained for 3 players, not for 2"):
        hold(enter([str(folder / "bot.safetensors"), "greedy"]), Rules(), 3, 20, 1, penalty_limit=60)


def test_the_weights_of_matches_are_those_that_play(monkeypatch):
    game = in_match(position(["JH KH QS 8C", "QC 8D 9C"], "10H"), 10, 20)
    spender = Heuristic(weights=Sets(match_duel=replace(MATCH_DUEL, jacks=-20)))
    assert ACTION_NAMES[spender.choose(view_of(game[0], 0))].startswith("JH:")
