"""Tournaments live, over real connections that break: every event arrives once, in order, and the stream ends."""

import itertools
import json
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
import requests
from sqlalchemy import func, select

from arena.services import live
from arena.store.schema import events, rating_changes
from arena.store.session import Store
from tests.support import field
from tests.support.site import running_site
from tests.web.conftest import Person
from tests.web.test_queries import counted_queries
from web import streams
from web.streams import Feed

pytestmark = pytest.mark.services
BOTS = 7
MATCHES = BOTS * (BOTS - 1) // 2
MOST, MOST_OF_ONE = 8, 2        # streams of one process, and to one address, by the settings
VISITORS = itertools.cycle(range(10, 250))


@dataclass(frozen=True)
class Message:
    """One server-sent event; comments have the kind `comment`."""

    kind: str
    number: int | None
    body: Any


def messages(answer: requests.Response) -> Iterator[Message]:
    """What arrives, message by message."""
    fields: dict[str, str] = {}
    for line in answer.iter_lines(chunk_size=1, decode_unicode=True):
        if line:
            name, _, value = line.partition(":")
            fields[name or "comment"] = value.removeprefix(" ")
        elif fields:
            number = int(fields["id"]) if "id" in fields else None
            body = json.loads(fields["data"]) if "data" in fields else None
            yield Message(fields.get("event", next(iter(fields))), number, body)
            fields = {}


def listen(address: str, tournament: int, last: int | None = None, visitor: int | None = None) -> requests.Response:
    """A stream to a visitor, by default a new one."""
    headers = {"X-Forwarded-For": f"192.0.2.{next(VISITORS) if visitor is None else visitor}"}
    headers |= {} if last is None else {"Last-Event-ID": str(last)}
    url = f"{address}/api/v1/tournaments/{tournament}/events"
    return requests.get(url, headers=headers, stream=True, timeout=15)


def add_tournament(store: Store, bots: int = BOTS) -> int:
    versions = [field.add_bot(store, f"bot-{number}") for number in range(bots)]
    return field.add_tournament(store, versions, match_format="games-1")


def test_broken_connections_lose_and_double_nothing(store: Store) -> None:
    tournament = add_tournament(store)
    player = threading.Thread(target=field.play_out, args=(store, field.Moment()))
    seen: list[Message] = []
    connections, ended = 0, False
    with running_site(store) as address:
        with listen(address, tournament) as answer:
            first = next(message for message in messages(answer) if message.kind == "progress")
        player.start()
        last = first.number
        while not ended:
            connections += 1
            with listen(address, tournament, last) as answer:
                for message in messages(answer):
                    if message.kind in ("result", "rating"):
                        seen.append(message)
                        last = message.number
                    ended = message.kind == "end"
                    if ended or (message.kind == "result" and len(seen) % 5 == 0):
                        break           # and the connection is closed in mid-stream
        player.join()
    assert connections > 3
    assert [message.number for message in seen] == list(range(1, len(seen) + 1))
    results = [message.body for message in seen if message.kind == "result"]
    assert sorted(body["schedule_index"] for body in results) == list(range(MATCHES))
    assert all(body["state"] == "finished" and body["score"] for body in results)
    told = [change["id"] for message in seen if message.kind == "rating" for change in message.body["changes"]]
    with store.read() as tx:
        assert told == list(tx.scalars(select(rating_changes.c.id).order_by(rating_changes.c.id)))


def test_streams_are_bounded_and_never_silent(store: Store) -> None:
    played = add_tournament(store, bots=3)
    field.play_out(store, field.Moment())
    versions = [field.add_bot(store, name) for name in ("alpha", "beta")]
    tournament = field.add_tournament(store, versions, "still-running")
    with running_site(store, workers=1) as address:
        assert_told_from_the_beginning(address, played)
        assert_nobody_takes_all(address, tournament)
        assert_room_is_left_for_others(address, tournament)
        assert_silence_is_broken(address, tournament)


def assert_told_from_the_beginning(address: str, tournament: int) -> None:
    with listen(address, tournament, 0) as answer:
        seen = list(messages(answer))
    assert [message.number for message in seen if message.kind in ("result", "rating")] == list(range(1, 7))
    assert seen[-1].kind == "end"
    assert seen[-1].body["tournament"]["state"] == "finished"
    assert next(message for message in seen if message.kind == "progress").body["tournament"]["finished"] == 3


def assert_nobody_takes_all(address: str, tournament: int) -> None:
    open_streams = [listen(address, tournament, visitor=1) for _ in range(MOST_OF_ONE)]
    refused = listen(address, tournament, visitor=1)
    assert refused.status_code == 429
    assert (refused.json()["code"], refused.headers["Retry-After"]) == ("request/rate-limited", "5")
    assert "2 streams to 192.0.2.1 are open already" in refused.json()["detail"]
    open_streams.append(listen(address, tournament, visitor=2))
    assert [answer.status_code for answer in open_streams] == [200] * 3
    for answer in open_streams:
        answer.close()
    give_up = time.monotonic() + 30
    while (again := listen(address, tournament, visitor=1)).status_code == 429:
        assert time.monotonic() < give_up, "a closed stream is never given back"
        time.sleep(0.2)
    again.close()


def assert_room_is_left_for_others(address: str, tournament: int) -> None:
    open_streams = [listen(address, tournament) for _ in range(MOST)]
    refused = listen(address, tournament)
    assert refused.status_code == 503
    assert (refused.json()["code"], refused.headers["Retry-After"]) == ("arena/busy", "5")
    assert requests.get(f"{address}/healthz", timeout=15).status_code == 200
    open_streams.pop().close()
    give_up = time.monotonic() + 30
    while (again := listen(address, tournament)).status_code == 503:
        assert time.monotonic() < give_up, "a closed stream is never given back"
        time.sleep(0.2)
    for answer in (*open_streams, again):
        answer.close()


def assert_silence_is_broken(address: str, tournament: int) -> None:
    give_up = time.monotonic() + 30
    while (answer := listen(address, tournament)).status_code == 503:      # those of before are still being given back
        assert time.monotonic() < give_up
    with answer:
        begin = time.monotonic()
        pings = (message for message in messages(answer) if message.kind == "comment")
        for _ in range(4):
            next(pings)
    assert 2 < time.monotonic() - begin < 15


def test_all_watchers_share_what_is_read(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "POLL_SECONDS", 3600)
    feed = Feed(store, add_tournament(store))
    with counted_queries() as queries:
        for _ in range(50):
            feed.moment()
            assert feed.after(0) == ()
    assert len(queries) <= 4, queries


def test_a_feed_has_no_gap_where_its_memory_ends(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "POLL_SECONDS", 0)
    tournament = add_tournament(store)
    feed = Feed(store, tournament)
    monkeypatch.setattr(feed, "_newest", type(feed._newest)(maxlen=5))
    assert feed.moment().last == 0
    field.play_out(store, field.Moment())
    last = feed.moment().last
    with store.read() as tx:
        assert last == tx.scalar(select(func.count()).select_from(events))
    for begin in range(last):
        numbers = [event.number for event in feed.after(begin)]
        assert numbers == list(range(begin + 1, last + 1)), begin


def test_numbers_become_visible_in_order(any_store: Store) -> None:
    """Reports that come in at once never let a watcher see a number before the one below it."""
    tournament = add_tournament(any_store)
    post, moment = field.Post(), field.Moment()
    field.dispatch.register_worker(any_store, "w1", MATCHES, "none", moment)
    field.dispatch.tick(any_store, post, moment)
    assignments = [assignment for batch in post.batches for assignment in field.claim(any_store, batch)]
    plays = [(assignment, field.play(assignment.setup)) for assignment in assignments]
    assert len(plays) > 4
    portions = [plays[start::4] for start in range(4)]

    def report(portion: list[Any]) -> None:
        for assignment, played in portion:
            field.results.ingest(any_store, assignment, played, 100, field.Moment())

    reporters = [threading.Thread(target=report, args=(portion,)) for portion in portions]
    for reporter in reporters:
        reporter.start()
    seen: list[int] = []
    while True:
        is_last_look = not any(reporter.is_alive() for reporter in reporters)
        seen += [event.number for event in live.events_after(any_store, tournament, len(seen))]
        assert seen == list(range(1, len(seen) + 1))
        if is_last_look:
            break
    assert len(seen) >= len(plays)


def test_only_a_tournament_there_is_can_be_followed(nobody: Person, store: Store) -> None:
    assert nobody.get("/tournaments/7/events").status_code == 404
    assert nobody.get("/tournaments/7/events?after=-1").status_code == 422
    tournament = add_tournament(store)
    assert nobody.call("HEAD", f"/tournaments/{tournament}/events").status_code == 200
    assert [nobody.get("/tournaments/7/events").status_code for _ in range(MOST + 1)] == [404] * (MOST + 1)
