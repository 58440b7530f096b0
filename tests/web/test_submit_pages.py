"""Submitting on the pages, without script: a file or a pasted program, faults beside the field, verdicts in words."""

import io
import re
import zipfile
from typing import Any

import pytest
from flask.testing import FlaskClient
from sqlalchemy import update

from arena.services import bots
from arena.store.accounts import find_user
from arena.store.schema import matches, versions
from arena.store.session import Store
from tests.support.visitor import Visitor
from tests.web.conftest import PLAIN_BOT, Person

PASTED = "def choose_move(position):\r\n    return position.legal_moves()[0]\r\n"


@pytest.fixture
def ama(client: FlaskClient) -> Visitor:
    return Visitor(client).sign_up("ama")


@pytest.fixture
def kofi(client: FlaskClient) -> Visitor:
    return Visitor(client.application.test_client()).sign_up("kofi")


def file(content: bytes = PLAIN_BOT, name: str = "bot.py") -> tuple[io.BytesIO, str]:
    return io.BytesIO(content), name


def zipped(**files: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in files.items():
            archive.writestr(f"{name}.py", text)
    return packed.getvalue()


def submit(visitor: Visitor, name: str = "first", **fields: Any) -> str:
    return visitor.send("/bots/new", name=name, **{"game": "oware", "file": file(), **fields})


def decide(store: Store, state: str, **said: Any) -> None:
    """What a worker would find."""
    with store.write() as tx:
        tx.execute(update(versions).where(versions.c.state == "checking").values(state=state, **said))


def source_of(page: str) -> str:
    code = re.search(r'<pre class="source"[^>]*><code>(.*?)</code>', page, re.DOTALL)
    assert code is not None
    return re.sub(r"<[^>]+>", "", code[1])


def test_a_chosen_file_becomes_a_bot_and_its_page_tells_how_it_goes(ama: Visitor, store: Store) -> None:
    submit(ama)
    page = ama.follow()
    assert "data-follow=" in page
    assert "In line for a worker" in ama.words
    with store.write() as tx:
        tx.execute(update(matches).values(state="leased", ply=17, attempt=1))
    now = 'step--now" aria-current="step">Two games against a random bot <small>turn 17'
    assert now in ama.go("/bots/first")
    decide(store, "active", import_ms=12)
    page = ama.go("/bots/first")
    assert "It has qualified and plays." in ama.words
    assert "data-follow=" not in page


def test_a_pasted_program_is_kept_as_it_was_written(ama: Visitor, store: Store) -> None:
    submit(ama, file=None, source=PASTED)
    assert ama.status == 302
    with store.read() as tx:
        owner = find_user(tx, "ama")
    assert owner is not None
    assert bots.source(store, owner, "first", 1) == PASTED.replace("\r\n", "\n").encode()


@pytest.mark.parametrize(
    ("fields", "field", "says"),
    [
        ({"name": "My Bot"}, "name", "starts with a letter"),
        ({"name": "new"}, "name", "reserved"),
        ({"name": "minimax"}, "name", "our own"),
        ({"game": "chess"}, "game", "oware, urim"),
        ({"file": None}, "file", "Choose a file, or paste"),
        ({"source": PASTED}, "source", "leave out one"),
        ({"file": file(b"\x7fELF\xff")}, "file", "UTF-8"),
        ({"file": file(b"#" * 1_000_001)}, "file", "1000000"),
        ({"file": file(b"  \n")}, "file", "empty"),
        ({"file": file(zipped(other="x"), "bot.zip")}, "file", "no bot.py"),
    ],
)
def test_what_is_wrong_stands_beside_its_field(ama: Visitor, fields: dict[str, Any], field: str, says: str) -> None:
    page = submit(ama, **fields)
    assert ama.status in (409, 413, 422)
    assert says in ama.fault(field)
    if "name" not in fields:
        assert 'value="first"' in page
    ama.go("/bots/first")
    assert ama.status == 404


def test_a_pasted_program_is_still_there_after_a_fault(ama: Visitor) -> None:
    submit(ama, "My Bot", file=None, source='print("</textarea><script>")')
    assert "print(&#34;&lt;/textarea&gt;&lt;script&gt;&#34;)" in ama.text


def test_a_long_program_can_be_pasted_and_a_huge_one_is_refused(ama: Visitor) -> None:
    submit(ama, file=None, source=PASTED + "# " + "x" * 900_000)
    assert ama.status == 302
    submit(ama, "second", file=None, source="x" * 6_000_000)
    assert ama.status == 413


def test_a_next_version_is_for_the_owner_alone(ama: Visitor, kofi: Visitor, store: Store) -> None:
    submit(ama)
    decide(store, "active")
    ama.send("/bots/first/versions/new", file=file(b"def choose_move(position): return 0\n"))
    assert ama.answer.headers["Location"] == "/bots/first"
    assert bots.show(store, "first").latest_version == 2
    kofi.go("/bots/first/versions/new")
    assert kofi.status == 403
    kofi.send("/account", "/bots/first/versions/new", file=file())
    assert kofi.status == 403
    assert bots.show(store, "first").latest_version == 2


def test_a_verdict_is_words_and_its_details_are_the_owners(ama: Visitor, kofi: Visitor, store: Store) -> None:
    submit(ama)
    hostile = "<script>alert(1)</script>\u202e" + "x" * 10_000
    decide(store, "rejected", fault_kind="exception", fault_message=hostile, log=hostile)
    for path in ("/bots/first", "/bots/first/versions/1"):
        ama.go(path)
        assert "It did not qualify: it failed with an exception." in ama.words
        assert "&lt;script&gt;alert(1)" in ama.text
        assert "<script>alert" not in ama.text
        kofi.go(path)
        assert "It did not qualify: it failed with an exception." in kofi.words
        assert "alert(1)" not in kofi.text
    assert "⟨U+202E⟩" in ama.go("/bots/first/versions/1").partition('class="log"')[2]


def test_the_source_is_shown_line_by_line_to_its_owner_alone(ama: Visitor, kofi: Visitor) -> None:
    trick = "# \u202e} \u2066if admin\u2069 <img src=x onerror=alert(1)>\x1b[31m\n"
    submit(ama, file=file(PLAIN_BOT + trick.encode()))
    page = ama.go("/bots/first/versions/1")
    assert page.count('<span class="line">') == 5
    assert "⟨U+202E⟩} ⟨U+2066⟩if admin⟨U+2069⟩ &lt;img" in source_of(page)
    assert "⟨U+001B⟩[31m" in source_of(page)
    assert "<img" not in page
    assert "random.choice" not in kofi.go("/bots/first/versions/1")
    kofi.go("/bots/first/versions/1/file")
    assert kofi.status == 403
    ama.go("/bots/first/versions/1/file")
    assert ama.answer.data == PLAIN_BOT + trick.encode()
    assert ama.answer.headers["Content-Disposition"].startswith("attachment")
    assert "no-store" in ama.answer.headers["Cache-Control"]


def test_of_a_zip_the_bot_is_shown_and_the_rest_is_listed(ama: Visitor) -> None:
    submit(ama, file=file(zipped(bot="import book\n", book="x = 1\n"), "bot.zip"))
    page = ama.go("/bots/first/versions/1")
    assert source_of(page).strip() == "import book"
    assert "book.py" in ama.words


def test_a_bot_is_kept_to_oneself_and_let_out_again(ama: Visitor, kofi: Visitor, store: Store) -> None:
    submit(ama)
    ama.send("/bots/first", "/bots/first/open", is_open="no")
    assert "Only you may enter first" in ama.follow()
    assert not bots.show(store, "first").is_open
    ama.send("/bots/first", "/bots/first/open", is_open="yes")
    assert bots.show(store, "first").is_open
    kofi.send("/account", "/bots/first/open", is_open="no")
    assert kofi.status == 403
    assert bots.show(store, "first").is_open


def test_retiring_is_asked_for_twice(ama: Visitor, kofi: Visitor, store: Store) -> None:
    submit(ama)
    assert "This cannot be undone" in ama.go("/bots/first/retire")
    assert bots.show(store, "first").retired_at is None
    ama.send("/bots/first/retire")
    assert "first is retired" in ama.follow()
    assert bots.show(store, "first").retired_at is not None
    assert "New version" not in ama.words
    kofi.go("/bots/first/retire")
    assert kofi.status == 403


def test_the_page_of_a_bot_of_others_offers_nothing(ama: Visitor, kofi: Visitor, nobody: Person) -> None:
    submit(ama)
    assert "For you alone" in ama.go("/bots/first")
    for page in (kofi.go("/bots/first"), Visitor(kofi.client.application.test_client()).go("/bots/first")):
        assert "For you alone" not in page
        assert "/bots/first/retire" not in page
