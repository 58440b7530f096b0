"""Arenas that are disturbed again and again: one for each kind of database, for all cells of the matrix."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults import clock, rig
from tests.faults.report import Report
from tests.faults.rig import Rig
from tests.support import postgres

# Its limits are seconds: `make faults` measures them where nothing else runs.
collect_ignore = [] if os.environ.get("FAULTS") == "all" else ["test_recovery.py"]


@pytest.fixture(scope="session")
def report_of_the_session() -> Report:
    return Report()


@pytest.fixture
def report(report_of_the_session: Report) -> Iterator[Report]:
    """What this run has found so far; kept in the file that FAULTS_FOUND names."""
    yield report_of_the_session
    if path := os.environ.get("FAULTS_FOUND"):
        report_of_the_session.save(Path(path))


@pytest.fixture(scope="session")
def clock_folder(tmp_path_factory: pytest.TempPathFactory) -> Path | None:
    return tmp_path_factory.mktemp("clock") if clock.is_available() else None


@pytest.fixture(scope="module")
def on_sqlite(tmp_path_factory: pytest.TempPathFactory, image_folder: Path, clock_folder: Path | None) -> Iterator[Rig]:
    with rig.running(tmp_path_factory.mktemp("arena"), image_folder, clock_folder) as running:
        yield running


@pytest.fixture(scope="module")
def on_postgresql(
    tmp_path_factory: pytest.TempPathFactory, image_folder: Path, clock_folder: Path | None, postgres_url: str
) -> Iterator[Rig]:
    url = postgres.create_database(postgres_url, "faults")
    with rig.running(tmp_path_factory.mktemp("arena"), image_folder, clock_folder, url) as running:
        yield running
    postgres.drop_database(postgres_url, "faults")
