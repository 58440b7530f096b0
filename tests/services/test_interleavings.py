"""Whatever is done to an arena, in whatever order: nothing is lost, nothing counts twice, and all of it adds up.

ARENA_INTERLEAVINGS=2000 runs so many sequences instead, each of its own chance.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from arena.settings import Settings
from arena.store.session import Store
from tests.support import postgres
from tests.support.interleaving import Arena, Interleavings, populate
from tests.support.redis_server import RedisServer, running_redis

SEQUENCES = int(os.environ.get("ARENA_INTERLEAVINGS", "0"))
PROFILE = settings(
    max_examples=SEQUENCES or 40,
    stateful_step_count=60 if SEQUENCES else 40,
    derandomize=not SEQUENCES,
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=list(HealthCheck),
)
Copy = Callable[[], AbstractContextManager[str]]
"""The URL of a fresh database with the bots of a run, which is dropped again."""


@pytest.fixture
def redis_server() -> Iterator[RedisServer]:
    """One that may be emptied at any moment."""
    with running_redis() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def copy(request: pytest.FixtureRequest, tmp_path: Path) -> Copy:
    kind, numbers = request.param, count()
    template = request.getfixturevalue("sqlite_url") if kind == "sqlite" else _template(request)
    _populate(template, tmp_path)

    @contextmanager
    def of_sqlite() -> Iterator[str]:
        path = tmp_path / f"run-{next(numbers)}.sqlite3"
        shutil.copy(template.removeprefix("sqlite:///"), path)
        yield f"sqlite:///{path}"
        for file in tmp_path.glob(f"{path.name}*"):
            file.unlink()

    @contextmanager
    def of_postgres() -> Iterator[str]:
        server, name = request.getfixturevalue("postgres_url"), f"run_{next(numbers)}"
        yield postgres.create_database(server, name, "populated_arena")
        postgres.drop_database(server, name)

    return of_sqlite if kind == "sqlite" else of_postgres


def _template(request: pytest.FixtureRequest) -> str:
    server = request.getfixturevalue("postgres_url")
    return postgres.create_database(server, "populated_arena", request.getfixturevalue("migrated_postgres"))


def _populate(url: str, folder: Path) -> None:
    store = Store.open(Settings(data_dir=folder, database_url=url))
    populate(store)
    if url.startswith("sqlite"):
        with store.read() as tx:
            tx.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    store.dispose()


@contextmanager
def opened(copy: Copy, redis: RedisServer, folder: Path) -> Iterator[Arena]:
    """A store of its own for one sequence, on a Redis that they use one after the other."""
    with copy() as url, redis.client() as client:
        store = Store.open(Settings(data_dir=folder, database_url=url, redis_url=redis.url))
        yield store, client.flushall
        store.dispose()


@pytest.mark.services
@pytest.mark.slow
@pytest.mark.timeout(0 if SEQUENCES else 900)
def test_any_order_of_steps_keeps_everything_true(copy: Copy, redis_server: RedisServer, tmp_path: Path) -> None:
    machine = partial(Interleavings, partial(opened, copy, redis_server, tmp_path))
    run_state_machine_as_test(machine, settings=PROFILE)
