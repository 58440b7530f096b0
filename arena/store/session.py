"""The way to the database: one engine per process, one transaction per use case. What is in it: schema.py.

SQLite: WAL, and `BEGIN IMMEDIATE` for every writer, because a transaction that reads first and writes later fails at
once when another writer was quicker; standing in line (up to 30 s) works. PostgreSQL: readers see one snapshot, too.
"""

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, exc, make_url
from sqlalchemy.engine import URL

from arena.errors import StoreUnavailable
from arena.settings import Settings
from arena.store.bell import Bell
from arena.store.leaderboards import Leaderboards

BUSY_SECONDS = 30
LOOK_SECONDS = 0.002        # how often a writer looks whether it may begin; a transaction takes some of them
CONNECT_SECONDS = 5
POOL_SIZE = 8
POOL_OVERFLOW = 64          # one gunicorn process serves 64 threads
UNMIGRATED = ("no such table", "no such column", "UndefinedTable", "UndefinedColumn")


def utc_now() -> datetime:
    """The present moment, aware and in UTC."""
    return datetime.now(UTC)


class Store:
    """The database, and the leaderboards and the bell in Redis, as the services get them."""

    def __init__(self, engine: Engine, boards: Leaderboards, settings: Settings) -> None:
        self.settings = settings
        self.boards = boards
        self.bell = Bell(settings.redis_url)
        self._engine = engine
        self._reader, self._writer = _reader_and_writer(engine)

    @classmethod
    def open(cls, settings: Settings) -> "Store":
        """Connects to nothing yet; after a fork, open a store of its own in the child."""
        return cls(make_engine(settings.sqlalchemy_url), Leaderboards(settings.redis_url), settings)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """One transaction that sees one snapshot and writes nothing; raises `StoreUnavailable`."""
        with _store_errors(), self._reader.begin() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """One transaction: committed at the end, rolled back by any exception; raises `StoreUnavailable`."""
        with _store_errors(), self._writer.begin() as connection:
            yield connection

    def dispose(self) -> None:
        """Close every connection; the store can still be used and then connects anew."""
        self._engine.dispose()
        self.boards.close()
        self.bell.close()


def make_engine(url: str, *, foreign_keys: bool = True) -> Engine:
    """An engine for a database URL; `foreign_keys=False` lets SQLite migrations copy tables."""
    parsed = database_url(url)
    if parsed.get_backend_name() != "sqlite":
        return _postgresql_engine(parsed)
    engine = create_engine(
        parsed, connect_args={"timeout": BUSY_SECONDS}, pool_size=POOL_SIZE, max_overflow=POOL_OVERFLOW
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        connection.isolation_level = None           # we say BEGIN ourselves
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", f"foreign_keys={int(foreign_keys)}"):
            connection.execute(f"PRAGMA {pragma}").close()

    queue = threading.Lock()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        if connection.get_execution_options().get("arena_writer", False):
            give_up = time.monotonic() + BUSY_SECONDS
            with queue:
                _begin_writing(connection, give_up)
        else:
            connection.exec_driver_sql("BEGIN")

    return engine


def _begin_writing(connection: Connection, give_up: float) -> None:
    """Begin as soon as nobody else writes; `give_up` is a moment of the monotonic clock.

    SQLite itself looks at growing intervals, up to a tenth of a second: who has waited long would go on waiting while
    others come and go.  Of one process only one thread looks at a time, the others stand in line behind it.
    """
    connection.exec_driver_sql("PRAGMA busy_timeout=0")
    try:
        while not _has_begun(connection, is_last=time.monotonic() > give_up):
            time.sleep(LOOK_SECONDS)
    finally:
        connection.exec_driver_sql(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}")


def _has_begun(connection: Connection, *, is_last: bool) -> bool:
    try:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    except exc.OperationalError as error:
        is_busy = getattr(error.orig, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY
        if is_last or not is_busy:
            raise
        return False
    return True


def database_url(text: str) -> URL:
    """The URL with the driver we ship; raises `ValueError` when no such database is supported."""
    try:
        url = make_url(text)
    except exc.ArgumentError as error:
        raise ValueError("ARENA_DATABASE_URL is no database URL; write sqlite:///… or postgresql://…") from error
    if url.drivername in ("postgresql", "postgres"):
        return url.set(drivername="postgresql+psycopg")
    if url.drivername not in ("sqlite", "sqlite+pysqlite", "postgresql+psycopg"):
        raise ValueError(f"ARENA_DATABASE_URL is for {url.drivername}; supported are sqlite:///… and postgresql://…")
    if url.get_backend_name() == "sqlite" and url.database in (None, "", ":memory:"):
        raise ValueError("ARENA_DATABASE_URL names no file; several processes cannot share a database in memory")
    return url


def _postgresql_engine(url: URL) -> Engine:
    return create_engine(
        url,
        pool_pre_ping=True,                          # a restarted server costs no request
        pool_size=POOL_SIZE,
        max_overflow=POOL_OVERFLOW,
        connect_args={"connect_timeout": CONNECT_SECONDS, "options": f"-c lock_timeout={BUSY_SECONDS}s"},
    )


def _reader_and_writer(engine: Engine) -> tuple[Engine, Engine]:
    if engine.dialect.name == "sqlite":
        return engine, engine.execution_options(arena_writer=True)
    return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True), engine


@contextmanager
def _store_errors() -> Iterator[None]:
    """Tell "the database is away, locked or not migrated" apart from our own mistakes, which stay as they are."""
    try:
        yield
    except exc.TimeoutError as error:
        raise StoreUnavailable("Every connection to the database is in use; try again in a moment.") from error
    except exc.DBAPIError as error:
        if _is_unmigrated(error):
            raise StoreUnavailable("The database lacks tables; run `arena admin migrate`.") from error
        if is_no_database(error):
            raise StoreUnavailable("The database is damaged: put back a copy of it, or begin a new one.") from error
        if isinstance(error, exc.OperationalError) or error.connection_invalidated:
            raise StoreUnavailable("The database is locked or does not answer; try again in a moment.") from error
        raise


def _is_unmigrated(error: exc.DBAPIError) -> bool:
    text = f"{type(error.orig).__name__} {error.orig}"
    return any(sign in text for sign in UNMIGRATED)


def is_no_database(error: exc.DBAPIError) -> bool:
    """Whether SQLite says that the file is none of its own, or is damaged; extended codes have the plain one below."""
    return getattr(error.orig, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)
