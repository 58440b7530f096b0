"""Processes that die while they play: the next one takes over their matches at once, and only theirs."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.errors import LeaseLost
from arena.services import dispatch, results
from arena.store.session import Store
from tests.support import field
from tests.support.field import Post
from workers.lifelines import Lifeline, each_dead

ROOT = Path(__file__).parents[2]
PLAYER = """
import sys
from arena import logs
from arena.services import dispatch
from workers import process
logs.configure("ERROR")
process.begin()
process.take_over_from_the_dead(process.store())
(assignment,) = dispatch.claim_each(process.store(), process.name(), [int(sys.argv[1])])
print(assignment.attempt, flush=True)
sys.stdin.read()
process.close()
"""


class Player:
    """A process that has claimed a match, as one of a worker's does, and plays it for ever."""

    def __init__(self, store: Store, match_id: int) -> None:
        settings = store.settings
        environment = os.environ | {"PYTHONPATH": str(ROOT), "ARENA_DATA_DIR": str(settings.data_dir)}
        environment |= {"ARENA_DATABASE_URL": settings.database_url, "ARENA_REDIS_URL": settings.redis_url}
        self.process = subprocess.Popen(
            [sys.executable, "-c", PLAYER, str(match_id)], env=environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )
        assert self.process.stdout is not None
        self.attempt = int(self.process.stdout.readline() or 0)

    def end(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


@pytest.fixture
def queued(store: Store) -> list[int]:
    """Six matches that anybody may claim; their places outlast the test."""
    field.add_tournament(store, [field.add_bot(store, name) for name in ("ada", "ben", "cyd", "dan")])
    dispatch.register_worker(store, "w1", 9, "A")
    post = Post()
    dispatch.tick(store, post)
    return [match_id for batch in post.batches for match_id in batch]


@pytest.fixture
def players(store: Store, queued: list[int]) -> Iterator[list[Player]]:
    """Two of them, on the first two matches."""
    started = [Player(store, match_id) for match_id in queued[:2]]
    yield started
    for player in started:
        player.end()


def state(store: Store, match_id: int) -> tuple[str, int, int]:
    row = field.state_of(store, match_id)
    return row.state, row.attempt, row.failures


def test_matches_of_a_killed_process_are_due_when_the_next_one_starts(
    store: Store, queued: list[int], players: list[Player]
) -> None:
    players[0].end()
    assert state(store, queued[0]) == ("leased", 1, 0)
    following = Player(store, queued[2])
    assert state(store, queued[0]) == ("due", 1, 1)             # well before its lease has run out
    assert state(store, queued[1]) == ("leased", 1, 0)          # of a process that lives, under the same machine's name
    following.end()


def test_a_process_that_hangs_keeps_its_match(store: Store, queued: list[int], players: list[Player]) -> None:
    players[0].process.send_signal(signal.SIGSTOP)
    Player(store, queued[2]).end()
    assert state(store, queued[0]) == ("leased", 1, 0)


def test_a_process_that_ends_in_order_leaves_nothing(store: Store, players: list[Player]) -> None:
    players[0].process.communicate("")
    players[1].end()
    dead: list[str] = []
    each_dead(store.settings.data_dir / "players", dead.append)
    assert [int(name.rpartition(":")[2]) for name in dead] == [players[1].process.pid]
    each_dead(store.settings.data_dir / "players", dead.append)
    assert len(dead) == 1


def test_a_crash_loop_makes_a_match_void_as_any_three_failures(store: Store, queued: list[int]) -> None:
    for attempt in (1, 2, 3):
        player = Player(store, queued[0])
        assert player.attempt == attempt
        player.end()
        each_dead(store.settings.data_dir / "players", lambda name: dispatch.take_over(store, name))
        dispatch.tick(store, Post())
    row = field.state_of(store, queued[0])
    assert (row.state, row.failures) == ("void", 3)
    assert row.void_reason.endswith("the last with arena/lease-lost.")


def test_who_was_wrongly_thought_dead_is_refused(any_store: Store) -> None:
    field.add_tournament(any_store, [field.add_bot(any_store, name) for name in ("ada", "ben")])
    post = Post()
    dispatch.tick(any_store, post)
    (assignment,) = dispatch.claim_each(any_store, "here:1", post.batches[0])
    dispatch.take_over(any_store, "here:2")
    dispatch.renew(any_store, assignment, 3)
    dispatch.take_over(any_store, "here:1")
    with pytest.raises(LeaseLost):
        dispatch.renew(any_store, assignment, 4)
    played = field.play(assignment.setup)
    assert results.ingest(any_store, assignment, played, 100).status == results.REFUSED
    assert state(any_store, assignment.match_id) == ("due", 1, 1)


def test_a_name_that_could_not_be_buried_is_told_again(tmp_path: Path) -> None:
    line = Lifeline(tmp_path, "here:1")
    line.tie()
    os.close(line._lock)                            # as when the process ends
    told: list[str] = []

    def fail(name: str) -> None:
        told.append(name)
        raise OSError("the database is away")

    for _ in range(2):
        with pytest.raises(OSError, match="away"):
            each_dead(tmp_path, fail)
    each_dead(tmp_path, told.append)
    each_dead(tmp_path, told.append)
    assert told == ["here:1"] * 3
