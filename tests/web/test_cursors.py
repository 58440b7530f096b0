"""Cursors that nobody was given: whatever they hold, the answer is a page or a clear refusal."""

import base64
import json
from dataclasses import replace

import pytest

from arena.store.session import Store
from tests.support import field
from tests.web.conftest import Person
from web.app import create_app

LISTS = {
    "/bots": "bots",
    "/bots/alpha/versions": "versions",
    "/bots/alpha/matches": "bot-matches",
    "/bots/alpha/ratings": "ratings",
    "/tournaments": "tournaments",
    "/tournaments/1/matches": "matches",
    "/leaderboards/oware": "board",
}
KEYS: list[list[object]] = [
    [], [None], [True], [[]], [{}], [1.5], [0], [-1], [2**31], [2**63 - 1], [2**63], [10**30], ["a\0b"], ["\ud800"],
    ["x" * 100], ["alpha"],
    *(["oware", rating, matches, bot] for rating in (0.0, float("nan"), float("inf"), 1e308)
      for matches in (-1, 0, 10**8, 10**30) for bot in ("alpha", "\0", "\ud800")),
]


def written(of: str, key: list[object]) -> str:
    return base64.urlsafe_b64encode(json.dumps([of, *key]).encode()).decode().rstrip("=")


@pytest.mark.parametrize("path", LISTS)
def test_forged_cursor_is_answered_or_refused(path: str, any_store: Store) -> None:
    client = create_app(replace(any_store.settings, rate_limits=False), any_store).test_client()
    field.add_tournament(any_store, [field.add_bot(any_store, name) for name in ("alpha", "beta")])
    for key in KEYS:
        answer = Person(client).get(path, query_string={"cursor": written(LISTS[path], key)})
        assert answer.status_code in (200, 422), (key, answer.json)
        assert answer.status_code == 200 or answer.json["field"] == "cursor"
