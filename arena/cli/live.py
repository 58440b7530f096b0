"""Following a tournament on a server: told by it as things happen, asked where it cannot tell."""

import json
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from arena.errors import Refused, ServerAway

if TYPE_CHECKING:
    from arena.cli.client import Client

POLL_SECONDS = 0.5
ENDED = ("finished", "cancelled")


def moments(client: "Client", number: int, sleep: Callable[[float], None] = time.sleep) -> Iterator[Any]:
    """The tournament whenever it has come further, the last time when it has ended.

    A stream that breaks is taken up again behind the last event that came; a server that has none is asked instead.
    """
    last = ""
    while True:
        for kind, identity, body in _heard(client, number, last):
            last = identity or last
            if kind in ("progress", "end"):
                yield body["tournament"]
            if kind == "end":
                return
        tournament = client.get(f"/tournaments/{number}")       # says so when the server is gone
        yield tournament
        if tournament["state"] in ENDED:
            return
        sleep(POLL_SECONDS)


def _heard(client: "Client", number: int, last: str) -> Iterator[tuple[str, str, Any]]:
    """Kind, id and body of each event, until the stream breaks; none when there is no stream."""
    try:
        with client.stream(f"/tournaments/{number}/events", last) as lines:
            yield from _events(lines)
    except (Refused, ServerAway):
        return


def _events(lines: Iterator[str]) -> Iterator[tuple[str, str, Any]]:
    """Server-sent events out of their lines; comments are passed over."""
    told: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(":")
        if line and name:
            told[name] = value.removeprefix(" ")
        elif not line and "data" in told:
            yield told.get("event", "message"), told.get("id", ""), json.loads(told["data"])
            told = {}
        elif not line:
            told = {}
