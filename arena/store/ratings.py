"""The rating ledger and where it stands, as rows. How a rating changes is decided in `arena.ratings`."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import BindParameter, Connection, Row, Select, and_, bindparam, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from arena.ratings.ledger import LedgerRow, RatedResult, RatedVersion, Rating, Step
from arena.store import upserts
from arena.store.schema import bots, matches, rating_changes, ratings, results, rulesets, tournaments, users, versions
from arena.store.states import UNPLAYED


@dataclass(frozen=True, slots=True)
class RatingChange:
    """A row of the ledger with names; the last five are None in an `inherit` row. `score` in half-points."""

    id: int
    ruleset: str
    kind: str
    match_id: int
    bot: str
    version: int
    before: float
    after: float
    expected: float | None
    k: int | None
    score: int | None
    opponent: str | None
    opponent_version: int | None
    opponent_before: float | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Ended:
    """A final match as the rating cursor meets it; `result` is None when it is void.

    `is_rated` already: the cursor was moved back for the sake of a void match that was played again.
    """

    schedule_index: int
    result: RatedResult | None
    owners: tuple[str, str]
    is_rated: bool


@dataclass(frozen=True, slots=True)
class Cursor:
    """How far the ledger has come in a tournament's schedule, and what it needs to know to go on."""

    tournament_id: int
    ruleset: str
    is_rated: bool
    cycles: int
    match_count: int
    rating_cursor: int
    state: str


FIRST, SECOND = versions.alias("first"), versions.alias("second")
FIRST_BOT, SECOND_BOT = bots.alias("first_bot"), bots.alias("second_bot")
RESULT = (                              # what `rated_result` reads
    results.c.first_score,
    results.c.second_score,
    FIRST.c.bot_id.label("first_bot"),
    FIRST.c.number.label("first_number"),
    SECOND.c.bot_id.label("second_bot"),
    SECOND.c.number.label("second_number"),
)


def with_bots(query: Select[*tuple[Any, ...]]) -> Select[*tuple[Any, ...]]:
    """The query of matches, with both versions and their bots."""
    return (
        query.join(FIRST, FIRST.c.id == matches.c.first_version_id)
        .join(SECOND, SECOND.c.id == matches.c.second_version_id)
        .join(FIRST_BOT, FIRST_BOT.c.id == FIRST.c.bot_id)
        .join(SECOND_BOT, SECOND_BOT.c.id == SECOND.c.bot_id)
    )


_first_owner, _second_owner = users.alias("first_owner"), users.alias("second_owner")
_BOTS: BindParameter[int] = bindparam("bots", expanding=True)
_OF_TOURNAMENT = tournaments.c.id == bindparam("tournament")
_OF_RULESET = rulesets.c.ruleset == bindparam("of")
_CURSOR = select(
    *(tournaments.c[name] for name in ("id", "ruleset", "is_rated", "cycles", "match_count", "rating_cursor", "state"))
).where(_OF_TOURNAMENT).with_for_update(key_share=True)
_MOVE_CURSOR = update(tournaments).where(_OF_TOURNAMENT).values(rating_cursor=bindparam("place"))
_NEW_RULESET = {
    "sqlite": sqlite.insert(rulesets).on_conflict_do_nothing(),
    "postgresql": postgresql.insert(rulesets).on_conflict_do_nothing(),
}
_ENDED_FROM = (
    with_bots(
        select(
            matches.c.id,
            matches.c.schedule_index,
            matches.c.state,
            *RESULT,
            _first_owner.c.name.label("first_owner"),
            _second_owner.c.name.label("second_owner"),
            select(rating_changes.c.id).where(rating_changes.c.match_id == matches.c.id).exists().label("is_rated"),
        )
    )
    .outerjoin(results, results.c.match_id == matches.c.id)
    .join(_first_owner, _first_owner.c.id == FIRST_BOT.c.owner_id)
    .join(_second_owner, _second_owner.c.id == SECOND_BOT.c.owner_id)
    .where(matches.c.tournament_id == bindparam("tournament"), matches.c.schedule_index >= bindparam("start"))
    .order_by(matches.c.schedule_index)
    .limit(bindparam("most"))
)
_SEQUENCE = select(rulesets.c.sequence).where(_OF_RULESET).with_for_update()
_SET_SEQUENCE = update(rulesets).where(_OF_RULESET).values(sequence=bindparam("to"))
_STANDING = (
    select(ratings, versions.c.number)
    .join(versions, versions.c.id == ratings.c.version_id)
    .where(ratings.c.ruleset == bindparam("ruleset"), ratings.c.bot_id.in_(_BOTS))
)
_VERSIONS = select(versions.c.bot_id, versions.c.number, versions.c.id).where(versions.c.bot_id.in_(_BOTS))


def cursor(tx: Connection, tournament_id: int) -> Cursor:
    """The rating cursor of a tournament, locked until the transaction ends."""
    return Cursor(*tx.execute(_CURSOR, {"tournament": tournament_id}).one())


def has_unplayed(tx: Connection, tournament_id: int) -> bool:
    """Whether a match with a row is still to be played."""
    unplayed = and_(matches.c.tournament_id == tournament_id, matches.c.state.in_(UNPLAYED))
    return bool(tx.scalar(select(select(matches.c.id).where(unplayed).exists())))


def end_tournament(tx: Connection, tournament_id: int, now: datetime) -> None:
    """Everything of this tournament has been played."""
    ended = update(tournaments).where(tournaments.c.id == tournament_id)
    tx.execute(ended.values(state="finished", ended_at=now))


def move_cursor(tx: Connection, tournament_id: int, to: int) -> None:
    """All matches of the schedule below `to` are rated or skipped."""
    tx.execute(_MOVE_CURSOR, {"tournament": tournament_id, "place": to})


def ended_from(tx: Connection, tournament_id: int, start: int, limit: int) -> list[Ended]:
    """The unbroken run of final matches from this place of the schedule on, at most `limit` of them."""
    rows = tx.execute(_ENDED_FROM, {"tournament": tournament_id, "start": start, "most": limit})
    run = []
    for place, row in enumerate(rows, start):
        if row.schedule_index != place or row.state not in ("finished", "void"):
            break
        result = rated_result(row, row.id) if row.state == "finished" else None
        run.append(Ended(place, result, (row.first_owner, row.second_owner), row.is_rated))
    return run


def lock_ruleset(tx: Connection, ruleset: str) -> int:
    """Keep the ledger of a ruleset to ourselves until the transaction ends; the number of its last change."""
    tx.execute(_NEW_RULESET[tx.dialect.name], {"ruleset": ruleset, "sequence": 0})
    sequence = tx.scalar(_SEQUENCE, {"of": ruleset})
    assert sequence is not None
    return int(sequence)


def set_sequence(tx: Connection, ruleset: str, sequence: int) -> None:
    """The number of the last change to a ruleset's board; hold its lock."""
    tx.execute(_SET_SEQUENCE, {"of": ruleset, "to": sequence})


def standing(tx: Connection, ruleset: str, bot_ids: Collection[int]) -> dict[RatedVersion, Rating]:
    """Where all rated versions of these bots stand."""
    rows = tx.execute(_STANDING, {"ruleset": ruleset, "bots": list(bot_ids)})
    return {
        RatedVersion(row.bot_id, row.number): Rating(row.rating, row.matches, row.wins, row.draws, row.losses)
        for row in rows
    }


def append(tx: Connection, ruleset: str, steps: Sequence[Step], first: int, now: datetime) -> None:
    """Add steps to the ledger, as changes from `first` on, and to where versions stand; hold the ruleset's lock."""
    ids = version_ids(tx, {version.bot for step in steps for version in step.ratings})
    shared = {"ruleset": ruleset, "created_at": now}
    tx.execute(insert(rating_changes), [{**ledger_values(row, ids), **shared} for step in steps for row in step.rows])
    stands = {
        version: (rating, sequence)
        for sequence, step in enumerate(steps, first)
        for version, rating in step.ratings.items()
    }
    _put_standing(tx, ruleset, stands, ids, now)


def put_standing(
    tx: Connection, ruleset: str, stands: Mapping[RatedVersion, tuple[Rating, int]], now: datetime
) -> None:
    """Write where versions stand since which change, whether they were rated before or not; hold the ruleset's lock."""
    _put_standing(tx, ruleset, stands, version_ids(tx, {version.bot for version in stands}), now)


def rated_result(row: Row[*tuple[Any, ...]], match_id: int) -> RatedResult:
    """What a match ended with, from a row with `RESULT`."""
    first = RatedVersion(row.first_bot, row.first_number)
    second = RatedVersion(row.second_bot, row.second_number)
    return RatedResult(match_id, first, second, (row.first_score, row.second_score))


def rating_values(rating: Rating) -> dict[str, Any]:
    """The columns of `ratings` that the fold fills."""
    return {name: getattr(rating, name) for name in ("rating", "matches", "wins", "draws", "losses")}


def ledger_values(row: LedgerRow, ids: dict[RatedVersion, int]) -> dict[str, Any]:
    """The columns of `rating_changes` that the fold fills; `ids` maps versions to their rows."""
    return {
        "kind": row.kind,
        "match_id": row.match,
        "bot_id": row.version.bot,
        "version_id": ids[row.version],
        "before": row.before,
        "after": row.after,
        "expected": row.expected,
        "k": row.k,
        "score": row.score,
        "opponent_version_id": None if row.opponent is None else ids[row.opponent],
        "opponent_before": row.opponent_before,
    }


def version_ids(tx: Connection, bot_ids: Collection[int]) -> dict[RatedVersion, int]:
    """The row of every version of these bots."""
    rows = tx.execute(_VERSIONS, {"bots": list(bot_ids)})
    return {RatedVersion(row.bot_id, row.number): row.id for row in rows}


def sequences(tx: Connection) -> dict[str, int]:
    """The number of the last change to the board of every ruleset that was ever rated."""
    return {row.ruleset: row.sequence for row in tx.execute(select(rulesets))}


def changes_of(tx: Connection, of: tuple[int, str], below: int | None, limit: int) -> list[RatingChange]:
    """The rows of a bot (its id) in a ruleset's ledger, newest first, those with ids `below` this one."""
    query = _changes().where(rating_changes.c.bot_id == of[0], rating_changes.c.ruleset == of[1])
    if below is not None:
        query = query.where(rating_changes.c.id < below)
    return [_change(row) for row in tx.execute(query.order_by(rating_changes.c.id.desc()).limit(limit))]


def changes_by(tx: Connection, match_ids: Collection[int]) -> list[RatingChange]:
    """What these matches did to ratings, in the order of the ledger."""
    query = _changes().where(rating_changes.c.match_id.in_(match_ids))
    return [_change(row) for row in tx.execute(query.order_by(rating_changes.c.id))]


def _put_standing(
    tx: Connection,
    ruleset: str,
    stands: Mapping[RatedVersion, tuple[Rating, int]],
    ids: Mapping[RatedVersion, int],
    now: datetime,
) -> None:
    shared = {"ruleset": ruleset, "rated_at": now}
    rows = [
        {"bot_id": version.bot, "version_id": ids[version], "sequence": sequence, **rating_values(rating), **shared}
        for version, (rating, sequence) in stands.items()
    ]
    upserts.put(tx, ratings, rows)


def _changes() -> Select[*tuple[Any, ...]]:
    opponent, opponent_bot = versions.alias("opponent"), bots.alias("opponent_bot")
    return (
        select(
            rating_changes,
            bots.c.name.label("bot"),
            versions.c.number.label("version"),
            opponent_bot.c.name.label("opponent"),
            opponent.c.number.label("opponent_version"),
        )
        .join(bots, bots.c.id == rating_changes.c.bot_id)
        .join(versions, versions.c.id == rating_changes.c.version_id)
        .outerjoin(opponent, opponent.c.id == rating_changes.c.opponent_version_id)
        .outerjoin(opponent_bot, opponent_bot.c.id == opponent.c.bot_id)
    )


def _change(row: Row[*tuple[Any, ...]]) -> RatingChange:
    return RatingChange(**{name: getattr(row, name) for name in RatingChange.__slots__})
