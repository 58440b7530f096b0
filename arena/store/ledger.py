"""The whole ledger of a ruleset, to be folded again from the results, and its repair where it differs."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, and_, delete, func, insert, select, update

from arena.ratings.ledger import LedgerRow, RatedResult, RatedVersion, Rating
from arena.store.ratings import (
    FIRST,
    FIRST_BOT,
    RESULT,
    SECOND,
    SECOND_BOT,
    ledger_values,
    rated_result,
    version_ids,
    with_bots,
)
from arena.store.schema import bots, matches, rating_changes, ratings, results, rulesets, tournaments, users, versions

ROWS_AT_ONCE = 1000


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of the ledger as it is stored; `result` is what the match ended with, None if it has no result.

    `tournament_id` and `schedule_index` are the match's.
    """

    id: int
    row: LedgerRow
    result: RatedResult | None
    tournament_id: int
    schedule_index: int


_version, _opponent = versions.alias("version"), versions.alias("opponent")


def rated_rulesets(tx: Connection) -> list[str]:
    """Every ruleset that has a ledger, by name."""
    return list(tx.scalars(select(rulesets.c.ruleset).order_by(rulesets.c.ruleset)))


def entries(tx: Connection, ruleset: str) -> Iterator[Entry]:
    """The ledger in its own order, the rows of a match together; never all of it in memory."""
    began = func.min(rating_changes.c.id).over(partition_by=rating_changes.c.match_id)
    query = (
        select(
            rating_changes,
            matches.c.tournament_id,
            matches.c.schedule_index,
            _version.c.number.label("number"),
            _opponent.c.bot_id.label("opponent_bot"),
            _opponent.c.number.label("opponent_number"),
            results.c.match_id.label("result_of"),
            *RESULT,
        )
        .join(matches, matches.c.id == rating_changes.c.match_id)
        .join(FIRST, FIRST.c.id == matches.c.first_version_id)
        .join(SECOND, SECOND.c.id == matches.c.second_version_id)
        .join(_version, _version.c.id == rating_changes.c.version_id)
        .outerjoin(_opponent, _opponent.c.id == rating_changes.c.opponent_version_id)
        .outerjoin(results, results.c.match_id == matches.c.id)
        .where(rating_changes.c.ruleset == ruleset)
        .order_by(began, rating_changes.c.id)
    )
    for row in tx.execute(query, execution_options={"yield_per": ROWS_AT_ONCE}):
        result = None if row.result_of is None else rated_result(row, row.match_id)
        yield Entry(row.id, _ledger_row(row), result, row.tournament_id, row.schedule_index)


def left_out(tx: Connection, ruleset: str, system_owner: str, rated_cycles: int) -> list[RatedResult]:
    """Results that count, lie behind the rating cursor, and are not in the ledger; there should be none."""
    in_ledger = select(rating_changes.c.id).where(rating_changes.c.match_id == matches.c.id).exists()
    is_behind = matches.c.schedule_index < tournaments.c.rating_cursor
    is_in_rated_cycle = matches.c.schedule_index * tournaments.c.cycles < rated_cycles * tournaments.c.match_count
    has_two_owners = FIRST_BOT.c.owner_id != SECOND_BOT.c.owner_id
    query = (
        with_bots(select(matches.c.id, *RESULT))
        .join(results, results.c.match_id == matches.c.id)
        .join(tournaments, tournaments.c.id == matches.c.tournament_id)
        .join(users, users.c.id == FIRST_BOT.c.owner_id)
        .where(matches.c.ruleset == ruleset, tournaments.c.is_rated, is_behind, is_in_rated_cycle, ~in_ledger)
        .where(has_two_owners | (users.c.name == system_owner))
        .order_by(matches.c.tournament_id, matches.c.schedule_index)
    )
    return [rated_result(row, row.id) for row in tx.execute(query)]


def standing_of_all(tx: Connection, ruleset: str) -> dict[RatedVersion, Rating]:
    """Where every rated version of a ruleset stands, as it is stored."""
    query = select(ratings, versions.c.number).join(versions, versions.c.id == ratings.c.version_id)
    return {
        RatedVersion(row.bot_id, row.number): Rating(row.rating, row.matches, row.wins, row.draws, row.losses)
        for row in tx.execute(query.where(ratings.c.ruleset == ruleset))
    }


def bot_names(tx: Connection, bot_ids: Iterable[int]) -> dict[int, str]:
    """The names of bots by id."""
    return {row.id: row.name for row in tx.execute(select(bots.c.id, bots.c.name).where(bots.c.id.in_(set(bot_ids))))}


def correct(tx: Connection, entry_id: int, row: LedgerRow) -> None:
    """Make a row of the ledger what the results say; hold the ruleset's lock."""
    values = ledger_values(row, _ids_for(tx, row))
    tx.execute(update(rating_changes).where(rating_changes.c.id == entry_id).values(values))


def remove(tx: Connection, entry_id: int) -> None:
    """Take out a row that no result stands behind; hold the ruleset's lock."""
    tx.execute(delete(rating_changes).where(rating_changes.c.id == entry_id))


def add(tx: Connection, ruleset: str, row: LedgerRow, now: datetime) -> None:
    """Put in a row that was left out; hold the ruleset's lock."""
    values = ledger_values(row, _ids_for(tx, row))
    tx.execute(insert(rating_changes).values(ruleset=ruleset, created_at=now, **values))


def drop_standing(tx: Connection, ruleset: str, version: RatedVersion) -> None:
    """This version was never rated; hold the ruleset's lock."""
    version_id = version_ids(tx, {version.bot})[version]
    tx.execute(delete(ratings).where(and_(ratings.c.ruleset == ruleset, ratings.c.version_id == version_id)))


def _ids_for(tx: Connection, row: LedgerRow) -> dict[RatedVersion, int]:
    return version_ids(tx, {row.version.bot} | ({row.opponent.bot} if row.opponent else set()))


def _ledger_row(row: Row[*tuple[Any, ...]]) -> LedgerRow:
    has_opponent = row.opponent_bot is not None
    return LedgerRow(
        kind=row.kind,
        match=row.match_id,
        version=RatedVersion(row.bot_id, row.number),
        before=row.before,
        after=row.after,
        expected=row.expected,
        k=row.k,
        score=row.score,
        opponent=RatedVersion(row.opponent_bot, row.opponent_number) if has_opponent else None,
        opponent_before=row.opponent_before,
    )
