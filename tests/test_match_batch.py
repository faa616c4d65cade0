"""Matches in batches: the core's own steps, the `VecEnv`, self-play and its advantages, by the referee or by hand."""

import random

import numpy as np
import pytest
from match_referee import MatchReferee
from referee import points_of
from test_match_agreement import eager, follow, named

from agents import selfplay as selfplay_module
from agents.advantages import seat_advantages
from agents.selfplay import SelfPlay
from agents.tables import Tables
from maumau_env.game.attendance import join, leave
from maumau_env.game.match import open_matches
from maumau_env.game.record import Recorder
from maumau_env.game.result import REWARDS
from maumau_env.game.rules import MAX_PLAYERS, Rules
from maumau_env.game.state import END_NAMES, RUNNING, raw
from maumau_env.seat.batch import Buffers, observe, step
from maumau_env.seat.encode import Layout, observations
from maumau_env.seat.view import VIEW, views, views_kernel

QUICK = {"classic": Rules.of("classic", max_turns=30), "match": Rules.of("match", hand_size=4, max_turns=60)}
LIMIT = 40

every_table = pytest.mark.parametrize("preset", QUICK)
every_reward = pytest.mark.parametrize("reward", REWARDS)


class Running:
    """A batch of matches, and what is seen of it."""

    def __init__(self, rules: Rules, players: int, games: int, limit: int = LIMIT, first_lane: int = 0) -> None:
        self.games = open_matches(rules, players, limit, 7, games, first_lane)
        self.layout = Layout(rules.deck, players)
        self.out = Buffers.new(self.layout, games)
        observe(self.games, players, self.out)

    def step(self, actions: np.ndarray, reward: str = "placement", skip_forced: bool = False) -> None:
        step(self.games, actions, self.layout.seats, self.out, REWARDS.index(reward), skip_forced)

    def lowest(self) -> np.ndarray:
        return self.out.masks.argmax(axis=1)

    def eager(self, rng: random.Random) -> np.ndarray:
        return np.array([eager(np.flatnonzero(mask).tolist(), rng.getrandbits(64)) for mask in self.out.masks])

    def told(self, game: int) -> list:
        """All that is seen of one game."""
        out = self.out
        arrays = (out.observations, out.masks, out.movers, out.rewards, out.ends, out.finished)
        return [array[game].tobytes() for array in arrays]


def members(agents: int) -> list[int]:
    """The agents of a set with a bit for each."""
    return [agent for agent in range(MAX_PLAYERS) if agents >> agent & 1]


def winners_of(referee: MatchReferee) -> list[int]:
    return [agent for agent in referee.seats if referee.over and agent not in referee.out]


def rewards_of(referee: MatchReferee, reward: str, opened: int) -> np.ndarray:
    """What a round pays to each agent in a match that so many opened and nobody joined or left."""
    paid, winners = np.zeros(MAX_PLAYERS), winners_of(referee)
    if reward == "points":
        points = [points_of(hand) for hand in referee.round.hands]
        for agent, own in zip(referee.seats, points, strict=True):
            paid[agent] = ((sum(points) - own) / (len(points) - 1) - own) / 100
        return paid.astype(np.float32)
    for agent in [*referee.out, *winners]:
        paid[agent] = referee.payoffs[agent] if reward == "placement" else -1 / (opened - 1)
    if reward == "win":
        losers = opened - len(winners)
        paid[winners] = losers / (opened - 1) / max(len(winners), 1)
    return paid.astype(np.float32)


# ---- steps of a batch ----------------------------------------------------------------------------------------------


@every_table
def test_a_match_is_the_same_whatever_the_size_of_the_batch(preset):
    few, many, alone = (Running(QUICK[preset], 4, games, first_lane=lane) for games, lane in ((3, 0), (17, 0), (1, 2)))
    matches = 0
    for _ in range(800):
        assert few.told(2) == many.told(2) == alone.told(0)
        for running in (few, many, alone):
            running.step(running.lowest())
        matches += alone.games["match"]["round"][0] == 1 and alone.out.ends[0] != RUNNING
    assert matches >= 3


class Watched:
    """One game of a batch, followed by the referee."""

    def __init__(self, rules: Rules, players: int, game: np.ndarray) -> None:
        self.rules, self.players = rules, players
        self.begin_match(game)

    def begin_match(self, game: np.ndarray) -> None:
        self.referee, self.total = MatchReferee(self.rules.as_dict(), self.players, LIMIT), 0.0
        self.begin_round(game)

    def begin_round(self, game: np.ndarray) -> None:
        self.recorder, self.movers = Recorder(game, named(self.referee.seats)), []

    def end_round(self, game: np.ndarray, out: Buffers, i: int, reward: str) -> bool:
        """The round of game i has ended, and the next one has been dealt; tells whether the match was over."""
        record, referee = self.recorder.record(), self.referee
        follow(referee, record)
        assert [record.seats[seat] for seat, _ in record.moves] == named(self.movers)
        assert END_NAMES[out.ends[i]] == record.end
        expected = rewards_of(referee, reward, self.players)
        np.testing.assert_array_equal(out.rewards[i], expected)
        assert members(out.finished[i]) == sorted([*referee.out, *winners_of(referee)])
        self.total += expected.sum()
        if referee.over:
            assert self.total == pytest.approx(0, abs=1e-6)
            assert not game["match"]["points"].any()
            self.begin_match(game)
        else:
            referee.next_round()
            self.begin_round(game)
        return referee.over


@every_reward
@every_table
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_movers_rewards_and_who_has_finished_are_those_of_the_referee(players, preset, reward):
    """After the last round of a match another one begins, with everybody at the table, as the referee's new one."""
    rng, running = random.Random(players), Running(QUICK[preset], players, 8)
    watched = [Watched(QUICK[preset], players, running.games[i : i + 1]) for i in range(8)]
    matches = 0
    for _ in range(400):
        actions = running.eager(rng)
        for i, game in enumerate(watched):
            game.recorder.note(actions[i])
            game.movers.append(int(running.out.movers[i]))
        running.step(actions, reward)
        for i, game in enumerate(watched):
            if running.out.ends[i] == RUNNING:
                assert not running.out.rewards[i].any()
                assert running.out.finished[i] == 0
            else:
                matches += game.end_round(running.games[i : i + 1], running.out, i, reward)
    assert matches > 5


def test_who_is_out_never_moves_again_in_that_match():
    rng, running = random.Random(1), Running(QUICK["classic"], 5, 50)
    everybody, gone, matches = set(range(5)), [set() for _ in range(50)], 0
    for _ in range(600):
        running.step(running.eager(rng))
        for i in range(50):
            gone[i] |= set(members(running.out.finished[i]))
            if gone[i] == everybody:
                gone[i] = set()
                matches += 1
                assert running.games["num_players"][i] == 5
            assert running.out.movers[i] not in gone[i]
            assert set(running.games["agents"][i].tolist()) - {-1} == everybody - gone[i]
    assert matches > 50


@every_reward
@every_table
def test_skipping_forced_decisions_changes_no_result(preset, reward):
    """Who always takes the lowest action does the same in a forced decision as anybody."""
    results = []
    for skip in (False, True):
        running, told = Running(QUICK[preset], 4, 10), [[] for _ in range(10)]
        for _ in range(500):
            running.step(running.lowest(), reward, skip)
            out = running.out
            choices = out.masks.sum(axis=1)
            assert not skip or (choices[out.ends == RUNNING] > 1).all()
            for i in np.flatnonzero(out.ends != RUNNING):
                told[i].append((out.ends[i], out.rewards[i].tolist(), out.finished[i], out.movers[i]))
        results.append(told)
    for shown, skipped in zip(*results, strict=True):
        assert len(shown) >= 5
        assert skipped[: len(shown)] == shown


# ---- what is seen when some are out --------------------------------------------------------------------------------


def test_a_view_of_a_smaller_round_has_nothing_of_those_who_are_out():
    """Even one that has shown more players before."""
    rng, running, used, seen = random.Random(2), Running(QUICK["classic"], 5, 10), np.zeros(10, VIEW), set()
    for _ in range(500):
        views_kernel(raw(running.games), raw(used))
        fresh = views(running.games)
        for name in VIEW.names:
            assert used[name].tobytes() == fresh[name].tobytes(), name
        absent = np.arange(MAX_PLAYERS) >= used["num_players"][:, None]
        for name in ("hand_sizes", "points", "seats"):
            assert not np.frombuffer(used[name][absent].tobytes(), np.uint8).any()
        assert (used["hand_sizes"][~absent] > 0).all()
        seen |= set(used["num_players"].tolist())
        running.step(running.eager(rng))
    assert seen == {2, 3, 4, 5}


def test_observations_of_a_batch_have_nothing_of_those_who_are_out():
    rng, running, played = random.Random(3), Running(QUICK["match"], 5, 10, limit=15), set()
    slices = running.layout.slices()
    for _ in range(500):
        running.step(running.eager(rng))
        seen = running.out.observations
        assert (seen == observations(views(running.games), 5)).all()
        for players in np.unique(running.games["num_players"]):
            rows = seen[running.games["num_players"] == players]
            assert not rows[:, slices["points"]][:, players:].any()
            assert not rows[:, slices["hand_sizes"]][:, players:].any()
            assert (rows[:, slices["gone"]] == (5 - players) / 4).all()
            for seat in range(players, 5):
                for name, where in slices.items():
                    assert not (name.endswith(f"_{seat}") and rows[:, where].any())
            played.add(int(players))
    assert played == {2, 3, 4, 5}


# ---- advantages ----------------------------------------------------------------------------------------------------


def advantages(story, last, gamma=1.0, gae_lambda=1.0) -> list[float | None]:
    """Advantages of one match, None where there is none.

    Each line of the story is a decision: agent, value, and, if a round ends there, what is paid and who has finished;
    `last` is who moves at the end of the rollout, and the value there.
    """
    movers = np.array([[agent] for agent, *_ in story] + [[last[0]]])
    values = np.array([[value] for _, value, *_ in story] + [[last[1]]], np.float32)
    rewards, finished = np.zeros((len(story), 1, MAX_PLAYERS), np.float32), np.zeros((len(story), 1), np.uint8)
    for tick, (_, _, *end) in enumerate(story):
        if end:
            paid, gone = end
            rewards[tick, 0, list(paid)] = list(paid.values())
            finished[tick] = sum(1 << agent for agent in gone)
    counted = np.ones((len(story), 1), np.bool_)
    found, closed = seat_advantages(values, movers, counted, rewards, finished, gamma, gae_lambda)
    return [value if known else None for value, known in zip(found[:, 0].tolist(), closed[:, 0], strict=True)]


def test_advantages_run_through_the_rounds_for_those_who_play_on():
    story = [
        (0, 0.5),
        (1, 0.25),
        (2, -0.5, {1: -1}, [1]),  # agent 1 is out: the last of three
        (2, 0.25),
        (0, 0.75, {0: 0, 2: 1}, [0, 2]),  # agent 0 is out, the second; agent 2 has won
        (1, 0.5),  # another match
        (0, 0.25),
    ]
    last = (1, 0.75)
    # agent 0: 0 - 0.75 in round 2, and 0.75 - 0.5 - 0.75 before; agent 1: -1 - 0.25; agent 2: 1 - 0.25 in round 2, and
    # 0.25 + 0.5 + 0.75 before; in the new match agent 1 moves again at the end, 0.75 - 0.5, and agent 0 does not
    assert advantages(story, last) == [*map(pytest.approx, [-0.5, -1.25, 1.5, 0.75, -0.75, 0.25]), None]
    # gamma = 0.9, lambda = 0.5, so 0.45 in all. agent 0: 0.9 * 0.75 - 0.5 + 0.45 * -0.75; agent 1: as before;
    # agent 2: 0.9 * 0.25 + 0.5 + 0.45 * 0.75; new match: 0.9 * 0.75 - 0.5
    expected = [-0.1625, -1.25, 1.0625, 0.75, -0.75, 0.175]
    assert advantages(story, last, 0.9, 0.5) == [*map(pytest.approx, expected), None]


def test_points_of_a_round_are_paid_on_the_way_and_close_nothing_for_those_who_play_on():
    story = [
        (0, 0.5),
        (1, 0.0),
        (2, 0.25, {0: 0.5, 1: -0.75, 2: 0.25}, []),  # all play on
        (1, 0.25, {0: -0.25, 1: 0.125, 2: 0.125}, [0]),  # agent 0 is out, without a decision in this round
        (2, -0.5, {1: 0.25, 2: -0.25}, [1, 2]),
    ]
    # agent 0: 0.5 - 0.25 - 0.5; agent 1: 0.125 + 0.25 - 0.25 = 0.125 at last, and -0.75 + 0.25 - 0 + 0.125 before;
    # agent 2: -0.25 + 0.5 = 0.25 at last, and 0.25 + 0.125 - 0.5 - 0.25 + 0.25 before
    expected = [-0.25, -0.375, -0.125, 0.125, 0.25]
    assert advantages(story, last=(0, 1.0)) == pytest.approx(expected)
    # lambda 0: agent 1 before: -0.75 + 0.25; agent 2 before: 0.25 + 0.125 - 0.5 - 0.25
    assert advantages(story, (0, 1.0), gae_lambda=0.0) == pytest.approx([-0.25, -0.5, -0.375, 0.125, 0.25])


def by_definition(values, movers, counted, rewards, finished, gamma, gae_lambda) -> np.ndarray:
    """The same for one game, slowly: the decisions of each agent in each of its matches, and sums by the definition."""
    found, ticks_played = np.full(len(counted), np.nan), len(counted)
    for agent in range(MAX_PLAYERS):
        ends = [tick + 1 for tick in range(ticks_played) if finished[tick] >> agent & 1]
        for start, stop in zip([0, *ends], [*ends, ticks_played], strict=True):
            ticks = [tick for tick in range(start, stop) if counted[tick] and movers[tick] == agent]
            over = start < stop and stop in ends
            points = [*ticks, stop] if over or movers[-1] == agent else ticks
            worth = [float(values[tick]) for tick in points]
            if over:
                worth[-1] = 0.0
            deltas = [
                rewards[points[i] : points[i + 1], agent].sum() + gamma * worth[i + 1] - worth[i]
                for i in range(len(points) - 1)
            ]
            for i in range(len(deltas)):
                found[points[i]] = sum((gamma * gae_lambda) ** (j - i) * deltas[j] for j in range(i, len(deltas)))
    return found


# ---- self-play -----------------------------------------------------------------------------------------------------


def self_play(reward: str, players: int = 4, games: int = 12, ticks: int = 150) -> SelfPlay:
    return SelfPlay(Tables(QUICK["classic"], [players], {}, LIMIT), games, ticks, 7, REWARDS.index(reward))


def collect(play: SelfPlay) -> None:
    play.collect(lambda tick: np.zeros((play.num_envs, play.masks.shape[2]), np.float32))


@every_reward
@pytest.mark.parametrize("players", [2, 4])
def test_a_rollout_of_self_play_is_what_the_batch_gives(players, reward, monkeypatch):
    """The same actions in a batch of the same matches: equal movers, rewards, ends and eliminations, zero-sum."""
    done = []

    def noting_step(games, actions, *rest, **more):
        done.append(actions.copy())
        step(games, actions, *rest, **more)

    monkeypatch.setattr(selfplay_module, "step", noting_step)
    play, running = self_play(reward, players), Running(QUICK["classic"], players, 12)
    gone, totals, matches = np.zeros(12, int), np.zeros(12), 0
    for _ in range(2):
        done.clear()
        collect(play)
        assert play.rounds() == (play.ends != RUNNING).sum() > 0
        for tick, actions in enumerate(done):
            np.testing.assert_array_equal(play.movers[tick], running.out.movers)
            running.step(actions, reward, skip_forced=True)
            for name in ("rewards", "ends", "finished"):
                np.testing.assert_array_equal(getattr(play, name)[tick], getattr(running.out, name))
            totals += play.rewards[tick].sum(axis=1)
            gone |= play.finished[tick]
            over = gone == 2**players - 1
            np.testing.assert_allclose(totals[over], 0, atol=1e-5)
            gone[over], totals[over] = 0, 0
            matches += over.sum()
    assert matches > 12


@every_reward
@pytest.mark.parametrize(("gamma", "gae_lambda"), [(1.0, 1.0), (0.95, 0.9)])
def test_advantages_of_self_play_agree_with_their_definition(reward, gamma, gae_lambda):
    play = self_play(reward)
    values = np.random.default_rng(1).normal(size=play.movers.shape).astype(np.float32)
    for _ in range(2):
        collect(play)
        rows = (values, play.movers, play.counted, play.rewards, play.finished)
        found, closed = seat_advantages(*rows, gamma, gae_lambda)
        for game in range(play.num_envs):
            expected = by_definition(*(row[:, game] for row in rows), gamma, gae_lambda)
            assert (closed[:, game] == ~np.isnan(expected)).all()
            np.testing.assert_allclose(found[:, game], np.nan_to_num(expected), rtol=1e-4, atol=1e-5)
        assert closed.sum() > play.counted.sum() / 2


# ---- agents that join and leave, in a batch ------------------------------------------------------------------------


def test_m6_who_is_left_alone_in_a_batch_has_won_and_the_next_match_has_its_openers():
    games = open_matches(QUICK["classic"], 2, LIMIT, 3, 1)
    leave(games, 0)
    out = Buffers.new(Layout(32, 2), 1)
    observe(games, 2, out)
    while not out.finished[0]:
        step(games, out.masks.argmax(axis=1), 2, out)
    assert members(out.finished[0]) == [0, 1]
    assert out.rewards[0, :2].tolist() == [0, 1]  # who left is paid nothing
    assert games["match"]["round"][0] == 1
    assert games["agents"][0, :2].tolist() == [0, 1]
    assert games["match"]["points"].sum() == 0


def test_m5_who_joined_a_match_of_a_batch_is_not_there_in_the_next_one():
    games = open_matches(QUICK["classic"].replace(hand_size=10), 3, 1, 3, 1)
    leave(games, 0)
    join(games, 3)
    out, players = Buffers.new(Layout(32, 5), 1), []
    observe(games, 5, out)
    while games["episode"][0] < 12:
        step(games, out.masks.argmax(axis=1), 5, out)
        if games["turns"][0] == 0 and out.ends[0] != RUNNING:
            players.append((int(games["match"]["round"][0]), games["agents"][0, : games["num_players"][0]].tolist()))
    matches = [seats for number, seats in players if number == 1]
    assert matches
    assert all(seats == [0, 1, 2] for seats in matches)


def test_c1_nobody_joins_when_the_deck_has_no_cards_for_more():
    games = open_matches(QUICK["classic"].replace(hand_size=7), 4, LIMIT, 3, 1)
    with pytest.raises(ValueError, match="player_4 cannot join: there are room and cards for no more than 4"):
        join(games, 4)
