"""Tournaments live: server-sent events, to be taken up again after the last one that arrived.

`result` and `rating` events have numbers as their ids, 1, 2, 3 … without a gap in each tournament.  `progress` says
how far it is, and is no event of its own: the first one bears the number from which the stream goes on.
"""

import json
import time
from collections.abc import Iterator
from typing import Any

from flask import Response, request

from arena.errors import NotFound, StoreUnavailable
from arena.services.live import Moment
from arena.store.events import RATING, Event
from arena.store.tournaments import ENDED
from web.api.blueprint import Noun
from web.api.schemas.events import EventsQuery, ProgressAnswer, RatingEvent
from web.api.schemas.matches import MatchAnswer
from web.streams import POLL_SECONDS, Feed, streams

blueprint = Noun("events", "Tournaments live.")

PING_SECONDS = 1.0              # a connection that is gone shows only when something is written
RECONNECT_MS = 1000


@blueprint.get("/tournaments/<id:tournament_id>/events")
@blueprint.bounded
@blueprint.arguments(EventsQuery, location="query")
@blueprint.response(200, {"type": "string"}, content_type="text/event-stream")
@blueprint.fails(NotFound)
def follow(query: dict[str, Any], tournament_id: int) -> Response:
    """Follow a tournament to its end, as server-sent events; `Last-Event-ID` (or `after`) takes up where one was."""
    open_streams = streams()
    address = request.remote_addr or "unknown"
    feed = open_streams.open(tournament_id, address)
    try:
        begin = feed.moment()
    except BaseException:
        open_streams.close(tournament_id, address)
        raise
    told = min(_last_seen(query["after"], begin.last), begin.last)
    lines = () if request.method == "HEAD" else _told(feed, begin, told)
    response = Response(lines, mimetype="text/event-stream")
    response.call_on_close(lambda: open_streams.close(tournament_id, address))
    response.headers["Cache-Control"] = "no-cache"
    response.headers["X-Accel-Buffering"] = "no"
    return response


def _last_seen(after: int | None, newest: int) -> int:
    """The header wins over the address, which stays the same when a browser connects again."""
    sent = request.headers.get("Last-Event-ID", "")
    if sent.isascii() and sent.isdigit() and len(sent) < 18:
        return int(sent)
    return newest if after is None else after


def _told(feed: Feed, begin: Moment, told: int) -> Iterator[str]:
    yield f"retry: {RECONNECT_MS}\n\n"
    shown = _progress(begin)
    yield _message("progress", shown, told)
    spoken = time.monotonic()
    while True:
        try:
            moment = feed.moment()
            for event in feed.after(told):
                yield _event(event)
                told, spoken = event.number, time.monotonic()
            if (progress := _progress(moment)) != shown:
                shown, spoken = progress, time.monotonic()
                yield _message("progress", shown)
            if moment.tournament.state in ENDED and told >= moment.last:
                yield _message("end", shown)
                return
        except StoreUnavailable:
            pass                        # it comes back, and the watcher need not know
        if time.monotonic() - spoken >= PING_SECONDS:
            spoken = time.monotonic()
            yield ": ping\n\n"
        time.sleep(POLL_SECONDS)


def _event(event: Event) -> str:
    if event.kind == RATING:
        body = RatingEvent().dump({"match_id": event.match.id, "changes": event.changes})
    else:
        body = MatchAnswer().dump(event.match)
    return _message(event.kind, _json(body), event.number)


def _progress(moment: Moment) -> str:
    return _json(ProgressAnswer().dump({"tournament": moment.tournament, "running": moment.running}))


def _json(body: Any) -> str:
    return json.dumps(body, separators=(",", ":"))


def _message(kind: str, body: str, number: int | None = None) -> str:
    """One server-sent event; JSON has no line breaks of its own."""
    identity = "" if number is None else f"id: {number}\n"
    return f"{identity}event: {kind}\ndata: {body}\n\n"
