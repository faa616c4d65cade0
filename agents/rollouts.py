"""What every legal action would have led to: a policy can learn from that instead of from results.

A game tells of the one action that was played, and mostly of luck. Here each legal action is carried out in a copy of
the game, with the same cards to come, and the same players play all copies to the end (rollouts; Tesauro and Galperin,
1996). The hands that the others hold in a game that was played are as likely as what they did makes them; no guess is
needed of what they may hold. One such figure says little, but everything that looks alike shares it: a network that
learns to foretell them (`pupil.py`) takes the mean.
"""

from typing import Any, NamedTuple

import numpy as np

from agents.network import Network, clear_desk
from agents.playout import GAME_BYTES, HEURISTIC, Brain, heuristic_move, policy_move, try_actions
from agents.weights import WEIGHTS
from maumau_env.game.actions import NUM_ACTIONS, count_actions, nth_action
from maumau_env.game.jit import jit, kernel
from maumau_env.game.play import legal
from maumau_env.game.result import WIN
from maumau_env.game.rules import MAX_PLAYERS
from maumau_env.game.state import GAME, raw


class Company(NamedTuple):
    """Who plays a game."""

    policy: Brain
    weights: np.ndarray  # of the heuristic, as in `playout.py`
    guests: np.ndarray  # uint8, (5,): 1 for the seats at which the heuristic sits


def roll_out(
    games: np.ndarray, scheme: int = WIN, network: Network | None = None, guests: np.ndarray | None = None
) -> np.ndarray:
    """What every legal action of the seats to move is paid in the end.

    Args:
        games: GAMEs of rounds that are running, shape (n,); they stay as they are.
        scheme: what is paid for a single round, by its number in `game/result.py`; a round of a match pays by points.
        network: plays on, its most probable action each time; without one the heuristic does.
        guests: uint8, shape (n, 5): 1 for the seats whose decisions are the heuristic's all the same.

    Returns:
        float32, shape (n, NUM_ACTIONS); 0 for actions that are not legal.
    """
    worths = np.zeros((len(games), NUM_ACTIONS), np.float32)
    if network is None:
        heuristic_kernel(raw(games), scheme, HEURISTIC, worths)
    else:
        seats = np.zeros((len(games), MAX_PLAYERS), np.uint8) if guests is None else guests
        company_kernel(raw(games), scheme, HEURISTIC, seats, *network.parts, worths)
    return worths


@kernel
def heuristic_kernel(raw_games: Any, scheme: Any, raw_weights: Any, worths: Any) -> None:
    """`roll_out` with the heuristic."""
    weights = raw_weights.view(WEIGHTS)
    for i in range(len(worths)):
        judge(raw_games[i * GAME_BYTES : (i + 1) * GAME_BYTES], scheme, heuristic_move, weights, worths[i])


@kernel
def company_kernel(
    raw_games: Any, scheme: Any, raw_weights: Any, guests: Any, room: Any, suits: Any, sizes: Any, numbers: Any,
    worths: Any,
) -> None:  # fmt: skip
    """`roll_out` with a policy and its guests."""
    policy, weights = Brain(room, suits, sizes, numbers, clear_desk(sizes)), raw_weights.view(WEIGHTS)
    for i in range(len(worths)):
        company = Company(policy, weights, guests[i])
        judge(raw_games[i * GAME_BYTES : (i + 1) * GAME_BYTES], scheme, company_move, company, worths[i])


@jit
def company_move(seat: Any, v: Any, company: Any, word: Any) -> Any:
    """The action of whoever sits there for the VIEW `v`."""
    if company.guests[seat]:
        return heuristic_move(seat, v, company.weights, word)
    return policy_move(seat, v, company.policy, word)


@jit
def judge(raw_game: Any, scheme: Any, move: Any, brain: Any, worths: Any) -> None:
    """Write what the legal actions of a GAME lead to when `move` plays all seats after them."""
    choices = legal(raw_game.view(GAME)[0])
    actions = np.array([nth_action(choices, k) for k in range(count_actions(choices))])
    payoffs = np.empty((1, len(actions)))
    try_actions(raw_game, actions, scheme, move, brain, payoffs)
    for k in range(len(actions)):
        worths[actions[k]] = payoffs[0, k]
