"""Is everything there that the arena needs, and how much is there to do?"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from arena.errors import BoardsUnavailable, StoreUnavailable
from arena.store import health
from arena.store.leases import EXPIRED, FAULT
from arena.store.session import Store, utc_now
from arena.store.windows import WORKER_GONE


@dataclass(frozen=True, slots=True)
class Check:
    """One thing the arena needs; without an `is_required` one nothing can be answered."""

    name: str
    is_ok: bool
    is_required: bool
    detail: str


@dataclass(frozen=True, slots=True)
class Load:
    """What waits, who plays, and how many attempts have ever failed through no fault of the bots."""

    matches: Mapping[str, int]
    oldest_seconds: float
    slots_by_isolation: Mapping[str, int]
    lease_expiries: int
    attempt_faults: int


def readiness(store: Store, now: Callable[[], datetime] = utc_now) -> tuple[Check, ...]:
    """Every check, also when the first one fails."""
    return (*_database_checks(store, now()), _redis_check(store))


def load(store: Store, now: Callable[[], datetime] = utc_now) -> Load:
    """The load as the database has it now."""
    moment = now()
    with store.read() as tx:
        oldest = health.oldest_unfinished(tx)
        slots: dict[str, int] = {}
        for worker in health.workers_seen(tx, moment - WORKER_GONE):
            slots[worker.isolation] = slots.get(worker.isolation, 0) + worker.slots
        failed = health.failed_attempts(tx)
        return Load(
            matches=health.matches_by_state(tx),
            oldest_seconds=(moment - oldest).total_seconds() if oldest else 0.0,
            slots_by_isolation=slots,
            lease_expiries=failed[EXPIRED],
            attempt_faults=failed[FAULT],
        )


def _database_checks(store: Store, now: datetime) -> tuple[Check, ...]:
    try:
        with store.read() as tx:
            is_migrated = health.is_migrated(tx)
            workers = health.workers_seen(tx, now - WORKER_GONE) if is_migrated else ()
    except StoreUnavailable as error:
        return (Check("database", False, True, str(error)),)
    tables = "current" if is_migrated else "The tables are not those of this version; run `arena admin migrate`."
    tiers = ", ".join(f"{worker.name}: {worker.slots} at once, isolation {worker.isolation}" for worker in workers)
    return (
        Check("database", True, True, "answers"),
        Check("migrations", is_migrated, True, tables),
        Check("workers", bool(workers), False, tiers or "No worker was seen lately; nothing is being played."),
    )


def _redis_check(store: Store) -> Check:
    try:
        store.boards.ping()
    except BoardsUnavailable as error:
        return Check("redis", False, False, str(error))
    return Check("redis", True, False, "answers")
