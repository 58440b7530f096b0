"""Sandboxes with one layer left out: whatever examines a sandbox must notice each of them."""

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from arena.errors import SandboxUnavailable
from arena.sandbox.child_process import ChildProcess
from arena.sandbox.image import Image
from arena.sandbox.image_contents import library_folder
from arena.sandbox.launch import BwrapLauncher
from arena.sandbox.limits import Limits
from arena.sandbox.verify import verify

_SPARE_FOLDER = f"/{library_folder()}/unittest"     # something to mount on that the child does not need


def _without(*words: str) -> Callable[[list[str]], list[str]]:
    return lambda command: [word for word in command if word not in words]


def _with(*words: str) -> Callable[[list[str]], list[str]]:
    """Before bubblewrap looks where it is."""
    return lambda command: [*command[: command.index("--chdir")], *words, *command[command.index("--chdir") :]]


def _writable(command: list[str]) -> list[str]:
    return ["--bind" if word == "--ro-bind" else word for word in command]


def _unfiltered(command: list[str]) -> list[str]:
    place = command.index("--seccomp")
    return command[:place] + command[place + 2 :]


Leak = Callable[[list[str]], list[str]]
WRITABLE_ROOT = "a root it may write to"
LEAKS: dict[str, Leak] = {
    "the host's network": _without("--unshare-net"),
    "the host's process numbers": _without("--unshare-pid", "--as-pid-1"),
    "the host's shared memory": _without("--unshare-ipc"),
    "the host's name": _without("--unshare-uts", "--hostname", "bot"),
    "a folder of the host": _with("--ro-bind", "/etc", _SPARE_FOLDER),
    WRITABLE_ROOT: _writable,
    "a variable of the host": _with("--setenv", "ARENA_SECRET", "x"),
    "no system call filter": _unfiltered,
}


class LeakyLauncher(BwrapLauncher):
    """Starts sandboxes with one leak."""

    def __init__(
        self, image: Image, limits: Limits, bwrap: Path, setpriv: Path | None, leak: Leak
    ) -> None:
        super().__init__(image, limits, bwrap, setpriv)
        self._leak = leak

    def _isolated(self, info: int, rules: int) -> list[str]:
        return self._leak(super()._isolated(info, rules))


def possible_leaks(image: Image) -> dict[str, Leak]:
    """Those that can be made here: nothing makes an image writable that lies on a read-only file system."""
    is_read_only = os.statvfs(image.root).f_flag & os.ST_RDONLY
    return {name: leak for name, leak in LEAKS.items() if not (is_read_only and name == WRITABLE_ROOT)}


def unnoticed(image: Image, limits: Limits, bwrap: Path, setpriv: Path | None) -> Iterator[str]:
    """The leaks that `verify` does not see; there should be none.  Raises: SandboxUnavailable for one not tried."""
    for name, leak in possible_leaks(image).items():
        if not _is_noticed(LeakyLauncher(image, limits, bwrap, setpriv, leak), limits):
            yield name
    if not _is_noticed(BwrapLauncher(image, replace(limits, memory_mb=limits.memory_mb * 2), bwrap, setpriv), limits):
        yield "a higher limit"
    if os.geteuid() == 0 and not _is_noticed(BwrapLauncher(image, limits, bwrap, None), limits):
        yield "the worker's own user"


def _is_noticed(launcher: BwrapLauncher, limits: Limits) -> bool:
    child = ChildProcess(launcher.start())
    try:
        child.settle(lambda: None)
        verify(child, limits)
    except SandboxUnavailable:
        if not child.is_settled:        # it did not even start, which says nothing of `verify`
            raise
        return True
    finally:
        child.end()
        launcher.close()
    return False
