"""How many results a second one process takes in, on SQLite and on PostgreSQL, one by one and a hundred together.

    python benchmarks/ingest.py [RESULTS]       ends with 1 when a goal is not reached

Matches of two games, played before the clock runs; taking one in is replaying its record, keeping it, moving table
and ratings on, and telling Redis (redis-server must be installed; without PostgreSQL, SQLite alone is measured).
A worker reports together what it has played within half a second; long matches come one by one.
"""

import logging
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import structlog

from arena.services import dispatch, results
from arena.services.assignments import Assignment
from arena.services.reports import Report
from arena.settings import Settings
from arena.store.migrate import migrate
from arena.store.session import Store, utc_now
from benchmarks.services import open_folder, running_redis
from tests.support import field, postgres

GOAL = 1000                     # a second, of those that come together
TOGETHER = 100
BOTS = 40


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    with open_folder() as folder, running_redis(folder) as redis_url:
        settings = Settings(data_dir=folder, redis_url=redis_url)
        rates = {"SQLite": rates_of(settings, count)}
        if postgres.is_installed():
            with postgres.running_postgres() as server:
                url = postgres.create_database(server, "arena").replace("postgresql:", "postgresql+psycopg:")
                rates["PostgreSQL"] = rates_of(replace(settings, database_url=url), count)
    for name, (single, together) in rates.items():
        print(f"{name}: {single:.0f} results a second one by one; {TOGETHER} together {together:.0f}, at least {GOAL} "
              "wanted")
    return int(min(together for _, together in rates.values()) < GOAL)


def rates_of(settings: Settings, count: int) -> tuple[float, float]:
    """Results a second: one by one, and so many together."""
    migrate(settings.sqlalchemy_url)
    store = Store.open(settings)
    field.add_tournament(store, [field.add_bot(store, f"bot-{number}") for number in range(BOTS)], cycles=4)
    dispatch.register_worker(store, "benchmark", 2 * TOGETHER, "A")
    rates = taken_in(store, count // 5, 1), taken_in(store, count, TOGETHER)
    store.dispose()
    return rates


def taken_in(store: Store, count: int, at_once: int) -> float:
    """Results a second, so many at once."""
    waiting = leased(store)
    seconds = 0.0
    for _ in range(count // at_once):
        reports = [Report(one, field.play(one.setup), 100, utc_now()) for one in islice(waiting, at_once)]
        begin = time.perf_counter()
        results.ingest_all(store, reports)
        seconds += time.perf_counter() - begin
    return count // at_once * at_once / seconds


def leased(store: Store) -> Iterator[Assignment]:
    """The matches of the tournament, one by one."""
    while True:
        post = field.Post()
        dispatch.dispatch_next(store, post)
        for batch in post.batches:
            yield from dispatch.claim_each(store, "benchmark", batch)


if __name__ == "__main__":
    sys.exit(main())
