"""The plain road: stock sb3-contrib MaskablePPO learns from one seat, with bots on all the others.

    python examples/plain_road.py --choices 300000 --players 2 --opponents random

The model is measured before and after, on the same deals, which training never sees, and on every seat in turn.
`train.py` is the fast road: there all seats learn, and a bot passes the heuristic within minutes.
"""

import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

import torch
from sb3_contrib import MaskablePPO

from agents.commandline import Parser, check_writable, table_rules, whole
from agents.sb3_model import Sb3Model
from agents.tournament import Entrant, enter, hold
from maumau_env.envs.vec import MauMauVecEnv
from maumau_env.game.rules import Rules

GAMES, TICKS = 64, 64
"""Games played at once, and the learner's decisions in each of them from one update to the next."""

HELD_OUT = 2**32
"""Seed of the deals to measure with; seeds of training are smaller."""


def asked_for(arguments: Sequence[str]) -> tuple[Namespace, list[str], MauMauVecEnv]:
    """What the command line asks for, the opponents by name, and the games; a mistake ends the program in one line."""
    parser = Parser("plain_road.py", __doc__ or "")
    parser.add_table()
    parser.add_argument("--opponents", metavar="BOT", nargs="+", default=["random"], help="one bot, or one a seat")
    parser.add_argument("--choices", type=whole(1), default=300_000, help="the learner's decisions; by default 300000")
    parser.add_argument("--seed", type=whole(0, HELD_OUT), default=0, help="of cards and weights; by default 0")
    parser.add_argument("--games", type=whole(1), default=10_000, help="games of a measurement; by default 10000")
    parser.add_argument("--save", metavar="FILE.zip", type=Path, help="where to put the model when it has learned")
    asked = parser.read(arguments)
    try:
        rules = table_rules(asked.rules, asked.options, asked.players)
        bots = asked.opponents * (asked.players - 1) if len(asked.opponents) == 1 else asked.opponents
        games = MauMauVecEnv(GAMES, bots, rules, asked.players, seed=asked.seed)
        if asked.save is not None:
            check_writable(asked.save)
    except (ValueError, OSError) as error:
        parser.error(error)
    return asked, bots, games


def main(arguments: Sequence[str]) -> None:
    """Make the learner, measure it, let it learn, measure it again."""
    asked, opponents, games = asked_for(arguments)
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
    print(f"{games.rules}, {games.num_players} players, against {', '.join(opponents)}")
    print(f"before: {win_rate(learner, opponents, games.rules, asked.games)}")
    model.learn(asked.choices)
    print(f"after {model.num_timesteps:,} choices: {win_rate(learner, opponents, games.rules, asked.games)}")
    if asked.save is not None:
        model.save(asked.save)


def win_rate(learner: Sb3Model, opponents: Sequence[str], rules: Rules, games: int) -> str:
    """How often the learner wins on the held-out deals, each played from every seat."""
    bots = [Entrant("learner", learner), *enter(opponents)]
    tournament, _ = hold(bots, rules, len(bots), games, HELD_OUT, rotate=True)
    score = tournament.bots[0]
    low, high = score.win_rate_interval
    return f"{score.win_rate:.1%} ({low:.1%} – {high:.1%}) of {tournament.games:,} games, even is {1 / len(bots):.1%}"


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KeyboardInterrupt:
        sys.exit("plain_road.py: stopped")
