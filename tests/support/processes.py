"""What runs on this machine, for tests that end processes and count what is left."""

import os
import time
from collections.abc import Callable
from pathlib import Path


def marked(mark: str) -> dict[int, str]:
    """Every process that has this text in its arguments or its environment, by number: its command."""
    found = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit() or int(folder.name) == os.getpid():
            continue
        try:
            command = (folder / "cmdline").read_bytes()
            if mark.encode() in command + (folder / "environ").read_bytes() and not _is_zombie(folder):
                found[int(folder.name)] = command.replace(b"\0", b" ").decode(errors="replace")
        except OSError:         # it ended, or is not ours
            continue
    return found


def children_of(pid: int) -> list[int]:
    """The direct children of a process."""
    children = []
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and f"PPid:\t{pid}\n" in (folder / "status").read_text():
                children.append(int(folder.name))
        except OSError:
            continue
    return children


def eventually(claim: Callable[[], object], seconds: float, what: str) -> None:
    """Wait until the claim holds; fail with `what` when it does not in time."""
    deadline = time.monotonic() + seconds
    while not claim():
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {seconds:g} s: {what}")
        time.sleep(0.05)


def _is_zombie(folder: Path) -> bool:
    return "State:\tZ" in (folder / "status").read_text()
