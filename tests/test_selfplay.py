"""All seats learn: advantages seat by seat with numbers worked out by hand, and an update that is sb3-contrib's own."""

import subprocess
import sys

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import configure
from stable_baselines3.common.utils import LinearSchedule

from agents import learner as learner_module
from agents.advantages import seat_advantages
from agents.arena import Entrant
from agents.botfile import Header
from agents.learner import DivergedError, SelfPlayPPO
from agents.network import draw
from agents.policy import Policy
from agents.selfplay import SelfPlay
from agents.table import make
from agents.tables import Tables
from agents.tournament import hold
from maumau_env.game.rules import MAX_PLAYERS, Rules
from maumau_env.game.state import EMPTIED, RUNNING

ROLLOUTS = {"gamma": 1.0, "gae_lambda": 0.95}


# ---- advantages by hand --------------------------------------------------------------------------------------------


def all_finished(ends):
    """Who has finished where rounds end like this: everybody."""
    return np.where(ends != RUNNING, 0b11111, 0).astype(np.uint8)


def advantages(story, last=(0, 0.0), gamma=1.0, gae_lambda=1.0):
    """Advantages of one game, None where there is none.

    Each line of the story is a decision: seat, value, and, if the round ends there, what each seat is paid; a value
    None stands for a decision that does not count. `last` is who moves at the end of the rollout, and the value there.
    """
    seats = np.array([[seat] for seat, *_ in story] + [[last[0]]])
    values = np.array([[value or 0] for _, value, *_ in story] + [[last[1]]], np.float32)
    counted = np.array([[value is not None] for _, value, *_ in story])
    rewards, ends = np.zeros((len(story), 1, MAX_PLAYERS), np.float32), np.zeros((len(story), 1), np.int8)
    for tick, (_, _, *paid) in enumerate(story):
        if paid:
            rewards[tick, 0, : len(paid[0])], ends[tick] = paid[0], EMPTIED
    found, closed = seat_advantages(values, seats, counted, rewards, all_finished(ends), gamma, gae_lambda)
    assert not found[~closed].any()
    return [value if known else None for value, known in zip(found[:, 0].tolist(), closed[:, 0], strict=True)]


def test_undiscounted_an_advantage_is_what_came_of_it_less_the_value():
    story = [(0, 0.5), (1, -0.25), (0, 0.25, [1, -1])]
    assert advantages(story) == pytest.approx([1 - 0.5, -1 + 0.25, 1 - 0.25])


def test_discounts_count_the_decisions_of_the_seat_alone():
    story = [(0, 0.5), (1, -0.25), (0, 0.25, [1, -1])]
    # seat 0: 1 - 0.25 = 0.75, before it 0.95 * 0.25 - 0.5 + 0.95 * 0.95 * 0.75; seat 1: -1 + 0.25
    assert advantages(story, gamma=0.95, gae_lambda=0.95) == pytest.approx([0.414375, -0.75, 0.75])
    # with gamma 1: 0.25 - 0.5 + 0.95 * 0.75
    assert advantages(story, gae_lambda=0.95) == pytest.approx([0.4625, -0.75, 0.75])
    # with lambda 0: the seat's next value alone
    assert advantages(story, gae_lambda=0.0) == pytest.approx([-0.25, -0.75, 0.75])


def test_a_seat_that_moves_twice_in_a_row_follows_itself():
    story = [(0, 0.5), (0, 0.75), (1, 0.0), (0, 0.5, [1, -1])]
    # seat 0: 0.5, then 0.5 - 0.75 + 0.95 * 0.5 = 0.225, then 0.75 - 0.5 + 0.95 * 0.225; seat 1: -1
    assert advantages(story, gae_lambda=0.95) == pytest.approx([0.46375, 0.225, -1.0, 0.5])


def test_who_does_not_move_any_more_is_paid_all_the_same():
    story = [(0, 0.25), (1, 0.5), (2, 0.0), (1, 0.5, [0, 1, -1])]
    assert advantages(story) == pytest.approx([-0.25, 0.5, -1.0, 0.5])


def test_the_next_round_is_none_of_this_ones_business():
    first, second = [(0, 0.5), (1, 0.5, [-1, 1])], [(0, -0.5), (1, 0.25), (0, 0.0, [1, -1])]
    expected = [-1.5, 0.5, 1.5, -1.25, 1.0]
    assert advantages(first + second) == pytest.approx(expected)
    assert advantages(first) + advantages(second) == pytest.approx(expected)


def test_the_seat_to_move_at_the_end_goes_by_what_it_sees_there():
    story = [(0, 0.5), (1, 0.25)]
    assert advantages(story, last=(0, 0.75)) == [pytest.approx(0.25), None]
    assert advantages(story, last=(0, 0.8), gamma=0.95) == [pytest.approx(0.95 * 0.8 - 0.5), None]


def test_the_others_last_decisions_are_open_and_close_the_ones_before():
    story = [(0, 0.1), (1, 0.2), (2, 0.3), (0, 0.5), (1, 0.6), (2, 0.8)]
    # three players; at the end seat 2 moves again, so its decisions are closed by 0.9, and the others' by their last
    expected = [0.4, 0.4, 0.5 + 0.95 * 0.1, None, None, 0.1]
    assert advantages(story, last=(2, 0.9), gae_lambda=0.95) == [
        value if value is None else pytest.approx(value) for value in expected
    ]


def test_a_decision_that_does_not_count_belongs_to_the_course_of_the_game():
    story = [(0, 0.5), (0, None), (1, None), (1, 0.25), (0, None, [1, -1])]
    assert advantages(story, gamma=0.95) == [pytest.approx(0.5), None, None, pytest.approx(-1.25), None]


def by_definition(values, seats, counted, rewards, ends, gamma, gae_lambda):
    """The same for one game, slowly: each seat's decisions in each round as a list, and sums by the definition."""
    found, start = np.full(len(counted), np.nan), 0
    stops = [*(np.flatnonzero(ends) + 1).tolist(), len(counted)]
    for stop in dict.fromkeys(stops):
        ended = stop > start and ends[stop - 1] != RUNNING
        for seat in range(MAX_PLAYERS):
            ticks = [tick for tick in range(start, stop) if counted[tick] and seats[tick] == seat]
            points = [*ticks, stop] if ended or seats[-1] == seat else ticks
            worth = [float(values[tick]) for tick in points]
            if ended:
                worth[len(ticks) :] = [0.0]
            deltas = [
                rewards[points[i] : points[i + 1], seat].sum() + gamma * worth[i + 1] - worth[i]
                for i in range(len(points) - 1)
            ]
            for i in range(len(deltas)):
                found[points[i]] = sum((gamma * gae_lambda) ** (j - i) * deltas[j] for j in range(i, len(deltas)))
        start = stop
    return found


@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize(("gamma", "gae_lambda"), [(1.0, 1.0), (1.0, 0.95), (0.95, 1.0), (0.95, 0.95), (0.9, 0.0)])
def test_advantages_agree_with_their_definition_in_random_games(players, gamma, gae_lambda):
    rng = np.random.default_rng(players)
    ticks, games = 40, 30
    values = rng.normal(size=(ticks + 1, games)).astype(np.float32)
    seats = rng.integers(0, players, (ticks + 1, games))
    counted = rng.random((ticks, games)) < 0.8
    ends = (rng.random((ticks, games)) < 0.1).astype(np.int8)
    rewards = np.zeros((ticks, games, MAX_PLAYERS), np.float32)
    rewards[..., :players] = rng.normal(size=(ticks, games, players)) * (ends[..., None] != RUNNING)
    found, closed = seat_advantages(values, seats, counted, rewards, all_finished(ends), gamma, gae_lambda)
    for game in range(games):
        rows = (values, seats, counted, rewards, ends)
        expected = by_definition(*(row[:, game] for row in rows), gamma, gae_lambda)
        assert (closed[:, game] == ~np.isnan(expected)).all()
        np.testing.assert_allclose(found[:, game], np.nan_to_num(expected), rtol=1e-4, atol=1e-5)


# ---- playing -------------------------------------------------------------------------------------------------------


def uniform(play):
    return lambda tick: np.zeros((play.num_envs, play.masks.shape[2]), np.float32)


def test_actions_are_drawn_by_the_softmax_of_the_legal_logits():
    logits, mask = np.array([0.0, 5.0, 1.0, 2.0] + [0.0] * 63, np.float32), np.zeros(67, np.int8)
    mask[[0, 2, 3]] = 1
    expected = np.exp([0.0, 1.0, 2.0]) / np.exp([0.0, 1.0, 2.0]).sum()
    words = np.random.default_rng(1).integers(0, 2**64, 20_000, np.uint64)
    drawn = [draw(logits, mask, word) for word in words]
    actions = np.array([action for action, _, _ in drawn])
    shares = [(actions == action).mean() for action in (0, 2, 3)]
    assert sum(shares) == pytest.approx(1)  # never an illegal one
    np.testing.assert_allclose(shares, expected, atol=0.015)  # more than four standard deviations
    for action, log_prob, choices in drawn[:50]:
        assert choices == 3
        assert log_prob == pytest.approx(np.log(expected[[0, 2, 3].index(action)]), abs=1e-6)


def test_a_rollout_begins_where_the_last_one_ended():
    play = SelfPlay(Tables(Rules(), [3]), games=8, ticks=5, seed=1)
    play.collect(uniform(play))
    seen = play.observations[-1].copy(), play.masks[-1].copy(), play.movers[-1].copy()
    play.collect(uniform(play))
    for before, after in zip(seen, (play.observations[0], play.masks[0], play.movers[0]), strict=True):
        np.testing.assert_array_equal(before, after)


def test_forced_decisions_are_no_experience():
    play = SelfPlay(Tables(Rules(), [2]), games=64, ticks=32, seed=3)
    learner = new_learner(play)
    forced = 0
    for _ in range(3):
        learner.collect_rollouts(play, learner._init_callback(None), learner.rollout_buffer, play.ticks)
        legal = play.masks[:-1].sum(axis=2)
        assert ((legal > 1) == play.counted).all()
        forced += (legal == 1).sum()
        batches = list(learner.rollout_buffer.get(100))
        assert all((batch.action_masks.sum(1) > 1).all() for batch in batches)
        assert sum(len(batch.actions) for batch in batches) == len(learner.rollout_buffer)
        assert all(batch.action_masks.gather(1, batch.actions[:, None]).all() for batch in batches)
    assert forced > 0  # the first decision of a round is shown even when it is forced
    assert learner.num_timesteps < 3 * play.counted.size - forced


# ---- learning ------------------------------------------------------------------------------------------------------


def new_learner(play, **more):
    settings = {
        "seed": 5, "entropy": LinearSchedule(0.02, 0.02, 1.0), "learning_rate": 2e-3, "batch_size": 512, "n_epochs": 2,
        "policy_kwargs": {"net_arch": {"pi": [32, 32], "vf": [32, 32]}, "activation_fn": torch.nn.ReLU},
    }  # fmt: skip
    learner = SelfPlayPPO(play, **ROLLOUTS | settings | more)
    learner.set_logger(configure(None, []))
    return learner


def weights(learner):
    return {name: value.clone() for name, value in learner.policy.state_dict().items()}


def test_our_update_is_the_one_of_sb3_contrib(monkeypatch):
    ours = new_learner(SelfPlay(Tables(Rules(), [2]), games=64, ticks=32, seed=1))
    theirs = new_learner(SelfPlay(Tables(Rules(), [2]), games=64, ticks=32, seed=1), ent_coef=0.02)
    before = weights(ours)
    ours.learn(1)
    monkeypatch.setattr(SelfPlayPPO, "train", MaskablePPO.train)
    theirs.learn(1)
    for name, value in theirs.policy.state_dict().items():
        assert not torch.equal(before[name], value)
        torch.testing.assert_close(ours.policy.state_dict()[name], value, rtol=1e-4, atol=1e-6)


def test_a_saved_run_opens_in_plain_sb3_contrib(tmp_path):
    play = SelfPlay(Tables(Rules(), [2]), games=64, ticks=8, seed=1)
    learner = new_learner(play, average=0.5)
    learner.learn(1000)
    learner.save(tmp_path / "model.zip")
    np.savez(tmp_path / "seen.npz", observations=play.observations[0], masks=play.masks[0])
    code = """
import sys, numpy as np
from sb3_contrib import MaskablePPO
model, seen = MaskablePPO.load("model.zip"), np.load("seen.npz")
actions, _ = model.predict(seen["observations"], action_masks=seen["masks"], deterministic=True)
assert not {"agents", "maumau_env"} & {*sys.modules}
np.save("actions.npy", actions)
"""
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, capture_output=True, env={"PATH": ""})
    expected, _ = learner.predict(play.observations[0], action_masks=play.masks[0], deterministic=True)
    np.testing.assert_array_equal(np.load(tmp_path / "actions.npy"), expected)


def test_a_loss_that_is_no_number_changes_nothing():
    play = SelfPlay(Tables(Rules(), [2]), games=64, ticks=8, seed=1)
    learner = new_learner(play)
    learner.learn(1)
    before = weights(learner)
    play.rewards[play.ends != RUNNING] = np.nan
    learner.rollout_buffer.fill(play, np.zeros(play.movers.shape, np.float32))
    with pytest.raises(DivergedError, match="loss nan"):
        learner.train()
    assert all(torch.equal(before[name], value) for name, value in weights(learner).items())


def test_the_average_of_the_weights_is_what_is_exported():
    play = SelfPlay(Tables(Rules(), [2]), games=64, ticks=8, seed=1)
    learner = new_learner(play, average=0.75)
    learner.learn(1)  # the average begins with the weights after the first update
    first = learner.policy.action_net.bias.detach().clone()
    np.testing.assert_array_equal(learner.layers()[-1][1], first)
    learner.learn(1)
    expected = 0.75 * first + 0.25 * learner.policy.action_net.bias.detach()
    np.testing.assert_allclose(learner.layers()[-1][1], expected, rtol=1e-5)


def test_the_run_is_over_when_choices_or_minutes_are(monkeypatch):
    learner = new_learner(SelfPlay(Tables(Rules(), [2]), games=64, ticks=8, seed=1), minutes=2.0)
    learner.num_timesteps, learner.start_time = 250, 1000 * 10**9
    for second, left in ((1000, 0.75), (1029, 0.75), (1060, 0.5), (1120, 0.0), (1500, 0.0)):
        monkeypatch.setattr(learner_module.time, "time_ns", lambda now=second: now * 10**9)
        assert learner.remaining(1000) == pytest.approx(left)
        learner._update_current_progress_remaining(learner.num_timesteps, 1000)
        assert learner.lr_schedule(learner._current_progress_remaining) == 2e-3
    learner.num_timesteps = 1100
    assert learner.remaining(1000) == 0


def strength(play, learner):
    header = Header.of(Rules(), play.layout, [32, 32], [2])
    bot, greedy = Entrant("bot", Policy(header, learner.layers())), Entrant("greedy", make("greedy"))
    return hold([bot, greedy], Rules(), 2, 6000, seed=9)[0].bots[0].win_rate


@pytest.mark.slow
def test_advantages_across_seats_learn_worse():
    """The mistake of the field: after the same 200,000 choices it has not learned to beat `greedy`, and we have."""
    rates = []
    for mistaken in (False, True):
        play = SelfPlay(Tables(Rules(), [2]), games=256, ticks=32, seed=2)
        learner = new_learner(play, batch_size=1024, n_epochs=3, mistaken=mistaken)
        learner.learn(200_000)
        rates.append(strength(play, learner))
    ours, theirs = rates  # 0.525 and 0.441 when this was written; each to within 0.012
    assert ours > 0.5
    assert ours > theirs + 0.05
