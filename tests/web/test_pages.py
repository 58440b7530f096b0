"""The pages: what people see, that every link leads somewhere, and that nothing a bot says becomes part of a page."""

import re
from html import unescape
from html.parser import HTMLParser

import pytest
from flask.testing import FlaskClient
from sqlalchemy import update

from arena import games
from arena.ratings.elo import rating_error
from arena.services import standings
from arena.store.schema import bots, rating_changes
from arena.store.session import Store, utc_now
from arena.tournament.standings import TIE_BREAKS
from tests.match.played import forfeited_record, record_of
from tests.support import field, season
from tests.support.finished import add_match
from tests.web.test_queries import counted_queries
from web.pages.rules import rendered


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
    entered = [field.add_bot(store, name) for name in ("alpha", "beta", "gamma")]
    moment = field.Moment()
    moment.at = utc_now()
    field.add_tournament(store, entered)
    field.play_out(store, moment)
    field.add_tournament(store, entered, "paused-cup", state="paused")
    return client


def page_of(client: FlaskClient, path: str) -> str:
    answer = client.get(path, headers={"Accept": "text/html"})
    assert answer.status_code == 200, path
    return answer.get_data(as_text=True)


def words_of(page: str) -> str:
    """What is read on a page."""
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def test_every_link_leads_somewhere_on_this_server(visited: FlaskClient) -> None:
    seen, waiting = set(), ["/"]
    while waiting:
        path = waiting.pop()
        seen.add(path)
        if path.endswith("/events?") or path.startswith("/static/swagger-ui"):
            continue
        answer = visited.get(path, follow_redirects=True)           # forms ask for a log-in first
        assert answer.status_code == 200, path
        if answer.mimetype == "text/html":
            links = Links(answer.get_data(as_text=True))
            assert not links.inline, path
            local = [link for link in links.found if not link.startswith(("#", "data:,"))]
            assert all(re.match(r"/|\w+$", link) for link in local), (path, local)
            absolute = [link if link.startswith("/") else f"/games/{link}" for link in local]
            waiting += {link.partition("#")[0] for link in absolute} - seen - set(waiting)
    assert {"/leaderboards/oware", "/leaderboards/nsolo", "/tournaments/1", "/tournaments/2", "/matches/1"} <= seen
    assert {"/bots/alpha", "/games/omweso", "/tournaments/1/bots/beta", "/tournaments/2/schedule"} <= seen


def test_policy_allows_nothing_foreign(visited: FlaskClient) -> None:
    policy = visited.get("/").headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "script-src 'self';" in policy


def test_home_shows_games_leaders_and_tournaments(visited: FlaskClient) -> None:
    page = page_of(visited, "/")
    for words in ("Oware", "Omweso", "alpha", "paused-cup"):
        assert words in page


@pytest.mark.parametrize("game", games.names())
def test_rules_are_those_of_the_documents(client: FlaskClient, game: str) -> None:
    page = page_of(client, f"/games/{game}")
    assert rendered(game) in page
    assert page.count("<h1") == 1
    assert "data-play=" in page
    assert client.get(f"/games/{game}:quiet_limit=9").status_code == 404


def test_leaderboard_tells_form_error_and_change(store: Store, client: FlaskClient) -> None:
    season.begin(store, cycles=1, played_of_running=0)
    with store.write() as tx:       # all but the last match of each were played the day before yesterday
        newest = {row.bot_id: row.id for row in tx.execute(rating_changes.select().order_by(rating_changes.c.id))}
        old = rating_changes.c.id.not_in(newest.values())
        tx.execute(update(rating_changes).where(old).values(created_at=utc_now() - 2 * season.DAY))
        tx.execute(update(rating_changes).where(~old).values(created_at=utc_now()))
        changes = {row.bot_id: row for row in tx.execute(rating_changes.select().order_by(rating_changes.c.id))}
    page = page_of(client, "/leaderboards/oware")
    assert page.count('class="form"') == len(changes)
    assert words_of(page).count(f"± {1.96 * rating_error(8):.0f} ?") == len(changes)
    texts = re.findall(r'class="change[^>]*>([^<]+)<', page)
    shown = sorted(int(text.replace("−", "-").replace("±", "")) for text in texts)
    assert shown == sorted(round(row.after - row.before) for row in changes.values())
    assert "as of" in words_of(page)


def test_a_bot_is_found_by_name_or_by_its_beginning(visited: FlaskClient) -> None:
    assert "beta and its neighbours" in words_of(page_of(visited, "/leaderboards/oware?find=beta"))
    begun = page_of(visited, "/leaderboards/oware?find=be")
    assert '?find=beta"' in begun
    assert "No bot’s name begins with nobody" in words_of(page_of(visited, "/leaderboards/oware?find=nobody"))
    assert "&lt;b&gt;" in page_of(visited, "/leaderboards/oware?find=<b>")
    assert visited.get("/leaderboards/oware?find=a%00").status_code == 422


def test_bots_of_a_game_are_listed_however_its_name_is_written(visited: FlaskClient) -> None:
    plain = words_of(page_of(visited, "/bots?game=oware&find=nobody"))
    assert words_of(page_of(visited, "/bots?game=Oware&find=nobody")) == plain
    assert "among those that play Oware" in plain


def test_bot_page_adds_up(store: Store, client: FlaskClient) -> None:
    season.begin(store, played_of_running=0)
    page = page_of(client, f"/bots/{season.NAMES[0]}")
    matches = 16                # twice against eight others
    assert page.count('class="dot ') == matches
    seats = re.findall(r'<th scope="row">(?:first|second)</th><td class="number">(\d+)', page)
    assert sum(map(int, seats)) == matches
    assert "rejected" in page
    assert "failed with an exception" in page
    assert "onerror" not in page            # what it said is its owner's
    assert page_of(client, f"/bots/{season.NAMES[0]}?last=50").count('class="dot ') == matches
    assert client.get("/bots/nobody").status_code == 404
    assert "No rated match yet" in page_of(client, f"/bots/{season.NAMES[1]}?ruleset=oware:grand_slam=win25")


def test_a_line_of_the_table_is_explained_term_by_term(store: Store, client: FlaskClient) -> None:
    cup = season.begin(store, played_of_running=0).finished
    for line in standings.standings(store, cup)[:3]:
        page = page_of(client, f"/tournaments/{cup}/bots/{line.bot}")
        rows = re.findall(r"<tr>(.*?)</tr>", page, re.DOTALL)
        table = [re.findall(r'<td class="number(?: strong)?">([^<]*)</td>', row) for row in rows[1:]]
        *terms, sums = [[season.number(text) for text in row] for row in table]
        assert len(terms) == 8
        assert [sum(column) for column in zip(*terms, strict=True)] == sums
        assert sums == [tie_break.value for tie_break in line.tie_breaks]
        assert len(sums) == len(TIE_BREAKS)
        scores = re.findall(r'class="score">([^<]+)<span class="colon">:</span>([^<]+)<', page)
        assert len(scores) == 16            # as the bot of the page sees them
        assert sum(season.number(own) for own, _ in scores) == sums[1]


def test_schedule_tells_what_is_to_come(store: Store, client: FlaskClient) -> None:
    arena = season.begin(store, cycles=1, played_of_running=3)
    page = page_of(client, f"/tournaments/{arena.running}/schedule")
    assert page.count("state--finished") == 3
    assert page_of(client, f"/tournaments/{arena.created}/schedule").count("to come") == 6
    assert client.get(f"/tournaments/{arena.running}/schedule?from=0").status_code == 422
    assert "No match stands there" in page_of(client, f"/tournaments/{arena.running}/schedule?from=99")


def test_match_page_says_the_score_in_the_words_of_the_format(store: Store, client: FlaskClient) -> None:
    record = record_of("omweso", "points-4", 4)
    page = words_of(page_of(client, f"/matches/{add_match(store, record)}"))
    assert "first to 4 points" in page
    assert f"after {len(record.games)} game" in page
    assert "the points after each" in page


def test_verdicts_are_words_and_what_a_bot_said_is_not_told(store: Store, client: FlaskClient) -> None:
    number = add_match(store, season.saying(forfeited_record(), "what went wrong inside"))
    for path in ("", "/games/1", "/games/1/replay.json", "/record.txt"):
        page = client.get(f"/matches/{number}{path}").get_data(as_text=True)
        assert "exception" in page, path
        assert "what went wrong inside" not in page, path
    for path in ("/record", "/games/1"):
        page = client.get(f"/api/v1/matches/{number}{path}").get_data(as_text=True)
        assert "exception" in page, path
        assert "what went wrong inside" not in page, path


def test_record_can_be_read(visited: FlaskClient) -> None:
    answer = visited.get("/matches/1/record.txt")
    assert answer.mimetype == "text/plain"
    assert '[Ruleset "oware"]' in answer.get_data(as_text=True)


def test_pages_cost_the_same_queries_however_much_was_played(store: Store, client: FlaskClient) -> None:
    arena = season.begin(store, cycles=1, played_of_running=1)
    paths = ("/", "/leaderboards/oware", f"/bots/{season.NAMES[0]}", "/tournaments", f"/tournaments/{arena.running}",
             f"/tournaments/{arena.running}/schedule", f"/tournaments/{arena.running}/bots/{season.NAMES[0]}")
    before = {path: queries_of(client, path) for path in paths}
    season.play(store, 14)
    assert {path: queries_of(client, path) for path in paths} == before
    assert max(before.values()) <= 30, before


def test_bots_are_listed_by_name_game_by_game_and_page_by_page(store: Store, client: FlaskClient) -> None:
    assert "No bot is here yet" in page_of(client, "/bots")
    names = [f"bot-{number:02}" for number in range(52)]
    field.add_bot(store, names[0])
    cost = queries_of(client, "/bots")
    for name in names[1:]:
        field.add_bot(store, name)
    assert queries_of(client, "/bots") == cost <= 2
    page = page_of(client, "/bots")
    assert listed(page) == names[:50]
    further = re.search(r'rel="next" href="([^"]+)"', page)
    assert further is not None
    last = page_of(client, unescape(further[1]))
    assert listed(last) == names[50:]
    assert 'rel="next"' not in last
    assert listed(page_of(client, "/bots?game=oware&find=Bot-0")) == names[:10]
    assert "No bot plays Urim yet" in page_of(client, "/bots?game=urim")
    assert "No bot’s name begins with <bdi>%</bdi>" in page_of(client, "/bots?find=%25")
    assert "&lt;b&gt;" in page_of(client, "/bots?find=<b>")
    for path in ("/bots?game=chess", "/bots?find=a%00", "/bots?cursor=x"):
        assert client.get(path).status_code == 422, path
    with store.write() as tx:
        tx.execute(update(bots).where(bots.c.name == names[0]).values(retired_at=utc_now()))
    assert listed(page_of(client, "/bots?find=bot-00")) == []


def listed(page: str) -> list[str]:
    return re.findall(r'<th scope="row"><span class="bot"><a class="name" href="/bots/([^"]+)"', page)


def queries_of(client: FlaskClient, path: str) -> int:
    with counted_queries() as queries:
        page_of(client, path)
    return len(queries)


def test_missing_page_is_a_page_and_in_the_api_a_problem(client: FlaskClient) -> None:
    page = client.get("/tournaments/7", headers={"Accept": "text/html"})
    assert (page.status_code, page.mimetype) == (404, "text/html")
    assert "There is no tournament 7" in page.get_data(as_text=True)
    assert client.get("/nothing", headers={"Accept": "text/html"}).mimetype == "text/html"
    assert client.get("/nothing", headers={"Accept": "application/json"}).mimetype == "application/problem+json"
    assert client.get("/api/nothing", headers={"Accept": "text/html"}).mimetype == "application/problem+json"
