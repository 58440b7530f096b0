"""Whole tournaments on real workers, with a real Redis and real sandboxes. One fault in one phase each: tests/faults.

The bots' moves depend on their names and the position alone, so that an undisturbed run, computed in this process, has
the same results, ledger and ratings to the last digit.
"""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import delete, func, select, update

from arena.cli.stack import Plan, Stack
from arena.services import dispatch, ratings
from arena.store.redis_calls import server_process_id
from arena.store.schema import matches, versions, workers
from arena.store.session import Store
from tests.support import field
from tests.support.processes import eventually
from tests.support.redis_server import is_installed
from tests.support.sql_boards import sql_board

pytestmark = [
    pytest.mark.services, pytest.mark.slow, pytest.mark.timeout(600),
    pytest.mark.skipif(not is_installed(), reason="redis-server is not installed"),
]

BOTS = 8
ENDS_SECONDS = 240


@pytest.fixture
def stack(tmp_path: Path, image_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stack]:
    monkeypatch.setenv("ARENA_SANDBOX_DIR", str(image_folder))
    monkeypatch.setenv("ARENA_LEASE_SECONDS", "5")
    with Stack(Plan(tmp_path / "data", workers=2), print) as running:
        yield running


@pytest.fixture
def stacked_store(stack: Stack) -> Iterator[Store]:
    store = Store.open(stack.settings)
    yield store
    store.dispose()


def start_tournament(store: Store, bots: int = BOTS, pause_ms: int = 4) -> int:
    entered = [field.add_bot(store, f"bot-{number}", pause_ms=pause_ms) for number in range(bots)]
    return field.add_tournament(store, entered)


def finished(store: Store) -> int:
    with store.read() as tx:
        return tx.scalar(select(func.count()).where(matches.c.state == "finished")) or 0


def assert_as_if_undisturbed(store: Store, tournament_id: int, bots: int = BOTS) -> None:
    eventually(lambda: field.tournament(store, tournament_id).state == "finished", ENDS_SECONDS, "the tournament's end")
    assert field.ledgers(store) == field.undisturbed(bots)
    assert ratings.rebuild(store, dry_run=True).is_exact
    expected = sql_board(store, "oware").entries
    eventually(lambda: shown(store) == expected, 20, "the board in Redis")


def shown(store: Store) -> object:
    page = store.boards.page("oware", 200, None)
    return None if page is None else page.entries


def test_a_worker_tells_its_presence_again_when_redis_is_back(stack: Stack, stacked_store: Store) -> None:
    tournament_id = start_tournament(stacked_store)
    eventually(lambda: finished(stacked_store) >= 4, 120, "some matches")
    for _ in range(2):
        killed = stack.processes()["redis"]
        os.kill(killed, signal.SIGKILL)
        eventually(lambda gone=killed: redis_process(stack) not in (None, gone), 30, "another Redis")  # type: ignore[misc]
    with stacked_store.write() as tx:
        tx.execute(delete(workers))
    eventually(lambda: dispatch.live_slots(stacked_store) == 2, 60, "a worker with a new connection tells its presence")
    assert_as_if_undisturbed(stacked_store, tournament_id)


def redis_process(stack: Stack) -> int | None:
    try:
        return server_process_id(stack.settings.redis_url)
    except Exception:
        return None


@pytest.mark.parametrize("workers", [1, 2])
def test_twelve_bots_rank_the_same_with_any_number_of_workers(
    tmp_path: Path, image_folder: Path, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    monkeypatch.setenv("ARENA_SANDBOX_DIR", str(image_folder))
    with Stack(Plan(tmp_path / "data", workers=workers), print) as running:
        store = Store.open(running.settings)
        tournament_id = start_tournament(store, bots=12, pause_ms=0)
        assert_as_if_undisturbed(store, tournament_id, bots=12)
        assert finished(store) == 66
        store.dispose()


def test_a_submitted_bot_is_qualified(stack: Stack, stacked_store: Store) -> None:
    good = field.add_bot(stacked_store, "good", state="checking")
    bad = field.add_bot(stacked_store, "bad", state="checking")
    with stacked_store.write() as tx:
        tx.execute(update(versions).where(versions.c.id == bad).values(package=b"def choose_move(position: 1 / 0"))
    for version_id in (good, bad):
        field.add_qualification(stacked_store, version_id)
    eventually(lambda: field.version(stacked_store, bad).state == "rejected", 60, "the broken bot is rejected")
    eventually(lambda: field.version(stacked_store, good).state == "active", 60, "the good bot is active")
    assert field.version(stacked_store, bad).fault_kind == "load"
    assert field.version(stacked_store, good).import_ms > 0
