"""Ends the sandboxes that are still starting when their worker is killed.

Bubblewrap's first child waits until its monitor lets it go.  A monitor that dies before that, with the worker or
because the worker no longer reads what it says, leaves a child that nobody will ever wake or end.  So the monitors of a
worker run in one process group, with a guard that waits for the worker's end and then kills the whole group.  A bot is
in a session of its own by the time it is let in, and dies with its monitor.
"""

import os
import subprocess

from arena.errors import SandboxUnavailable

_WATCH = ("/bin/sh", "-c", "trap '' HUP INT TERM; read -r _; kill -KILL 0")


class Guard:
    """One small process for all sandboxes that one launcher starts."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._lifeline = -1             # the only writing end of the pipe that the guard reads

    def group(self) -> int:
        """The process group to start in.  Raises: SandboxUnavailable."""
        if self._process is None or self._process.poll() is not None:
            self.close()
            self._process = self._started()
        return self._process.pid

    def close(self) -> None:
        """End the guard alone; what is in its group goes on.  A second call does nothing."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            os.close(self._lifeline)
            self._process = None

    def _started(self) -> subprocess.Popen[bytes]:
        watched, self._lifeline = os.pipe()
        try:
            return subprocess.Popen(
                _WATCH, stdin=watched, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={}, cwd="/",
                process_group=0,
            )
        except OSError as error:
            os.close(self._lifeline)
            raise SandboxUnavailable(f"{_WATCH[0]} cannot be started: {error}") from error
        finally:
            os.close(watched)
