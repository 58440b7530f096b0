"""A whole arena on this machine: a private Redis, workers, dispatch and the site, around one data folder.

`with Stack(plan, say) as stack:` has it running, at `stack.url`; at the end everything is stopped, in order.
"""

import fcntl
import json
import os
import secrets
import signal
import socket
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

import arena
from arena.cli.private_redis import HOST, NO_REDIS_SERVER, PrivateRedis, is_installed
from arena.cli.profile import DEFAULT_SERVER
from arena.cli.supervisor import Program, Say, Supervisor
from arena.errors import StackFailed, StoreUnavailable
from arena.settings import Settings

if TYPE_CHECKING:
    from arena.store.session import Store

FIRST_PORT = 8000
PORTS_TRIED = 100
CANNOT_PLAY = 78                # a worker's exit code when its sandbox does not hold


@dataclass(frozen=True, slots=True)
class Plan:
    """What a stack is to be: where it keeps its things, its first choice of port, and how many play at once."""

    data_dir: Path
    port: int = FIRST_PORT
    workers: int = field(default_factory=lambda: len(os.sched_getaffinity(0)))
    is_standing: bool = False       # reference bots of its own, and a round robin of every game that goes on


class Stack:
    """Start it, use it, stop it; one at a time in a data folder, any number on a machine."""

    def __init__(self, plan: Plan, say: Say) -> None:
        self._plan = plan
        self._say = say
        self._folder = plan.data_dir.expanduser().absolute()
        self._lock: int | None = None
        self._socket: socket.socket | None = None
        self._supervisor: Supervisor | None = None
        self.url = ""
        self.settings = Settings()

    def __enter__(self) -> "Stack":
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    def start(self) -> None:
        """Returns when matches can be played and the site answers. Raises: StackFailed."""
        if not is_installed():
            raise StackFailed(NO_REDIS_SERVER)
        self._take_folder()
        self._socket = _listening_socket(self._plan.port)
        port = self._socket.getsockname()[1]
        self.url = f"http://{HOST}:{port}"
        if port != self._plan.port:
            self._say(f"port {self._plan.port} is taken; the site uses {port}")
        redis = PrivateRedis(self._folder / "redis")
        self.settings = self._settings(redis.url)
        self._supervisor = Supervisor(self._steps(redis), self._say)
        self._supervisor.start()
        self._write_state()
        self._say(f"site:     {self.url}")

    def wait(self) -> None:
        """Until somebody interrupts. Raises: StackFailed when a part is beyond help."""
        if self._supervisor is not None:
            self._supervisor.wait()

    def stop(self) -> None:
        """Stop site and workers (a match being played is handed back), then Redis."""
        if self._supervisor is not None:
            self._supervisor.stop()
            self._supervisor = None
        if self._socket is not None:
            self._socket.close()
            self._socket = None
        if self._lock is not None:
            (self._folder / "stack.json").unlink(missing_ok=True)
            os.close(self._lock)
            self._lock = None

    @property
    def login_command(self) -> str:
        """How somebody new gets in; every later command knows the server then."""
        where = "" if self.url == DEFAULT_SERVER else f" --server {self.url}"
        return f"arena login YOUR_NAME --register{where}"

    def processes(self) -> dict[str, int]:
        """The main process of each part, by name."""
        return {} if self._supervisor is None else self._supervisor.processes()

    def _take_folder(self) -> None:
        """Make the data folder, for us alone: bots' sources are in it; and keep every other stack out of it."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            (self._folder / "logs").mkdir(exist_ok=True)
            self._lock = os.open(self._folder / "stack.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise StackFailed(f"{self._folder} cannot be used: {error.strerror}; choose another --data.") from error
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(self._lock)
            self._lock = None
            raise StackFailed(f"An arena already runs in {self._folder}; stop it, or choose another --data.") from error

    def _settings(self, redis_url: str) -> Settings:
        """What the environment says, with what this stack brings itself."""
        try:
            given = Settings.from_environment(os.environ)
        except ValueError as error:
            raise StackFailed(f"{error}; correct it or unset it.") from error
        secret_key = given.secret_key or _kept_secret(self._folder / "secret")
        ours = replace(given, data_dir=self._folder, redis_url=redis_url, broker_url="", secret_key=secret_key)
        return replace(ours, standing_tournaments=self._plan.is_standing)

    def _steps(self, redis: PrivateRedis) -> list[list[Program | Callable[[], None]]]:
        from arena.store.session import Store

        store = Store.open(self.settings)
        worker = f"play-{secrets.token_hex(3)}@{socket.gethostname()}"
        queue = self._program("redis", redis.command, redis.answers, standard_input=redis.configuration, stop_seconds=5)
        queue = replace(queue, needs_folder=redis.folder)
        play = self._celery("play", ["-Q", "play", "-P", "prefork", "-c", str(self._plan.workers), "-n", worker])
        play = replace(play, is_ready=lambda pid: _is_present(store, worker), hopeless=CANNOT_PLAY)
        control = self._celery("control", ["-B", "-Q", "control", "-P", "solo", "-c", "1", "-n", f"control-{worker}"])
        return [
            [redis.make_room, queue],
            [lambda: self._migrate(redis)],
            [play, control, self._site(), lambda: self._say(f"workers:  {self._plan.workers}, proving the sandbox …")],
            [store.dispose],
        ]

    def _migrate(self, redis: PrivateRedis) -> None:
        from arena.store.migrate import migrate

        self._say(f"queue:    redis-server on port {redis.port}, for this arena alone")
        try:
            migrate(self.settings.sqlalchemy_url)
            if self.settings.standing_tournaments:
                self._prepare_standing()
        except StoreUnavailable as error:
            raise StackFailed(f"The database could not be prepared: {error}") from error
        where = "the one of ARENA_DATABASE_URL" if self.settings.database_url else self._folder / "arena.sqlite3"
        self._say(f"database: {where}")

    def _prepare_standing(self) -> None:
        from arena.services import standing
        from arena.store.session import Store

        store = Store.open(self.settings)
        standing.prepare(store)
        store.dispose()
        self._say("standing: reference bots, and a round robin of each game whenever there is a new bot")

    def _celery(self, name: str, arguments: list[str]) -> Program:
        options = ["-A", "workers.celery_app", "worker", "--without-mingle", "--without-gossip", *arguments]
        return self._program(name, [sys.executable, "-P", "-m", "celery", *options], lambda pid: True)

    def _site(self) -> Program:
        assert self._socket is not None
        descriptor = self._socket.fileno()
        options = ["--bind", f"fd://{descriptor}", "--worker-class", "gthread", "--workers", "2", "--threads", "64"]
        options += ["--no-control-socket", "--graceful-timeout", "2", "web.app:create_app_from_environment()"]
        command = [sys.executable, "-P", "-m", "gunicorn", *options]
        return self._program("site", command, lambda pid: _answers(self.url), descriptors=(descriptor,))

    def _program(
        self,
        name: str,
        command: list[str],
        is_ready: Callable[[int], bool],
        *,
        descriptors: tuple[int, ...] = (),
        standard_input: bytes | None = None,
        stop_seconds: float = 15.0,
    ) -> Program:
        return Program(
            name=name,
            command=command,
            environment=self._environment(),
            folder=self._folder,
            log=self._folder / "logs" / f"{name}.log",
            is_ready=is_ready,
            descriptors=descriptors,
            standard_input=standard_input,
            stop_seconds=stop_seconds,
        )

    def _environment(self) -> dict[str, str]:
        ours = {
            "ARENA_DATA_DIR": str(self._folder),
            "ARENA_REDIS_URL": self.settings.redis_url,
            "ARENA_BROKER_URL": "",
            "ARENA_SECRET_KEY": self.settings.secret_key,
            "ARENA_STANDING_TOURNAMENTS": str(self.settings.standing_tournaments).lower(),
            "PYTHONPATH": str(Path(arena.__file__).parent.parent),
            "PYTHONUNBUFFERED": "1",
        }
        return {**os.environ, **ours}

    def _write_state(self) -> None:
        """Where other commands find this arena; its Redis password is in it."""
        state = {"url": self.url, "redis_url": self.settings.redis_url, "pid": os.getpid()}
        path = self._folder / "stack.json"
        path.touch(mode=0o600)
        path.write_text(json.dumps(state))


def run(plan: Plan, say: Say) -> None:
    """Have a stack until Ctrl-C or SIGTERM. Raises: StackFailed."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _interrupt)
        signal.signal(signal.SIGINT, _interrupt)        # a script's background jobs are started ignoring it
    try:
        with Stack(plan, say) as stack:
            say(f"Next, in another terminal: `{stack.login_command}`, then `arena submit my_bot.py --game oware`")
            say("Ctrl-C stops everything.")
            stack.wait()
    except KeyboardInterrupt:
        say("stopped")


def _interrupt(number: int, frame: object) -> None:
    raise KeyboardInterrupt


def _listening_socket(port: int) -> socket.socket:
    """Bound here and inherited by the site, so no other program can take it in between, or while the site restarts."""
    for candidate in (*range(port, min(port + PORTS_TRIED, 65536)), 0):
        listening = socket.socket()
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((HOST, candidate))
            listening.listen(128)
        except OSError:
            listening.close()
            continue
        return listening
    raise StackFailed(f"No port is free on {HOST}.")


def _kept_secret(path: Path) -> str:
    """The key that signs cookies, made once per data folder."""
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(32))
    return path.read_text()


def _is_present(store: "Store", worker: str) -> bool:
    from arena.services.dispatch import is_present

    try:
        return is_present(store, worker)
    except StoreUnavailable:
        return False


def _answers(url: str) -> bool:
    import requests

    try:
        return requests.get(f"{url}/healthz", timeout=2).ok
    except requests.RequestException:
        return False
