"""Transactions: what a service may rely on."""

import multiprocessing
import os
import signal
import sqlite3
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import Connection, exc, insert, select, text, update

from arena.errors import StoreUnavailable
from arena.settings import Settings
from arena.store import session
from arena.store.migrate import migrate
from arena.store.schema import rulesets, tokens, users
from arena.store.session import Store, database_url
from tests.support import postgres

MOMENT = datetime(2026, 11, 29, 12, tzinfo=UTC)


def test_write_commits_at_the_end(any_store: Store) -> None:
    with any_store.write() as tx:
        tx.execute(insert(rulesets).values(ruleset="oware", sequence=1))
    with any_store.read() as tx:
        assert tx.execute(select(rulesets.c.sequence)).scalar_one() == 1


def test_write_leaves_nothing_behind_when_its_body_raises(any_store: Store) -> None:
    with pytest.raises(exc.IntegrityError), any_store.write() as tx:
        tx.execute(insert(rulesets), [{"ruleset": "oware", "sequence": 1}] * 2)
    with any_store.read() as tx:
        assert tx.execute(select(rulesets.c.sequence)).all() == []


def test_read_sees_one_snapshot(any_store: Store) -> None:
    with any_store.read() as reader:
        before = reader.execute(select(rulesets.c.ruleset)).all()
        with any_store.write() as writer:
            writer.execute(insert(rulesets).values(ruleset="oware", sequence=1))
        assert reader.execute(select(rulesets.c.ruleset)).all() == before == []


def test_times_come_back_aware_and_in_utc(any_store: Store) -> None:
    elsewhere = MOMENT.astimezone(timezone(timedelta(hours=5, minutes=45)))
    with any_store.write() as tx:
        tx.execute(insert(users).values(name="ann", is_admin=False, created_at=elsewhere))
    with any_store.read() as tx:
        read = tx.execute(select(users.c.created_at)).scalar_one()
    assert (read, read.tzinfo) == (MOMENT, UTC)


def test_foreign_keys_hold(any_store: Store) -> None:
    with pytest.raises(exc.IntegrityError), any_store.write() as tx:
        tx.execute(insert(tokens).values(user_id=99, name="a", token_hash="b", created_at=MOMENT))


def _add_one_many_times(url: str, times: int) -> None:
    store = Store.open(Settings(database_url=url))
    for _ in range(times):
        with store.write() as tx:
            query = select(rulesets.c.sequence).where(rulesets.c.ruleset == "oware").with_for_update()
            sequence = tx.execute(query).scalar_one()
            tx.execute(update(rulesets).where(rulesets.c.ruleset == "oware").values(sequence=sequence + 1))
    store.dispose()


def test_writers_that_read_first_wait_in_line(any_store: Store) -> None:
    with any_store.write() as tx:
        tx.execute(insert(rulesets).values(ruleset="oware", sequence=0))
    context = multiprocessing.get_context("spawn")
    url = any_store.settings.sqlalchemy_url
    processes = [context.Process(target=_add_one_many_times, args=(url, 25)) for _ in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0, 0, 0]
    with any_store.read() as tx:
        assert tx.execute(select(rulesets.c.sequence)).scalar_one() == 75


def test_a_locked_database_is_unavailable(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "BUSY_SECONDS", 0.1)
    store = Store.open(Settings(database_url=sqlite_url))
    other = sqlite3.connect(sqlite_url.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreUnavailable, match="locked"), store.write():
        pass
    other.execute("ROLLBACK")
    with store.write() as tx:
        tx.execute(insert(rulesets).values(ruleset="oware", sequence=1))
    other.close()
    store.dispose()


def test_a_missing_database_is_unavailable(tmp_path: Path) -> None:
    store = Store.open(Settings(database_url=f"sqlite:///{tmp_path}/nowhere/arena.sqlite3"))
    with pytest.raises(StoreUnavailable, match="does not answer"), store.read():
        pass


def test_a_file_that_is_no_database_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "arena.sqlite3").write_text("this is no database" * 50)
    url = f"sqlite:///{tmp_path}/arena.sqlite3"
    store = Store.open(Settings(database_url=url))
    with pytest.raises(StoreUnavailable, match="is damaged"), store.read():
        pytest.fail("it must not come so far")
    with pytest.raises(StoreUnavailable, match="cannot be migrated: file is not a database"):
        migrate(url)


def test_a_server_that_is_away_is_unavailable() -> None:
    store = Store.open(Settings(database_url="postgresql://arena@127.0.0.1:1/arena"))
    with pytest.raises(StoreUnavailable, match="does not answer"), store.read():
        pass


def test_a_database_without_tables_says_what_to_run(tmp_path: Path) -> None:
    store = Store.open(Settings(database_url=f"sqlite:///{tmp_path}/empty.sqlite3"))
    with pytest.raises(StoreUnavailable, match="arena admin migrate"), store.read() as tx:
        tx.execute(select(users.c.id))
    store.dispose()


@pytest.mark.services
def test_a_postgres_without_tables_says_what_to_run(postgres_url: str) -> None:
    store = Store.open(Settings(database_url=postgres_url))
    with pytest.raises(StoreUnavailable, match="arena admin migrate"), store.read() as tx:
        tx.execute(select(users.c.id))
    store.dispose()


@pytest.mark.parametrize(
    ("url", "complaint"),
    [("mysql://x/y", "mysql"), ("no url", "no database URL"), ("sqlite://", "names no file")],
)
def test_a_database_we_do_not_support_is_refused(url: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        database_url(url)


@pytest.mark.services
def test_a_server_that_ends_the_connection_leaves_nothing_half_written(postgres_url: str) -> None:
    url = postgres.create_database(postgres_url, "arena_that_is_cut_off")
    migrate(url)
    store = Store.open(Settings(database_url=url))
    with pytest.raises(StoreUnavailable, match="does not answer"), store.write() as tx:
        _insert_and_be_cut_off(tx, postgres_url)
    with store.read() as tx:
        assert tx.execute(select(rulesets.c.ruleset)).all() == []
    store.dispose()


def _insert_and_be_cut_off(tx: Connection, server_url: str) -> None:
    tx.execute(insert(rulesets).values(ruleset="oware", sequence=1))
    own = tx.scalar(text("SELECT pg_backend_pid()"))
    with psycopg.connect(server_url, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s)", (own,))


def _insert_and_die(url: str) -> None:
    with Store.open(Settings(database_url=url)).write() as tx:
        tx.execute(insert(rulesets).values(ruleset="oware", sequence=1))
        os.kill(os.getpid(), signal.SIGKILL)


def test_a_process_killed_while_it_writes_leaves_nothing_and_holds_nobody_up(any_store: Store) -> None:
    context = multiprocessing.get_context("spawn")
    process = context.Process(target=_insert_and_die, args=(any_store.settings.sqlalchemy_url,))
    process.start()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL
    with any_store.write() as tx:
        assert tx.execute(select(rulesets.c.ruleset)).all() == []
        tx.execute(insert(rulesets).values(ruleset="oware", sequence=2))
