"""The pages in a real browser: live tables, hostile words stay words, nobody is shut out, and pictures to look at."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install -e '.[dev]'")
from playwright.sync_api import expect

from arena.services import accounts, board_copies
from arena.store.session import Store
from tests.support import season
from tests.support.browser import visit
from tests.support.season import Season
from tests.support.site import running_site
from tests.support.visitor import PASSWORD
from tests.web.browser.conftest import DESKTOP, PHONE, Open
from tests.web.conftest import SECRET_KEY
from web.app import create_app

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.services]

ROOT = Path(__file__).parents[3]
AXE = ROOT / "tests" / "support" / "axe-core" / "axe.min.js"
RULES_OF_WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
HEAVIEST = 150_000              # bytes of a page without a cache
LARGEST_PICTURE = 120_000       # bytes


@pytest.fixture
def arena(store: Store) -> Season:
    return season.begin(store)


def addresses(arena: Season) -> dict[str, str]:
    return {
        "home": "/",
        "games": "/games",
        "rules": "/games/omweso",
        "boards": "/leaderboards",
        "board": "/leaderboards/oware",
        "board-found": f"/leaderboards/oware?find={season.LONG}",
        "bots": "/bots",
        "bots-empty": "/bots?game=urim",
        "bot": f"/bots/{season.NAMES[0]}",
        "tournaments": "/tournaments",
        "tournament-finished": f"/tournaments/{arena.finished}",
        "tournament-running": f"/tournaments/{arena.running}",
        "schedule": f"/tournaments/{arena.running}/schedule",
        "entrant": f"/tournaments/{arena.finished}/bots/{season.NAMES[2]}",
        "match": "/matches/1",
        "error": "/tournaments/999",
        "sign-up": "/sign-up",
        "log-in": "/log-in",
    }


def faults_of(page: "Page") -> list[dict[str, Any]]:
    """What axe-core finds; run where the page's own policy lets nothing foreign in, so by the debugger."""
    page.evaluate(AXE.read_text())
    found = page.evaluate(f"axe.run({{runOnly: {json.dumps(RULES_OF_WCAG)}}})")
    return [
        {"rule": fault["id"], "impact": fault["impact"], "where": [node["target"] for node in fault["nodes"][:3]]}
        for fault in found["violations"]
    ]


def opened(window: Open, path: str, **settings: Any) -> "Page":
    """The page; what the browser notes of a missing page, or of a stream that ends here, is no trouble."""
    visit = window(**settings)
    page = visit.go(path)
    page.wait_for_load_state("load")
    visit.troubles[:] = [trouble for trouble in visit.troubles if "404" not in trouble]
    return page


def without_streams(window: Open) -> Open:
    """Windows of the app in this process would wait for a stream to end; tests of live pages use a server."""

    def open_window(**settings: Any) -> Any:
        visit = window(**settings)
        visit.page.add_init_script("window.EventSource = class extends EventTarget { static CLOSED = 2; close() {} }")
        return visit

    return open_window


@pytest.mark.parametrize(("viewport", "scheme"), [(DESKTOP, "light"), (DESKTOP, "dark"), (PHONE, "light")])
def test_no_page_shuts_anybody_out(
    window: Open, arena: Season, shots: Path, viewport: dict[str, int], scheme: str
) -> None:
    faults = {}
    shots.mkdir(parents=True, exist_ok=True)
    for name, path in addresses(arena).items():
        page = opened(without_streams(window), path, viewport=viewport, color_scheme=scheme)
        assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"], name
        page.screenshot(path=shots / f"{name}-{viewport['width']}-{scheme}.png", full_page=True)
        faults[name] = faults_of(page)
        page.context.close()
    assert {name: found for name, found in faults.items() if found} == {}


def test_pictures_of_the_readme_are_of_these_pages(
    browser: "Browser", store_with_boards: Store, shots: Path
) -> None:
    """To take them anew: ARENA_SCREENSHOTS=DIR, and copy readme-*.png to docs/pictures without the prefix."""
    store, taken = store_with_boards, set()
    arena = season.begin(store)
    season.give(store, accounts.register(store, "ama", PASSWORD)[0])
    board_copies.push_boards(store, ["oware"])
    app = create_app(replace(store.settings, rate_limits=False, secret_key=SECRET_KEY), store)
    shots.mkdir(parents=True, exist_ok=True)
    for name, (path, width, height) in pictures(arena).items():
        size = {"width": width, "height": height}
        with visit(browser, app, viewport=size, device_scale_factor=0.8, reduced_motion="reduce") as visited:
            page = without_streams(lambda visited=visited: visited)().go(path)
            page.wait_for_selector("[data-ready]" if name == "replay" else "main table")
            page.screenshot(path=shots / f"readme-{name}.png")
        assert (shots / f"readme-{name}.png").stat().st_size <= LARGEST_PICTURE
        taken.add(f"{name}.png")
    shown = set(re.findall(r"docs/pictures/([\w-]+\.png)", (ROOT / "README.md").read_text()))
    assert taken == shown == {path.name for path in (ROOT / "docs" / "pictures").iterdir()}


def pictures(arena: Season) -> dict[str, tuple[str, int, int]]:
    """Address, width and height of each."""
    return {
        "leaderboard": ("/leaderboards/oware", 1180, 640),
        "tournament": (f"/tournaments/{arena.running}", 1000, 960),
        "replay": ("/matches/3/games/1#ply=34", 940, 610),
    }


def test_no_page_is_heavy(window: Open, arena: Season) -> None:
    weights = {}
    for name, path in addresses(arena).items():
        visit = without_streams(window)()
        visit.go(path).wait_for_load_state("networkidle")
        weights[name] = visit.bytes_loaded
        visit.troubles.clear()
        visit.page.context.close()
    assert {name: weight for name, weight in weights.items() if weight > HEAVIEST} == {}


def test_a_table_follows_its_tournament_without_a_reload(browser: "Browser", store: Store, arena: Season) -> None:
    context = browser.new_context(viewport=DESKTOP)  # type: ignore[arg-type]
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    with running_site(store, workers=1) as address:
        page.goto(f"{address}/tournaments/{arena.running}")
        expect(page.locator("[data-part=note]")).to_have_text("This page follows the tournament.", timeout=20_000)
        page.evaluate("window.sameDocument = true")
        finished = page.locator("[data-part=progress] .big")
        before = int(finished.inner_text())
        games = page.locator(".standings tbody tr td:nth-child(3)").all_inner_texts()
        season.play(store, 2)
        expect(finished).to_have_text(str(before + 2), timeout=20_000)
        assert page.locator(".standings tbody tr td:nth-child(3)").all_inner_texts() != games
        season.finish(store)
        expect(page.locator("[data-part=note]")).to_have_text("The tournament has ended.", timeout=30_000)
        expect(page.locator("#standings")).to_have_text("Final table", timeout=20_000)
        expect(page.locator("[data-part=running]")).to_have_count(0)
        assert page.evaluate("window.sameDocument") is True
        assert page.locator(".crosstable .cell--2").count() == page.locator(".crosstable .cell--0").count() > 0
        context.close()
    assert said == []


def test_every_cell_of_the_crosstable_leads_to_its_match(window: Open, arena: Season) -> None:
    page = opened(without_streams(window), f"/tournaments/{arena.finished}")
    cell = page.locator(".crosstable tbody tr").nth(0).locator("a.cell").first
    names = cell.get_attribute("aria-label") or ""
    cell.click()
    heads = page.locator(".versus-bot .name").all_inner_texts()
    one, other = names.split(":")[0].split(" against ")
    assert {one, other} == set(heads)


def test_hostile_names_and_words_stay_text(window: Open, store: Store, arena: Season) -> None:
    season.rename(store, season.NAMES[3], season.HOSTILE + "2")
    for path in addresses(arena).values():
        page = opened(without_streams(window), path)
        assert page.locator("script:not([src]), img, [onerror]").count() == 0
        assert page.evaluate("document.title") != ""
        page.context.close()
    page = opened(without_streams(window), f"/tournaments/{arena.finished}")
    name = page.locator(".standings bdi", has_text="script").first
    assert name.inner_text() == season.HOSTILE + "2"
    assert name.evaluate("element => element.parentElement.scrollWidth >= element.parentElement.clientWidth")


def test_pages_can_be_read_without_script(window: Open, arena: Season) -> None:
    for path in addresses(arena).values():
        page = opened(window, path, java_script_enabled=False)
        assert page.locator("h1").is_visible()
        page.context.close()


def test_the_keyboard_gets_everywhere(window: Open, arena: Season) -> None:
    page = opened(without_streams(window), f"/tournaments/{arena.running}")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    page.keyboard.press("Tab")
    assert page.evaluate("document.querySelector('main').contains(document.activeElement)")
