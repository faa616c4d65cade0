"""Levels of skill: each beats the one below, none sees more than its view, and slips come as often as is said."""

import numpy as np
import pytest

import agents
from agents import levels
from agents.champion import Champion, Table, champion_guide, champion_of
from agents.greedy import Greedy
from agents.levels import HABITS, THINKS, Habits, Level
from agents.tournament import enter, hold
from maumau_env.game.actions import ACTION_NAMES, DRAW, DRAW_BIT, MAU, MAU_BIT, PASS, PASS_BIT, actions_in
from maumau_env.game.batch import deal, step
from maumau_env.game.cards import ALL_CARDS, JACKS
from maumau_env.game.rules import PRESETS, Rules
from maumau_env.seat.view import views

CLASSIC, MATCH = PRESETS["classic"], PRESETS["match"]


def positions(rules=CLASSIC, players=2, count=400, moves=8):
    """What the seats to move see in games that `eager` has played for some moves."""
    games, eager = deal(rules, players, 5, count), agents.make("eager")
    for move in range(moves):
        step(games, eager.act(views(games), words(count, move)))
        games = games[games["end"] == 0]
        count = len(games)
    return views(games)


def words(count, seed=1):
    return np.random.default_rng(seed).integers(0, 2**64, count, np.uint64)


def with_habits(monkeypatch, **habits):
    """Level 1 with these habits and no others."""
    none = {"plays_like": Greedy, "slips": 0.0, "overlooks": 0.0, "forgets_mau": 0.0}
    monkeypatch.setitem(HABITS, 1, Habits(**none | habits))
    return Level(level=1)


# ---- strength ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("level", [2, 3])
def test_a_level_beats_the_one_below_in_rounds(level, players):
    tournament, _ = hold(enter([f"level:{level}", f"level:{level - 1}"]), CLASSIC, players, 12_000, seed=6)
    assert tournament.bots[0].win_rate_interval[0] > 1 / players


@pytest.mark.parametrize("players", [2, 5])
@pytest.mark.parametrize("level", [2, 3])
def test_a_level_beats_the_one_below_in_matches(level, players):
    field = enter([f"level:{level}", f"level:{level - 1}"])
    tournament, _ = hold(field, MATCH, players, 400, seed=6, penalty_limit=100)
    assert tournament.bots[0].win_rate_interval[0] > 1 / players


@pytest.mark.parametrize("players", [2, 4])
def test_level_4_beats_level_3_in_matches(players):
    tournament, _ = hold(enter(["level:4", "level:3"]), MATCH, players, 900, seed=6, penalty_limit=100)
    assert tournament.bots[0].win_rate_interval[0] > 1 / players


# ---- what they do --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [1, 2, 3, 4])
@pytest.mark.parametrize("rules", [CLASSIC, MATCH], ids=str)
def test_a_level_is_legal_and_the_same_in_every_batch(level, rules):
    seen = positions(rules, 3)
    chance, bot = words(len(seen)), agents.make(f"level:{level}")
    before = seen.copy()
    together = bot.act(seen, chance)
    assert (seen == before).all()
    for action, view in zip(together, seen, strict=True):
        assert action in actions_in(int(view["legal"]))
    assert (bot.act(seen[::-1], chance[::-1])[::-1] == together).all()
    np.testing.assert_array_equal([bot.act(seen[i : i + 1], chance[i : i + 1])[0] for i in range(50)], together[:50])


def test_without_habits_a_level_is_its_baseline(monkeypatch):
    seen = positions(MATCH)
    chance = words(len(seen))
    bot = with_habits(monkeypatch)
    np.testing.assert_array_equal(bot.act(seen, chance), Greedy().act(seen, chance))


def test_slips_come_as_often_as_is_said(monkeypatch):
    seen, asked = positions(), []
    monkeypatch.setattr(Greedy, "act", lambda self, views, words: asked.append(len(views)) or np.full(len(views), DRAW))
    seen = seen[(seen["legal"] & ALL_CARDS) != 0][:1]
    with_habits(monkeypatch, slips=0.3).act(np.repeat(seen, 20_000), words(20_000))
    assert asked[0] == pytest.approx(14_000, abs=250)


def test_a_slip_plays_any_card_with_any_wish(monkeypatch):
    seen = positions()
    several = [view for view in seen if int(view["legal"]).bit_count() >= 3 and int(view["legal"]) & int(JACKS)]
    legal = int(several[0]["legal"]) & int(ALL_CARDS)
    drawn = with_habits(monkeypatch, slips=1.0).act(np.repeat(several[0], 20_000), words(20_000))
    shares = {action: (drawn == action).mean() for action in actions_in(legal)}
    for action, share in shares.items():
        wishes = 4 if ":" in ACTION_NAMES[action] else 1
        assert share == pytest.approx(1 / legal.bit_count() / wishes, abs=0.015)


def test_cards_are_overlooked_where_one_may_draw_or_pass_instead(monkeypatch):
    """Each card by itself: with a quarter overlooked and two to see, both are in one decision of sixteen."""
    seen = positions(Rules(must_play=False), count=3000)
    plays = seen["legal"] & ALL_CARDS
    two = np.array([int(cards).bit_count() == 2 for cards in plays])
    bot = with_habits(monkeypatch, slips=1.0, overlooks=0.25)
    for other, bit in ((DRAW, DRAW_BIT), (PASS, PASS_BIT)):
        view = seen[((seen["legal"] & bit) != 0) & (two if other == DRAW else plays != 0)][:1]
        actions = bot.act(np.repeat(view, 20_000), words(20_000))
        assert (actions == other).mean() == pytest.approx(1 / 16 if other == DRAW else 1 / 4, abs=0.01)


def test_c5_who_must_play_overlooks_nothing(monkeypatch):
    seen = positions()
    must = seen[((seen["legal"] & ALL_CARDS) != 0) & ((seen["legal"] & ~ALL_CARDS) == 0)]
    actions = with_habits(monkeypatch, slips=1.0, overlooks=1.0).act(must, words(len(must)))
    for action, view in zip(actions, must, strict=True):
        assert action in actions_in(int(view["legal"]))


def test_c15_mau_is_forgotten_as_often_as_is_said(monkeypatch):
    seen = positions(MATCH, moves=12, count=4000)
    view = seen[(seen["legal"] & MAU_BIT) != 0][:1]
    assert len(view) == 1
    for slips in (0.0, 1.0):
        bot = with_habits(monkeypatch, slips=slips, forgets_mau=0.3)
        assert (bot.act(np.repeat(view, 20_000), words(20_000)) == MAU).mean() == pytest.approx(0.7, abs=0.015)


def test_better_levels_slip_less():
    for better, worse in ((4, 3), (3, 2), (2, 1)):
        assert all(a < b for a, b in zip(HABITS[better][1:], HABITS[worse][1:], strict=True))
    assert THINKS not in range(len(ACTION_NAMES))


def test_level_5_searches_with_the_champion(monkeypatch):
    seen = positions(MATCH)
    chance = words(len(seen))
    made = []
    monkeypatch.setattr(levels, "make", lambda name, **options: made.append((name, options)) or Champion())
    np.testing.assert_array_equal(agents.make("level:5").act(seen, chance), Champion().act(seen, chance))
    assert made == [("search", {"budget": levels.BUDGET, "bot": "champion"})]


def test_search_is_guided_by_the_champion_of_the_table():
    guide = champion_guide()
    two, three = (views(deal(MATCH, players, 1, 1)) for players in (2, 3))
    assert guide(two) is champion_of(Table(MATCH, 2, False)).network
    assert guide(three) is champion_of(Table(MATCH, 3, False)).network
    assert guide(views(deal(Rules.of("match", hand_size=9), 2, 1, 1))) is None


@pytest.mark.parametrize("name", ["level:0", "level:6", "level:high", "level:2.5", "level:yes", "level"])
def test_a_level_that_there_is_not_is_one_clear_line(name):
    with pytest.raises(agents.AgentError, match=r"levels are 1 to 5, as in level:3") as error:
        agents.make(name)
    assert "\n" not in str(error.value)
