"""How many results a second are taken in, on SQLite and PostgreSQL: one by one, a hundred together, by two processes.

    python benchmarks/ingest.py [RESULTS]       ends with 1 when a goal is not reached

Matches of two games, played before the clock runs; taking one in is replaying its record, keeping it, moving table
and ratings on, and telling Redis (redis-server must be installed; without PostgreSQL, SQLite alone is measured).
A worker reports together what it has played within half a second; long matches come one by one.  The goal is for two
processes that report at once, as the workers of a small machine do, both to one tournament.
"""

import logging
import multiprocessing
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
PROCESSES = 2
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
    for name, (single, together, by_two) in rates.items():
        print(f"{name}: {single:.0f} results a second one by one; {TOGETHER} together {together:.0f}; the same by "
              f"{PROCESSES} processes {by_two:.0f}, at least {GOAL} wanted")
    return int(min(by_two for _, _, by_two in rates.values()) < GOAL)


def rates_of(settings: Settings, count: int) -> tuple[float, float, float]:
    """Results a second: one by one, so many together, and by several processes."""
    migrate(settings.sqlalchemy_url)
    store = Store.open(settings)
    field.add_tournament(store, [field.add_bot(store, f"bot-{number}") for number in range(BOTS)], cycles=4)
    dispatch.register_worker(store, "benchmark", slots=2 * PROCESSES * count, isolation="A")
    waiting = leased(store)
    single, together = taken_in(store, waiting, count // 5, 1), taken_in(store, waiting, count, TOGETHER)
    shares = [[reports_of(waiting, TOGETHER) for _ in range(count // TOGETHER)] for _ in range(PROCESSES)]
    store.dispose()
    return single, together, taken_in_at_once(settings, shares)


def taken_in_at_once(settings: Settings, shares: list[list[list[Report]]]) -> float:
    """Results a second, each share by a process of its own."""
    context = multiprocessing.get_context("fork")
    ready, done = context.Barrier(len(shares) + 1), context.Barrier(len(shares) + 1)

    def work(share: list[list[Report]]) -> None:
        store = Store.open(settings)
        results.ingest_all(store, share[0])         # opens connections
        ready.wait()
        for reports in share[1:]:
            results.ingest_all(store, reports)
        done.wait()
        store.dispose()

    workers = [context.Process(target=work, args=(share,)) for share in shares]
    for worker in workers:
        worker.start()
    ready.wait()
    begin = time.perf_counter()
    done.wait()
    seconds = time.perf_counter() - begin
    for worker in workers:
        worker.join()
    return sum(len(reports) for share in shares for reports in share[1:]) / seconds


def reports_of(waiting: Iterator[Assignment], count: int) -> list[Report]:
    """So many matches, played."""
    return [Report(one, field.play(one.setup), 100, utc_now()) for one in islice(waiting, count)]


def taken_in(store: Store, waiting: Iterator[Assignment], count: int, at_once: int) -> float:
    """Results a second, so many at once."""
    seconds = 0.0
    for _ in range(count // at_once):
        reports = reports_of(waiting, at_once)
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
