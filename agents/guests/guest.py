"""Agents that play in another process: a command of somebody's own, or Python code that we host there."""

import inspect
import json
import os
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from agents.answers import START_SECONDS, TOO_SLOW, Fault, Guest
from agents.errors import AgentError
from agents.guests.child import Child
from agents.guests.protocol import action_in, parsed, request

HOST = "agents.guests.host"


class ProcessBot(Guest):
    """A program that is asked line by line, as `docs/guests.md` says; it is started when it is asked first.

    A program that has ended, or was killed since it did not keep to the protocol, is started again for the next
    decision. Copies that are sent to other processes start programs of their own.

    Args:
        command: what to run, and its arguments; no shell is involved.
        environment: variables in addition to ours.
        with_observation: also send what a bot would see in our environments.
    """

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str] | None = None, with_observation: bool = False
    ) -> None:
        super().__init__()
        self.command, self.environment = list(command), dict(environment or {})
        self.with_observation = with_observation
        self._child: Child | None = None
        self._starts_in_time = True

    @property
    def pid(self) -> int | None:
        """The number of the process that runs now, if there is one."""
        return None if self._child is None else self._child.pid

    def answer(self, view: np.ndarray, seconds: float) -> int:
        """The action for one VIEW, as `Guest.answer`.

        A program that has just been started has more time for its first answer, unless it used up all of it before.
        """
        return action_in(self._ask(request(view, self.with_observation), seconds))

    def close(self) -> None:
        """End the program, if it runs."""
        child, self._child = self._child, None
        if child is not None:
            child.kill()

    def _ask(self, question: bytes, seconds: float) -> dict[str, Any]:
        """The answer to a question, or Fault; who has not kept to the protocol is ended."""
        child = self._child
        if starting := child is None or not child.is_ours:
            child = self._child = Child(self.command, os.environ | self.environment)
            seconds += START_SECONDS if self._starts_in_time else 0
        try:
            return parsed(child.ask(question, seconds))
        except BaseException as error:
            self._starts_in_time &= not (starting and isinstance(error, Fault) and error.kind == TOO_SLOW)
            self.close()
            raise

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_child": None}


def command_bot(text: str) -> ProcessBot:
    """The bot that is a command, such as `./bot --depth 3`; AgentError when there is no such program."""
    command = command_in(text)
    if shutil.which(command[0]) is None:
        raise AgentError(f"process:{text}: there is no program {command[0]} that can be run")
    return ProcessBot(command)


def command_in(text: str) -> list[str]:
    """A command taken apart as a shell would; AgentError when there is none."""
    try:
        command = shlex.split(text)
    except ValueError as error:
        raise AgentError(f"process:{text}: {error}") from error
    if not command:
        raise AgentError("process: without a command: it is process:COMMAND, such as process:./bot --depth 3")
    return command


def hosted_bot(target: str, found: Any, options: dict[str, Any]) -> ProcessBot:
    """The bot that is Python code of somebody's own, not an Agent, in a process of its own.

    Args:
        target: `module:name`, where the code is found.
        found: what is found there: a class or an object with `choose(view)`, or a function of an observation and
            the name of an agent.
        options: for the constructor of the class.

    Raises:
        AgentError: it is none of these, or cannot be made with these options.
    """
    if isinstance(found, type):
        _check_call(target, found, options, "cannot be made with these options")
    elif options:
        raise AgentError(f"{target} takes no options: they are for a class")
    chooses = hasattr(found, "choose")
    if not chooses and (isinstance(found, type) or not callable(found)):
        raise AgentError(
            f"{target.partition(':')[2]} is no bot: it must be a subclass of agents.agent.Agent, a class or an object "
            "with a method choose(view), or a function(observation, agent)"
        )
    if not chooses:
        _check_call(target, found, {"observation": None, "agent": None}, "is no function(observation, agent)", True)
    try:
        arguments = [target, json.dumps(options)]
    except TypeError as error:
        raise AgentError(f"{target}: an option cannot be sent to another process: {error}") from error
    path = os.pathsep.join(entry or str(Path.cwd()) for entry in sys.path)
    return ProcessBot([sys.executable, "-m", HOST, *arguments], {"PYTHONPATH": path}, with_observation=not chooses)


def _check_call(target: str, function: Any, arguments: dict[str, Any], complaint: str, by_place: bool = False) -> None:
    """AgentError when a function cannot be called so; one that does not tell its arguments may be."""
    try:
        signature = inspect.signature(function)
    except ValueError:
        return
    try:
        signature.bind(*arguments.values()) if by_place else signature.bind(**arguments)
    except TypeError as error:
        raise AgentError(f"{target} {complaint}: {error}") from error
