"""Travels with a hostile bot: tries things once, says what was gained, and otherwise plays the first legal move."""

import ctypes
import json
import pkgutil

GAINED = "PWNED"
NUMBERS = json.loads(pkgutil.get_data("probe", "numbers.json"))     # this machine's system calls, by name


def player(*attempts):
    """A `choose_move` that makes each attempt before its first move; what an attempt returns, it has gained."""
    due = list(attempts)

    def choose_move(position):
        while due:
            attempt = due.pop(0)
            try:
                gain = attempt()
            except Exception as error:
                print("held:", type(error).__name__, error, flush=True)
            else:
                print(f"{GAINED}: {gain!r}" if gain else "held: nothing came of it", flush=True)
        return position.legal_moves()[0]

    return choose_move


def each(function, values):
    """All gains of the function over the values; one that is refused does not end the rest."""
    gains = []
    for value in values:
        try:
            gain = function(value)
        except Exception as error:
            print("held:", value, type(error).__name__, error)
        else:
            gains += [(value, gain)] if gain else []
    return gains


def syscall(name, *arguments):
    """Make a system call by its name; True when it succeeded.  Raises: OSError."""
    number = NUMBERS.get(name)
    if number is None:
        raise OSError(f"this machine has no {name}")
    library = ctypes.CDLL(None, use_errno=True)
    words = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    if library.syscall(ctypes.c_long(number), *words) == -1:
        raise OSError(ctypes.get_errno(), name)
    return True


def runner():
    """The frame of the arena's own program that asked for this move, or runs this file."""
    import sys

    frame = sys._getframe(1)
    while "WFD" not in frame.f_globals:
        frame = frame.f_back
    return frame


def say(text):
    """Write to the host past the arena's program."""
    import os

    os.write(runner().f_globals["WFD"], text if isinstance(text, bytes) else text.encode())


def number_asked():
    """The number of the request being answered."""
    return runner().f_locals["seq"]


def say_at_last(text):
    """The same as the last act of this process: if it were taken for a good answer, the next turn would find nobody."""
    import os

    say(text)
    os._exit(0)
