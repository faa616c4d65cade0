"""The baselines and `agents.make`: always legal, deterministic, and sensible where a person would be."""

import json
import os
import subprocess
import sys
from dataclasses import asdict, replace
from importlib.metadata import EntryPoint
from textwrap import dedent

import numpy as np
import pytest

import agents
from agents import AgentError, table
from agents.arena import Entrant, play_all
from agents.heuristic import Heuristic
from agents.tournament import seatings_of
from agents.weights import DUEL, Sets, Weights
from maumau_env.game import batch
from maumau_env.game.actions import ACTION_NAMES, action_number
from maumau_env.game.bits import scramble
from maumau_env.game.cards import ALL_CARDS
from maumau_env.game.record import set_up
from maumau_env.game.result import ranking
from maumau_env.game.rules import CHOICES, PRESETS, Rules
from maumau_env.seat.view import view_of, views

BASELINES = ("random", "eager", "greedy", "heuristic")
SWITCHES = ("cover_special_start", "must_play", "play_drawn", "draw_then_play", "jack_on_jack", "win_with_jack",
            "nine_skips_with_two", "final_seven_draws")  # fmt: skip


def words(count: int, seed: int = 0) -> np.ndarray:
    return np.array([scramble(np.uint64(1000 * seed + i)) for i in range(count)], np.uint64)


def answers(bot: str, game: np.ndarray, count: int = 40) -> set[str]:
    """Everything a bot does with a position when asked often, each time with another word."""
    view = np.repeat(view_of(game[0], int(game["seat"][0])), count)
    return {ACTION_NAMES[action] for action in agents.make(bot).act(view, words(count))}


def position(hands, discard, moves="", pile="", preset="classic", **options) -> np.ndarray:
    """A game with these cards, after these moves, as in `position(["7H KS", "QD"], "10H", "7H")`."""
    game = set_up(Rules.of(preset, **options), [hand.split() for hand in hands], discard.split(), pile.split())
    for move in moves.split():
        batch.step(game, np.array([action_number(move)]))
    return game


def mixture(seed: int) -> Rules:
    """A mixture of the options of both presets."""
    rng = np.random.default_rng(seed)
    options = {name: bool(rng.integers(2)) for name in SWITCHES}
    options |= {name: str(rng.choice(values)) for name, values in CHOICES.items()}
    deck = int(rng.choice([32, 104, 12, 16]))
    return Rules(deck=deck, hand_size=int(rng.integers(1, min(6, (deck - 1) // 5 + 1))), max_turns=300, **options)


# ---- always legal, always the same ---------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("rules", [*PRESETS.values(), *map(mixture, range(12))], ids=str)
def test_baselines_never_act_illegally(rules, players):
    entrants = [Entrant(name, agents.make(name)) for name in BASELINES]
    seatings = seatings_of(len(BASELINES), players)
    results = play_all(entrants, seatings, -(-120 // len(seatings)), rules, seed=1, keep_moves=True)
    assert sum(map(len, results.moves)) > len(results.moves)  # every one of them was checked by the game itself


@pytest.mark.parametrize("bot", BASELINES)
def test_an_answer_depends_on_view_and_word_alone(bot):
    games = batch.deal(Rules.of("match"), 3, seed=1, count=300)
    batch.play_at_random(games, 9, seed=2)
    seen, chance = views(games), words(300)
    together = agents.make(bot).act(seen, chance)
    assert together.dtype == np.int64
    backwards = agents.make(bot, seed=7).act(seen[::-1], chance[::-1])[::-1]
    one_by_one = [agents.make(bot).act(seen[i : i + 1], chance[i : i + 1])[0] for i in range(300)]
    assert together.tolist() == backwards.tolist() == one_by_one


@pytest.mark.parametrize("bot", BASELINES)
def test_a_view_of_a_seat_that_is_not_to_move_is_refused(bot):
    game = batch.deal(Rules(), 2, 1, 1)
    with pytest.raises(ValueError, match="not to move"):
        agents.make(bot).act(view_of(game[0], 1), words(1))


PLAY_SOME = """
    import json, agents
    from agents.arena import Entrant, play_all
    from agents.tournament import seatings_of
    from maumau_env.game.rules import Rules
    entrants = [Entrant(name, agents.make(name)) for name in ("random", "greedy", "heuristic")]
    results = play_all(entrants, seatings_of(3, 3), 1, Rules.of("match", max_turns=60), 5, keep_moves=True)
    print(json.dumps([moves.tolist() for moves in results.moves]))
"""


def played(**environment: str) -> list[list[int]]:
    """The moves of PLAY_SOME in a fresh process."""
    command = [sys.executable, "-c", dedent(PLAY_SOME)]
    run = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_compiled_cached_and_interpreted_agents_play_the_same_games():
    first = played()
    assert first == played()  # from the cache on disk
    assert first == played(NUMBA_DISABLE_JIT="1")
    assert sum(map(len, first)) > 100


def test_choose_plays_by_the_agents_own_seed():
    view = view_of(batch.deal(Rules(), 2, 3, 1)[0], 0)
    one, same, other = (agents.make(f"random:seed={seed}") for seed in (1, 1, 2))
    choices = [[agent.choose(view) for _ in range(30)] for agent in (one, same, other)]
    assert choices[0] == choices[1] != choices[2]
    assert len(set(choices[0])) > 1


# ---- random --------------------------------------------------------------------------------------------------------


def test_random_takes_every_legal_action_equally_often():
    game = position(["7H KH JC", "QD"], "10H", pile="8C 9C")
    view = np.repeat(view_of(game[0], 0), 6000)
    counts = np.bincount(agents.make("random").act(view, words(6000)), minlength=67)
    legal = [action_number(text) for text in ("7H", "KH", "JC:C", "JC:D", "JC:H", "JC:S")]
    assert counts.sum() == counts[legal].sum()
    assert (np.abs(counts[legal] - 1000) < 4 * np.sqrt(6000 * 5 / 36)).all()


# ---- greedy --------------------------------------------------------------------------------------------------------


def test_greedy_plays_any_card_before_a_jack():
    assert answers("greedy", position(["7H KH 10S JC", "QD"], "10H")) == {"7H", "KH", "10S"}


def test_greedy_wishes_its_longest_suit_and_leaves_jacks_out():
    assert answers("greedy", position(["JC JH QS KS QD", "QC"], "10H")) == {"JC:S", "JH:S"}
    assert answers("greedy", position(["JC JH JD QS", "QC"], "10H")) == {"JC:S", "JH:S", "JD:S"}


def test_greedy_chooses_between_equal_suits_by_chance():
    assert answers("greedy", position(["JC QS QD", "QC"], "10H")) == {"JC:S", "JC:D"}


def test_greedy_counts_both_copies():
    game = position(["JC QS QS KD", "QC"], "10H", preset="match")
    assert answers("greedy", game) == {"JC:S"}


def test_greedy_plays_a_drawn_card_and_draws_only_when_it_must():
    assert answers("greedy", position(["KS", "QD"], "10H", "draw", pile="9H 8C")) == {"9H"}
    assert answers("greedy", position(["KH QC", "QD"], "10H", preset="match", mau="auto")) == {"KH"}
    assert answers("greedy", position(["KC QC", "QD"], "10H", pile="9S", preset="match")) == {"draw"}


# ---- heuristic -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bot", ["greedy", "heuristic"])
def test_mau_is_called_whenever_it_may_be(bot):
    assert answers(bot, position(["KH QH", "QD 8C"], "10H", preset="match")) == {"mau"}
    assert answers(bot, position(["KH QH", "QD 8C"], "10H", "mau", preset="match")) <= {"KH", "QH"}


@pytest.mark.parametrize("players", [2, 3])
def test_heuristic_wishes_the_suit_that_it_holds(players):
    game = position(["JC 9S KS QS", "QC 8D 8C", "7D 9D 10D"][:players], "10H")
    assert answers("heuristic", game) == {"JC:S"}


@pytest.mark.parametrize("players", [2, 3])
def test_heuristic_does_not_waste_a_jack(players):
    game = position(["JH JC KH QS", "QC 8D 8C", "7D 9D 10D"][:players], "10H")
    assert answers("heuristic", game) == {"KH"}


@pytest.mark.parametrize("players", [2, 3])
def test_heuristic_keeps_a_card_that_follows(players):
    game = position(["KH 10C KS 8D", "QC 7D 9C", "7C 9D 10D"][:players], "10H")
    assert answers("heuristic", game) == {"KH"}  # the king of spades follows it, and nothing the ten of clubs


@pytest.mark.parametrize("players", [2, 3])
def test_heuristic_answers_a_seven_rather_than_draw(players):
    game = position(["7H 10C QC", "7S 8D KD", "7D 9D 10D"][:players], "10H", "7H", pile="AC AD AS")
    assert answers("heuristic", game) == {"7S"}


@pytest.mark.parametrize("last", ["KH", "JH"])
def test_heuristic_wins_when_it_can(last):
    game = position([last, "QD 8C"], "10H", must_play=False)
    batch.step(game, agents.make("heuristic").act(view_of(game[0], 0), words(1)))
    assert ranking(game[0]) == [1, 2]


def test_heuristic_goes_out_in_one_go_when_it_can():
    assert answers("heuristic", position(["8H QH", "QC 7D 10C"], "10H")) == {"8H"}
    assert answers("heuristic", position(["8H 8S 10S", "QC 7D 10C"], "10H")) == {"8H"}  # then 8S, then 10S
    assert answers("heuristic", position(["AH QH", "QC 7D 10C", "9S 9D"], "10H", ace="again")) == {"AH"}


def test_heuristic_hits_the_player_who_is_about_to_win():
    hands = ["7H KH 10S 9C", "QD", "7D 9D 10D 8D"]
    assert answers("heuristic", position(hands, "10H", pile="AC AD AS")) == {"7H"}


def test_heuristic_turns_away_from_the_player_who_is_about_to_win():
    near, far = "QS", "7D 9D 10D 8D"
    assert answers("heuristic", position(["9H KH 8C QC", near, far], "10H", pile="AC AD AS")) == {"9H"}
    assert answers("heuristic", position(["9H KH 8C QC", far, near], "10H", pile="AC AD AS")) == {"KH"}


def test_heuristic_does_not_keep_a_jack_that_cannot_win():
    hands = ["JH KH", "QC 8D 8C"]
    assert answers("heuristic", position(hands, "10H")) == {"KH"}
    assert answers("heuristic", position(hands, "10H", win_with_jack=False)) == {"JH:H"}


def test_heuristic_prefers_the_suit_that_the_next_player_could_not_serve():
    denying = Heuristic(weights=Sets(duel=Weights(**(dict.fromkeys(asdict(DUEL), 0.0) | {"deny": 1.0}))))
    hands, pile = ["AH AS KH QS KD", "QC 8C 10C"], "7C AC 9D 9C 7D"
    game = position(hands, "10H", "AH draw", pile)  # the other one has no heart, and took the seven of clubs
    assert ACTION_NAMES[denying.choose(view_of(game[0], 0))] == "KH"
    same_without_evidence = position(["AS KH QS KD", "QC 8C 10C 7C"], "AH", pile="AC 9D 9C 7D")
    assert ACTION_NAMES[denying.choose(view_of(same_without_evidence[0], 0))] == "AS"


@pytest.mark.parametrize("preset", list(PRESETS))
def test_heuristic_does_not_draw_while_it_can_play(preset):
    games = batch.deal(Rules.of(preset, must_play=False), 3, 1, 400)
    batch.play_at_random(games, 8, 3)
    seen = views(games)
    could_play = seen["legal"] & ALL_CARDS != 0
    assert 100 < could_play.sum() < 400
    drew = agents.make("heuristic").act(seen, words(400)) == action_number("draw")
    assert drew[~could_play].any()
    assert not drew[could_play].any()


def test_equal_scores_are_decided_by_the_word_and_every_one_is_taken():
    game = position(["JC", "QD 8C"], "10H")
    assert answers("heuristic", game) == {f"JC:{suit}" for suit in "CDHS"}


# ---- make ----------------------------------------------------------------------------------------------------------


MODULE = """
    from agents.agent import Agent

    class Bot(Agent):
        def __init__(self, seed=0, depth=1, bold=False):
            super().__init__(seed)
            self.depth, self.bold = depth, bold

        def act(self, views, words):
            raise NotImplementedError

    class Half(Agent):
        pass

    class Crashes(Bot):
        def __init__(self):
            self.weights = {}["weights"]

    class Stranger:
        pass
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    """A module of somebody's own on the Python path."""
    (tmp_path / "somebodys.py").write_text(dedent(MODULE))
    (tmp_path / "broken.py").write_text("import a_module_that_is_not_there")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "somebodys", raising=False)
    return tmp_path


def test_a_class_of_ones_own_is_found_and_given_its_options(module):
    bot = agents.make("somebodys:Bot:depth=3,bold=yes")
    assert (bot.depth, bot.bold) == (3, True)
    assert agents.make("somebodys:Bot", depth=5).depth == 5
    assert table.fingerprint("somebodys:Bot") == table.fingerprint("somebodys:Half")
    assert len(table.fingerprint("somebodys:Bot")) == 64


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("heuristc", "no bot is called 'heuristc', perhaps heuristic: there are random, eager, greedy, heuristic,"),
        ("", "no bot is called ''"),
        ("random:fast", "'fast' is no option of the form name=value"),
        ("random:speed=3", "Random cannot be made with these options"),
        ("somebodys:Nobody", "Nobody does not exist"),
        (
            "somebodys:Stranger",
            "Stranger is no bot: it must be a subclass of agents.agent.Agent, a class or an object with",
        ),
        ("somebodys:Half", "Half is an agent without act"),
        ("somebodys:Crashes", r"Crashes cannot be made: KeyError: 'weights' \(somebodys.py, line 17\)"),
        ("nowhere:Bot", "no module nowhere on the Python path"),
        ("broken:Bot", "broken cannot be imported: ModuleNotFoundError: .*a_module_that_is_not_there"),
        ("runs/none/bot.safetensors", "runs/none/bot.safetensors: there is no such file"),
        ("runs/none/bot.safetensors:speed=3", "unexpected keyword argument 'speed'"),
        ("runs/none/model.zip", "runs/none/model.zip: there is no such file"),
    ],
)
def test_what_cannot_be_made_is_one_clear_line(module, name, message):
    with pytest.raises(AgentError, match=message) as failure:
        agents.make(name)
    assert "\n" not in str(failure.value)


def test_no_module_is_imported_by_its_name_alone(module):
    table.parse("somebodys:Bot")
    with pytest.raises(AgentError):
        agents.make("somebodys")
    assert "somebodys" not in sys.modules


def test_packages_add_names_by_entry_points(module, monkeypatch):
    point = EntryPoint("brilliant", "somebodys:Bot", table.ENTRY_POINTS)
    monkeypatch.setattr(table, "entry_points", lambda group: [point] if group == table.ENTRY_POINTS else [])
    assert agents.make("brilliant:depth=2").depth == 2
    with pytest.raises(AgentError, match=r"heuristic, .*, brilliant, saved bots"):
        agents.make("dull")


def test_the_weights_of_the_heuristic_can_be_ones_own():
    game = position(["JH KH QS 8C", "QC 8D 9C"], "10H")
    spender = Heuristic(weights=Sets(duel=replace(DUEL, jacks=-20)))
    assert ACTION_NAMES[spender.choose(view_of(game[0], 0))].startswith("JH:")
