"""The client against a server that answers as scripted: retries, and one sentence for every failure."""

import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from arena.cli.client import Client
from arena.errors import Refused, ServerAway

PROBLEM = "application/problem+json"


class Script:
    """Answers in order; keeps what was asked."""

    def __init__(self) -> None:
        self.answers: list[tuple[int, dict[str, str], str]] = []
        self.asked: list[tuple[str, str, str]] = []
        self.slept: list[float] = []
        self.said: list[str] = []

    def answer(self, status: int, body: Any, kind: str = "application/json", **headers: str) -> None:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.answers.append(
            (status, {"Content-Type": kind, **named}, body if isinstance(body, str) else json.dumps(body))
        )


@pytest.fixture
def script() -> Script:
    return Script()


@pytest.fixture
def client(script: Script) -> Iterator[Client]:
    class Handler(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode(errors="replace")
            script.asked.append((self.command, self.path, body))
            status, headers, text = script.answers.pop(0)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(text.encode())))
            self.end_headers()
            self.wfile.write(text.encode())

        do_GET = do_POST = do_DELETE = _answer

        def log_message(self, *words: object) -> None:
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield Client(
        f"http://127.0.0.1:{server.server_port}", "secret", sleep=script.slept.append, say=script.said.append
    )
    server.shutdown()
    server.server_close()


def test_busy_is_tried_again_when_the_server_says_so(client: Client, script: Script) -> None:
    script.answer(503, {"code": "arena/store", "detail": "locked"}, PROBLEM, Retry_After="3")
    script.answer(503, {"code": "arena/store", "detail": "locked"}, PROBLEM)
    script.answer(201, {"id": 1})

    assert client.post("/tournaments", {"name": "winter"}) == {"id": 1}
    assert script.slept == [3, 1]
    assert [asked[0:2] for asked in script.asked] == [("POST", "/api/v1/tournaments")] * 3


def test_waiting_is_told_with_its_length_and_reason(client: Client, script: Script) -> None:
    why = "Too many requests: 10 per minute are answered here. Try again in 31 seconds."
    script.answer(429, {"code": "request/rate-limited", "detail": why}, PROBLEM, Retry_After="31")
    script.answer(200, {"name": "kofi"})

    assert client.get("/me") == {"name": "kofi"}
    assert script.said == [f"{client.server} asks to wait 31 s: {why}"]
    assert script.slept == [31]


def test_busy_for_too_long_is_said(client: Client, script: Script) -> None:
    script.answer(503, {"code": "arena/store", "detail": "The database is locked."}, PROBLEM, Retry_After="600")

    with pytest.raises(Refused, match=r"The database is locked\."):
        client.get("/me")
    assert (script.slept, script.said) == ([], [])


def test_a_problem_becomes_its_sentence_code_and_field(client: Client, script: Script) -> None:
    script.answer(
        422, {"code": "rules/unknown-game", "detail": "no game is called 'chess'", "field": "ruleset"}, PROBLEM
    )

    with pytest.raises(Refused, match="no game is called 'chess'") as caught:
        client.get("/leaderboards/chess")
    assert (caught.value.status, caught.value.answer_code, caught.value.field) == (422, "rules/unknown-game", "ruleset")


def test_what_is_no_arena_is_recognised(client: Client, script: Script) -> None:
    script.answer(404, "<html>nginx</html>", "text/html")

    with pytest.raises(ServerAway, match="does not speak like an arena"):
        client.get("/me")


def test_a_page_instead_of_an_answer_is_recognised(client: Client, script: Script) -> None:
    script.answer(200, "welcome", "text/html")

    with pytest.raises(ServerAway, match="does not speak like an arena"):
        client.get("/me")


def test_nobody_there_says_how_to_start_one() -> None:
    with pytest.raises(ServerAway, match="Start one with `arena up`"):
        Client("http://127.0.0.1:1").get("/me")


def test_an_address_that_is_none_is_said() -> None:
    with pytest.raises(ServerAway, match="--server"):
        Client("http://[").get("/me")


def test_lists_are_read_page_by_page_up_to_the_limit(client: Client, script: Script) -> None:
    script.answer(200, {"items": list(range(200)), "next": "more"})
    script.answer(200, {"items": [200, 201], "next": "even more"})

    assert len(list(client.items("/bots", limit=202))) == 202
    assert [asked[1] for asked in script.asked] == [
        "/api/v1/bots?limit=200",
        "/api/v1/bots?cursor=more&limit=2",
    ]


@pytest.mark.parametrize(
    ("answer", "scheme", "says"),
    [
        (b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", "https", "Try `--server http://127.0.0.1:"),
        (b"\x15\x03\x01\x00\x02\x02\x46", "http", "Try `--server https://127.0.0.1:"),    # an alert of TLS
        (b"", "http", "hung up without an answer. Try `--server https://127.0.0.1:"),
    ],
)
def test_the_other_scheme_is_offered_where_this_one_is_not_spoken(answer: bytes, scheme: str, says: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def reply() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(65_536)
                connection.sendall(answer)

        thread = threading.Thread(target=reply, daemon=True)
        thread.start()
        client = Client(f"{scheme}://127.0.0.1:{listening.getsockname()[1]}")
        with pytest.raises(ServerAway) as away:
            client.get("/me")
        thread.join()
    assert says in str(away.value)
