"""Small words that the tests of the environments are written in."""

import contextlib
from collections import Counter, defaultdict
from dataclasses import dataclass, field

import numpy as np
import pytest
from match_referee import MatchReferee
from referee import points_of

from agents.agent import Agent
from maumau_env import maumau_v0
from maumau_env.envs.aec import MauMauAEC
from maumau_env.envs.match import MatchAEC
from maumau_env.game.actions import DRAW, actions_in
from maumau_env.game.record import set_up
from maumau_env.game.rules import Rules
from maumau_env.seat.single import new_table

AGENTS = [f"player_{agent}" for agent in range(5)]
MIXTURES = (
    {},
    {"rules": "match"},
    {"ace": "skip", "draw_then_play": True, "jack_on_jack": False, "win_with_jack": False},
    {"deck": 104, "mau": "call", "play_drawn": False, "final_seven_draws": True},
    {"rules": "match", "ace": "plain", "must_play": True, "max_turns": 40},
    {"hand_size": 6, "cover_special_start": True, "nine_skips_with_two": False, "mau": "call"},
)
"""Keyword arguments of an environment: both presets, and mixtures that use every option."""


class Lowest(Agent):
    """Takes the legal action with the lowest number: no chance in it, so that games can be worked out apart."""

    def act(self, views: np.ndarray, words: np.ndarray) -> np.ndarray:
        return np.array([actions_in(legal)[0] for legal in views["legal"]], np.int64)


class Outlaw(Agent):
    """Always says Mau."""

    def act(self, views: np.ndarray, words: np.ndarray) -> np.ndarray:
        return np.full(len(views), 66)


def legal_in(mask: np.ndarray) -> list[int]:
    return np.flatnonzero(mask).tolist()


def put(env: MauMauAEC, game: np.ndarray) -> None:
    """Put a position, a GAME of shape (1,) with the same seats, in the place of the round being played."""
    table = env._table
    table._bytes = new_table(game)
    table.seat, table.end = int(game["seat"][0]), int(game["end"][0])
    table.observation, table.mask = table.look(table.seat)
    env.agent_selection = table.names[table.seat]
    env._inform()


def env_at(game: np.ndarray) -> MauMauAEC:
    """An environment at a position: a GAME of shape (1,)."""
    env = maumau_v0.raw_env(Rules.from_record(game["rules"][0]), int(game["num_players"][0]))
    env.reset(seed=0)
    put(env, game)
    return env


def lay(env: MatchAEC, hands: list[str], discard: str, pile: str = "") -> None:
    """Put these cards in the place of those just dealt for the round of a match; cards as in `"7H QC"`."""
    dealt = env.game
    laid = set_up(env.rules, [hand.split() for hand in hands], discard.split(), pile.split(), int(dealt["starter"][0]))
    for kept in ("match", "agents", "seed", "episode"):
        laid[kept] = dealt[kept]
    put(env, laid)
    env._table._dealt = env._table._bytes.copy()


def eager(mask: np.ndarray, generator: np.random.Generator) -> int:
    """A random action, but a draw only when there is nothing else: rounds in which all draw at will hardly ever end."""
    actions = np.flatnonzero(mask)
    others = actions[actions != DRAW]
    return int(generator.choice(others if len(others) else actions))


def play_on(env, generator: np.random.Generator, most: int = 10**9) -> list[tuple]:
    """Play at random, at most so many decisions, and note all that is seen on the way."""
    seen = []
    for agent in env.agent_iter(most):
        observation, reward, terminated, truncated, info = env.last()
        told = [value.tobytes() if isinstance(value, np.ndarray) else value for value in info.values()]
        seen.append((agent, observation["observation"].tobytes(), reward, terminated, truncated, told))
        over = terminated or truncated
        env.step(None if over else int(generator.choice(np.flatnonzero(observation["action_mask"]))))
    return seen


def until_round(env, number, generator, dead_steps=True):
    """Play to the deal of this round, and past the steps of those who have finished by then."""
    while env._table.number < number:
        agent = env.agent_selection
        over = env.terminations[agent] or env.truncations[agent]
        env.step(None if over else eager(env.observe(agent)["action_mask"], generator))
    while dead_steps and (env.terminations[env.agent_selection] or env.truncations[env.agent_selection]):
        env.step(None)


# ---- a match beside the referee of matches ---------------------------------------------------------------------------


def names(agents) -> tuple[str, ...]:
    return tuple(AGENTS[agent] for agent in agents)


@dataclass
class Course:
    """What happened in a match, noted on the way."""

    decisions: dict = field(default_factory=lambda: defaultdict(list))  # round -> [(agent, legal actions by text)]
    requests: dict = field(default_factory=lambda: defaultdict(list))  # (round, decisions in it) -> who asked for what
    tables: dict = field(default_factory=dict)  # round -> points by agent before its first decision
    ends: dict = field(default_factory=dict)  # round -> what the infos say of it when it is over
    final: dict = field(default_factory=dict)  # agent -> whether it was terminated, and its last info
    paid: Counter = field(default_factory=Counter)  # by what `last()` told
    rewarded: Counter = field(default_factory=Counter)  # by what `rewards` held after each step

    def ask(self, env, verb, agent):
        moment, granted = (env._table.number, len(env._table._actions)), True
        try:
            getattr(env, verb)(AGENTS[agent])
        except ValueError:
            granted = False
        self.requests[moment].append((verb, agent, granted))


class Follower:
    """Leads the referee through a recorded match, and compares at every step."""

    def __init__(self, env, course, scheme, players, schedule):
        self.course, self.records, self.scheme = course, env.records(), scheme
        self.referee = MatchReferee(env.rules.as_dict(), players, env.penalty_limit)
        self.wages, self.out_in = Counter(), {}
        self.schedule, self.last_change = schedule, 0  # the last round after which somebody joined or left
        self.attend_to_schedule(1)
        self.left_before_round_1 = self.referee._carry_out_leaves()
        self.referee.points = dict.fromkeys(self.referee._still_in, 0)
        self.referee.left, self.referee.joined = self.left_before_round_1, self.referee._carry_out_joins()
        self.referee.seats = list(self.referee._still_in)

    def attend_to_schedule(self, number):
        """Ask for what the schedule says, as far as it is still possible."""
        for verb, request in (("leaves", self.referee.leave), ("joins", self.referee.join)):
            for name in self.schedule.get(verb, {}).get(number, ()):
                agent = AGENTS.index(name)
                if verb == "joins" or agent in self.referee._still_in:
                    with contextlib.suppress(ValueError):
                        request(agent)

    def answer_requests(self, number, decision):
        for verb, agent, granted in self.course.requests.pop((number, decision), ()):
            if granted:
                getattr(self.referee, verb)(agent)
            else:
                with pytest.raises(ValueError, match=AGENTS[agent]):
                    getattr(self.referee, verb)(agent)

    def follow(self) -> MatchReferee:
        referee = self.referee
        for record in self.records:
            self.play_round(record)
            self.pay()
            self.check_end(record)
            if not referee.over:
                self.attend_to_schedule(record.match.round + 1)
                referee.next_round()
                if referee.over or referee.joined or referee.left:
                    self.last_change = record.match.round
        assert referee.over
        self.answer_requests(len(self.records), len(self.records[-1].moves))
        assert not self.course.requests
        self.pay_winners()
        return referee

    def play_round(self, record):
        referee, match = self.referee, record.match
        assert match.round == referee.number
        assert record.seats == list(names(referee.seats))
        assert record.starter == referee.starter
        assert sorted(match.joined) == list(names(referee.joined))
        assert sorted(match.left) == list(names(referee.left))
        out = {AGENTS[agent]: referee._final_points[agent] for agent in self.out_in}
        points = {AGENTS[agent]: points for agent, points in referee.points.items()}
        assert self.course.tables[match.round] == points | out
        referee.lay(record.deal.hands, record.deal.discard, record.deal.pile, record.reshuffles)
        decisions = self.course.decisions[match.round]
        for number, ((seat, action), (agent, legal_actions)) in enumerate(zip(record.moves, decisions, strict=True)):
            self.answer_requests(match.round, number)
            assert (seat, agent) == (referee.round.seat, AGENTS[referee.seats[seat]])
            assert sorted(legal_actions) == referee.round.legal()
            referee.play(action)
        assert referee.round.end == record.end

    def check_end(self, record):
        """What the infos and the record say of a round."""
        referee, told = self.referee, self.course.ends[record.match.round]
        table = {AGENTS[agent]: points for agent, points in referee.table.items()}
        hands = [points_of(hand) for hand in referee.round.hands]
        assert record.match.table == told["table"] == table
        assert told["charged"] == dict(zip(names(referee.seats), hands, strict=True))
        assert tuple(record.match.out) == told["out"] == names(referee.out)
        assert (told["round"], told["end"]) == (referee.number, referee.round.end)
        assert told["ranking"] == tuple(referee.round.ranking)
        assert told["seats"] == names(referee.seats)
        self.out_in |= dict.fromkeys(referee.out, referee.number)

    def pay(self):
        """The rewards of a round by the schemes `win` and `points`."""
        referee = self.referee
        if self.scheme == "win":
            self.wages.update(dict.fromkeys(referee.out, -1 / (len(referee._have_sat) - 1)))
        if self.scheme == "points":
            left = [points_of(hand) for hand in referee.round.hands]
            for agent, own in zip(referee.seats, left, strict=True):
                self.wages[agent] += ((sum(left) - own) / (len(left) - 1) - own) / 100

    def pay_winners(self):
        referee = self.referee
        if self.scheme == "placement":
            self.wages = referee.payoffs
        if self.scheme == "win":
            winners, sat = [agent for agent, rank in referee.ranking.items() if rank == 1], len(referee._have_sat)
            self.wages.update(dict.fromkeys(winners, (sat - len(winners)) / ((sat - 1) * len(winners))))
