"""Run a command that ends when its parent ends, however that comes about; a script of its own, for Linux.

python -I -S leash.py COMMAND ARGUMENT ...
"""

import ctypes
import os
import signal
import sys

SET_PARENT_DEATH_SIGNAL = 1
"""PR_SET_PDEATHSIG of Linux's prctl(2); what it sets outlasts execve(2)."""


def main(parent: int, command: list[str]) -> None:
    """Become the command, which is killed when the process `parent` dies."""
    ctypes.CDLL(None).prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit("nobody is there to be played with")
    try:
        os.execvp(command[0], command)
    except OSError as error:
        sys.exit(f"{command[0]} cannot be run: {error.strerror}")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
