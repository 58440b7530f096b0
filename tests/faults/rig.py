"""One running arena, real in every part, with a lever for all that can be done to it from outside."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import redis
from sqlalchemy import create_engine, text

from arena.cli.stack import Plan, Stack
from arena.settings import Settings
from arena.store.session import Store, make_engine
from tests.faults.clock import Clock
from tests.faults.relay import Relay
from tests.support import postgres
from tests.support.processes import children_of, eventually

LEASE_SECONDS = 4
SLOTS = 2
DISK = "96m"
WAITING_REPORTS = """
    SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'
    AND query LIKE 'SELECT matches.id, matches.%FOR NO KEY UPDATE OF %'
"""
LEASED = "SELECT count(*) FROM matches WHERE state = 'leased'"


class RelayedStack(Stack):
    """A stack whose every way to Redis leads through a relay."""

    redis_relay: Relay
    redis_itself: str

    def _settings(self, redis_url: str) -> Settings:
        self.redis_itself = redis_url
        address, _, port = redis_url.removesuffix("/0").rpartition(":")
        self.redis_relay = Relay(("127.0.0.1", int(port)))
        return super()._settings(f"{address}:{self.redis_relay.port}/0")


class Rig:
    """Levers on one arena. `store` and `queue` go straight to the servers, whatever happens to the others' ways."""

    def __init__(self, stack: RelayedStack, folder: Path, server: str | None, clock: Clock | None) -> None:
        self.stack = stack
        self.folder = folder
        self.clock = clock
        self.sql_relay: Relay | None = None
        self.server = server
        direct = {"redis_url": stack.redis_itself}
        self.store = Store.open(replace(stack.settings, **direct, **({"database_url": server} if server else {})))
        self.queue = redis.Redis.from_url(stack.redis_itself)
        self._lock = _WriteLock(self.store.settings.sqlalchemy_url)
        self.strength = 0

    @property
    def database(self) -> str:
        return "SQLite" if self.server is None else "PostgreSQL"

    # processes

    def part(self, name: str) -> int:
        """The main process of `redis`, `play`, `control` or `site`."""
        return self.stack.processes()[name]

    def players(self) -> list[int]:
        """The processes that play."""
        return children_of(self.part("play"))

    def processes(self) -> dict[int, str]:
        """Everything that belongs to this arena, sandboxes included, also what has lost its parents."""
        return _belonging_to(self.store.settings.data_dir, self.store.settings.image_dir)

    def is_whole(self) -> bool:
        """Whether just as many processes run as in the beginning. To be asked now and then: looking takes a while."""
        time.sleep(0.3)
        return len(self.processes()) == self.strength

    def settle(self) -> None:
        """Note how many processes there are when nothing happens."""
        seen: list[int] = []

        def is_steady() -> bool:
            seen.append(len(self.processes()))
            time.sleep(0.5)
            return len(seen) >= 6 and len(set(seen[-6:])) == 1

        eventually(is_steady, 120, "a steady number of processes")
        self.strength = seen[-1]

    # the database

    @contextmanager
    def writing_locked(self) -> Iterator[None]:
        """Nobody else can write meanwhile. May be held twice; whoever lets go last, unlocks."""
        self._lock.take()
        try:
            yield
        finally:
            self._lock.let_go()

    def is_waiting_to_write(self, pid: int) -> bool:
        """Whether a process that plays has come to its report while `writing_locked`."""
        if self.server is not None:
            return self._lock.has_waiting_reports()
        return all(_sleeps(pid) for _ in range(12))

    def restart_database(self) -> None:
        """Stop PostgreSQL as a power cut would, and start it again."""
        assert self.server is not None
        postgres.restart(self.server)

    # the disk

    @property
    def _ballast(self) -> Path:
        return self.folder / "ballast"

    def fill_disk(self) -> None:
        """To the last byte."""
        with suppress(OSError), self._ballast.open("wb", buffering=0) as file:
            while True:
                file.write(bytes(1 << 16)) or file.write(b"0")

    def empty_disk(self) -> None:
        self._ballast.unlink(missing_ok=True)

    # messages

    def take_messages(self) -> list[bytes]:
        """Take from the queue whatever waits there, and what was handed out and not yet confirmed."""
        with self.queue.pipeline() as steps:
            steps.lrange("play", 0, -1).delete("play", "unacked", "unacked_index")
            return list(steps.execute()[0])

    def put_messages(self, messages: list[bytes]) -> None:
        if messages:
            self.queue.rpush("play", *messages)

    # all of it

    def put_right(self) -> None:
        """After a fault, also one that the arena did not survive well."""
        if self.clock is not None:
            self.clock.set(0)
        self.empty_disk()

    def close(self) -> None:
        self.queue.close()
        self.store.dispose()


class _WriteLock:
    """A transaction of ours that keeps everybody else from writing."""

    def __init__(self, url: str) -> None:
        self._engine = make_engine(url) if url.startswith("sqlite") else create_engine(url)
        self._held = 0
        self._connection: Any = None

    def take(self) -> None:
        self._held += 1
        if self._held == 1:
            is_sqlite = self._engine.dialect.name == "sqlite"
            self._connection = self._engine.execution_options(arena_writer=True).connect()
            self._connection.begin()
            if not is_sqlite:
                self._connection.execute(text("LOCK TABLE matches IN EXCLUSIVE MODE"))

    def let_go(self) -> None:
        self._held -= 1
        if self._held == 0:
            with suppress(Exception):           # the server may be gone, and the lock with it
                self._connection.rollback()
            with suppress(Exception):
                self._connection.close()
            self._engine.dispose()

    def has_waiting_reports(self) -> bool:
        """Whether every match that is leased waits to be made final."""
        with self._engine.connect() as looking:         # a transaction sees the same activity all the time
            return bool(looking.execute(text(WAITING_REPORTS)).scalar() >= looking.execute(text(LEASED)).scalar())


@contextmanager
def running(
    folder: Path, image_folder: Path, clock_folder: Path | None, server: str | None = None,
    lease_seconds: int = LEASE_SECONDS,
) -> Iterator[Rig]:
    """An arena with two slots, by default with a short lease, on a small disk of its own where we may mount one."""
    with ExitStack() as stacked:
        stacked.enter_context(_small_disk(folder))
        clock = None if clock_folder is None else Clock(clock_folder)
        environment = {"ARENA_SANDBOX_DIR": str(image_folder), "ARENA_LEASE_SECONDS": str(lease_seconds)}
        environment |= {"ARENA_RATE_LIMITS": "false"} | (clock.environment() if clock else {})
        relay = None
        if server is not None:
            host, _, rest = server.partition("@")[2].partition(":")
            port, _, name = rest.partition("/")
            relay = Relay((host, int(port)))
            stacked.callback(relay.close)
            environment["ARENA_DATABASE_URL"] = f"postgresql://arena@127.0.0.1:{relay.port}/{name}"
        stack = RelayedStack(Plan(folder / "data", workers=SLOTS), lambda line: None)
        with _environment(environment):
            stacked.enter_context(stack)
        stacked.callback(stack.redis_relay.close)
        rig = Rig(stack, folder, server, clock)
        rig.sql_relay = relay
        stacked.callback(rig.close)
        rig.settle()
        yield rig


@contextmanager
def _environment(changes: Mapping[str, str]) -> Iterator[None]:
    before = dict(os.environ)
    os.environ.update(changes)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


@contextmanager
def _small_disk(folder: Path) -> Iterator[None]:
    """Mounted in the folder, if we are allowed to."""
    folder.mkdir(parents=True, exist_ok=True)
    can_mount = os.geteuid() == 0 and shutil.which("mount") is not None
    command = ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "arena-disk", str(folder)]
    mounted = can_mount and subprocess.run(command, check=False, capture_output=True).returncode == 0
    try:
        yield
    finally:
        if mounted:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)


def kill(pid: int, number: int) -> None:
    """Send a signal; it may be gone already."""
    with suppress(ProcessLookupError):
        os.kill(pid, number)


def stop(pid: int) -> None:
    kill(pid, signal.SIGSTOP)


def go_on(pid: int) -> None:
    kill(pid, signal.SIGCONT)


def has_own_disk(folder: Path) -> bool:
    return os.path.ismount(folder)


def _sleeps(pid: int) -> bool:
    """Whether it waits for time to pass, as SQLite does for a lock; who waits for a bot waits for its pipe."""
    time.sleep(0.01)
    try:
        return Path(f"/proc/{pid}/wchan").read_text() == "hrtimer_nanosleep"
    except OSError:
        return False


def _belonging_to(data: Path, image: Path) -> dict[int, str]:
    """Processes that have the data folder in their environment, and sandboxes, that have the image as their root."""
    found: dict[int, str] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            if (entry / "stat").read_text().rpartition(")")[2].split()[0] == "Z":
                continue
            command = (entry / "cmdline").read_bytes()
            is_part = str(data).encode() in (entry / "environ").read_bytes()
            if is_part or image.name.encode() in command + (entry / "mountinfo").read_bytes():
                found[int(entry.name)] = command.replace(b"\0", b" ").decode(errors="replace")
        except OSError:                     # it has just ended
            continue
    return found
