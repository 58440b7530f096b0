"""Ratings as services: the ledger grows in schedule order, and anybody can look at its rows."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection

from arena.errors import NotFound
from arena.games import load
from arena.ratings.eligibility import is_in_rated_cycle, may_be_rated
from arena.ratings.ledger import RatedResult, fold
from arena.services.rebuild import Comparison, rebuild
from arena.store import bots, events, ratings
from arena.store.paging import DEFAULT_LIMIT, Page, check_limit, decode_cursor, page_of
from arena.store.ratings import Cursor, Ended, RatingChange
from arena.store.session import Store, utc_now

__all__ = [
    "Comparison",
    "advance_rating_cursor",
    "history",
    "rebuild",
]

AT_ONCE = 100                   # matches the cursor looks at in one query


def advance_rating_cursor(tx: Connection, tournament_id: int, now: datetime | None = None) -> str | None:
    """Rate the unbroken run of final matches, in schedule order; end the tournament when that was all of it.

    Returns: the ruleset whose board has changed, for `board_copies.push_boards` after the commit.
    """
    moment = now or utc_now()
    cursor = ratings.cursor(tx, tournament_id)
    place, is_changed = cursor.rating_cursor, False
    while run := ratings.ended_from(tx, tournament_id, place, AT_ONCE):
        rated = [ended.result for ended in run if ended.result is not None and _counts(cursor, ended)]
        is_changed |= _rate(tx, cursor.ruleset, rated, moment)
        events.append(tx, tournament_id, events.RATING, [result.match for result in rated])
        place += len(run)
        if len(run) < AT_ONCE:
            break
    if place != cursor.rating_cursor:
        ratings.move_cursor(tx, tournament_id, place)
    if place == cursor.match_count and cursor.state in ("running", "paused"):
        _end(tx, tournament_id, moment)
    return cursor.ruleset if is_changed else None


def history(
    store: Store, bot: str, ruleset: str, limit: int = DEFAULT_LIMIT, cursor: str | None = None
) -> Page[RatingChange]:
    """What changed a bot's ratings in a ruleset, newest first, all its versions together; raises `NotFound`."""
    name = load(ruleset).ruleset
    key = decode_cursor(cursor, "ratings", int)
    with store.read() as tx:
        found = bots.find_bot(tx, bot)
        if found is None:
            raise NotFound(f"There is no bot {bot[:60]!r}; look for its name in the list of bots.", field="bot")
        below = None if key is None else int(key[0])
        rows = ratings.changes_of(tx, (found.id, name), below, check_limit(limit) + 1)
    return page_of(rows, limit, "ratings", lambda change: (change.id,))


def _counts(cursor: Cursor, ended: Ended) -> bool:
    """Whether a match goes into the ledger now."""
    if ended.is_rated or not cursor.is_rated:
        return False
    is_rated_place = is_in_rated_cycle(ended.schedule_index, cursor.cycles, cursor.match_count)
    return is_rated_place and may_be_rated(ended.owners)


def _rate(tx: Connection, ruleset: str, rated: Sequence[RatedResult], now: datetime) -> bool:
    if not rated:
        return False
    last = ratings.lock_ruleset(tx, ruleset)
    state = ratings.standing(tx, ruleset, {bot for result in rated for bot in (result.first.bot, result.second.bot)})
    steps = []
    for result in rated:
        steps.append(fold(state, result))
        state.update(steps[-1].ratings)
    ratings.append(tx, ruleset, steps, last + 1, now)
    ratings.set_sequence(tx, ruleset, last + len(rated))
    return True


def _end(tx: Connection, tournament_id: int, now: datetime) -> None:
    """A void match that is played again may still be out, though the cursor has long passed it."""
    if not ratings.has_unplayed(tx, tournament_id):
        ratings.end_tournament(tx, tournament_id, now)
