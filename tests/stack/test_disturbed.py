"""Real workers, a real Redis, real sandboxes, and somebody who pulls the plugs: the tournament ends as if nobody had.

The bots' moves depend on their names and the position alone, so that an undisturbed run, computed in this process, has
the same results, ledger and ratings to the last digit.
"""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from celery import Celery
from sqlalchemy import delete, func, select, update

from arena.cli.stack import Plan, Stack
from arena.services import dispatch, ratings
from arena.store import boards
from arena.store.leaderboards import server_process_id
from arena.store.schema import attempts, matches, versions, workers
from arena.store.session import Store
from tests.support import field, postgres
from tests.support.processes import children_of, eventually
from tests.support.redis_server import is_installed
from workers.celery_app import PLAY_TASK

pytestmark = [
    pytest.mark.services, pytest.mark.slow, pytest.mark.timeout(600),
    pytest.mark.skipif(not is_installed(), reason="redis-server is not installed"),
]

BOTS = 8
MATCHES = 28
ENDS_SECONDS = 240


@pytest.fixture(scope="module")
def image_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("image")


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


def leased(store: Store, past_ply: int = -1) -> list[Any]:
    with store.read() as tx:
        return list(tx.execute(select(matches).where(matches.c.state == "leased", matches.c.ply > past_ply)))


def ends_of_attempts(store: Store) -> set[str | None]:
    with store.read() as tx:
        return set(tx.scalars(select(attempts.c.end)))


def assert_as_if_undisturbed(store: Store, tournament_id: int, bots: int = BOTS) -> None:
    eventually(lambda: field.tournament(store, tournament_id).state == "finished", ENDS_SECONDS, "the tournament's end")
    assert field.ledgers(store) == field.undisturbed(bots)
    assert ratings.rebuild(store, dry_run=True).is_exact
    with store.read() as tx:
        expected = boards.whole(tx, "oware").entries
    eventually(lambda: shown(store) == expected, 20, "the board in Redis")


def shown(store: Store) -> object:
    page = store.boards.page("oware", 200, None)
    return None if page is None else page.entries


def test_a_worker_killed_in_mid_match(stack: Stack, stacked_store: Store) -> None:
    tournament_id = start_tournament(stacked_store, pause_ms=15)
    eventually(lambda: leased(stacked_store), 60, "a match that is being played")
    killed = leased(stacked_store)[0]
    os.kill(int(killed.worker.rpartition(":")[2]), signal.SIGKILL)          # the process that plays it
    eventually(lambda: finished(stacked_store) >= 6, 120, "matches go on")
    os.kill(stack.processes()["play"], signal.SIGKILL)                      # the whole worker
    assert_as_if_undisturbed(stacked_store, tournament_id)
    assert ends_of_attempts(stacked_store) <= {"finished", "fault", "expired"}      # whatever came first
    again = field.state_of(stacked_store, killed.id)
    assert (again.attempt, again.failures) == (2, 1)


def test_redis_emptied_and_killed_in_mid_tournament(stack: Stack, stacked_store: Store) -> None:
    tournament_id = start_tournament(stacked_store)
    eventually(lambda: finished(stacked_store) >= 4, 120, "some matches")
    stacked_store.boards._client.flushall()
    before = finished(stacked_store)
    eventually(lambda: finished(stacked_store) >= min(MATCHES, before + 4), 60, "matches go on with an emptied Redis")
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


def test_every_message_delivered_many_times(stack: Stack, stacked_store: Store) -> None:
    tournament_id = start_tournament(stacked_store)
    sender = Celery(broker=stack.settings.redis_url)
    eventually(lambda: finished(stacked_store) >= 2, 120, "some matches")
    for _ in range(4):
        sender.send_task(PLAY_TASK, ([*range(1, MATCHES + 5)],), queue="play")
    assert_as_if_undisturbed(stacked_store, tournament_id)
    with stacked_store.read() as tx:
        assert tx.scalar(select(func.max(matches.c.attempt))) == 1


def test_a_worker_told_to_stop_hands_its_matches_back(stack: Stack, stacked_store: Store) -> None:
    tournament_id = start_tournament(stacked_store, pause_ms=15)
    eventually(lambda: len(leased(stacked_store)) == 2, 60, "two matches that are being played")
    main = stack.processes()["play"]
    os.kill(main, signal.SIGTERM)
    eventually(lambda: stack.processes()["play"] != main, 30, "another worker")
    assert_as_if_undisturbed(stacked_store, tournament_id)
    assert ends_of_attempts(stacked_store) == {"finished", "returned"}
    with stacked_store.read() as tx:
        assert tx.scalar(select(func.max(matches.c.failures))) == 0


def test_dispatch_killed_and_left_without_its_timer(stack: Stack, stacked_store: Store) -> None:
    tournament_id = start_tournament(stacked_store)
    control = stack.processes()["control"]
    (timer,) = children_of(control)
    os.kill(control, signal.SIGKILL)
    eventually(lambda: not Path(f"/proc/{timer}").exists(), 5, "the timer ends with its worker")
    assert_as_if_undisturbed(stacked_store, tournament_id)


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


def test_a_worker_killed_on_postgresql(
    tmp_path: Path, image_folder: Path, monkeypatch: pytest.MonkeyPatch, postgres_url: str
) -> None:
    url = postgres.create_database(postgres_url, "disturbed")
    monkeypatch.setenv("ARENA_SANDBOX_DIR", str(image_folder))
    monkeypatch.setenv("ARENA_LEASE_SECONDS", "5")
    monkeypatch.setenv("ARENA_DATABASE_URL", url)
    with Stack(Plan(tmp_path / "data", workers=2), print) as running:
        store = Store.open(running.settings)
        tournament_id = start_tournament(store)
        eventually(lambda: finished(store) >= 4, 120, "some matches")
        os.kill(running.processes()["play"], signal.SIGKILL)
        assert_as_if_undisturbed(store, tournament_id)
        store.dispose()
    postgres.drop_database(postgres_url, "disturbed")


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
