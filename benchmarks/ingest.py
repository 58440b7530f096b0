"""How many results a second are taken in, on SQLite and PostgreSQL: one by one, a hundred together, by two processes.

    python benchmarks/ingest.py [--quick]       ends with 1 when a goal is not reached

Matches of two games, played before the clock runs; taking one in is replaying its record, keeping it, moving table
and ratings on, and telling Redis (redis-server must be installed).  By the wall clock.
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
from benchmarks.measuring import Effort, Rows, run
from benchmarks.rows import Row, at_least
from benchmarks.services import open_folder, running_redis
from tests.support import field, postgres

GOAL = at_least(1000, "a second")       # of those that come together
TOGETHER = 100
PROCESSES = 2
BOTS = 40


def measure(effort: Effort) -> Rows:
    """On both databases."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    count = effort.choose(500, 200)
    with open_folder() as folder, running_redis(folder) as redis_url:
        settings = Settings(data_dir=folder, redis_url=redis_url)
        yield from rates_on("SQLite", settings, count)
        if not postgres.is_installed():
            yield Row(by_processes("PostgreSQL")).not_measured("PostgreSQL is not here", GOAL)
            return
        with postgres.running_postgres() as server:
            url = postgres.create_database(server, "arena").replace("postgresql:", "postgresql+psycopg:")
            yield from rates_on("PostgreSQL", replace(settings, database_url=url), count)


def by_processes(database: str) -> str:
    return f"results taken in on {database}, {TOGETHER} together, by {PROCESSES} processes at once"


def rates_on(database: str, settings: Settings, count: int) -> list[Row]:
    """Results a second: one by one, so many together, and by several processes."""
    migrate(settings.sqlalchemy_url)
    store = Store.open(settings)
    field.add_tournament(store, [field.add_bot(store, f"bot-{number}") for number in range(BOTS)], cycles=4)
    dispatch.register_worker(store, "benchmark", slots=2 * PROCESSES * count, isolation="A")
    waiting = leased(store)
    single, together = taken_in(store, waiting, count // 5, 1), taken_in(store, waiting, count, TOGETHER)
    shares = [[reports_of(waiting, TOGETHER) for _ in range(count // TOGETHER)] for _ in range(PROCESSES)]
    store.dispose()
    return [
        Row(f"results taken in on {database}, one by one").told([single], GOAL.unit),
        Row(f"results taken in on {database}, {TOGETHER} together").told([together], GOAL.unit),
        Row(by_processes(database)).judged([taken_in_at_once(settings, shares)], GOAL),
    ]


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
    sys.exit(run("Ingest", measure))
