"""A plan is played: block by block, in this process or in many, with the same results bit for bit."""

from collections.abc import Callable, Generator
from functools import lru_cache
from importlib.util import find_spec

from joblib import Parallel, delayed, effective_n_jobs, parallel_config

from agents.arena import Entrant, Results, Terms, play_games
from agents.tournament.plan import Plan, enter
from agents.tournament.rows import RowsFile, joined

BACKENDS = ("processes", "ray")

JOBS_AHEAD = 4
"""So many blocks for each worker are given to Ray at a time."""

Block = tuple[int, int]
"""Deals that are played at a stretch: the first, and one after the last."""


def play(
    plan: Plan,
    rows: RowsFile | None = None,
    workers: int | None = None,
    backend: str = "processes",
    keep_moves: bool = False,
    enough: Callable[[Results], bool] = lambda results: False,
    watch: Callable[[int, Results | None], object] = lambda games, results: None,
) -> Results:
    """Play what is left to play of a tournament.

    Args:
        plan: what is played.
        rows: what has been played already is in there, and what is played now is added to it.
        workers: processes; None: one, or on a cluster as many as it has processors.
        backend: `processes` on this machine, or `ray` on a cluster.
        keep_moves: keep the actions of every game; for a tournament that is played from its beginning.
        enough: told the games of each block, in their order; the tournament ends when it says so.
        watch: told the number of games in the block that is being played, and, when it is over, its results.
    """
    parts: list[Results] = []
    for block, results in rows.played if rows else []:
        parts.append(results)
        watch(0, results)
        if enough(results) or block[1] >= plan.deals:
            return joined(parts)
    start = rows.played[-1][0][1] if rows and rows.played else 0
    blocks = list(plan.blocks(start))
    played = _play_blocks(plan, blocks, workers, backend, keep_moves, watch)
    try:
        for block, results in zip(blocks, played, strict=True):
            if rows:
                rows.append(block, results)
            parts.append(results)
            watch(0, results)
            if enough(results):
                break
    finally:
        played.close()
    return joined(parts)


def play_block(
    plan: Plan, block: Block, keep_moves: bool = False, told: Callable[[int], object] | None = None
) -> Results:
    """The games of some deals."""
    deals, bots = plan.schedule.games(*block)
    return play_games(
        _entrants(plan.names), deals, bots, plan.rules, plan.seed, keep_moves=keep_moves, progress=told,
        penalty_limit=plan.penalty_limit, terms=Terms(move_seconds=plan.move_seconds, forfeits=True),
    )  # fmt: skip


@lru_cache(4)
def _entrants(names: tuple[str, ...]) -> list[Entrant]:
    """The bots, made once in each process."""
    return enter(names)


def _play_blocks(
    plan: Plan, blocks: list[Block], workers: int | None, backend: str, keep_moves: bool, watch: Callable[..., object]
) -> Generator[Results]:
    """The results of the blocks, in their order."""
    if backend == "processes" and workers in (None, 1):
        for block in blocks:
            yield play_block(plan, block, keep_moves, lambda games: watch(games, None))
        return
    jobs = [delayed(play_block)(plan, block, keep_moves) for block in blocks]
    with parallel_config(backend=_backend(backend), n_jobs=workers or -1):
        if backend == "processes":
            yield from Parallel(return_as="generator")(jobs)
            return
        with Parallel() as pool:  # joblib gets no results from Ray before all are there: not all are asked for at once
            portion = JOBS_AHEAD * effective_n_jobs(workers or -1)
            for first in range(0, len(jobs), portion):
                yield from pool(jobs[first : first + portion])


def check_backend(name: str) -> None:
    """ValueError when what it needs is not there."""
    if name == "ray" and find_spec("ray") is None:
        raise ValueError("--backend ray needs Ray: pip install 'maumau-env[cluster]'")


def _backend(name: str) -> str:
    """What joblib calls the backend, which is there."""
    if name == "processes":
        return "loky"
    from ray.util.joblib import register_ray

    register_ray()
    return "ray"
