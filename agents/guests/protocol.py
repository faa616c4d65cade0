"""What is said between us and a guest: a line of JSON with a view, and one with an action. `docs/guests.md` tells it.

All that a guest is told is made of the VIEW of its seat, and of nothing else.
"""

import json
from typing import Any

import numpy as np

from agents.answers import ILLEGAL, RAISED, Fault
from maumau_env.game.actions import ACTION_NAMES, ACTION_NUMBERS, NUM_ACTIONS, actions_in, legal_names
from maumau_env.game.cards import DECKS, NAMES, RANKS, SUITS, cards_in
from maumau_env.game.rules import MAX_PLAYERS, Rules
from maumau_env.game.state import NONE
from maumau_env.seat.encode import observations

PHASES = ("normal", "drawn", "again")
"""The phases of a turn by number: its beginning; a drawn card may be played; the second card after an ace."""

LONGEST_QUOTE = 60
"""So many characters of an answer are quoted in a message."""


def plain(view: np.ndarray) -> dict[str, Any]:
    """A VIEW, shape (1,), as plain data: cards and actions by their texts, seats relative to the viewer, clockwise."""
    v = view[0]
    players = int(v["num_players"])
    rules = Rules.from_record(v["rules"])
    return {
        "rules": rules.as_dict(),
        "num_players": players,
        "to_move": int(v["to_move"]),
        "direction": int(v["direction"]),
        "top": NAMES[v["top"]],
        "suit": SUITS[v["suit"]],
        "wished": bool(v["wished"]),
        "owed": int(v["owed"]),
        "phase": PHASES[v["phase"]],
        "drawn": None if v["drawn"] == NONE else NAMES[v["drawn"]],
        "mau_said": bool(v["mau_said"]),
        "turns": int(v["turns"]),
        "pile_size": int(v["pile_size"]),
        "hand": _cards(v["hand"]),
        "shown": _cards(v["shown"]),
        "hand_sizes": v["hand_sizes"][:players].tolist(),
        "seats": [_seat(v["seats"][seat], rules) for seat in range(players)],
        "match": _match(v, players) if v["round"] > 0 else None,
        "legal": legal_names(v["legal"]),
    }


def request(view: np.ndarray, with_observation: bool = False) -> bytes:
    """The line that asks for an action for a VIEW, shape (1,); if wanted with the observation of our environments.

    That is as `maumau_v0` gives it in a single round, and `match_v0`, with room for five seats, in a match.
    """
    seen = plain(view)
    asked: dict[str, Any] = {"view": seen, "legal": seen["legal"]}
    if with_observation:
        room = MAX_PLAYERS if view["round"][0] > 0 else int(view["num_players"][0])
        asked["observation"] = observations(view, room)[0].tolist()
        allowed = set(actions_in(view["legal"][0]))
        asked["action_mask"] = [int(action in allowed) for action in range(NUM_ACTIONS)]
    return json.dumps(asked, separators=(",", ":")).encode("ascii") + b"\n"


def parsed(line: bytes) -> dict[str, Any]:
    """The answer in a line; Fault when it holds anything but one JSON object."""
    try:
        answer = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        raise Fault(ILLEGAL, f"must answer with one JSON object in a line, not with {quoted(line)}")
    return answer


def action_in(answer: dict[str, Any]) -> int:
    """The number of the action in an answer; whether it is legal is for the caller to check.

    Raises:
        Fault: it is an error instead, or there is no such action.
    """
    if "error" in answer:
        raise Fault(RAISED, " ".join(str(answer["error"]).split()) or "it does not say why")
    if "action" not in answer:
        raise Fault(ILLEGAL, f"must answer with an action, not with {quoted(json.dumps(answer).encode())}")
    action = answer["action"]
    if isinstance(action, str) and action in ACTION_NUMBERS:
        return ACTION_NUMBERS[action]
    if isinstance(action, int) and not isinstance(action, bool) and 0 <= action < NUM_ACTIONS:
        return action
    raise Fault(
        ILLEGAL, f"must answer with an action, such as {ACTION_NAMES[0]}, not with {quoted(repr(action).encode())}"
    )


def quoted(said: bytes) -> str:
    """What a guest has said, fit for a message: one line, not too long."""
    text = repr(said[: 4 * LONGEST_QUOTE].decode("utf-8", "replace"))
    return text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]}…"


def _cards(heap: np.ndarray) -> list[str]:
    return [NAMES[card] for card in cards_in(*heap.tolist())]


def _seat(seen: Any, rules: Rules) -> dict[str, Any]:
    """What everybody has seen one seat do, a SEAT."""
    ranks, suits, _ = DECKS[rules.deck]
    by_rank = dict(zip(RANKS, seen["since_rank"].tolist(), strict=True))
    by_suit = dict(zip(SUITS, seen["since_suit"].tolist(), strict=True))
    return {
        "taken_since_drawing_on_suit": {suit: by_suit[suit] - 1 for suit in suits if by_suit[suit]},
        "taken_since_drawing_on_rank": {rank: by_rank[rank] - 1 for rank in ranks if by_rank[rank]},
        "last_plays": [ACTION_NAMES[action] for action in seen["last_plays"] if action != NONE],
    }


def _match(v: Any, players: int) -> dict[str, Any]:
    return {
        "round": int(v["round"]),
        "penalty_limit": int(v["penalty_limit"]),
        "sat_down": int(v["sat"]),
        "points": v["points"][:players].tolist(),
    }
