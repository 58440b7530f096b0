"""Starts one child: behind all layers of the sandbox, or (for one's own bots only) behind none."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from arena.errors import SandboxUnavailable
from arena.sandbox import seccomp
from arena.sandbox.guard import Guard
from arena.sandbox.image import Image
from arena.sandbox.limits import BOT_HOST_NAME, HASH_SEED, Limits

FIRST_USER = 0x7000_0000        # systemd's table of user numbers gives these to nobody; 64 for each worker process
_USERS_PER_WORKER = 64
_ENGINE_FOLDER = "/arena/lib"
_LIMITING_CPU = ("/bin/sh", "-c", 'ulimit -t "$0" && exec "$@"')     # then the seconds, and the command
ENVIRONMENT = {
    "PATH": "/usr/bin",
    "LC_ALL": "C.UTF-8",
    "PYTHONHASHSEED": HASH_SEED,
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
}


@dataclass(frozen=True, slots=True)
class Started:
    """A child that is about to say hello.  The descriptors are the host's ends of its pipes."""

    process: subprocess.Popen[bytes]        # the direct child: bubblewrap's monitor, or the bot itself
    requests: int
    replies: int
    log: int
    bwrap_info: int | None = None           # where bubblewrap tells the bot's process id
    user: int | None = None                 # the user the bot must run as, when it is not our own


class Launcher(Protocol):
    """Starts children in one way."""

    tier: str

    def start(self) -> Started:
        """A new child.  It lives no longer than the thread that starts it.  Raises: SandboxUnavailable."""

    def close(self) -> None:
        """It starts no more; what it has started goes on."""


class BwrapLauncher:
    """Tier A: namespaces and a root of its own by bubblewrap, system calls filtered before the interpreter starts."""

    tier = "A"

    def __init__(self, image: Image, limits: Limits, bwrap: Path, setpriv: Path | None) -> None:
        self._image = image
        self._limits = limits
        self._bwrap = bwrap
        self._setpriv = setpriv             # a root worker's bots run as somebody else, each as another
        self._guard = Guard()
        self._started = 0

    def start(self) -> Started:
        user = None if self._setpriv is None else unused_user(self._started)
        self._started += 1
        with _Pipes() as pipes:
            info, info_in = pipes.from_child()
            rules, rules_in = pipes.to_child()
            os.write(rules_in, seccomp.compiled())
            pipes.close(rules_in)           # bubblewrap reads to the end
            rlimits = self._limits.as_rlimits()
            limited = [*_LIMITING_CPU, str(rlimits.pop("CPU"))]     # the filter lets nobody set this one later
            config = pipes.config(rlimits, [_ENGINE_FOLDER])
            isolated = self._isolated(info_in, rules)
            command = [*limited, *self._dropping_to(user), *isolated, *self._image.command(config)]
            process = pipes.spawn(command, {}, self._guard.group())
            return Started(process, *pipes.kept(), bwrap_info=info, user=user)

    def close(self) -> None:
        self._guard.close()

    def _dropping_to(self, user: int | None) -> list[str]:
        if user is None:
            return []
        return [str(self._setpriv), "--reuid", str(user), "--regid", str(user), "--clear-groups"]

    def _isolated(self, info: int, rules: int) -> list[str]:
        namespaces = ("user", "pid", "net", "ipc", "uts", "cgroup-try")
        environment = [word for name, value in ENVIRONMENT.items() for word in ("--setenv", name, value)]
        return [
            str(self._bwrap),
            *(f"--unshare-{name}" for name in namespaces),
            *("--hostname", BOT_HOST_NAME, "--die-with-parent", "--new-session", "--as-pid-1", "--cap-drop", "ALL"),
            *("--clearenv", *environment),
            *("--ro-bind", str(self._image.root), "/", "--chdir", "/"),
            *("--info-fd", str(info), "--seccomp", str(rules), "--"),
        ]


class ChrootLauncher:
    """Tier B, for a root worker on a machine without user namespaces: a root and a user of its own, limits, the filter.

    The bot shares the machine's process numbers and host name; no system call that could use them is allowed.
    """

    tier = "B"

    def __init__(self, image: Image, limits: Limits, chroot: Path) -> None:
        self._image = image
        self._limits = limits
        self._chroot = chroot
        self._started = 0

    def start(self) -> Started:
        user = unused_user(self._started)
        self._started += 1
        with _Pipes() as pipes:
            rules, rules_in = pipes.to_child()
            os.write(rules_in, seccomp.compiled())
            pipes.close(rules_in)
            config = pipes.config(self._limits.as_rlimits(), [_ENGINE_FOLDER], rules)
            confined = [str(self._chroot), f"--userspec={user}:{user}", "--groups=", str(self._image.root)]
            process = pipes.spawn([*confined, *self._image.command(config)], ENVIRONMENT)
            return Started(process, *pipes.kept(), user=user)

    def close(self) -> None:
        """There is nothing to give back."""


class UnsafeLauncher:
    """No layer at all: the bot can do whatever its user can."""

    tier = "none"

    def start(self) -> Started:
        with _Pipes() as pipes:
            child = Path(__file__).with_name("child.py")
            config = pipes.config({}, [str(child.parents[2])], parent=os.getpid())
            same = {"PYTHONHASHSEED": HASH_SEED, "PYTHONIOENCODING": "utf-8", "PYTHONDONTWRITEBYTECODE": "1"}
            process = pipes.spawn([sys.executable, "-P", "-X", "utf8", str(child), config], {**os.environ, **same})
            return Started(process, *pipes.kept())

    def close(self) -> None:
        """There is nothing to give back."""


def unused_user(number: int) -> int:
    """A user number no account has, and no other sandbox that runs now."""
    worker = os.getpid() % (1 << 22)        # the kernel's highest process number
    return FIRST_USER + worker * _USERS_PER_WORKER + number % _USERS_PER_WORKER


class _Pipes:
    """The pipes of one child.  Its ends are closed here in any case, the host's only when the start fails."""

    def __enter__(self) -> "_Pipes":
        self._theirs: set[int] = set()
        self._ours: set[int] = set()
        self._requests = self.to_child()
        self._replies = self.from_child()
        self._log = self.from_child()
        return self

    def __exit__(self, failure: type[BaseException] | None, *_: object) -> None:
        for descriptor in self._theirs | (self._ours if failure else set()):
            os.close(descriptor)

    def to_child(self) -> tuple[int, int]:
        """(the child's end, ours)"""
        theirs, ours = os.pipe()
        self._theirs.add(theirs)
        self._ours.add(ours)
        return theirs, ours

    def from_child(self) -> tuple[int, int]:
        """(our end, the child's)"""
        ours, theirs = os.pipe()
        self._theirs.add(theirs)
        self._ours.add(ours)
        return ours, theirs

    def close(self, ours: int) -> None:
        self._ours.remove(ours)
        os.close(ours)

    def config(
        self, rlimits: dict[str, int], path: list[str], rules: int | None = None, parent: int | None = None
    ) -> str:
        """What the child is told on its command line; nothing of the bot is in it."""
        ends = {"r": self._requests[0], "w": self._replies[1], "filter": rules, "parent": parent}
        return json.dumps({**ends, "rlimits": rlimits, "path": path})

    def kept(self) -> tuple[int, int, int]:
        return self._requests[1], self._replies[0], self._log[0]

    def spawn(
        self, command: list[str], environment: dict[str, str], group: int | None = None
    ) -> subprocess.Popen[bytes]:
        """In this process group, else in a session of its own: a key pressed at the worker's terminal ends no bot.

        No `preexec_fn` and no `user`: either would make each start slower by the size of the worker.
        """
        log = self._log[1]
        try:
            return subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment, cwd="/",
                pass_fds=tuple(self._theirs - {log}), close_fds=True, process_group=group,
                start_new_session=group is None,
            )
        except OSError as error:
            raise SandboxUnavailable(f"{command[0]} cannot be started: {error}") from error
