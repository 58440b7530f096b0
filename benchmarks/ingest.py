"""How many results a second one process takes in, on SQLite and on PostgreSQL.

    python benchmarks/ingest.py [RESULTS]       ends with 1 when a goal is not reached

Matches of two games, played before the clock runs; taking one in is replaying its record, keeping it, moving table
and ratings on, and telling Redis (redis-server must be installed; without PostgreSQL, SQLite alone is measured).
"""

import logging
import sys
import time
from collections.abc import Iterator
from dataclasses import replace

import structlog

from arena.services import dispatch, results
from arena.services.assignments import Assignment
from arena.settings import Settings
from arena.store.migrate import migrate
from arena.store.session import Store
from benchmarks.services import open_folder, running_redis
from tests.support import field, postgres

GOAL = 1000
BOTS = 40


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    with open_folder() as folder, running_redis(folder) as redis_url:
        settings = Settings(data_dir=folder, redis_url=redis_url)
        rates = {"SQLite": measured(settings, count)}
        if postgres.is_installed():
            with postgres.running_postgres() as server:
                url = postgres.create_database(server, "arena").replace("postgresql:", "postgresql+psycopg:")
                rates["PostgreSQL"] = measured(replace(settings, database_url=url), count)
    for name, rate in rates.items():
        print(f"{name}: {rate:.0f} results a second, at least {GOAL} wanted")
    return int(min(rates.values()) < GOAL)


def measured(settings: Settings, count: int) -> float:
    """Results a second."""
    migrate(settings.sqlalchemy_url)
    store = Store.open(settings)
    entered = [field.add_bot(store, f"bot-{number}") for number in range(BOTS)]
    field.add_tournament(store, entered)
    seconds = 0.0
    for assignment in assignments(store, count):
        played = field.play(assignment.setup)
        begin = time.perf_counter()
        results.ingest(store, assignment, played, 100)
        seconds += time.perf_counter() - begin
    store.dispose()
    return count / seconds


def assignments(store: Store, count: int) -> Iterator[Assignment]:
    """So many matches of the tournament, leased."""
    given = 0
    while given < count:
        post = field.Post()
        dispatch.dispatch_next(store, post)
        for batch in post.take_all():
            for assignment in dispatch.claim_each(store, "benchmark", batch[: count - given]):
                yield assignment
                given += 1


if __name__ == "__main__":
    sys.exit(main())
