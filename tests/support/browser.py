"""A real browser: Debian's Chromium, driven by Playwright, on pages that the app itself answers.

Nothing listens on a port: every request of the browser is handed to the Flask app, and what goes elsewhere is refused.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from flask import Flask
from playwright.sync_api import Browser, ConsoleMessage, Page, Route, expect, sync_playwright

ADDRESS = "http://localhost"            # a secure context, so that pages may use the clipboard
PATIENCE_MS = 60_000                    # a busy machine fails no test
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)


def chromium() -> str | None:
    """Where the browser is."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


@contextmanager
def running_chromium() -> Iterator[Browser]:
    """The browser, for as long as it is needed."""
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        yield browser
        browser.close()


@dataclass
class Visit:
    """A page in a browser window of its own, and what went wrong on it."""

    page: Page
    troubles: list[str] = field(default_factory=list)
    bytes_loaded: int = 0

    def go(self, path: str) -> Page:
        """Open a path of the app."""
        self.page.goto(f"{ADDRESS}{path}")
        return self.page

    def screenshot(self, folder: Path, name: str) -> None:
        """Keep what is seen, the whole page."""
        folder.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=folder / f"{name}.png", full_page=True)


@contextmanager
def visit(browser: Browser, app: Flask, **settings: Any) -> Iterator[Visit]:
    """A window on the app; `settings` are Playwright's: `viewport`, `color_scheme`, `reduced_motion` …"""
    context = browser.new_context(**settings)
    context.set_default_timeout(PATIENCE_MS)
    visited = Visit(context.new_page())
    visited.page.on("pageerror", lambda error: visited.troubles.append(str(error)))
    visited.page.on("console", lambda said: _note(visited, said))
    client = app.test_client()

    def answer(route: Route) -> None:
        asked = route.request
        url = urlsplit(asked.url)
        if f"{url.scheme}://{url.netloc}" != ADDRESS:
            visited.troubles.append(f"a request left for {asked.url}")
            route.abort()
            return
        response = client.open(
            f"{url.path}?{url.query}", method=asked.method, headers=asked.headers, data=asked.post_data_buffer
        )
        visited.bytes_loaded += len(response.data)
        route.fulfill(status=response.status_code, headers=dict(response.headers), body=response.data)

    context.route("**/*", answer)
    yield visited
    context.close()


def _note(visited: Visit, said: ConsoleMessage) -> None:
    if said.type == "error":
        visited.troubles.append(f"{said.location.get('url')}: {said.text}")
