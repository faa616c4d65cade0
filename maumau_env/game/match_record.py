"""What the record of a round says of the match that it belongs to."""

from collections.abc import Sequence
from hashlib import blake2s
from typing import Annotated, Any

import msgspec
import numpy as np

from maumau_env.game.jit import kernel
from maumau_env.game.match import agent_name, close_round
from maumau_env.game.state import GAME, OUT, RUNNING, copied, raw

Count = Annotated[int, msgspec.Meta(ge=0)]


class Match(msgspec.Struct, forbid_unknown_fields=True):
    """What a round says of the match that it belongs to; agents by their names."""

    id: str
    round: Count
    penalty_limit: Count
    table: dict[str, Count]  # points after the round of everyone still at the table or going out now
    joined: list[str]  # before the round
    left: list[str]  # before the round
    out: list[str]  # by the round


def match_id(game: np.ndarray, *words: object) -> str:
    """A name for a match, given its first GAME, shape (1,), and whatever else tells it from others: who plays, say.

    The same match has the same name in every run.
    """
    told = [*game["rules"][0].tolist(), int(game["match"]["penalty_limit"][0]), int(game["num_players"][0]), *words]
    digest = blake2s("\n".join(map(str, told)).encode(), digest_size=4).hexdigest()
    return "-".join(map(str, (digest, game["seed"][0], game["lane"][0], game["episode"][0])))


def seats_of(game: np.ndarray) -> list[str]:
    """The agents who play a round of a match, by seat, for its GAME of shape (1,)."""
    return [agent_name(agent) for agent in game["agents"][0, : game["num_players"][0]].tolist()]


def match_of(game: np.ndarray, match_id: str, joined: Sequence[str], left: Sequence[str]) -> Match:
    """The entry of a round, a GAME of shape (1,) as it stands before `close_round`; shape (1,).

    While the round is running, `table` has the points before it, and nobody is out.

    Args:
        game: the round, or what has been played of it.
        match_id: names the match among others in a file.
        joined: agents who sat down before this round.
        left: agents who left before it.
    """
    closed = copied(game)
    if game["end"][0] != RUNNING:
        close_kernel(raw(closed))
    match = closed["match"][0]
    agents = game["agents"][0, : game["num_players"][0]].tolist()
    return Match(
        id=match_id,
        round=int(match["round"]),
        penalty_limit=int(match["penalty_limit"]),
        table={agent_name(agent): int(match["points"][agent]) for agent in agents},
        joined=list(joined),
        left=list(left),
        out=[agent_name(agent) for agent in agents if match["status"][agent] == OUT],
    )


@kernel
def close_kernel(raw_games: Any) -> None:
    """M1-M3 for one game."""
    close_round(raw_games.view(GAME)[0])
