"""Following a tournament: by events, taken up where they broke off; by asking where there are none."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from arena.cli import live
from arena.cli.client import Client
from arena.errors import Refused

STREAM, JSON, PROBLEM = "text/event-stream", "application/json", "application/problem+json"


class Server:
    """Answers in order, and keeps what was asked, with the event behind which it was asked to go on."""

    def __init__(self) -> None:
        self.answers: list[tuple[int, str, str]] = []
        self.asked: list[tuple[str, str | None]] = []
        self.slept: list[float] = []
        self.client: Client

    def moments(self) -> list[Any]:
        return list(live.moments(self.client, 7, self.slept.append))


@pytest.fixture
def server() -> Iterator[Server]:
    kept = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            kept.asked.append((self.path.removeprefix("/api/v1"), self.headers.get("Last-Event-ID")))
            status, kind, text = kept.answers.pop(0)
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *words: object) -> None:
            """Say nothing."""

    http = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=http.serve_forever, daemon=True).start()
    kept.client = Client(f"http://127.0.0.1:{http.server_port}")
    yield kept
    http.shutdown()


def tournament(finished: int, state: str = "running") -> dict[str, Any]:
    return {"name": "cup", "state": state, "finished": finished, "void": 0, "match_count": 3}


def told(kind: str, body: Any, number: int | None = None) -> str:
    identity = "" if number is None else f"id: {number}\n"
    return f"{identity}event: {kind}\ndata: {json.dumps(body)}\n\n"


def test_a_broken_stream_is_taken_up_behind_its_last_event(server: Server) -> None:
    server.answers = [
        (200, STREAM, "retry: 1000\n\n" + told("progress", {"tournament": tournament(0)}, 0) + ": ping\n\n"
         + told("result", {"id": 1}, 1) + told("rating", {"match_id": 1}, 2) + "id: 3\nevent: result\ndata: {"),
        (200, JSON, json.dumps(tournament(1))),
        (200, STREAM, told("progress", {"tournament": tournament(2)}, 2) + told("end", {
            "tournament": tournament(3, "finished")
        })),
    ]
    assert [moment["finished"] for moment in server.moments()] == [0, 1, 2, 3]
    stream = "/tournaments/7/events"
    assert server.asked == [(stream, None), ("/tournaments/7", None), (stream, "2")]
    assert server.slept == [live.POLL_SECONDS]


@pytest.mark.parametrize("refusal", [(503, PROBLEM, '{"code": "arena/busy", "detail": "too many"}'), (404, JSON, "{}"),
                                     (200, "text/html", "<p>a proxy</p>")])
def test_without_a_stream_the_server_is_asked(server: Server, refusal: tuple[int, str, str]) -> None:
    server.answers = [
        refusal, (200, JSON, json.dumps(tournament(1))), refusal, (200, JSON, json.dumps(tournament(3, "cancelled"))),
    ]
    assert [moment["finished"] for moment in server.moments()] == [1, 3]


def test_a_tournament_there_is_not_is_said_to_be_missing(server: Server) -> None:
    missing = (404, PROBLEM, '{"code": "request/not-found", "detail": "There is no tournament 7."}')
    server.answers = [missing, missing]
    with pytest.raises(Refused, match="There is no tournament 7"):
        server.moments()
