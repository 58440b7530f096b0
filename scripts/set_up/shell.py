"""Running programs during set-up: quietly, with what they said when they fail."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path


class SetUpFailed(Exception):
    """Set-up cannot go on; the message says what to do."""


def say(text: str) -> None:
    """Tell what is going on; set-up speaks on stderr, so that the command after it owns stdout."""
    print(f"set-up: {text}", file=sys.stderr, flush=True)


def run(command: Sequence[str | Path], *, cwd: Path | None = None) -> str:
    """Run to the end and return what was printed; raises `SetUpFailed` with the end of what it said."""
    words = [str(word) for word in command]
    try:
        done = subprocess.run(
            words,
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            text=True,
            check=False,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
    except OSError as error:
        raise SetUpFailed(f"could not run {words[0]}: {error}") from error
    if done.returncode:
        tail = "\n".join(done.stdout.strip().splitlines()[-12:])
        raise SetUpFailed(f"`{' '.join(words)}` failed ({done.returncode}):\n{tail}")
    return done.stdout


def succeeds(command: Sequence[str | Path]) -> bool:
    """Whether the command runs and ends well."""
    try:
        run(command)
    except SetUpFailed:
        return False
    return True


def privilege() -> list[str] | None:
    """The words before a command that needs root: none for root, `sudo -n` where it asks no password, else None."""
    if os.geteuid() == 0:
        return []
    return ["sudo", "-n"] if shutil.which("sudo") and succeeds(["sudo", "-n", "true"]) else None
