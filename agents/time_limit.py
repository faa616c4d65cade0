"""A limit to the time that a call may take in this process."""

import signal
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any


class ExpiredError(BaseException):
    """The time is up. No Exception, since the code that is interrupted may well catch all of those."""


@contextmanager
def time_limit(seconds: float | None) -> Generator[None]:
    """Raise ExpiredError when the block takes longer than so many seconds of wall time; None: it may take any time.

    In the main thread of a Unix process the block is interrupted, though not while it is inside a library's own
    machine code. Anywhere else the time is looked at when the block has ended.
    """
    if seconds is None:
        yield
        return
    end = time.monotonic() + seconds
    if hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
        with _alarm(seconds):
            yield
    else:
        yield
    if time.monotonic() > end:
        raise ExpiredError


@contextmanager
def _alarm(seconds: float) -> Generator[None]:
    """ExpiredError in the main thread after so many seconds, unless the block has ended; no other alarm meanwhile."""
    former = signal.signal(signal.SIGALRM, _expire)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.signal(signal.SIGALRM, former)


def _expire(number: int, frame: Any) -> None:
    raise ExpiredError
