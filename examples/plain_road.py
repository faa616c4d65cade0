"""The plain road: stock sb3-contrib MaskablePPO learns from one seat, with bots on all the others.

    python examples/plain_road.py --choices 300000 --players 2 --opponents random

The model is measured before and after, on the same deals, which training never sees, and on every seat in turn.
`train.py` is the fast road: there all seats learn, and a bot passes the heuristic within minutes.
"""

import sys
from collections.abc import Sequence

import torch
from sb3_contrib import MaskablePPO

from agents.commandline import Parser, table_rules
from agents.sb3_model import Sb3Model
from agents.tournament import Entrant, enter, hold
from maumau_env.envs.vec import MauMauVecEnv
from maumau_env.game.rules import Rules

GAMES, TICKS = 64, 64
"""Games played at once, and the learner's decisions in each of them from one update to the next."""

HELD_OUT = 2**32
"""Seed of the deals to measure with; seeds of training are smaller."""


def main(arguments: Sequence[str]) -> None:
    """Make the games, make the learner, measure it, let it learn, measure it again."""
    parser = Parser("plain_road.py", __doc__ or "")
    parser.add_table()
    parser.add_argument("--opponents", metavar="BOT", nargs="+", default=["random"], help="one bot, or one a seat")
    parser.add_argument("--choices", type=int, default=300_000, help="the learner's decisions; by default 300000")
    parser.add_argument("--seed", type=int, default=0, help="of cards and weights, 0 to 2**32 - 1; by default 0")
    parser.add_argument("--games", type=int, default=10_000, help="games of a measurement; by default 10000")
    parser.add_argument("--save", metavar="FILE.zip", help="where to put the model when it has learned")
    asked = parser.read(arguments)
    try:
        rules = table_rules(asked.rules, asked.options, asked.players)
        one_for_all = len(asked.opponents) == 1
        opponents = asked.opponents * (asked.players - 1) if one_for_all else asked.opponents
        games = MauMauVecEnv(
            GAMES, opponents, rules, asked.players, seed=parser.in_range("seed", asked.seed, 0, HELD_OUT)
        )
        parser.in_range("choices", asked.choices, 1)
        parser.in_range("games", asked.games, 1)
    except ValueError as error:
        parser.error(error)

    torch.set_num_threads(1)  # for networks as small as these one is the fastest
    model = MaskablePPO(
        "MlpPolicy",
        games,
        n_steps=TICKS,
        batch_size=512,
        n_epochs=4,
        learning_rate=lambda left: 2e-3 * left,
        gamma=1.0,  # a round ends by itself, and only how it ends is paid
        gae_lambda=0.8,  # the game is mostly luck: trust the value of the next position more than the end
        ent_coef=0.01,
        policy_kwargs={"net_arch": [128, 128], "activation_fn": torch.nn.ReLU},
        seed=asked.seed,
        device="cpu",
    )
    learner = Sb3Model(model, games.layout)
    print(f"{rules}, {asked.players} players, against {', '.join(opponents)}")
    print(f"before: {win_rate(learner, opponents, rules, asked.games)}")
    model.learn(asked.choices)
    print(f"after {model.num_timesteps:,} choices: {win_rate(learner, opponents, rules, asked.games)}")
    if asked.save:
        model.save(asked.save)


def win_rate(learner: Sb3Model, opponents: Sequence[str], rules: Rules, games: int) -> str:
    """How often the learner wins on the held-out deals, each played from every seat."""
    bots = [Entrant("learner", learner), *enter(opponents)]
    tournament, _ = hold(bots, rules, len(bots), games, HELD_OUT, rotate=True)
    score = tournament.bots[0]
    low, high = score.win_rate_interval
    return f"{score.win_rate:.1%} ({low:.1%} – {high:.1%}) of {tournament.games:,} games, even is {1 / len(bots):.1%}"


if __name__ == "__main__":
    main(sys.argv[1:])
