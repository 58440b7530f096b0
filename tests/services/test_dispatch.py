"""Places in the queue and leases: who may play a match, for how long, and what happens when nobody does."""

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlalchemy import func, select, text, update
from structlog.testing import capture_logs

from arena.errors import ArenaFault, LeaseLost, SandboxUnavailable
from arena.services import dispatch, results
from arena.services.assignments import HOUSE_BOT, HOUSE_PACKAGE, Assignment
from arena.store import leases
from arena.store.schema import attempts, matches, tournaments
from arena.store.session import Store
from tests.support import field
from tests.support.field import Moment, Post
from tests.support.redis_server import RedisServer


@pytest.fixture
def moment() -> Moment:
    return Moment()


def queued_matches(store: Store, moment: Moment, bots: int = 3) -> list[int]:
    """The first matches of a new tournament, in the queue."""
    field.add_tournament(store, [field.add_bot(store, f"bot-{number}") for number in range(bots)])
    dispatch.register_worker(store, "w1", 2, "A", moment)
    post = Post()
    dispatch.tick(store, post, moment)
    return [match_id for batch in post.batches for match_id in batch]


def claimed(store: Store, moment: Moment) -> Assignment:
    return next(dispatch.claim_each(store, "w1", queued_matches(store, moment), moment))


def ends_of(store: Store, match_id: int) -> list[str | None]:
    with store.read() as tx:
        query = select(attempts.c.end).where(attempts.c.match_id == match_id).order_by(attempts.c.number)
        return list(tx.scalars(query))


def details_of(store: Store, match_id: int) -> list[str | None]:
    """What only the operator sees of each attempt."""
    with store.read() as tx:
        query = select(attempts.c.detail).where(attempts.c.match_id == match_id).order_by(attempts.c.number)
        return list(tx.scalars(query))


def all_at_once(steps: list[Callable[[], object]]) -> None:
    """Run every step in a thread of its own; an error in one of them is raised."""
    errors: list[BaseException] = []
    gate = threading.Barrier(len(steps))

    def run(step: Callable[[], object]) -> None:
        gate.wait()
        try:
            step()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(step,)) for step in steps]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    if errors:
        raise errors[0]


def test_claim_gives_setup_and_packages(any_store: Store, moment: Moment) -> None:
    assignment = claimed(any_store, moment)
    first, second = assignment.setup.bots
    assert (assignment.attempt, assignment.purpose) == (1, "tournament")
    assert assignment.packages == (field.dice_package(f"{first.name}/1"), field.dice_package(f"{second.name}/1"))
    assert assignment.setup.ruleset == "oware"
    assert len(assignment.setup.seed) == 64
    row = field.state_of(any_store, assignment.match_id)
    assert (row.state, row.attempt, row.worker, row.ply) == ("leased", 1, "w1", 0)


def test_claim_comes_when_the_match_starts(store: Store, moment: Moment) -> None:
    ids = queued_matches(store, moment)
    claims = dispatch.claim_each(store, "w1", ids, moment)
    next(claims)
    assert [field.state_of(store, match_id).state for match_id in ids] == ["leased", "queued", "queued"]
    moment.pass_seconds(7)
    second = next(claims)
    assert field.state_of(store, second.match_id).until == moment.at + leases_time(store)


def leases_time(store: Store) -> object:
    return dispatch.timedelta(seconds=store.settings.lease_seconds)


def test_a_message_delivered_twice_finds_nothing(any_store: Store, moment: Moment) -> None:
    ids = queued_matches(any_store, moment)
    assert len(field.claim(any_store, ids, now=moment)) == len(ids)
    assert field.claim(any_store, ids, "w2", now=moment) == []
    assert field.claim(any_store, [*ids, 9999], "w2", now=moment) == []


def test_only_one_of_many_claims_a_match(any_store: Store, moment: Moment) -> None:
    ids = queued_matches(any_store, moment)
    won: list[int] = []

    def claim_all(worker: str) -> None:
        won.extend(assignment.match_id for assignment in field.claim(any_store, ids, worker, moment))

    all_at_once([lambda name=f"w{number}": claim_all(name) for number in range(8)])  # type: ignore[misc]
    assert sorted(won) == sorted(ids)


def test_many_ticks_at_once_queue_every_match_once(any_store: Store, moment: Moment) -> None:
    field.add_tournament(any_store, [field.add_bot(any_store, f"bot-{number}") for number in range(30)])
    dispatch.register_worker(any_store, "w1", 20, "A", moment)
    posts = [Post() for _ in range(8)]
    all_at_once([lambda post=post: dispatch.tick(any_store, post, moment) for post in posts])  # type: ignore[misc]
    sent = [match_id for post in posts for batch in post.batches for match_id in batch]
    assert len(sent) == len(set(sent)) == 40
    with any_store.read() as tx:
        assert tx.scalar(select(func.count()).select_from(matches)) == 40


@pytest.mark.parametrize("change", [{"state": "paused"}, {"state": "cancelled"}, {"engine_version": "0.0.1"}])
def test_claim_respects_what_became_of_the_tournament(store: Store, moment: Moment, change: dict[str, str]) -> None:
    ids = queued_matches(store, moment)
    with store.write() as tx:
        tx.execute(update(tournaments).values(change))
    assert field.claim(store, ids, now=moment) == []


def test_a_worker_says_that_a_match_wants_another_engine(store: Store, moment: Moment) -> None:
    (match_id, *_) = queued_matches(store, moment)
    with store.write() as tx:
        tx.execute(update(tournaments).values(engine_version="0.0.1"))
    with capture_logs() as told:
        assert field.claim(store, [match_id], now=moment) == []
    (line,) = told
    assert (line["event"], line["match_id"], line["wanted"]) == ("match_of_another_engine", match_id, "0.0.1")
    with store.write() as tx:
        tx.execute(update(tournaments).values(state="paused"))
    with capture_logs() as told:
        assert field.claim(store, [match_id], now=moment) == []
    assert told == []


def test_a_qualification_is_played_against_the_house(store: Store, moment: Moment) -> None:
    match_id = field.add_qualification(store, field.add_bot(store, "ada", state="checking"))
    post = Post()
    dispatch.tick(store, post, moment)
    (assignment,) = field.claim(store, post.batches[0], now=moment)
    assert assignment.match_id == match_id
    assert (assignment.setup.bots[1], assignment.packages[1]) == (HOUSE_BOT, HOUSE_PACKAGE)


def test_an_expired_place_costs_nothing(store: Store, moment: Moment) -> None:
    ids = queued_matches(store, moment)
    moment.pass_seconds(store.settings.queue_seconds + 1)
    dispatch.register_worker(store, "w1", 2, "A", moment)
    post = Post()
    dispatch.tick(store, post, moment)
    assert [match_id for batch in post.batches for match_id in batch] == ids
    row = field.state_of(store, ids[0])
    assert (row.state, row.attempt, row.failures) == ("queued", 0, 0)


def test_lost_messages_are_sent_again_when_workers_are_idle(any_store: Store, moment: Moment) -> None:
    ids = queued_matches(any_store, moment)
    post = Post()
    moment.pass_seconds(2)
    assert dispatch.tick(any_store, post, moment) == 0          # it may still be on its way
    moment.pass_seconds(2)
    assert dispatch.tick(any_store, post, moment) == len(ids)
    assert [match_id for batch in post.batches for match_id in batch] == ids


def test_an_emptied_queue_is_filled_again_at_once(
    store_with_boards: Store, redis_server_of_the_session: RedisServer, moment: Moment
) -> None:
    ids = queued_matches(store_with_boards, moment)
    field.claim(store_with_boards, ids[:1], "w1", moment)
    field.claim(store_with_boards, ids[1:2], "w2", moment)      # nobody is idle
    assert dispatch.tick(store_with_boards, Post(), moment) == 0
    redis_server_of_the_session.client().flushall()
    post = Post()
    dispatch.tick(store_with_boards, post, moment)
    assert post.batches == [tuple(ids[2:])]
    assert dispatch.tick(store_with_boards, Post(), moment) == 0


def test_what_busy_workers_leave_waiting_is_not_lost(store: Store, moment: Moment) -> None:
    ids = queued_matches(store, moment)
    field.claim(store, ids[:1], "w1", moment)
    field.claim(store, ids[1:2], "w2", moment)
    moment.pass_seconds(4)
    assert dispatch.tick(store, Post(), moment) == 0


def test_a_worker_between_two_matches_is_not_idle(store: Store, moment: Moment) -> None:
    ids = queued_matches(store, moment)
    (first,) = field.claim(store, ids[:1], "w1", moment)
    field.claim(store, ids[1:2], "w2", moment)
    moment.pass_seconds(4)
    results.ingest(store, first, field.play(first.setup), 4000, moment)
    moment.pass_seconds(1)
    assert dispatch.tick(store, Post(), moment) == 0
    moment.pass_seconds(3)
    assert dispatch.tick(store, Post(), moment) == 1


def test_a_clock_put_back_keeps_nothing_waiting(any_store: Store, moment: Moment) -> None:
    ids = queued_matches(any_store, moment)
    (done,) = field.claim(any_store, ids[:1], "w2", moment)
    results.ingest(any_store, done, field.play(done.setup), 100, moment)
    (left,) = field.claim(any_store, ids[1:2], "w1", moment)
    moment.pass_seconds(-3600)
    dispatch.register_worker(any_store, "w1", 2, "A", moment)
    dispatch.tick(any_store, Post(), moment)
    assert field.state_of(any_store, ids[1]).state == "leased"
    moment.pass_seconds(4)
    post = Post()
    dispatch.tick(any_store, post, moment)
    assert post.batches == [tuple(ids[2:])]                     # its message was lost, and w2 is not busy for an hour
    moment.pass_seconds(any_store.settings.lease_seconds)
    dispatch.tick(any_store, Post(), moment)
    assert ends_of(any_store, left.match_id) == ["expired"]


@pytest.mark.parametrize("state", ["queued", "leased"])
def test_a_clock_put_back_waits_for_no_match_that_another_holds(any_store: Store, moment: Moment, state: str) -> None:
    ids = queued_matches(any_store, moment)
    if any_store.settings.database_url.startswith("sqlite"):
        pytest.skip("SQLite has one writer at a time")
    if state == "leased":
        field.claim(any_store, ids, "w1", moment)
    latest = field.START - timedelta(hours=1)
    with any_store.write() as other:
        other.execute(select(matches.c.id).where(matches.c.id == ids[1]).with_for_update())
        with any_store.write() as tx:
            tx.execute(text("SET LOCAL lock_timeout = '3s'"))
            leases.bring_forward(tx, state, latest)
    assert [field.state_of(any_store, number).until == latest for number in ids] == [number != ids[1] for number in ids]


def test_renewal_keeps_the_lease_and_shows_the_ply(any_store: Store, moment: Moment) -> None:
    assignment = claimed(any_store, moment)
    for ply in range(5):
        moment.pass_seconds(10)
        dispatch.renew(any_store, assignment, ply, moment)
        dispatch.tick(any_store, Post(), moment)
    row = field.state_of(any_store, assignment.match_id)
    assert (row.state, row.attempt, row.ply) == ("leased", 1, 4)


def test_an_expired_lease_makes_the_match_due_again(any_store: Store, moment: Moment) -> None:
    assignment = claimed(any_store, moment)
    moment.pass_seconds(any_store.settings.lease_seconds + 1)
    dispatch.tick(any_store, Post(), moment)
    row = field.state_of(any_store, assignment.match_id)
    assert (row.state, row.failures, row.worker) == ("queued", 1, None)
    assert ends_of(any_store, assignment.match_id) == ["expired"]
    with pytest.raises(LeaseLost, match="no longer holds match"):
        dispatch.renew(any_store, assignment, 3, moment)
    (again,) = field.claim(any_store, [assignment.match_id], "w2", moment)
    assert again.attempt == 2


def test_a_lease_renewed_in_the_last_moment_does_not_fail(store: Store, moment: Moment) -> None:
    assignment = claimed(store, moment)
    moment.pass_seconds(store.settings.lease_seconds + 1)
    dispatch.renew(store, assignment, 3, moment)                # between a tick's look and its update
    with store.write() as tx:
        gone = leases.Failed(leases.EXPIRED, "arena/lease-lost", "gone")
        assert leases.fail(tx, assignment.lease, gone, moment.at) is None
    assert field.state_of(store, assignment.match_id).state == "leased"


def test_a_match_is_void_after_three_failures_and_the_tournament_goes_on(any_store: Store, moment: Moment) -> None:
    assignment = claimed(any_store, moment)
    for attempt in (1, 2, 3):
        assert field.state_of(any_store, assignment.match_id).attempt == attempt
        results.report_fault(any_store, assignment, SandboxUnavailable("/srv/arena burns"), moment)
        dispatch.tick(any_store, Post(), moment)
        assignment = next(iter(field.claim(any_store, [assignment.match_id], now=moment)), assignment)
    row = field.state_of(any_store, assignment.match_id)
    assert (row.state, row.failures) == ("void", 3)
    assert row.void_reason == "3 attempts failed through no fault of the bots, the last with arena/sandbox."
    assert details_of(any_store, assignment.match_id) == ["arena/sandbox: /srv/arena burns"] * 3
    field.play_out(any_store, moment)
    assert field.tournament(any_store, row.tournament_id).state == "finished"


def test_expired_and_faulty_attempts_add_up(store: Store, moment: Moment) -> None:
    assignment = claimed(store, moment)
    for _ in range(2):
        moment.pass_seconds(store.settings.lease_seconds + 1)
        dispatch.register_worker(store, "w1", 2, "A", moment)
        dispatch.tick(store, Post(), moment)
        (assignment,) = field.claim(store, [assignment.match_id], now=moment)
    results.report_fault(store, assignment, ArenaFault("no sandbox"), moment)
    assert field.state_of(store, assignment.match_id).state == "void"
    assert ends_of(store, assignment.match_id) == ["expired", "expired", "fault"]


def test_handing_back_is_no_failure(any_store: Store, moment: Moment) -> None:
    assignment = claimed(any_store, moment)
    for _ in range(5):
        dispatch.hand_back(any_store, assignment, moment)
        dispatch.tick(any_store, Post(), moment)
        (assignment,) = field.claim(any_store, [assignment.match_id], now=moment)
    row = field.state_of(any_store, assignment.match_id)
    assert (row.state, row.attempt, row.failures) == ("leased", 6, 0)
    assert ends_of(any_store, assignment.match_id) == ["returned"] * 5 + [None]


def test_places_given_up_are_due_at_once(store: Store, moment: Moment) -> None:
    ids = queued_matches(store, moment)
    field.claim(store, ids[:1], now=moment)
    dispatch.give_up_places(store, ids)
    assert [field.state_of(store, match_id).state for match_id in ids] == ["leased", "due", "due"]


def test_a_cancelled_match_loses_its_lease(any_store: Store, moment: Moment) -> None:
    assignment = claimed(any_store, moment)
    tournament_id = field.state_of(any_store, assignment.match_id).tournament_id
    with any_store.write() as tx:
        leases.void_unplayed(tx, tournament_id, "cancelled", moment.at)
    with pytest.raises(LeaseLost):
        dispatch.renew(any_store, assignment, 1, moment)
    assert ends_of(any_store, assignment.match_id) == ["cancelled"]


def test_a_failed_qualification_rests_and_is_tried_again(store: Store, moment: Moment) -> None:
    version_id = field.add_bot(store, "ada", state="checking")
    match_id = field.add_qualification(store, version_id)
    for _ in range(3):
        dispatch.tick(store, Post(), moment)
        (assignment,) = field.claim(store, [match_id], now=moment)
        results.report_fault(store, assignment, SandboxUnavailable("/srv/arena burns"), moment)
    version = field.version(store, version_id)
    assert version.state == "unchecked"
    assert "no fault of this bot" in version.fault_message
    assert version.fault_message.endswith("The last failure was arena/sandbox.")
    assert "/srv" not in version.fault_message
    assert dispatch.tick(store, Post(), moment) == 0
    moment.pass_seconds(601)
    assert dispatch.tick(store, Post(), moment) == 1
    (assignment,) = field.claim(store, [match_id], now=moment)
    results.ingest(store, assignment, field.play(assignment.setup), 10, moment)
    assert field.version(store, version_id).state == "active"
