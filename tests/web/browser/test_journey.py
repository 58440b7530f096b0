"""The whole way of a bot author in a real browser, on a whole arena: sign up, submit, qualify, play, look, log out."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install -e '.[dev]'")
from playwright.sync_api import expect

from arena.cli.stack import Plan, Stack
from tests.support.ports import free_port
from tests.support.redis_server import is_installed
from tests.web.browser.conftest import DESKTOP

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [
    pytest.mark.browser, pytest.mark.services, pytest.mark.slow, pytest.mark.timeout(900),
    pytest.mark.skipif(not is_installed(), reason="redis-server is not installed"),
]

PASSWORD = "correct horse battery"
RANDOM = "import random\n\ndef choose_move(position):\n    return random.choice(position.legal_moves())\n"
LAST = "def choose_move(position):\n    print('thinking')\n    return position.legal_moves()[-1]\n"
BROKEN = "def choose_move(position):\n    print('<b>before</b>')\n    raise ValueError('<script>alert(1)</script>')\n"
PATIENCE_MS = 240_000           # until matches are played: one machine plays, serves and looks
PAGE_MS = 180_000
MATCHES = 6
DROP = """([zone, text]) => {
  const carried = new DataTransfer();
  carried.items.add(new File([text], "dropped.py", {type: "text/x-python"}));
  for (const kind of ["dragover", "drop"]) {
    zone.dispatchEvent(new DragEvent(kind, {dataTransfer: carried, bubbles: true, cancelable: true}));
  }
}"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """An arena of our own with one slot, as `arena up` has it."""
    with Stack(Plan(tmp_path_factory.mktemp("journey") / "arena", free_port(), workers=1), print) as stack:
        yield stack.url


@pytest.fixture
def troubles() -> list[str]:
    """What went wrong in the browser."""
    return []


@pytest.fixture
def page(browser: "Browser", address: str, troubles: list[str]) -> Iterator["Page"]:
    context = browser.new_context(viewport=DESKTOP)  # type: ignore[arg-type]
    context.set_default_timeout(PAGE_MS)
    page = context.new_page()
    page.on("console", lambda said: troubles.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("dialog", lambda dialog: troubles.append(dialog.message))
    page.on("request", lambda asked: troubles.append(asked.url) if not asked.url.startswith(address) else None)
    yield page
    context.close()


def sign_up(page: "Page", address: str) -> None:
    page.goto(address)
    page.click("a.button:text('Sign up and submit')")
    page.fill("#name", "ama")
    page.fill("#password", PASSWORD)
    page.fill("#again", PASSWORD)
    page.click("main button")
    expect(page.locator("[role=status]")).to_contain_text("Welcome, ama.")
    expect(page.locator(".site-who")).to_contain_text("ama")


def submit_by_drop(page: "Page", name: str, text: str) -> None:
    page.click("a.button:text('Submit a bot')")
    page.fill("#name", name)
    page.select_option("#game", "oware")
    page.evaluate(DROP, [page.query_selector("[data-part=drop]"), text])
    expect(page.locator("[data-part=chosen]")).to_have_text(f"dropped.py, {len(text)} bytes")
    page.click("main button")
    page.wait_for_url(f"**/bots/{name}")


def submit_by_paste(page: "Page", address: str, name: str, text: str) -> None:
    page.goto(f"{address}/bots/new")
    page.fill("#name", name)
    page.fill("#source", text)
    page.click("main button")
    page.wait_for_url(f"**/bots/{name}")


def expect_verdict(page: "Page", words: str) -> None:
    """The page finds it out by itself."""
    expect(page.locator(".steps [aria-current=step]")).to_have_text(words, timeout=PATIENCE_MS)


def submit_three(page: "Page", address: str) -> None:
    """Two that qualify, and one that fails, each told by its page."""
    submit_by_drop(page, "dropped-one", RANDOM)
    expect_verdict(page, "It has qualified and plays.")
    submit_by_paste(page, address, "pasted-one", LAST)
    expect_verdict(page, "It has qualified and plays.")
    page.click("text=What it printed, and its source")
    assert page.locator(".source .line").all_inner_texts() == LAST.splitlines()
    assert "thinking" in page.inner_text(".log")
    submit_by_paste(page, address, "broken-one", BROKEN)
    expect_verdict(page, "It did not qualify: it failed with an exception.")
    assert "ValueError (bot.py, line 3)" in page.inner_text(".verdict-box")
    expect(page.locator(".failure").first).to_contain_text("That was turn")
    page.click("text=What it printed, and its source")
    printed = page.inner_text(".log")
    assert "<b>before</b>" in printed
    assert "ValueError: <script>alert(1)</script>" in printed


def create_tournament(page: "Page", address: str) -> None:
    """Of the two that may play, by the form."""
    page.goto(f"{address}/tournaments")
    page.click("a.button:text('New tournament')")
    page.click("main h2 a:text('Oware')")
    page.fill("#name", "first-cup")
    for bot in ("dropped-one", "pasted-one"):
        page.check(f"input[name=bots][value={bot}]")
    assert page.is_checked("#who-these")
    assert page.locator("input[value=broken-one]").count() == 0
    page.select_option("#format", "games-N")
    page.fill("#format_count", "2")
    page.fill("#cycles", str(MATCHES))
    page.click("button:text-is('Only create')")
    page.wait_for_url(re.compile(r"/tournaments/\d+$"))


def watch(page: "Page") -> None:
    """Start it, and see its table grow to the end without loading the page again."""
    page.click("button:text-is('Start')")
    expect(page.locator("[data-part=controls]")).to_contain_text("Pause")
    page.evaluate("window.sameDocument = true")
    finished = page.locator("[data-part=progress] .big")
    expect(page.locator("[data-part=note]")).to_have_text("This page follows the tournament.")
    expect(finished).not_to_have_text("0", timeout=PATIENCE_MS)
    expect(page.locator("#standings")).to_have_text("Final table", timeout=PATIENCE_MS)
    expect(finished).to_have_text(str(MATCHES))
    expect(page.locator("[data-part=controls]")).to_have_count(0)
    assert page.evaluate("window.sameDocument")
    played = [int(text) for text in page.locator(".standings tbody td:nth-child(4)").all_inner_texts()]
    assert played == [MATCHES, MATCHES]


def look_at_a_match(page: "Page") -> None:
    """From the crosstable to a match, and to the replay of its first game."""
    cell = page.locator(".crosstable a.cell").first
    assert cell.inner_text() in ("0", "½", "1")
    cell.click()
    page.wait_for_url("**/matches/*")
    assert set(page.locator(".versus-bot .name").all_inner_texts()) == {"dropped-one", "pasted-one"}
    assert page.locator(".games tbody tr").count() == 2
    assert "thinking" in "".join(page.locator(".log").all_inner_texts())
    page.locator(".look a").first.click()
    page.wait_for_selector("[data-ready]")
    seeds = "[...document.querySelectorAll('.pit .count')].reduce((sum, count) => sum + Number(count.textContent), 0)"
    assert page.evaluate(seeds) == 48
    before = page.inner_text("[data-part=where]")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-part=where]")).not_to_have_text(before)
    page.keyboard.press("End")
    expect(page.locator("[data-part=told]")).to_contain_text(re.compile("wins|Drawn"))


def test_from_an_account_to_a_replay(page: "Page", address: str, troubles: list[str]) -> None:
    sign_up(page, address)
    submit_three(page, address)
    create_tournament(page, address)
    watch(page)
    look_at_a_match(page)
    page.goto(f"{address}/bots/pasted-one")
    expect(page.locator("#yours")).to_be_visible()
    expect(page.locator("#usage")).to_be_visible()
    page.click("button:text-is('Log out')")
    expect(page.locator(".site-who")).to_contain_text("Log in")
    page.goto(f"{address}/bots/pasted-one")
    assert page.locator("#yours").count() == 0
    assert troubles == []


def test_the_same_without_script(browser: "Browser", address: str) -> None:
    context = browser.new_context(viewport=DESKTOP, java_script_enabled=False)  # type: ignore[arg-type]
    context.set_default_timeout(PAGE_MS)
    page = context.new_page()
    page.goto(f"{address}/sign-up")
    for field, text in (("#name", "kofi"), ("#password", PASSWORD), ("#again", PASSWORD)):
        page.fill(field, text)
    page.click("main button")
    page.goto(f"{address}/bots/new")
    page.fill("#name", "scriptless")
    page.fill("#source", RANDOM)
    page.click("main button")
    page.wait_for_url("**/bots/scriptless")
    for _ in range(120):
        if "It has qualified" in page.inner_text(".steps"):
            break
        page.wait_for_timeout(2000)
        page.reload()
    assert "It has qualified and plays." in page.inner_text(".steps")
    page.click("a.button:text('New version')")
    page.fill("#source", "")
    page.click("main button")
    assert "Choose a file, or paste a program." in page.inner_text("[role=alert]")
    page.goto(f"{address}/tournaments/new?game=oware")
    page.fill("#name", "scriptless-cup")
    page.fill("#cycles", "none")
    page.click("button:text-is('Only create')")
    assert "not a whole number" in page.inner_text("[role=alert]")
    assert page.input_value("#name") == "scriptless-cup"
    context.close()
