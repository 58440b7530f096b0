"""The window of queued matches: bounded, in schedule order, fair, in messages of the right size."""

from datetime import datetime

import pytest
from sqlalchemy import Connection, func, select, update

from arena.errors import ArenaFault
from arena.services import dispatch, results, window
from arena.services.window import batch_size, fill, share_out
from arena.store.schema import entrants, matches
from arena.store.session import Store
from arena.store.windows import Lane
from tests.support import field
from tests.support.field import Moment, Post


def lane(number: int, waiting: int, queued: int = 0, leased: int = 0) -> Lane:
    return Lane(number, "oware", 1, waiting + queued + leased, queued + leased, "", 9, frozenset(), queued, leased, ())


def count_rows(store: Store) -> int:
    with store.read() as tx:
        return tx.scalar(select(func.count()).select_from(matches)) or 0


def schedule_indices(store: Store, post: Post) -> list[int]:
    return [field.state_of(store, match_id).schedule_index for batch in post.batches for match_id in batch]


@pytest.fixture
def moment() -> Moment:
    return Moment()


def start_large(store: Store, bots: int = 40) -> int:
    return field.add_tournament(store, [field.add_bot(store, f"bot-{number}") for number in range(bots)])


def test_window_holds_two_messages_per_slot_and_no_more_rows(store: Store, moment: Moment) -> None:
    start_large(store)
    dispatch.register_worker(store, "w1", 3, "A", moment)
    post = Post()
    assert dispatch.tick(store, post, moment) == 6
    assert [len(batch) for batch in post.batches] == [1] * 6
    assert dispatch.tick(store, post, moment) == 0
    assert count_rows(store) == 6


def test_window_follows_the_schedule(store: Store, moment: Moment) -> None:
    start_large(store)
    post = Post()
    for _ in range(4):
        dispatch.tick(store, post, moment)
        for assignment in field.claim(store, [number for batch in post.batches for number in batch], now=moment):
            results.ingest(store, assignment, field.play(assignment.setup), 60_000, moment)
    assert schedule_indices(store, post) == list(range(len(post.batches)))


def test_matches_that_come_back_go_first(store: Store, moment: Moment) -> None:
    start_large(store)
    post = Post()
    dispatch.tick(store, post, moment)
    held, other = field.claim(store, [number for batch in post.take_all() for number in batch], now=moment)
    dispatch.hand_back(store, held, moment)
    dispatch.tick(store, post, moment)
    assert schedule_indices(store, post) == [0]
    results.ingest(store, other, field.play(other.setup), 60_000, moment)


def test_messages_grow_to_the_work_that_was_measured(store: Store, moment: Moment) -> None:
    start_large(store)
    post = Post()
    dispatch.tick(store, post, moment)
    for assignment in field.claim(store, [number for batch in post.take_all() for number in batch], now=moment):
        results.ingest(store, assignment, field.play(assignment.setup), 400, moment)
    dispatch.tick(store, post, moment)
    assert [len(batch) for batch in post.batches] == [25, 25]       # of 10 s each


def test_qualifications_go_first(store: Store, moment: Moment) -> None:
    start_large(store)
    newcomer = field.add_qualification(store, field.add_bot(store, "newcomer", state="checking"))
    post = Post()
    dispatch.tick(store, post, moment)
    assert post.batches[0] == (newcomer,)
    assert len(post.batches) == 3


def test_a_flood_of_qualifications_keeps_no_tournament_out(store: Store, moment: Moment) -> None:
    start_large(store)
    version_id = field.add_bot(store, "newcomer", state="checking")
    for _ in range(9):
        field.add_qualification(store, version_id)
    post = Post()
    dispatch.tick(store, post, moment)
    purposes = [field.state_of(store, batch[0]).purpose for batch in post.batches]
    assert purposes == ["qualification"] * 2 + ["tournament"] * 2


def test_paused_and_foreign_tournaments_wait(store: Store, moment: Moment) -> None:
    bots = [field.add_bot(store, name) for name in ("ada", "ben")]
    field.add_tournament(store, bots, "paused", state="paused")
    field.add_tournament(store, bots, "foreign", engine_version="0.0.1")
    assert dispatch.tick(store, Post(), moment) == 0


def test_matches_of_a_withdrawn_bot_are_void_and_the_tournament_ends(any_store: Store, moment: Moment) -> None:
    tournament_id = field.add_tournament(any_store, [field.add_bot(any_store, f"bot-{number}") for number in range(4)])
    with any_store.write() as tx:
        gone = update(entrants).where(entrants.c.number.in_((1, 2)))
        tx.execute(gone.values(withdrawn_at=field.START))
    field.play_out(any_store, moment)
    with any_store.read() as tx:
        states = tx.execute(select(matches.c.state).order_by(matches.c.schedule_index)).scalars().all()
    assert sorted(states) == ["finished"] + ["void"] * 5
    assert field.tournament(any_store, tournament_id).state == "finished"


def test_a_tournament_whose_last_matches_are_void_ends_with_the_step_that_finds_it(
    any_store: Store, moment: Moment
) -> None:
    tournament_id = field.add_tournament(any_store, [field.add_bot(any_store, name) for name in ("ada", "ben")])
    with any_store.write() as tx:
        tx.execute(update(entrants).where(entrants.c.number == 1).values(withdrawn_at=field.START))
    fill(any_store, moment())       # and whoever called it dies here
    assert field.tournament(any_store, tournament_id).state == "finished"


def test_rulesets_are_taken_in_order_of_their_names(
    store: Store, moment: Moment, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots = [field.add_bot(store, name) for name in ("ada", "ben")]
    rulesets = ("oware:grand_slam=win25", "kalah", "oware", "kalah")
    cups = [field.add_tournament(store, bots, f"cup {place}", ruleset=name) for place, name in enumerate(rulesets)]
    with store.write() as tx:
        tx.execute(update(entrants).where(entrants.c.number == 1).values(withdrawn_at=field.START))
    advance, advanced = window.advance_rating_cursor, []

    def noted(tx: Connection, tournament_id: int, now: datetime) -> str | None:
        advanced.append(tournament_id)
        return advance(tx, tournament_id, now)

    monkeypatch.setattr(window, "advance_rating_cursor", noted)
    fill(store, moment())
    assert [cups.index(tournament_id) for tournament_id in advanced] == [1, 3, 2, 0]


def test_a_message_that_cannot_be_sent_is_made_up_for(store: Store, moment: Moment) -> None:
    start_large(store)

    def refuse(batch: dispatch.Batch) -> None:
        raise ArenaFault("The queue is away.")

    dispatch.tick(store, refuse, moment)
    moment.pass_seconds(store.settings.queue_seconds + 1)
    post = Post()
    assert dispatch.tick(store, post, moment) == 2
    assert schedule_indices(store, post) == [0, 1]


def test_workers_that_are_gone_have_no_slots(store: Store, moment: Moment) -> None:
    start_large(store)
    dispatch.register_worker(store, "gone", 50, "A", moment)
    moment.pass_seconds(60)
    dispatch.register_worker(store, "w1", 2, "A", moment)
    assert dispatch.live_slots(store, moment) == 2
    dispatch.sign_off_worker(store, "w1", moment)
    assert dispatch.live_slots(store, moment) == 0


def test_share_out_serves_who_has_least_out() -> None:
    lanes = [lane(1, waiting=100, queued=10), lane(2, waiting=100), lane(3, waiting=1)]
    assert share_out(lanes, {1: 5, 2: 5, 3: 5}, 6) == [2, 3, 2, 1, 2]


def test_share_out_gives_every_tournament_a_message() -> None:
    lanes = [lane(number, waiting=9) for number in range(1, 8)]
    assert share_out(lanes, dict.fromkeys(range(1, 8), 3), 2) == [1, 2, 3, 4, 5, 6, 7]


def test_share_out_stops_where_there_is_no_work() -> None:
    assert share_out([lane(1, waiting=0), lane(2, waiting=7)], {1: 5, 2: 5}, 100) == [2, 2]
    assert share_out([], {}, 100) == []


@pytest.mark.parametrize(
    ("expected_ms", "waiting", "size"),
    [(None, 500, 1), (400, 500, 25), (1, 5000, 100), (60_000, 500, 1), (400, 40, 10), (400, 3, 1), (400, 0, 1)],
)
def test_messages_hold_ten_seconds_of_work_and_get_smaller_at_the_end(
    expected_ms: int | None, waiting: int, size: int
) -> None:
    assert batch_size(expected_ms, waiting, messages=4, work_ms=10_000) == size


def test_two_tournaments_advance_side_by_side(store: Store, moment: Moment) -> None:
    first = start_large(store)
    with store.read() as tx:
        entered = tx.scalars(select(entrants.c.version_id).where(entrants.c.tournament_id == first)).all()
    second = field.add_tournament(store, entered, "later")
    for _ in range(6):
        post = Post()
        dispatch.tick(store, post, moment)
        for assignment in field.claim(store, [number for batch in post.batches for number in batch], now=moment):
            results.ingest(store, assignment, field.play(assignment.setup), 60_000, moment)
        moment.pass_seconds(1)
    assert field.tournament(store, first).next_index == field.tournament(store, second).next_index == 6


def test_a_large_schedule_is_never_expanded(store: Store, moment: Moment) -> None:
    bots = [field.add_bot(store, f"bot-{number}") for number in range(3)]
    tournament_id = field.add_tournament(store, bots, cycles=166_500)
    assert field.tournament(store, tournament_id).match_count == 499_500
    dispatch.tick(store, Post(), moment)
    assert count_rows(store) == 2
    assert field.tournament(store, tournament_id).next_index == 2
