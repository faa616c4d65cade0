"""A whole match, as prose and as code: rounds, penalty points, who is in, who joins and who leaves.

M1  After each round everybody is charged the points of the cards left in hand.
M2  Whoever has more than `penalty_limit` points is out; the others play on, and the last one left wins.
M3  If a stuck or too long round would put everybody out, those with the fewest points win together.
M4  Final ranking: the winner, then by the round in which one went out, later is better; within one round by points,
    fewer is better; equal points share the rank (1, 2, 2, 4).
M5  Before each round new players may sit down while fewer than 5 sit; a newcomer starts with the points of the worst
    player still in.
M6  A player may leave between rounds, and is deleted from the table. When one player is left, that player has won.
M7  The next round starts with the next player still in, clockwise from the last starter; all else is fresh.
M8  Whoever opens a match sets the number of players, and who they are.
M9  Any rules of a round can be played as a match.

Agents keep their numbers, 0 to 4, for the whole match. Whoever is still in sits in each round by number, clockwise, on
seats numbered from 0. Those who asked to leave go first, then those who asked to join sit down; if one is left alone
before that, it has won (if all want to leave, the last one to ask). Nobody who went out or left comes back: an agent
plays once in a match.
"""

from typing import Any

import numpy as np

from maumau_env.game.jit import jit, kernel, outlined
from maumau_env.game.play import deal
from maumau_env.game.result import BY_POINTS, hand_points, pay
from maumau_env.game.rules import MAX_PLAYERS, Rules
from maumau_env.game.state import ABSENT, GAME, LEFT, NONE, OUT, RUNNING, SEATED, new_games, raw

PENALTY_LIMIT = 100
"""The limit unless told otherwise (M2)."""
MOST_POINTS = 10_000
"""The highest limit that there is."""


def open_matches(
    rules: Rules, num_players: int, penalty_limit: int, seed: int, count: int, first_lane: int = 0
) -> np.ndarray:
    """Matches whose first round is dealt: shape (count,), dtype GAME, in lanes first_lane, first_lane + 1, ...

    Raises:
        ValueError: the players do not fit the rules, or the limit or the seed is out of range.
    """
    check_penalty_limit(penalty_limit)
    games = new_games(rules, num_players, seed, count, first_lane)
    games["match"]["round"], games["match"]["penalty_limit"] = 1, penalty_limit
    games["match"]["openers"] = num_players
    begin_kernel(raw(games))
    return games


def open_games(
    rules: Rules, num_players: int, penalty_limit: int | None, seed: int, count: int, first_lane: int = 0
) -> np.ndarray:
    """Matches with this limit, or single rounds if it is None, dealt; otherwise as `open_matches`."""
    if penalty_limit is not None:
        return open_matches(rules, num_players, penalty_limit, seed, count, first_lane)
    games = new_games(rules, num_players, seed, count, first_lane)
    begin_kernel(raw(games))
    return games


def check_penalty_limit(penalty_limit: int) -> None:
    """ValueError unless a match can have this limit."""
    whole = isinstance(penalty_limit, int | np.integer) and not isinstance(penalty_limit, bool)
    if not whole or not 1 <= penalty_limit <= MOST_POINTS:
        raise ValueError(f"penalty_limit={penalty_limit!r}: it is a whole number from 1 to {MOST_POINTS:,}")


def agent_name(agent: int) -> str:
    """`player_0` to `player_4`: what the agent with this number is called."""
    return f"player_{agent}"


AGENTS = tuple(agent_name(agent) for agent in range(MAX_PLAYERS))
"""All agents that a match can have, clockwise."""


# ---- the course of a match -----------------------------------------------------------------------------------------


@outlined
def begin_match(g: Any) -> None:
    """M8: the first round of a match.

    Who is `leaving` or `joining` already does so before this round; at least two must be left.
    """
    m = g["match"]
    m["round"] = 1
    m["over"] = 0
    m["sat"] = m["openers"]
    for agent in range(MAX_PLAYERS):
        m["points"][agent] = 0
        m["out_in"][agent] = 0
        m["status"][agent] = SEATED if agent < m["openers"] else ABSENT
    attend(g)
    take_seats(g, 0)
    deal(g)


@outlined
def close_round(g: Any) -> Any:
    """M1-M3 after a round; returns the set of the agents for whom the game is over, a bit for each.

    For a single round those are all of them.
    """
    if g["match"]["round"] == 0:
        return (1 << g["num_players"]) - 1
    for seat in range(g["num_players"]):
        g["match"]["points"][g["agents"][seat]] += hand_points(g, seat)
    finished = put_out(g)
    if count_seated(g) == 1 or g["match"]["over"]:
        finished |= end_match(g)
    return finished


@jit
def put_out(g: Any) -> Any:
    """M2, M3: who is out by this round; when nobody would be left, the fewest points stay in and win."""
    m = g["match"]
    limit, fewest = m["penalty_limit"], m["points"][g["agents"][0]]
    for seat in range(1, g["num_players"]):
        fewest = min(fewest, m["points"][g["agents"][seat]])
    if fewest > limit:
        m["over"], limit = 1, fewest
    gone = 0
    for seat in range(g["num_players"]):
        agent = np.int64(g["agents"][seat])
        if m["points"][agent] > limit:
            m["status"][agent], m["out_in"][agent] = OUT, m["round"]
            gone |= 1 << agent
    return gone


@outlined
def attend(g: Any) -> Any:
    """M5, M6 between two rounds; returns the set of the agents who have won because everybody else has left."""
    m = g["match"]
    for turn in range(1, MAX_PLAYERS):
        for agent in range(MAX_PLAYERS):
            if m["leaving"][agent] == turn and m["status"][agent] == SEATED and count_seated(g) > 1:
                m["status"][agent] = LEFT
    if count_seated(g) == 1:
        return end_match(g)
    worst = 0
    for agent in range(MAX_PLAYERS):
        if m["status"][agent] == SEATED:
            worst = max(worst, m["points"][agent])
    for agent in range(MAX_PLAYERS):
        if m["joining"] >> agent & 1:
            m["status"][agent], m["points"][agent] = SEATED, worst
            m["sat"] += 1
    forget_requests(m)
    return 0


@outlined
def next_round(g: Any) -> None:
    """M7: those still in sit down by number, and the next of them starts."""
    g["match"]["round"] += 1
    g["episode"] += 1
    take_seats(g, g["match"]["starter"] + 1)
    deal(g)


@jit
def take_seats(g: Any, first: Any) -> None:
    """The agents still in, clockwise by number; the one with the number `first`, or the next one, is to start."""
    m, seat = g["match"], 0
    starter = first % MAX_PLAYERS
    while m["status"][starter] != SEATED:
        starter = (starter + 1) % MAX_PLAYERS
    m["starter"] = starter
    for agent in range(MAX_PLAYERS):
        g["agents"][agent] = NONE
        if m["status"][agent] == SEATED:
            g["agents"][seat] = agent
            if agent == starter:
                g["starter"] = seat
            seat += 1
    g["num_players"] = seat


@jit
def end_match(g: Any) -> Any:
    """The match is decided; returns the set of the winners, who are those still in."""
    g["match"]["over"] = 1
    forget_requests(g["match"])
    winners = 0
    for agent in range(MAX_PLAYERS):
        if g["match"]["status"][agent] == SEATED:
            winners |= 1 << agent
    return winners


@jit
def forget_requests(m: Any) -> None:
    """Nobody wants to join or to leave any more."""
    m["joining"] = 0
    for agent in range(MAX_PLAYERS):
        m["leaving"][agent] = 0


@jit
def count_seated(g: Any) -> Any:
    """How many agents are still in."""
    seated = 0
    for agent in range(MAX_PLAYERS):
        seated += g["match"]["status"][agent] == SEATED
    return seated


@jit
def is_over(g: Any) -> bool:
    """Whether the single round, or after `close_round` the match, has ended."""
    return g["end"] != RUNNING and (g["match"]["round"] == 0 or g["match"]["over"] != 0)


@jit
def begin(g: Any) -> None:
    """A single round or, if there is a limit, a match."""
    if g["match"]["penalty_limit"] == 0:
        deal(g)
    else:
        begin_match(g)


@outlined
def restart(g: Any) -> None:
    """The next single round, or the next match, of this lane."""
    g["episode"] += 1
    begin(g)


@outlined
def play_on(g: Any) -> bool:
    """Close a round and deal the next one of the match; False, and nothing dealt, when there is none."""
    close_round(g)
    if not is_over(g):
        attend(g)
    if is_over(g):
        return False
    next_round(g)
    return True


@outlined
def settle(g: Any, scheme: Any, rewards: Any) -> Any:
    """Close a round, pay every agent into `rewards`, and deal what comes next: a round, or another round or match.

    Returns:
        The set of the agents whose round, or match, is over by it; those who leave are among them, and paid nothing.
    """
    finished = close_round(g)
    pay(g, finished, scheme, rewards)
    if not is_over(g):
        finished |= attend_and_pay(g, scheme, rewards)
        for seat in range(g["num_players"]):
            if g["match"]["status"][g["agents"][seat]] == LEFT:
                finished |= 1 << np.int64(g["agents"][seat])
    if is_over(g):
        restart(g)
    else:
        next_round(g)
    return finished


@jit
def attend_and_pay(g: Any, scheme: Any, rewards: Any) -> Any:
    """`attend`, and the reward of whoever has won by it; under `points` the round has been paid already."""
    winners = attend(g)
    if scheme != BY_POINTS:
        pay(g, winners, scheme, rewards)
    return winners


@kernel
def begin_kernel(raw_games: Any) -> None:
    """Begin the round or the match of every game."""
    games = raw_games.view(GAME)
    for i in range(len(games)):
        begin(games[i])
