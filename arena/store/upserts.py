"""Rows that are written whether they were there before or not."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite


def put(tx: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    """Write these rows, all of the same columns, over those that have their primary keys."""
    if not rows:
        return
    dialect = sqlite if tx.dialect.name == "sqlite" else postgresql
    new = dialect.insert(table)
    keys = [column.name for column in table.primary_key]
    changed = {name: new.excluded[name] for name in rows[0] if name not in keys}
    tx.execute(new.on_conflict_do_update(index_elements=keys, set_=changed), rows)
