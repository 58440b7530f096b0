"""Names are found and ordered by bytes, in whatever language the database sorts."""

from sqlalchemy import text

from arena.store import careers
from arena.store.session import Store
from tests.support.field import add_bot

BY_BYTES = ["a-b", "a0", "a_b", "ab"]


def test_names_are_ordered_by_bytes_whatever_the_collation(any_store: Store) -> None:
    with any_store.write() as tx:
        if tx.dialect.name == "postgresql":
            tx.execute(text('ALTER TABLE bots ALTER COLUMN name TYPE text COLLATE "en-x-icu"'))
    for name in reversed(BY_BYTES):
        add_bot(any_store, name)
    with any_store.read() as tx:
        assert careers.names_beginning(tx, "a", 9) == BY_BYTES
        assert careers.names_beginning(tx, "a-", 9) == ["a-b"]
        assert careers.names_beginning(tx, "a", 2) == BY_BYTES[:2]
