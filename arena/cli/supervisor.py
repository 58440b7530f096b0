"""Runs programs: starts them in order, starts again what exits, stops them in the opposite order, leaves none behind.

One thread starts, watches and stops all of them: a program is tied to the thread that starts it (tied.py), so even a
`kill -9` of this process takes every one along.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from arena.errors import StackFailed

LOOK_SECONDS = 0.1
STEADY_SECONDS = 60.0           # a program that ran for so long is started again without delay
LONGEST_PAUSE_SECONDS = 15.0
LAST_LINES = 6

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Program:
    """What to run. `is_ready` is asked until it says yes; `hopeless` is the exit code after which no restart helps."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    folder: Path
    log: Path
    is_ready: Callable[[int], bool]
    ready_seconds: float = 60.0
    stop_seconds: float = 15.0
    hopeless: int | None = None
    standard_input: bytes | None = None
    descriptors: tuple[int, ...] = ()
    needs_folder: Path | None = None    # made before every start, should somebody have removed it


Step = Program | Callable[[], None]


@dataclass(slots=True)
class _Running:
    program: Program
    process: "subprocess.Popen[bytes]"
    since: float
    pause: float = 0.0
    again_at: float | None = field(default=None)


class Supervisor:
    """Goes through steps: programs, which it waits for, and functions between them. Then it watches."""

    def __init__(self, steps: Sequence[Sequence[Step]], say: Say) -> None:
        self._steps = steps
        self._say = say
        self._running: list[_Running] = []
        self._begun = threading.Event()
        self._stopping = threading.Event()
        self._hurry = threading.Event()
        self._ended = threading.Event()
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="supervisor", daemon=True)

    def start(self) -> None:
        """Start everything; returns when all of it is ready. Raises: StackFailed, and then nothing runs any more."""
        self._thread.start()
        while not self._begun.wait(LOOK_SECONDS):
            pass
        self._raise_error()

    def wait(self) -> None:
        """Return when somebody calls `stop`. Raises: StackFailed when a program is beyond help."""
        while not self._ended.wait(LOOK_SECONDS):
            pass
        self._raise_error()

    def stop(self) -> None:
        """Stop everything, in order; interrupted, kill what is left."""
        self._stopping.set()
        try:
            self._thread.join()
        except KeyboardInterrupt:
            self._hurry.set()
            self._thread.join()

    def processes(self) -> dict[str, int]:
        """The process of each program, by name."""
        return {running.program.name: running.process.pid for running in self._running}

    def _raise_error(self) -> None:
        if self._error is not None:
            self._thread.join()
            raise self._error

    def _run(self) -> None:
        try:
            for group in self._steps:
                self._start_group(group)
            self._begun.set()
            while not self._stopping.wait(LOOK_SECONDS):
                self._look_after_all()
        except BaseException as error:
            self._error = error
        finally:
            self._stop_all()
            self._ended.set()
            self._begun.set()

    def _start_group(self, group: Sequence[Step]) -> None:
        """The programs of a group start together; a function runs when those before it in the group have begun."""
        begun = []
        for step in group:
            if isinstance(step, Program):
                begun.append(_Running(step, _started(step), time.monotonic()))
                self._running.append(begun[-1])
            else:
                step()
        for running in begun:
            self._await(running)

    def _await(self, running: _Running) -> None:
        program, deadline = running.program, time.monotonic() + running.program.ready_seconds
        while not program.is_ready(running.process.pid):
            if self._stopping.is_set():
                raise StackFailed("It was stopped before it had started.")
            if (code := running.process.poll()) is not None:
                raise StackFailed(f"{program.name} ended with exit code {code}. {_last_words(program)}")
            if time.monotonic() > deadline:
                raise StackFailed(
                    f"{program.name} was not ready after {program.ready_seconds:g} s. {_last_words(program)}"
                )
            time.sleep(LOOK_SECONDS)

    def _look_after_all(self) -> None:
        for running in self._running:
            code = running.process.poll()
            if code is not None:
                self._revive(running, code)

    def _revive(self, running: _Running, code: int) -> None:
        program, now = running.program, time.monotonic()
        if code == program.hopeless:
            raise StackFailed(f"{program.name} cannot go on. {_last_words(program)}")
        if running.again_at is None:
            _kill_group(running.process)
            is_steady = now - running.since > STEADY_SECONDS
            running.pause = 0.0 if is_steady else min(LONGEST_PAUSE_SECONDS, 2 * running.pause + 0.5)
            running.again_at = now + running.pause
            self._say(f"{program.name} ended with exit code {code}; it is started again (log: {program.log})")
        if now >= running.again_at:
            running.process, running.since, running.again_at = _started(program), now, None

    def _stop_all(self) -> None:
        """One group after the other, the last one first; the programs of a group together."""
        names = [{step.name for step in group if isinstance(step, Program)} for group in self._steps]
        for group in reversed(names):
            members = [running for running in self._running if running.program.name in group]
            for running in members:
                with suppress(ProcessLookupError):
                    running.process.terminate()
            for running in members:
                self._await_end(running)

    def _await_end(self, running: _Running) -> None:
        deadline = time.monotonic() + running.program.stop_seconds
        while running.process.poll() is None and time.monotonic() < deadline and not self._hurry.is_set():
            time.sleep(LOOK_SECONDS / 2)
        _kill_group(running.process)
        running.process.wait()


def _started(program: Program) -> "subprocess.Popen[bytes]":
    """A process of its own session, so that a Ctrl-C at the terminal reaches us alone."""
    tie = (sys.executable, "-I", "-S", str(Path(__file__).with_name("tied.py")), str(os.getpid()))
    for needed in (program.log.parent, program.needs_folder):
        if needed is not None:
            needed.mkdir(parents=True, exist_ok=True)
    with program.log.open("ab") as log:
        process = subprocess.Popen(
            [*tie, *program.command],
            env=dict(program.environment),
            cwd=program.folder,
            stdin=subprocess.DEVNULL if program.standard_input is None else subprocess.PIPE,
            stdout=log,
            stderr=log,
            start_new_session=True,
            pass_fds=program.descriptors,
        )
    if process.stdin is not None and program.standard_input is not None:
        with suppress(BrokenPipeError), process.stdin:
            process.stdin.write(program.standard_input)
    return process


def _kill_group(process: "subprocess.Popen[bytes]") -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _last_words(program: Program) -> str:
    """The end of a program's log, which mostly says why."""
    with suppress(OSError):
        lines = program.log.read_text(errors="replace").strip().splitlines()[-LAST_LINES:]
        if lines:
            return f"Its log {program.log} ends with:\n  " + "\n  ".join(line[:300] for line in lines)
    return f"Its log {program.log} is empty."
