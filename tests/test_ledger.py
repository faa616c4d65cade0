"""Where a result came from: parts that add up, luck where cards were taken and nowhere else, errors where they were."""

import numpy as np
import pytest
from match_rounds import random_rounds

from agents.agent import Agent
from maumau_env.game import batch
from maumau_env.game.actions import action_number, actions_in
from maumau_env.game.cards import cards_in
from maumau_env.game.record import Recorder, set_up
from maumau_env.game.result import ranking
from maumau_env.game.rules import Rules
from maumau_env.game.state import RUNNING, copied
from maumau_env.seat.view import view_of
from strategy.bot import Bot
from strategy.ledger import PARTS, Accountant, Ledger, took_cards
from strategy.played import Played, played
from strategy.playouts import WHOLE

HEURISTIC, CHAMPION = Bot("heuristic"), Bot("champion")


def reckon(game: Played, bot: Bot, worlds: int, word: int = 0) -> Ledger:
    """The ledger of all moves."""
    accountant = Accountant(game.before(1), bot, worlds, word)
    for move, action in enumerate(game.actions, 1):
        accountant.book(game.before(move), action, game.before(move + 1))
    return accountant.ledger


def check_sums(game: Played, ledger: Ledger) -> None:
    """In every world the parts of every seat add up, to the last of 60 parts of a win."""
    seats = len(game.players)
    for seat in range(seats):
        assert ledger.parts(seat).dtype == np.int64
        assert (ledger.parts(seat).sum(axis=1) == ledger.over_even(seat)).all()
        assert sum(part.value for part in ledger.split(seat).values()) == pytest.approx(
            ledger.over_even(seat).mean() / WHOLE, abs=1e-12
        )
    assert (ledger.result.sum(axis=1) == WHOLE).all()


@pytest.mark.parametrize("preset", ["classic", "match"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_parts_add_up_to_the_result_exactly(preset, players):
    for game in random_rounds(Rules.of(preset, max_turns=80), players, seed=players, rounds=3):
        ledger = reckon(game, HEURISTIC, 12)
        check_sums(game, ledger)
        winners = np.array(ranking(game.games[-1])) == 1
        assert (ledger.result == winners * (WHOLE // winners.sum())).all()
        assert len(ledger.entries) == len(game.actions)


def test_a_match_round_adds_up_too():
    for game in random_rounds(Rules.of("match", max_turns=60), 3, seed=8, rounds=3, penalty_limit=60):
        assert game.round > 0
        check_sums(game, reckon(game, HEURISTIC, 12))


def test_a_round_that_is_still_running_adds_up_to_the_chance_as_it_stands():
    (game,) = random_rounds(Rules(), 3, seed=1, rounds=1)
    half = Played(game.source, game.players, game.games[:8], game.actions[:7])
    ledger = reckon(half, HEURISTIC, 40)
    check_sums(half, ledger)
    assert 0 < ledger.result[:, 0].mean() < WHOLE


def test_luck_is_where_cards_are_taken_and_errors_where_there_is_a_choice():
    seen = set()
    for game in random_rounds(Rules.of("match", max_turns=60), 2, seed=4, rounds=4):
        ledger = reckon(game, HEURISTIC, 12)
        for move, entry in enumerate(ledger.entries, 1):
            before, after = game.before(move), game.before(move + 1)
            hands = [[cards_in(*hand) for hand in position["hands"][0].tolist()] for position in (before, after)]
            takes = any(len(after) > len(before) for before, after in zip(*hands, strict=True))
            if not takes and not took_cards(before, after):
                assert not entry.luck.any()
            if game.choices(move) == 1:
                assert not entry.error.any()
            seen |= {("luck", bool(entry.luck.any())), ("error", bool(entry.error.any()))}
            assert took_cards(before, after) or not takes
    assert len(seen) == 4


class Unsure(Agent):
    """The champion, which says that it might do otherwise."""

    def act(self, views, words):
        return CHAMPION.act(views, words)

    def probabilities(self, views):
        return CHAMPION.agent.probabilities(views) * 0.999


def own_play(rules: Rules, players: int, seed: int) -> Played:
    """A round in which the champion plays all seats."""
    game = batch.deal(rules, players, seed, 1)
    recorder = Recorder(game, ["champion"] * players)
    while game["end"][0] == RUNNING:
        (action,) = CHAMPION.act(view_of(game[0], int(game["seat"][0])), np.zeros(1, np.uint64))
        recorder.note(int(action))
        batch.step(game, np.array([action]))
    return played(recorder.record(), 0)


@pytest.mark.parametrize("players", [2, 4])
def test_who_plays_like_the_bot_makes_no_errors(players):
    """Also when every choice is reckoned like any other: equal worlds and equal chance leave no difference at all."""
    game = own_play(Rules(), players, 6)
    for bot in (CHAMPION, Bot("unsure", Unsure())):
        ledger = reckon(game, bot, 25)
        assert not any(entry.error.any() for entry in ledger.entries)
        check_sums(game, ledger)


# ---- the example of docs/review.md -----------------------------------------------------------------------------------


def the_example() -> Played:
    """Seat 0 draws the card that would have won, and passes."""
    hands, pile = [["KH"], ["QD"]], ["KS", "9C"]
    game = set_up(Rules(), hands, ["QS"], pile)
    recorder = Recorder(game, ["you", "other"])
    for action in ("draw", "pass", "QD"):
        recorder.note(action_number(action))
    return played(recorder.record(), 0)


@pytest.mark.parametrize("bot", [HEURISTIC, CHAMPION])
def test_the_example_of_the_docs(bot):
    game = the_example()
    assert [game.choices(move) for move in (1, 2, 3)] == [1, 2, 1]
    ledger = reckon(game, bot, 2000)
    you, other = ledger.parts(0), ledger.parts(1)
    # With KS seat 0 wins for certain and with 9C it loses, whoever plays on: V is 1/2, then 1, then 0.
    assert (you[:, 2] == -WHOLE).all()
    assert (you[:, 0] + you[:, 1] == WHOLE // 2).all()
    assert abs(you[:, 0].mean() / WHOLE) < 0.04  # 3.6 standard deviations of 2,000 tosses
    assert (you[:, 3] == 0).all()
    assert (other == -you[:, [0, 1, 3, 2]]).all()
    assert list(ledger.split(0)) == list(PARTS)


def test_the_pile_is_in_an_order_that_nobody_knows():
    """The next card of the record's own pile decides nothing before it is drawn."""
    game = the_example()
    turned = copied(game.games)
    turned["pile"][0, :2] = turned["pile"][0, :2][::-1].copy()
    first, second = (
        Accountant(games[:1], HEURISTIC, 400, 0).ledger.result.mean(axis=0) for games in (game.games, turned)
    )
    assert abs(first - second).max() < 0.15 * WHOLE
    assert 0.35 * WHOLE < first[0] < 0.65 * WHOLE


def test_two_seats_can_have_errors_each():
    """Seat 0 does not end the round though it could, and neither does seat 1."""
    rules = Rules(must_play=False, play_drawn=False)
    game = set_up(rules, [["KH"], ["QD"]], ["QH"], ["10C", "9C", "8C"])
    recorder = Recorder(game, ["you", "other"])
    for action in ("draw", "draw", "KH"):
        assert action_number(action) in actions_in(batch.legal(game)[0])
        recorder.note(action_number(action))
        batch.step(game, np.array([action_number(action)]))
    ledger = reckon(played(recorder.record(), 0), HEURISTIC, 50)
    errors = [entry.error[:, 0].mean() / WHOLE for entry in ledger.entries]
    assert errors[0] == -1  # from a certain win to a certain loss
    assert errors[1] > 0.5  # and back again, nearly
    assert (ledger.deal[:, 0] == WHOLE // 2).all()
