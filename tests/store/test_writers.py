"""Writers of SQLite stand in line: of one process behind each other, of several by looking again and again."""

import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from sqlalchemy import text

from arena.errors import StoreUnavailable
from arena.settings import Settings
from arena.store import session
from arena.store.session import Store

WRITERS, TIMES = 3, 40
ADD = f"""if True:
    import sys
    from pathlib import Path
    from sqlalchemy import text
    from arena.settings import Settings
    from arena.store.session import Store
    store = Store.open(Settings(data_dir=Path(sys.argv[1])))
    for _ in range({TIMES}):
        with store.write() as tx:
            count = tx.scalar(text("SELECT n FROM counted"))
            tx.execute(text("UPDATE counted SET n = :n"), {{"n": count + 1}})
"""


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store.open(Settings(data_dir=tmp_path))
    with store.write() as tx:
        tx.execute(text("CREATE TABLE counted (n INTEGER)"))
        tx.execute(text("INSERT INTO counted VALUES (0)"))
    return store


def counted(store: Store) -> int:
    with store.read() as tx:
        return int(tx.scalar(text("SELECT n FROM counted")) or 0)


def test_processes_and_their_threads_lose_no_write(store: Store, tmp_path: Path) -> None:
    others = [subprocess.Popen([sys.executable, "-c", ADD, str(tmp_path)]) for _ in range(WRITERS)]

    def add() -> None:
        for _ in range(TIMES):
            with store.write() as tx:
                count = tx.scalar(text("SELECT n FROM counted"))
                tx.execute(text("UPDATE counted SET n = :n"), {"n": count + 1})

    threads = [threading.Thread(target=add) for _ in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [other.wait(60) for other in others] == [0] * WRITERS
    assert counted(store) == 2 * WRITERS * TIMES


def test_who_cannot_begin_in_time_says_so_and_the_next_one_can(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "BUSY_SECONDS", 0)
    somebody = sqlite3.connect(tmp_path / "arena.sqlite3", isolation_level=None)
    somebody.execute("BEGIN IMMEDIATE")
    for _ in range(2):
        with pytest.raises(StoreUnavailable, match="locked"), store.write():
            pass
    assert counted(store) == 0              # who reads need not wait
    somebody.execute("COMMIT")
    with store.write() as tx:
        tx.execute(text("UPDATE counted SET n = 5"))
    assert counted(store) == 5

