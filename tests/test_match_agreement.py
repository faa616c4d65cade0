"""Whole random matches of the core against the referee of matches: every round, and what became of everybody.

The core plays and records them, in the arena and in the PettingZoo environment. The referee plays each recorded round
again with the recorded cards, new piles and moves; who sits where, who starts, the points, who is out, the final
ranking and the rewards must be what he says.
"""

import random
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby

import numpy as np
import pytest
from corematch import CoreMatch
from match_referee import MatchReferee
from referee import PRESETS, SPECIAL_AT_START, full_deck, points_of, rank_of
from test_agreement import DRAW, PASS, partial_deal, random_rules
from test_rules_rounds import random_move

from agents.agent import Agent
from agents.arena import Entrant, play_all
from agents.arena_records import records
from agents.tournament import hold, seatings_of
from maumau_env import match_v0
from maumau_env.game.actions import actions_in
from maumau_env.game.record import Record, discards_of, drawing_order, hands_of
from maumau_env.game.rules import Rules

# ---- random players ------------------------------------------------------------------------------------------------


def eager(legal: list[int], word: int, eagerness: int = 9) -> int:
    """At random, but so many times in ten a card if there is one: who only draws for ever never ends a round."""
    word, dice = divmod(word, 10)
    cards = [action for action in legal if action not in (DRAW, PASS)]
    choices = cards if cards and dice < eagerness else legal
    return choices[word % len(choices)]


actions_of = lru_cache(maxsize=100_000)(actions_in)


class Eager(Agent):
    """`eager` as a bot."""

    def __init__(self, eagerness: int) -> None:
        super().__init__()
        self.eagerness = eagerness

    def act(self, views: np.ndarray, words: np.ndarray) -> np.ndarray:
        decisions = zip(views["legal"].tolist(), words.tolist(), strict=True)
        return np.array([eager(actions_of(legal), word, self.eagerness) for legal, word in decisions])


# ---- the referee follows a match -----------------------------------------------------------------------------------


def named(agents) -> list[str]:
    return [f"player_{agent}" for agent in agents]


def by_name(values: dict) -> dict:
    return {f"player_{agent}": value for agent, value in values.items()}


def follow(referee: MatchReferee, record: Record) -> None:
    """The referee plays a recorded round of his match; he must find everything as the record has it."""
    entry = record.match
    assert record.rules == referee.rules
    assert (record.seats, record.starter) == (named(referee.seats), referee.starter)
    assert (entry.round, entry.penalty_limit) == (referee.number, referee.penalty_limit)
    assert (entry.joined, entry.left) == (named(referee.joined), named(referee.left))
    check_deal(record)
    referee.lay(record.deal.hands, record.deal.discard, record.deal.pile, record.reshuffles)
    for seat, action in record.moves:
        assert seat == referee.round.seat
        referee.play(action)
    ended = referee.round
    assert (record.end, record.ranking) == (ended.end, ended.ranking)
    assert [sorted(hand) for hand in record.hands] == [sorted(hand) for hand in ended.hands]
    assert record.reshuffles == ended.reshuffled
    assert entry.table == by_name(referee.table)
    assert entry.out == named(referee.out)


def check_deal(record: Record) -> None:
    """C1, C2 and M7: a whole deck, and hands for those who still play."""
    rules, deal = record.rules, record.deal
    assert Counter(sum(deal.hands, deal.discard + deal.pile)) == Counter(full_deck(rules["deck"]))
    assert [len(hand) for hand in deal.hands] == [rules["hand_size"]] * len(record.seats)
    specials = [rank_of(card) in SPECIAL_AT_START for card in deal.discard]
    if rules["cover_special_start"]:
        assert all(specials[:-1])
        assert not specials[-1] or not deal.pile
    else:
        assert len(specials) == 1


def note_end(seen: Counter, referee: MatchReferee) -> None:
    """Count what has happened in a match, so that a test can tell what it has shown."""
    ranks = list(referee.ranking.values())
    seen["matches"] += 1
    seen["joint winners"] += ranks.count(1) > 1
    seen["shared ranks below"] += len({rank for rank in ranks if rank > 1}) < len(ranks) - ranks.count(1)


# ---- the arena -----------------------------------------------------------------------------------------------------

SEATINGS = ((0, 1, 0, 0, 1), (1, 0, 0, 1, 0))
"""For each agent the bot that it is."""


def entrants() -> list[Entrant]:
    return [Entrant("eager", Eager(9)), Entrant("lazy", Eager(7))]


def check_arena(rules: dict, players: int, limit: int, deals: int, seed: int, tables: int = 50) -> Counter:
    """Matches of the arena, two for each deal; gives what has happened in them."""
    bots, seatings, seen = entrants(), np.array(SEATINGS)[:, :players], Counter()
    table = Rules.from_dict(rules)
    results = play_all(bots, seatings, deals, table, seed, tables, keep_moves=True, penalty_limit=limit)
    played = groupby(records(bots, table, seed, results, limit), key=lambda record: record.match.id)
    for number, (_, rounds) in enumerate(played):
        names = [bots[bot].name for bot in seatings[number % 2]]
        referee, counts = follow_match(rules, players, limit, rounds, names)
        assert results.ranks[number].tolist() == [referee.ranking[agent] for agent in range(players)]
        for count in ("turns", "rounds", "stuck", "too long"):
            assert getattr(results, count.replace(" ", "_"))[number] == counts[count]
        note_end(seen, referee)
        seen += counts
    assert seen["matches"] == len(results.turns) == 2 * deals
    return seen


def follow_match(rules: dict, players: int, limit: int, rounds, names: list[str]) -> tuple[MatchReferee, Counter]:
    """The referee follows a match without joins and leaves to its end; gives him, and the turns and the ends."""
    referee, counts = MatchReferee(rules, players, limit), Counter()
    for record in rounds:
        if counts:
            referee.next_round()
        follow(referee, record)
        assert record.players == [names[agent] for agent in referee.seats]
        counts += Counter({"rounds": 1, "turns": referee.round.turns, record.end: 1})
    assert referee.over
    return referee, counts


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize(("limit", "max_turns", "deals"), [(1, 60, 40), (30, 20, 40), (60, 8, 40), (100, 40, 15)])
@pytest.mark.parametrize("preset", PRESETS)
def test_matches_of_the_presets_in_short_rounds(preset, limit, max_turns, deals, players):
    seen = check_arena(PRESETS[preset] | {"max_turns": max_turns}, players, limit, deals, seed=players)
    if limit > 1:
        assert seen["rounds"] > seen["matches"]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize(("preset", "deals"), [("classic", 12), ("match", 3)])
def test_matches_of_the_presets_as_they_are(preset, deals, players):
    seen = check_arena(PRESETS[preset], players, 100, deals, seed=10 + players)
    assert seen["emptied"] > 0.8 * seen["rounds"]
    assert seen["rounds"] > 2 * seen["matches"]


def short_rules(rng: random.Random) -> dict:
    """Any mixture of options, with rounds that are over soon."""
    return random_rules(rng, 5) | {"max_turns": rng.choice([1, 3, 12, 40])}


def any_limit(rng: random.Random) -> int:
    return rng.choice([1, 10, 30, 70, 150])


@pytest.mark.parametrize("part", range(4))
def test_matches_of_every_mixture_of_options(part):
    rng, seen = random.Random(part), Counter()
    for _ in range(150):
        seen += check_arena(short_rules(rng), rng.randint(2, 5), any_limit(rng), 2, rng.getrandbits(64))
    assert min(seen[what] for what in ("joint winners", "shared ranks below", "emptied", "too long")) >= 3


def test_matches_with_as_many_cards_in_hand_as_the_deck_allows():
    for players in (2, 3, 4, 5):
        rules = PRESETS["classic"] | {"hand_size": 31 // players, "max_turns": 40}
        check_arena(rules, players, 150, 10, seed=players)


def test_the_number_of_tables_changes_no_match():
    rules = PRESETS["classic"] | {"max_turns": 20}
    assert check_arena(rules, 4, 60, 30, seed=5, tables=3) == check_arena(rules, 4, 60, 30, seed=5, tables=1000)


def test_the_figures_of_a_tournament_of_matches_are_those_of_the_referee():
    rules, bots = PRESETS["classic"] | {"max_turns": 25}, entrants()
    table = Rules.from_dict(rules)
    told, results = hold(bots, table, 3, 120, seed=4, keep_moves=True, penalty_limit=40)
    seatings = seatings_of(2, 3)
    wins, places, seats, totals = np.zeros(2), np.zeros(2), np.zeros(2), [Counter(), Counter()]
    played = groupby(records(bots, table, 4, results, 40), key=lambda record: record.match.id)
    for number, (_, rounds) in enumerate(played):
        seating = seatings[number % len(seatings)]
        referee, counts = follow_match(rules, 3, 40, rounds, [bots[bot].name for bot in seating])
        ranks = list(referee.ranking.values())
        for agent, bot in enumerate(seating):
            rank = referee.ranking[agent]
            wins[bot] += (rank == 1) / ranks.count(1)
            places[bot] += rank + (ranks.count(rank) - 1) / 2
            seats[bot] += 1
            totals[bot] += counts
    assert told.games == number + 1 >= 120
    for bot, score in enumerate(told.bots):
        rounds = totals[bot]["rounds"]
        assert score.games == seats[bot]
        assert score.win_rate == pytest.approx(wins[bot] / seats[bot])
        assert score.mean_placement == pytest.approx(places[bot] / seats[bot])
        assert score.mean_rounds == pytest.approx(rounds / seats[bot])
        assert score.mean_turns == pytest.approx(totals[bot]["turns"] / seats[bot])
        assert score.stuck == pytest.approx(totals[bot]["stuck"] / rounds)
        assert score.too_long == pytest.approx(totals[bot]["too long"] / rounds)


# ---- the environment, with joins and leaves ------------------------------------------------------------------------


@dataclass
class Told:
    """What an environment told, and was asked, while a round was played and when it ended."""

    asked: list[tuple[str, int, bool]] = field(default_factory=list)  # what, by which agent, and whether it was granted
    table: dict[str, int] = field(default_factory=dict)
    rewards: dict[str, float] = field(default_factory=dict)
    terminated: list[str] = field(default_factory=list)
    truncated: list[str] = field(default_factory=list)
    infos: dict[str, dict] = field(default_factory=dict)


def play_match(env, rng: random.Random, restless: float) -> tuple[list[Told], Counter]:
    """Play a match that has been dealt; gives what was told of each round, and afterwards, and what everybody got."""
    told, paid = [Told()], Counter()
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        paid[agent] += reward
        if rng.random() < restless:
            request, who = any_request(rng)
            told[-1].asked.append((request, who, granted(getattr(env, request), f"player_{who}")))
        if terminated or truncated:
            env.step(None)
            continue
        number = info["round"]
        env.step(eager(np.flatnonzero(observation["action_mask"]).tolist(), rng.getrandbits(64)))
        last = env.infos[env.agents[0]]["last_round"]
        if last and last["round"] == number:
            note_round(env, told[-1])
            told.append(Told())
    return told, paid


def any_request(rng: random.Random) -> tuple[str, int]:
    """Somebody, who may not exist, wants to join or to leave."""
    return rng.choice(["join", "leave"]), rng.randrange(6)


def granted(ask, agent) -> bool:
    """Whether an agent gets what it asks for."""
    try:
        ask(agent)
    except ValueError:
        return False
    return True


def note_round(env, told: Told) -> None:
    told.table, told.rewards, told.infos = env.table, dict(env.rewards), dict(env.infos)
    told.terminated = [agent for agent in env.agents if env.terminations[agent]]
    told.truncated = [agent for agent in env.agents if env.truncations[agent]]


def announced(ended, told) -> tuple[str, ...]:
    """C15: "Mau-Mau!" of whoever has no card left; with one card "Mau!", always or, if it must be said, perhaps."""
    (shown,) = {info["last_round"]["announcements"] for info in told.infos.values()}
    heard = tuple(["Mau-Mau!", "Mau!"][len(hand)] if len(hand) < 2 else "" for hand in ended.hands)
    if ended.rules["mau"] == "call":
        heard = tuple("" if call == "Mau!" and said == "" else call for call, said in zip(heard, shown, strict=True))
    # Whoever said it in the turn that made the round too long still stands by it.
    return tuple(said if call == "" and said == "Mau!" and ended.mau_said else call
                 for call, said in zip(heard, shown, strict=True))  # fmt: skip


class Follower:
    """The referee of a match with joins and leaves, and what he says of a round and of what comes after it."""

    def __init__(self, rules: dict, players: int, limit: int, schedule: dict) -> None:
        self.referee, self.schedule = MatchReferee(rules, players, limit), schedule
        self.table = dict.fromkeys(range(players), 0)  # of everybody who is in or out
        self.seen = Counter()

    def check_round(self, told: Told, record: Record) -> None:
        """Carry out a round and the joins and leaves after it, and compare."""
        referee = self.referee
        seats, settled = referee.seats, set(referee.payoffs)
        self.answer(told.asked)
        follow(referee, record)
        # Kept now: the referee forgets the round when the next one begins.
        ended, out, table = referee.round, referee.out, referee.table
        if not referee.over:
            self.attend()
        finished = set(referee.payoffs) - settled
        winners = [agent for agent in seats if referee.over and referee.ranking.get(agent) == 1]
        left = sorted(finished - {*out, *winners})
        joined = [agent for agent in referee.seats if agent not in seats]
        self.table = {agent: points for agent, points in (self.table | table).items() if agent not in left}
        self.table |= {agent: referee.points[agent] for agent in joined}
        self.seen += Counter({"joins": len(joined), "leaves": len(left), "out": len(out)})
        assert told.table == by_name(self.table)
        assert told.terminated == named(sorted([*out, *winners]))
        assert told.truncated == named(left)
        rewards = {agent: referee.payoffs[agent] if agent in finished else 0 for agent in sorted({*seats, *joined})}
        assert told.rewards == by_name(rewards)
        last = {
            "round": record.match.round,
            "end": ended.end,
            "seats": tuple(named(seats)),
            "ranking": tuple(ended.ranking),
            "announcements": announced(ended, told),
            "charged": by_name({agent: points_of(hand) for agent, hand in zip(seats, ended.hands, strict=True)}),
            "table": by_name(table),
            "out": tuple(named(out)),
            "left": tuple(named(left)),
            "joined": tuple(named(joined)),
        }
        self.check_infos(told.infos, last, {agent: table[agent] for agent in out}, winners)

    def check_infos(self, infos: dict, last: dict, out: dict[int, int], winners: list[int]) -> None:
        """Everybody is told of the last round, and who has finished of its place; `out` has their points."""
        referee = self.referee
        still_in = len(last["seats"]) - len(out)  # by this round: before anybody left or joined
        places = dict.fromkeys(winners, 1)
        for agent, points in out.items():
            places[agent] = 1 + still_in + sum(fewer < points for fewer in out.values())
        for info in infos.values():
            assert info["last_round"] == last
            assert info["seats"] == tuple(named(referee.seats))
            assert info["round"] == referee.number
        assert {name: info["placement"] for name, info in infos.items() if "placement" in info} == by_name(places)
        rankings = {name: info["ranking"] for name, info in infos.items() if "ranking" in info}
        assert rankings == (dict.fromkeys(by_name(places), by_name(referee.ranking)) if referee.over else {})

    def answer(self, asked: list[tuple[str, int, bool]]) -> None:
        """M5, M6: the referee grants what the environment granted, and nothing else."""
        for request, agent, by_environment in asked:
            assert granted(getattr(self.referee, request), agent) == by_environment, f"{request} {agent}"
            self.seen["refused"] += not by_environment

    def attend(self) -> None:
        """The schedule, as far as it is still possible, and the next round."""
        for request in ("leave", "join"):
            for agent in self.schedule[request].get(self.referee.number + 1, []):
                granted(getattr(self.referee, request), agent)
        self.referee.next_round()
        self.seen["won by leaves"] += self.referee.over


def random_schedule(players: int, rng: random.Random) -> dict[str, dict[int, list[int]]]:
    """Rounds 2 to 5, before which some of the others join and some of the first leave, at least two never."""
    schedule = {"join": {}, "leave": {}}
    for agent in range(players, 5):
        if rng.random() < 0.5:
            schedule["join"].setdefault(rng.randint(2, 5), []).append(agent)
    for agent in rng.sample(range(players), rng.randint(0, players - 2)):
        schedule["leave"].setdefault(rng.randint(2, 5), []).append(agent)
    return schedule


def check_environment(rules: dict, players: int, limit: int, rng: random.Random, restless: float = 0.05) -> Counter:
    """A match with random joins and leaves, by call and by schedule; gives what has happened in it."""
    schedule = random_schedule(players, rng)
    joins, leaves = ({number: named(who) for number, who in plan.items()} for plan in schedule.values())
    env = match_v0.raw_env(Rules.from_dict(rules), players, limit)
    env.reset(seed=rng.getrandbits(64), options={"joins": joins, "leaves": leaves})
    told, paid = play_match(env, rng, restless)
    follower, played = Follower(rules, players, limit, schedule), env.records()
    assert len(played) == len(told) - 1
    for round_told, record in zip(told, played, strict=False):
        follower.check_round(round_told, record)
    referee = follower.referee
    assert referee.over
    follower.answer(told[-1].asked)  # nothing any more
    assert dict(paid) == by_name(referee.payoffs)
    assert by_name(referee.ranking).keys() == env.table.keys()
    note_end(follower.seen, referee)
    return follower.seen


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize(("limit", "max_turns", "matches"), [(1, 40, 20), (40, 12, 30), (100, 20, 20)])
@pytest.mark.parametrize("preset", PRESETS)
def test_matches_of_the_presets_with_joins_and_leaves(preset, limit, max_turns, matches, players):
    rng, seen = random.Random(limit + players), Counter()
    for _ in range(matches):
        seen += check_environment(PRESETS[preset] | {"max_turns": max_turns}, players, limit, rng)
    assert min(seen["out"], seen["refused"]) > 0
    assert seen["leaves"] > 0 or limit == 1


@pytest.mark.parametrize("part", range(4))
def test_matches_of_every_mixture_of_options_with_joins_and_leaves(part):
    rng, seen = random.Random(part), Counter()
    for _ in range(250):
        rules, players, limit = short_rules(rng), rng.randint(2, 5), any_limit(rng)
        seen += check_environment(rules, players, limit, rng, restless=rng.choice([0, 0.05, 0.3]))
    happened = ("joins", "leaves", "out", "refused", "joint winners", "shared ranks below", "won by leaves")
    assert min(seen[what] for what in happened) > 0


# ---- rounds of few cards -------------------------------------------------------------------------------------------


def agreed(referee: MatchReferee, core: CoreMatch) -> None:
    for name in (
        "number",
        "seats",
        "starter",
        "over",
        "points",
        "table",
        "out",
        "joined",
        "left",
        "payoffs",
        "ranking",
    ):
        assert getattr(core, name) == getattr(referee, name), name


def ask_both(referee: MatchReferee, core: CoreMatch, rng: random.Random) -> None:
    """Both grant it, or both refuse."""
    request, agent = any_request(rng)
    assert granted(getattr(core, request), agent) == granted(getattr(referee, request), agent), f"{request} {agent}"


def play_few_cards(referee: MatchReferee, core: CoreMatch, rng: random.Random) -> None:
    """A round with a part of the deck, which the referee shuffles."""
    players = len(referee.seats)
    laid = partial_deal(referee.rules, players, rng.randint(players + 1, players + 9), rng)
    cards, moves = (hands_of(laid), discards_of(laid), drawing_order(laid)), []
    referee.lay(*cards)
    while referee.round.end is None:
        moves.append(random_move(referee.round.legal(), rng))
        referee.play(moves[-1])
    core.lay(*cards, referee.round.reshuffled)
    for move in moves:
        core.play(move)
    assert core.round.end == referee.round.end


@pytest.mark.parametrize("part", range(4))
def test_matches_in_rounds_that_get_stuck(part):
    """With a whole deck somebody always has a card that fits; with a few cards all ends are met, M3 among them."""
    rng, seen = random.Random(part), Counter()
    for _ in range(75):
        rules, players, limit = short_rules(rng), rng.randint(2, 5), rng.choice([1, 10, 25, 60])
        referee, core = MatchReferee(rules, players, limit, rng), CoreMatch(rules, players, limit)
        while not referee.over:
            ask_both(referee, core, rng)
            play_few_cards(referee, core, rng)
            agreed(referee, core)
            seen[referee.round.end] += 1
            seen["all out"] += min(referee.table.values()) > limit
            if not referee.over:
                ask_both(referee, core, rng)
                referee.next_round()
                core.next_round()
                agreed(referee, core)
        note_end(seen, referee)
    assert min(seen[what] for what in ("emptied", "stuck", "too long", "all out")) >= 5
