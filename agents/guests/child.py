"""A program that answers line by line, with a time limit that holds: who does not keep it is killed."""

import os
import selectors
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from multiprocessing.util import Finalize
from pathlib import Path
from typing import Any, cast

from agents.answers import ILLEGAL, RAISED, TOO_SLOW, Fault
from agents.guests.protocol import quoted

LONGEST_ANSWER = 1 << 16
"""Bytes that an answer may have, the end of its line included."""

TOO_LONG = f"must answer with a line of at most {LONGEST_ANSWER:,} bytes"

KEPT_ERRORS = 1 << 12
"""So many of the last bytes that a program wrote to its standard error are kept."""

CHUNK = 1 << 16
PARTING_SECONDS = 0.5
"""So long a program may go on after its standard input has ended, before it is killed."""

DYING_SECONDS = 2.0
"""So long after its output has ended a program may take to end itself, to be asked how it did."""

LEASH = Path(__file__).with_name("leash.py")


class Child:
    """A running program of which every question is one line on its standard input, and the answer one on its output.

    It ends with this object, with this process, and with whoever calls `kill`.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        if sys.platform == "linux":
            command = [sys.executable, "-I", "-S", str(LEASH), str(os.getpid()), *command]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            bufsize=0, env=environment, start_new_session=True,
        )  # fmt: skip
        # Also run when this process ends, and by the workers of multiprocessing and loky, which no atexit reaches.
        self._end = Finalize(self, end, (self._process,), exitpriority=0)
        self._owner = os.getpid(), threading.get_ident()
        self._stdin, self._stdout, self._stderr = map(
            _unblocked, (self._process.stdin, self._process.stdout, self._process.stderr)
        )
        self._said, self._errors, self._ended = bytearray(), bytearray(), False
        self._selector = selectors.PollSelector()
        for stream in (self._stdout, self._stderr):
            self._selector.register(stream, selectors.EVENT_READ)

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._process.pid

    @property
    def is_ours(self) -> bool:
        """Whether this thread of this process started it: a fork must not use it, and it may end with its thread."""
        return self._owner == (os.getpid(), threading.get_ident())

    def ask(self, question: bytes, seconds: float) -> bytes:
        """The line that answers a line. After a Fault nothing more can be asked: the program is to be killed.

        Raises:
            Fault: RAISED, it has ended; TOO_SLOW, no line within so many seconds; ILLEGAL, more than one line,
                a line that is too long, or something that nobody asked for.
        """
        deadline = time.monotonic() + seconds
        self._listen(0)
        if self._said:
            raise Fault(ILLEGAL, f"must say nothing before it is asked, and said {quoted(bytes(self._said))}")
        unsaid = memoryview(question)
        self._selector.register(self._stdin, selectors.EVENT_WRITE)
        while unsaid or b"\n" not in self._said:
            if self._ended:
                raise Fault(RAISED, self._last_words())
            if len(self._said) > LONGEST_ANSWER:
                raise Fault(ILLEGAL, TOO_LONG)
            left = deadline - time.monotonic()
            if left <= 0:
                raise Fault(TOO_SLOW, f"no answer within {seconds:g} s")
            if self._listen(left):
                unsaid = self._say(unsaid)
        return self._take_line()

    def kill(self) -> None:
        """End it at once, with all that it has started."""
        kill(self._process)
        self._end()

    def _listen(self, seconds: float) -> bool:
        """Wait at most so long for anything to happen, take in what is said, and return whether one can write."""
        can_write = False
        for key, _ in self._selector.select(seconds):
            stream = cast(Any, key.fileobj)
            if stream is self._stdin:
                can_write = True
                continue
            heard = stream.read(CHUNK)
            if stream is self._stderr:
                self._errors = (self._errors + (heard or b""))[-KEPT_ERRORS:]
            else:
                self._said += heard or b""
                self._ended = heard == b""
            if heard == b"":
                self._selector.unregister(stream)
        return can_write

    def _say(self, unsaid: memoryview) -> memoryview:
        """Write what the pipe has room for; returns the rest."""
        try:
            unsaid = unsaid[self._stdin.write(unsaid) or 0 :]
        except BrokenPipeError:
            unsaid = unsaid[:0]  # it has closed its input: what it has to say without reading, it may say
        if not unsaid:
            self._selector.unregister(self._stdin)
        return unsaid

    def _take_line(self) -> bytes:
        line, _, rest = bytes(self._said).partition(b"\n")
        if rest:
            raise Fault(ILLEGAL, f"must answer with one line, and after it said {quoted(rest)}")
        if len(line) >= LONGEST_ANSWER:
            raise Fault(ILLEGAL, TOO_LONG)
        self._said.clear()
        return line

    def _last_words(self) -> str:
        """How the program ended, and the last line that it wrote to its standard error."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(DYING_SECONDS)
        while heard := self._stderr.read(CHUNK):
            self._errors = (self._errors + heard)[-KEPT_ERRORS:]
        code = self._process.returncode
        if code is None:
            how = "it closed its output"
        else:
            how = f"it ended with exit code {code}" if code >= 0 else f"it was ended by {signal.Signals(-code).name}"
        lines = self._errors.decode("utf-8", "replace").split("\n")
        last = next((line for line in reversed(lines) if line.strip()), "")
        return f"{how}: {' '.join(last.split())}" if last else how


def kill(process: subprocess.Popen[bytes]) -> None:
    """End a program and all that it has started in its session."""
    with suppress(ProcessLookupError, PermissionError):  # the latter is macOS's word for one that has just ended
        os.killpg(process.pid, signal.SIGKILL)


def end(process: subprocess.Popen[bytes]) -> None:
    """Let a program know that there will be no more questions, wait a moment, and end it."""
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            stream.close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(PARTING_SECONDS)
    kill(process)
    process.wait()


def _unblocked(stream: Any) -> Any:
    """The same end of a pipe, which never keeps us waiting from now on."""
    os.set_blocking(stream.fileno(), False)
    return stream
