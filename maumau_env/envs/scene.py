"""What the renderer draws: a VIEW as a Scene, seen from one seat or, with the hands given, from above the table."""

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np

from maumau_env.game.cards import NAMES, SUITS, cards_in
from maumau_env.render import Scene, ansi, picture

Hands = Sequence[tuple[str, ...]]


def scene_of(view: np.ndarray, seat: int, names: Sequence[str], hands: Hands | None = None, **moment: Any) -> Scene:
    """The Scene of a VIEW, shape (1,).

    Args:
        view: what `seat` may know.
        seat: the viewer; its own hand lies face up.
        names: of all seats.
        hands: all hands, to be shown face up; without them the others' lie face down.
        moment: what a VIEW does not say: `last_move`, `calls`, `end`, `ranking` and `heading` of the Scene.
    """
    v = view[0]
    players = len(names)
    sizes = [int(v["hand_sizes"][(other - seat) % players]) for other in range(players)]
    own = hand_names(v["hand"])
    return Scene(
        players=tuple(names),
        hands=tuple(hands or (own if other == seat else sizes[other] for other in range(players))),
        to_move=(seat + int(v["to_move"])) % players if moment["end"] is None else None,
        top=NAMES[v["top"]],
        discards=int(v["rules"]["deck"] - v["pile_size"]) - sum(sizes),
        pile=int(v["pile_size"]),
        wish=SUITS[v["suit"]] if v["wished"] else None,
        owed=int(v["owed"]),
        direction=int(v["direction"]),
        turn=int(v["turns"]),
        max_turns=int(v["rules"]["max_turns"]),
        **moment,
    )


def hand_names(heap: np.ndarray) -> tuple[str, ...]:
    """The cards of a hand by their texts, ascending."""
    return tuple(NAMES[card] for card in cards_in(*heap))


def drawn(scene: Scene, render_mode: str | None, modes: Sequence[str]) -> np.ndarray | str | None:
    """What `render()` returns: text for "ansi", a picture for "rgb_array", else nothing, with a warning for None."""
    if render_mode == "ansi":
        return ansi(scene)
    if render_mode == "rgb_array":
        return picture(scene)
    if render_mode is None:
        choice = ", ".join(modes)
        gymnasium.logger.warn(f"render() without a render_mode draws nothing: make the environment with {choice}")
    return None
