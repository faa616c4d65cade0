"""Sampled worlds: each agrees with the view, all that agree are equally likely, and none knows the truth."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from envtools import MIXTURES
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from test_agents import position
from test_privacy import with_other_hidden_cards

from maumau_env.game import batch
from maumau_env.game.cards import NAMES, NUMBERS, RANKS, cards_in, cards_of, set_of
from maumau_env.game.match import open_games
from maumau_env.game.rules import Rules
from maumau_env.game.state import DRAWN, NORMAL, RUNNING
from maumau_env.seat.view import view_of, views
from maumau_env.seat.worlds import sample_worlds


def game_after(options: dict, players: int, limit: int | None, seed: int, decisions: int) -> np.ndarray:
    """A running game, shape (1,), of a round or of a match, after so many random decisions; perhaps a few fewer."""
    options = dict(options)
    game = open_games(Rules.of(options.pop("rules", "classic"), **options), players, limit, seed, 1)
    batch.play_at_random(game, decisions, seed)
    return game


def everything(game: np.ndarray) -> list[int]:
    """All cards of a table, sorted."""
    g = game
    hands = [card for seat in range(g["num_players"]) for card in cards_in(*g["hands"][seat].tolist())]
    return sorted(hands + g["pile"][: g["pile_size"]].tolist() + g["discards"][: g["discards_size"]].tolist())


def full_deck(deck: int) -> list[int]:
    return cards_of(deck)


# ---- agreement with the view ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("trusting", [False, True])
@pytest.mark.parametrize("options", MIXTURES, ids=str)
@settings(deadline=None, max_examples=25, derandomize=True)
@given(
    players=st.integers(2, 5),
    seed=st.integers(0, 10**6),
    decisions=st.integers(0, 90),
    limit=st.sampled_from([None, 60]),
    data=st.data(),
)
def test_every_world_agrees_with_the_view(options, trusting, players, seed, decisions, limit, data):
    game = game_after(options, players, limit, seed, decisions)
    viewer = data.draw(st.integers(0, int(game["num_players"][0]) - 1))
    view = view_of(game[0], viewer)
    for world in sample_worlds(view, seed, 3, trusting):
        assert view_of(world, 0).tobytes() == view.tobytes()
        assert everything(world) == full_deck(int(game["rules"]["deck"][0]))
        assert batch.legal(world.reshape(1))[0] != 0


def test_c6_a_world_does_not_know_that_another_seat_drew_a_card_that_fits():
    games = batch.deal(Rules(), 2, 1, 300)
    batch.play_at_random(games, 7, 2)
    game = next(game for game in games if game["phase"] == DRAWN)
    world = sample_worlds(view_of(game, 1 - int(game["seat"])), 1, 1)[0]
    assert (world["phase"], world["seat"], world["end"]) == (NORMAL, 1, RUNNING)


# ---- evidence ------------------------------------------------------------------------------------------------------


SEVEN, JACK = RANKS.index("7"), RANKS.index("J")


def newest_with(view: np.ndarray, relative: int, card: int) -> float:
    """Among how many cards that the seat took last this one must be for certain, in plain Python: C4, C5, C7."""
    seen, rules, rank = view["seats"][0, relative], view["rules"][0], card // 4
    if not rules["must_play"] or (rank == JACK and not rules["jack_on_jack"]):
        return np.inf
    shown = [seen["since_suit"][card % 4], 0 if rank == SEVEN else seen["since_rank"][rank]]
    return min((int(since) - 1 for since in shown if since > 0), default=np.inf)


def agrees(game: np.ndarray, view: np.ndarray, viewer: int) -> bool:
    """Of the cards that a seat can hold only among the k it took last it holds k at most, whatever k."""
    players = game["num_players"]
    for relative in range(1, players):
        hand = cards_in(*game["hands"][(viewer + relative) % players].tolist())
        newest = [newest_with(view, relative, card) for card in hand]
        if any(sum(each <= k for each in newest) > k for k in newest):
            return False
    return True


@pytest.mark.parametrize("options", MIXTURES, ids=str)
@settings(deadline=None, max_examples=15, derandomize=True)
@given(players=st.integers(2, 5), seed=st.integers(0, 10**6), decisions=st.integers(5, 120))
def test_the_truth_always_agrees_with_the_certain_evidence(options, players, seed, decisions):
    game = game_after(options, players, None, seed, decisions)
    for viewer in range(players):
        view = view_of(game[0], viewer)
        assert agrees(game[0], view, viewer)
        assert all(agrees(world, view, 0) for world in sample_worlds(view, seed, 3))


def drawn_on_hearts() -> np.ndarray:
    """Seat 0's view: seat 1 drew on hearts, has the card still, and holds three."""
    return view_of(position(["AH KC", "7C 8C", "QD"], "10H", "AH draw", pile="9C KD")[0], 0)


def test_who_draws_shows_that_only_the_card_drawn_can_fit():
    hands = Counter()
    for world in sample_worlds(drawn_on_hearts(), 3, 400):
        held = {NAMES[card] for card in cards_in(*world["hands"][1].tolist())}
        hands[sum(name[-1] == "H" or name[:-1] in ("A", "J") for name in held)] += 1
    assert set(hands) == {0, 1}  # it was taken from the pile and may be anything


def test_trusting_takes_it_that_a_drawn_card_that_fits_is_played_at_once():
    for world in sample_worlds(drawn_on_hearts(), 3, 400, trusting=True):
        held = {NAMES[card] for card in cards_in(*world["hands"][1].tolist())}
        assert not any(name[-1] == "H" or name[0] == "A" for name in held if name[0] != "J")


@pytest.mark.parametrize(("trusting", "sevens"), [(False, True), (True, False)])
def test_c7_who_pays_a_debt_may_have_kept_a_seven(trusting, sevens):
    game = position(["7H KC", "8C 9C QC KS KD"], "10H", "7H draw", pile="9S KH 8S")
    found = False
    for world in sample_worlds(view_of(game[0], 0), 1, 500, trusting):
        found |= sum(NAMES[card][0] == "7" for card in cards_in(*world["hands"][1].tolist())) == 3
    assert found == sevens  # at most two of them came with the debt


def test_c5_without_must_play_a_draw_is_no_certain_evidence():
    game = position(["AH KC", "7C 8C"], "10H", "AH draw", pile="9C KD", must_play=False)
    for trusting, most in ((False, 3), (True, 1)):
        worlds = sample_worlds(view_of(game[0], 0), 1, 500, trusting)
        hearts = [sum(card % 4 == 2 for card in cards_in(*world["hands"][1].tolist())) for world in worlds]
        assert max(hearts) <= most
        assert (max(hearts) > 1) == (not trusting)


def test_evidence_that_contradicts_itself_is_met_as_far_as_can_be():
    """Without `must_play` everybody may draw on everything: trusting finds no room for the cards, and goes on."""
    game = batch.deal(Rules(must_play=False, play_drawn=False, hand_size=10), 3, 1, 1)
    view = view_of(game[0], 0)
    view["seats"]["since_suit"][0, 1:3] = 1
    view["seats"]["since_rank"][0, 1:3] = 1
    worlds = sample_worlds(view, 1, 5, trusting=True)
    assert [everything(world) for world in worlds] == [full_deck(32)] * 5


# ---- frequencies ---------------------------------------------------------------------------------------------------


def small_view() -> np.ndarray:
    """Seven cards are hidden: three and one in hands, three in the pile; both seats have drawn on something."""
    view = view_of(position(["KC", "QD 8D 9D", "AS"], "10H")[0], 0)
    hidden = [NUMBERS[name] for name in SEVEN_CARDS]
    shown = [card for card in full_deck(32) if card not in (*hidden, NUMBERS["KC"])]
    view["shown"][0] = set_of(shown)
    view["pile_size"] = 3
    view["seats"]["since_suit"][0, 1, 2] = 2  # of hearts at most the card taken last
    view["seats"]["since_rank"][0, 1, NUMBERS["AS"] // 4] = 3  # of aces at most the last two
    view["seats"]["since_suit"][0, 2, 0] = 1  # no clubs
    return view


SEVEN_CARDS = ("QD", "8D", "9D", "AS", "AH", "QH", "7C")


def every_arrangement() -> Counter:
    """Of each way to hold the hands, how many ways there are to have taken the cards, by going through all of them."""
    found: Counter = Counter()
    for order in permutations(SEVEN_CARDS):
        first, second, third, other = order[:4]  # the first one was taken last
        hearts = [name for name in (second, third) if name[-1] == "H"]
        if not hearts and third[0] != "A" and other[-1] != "C":
            found[frozenset((first, second, third)), other] += 1
    return found


def test_all_arrangements_that_agree_are_equally_likely():
    number, expected, found = 6000, every_arrangement(), Counter()
    for start in range(number // 500):
        for world in sample_worlds(small_view(), start, 500)[::3]:  # neighbours in the chain are alike
            hands = [frozenset(NAMES[card] for card in cards_in(*world["hands"][seat].tolist())) for seat in (1, 2)]
            found[hands[0], *hands[1]] += 1
    assert set(found) <= set(expected)
    total = sum(expected.values())
    chances = np.array([expected[hands] / total for hands in expected])
    counts = np.array([found[hands] for hands in expected])
    assert (chances * counts.sum()).min() > 5
    assert stats.chisquare(counts, chances * counts.sum()).pvalue > 0.001


def test_without_evidence_every_card_is_everywhere_equally_often():
    view = view_of(batch.deal(Rules(), 3, 1, 1)[0], 0)
    worlds = sample_worlds(view, 1, 3000)
    hidden = [card for card in full_deck(32) if not int(view["hand"][0, 0] | view["shown"][0, 0]) >> card & 1]
    counts = np.array([[int(world["hands"][1, 0]) >> card & 1 for card in hidden] for world in worlds]).sum(axis=0)
    assert stats.chisquare(counts).pvalue > 0.001


def test_the_pile_is_drawn_in_another_order_in_each_world():
    worlds = sample_worlds(drawn_on_hearts(), 1, 200)
    assert len(set(worlds["rng"].tolist())) == 200


# ---- privacy -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", MIXTURES, ids=str)
def test_the_truth_does_not_show_in_a_world(options):
    game = game_after(options, 3, None, 5, 8)
    other = with_other_hidden_cards(game, int(game["seat"][0]), np.random.default_rng(1))
    assert (game["hands"] != other["hands"]).any()
    one, two = (sample_worlds(views(each), 9, 4).tobytes() for each in (game, other))
    assert one == two
    assert sample_worlds(views(game), 10, 4).tobytes() != one
