"""The pages: what people see, and that nothing a bot says becomes part of a page."""

from html.parser import HTMLParser

import pytest
from flask.testing import FlaskClient

from arena.match.record import Verdict
from arena.store.session import Store, utc_now
from tests.support import field


class Links(HTMLParser):
    """Every address in a page, and every element that would need a laxer policy."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.inline: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        self.found += [value for name, value in attrs if name in ("href", "src") and value is not None]
        if tag == "style" or (tag == "script" and "src" not in named) or any(
            name == "style" or name.startswith("on") for name in named
        ):
            self.inline.append(tag)


@pytest.fixture
def visited(store: Store, client: FlaskClient) -> FlaskClient:
    """Pages of an arena in which a cup was played and another one is paused."""
    versions = [field.add_bot(store, name) for name in ("alpha", "beta", "gamma")]
    moment = field.Moment()
    moment.at = utc_now()
    field.add_tournament(store, versions)
    field.play_out(store, moment)
    field.add_tournament(store, versions, "paused-cup", state="paused")
    return client


def test_every_link_leads_somewhere_on_this_server(visited: FlaskClient) -> None:
    seen, waiting = set(), ["/"]
    while waiting:
        path = waiting.pop()
        seen.add(path)
        answer = visited.get(path)
        assert answer.status_code == 200, path
        if answer.mimetype == "text/html":
            links = Links(answer.get_data(as_text=True))
            assert not links.inline, path
            assert all(link.startswith(("/", "data:,")) for link in links.found), path
            waiting += [link for link in links.found if link.startswith("/") and link not in seen]
    assert {"/leaderboards/oware", "/leaderboards/nsolo", "/tournaments/1", "/tournaments/2", "/matches/1"} <= seen


def test_policy_allows_nothing_foreign(visited: FlaskClient) -> None:
    policy = visited.get("/").headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "script-src 'self';" in policy


def test_home_shows_games_leaders_and_tournaments(visited: FlaskClient) -> None:
    page = visited.get("/").get_data(as_text=True)
    for words in ("Oware", "Omweso", "alpha", "paused-cup"):
        assert words in page


def test_match_page_shows_the_record(visited: FlaskClient) -> None:
    page = visited.get("/matches/1").get_data(as_text=True)
    assert "[Ruleset &#34;oware&#34;]" in page


def test_what_a_bot_says_stays_text(visited: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    spoken = Verdict(0, "exception", "<script>alert(1)</script>")
    monkeypatch.setattr("web.pages.to_text", lambda record: spoken.message)
    page = visited.get("/matches/1").get_data(as_text=True)
    assert "<script>" not in page
    assert "&lt;script&gt;" in page


def test_missing_page_is_a_page_and_in_the_api_a_problem(client: FlaskClient) -> None:
    page = client.get("/tournaments/7", headers={"Accept": "text/html"})
    assert (page.status_code, page.mimetype) == (404, "text/html")
    assert "There is no tournament 7" in page.get_data(as_text=True)
    assert client.get("/nothing", headers={"Accept": "text/html"}).mimetype == "text/html"
    assert client.get("/nothing", headers={"Accept": "application/json"}).mimetype == "application/problem+json"
    assert client.get("/api/nothing", headers={"Accept": "text/html"}).mimetype == "application/problem+json"
