"""Forfeits: who fails loses that game by the rule, whoever it is, and nothing else changes."""

import threading
import time

import numpy as np
import pytest

from agents import AgentError
from agents.agent import Cheat
from agents.answers import FINE, ILLEGAL, RAISED, TOO_SLOW, answers, named
from agents.arena import Entrant, Results, Terms, play_all
from agents.arena_records import records
from agents.forfeits import place_last
from agents.greedy import Greedy
from agents.tournament import enter, hold, seatings_of
from agents.uniform import Random
from maumau_env.game import batch
from maumau_env.game.cards import NUMBERS
from maumau_env.game.record_check import replay
from maumau_env.game.rules import PRESETS, Rules
from maumau_env.seat.view import views

QUEEN = NUMBERS["QH"]


class Flaky(Greedy):
    """Greedy, that fails in some way at a view that `fails` picks, and so for the whole batch in which that is."""

    def __init__(self, failure, fails=lambda views: views["top"] == QUEEN):
        super().__init__()
        self.failure, self.fails = failure, fails

    def act(self, views, words):
        actions = super().act(views, words)
        bad = self.fails(views)
        return self.failure(views, actions, bad) if bad.any() else actions


def raising(views, actions, bad):
    raise KeyError("weights")


def leaving(views, actions, bad):
    raise SystemExit("enough")


def misshaped(views, actions, bad):
    return actions[:, None]


def illegal(views, actions, bad):
    return np.where(bad, 66, actions)


def none(views, actions, bad):
    return np.where(bad, 200, actions)


def forged(views, actions, bad):
    views["legal"] = 2**55 - 1
    return np.where(bad, 66, actions)


def sleeping(views, actions, bad):
    time.sleep(60)


def play(bot, players=2, deals=20, rules=PRESETS["classic"], move_seconds=None, **more) -> Results:
    """The bot against greedy; every game but for forfeits is that of two greedy bots."""
    field, terms = [Entrant("flaky", bot), *enter(["greedy"])], Terms(move_seconds=move_seconds, forfeits=True)
    return play_all(field, seatings_of(2, players), deals, rules, 3, keep_moves=True, terms=terms, **more)


def by_hand(ranks: list[int], forfeits: list[int]) -> list[int]:
    """The rule, said in another way: sort by (forfeited, rank), and count who is above."""
    keys = [(kind != FINE, 0 if kind else rank) for rank, kind in zip(ranks, forfeits, strict=True)]
    return [1 + sum(other < key for other in keys) for key in keys]


# ---- the rule ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ranks", "forfeits", "expected"),
    [
        ([1, 2], [0, 0], [1, 2]),
        ([1, 2], [1, 0], [2, 1]),
        ([1, 2], [0, 3], [1, 2]),
        ([1, 1], [2, 0], [2, 1]),
        ([1, 2], [1, 3], [1, 1]),
        ([1, 2, 3, 4], [1, 0, 0, 0], [4, 1, 2, 3]),
        ([1, 2, 2, 4], [0, 1, 0, 0], [1, 4, 2, 3]),
        ([1, 2, 2, 4], [2, 0, 0, 3], [3, 1, 1, 3]),
        ([1, 1, 3, 4], [1, 0, 0, 0], [4, 1, 2, 3]),
        ([4, 3, 2, 1], [0, 0, 1, 1], [2, 1, 3, 3]),
        ([1, 1, 1, 1], [0, 0, 0, 1], [1, 1, 1, 4]),
        ([2, 1, 3, 4], [1, 1, 1, 0], [2, 2, 2, 1]),
        ([1, 2, 3, 4], [1, 1, 2, 3], [1, 1, 1, 1]),
    ],
)
def test_who_forfeits_is_last_and_the_others_are_ranked_among_themselves(ranks, forfeits, expected):
    assert by_hand(ranks, forfeits) == expected
    changed = np.array(ranks, np.int8)
    place_last(changed, np.array(forfeits, np.uint8))
    assert changed.tolist() == expected


@pytest.mark.parametrize(
    ("failure", "kind", "reason"),
    [
        (raising, RAISED, "KeyError: 'weights' (test_forfeits.py, line "),
        (leaving, RAISED, "SystemExit: enough (test_forfeits.py, line "),
        (misshaped, ILLEGAL, "must answer 1 views with an array of as many whole numbers, not with shape (1, 1)"),
        (illegal, ILLEGAL, "action 66 (mau) is illegal; legal are "),
        (none, ILLEGAL, "action 200 (no action (they are 0 to 66)) is illegal; legal are "),
        (forged, ILLEGAL, "action 66 (mau) is illegal; legal are "),
    ],
)
@pytest.mark.parametrize("players", [2, 4])
def test_the_fault_goes_to_the_game_it_belongs_to(failure, kind, reason, players):
    results, whole = play(Flaky(failure), players), play(Greedy(), players)
    assert set(results.forfeits.ravel()) == {FINE, kind}
    seatings = seatings_of(2, players)
    for game, forfeits in enumerate(results.forfeits.tolist()):
        # Greedy plays on with the same chance, so the cards fall as if nothing had been.
        assert results.moves[game].tolist() == whole.moves[game].tolist()
        assert results.ranks[game].tolist() == by_hand(whole.ranks[game].tolist(), forfeits)
        assert all(bot == 0 for bot, fault in zip(seatings[game % len(seatings)], forfeits, strict=True) if fault)
    assert [*results.faults] == [f"0:{named(kind)}"]
    assert reason in results.faults[f"0:{named(kind)}"]


def test_forfeits_do_not_depend_on_how_many_games_run_at_once():
    one, all_at_once = (play(Flaky(raising), tables=tables) for tables in (1, 40))
    assert one.faults == all_at_once.faults
    assert (one.forfeits == all_at_once.forfeits).all()
    assert (one.ranks == all_at_once.ranks).all()


def test_who_forfeits_in_one_round_forfeits_the_match():
    later = Flaky(raising, lambda views: (views["round"] == 2) & (views["top"] == QUEEN))
    more = {"players": 3, "rules": PRESETS["match"], "penalty_limit": 60}
    results, whole = play(later, **more), play(Greedy(), **more)
    assert (results.rounds == whole.rounds).all()
    forfeited = results.forfeits.any(axis=1)
    assert 0 < forfeited.sum() < len(forfeited)
    assert (results.ranks[~forfeited] == whole.ranks[~forfeited]).all()
    for ranks, cards, forfeits in zip(
        results.ranks.tolist(), whole.ranks.tolist(), results.forfeits.tolist(), strict=True
    ):
        assert ranks == by_hand(cards, forfeits)
    assert any((results.ranks != whole.ranks).any(axis=1))


def test_a_forfeited_game_is_recorded_as_the_cards_fell():
    results = play(Flaky(raising))
    field = [Entrant("flaky", Flaky(raising)), *enter(["greedy"])]
    kept = list(records(field, PRESETS["classic"], 3, results))
    whole = play(Greedy())
    for record, ranks in zip(kept, whole.ranks.tolist(), strict=True):
        replay(record)
        assert list(record.ranking) == ranks


def test_an_agent_that_cheats_is_judged_alike():
    class Careless(Cheat):
        def act_on(self, games, words):
            if len(games) > 1:
                raise MemoryError
            return np.array([66])

    results = play(Careless())
    assert (results.forfeits.max(axis=1) == ILLEGAL).all()


# ---- time ----------------------------------------------------------------------------------------------------------


def slow_game_is_found(results: Results) -> None:
    expected = play(Flaky(raising), deals=4)
    assert set(results.forfeits.ravel()) == {FINE, TOO_SLOW}
    assert ((results.forfeits == TOO_SLOW) == (expected.forfeits == RAISED)).all()


def test_who_hangs_is_interrupted(monkeypatch):
    monkeypatch.setattr("agents.arena.START_SECONDS", 0)
    slow_game_is_found(play(Flaky(sleeping), deals=4, tables=2, move_seconds=0.5))


def test_outside_of_the_main_thread_time_is_looked_at_afterwards(monkeypatch):
    def late(views, actions, bad):
        time.sleep(1.5)
        return actions

    monkeypatch.setattr("agents.arena.START_SECONDS", 0)
    found = []
    run = threading.Thread(target=lambda: found.append(play(Flaky(late), deals=4, tables=1, move_seconds=0.75)))
    run.start()
    run.join()
    slow_game_is_found(found[0])


def test_a_batch_has_time_for_each_of_its_moves_and_the_first_one_more():
    def late(views, actions, bad):
        time.sleep(0.3)
        return actions

    seen = views(batch.deal(Rules(), 2, 1, 8))
    words = np.arange(8, dtype=np.uint64)
    bot = Flaky(late, lambda views: np.full(len(views), True))
    bot.act(seen[:1], words[:1])
    assert set(answers(bot, seen, words, 0.2).faults) == {FINE}
    assert set(answers(bot, seen[:1], words[:1], 0.2).faults) == {TOO_SLOW}
    assert set(answers(bot, seen[:1], words[:1], 0.2, start_seconds=5).faults) == {FINE}
    assert set(answers(bot, seen[:1], words[:1]).faults) == {FINE}


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf")])
def test_a_time_limit_is_a_number_above_zero(seconds):
    with pytest.raises(ValueError, match="seconds for a move: it is a number above 0"):
        play(Greedy(), move_seconds=seconds)


# ---- unless forfeits are asked for ---------------------------------------------------------------------------------


def test_without_forfeits_the_first_one_is_an_error():
    field = [*enter(["random"]), Entrant("mine", Flaky(raising))]
    message = r"^bot 2 \(mine\) failed: KeyError: 'weights' \(test_forfeits.py, line \d+\); deal \d+$"
    with pytest.raises(AgentError, match=message):
        hold(field, Rules(), 2, 100, seed=1)
    score = hold(field, Rules(), 2, 100, seed=1, terms=Terms(forfeits=True))[0].bots[1]
    assert score.forfeits.keys() == {"raised", "too_slow", "illegal"}
    assert score.forfeits["raised"] > 0


def test_ctrl_c_is_no_forfeit():
    class Stopped(Random):
        def act(self, views, words):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(Stopped())
