"""The site under load: how many calls a second it answers, and how long they take at 80 % of that.

    python benchmarks/site_load.py [--quick]        ends with 1 when a goal is not reached

A whole arena (site with two processes, SQLite, Redis, one worker) with 150 bots and 50,000 matches, in which nothing
is played but the checks of new bots; called over loopback by a program on the same machine, which takes its share of
the processors.  First as fast as 48 callers can; then by as many at 80 % of that rate, each call at its own moment
whether or not those before it are answered, and its time counted from that moment.  Reading calls first, then
submissions.  How slow the slowest of a hundred is, is the median of three such times.
"""

import http.client
import json
import os
import random
import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import count
from urllib.parse import urlsplit

from arena.cli.stack import Plan, Stack
from arena.services import samples
from arena.store.migrate import migrate
from benchmarks import large_arena
from benchmarks.measuring import Effort, Rows, duration, run
from benchmarks.rows import Row, at_most
from benchmarks.services import open_folder, require_redis, require_sandbox

BOTS, MATCHES = 150, 50_000
CALLERS = 48
IDLE_SECONDS = 1.0
LONGEST = 10.0                  # times the median, for the slowest of a hundred


@dataclass(frozen=True)
class Call:
    method: str
    path: str
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()


def measure(effort: Effort) -> Rows:
    """Both kinds of calls, on one arena."""
    require_redis()
    require_sandbox()
    os.environ["ARENA_RATE_LIMITS"] = "false"
    with open_folder() as temporary:
        folder = temporary / "data"
        folder.mkdir()
        migrate(f"sqlite:///{folder}/arena.sqlite3")
        large_arena.fill(folder / "arena.sqlite3", BOTS, MATCHES, is_at_rest=True)
        with Stack(Plan(folder, workers=1), lambda text: None) as stack:
            host = urlsplit(stack.url).netloc
            yield from loaded("reading", reading(), host, effort)
            yield from loaded("submitting", submitting(host), host, effort)


def reading() -> Iterator[Call]:
    """What visitors and programs ask for, mixed."""
    dice = random.Random(5)
    while True:
        bot, match = dice.randrange(1, BOTS), dice.randrange(1, MATCHES)
        for path in ("/leaderboards/oware?limit=50", f"/leaderboards/oware?around=bot-{bot:05}", f"/bots/bot-{bot:05}",
                     "/bots?limit=50", "/tournaments", "/tournaments/3/standings", f"/matches/{match}",
                     f"/bots/bot-{bot:05}/ratings"):
            yield Call("GET", f"/api/v1{path}")


def submitting(host: str) -> Iterator[Call]:
    """New bots, one after the other, of one author."""
    kind = ("Content-Type", "application/json")
    account = json.dumps({"name": "author", "password": "correct horse battery"}).encode()
    status, answer = called(http.client.HTTPConnection(host), Call("POST", "/api/v1/users", account, (kind,)))
    if status != 201:
        raise RuntimeError(f"no account: {status} {answer.decode()}")
    token = ("Authorization", f"Bearer {json.loads(answer)['token']}")
    for number in count():
        parts = {"name": f"load-{number}", "game": "oware"}
        yield Call("POST", "/api/v1/bots", form(parts, samples.source("greedy")),
                   (token, ("Content-Type", "multipart/form-data; boundary=boundary")))


def form(parts: dict[str, str], source: bytes) -> bytes:
    lines = [f'--boundary\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
             for name, value in parts.items()]
    file = b'--boundary\r\nContent-Disposition: form-data; name="file"; filename="bot.py"\r\n\r\n' + source
    return b"".join(lines) + file + b"\r\n--boundary--\r\n"


def loaded(name: str, calls: Iterator[Call], host: str, effort: Effort) -> list[Row]:
    """Its capacity, and its times at 80 % of it."""
    seconds = effort.choose(10.0, 3.0)
    shared = Shared(calls)
    capacity = len(called_by_many(lambda: at_once(shared, seconds), host)) / seconds
    times, ratios = [], []
    for _ in range(effort.choose(3, 1)):
        times = sorted(called_by_many(partial(in_rhythm, shared, Rhythm(0.8 * capacity, seconds)), host))
        ratios.append(slowest_of_a_hundred(times) / statistics.median(times))
    row = Row(f"{name}: the slowest call of a hundred, at 80 % of the most", "the median call",
              duration(slowest_of_a_hundred(times)), duration(statistics.median(times)))
    return [
        Row(f"{name}: calls of the site answered, as fast as {CALLERS} callers can").told([capacity], "a second"),
        row.judged(ratios, at_most(LONGEST)),
    ]


def slowest_of_a_hundred(times: list[float]) -> float:
    return times[int(len(times) * 0.99)]


class Shared:
    """Calls that several callers take from, one each."""

    def __init__(self, calls: Iterator[Call]) -> None:
        self._calls = calls
        self._lock = threading.Lock()

    def next(self) -> Call:
        with self._lock:
            return next(self._calls)


class Rhythm:
    """Moments at an even distance, each for one caller."""

    def __init__(self, a_second: float, seconds: float) -> None:
        self._a_second = a_second
        self._seconds = seconds
        self._begin = time.perf_counter()
        self._places = count()              # each is given out once, whoever asks

    def moments(self) -> Iterator[float]:
        while (distance := next(self._places) / self._a_second) < self._seconds:
            yield self._begin + distance


def at_once(calls: Shared, seconds: float) -> Iterator[tuple[float, Call]]:
    begin = time.perf_counter()
    while time.perf_counter() - begin < seconds:
        yield time.perf_counter(), calls.next()


def in_rhythm(calls: Shared, rhythm: Rhythm) -> Iterator[tuple[float, Call]]:
    for due in rhythm.moments():
        time.sleep(max(0.0, due - time.perf_counter()))
        yield due, calls.next()


def called_by_many(work: Callable[[], Iterator[tuple[float, Call]]], host: str) -> list[float]:
    """Seconds that each call took from its moment on.  Raises: RuntimeError when any has failed."""
    times: list[float] = []
    failed: list[str] = []

    def caller() -> None:
        connection, last = http.client.HTTPConnection(host, timeout=60), 0.0
        for due, call in work():
            if time.perf_counter() - last > IDLE_SECONDS:
                connection.close()          # the site closes it soon anyway; the next call opens a new one
            status, answer = called(connection, call)
            last = time.perf_counter()
            if status >= 400:
                failed.append(f"{call.method} {call.path}: {status} {answer[:200].decode()}")
            times.append(time.perf_counter() - due)
        connection.close()

    threads = [threading.Thread(target=caller) for _ in range(CALLERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise RuntimeError(f"{len(failed)} calls failed, the first: {failed[0]}")
    return times


def called(connection: http.client.HTTPConnection, call: Call) -> tuple[int, bytes]:
    connection.request(call.method, call.path, call.body or None, dict(call.headers))
    answer = connection.getresponse()
    return answer.status, answer.read()


if __name__ == "__main__":
    sys.exit(run("The site under load", measure))
