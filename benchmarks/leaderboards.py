"""A leaderboard of a million bots: pages, neighbours, changes, and all of it filled again.

    python benchmarks/leaderboards.py [--quick]     ends with 1 when a goal is not reached

By the wall clock, since the work is done in another process (redis-server must be installed); medians of seven rounds.
"""

import random
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from itertools import cycle, islice, repeat
from operator import itemgetter
from pathlib import Path
from typing import Any

import redis

from arena.ratings.elo import k_factor
from arena.services import board_copies
from arena.settings import Settings
from arena.store.leaderboards import MOST_MATCHES, PREFIX, BoardChanges, BoardEntry, Key, Leaderboards
from arena.store.migrate import migrate
from arena.store.session import Store
from benchmarks import large_arena
from benchmarks.measuring import Comparison, Effort, Rows, compared, run
from benchmarks.rows import Row, at_most
from benchmarks.services import open_folder, running_redis

NOW = datetime(2026, 1, 1, tzinfo=UTC)
RULESET = "oware"
FILLED_SECONDS = 30
CALLS = 300
A_PAGE = 50
MOST_POINTS = k_factor(100)         # that a result moves a rating
AT_ONCE = 200                       # results in one call
MATCHES = 100                       # that every bot has played

Bot = tuple[str, float]             # name and rating
Members = dict[str, float]
Pair = tuple[Bot, Bot]


def measure(effort: Effort) -> Rows:
    """Fill it, read it, change it."""
    size = effort.choose(1_000_000, 50_000)
    with open_folder() as folder, running_redis(folder) as url:
        dice = random.Random(5)
        bots = rated(folder / "arena.sqlite3", [dice.gauss(1500, 200) for _ in range(size)])
        store, client = Store.open(Settings(data_dir=folder, redis_url=url)), redis.Redis.from_url(url)
        row = Row(f"a board of {size:,} ratings read from SQLite and filled")
        yield row.judged([filled(store)], at_most(FILLED_SECONDS, "s"))
        yield from compared(reading(store.boards, client, size), effort)
        yield from compared(changes(store.boards, client, bots), effort)
        store.dispose()
        client.close()


def rated(database: Path, ratings: list[float]) -> list[Bot]:
    """Bots with these ratings, in a database of their own, the best first."""
    migrate(f"sqlite:///{database}")
    names = large_arena.fill_board(database, ratings, MATCHES)
    return sorted(zip(names, ratings, strict=True), key=itemgetter(1), reverse=True)


def filled(store: Store) -> float:
    """Seconds until the board is there."""
    begin = time.perf_counter()
    if not board_copies.fill_board(store, RULESET):
        raise RuntimeError("somebody else is filling the board")
    return time.perf_counter() - begin


def entry(bot: Bot, sequence: int, matches: int) -> BoardEntry:
    name, rating = bot
    return BoardEntry(0, name, "somebody", 1, rating, matches, matches - 50, 10, 40, False, sequence, NOW)


def reading(boards: Leaderboards, client: redis.Redis, bots: int) -> list[Comparison]:
    """The same page at any depth, and who stands around a bot."""
    middle, deep = (key_at(client, place) for place in (bots // 2, bots - A_PAGE - 1))
    page = partial(boards.page, RULESET, A_PAGE)
    first = each(page, repeat(None))
    return [
        Comparison(f"the page of {A_PAGE} in its middle", "its first page", "pages", each(page, repeat(middle)), first,
                   1 / 1.5),
        Comparison(f"its last page of {A_PAGE}", "its first page", "pages", each(page, repeat(deep)), first, 1 / 1.5),
        Comparison("the two around a bot", "PING", "times",
                   each(lambda bot: boards.around(RULESET, bot, 3), repeat(middle[2])),
                   each(lambda _: client.ping(), repeat(None)), 1 / 2),
    ]


def key_at(client: redis.Redis, place: int) -> Key:
    found: Any = client.zrange(f"{PREFIX}:{RULESET}:ranks", place, place, withscores=True)
    ((member, score),) = found
    matches, _, bot = member.decode().partition(":")
    return -score, MOST_MATCHES - int(matches), bot


def changes(boards: Leaderboards, client: redis.Redis, bots: list[Bot]) -> list[Comparison]:
    """A result changes two entries, once; against two members of a sorted set that nobody guards.

    Neighbours are where the processor has just been; of two bots anywhere on the board, neither is.
    """
    client.zadd("plain", {f"00000000:bot-{number}": number for number in range(100_000)})
    client.copy(f"{PREFIX}:{RULESET}:ranks", "copy")
    apply = partial(boards.apply, RULESET)
    rows = []
    for which, key, pairs, plain in (
        ("neighbours", "plain", neighbours(bots), plain_neighbours()),
        ("any two bots", "copy", anywhere(bots), plain_anywhere(bots)),
    ):
        one, many = changed(boards, pairs, 1), changed(boards, pairs, AT_ONCE)
        batches = iter(partial(taken, plain, AT_ONCE), [])
        rows += [
            Comparison(f"a result of {which}, once", "ZADD of two members", "results",
                       each(apply, one), each(partial(client.zadd, key), plain), 0.5),
            Comparison(f"{AT_ONCE} results of {which} in one call", "the same ZADDs, pipelined", "results",
                       each(apply, many, AT_ONCE), each(partial(pipelined, client, key), batches, AT_ONCE), 0.25),
        ]
    return rows


def pipelined(client: redis.Redis, key: str, results: list[Members]) -> None:
    with client.pipeline(transaction=False) as pipeline:
        for result in results:
            pipeline.zadd(key, result)
        pipeline.execute()


def plain_neighbours() -> Iterator[Members]:
    for number in cycle(range(90_000)):
        yield {f"00000000:bot-{number}": number + 0.5, f"00000000:bot-{number + 1}": number - 0.5}


def plain_anywhere(bots: list[Bot]) -> Iterator[Members]:
    for pair in anywhere(bots):
        yield {f"{MOST_MATCHES - MATCHES}:{name}": -rating for name, rating in pair}


def neighbours(bots: list[Bot]) -> Iterator[Pair]:
    """Two by two down the board."""
    dice = random.Random(6)
    for place in cycle(range(0, min(90_000, len(bots)), 2)):
        yield moved(dice, bots[place]), moved(dice, bots[place + 1])


def anywhere(bots: list[Bot]) -> Iterator[Pair]:
    """By chance, but none again before all others."""
    dice = random.Random(7)
    mixed = dice.sample(bots, len(bots))
    for place in cycle(range(0, len(mixed) - 1, 2)):
        yield moved(dice, mixed[place]), moved(dice, mixed[place + 1])


def moved(dice: random.Random, bot: Bot) -> Bot:
    """A bot, with its rating as one match may leave it."""
    return bot[0], bot[1] + dice.uniform(-MOST_POINTS, MOST_POINTS)


def changed(boards: Leaderboards, pairs: Iterator[Pair], results: int) -> Iterator[BoardChanges]:
    """So many results at a time, none of which shares a bot with another: as much as they can change."""
    base = boards.sequence(RULESET) or 0
    while True:
        yield BoardChanges(base, base + results, tuple(
            entry(bot, sequence, MATCHES + 1 + sequence % 1000)
            for sequence, pair in enumerate(taken(pairs, results), base + 1)
            for bot in pair
        ))
        base += results


def taken(these: Iterator[Any], count: int) -> list[Any]:
    return list(islice(these, count))


def each(action: Callable[[Any], object], arguments: Iterator[Any], at_once: int = 1) -> Callable[[], float]:
    """Nanoseconds for one of many; what they are called with is made before the clock runs."""

    def timed() -> float:
        calls = taken(arguments, CALLS // at_once + 1)
        begin = time.perf_counter_ns()
        for argument in calls:
            action(argument)
        return (time.perf_counter_ns() - begin) / len(calls) / at_once

    return timed


if __name__ == "__main__":
    sys.exit(run("A leaderboard", measure))
