"""The verbs of the game over many games at once, on arrays that the caller owns.

Every function takes games as an array of GAMEs, shape (n,), and changes them in place. Game number i of a batch is
the same whatever the size of the batch, the order of the calls, or the games beside it.
"""

from typing import Any

import numpy as np

from maumau_env.game import play
from maumau_env.game.actions import ACTION_NAMES, any_action, legal_names
from maumau_env.game.bits import ONE, scramble
from maumau_env.game.jit import kernel
from maumau_env.game.match import play_on, restart
from maumau_env.game.rules import Rules
from maumau_env.game.state import GAME, RUNNING, new_games, raw


class IllegalActionError(ValueError):
    """An action that the rules do not allow now; nothing was changed."""


def deal(rules: Rules, num_players: int, seed: int, count: int, first_lane: int = 0) -> np.ndarray:
    """Freshly dealt games, shape (count,), dtype GAME: lane first_lane + i of this seed, first episode.

    Raises:
        ValueError: the players do not fit the rules (C1), or the seed is out of range.
    """
    games = new_games(rules, num_players, seed, count, first_lane)
    deal_kernel(raw(games))
    return games


def step(games: np.ndarray, actions: np.ndarray) -> None:
    """One decision in every game that is still running; actions: int64, shape (n,).

    Raises:
        IllegalActionError: names the first game whose action is illegal; no game was changed.
    """
    if (wrong := step_kernel(raw(games), actions)) >= 0:
        raise IllegalActionError(illegal_action(games[wrong], actions[wrong], f"game {wrong}, "))


def play_at_random(games: np.ndarray, decisions: int, seed: int) -> int:
    """So many uniformly random decisions in each game, one game after the other; rounds and matches follow.

    Returns:
        The number of rounds that ended.
    """
    return random_kernel(raw(games), decisions, np.uint64(seed))


def legal(games: np.ndarray) -> np.ndarray:
    """The set of legal actions of each game: uint64, shape (n,), see `actions.py`."""
    sets = np.empty(len(games), np.uint64)
    legal_kernel(raw(games), sets)
    return sets


def illegal_action(game: np.ndarray, action: Any, where: str = "") -> str:
    """The sentence that says why an action was refused."""
    known = 0 <= action < len(ACTION_NAMES)
    name = ACTION_NAMES[action] if known else f"no action (they are 0 to {len(ACTION_NAMES) - 1})"
    if game["end"] != RUNNING:
        return f"{where}action {action} ({name}): the round is over"
    allowed = ", ".join(legal_names(legal(game.reshape(1))[0]))
    return f"{where}seat {game['seat']}: action {action} ({name}) is illegal; legal are {allowed}"


@kernel
def deal_kernel(raw_games: Any) -> None:
    """Deal every game anew."""
    games = raw_games.view(GAME)
    for i in range(len(games)):
        play.deal(games[i])


@kernel
def step_kernel(raw_games: Any, actions: Any) -> int:
    """Step every running game; or, if an action is illegal, none, and return the game's number (else -1)."""
    games = raw_games.view(GAME)
    for i in range(len(games)):
        if games[i]["end"] == RUNNING and not play.is_legal(games[i], actions[i]):
            return i
    for i in range(len(games)):
        if games[i]["end"] == RUNNING:
            play.step(games[i], actions[i])
    return -1


@kernel
def legal_kernel(raw_games: Any, sets: Any) -> None:
    """Write the set of legal actions of every game into `sets`."""
    games = raw_games.view(GAME)
    for i in range(len(games)):
        sets[i] = play.legal(games[i])


@kernel
def random_kernel(raw_games: Any, decisions: Any, seed: Any) -> int:
    """See `play_at_random`."""
    games = raw_games.view(GAME)
    word, ended = scramble(seed), 0
    for i in range(len(games)):
        g = games[i]
        for _ in range(decisions):
            word += ONE
            play.step(g, any_action(play.legal(g), scramble(word)))
            if g["end"] != RUNNING:
                ended += 1
                if not play_on(g):
                    restart(g)
    return ended
