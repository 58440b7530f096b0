"""Reports on their way: held for a moment, handed in together, and lost by no fault of the database or of another."""

from collections.abc import Callable

import pytest

from arena.errors import ArenaFault, StoreUnavailable
from arena.services import dispatch, results
from arena.services.reports import Report, fault_in
from arena.store.session import Store
from tests.support import field
from tests.support.field import Post
from workers import reports as on_their_way
from workers.reports import HOLD_SECONDS, Reports, patiently

SHORT_MS, LONG_MS = 100, 1000


class Clock:
    """Stands still until a test moves it."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def played(store: Store) -> list[Report]:
    """Three matches, leased and played in no time."""
    field.add_tournament(store, [field.add_bot(store, name) for name in ("ada", "ben", "cleo")])
    dispatch.register_worker(store, "w1", 50, "A")
    post = Post()
    dispatch.dispatch_next(store, post)
    leased = [one for batch in post.batches for one in dispatch.claim_each(store, "w1", batch)]
    return [Report(one, field.play(one.setup), SHORT_MS, field.START) for one in leased]


def states(store: Store, reports: list[Report]) -> list[str]:
    return [field.state_of(store, report.assignment.match_id).state for report in reports]


def test_short_matches_are_reported_together(store: Store, played: list[Report]) -> None:
    clock = Clock()
    reports = Reports(store, clock)
    reports.add(played[0])
    reports.add(played[1])
    reports.hand_in_if_due()
    assert states(store, played) == ["leased", "leased", "leased"]
    clock.seconds += HOLD_SECONDS
    reports.hand_in_if_due()
    assert states(store, played) == ["finished", "finished", "leased"]


def test_a_long_match_is_reported_at_once_and_takes_the_others_along(store: Store, played: list[Report]) -> None:
    reports = Reports(store, Clock())
    reports.add(played[0])
    reports.add(Report(played[1].assignment, played[1].played, LONG_MS, field.START))
    assert states(store, played) == ["finished", "finished", "leased"]


def test_nothing_waits_beyond_its_message(store: Store, played: list[Report]) -> None:
    def work() -> None:
        with Reports(store, Clock()) as reports:
            for report in played:
                reports.add(report)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work()
    assert states(store, played) == ["finished"] * 3


def test_what_the_database_does_not_take_waits_on(
    store: Store, played: list[Report], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    reports = Reports(store, clock)
    reports.add(played[0])
    with monkeypatch.context() as away:
        away.setattr(Store, "write", raising(StoreUnavailable("locked")))
        reports.try_to_hand_in()
    assert states(store, played)[0] == "leased"
    reports.hand_in_if_due()
    assert states(store, played)[0] == "leased"         # not asked again at once
    clock.seconds += HOLD_SECONDS
    reports.hand_in_if_due()
    assert states(store, played)[0] == "finished"


def test_a_mistake_of_ours_in_one_report_does_not_touch_the_others(
    store: Store, played: list[Report], monkeypatch: pytest.MonkeyPatch
) -> None:
    faulty = played[1].assignment.match_id
    def mistaken(report: Report) -> object:
        if report.assignment.match_id == faulty:
            raise KeyError("a mistake")
        return fault_in(report)

    monkeypatch.setattr(results, "fault_in", mistaken)
    with Reports(store) as reports:
        for report in played:
            reports.add(report)
    assert states(store, played) == ["finished", "due", "finished"]
    assert field.state_of(store, faulty).failures == 1


def test_a_report_waits_for_the_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_their_way, "PAUSE_SECONDS", 0.001)
    answers: list[Exception | str] = [StoreUnavailable("locked"), StoreUnavailable("locked"), "done"]

    def report() -> str:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    assert patiently(report) == "done"


def test_other_errors_of_a_report_are_not_repeated() -> None:
    with pytest.raises(ArenaFault):
        patiently(raising(ArenaFault("no")))


def raising(error: Exception) -> Callable[..., None]:
    def fail(*_: object) -> None:
        raise error

    return fail
