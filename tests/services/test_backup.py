"""Backup and restore as docs/operating.md tells it: a copy of a live arena goes on elsewhere with the tournament."""

import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from arena.cli.main import app
from arena.services import dispatch, ratings, results
from arena.settings import Settings
from arena.store.leaderboards import BoardEntry
from arena.store.session import Store
from tests.support import field, postgres
from tests.support.field import Moment, Post
from tests.support.redis_server import RedisServer, running_redis
from tests.support.sql_boards import sql_board

pytestmark = pytest.mark.services

ROOT = Path(__file__).parents[2]
BOTS = 5                        # ten matches
Restored = tuple[Store, Moment]


@pytest.fixture
def redis_server() -> Iterator[RedisServer]:
    """The empty Redis of the restored arena."""
    with running_redis() as server:
        yield server


def documented(program: str, **places: str) -> list[str]:
    """The command of this program that the page tells, with our places instead of its own."""
    lines = (line.strip() for line in (ROOT / "docs/operating.md").read_text().splitlines())
    command = next(line for line in lines if line.startswith(program))
    for name, place in places.items():
        assert name in command, command
        command = command.replace(name, place)
    return shlex.split(command.partition("  #")[0])


def run(command: list[str]) -> None:
    subprocess.run(command, check=True, timeout=240, capture_output=True)


def play_half(store: Store) -> Moment:
    """A tournament in the middle: results, a match being played, matches that wait, rows that are not there yet."""
    field.add_tournament(store, [field.add_bot(store, f"bot-{number}") for number in range(BOTS)])
    moment = Moment()
    for number in range(6):
        post = Post()
        dispatch.tick(store, post, moment)
        ids = [match_id for batch in post.batches for match_id in batch]
        for assignment in field.claim(store, ids[:1], now=moment):
            dispatch.give_up_places(store, ids)
            if number < 5:
                results.ingest(store, assignment, field.play(assignment.setup), 30_000, moment)
    return moment


def go_on(store: Store, moment: Moment) -> None:
    """The arena started again on the copy: `arena admin rebuild`, then its tournament to the end."""
    before = field.ledgers(store)
    environment = {
        "ARENA_DATABASE_URL": store.settings.database_url, "ARENA_REDIS_URL": store.settings.redis_url,
        "ARENA_DATA_DIR": str(store.settings.data_dir),
    }
    rebuilt = CliRunner().invoke(app, ["admin", "rebuild"], env=environment)
    assert rebuilt.exit_code == 0, rebuilt.output
    assert field.ledgers(store) == before
    assert shown(store) == expected(store)
    assert len(shown(store)) == BOTS
    moment.pass_seconds(store.settings.lease_seconds + 1)
    field.play_out(store, moment)
    assert field.tournament(store, 1).state == "finished"
    assert field.ledgers(store) == field.undisturbed(BOTS)
    assert ratings.rebuild(store, dry_run=True).is_exact
    assert shown(store) == expected(store)


def shown(store: Store) -> tuple[BoardEntry, ...]:
    page = store.boards.page("oware", 200, None)
    assert page is not None
    return page.entries


def expected(store: Store) -> tuple[BoardEntry, ...]:
    return sql_board(store, "oware").entries


def restored(url: str, redis: RedisServer, folder: Path) -> Store:
    return Store.open(Settings(data_dir=folder, database_url=url, redis_url=redis.url))


@pytest.mark.skipif(shutil.which("sqlite3") is None, reason="the sqlite3 command is not installed")
@pytest.mark.parametrize("of_all_results", [True, False])
def test_sqlite_goes_on_from_a_copy_of_a_live_database(
    store: Store, redis_server: RedisServer, tmp_path: Path, of_all_results: bool
) -> None:
    moment = play_half(store)
    original, copy = store.settings.database_url.removeprefix("sqlite:///"), tmp_path / "elsewhere" / "arena.sqlite3"
    copy.parent.mkdir()
    with store.read() as reader, closing(reader.exec_driver_sql("SELECT count(*) FROM matches")):
        run(documented("sqlite3", **{"/srv/arena/arena.sqlite3": original, "/backup/arena.sqlite3": str(copy)}))
    if of_all_results:
        field.play_out(store, moment)           # what happens after the copy is not in it
    opened = restored(f"sqlite:///{copy}", redis_server, copy.parent)
    go_on(opened, moment)
    opened.dispose()


@pytest.mark.skipif(
    any(postgres.find_program(name) is None for name in ("pg_dump", "pg_restore", "initdb")),
    reason="PostgreSQL's programs are not installed",
)
def test_postgresql_goes_on_from_a_dump_of_a_live_database(
    request: pytest.FixtureRequest, redis_server: RedisServer, tmp_path: Path
) -> None:
    server, template = request.getfixturevalue("postgres_url"), request.getfixturevalue("migrated_postgres")
    url, dump = postgres.create_database(server, "to_be_saved", template), str(tmp_path / "arena.dump")
    live = restored(url, redis_server, tmp_path)
    moment = play_half(live)
    run([*program(documented("pg_dump", **{"/backup/arena.dump": dump, "postgresql://arena@db/arena": url}))])
    live.dispose()
    target = postgres.create_database(server, "restored")
    run([*program(documented("pg_restore", **{"/backup/arena.dump": dump, "postgresql://arena@db/arena": target}))])
    redis_server.client().flushall()
    opened = restored(target, redis_server, tmp_path)
    go_on(opened, moment)
    opened.dispose()
    for name in ("to_be_saved", "restored"):
        postgres.drop_database(server, name)


def program(command: list[str]) -> list[str]:
    """The command with its program where Debian puts it."""
    found: Callable[[str], str | None] = postgres.find_program
    return [found(command[0]) or command[0], *command[1:]]
