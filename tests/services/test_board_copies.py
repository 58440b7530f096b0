"""Boards in Redis while many processes rate bots and tell of it at once: at the end they are what SQL has."""

import multiprocessing
import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from multiprocessing.synchronize import Barrier

import pytest
from sqlalchemy import insert, update

from arena import logs
from arena.services import board_copies
from arena.settings import Settings
from arena.store import boards
from arena.store.leaderboards import BoardChanges
from arena.store.ratings import lock_ruleset, set_sequence
from arena.store.schema import bots as bot_rows
from arena.store.schema import ratings
from arena.store.session import Store
from tests.support import field
from tests.support.redis_server import RedisServer
from tests.support.sql_boards import sql_board

pytestmark = pytest.mark.services
RULESET = "oware"
BOTS, PROCESSES, RESULTS = 12, 4, 30
JOIN_SECONDS = 120


@pytest.fixture
def store(any_store: Store, empty_redis: RedisServer) -> Iterator[Store]:
    """On each kind of database in turn, with bots that are rated and an empty Redis."""
    opened = Store.open(replace(any_store.settings, redis_url=empty_redis.url))
    numbers = [field.add_bot(opened, f"bot-{number}") for number in range(BOTS)]
    counts = {"matches": 0, "wins": 0, "draws": 0, "losses": 0}
    with opened.write() as tx:
        lock_ruleset(tx, RULESET)
        tx.execute(insert(ratings), [
            {"ruleset": RULESET, "version_id": number, "bot_id": number, "rating": 1500.0, "sequence": 0,
             "rated_at": field.START, **counts} for number in numbers
        ])
    yield opened
    opened.dispose()


def rate(store: Store, dice: random.Random) -> None:
    """A result between two bots, or the end of one, and then what a worker does: tell of it after the commit."""
    touched = dice.sample(range(1, BOTS + 1), 2)
    with store.write() as tx:
        sequence = lock_ruleset(tx, RULESET) + 1
        set_sequence(tx, RULESET, sequence)
        if dice.random() < 0.05:
            touched = touched[:1]
            tx.execute(update(bot_rows).where(bot_rows.c.id.in_(touched)).values(retired_at=field.START))
        tx.execute(update(ratings).where(ratings.c.bot_id.in_(touched)).values(
            rating=1500.0 + dice.randrange(9), matches=ratings.c.matches + 1, sequence=sequence,
            rated_at=field.START + timedelta(seconds=sequence),
        ))
    board_copies.push_boards(store, [RULESET])


def rate_many(settings: Settings, seed: int, loses: bool, gate: Barrier) -> None:
    """What each process does, once all are there; one of them may lose the board now and then."""
    logs.configure("ERROR")
    store, dice = Store.open(settings), random.Random(seed)
    gate.wait()
    for _ in range(RESULTS):
        rate(store, dice)
        if loses and seed == 0 and dice.random() < 0.3:
            store.boards.forget(RULESET)
    store.dispose()


@pytest.mark.slow
@pytest.mark.parametrize("loses", [False, True])
def test_what_many_processes_tell_is_what_the_database_has(store: Store, loses: bool) -> None:
    board_copies.refresh_boards(store)
    context = multiprocessing.get_context("spawn")
    gate = context.Barrier(PROCESSES)
    processes = [
        context.Process(target=rate_many, args=(store.settings, seed, loses, gate)) for seed in range(PROCESSES)
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join(JOIN_SECONDS)
        assert process.exitcode == 0
    if loses:                       # what was told while another filled the board is made up for by the next tick
        board_copies.refresh_boards(store)
    check_board(store, PROCESSES * RESULTS)


def check_board(store: Store, sequence: int) -> None:
    whole = sql_board(store, RULESET)
    shown = store.boards.page(RULESET, 200, None)
    assert shown is not None
    assert (shown.entries, shown.size, shown.sequence) == (whole.entries, whole.size, sequence)


def test_a_board_is_filled_part_by_part(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "AT_ONCE", 5)
    with store.read() as tx:
        assert [len(part.entries) for part in boards.in_parts(tx, RULESET)] == [0, 5, 5, 2]
    board_copies.refresh_boards(store)
    check_board(store, 0)


def test_one_push_makes_up_for_all_that_were_lost(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    board_copies.refresh_boards(store)
    dice = random.Random(4)
    with monkeypatch.context() as patch:        # workers that are killed between their commits and their pushes
        patch.setattr(board_copies, "push_boards", lambda store, rulesets: None)
        for _ in range(20):
            rate(store, dice)
    rate(store, dice)
    check_board(store, 21)


def test_a_push_that_finds_nothing_new_changes_nothing(store: Store) -> None:
    board_copies.refresh_boards(store)
    rate(store, random.Random(1))
    for _ in range(2):
        board_copies.push_boards(store, [RULESET])
        check_board(store, 1)


def test_a_board_that_another_fills_is_left_to_it_and_caught_up_with_later(store: Store) -> None:
    def read() -> Iterator[BoardChanges]:
        with store.read() as tx:
            for part in boards.in_parts(tx, RULESET):
                yield part
                rate(store, random.Random(2))   # its push finds no board, and somebody at work on it

    assert store.boards.fill(RULESET, read)
    assert store.boards.sequence(RULESET) == 0
    rate(store, random.Random(3))
    check_board(store, 3)


def test_what_is_rated_while_a_push_fills_the_board_is_told_by_that_push(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill = board_copies.fill_board

    def filled_meanwhile(of: Store, ruleset: str) -> bool:
        done = fill(of, ruleset)
        with monkeypatch.context() as patch:
            patch.setattr(board_copies, "push_boards", lambda store, rulesets: None)
            rate(of, random.Random(5))
        return done

    monkeypatch.setattr(board_copies, "fill_board", filled_meanwhile)
    board_copies.push_boards(store, [RULESET])
    check_board(store, 1)
