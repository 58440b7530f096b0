"""What /readyz and /metrics are made of."""

from datetime import timedelta

from sqlalchemy import text

from arena.errors import SandboxLost
from arena.services import dispatch, health, results
from arena.store import windows
from arena.store.session import Store, utc_now
from tests.support import field


def checks(store: Store) -> dict[str, bool]:
    return {check.name: check.is_ok for check in health.readiness(store)}


def register_worker(store: Store, name: str, seconds_ago: int = 0) -> None:
    seen_at = utc_now() - timedelta(seconds=seconds_ago)
    values = {"slots": 2, "engine_version": "1", "isolation": "A", "seen_at": seen_at}
    with store.write() as tx:
        windows.register_worker(tx, name, values)


def test_fresh_database_lacks_only_redis_and_workers(any_store: Store) -> None:
    assert checks(any_store) == {"database": True, "migrations": True, "workers": False, "redis": False}
    assert all(check.is_ok for check in health.readiness(any_store) if check.is_required)


def test_redis_that_answers_is_ready(store_with_boards: Store) -> None:
    assert checks(store_with_boards)["redis"]


def test_worker_counts_while_it_is_seen(any_store: Store) -> None:
    register_worker(any_store, "gone", seconds_ago=45)          # dispatch sends it nothing any more
    assert not dispatch.is_present(any_store, "gone")
    assert not checks(any_store)["workers"]
    register_worker(any_store, "here")
    assert checks(any_store)["workers"]
    assert health.load(any_store).slots_by_isolation == {"A": 2}


def test_tables_of_another_version_are_not_ready(any_store: Store) -> None:
    with any_store.write() as tx:
        tx.execute(text("UPDATE alembic_version SET version_num = 'other'"))
    assert checks(any_store)["migrations"] is False


def test_empty_arena_has_no_load(any_store: Store) -> None:
    load = health.load(any_store)
    assert (load.matches, load.oldest_seconds, load.slots_by_isolation) == ({}, 0.0, {})
    assert (load.lease_expiries, load.attempt_faults) == (0, 0)


def test_load_counts_every_attempt_that_failed(any_store: Store) -> None:
    field.add_tournament(any_store, [field.add_bot(any_store, name) for name in ("ada", "ben")])
    moment, post = field.Moment(), field.Post()
    for _ in range(2):
        dispatch.tick(any_store, post, moment)
        field.claim(any_store, post.batches[-1], now=moment)
        moment.pass_seconds(any_store.settings.lease_seconds + 1)
    dispatch.tick(any_store, post, moment)
    load = health.load(any_store, moment)
    assert (load.lease_expiries, load.attempt_faults) == (2, 0)
    assert load.oldest_seconds == 2 * (any_store.settings.lease_seconds + 1)
    (assignment,) = field.claim(any_store, post.batches[-1], now=moment)
    results.report_fault(any_store, assignment, SandboxLost("it is gone"), moment)
    load = health.load(any_store, moment)
    assert (load.lease_expiries, load.attempt_faults) == (2, 1)
    assert (load.matches, load.oldest_seconds) == ({"void": 1}, 0.0)
