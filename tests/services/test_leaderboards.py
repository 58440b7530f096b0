"""Leaderboards: Redis and SQL give the same board, and nobody notices when one stands in for the other."""

import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import psycopg
import pytest
from sqlalchemy import insert, select

from arena.errors import Invalid, NotFound, UnknownGame
from arena.services import board_copies, bots, leaderboards
from arena.services.leaderboards import Board
from arena.settings import Settings
from arena.store.accounts import User
from arena.store.leaderboards import Leaderboards
from arena.store.migrate import migrate
from arena.store.schema import bots as bot_rows
from arena.store.schema import ratings as rating_rows
from arena.store.schema import rulesets, users, versions
from arena.store.session import Store
from tests.support import field
from tests.support.field import Moment
from tests.support.people import active_bots, register
from tests.support.redis_server import RedisServer

MOMENT = datetime(2026, 11, 29, 12, tzinfo=UTC)
RULESET = "urim:pits=7"
Line = tuple[str, float, int]           # bot, rating, matches


@pytest.fixture
def both(any_store: Store, empty_redis: RedisServer) -> Iterator[Store]:
    """A store on each kind of database in turn, with an empty Redis."""
    opened = Store.open(replace(any_store.settings, redis_url=empty_redis.url))
    yield opened
    opened.dispose()


def fill(store: Store, lines: list[Line], ruleset: str = RULESET) -> None:
    """Rated bots of one owner, put in directly."""
    with store.write() as tx:
        owner = {"name": f"owner-{ruleset[:4]}-{len(lines)}", "is_admin": False, "created_at": MOMENT}
        owner_id = tx.execute(insert(users).values(owner).returning(users.c.id)).scalar_one()
        tx.execute(insert(rulesets).values(ruleset=ruleset, sequence=len(lines)))
        for sequence, (bot, rating, matches) in enumerate(lines, 1):
            row = {"name": bot, "owner_id": owner_id, "game": "urim", "is_open": True, "created_at": MOMENT}
            bot_id = tx.execute(insert(bot_rows).values(row).returning(bot_rows.c.id)).scalar_one()
            upload = {"bot_id": bot_id, "number": 1, "content_hash": "0" * 64, "package": b"#", "state": "active"}
            version_id = tx.execute(
                insert(versions).values(**upload, submitted_at=MOMENT).returning(versions.c.id)
            ).scalar_one()
            counts = {"matches": matches, "wins": matches, "draws": 0, "losses": 0}
            tx.execute(
                insert(rating_rows).values(
                    ruleset=ruleset, version_id=version_id, bot_id=bot_id, rating=rating, sequence=sequence,
                    rated_at=MOMENT, **counts,
                )
            )


def from_sql(store: Store) -> Store:
    """The same database without its Redis."""
    return Store(store._engine, Leaderboards("redis://127.0.0.1:1/0"), store.settings)


def walk(store: Store, limit: int) -> list[Board]:
    pages = [leaderboards.page(store, RULESET, limit)]
    while pages[-1].next is not None:
        pages.append(leaderboards.page(store, RULESET, limit, pages[-1].next))
    return pages


def many_ties(seed: int) -> list[Line]:
    dice = random.Random(seed)
    names = [f"b{sign}{number}" for number in range(8) for sign in ("", "-", "_", "x")]
    return [(name, 1500.0 + dice.choice([-0.000001, 0.0, 12.5]), dice.choice([9, 10, 30])) for name in names]


@pytest.mark.services
@pytest.mark.parametrize("seed", range(3))
def test_redis_and_sql_give_the_same_pages(both: Store, seed: int) -> None:
    fill(both, many_ties(seed))
    board_copies.refresh_boards(both)
    kept, counted = walk(both, 7), walk(from_sql(both), 7)
    assert {page.source for page in kept} == {"redis"}
    assert {page.source for page in counted} == {"sql"}
    assert [page.entries for page in kept] == [page.entries for page in counted]
    assert [page.next for page in kept] == [page.next for page in counted]
    ranks = [entry.rank for page in kept for entry in page.entries]
    assert ranks == list(range(1, 33))
    order = [(-entry.rating, -entry.matches, entry.bot) for page in kept for entry in page.entries]
    assert order == sorted(order)


@pytest.mark.services
def test_redis_and_sql_give_the_same_surroundings(both: Store) -> None:
    lines = many_ties(7)
    fill(both, lines)
    board_copies.refresh_boards(both)
    for bot, _, _ in lines:
        for limit in (1, 4, 5, 200):
            kept = leaderboards.page(both, RULESET, limit, around=bot)
            counted = leaderboards.page(from_sql(both), RULESET, limit, around=bot)
            assert kept.entries == counted.entries
            assert len(kept.entries) == min(limit, 32)
            assert bot in {entry.bot for entry in kept.entries}


@pytest.mark.services
def test_a_page_of_redis_goes_on_in_sql(both: Store) -> None:
    fill(both, many_ties(1))
    board_copies.refresh_boards(both)
    whole = [entry for page in walk(both, 7) for entry in page.entries]
    first = leaderboards.page(both, RULESET, 7)
    second = leaderboards.page(from_sql(both), RULESET, 200, first.next)
    assert [*first.entries, *second.entries] == whole


@pytest.mark.services
def test_an_empty_redis_is_marked_and_filled_by_the_next_refresh(
    both: Store, redis_server_of_the_session: RedisServer
) -> None:
    fill(both, many_ties(1))
    assert leaderboards.page(both, RULESET).source == "sql"
    board_copies.refresh_boards(both)
    assert leaderboards.page(both, RULESET).source == "redis"
    with redis_server_of_the_session.client() as client:
        client.flushall()
    assert leaderboards.page(both, RULESET).source == "sql"
    board_copies.refresh_boards(both)
    assert leaderboards.page(both, RULESET).source == "redis"


def test_a_redis_that_is_away_is_marked(any_store: Store) -> None:
    fill(any_store, many_ties(1))
    board = leaderboards.page(any_store, "Urim:seeds=3,pits=7", 5)
    assert (board.ruleset, board.source, board.size, len(board.entries)) == (RULESET, "sql", 32, 5)


def test_a_board_nobody_is_on_is_empty(any_store: Store) -> None:
    board = leaderboards.page(any_store, "oware")
    assert (board.entries, board.next, board.size, board.as_of) == ((), None, 0, None)


def test_boards_are_listed_with_their_sizes(any_store: Store) -> None:
    assert leaderboards.list_boards(any_store) == ()
    fill(any_store, [("abel", 1500.0, 1), ("beth", 1400.0, 1)])
    fill(any_store, [("cora", 1500.0, 1)], "oware")
    assert [(board.ruleset, board.size) for board in leaderboards.list_boards(any_store)] == [
        ("oware", 1), (RULESET, 2)
    ]


def test_a_provisional_rating_is_marked(any_store: Store) -> None:
    fill(any_store, [("abel", 1500.0, 29), ("beth", 1400.0, 30)])
    assert [entry.provisional for entry in leaderboards.page(any_store, RULESET).entries] == [True, False]


def test_what_cannot_be_asked_is_told(any_store: Store) -> None:
    fill(any_store, many_ties(1))
    cursor = leaderboards.page(any_store, RULESET, 5).next
    assert cursor is not None
    with pytest.raises(Invalid, match="board of urim:pits=7, not of oware") as caught:
        leaderboards.page(any_store, "oware", 5, cursor)
    assert caught.value.field == "cursor"
    with pytest.raises(Invalid, match="not for both") as caught:
        leaderboards.page(any_store, RULESET, 5, cursor, around="b0")
    assert caught.value.field == "cursor"
    with pytest.raises(Invalid, match="1 to 200") as caught:
        leaderboards.page(any_store, RULESET, 0)
    assert caught.value.field == "limit"
    with pytest.raises(NotFound, match="'zoe' is not on the board of urim:pits=7") as not_found:
        leaderboards.page(any_store, RULESET, around="zoe")
    assert not_found.value.field == "around"
    with pytest.raises(UnknownGame) as unknown:
        leaderboards.page(any_store, "chess")
    assert unknown.value.field == "ruleset"


def owner_of(store: Store, bot: str) -> User:
    with store.read() as tx:
        query = select(users.c.id, users.c.name, users.c.is_admin, users.c.created_at).join(bot_rows)
        return User(*tx.execute(query.where(bot_rows.c.name == bot)).one())


def listed(store: Store) -> list[str]:
    return [entry.bot for entry in leaderboards.page(store, RULESET).entries]


@pytest.mark.services
def test_a_retired_bot_vanishes_from_redis_and_sql_at_once(both: Store) -> None:
    fill(both, [("abel", 1500.0, 1), ("beth", 1400.0, 1)])
    board_copies.refresh_boards(both)
    bots.retire(both, owner_of(both, "abel"), "abel")
    assert leaderboards.page(both, RULESET).source == "redis"
    assert listed(both) == listed(from_sql(both)) == ["beth"]
    assert leaderboards.list_boards(both)[0].size == 1
    with pytest.raises(NotFound):
        leaderboards.page(both, RULESET, around="abel")


@pytest.mark.services
def test_a_bot_that_retired_while_redis_was_away_vanishes_when_it_is_back(both: Store) -> None:
    fill(both, [("abel", 1500.0, 1), ("beth", 1400.0, 1)])
    board_copies.refresh_boards(both)
    bots.retire(from_sql(both), owner_of(both, "abel"), "abel")
    assert listed(both) == ["abel", "beth"]
    board_copies.refresh_boards(both)
    assert listed(both) == ["beth"]
    with both.read() as tx:
        sequence = tx.execute(select(rulesets.c.sequence)).scalar_one()
    assert both.boards.sequence(RULESET) == sequence == 3


@pytest.mark.services
def test_a_retired_bot_that_plays_on_does_not_come_back(both: Store) -> None:
    owners = active_bots(both, ["abel", "beth", "cora"])
    with both.read() as tx:
        pinned = list(tx.scalars(select(versions.c.id).order_by(versions.c.id)))
    field.add_tournament(both, pinned)
    field.play_out(both, Moment())
    assert {entry.bot for entry in leaderboards.page(both, "oware").entries} == {"abel", "beth", "cora"}
    field.add_tournament(both, pinned, name="cup-2")
    bots.retire(both, owners["abel"], "abel")
    field.play_out(both, Moment())
    for source in (both, from_sql(both)):
        board = leaderboards.page(source, "oware")
        assert {entry.bot for entry in board.entries} == {"beth", "cora"}
        assert {entry.matches for entry in board.entries} == {4}
    assert leaderboards.page(both, "oware").source == "redis"
    assert leaderboards.page(both, "oware").as_of == leaderboards.page(from_sql(both), "oware").as_of


@pytest.mark.services
def test_names_rank_by_their_bytes_whatever_the_language_of_the_database(postgres_url: str) -> None:
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(
            "CREATE DATABASE in_english TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en' LOCALE 'C.UTF-8'"
        )
    url = postgres_url.rsplit("/", 1)[0] + "/in_english"
    migrate(url)
    store = Store.open(Settings(database_url=url, redis_url="redis://127.0.0.1:1/0"))
    names = ["b-", "b2", "b_", "ba", "b-a"]
    fill(store, [(name, 1500.0, 1) for name in names])
    assert listed(store) == sorted(names)
    assert [entry.bot for page in walk(store, 2) for entry in page.entries] == sorted(names)
    owner = owner_of(store, "b-")
    assert register(store, "ann").id != owner.id
    seen = []
    cursor = None
    while True:
        page = bots.list_bots(store, limit=2, cursor=cursor)
        seen += [bot.name for bot in page.items]
        if (cursor := page.next) is None:
            break
    assert sorted(seen) == sorted(names)
    store.dispose()
