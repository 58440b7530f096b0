"""Results as rows: one per match, for ever. Whether a report counts is decided in the services."""

import hashlib
import json
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, insert, select, update

from arena.match.record import MatchRecord, from_json, to_json
from arena.store.leases import Lease
from arena.store.schema import matches, results, versions


@dataclass(frozen=True, slots=True)
class PackedRecord:
    """A record as it is stored: its JSON, deflated, and the SHA-256 of that JSON."""

    content: bytes
    hash: str


@dataclass(frozen=True, slots=True)
class Qualified:
    """How a qualification ended: active, or rejected with the fault; unchecked when it was our own."""

    state: str
    fault_kind: str | None = None
    fault_message: str | None = None
    log: str = ""
    import_ms: int | None = None


@dataclass(frozen=True, slots=True)
class NewResult:
    """What an attempt hands in, ready to be stored."""

    lease: Lease
    record: MatchRecord
    logs: tuple[str, str]
    packed: PackedRecord
    duration_ms: int
    ended_at: datetime


def pack(record: MatchRecord) -> PackedRecord:
    """The same record always gives the same bytes."""
    text = json.dumps(to_json(record), separators=(",", ":"), sort_keys=True).encode()
    return PackedRecord(zlib.compress(text), hashlib.sha256(text).hexdigest())


def unpack(content: bytes) -> MatchRecord:
    """The record that was packed."""
    return from_json(json.loads(zlib.decompress(content)))


def add(tx: Connection, new: Iterable[NewResult]) -> None:
    """The results of matches that have just become final."""
    if rows := [_row(result) for result in new]:
        tx.execute(insert(results), rows)


def is_stored(tx: Connection, lease: Lease, record_hash: str) -> bool:
    """Whether this attempt has handed in exactly this record before."""
    same = (results.c.match_id == lease.match_id, results.c.attempt == lease.attempt)
    return tx.scalar(select(results.c.record_hash).where(*same)) == record_hash


def decide_version(tx: Connection, match_id: int, qualified: Qualified, now: datetime) -> None:
    """Write what came out of a qualification to the version it was about."""
    checked = select(matches.c.first_version_id).where(matches.c.id == match_id).scalar_subquery()
    values: dict[str, Any] = {name: getattr(qualified, name) for name in ("state", "fault_kind", "import_ms")}
    values |= {"fault_message": _storable_or_none(qualified.fault_message), "log": _storable(qualified.log)}
    tx.execute(update(versions).where(versions.c.id == checked).values(**values, decided_at=now))


def _row(result: NewResult) -> dict[str, Any]:
    record = result.record
    first_points, second_points = (int(points * 2) for points in record.points)
    return {
        "match_id": result.lease.match_id,
        "attempt": result.lease.attempt,
        "winner": record.winner,
        "first_score": record.score[0],
        "second_score": record.score[1],
        "first_points": first_points,
        "second_points": second_points,
        "games": len(record.games),
        "record_hash": result.packed.hash,
        "record": result.packed.content,
        "first_log": _storable(result.logs[0]),
        "second_log": _storable(result.logs[1]),
        "reasons": _storable(json.dumps([game.verdict and game.verdict.message for game in record.games])),
        "duration_ms": result.duration_ms,
        "created_at": result.ended_at,
    }


def _storable_or_none(text: str | None) -> str | None:
    return None if text is None else _storable(text)


def _storable(text: str) -> str:
    """What a bot printed, without what PostgreSQL cannot keep in a text."""
    return text.replace("\0", "�").encode("utf-8", "replace").decode()
