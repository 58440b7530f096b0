"""Tournaments that begin by themselves: once each, none lost, whatever the clocks do and whoever else looks."""

import threading
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from arena.errors import Forbidden, Invalid, NotFound, QuotaExceeded, RuleError
from arena.services import bots, dispatch, moderation, recurring, tournaments
from arena.store.accounts import User
from arena.store.recurring import Schedule
from arena.store.schema import schedules
from arena.store.session import Store
from tests.support import field
from tests.support.cup import NAMES
from tests.support.field import START, Moment, Post
from tests.support.people import active_bots, admin, register, submit

DAY = timedelta(days=1)


@pytest.fixture
def owners(any_store: Store) -> dict[str, User]:
    return active_bots(any_store, NAMES)


@pytest.fixture
def maker(any_store: Store) -> User:
    return register(any_store, "maker")


@pytest.fixture
def moment() -> Moment:
    return Moment()


def schedule(store: Store, user: User, moment: Moment, **changes: Any) -> Schedule:
    fields: dict[str, Any] = {"name": "daily", "ruleset": "oware", "bots": list(NAMES), "every": "day", "at": "18:00"}
    return recurring.create(store, user, **(fields | changes), now=moment)


def begun(store: Store) -> list[str]:
    """The names of all tournaments, the oldest first."""
    return [tournament.name for tournament in reversed(tournaments.list_tournaments(store).items)]


def at(moment: Moment, when: datetime) -> Moment:
    moment.at = when
    return moment


@pytest.mark.usefixtures("owners")
def test_a_tournament_begins_at_its_time_and_runs(any_store: Store, maker: User, moment: Moment) -> None:
    made = schedule(any_store, maker, moment, zone="Europe/Berlin", match_format="games-2", cycles=2)
    assert made.next_at == datetime(2026, 11, 29, 17, tzinfo=UTC)
    assert recurring.begin_due(any_store, at(moment, made.next_at - timedelta(seconds=1))) == 0
    dispatch.tick(any_store, Post(), at(moment, made.next_at))
    (begun_now,) = tournaments.list_tournaments(any_store).items
    assert (begun_now.name, begun_now.owner, begun_now.state) == ("daily-1", "maker", "running")
    assert (begun_now.match_count, begun_now.is_rated, begun_now.started_at) == (12, True, made.next_at)
    field.play_out(any_store, moment)
    assert tournaments.show(any_store, begun_now.id).state == "finished"
    after = recurring.show(any_store, made.id)
    assert (after.next_at, after.held, after.last_tournament) == (made.next_at + DAY, 1, begun_now.id)


@pytest.mark.usefixtures("owners")
def test_it_begins_once_however_often_it_is_looked_at(any_store: Store, maker: User, moment: Moment) -> None:
    due = schedule(any_store, maker, moment).next_at
    clocks = [at(Moment(), due + timedelta(seconds=number)) for number in range(6)]
    threads = [threading.Thread(target=recurring.begin_due, args=(any_store, clock)) for clock in clocks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert begun(any_store) == ["daily-1"]
    assert recurring.begin_due(any_store, at(moment, due + timedelta(minutes=1))) == 0


@pytest.mark.usefixtures("owners")
def test_what_was_missed_in_an_outage_is_made_up_for_once(any_store: Store, maker: User, moment: Moment) -> None:
    made = schedule(any_store, maker, moment)
    back = made.next_at + timedelta(days=5, hours=2)
    assert recurring.begin_due(any_store, at(moment, back)) == 1
    field.play_out(any_store, moment)
    assert recurring.begin_due(any_store, moment) == 0
    assert begun(any_store) == ["daily-1"]
    assert recurring.show(any_store, made.id).next_at == made.next_at + timedelta(days=6)


@pytest.mark.usefixtures("owners")
def test_the_next_one_waits_for_the_end_of_the_last(any_store: Store, maker: User, moment: Moment) -> None:
    made = schedule(any_store, maker, moment)
    recurring.begin_due(any_store, at(moment, made.next_at))
    first = recurring.show(any_store, made.id).last_tournament
    assert first is not None
    for days in (1, 2):
        assert recurring.begin_due(any_store, at(moment, made.next_at + days * DAY)) == 0
    tournaments.pause(any_store, maker, first)
    assert recurring.begin_due(any_store, moment) == 0
    tournaments.cancel(any_store, maker, first)
    assert recurring.begin_due(any_store, moment) == 1
    assert begun(any_store) == ["daily-1", "daily-2"]
    assert recurring.show(any_store, made.id).next_at == made.next_at + 3 * DAY


@pytest.mark.usefixtures("owners")
def test_a_clock_that_ran_ahead_silences_nothing(any_store: Store, maker: User, moment: Moment) -> None:
    made = schedule(any_store, maker, moment)
    recurring.begin_due(any_store, at(moment, made.next_at + 400 * DAY))
    field.play_out(any_store, moment)
    recurring.begin_due(any_store, at(moment, START))
    assert recurring.show(any_store, made.id).next_at == made.next_at
    assert recurring.begin_due(any_store, at(moment, made.next_at)) == 1


@pytest.mark.usefixtures("owners")
def test_local_time_holds_through_a_change_of_the_clocks(any_store: Store, maker: User, moment: Moment) -> None:
    at(moment, datetime(2026, 3, 27, 12, tzinfo=UTC))
    made = schedule(any_store, maker, moment, zone="Europe/Berlin")
    times = []
    for _ in range(3):
        due = recurring.show(any_store, made.id).next_at
        times.append(due.strftime("%d %H:%M"))
        assert recurring.begin_due(any_store, at(moment, due)) == 1
        field.play_out(any_store, moment)
    assert times == ["27 17:00", "28 17:00", "29 16:00"]


def test_who_may_not_play_is_left_out(
    any_store: Store, owners: dict[str, User], maker: User, moment: Moment
) -> None:
    made = schedule(any_store, maker, moment)
    bots.retire(any_store, owners["abel"], "abel")
    bots.set_open(any_store, owners["beth"], "beth", False)
    recurring.begin_due(any_store, at(moment, made.next_at))
    last = recurring.show(any_store, made.id).last_tournament
    assert last is not None
    assert [entrant.bot for entrant in tournaments.entrants(any_store, last)] == ["cora", "dora"]


def test_one_that_cannot_begin_says_why_and_tries_the_next_time(
    any_store: Store, owners: dict[str, User], maker: User, moment: Moment
) -> None:
    made = schedule(any_store, maker, moment, bots=["abel", "beth"])
    bots.set_open(any_store, owners["abel"], "abel", False)
    assert recurring.begin_due(any_store, at(moment, made.next_at)) == 0
    skipped = recurring.show(any_store, made.id)
    assert (skipped.problem, skipped.next_at) == ("1 bot; a tournament has 2 to 2000.", made.next_at + DAY)
    bots.set_open(any_store, owners["abel"], "abel", True)
    assert recurring.begin_due(any_store, at(moment, skipped.next_at)) == 1
    assert recurring.show(any_store, made.id).problem is None


@pytest.mark.usefixtures("owners")
def test_a_ruleset_that_is_not_known_any_more_stops_no_other_schedule(
    any_store: Store, maker: User, moment: Moment
) -> None:
    unknown, good = schedule(any_store, maker, moment, name="old"), schedule(any_store, maker, moment, name="good")
    with any_store.write() as tx:
        tx.execute(schedules.update().where(schedules.c.id == unknown.id).values(ruleset="oware:forgotten=1"))
    assert recurring.begin_due(any_store, at(moment, good.next_at)) == 1
    assert begun(any_store) == ["good-1"]
    assert "forgotten" in (recurring.show(any_store, unknown.id).problem or "")


@pytest.mark.usefixtures("owners")
def test_the_quota_of_running_tournaments_holds(any_store: Store, maker: User, moment: Moment) -> None:
    for number in range(6):
        schedule(any_store, maker, moment, name=f"daily-{'abcdef'[number]}")
    assert recurring.begin_due(any_store, at(moment, START + DAY)) == 5
    problems = [each.problem for each in recurring.list_schedules(any_store).items]
    assert problems[:5] == [None] * 5
    assert problems[5] is not None
    assert "maker has 5 tournaments running" in problems[5]


@pytest.mark.usefixtures("owners")
def test_names_of_others_are_passed_over(any_store: Store, maker: User, moment: Moment) -> None:
    for name in ("daily-1", "daily-2"):
        tournaments.create(any_store, maker, name=name, ruleset="oware", bots=list(NAMES))
    made = schedule(any_store, maker, moment)
    recurring.begin_due(any_store, at(moment, made.next_at))
    assert begun(any_store)[-1] == "daily-3"


@pytest.mark.usefixtures("owners")
def test_every_bot_means_those_of_that_time(any_store: Store, maker: User, moment: Moment) -> None:
    made = schedule(any_store, maker, moment, bots="all", ruleset="urim")
    assert recurring.begin_due(any_store, at(moment, made.next_at)) == 0
    active_bots(any_store, ["yaa", "zoe"], game="urim")
    assert recurring.begin_due(any_store, at(moment, made.next_at + DAY)) == 1
    last = recurring.show(any_store, made.id).last_tournament
    assert last is not None
    assert [entrant.bot for entrant in tournaments.entrants(any_store, last)] == ["yaa", "zoe"]


@pytest.mark.usefixtures("owners")
def test_an_ended_schedule_begins_nothing(any_store: Store, maker: User, moment: Moment) -> None:
    made = schedule(any_store, maker, moment)
    with pytest.raises(Forbidden, match="daily belongs to maker"):
        recurring.end(any_store, register(any_store, "stranger"), made.id)
    recurring.end(any_store, maker, made.id, now=moment)
    recurring.end(any_store, admin(any_store), made.id, now=at(moment, made.next_at))
    assert recurring.show(any_store, made.id).ended_at == START
    assert recurring.begin_due(any_store, at(moment, made.next_at)) == 0
    assert recurring.list_schedules(any_store).items == ()


@pytest.mark.usefixtures("owners")
def test_a_banned_users_schedules_end(any_store: Store, maker: User, moment: Moment) -> None:
    made = schedule(any_store, maker, moment)
    moderation.ban_user(any_store, "maker")
    assert recurring.show(any_store, made.id).ended_at is not None
    assert recurring.begin_due(any_store, at(moment, made.next_at)) == 0


@pytest.mark.usefixtures("owners")
def test_lists_are_paged_and_by_owner(any_store: Store, maker: User, moment: Moment) -> None:
    made = [schedule(any_store, maker, moment, name=f"cup-{number}") for number in range(3)]
    first = recurring.list_schedules(any_store, "maker", limit=2)
    second = recurring.list_schedules(any_store, "maker", limit=2, cursor=first.next)
    assert (*first.items, *second.items) == tuple(made)
    assert recurring.list_schedules(any_store, "owner-of-abel").items == ()
    with pytest.raises(NotFound, match="no user 'nobody'"):
        recurring.list_schedules(any_store, "nobody")
    with pytest.raises(NotFound, match="no schedule 99"):
        recurring.show(any_store, 99)


@pytest.mark.parametrize(
    ("changes", "field_at_fault"),
    [
        ({"name": "a" * 33}, "name"),
        ({"ruleset": "chess"}, "ruleset"),
        ({"match_format": "best-of-6"}, "format"),
        ({"cycles": 0}, "cycles"),
        ({"bots": ["abel"]}, "bots"),
        ({"bots": ["abel", "zoe"]}, "bots"),
        ({"bots": "some"}, "bots"),
        ({"every": "month"}, "every"),
        ({"at": "25:00"}, "at"),
        ({"zone": "Mars/Olympus"}, "zone"),
    ],
)
def test_what_cannot_be_scheduled_names_its_field(
    store: Store, moment: Moment, changes: dict[str, Any], field_at_fault: str
) -> None:
    active_bots(store, NAMES)
    with pytest.raises((Invalid, NotFound, RuleError)) as refused:
        schedule(store, register(store, "maker"), moment, **changes)
    assert refused.value.field == field_at_fault
    assert recurring.list_schedules(store).items == ()


def test_a_user_has_so_many_schedules_at_most(store: Store, moment: Moment) -> None:
    active_bots(store, NAMES)
    maker = register(store, "maker")
    made = [schedule(store, maker, moment, name=f"cup-{number}") for number in range(recurring.MAX_SCHEDULES)]
    with pytest.raises(QuotaExceeded, match="maker has 20 schedules"):
        schedule(store, maker, moment)
    recurring.end(store, maker, made[0].id)
    schedule(store, maker, moment)


def test_an_own_closed_bot_is_entered_by_its_owner(store: Store, moment: Moment) -> None:
    owners = active_bots(store, ["abel", "beth"])
    bots.set_open(store, owners["abel"], "abel", False)
    made = schedule(store, owners["abel"], moment, bots=["abel", "beth"])
    submit(store, owners["abel"], "unready")
    assert recurring.begin_due(store, at(moment, made.next_at)) == 1
