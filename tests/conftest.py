"""Fixtures for tests that need a database or Redis: real ones, started for the tests and private to them.

`store` is on SQLite; `any_store` runs the test on SQLite and again on PostgreSQL. Neither has a Redis behind it;
`redis_server` and `redis_url` are a real one, `store_with_boards` is a store that uses it.
"""

import itertools
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

from arena.settings import Settings
from arena.store.migrate import migrate
from arena.store.session import Store
from tests.support import postgres, redis_server
from tests.support.folders import folder_of_all

NO_REDIS = "redis://127.0.0.1:1/0"          # nobody listens there: refused at once
_numbers = itertools.count(1)

hypothesis.settings.register_profile("arena", deadline=None)        # a busy machine fails no test
hypothesis.settings.load_profile("arena")
# A background job of a script ignores it, and so would every program that a test starts and interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def redis_server_of_the_session() -> Iterator[redis_server.RedisServer]:
    if not redis_server.is_installed():
        pytest.skip("redis-server is not installed")
    with redis_server.running_redis() as server:
        yield server


@pytest.fixture(scope="session")
def redis_url(redis_server_of_the_session: redis_server.RedisServer) -> str:
    """A private Redis of the whole test run; who needs it empty, flushes it."""
    return redis_server_of_the_session.url


@pytest.fixture
def empty_redis(redis_server_of_the_session: redis_server.RedisServer) -> redis_server.RedisServer:
    """The private Redis of the whole test run, with nothing in it."""
    with redis_server_of_the_session.client() as client:
        client.flushall()
    return redis_server_of_the_session


@pytest.fixture(scope="session")
def image_folder() -> Iterator[Path]:
    """Where all arenas of a run build the image of their sandboxes; every user may."""
    with folder_of_all("arena-image-", 0o777) as folder:
        yield folder


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A private PostgreSQL server, started for the whole test run."""
    if not postgres.is_installed():
        pytest.skip("PostgreSQL is not installed (initdb and pg_ctl are neither in PATH nor in /usr/lib/postgresql)")
    with postgres.running_postgres() as url:
        yield url


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file with all tables and no rows, to be copied."""
    path = tmp_path_factory.mktemp("template") / "arena.sqlite3"
    migrate(f"sqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def migrated_postgres(postgres_url: str) -> str:
    """The name of a PostgreSQL database with all tables and no rows, to be copied."""
    migrate(postgres.create_database(postgres_url, "template_arena"))
    return "template_arena"


@pytest.fixture
def sqlite_url(tmp_path: Path, migrated_sqlite: Path) -> str:
    """A migrated SQLite database of this test's own."""
    return f"sqlite:///{shutil.copy(migrated_sqlite, tmp_path / 'arena.sqlite3')}"


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.services)])
def any_url(request: pytest.FixtureRequest) -> Iterator[str]:
    """A migrated database of this test's own, on each kind of database in turn."""
    if request.param == "sqlite":
        yield request.getfixturevalue("sqlite_url")
        return
    server, template = request.getfixturevalue("postgres_url"), request.getfixturevalue("migrated_postgres")
    name = f"arena_{next(_numbers)}"
    yield postgres.create_database(server, name, template)
    postgres.drop_database(server, name)


def _store(url: str, redis_url: str, tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(Settings(data_dir=tmp_path, database_url=url, redis_url=redis_url))
    yield opened
    opened.dispose()


@pytest.fixture
def store(sqlite_url: str, tmp_path: Path) -> Iterator[Store]:
    """A store on SQLite; Redis is away."""
    yield from _store(sqlite_url, NO_REDIS, tmp_path)


@pytest.fixture
def any_store(any_url: str, tmp_path: Path) -> Iterator[Store]:
    """A store on each kind of database in turn; Redis is away."""
    yield from _store(any_url, NO_REDIS, tmp_path)


@pytest.fixture
def store_with_boards(sqlite_url: str, empty_redis: redis_server.RedisServer, tmp_path: Path) -> Iterator[Store]:
    """A store on SQLite with an empty Redis."""
    yield from _store(sqlite_url, empty_redis.url, tmp_path)
