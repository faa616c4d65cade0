"""Records of the games that an arena has played."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from agents.arena import Entrant, Results
from agents.arena_kernels import begin_kernel
from maumau_env.game.batch import step
from maumau_env.game.jit import kernel
from maumau_env.game.match import open_games, play_on
from maumau_env.game.match_record import match_id
from maumau_env.game.record import Record, Recorder
from maumau_env.game.rules import Rules
from maumau_env.game.state import GAME, OWN, RUNNING, raw


def records(
    entrants: Sequence[Entrant],
    rules: Rules,
    seed: int,
    results: Results,
    penalty_limit: int | None = None,
    order: int = OWN,
) -> Iterator[Record]:
    """The records of what `play_games` played with `keep_moves`, round by round, in the order of the games.

    All arguments but the results are those that it was played with.
    """
    for deal, seating, moves in zip(results.deals, results.bots.tolist(), results.moves or [], strict=True):
        names = [entrants[bot].name for bot in seating]
        game = open_games(rules, len(names), penalty_limit, seed, 1)
        game["order"] = order
        begin_kernel(raw(game), np.zeros(1, np.int64), np.array([deal]))
        yield from _rounds(game, moves, names, match_id(game, *names, seating))


def _rounds(game: np.ndarray, moves: np.ndarray, names: Sequence[str], match_id: str) -> Iterator[Record]:
    """The records of the rounds of one game, shape (1,), which is played along."""
    recorder = _recorder(game, names, match_id)
    for action in moves:
        recorder.note(action)
        step(game, np.array([action]))
        if game["end"][0] != RUNNING:
            yield recorder.record()
            if play_on_kernel(raw(game)):
                recorder = _recorder(game, names, match_id)


def _recorder(game: np.ndarray, names: Sequence[str], match_id: str) -> Recorder:
    agents = game["agents"][0, : game["num_players"][0]].tolist()
    return Recorder(game, [names[agent] for agent in agents], match_id)


@kernel
def play_on_kernel(raw_games: Any) -> bool:
    """`play_on` for one game."""
    return play_on(raw_games.view(GAME)[0])
