"""Matches to look at: lists, games, records, and logs that are their owners' alone."""



import pytest

from arena.errors import Conflict, Forbidden, Invalid, NotFound
from arena.match.record import replay
from arena.services import dispatch, matches
from arena.store.accounts import User
from arena.store.session import Store
from tests.support import field
from tests.support.cup import NAMES, play_some, started
from tests.support.field import Moment, Post
from tests.support.people import active_bots, register, submit


@pytest.fixture
def owners(any_store: Store) -> dict[str, User]:
    return active_bots(any_store, NAMES)


@pytest.fixture
def maker(any_store: Store) -> User:
    return register(any_store, "maker")


@pytest.mark.usefixtures("owners")
def test_matches_are_listed_in_the_order_of_the_schedule(any_store: Store, maker: User) -> None:
    cup = started(any_store, maker)
    field.play_out(any_store, Moment())
    seen = []
    cursor = None
    while True:
        page = matches.list_matches(any_store, cup.id, limit=4, cursor=cursor)
        seen += [match.schedule_index for match in page.items]
        if (cursor := page.next) is None:
            break
    assert seen == [0, 1, 2, 3, 4, 5]


@pytest.mark.usefixtures("owners")
def test_a_bots_matches_are_listed_once_while_new_ones_come(any_store: Store, maker: User) -> None:
    started(any_store, maker)
    field.play_out(any_store, Moment())
    first = matches.list_matches(any_store, bot="abel", limit=2)
    started(any_store, maker, name="cup-2")
    field.play_out(any_store, Moment())
    second = matches.list_matches(any_store, bot="abel", limit=2, cursor=first.next)
    seen = [match.id for match in (*first.items, *second.items)]
    assert seen == sorted(seen, reverse=True)
    assert len(seen) == len(set(seen)) == 3
    assert second.next is None
    assert all("abel" in (match.first.name, match.second.name) for match in (*first.items, *second.items))


@pytest.mark.usefixtures("owners")
def test_a_finished_match_has_games_and_a_record_that_is_true(any_store: Store, maker: User) -> None:
    cup = started(any_store, maker)
    play_some(any_store, 1)
    match = matches.list_matches(any_store, cup.id, limit=1).items[0]
    record = matches.record(any_store, match.id)
    replay(record)
    assert record.bots == (match.first, match.second)
    assert (record.score, record.points, record.winner) == (match.score, match.points, match.winner)
    assert len(record.games) == match.games == 2
    assert matches.game(any_store, match.id, 2) == record.games[1]
    for number in (0, 3):
        with pytest.raises(NotFound, match="its games are 1 to 2"):
            matches.game(any_store, match.id, number)


@pytest.mark.usefixtures("owners")
def test_a_match_that_is_not_finished_has_no_record(any_store: Store, maker: User) -> None:
    cup = started(any_store, maker)
    dispatch.tick(any_store, Post(), Moment())
    match = matches.list_matches(any_store, cup.id, limit=1).items[0]
    assert (match.score, match.points, match.games, match.winner) == (None, None, None, None)
    with pytest.raises(Conflict, match="is queued and has no record yet; ask again"):
        matches.record(any_store, match.id)
    with pytest.raises(NotFound, match="no match 99999"):
        matches.record(any_store, 99999)


def test_the_log_of_a_match_is_the_owners_alone(any_store: Store, maker: User, owners: dict[str, User]) -> None:
    cup = started(any_store, maker)
    play_some(any_store, 1)
    match = matches.list_matches(any_store, cup.id, limit=1).items[0]
    for seat, bot in enumerate((match.first.name, match.second.name)):
        assert matches.log(any_store, owners[bot], match.id, seat).startswith(bot)
        for stranger in {"maker": maker, **owners}.values():
            if stranger != owners[bot]:
                with pytest.raises(Forbidden, match=f"The log of {bot} is for its owner alone"):
                    matches.log(any_store, stranger, match.id, seat)
    with pytest.raises(NotFound, match="seats are 0 and 1"):
        matches.log(any_store, maker, match.id, 2)


@pytest.mark.usefixtures("maker")
def test_the_house_has_no_owner_who_reads_its_log(any_store: Store) -> None:
    with pytest.raises(NotFound):
        matches.log(any_store, register(any_store, "zoe"), 1, 1)
    zoe = register(any_store, "zoe-2")
    submit(any_store, zoe, "sower")
    field.play_out(any_store, Moment())
    match = matches.list_matches(any_store, bot="sower").items[0]
    assert matches.log(any_store, zoe, match.id, 0).startswith("sower")
    with pytest.raises(Forbidden, match="The log of random"):
        matches.log(any_store, zoe, match.id, 1)


def test_a_list_of_matches_is_of_a_tournament_or_a_bot(store: Store) -> None:
    for chosen in ({}, {"tournament_id": 1, "bot": "abel"}):
        with pytest.raises(Invalid, match="of a tournament or for those of a bot"):
            matches.list_matches(store, **chosen)
