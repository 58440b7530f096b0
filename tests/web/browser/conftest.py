"""A browser for the tests in here, and windows on the app; all are skipped where no browser is installed."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from flask import Flask

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.support.browser import Visit

DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}

Open = Callable[..., "Visit"]


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "browser: needs Chromium and Playwright; they also bear `services`")


@pytest.fixture(scope="session")
def browser() -> Iterator["Browser"]:
    """Chromium, one for the whole test run."""
    pytest.importorskip("playwright", reason="Playwright is not installed: pip install -e '.[dev]'")
    from tests.support import browser as support

    if support.chromium() is None:
        pytest.skip("Chromium is not installed: apt-get install chromium")
    with support.running_chromium() as running:
        yield running


@pytest.fixture
def window(browser: "Browser", app: Flask) -> Iterator[Open]:
    """Opens windows on the app; at the end nothing may have gone wrong in any of them."""
    from tests.support.browser import visit

    opened: list[Visit] = []
    with ExitStack() as stack:

        def open_window(**settings: Any) -> "Visit":
            opened.append(stack.enter_context(visit(browser, app, **{"viewport": DESKTOP, **settings})))
            return opened[-1]

        yield open_window
        assert [trouble for each in opened for trouble in each.troubles] == []


@pytest.fixture
def shots(tmp_path: Path) -> Path:
    """Where screenshots are kept: in ARENA_SCREENSHOTS, to be looked at, or else with the test's other files."""
    return Path(os.environ.get("ARENA_SCREENSHOTS", tmp_path))
