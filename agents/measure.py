"""How strong a bot in training is: the tournaments of a run, and what its file says of it."""

from collections.abc import Sequence
from importlib.metadata import version
from itertools import islice
from pathlib import Path

from agents.arena import Entrant, Results
from agents.arena_records import records
from agents.botfile import Header, Strength
from agents.config import Config
from agents.learner import SelfPlayPPO
from agents.table import make
from agents.tournament import Tournament, hold
from maumau_env.game.record_file import write_records
from maumau_env.game.rules import Rules

HELD_OUT = 2**32 + 1
"""Seed of the deals to measure with at the end; those of training are smaller."""


def header(config: Config, learner: SelfPlayPPO, strength: Sequence[Strength] = ()) -> Header:
    """What the bot file says of the bot; nothing in it depends on the clock."""
    training = {
        "package_version": version("maumau-env"),
        "choices": learner.num_timesteps,
        "config": config.model_dump(mode="json", exclude={"name", "runs", "start"}),
    }
    return Header.of(
        config.table, learner.env.layout, config.actor, config.table_sizes, penalty_limit=config.penalty_limit,
        varied={option: list(values) for option, values in config.tables.varied.items()},
        training=training, strength=list(strength),
    )  # fmt: skip


def strength_of(tournament: Tournament, opponent: str) -> Strength:
    """How the first bot of a tournament of two fared."""
    score = tournament.bots[0]
    return Strength(
        opponent=opponent,
        players=tournament.players,
        penalty_limit=tournament.penalty_limit,
        games=tournament.games,
        seed=tournament.seed,
        win_rate=score.win_rate,
        win_rate_interval=score.win_rate_interval,
    )


def opponents_at(rules: Rules) -> tuple[str, str]:
    """Who the bot is measured against; where one may draw at will, random play does nothing else."""
    return "random" if rules.must_play else "eager", "heuristic"


def compete(
    config: Config, players: int, entrants: Sequence[Entrant], games: int, seed: int, keep_moves: bool = False
) -> tuple[Tournament, Results]:
    """A tournament of so many players under the rules of this run."""
    return hold(entrants, config.table, players, games, seed, keep_moves=keep_moves, penalty_limit=config.penalty_limit)


def write_game(config: Config, bot: Path, seed: int, path: Path) -> None:
    """The record of a game of the saved bot against the heuristic."""
    players = max(config.players)
    entrants = [Entrant(bot.name, make(str(bot))), Entrant("heuristic", make("heuristic"))]
    _, results = compete(config, players, entrants, 1, seed, keep_moves=True)
    played = records(entrants, config.table, seed, results, config.penalty_limit)
    write_records(path, islice(played, int(results.rounds[0])))
