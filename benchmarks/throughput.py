"""How fast everything is: decisions per CPU second, one thread, beside other people's games in the same run.

    python benchmarks/throughput.py [--json FILE] [--repeats 5] [--seconds 1.0] [--no-training]

Machines are noisy, so every case is run several times in turns with the others and reported as the median with the
lowest and the highest figure; between machines only the ratios mean something. Other people's games are measured where
`pip install -e ".[benchmark]"` put them.

    core      uniformly random play inside the compiled game, 256 games
    batch     one decision in each of n games: legality, step, restart, observation and action mask of the next seat;
              games are single rounds, or matches up to 100 points
    aec       a Python loop over agent_iter with a random legal action; `raw_env` and `env`
    training  real choices (more than one legal action) from collecting to update, configs/classic_2p.yaml
"""

import json
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import rivals
import tyro
from rich.console import Console
from rich.progress import track
from rich.table import Table

from maumau_env import match_v0, maumau_v0
from maumau_env.game import batch
from maumau_env.game.match import PENALTY_LIMIT, open_games
from maumau_env.game.rules import Rules
from maumau_env.game.state import copied
from maumau_env.seat import batch as seat_batch
from maumau_env.seat.encode import Layout

PLAYERS = rivals.PLAYERS
CONFIG = Path(__file__).parents[1] / "configs" / "classic_2p.yaml"
BATCH_SIZES = (1, 16, 64, 256, 1024, 4096)
RATIOS = (
    # case, rival, what we aim at
    ("core, random play", "OpenSpiel crazy_eights, its own C++ loop", 8),
    ("batch of 256", "OpenSpiel crazy_eights, from Python with observation", 8),
    ("batch of 256 matches", "batch of 256", 0.8),
    ("aec raw_env", "PettingZoo leduc_holdem, unwrapped (2 players)", 3),
    ("aec raw_env", "RLCard uno (2 players)", 1),
)


@dataclass(frozen=True)
class Options:
    """What to measure."""

    json: Path | None = None
    """Write the figures to this file as well."""
    repeats: int = 5
    """How often each case runs."""
    seconds: float = 1.0
    """About how long one run of a case takes, in CPU seconds."""
    training: bool = True
    """Measure training too; it needs the extra `train`."""


def main() -> None:
    """Measure, print, save."""
    options = tyro.cli(Options, description=__doc__)
    cases = {**core_cases(), **batch_cases(), **aec_cases(), **rivals.installed()}
    rates = measure(cases, options.repeats, options.seconds)
    training = measure_training(options.seconds * options.repeats) if options.training else None
    figures = summary(rates, training)
    show(figures)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n")


def measure(cases: dict[str, Callable[[int], int]], repeats: int, seconds: float) -> dict[str, list[float]]:
    """Decisions per CPU second of every case, `repeats` times, the cases taking turns."""
    sizes = {name: calibrate(run, seconds) for name, run in cases.items()}
    rates: dict[str, list[float]] = {name: [] for name in cases}
    for _ in track(range(repeats), "measuring", console=Console(stderr=True), transient=True):
        for name, run in cases.items():
            rates[name].append(rate(run, sizes[name]))
    return rates


def rate(run: Callable[[int], int], decisions: int) -> float:
    """Decisions per CPU second of one run."""
    start = time.process_time()
    done = run(decisions)
    return done / max(time.process_time() - start, 1e-9)


def calibrate(run: Callable[[int], int], seconds: float) -> int:
    """How many decisions take about so long; compiles and warms up."""
    run(100)
    decisions = 1000
    while (speed := rate(run, decisions)) * seconds > 4 * decisions:
        decisions *= 4
    return max(1000, int(speed * seconds))


# ---- the cases: each plays at least so many decisions and returns how many ------------------------------------------


def core_cases() -> dict[str, Callable[[int], int]]:
    """Random play inside the compiled game."""
    games = batch.deal(Rules.of("classic"), PLAYERS, seed=1, count=256)

    def run(decisions: int) -> int:
        each = decisions // len(games) + 1
        batch.play_at_random(games, each, seed=1)
        return each * len(games)

    return {"core, random play": run}


def batch_cases() -> dict[str, Callable[[int], int]]:
    """The batch step over batches of several sizes; the actions are drawn outside of the time that counts."""
    cases = {f"batch of {size}": BatchCase(PLAYERS, size) for size in BATCH_SIZES}
    return cases | {
        "batch of 256 matches": BatchCase(PLAYERS, 256, matches=True),
        "batch of 256, two players": BatchCase(2, 256),
    }


class BatchCase:
    """Steps of one batch, replaying random legal actions that were drawn, and tried, beforehand on the same games.

    They begin where 500 random decisions have led: in the middle of rounds, and of matches.
    """

    def __init__(self, players: int, size: int, ticks: int = 64, matches: bool = False) -> None:
        limit = PENALTY_LIMIT if matches else None
        self.start = open_games(Rules.of("classic"), players, limit, seed=2, count=size)
        batch.play_at_random(self.start, 500, seed=3)
        self.layout = Layout(32, players)
        self.out = seat_batch.Buffers.new(self.layout, size)
        self.actions = np.zeros((ticks, size), np.int64)
        games, rng = copied(self.start), np.random.default_rng(2)
        seat_batch.observe(games, players, self.out)
        for actions in self.actions:
            actions[:] = np.argmax(self.out.masks * rng.random(self.out.masks.shape), axis=1)
            seat_batch.step(games, actions, players, self.out)

    def __call__(self, decisions: int) -> int:
        """Play at least so many decisions."""
        rounds = decisions // self.actions.size + 1
        for _ in range(rounds):
            games = copied(self.start)
            for actions in self.actions:
                seat_batch.step(games, actions, self.layout.seats, self.out)
        return rounds * self.actions.size


def aec_cases() -> dict[str, Callable[[int], int]]:
    """The AEC loop; the empty environment shows what PettingZoo's own wrappers cost."""
    environments: dict[str, Any] = {
        "aec raw_env": maumau_v0.raw_env(num_players=PLAYERS),
        "aec env": maumau_v0.env(num_players=PLAYERS),
        "aec raw_env, matches": match_v0.raw_env(rules="classic", num_players=PLAYERS),
        "aec empty environment": rivals.EmptyEnv(),
        "aec empty environment in three wrappers": rivals.EmptyEnv().wrapped(),
    }
    return {name: AecCase(env) for name, env in environments.items()}


@dataclass(frozen=True)
class AecCase:
    """The usual loop over one environment."""

    env: Any

    def __call__(self, decisions: int) -> int:
        """Play at least so many decisions."""
        return rivals.agent_iter_loop(self.env, decisions)


# ---- training ------------------------------------------------------------------------------------------------------


def measure_training(seconds: float) -> dict[str, float]:
    """Rates per CPU second of training from collecting to update, and the share of the time outside of the networks."""
    import torch

    from agents.config import read_config
    from train import new_learner

    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    learner = new_learner(read_config(CONFIG))
    learner.learn(1)  # compiles, warms up
    learner.network_seconds, before = 0.0, learner.num_timesteps
    start, wall = time.process_time(), time.perf_counter()
    while time.process_time() < start + seconds:
        learner.learn(1, reset_num_timesteps=False)
    spent, passed = time.process_time() - start, time.perf_counter() - wall
    choices = (learner.num_timesteps - before) / spent
    return {
        "choices": choices,
        "decisions": choices / share_of_choices(learner.env.tables.rules, learner.env.tables.players[0]),
        "outside_networks": 1 - learner.network_seconds / passed,
    }


def share_of_choices(rules: Rules, num_players: int, games: int = 1024, ticks: int = 200) -> float:
    """The share of decisions with more than one legal action, in random play."""
    layout, rng, choices = Layout(rules.deck, num_players), np.random.default_rng(5), 0
    table, out = batch.deal(rules, num_players, seed=5, count=games), seat_batch.Buffers.new(layout, games)
    seat_batch.observe(table, layout.seats, out)
    for _ in range(ticks):
        choices += np.count_nonzero(out.masks.sum(axis=1) > 1)
        actions = np.argmax(out.masks * rng.random(out.masks.shape), axis=1)
        seat_batch.step(table, actions, layout.seats, out)
    return choices / (games * ticks)


# ---- the outcome ---------------------------------------------------------------------------------------------------


def summary(rates: dict[str, list[float]], training: dict[str, float] | None) -> dict[str, Any]:
    """Everything that was measured, ready for JSON."""
    cases = {
        name: {"median": median(found), "lowest": min(found), "highest": max(found)} for name, found in rates.items()
    }
    ratios = [
        {"case": case, "rival": rival, "ratio": median(rates[case]) / median(rates[rival]), "target": target}
        for case, rival, target in RATIOS
        if rival in rates
    ]
    return {
        "unit": "decisions per CPU second, one thread",
        "players": PLAYERS,
        "cases": cases,
        "ratios": ratios,
        "wrapper_cost_ratio": wrapper_cost_ratio({name: median(found) for name, found in rates.items()}),
        "training": training,
        "versions": {name: version(name) for name in ("maumau-env", "numba", "numpy", "pettingzoo")},
        "machine": f"{platform.processor() or platform.machine()}, Python {platform.python_version()}",
    }


def wrapper_cost_ratio(rates: dict[str, float]) -> float:
    """What `env` adds to a decision of `raw_env`, over what three wrappers add to one of the empty environment."""
    ours = 1 / rates["aec env"] - 1 / rates["aec raw_env"]
    theirs = 1 / rates["aec empty environment in three wrappers"] - 1 / rates["aec empty environment"]
    return ours / theirs


def show(figures: dict[str, Any]) -> None:
    """The figures as tables."""
    console = Console()
    table = Table("case", "median", "lowest", "highest", title=figures["unit"])
    for name, found in figures["cases"].items():
        table.add_row(name, *(f"{found[key]:,.0f}" for key in ("median", "lowest", "highest")))
    console.print(table)
    if figures["ratios"]:
        table = Table("ours", "theirs", "ratio", "target", title="ratios of the medians")
        for row in figures["ratios"]:
            table.add_row(row["case"], row["rival"], f"{row['ratio']:.2f}", f"{row['target']}")
        console.print(table)
    console.print(
        f"cost of env's wrapper / cost of PettingZoo's three: {figures['wrapper_cost_ratio']:.2f} (target: 1.3)"
    )
    if found := figures["training"]:
        console.print(
            f"training: {found['choices']:,.0f} real choices, {found['decisions']:,.0f} decisions per CPU second, "
            f"{found['outside_networks']:.1%} of the time outside of the networks"
        )


if __name__ == "__main__":
    main()
