"""Make this checkout ready to run.  Quick when nothing changed; safe to interrupt and to run twice at once."""

import argparse
import fcntl
import hashlib
import platform
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import environment
import programs
from shell import SetUpFailed, say

CHECKOUT = Path(__file__).resolve().parents[2]
ENVIRONMENT = CHECKOUT / ".venv"


def main() -> int:
    """Set up; prints nothing when there is nothing to do."""
    arguments = argparse.ArgumentParser(prog="scripts/setup.sh", description=__doc__)
    arguments.add_argument("--dev", action="store_true", help="also what the tests and the linters need")
    lock = CHECKOUT / ("requirements-dev.lock" if arguments.parse_args().dev else "requirements.lock")
    try:
        with _alone():
            set_up(lock)
    except SetUpFailed as failure:
        say(str(failure))
        return 1
    except KeyboardInterrupt:
        say("interrupted; the next run goes on from here")
        return 130
    return 0


def set_up(lock: Path) -> None:
    """Bring the environment to what the lock says; a stamp, written last, says that it has been done."""
    stamp = ENVIRONMENT / f"arena-{lock.name}.stamp"
    wanted = _fingerprint(lock)
    if not (stamp.is_file() and stamp.read_text() == wanted):
        environment.make(ENVIRONMENT)
        for old in ENVIRONMENT.glob("arena-*.stamp"):
            old.unlink()
        environment.install(ENVIRONMENT, lock)
    environment.compile_modules(ENVIRONMENT, CHECKOUT)
    programs.provide(ENVIRONMENT)
    if lock.name == "requirements-dev.lock":
        programs.provide_for_tests()
    if not stamp.is_file():
        _stamp_all_met_by(lock)
        say("done")


def _stamp_all_met_by(lock: Path) -> None:
    """The development lock holds all of the other one, in the same versions."""
    for name in {lock.name, "requirements.lock"}:
        (ENVIRONMENT / f"arena-{name}.stamp").write_text(_fingerprint(CHECKOUT / name))


def _fingerprint(lock: Path) -> str:
    """What an environment depends on: the lock, the project's own entry points, the Python, and where it lies."""
    files = (lock, CHECKOUT / "pyproject.toml")
    parts = [*(file.read_bytes() for file in files), platform.python_version().encode(), str(ENVIRONMENT).encode()]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


@contextmanager
def _alone() -> Iterator[None]:
    """Hold the set-up lock of this checkout: a second set-up waits, and then finds everything done."""
    folder = CHECKOUT / ".arena"
    folder.mkdir(exist_ok=True)
    with (folder / "set-up.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another set-up of this checkout")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


sys.exit(main())
