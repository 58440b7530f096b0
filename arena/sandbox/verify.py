"""Looks at a started sandbox from outside, before any bot's code enters it: every layer must be there.

A look at `/proc` races with nothing here: the child that waits for its first request runs only our own program.
"""

import os
from collections.abc import Iterator, Mapping

from arena.errors import SandboxUnavailable
from arena.sandbox.child_process import ChildProcess
from arena.sandbox.launch import ENVIRONMENT
from arena.sandbox.limits import Limits

_NAMESPACES = ("user", "pid", "net", "ipc", "uts", "mnt")
_MOUNT_OPTIONS = {"ro", "nosuid", "nodev"}
_DESCRIPTORS = {"0", "1", "2", "3", "4"}
_VARIABLES = {*ENVIRONMENT, "PWD"}      # bubblewrap sets the last one
_LIMIT_LINES = {        # the words of /proc/<pid>/limits
    "AS": "Max address space", "CPU": "Max cpu time", "NOFILE": "Max open files", "NPROC": "Max processes",
    "FSIZE": "Max file size", "CORE": "Max core file size", "STACK": "Max stack size",
    "MEMLOCK": "Max locked memory", "MSGQUEUE": "Max msgqueue size",
}


def verify(child: ChildProcess, limits: Limits, tier: str = "A") -> None:
    """Raises: SandboxUnavailable, which names each layer that is not in place."""
    try:
        missing = list(_missing(child, limits, tier))
    except OSError as error:
        raise SandboxUnavailable(f"the sandbox cannot be examined: {error}") from error
    if missing:
        raise SandboxUnavailable(f"the sandbox does not hold: {', '.join(missing)}; run `arena doctor` to learn more")


def _missing(child: ChildProcess, limits: Limits, tier: str) -> Iterator[str]:
    folder = f"/proc/{child.pid}"
    status = _fields(f"{folder}/status")
    yield from _missing_in_status(status, child)
    if tier == "A":
        yield from _shared_world(status, child)
        yield from _missing_namespaces(folder)
        yield from _missing_mounts(folder)
    yield from _missing_limits(folder, limits.as_rlimits())
    yield from _extra_descriptors(folder)
    yield from _extra_environment(folder)


def _missing_in_status(status: Mapping[str, str], child: ChildProcess) -> Iterator[str]:
    user = os.geteuid() if child.user is None else child.user
    expected = {
        "Uid": "\t".join([str(user)] * 4),
        "NoNewPrivs": "1",
        "Seccomp": "2",
        "Threads": "1",
        **dict.fromkeys(("CapInh", "CapPrm", "CapEff", "CapAmb"), "0" * 16),
    }
    for name, value in expected.items():
        if status.get(name) != value:
            yield f"{name} is {status.get(name)}, not {value}"
    ours = _fields("/proc/self/status").get("Seccomp_filters")     # a container's; kernels before 5.9 do not count
    if ours is not None and status["Seccomp_filters"] != str(int(ours) + 1):
        yield f"it has {status['Seccomp_filters']} system call filters, its worker {ours}, instead of one more"
    if user == 0:
        yield "it runs as root"


def _shared_world(status: Mapping[str, str], child: ChildProcess) -> Iterator[str]:
    if status.get("PPid") != str(child.monitor_pid):
        yield f"its parent is process {status.get('PPid')}, not bubblewrap"
    if status.get("NSpid", "").split()[1:] != ["1"]:
        yield "it is not the first process of a process namespace"
    if status.get("CapBnd") != "0" * 16:
        yield "it could be given rights"


def _missing_namespaces(folder: str) -> Iterator[str]:
    for name in _NAMESPACES:
        try:
            theirs = os.readlink(f"{folder}/ns/{name}")
        except PermissionError:
            return              # a root worker without CAP_SYS_PTRACE may not look; the other layers tell
        if theirs == os.readlink(f"/proc/self/ns/{name}"):
            yield f"its {name} namespace is the host's"


def _missing_mounts(folder: str) -> Iterator[str]:
    with open(f"{folder}/mountinfo", encoding="utf-8", errors="replace") as file:
        mounts = file.read().splitlines()
    fields = mounts[0].split() if mounts else []
    if len(mounts) != 1 or fields[4] != "/" or not set(fields[5].split(",")) >= _MOUNT_OPTIONS:
        yield f"it sees {len(mounts)} mounts instead of one read-only root"


def _missing_limits(folder: str, rlimits: Mapping[str, int]) -> Iterator[str]:
    with open(f"{folder}/limits", encoding="ascii") as file:
        lines = file.read().splitlines()
    for name, value in rlimits.items():
        words = _LIMIT_LINES[name]
        found = next((line[len(words) :].split()[:2] for line in lines if line.startswith(words)), [])
        if found != [str(value)] * 2:
            yield f"{words.lower()} is {' and '.join(found)}, not {value}"


def _extra_descriptors(folder: str) -> Iterator[str]:
    try:
        found = set(os.listdir(f"{folder}/fd"))
    except PermissionError:
        return
    if found != _DESCRIPTORS:
        yield f"it holds the descriptors {', '.join(sorted(found))} instead of five"


def _extra_environment(folder: str) -> Iterator[str]:
    try:
        with open(f"{folder}/environ", "rb") as file:
            variables = {entry.partition(b"=")[0].decode("utf-8", "replace") for entry in file.read().split(b"\0")}
    except PermissionError:
        return
    if extra := variables - _VARIABLES - {""}:
        yield f"its environment has {', '.join(sorted(extra))}"


def _fields(path: str) -> dict[str, str]:
    with open(path, encoding="utf-8", errors="replace") as file:
        pairs = (line.partition(":") for line in file.read().splitlines())
    return {name: value.strip() for name, _, value in pairs}
