"""How exploitable is a bot at least? A fresh learner is trained against it for a fixed budget, and then measured.

    python -m tools.best_response agents/bots/match_2p.safetensors --rules match --choices 2000000 --seed 1

The learner is stock MaskablePPO on one seat; the bot, which does not learn, sits on all the others. What the learner
wins more than an even share, on deals that it has not seen and from every seat in turn, the bot can be made to lose: a
lower bound, since a longer or a better training may find more.
"""

import sys
import time
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from agents.agent import Agent
from agents.commandline import Parser, check_writable, table_rules, whole
from agents.files import write_json
from agents.sb3_model import Sb3Model
from agents.table import fingerprint, make
from agents.tournament import Entrant, Score, hold
from maumau_env.envs.vec import MauMauVecEnv
from maumau_env.game.rules import Rules

FORMAT, VERSION = "maumau-best-response", 1

GAMES, TICKS = 1024, 32
"""Games played at once, and the learner's decisions in each of them from one update to the next."""

SETTINGS: dict[str, Any] = {
    "batch_size": 4096,
    "n_epochs": 4,
    "gamma": 1.0,
    "gae_lambda": 0.8,
    "ent_coef": 0.01,
    "policy_kwargs": {"net_arch": [128, 128], "activation_fn": torch.nn.ReLU},
}
LEARNING_RATE = 1e-3
"""It falls to 0 in a straight line."""

HELD_OUT = 2**32
"""Seed of the deals to measure with; seeds of training are smaller."""


def main(arguments: Sequence[str]) -> None:
    """The command: trains, measures, prints; a mistake is one line and exit code 2."""
    parser = new_parser()
    asked = parser.read(arguments)
    try:
        rules = table_rules(asked.rules, asked.options, asked.players)
        bot = make(asked.bot)
        games = MauMauVecEnv(
            asked.tables, bot, rules, asked.players, seed=asked.seed, penalty_limit=asked.penalty_limit
        )
        if asked.json is not None:
            check_writable(asked.json)
    except (ValueError, OSError) as error:
        parser.error(error)
    try:
        respond(asked, rules, bot, games)
    except KeyboardInterrupt:
        parser.stopped()


def new_parser() -> Parser:
    """What can be asked for."""
    parser = Parser("best_response", __doc__ or "")
    parser.add_argument("bot", metavar="BOT", help="the bot to exploit: a name, a file or module:Class")
    parser.add_table()
    parser.add_argument(
        "--penalty-limit", metavar="POINTS", type=whole(1), help="play whole matches up to so many points"
    )
    parser.add_argument(
        "--choices", type=whole(1), default=2_000_000, help="the learner's decisions; by default 2000000"
    )
    parser.add_argument("--seed", type=whole(0, HELD_OUT), default=0, help="of cards and weights; by default 0")
    parser.add_argument("--games", type=whole(1), default=40_000, help="games of the measurement; by default 40000")
    parser.add_argument("--tables", type=whole(1), default=GAMES, help=f"games at once in training; by default {GAMES}")
    parser.add_argument("--json", metavar="FILE", type=Path, help="file for the result")
    return parser


def respond(asked: Namespace, rules: Rules, bot: Agent, games: MauMauVecEnv) -> None:
    """Train a response, measure it, print what it wins and write the file."""
    torch.set_num_threads(1)
    model = MaskablePPO(
        "MlpPolicy", games, n_steps=TICKS, learning_rate=lambda left: LEARNING_RATE * left, seed=asked.seed,
        device="cpu", **SETTINGS,
    )  # fmt: skip
    start = time.perf_counter()
    model.learn(asked.choices, callback=Progress(asked.choices))
    seconds = time.perf_counter() - start
    score = measure(Sb3Model(model, games.layout), bot, asked, rules)
    low, high = score.win_rate_interval
    print(f"{rules}, {asked.players} players; {model.num_timesteps:,} choices in {seconds:.0f} s")
    print(
        f"Against {asked.bot} a best response wins {score.win_rate:.2%} ({low:.2%} – {high:.2%}), "
        f"so at least {low:.2%}; even is {1 / asked.players:.1%}"
    )
    if asked.json is not None:
        write_json(asked.json, result(asked, rules, model.num_timesteps, score))


def measure(response: Agent, bot: Agent, asked: Namespace, rules: Rules) -> Score:
    """The response on every seat in turn, the bot on all the others, on fresh deals."""
    entrants = [Entrant("response", response), *[Entrant(asked.bot, bot)] * (asked.players - 1)]
    tournament, _ = hold(
        entrants, rules, asked.players, asked.games, HELD_OUT, penalty_limit=asked.penalty_limit, rotate=True
    )
    return tournament.bots[0]


def result(asked: Namespace, rules: Rules, choices: int, score: Score) -> dict[str, Any]:
    """All that is needed to repeat it, as plain data for JSON."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "bot": asked.bot,
        "sha256": fingerprint(asked.bot),
        "rules": rules.as_dict(),
        "players": asked.players,
        "penalty_limit": asked.penalty_limit,
        "choices": choices,
        "tables": asked.tables,
        "seed": asked.seed,
        "response": {name: getattr(score, name) for name in MEASURED},
    }


MEASURED = ("games", "win_rate", "win_rate_interval", "mean_placement", "mean_placement_interval", "mean_turns")


class Progress(BaseCallback):
    """A line for every tenth of the training: how often the learner won its games since the last one."""

    def __init__(self, choices: int) -> None:
        super().__init__()
        self.step, self.next = choices / 10, choices / 10
        self.won = self.played = 0
        self.start = time.perf_counter()

    def _on_step(self) -> bool:
        for i in self.locals["dones"].nonzero()[0]:
            self.played += 1
            self.won += self.locals["infos"][i]["rank"] == 1
        if self.num_timesteps >= self.next and self.played:
            rate = self.num_timesteps / (time.perf_counter() - self.start)
            share = self.won / self.played
            print(
                f"{self.num_timesteps:>11,} choices, {rate:,.0f}/s, wins {share:.1%} while it explores", file=sys.stderr
            )
            self.next += self.step
            self.won = self.played = 0
        return True


if __name__ == "__main__":
    main(sys.argv[1:])
