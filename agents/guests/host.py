"""Plays somebody's Python code as a guest: reads questions, answers them, and keeps what the code prints apart.

    python -m agents.guests.host module:name '{"depth": 2}'

`name` is a class with a method `choose`, made with the options, an object with that method, or a function of an
observation and the name of an agent. `docs/guests.md` has the protocol.
"""

import json
import operator
import os
import sys
import traceback
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from agents.errors import describe

AGENT = "player_0"
"""What a function is told that it is: every seat counts itself as the first."""


def main(target: str, options: str) -> None:
    """Answer questions until there are no more."""
    questions, answers = take_over()
    try:
        play = player(target, json.loads(options))
    except Exception as error:  # noqa: BLE001 (whatever ails a guest, is told in its answers)
        play = _failing(error)
    for line in questions:
        answers.write(json.dumps(answered(play, json.loads(line))).encode("ascii") + b"\n")
        answers.flush()


def take_over() -> tuple[BinaryIO, BinaryIO]:
    """The pipes to and from the tournament, for us alone: the guest finds no input, and prints to standard error."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    return questions, answers


def player(target: str, options: dict[str, Any]) -> Callable[[dict[str, Any]], Any]:
    """A function from questions to actions."""
    module, _, name = target.partition(":")
    bot = getattr(import_module(module), name)
    if isinstance(bot, type):
        bot = bot(**options)
    if hasattr(bot, "choose"):
        return lambda asked: bot.choose(asked["view"])
    return lambda asked: bot(_observation(asked), AGENT)


def answered(play: Callable[[dict[str, Any]], Any], asked: dict[str, Any]) -> dict[str, Any]:
    """The answer to a question: an action, or the error that came instead."""
    try:
        action = play(asked)
    except (Exception, SystemExit) as error:  # noqa: BLE001 (the guest's own, told in its answer)
        traceback.print_exception(error)
        return {"error": describe(error)}
    if isinstance(action, str):
        return {"action": action}
    try:
        return {"action": operator.index(action)}
    except TypeError:
        return {"action": repr(action)[:200]}  # no action there is: the tournament says so


def _observation(asked: dict[str, Any]) -> dict[str, np.ndarray]:
    return {
        "observation": np.array(asked["observation"], np.float32),
        "action_mask": np.array(asked["action_mask"], np.int8),
    }


def _failing(error: Exception) -> Callable[[dict[str, Any]], Any]:
    """What plays in the place of a guest that cannot be had."""

    def play(asked: dict[str, Any]) -> Any:
        raise error

    return play


if __name__ == "__main__":
    main(*sys.argv[1:])
