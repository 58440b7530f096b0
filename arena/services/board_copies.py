"""The boards in Redis follow the ratings in SQL: told after every commit, and compared from time to time."""

from collections.abc import Iterable, Iterator

import structlog

from arena.errors import BoardsUnavailable
from arena.store import boards, ratings
from arena.store.leaderboards import BoardChanges
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


def refill_boards(store: Store, rulesets: Iterable[str]) -> None:
    """Drop these boards in Redis, and fill them anew; if Redis is away, a later tick finds them empty."""
    try:
        for ruleset in rulesets:
            store.boards.forget(ruleset)
            fill_board(store, ruleset)
    except BoardsUnavailable as error:
        log.warning("boards_not_filled", reason=str(error))


def fill_board(store: Store, ruleset: str) -> bool:
    """Give Redis the whole board anew, as the database has it; False when somebody is at it already."""

    def read() -> Iterator[BoardChanges]:
        with store.read() as tx:
            yield from boards.in_parts(tx, ruleset)

    return store.boards.fill(ruleset, read)


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
