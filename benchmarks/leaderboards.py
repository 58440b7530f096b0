"""A leaderboard of a million bots: pages, neighbours, changes, and all of it filled again.

    python benchmarks/leaderboards.py [BOTS]        ends with 1 when a goal is not reached

By the wall clock, since the work is done in another process (redis-server must be installed).
"""

import random
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import redis

from arena.store.leaderboards import PREFIX, BoardEntry, BoardSlice, Key, Leaderboards
from benchmarks.measuring import Row, report
from benchmarks.services import open_folder, running_redis

NOW = datetime(2026, 1, 1, tzinfo=UTC)
RULESET = "oware"
FILLED_SECONDS = 30
CALLS = 300
A_PAGE = 50
AT_ONCE = 200


def main() -> int:
    bots = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with open_folder() as folder, running_redis(folder) as url:
        boards, client = Leaderboards(url), redis.Redis.from_url(url)
        seconds = filled(boards, bots)
        print(f"{bots:,} bots; the whole board filled in {seconds:.1f} s, at most {FILLED_SECONDS} s wanted\n")
        is_well = report("Leaderboard, by the wall clock", [*reading(boards, client, bots), *changes(boards, client)])
        boards.close()
        client.close()
    return int(not is_well or seconds > FILLED_SECONDS)


def filled(boards: Leaderboards, bots: int) -> float:
    """Seconds for filling a board; reading SQL is not in it."""
    dice = random.Random(5)
    entries = tuple(entry(f"bot-{number}", dice.gauss(1500, 200), number) for number in range(1, bots + 1))
    begin = time.perf_counter()
    boards.fill(RULESET, lambda: BoardSlice(entries, bots, bots, NOW))
    return time.perf_counter() - begin


def entry(bot: str, rating: float, sequence: int) -> BoardEntry:
    return BoardEntry(0, bot, "somebody", 1, rating, 100, 50, 10, 40, False, sequence, NOW)


def reading(boards: Leaderboards, client: redis.Redis, bots: int) -> list[Row]:
    """The same page at any depth, and who stands around a bot."""
    middle, deep = (key_at(client, place) for place in (bots // 2, bots - A_PAGE - 1))
    first = each(lambda: boards.page(RULESET, A_PAGE, None))
    return [
        Row(f"page of {A_PAGE} in the middle", "first page", "pages",
            each(lambda: boards.page(RULESET, A_PAGE, middle)), first, 1 / 1.5),
        Row(f"last page of {A_PAGE}", "first page", "pages",
            each(lambda: boards.page(RULESET, A_PAGE, deep)), first, 1 / 1.5),
        Row("the two around a bot", "PING", "times",
            each(lambda: boards.around(RULESET, middle[2], 3)), each(client.ping), 1 / 2),
    ]


def key_at(client: redis.Redis, place: int) -> Key:
    found: Any = client.zrange(f"{PREFIX}:{RULESET}:ranks", place, place, withscores=True)
    ((member, score),) = found
    matches, _, bot = member.decode().partition(":")
    return -score, 99_999_999 - int(matches), bot


def changes(boards: Leaderboards, client: redis.Redis) -> list[Row]:
    """A result changes two entries, once; against two members of a sorted set that nobody guards."""
    client.zadd("plain", {f"00000000:bot-{number}": number for number in range(100_000)})
    results, numbers = fresh_results(), iter(range(10**9))

    def plain() -> None:
        number = next(numbers) % 90_000
        client.zadd("plain", {f"00000000:bot-{number}": number + 0.5, f"00000000:bot-{number + 1}": number - 0.5})

    def plain_at_once() -> None:
        with client.pipeline(transaction=False) as pipeline:
            for _ in range(AT_ONCE):
                number = next(numbers) % 90_000
                pipeline.zadd(
                    "plain", {f"00000000:bot-{number}": number + 0.5, f"00000000:bot-{number + 1}": number - 0.5}
                )
            pipeline.execute()

    def applied_at_once() -> None:
        boards.apply(RULESET, [changed for _ in range(AT_ONCE) for changed in next(results)])

    return [
        Row("a result applied once", "ZADD of two members", "results",
            each(lambda: boards.apply(RULESET, next(results))), each(plain), 0.5),
        Row(f"{AT_ONCE} results applied once, in one call", "the same ZADDs, pipelined", "results",
            each(applied_at_once, AT_ONCE), each(plain_at_once, AT_ONCE), 0.25),
    ]


def fresh_results() -> Iterator[list[BoardEntry]]:
    dice, sequence = random.Random(6), 10**9
    while True:
        sequence += 1
        yield [entry(f"bot-{dice.randrange(1, 100_000)}", dice.gauss(1500, 200), sequence) for _ in range(2)]


def each(action: Callable[[], object], at_once: int = 1) -> Callable[[], float]:
    """Nanoseconds for one of many."""

    def timed() -> float:
        begin = time.perf_counter_ns()
        for _ in range(CALLS // at_once + 1):
            action()
        return (time.perf_counter_ns() - begin) / (CALLS // at_once + 1) / at_once

    return timed


if __name__ == "__main__":
    sys.exit(main())
