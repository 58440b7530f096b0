"""Matches by their places in a schedule."""

from collections.abc import Collection

from sqlalchemy import Connection, select

from arena.store.matches import Match, with_ids
from arena.store.schema import matches


def matches_at(tx: Connection, tournament_id: int, places: Collection[int]) -> dict[int, Match]:
    """Those of these places of a tournament's schedule that have rows, by place."""
    query = select(matches.c.id).where(
        matches.c.tournament_id == tournament_id, matches.c.schedule_index.in_(list(places))
    )
    found = with_ids(tx, list(tx.scalars(query))) if places else []
    return {match.schedule_index: match for match in found if match.schedule_index is not None}
