"""The boards in Redis follow the ratings in SQL: told after every commit, and compared from time to time."""

from collections.abc import Iterable

import structlog

from arena.errors import BoardsUnavailable
from arena.services.rebuild import fill_board
from arena.store import boards, ratings
from arena.store.session import Store

ATTEMPTS = 3                    # forget, fill, tell what came meanwhile; else one is enough

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
    for _ in range(ATTEMPTS):
        known = store.boards.sequence(ruleset)
        if known is None:
            if not fill_board(store, ruleset):
                return                      # somebody else is at it; what comes meanwhile is for the next push or tick
            log.info("board_filled", ruleset=ruleset)
            continue                        # with what came meanwhile
        with store.read() as tx:
            changes = boards.changed_after(tx, ruleset, known)
        if changes.reached < known:
            store.boards.forget(ruleset)    # the database is an older one, put back from a copy
        elif changes.reached == known or store.boards.apply(ruleset, changes):
            return
