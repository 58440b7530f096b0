"""When something is away or broken: what the caller is told, and how long it takes."""

import base64
import re
import sqlite3
import time
from dataclasses import replace
from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from arena.services import accounts, bots
from arena.store.session import Store
from tests.support.redis_server import RedisServer
from tests.web.conftest import PASSWORD, Person
from web.app import create_app


def test_locked_database_is_503_and_nothing_is_half_written(
    owner: Person, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.store.session.BUSY_SECONDS", 0)
    impatient = Store.open(store.settings)
    client = create_app(replace(store.settings, rate_limits=False), impatient).test_client()
    holder = sqlite3.connect(tmp_path / "arena.sqlite3", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    answer = Person(client, "ama", owner.token).submit("walker")
    holder.execute("ROLLBACK")
    assert (answer.status_code, answer.json["code"]) == (503, "arena/store")
    assert int(answer.headers["Retry-After"]) > 0
    assert owner.get("/bots/walker").status_code == 404
    assert owner.submit("walker").status_code == 201
    impatient.dispose()


def test_bug_is_500_and_tells_nothing_of_itself(owner: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("the secret of the house")

    monkeypatch.setattr(bots, "show", broken)
    answer = owner.get("/bots/walker")
    assert (answer.status_code, answer.json["code"]) == (500, "arena/error")
    assert "secret" not in answer.get_data(as_text=True)


def limited(store: Store, redis_url: str) -> Person:
    settings = replace(store.settings, rate_limits=True, redis_url=redis_url)
    return Person(create_app(settings, store).test_client())


def register_until_refused(person: Person) -> tuple[int, TestResponse]:
    for number in range(130):
        answer = person.post("/users", json={"name": f"user-{number}", "password": "short"})
        if answer.status_code == 429:
            return number, answer
    raise AssertionError("never refused")


@pytest.mark.services
def test_limits_count_in_redis_for_all_processes(store: Store, redis_server_of_the_session: RedisServer) -> None:
    with redis_server_of_the_session.client() as client:
        client.flushall()
    url = redis_server_of_the_session.url
    number, answer = register_until_refused(limited(store, url))
    assert number == 120
    assert answer.json["code"] == "request/rate-limited"
    assert 0 < int(answer.headers["Retry-After"]) <= 3601
    assert register_until_refused(limited(store, url))[0] == 0        # as in a second process
    with redis_server_of_the_session.client() as client:
        client.flushall()


def test_limits_count_in_memory_while_redis_is_away(store: Store) -> None:
    started = time.monotonic()
    assert register_until_refused(limited(store, store.settings.redis_url))[0] == 120
    assert time.monotonic() - started < 10


def test_who_is_refused_for_a_while_is_told_how_long_and_nobody_else(store: Store) -> None:
    person = limited(store, store.settings.redis_url)
    made = person.post("/users", json={"name": "esi", "password": PASSWORD})
    assert (made.status_code, "Retry-After" in made.headers) == (201, False)
    assert "Retry-After" not in person.post("/users", json={}).headers
    refused = register_until_refused(person)[1]
    assert 0 < int(refused.headers["Retry-After"]) <= 3601
    assert re.search(r"120 per hour are answered here\. Try again in \d+ minutes\.$", refused.json["detail"])


def test_reading_is_not_limited(store: Store) -> None:
    person = limited(store, store.settings.redis_url)
    assert {person.get("/games").status_code for _ in range(100)} == {200}


@pytest.mark.parametrize(("path", "refused"), [("/bots", 415), ("/tournaments", 422)])
def test_uploads_and_tournaments_are_limited_by_user(
    path: str, refused: int, owner: Person, other: Person, store: Store
) -> None:
    client = limited(store, store.settings.redis_url).client
    second = accounts.create_token(store, "ama", PASSWORD, "second")
    amas = [Person(client, "ama", owner.token), Person(client, "ama", second)]
    kofi = Person(client, "kofi", other.token)
    statuses = [amas[number % 2].post(path).status_code for number in range(121)]
    assert statuses == [refused] * 120 + [429]
    assert kofi.post(path).status_code == refused


def test_a_password_cannot_be_guessed_fast_from_many_addresses(owner: Person, store: Store) -> None:
    settings = replace(store.settings, trusted_proxies=1)
    person = Person(create_app(settings, store).test_client())

    def guess(name: str, number: int) -> int:
        proof = base64.b64encode(f"{name}:".encode()).decode()
        headers = {"Authorization": f"Basic {proof}", "X-Forwarded-For": f"192.0.2.{number}"}
        return person.post("/tokens", headers=headers).status_code

    assert [guess("kofi", number) for number in range(61)] == [401] * 60 + [429]
    assert guess("ama", 1) == 401


def test_addresses_are_told_apart_behind_a_trusted_proxy_only(store: Store) -> None:
    def statuses(proxies: int) -> set[int]:
        settings = replace(store.settings, trusted_proxies=proxies)
        person = Person(create_app(settings, store).test_client())
        calls = (person.post("/tokens", headers={"X-Forwarded-For": f"192.0.2.{number}"}) for number in range(20))
        return {answer.status_code for answer in calls}

    assert statuses(0) == {401, 429}
    assert statuses(1) == {401}


def test_passwords_cannot_be_guessed_fast(owner: Person, store: Store) -> None:
    person = limited(store, store.settings.redis_url)
    statuses = [person.post("/tokens").status_code for _ in range(11)]
    assert statuses == [401] * 10 + [429]
