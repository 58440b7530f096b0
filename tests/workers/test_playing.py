"""One assignment in a worker: the lease is kept by who plays, and every end of it is reported in its way."""

import io
import json
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
import structlog

from arena.errors import Interrupted, LeaseLost, SandboxLost, SandboxUnavailable, StoreUnavailable
from arena.match.player import MatchInfo, Player
from arena.services import dispatch
from arena.services.assignments import Assignment
from arena.store.session import Store
from tests.support import field
from tests.support.field import DicePlayer, Post
from workers import logs, playing, process
from workers.playing import LeaseKeeper
from workers.reports import Reports


class Tables:
    """Stands where the sandbox does: opens players without processes, or raises what a sandbox may raise."""

    tier = "A"

    def __init__(self, while_opening: Callable[[], None] = lambda: None) -> None:
        self._while_opening = while_opening

    def open_player(
        self, package: bytes, seat: int, info: MatchInfo, seed: bytes, while_waiting: Callable[[], None]
    ) -> Player:
        self._while_opening()
        while_waiting()
        return DicePlayer(str(seat))


def play(store: Store, tables: Tables, assignment: Assignment) -> None:
    """A message with this one match."""
    with Reports(store) as reports:
        playing.play(store, tables, assignment, reports)


def raising(error: Exception) -> Callable[[], None]:
    def fail() -> None:
        raise error

    return fail


@pytest.fixture(autouse=True)
def not_stopping() -> Iterator[None]:
    yield
    process._stopping[0] = 0


@pytest.fixture
def assignment(store: Store) -> Assignment:
    field.add_tournament(store, [field.add_bot(store, name) for name in ("ada", "ben")])
    post = Post()
    dispatch.tick(store, post)
    return next(dispatch.claim_each(store, "w1", post.batches[0]))


def test_a_match_is_played_and_reported(store: Store, assignment: Assignment) -> None:
    play(store, Tables(), assignment)
    assert field.state_of(store, assignment.match_id).state == "finished"
    assert field.tournament(store, 1).state == "finished"


def test_a_fault_of_ours_counts_as_a_failure(store: Store, assignment: Assignment) -> None:
    play(store, Tables(raising(SandboxLost("it is gone"))), assignment)
    row = field.state_of(store, assignment.match_id)
    assert (row.state, row.failures) == ("due", 1)


def test_a_mistake_of_ours_is_a_failure_too_and_tells_the_public_nothing(store: Store, assignment: Assignment) -> None:
    for _ in range(3):
        play(store, Tables(raising(KeyError("a secret"))), assignment)
        post = Post()
        dispatch.tick(store, post)
        assignment = next(dispatch.claim_each(store, "w1", post.batches[0]), assignment) if post.batches else assignment
    row = field.state_of(store, assignment.match_id)
    assert (row.state, row.failures) == ("void", 3)
    assert row.void_reason.endswith("the last with arena/fault.")


def test_a_worker_whose_sandbox_fails_plays_nothing_more(
    store: Store, assignment: Assignment, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[bool] = []
    monkeypatch.setattr(process, "end_worker", lambda: ended.append(True))
    play(store, Tables(raising(SandboxUnavailable("bwrap is missing"))), assignment)
    assert ended == [True]
    assert field.state_of(store, assignment.match_id).failures == 1


def test_a_match_that_failed_before_risks_nobody_elses_report(store: Store, assignment: Assignment) -> None:
    """It may be what ends processes: whatever was played before is reported before it begins."""
    seen: list[str] = []

    def look() -> None:
        seen.append(field.state_of(store, assignment.match_id).state)

    with Reports(store) as reports:
        playing.play(store, Tables(), assignment, reports)
        for attempt in (1, 2):
            other = replace(assignment, match_id=assignment.match_id + 1, attempt=attempt)
            playing.play(store, Tables(look), other, reports)
    assert seen[::2] == ["leased", "finished"]       # each opens two players


def test_a_lost_lease_reports_nothing(store: Store, assignment: Assignment) -> None:
    play(store, Tables(raising(LeaseLost("it passed on"))), assignment)
    row = field.state_of(store, assignment.match_id)
    assert (row.state, row.failures) == ("leased", 0)


def test_a_stopping_worker_hands_the_match_back(store: Store, assignment: Assignment) -> None:
    play(store, Tables(process.stop), assignment)
    row = field.state_of(store, assignment.match_id)
    assert (row.state, row.attempt, row.failures) == ("due", 1, 0)


def test_every_line_of_a_match_names_it_and_holds_no_output_of_a_bot(
    store: Store, assignment: Assignment, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = io.StringIO()
    monkeypatch.setattr("sys.stderr", lines)
    logs.configure("INFO")
    try:
        play(store, Tables(raising(SandboxLost("it is gone"))), assignment)
    finally:
        structlog.reset_defaults()
    events = [json.loads(line) for line in lines.getvalue().splitlines()]
    assert {event["event"] for event in events} == {"attempt_faulty", "attempt_failed"}
    assert {(event["match_id"], event["attempt"]) for event in events} == {(assignment.match_id, 1)}
    assert "import random" not in lines.getvalue()


class Renewals:
    """A lease that notes when it is renewed, and a clock to go with it."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.plies: list[tuple[float, int]] = []
        self.error: Exception | None = None

    def renew(self, ply: int) -> None:
        self.plies.append((self.seconds, ply))
        if self.error is not None:
            raise self.error

    def keeper(self) -> LeaseKeeper:
        return LeaseKeeper(self.renew, 5.0, lambda: self.seconds)


def test_the_lease_is_renewed_every_few_seconds_with_the_ply() -> None:
    renewals = Renewals()
    keeper = renewals.keeper()
    for tenth in range(160):
        renewals.seconds = tenth / 10
        keeper.on_progress(0, tenth) if tenth % 2 else keeper.keep()
    assert renewals.plies == [(5.0, 49), (10.0, 99), (15.0, 149)]


def test_waiting_alone_keeps_the_lease() -> None:
    renewals = Renewals()
    keeper = renewals.keeper()
    keeper.on_progress(2, 31)
    for second in range(1, 21):
        renewals.seconds = second
        keeper.keep()
    assert renewals.plies == [(5, 31), (10, 31), (15, 31), (20, 31)]


def test_a_database_that_is_away_does_not_end_a_match() -> None:
    renewals = Renewals()
    renewals.error = StoreUnavailable("locked")
    keeper = renewals.keeper()
    for second in range(0, 11, 5):
        renewals.seconds = second
        keeper.keep()
    assert len(renewals.plies) == 2


def test_a_lost_lease_ends_the_match() -> None:
    renewals = Renewals()
    renewals.error = LeaseLost("it passed on")
    renewals.seconds, keeper = 0.0, renewals.keeper()
    renewals.seconds = 6.0
    with pytest.raises(LeaseLost):
        keeper.keep()


def test_a_stopping_worker_interrupts_at_once() -> None:
    keeper = Renewals().keeper()
    process.stop()
    with pytest.raises(Interrupted):
        keeper.keep()
