"""Become another program that is killed when its parent ends, however that happens: tied.py PARENT PROGRAM ARGUMENT…

Run by path with `python -I -S`, so it imports nothing of the arena. The tie is to the parent's thread that starts it.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def main(parent: int, command: list[str]) -> None:
    """Tie this process, then replace it."""
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != parent:      # it ended before the tie was made
        sys.exit(1)
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
