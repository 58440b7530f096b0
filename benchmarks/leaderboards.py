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
from typing import Any

import redis

from arena.ratings.elo import k_factor
from arena.store.leaderboards import MOST_MATCHES, PREFIX, BoardChanges, BoardEntry, Key, Leaderboards
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

Members = dict[str, float]
Pair = tuple[tuple[int, float], tuple[int, float]]


def measure(effort: Effort) -> Rows:
    """Fill it, read it, change it."""
    bots = effort.choose(1_000_000, 50_000)
    with open_folder() as folder, running_redis(folder) as url:
        boards, client = Leaderboards(url), redis.Redis.from_url(url)
        dice = random.Random(5)
        ratings = sorted((dice.gauss(1500, 200) for _ in range(bots)), reverse=True)       # as SQL gives them
        row = Row(f"a board of {bots:,} bots filled, without reading SQL")
        yield row.judged([filled(boards, ratings)], at_most(FILLED_SECONDS, "s"))
        yield from compared(reading(boards, client, bots), effort)
        yield from compared(changes(boards, client, ratings), effort)
        boards.close()
        client.close()


def filled(boards: Leaderboards, ratings: list[float]) -> float:
    """Seconds for filling a board; reading SQL is not in it."""
    entries = tuple(entry(f"bot-{number}", rating, 0) for number, rating in enumerate(ratings))
    begin = time.perf_counter()
    boards.fill(RULESET, lambda: [BoardChanges(0, 0, entries)])
    return time.perf_counter() - begin


def entry(bot: str, rating: float, sequence: int, matches: int = 100) -> BoardEntry:
    return BoardEntry(0, bot, "somebody", 1, rating, matches, matches - 50, 10, 40, False, sequence, NOW)


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


def changes(boards: Leaderboards, client: redis.Redis, ratings: list[float]) -> list[Comparison]:
    """A result changes two entries, once; against two members of a sorted set that nobody guards.

    Neighbours are where the processor has just been; of two bots anywhere on the board, neither is.
    """
    client.zadd("plain", {f"00000000:bot-{number}": number for number in range(100_000)})
    client.copy(f"{PREFIX}:{RULESET}:ranks", "copy")
    apply = partial(boards.apply, RULESET)
    rows = []
    for bots, key, pairs, plain in (
        ("neighbours", "plain", neighbours(ratings), plain_neighbours()),
        ("any two bots", "copy", anywhere(ratings), plain_anywhere(ratings)),
    ):
        one, many = changed(boards, pairs, 1), changed(boards, pairs, AT_ONCE)
        batches = iter(partial(taken, plain, AT_ONCE), [])
        rows += [
            Comparison(f"a result of {bots}, once", "ZADD of two members", "results",
                       each(apply, one), each(partial(client.zadd, key), plain), 0.5),
            Comparison(f"{AT_ONCE} results of {bots} in one call", "the same ZADDs, pipelined", "results",
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


def plain_anywhere(ratings: list[float]) -> Iterator[Members]:
    for pair in anywhere(ratings):
        yield {f"{MOST_MATCHES - 100}:bot-{number}": -rating for number, rating in pair}


def neighbours(ratings: list[float]) -> Iterator[Pair]:
    """Two by two down the board."""
    dice = random.Random(6)
    for number in cycle(range(0, min(90_000, len(ratings)), 2)):
        yield moved(dice, ratings, number), moved(dice, ratings, number + 1)


def anywhere(ratings: list[float]) -> Iterator[Pair]:
    """By chance, but none again before all others."""
    dice = random.Random(7)
    numbers = dice.sample(range(len(ratings)), len(ratings))
    for place in cycle(range(0, len(numbers) - 1, 2)):
        yield moved(dice, ratings, numbers[place]), moved(dice, ratings, numbers[place + 1])


def moved(dice: random.Random, ratings: list[float], number: int) -> tuple[int, float]:
    """A bot, and its rating as one match may leave it."""
    return number, ratings[number] + dice.uniform(-MOST_POINTS, MOST_POINTS)


def changed(boards: Leaderboards, pairs: Iterator[Pair], results: int) -> Iterator[BoardChanges]:
    """So many results at a time, none of which shares a bot with another: as much as they can change."""
    base = boards.sequence(RULESET) or 0
    while True:
        yield BoardChanges(base, base + results, tuple(
            entry(f"bot-{number}", rating, sequence, 101 + sequence % 1000)
            for sequence, pair in enumerate(taken(pairs, results), base + 1)
            for number, rating in pair
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
