"""The ledger against its results, and the boards in Redis against the ledger."""

import itertools
from hashlib import sha256

import pytest
from sqlalchemy import Connection, delete, func, insert, select, update

from arena.errors import NotFound
from arena.services import board_copies, dispatch, ratings, results
from arena.store.leaderboards import BoardEntry
from arena.store.schema import rating_changes, rulesets, tournaments, versions
from arena.store.schema import ratings as rating_rows
from arena.store.session import Store
from tests.support import field
from tests.support.field import Moment, Post
from tests.support.redis_server import RedisServer
from tests.support.sql_boards import sql_board


@pytest.fixture
def moment() -> Moment:
    return Moment()


def played_tournament(store: Store, moment: Moment, bots: int = 5, name: str = "cup") -> None:
    field.add_tournament(store, [field.add_bot(store, f"{name}-{number}") for number in range(bots)], name)
    field.play_out(store, moment)


def board(store: Store) -> tuple[BoardEntry, ...] | None:
    found = store.boards.page("oware", 100, None)
    return None if found is None else found.entries


def stored_board(store: Store) -> tuple[BoardEntry, ...]:
    return sql_board(store, "oware").entries


def test_live_and_rebuilt_agree(any_store: Store, moment: Moment) -> None:
    played_tournament(any_store, moment, 6, "first")
    played_tournament(any_store, moment, 5, "second")
    comparison = ratings.rebuild(any_store, dry_run=True)
    assert (comparison.is_exact, comparison.rulesets, comparison.matches) == (True, 1, 25)
    assert comparison.differences == ()


def test_two_tournaments_at_once_agree_with_their_rebuild(any_store: Store, moment: Moment) -> None:
    entered = [field.add_bot(any_store, f"bot-{number}") for number in range(5)]
    for name in ("first", "second", "third"):
        field.add_tournament(any_store, entered, name, seed=sha256(name.encode()).hexdigest())
    field.play_out(any_store, moment)
    before = field.ledgers(any_store)
    assert len(before.changes) == 2 * 30
    assert ratings.rebuild(any_store, dry_run=False).is_exact
    assert field.ledgers(any_store) == before


def test_a_new_version_takes_over_and_rebuilds_the_same(any_store: Store, moment: Moment) -> None:
    entered = [field.add_bot(any_store, name) for name in ("ada", "ben", "cyd")]
    field.add_tournament(any_store, entered, "first")
    field.play_out(any_store, moment)
    second = field.add_version(any_store, "ada", 2)
    field.add_tournament(any_store, [second, *entered[1:]], "second")
    field.play_out(any_store, moment)
    with any_store.read() as tx:
        kinds = tx.execute(select(rating_changes.c.kind, func.count()).group_by(rating_changes.c.kind)).all()
    assert dict(kinds) == {"inherit": 1, "match": 12}
    assert [entry.version for entry in stored_board(any_store) if entry.bot == "ada"] == [2]
    assert ratings.rebuild(any_store, dry_run=True).is_exact


DAMAGES = {
    "a rating": update(rating_rows).where(rating_rows.c.version_id == 2).values(rating=1600.0),
    "a count": update(rating_rows).where(rating_rows.c.version_id == 3).values(wins=rating_rows.c.wins + 1),
    "a lost rating": delete(rating_rows).where(rating_rows.c.version_id == 4),
    "the last digit of a change": update(rating_changes)
    .where(rating_changes.c.id == 5)
    .values(after=rating_changes.c.after + 0.000001),
    "a lost change": delete(rating_changes).where(rating_changes.c.id == 7),
    "all changes of a match": delete(rating_changes).where(rating_changes.c.match_id == 10),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_dry_run_tells_a_damage_and_a_rebuild_puts_it_right(any_store: Store, moment: Moment, damage: str) -> None:
    played_tournament(any_store, moment)
    whole = field.ledgers(any_store)
    with any_store.write() as tx:
        tx.execute(DAMAGES[damage])
    damaged = field.ledgers(any_store)
    told = ratings.rebuild(any_store, dry_run=True)
    assert not told.is_exact
    assert told.differences
    assert all(sentence.startswith("oware: ") for sentence in told.differences)
    assert field.ledgers(any_store) == damaged != whole
    assert ratings.rebuild(any_store, dry_run=False).different == told.different
    repaired = field.ledgers(any_store)
    assert sorted(repaired.changes) == sorted(whole.changes)
    assert repaired.ratings == whole.ratings
    assert ratings.rebuild(any_store, dry_run=True).is_exact


def test_rebuild_takes_out_what_no_result_stands_behind(any_store: Store, moment: Moment) -> None:
    played_tournament(any_store, moment)
    whole = field.ledgers(any_store)
    with any_store.write() as tx:
        row = tx.execute(select(rating_changes).where(rating_changes.c.match_id == 3).limit(1)).one()._mapping
        tx.execute(insert(rating_changes).values({**row, "id": 9999, "kind": "inherit", "after": 1700.0}))
        tx.execute(insert(rating_rows).values(
            ruleset="oware", version_id=unrated_version(tx), bot_id=1, rating=1500.0, matches=0, wins=0,
            draws=0, losses=0, sequence=1, rated_at=moment.at,
        ))
    told = ratings.rebuild(any_store, dry_run=False)
    assert told.different == 2
    assert any("no result behind it" in sentence for sentence in told.differences)
    assert field.ledgers(any_store) == whole


def unrated_version(tx: Connection) -> int:
    """A version that no match was ever rated for."""
    row = {"bot_id": 1, "number": 7, "content_hash": "", "package": b"", "state": "active", "submitted_at": field.START}
    added: int = tx.execute(insert(versions).values(row).returning(versions.c.id)).scalar_one()
    return added


def test_rebuild_while_matches_arrive_loses_nothing(any_store: Store, moment: Moment) -> None:
    field.add_tournament(any_store, [field.add_bot(any_store, f"bot-{number}") for number in range(5)])
    for _ in range(30):
        post = Post()
        dispatch.tick(any_store, post, moment)
        for assignment in field.claim(any_store, [number for batch in post.batches for number in batch], now=moment):
            assert ratings.rebuild(any_store, dry_run=False).is_exact
            results.ingest(any_store, assignment, field.play(assignment.setup), 5000, moment)
    assert field.tournament(any_store, 1).state == "finished"
    assert ratings.rebuild(any_store, dry_run=True).matches == 10


@pytest.mark.services
def test_redis_shows_what_the_database_has(store_with_boards: Store, moment: Moment) -> None:
    played_tournament(store_with_boards, moment)
    assert board(store_with_boards) == stored_board(store_with_boards)


@pytest.mark.services
def test_an_emptied_redis_is_filled_by_the_next_tick(
    store_with_boards: Store, moment: Moment, redis_server_of_the_session: RedisServer
) -> None:
    played_tournament(store_with_boards, moment)
    with redis_server_of_the_session.client() as client:
        client.flushall()
    assert board(store_with_boards) is None
    dispatch.tick(store_with_boards, Post(), moment)
    assert board(store_with_boards) == stored_board(store_with_boards)


@pytest.mark.services
def test_a_lost_push_is_made_up_for_by_the_next_one(
    store_with_boards: Store, moment: Moment, monkeypatch: pytest.MonkeyPatch
) -> None:
    played_tournament(store_with_boards, moment, 3, "first")
    with monkeypatch.context() as patch:            # a worker that is killed between its commit and its push
        patch.setattr(results, "push_boards", lambda store, rulesets: None)
        field.add_tournament(store_with_boards, [1, 2, 3], "lost")
        for number in range(3):
            post = Post()
            dispatch.dispatch_next(store_with_boards, post, moment)
            for batch in post.batches:
                for assignment in field.claim(store_with_boards, batch, now=moment):
                    results.ingest(store_with_boards, assignment, field.play(assignment.setup), number, moment)
    assert board(store_with_boards) != stored_board(store_with_boards)
    new = [field.add_bot(store_with_boards, f"new-{number}") for number in range(2)]
    field.add_tournament(store_with_boards, new, "next")
    post = Post()
    dispatch.dispatch_next(store_with_boards, post, moment)
    (assignment,) = field.claim(store_with_boards, post.batches[0], now=moment)
    results.ingest(store_with_boards, assignment, field.play(assignment.setup), 5, moment)
    assert board(store_with_boards) == stored_board(store_with_boards)


@pytest.mark.services
def test_a_database_put_back_from_a_copy_wins_over_redis(store_with_boards: Store, moment: Moment) -> None:
    played_tournament(store_with_boards, moment)
    with store_with_boards.write() as tx:
        tx.execute(update(rulesets).values(sequence=4))
        tx.execute(update(rating_rows).values(rating=1500.0, sequence=4))
    board_copies.refresh_boards(store_with_boards)
    shown = board(store_with_boards)
    assert shown == stored_board(store_with_boards)
    assert shown is not None
    assert {entry.rating for entry in shown} == {1500.0}


@pytest.mark.services
def test_rebuild_fills_redis_anew(store_with_boards: Store, moment: Moment) -> None:
    played_tournament(store_with_boards, moment)
    with store_with_boards.write() as tx:
        tx.execute(update(rating_rows).where(rating_rows.c.version_id == 2).values(rating=1.0))
    store_with_boards.boards.forget("oware")
    board_copies.refresh_boards(store_with_boards)
    wrong = board(store_with_boards)
    ratings.rebuild(store_with_boards, dry_run=False)
    assert board(store_with_boards) == stored_board(store_with_boards) != wrong


def test_redis_away_disturbs_no_tournament(store: Store, moment: Moment) -> None:
    played_tournament(store, moment)
    assert field.tournament(store, 1).state == "finished"
    assert ratings.rebuild(store, dry_run=False).is_exact


def test_history_explains_every_change(any_store: Store, moment: Moment) -> None:
    played_tournament(any_store, moment)
    newest = ratings.history(any_store, "cup-0", "oware", limit=3)
    rest = ratings.history(any_store, "cup-0", "oware", limit=3, cursor=newest.next)
    changes = [*newest.items, *rest.items]
    assert (len(newest.items), len(rest.items), rest.next) == (3, 1, None)
    for later, earlier in itertools.pairwise(changes):
        assert later.before == earlier.after
    for change in changes:
        assert change.k is not None
        assert change.score is not None
        assert change.expected is not None
        assert change.after == round(change.before + change.k * (change.score / 2 - change.expected), 6)
        assert change.opponent is not None
        assert change.opponent.startswith("cup-")


def test_history_of_nobody_is_not_found(store: Store) -> None:
    with pytest.raises(NotFound, match="nobody"):
        ratings.history(store, "nobody", "oware")


def test_a_cursor_moved_back_rates_nothing_twice(any_store: Store, moment: Moment) -> None:
    played_tournament(any_store, moment)
    before = field.ledgers(any_store)
    with any_store.write() as tx:
        tx.execute(update(tournaments).values(rating_cursor=2, state="running"))
        assert ratings.advance_rating_cursor(tx, 1, moment.at) is None
    assert field.ledgers(any_store) == before
    assert field.tournament(any_store, 1).state == "finished"
