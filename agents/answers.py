"""Ask an agent for its decisions, whatever it does: actions, and who failed to give one.

A decision can be at fault in three ways. RAISED: the agent failed, and there is no answer. TOO_SLOW: none came in time.
ILLEGAL: what came is not a legal action, or no action at all. Who is asked for many decisions at once and fails is
asked again for one after the other, so that the fault goes to the right one.
"""

import math
from abc import abstractmethod
from typing import Any, NamedTuple, cast

import numpy as np

from agents.agent import Agent, Cheat
from agents.errors import AgentError, describe, one_line
from agents.time_limit import ExpiredError, time_limit

FINE, RAISED, TOO_SLOW, ILLEGAL = range(4)
KINDS = ("fine", "raised", "too slow", "illegal")
"""What a decision, or in a whole game an agent, is found to be, by number."""


def named(kind: int) -> str:
    """The name of a kind as results have it."""
    return KINDS[kind].replace(" ", "_")


START_SECONDS = 60.0
"""So much longer may a bot take for its first answer: it may have to be loaded or compiled."""


class Fault(AgentError):  # noqa: N818 (a verdict on the bot, as the rules call it)
    """An agent has failed to give a legal action: how, one of KINDS by number, and why."""

    def __init__(self, kind: int, reason: str) -> None:
        super().__init__(one_line(reason))
        self.kind = kind


class Guest(Agent):
    """An agent that decides view by view, keeps the time itself, and says what went wrong by raising Fault."""

    seconds: float = 10.0
    """For a move, unless told otherwise."""

    @abstractmethod
    def answer(self, view: np.ndarray, seconds: float) -> int:
        """The number of the action for one VIEW, shape (1,), within so many seconds.

        Raises:
            Fault: there is none.
        """

    def act(self, views: np.ndarray, words: np.ndarray) -> np.ndarray:
        """An action for every view, as `Agent.act`; a guest is given no chance but its own. Raises Fault."""
        return np.array([self.answer(views[i : i + 1], self.seconds) for i in range(len(views))], np.int64)


class Answers(NamedTuple):
    """What became of n decisions."""

    actions: np.ndarray  # int64, (n,): -1 where there is a fault
    faults: np.ndarray  # uint8, (n,): a number of KINDS each
    reasons: dict[int, str]  # why, by the position of each fault


def answers(
    agent: Agent,
    views: np.ndarray,
    words: np.ndarray,
    seconds: float | None = None,
    games: np.ndarray | None = None,
    start_seconds: float = 0.0,
) -> Answers:
    """Ask for n decisions. Whether the actions are legal is for the caller to check.

    Args:
        agent: who is asked.
        views: VIEWs, shape (n,).
        words: uint64, shape (n,): the chance of each decision.
        seconds: for each of them; a batch may take n times as long. None: any time, but for guests theirs.
        games: the GAMEs, shape (n,), for agents that cheat.
        start_seconds: so much longer may the first call take; guests see to that themselves.
    """
    count = len(views)
    if not isinstance(agent, Guest):
        limit = None if seconds is None else seconds * count + start_seconds
        try:
            return Answers(_ask(agent, views, words, games, limit), np.zeros(count, np.uint8), {})
        except Fault as fault:
            if count == 1:
                return Answers(np.array([-1]), np.array([fault.kind], np.uint8), {0: str(fault)})
    found = Answers(np.full(count, -1), np.zeros(count, np.uint8), {})
    for i in range(count):
        row = slice(i, i + 1)
        try:
            if isinstance(agent, Guest):
                found.actions[i] = agent.answer(views[row], agent.seconds if seconds is None else seconds)
            else:
                game = None if games is None else games[row]
                found.actions[i] = _ask(agent, views[row], words[row], game, seconds)[0]
        except Fault as fault:
            found.faults[i], found.reasons[i] = fault.kind, str(fault)
    return found


def check_seconds(seconds: float | None) -> None:
    """ValueError unless a move can be given so much time."""
    if seconds is not None and not 0 < seconds < math.inf:
        raise ValueError(f"{seconds:g} seconds for a move: it is a number above 0, such as 0.5")


def _ask(
    agent: Agent, views: np.ndarray, words: np.ndarray, games: np.ndarray | None, limit: float | None
) -> np.ndarray:
    """The actions of an agent in this process: int64, shape (n,). Fault, whatever else happens instead."""
    try:
        with time_limit(limit):
            cheats = isinstance(agent, Cheat)
            given = np.asarray(agent.act_on(cast(np.ndarray, games), words) if cheats else agent.act(views, words))
    except ExpiredError:
        raise Fault(TOO_SLOW, f"no answer within {limit:g} s") from None
    except (Exception, SystemExit, GeneratorExit) as error:
        raise Fault(RAISED, describe(error)) from error
    return _checked(given, len(views))


def _checked(given: Any, count: int) -> np.ndarray:
    if given.shape != (count,) or given.dtype.kind not in "iu":
        raise Fault(
            ILLEGAL,
            f"must answer {count} views with an array of as many whole numbers, "
            f"not with shape {given.shape} of {given.dtype}",
        )
    return given.astype(np.int64, order="C")
