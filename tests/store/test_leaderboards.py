"""Boards in Redis: a real server, every write applied once, the order of the design."""

import json
import signal
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from arena.errors import BoardsUnavailable
from arena.store.leaderboards import AT_ONCE, BoardChanges, BoardEntry, Leaderboards
from tests.support.redis_server import RedisServer, running_redis

pytestmark = pytest.mark.services
MOMENT = datetime(2026, 11, 29, 12, 0, 0, 250, tzinfo=UTC)
RULESET = "urim:pits=7"


def entry(bot: str, rating: float, sequence: int, matches: int = 10, **changes: object) -> BoardEntry:
    made = BoardEntry(
        rank=0,
        bot=bot,
        owner=f"owner-of-{bot}",
        version=1,
        rating=rating,
        matches=matches,
        wins=matches - 3,
        draws=1,
        losses=2,
        provisional=matches < 30,
        sequence=sequence,
        rated_at=MOMENT + timedelta(seconds=sequence),
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def fill(boards: Leaderboards, ruleset: str, entries: list[BoardEntry], sequence: int) -> bool:
    return boards.fill(ruleset, lambda: [BoardChanges(0, sequence, tuple(entries))])


def tell(boards: Leaderboards, entries: list[BoardEntry], *gone: str, base: int = 0, reached: int = 0) -> bool:
    """Changes after `base`, up to `reached` or to the newest of them."""
    reached = reached or max(line.sequence for line in entries)
    return boards.apply(RULESET, BoardChanges(base, reached, tuple(entries), tuple((bot, reached) for bot in gone)))


def names(boards: Leaderboards, limit: int = 100) -> list[str]:
    found = boards.page(RULESET, limit, None)
    assert found is not None
    return [line.bot for line in found.entries]


def test_a_board_that_nobody_filled_is_none(boards: Leaderboards) -> None:
    assert boards.page(RULESET, 10, None) is None
    assert boards.around(RULESET, "ann", 10) is None
    assert boards.sequence(RULESET) is None
    assert boards.size(RULESET) == 0


def test_a_change_to_a_board_that_is_not_complete_is_not_taken(boards: Leaderboards) -> None:
    assert not tell(boards, [entry("ann", 1500.0, 1)])
    assert boards.page(RULESET, 10, None) is None


def test_an_entry_comes_back_as_it_was(boards: Leaderboards) -> None:
    rating = 1512.345678
    fill(boards, RULESET, [entry("ann", rating, 7, matches=31)], 7)
    found = boards.page(RULESET, 10, None)
    assert found is not None
    assert found.entries == (entry("ann", rating, 7, matches=31, rank=1),)
    assert (found.size, found.sequence, found.as_of) == (1, 7, MOMENT + timedelta(seconds=7))


def test_equal_ratings_rank_by_more_matches_then_by_name(boards: Leaderboards) -> None:
    fill(
        boards,
        RULESET,
        [
            entry("b_", 1500.0, 1),
            entry("b-", 1500.0, 2),
            entry("b2", 1500.0, 3),
            entry("bb", 1500.0, 4),
            entry("b", 1500.0, 5),
            entry("eager", 1500.0, 6, matches=11),
            entry("lazy", 1500.0, 7, matches=9),
            entry("top", 1500.000001, 8),
            entry("low", -12.5, 9),
        ],
        9,
    )
    assert names(boards) == ["top", "eager", "b", "b-", "b2", "b_", "bb", "lazy", "low"]


def test_applying_again_or_late_changes_nothing(boards: Leaderboards) -> None:
    fill(boards, RULESET, [entry("ann", 1500.0, 1), entry("bob", 1500.0, 1)], 1)
    newest = [entry("ann", 1540.0, 5, matches=12), entry("bob", 1460.0, 5, matches=12)]
    assert tell(boards, newest, base=1)
    after_first = boards.page(RULESET, 10, None)
    assert tell(boards, newest, base=1)
    assert tell(boards, [entry("ann", 1400.0, 4, matches=11)], "bob", base=1, reached=4)
    assert boards.page(RULESET, 10, None) == after_first
    assert boards.size(RULESET) == 2


def test_changes_that_begin_behind_the_board_are_not_taken(boards: Leaderboards) -> None:
    fill(boards, RULESET, [entry("ann", 1500.0, 1)], 1)
    before = boards.page(RULESET, 10, None)
    assert not tell(boards, [entry("ann", 1540.0, 3)], base=2)
    assert boards.page(RULESET, 10, None) == before


def test_changes_that_another_has_told_in_part_are_taken_whole(boards: Leaderboards) -> None:
    fill(boards, RULESET, [entry("ann", 1500.0, 1), entry("bob", 1500.0, 1)], 1)
    assert tell(boards, [entry("ann", 1510.0, 2)], base=1)
    assert tell(boards, [entry("ann", 1520.0, 4), entry("bob", 1480.0, 3)], base=1)
    found = boards.page(RULESET, 10, None)
    assert found is not None
    assert [(line.bot, line.rating) for line in found.entries] == [("ann", 1520.0), ("bob", 1480.0)]
    assert (found.size, found.sequence, found.as_of) == (2, 4, MOMENT + timedelta(seconds=4))


def test_a_removed_bot_is_gone_and_no_late_change_brings_it_back(boards: Leaderboards) -> None:
    fill(boards, RULESET, [entry("ann", 1500.0, 1), entry("bob", 1400.0, 2)], 2)
    for _ in range(2):
        assert tell(boards, [], "ann", "nobody", base=2, reached=4)
        assert names(boards) == ["bob"]
    assert tell(boards, [entry("ann", 1600.0, 3)], base=2)
    assert names(boards) == ["bob"]
    found = boards.around(RULESET, "ann", 10)
    assert found is not None
    assert (found.entries, found.size, found.sequence) == ((), 1, 4)
    assert found.as_of == MOMENT + timedelta(seconds=2)       # nobody was rated since


def test_a_fill_drops_who_is_not_in_it(boards: Leaderboards) -> None:
    fill(boards, RULESET, [entry("ann", 1500.0, 1), entry("bob", 1400.0, 2), entry("cid", 1300.0, 2)], 2)
    fill(boards, RULESET, [entry("bob", 1410.0, 4), entry("dan", 1200.0, 5)], 5)
    found = boards.page(RULESET, 10, None)
    assert found is not None
    assert [(line.bot, line.rating) for line in found.entries] == [("bob", 1410.0), ("dan", 1200.0)]
    assert found.sequence == 5


def test_a_fill_puts_right_what_has_the_same_sequence(boards: Leaderboards) -> None:
    fill(boards, RULESET, [entry("ann", 1.0, 1)], 1)
    fill(boards, RULESET, [entry("ann", 1500.0, 1)], 1)
    found = boards.page(RULESET, 10, None)
    assert found is not None
    assert [(line.bot, line.rating) for line in found.entries] == [("ann", 1500.0)]


def test_only_one_at_a_time_fills_a_board_and_nobody_reads_it_meanwhile(boards: Leaderboards) -> None:
    fill(boards, RULESET, [entry("ann", 1500.0, 1)], 1)
    seen: list[object] = []

    def read() -> list[BoardChanges]:
        seen.append(boards.page(RULESET, 10, None))
        seen.append(tell(boards, [entry("ann", 1510.0, 2)]))
        seen.append(fill(boards, RULESET, [], 3))
        return [BoardChanges(0, 1, (entry("ann", 1500.0, 1),))]

    assert boards.fill(RULESET, read)
    assert seen == [None, False, False]
    assert names(boards) == ["ann"]
    assert tell(boards, [entry("ann", 1510.0, 2)])


def test_who_dies_while_filling_does_not_keep_others_from_it(
    boards: Leaderboards, redis_server_of_the_session: RedisServer
) -> None:
    def die() -> list[BoardChanges]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        boards.fill(RULESET, die)
    assert not fill(boards, RULESET, [entry("ann", 1500.0, 1)], 1)
    with redis_server_of_the_session.client() as client:
        assert 0 < client.ttl(f"arena:board:{RULESET}:filling") <= 30
        client.delete(f"arena:board:{RULESET}:filling")         # what Redis does then
    assert fill(boards, RULESET, [entry("ann", 1500.0, 1)], 1)
    assert names(boards) == ["ann"]


def test_who_was_too_slow_does_not_finish_what_another_has_begun(
    boards: Leaderboards, redis_server_of_the_session: RedisServer
) -> None:
    def read() -> list[BoardChanges]:
        with redis_server_of_the_session.client() as client:
            client.delete(f"arena:board:{RULESET}:filling")
        assert fill(boards, RULESET, [entry("bob", 1500.0, 4)], 4)
        return [BoardChanges(0, 1, (entry("ann", 1500.0, 1),))]

    assert not boards.fill(RULESET, read)
    assert names(boards) == ["bob"]


@pytest.mark.parametrize("count", [AT_ONCE - 1, AT_ONCE, AT_ONCE + 1, 2 * AT_ONCE, 2 * AT_ONCE + 1])
def test_many_changes_travel_in_several_calls(boards: Leaderboards, count: int) -> None:
    fill(boards, RULESET, [], 0)
    assert tell(boards, [entry(f"bot{n}", 1000.0 + n, n) for n in range(1, count + 1)])
    assert (boards.size(RULESET), boards.sequence(RULESET)) == (count, count)
    assert fill(boards, RULESET, [entry("ann", 1500.0, count + 1)], count + 1)
    assert names(boards) == ["ann"]


def test_what_one_change_did_to_many_bots_is_taken_whole(boards: Leaderboards) -> None:
    many = [f"bot{n}" for n in range(9 * AT_ONCE)]
    fill(boards, RULESET, [entry(bot, 1500.0, 1) for bot in many], 1)
    assert tell(boards, [entry(bot, 1400.0, 2) for bot in many], base=1)
    assert tell(boards, [entry("ann", 1500.0, 4)], *many[1:], base=2, reached=4)
    assert names(boards) == ["ann", "bot0"]


def test_an_empty_board_is_complete(boards: Leaderboards) -> None:
    fill(boards, RULESET, [entry("ann", 1500.0, 1)], 1)
    fill(boards, RULESET, [], 2)
    found = boards.page(RULESET, 10, None)
    assert found is not None
    assert (found.entries, found.size, found.sequence) == ((), 0, 2)


def test_forget_drops_all_keys_of_one_board(boards: Leaderboards, redis_server_of_the_session: RedisServer) -> None:
    fill(boards, "oware", [entry("ann", 1500.0, 9)], 9)
    fill(boards, "oware:grand_slam=win25", [entry("bob", 1500.0, 9)], 9)
    boards.forget("oware")
    with redis_server_of_the_session.client() as client:
        assert not [key for key in client.keys("*") if ":oware:" in key and "grand_slam" not in key]
    assert boards.page("oware", 10, None) is None
    kept = boards.page("oware:grand_slam=win25", 10, None)
    assert kept is not None
    assert kept.size == 1


def test_boards_of_different_rulesets_do_not_mix(boards: Leaderboards) -> None:
    fill(boards, "oware", [entry("ann", 1500.0, 1)], 1)
    fill(boards, "oware:grand_slam=win25", [entry("ann", 1600.0, 1)], 1)
    boards.apply("oware", BoardChanges(1, 2, (), (("ann", 2),)))
    kept = boards.page("oware:grand_slam=win25", 10, None)
    assert kept is not None
    assert [line.rating for line in kept.entries] == [1600.0]


def test_pages_give_every_bot_once_while_the_board_moves(boards: Leaderboards) -> None:
    still = [entry(f"bot{n:02d}", 1500.0 + n // 3, n, matches=n % 2) for n in range(40)]
    fill(boards, RULESET, still, 40)
    whole = names(boards)
    seen: list[str] = []
    after = None
    while True:
        found = boards.page(RULESET, 7, after)
        assert found is not None
        seen += [line.bot for line in found.entries if not line.bot.startswith("new")]
        if len(found.entries) < 7:
            break
        after = found.entries[-1].key
        new = entry(f"new{len(seen)}", 1505.0, found.sequence + 1)
        assert tell(boards, [new], found.entries[-1].bot, base=found.sequence)
    assert seen == whole


def test_a_page_goes_on_behind_a_key_that_is_gone(boards: Leaderboards) -> None:
    fill(boards, RULESET, [entry("ann", 1500.0, 1), entry("bob", 1500.0, 1), entry("cid", 1400.0, 1)], 1)
    found = boards.page(RULESET, 10, (1500.0, 10, "axel"))
    assert found is not None
    assert [(line.rank, line.bot) for line in found.entries] == [(2, "bob"), (3, "cid")]


@pytest.mark.parametrize(
    ("bot", "limit", "expected"),
    [
        ("bot5", 3, [5, 6, 7]),
        ("bot0", 3, [1, 2, 3]),
        ("bot9", 3, [8, 9, 10]),
        ("bot5", 4, [4, 5, 6, 7]),
        ("bot5", 1, [6]),
        ("bot5", 50, list(range(1, 11))),
    ],
)
def test_around_puts_the_bot_in_the_middle(boards: Leaderboards, bot: str, limit: int, expected: list[int]) -> None:
    fill(boards, RULESET, [entry(f"bot{n}", 1500.0 - n, 1) for n in range(10)], 1)
    found = boards.around(RULESET, bot, limit)
    assert found is not None
    assert [line.rank for line in found.entries] == expected
    assert [line.bot for line in found.entries] == [f"bot{rank - 1}" for rank in expected]


def test_the_keys_are_those_of_the_design(boards: Leaderboards, redis_server_of_the_session: RedisServer) -> None:
    fill(boards, "oware", [entry("ann", 1512.5, 3, matches=42)], 3)
    with redis_server_of_the_session.client() as client:
        ranks = client.zrange("arena:board:oware:ranks", 0, -1, withscores=True)
        assert json.loads(json.dumps(ranks)) == [["99999957:ann", -1512.5]]
        assert set(client.keys("*")) == {f"arena:board:oware:{key}" for key in ("ranks", "bots", "known")}
        assert list(client.hgetall("arena:board:oware:bots")) == ["ann"]


def test_ten_thousand_bots_are_filled_and_paged(boards: Leaderboards) -> None:
    fill(boards, RULESET, [entry(f"bot{n}", 1000.0 + n % 800, n) for n in range(10_000)], 10_000)
    assert boards.size(RULESET) == 10_000
    assert len(names(boards, 200)) == 200


def test_a_server_that_is_away_is_told_at_once() -> None:
    away = Leaderboards("redis://127.0.0.1:1/0")
    with pytest.raises(BoardsUnavailable, match="come from the database"):
        away.page(RULESET, 10, None)
    with pytest.raises(BoardsUnavailable):
        away.ping()


def test_a_wrong_password_is_a_server_that_is_away(redis_server_of_the_session: RedisServer) -> None:
    wrong = Leaderboards(f"redis://:wrong@127.0.0.1:{redis_server_of_the_session.port}/0")
    with pytest.raises(BoardsUnavailable):
        wrong.ping()


@pytest.mark.usefixtures("redis_url")
def test_a_frozen_server_costs_a_second_and_is_used_again_when_it_thaws() -> None:
    with running_redis() as server:
        boards = Leaderboards(server.url)
        fill(boards, RULESET, [entry("ann", 1500.0, 1)], 1)
        server.process.send_signal(signal.SIGSTOP)
        started = time.monotonic()
        with pytest.raises(BoardsUnavailable):
            boards.page(RULESET, 10, None)
        assert time.monotonic() - started < 3
        server.process.send_signal(signal.SIGCONT)
        assert names(boards) == ["ann"]
        boards.close()


@pytest.mark.usefixtures("redis_url")
def test_a_restarted_server_is_empty_and_is_filled_anew() -> None:
    with running_redis() as server:
        boards = Leaderboards(server.url)
        fill(boards, RULESET, [entry("ann", 1500.0, 1)], 1)
        server.stop()
        with pytest.raises(BoardsUnavailable):
            boards.size(RULESET)
        server.start()
        assert boards.page(RULESET, 10, None) is None
        assert not tell(boards, [entry("ann", 1510.0, 2)])
        fill(boards, RULESET, [entry("ann", 1510.0, 2)], 2)
        assert names(boards) == ["ann"]
        boards.close()
