"""What a process holds of the machine: whatever ran in sandboxes, it must hold no more afterwards."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_OURS = ("arena", "newroot", "oldroot")     # in the mounts of a sandbox: its image, and what bubblewrap builds on
GROWTH_MB = 20                  # what a worker may grow by, whatever its bots do


@dataclass(frozen=True, slots=True)
class Traces:
    """`files` are the entries of one folder, if one is named."""

    processes: frozenset[str]
    descriptors: frozenset[str]
    mounts: frozenset[str]
    files: frozenset[str]
    memory_mb: float

    @classmethod
    def now(cls, folder: Path | None = None) -> "Traces":
        """Of this process; its dead children count, too."""
        return cls(
            processes=frozenset(_words(Path(f"/proc/self/task/{os.getpid()}/children"))),
            descriptors=frozenset(os.listdir("/proc/self/fd")),
            mounts=frozenset(line for line in _lines("/proc/self/mountinfo") if any(word in line for word in _OURS)),
            files=frozenset(os.listdir(folder) if folder else ()),
            memory_mb=_resident_mb(),
        )


def left_over(before: Traces, after: Traces) -> Iterator[str]:
    """Each thing there is more of, in words."""
    if left := after.processes - before.processes:
        yield f"the processes {', '.join(sorted(left))}"
    if len(after.descriptors) > len(before.descriptors):
        yield f"{len(after.descriptors) - len(before.descriptors)} open descriptors"
    if left := after.mounts - before.mounts:
        yield f"the mounts {', '.join(sorted(line.split()[4] for line in left))}"
    if left := after.files - before.files:
        yield f"the files {', '.join(sorted(left))}"


def _lines(path: str) -> list[str]:
    return Path(path).read_text(errors="replace").splitlines()


def _words(path: Path) -> list[str]:
    return path.read_text().split() if path.exists() else []        # a kernel that does not list children


def _resident_mb() -> float:
    resident = int(Path("/proc/self/statm").read_text().split()[1])
    return resident * os.sysconf("SC_PAGE_SIZE") / (1 << 20)
