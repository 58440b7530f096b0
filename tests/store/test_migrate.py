"""Migrations: they lead to exactly the tables of schema.py, on both databases, from anywhere, also twice at once."""

import multiprocessing
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from sqlalchemy import inspect
from sqlalchemy.exc import IntegrityError

from arena.errors import StoreUnavailable
from arena.store.migrate import SCRIPTS, differences, downgrade, migrate
from arena.store.schema import metadata
from arena.store.session import make_engine
from tests.support import postgres


def tables(url: str) -> set[str]:
    engine = make_engine(url)
    names = set(inspect(engine).get_table_names()) - {"alembic_version"}
    engine.dispose()
    return names


def test_migrations_lead_to_the_schema(any_url: str) -> None:
    assert tables(any_url) == set(metadata.tables)
    assert differences(any_url) == []


def test_migrating_again_changes_nothing(any_url: str) -> None:
    migrate(any_url)
    assert differences(any_url) == []


def test_downgrade_to_base_leaves_no_table_and_upgrade_brings_all_back(any_url: str) -> None:
    downgrade(any_url, "base")
    assert tables(any_url) == set()
    migrate(any_url)
    assert differences(any_url) == []


def test_a_difference_is_seen(any_url: str) -> None:
    engine = make_engine(any_url)
    with engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE users ADD COLUMN shoe_size INTEGER")
    engine.dispose()
    assert [change[0] for change in differences(any_url)] == ["remove_column"]


def _migrate_together(url: str) -> None:
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=migrate, args=(url,)) for _ in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0, 0, 0]
    assert differences(url) == []


def test_processes_that_migrate_one_sqlite_file_at_once_all_succeed(tmp_path: Path) -> None:
    _migrate_together(f"sqlite:///{tmp_path}/new/folder/arena.sqlite3")


@pytest.mark.services
def test_processes_that_migrate_one_postgres_at_once_all_succeed(postgres_url: str) -> None:
    _migrate_together(postgres.create_database(postgres_url, "arena_migrated_together"))


def test_migrate_does_not_depend_on_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    migrate(f"sqlite:///{tmp_path}/arena.sqlite3")
    assert tables(f"sqlite:///{tmp_path}/arena.sqlite3") == set(metadata.tables)


def test_an_installed_copy_migrates_with_its_own_scripts(tmp_path: Path) -> None:
    root = SCRIPTS.parent
    with (root / "pyproject.toml").open("rb") as file:
        packages = tomllib.load(file)["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert {"arena", "migrations"} <= set(packages)
    site = tmp_path / "site-packages"
    for package in ("arena", "migrations"):
        shutil.copytree(root / package, site / package, ignore=shutil.ignore_patterns("__pycache__"))
    url = f"sqlite:///{tmp_path}/arena.sqlite3"
    program = f"from arena.store.migrate import SCRIPTS, migrate; migrate({url!r}); print(SCRIPTS)"
    environment = {**os.environ, "PYTHONPATH": str(site)}
    done = subprocess.run(
        [sys.executable, "-P", "-c", program], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == str(site / "migrations")
    assert differences(url) == []


def test_the_scripts_stand_beside_the_package() -> None:
    assert (SCRIPTS / "env.py").is_file()
    assert sorted(path.name for path in (SCRIPTS / "versions").glob("*.py"))[0] == "0001_create_the_tables.py"


def test_a_database_that_is_away_is_unavailable() -> None:
    with pytest.raises(StoreUnavailable, match="cannot be migrated"):
        migrate("postgresql://arena@127.0.0.1:1/arena")


def test_a_folder_that_may_not_be_written_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "arena.sqlite3").mkdir()
    with pytest.raises(StoreUnavailable, match="cannot be migrated"):
        migrate(f"sqlite:///{tmp_path}/arena.sqlite3")
    assert os.listdir(tmp_path) == ["arena.sqlite3"]


def test_taking_back_parking_rejects_what_is_parked(any_url: str) -> None:
    engine = make_engine(any_url)
    with engine.begin() as connection:
        connection.exec_driver_sql("INSERT INTO users VALUES (1, 'ama', NULL, false, '2026-11-29', NULL)")
        connection.exec_driver_sql(
            "INSERT INTO bots (id, name, owner_id, game, is_open, created_at)"
            " VALUES (1, 'walker', 1, 'oware', true, '2026-11-29')"
        )
        connection.exec_driver_sql(
            "INSERT INTO versions (id, bot_id, number, content_hash, package, state, submitted_at)"
            " VALUES (1, 1, 1, '0', '0', 'parked', '2026-11-29')"
        )
    downgrade(any_url, "0003")
    with engine.begin() as connection:
        assert connection.exec_driver_sql("SELECT state FROM versions").scalar_one() == "rejected"
        with pytest.raises(IntegrityError), connection.begin_nested():
            connection.exec_driver_sql("UPDATE versions SET state = 'parked'")
    engine.dispose()
    migrate(any_url)
    assert differences(any_url) == []
