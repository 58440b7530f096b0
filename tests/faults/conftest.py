"""Arenas that are disturbed again and again: one for each kind of database, for all cells of the matrix."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults import clock, rig
from tests.faults.report import Report
from tests.faults.rig import Rig
from tests.support import postgres

FOUND = pytest.StashKey[Report]()


@pytest.fixture(scope="session")
def report(request: pytest.FixtureRequest) -> Report:
    """What the whole run finds; printed at its end, and written into the document that FAULTS_REPORT names."""
    return request.config.stash.setdefault(FOUND, Report())


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    found = config.stash.get(FOUND, None)
    if found is None or os.environ.get("FAULTS") != "all":
        return
    terminalreporter.section("faults × phases")
    terminalreporter.write_line("\n".join(found.lines()))
    if document := os.environ.get("FAULTS_REPORT"):
        found.write(Path(document))


@pytest.fixture(scope="session")
def image_folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="arena-image-"))
    folder.chmod(0o777)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


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
