"""The app on a real database, without Redis and without rate limits; and people who use it."""

from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from arena.services import accounts
from arena.store.session import Store
from web.app import create_app

PASSWORD = "correct horse battery"
PLAIN_BOT = b"import random\n\ndef choose_move(position):\n    return random.choice(position.legal_moves())\n"
SECRET_KEY = "signs the cookies of the tests, and nothing else"
CHEAP = accounts.HashCost(memory_kib=8, passes=1)


@dataclass(frozen=True)
class Person:
    """Somebody with a token, or (without) an anonymous visitor."""

    client: FlaskClient
    name: str = ""
    token: str = ""

    def call(self, method: str, path: str, **request: Any) -> TestResponse:
        """One request to /api/v1, as this person."""
        headers = {**request.pop("headers", {})}
        if self.token:
            headers.setdefault("Authorization", f"Bearer {self.token}")
        return self.client.open(f"/api/v1{path}", method=method, headers=headers, **request)

    def get(self, path: str, **request: Any) -> TestResponse:
        return self.call("GET", path, **request)

    def post(self, path: str, **request: Any) -> TestResponse:
        return self.call("POST", path, **request)

    def delete(self, path: str, **request: Any) -> TestResponse:
        return self.call("DELETE", path, **request)

    def submit(self, name: str, game: str = "oware", content: bytes = PLAIN_BOT, file: str = "bot.py") -> TestResponse:
        """Send a new bot."""
        return self.post("/bots", data={"name": name, "game": game, "file": (BytesIO(content), file)})


@pytest.fixture
def app(store: Store) -> Flask:
    return create_app(replace(store.settings, rate_limits=False, secret_key=SECRET_KEY), store)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def register(client: FlaskClient, store: Store, name: str) -> Person:
    """A new user."""
    _, token = accounts.register(store, name, PASSWORD, cost=CHEAP)
    return Person(client, name, token)


@pytest.fixture
def nobody(client: FlaskClient) -> Person:
    return Person(client)


@pytest.fixture
def owner(client: FlaskClient, store: Store) -> Person:
    return register(client, store, "ama")


@pytest.fixture
def other(client: FlaskClient, store: Store) -> Person:
    return register(client, store, "kofi")


@pytest.fixture
def admin(client: FlaskClient, store: Store) -> Person:
    _, token = accounts.create_admin(store, "judge", PASSWORD, cost=CHEAP)
    return Person(client, "judge", token)
