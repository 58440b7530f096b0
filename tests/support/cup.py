"""Tournaments for tests of the services: made and started by the services, played with dice."""

from typing import Any

from sqlalchemy import select

from arena.services import dispatch, results, tournaments
from arena.store.accounts import User
from arena.store.schema import matches as match_rows
from arena.store.session import Store
from arena.store.tournaments import Tournament
from tests.support import field
from tests.support.field import Moment, Post

NAMES = ("abel", "beth", "cora", "dora")


def started(store: Store, user: User, **changes: Any) -> Tournament:
    """A running tournament of these bots."""
    fields: dict[str, Any] = {"name": "cup", "ruleset": "oware", "bots": list(NAMES), "match_format": "games-2"}
    made = tournaments.create(store, user, **(fields | changes), draw_seed=lambda size: "5eed" * 16)
    return tournaments.start(store, user, made.id)


def play_some(store: Store, count: int) -> None:
    """Play so many matches, one after the other."""
    for _ in range(count):
        post = Post()
        dispatch.tick(store, post, Moment())
        queued = queued_ids(store)
        assignment = next(dispatch.claim_each(store, "w1", queued, Moment()))
        results.ingest(store, assignment, field.play(assignment.setup), 100, Moment())


def queued_ids(store: Store) -> list[int]:
    """Matches that can be claimed, in the order they were made."""
    with store.read() as tx:
        queued = select(match_rows.c.id).where(match_rows.c.state == "queued").order_by(match_rows.c.id)
        return list(tx.scalars(queued))
