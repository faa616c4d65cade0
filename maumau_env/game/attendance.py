"""M5, M6: who asks to join a match or to leave it; `match.attend` carries it out before the next round is dealt."""

from typing import Any

import numpy as np

from maumau_env.game.match import AGENTS, agent_name
from maumau_env.game.rules import MAX_PLAYERS, Rules
from maumau_env.game.state import ABSENT, LEFT, OUT, SEATED, game_rules

OUTSIDE = {
    ABSENT: "does not sit at the table",
    SEATED: "sits at the table already",
    OUT: "is out of this match",
    LEFT: "has left this match",
}
"""Why an agent who stands like this cannot do what was asked."""


def join(game: np.ndarray, agent: int, room: int = MAX_PLAYERS) -> None:
    """M5: an agent sits down before the next round.

    Args:
        game: a GAME of shape (1,), the round being played.
        agent: 0 to 4.
        room: how many may sit at once, if the deck has cards for so many.

    Raises:
        ValueError: it sits there already, has asked before, is out, or has left; no room; or the match is over.
    """
    match = _running_match(game, agent)
    if reason := why_not_join(game, agent, room):
        raise ValueError(f"{agent_name(agent)} cannot join: {reason}")
    match["joining"] |= 1 << agent


def why_not_join(game: np.ndarray, agent: int, room: int = MAX_PLAYERS) -> str:
    """Why an agent cannot sit down before the next round of a running match, "" if it can; arguments as for `join`."""
    match, most = game["match"][0], places(game_rules(game[0]), room)
    if match["status"][agent] != ABSENT:
        return f"it {OUTSIDE[int(match['status'][agent])]}"
    if match["joining"] >> agent & 1:
        return "it has asked for it already"
    if staying(match) + int(match["joining"]).bit_count() >= most:
        return f"there are room and cards for no more than {most}"
    return ""


def places(rules: Rules, room: int = MAX_PLAYERS) -> int:
    """How many can sit at once: not more than `room`, nor than can be dealt their cards (C1)."""
    return min(room, (rules.deck - 1) // rules.hand_size)


def leave(game: np.ndarray, agent: int) -> None:
    """M6: an agent leaves before the next round; one who was to join then stays away.

    Raises:
        ValueError: it is not at the table, has asked before, or nobody would be left; or the match is over.
    """
    match = _running_match(game, agent)
    if match["joining"] >> agent & 1:
        match["joining"] &= ~(1 << agent)
        return
    if reason := why_not_leave(game, agent):
        raise ValueError(f"{agent_name(agent)} cannot leave: {reason}")
    match["leaving"][agent] = match["leaving"].max() + 1


def why_not_leave(game: np.ndarray, agent: int) -> str:
    """Why an agent cannot leave the table before the next round of a running match, "" if it can."""
    match = game["match"][0]
    if match["status"][agent] != SEATED:
        return f"it {OUTSIDE[int(match['status'][agent])]}"
    if match["leaving"][agent]:
        return "it has asked for it already"
    return "all others leave, so it has won" if staying(match) == 1 else ""


def staying(match: Any) -> int:
    """How many of those at the table have not asked to leave; of a MATCH."""
    return int(((match["status"] == SEATED) & (match["leaving"] == 0)).sum())


def _running_match(game: np.ndarray, agent: int) -> Any:
    """The MATCH of a game of shape (1,); ValueError unless it is running and there is such an agent."""
    if agent not in range(MAX_PLAYERS):
        raise ValueError(f"no agent is called {agent_name(agent)}: there are {', '.join(AGENTS)}")
    match = game["match"][0]
    if match["round"] == 0:
        raise ValueError("a single round: nobody joins or leaves")
    if match["over"]:
        raise ValueError(f"{agent_name(agent)} can neither join nor leave: the match is over")
    return match
