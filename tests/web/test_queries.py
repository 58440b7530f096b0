"""A list costs the same number of queries however long it is."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, event

from arena.services import accounts
from arena.store.session import Store, utc_now
from tests.support import field
from tests.web.conftest import PASSWORD, Person

LISTS = (
    "/bots", "/bots?game=oware", "/bots/alpha/versions", "/bots/alpha/matches", "/bots/alpha/ratings", "/tokens",
    "/tournaments", "/leaderboards/oware",
)


@contextmanager
def counted_queries() -> Iterator[list[str]]:
    seen: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        seen.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield seen
    finally:
        event.remove(Engine, "before_cursor_execute", note)


def costs(person: Person) -> dict[str, tuple[int, int]]:
    """For each list, how many items it has and how many queries it costs."""
    found = {}
    for path in LISTS:
        with counted_queries() as queries:
            answer = person.get(path).json
        found[path] = len(answer["items"]), len(queries)
    return found


def play_out(store: Store) -> None:
    moment = field.Moment()
    moment.at = utc_now()
    field.play_out(store, moment)


def test_lists_cost_the_same_however_long_they_are(store: Store, owner: Person) -> None:
    versions = [field.add_bot(store, name) for name in ("alpha", "beta", "gamma", "delta")]
    field.add_tournament(store, versions[:2], cycles=2, match_format="games-1")
    play_out(store)
    before = costs(owner)
    field.add_bot(store, "epsilon")
    field.add_version(store, "alpha", 2)
    accounts.create_token(store, "ama", PASSWORD)
    field.add_tournament(store, versions, "next-cup", match_format="games-1")
    play_out(store)
    after = costs(owner)
    assert all(after[path][0] > before[path][0] for path in LISTS), (before, after)
    assert {path: queries for path, (_, queries) in after.items()} == {
        path: queries for path, (_, queries) in before.items()
    }
    assert max(queries for _, queries in after.values()) <= 6, after


def test_tables_of_a_tournament_cost_the_same_however_large(store: Store, owner: Person) -> None:
    versions = [field.add_bot(store, name) for name in ("alpha", "beta", "gamma", "delta")]
    small = field.add_tournament(store, versions[:2], "small", match_format="games-1")
    large = field.add_tournament(store, versions, "large", match_format="games-1", cycles=2)
    play_out(store)
    for table in ("matches", "standings", "crosstable"):
        cost = []
        for tournament in (small, large):
            with counted_queries() as queries:
                assert owner.get(f"/tournaments/{tournament}/{table}").status_code == 200
            cost.append(len(queries))
        assert cost[0] == cost[1], table
