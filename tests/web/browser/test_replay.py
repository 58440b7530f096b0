"""Replays in a real browser: the board is the engine's at every turn, by every way to get there."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install -e '.[dev]'")
from playwright.sync_api import expect

from arena import games
from arena.games import Position
from arena.match.record import MatchRecord
from arena.services import examples
from arena.services.replays import Replay, replay_of
from arena.store.session import Store
from tests.games.test_rules_pages import page as page_source
from tests.match.played import forfeited_record, record_of, unfinished_turn_record
from tests.support.finished import add_match
from tests.web.browser.conftest import PHONE, Open

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.services]

TERMS = {
    "oware": ("oware", "games-2", 4),
    "urim:pits=7": ("urim:pits=7", "games-3", 0),
    "anywoli": ("anywoli", "games-2", 4),
    "omweso": ("omweso", "points-4", 4),
    "omweso:setup=free": ("omweso:setup=free", "games-2", 4),
    "nsolo": ("nsolo", "games-2", 5),
    "nsolo:columns=36": ("nsolo:columns=36", "games-1", 4),
}
WALKED = 20                     # turns that are stepped through one by one, from either end
LOOKS: list[tuple[int, Literal["light", "dark"]]] = [
    (1280, "light"), (1280, "dark"), (390, "light"), (390, "dark"), (360, "light"),
]
READ_BOARD = """() => ({
  pits: Object.fromEntries([...document.querySelectorAll(".pit")].map(
    (pit) => [pit.dataset.pit, Number(pit.querySelector(".count").textContent)])),
  stores: [...document.querySelectorAll(".store .count")].map((count) => Number(count.textContent)),
  table: Object.fromEntries([...document.querySelectorAll("[data-place]")].map(
    (cell) => [cell.dataset.place, Number(cell.lastElementChild.textContent)])),
  seeds: document.querySelectorAll(".seed").length,
})"""
PITS_OF = """(example) => Object.fromEntries([...example.querySelectorAll(".pit")].map(
  (pit) => [pit.dataset.pit, Number(pit.querySelector(".count").textContent)]))"""


def opened(window: Open, store: Store, record: MatchRecord, at: str = "", **settings: Any) -> tuple["Page", Replay]:
    page = window(**settings).go(f"/matches/{add_match(store, record)}/games/1{at}")
    page.wait_for_selector("[data-ready]")
    return page, replay_of(record, 1)


def assert_shows(page: "Page", position: Position) -> None:
    """The drawing, its numbers and the table all say what the engine says."""
    shown = page.evaluate(READ_BOARD)
    pits = {str(place): seeds for place, seeds in enumerate(position.pits)}
    assert shown["pits"] == pits
    assert shown["table"] == pits
    assert shown["stores"] == (list(position.stores) if position.rules.has_stores else [])
    assert shown["seeds"] == sum(position.pits) + sum(position.stores) + position.hand


@pytest.mark.parametrize("ruleset", TERMS)
def test_every_turn_ends_on_the_engines_board(window: Open, store: Store, ruleset: str) -> None:
    page, replay = opened(window, store, record_of(*TERMS[ruleset]), reduced_motion="reduce")
    assert_shows(page, replay.start)
    plies = len(replay.turns)
    for ply in range(1, min(plies, WALKED) + 1):
        page.keyboard.press("ArrowRight")
        assert_shows(page, replay.board(ply))
    page.keyboard.press("End")
    assert_shows(page, replay.board(plies))
    assert replay.end in page.inner_text("[data-part=told]")
    for ply in range(plies - 1, max(0, plies - WALKED), -1):
        page.keyboard.press("ArrowLeft")
        assert_shows(page, replay.board(ply))
    page.keyboard.press("Home")
    assert_shows(page, replay.start)


@pytest.mark.parametrize("ruleset", TERMS)
def test_sowing_seed_by_seed_leads_to_the_same_board(window: Open, store: Store, ruleset: str) -> None:
    page, replay = opened(window, store, record_of(*TERMS[ruleset]), at="#ply=3")
    page.select_option("[data-part=speed]", "12")
    for ply in (4, 5):
        page.click("[data-part=forward]")
        expect(page).to_have_url(re.compile(rf"#ply={ply}$"))
        assert_shows(page, replay.board(ply))


def test_play_runs_to_the_end_and_says_how_it_ended(window: Open, store: Store) -> None:
    page, replay = opened(window, store, record_of(*TERMS["oware"]), at="#ply=38")
    page.select_option("[data-part=speed]", "12")
    page.locator("h1").click()
    page.keyboard.press(" ")
    assert page.get_attribute("[data-part=play]", "aria-label") == "Pause"
    expect(page).to_have_url(re.compile(rf"#ply={len(replay.turns)}$"), timeout=30_000)
    page.wait_for_selector("[data-part=play][aria-pressed=false]")
    assert_shows(page, replay.board(len(replay.turns)))
    assert page.locator(".seat--won").count() == (0 if replay.winner is None else 1)


def test_a_turn_can_be_cut_short_and_stopped(window: Open, store: Store) -> None:
    page, replay = opened(window, store, record_of(*TERMS["omweso"]), at="#ply=6")
    page.select_option("[data-part=speed]", "0.5")
    page.locator("h1").click()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert_shows(page, replay.board(7))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert_shows(page, replay.board(7))
    page.keyboard.press(" ")
    page.keyboard.press(" ")
    assert page.get_attribute("[data-part=play]", "aria-pressed") == "false"


def test_every_ply_has_a_link_and_turns_can_be_clicked(window: Open, store: Store) -> None:
    page, replay = opened(window, store, record_of(*TERMS["urim:pits=7"]), at="#ply=12")
    assert_shows(page, replay.board(12))
    page.click("[data-part=turns] [data-ply='30']")
    assert_shows(page, replay.board(30))
    assert page.url.endswith("#ply=30")
    assert page.inner_text("[data-part=turns] [aria-current=step] .turn-text") == replay.turns[29].text
    page.reload()
    page.wait_for_selector("[data-ready]")
    assert_shows(page, replay.board(30))
    page.fill("[data-part=slider]", "41")
    assert_shows(page, replay.board(41))


def test_the_address_without_script_opens_the_same_moment(window: Open, store: Store) -> None:
    record = record_of(*TERMS["anywoli"])
    page, replay = opened(window, store, record, at="?ply=17")
    assert_shows(page, replay.board(17))


def test_link_and_game_can_be_shared(window: Open, store: Store) -> None:
    record = record_of(*TERMS["oware"])
    page, replay = opened(window, store, record, at="#ply=5", permissions=["clipboard-read", "clipboard-write"])
    page.click("[data-part=link]")
    page.wait_for_selector("[data-part=copied]:text('Copied')")
    assert page.evaluate("navigator.clipboard.readText()").endswith("/games/1#ply=5")
    page.click("[data-part=share]")
    expect(page.locator("[data-part=shared] textarea")).to_have_value(re.compile("\n"))
    text = page.input_value("[data-part=shared] textarea")
    assert replay.end in text
    assert "South alice, North bob" in text
    assert f"{len(replay.turns)}. " in text


def test_without_motion_nothing_moves(window: Open, store: Store) -> None:
    page, replay = opened(window, store, record_of(*TERMS["oware"]), reduced_motion="reduce")
    page.keyboard.press("ArrowRight")
    assert_shows(page, replay.board(1))
    assert page.evaluate("document.getAnimations().length") == 0


def test_without_script_every_turn_has_its_board_as_text(window: Open, store: Store) -> None:
    record = record_of(*TERMS["oware"])
    page = window(java_script_enabled=False).go(f"/matches/{add_match(store, record)}/games/1?ply=6")
    replay = replay_of(record, 1)
    for ply in (6, 7, 8):
        seeds = page.locator("[data-place] b").all_inner_texts()
        places = [cell.get_attribute("data-place") for cell in page.locator("[data-place]").all()]
        assert dict(zip(places, seeds, strict=True)) == {
            str(place): str(count) for place, count in enumerate(replay.board(ply).pits)
        }
        assert page.locator(".board-text").is_visible()
        page.click("text=Forward")
    assert page.locator(".tool").first.is_hidden()
    page.click(f"[data-part=turns] a[href$='ply={len(replay.turns)}']")
    assert replay.end in page.inner_text(".viewer-told")


def test_readers_are_told_what_happens(window: Open, store: Store) -> None:
    page, replay = opened(window, store, record_of(*TERMS["omweso"]), at="#ply=9", reduced_motion="reduce")
    captured = sum(1 for word in replay.turns[8].steps.split() if word.startswith("T"))
    assert captured > 0
    told = page.inner_text("[data-part=told]")
    assert told.startswith(f"9. alice plays {replay.turns[8].text}: ")
    assert "laps" in told
    assert "captures" in told
    assert page.get_attribute("[data-part=told]", "aria-live") == "polite"
    assert page.get_attribute("svg.board", "aria-label").startswith("Board after turn 9. South: ")  # type: ignore[union-attr]


@pytest.mark.parametrize("record", [forfeited_record(), unfinished_turn_record()])
def test_forfeited_games_are_shown_as_far_as_they_went(window: Open, store: Store, record: MatchRecord) -> None:
    page, replay = opened(window, store, record, reduced_motion="reduce")
    page.keyboard.press("End")
    assert_shows(page, replay.board(len(replay.turns)))
    assert replay.end in page.inner_text("[data-part=told]")


@pytest.mark.parametrize("ruleset", TERMS)
def test_no_screen_scrolls_sideways(window: Open, store: Store, shots: Path, ruleset: str) -> None:
    visit = window()
    page = visit.go(f"/matches/{add_match(store, record_of(*TERMS[ruleset]))}/games/1#ply=11")
    page.wait_for_selector("[data-ready]")
    for width, scheme in LOOKS:
        page.set_viewport_size({"width": width, "height": PHONE["height"]})
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        smallest = page.evaluate("Math.min(...[...document.querySelectorAll('.tool')].map(t => t.offsetHeight))")
        assert smallest >= 40
        visit.screenshot(shots, f"replay-{ruleset.replace(':', '-')}-{width}-{scheme}")


def test_board_fits_again_when_the_window_changes(window: Open, store: Store) -> None:
    page, replay = opened(window, store, record_of(*TERMS["anywoli"]), at="#ply=9")
    assert page.locator(".board-host--upright").count() == 0
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    page.wait_for_selector(".board-host--upright")
    assert_shows(page, replay.board(9))


@pytest.mark.parametrize("name", games.names())
def test_worked_examples_are_stepped_through(window: Open, name: str) -> None:
    texts = re.findall(r"^```mancala\n(.*?)^```", page_source(name), re.MULTILINE | re.DOTALL)
    page = window(reduced_motion="reduce").go(f"/games/{name}")
    page.wait_for_selector("[data-example][data-ready]")
    assert page.locator("[data-example][data-ready]").count() == len(texts)
    for place, text in enumerate(texts):
        shown, example = page.locator("[data-example]").nth(place), examples.read(text)
        for ply, position in enumerate(example.positions):
            pits = shown.evaluate(PITS_OF)
            assert pits == {str(pit): seeds for pit, seeds in enumerate(position.pits)}
            assert example.notes[ply] in shown.locator("[data-part=told]").inner_text()
            if ply < len(example.turns):
                shown.locator("[data-part=forward]").click()
        for _ in example.turns:
            shown.locator("[data-part=back]").click()
        assert shown.evaluate(PITS_OF) == {str(pit): seeds for pit, seeds in enumerate(example.start.pits)}


def test_an_example_is_sown_seed_by_seed(window: Open) -> None:
    page = window().go("/games/oware")
    shown = page.locator("[data-example]").first
    shown.locator("[data-part=forward]").click()
    expect(shown.locator("[data-part=told]")).to_have_text("1. South plays 2: captures 10.")
    expect(shown.locator("[data-part=forward]")).to_be_disabled()


def test_without_script_examples_are_boards_as_text(window: Open) -> None:
    page = window(java_script_enabled=False).go("/games/oware")
    shown = page.locator("[data-example]").first
    assert shown.locator(".board-text").count() == 2
    assert "South plays 2:" in shown.inner_text()
    assert shown.locator("button").first.is_hidden()
