"""The pages of those who are logged in, in a real browser on the server as it is run: forms, hostile words, looks."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install -e '.[dev]'")
from playwright.sync_api import expect

from arena.services import accounts, matches, tournaments
from arena.store.session import Store
from tests.match.played import forfeited_record
from tests.support import season
from tests.support.browser import PATIENCE_MS
from tests.support.finished import add_match
from tests.support.season import Season
from tests.support.site import running_site
from tests.support.visitor import PASSWORD
from tests.web.browser.conftest import DESKTOP, PHONE
from tests.web.browser.test_pages import AXE, RULES_OF_WCAG

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.services]

MINE = "alice"                  # of the record with forfeits
WIDTHS = [(DESKTOP, "light"), (DESKTOP, "dark"), (PHONE, "light")]


@pytest.fixture
def arena(store: Store) -> Season:
    begun = season.begin(store)
    add_match(store, forfeited_record())
    user, _ = accounts.register(store, "ama", PASSWORD)
    season.give(store, user)
    season.give(store, user, MINE)
    return begun


@contextmanager
def logged_in(browser: "Browser", address: str, **settings: Any) -> Iterator["Page"]:
    """A window of ama's; at the end nothing may have gone wrong in it, and nothing may have been asked of others."""
    context = browser.new_context(viewport=settings.pop("viewport", DESKTOP), **settings)
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    troubles: list[str] = []
    page.on("console", lambda said: troubles.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("dialog", lambda dialog: troubles.append(dialog.message))
    page.on("request", lambda asked: troubles.append(asked.url) if not asked.url.startswith(address) else None)
    page.goto(f"{address}/log-in")
    page.fill("#name", "ama")
    page.fill("#password", PASSWORD)
    page.click("main button")
    page.wait_for_url("**/account")
    yield page
    context.close()
    assert [trouble for trouble in troubles if " 4" not in trouble] == []


def own_match(store: Store) -> str:
    """The page of a match of ama's bot."""
    played = matches.list_matches(store, bot=season.NAMES[0]).items
    return f"/matches/{next(match.id for match in played if match.score is not None)}"


def addresses(store: Store, arena: Season) -> dict[str, str]:
    return {
        "account": "/account",
        "submit": "/bots/new",
        "new-version": f"/bots/{season.NAMES[0]}/versions/new",
        "own-bot": f"/bots/{season.NAMES[0]}",
        "failed-bot": f"/bots/{MINE}",
        "version": f"/bots/{season.NAMES[0]}/versions/2",
        "version-checking": f"/bots/{season.NAMES[0]}/versions/3",
        "retire": f"/bots/{season.NAMES[0]}/retire",
        "new-tournament-game": "/tournaments/new",
        "new-tournament": "/tournaments/new?game=omweso",
        "own-tournament": f"/tournaments/{arena.created}",
        "own-running": f"/tournaments/{arena.running}",
        "cancel": f"/tournaments/{arena.running}/cancel",
        "withdraw": f"/tournaments/{arena.running}/bots/{season.NAMES[1]}/withdraw",
        "own-match": own_match(store),
        "refused": f"/bots/{season.NAMES[1]}/retire",
    }


def faults_of(page: "Page") -> list[dict[str, Any]]:
    """What axe-core finds, and whether the page scrolls sideways."""
    page.evaluate(AXE.read_text())
    found = page.evaluate(f"axe.run({{runOnly: {json.dumps(RULES_OF_WCAG)}}})")
    faults = [
        {"rule": fault["id"], "impact": fault["impact"], "where": [node["target"] for node in fault["nodes"][:3]]}
        for fault in found["violations"]
    ]
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return faults + ([{"rule": "no wider than the screen", "by": wide}] if wide > 0 else [])


@pytest.mark.timeout(600)
def test_no_page_shuts_anybody_out(browser: "Browser", store: Store, arena: Season, shots: Path) -> None:
    faults = {}
    shots.mkdir(parents=True, exist_ok=True)
    with running_site(store, workers=1) as address:
        for viewport, scheme in WIDTHS:
            with logged_in(browser, address, viewport=viewport, color_scheme=scheme) as page:
                for name, path in addresses(store, arena).items():
                    page.goto(address + path)
                    page.screenshot(path=shots / f"{name}-{viewport['width']}-{scheme}.png", full_page=True)
                    assert page.locator("script:not([src]), main img, [onerror]").count() == 0
                    faults[name, viewport["width"], scheme] = faults_of(page)
                for name, filled in refused_forms(page, address):
                    page.screenshot(path=shots / f"{name}-{viewport['width']}-{scheme}.png", full_page=True)
                    faults[name, viewport["width"], scheme] = faults_of(page)
                    assert filled
    assert {name: found for name, found in faults.items() if found} == {}


def refused_forms(page: "Page", address: str) -> Iterator[tuple[str, bool]]:
    """Forms with faults beside their fields, and whether what was filled in is still there."""
    page.goto(f"{address}/bots/new")
    page.evaluate("document.querySelector('form[data-submit]').noValidate = true")
    page.fill("#name", season.HOSTILE + "x" * 10)
    page.fill("#source", season.HOSTILE_TEXT)
    page.click("main button")
    yield "submit-refused", page.input_value("#source") == season.HOSTILE_TEXT
    page.goto(f"{address}/tournaments/new?game=omweso")
    page.fill("#name", "My Cup")
    page.fill("#cycles", "0")
    page.click("main button >> nth=0")
    yield "new-tournament-refused", page.input_value("#name") == "My Cup"


def test_hostile_words_of_a_bot_stay_words(browser: "Browser", store: Store, arena: Season) -> None:
    with running_site(store, workers=1) as address, logged_in(browser, address) as page:
        page.goto(f"{address}/bots/{season.NAMES[0]}/versions/2")
        assert page.locator(".source .line").first.inner_text() == season.HOSTILE_TEXT.partition("\n")[0]
        assert "<script>alert(1)</script>" in page.inner_text(".verdict-box")
        assert "⟨U+202E⟩⟨U+2066⟩ gnol⟨U+2069⟩⟨U+001B⟩[31m" in page.inner_text(".log")
        page.goto(f"{address}{own_match(store)}")
        assert "</code></pre><img src=x onerror=alert(2)>" in page.inner_text(".log")


def test_the_keyboard_alone_fills_in_and_sends(browser: "Browser", store: Store, arena: Season) -> None:
    with running_site(store, workers=1) as address, logged_in(browser, address) as page:
        page.goto(f"{address}/tournaments/new?game=oware")
        page.focus("#name")
        page.keyboard.type("by-keyboard")
        page.keyboard.press("Tab")
        page.keyboard.press("ArrowDown")            # these
        assert page.is_checked("#who-these")
        for _ in range(2):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.type") != "checkbox":
                page.keyboard.press("Tab")          # the list scrolls by keyboard, too
            page.keyboard.press("Space")
        page.focus("#seed")
        page.keyboard.press("Enter")
        page.wait_for_url(re.compile(r"/tournaments/\d+$"))
        made = tournaments.list_tournaments(store, limit=1).items[0]
        assert (made.name, made.entrants, made.state) == ("by-keyboard", 2, "running")


def test_faults_are_read_out_and_lead_to_their_fields(browser: "Browser", store: Store, arena: Season) -> None:
    with running_site(store, workers=1) as address, logged_in(browser, address) as page:
        page.goto(f"{address}/account")
        page.fill("#password", "not my password")
        page.fill("#new_password", "a new password")
        page.fill("#again", "a new password")
        page.click("text=Change the password")
        expect(page.locator("[role=alert]")).to_contain_text("This is not your password")
        page.click("[role=alert] a")
        assert page.evaluate("location.hash") == "#password"
        assert page.get_attribute("#password", "aria-invalid") == "true"
        assert "password-fault" in (page.get_attribute("#password", "aria-describedby") or "")
