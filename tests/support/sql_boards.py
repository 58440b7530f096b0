"""Boards as the database has them, to be compared with those in Redis."""

from arena.store import boards
from arena.store.leaderboards import BoardSlice
from arena.store.session import Store

ALL_OF_IT = 1_000_000


def sql_board(store: Store, ruleset: str) -> BoardSlice:
    """All of a board."""
    with store.read() as tx:
        return boards.page(tx, ruleset, ALL_OF_IT, None)
