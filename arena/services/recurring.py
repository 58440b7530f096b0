"""Tournaments that begin by themselves: at their times, once each, and once for all that were missed in an outage.

A schedule whose last tournament still runs waits for its end.  Bots that may not play at that moment are left out;
where fewer than two are left, or the owner has too many tournaments running, the schedule says so and waits for its
next time.
"""

import secrets
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

import structlog
from sqlalchemy import Connection

from arena.errors import Forbidden, Invalid, NameTaken, NotFound, QuotaExceeded, RequestError, RuleError
from arena.games import load
from arena.services.beginning import Beginning, Terms, add, begin, check_load, check_quota, check_terms
from arena.services.entries import EVERY_BOT, enter, enter_who_may
from arena.services.names import check_name
from arena.settings import Settings
from arena.store import accounts, bots
from arena.store import recurring as rows
from arena.store import tournaments as tournament_rows
from arena.store.accounts import User
from arena.store.paging import DEFAULT_LIMIT, Page, check_limit, decode_cursor, page_of
from arena.store.recurring import NewSchedule, Schedule
from arena.store.session import Store, utc_now
from arena.tournament.rhythm import next_after, parse_rhythm

MAX_SCHEDULES = 20              # per user
FOR_OTHERS = timedelta(minutes=1)       # a standing event waits so long for who is just being checked
LONGEST_NAME = 32               # its tournaments have a number behind it
Clock = Callable[[], datetime]
log = structlog.get_logger()


def create(  # noqa: PLR0913  # the fields of the form
    store: Store,
    user: User,
    *,
    name: str,
    ruleset: str,
    bots: Sequence[str] | str,
    every: str,
    at: str,
    zone: str = "UTC",
    match_format: str | None = None,
    time_control: str | None = None,
    cycles: int = 1,
    opening_plies: int = 4,
    now: Clock = utc_now,
) -> Schedule:
    """A schedule whose tournaments are of these bots, or of "all" there are then; `every`, `at`, `zone`: rhythm.py."""
    if len(check_name(name)) > LONGEST_NAME:
        raise Invalid(f"A schedule's name has at most {LONGEST_NAME} characters; choose a shorter one.", field="name")
    terms = check_terms(ruleset, match_format, time_control, cycles, opening_plies)
    rhythm = parse_rhythm(every, at, zone, now())
    with store.write() as tx:
        accounts.lock_user(tx, user.id)
        if rows.count_live(tx, user.id) >= MAX_SCHEDULES:
            raise QuotaExceeded(f"{user.name} has {MAX_SCHEDULES} schedules already; end one that is not needed.")
        if bots != EVERY_BOT:
            enter(tx, user, terms.game, bots, store.settings.max_tournament_entrants)
        new = NewSchedule(
            name=name,
            owner_id=user.id,
            ruleset=terms.ruleset,
            bots=None if isinstance(bots, str) else bots,
            match_format=terms.match_format,
            time_control=terms.time_control,
            cycles=cycles,
            opening_plies=opening_plies,
            rhythm=rhythm,
            next_at=next_after(rhythm, now()),
        )
        return _find(tx, rows.add(tx, new, now()))


def show(store: Store, schedule_id: int) -> Schedule:
    """One schedule; one that has ended says when."""
    with store.read() as tx:
        return _find(tx, schedule_id)


def list_schedules(
    store: Store, owner: str | None = None, limit: int = DEFAULT_LIMIT, cursor: str | None = None
) -> Page[Schedule]:
    """Schedules that have not ended, the oldest first."""
    key = decode_cursor(cursor, "schedules", int)
    with store.read() as tx:
        if owner is not None and accounts.find_user(tx, owner) is None:
            raise NotFound(f"There is no user {owner[:60]!r}; check the name.", field="owner")
        found = rows.list_live(tx, owner, None if key is None else int(key[0]), check_limit(limit) + 1)
    return page_of(found, limit, "schedules", lambda schedule: (schedule.id,))


def end(store: Store, user: User, schedule_id: int, *, now: Clock = utc_now) -> None:
    """Let no further tournament begin; those that have go on. Twice is once."""
    with store.write() as tx:
        schedule = _find(tx, schedule_id)
        if schedule.owner != user.name and not user.is_admin:
            raise Forbidden(f"{schedule.name} belongs to {schedule.owner}; only they or an admin may do this.")
        rows.end(tx, now(), schedule_id=schedule_id)


def begin_due(store: Store, now: Clock = utc_now) -> int:
    """Begin what is due; any number of processes may do so at once. Returns how many tournaments have begun."""
    moment = now()
    with store.read() as tx:
        live = rows.live(tx, with_standing=store.settings.standing_tournaments)
        due = [schedule for schedule in live if _is_due(tx, schedule, moment)]
    for schedule in live:
        if schedule.next_at > (right := next_after(schedule.rhythm, moment)):      # the clock was wrong for a while
            with store.write() as tx:
                rows.move(tx, schedule.id, right)
    return sum(_begin(store, schedule, moment) for schedule in due)


def _begin(store: Store, schedule: Schedule, now: datetime) -> bool:
    following = next_after(schedule.rhythm, now)
    try:
        with store.write() as tx:
            found = rows.lock(tx, schedule.id)
            if found != schedule:           # another process was quicker
                return False
            tournament_id = _begin_in(tx, store.settings, schedule, now)
            rows.note_begun(tx, schedule, tournament_id, following)
    except NameTaken:               # by a tournament of this moment; another name will do in the next step
        return False
    except (RequestError, RuleError) as error:      # of the rules: another version of the arena may not know it
        with store.write() as tx:
            rows.note_problem(tx, schedule.id, str(error), following)
        log.warning("schedule_skipped", schedule_id=schedule.id, name=schedule.name, reason=str(error))
        return False
    log.info("schedule_begun", schedule_id=schedule.id, name=schedule.name, tournament_id=tournament_id)
    return True


def _begin_in(tx: Connection, settings: Settings, schedule: Schedule, now: datetime) -> int:
    check_quota(tx, schedule.owner, settings.max_running_tournaments)
    game = load(schedule.ruleset).name
    entered = enter_who_may(tx, schedule.owner, game, schedule.bots, settings.max_tournament_entrants)
    terms = Terms(
        game, schedule.ruleset, schedule.match_format, schedule.time_control, schedule.cycles, schedule.opening_plies
    )
    new = Beginning(_free_name(tx, schedule), schedule.owner_id, terms, secrets.token_hex(32), is_drawn=True)
    tournament_id = add(tx, new, entered, now)
    check_load(tx, schedule.owner, settings)
    tournament = tournament_rows.lock(tx, tournament_id)
    assert tournament is not None
    begin(tx, tournament, entered, now)
    return tournament_id


def _is_due(tx: Connection, schedule: Schedule, now: datetime) -> bool:
    if schedule.next_at <= now or not schedule.is_standing:
        return schedule.next_at <= now
    game = schedule.ruleset.partition(":")[0]           # also of a ruleset that is not known any more
    return bots.has_newcomer(tx, game, schedule.last_tournament) and not bots.is_checking(tx, game, now - FOR_OTHERS)


def _free_name(tx: Connection, schedule: Schedule) -> str:
    number = schedule.held + 1
    while tournament_rows.is_taken(tx, f"{schedule.name}-{number}"):
        number += 1
    return f"{schedule.name}-{number}"


def _find(tx: Connection, schedule_id: int) -> Schedule:
    schedule = rows.find(tx, schedule_id)
    if schedule is None:
        raise NotFound(f"There is no schedule {schedule_id}; look for it in the list of schedules.")
    return schedule
