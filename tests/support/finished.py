"""Matches that are over, put into the database with a record that a test made."""

from sqlalchemy import insert, select

from arena.match.record import MatchRecord
from arena.store import results
from arena.store.leases import Lease
from arena.store.results import NewResult
from arena.store.schema import bots, matches, versions
from arena.store.session import Store
from tests.support.field import START, add_bot, add_version


def add_match(store: Store, record: MatchRecord, logs: tuple[str, str] = ("", "")) -> int:
    """The match of this record, its bots added where they are missing; its id."""
    seats = [_version_id(store, bot.name, bot.version) for bot in record.bots]
    row = {
        "purpose": "tournament", "ruleset": record.ruleset, "match_format": record.match_format,
        "time_control": record.time_control, "opening_plies": record.opening_plies, "seed": record.seed,
        "first_version_id": seats[0], "second_version_id": seats[1], "state": "finished", "attempt": 1,
        "created_at": START, "ended_at": START,
    }
    with store.write() as tx:
        match_id: int = tx.execute(insert(matches).values(row).returning(matches.c.id)).scalar_one()
        results.add(tx, [NewResult(Lease(match_id, 1), record, logs, results.pack(record), 100, START)])
    return match_id


def _version_id(store: Store, name: str, number: int) -> int:
    with store.read() as tx:
        known = {
            row.number: row.id
            for row in tx.execute(
                select(versions.c.number, versions.c.id).join(bots, bots.c.id == versions.c.bot_id)
                .where(bots.c.name == name)
            )
        }
    if not known:
        known[1] = add_bot(store, name)
    while number not in known:
        known[max(known) + 1] = add_version(store, name, max(known) + 1)
    return known[number]
