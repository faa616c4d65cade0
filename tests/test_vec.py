"""The `VecEnv` over the batch core."""

import numpy as np
import pytest
from envtools import MIXTURES, Lowest, Outlaw, legal_in

pytest.importorskip("stable_baselines3")

from stable_baselines3.common.vec_env import VecMonitor

from maumau_env.envs.vec import MauMauVecEnv
from maumau_env.game import batch
from maumau_env.game.actions import NUM_ACTIONS, actions_in
from maumau_env.game.batch import IllegalActionError
from maumau_env.game.result import ranking
from maumau_env.game.state import END_NAMES, RUNNING
from maumau_env.seat.encode import observations
from maumau_env.seat.view import view_of

every_mixture = pytest.mark.parametrize("options", MIXTURES, ids=str)


def lowest(masks):
    return masks.argmax(axis=1)


def steps(env, count, choose=lowest):
    """So many steps from a reset; yields what each gives."""
    env.reset()
    for _ in range(count):
        yield env.step(choose(env.action_masks()))


def rounds_of_lane(env, lane, count):
    """The learner's rounds in one game when everybody takes the lowest action, played apart with the game alone."""
    game = batch.deal(env.rules, env.num_players, 7, 1, first_lane=lane)
    learner, decisions, told = lane % env.num_players, 0, []
    while len(told) < count:
        decisions += int(game["seat"][0]) == learner
        batch.step(game, np.array([actions_in(batch.legal(game)[0])[0]]))
        if game["end"][0] == RUNNING:
            continue
        if decisions:
            ranks = ranking(game[0])
            place = ranks[learner] - 1 + (ranks.count(ranks[learner]) - 1) / 2
            reward = float(np.float32(1 - 2 * place / (env.num_players - 1)))
            seen = observations(view_of(game[0], learner), env.layout.seats).tobytes()
            told.append((decisions, END_NAMES[game["end"][0]], ranks[learner], learner, reward, seen))
        learner, decisions = (learner + 1) % env.num_players, 0
        episode = game["episode"][0] + 1
        game = batch.deal(env.rules, env.num_players, 7, 1, first_lane=lane)
        game["episode"] = episode
        batch.deal_kernel(game.view(np.uint8).reshape(-1))
    return told


@every_mixture
@pytest.mark.parametrize("players", [2, 4])
def test_every_game_is_what_the_game_alone_gives(options, players):
    env = MauMauVecEnv(6, Lowest(), num_players=players, seed=7, **({"max_turns": 40} | options))
    told = [[] for _ in range(6)]
    for _, rewards, dones, infos in steps(env, 90):
        for i in range(6):
            assert bool(infos[i]) == dones[i]
            assert dones[i] or rewards[i] == 0
            if dones[i]:
                info = infos[i]
                episode, seen = info["episode"], info["terminal_observation"].tobytes()
                assert episode["r"] == rewards[i]
                told[i].append((episode["l"], info["end"], info["rank"], info["seat"], episode["r"], seen))
    for lane in range(6):
        assert told[lane] == rounds_of_lane(env, lane, len(told[lane]))
    assert all(told)


def test_the_mean_of_equal_players_is_zero():
    generator = np.random.default_rng(1)

    def at_random(masks):
        return (masks * generator.random(masks.shape)).argmax(axis=1)

    env = MauMauVecEnv(500, "random", num_players=3, seed=1)
    paid = [rewards[dones] for _, rewards, dones, _ in steps(env, 80, at_random)]
    paid = np.concatenate(paid)
    assert len(paid) > 2000
    assert abs(paid.mean()) < 4 * paid.std() / len(paid) ** 0.5


def test_learners_sit_in_all_seats_and_move_on_each_round():
    env = MauMauVecEnv(5, "random", num_players=3, seed=1)
    seats = [[], [], [], [], []]
    for *_, infos in steps(env, 100):
        for i, info in enumerate(infos):
            seats[i] += [info["seat"]] if info else []
    for i in range(5):
        assert seats[i] == [(i + k) % 3 for k in range(len(seats[i]))]


@every_mixture
def test_a_game_is_the_same_whatever_the_number_of_games(options):
    def game_of(size):
        env = MauMauVecEnv(size, ["random", "heuristic"], seed=3, **options)
        return [
            (seen[2].tobytes(), rewards[2], dones[2], infos[2].get("end"))
            for seen, rewards, dones, infos in steps(env, 60)
        ]

    assert game_of(3) == game_of(17)


def test_seeds_repeat_everything_and_a_plain_reset_goes_on():
    env = MauMauVecEnv(8, "random", seed=3)
    first, second = env.reset(), env.reset()
    assert not (first == second).all()
    env.seed(3)
    assert (env.reset() == first).all()
    assert (env.reset() == second).all()
    assert not (MauMauVecEnv(8, "random", seed=4).reset() == first).all()
    assert not (MauMauVecEnv(8, "random").reset() == MauMauVecEnv(8, "random").reset()).all()


def test_results_of_a_step_are_not_overwritten_by_the_next():
    env = MauMauVecEnv(4, "random", seed=3)
    held = [(seen, seen.copy()) for seen, *_ in steps(env, 20)]
    for seen, then in held:
        assert (seen == then).all()


def test_masks_reach_sb3_contrib():
    utils = pytest.importorskip("sb3_contrib.common.maskable.utils")
    env = MauMauVecEnv(4, "random", num_players=3, seed=3)
    assert utils.is_masking_supported(env)
    env.reset()
    masks = utils.get_action_masks(env)
    assert (masks.shape, masks.dtype) == ((4, NUM_ACTIONS), bool)
    assert (masks == env.action_masks()).all()
    assert masks.any(axis=1).all()
    assert (env.env_method("action_masks", indices=[2])[0] == masks[2]).all()


def test_illegal_actions_are_named_and_change_nothing():
    env, witness = (MauMauVecEnv(3, "random", seed=3) for _ in range(2))
    env.reset()
    witness.reset()
    good = lowest(env.action_masks())
    bad = good.copy()
    bad[1] = 66
    with pytest.raises(IllegalActionError, match=r"game 1, seat 1: action 66 \(mau\) is illegal; legal are"):
        env.step(bad)
    for mine, theirs in zip(env.step(good)[:3], witness.step(good)[:3], strict=True):
        assert (mine == theirs).all()
    for wrong in (good[:2], good.astype(float)):
        with pytest.raises(ValueError, match="3 games want as many whole numbers"):
            env.step(wrong)


def test_an_opponent_that_breaks_the_rules_is_named():
    env = MauMauVecEnv(4, Outlaw(), seed=3)
    with pytest.raises(IllegalActionError, match=r"the opponent Outlaw: game 1, seat 0: action 66"):
        env.reset()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_envs": 0}, "num_envs=0: there is at least one game"),
        ({"opponents": ["random"], "num_players": 4}, "1 opponents for 4 players: give 3"),
        ({"reward": "money"}, "no reward is called 'money'"),
        ({"acee": "skip"}, "no option is called 'acee'"),
        ({"observation_seats": 1}, "an observation with 1 seats"),
    ],
)
def test_wrong_arguments_are_refused_by_name(arguments, message):
    with pytest.raises(ValueError, match=message):
        MauMauVecEnv(**({"num_envs": 2} | arguments))


def test_before_reset_a_reset_is_asked_for():
    env = MauMauVecEnv(2, "random")
    for use in (env.action_masks, lambda: env.step(np.zeros(2, int))):
        with pytest.raises(RuntimeError, match="call reset"):
            use()


def test_vec_monitor_and_a_round_at_the_limit_agree():
    env = VecMonitor(MauMauVecEnv(6, "random", max_turns=9, seed=2))
    env.reset()
    ends = set()
    for _ in range(40):
        _, rewards, dones, infos = env.step(lowest(env.unwrapped.action_masks()))
        for i in np.flatnonzero(dones):
            assert infos[i]["episode"]["r"] == rewards[i]
            ends.add(infos[i]["end"])
            assert not infos[i].get("TimeLimit.truncated", False)  # C18 is a rule: there is nothing to bootstrap
    assert "too long" in ends


def test_the_stock_maskable_ppo_learns_on_it():
    sb3_contrib = pytest.importorskip("sb3_contrib")
    env = MauMauVecEnv(16, "random", num_players=3, seed=1)
    model = sb3_contrib.MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=128, n_epochs=2, seed=1, device="cpu")
    model.learn(2_000)
    assert model.num_timesteps >= 2_000
    assert len(model.ep_info_buffer) > 20
    action, _ = model.predict(env.reset(), action_masks=env.action_masks())
    assert all(action[i] in legal_in(mask) for i, mask in enumerate(env.action_masks()))
