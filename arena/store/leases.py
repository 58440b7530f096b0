"""The states of a match in SQL: every step is conditional, and changes nothing when another was quicker.

    due → queued (a place until …) → leased (attempt n, until …) → finished | void        and back to due

Which step to take, and when, is decided in the services. Nobody else writes `state`, `attempt` or `failures`.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import BindParameter, ColumnElement, Connection, and_, bindparam, exists, insert, or_, select, update
from sqlalchemy.sql.dml import Update

from arena.match.record_types import BotRef, MatchSetup
from arena.store.columns import UtcTime
from arena.store.schema import attempts, bots, matches, tournaments, versions
from arena.store.states import UNPLAYED

MAX_FAILURES = 3
EXPIRED, FAULT = "expired", "fault"      # how an attempt ends that counts as a failure
REST = timedelta(minutes=10)            # of a qualification that failed three times through our own fault
EXPIRED_AT_ONCE = 200                   # leases one step looks at, so that it stays short

_AT = bindparam("at", type_=UtcTime)
_MATCHES: BindParameter[int] = bindparam("matches", expanding=True)
_IS_CANCELLED = exists().where(tournaments.c.id == matches.c.tournament_id, tournaments.c.state == "cancelled")
_TOURNAMENTS_OF = (
    select(matches.c.id, matches.c.tournament_id)
    .join_from(matches, tournaments)
    .where(matches.c.id.in_(_MATCHES))
    .order_by(tournaments.c.id).with_for_update(of=tournaments, key_share=True)
)
_IS_MATCH = matches.c.id == bindparam("match")
_IS_RUNNING_HERE = (tournaments.c.state == "running", tournaments.c.engine_version == bindparam("engine"))
_CLAIM = (
    update(matches)
    .where(
        _IS_MATCH,
        matches.c.state == "queued",
        or_(
            matches.c.tournament_id.is_(None),      # a qualification
            exists().where(tournaments.c.id == matches.c.tournament_id, *_IS_RUNNING_HERE),
        ),
    )
    .values(state="leased", attempt=matches.c.attempt + 1, until=_AT, worker=bindparam("claimant"), ply=0)
    .returning(matches.c.attempt)
)
_LEASED_OF = (
    select(matches.c.id, matches.c.attempt)
    .where(matches.c.id.in_(_MATCHES), matches.c.state == "leased", ~_IS_CANCELLED)
    .order_by(matches.c.id).with_for_update(of=matches, key_share=True)
)
_FINISH_MATCH = update(matches).where(_IS_MATCH).values(state="finished", until=_AT, ended_at=_AT)
_FINISH_ATTEMPT = (
    update(attempts)
    .where(attempts.c.match_id == bindparam("match"), attempts.c.number == bindparam("of"), attempts.c.end.is_(None))
    .values(end="finished", ended_at=_AT)
)
_first, _second = versions.alias("first"), versions.alias("second")
_first_bot, _second_bot = bots.alias("first_bot"), bots.alias("second_bot")
_SETUP = (
    select(
        *(matches.c[name] for name in ("purpose", "ruleset", "match_format", "time_control", "seed", "opening_plies")),
        *(_first_bot.c.name.label("first_name"), _first.c.number.label("first_number")),
        *(_first.c.content_hash.label("first_hash"), _first.c.package.label("first_package")),
        *(_second_bot.c.name.label("second_name"), _second.c.number.label("second_number")),
        *(_second.c.content_hash.label("second_hash"), _second.c.package.label("second_package")),
    )
    .join(_first, _first.c.id == matches.c.first_version_id)
    .join(_first_bot, _first_bot.c.id == _first.c.bot_id)
    .outerjoin(_second, _second.c.id == matches.c.second_version_id)
    .outerjoin(_second_bot, _second_bot.c.id == _second.c.bot_id)
    .where(_IS_MATCH)
)


@dataclass(frozen=True, slots=True, order=True)
class Lease:
    """A timed right to play one match, numbered by attempt; whoever holds an older number holds nothing."""

    match_id: int
    attempt: int


@dataclass(frozen=True, slots=True)
class Failed:
    """How an attempt failed: `end` is `EXPIRED` or `FAULT`. Anybody sees `code`; `detail` is the operator's."""

    end: str
    code: str
    detail: str


@dataclass(frozen=True, slots=True)
class Claimant:
    """A process that plays one match at a time, under one version of the engine."""

    name: str
    engine_version: str


@dataclass(frozen=True, slots=True)
class Failure:
    """An attempt that ended through a fault of ours; `is_last`: the third, so the match is void, or rests."""

    match_id: int
    purpose: str
    tournament_id: int | None
    version_id: int
    is_last: bool


def lock_tournaments(tx: Connection, match_ids: Collection[int]) -> dict[int, int]:
    """The tournaments of these matches; nobody else changes their states, cursors or rows until the transaction ends.

    A qualification has none. Whoever needs several locks takes them in this order: tournaments, matches, rulesets, each
    kind by id or name.
    """
    return {row.id: row.tournament_id for row in tx.execute(_TOURNAMENTS_OF, {"matches": list(match_ids)})}


def claim(tx: Connection, match_id: int, claimant: Claimant, now: datetime, until: datetime) -> Lease | None:
    """Lease a queued match; None when there is nothing to claim."""
    wanted = {"match": match_id, "engine": claimant.engine_version, "claimant": claimant.name, "at": until}
    attempt: int | None = tx.scalar(_CLAIM, wanted)
    if attempt is None:
        return None
    new = {"match_id": match_id, "number": attempt, "worker": claimant.name, "claimed_at": now}
    tx.execute(insert(attempts), new)
    return Lease(match_id, attempt)


def engine_wanted(tx: Connection, match_id: int) -> str | None:
    """The version of the engine a queued match is to be played under; None when any will do, or nobody wants it."""
    waits = and_(matches.c.id == match_id, matches.c.state == "queued", tournaments.c.state == "running")
    wanted: str | None = tx.scalar(select(tournaments.c.engine_version).join_from(matches, tournaments).where(waits))
    return wanted


def renew(tx: Connection, lease: Lease, ply: int, until: datetime) -> bool:
    """Keep the lease until then; False when this attempt holds it no more."""
    return _changes(tx, _leased(lease).where(~_IS_CANCELLED).values(until=until, ply=ply))


def hand_back(tx: Connection, lease: Lease, now: datetime) -> bool:
    """Return an unfinished match; this attempt does not count as a failure."""
    if not _changes(tx, _leased(lease).values(state="due", until=None, worker=None, ply=None)):
        return False
    _end_attempt(tx, lease, "returned", now)
    return True


def finish(tx: Connection, ended_at: Mapping[Lease, datetime]) -> set[Lease]:
    """Make final each match whose attempt holds the lease; those attempts. The others change nothing."""
    leased = tx.execute(_LEASED_OF, {"matches": [lease.match_id for lease in ended_at]})
    held = ended_at.keys() & {Lease(row.id, row.attempt) for row in leased}
    if held:
        values = [{"match": lease.match_id, "of": lease.attempt, "at": ended_at[lease]} for lease in sorted(held)]
        tx.execute(_FINISH_MATCH, values)
        tx.execute(_FINISH_ATTEMPT, values)
    return held


def fail(tx: Connection, lease: Lease, failed: Failed, now: datetime) -> Failure | None:
    """Count a failure: the match is due again, or after the third one void; a qualification rests instead."""
    held = _leased(lease)
    if failed.end == EXPIRED:
        held = held.where(matches.c.until < now)        # it may have been renewed since somebody looked
    row = tx.execute(
        held.values(state="due", failures=matches.c.failures + 1, until=None, worker=None, ply=None)
        .returning(matches.c.failures, matches.c.purpose, matches.c.tournament_id, matches.c.first_version_id)
    ).one_or_none()
    if row is None:
        return None
    _end_attempt(tx, lease, failed.end, now, f"{failed.code}: {failed.detail}")
    is_last = row.failures % MAX_FAILURES == 0
    failure = Failure(lease.match_id, row.purpose, row.tournament_id, row.first_version_id, is_last)
    if failure.is_last:
        reason = f"{row.failures} attempts failed through no fault of the bots, the last with {failed.code}."
        _give_up(tx, failure, reason, now)
    return failure


def expired(tx: Connection, now: datetime) -> list[Lease]:
    """Leases that ran out, the longest ago first."""
    rows = tx.execute(
        select(matches.c.id, matches.c.attempt)
        .where(matches.c.state == "leased", matches.c.until < now)
        .order_by(matches.c.until)
        .limit(EXPIRED_AT_ONCE)
    )
    return [Lease(row.id, row.attempt) for row in rows]


def held_by(tx: Connection, worker: str) -> list[Lease]:
    """What a process is playing, as far as anybody knows."""
    leased = and_(matches.c.state == "leased", matches.c.worker == worker)
    return [Lease(row.id, row.attempt) for row in tx.execute(select(matches.c.id, matches.c.attempt).where(leased))]


def queue(tx: Connection, match_ids: Sequence[int], until: datetime) -> None:
    """Give due matches a place in the queue."""
    due = and_(matches.c.id.in_(match_ids), matches.c.state == "due")
    tx.execute(update(matches).where(due).values(state="queued", until=until))


def leave_queue(tx: Connection, match_ids: Sequence[int]) -> None:
    """These matches are due again at once: nobody will claim them from the message they are in."""
    _return_places(tx, matches.c.id.in_(match_ids))


def take_back(tx: Connection, tournament_id: int) -> None:
    """Every queued match of a tournament is due again."""
    _return_places(tx, matches.c.tournament_id == tournament_id)


def expire_places(tx: Connection, before: datetime) -> int:
    """Queued matches whose place ended before then are due again; how many."""
    return _return_places(tx, matches.c.until < before)


def bring_forward(tx: Connection, state: str, latest: datetime) -> None:
    """No place in the queue, or lease, ends later than this; one does after somebody has put the clock back.

    Waits for nobody: a match that somebody else holds is being changed, or is for the next time.
    """
    later = select(matches.c.id).where(matches.c.state == state, matches.c.until > latest)
    free = later.with_for_update(skip_locked=True)
    tx.execute(update(matches).where(matches.c.id.in_(free)).values(until=latest))


def void_unplayed(tx: Connection, tournament_id: int, reason: str, now: datetime) -> None:
    """Void every match of a tournament that is not final, also those being played."""
    open_matches = and_(
        matches.c.tournament_id == tournament_id, matches.c.state.in_(UNPLAYED)
    )
    running = select(matches.c.id).where(open_matches, matches.c.state == "leased")
    tx.execute(
        update(attempts)
        .where(attempts.c.match_id.in_(running), attempts.c.end.is_(None))
        .values(end="cancelled", ended_at=now)
    )
    tx.execute(update(matches).where(open_matches).values(state="void", until=None, void_reason=reason, ended_at=now))


def keep_late_record(tx: Connection, lease: Lease, record: bytes) -> None:
    """Keep what an attempt handed in that does not count."""
    tx.execute(update(attempts).where(_is_attempt(lease)).values(late_record=record))


def setup_of(tx: Connection, match_id: int, house: tuple[BotRef, bytes]) -> tuple[str, MatchSetup, tuple[bytes, bytes]]:
    """(purpose, setup, both packages) of a match; `house` sits where a match has no second bot."""
    row = tx.execute(_SETUP, {"match": match_id}).one()
    first, first_package = BotRef(row.first_name, row.first_number, row.first_hash), row.first_package
    second, second_package = house
    if row.second_name is not None:
        second, second_package = BotRef(row.second_name, row.second_number, row.second_hash), row.second_package
    setup = MatchSetup(
        row.ruleset, row.match_format, row.time_control, row.seed, row.opening_plies, bots=(first, second)
    )
    return row.purpose, setup, (first_package, second_package)


def _end_attempt(tx: Connection, lease: Lease, end: str, now: datetime, detail: str | None = None) -> None:
    """Note how an attempt ended; the first end stays."""
    tx.execute(
        update(attempts)
        .where(_is_attempt(lease), attempts.c.end.is_(None))
        .values(end=end, ended_at=now, detail=detail)
    )


def _leased(lease: Lease) -> Update:
    return update(matches).where(
        matches.c.id == lease.match_id, matches.c.state == "leased", matches.c.attempt == lease.attempt
    )


def _is_attempt(lease: Lease) -> ColumnElement[bool]:
    return and_(attempts.c.match_id == lease.match_id, attempts.c.number == lease.attempt)


def _return_places(tx: Connection, condition: ColumnElement[bool]) -> int:
    """Waits for nobody: a match that somebody else holds is being claimed, or voided."""
    free = select(matches.c.id).where(matches.c.state == "queued", condition).with_for_update(skip_locked=True)
    return tx.execute(update(matches).where(matches.c.id.in_(free)).values(state="due", until=None)).rowcount


def _changes(tx: Connection, statement: Update) -> bool:
    return tx.execute(statement).rowcount == 1


def _give_up(tx: Connection, failure: Failure, reason: str, now: datetime) -> None:
    given_up = update(matches).where(matches.c.id == failure.match_id)
    if failure.purpose == "qualification":
        tx.execute(given_up.values(until=now + REST))
    else:
        tx.execute(given_up.values(state="void", until=now, void_reason=reason, ended_at=now))
