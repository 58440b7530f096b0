"""The boards in Redis follow the ratings in SQL: told after every commit, and compared from time to time."""

from collections.abc import Iterable

import structlog

from arena.errors import BoardsUnavailable
from arena.services.rebuild import fill_board
from arena.store import boards, ratings
from arena.store.session import Store

log = structlog.get_logger()


def push_boards(store: Store, rulesets: Iterable[str]) -> None:
    """Tell Redis what it does not know yet of these boards; if Redis is away, a later push or tick tells it."""
    for ruleset in rulesets:
        try:
            _push(store, ruleset)
        except BoardsUnavailable as error:
            log.warning("board_not_pushed", ruleset=ruleset, reason=str(error))
            return


def refresh_boards(store: Store) -> None:
    """Compare every board in Redis with the database, and push those that are behind, empty or ahead."""
    with store.read() as tx:
        names = ratings.sequences(tx)
    try:
        known = {ruleset: store.boards.sequence(ruleset) for ruleset in names}
    except BoardsUnavailable:
        return                          # nothing to be done, and whoever reads a board says so
    with store.read() as tx:            # after Redis was asked, so that only an old copy can be behind it
        current = ratings.sequences(tx)
    push_boards(store, [ruleset for ruleset, sequence in known.items() if sequence != current[ruleset]])


def _push(store: Store, ruleset: str) -> None:
    """Everything newer than what Redis knows, so that a push that was lost is made up for by the next."""
    known = store.boards.sequence(ruleset)
    with store.read() as tx:
        current = ratings.sequences(tx)[ruleset]
        news = boards.changed_after(tx, ruleset, known) if known is not None else ()
        gone = boards.removed_after(tx, ruleset, known) if known is not None else ()
    if known is not None and known <= current:
        for bot, sequence in gone:
            store.boards.remove(ruleset, bot, sequence)
        if store.boards.apply(ruleset, news, current):
            return
    if known is not None and known > current:
        store.boards.forget(ruleset)        # the database is an older one, put back from a copy
    if fill_board(store, ruleset):
        log.info("board_filled", ruleset=ruleset)
