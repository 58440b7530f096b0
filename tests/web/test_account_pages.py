"""Sign up, log in and out, tokens and password on the pages, without script; and what keeps others from doing so."""

import base64
import re
from dataclasses import replace

import pytest
from flask.testing import FlaskClient
from sqlalchemy import select

from arena.services import accounts
from arena.store.schema import users
from arena.store.session import Store
from tests.support.visitor import HTML, PASSWORD, Visitor
from tests.web.conftest import SECRET_KEY, Person
from web.app import create_app


@pytest.fixture
def visitor(client: FlaskClient) -> Visitor:
    return Visitor(client)


@pytest.fixture
def ama(client: FlaskClient) -> Visitor:
    return Visitor(client).sign_up("ama")


def names(store: Store) -> set[str]:
    with store.read() as tx:
        return set(tx.scalars(select(users.c.name)))


def test_signing_up_logs_in_and_every_page_says_so(visitor: Visitor) -> None:
    visitor.send("/sign-up", name="ama", password=PASSWORD, again=PASSWORD)
    assert "Welcome, ama." in visitor.follow()
    assert '<bdi class="name">ama</bdi>' in visitor.go("/games")
    assert "Welcome" not in visitor.text
    assert visitor.answer.headers["Cache-Control"] == "private, no-store"
    assert "Cookie" in visitor.answer.headers["Vary"]


def test_logging_out_ends_the_token_itself(ama: Visitor, store: Store) -> None:
    cookie = ama.client.get_cookie("arena_session")
    assert cookie is not None
    ama.send("/account", "/log-out")
    assert "Log in" in ama.follow()
    ama.client.set_cookie("arena_session", cookie.value)
    ama.go("/account")
    assert ama.status == 302
    user = accounts.authenticate(store, accounts.create_token(store, "ama", PASSWORD))
    assert all(token.name != accounts.BROWSER for token in accounts.tokens(store, user))


def test_logging_in_leads_to_where_one_wanted_to_go(ama: Visitor) -> None:
    ama.send("/account", "/log-out")
    ama.go("/tournaments/new?game=urim")
    at = ama.answer.headers["Location"]
    assert at.startswith("/log-in?next=")
    next_page = re.search(r'name="next" value="([^"]+)"', ama.go(at))
    assert next_page is not None
    ama.send(at, "/log-in", name="ama", password=PASSWORD, next=next_page[1])
    assert "New tournament of Urim" in ama.follow()


@pytest.mark.parametrize(
    "elsewhere", ["//evil.example/", "/\\evil.example", "https://evil.example/", "javascript:x", "/\nx"]
)
def test_nobody_is_sent_to_another_site(ama: Visitor, elsewhere: str) -> None:
    ama.send("/account", "/log-out")
    ama.send("/log-in", name="ama", password=PASSWORD, next=elsewhere)
    assert ama.answer.headers["Location"] == "/account"


def test_a_wrong_password_keeps_the_name_and_tells_nothing(ama: Visitor) -> None:
    ama.send("/account", "/log-out")
    wrong = ama.send("/log-in", name="ama", password="not my horse")
    assert ama.status == 401
    assert 'value="ama"' in wrong
    assert "not my horse" not in wrong
    told = ama.words
    ama.send("/log-in", name="nobody", password="not my horse")
    assert ama.words == told


@pytest.mark.parametrize(
    ("fields", "field", "says"),
    [
        ({"name": "A!"}, "name", "starts with a letter"),
        ({"name": "root"}, "name", "reserved"),
        ({"name": "taken"}, "name", "already called"),
        ({"password": "short", "again": "short"}, "password", "8 to 200"),
        ({"again": "another"}, "again", "differ"),
        ({"name": "a\x00b"}, "name", "cannot be printed"),
    ],
)
def test_what_is_wrong_stands_beside_its_field_and_the_rest_is_kept(
    visitor: Visitor, store: Store, fields: dict[str, str], field: str, says: str
) -> None:
    accounts.register(store, "taken", PASSWORD)
    page = visitor.send("/sign-up", **{"name": "esi", "password": PASSWORD, "again": PASSWORD, **fields})
    assert visitor.status in (409, 422)
    assert says in visitor.fault(field)
    assert re.search(rf'id="{field}"[^>]*aria-describedby="[^"]*{field}-fault"[^>]*aria-invalid="true"', page)
    assert f'href="#{field}"' in page
    assert names(store) == {"taken"}
    if "name" not in fields:
        assert 'value="esi"' in page


def test_a_form_from_elsewhere_changes_nothing(ama: Visitor, store: Store) -> None:
    paths = (
        "/sign-up", "/log-in", "/log-out", "/account/tokens", "/account/password", "/bots/new", "/tournaments/new",
        "/bots/x1/open", "/bots/x1/retire", "/bots/x1/versions/new", "/tournaments/1/start", "/tournaments/1/cancel",
    )
    for path in paths:
        for secret in ({}, {"csrf_token": "forged"}):
            answer = ama.client.post(path, data={"name": "esi", "password": PASSWORD, **secret}, headers=HTML)
            assert answer.status_code == 400, path
            assert "Nothing was changed" in answer.get_data(as_text=True)
    assert names(store) == {"ama"}
    assert "ama" in ama.go("/account")


def test_a_secret_of_another_browser_is_no_secret(ama: Visitor, store: Store) -> None:
    other = Visitor(ama.client.application.test_client()).sign_up("kofi")
    secret = re.search(r'name="csrf_token" value="([^"]+)"', other.go("/account"))
    assert secret is not None
    ama.answer = ama.client.post("/log-out", data={"csrf_token": secret[1]}, headers=HTML)
    assert ama.status == 400


def test_the_api_takes_no_cookie_and_needs_no_secret(ama: Visitor, owner_token: str) -> None:
    assert ama.client.get("/api/v1/me").status_code == 401
    assert ama.client.post("/api/v1/tournaments", json={}).status_code == 401
    assert Person(ama.client, "ama", owner_token).post("/tournaments", json={}).status_code == 422


@pytest.fixture
def owner_token(ama: Visitor, store: Store) -> str:
    return accounts.create_token(store, "ama", PASSWORD)


def test_the_cookie_is_out_of_reach(ama: Visitor, store: Store) -> None:
    ama.send("/account", "/log-out")
    ama.send("/log-in", name="ama", password=PASSWORD)
    cookie = ama.answer.headers["Set-Cookie"]
    assert ama.client.get("/sign-up").headers["Cache-Control"] == "private, no-store"
    assert "Cache-Control" not in ama.client.application.test_client().get("/games").headers
    for part in ("HttpOnly", "SameSite=Lax", "Path=/", "Expires="):
        assert part in cookie
    assert "Secure" not in cookie
    secure = create_app(replace(store.settings, secret_key=SECRET_KEY, secure_cookies=True), store).test_client()
    assert "Secure" in secure.get("/sign-up").headers["Set-Cookie"]
    assert "Secure" in ama.client.get("/sign-up", base_url="https://localhost").headers["Set-Cookie"]


def test_what_is_no_page_brings_no_cookie(ama: Visitor) -> None:
    for path in ("/static/arena.css", "/play/oware/board.json", "/api/v1/bots", "/healthz"):
        answer = ama.client.get(path)
        assert (answer.status_code, answer.headers.getlist("Set-Cookie")) == (200, []), path
    assert "Expires=" in ama.client.get("/games").headers["Set-Cookie"]


def test_logging_in_again_ends_what_the_browser_held(ama: Visitor, store: Store) -> None:
    before = ama.client.get_cookie("arena_session")
    assert before is not None
    ama.send("/log-in", name="ama", password=PASSWORD)
    user = accounts.authenticate(store, accounts.create_token(store, "ama", PASSWORD))
    assert [token.name for token in accounts.tokens(store, user)].count(accounts.BROWSER) == 1
    assert "Tokens" in ama.follow()
    ama.client.set_cookie("arena_session", before.value)
    ama.go("/account")
    assert ama.status == 302


def test_by_https_a_form_must_come_from_this_site(client: FlaskClient) -> None:
    page = client.get("/sign-up", base_url="https://localhost")
    secret = re.search(r'name="csrf_token" value="([^"]+)"', page.get_data(as_text=True))
    assert secret is not None
    fields = {"csrf_token": secret[1], "name": "ama", "password": PASSWORD, "again": PASSWORD}

    def status(referrer: str) -> int:
        sent = {**HTML, "Referer": referrer}
        return client.post("/sign-up", data=fields, headers=sent, base_url="https://localhost").status_code

    assert status("https://evil.example/") == 400
    assert status("https://localhost/sign-up") == 302


def test_a_cookie_signed_with_another_key_is_none(ama: Visitor, store: Store) -> None:
    cookie = ama.client.get_cookie("arena_session")
    assert cookie is not None
    other = create_app(replace(store.settings, secret_key=SECRET_KEY[::-1]), store).test_client()
    other.set_cookie("arena_session", cookie.value)
    assert other.get("/account").status_code == 302
    same = create_app(replace(store.settings, secret_key=SECRET_KEY), store).test_client()
    same.set_cookie("arena_session", cookie.value)
    assert same.get("/account").status_code == 200         # as in another process of the web


def test_a_token_is_shown_once_and_can_be_revoked(ama: Visitor, store: Store) -> None:
    ama.send("/account", "/account/tokens", label="lap<b>top")
    token = re.search(r"<code>([\w-]{43})</code>", ama.follow())
    assert token is not None
    assert accounts.authenticate(store, token[1]).name == "ama"
    assert token[1] not in ama.go("/account")
    assert "lap&lt;b&gt;top" in ama.text
    button = r'action="(/account/tokens/\d+/revoke)"[^>]*>(?:(?!</form>).)*the token lap'
    revoke = re.search(button, ama.text, re.DOTALL)
    assert revoke is not None
    ama.send("/account", revoke[1])
    assert "lap&lt;b&gt;top" not in ama.follow()
    assert Person(ama.client, "ama", token[1]).get("/me").status_code == 401


def test_faults_of_a_token_stand_beside_it(ama: Visitor) -> None:
    ama.send("/account", "/account/tokens", label="browser")
    assert (ama.status, "another name" in ama.fault("label")) == (422, True)
    ama.send("/account", "/account/tokens", label="")
    assert ama.fault("label")


def test_a_new_password_logs_out_the_others(ama: Visitor) -> None:
    other = Visitor(ama.client.application.test_client())
    other.send("/log-in", name="ama", password=PASSWORD)
    ama.send("/account", "/account/password", password="wrong horse", new_password="new horse", again="new horse")
    assert (ama.status, "not your password" in ama.fault("password")) == (422, True)
    other.go("/account")
    assert other.status == 200
    ama.send("/account", "/account/password", password=PASSWORD, new_password="new horse", again="new horse")
    assert "every other browser is logged out" in ama.follow()
    other.go("/account")
    assert other.status == 302


def test_nobody_revokes_a_token_of_another(ama: Visitor, store: Store) -> None:
    kofi, token = accounts.register(store, "kofi", PASSWORD)
    ama.send("/account", f"/account/tokens/{accounts.tokens(store, kofi)[0].id}/revoke")
    assert ama.status == 404
    assert accounts.authenticate(store, token) == kofi


def test_without_a_key_pages_are_read_and_nobody_logs_in(store: Store) -> None:
    visitor = Visitor(create_app(replace(store.settings, secret_key=""), store).test_client())
    assert "Log in" not in visitor.go("/")
    assert visitor.status == 200
    for path in ("/log-in", "/sign-up", "/account", "/bots/new", "/tournaments/new"):
        visitor.go(path)
        assert (visitor.status, "ARENA_SECRET_KEY" in visitor.words) == (503, True)
    for path in ("/log-in", "/sign-up", "/log-out", "/bots/new", "/account/tokens"):
        assert visitor.client.post(path, data={}, headers=HTML).status_code == 503


def test_pages_and_api_share_their_limits(store: Store) -> None:
    visitor = Visitor(create_app(replace(store.settings, secret_key=SECRET_KEY), store).test_client())
    statuses = []
    for _ in range(5):
        visitor.send("/log-in", name="kofi", password="guess guess")
        statuses.append(visitor.status)
    proof = base64.b64encode(b"kofi:guess").decode()
    for _ in range(6):
        answer = Person(visitor.client).post("/tokens", headers={"Authorization": f"Basic {proof}"})
        statuses.append(answer.status_code)
    assert statuses == [401] * 10 + [429]
    visitor.send("/log-in", name="kofi", password="guess guess")
    assert (visitor.status, "Too many requests" in visitor.words) == (429, True)


def test_uploads_on_pages_and_by_the_api_count_together(store: Store) -> None:
    visitor = Visitor(create_app(replace(store.settings, secret_key=SECRET_KEY), store).test_client()).sign_up("ama")
    secret = re.search(r'name="csrf_token" value="([^"]+)"', visitor.go("/bots/new"))
    assert secret is not None
    person = Person(visitor.client, "ama", accounts.create_token(store, "ama", PASSWORD))
    pages = [visitor.client.post("/bots/new", data={"csrf_token": secret[1]}).status_code for _ in range(60)]
    calls = [person.post("/bots").status_code for _ in range(60)]
    assert (set(pages), set(calls)) == ({422}, {415})
    assert person.post("/bots").status_code == 429
    assert visitor.client.post("/bots/new", data={"csrf_token": secret[1]}).status_code == 429


def test_a_name_of_ten_thousand_hostile_signs_is_refused_and_stays_text(visitor: Visitor) -> None:
    name = "<script>alert(1)</script>\u202e" + "x" * 10_000
    page = visitor.send("/sign-up", name=name, password=PASSWORD, again=PASSWORD)
    assert visitor.status == 422
    assert visitor.fault("name") == f"Send 2 to 40 characters, not {len(name)}"
    assert "<script>alert" not in page
    assert 'value="&lt;script&gt;alert(1)' in page
