"""Who goes out, who joins and who leaves in the environment of a match: figures by hand, and every refusal."""

import re

import numpy as np
import pytest
from envtools import AGENTS, lay, play_on, until_round

from maumau_env import match_v0
from maumau_env.game.actions import action_number
from maumau_env.game.match_check import MatchBook
from maumau_env.game.record_check import replay

SMALL = ["KC 7C", "KD 7D", "KH 7H", "KS 7S"]
BIG = ["AC 10C", "AD 10D", "AH 10H", "AS 10S"]


def new_env(players=4, limit=25, options=None, make=match_v0.raw_env, **more):
    """A match whose every round is over after its first turn, so that everybody is charged what is laid."""
    env = make("classic", players, limit, **({"max_turns": 1} | more))
    env.reset(seed=1, options=options)
    return env


def play_first_round(env, over=()):
    """Charge 11 points each, and 21 more to those in `over`; player_0 begins, and gets rid of a King."""
    hands = [f"{SMALL[agent]} {BIG[agent]}" if agent in over else SMALL[agent] for agent in range(len(env.agents))]
    lay(env, hands, "QC")
    env.step(action_number("KC"))


def play_round(env):
    """Charge 7 points to everyone but the beginner, who plays his only card."""
    seats = env.infos[env.agent_selection]["seats"]
    sevens = dict(zip(seats, ["7C", "7D", "7H", "7S", "8C"], strict=False))
    lay(env, list(sevens.values()), f"Q{sevens[env.agent_selection][-1]}")
    env.step(action_number(sevens[env.agent_selection]))


def settle(env):
    """Take the steps of all who have finished; what they were paid, and how they went."""
    told = {}
    while env.agents and (env.terminations[env.agent_selection] or env.truncations[env.agent_selection]):
        agent = env.agent_selection
        _, reward, terminated, truncated, info = env.last()
        assert terminated != truncated
        assert terminated == ("placement" in info)
        told[agent] = pytest.approx(reward), info["placement"] if terminated else "left"
        env.step(None)
    return told


# ---- who goes out --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("over", "finished", "starter"),
    [
        ([], {}, 1),
        ([0], {0: (-1, 4)}, 1),
        ([1], {1: (-1, 4)}, 2),
        ([2], {2: (-1, 4)}, 1),
        ([3], {3: (-1, 4)}, 1),
        ([0, 1], {0: (-1 / 3, 3), 1: (-1, 4)}, 2),  # the beginner has 4 points less
        ([1, 2], {1: (-2 / 3, 3), 2: (-2 / 3, 3)}, 3),
        ([1, 3], {1: (-2 / 3, 3), 3: (-2 / 3, 3)}, 2),
        ([2, 3], {2: (-2 / 3, 3), 3: (-2 / 3, 3)}, 1),
    ],
)
def test_m7_after_an_elimination_the_next_one_still_in_begins(over, finished, starter):
    """The order of turns is no list that an elimination shifts."""
    env = new_env()
    play_first_round(env, over)
    assert env.agents == AGENTS[:4]
    assert settle(env) == {AGENTS[agent]: how for agent, how in finished.items()}
    stay = [agent for agent in AGENTS[:4] if AGENTS.index(agent) not in over]
    first = stay.index(AGENTS[starter])
    for number in range(2, 4):
        assert env.agents == stay
        assert env.agent_selection == stay[(first + number - 2) % len(stay)]
        assert env.infos[env.agent_selection]["seats"] == tuple(stay)
        play_round(env)


@pytest.mark.parametrize(
    ("over", "finished"),
    [
        ([0, 2, 3], {0: (1 / 3, 2), 1: (1, 1), 2: (-2 / 3, 3), 3: (-2 / 3, 3)}),  # M2: one is left
        ([0, 1, 2], {0: (1 / 3, 2), 1: (-2 / 3, 3), 2: (-2 / 3, 3), 3: (1, 1)}),
        ([0, 1, 2, 3], {0: (1, 1), 1: (-1 / 3, 2), 2: (-1 / 3, 2), 3: (-1 / 3, 2)}),  # M3: the fewest points win
    ],
)
def test_m2_m3_m4_a_match_that_ends_with_the_first_round(over, finished):
    env = new_env()
    play_first_round(env, over)
    ranking = {AGENTS[agent]: rank for agent, (_, rank) in finished.items()}
    assert {str(info["ranking"]) for info in env.infos.values()} == {str(ranking)}
    assert settle(env) == {AGENTS[agent]: how for agent, how in finished.items()}
    assert env.agents == []


def test_m3_joint_winners_share_the_first_places():
    env = new_env(3)
    lay(env, ["KC AS 10H 8S", "AH 10S 8H", "AC 10C 9C"], "QC")  # left are 29, 29 and 30
    env.step(action_number("KC"))
    assert settle(env) == {"player_0": (0.5, 1), "player_1": (0.5, 1), "player_2": (-1, 3)}


def test_pay_by_the_other_schemes():
    """`win`: -1/3 for each who goes out; `points`: half of what the others keep, less one's own, in hundreds."""
    env = new_env(reward="win")
    play_first_round(env, [1, 3])
    assert settle(env) == {"player_1": (pytest.approx(-1 / 3), 3), "player_3": (pytest.approx(-1 / 3), 3)}
    env = new_env(3, reward="points")
    play_first_round(env, [2])  # 7, 11 and 32
    assert env.rewards == pytest.approx({"player_0": 0.145, "player_1": 0.085, "player_2": -0.23})
    assert settle(env) == {"player_2": (pytest.approx(-0.23), 3)}
    assert env.last()[1] == pytest.approx(0.085)
    play_round(env)  # 7 for player_0
    assert env.agents == ["player_0", "player_1"]
    assert env._cumulative_rewards == pytest.approx({"player_0": 0.145 - 0.07, "player_1": 0.07})


def test_what_the_infos_tell_of_a_round():
    env = new_env(options={"joins": {2: ["player_4"]}})
    env.leave("player_2")
    assert env.infos["player_0"]["last_round"] is None
    play_first_round(env, [3])
    assert {str(info["last_round"]) for info in env.infos.values()} == {str(env.infos["player_0"]["last_round"])}
    assert env.infos["player_3"]["last_round"] == {
        "round": 1,
        "end": "too long",
        "seats": ("player_0", "player_1", "player_2", "player_3"),
        "ranking": (1, 2, 2, 4),
        "announcements": ("Mau!", "", "", ""),  # one card is left
        "charged": {"player_0": 7, "player_1": 11, "player_2": 11, "player_3": 32},
        "table": {"player_0": 7, "player_1": 11, "player_2": 11, "player_3": 32},
        "out": ("player_3",),
        "left": ("player_2",),
        "joined": ("player_4",),
    }
    assert {(info["round"], info["seats"]) for info in env.infos.values()} == {
        (2, ("player_0", "player_1", "player_4"))
    }
    assert env.table == {"player_0": 7, "player_1": 11, "player_3": 32, "player_4": 11}


# ---- who joins and who leaves --------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheduled", [True, False])
def test_m5_m6_by_schedule_or_by_call_in_the_round_in_which_somebody_goes_out(scheduled):
    """The leader leaves; a newcomer gets the 11 points of the worst one still in, not the 32 of the one who is out."""
    env = new_env(options={"joins": {2: ["player_4"]}, "leaves": {2: ["player_0"]}} if scheduled else None)
    if not scheduled:
        env.join("player_4")
        env.leave("player_0")
    play_first_round(env, [2])
    assert env.agents == AGENTS
    assert env.truncations == dict.fromkeys(AGENTS, False) | {"player_0": True}
    told = settle(env)
    assert told["player_0"] == (0, "left")
    assert told["player_2"][0] == -1  # the last of the four who had sat down by then
    assert env.agents == ["player_1", "player_3", "player_4"]
    assert env.table == {"player_1": 11, "player_2": 32, "player_3": 11, "player_4": 11}
    assert env.agent_selection == "player_1"
    assert env.records()[0].match.out == ["player_2"]
    match = env.record().match
    assert (match.joined, match.left, match.out) == (["player_4"], ["player_0"], [])
    gone = env.layout.slices()["gone"]
    assert env.last()[0]["observation"][gone] == pytest.approx(2 / 4)


def test_joins_and_leaves_before_round_1():
    env = new_env(3, options={"joins": {1: ["player_4", "player_3"]}, "leaves": {1: ["player_0"]}})
    assert env.agents == AGENTS[1:]
    assert env.agent_selection == "player_1"
    assert env.table == dict.fromkeys(AGENTS[1:], 0)
    assert env.infos["player_4"]["seats"] == tuple(AGENTS[1:])
    assert env.last()[0]["observation"][env.layout.slices()["gone"]] == 0.25
    with pytest.raises(ValueError, match="player_0 cannot join: it has left this match"):
        env.join("player_0")
    lay(env, ["KC 7C", "7D", "AS 10S 8S", "7H"], "QC")
    env.step(action_number("KC"))
    assert settle(env) == {"player_3": (pytest.approx(1 - 2 * 3 / 4), 4)}  # five have sat down
    record = env.records()[0]
    assert (sorted(record.match.joined), record.match.left) == (["player_3", "player_4"], ["player_0"])
    replay(record)
    MatchBook().check(record)


def test_newcomers_of_one_moment_do_not_count_for_each_other_and_the_next_one_begins():
    env = new_env(2, options={"joins": {2: ("player_2", "player_4"), 3: {"player_3"}}})
    play_first_round(env)
    assert env.table == {"player_0": 7, "player_1": 11, "player_2": 11, "player_4": 11}
    play_round(env)  # player_1 begins, and charges the others 7
    assert env.table == {"player_0": 14, "player_1": 11, "player_2": 18, "player_3": 18, "player_4": 18}
    assert env.agent_selection == "player_2"
    play_round(env)  # 7 for player_3, who came with 18, and 8 for player_4
    assert settle(env) == {"player_4": (-1, 5)}
    assert env.table["player_3"] == 25
    assert env.agent_selection == "player_3"


def test_m6_who_is_left_alone_has_won_and_joins_lapse():
    env = new_env(2)
    env.join("player_3")
    env.leave("player_0")
    play_first_round(env)
    assert env.agents == ["player_0", "player_1"]
    assert env.infos["player_1"]["ranking"] == {"player_1": 1}
    assert env.infos["player_1"]["last_round"]["joined"] == ()
    assert "ranking" not in env.infos["player_0"]
    assert settle(env) == {"player_0": (0, "left"), "player_1": (1, 1)}
    assert env.table == {"player_1": 11}


def test_who_goes_out_has_not_left_and_what_was_asked_in_the_last_round_lapses():
    env = new_env(2)
    env.leave("player_1")
    env.join("player_2")
    play_first_round(env, [1])
    assert settle(env) == {"player_0": (1, 1), "player_1": (-1, 2)}
    assert env.table == {"player_0": 7, "player_1": 32}


def test_a_join_may_be_taken_back_and_asked_for_again():
    env = new_env(2)
    env.join("player_2")
    env.leave("player_2")
    env.join("player_4")
    play_first_round(env)
    assert env.agents == ["player_0", "player_1", "player_4"]
    env.join("player_2")
    play_round(env)
    assert env.agents == ["player_0", "player_1", "player_2", "player_4"]


@pytest.mark.parametrize(
    ("options", "calls", "agents"),
    [
        # player_3 goes out by round 1: it cannot leave any more.
        ({"leaves": {2: ["player_3"]}}, [], AGENTS[:3]),
        # He sits there already, since he has asked for it himself.
        ({"joins": {2: ["player_4"]}}, [("join", 4)], [*AGENTS[:3], "player_4"]),
        ({"leaves": {2: ["player_1"]}}, [("leave", 1)], ["player_0", "player_2"]),
    ],
)
def test_what_has_become_needless_or_impossible_by_its_round_lapses(options, calls, agents):
    env = new_env(options=options)
    for verb, agent in calls:
        getattr(env, verb)(AGENTS[agent])
    play_first_round(env, [3])
    assert settle(env)["player_3"][0] == -1
    assert env.agents == agents


def test_a_scheduled_leave_lapses_when_nobody_else_would_be_left():
    env = new_env(2, options={"leaves": {2: ["player_0"]}})
    env.leave("player_1")
    play_first_round(env)
    assert settle(env) == {"player_0": (1, 1), "player_1": (0, "left")}


def test_a_place_that_somebody_leaves_is_free_at_once():
    env = new_env(3, observation_seats=3)
    with pytest.raises(ValueError, match=r"player_3 cannot join: .*3"):
        env.join("player_3")
    env.leave("player_1")
    env.join("player_3")
    play_first_round(env)
    assert settle(env) == {"player_1": (0, "left")}
    assert env.agents == ["player_0", "player_2", "player_3"]


# ---- refusals ------------------------------------------------------------------------------------------------------


def four_of_five():
    """player_3 is out, player_2 has left, player_4 has asked to join, player_1 to leave."""
    env = new_env()
    env.leave("player_2")
    play_first_round(env, [3])
    settle(env)
    env.join("player_4")
    env.leave("player_1")
    return env


def five():
    return new_env(4, options={"joins": {1: ["player_4"]}})


def over():
    env = new_env(2)
    play_first_round(env, [1])
    return env


def full_over():
    env = new_env(2, observation_seats=2)
    play_first_round(env, [1])
    return env


UNKNOWN = "at most five can sit down, player_0, player_1, player_2, player_3, player_4"


@pytest.mark.parametrize(
    ("position", "verb", "agent", "message"),
    [
        (four_of_five, "join", "player_0", "player_0 cannot join: it sits at the table already"),
        (four_of_five, "join", "player_2", "player_2 cannot join: it has left this match"),
        (four_of_five, "join", "player_3", "player_3 cannot join: it is out of this match"),
        (four_of_five, "join", "player_4", "player_4 cannot join: it has asked for it already"),
        (four_of_five, "join", "player_5", f"no agent is called 'player_5': {UNKNOWN}"),
        (four_of_five, "join", 3, f"no agent is called 3: {UNKNOWN}"),
        (four_of_five, "leave", None, f"no agent is called None: {UNKNOWN}"),
        (four_of_five, "leave", "player_0", "player_0 cannot leave: all others leave, so it has won"),
        (four_of_five, "leave", "player_1", "player_1 cannot leave: it has asked for it already"),
        (four_of_five, "leave", "player_2", "player_2 cannot leave: it has left this match"),
        (four_of_five, "leave", "player_3", "player_3 cannot leave: it is out of this match"),
        (lambda: new_env(2), "leave", "player_3", "player_3 cannot leave: it does not sit at the table"),
        (five, "join", "player_0", "player_0 cannot join: it sits at the table already"),
        (five, "join", "player_5", f"no agent is called 'player_5': {UNKNOWN}"),
        (over, "join", "player_3", "player_3 can neither join nor leave: the match is over"),
        (over, "leave", "player_0", "player_0 can neither join nor leave: the match is over"),
        (full_over, "join", "player_3", "player_3 can neither join nor leave: the match is over"),
    ],
)
def test_a_refusal_says_why_and_changes_nothing(position, verb, agent, message):
    env = position()
    before = env._table._bytes.tobytes(), env.agents.copy(), env.table, str(env.infos)
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        getattr(env, verb)(agent)
    assert (env._table._bytes.tobytes(), env.agents, env.table, str(env.infos)) == before


def test_nobody_joins_for_whom_there_are_not_enough_cards():
    """Five times seven cards are more than the deck has."""
    env = new_env(4, hand_size=7)
    with pytest.raises(ValueError, match=r"player_4 cannot join: .*(hand_size|cards)"):
        env.join("player_4")
    with pytest.raises(ValueError, match="player_4 cannot join before round 2"):
        env.reset(seed=1, options={"joins": {2: ["player_4"]}})
    env.leave("player_0")
    env.join("player_4")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"joins": {2: ["player_5"]}}, f"no agent is called 'player_5': {UNKNOWN}"),
        ({"leaves": {2: [3]}}, "no agent is called 3"),
        ({"joins": {2: ["player_2"]}}, "player_2 cannot join before round 2: it sits at the table already"),
        ({"joins": {2: ["player_3"], 3: ["player_3"]}}, "player_3 cannot join before round 3: it sits at the table"),
        ({"joins": {2: ["player_3", "player_3"]}}, "player_3 cannot join before round 2: it sits at the table"),
        ({"joins": {3: ["player_1"]}, "leaves": {2: ["player_1"]}}, "player_1 cannot join before round 3: it has left"),
        ({"leaves": {2: ["player_3"]}}, "player_3 cannot leave before round 2: it does not sit at the table"),
        ({"joins": {3: ["player_3"]}, "leaves": {3: ["player_3"]}}, "player_3 cannot leave before round 3: it does"),
        ({"leaves": {2: AGENTS[:3]}}, "player_2 cannot leave before round 2: it has won when all others leave"),
        ({"leaves": {1: AGENTS[:2]}}, "round 1 cannot be played: by schedule only one player is left before"),
        ({"leaves": {2: AGENTS[:2], 3: ["player_2"]}}, "round 3 is never played: by schedule only one player is left"),
        ({"joins": {0: ["player_3"]}}, "joins: 0 is not the number of a round: they count from 1"),
        ({"joins": {-1: ["player_3"]}}, "joins: -1 is not the number of a round"),
        ({"leaves": {1.5: ["player_1"]}}, "leaves: 1.5 is not the number of a round"),
        ({"leaves": {True: ["player_1"]}}, "leaves: True is not the number of a round"),
        ({"leaves": {"2": ["player_1"]}}, "leaves: '2' is not the number of a round"),
        ({"joins": {2: "player_3"}}, "joins: round 2 has 'player_3': give a list of agents"),
        ({"joins": {2: 3}}, "joins: round 2 has 3: give a list of agents"),
        ({"joins": ["player_3"]}, "joins=['player_3']: it says for each round who"),
        ({"join": {2: ["player_3"]}}, "reset() knows no option 'join': there are joins, leaves"),
        ({"Leaves": {2: ["player_1"]}}, "reset() knows no option 'Leaves': there are joins, leaves"),
    ],
)
def test_a_refused_reset_names_the_fault_and_the_match_goes_on(options, message):
    check_refused_reset(message, seed=2, options=options)


@pytest.mark.parametrize("seed", [-1, 1 << 64])
def test_a_refused_seed_leaves_the_match_and_its_schedule(seed):
    check_refused_reset("a seed is a whole number", seed=seed, options={"leaves": {3: ["player_1"]}})


def check_refused_reset(message, **arguments):
    env, witness = (new_env(3, 60, {"joins": {3: ["player_3"]}}, max_turns=9) for _ in range(2))
    for each in (env, witness):
        until_round(each, 2, np.random.default_rng(1))
        each.join("player_4")
    with pytest.raises(ValueError, match=re.escape(message)):
        env.reset(**arguments)
    seen = [[*play_on(each, np.random.default_rng(2)), each.records(), each.table] for each in (env, witness)]
    assert seen[0] == seen[1]
    assert set(env.table) == set(AGENTS)  # both newcomers have come
    for each in (env, witness):
        each.reset()
    assert env.game.tobytes() == witness.game.tobytes()


def test_a_refused_reset_between_going_out_and_the_step_after_it_loses_nothing():
    env = new_env()
    play_first_round(env, [3])
    before = [env.observe(agent)["observation"].tolist() for agent in env.agents], str(env.infos)
    with pytest.raises(ValueError, match="seed"):
        env.reset(seed=-1)
    assert ([env.observe(agent)["observation"].tolist() for agent in env.agents], str(env.infos)) == before
    assert settle(env) == {"player_3": (-1, 4)}


def test_a_table_for_three_refuses_a_fourth_by_schedule():
    with pytest.raises(ValueError, match="player_3 cannot join before round 2: it finds no place, since 3 sit there"):
        new_env(3, observation_seats=3, options={"joins": {2: ["player_3"]}})
    env = new_env(3, observation_seats=3, options={"joins": {2: ["player_3"]}, "leaves": {2: ["player_0"]}})
    play_first_round(env)
    settle(env)
    assert env.agents == ["player_1", "player_2", "player_3"]


def test_other_options_of_reset_may_be_meant_for_wrappers():
    env = new_env(2, options={"colour": "green", "joins": None})
    assert env.agents == ["player_0", "player_1"]


# ---- one match after another ---------------------------------------------------------------------------------------


def test_the_same_seed_plays_the_same_matches_and_the_next_ones_follow():
    def deals(seed):
        env = match_v0.raw_env("classic", 3, 20, max_turns=5)
        env.reset(seed=seed)
        seen = []
        for _ in range(3):
            play_on(env, np.random.default_rng(1))
            seen += [record.deal for record in env.records()]
            assert len({record.match.id for record in env.records()}) == 1
            env.reset()
        return seen

    assert deals(7) == deals(7)
    assert len({str(deal) for deal in deals(7) + deals(8)}) == len(deals(7)) + len(deals(8))


def test_a_new_match_begins_with_those_who_opened_and_without_the_old_schedule():
    env = match_v0.raw_env("classic", 2, 90, max_turns=5)
    env.reset(seed=1, options={"joins": {1: ["player_4"], 2: ["player_3"]}})
    assert env.agents == ["player_0", "player_1", "player_4"]
    play_on(env, np.random.default_rng(1))
    assert "player_3" in env.table
    env.reset()
    assert env.agents == ["player_0", "player_1"]
    until_round(env, 3, np.random.default_rng(1))
    assert (env.agents, env.table.keys()) == (["player_0", "player_1"], {"player_0", "player_1"})
