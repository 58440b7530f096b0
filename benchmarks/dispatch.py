"""What Celery, the database and ingest add to matches, and how quickly a very large round robin begins.

    python benchmarks/dispatch.py [--quick]         ends with 1 when a goal is not reached

The shipped sample bots, six of each, play a round robin of Oware in the default format: once in a whole arena (site,
Redis, Celery, SQLite), from `start` to the last result; once the same matches by as many processes, one after the
other, with nothing around them.  By the wall clock, in turn; medians of three.
"""

import hashlib
import multiprocessing
import os
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis
from sqlalchemy import insert, select

from arena.cli.stack import Plan, Stack
from arena.match.referee import play_match
from arena.sandbox.player import Sandbox, pin_to_one_core
from arena.services import samples, tournaments
from arena.services.assignments import HOUSE_BOT, HOUSE_PACKAGE, Assignment
from arena.store import leases
from arena.store.accounts import User
from arena.store.schema import bots, matches, users, versions
from arena.store.schema import tournaments as table_of_tournaments
from arena.store.session import Store, utc_now
from benchmarks.measuring import Effort, Rows, duration, run
from benchmarks.rows import Row, at_least, at_most
from benchmarks.services import open_folder, require_redis, require_sandbox

GOAL = 0.9
START_SECONDS, START_MB, PROCESS_MB = 2, 1, 300
PATIENCE_SECONDS = 300
MAKER = User(1, "maker", is_admin=True, created_at=utc_now())


def measure(effort: Effort) -> Rows:
    """Many short matches by one process and by two; then the start of very many."""
    require_redis()
    require_sandbox()
    for slots in (1, 2):
        yield compare(slots, copies=effort.choose(6, 3), rounds=effort.choose(3, 1))
    yield from begin_large(effort.choose(1000, 200))


def compare(slots: int, copies: int, rounds: int) -> Row:
    """Through the arena and directly, with so many processes."""
    ours, theirs = [], []
    with arena(slots) as (stack, store), directly(slots, stack.settings.image_dir) as pool:
        names = [enter(store, f"{sample}-{copy}", samples.source(sample)) for sample in samples.names()
                 for copy in range(copies)]
        for number in range(rounds):
            cup = tournaments.create(store, MAKER, name=f"cup-{number}", ruleset="oware", bots=names).id
            ours.append(through_the_arena(store, cup))
            played = assignments(store, cup)
            begin = time.perf_counter()
            pool.map(play, played, chunksize=1)
            theirs.append(time.perf_counter() - begin)
    row = Row(f"{len(played)} short matches in a whole arena, {slots} at once", "the same matches played directly",
              duration(statistics.median(ours)), duration(statistics.median(theirs)))
    return row.judged([their / our for our, their in zip(ours, theirs, strict=True)], at_least(GOAL))


def through_the_arena(store: Store, cup: int) -> float:
    """Seconds from the start of a tournament to its end."""
    begin = time.perf_counter()
    tournaments.start(store, MAKER, cup)
    while not is_over(store, cup):
        if time.perf_counter() - begin > PATIENCE_SECONDS:
            raise TimeoutError(f"tournament {cup} does not end")
        time.sleep(0.1)
    return time.perf_counter() - begin


def is_over(store: Store, cup: int) -> bool:
    """Asked in the cheapest way, as nobody in an arena asks all the time."""
    with store.read() as tx:
        return tx.scalar(select(table_of_tournaments.c.state).where(table_of_tournaments.c.id == cup)) == "finished"


def assignments(store: Store, cup: int) -> list[Assignment]:
    """All matches of a tournament, as a worker gets them."""
    with store.read() as tx:
        ids = tx.scalars(select(matches.c.id).where(matches.c.tournament_id == cup).order_by(matches.c.schedule_index))
        found = []
        for match_id in list(ids):
            purpose, setup, packages = leases.setup_of(tx, match_id, (HOUSE_BOT, HOUSE_PACKAGE))
            found.append(Assignment(match_id, 1, setup, packages, purpose))
        return found


class Direct:
    """What a process that plays directly has."""

    sandbox: Sandbox


def prepare(image: Path, slots: "multiprocessing.Queue[int]") -> None:
    pin_to_one_core(slots.get())
    Direct.sandbox = Sandbox(image, ready=2)


def play(assignment: Assignment) -> int:
    played = play_match(
        assignment.setup,
        lambda seat, info, seed: Direct.sandbox.open_player(assignment.packages[seat], seat, info, seed, lambda: None),
        lambda game, ply: None,
    )
    return len(played.record.games)


def begin_large(many: int) -> list[Row]:
    """Start a round robin of so many: when does its first match begin, and what does that take?"""
    with arena(2) as (stack, store):
        names = [enter(store, f"bot-{number}", samples.source("random")) for number in range(many)]
        client = redis.Redis.from_url(stack.settings.redis_url)
        cup = tournaments.create(store, MAKER, name="large", ruleset="oware", bots=names)
        before = client.info("memory")["used_memory"]
        begin = time.perf_counter()
        tournaments.start(store, MAKER, cup.id)
        while not has_begun(store, cup.id):
            time.sleep(0.01)
        seconds = time.perf_counter() - begin
        time.sleep(5)
        grown = (client.info("memory")["used_memory"] - before) / 2**20
        largest = max(peak_mb(pid) for pid in family(os.getpid()))
        tournaments.cancel(store, MAKER, cup.id)
        client.close()
    cup_of_many = f"round robin of {many:,} bots, {cup.match_count:,} matches"
    return [
        Row(f"{cup_of_many}: from its start to its first match").judged([seconds], at_most(START_SECONDS, "s")),
        Row(f"{cup_of_many}: Redis has grown by, 5 s later").judged([grown], at_most(START_MB, "MB")),
        Row(f"{cup_of_many}: the largest process").judged([largest], at_most(PROCESS_MB, "MB")),
    ]


def has_begun(store: Store, cup: int) -> bool:
    with store.read() as tx:
        begun = select(matches.c.id).where(matches.c.tournament_id == cup, matches.c.state.in_(("leased", "finished")))
        return tx.scalar(begun.limit(1)) is not None


@contextmanager
def arena(slots: int) -> Iterator[tuple[Stack, Store]]:
    """A whole arena that plays so many matches at once."""
    with open_folder() as folder, Stack(Plan(folder / "data", workers=slots), lambda text: None) as stack:
        store = Store.open(stack.settings)
        with store.write() as tx:
            tx.execute(insert(users).values(name=MAKER.name, is_admin=True, created_at=MAKER.created_at))
        yield stack, store
        store.dispose()


@contextmanager
def directly(slots: int, image: Path) -> Iterator["multiprocessing.pool.Pool"]:
    """Processes that play, each on its core, with sandboxes ready as a worker has them."""
    context = multiprocessing.get_context("spawn")
    numbers = context.Queue()
    for number in range(slots):
        numbers.put(number)
    with context.Pool(slots, prepare, (image, numbers)) as pool:
        pool.map(abs, range(slots))
        yield pool


def enter(store: Store, name: str, package: bytes) -> str:
    """A bot that may play, of an owner of its own; its name."""
    now, digest = utc_now(), hashlib.sha256(package).hexdigest()
    with store.write() as tx:
        owner = tx.execute(insert(users).values(name=f"owner-of-{name}", is_admin=False, created_at=now)).lastrowid
        row = {"name": name, "owner_id": owner, "game": "oware", "is_open": True, "created_at": now}
        bot = tx.execute(insert(bots).values(row)).lastrowid
        row = {"bot_id": bot, "number": 1, "content_hash": digest, "package": package, "state": "active"}
        tx.execute(insert(versions).values(row | {"submitted_at": now}))
    return name


def family(pid: int) -> Iterator[int]:
    """A process and all that it has started."""
    yield pid
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and f"PPid:\t{pid}\n" in (folder / "status").read_text():
                yield from family(int(folder.name))
        except OSError:
            continue


def peak_mb(pid: int) -> float:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM")), 0.0)


if __name__ == "__main__":
    sys.exit(run("Dispatch", measure))
