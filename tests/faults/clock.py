"""A time of day that a test can set, for every process that is started with `environment()`; see clock.c."""

import mmap
import shutil
import struct
import subprocess
from pathlib import Path

SOURCE = Path(__file__).with_name("clock.c")


def is_available() -> bool:
    """Whether there is a compiler for it."""
    return shutil.which("cc") is not None


class Clock:
    """Begins with the real time."""

    def __init__(self, folder: Path) -> None:
        self._library = folder / "clock.so"
        self._file = folder / "clock"
        command = ["cc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", self._library, SOURCE]
        subprocess.run(command, check=True, capture_output=True)
        self._file.write_bytes(struct.pack("q", 0))
        with self._file.open("r+b") as file:
            self._seconds = mmap.mmap(file.fileno(), 8)

    def environment(self) -> dict[str, str]:
        return {"LD_PRELOAD": str(self._library), "ARENA_TEST_CLOCK": str(self._file)}

    def set(self, seconds: int) -> None:
        """So far from the real time; a jump, for those that run."""
        self._seconds[:] = struct.pack("q", seconds)
