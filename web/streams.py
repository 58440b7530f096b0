"""Who watches which tournament in this process.

All who watch one tournament share what is read of it: the database is asked at most once in `POLL_SECONDS`, however
many they are.  A stream holds a thread for as long as it lasts, so there are fewer of them than threads, and nobody
has them all.
"""

import time
from collections import Counter, deque
from threading import Lock

from flask import Flask, current_app
from werkzeug.exceptions import ServiceUnavailable, TooManyRequests

from arena.services import live
from arena.services.live import Moment
from arena.settings import Settings
from arena.store.events import Event
from arena.store.session import Store

KEY = "arena.streams"
POLL_SECONDS = 0.5
KEPT = 1000                     # newest events in memory; who is further behind reads them from the database
RETRY_SECONDS = 5


class Feed:
    """One tournament, as its watchers see it."""

    def __init__(self, store: Store, tournament_id: int) -> None:
        self.watchers = 0
        self._store = store
        self._tournament_id = tournament_id
        self._lock = Lock()
        self._newest: deque[Event] = deque(maxlen=KEPT)
        self._moment: Moment | None = None
        self._read_at = 0.0

    def moment(self) -> Moment:
        """How far the tournament is, or was at most `POLL_SECONDS` ago."""
        with self._lock:
            if self._moment is None or time.monotonic() - self._read_at >= POLL_SECONDS:
                self._moment = self._look(self._moment)
                self._read_at = time.monotonic()
            return self._moment

    def after(self, number: int) -> tuple[Event, ...]:
        """The events behind this number, without a gap; a portion of them, if they are many."""
        with self._lock:
            kept = [event for event in self._newest if event.number > number]
            known = self._moment.last if self._moment is not None else 0
        if number >= known or (kept and kept[0].number == number + 1):
            return tuple(kept)
        return live.events_after(self._store, self._tournament_id, number)

    def _look(self, before: Moment | None) -> Moment:
        now = live.moment(self._store, self._tournament_id)
        if before is None or now.last - before.last > KEPT:
            self._newest.clear()
            return now
        told = max(before.last, self._newest[-1].number if self._newest else 0)
        while told < now.last:
            self._newest.extend(live.events_after(self._store, self._tournament_id, told))
            told = self._newest[-1].number
        return now


class Streams:
    """The feeds of this process, and how many more may be watched, and by whom."""

    def __init__(self, store: Store, most: int, most_of_one: int) -> None:
        self._store = store
        self._most = most
        self._most_of_one = most_of_one
        self._lock = Lock()
        self._feeds: dict[int, Feed] = {}
        self._watching: Counter[str] = Counter()

    def open(self, tournament_id: int, address: str) -> Feed:
        """The feed of a tournament for one more watcher, to be given back by `close`."""
        instead = f"ask for /api/v1/tournaments/{tournament_id} now and then instead"
        with self._lock:
            if self._watching[address] >= self._most_of_one:
                raise TooManyRequests(
                    f"{self._most_of_one} streams to {address} are open already; close one, or {instead}",
                    retry_after=RETRY_SECONDS,
                )
            if self._watching.total() >= self._most:
                raise ServiceUnavailable(
                    f"{self._most} streams are open already, as many as this server keeps; {instead}, "
                    "or try again later.",
                    retry_after=RETRY_SECONDS,
                )
            feed = self._feeds.setdefault(tournament_id, Feed(self._store, tournament_id))
            feed.watchers += 1
            self._watching[address] += 1
            return feed

    def close(self, tournament_id: int, address: str) -> None:
        """One watcher has gone."""
        with self._lock:
            feed = self._feeds[tournament_id]
            feed.watchers -= 1
            if not feed.watchers:
                del self._feeds[tournament_id]
            self._watching[address] -= 1
            self._watching += Counter()         # forgets who watches nothing


def register(app: Flask, store: Store, settings: Settings) -> None:
    """Give the app its streams."""
    app.extensions[KEY] = Streams(store, settings.max_event_streams, settings.max_event_streams_per_address)


def streams() -> Streams:
    """The streams of the app that answers this request."""
    found: Streams = current_app.extensions[KEY]
    return found
