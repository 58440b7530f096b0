"""Rows that are written whether they were there before or not."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from sqlalchemy import Connection, Insert, Table
from sqlalchemy.dialects import postgresql, sqlite


def put(tx: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    """Write these rows, all of the same columns, over those that have their primary keys."""
    if not rows:
        return
    tx.execute(_statement(tx.dialect.name, table, tuple(rows[0])), rows)


@cache
def _statement(dialect: str, table: Table, columns: tuple[str, ...]) -> Insert:
    new: sqlite.Insert | postgresql.Insert = (sqlite if dialect == "sqlite" else postgresql).insert(table)
    keys = [column.name for column in table.primary_key]
    changed = {name: new.excluded[name] for name in columns if name not in keys}
    return new.on_conflict_do_update(index_elements=keys, set_=changed)
