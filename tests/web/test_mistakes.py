"""What a user can do wrong in the three jobs, and what the answer says: status, code, field, one clear sentence."""

import io
import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from marshmallow import ValidationError
from sqlalchemy import select

from arena.settings import Settings
from arena.store.schema import metadata
from arena.store.session import Store
from tests.conftest import NO_REDIS
from tests.support import field as arena_field
from tests.web.conftest import PASSWORD, PLAIN_BOT, Person, register
from web.api.schemas.accounts import Registration
from web.api.schemas.bots import BotUpload
from web.api.schemas.fields import Request
from web.api.schemas.schedules import NewSchedule
from web.api.schemas.tournaments import NewTournament
from web.app import create_app

NUL, HALF = "a\0b", "a\ud800b"
HUGE = 10**400


@dataclass(frozen=True)
class Mistake:
    """One request that must be refused; `says` are words of the sentence."""

    call: str
    status: int
    code: str
    field: str | None
    says: str
    request: dict[str, Any] = field(default_factory=dict)
    who: str = "owner"

    def __str__(self) -> str:
        return f"{self.call} {self.code} {self.says}"


def raw(body: bytes | str, content_type: str = "application/json") -> dict[str, Any]:
    return {"data": body, "content_type": content_type}


def form(
    name: Any = "new-bot", game: Any = "oware", content: bytes | str | None = PLAIN_BOT, **more: str
) -> dict[str, Any]:
    """A submission; text as content comes as a plain field, and None leaves a field out."""
    file = (io.BytesIO(content), "bot.py") if isinstance(content, bytes) else content
    fields = {"name": name, "game": game, "file": file, **more}
    sent = {key: value for key, value in fields.items() if value is not None}
    return {"data": sent, "content_type": "multipart/form-data"}


def user(**body: Any) -> dict[str, Any]:
    return {"json": {"name": "esi", "password": PASSWORD, **body}}


def cup(**body: Any) -> dict[str, Any]:
    return {"json": {"name": "cup", "ruleset": "oware", "bots": ["alpha", "beta"], **body}}


ACCOUNT = [
    Mistake("POST /users", 422, "request/invalid", "name", "starts with a letter", user(name="Ama!")),
    Mistake("POST /users", 422, "request/invalid", "name", "2 to 40", user(name="a")),
    Mistake("POST /users", 422, "request/invalid", "name", "cannot be printed", user(name=NUL)),
    Mistake("POST /users", 422, "request/invalid", "name", "cannot be printed", user(name=HALF)),
    Mistake("POST /users", 422, "request/invalid", "name", "send text", user(name=7)),
    Mistake("POST /users", 409, "request/name-taken", "name", "'ama'", user(name="ama")),
    Mistake("POST /users", 409, "request/name-taken", "name", "reserved", user(name="admin")),
    Mistake("POST /users", 422, "request/invalid", "password", "8 to 200", user(password="short")),
    Mistake("POST /users", 422, "request/invalid", "password", "cannot be printed", user(password="correct" + HALF)),
    Mistake("POST /users", 422, "request/invalid", "is_admin", "name, password", user(is_admin=True)),
    Mistake("POST /users", 422, "request/invalid", "name", "missing", raw("{}")),
    Mistake("POST /users", 422, "request/invalid", None, "JSON object", raw("[]")),
    Mistake("POST /users", 400, "request/malformed", None, "line 1 column 2", raw("{")),
    Mistake("POST /users", 400, "request/malformed", None, "nested", raw("[" * 100_000)),
    Mistake("POST /users", 400, "request/malformed", None, "not JSON", raw(b'"\xff"')),
    Mistake("POST /users", 400, "request/malformed", None, "digits", raw("1" * 5000)),
    Mistake("POST /users", 415, "request/content-type", None, "text/plain", raw("{}", "text/plain")),
    Mistake("POST /users", 413, "request/too-large", None, "262,144 bytes", raw(" " * 300_000)),
    Mistake("POST /tokens", 401, "request/unauthenticated", None, "basic authentication", who="nobody"),
    Mistake("POST /tokens", 422, "request/invalid", "name", "1 to 80", {"json": {"name": "x" * 81}}),
    Mistake("POST /tokens", 401, "request/unauthenticated", None, "basic authentication"),
    Mistake("GET /me", 401, "request/unauthenticated", None, "needs a token", who="nobody"),
    Mistake("GET /me", 401, "request/unauthenticated", None, "token", who="stranger"),
    Mistake("DELETE /tokens/999", 404, "request/not-found", None, "999"),
]
SUBMIT = [
    Mistake("POST /bots", 401, "request/unauthenticated", None, "needs a token", form(), "nobody"),
    Mistake("POST /bots", 422, "request/invalid", "name", "starts with a letter", form(name="My Bot")),
    Mistake("POST /bots", 422, "request/invalid", "name", "missing", form(name=None)),
    Mistake("POST /bots", 422, "request/invalid", "name", "cannot be printed", form(name=NUL)),
    Mistake("POST /bots", 409, "request/name-taken", "name", "'alpha'", form(name="alpha")),
    Mistake("POST /bots", 409, "request/name-taken", "name", "our own", form(name="minimax")),
    Mistake("POST /bots", 422, "rules/unknown-game", "game", "oware, urim", form(game="chess")),
    Mistake("POST /bots", 422, "request/invalid", "game", "'urim'", form(game="urim:pits=7")),
    Mistake("POST /bots", 422, "request/invalid", "file", "bot.py at its root", form(content=None)),
    Mistake("POST /bots", 422, "request/invalid", "file", "as a file", form(content="x")),
    Mistake("POST /bots", 422, "request/invalid", "version", "no such field", form(version="2")),
    Mistake("POST /bots", 422, "request/invalid", "name", "once", form(name=["one", "two"])),
    Mistake("POST /bots", 422, "request/invalid-package", "file", "empty", form(content=b"  \n")),
    Mistake("POST /bots", 422, "request/invalid-package", "file", "UTF-8", form(content=b"\x7fELF\xff")),
    Mistake("POST /bots", 422, "request/invalid-package", "file", "cannot be read", form(content=b"PK\x03\x04x")),
    Mistake("POST /bots", 413, "request/too-large", "file", "1000000", form(content=b"#" * 1_000_001)),
    Mistake("POST /bots", 413, "request/too-large", None, "bytes, the limit", form(content=b"#" * 6_000_000)),
    Mistake("POST /bots", 415, "request/content-type", None, "name, game, file", {"json": {"name": "new-bot"}}),
    Mistake("POST /bots/alpha/versions", 403, "request/forbidden", None, "belongs to", form(None, None), "other"),
    Mistake("POST /bots/missing/versions", 404, "request/not-found", "bot", "'missing'", form(None, None)),
    Mistake("POST /bots/retired/versions", 409, "request/conflict", None, "is retired", form(None, None)),
    Mistake("PATCH /bots/alpha", 422, "request/invalid", "is_open", "true or false", {"json": {"is_open": "yes"}}),
    Mistake("PATCH /bots/alpha", 422, "request/invalid", "is_open", "is missing", {"json": {}}),
    Mistake("PATCH /bots/alpha", 422, "request/invalid", "is_open", "null is no value", {"json": {"is_open": None}}),
    Mistake("DELETE /bots/alpha", 403, "request/forbidden", None, "belongs to", who="other"),
    Mistake("GET /bots/missing", 404, "request/not-found", "bot", "'missing'"),
    Mistake("GET /bots/alpha/versions/7", 404, "request/not-found", "number", "1 to 1"),
    Mistake("GET /bots/alpha/versions/0", 404, "request/not-found", None, "'0' is not a number: whole, from 1 up"),
    Mistake(f"GET /bots/alpha/versions/{HUGE}", 404, "request/not-found", None, "at most 9 digits"),
    Mistake("GET /bots/No%00Such", 404, "request/not-found", None, "'No\\x00Such' is not a name"),
    Mistake("GET /bots?game=chess", 422, "rules/unknown-game", "game", "oware, urim"),
    Mistake("GET /bots?limit=0", 422, "request/invalid", "limit", "from 1 to 200"),
    Mistake("GET /bots?limit=201", 422, "request/invalid", "limit", "from 1 to 200"),
    Mistake("GET /bots?limit=1.0", 422, "request/invalid", "limit", "from 1 to 200"),
    Mistake("GET /bots?limit=1&limit=2", 422, "request/invalid", "limit", "once"),
    Mistake("GET /bots?cursor=nonsense", 422, "request/invalid", "cursor", "'nonsense'"),
    Mistake("GET /bots?cursor=%00", 422, "request/invalid", "cursor", "cannot be printed"),
    Mistake("GET /bots?page=2", 422, "request/invalid", "page", "limit, cursor"),
]
RUN = [
    Mistake("POST /tournaments", 401, "request/unauthenticated", None, "needs a token", cup(), "nobody"),
    Mistake("POST /tournaments", 422, "request/invalid", "name", "starts with a letter", cup(name="2026 Cup")),
    Mistake("POST /tournaments", 409, "request/name-taken", "name", "'first-cup'", cup(name="first-cup")),
    Mistake("POST /tournaments", 422, "rules/unknown-game", "ruleset", "oware, urim", cup(ruleset="chess")),
    Mistake("POST /tournaments", 422, "rules/unknown-option", "ruleset", "pits=6|7", cup(ruleset="urim:pits=8")),
    Mistake("POST /tournaments", 422, "rules/unknown-format", "format", "best-of-5", cup(format="best-of-7")),
    Mistake("POST /tournaments", 422, "rules/unknown-format", "time_control", "quick", cup(time_control="slow")),
    Mistake("POST /tournaments", 422, "request/invalid", "bots", "2 to 2000", cup(bots=["alpha"])),
    Mistake("POST /tournaments", 422, "request/invalid", "bots", "2 to 2000", cup(bots=[])),
    Mistake("POST /tournaments", 422, "request/invalid", "bots", '"all"', cup(bots="alpha")),
    Mistake("POST /tournaments", 422, "request/invalid", "bots", '"all"', {"json": {"name": "c2", "ruleset": "urim"}}),
    Mistake("POST /tournaments", 422, "request/invalid", "bots", "once", cup(bots=["alpha", "alpha"])),
    Mistake("POST /tournaments", 404, "request/not-found", "bots", "'missing'", cup(bots=["alpha", "missing"])),
    Mistake("POST /tournaments", 422, "request/invalid", "bots", "plays urim", cup(bots=["alpha", "stranger"])),
    Mistake("POST /tournaments", 422, "request/invalid", "bots", "no active version", cup(bots=["alpha", "unready"])),
    Mistake("POST /tournaments", 422, "request/invalid", "bots", "retired", cup(bots=["alpha", "retired"])),
    Mistake("POST /tournaments", 403, "request/forbidden", "bots", "other people's", cup(bots=["alpha", "closed"])),
    Mistake("POST /tournaments", 422, "request/invalid", "bots", "cannot be printed", cup(bots=["alpha", HALF])),
    Mistake("POST /tournaments", 422, "request/invalid", "cycles", "from 1 to 100", cup(cycles=0)),
    Mistake("POST /tournaments", 422, "request/invalid", "cycles", "from 1 to 100", cup(cycles=True)),
    Mistake("POST /tournaments", 422, "request/invalid", "opening_plies", "from 0 to 20", cup(opening_plies="4")),
    Mistake("POST /tournaments", 422, "request/invalid", "seed", "is no seed: one is any text of 1 to", cup(seed=NUL)),
    Mistake("POST /tournaments", 422, "request/invalid", "seed", "42 is no seed: one is any text", cup(seed=42)),
    Mistake("POST /tournaments", 422, "request/invalid", "seed", "'' is no seed: one is any text", cup(seed="")),
    Mistake("POST /tournaments", 422, "request/invalid", "rounds", "no such field", cup(rounds=3)),
    Mistake("GET /tournaments/999", 404, "request/not-found", None, "999"),
    Mistake(f"GET /tournaments/{HUGE}", 404, "request/not-found", None, "at most 18 digits"),
    Mistake("POST /tournaments", 422, "request/invalid", "bots", "stands alone", cup(bots=["all", "alpha"])),
    Mistake("POST /tournaments", 422, "request/invalid", "cycles", "null is no value", cup(cycles=None)),
    Mistake("POST /tournaments", 422, "request/invalid", "match_format", "bots, format,", cup(match_format="games-2")),
    Mistake("POST /schedules", 422, "request/invalid", "every", "missing", cup()),
    Mistake("POST /schedules", 422, "request/invalid", "match_format", "zone, format,",
            cup(match_format="games-2", every="day", at="18:30")),
    Mistake("GET /tournaments?state=open", 422, "request/invalid", "state", "created, running"),
    Mistake("GET /tournaments/999/standings", 404, "request/not-found", None, "999"),
    Mistake("GET /tournaments/999/crosstable", 404, "request/not-found", None, "999"),
    Mistake("GET /tournaments/999/matches", 404, "request/not-found", None, "999"),
    Mistake("POST /tournaments/999/start", 404, "request/not-found", None, "999"),
    Mistake("POST /tournaments/1/start", 403, "request/forbidden", None, "run by ama", who="other"),
    Mistake("POST /tournaments/1/pause", 409, "request/conflict", None, "is created"),
    Mistake("POST /tournaments/1/withdraw", 404, "request/not-found", "bot", "not play", {"json": {"bot": "closed"}}),
    Mistake("POST /tournaments/1/withdraw", 422, "request/invalid", "bot", "missing", {"json": {}}),
    Mistake("DELETE /tournaments/1", 405, "request/method-not-allowed", None, "DELETE"),
]
READ = [
    Mistake("GET /leaderboards/chess", 422, "rules/unknown-game", "ruleset", "oware, urim"),
    Mistake("GET /leaderboards/urim:pits=9", 422, "rules/unknown-option", "ruleset", "pits=6|7"),
    Mistake("GET /leaderboards/oware?around=alpha", 404, "request/not-found", "around", "first rated match"),
    Mistake("GET /leaderboards/oware?cursor=WyJib2FyZCJd", 422, "request/invalid", "cursor", "not one of this list"),
    Mistake("GET /leaderboards/oware?limit=x", 422, "request/invalid", "limit", "from 1 to 200"),
    Mistake("GET /bots/alpha/ratings?ruleset=chess", 422, "rules/unknown-game", "ruleset", "oware, urim"),
    Mistake("GET /bots/missing/ratings", 404, "request/not-found", "bot", "'missing'"),
    Mistake("GET /bots/missing/matches", 404, "request/not-found", "bot", "'missing'"),
    Mistake("GET /matches/999", 404, "request/not-found", None, "999"),
    Mistake("GET /matches/999/record", 404, "request/not-found", None, "999"),
    Mistake("GET /matches/999/games/1", 404, "request/not-found", None, "999"),
    Mistake("GET /matches/0", 404, "request/not-found", None, "'0' is not a number"),
    Mistake("GET /matches/1/logs/1", 404, "request/not-found", None, "'1' is not a seat: first or second"),
    Mistake("DELETE /tokens/0", 404, "request/not-found", None, "'0' is not a number"),
    Mistake("GET /nothing", 404, "request/not-found", None, "/api/docs"),
]


@pytest.fixture(scope="module")
def arena(migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """One store for all mistakes: none of them changes it."""
    folder = tmp_path_factory.mktemp("mistakes")
    url = f"sqlite:///{shutil.copy(migrated_sqlite, folder / 'arena.sqlite3')}"
    store = Store.open(Settings(data_dir=folder, database_url=url, redis_url=NO_REDIS, rate_limits=False))
    yield store
    store.dispose()


@pytest.fixture(scope="module")
def people(arena: Store) -> dict[str, Person]:
    """Who asks; and what is there already."""
    client = create_app(arena.settings, arena).test_client()
    ama, kofi = register(client, arena, "ama"), register(client, arena, "kofi")
    for name, owner in [("alpha", "ama"), ("beta", "esi"), ("closed", "kofi"), ("retired", "ama")]:
        arena_field.add_bot(arena, name, owner=owner)
    arena_field.add_bot(arena, "unready", owner="ama", state="checking")
    kofi.submit("stranger", game="urim")
    kofi.call("PATCH", "/bots/closed", json={"is_open": False})
    ama.delete("/bots/retired")
    ama.post("/tournaments", **cup(name="first-cup"))
    return {"owner": ama, "other": kofi, "nobody": Person(client), "stranger": Person(client, "x", "no-such-token")}


def rows_of(store: Store) -> dict[str, list[Any]]:
    with store.read() as tx:
        return {table.name: [tuple(row) for row in tx.execute(select(table))] for table in metadata.sorted_tables}


@pytest.mark.parametrize("mistake", [*ACCOUNT, *SUBMIT, *RUN, *READ], ids=str)
def test_mistake_is_told_in_one_clear_sentence(mistake: Mistake, people: dict[str, Person], arena: Store) -> None:
    before = rows_of(arena)
    method, _, path = mistake.call.partition(" ")
    answer = people[mistake.who].call(method, path, **mistake.request)
    problem = answer.json
    assert answer.content_type == "application/problem+json"
    assert (answer.status_code, problem["code"], problem.get("field")) == (mistake.status, mistake.code, mistake.field)
    assert problem["status"] == mistake.status
    assert mistake.says in problem["detail"]
    assert "Missing data for required field" not in json.dumps(problem)
    assert len(problem["detail"]) < 500
    assert "Traceback" not in json.dumps(problem)
    assert rows_of(arena) == before


@pytest.mark.parametrize("request_schema", [NewTournament, NewSchedule, BotUpload, Registration])
def test_fields_are_told_by_the_names_that_are_sent(request_schema: type[Request]) -> None:
    schema = request_schema()
    with pytest.raises(ValidationError) as refused:
        schema.load({"unheard_of": 1})
    told = refused.value.normalized_messages()
    (words,) = told.pop("unheard_of")
    sent = {field.data_key or name for name, field in schema.load_fields.items()}
    assert set(words.partition("those there are: ")[2].split(", ")) == sent
    assert all("Missing data" not in why for whys in told.values() for why in whys)


@pytest.mark.parametrize("path", ["/leaderboards/chess", "/leaderboards/urim:pits=9", "/play/chess", "/rules/chess"])
def test_page_of_a_ruleset_there_is_not_is_not_found(path: str, people: dict[str, Person]) -> None:
    page = people["nobody"].client.get(path, headers={"Accept": "text/html"})
    assert (page.status_code, page.mimetype) == (404, "text/html")
