"""The board to play on in a real browser: by mouse, by keyboard, with every kind of question."""

from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install -e '.[dev]'")
from playwright.sync_api import expect

from arena import games
from arena.games import notation
from tests.web.browser.conftest import PHONE, Open

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.services]


TURNS = "[data-part=turns] li"


def opened(window: Open, path: str) -> "Page":
    page = window(reduced_motion="reduce").go(path)
    settle(page)
    return page


def settle(page: "Page") -> None:
    """Wait until the server has answered and all has been shown."""
    expect(page.locator("[data-play]")).to_have_attribute("aria-busy", "false")


def click(page: "Page", what: str) -> None:
    page.click(what)
    settle(page)


def offered(page: "Page") -> list[int]:
    return sorted(int(hit.get_attribute("data-hit") or -1) for hit in page.locator(".hit").all())


def moves_of(page: "Page") -> str:
    return str(page.evaluate("new URLSearchParams(location.hash.slice(1)).get('moves') ?? ''"))


def test_a_pit_is_clicked_and_the_bot_answers(window: Open) -> None:
    page = opened(window, "/play/oware")
    assert offered(page) == [0, 1, 2, 3, 4, 5]
    click(page, "[data-hit='2']")
    expect(page.locator(TURNS)).to_have_count(2)
    position = games.load("oware").initial()
    for move in moves_of(page).split("."):
        position = position.play(int(move))
    assert offered(page) == list(position.legal_moves())
    counts = [int(text) for text in page.locator(".pit .count").all_text_contents()]
    places = [int(pit.get_attribute("data-pit") or -1) for pit in page.locator(".pit").all()]
    assert dict(zip(places, counts, strict=True)) == dict(enumerate(position.pits))


def test_a_game_is_played_by_keyboard_and_taken_back(window: Open) -> None:
    page = opened(window, "/play/urim")
    page.focus("[data-hit='1']")
    page.keyboard.press("Enter")
    settle(page)
    expect(page.locator(TURNS)).to_have_count(2)
    assert page.evaluate("document.activeElement.classList.contains('hit')")
    click(page, "[data-part=back]")
    expect(page.locator(TURNS)).to_have_count(0)
    assert moves_of(page) == ""


def test_a_link_brings_the_game_back(window: Open) -> None:
    page = opened(window, "/play/oware#moves=2.3.0&bot=&side=0")
    expect(page.locator(TURNS)).to_have_count(3)
    assert offered(page) == [6 + pit for pit in (0, 1, 2, 4, 5)]
    assert "North to move." in page.inner_text("[data-part=told]")


def test_the_visitor_can_play_north(window: Open) -> None:
    page = opened(window, "/play/oware")
    page.select_option("[data-part=side]", "1")
    settle(page)
    expect(page.locator(TURNS)).to_have_count(1)
    assert all(place >= 6 for place in offered(page))


def test_a_direction_is_asked_for(window: Open) -> None:
    south, north = [0] * 16, [0] * 16
    south[8], south[6], north[1], north[14] = 2, 1, 2, 1
    start = notation.position_text(games.load("omweso").position((*south, *north)))
    page = opened(window, f"/play/omweso?start={quote(start)}#bot=")
    click(page, "[data-hit='8']")
    page.wait_for_selector("text=Which way with the 2 seeds in hand?")
    assert page.locator(".hand").get_attribute("visibility") == "visible"
    click(page, "text=counter-clockwise >> nth=0")
    page.wait_for_selector(".hand[visibility=hidden]", state="attached")
    assert moves_of(page) == "8.32"


def test_one_pit_with_two_moves_asks_which(window: Open) -> None:
    south, north = [0] * 16, [1] * 16
    south[8] = 3
    start = notation.position_text(games.load("omweso").position((*south, *north)))
    page = opened(window, f"/play/omweso?start={quote(start)}#bot=")
    click(page, "[data-hit='8']")
    click(page, "text=lay out pit 8, two and one")
    expect(page.locator(TURNS)).to_have_count(1)
    assert moves_of(page) == "24"


def test_seeds_are_arranged_by_number(window: Open) -> None:
    page = opened(window, "/play/omweso:setup=free#bot=")
    for pit, seeds in enumerate((10, 0, 3)):
        page.wait_for_selector(f"text=How many seeds for pit {pit}?")
        page.locator("[data-part=choices] button", has_text=str(seeds)).first.click()
        settle(page)
    page.wait_for_selector("text=How many seeds for pit 3?")
    assert moves_of(page) == "50.40.43"


def test_stones_are_stripped_one_by_one(window: Open) -> None:
    south, north = [0] * 16, [0] * 16
    south[8], south[10], north[5], north[9] = 2, 0, 2, 3
    south[1] = 1
    south[0], south[2] = 1, 0
    south[0] = 2
    start = notation.position_text(games.load("nsolo").position((*south, *north)))
    page = opened(window, f"/play/nsolo?start={quote(start)}#bot=")
    click(page, "[data-hit='0']")
    page.wait_for_selector("[data-part=turns] li")
    while "Take a stone." in page.inner_text("[data-part=told]"):
        assert all(place >= 16 for place in offered(page))
        moves = moves_of(page)
        page.locator(".hit").first.click()
        settle(page)
        assert moves_of(page).startswith(f"{moves}.")
    assert len(moves_of(page).split(".")) > 1


def test_a_bad_link_says_what_is_wrong(window: Open) -> None:
    visit = window()
    page = visit.go("/play/oware#moves=9&bot=")
    page.wait_for_selector("text=move 9 is illegal here")
    assert visit.troubles
    visit.troubles.clear()              # the browser notes the refused request


@pytest.mark.parametrize("game", games.names())
def test_every_game_can_be_played_on_a_phone(window: Open, game: str) -> None:
    page = window(viewport=PHONE).go(f"/play/{game}")
    settle(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    sizes = page.evaluate("[...document.querySelectorAll('.hit')].map(hit => hit.getBoundingClientRect().width)")
    assert min(sizes) >= 24
    page.locator(".hit").first.click()
    page.wait_for_selector("[data-part=turns] li")


def test_without_script_the_page_says_so(window: Open) -> None:
    page = window(java_script_enabled=False).go("/play/oware")
    assert page.locator("text=Playing needs JavaScript").is_visible()
    assert page.locator(".board-text").is_visible()
    assert page.locator("[data-part=new]").is_hidden()
