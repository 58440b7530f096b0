"""Reports that are taken in together: what they leave is what they would have left one by one."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select

from arena.services import dispatch, results, standings
from arena.services.assignments import Assignment
from arena.services.reports import Report
from arena.store import events
from arena.store.schema import attempts, bots, versions
from arena.store.session import Store
from tests.support import failing, field
from tests.support.field import Moment, Post

BOTS = 5
SLOTS = 100


@pytest.fixture
def moment() -> Moment:
    return Moment()


def claimed(store: Store, moment: Moment) -> list[Assignment]:
    """Every match of two tournaments between the same bots, leased."""
    entered = [field.add_bot(store, f"bot-{number}") for number in range(BOTS)]
    for name in ("one", "two"):
        field.add_tournament(store, entered, name)
    dispatch.register_worker(store, "w1", SLOTS, "A", moment)
    return sorted(field.claim(store, waiting(store, moment), now=moment), key=lambda one: in_order(store, one.match_id))


def in_order(store: Store, match_id: int) -> tuple[int, int]:
    """By tournament and place; the order in which reports of one ruleset come is that of its ledger."""
    row = field.state_of(store, match_id)
    return row.tournament_id or 0, row.schedule_index or 0


def waiting(store: Store, moment: Moment) -> list[int]:
    post = Post()
    while dispatch.dispatch_next(store, post, moment):
        pass
    return [match_id for batch in post.batches for match_id in batch]


def reported(assignments: Iterable[Assignment], moment: Moment) -> list[Report]:
    return [
        Report(one, field.play(one.setup), 100, moment.at + timedelta(seconds=number))
        for number, one in enumerate(assignments)
    ]


def story(store: Store) -> object:
    with store.read() as tx:
        told = [[(event.kind, event.match.id) for event in events.after(tx, cup, 0, 1000)] for cup in (1, 2)]
        ends = [tuple(row) for row in tx.execute(select(attempts).order_by(attempts.c.match_id))]
    tables = [standings.standings(store, cup) for cup in (1, 2)]
    return field.ledgers(store), tables, [sorted(each) for each in told], ends


def test_they_leave_what_they_would_have_left_one_by_one(any_store: Store, moment: Moment) -> None:
    reports = reported(claimed(any_store, moment), moment)
    assert {status.status for status in results.ingest_all(any_store, reports, moment)} == {results.ACCEPTED}
    with field.scratch_store() as other:
        for report in reported(claimed(other, moment), moment):
            assert results.ingest_all(other, [report], moment)[0].status == results.ACCEPTED
        assert story(any_store) == story(other)
    assert [field.tournament(any_store, cup).state for cup in (1, 2)] == ["finished", "finished"]


def test_each_match_ends_when_it_was_over_and_not_when_its_report_came(store: Store, moment: Moment) -> None:
    reports = reported(claimed(store, moment), moment)
    moment.pass_seconds(60)
    results.ingest_all(store, reports, moment)
    for report in reports:
        row = field.state_of(store, report.assignment.match_id)
        assert row.ended_at == row.until == report.ended_at


def test_every_one_gets_its_own_answer(any_store: Store, moment: Moment) -> None:
    good, again, false, late, other = reported(claimed(any_store, moment), moment)[:5]
    results.ingest_all(any_store, [again], moment)
    wrong = replace(false, played=replace(false.played, record=replace(false.played.record, winner=None, score=(2, 0))))
    dispatch.hand_back(any_store, late.assignment, moment)
    answers = results.ingest_all(any_store, [good, again, wrong, late, other, other], moment)
    assert [answer.status for answer in answers] == [
        results.ACCEPTED, results.REPEATED, results.REFUSED, results.REFUSED, results.ACCEPTED, results.REPEATED,
    ]
    states = [field.state_of(any_store, one.assignment.match_id).state for one in (good, again, false, late, other)]
    assert states == ["finished", "finished", "due", "due", "finished"]


def test_a_qualification_is_decided_among_matches_of_tournaments(any_store: Store, moment: Moment) -> None:
    newcomer = field.add_bot(any_store, "newcomer", state="checking")
    field.add_qualification(any_store, newcomer)
    reports = reported(claimed(any_store, moment), moment)
    assert sorted({report.assignment.purpose for report in reports}) == ["qualification", "tournament"]
    results.ingest_all(any_store, reports, moment)
    with any_store.read() as tx:
        state = tx.scalar(select(versions.c.state).where(versions.c.id == newcomer))
    assert state == "active"
    assert [field.tournament(any_store, cup).state for cup in (1, 2)] == ["finished", "finished"]


def test_who_fails_in_all_of_them_is_parked(any_store: Store, moment: Moment) -> None:
    assignments = claimed(any_store, moment)
    reports = [
        Report(one, failing.play(one.setup, {"bot-0": "exception"}), 100, moment.at) for one in assignments
    ]
    results.ingest_all(any_store, reports, moment)
    with any_store.read() as tx:
        state = tx.scalar(
            select(versions.c.state).join(bots, bots.c.id == versions.c.bot_id).where(bots.c.name == "bot-0")
        )
    assert state == "parked"
