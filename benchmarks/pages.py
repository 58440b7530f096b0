"""How long the pages take in a large arena, and that none grows with the number of matches.

    python benchmarks/pages.py [bots] [matches] [--explain]

By default 10,000 bots, with 100,000 and then 1,000,000 matches: the second must take no longer.  Prints for each page
the median of 15 answers in process (milliseconds of processor and by the wall clock), its bytes and its number of
queries; with `--explain` also how SQLite finds the rows.  Leaderboards come from a Redis of its own (redis-server must
be installed), and then from the database, as while Redis is away.
"""

import logging
import re
import statistics
import sys
import time
from dataclasses import dataclass, replace
from typing import Any

import structlog
from flask.testing import FlaskClient
from sqlalchemy import Engine, event

from arena.services import board_copies
from arena.settings import Settings
from arena.store.migrate import migrate
from arena.store.session import Store
from benchmarks import large_arena
from benchmarks.services import open_folder, running_redis
from web.app import create_app

TIMES = 15
LIMIT_MS = 50
NO_REDIS = "redis://127.0.0.1:1/0"
LARGE = ("matches", "results", "rating_changes", "events", "attempts")


@dataclass(frozen=True)
class Measured:
    """One page."""

    cpu_ms: float
    wall_ms: float
    size: int
    queries: int


def main() -> None:
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    bots = int(words[0]) if words else 10_000
    counts = [int(words[1])] if len(words) > 1 else [100_000, 1_000_000]
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    columns = [measure(bots, matches, is_explained="--explain" in sys.argv) for matches in counts]
    print(f"{bots:,} bots; processor ms / wall ms / bytes / queries; at most {LIMIT_MS} ms wanted")
    print(f"{'':34}" + "".join(f"{f'{count:,} matches':>34}" for count in counts))
    for name in columns[0]:
        print(f"{name:34}" + "".join(f"{_told(column[name]):>34}" for column in columns))


def measure(bots: int, matches: int, *, is_explained: bool) -> dict[str, Measured]:
    """Every page of an arena of that size."""
    with open_folder() as folder, running_redis(folder) as redis_url:
        database = folder / "arena.sqlite3"
        settings = Settings(data_dir=folder, redis_url=redis_url, rate_limits=False)
        store = Store.open(settings)
        migrate(store.settings.sqlalchemy_url)
        begin = time.monotonic()
        cups = large_arena.fill(database, bots, matches)
        match_id = (cups - 2) * large_arena.A_CUP + 7
        board_copies.push_boards(store, ["oware"])
        client = create_app(settings, store).test_client()
        alone = Store.open(replace(settings, redis_url=NO_REDIS))
        without_redis = create_app(settings, alone).test_client()
        large_arena.put_record(database, match_id, _names(client, match_id))
        size = database.stat().st_size / 2**20
        print(f"filled with {matches:,} matches in {time.monotonic() - begin:.0f} s: {size:,.0f} MB", flush=True)
        pages = addresses(client, cups, match_id)
        found = {name: measured(client, path) for name, path in pages.items()}
        fallen_back = {f"{name} (no Redis)": path for name, path in pages.items() if "leader" in name or name == "bot"}
        found |= {name: measured(without_redis, path) for name, path in fallen_back.items()}
        if is_explained:
            for name, path in pages.items():
                explain(alone, without_redis, name, path)
        store.dispose()
        alone.dispose()
    return found


def addresses(client: FlaskClient, cups: int, match_id: int) -> dict[str, str]:
    """The pages, by what they are."""
    further = re.search(r'rel="next" href="([^"]+)"', _page(client, "/leaderboards/oware"))
    assert further is not None
    second_page = further[1].replace("&amp;", "&")
    some_bot = re.findall(r'href="/bots/(bot-\d+)"', _page(client, second_page))[20]
    return {
        "home": "/",
        "leaderboard": "/leaderboards/oware",
        "leaderboard, second page": second_page,
        "leaderboard around a bot": f"/leaderboards/oware?find={some_bot}",
        "bot that plays everywhere": "/bots/bot-00001",
        "bot": f"/bots/{some_bot}",
        "tournaments": "/tournaments",
        "tournament, running": f"/tournaments/{cups}",
        "what changes of it": f"/tournaments/{cups}?part=live",
        "tournament, finished": f"/tournaments/{cups - 1}",
        "entrant of a tournament": f"/tournaments/{cups - 1}/bots/bot-00001",
        "schedule": f"/tournaments/{cups}/schedule?from=2451",
        "match": f"/matches/{match_id}",
    }


def measured(client: FlaskClient, path: str) -> Measured:
    """The page, asked for again and again."""
    page = _page(client, path)
    cpu, wall = [], []
    for _ in range(TIMES):
        begin, cpu_begin = time.perf_counter(), time.process_time()
        _page(client, path)
        cpu.append(time.process_time() - cpu_begin)
        wall.append(time.perf_counter() - begin)
    queries = len(statements_of(client, path))
    return Measured(statistics.median(cpu) * 1000, statistics.median(wall) * 1000, len(page.encode()), queries)


def statements_of(client: FlaskClient, path: str) -> list[tuple[str, Any]]:
    """What a page asks of the database."""
    seen: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        seen.append((statement, parameters))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        _page(client, path)
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    return [(statement, parameters) for statement, parameters in seen if statement.startswith("SELECT")]


def explain(store: Store, client: FlaskClient, name: str, path: str) -> None:
    """How SQLite finds the rows of every query; a scan of a table that grows with matches is marked."""
    print(f"\n== {name}: {path}")
    for statement, parameters in statements_of(client, path):
        with store.read() as tx:
            plan = tx.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters).all()
        print(f"-- {' '.join(statement.split())[:150]}")
        for line in dict.fromkeys(row[3] for row in plan):
            is_bad = re.match(rf"SCAN ({'|'.join(LARGE)})\b(?!.*LIMIT)", line)
            print(f"   {'!!' if is_bad else '  '} {line}")


def _told(page: Measured) -> str:
    return f"{page.cpu_ms:7.1f} / {page.wall_ms:7.1f} / {page.size:6} / {page.queries:2}"


def _page(client: FlaskClient, path: str) -> str:
    answer = client.get(path, headers={"Accept": "text/html"})
    assert answer.status_code == 200, (path, answer.status)
    return answer.get_data(as_text=True)


def _names(client: FlaskClient, match_id: int) -> tuple[str, str]:
    found: Any = client.get(f"/api/v1/matches/{match_id}").json
    return found["first"]["name"], found["second"]["name"]


if __name__ == "__main__":
    main()
