"""Tune the weights in `agents/weights.py` by playing: evolution strategies with mirrored pairs.

In every generation pairs of bots, the present weights plus and minus a random change, play each other on shared deals.
What a pair's games say about its change is summed up, and the weights move that way. The tuned weights are printed
beside the strength of old and new ones in games that the tuning has not seen.

    python -m tools.tune_heuristic --players 2 --seconds 240
    python -m tools.tune_heuristic --players 2 --rules match --penalty-limit 100 --deals 150 --step 8
"""

import dataclasses
import time
from dataclasses import dataclass

import numpy as np
import tyro
from rich.console import Console

from agents.arena import Entrant, play_all
from agents.heuristic import Heuristic
from agents.tournament import enter, hold, seatings_of
from agents.weights import TUNED, Weights
from maumau_env.game.rules import Rules, parse_options


@dataclass(frozen=True)
class Config:
    """How to tune."""

    players: int = 2
    """Seats at the table, 2 to 5: with two `duel` or `match_duel` is tuned, with more `table` or `match_table`."""
    penalty_limit: int | None = None
    """Tune in whole matches up to so many points; none for single rounds."""
    only: tuple[str, ...] = tuple(field.name for field in dataclasses.fields(Weights))
    """Weights to tune, by their names; all of them unless some are named."""
    rules: str = "classic"
    """Preset of rules."""
    set: tuple[str, ...] = ()
    """Options that differ from the preset, such as ace=skip."""
    seconds: float = 240
    """How long to tune, in seconds of processor time."""
    pairs: int = 24
    """Mirrored pairs in a generation."""
    deals: int = 1000
    """Deals that each pair plays, in every seating."""
    change: float = 0.4
    """Standard deviation of the changes that are tried."""
    step: float = 12.0
    """How far the weights move for what was learnt; it shrinks to nothing towards the end."""
    seed: int = 0
    """Of changes and deals."""
    games: int = 100_000
    """Games for each figure at the end."""


def generation(weights: np.ndarray, config: Config, rules: Rules, rng: np.random.Generator) -> np.ndarray:
    """The direction in which the win rate grows, estimated from mirrored pairs."""
    seatings = seatings_of(2, config.players)
    direction = np.zeros_like(weights)
    free = np.array([field.name in config.only for field in dataclasses.fields(Weights)])
    for _ in range(config.pairs):
        change = rng.standard_normal(len(weights)) * free
        both = [
            bot("plus", weights + config.change * change, config),
            bot("minus", weights - config.change * change, config),
        ]
        seed = int(rng.integers(1 << 63))
        results = play_all(both, seatings, config.deals, rules, seed, penalty_limit=config.penalty_limit)
        first = (results.ranks == 1).reshape(-1, *seatings.shape)
        won = first / first.sum(axis=2, keepdims=True)
        direction += change * (won[:, seatings == 0].mean() - won[:, seatings == 1].mean())
    return direction / config.pairs


def bot(name: str, weights: np.ndarray, config: Config) -> Entrant:
    """A heuristic with these weights for this table, and the present ones for any other."""
    return Entrant(name, Heuristic(weights=TUNED._replace(**{slot(config): Weights(*weights.tolist())})))


def slot(config: Config) -> str:
    """Which of the heuristic's weights are those of this table."""
    return ("" if config.penalty_limit is None else "match_") + ("duel" if config.players == 2 else "table")


def tune(config: Config, rules: Rules, console: Console) -> np.ndarray:
    """The tuned weights, in the order of `Weights`."""
    rng = np.random.default_rng(config.seed)
    weights = np.array(dataclasses.astuple(getattr(TUNED, slot(config))), float)
    velocity = np.zeros_like(weights)
    start, used, number = time.process_time(), 0.0, 0
    while used < 1:
        velocity = 0.7 * velocity + 0.3 * generation(weights, config, rules, rng)
        weights += config.step * (1 - used) * velocity
        number += 1
        used = (time.process_time() - start) / config.seconds
        console.print(f"generation {number}: {np.round(weights, 2).tolist()}", highlight=False, soft_wrap=True)
    return weights


def main(config: Config) -> None:
    """Tune, and print the weights and what they are worth."""
    console = Console()
    rules = Rules.of(config.rules, **parse_options(list(config.set)))
    tuned = np.round(tune(config, rules, console), 2)
    for field, value in zip(dataclasses.fields(Weights), tuned, strict=True):
        console.print(f"    {field.name}: float = {value:g}", highlight=False, soft_wrap=True)
    console.print(f"\n{'players':>7} {'against':>10} {'tuned':>7}   95 % interval", highlight=False, soft_wrap=True)
    for players in (2, 3, 4, 5):
        for rival in enter(["heuristic", "greedy", "random"]):
            field = [bot("tuned", tuned, config), rival]
            result, _ = hold(field, rules, players, config.games, config.seed + 1, penalty_limit=config.penalty_limit)
            low, high = result.bots[0].win_rate_interval
            line = f"{players:>7} {rival.name:>10} {result.bots[0].win_rate:>7.1%}   {low:.1%} to {high:.1%}"
            console.print(line, highlight=False, soft_wrap=True)


if __name__ == "__main__":
    main(tyro.cli(Config, description=__doc__))
