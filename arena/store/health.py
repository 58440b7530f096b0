"""What an operator wants to know of the database: is it ours and current, what waits in it, who plays."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, func, select

from arena.store.leases import EXPIRED, FAULT
from arena.store.migrate import SCRIPTS
from arena.store.schema import FAILED_ATTEMPT, attempts, matches, workers
from arena.store.states import UNPLAYED


@dataclass(frozen=True, slots=True)
class WorkerSeen:
    """A worker, and when it last told that it lives."""

    name: str
    slots: int
    isolation: str
    seen_at: datetime


def is_migrated(tx: Connection) -> bool:
    """Whether the tables are those of this version of the arena."""
    return MigrationContext.configure(tx).get_current_revision() == _newest_revision()


def matches_by_state(tx: Connection) -> Mapping[str, int]:
    """How many matches there are in each state."""
    rows = tx.execute(select(matches.c.state, func.count()).group_by(matches.c.state))
    return {row[0]: row[1] for row in rows}


def oldest_unfinished(tx: Connection) -> datetime | None:
    """When the oldest match that still has to be played was created."""
    oldest: datetime | None = tx.scalar(select(func.min(matches.c.created_at)).where(matches.c.state.in_(UNPLAYED)))
    return oldest


def failed_attempts(tx: Connection) -> Mapping[str, int]:
    """How many attempts have ever failed through no fault of the bots, by how they ended: `expired` or `fault`."""
    rows = tx.execute(select(attempts.c.end, func.count()).where(FAILED_ATTEMPT).group_by(attempts.c.end))
    return {EXPIRED: 0, FAULT: 0} | {row[0]: row[1] for row in rows}


def workers_seen(tx: Connection, since: datetime) -> tuple[WorkerSeen, ...]:
    """The workers that have shown a sign of life since then, by name."""
    query = select(workers.c.name, workers.c.slots, workers.c.isolation, workers.c.seen_at).order_by(workers.c.name)
    return tuple(WorkerSeen(*row) for row in tx.execute(query.where(workers.c.seen_at >= since)))


@cache
def _newest_revision() -> str | None:
    return ScriptDirectory(str(SCRIPTS)).get_current_head()
