"""The PettingZoo environment of a whole match: by PettingZoo's tests, and beside the referee of matches."""

import contextlib
import copy
import pickle

import numpy as np
import pettingzoo.test
import pytest
from envtools import AGENTS, MIXTURES, Course, Follower, eager, lay, legal_in, names, play_on, put, until_round
from pettingzoo.utils.wrappers import TerminateIllegalWrapper
from test_privacy import with_other_hidden_cards

from maumau_env import match_v0, maumau_v0
from maumau_env.game.actions import ACTION_NAMES, NUM_ACTIONS, action_number, actions_in
from maumau_env.game.batch import IllegalActionError, legal
from maumau_env.game.match_check import MatchBook
from maumau_env.game.record_check import replay
from maumau_env.game.rules import Rules
from maumau_env.render import ansi

MAKERS = [match_v0.env, match_v0.raw_env]
SCHEMES = ["placement", "win", "points"]
FRESH = {"direction": 1, "owed": 0, "wished": 0, "mau_said": 0, "phase": 0, "turns": 0}
every_table = pytest.mark.parametrize("players", range(2, 6))
every_mixture = pytest.mark.parametrize("options", MIXTURES, ids=str)
every_maker = pytest.mark.parametrize("make", MAKERS)
# The mask of an agent whose match is over is empty, since nothing is legal any more; api_test remarks on it.
empty_masks = pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros")


# ---- PettingZoo's tests --------------------------------------------------------------------------------------------


@empty_masks
@every_table
@pytest.mark.parametrize("reward", SCHEMES)
@pytest.mark.parametrize("rules", ["classic", "match"])
@every_maker
def test_pettingzoo_api_test(make, rules, reward, players):
    env = make(rules, players, 60, reward=reward, max_turns=9)
    pettingzoo.test.api_test(env, num_cycles=100)
    assert len(env.unwrapped.records()) < 9  # it has been reset more than once, so it went through whole matches


@every_table
@pytest.mark.parametrize("rules", ["classic", "match"])
def test_pettingzoo_seed_test(rules, players):
    pettingzoo.test.seed_test(lambda: match_v0.env(rules, players, 200, max_turns=9), num_cycles=100)


def test_the_loop_of_the_modules_docstring_plays_a_match_to_its_end():
    env = match_v0.env(rules="match", num_players=4, penalty_limit=100)
    env.reset(seed=42, options={"joins": {3: ["player_4"]}})
    final = {}
    for agent in env.agent_iter():
        observation, _, terminated, truncated, info = env.last()
        if terminated or truncated:
            final[agent] = info["placement"]
        action = None if terminated or truncated else env.action_space(agent).sample(observation["action_mask"])
        env.step(action)
    assert set(final) == {agent for record in env.unwrapped.records() for agent in record.seats}
    assert min(final.values()) == 1
    assert env.agents == []


# ---- whole matches beside the referee ------------------------------------------------------------------------------


def check_moment(env, course):
    """What holds after every step."""
    for keyed in (env.rewards, env.terminations, env.truncations, env.infos, env._cumulative_rewards):
        assert set(keyed) == set(env.agents)
    assert env.agents == sorted(set(env.agents))
    assert env.num_agents == len(env.agents)
    assert not set(env.agents) & set(course.final)
    assert env.state_space.contains(env.state())
    game = env.game
    seats = names(game["agents"][0, : game["num_players"][0]])
    mover = seats[game["seat"][0]]
    for agent in env.agents:
        observation, info = env.observe(agent), env.infos[agent]
        gone = env.terminations[agent] or env.truncations[agent]
        assert not (env.terminations[agent] and env.truncations[agent])
        assert env.observation_space(agent).contains(observation)
        expected = actions_in(legal(game)[0]) if agent == mover and not gone else []
        assert legal_in(observation["action_mask"]) == legal_in(info["action_mask"]) == expected
        assert (info["round"], info["seats"]) == (game["match"]["round"][0], seats)
        if (last_round := info["last_round"]) is not None:
            assert course.ends.setdefault(last_round["round"], last_round) == last_round


def check_deal(env, course):
    """Before the first decision of a round all is fresh, and all that tells of it agrees."""
    record, info = env.record(), env.infos[env.agent_selection]
    course.tables[info["round"]] = env.table
    view = env.view()[0]
    assert {name: view[name] for name in FRESH} == FRESH
    assert record.end == "running"
    assert (record.moves, record.match.out) == ([], [])
    assert tuple(record.seats) == info["seats"]
    assert record.match.table == {agent: env.table[agent] for agent in info["seats"]}
    assert set(env.agents) == set(info["seats"])
    assert len(env.records()) == info["round"] - 1


def play_match(env, generator, requests) -> Course:
    """Play to the end, with so many random requests a decision."""
    course = Course()
    while env.agents:
        check_moment(env, course)
        agent = env.agent_selection
        observation, reward, terminated, truncated, info = env.last()
        course.paid[agent] += reward
        if generator.random() < requests:
            course.ask(env, generator.choice(["join", "join", "leave"]), int(generator.integers(5)))
        if terminated or truncated:
            course.final[agent] = terminated, info
            env.step(None)
            assert agent not in env.agents
        else:
            decisions = course.decisions[info["round"]]
            if not decisions:
                check_deal(env, course)
            decisions.append((agent, [ACTION_NAMES[action] for action in legal_in(observation["action_mask"])]))
            env.step(eager(observation["action_mask"], generator))
        course.rewarded.update(env.rewards)
    return course


def check_against_referee(env, course, scheme, players, schedule):
    follower = Follower(env, course, scheme, players, schedule)
    referee = follower.follow()
    ranking = {AGENTS[agent]: rank for agent, rank in referee.ranking.items()}
    assert env.table == {AGENTS[agent]: referee._final_points[agent] for agent in referee.ranking}
    present = set(referee._have_sat) - set(follower.left_before_round_1)
    assert sorted(course.final) == sorted(names(present))  # everyone finished exactly once, losers too
    for agent in present:
        terminated, info = course.final[AGENTS[agent]]
        assert terminated == (agent in referee.ranking) == ("placement" in info)
        assert course.paid[AGENTS[agent]] == pytest.approx(follower.wages[agent], abs=1e-9)
        assert course.rewarded[AGENTS[agent]] == pytest.approx(follower.wages[agent], abs=1e-9)
        went = follower.out_in.get(agent, len(env.records()))
        assert ("ranking" in info) == (terminated and went == len(env.records()))
        assert info.get("ranking", ranking) == ranking
        if terminated and follower.last_change < went:
            assert info["placement"] == ranking[AGENTS[agent]]
    if len(referee.ranking) == players == len(referee._have_sat):
        assert sum(course.paid.values()) == pytest.approx(0, abs=1e-9)
    check_records(env, course, ranking)
    return referee


def check_records(env, course, ranking):
    book, records = MatchBook(), env.records()
    for record in records:
        replay(record)
        book.check(record)
    assert env.record() == records[-1]
    assert book.final_ranking(records[0].match.id, course.ends[len(records)]["left"]) == ranking
    for number, record in enumerate(records[1:], 1):
        assert sorted(course.ends[number]["left"]) == sorted(record.match.left)
        assert sorted(course.ends[number]["joined"]) == sorted(record.match.joined)


def random_schedule(env, generator, seed):
    """Reset with a schedule that can be, after the refusal of some that cannot."""
    while True:
        schedule = {
            verb: {
                int(number): [AGENTS[generator.integers(5)]]
                for number in generator.integers(1, 6, generator.integers(3))
            }
            for verb in ("joins", "leaves")
        }
        with contextlib.suppress(ValueError):
            env.reset(seed, schedule)
            return schedule


@every_table
@every_mixture
def test_whole_matches_keep_every_promise_and_agree_with_the_referee(options, players):
    generator = np.random.default_rng(players)
    quick = {"rules": "classic"} | options | {"max_turns": 20}
    for turn, requests in enumerate((0, 0.05, 0.05, 0.05), players + MIXTURES.index(options)):
        scheme, limit = SCHEMES[turn % 3], int(generator.choice([30, 60, 150]))
        env = match_v0.raw_env(num_players=players, penalty_limit=limit, reward=scheme, **quick)
        schedule = random_schedule(env, generator, players) if requests else env.reset(seed=players) or {}
        course = play_match(env, generator, requests)
        referee = check_against_referee(env, course, scheme, players, schedule)
        assert requests or len(referee._have_sat) == players


# ---- what is seen --------------------------------------------------------------------------------------------------


def test_observation_of_a_match_by_hand():
    """Three with 11, 7 and 0 points; then the second is out, and two others sit down."""
    env = match_v0.raw_env("classic", 3, 20, max_turns=1)
    parts = env.layout.slices()

    def seen(agent):
        observation = env.observe(agent)["observation"]
        return [observation[parts[name]].tolist() for name in ("match", "round", "gone", "points", "players")]

    env.reset(seed=1)
    assert seen("player_1") == [[1], [pytest.approx(0.1)], [0], [0] * 5, [0, 1, 0, 0]]
    lay(env, ["KC QD 8H", "7D", "9S"], "QC")
    env.step(action_number("KC"))  # left are 11, 7 and 9
    assert env.table == {"player_0": 11, "player_1": 7, "player_2": 9}
    points = {"player_0": [11, 7, 9], "player_1": [7, 9, 11], "player_2": [9, 11, 7]}
    for agent, by_seat in points.items():
        assert seen(agent)[:3] == [[1], [pytest.approx(0.2)], [0]]
        assert seen(agent)[3] == pytest.approx([*(each / 20 for each in by_seat), 0, 0])
    env.join("player_3")
    env.join("player_4")
    lay(env, ["8C", "KD KH 10S", "9H"], "QD")  # player_1 begins, and goes out by 7 + 4 + 10
    env.step(action_number("KD"))
    env.step(None)
    assert env.table == {"player_0": 19, "player_1": 21, "player_2": 18, "player_3": 19, "player_4": 19}
    assert seen("player_3")[:3] == [[1], [pytest.approx(0.3)], [0.25]]
    assert seen("player_3")[3] == pytest.approx([0.95, 0.95, 0.95, 0.9, 0])
    assert seen("player_3")[4] == [0, 0, 1, 0]


def test_rounds_in_the_observation_are_counted_no_further_than_twenty():
    env = match_v0.raw_env("classic", 2, 10_000, max_turns=1)
    env.reset(seed=1)
    counted = []
    for number in range(1, 23):
        until_round(env, number, np.random.default_rng(number))
        counted.append(float(env.last()[0]["observation"][env.layout.slices()["round"]][0]))
    assert counted == pytest.approx([number / 10 for number in range(1, 21)] + [2, 2])


@pytest.mark.parametrize("rules", ["classic", "match"])
def test_a_single_round_shares_the_layout_and_leaves_the_sections_of_a_match_zero(rules):
    single, match = maumau_v0.raw_env(rules, 3, observation_seats=5), match_v0.raw_env(rules, 3)
    assert single.layout == match.layout
    assert single.observation_space("player_0") == match.observation_space("player_4")
    single.reset(seed=1)
    match.reset(seed=1)
    other = np.ones(single.layout.size, bool)
    for name in ("match", "round", "gone", "points"):
        part = single.layout.slices()[name]
        other[part] = False
        assert not single.last()[0]["observation"][part].any()
    assert single.last()[0]["observation"][other].any()


def test_the_last_observation_of_all_who_finish_shows_the_points_that_count():
    """Whoever would move next, too; nobody has moved since, but all have been charged."""
    env = match_v0.raw_env("classic", 2, 20, max_turns=1)
    env.reset(seed=1)
    lay(env, ["KC 7D", "AS 10H"], "QC")
    env.step(action_number("KC"))
    points = env.layout.slices()["points"]
    last = {agent: env.observe(agent)["observation"][points][:2].tolist() for agent in env.agents}
    own, others = pytest.approx(7 / 20), pytest.approx(21 / 20)
    assert last == {"player_0": [own, others], "player_1": [others, own]}


def test_the_last_observation_does_not_count_those_as_gone_who_have_not_come_yet():
    env = match_v0.raw_env("classic", 3, 20, max_turns=1)
    env.reset(seed=1)
    lay(env, ["KC 7D", "8S", "AS 10H"], "QC")
    env.join("player_3")
    env.step(action_number("KC"))
    assert env.agent_selection == "player_2"
    assert env.last()[0]["observation"][env.layout.slices()["gone"]] == 0


def test_observations_stay_in_their_space_under_the_lowest_limit():
    env = match_v0.raw_env("match", 2, 1)
    env.reset(seed=1)
    lay(env, ["7C", "AS AH AD AC 10S 10H"], "8C")
    env.step(action_number("7C"))
    assert env.table["player_1"] > 13
    for agent in env.agents:
        assert env.observation_space(agent).contains(env.observe(agent))
    assert env.state_space.contains(env.state())


def seen_by(env, agent):
    """All that an agent can see of a match."""
    observation, info = env.observe(agent), dict(env.infos[agent])
    mask, scene = info.pop("action_mask"), ansi(env._table.scene(env._table.names.index(agent)))
    arrays = [env.view(agent), observation["observation"], observation["action_mask"], mask]
    return [each.tobytes() for each in arrays], info, env.table, scene


@every_table
@every_mixture
def test_hidden_cards_do_not_show_in_a_match(options, players):
    generator = np.random.default_rng(players)
    env = match_v0.raw_env(num_players=players, penalty_limit=150, **({"rules": "classic"} | options))
    env.reset(seed=players, options={"joins": {2: ["player_4"]} if players < 5 else {}})
    until_round(env, 2, generator)
    for _ in range(6):
        for seat, agent in enumerate(env._table.names):
            twin = copy.deepcopy(env)
            put(twin, with_other_hidden_cards(env.game, seat, generator))
            assert (twin.game["hands"] != env.game["hands"]).any()
            assert (twin.state() != env.state()).any()
            assert seen_by(twin, agent) == seen_by(env, agent)
        play_on(env, generator, 3)
        if any(env.terminations.values()) or env._table.number > 2:
            break


# ---- going on, and being copied ------------------------------------------------------------------------------------


def moments(make):
    """Environments of matches at every kind of moment."""
    env = make("classic", 4, 60, max_turns=30, reward="points")
    yield env  # before the first reset
    generator = np.random.default_rng(3)
    env.reset(seed=3, options={"joins": {3: ["player_4"]}, "leaves": {4: ["player_4"]}})
    yield env
    play_on(env, generator, 7)
    yield env
    until_round(env.unwrapped, 2, generator)
    env.unwrapped.leave("player_1")
    yield env  # with a pending leave, and joins by schedule
    while not any(env.terminations.values()):
        play_on(env, generator, 1)
    yield env  # between somebody's going out and the step after it
    env.step(None)
    yield env


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@every_maker
def test_copies_go_on_exactly_as_the_original(make, copied):
    for number, _ in enumerate(moments(make)):
        env = next(each for index, each in enumerate(moments(make)) if index == number)
        twins = [env, copied(env)]
        seen = []
        for each in twins:
            if number == 0:
                each.reset(seed=6)
            noted = play_on(each, np.random.default_rng(5))
            noted += [each.unwrapped.records(), each.unwrapped.table]
            each.reset()
            seen.append(noted + play_on(each, np.random.default_rng(6)))
        assert seen[0] == seen[1]


def test_rewards_that_cancel_out_for_all_are_still_cleared():
    """Two are paid 0.075 and the reverse of it before they move again; the third is paid nothing."""
    env = match_v0.raw_env("classic", 3, 100, reward="points", max_turns=1)
    env.reset(seed=1)
    lay(env, ["KC 10S", "8D 7D", "10D 10H"], "QC")  # left are 10, 15 and 20
    env.step(action_number("KC"))
    assert env.rewards == pytest.approx({"player_0": 0.075, "player_1": 0, "player_2": -0.075})
    lay(env, ["10D 10H", "KC 8D 7D", "10S"], "QC")  # left are 20, 15 and 10
    env.step(action_number("KC"))
    assert env.rewards == pytest.approx({"player_0": -0.075, "player_1": 0, "player_2": 0.075})
    lay(env, ["7C", "8C", "9S"], "QH", "KH 7D")
    env.step(action_number("draw"))
    assert env.agent_selection == "player_2"  # may play the King, so that the round is not over
    assert env.rewards == dict.fromkeys(AGENTS[:3], 0)


# ---- what is shown, and what is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["ansi", "rgb_array"])
def test_rendering_works_at_every_stage_without_a_display(mode, monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    for env in moments(lambda *args, **options: match_v0.env(*args, render_mode=mode, **options)):
        if not env.unwrapped._table.dealt:
            continue
        check_picture(env.render(), env)
    while env.agents:
        play_on(env, np.random.default_rng(1), 1)
        if mode == "ansi" or any(env.terminations.values()):
            check_picture(env.render(), env)
    check_picture(env.render(), env)


def check_picture(picture, env):
    if isinstance(picture, np.ndarray):
        assert (picture.dtype, picture.shape[2]) == (np.uint8, 3)
        assert picture.std() > 0
    else:
        for agent in env.unwrapped._table.names:
            assert f"{agent} ({env.unwrapped.table[agent]})" in picture


@pytest.mark.parametrize("mode", ["ansi", "rgb_array"])
def test_rendering_works_when_a_match_has_ended_by_leaving(mode):
    env = match_v0.raw_env("classic", 2, render_mode=mode, max_turns=1)
    env.reset(seed=1)
    env.leave("player_0")
    env.step(legal_in(env.last()[0]["action_mask"])[0])
    assert env.terminations == {"player_0": False, "player_1": True}
    assert len(env.render()) > 0


NEEDS_A_MATCH = {
    "agents": lambda env: env.agents,
    "agent_selection": lambda env: env.agent_selection,
    "infos": lambda env: env.infos,
    "last": lambda env: env.last(),
    "observe": lambda env: env.observe("player_0"),
    "step": lambda env: env.step(0),
    "state": lambda env: env.state(),
    "render": lambda env: env.render(),
    "view": lambda env: env.unwrapped.view(),
    "game": lambda env: env.unwrapped.game,
    "record": lambda env: env.unwrapped.record(),
    "records": lambda env: env.unwrapped.records(),
    "table": lambda env: env.unwrapped.table,
    "join": lambda env: env.unwrapped.join("player_4"),
    "leave": lambda env: env.unwrapped.leave("player_0"),
}


@pytest.mark.parametrize("use", NEEDS_A_MATCH)
@every_maker
def test_before_reset_everything_else_asks_for_a_reset(make, use):
    with pytest.raises((AttributeError, AssertionError), match="reset"):
        NEEDS_A_MATCH[use](make())


@every_maker
def test_spaces_and_possible_agents_work_before_reset(make):
    env = make(num_players=2)
    assert env.possible_agents == AGENTS
    assert (env.max_num_agents, str(env), env.metadata["name"]) == (5, "match_v0", "match_v0")
    for agent in AGENTS:
        assert env.observation_space(agent) is env.observation_space(agent)
        assert env.observation_space(agent) == env.observation_space("player_0")
        assert env.action_space(agent) is env.action_space(agent)
        assert env.action_space(agent).n == NUM_ACTIONS
    env.reset(seed=1)
    env.agents.remove("player_1")  # no list that anything else counts on
    assert env.possible_agents == AGENTS


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"penalty_limit": 0}, "penalty_limit=0: it is a whole number from 1 to 10,000"),
        ({"penalty_limit": 10_001}, "penalty_limit=10001: it is a whole number from 1 to 10,000"),
        ({"penalty_limit": 1.5}, "penalty_limit=1.5: it is a whole number"),
        ({"penalty_limit": True}, "penalty_limit=True: it is a whole number"),
        ({"penalty_limit": "100"}, "penalty_limit='100': it is a whole number"),
        ({"num_players": 1}, "1 players: a table seats 2 to 5"),
        ({"num_players": 6}, "6 players: a table seats 2 to 5"),
        ({"rules": "poker"}, "no rules are called 'poker': there are classic, match"),
        ({"acee": "skip"}, "no option is called 'acee', perhaps ace"),
        ({"rules": "classic", "num_players": 5, "hand_size": 7}, "hand_size=7 for 5 players: a deck of 32 allows"),
        ({"reward": "money"}, "no reward is called 'money': there are placement, win, points"),
        ({"render_mode": "smoke"}, "render_mode='smoke': there are human, ansi, rgb_array and None"),
        ({"observation_seats": 3}, "observation_seats=3 for 4 players: it is at least their number"),
        ({"observation_seats": 6}, "6 seats: it has 2 to 5"),
    ],
)
@every_maker
def test_wrong_arguments_are_refused_by_name(make, arguments, message):
    with pytest.raises(ValueError, match=message):
        make(**arguments)


@pytest.mark.parametrize("action", [3, 67, -1, None, "7H"])
@every_maker
def test_illegal_actions_are_named_and_change_nothing(make, action):
    env, witness = (make("classic", 3, 40, max_turns=9) for _ in range(2))
    for each in (env, witness):
        each.reset(seed=5)
        until_round(each.unwrapped, 2, np.random.default_rng(1))
    seat = env.unwrapped._table.seat
    with pytest.raises(IllegalActionError, match=rf"seat {seat}: .*(illegal; legal are|not the number of an action)"):
        env.step(action)
    assert play_on(env, np.random.default_rng(1)) == play_on(witness, np.random.default_rng(1))


def test_pettingzoos_terminate_illegal_wrapper_fits():
    env = TerminateIllegalWrapper(match_v0.raw_env(num_players=3), illegal_reward=-1)
    env.reset(seed=5)
    env.step(3)
    rewards = {}
    for agent in env.agent_iter():
        rewards[agent] = env.last()[1]
        env.step(None)
    assert rewards == {"player_0": -1, "player_1": 0, "player_2": 0}


def test_a_match_of_given_rules_with_other_options():
    rules = Rules.of("match", hand_size=9)
    assert match_v0.env(rules=rules, ace="skip").unwrapped.rules == rules.replace(ace="skip")
    assert match_v0.raw_env().penalty_limit == 100
