"""Rounds, alone or in matches, played at random and read back from their records."""

from collections.abc import Iterator

import numpy as np

from agents.arena_records import play_on_kernel
from maumau_env.game import batch
from maumau_env.game.actions import actions_in
from maumau_env.game.match import agent_name, open_games
from maumau_env.game.record import Record, Recorder
from maumau_env.game.rules import Rules
from maumau_env.game.state import RUNNING, copied, raw
from strategy.played import Played, played


def random_records(
    rules: Rules, players: int, seed: int, penalty_limit: int | None = None
) -> Iterator[tuple[Record, list[np.ndarray]]]:
    """The rounds of games without end, each with the GAMEs, shape (1,), before each of its moves and at its end."""
    generator = np.random.default_rng(seed)
    while True:
        game = open_games(rules, players, penalty_limit, int(generator.integers(1 << 40)), 1)
        more = True
        while more:
            agents = game["agents"][0, : game["num_players"][0]].tolist()
            recorder, positions = Recorder(game, [agent_name(agent) for agent in agents], f"m{game['seed'][0]}"), []
            while game["end"][0] == RUNNING:
                action = int(generator.choice(actions_in(batch.legal(game)[0])))
                positions.append(copied(game))
                recorder.note(action)
                batch.step(game, np.array([action]))
            yield recorder.record(), [*positions, copied(game)]
            more = play_on_kernel(raw(game))


def random_rounds(
    rules: Rules, players: int, seed: int, rounds: int, penalty_limit: int | None = None
) -> Iterator[Played]:
    """So many of them, as they are read back."""
    found = random_records(rules, players, seed, penalty_limit)
    for _ in range(rounds):
        yield played(next(found)[0], players)
