"""A server's API as typed calls: retries what is worth it, and turns every failure into one sentence.

Paths and shapes are those of `/api/openapi.json`; only the fields the command line reads are named here.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypedDict, cast

import requests
from urllib3.exceptions import ProtocolError

from arena.cli.console import note
from arena.cli.paths import segment
from arena.cli.profile import not_signed_in
from arena.errors import Refused, ServerAway

CONNECT_SECONDS = 5.0
READ_SECONDS = 30.0
RETRY_STATUS = (429, 503)  # both say when to come back, and have changed nothing
MAX_RETRY_SECONDS = 60.0

Package = tuple[str, bytes]  # (file name, content)


class Login(TypedDict):
    """A user's name, and a token that is shown this once."""

    name: str
    token: str


class Bot(TypedDict):
    """A bot; `active_version` is the one that plays."""

    name: str
    owner: str
    game: str
    is_open: bool
    retired_at: str | None
    active_version: int | None
    latest_version: int


class Version(TypedDict):
    """One version of a bot; `state` is checking, active, rejected, unchecked or parked."""

    bot: str
    number: int
    state: str
    fault_kind: str | None
    fault_message: str | None
    import_ms: int | None


class Client:
    """One server, and one user there (or nobody: everybody may read)."""

    def __init__(
        self,
        server: str,
        token: str = "",
        *,
        sleep: Callable[[float], None] = time.sleep,
        say: Callable[[str], None] = note,
    ) -> None:
        self.server = server
        self._session = requests.Session()
        if token:
            self._session.headers["Authorization"] = f"Bearer {token}"
        self._sleep = sleep
        self._say = say

    def register(self, name: str, password: str) -> Login:
        """A new user, with a first token."""
        return cast(Login, self._call("POST", "/users", json={"name": name, "password": password}))

    def sign_in(self, name: str, password: str, label: str) -> Login:
        """A new token for a user there is."""
        return cast(Login, self._call("POST", "/tokens", auth=(name, password), json={"name": label}))

    def get(self, path: str, **query: object) -> Any:
        """What stands at a path; query values that are None are left out."""
        return self._call("GET", path, params={name: value for name, value in query.items() if value is not None})

    def post(self, path: str, body: Mapping[str, object] | None = None) -> Any:
        """Have something done."""
        return self._call("POST", path, json=dict(body or {}))

    def delete(self, path: str) -> None:
        """Have something ended."""
        self._call("DELETE", path)

    def text(self, path: str) -> str:
        """What stands at a path, as text."""
        return self._answer("GET", path, headers={"Accept": "text/plain"}).text

    @contextmanager
    def stream(self, path: str, last: str = "") -> Iterator[Iterator[str]]:
        """The lines of a stream of events, from behind the event called `last`, until it ends or breaks.

        Raises: Refused when there is none at this moment, ServerAway when the connection is lost.
        """
        headers = {"Accept": "text/event-stream"} | ({"Last-Event-ID": last} if last else {})
        with self._send("GET", path, {"headers": headers, "stream": True}) as response:
            if not response.ok or not response.headers.get("Content-Type", "").startswith("text/event-stream"):
                raise self._refusal(response)
            response.encoding = "utf-8"
            try:
                yield response.iter_lines(chunk_size=4096, decode_unicode=True)
            except requests.RequestException as error:
                raise ServerAway(f"the arena at {self.server} stopped telling: {error}") from error

    def record(self, match: int) -> Any:
        """A match's whole record, as JSON (`text` gives the other form)."""
        return self._call("GET", f"/matches/{match}/record", headers={"Accept": "application/json"})

    def items(self, path: str, limit: int | None = None, **query: object) -> Iterator[Any]:
        """Every item of a list, page by page, up to `limit`."""
        cursor: str | None = None
        given = 0
        while limit is None or given < limit:
            page = self.get(path, cursor=cursor, limit=min(200, 200 if limit is None else limit - given), **query)
            yield from page["items"]
            given += len(page["items"])
            cursor = page["next"]
            if cursor is None:
                return

    def submit(self, name: str, game: str, package: Package) -> Bot:
        """A new bot, with its first version."""
        return cast(Bot, self._upload("/bots", package, {"name": name, "game": game}))

    def change(self, path: str, body: Mapping[str, object]) -> Any:
        """Change what stands at a path."""
        return self._call("PATCH", path, json=body)

    def submit_version(self, name: str, package: Package) -> Version:
        """A new version of one's own bot."""
        return cast(Version, self._upload(f"/bots/{segment(name)}/versions", package, {}))

    def _upload(self, path: str, package: Package, fields: Mapping[str, str]) -> Any:
        return self._call("POST", path, data=dict(fields), files={"file": package})

    def _call(self, method: str, path: str, **options: Any) -> Any:
        response = self._answer(method, path, **options)
        if response.status_code == 204:
            return None
        try:
            return response.json()
        except ValueError:
            raise self._no_arena(response) from None

    def _answer(self, method: str, path: str, **options: Any) -> requests.Response:
        give_up = time.monotonic() + MAX_RETRY_SECONDS
        while True:
            response = self._send(method, path, options)
            if response.ok:
                return response
            pause = _pause(response)
            if response.status_code not in RETRY_STATUS or time.monotonic() + pause > give_up:
                raise self._refusal(response)
            self._say(f"{self.server} asks to wait {pause:.0f} s: {_reason(response)}")
            self._sleep(pause)

    def _send(self, method: str, path: str, options: dict[str, Any]) -> requests.Response:
        url = f"{self.server}/api/v1{path}"
        try:
            return self._session.request(method, url, timeout=(CONNECT_SECONDS, READ_SECONDS), **options)
        except requests.exceptions.SSLError as error:
            raise ServerAway(self._no_tls(error)) from error
        except requests.ConnectionError as error:
            if _was_hung_up(error):
                raise ServerAway(
                    f"{self.server} hung up without an answer. {self._other_scheme()}, or again later."
                ) from error
            raise ServerAway(
                f"no arena answers at {self.server}. Start one with `arena up`, or name another with `--server`."
            ) from error
        except requests.Timeout as error:
            raise ServerAway(
                f"the arena at {self.server} did not answer within {READ_SECONDS:.0f} seconds; try again later."
            ) from error
        except requests.RequestException as error:
            raise ServerAway(
                f"{self.server} cannot be asked: {error}. Check the address given with `--server`."
            ) from error

    def _no_tls(self, error: requests.exceptions.SSLError) -> str:
        """What went wrong before anything was asked over https."""
        if "CERTIFICATE_VERIFY_FAILED" in str(error):
            return (
                f"the certificate of {self.server} is not trusted here. Check the address; if it is yours, name a file "
                "with its issuer in REQUESTS_CA_BUNDLE."
            )
        return f"no https is spoken at {self.server}. {self._other_scheme()}."

    def _other_scheme(self) -> str:
        scheme, _, host = self.server.partition("://")
        return f"Try `--server {'https' if scheme == 'http' else 'http'}://{host}`"

    def _refusal(self, response: requests.Response) -> Refused | ServerAway:
        problem = _problem(response)
        if problem is None:
            return self._no_arena(response)
        detail = _reason(response)
        if response.status_code == 401:
            detail = self._who_is_unknown(response.request.headers.get("Authorization", ""), detail)
        return Refused(
            detail, status=response.status_code, answer_code=str(problem["code"]), field=problem.get("field")
        )

    def _who_is_unknown(self, sent: str, detail: str) -> str:
        """What to do, for the command line; a wrong password the server explains well."""
        if not sent:
            return not_signed_in(self.server)
        if sent.startswith("Bearer "):
            return (
                f"your token is not valid at {self.server}, or not any more. "
                f"Run `arena login NAME --server {self.server}`, or give another ARENA_TOKEN."
            )
        return detail

    def _no_arena(self, response: requests.Response) -> ServerAway:
        return ServerAway(
            f"{self.server} answered {response.status_code} and does not speak like an arena. "
            f"Check the address given with `--server`."
        )


def _was_hung_up(error: requests.ConnectionError) -> bool:
    """Whether somebody was there, such as a server that waits for https, but gave no answer over HTTP."""
    return bool(error.args) and isinstance(error.args[0], ProtocolError)


def _pause(response: requests.Response) -> float:
    try:
        return max(0.1, float(response.headers.get("Retry-After", "1")))
    except ValueError:
        return 1.0


def _reason(response: requests.Response) -> str:
    """What the server says of its refusal."""
    problem = _problem(response) or {}
    return str(problem.get("detail") or problem.get("title") or "the server gave no reason")


def _problem(response: requests.Response) -> dict[str, Any] | None:
    try:
        body = response.json()
    except ValueError:
        return None
    return body if isinstance(body, dict) and "code" in body else None
