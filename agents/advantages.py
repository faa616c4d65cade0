"""What each decision was worth: generalised advantage estimation (Schulman et al., 2016), seat by seat.

A transition runs from a seat's decision to that same seat's next decision, with every reward in between, whoever moved
there. Public self-play code often pairs the mover's reward with the next player's observation and bootstraps from the
opponent's value; here that makes an agent unlearn. So the recursion runs backwards through each game with one running
(value, advantage, reward) for every seat:

    delta     = reward since this decision + gamma * value of the seat's next decision - value of this one
    advantage = delta + gamma * lambda * advantage of the seat's next decision

The end of a round pays every seat and closes all its transitions: what comes next is worth nothing. In a match the
recursion runs through the rounds, agent by agent: it is closed for those who go out or win. At the end of the
rollout the seat to move has its next decision before it, and that observation's value closes its last transition.
The last decisions of the others are still open: they have no advantage and are left out, and the decisions before
them are closed by their values. Nobody is ever judged by what he sees while somebody else is to move, which the
value network has not learned.
"""

from typing import Any

import numpy as np

from maumau_env.game.jit import kernel
from maumau_env.game.rules import MAX_PLAYERS


def seat_advantages(
    values: np.ndarray,
    movers: np.ndarray,
    counted: np.ndarray,
    rewards: np.ndarray,
    finished: np.ndarray,
    gamma: float,
    gae_lambda: float,
) -> tuple[np.ndarray, np.ndarray]:
    """Advantages of a rollout of n games over t ticks, one decision of one seat each.

    Args:
        values: float32, (t + 1, n): of the observation at each tick to the seat to move, and of those at the end.
        movers: int64, (t + 1, n): who is to move there: the seat, or in a match the agent.
        counted: bool, (t, n): whether that decision is a step of its seat; any other belongs to the course of the game.
        rewards: float32, (t, n, 5): what each of them was paid after the decision.
        finished: uint8, (t, n): set of those whose game was over after the decision, a bit for each.
        gamma: discount for each decision of the seat.
        gae_lambda: 0 trusts the next value, 1 the rewards alone.

    Returns:
        Advantages, float32, (t, n), and whether there is one, bool, (t, n): where not, the advantage is 0.
    """
    advantages, closed = np.zeros(counted.shape, np.float32), np.zeros(counted.shape, np.bool_)
    advantages_kernel(values, movers, counted, rewards, finished, gamma, gae_lambda, advantages, closed)
    return advantages, closed


def as_one_seat(movers: np.ndarray, rewards: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Movers and rewards that make `seat_advantages` commit the usual mistake, for comparison.

    The mover's reward then stands beside the next player's value, as if they were one seat.
    """
    mine = np.zeros_like(rewards)
    mine[..., 0] = np.take_along_axis(rewards, movers[:-1, :, None], 2)[..., 0]
    return np.zeros_like(movers), mine


@kernel
def advantages_kernel(
    values: Any, movers: Any, counted: Any, rewards: Any, finished: Any, gamma: Any, gae_lambda: Any,
    advantages: Any, closed: Any,
) -> None:  # fmt: skip
    """Write the advantages, and where there are any; see `seat_advantages`."""
    ticks, games = counted.shape
    # Of each seat, looking back from the tick at hand: whether its next decision or the end of the round is known, the
    # value and the advantage there, and what it is paid until then.
    known = np.zeros((games, MAX_PLAYERS), np.bool_)
    value, advantage, paid = np.zeros((3, games, MAX_PLAYERS))
    for game in range(games):
        known[game, movers[ticks, game]] = True
        value[game, movers[ticks, game]] = values[ticks, game]
    for tick in range(ticks - 1, -1, -1):
        for game in range(games):
            for seat in range(MAX_PLAYERS):
                if finished[tick, game] >> seat & 1:
                    known[game, seat] = True
                    value[game, seat] = advantage[game, seat] = paid[game, seat] = 0
                paid[game, seat] += rewards[tick, game, seat]
            if counted[tick, game]:
                seat = movers[tick, game]
                if known[game, seat]:
                    delta = paid[game, seat] + gamma * value[game, seat] - values[tick, game]
                    advantage[game, seat] = delta + gamma * gae_lambda * advantage[game, seat]
                    advantages[tick, game] = advantage[game, seat]
                    closed[tick, game] = True
                known[game, seat], value[game, seat], paid[game, seat] = True, values[tick, game], 0
