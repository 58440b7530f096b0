"""How dispatch learns at once that there is something to play; without Redis it looks when its second has passed."""

from contextlib import suppress

from arena.errors import BoardsUnavailable
from arena.store.session import Store


def ring(store: Store) -> None:
    """Something has become due; to be said after the commit."""
    with suppress(BoardsUnavailable):
        store.bell.ring()
