"""Calls to Redis: the one way there, what it costs to wait for an answer, and whom it is that answers."""

import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import redis
from hiredis import pack_command
from redis.backoff import NoBackoff
from redis.exceptions import NoScriptError, ResponseError
from redis.retry import Retry

from arena.errors import BoardsUnavailable

CONNECT_SECONDS = 0.5
ANSWER_SECONDS = 1.0


class Script:
    """What runs inside Redis as one step, and the hash by which a server knows it that has run it before."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.hash = hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()


class RedisCalls:
    """One call after another, from any number of threads; each answers within about two seconds or raises.

    Connections are redis-py's own and are kept here: its client takes three times as long for a call as they do.
    """

    def __init__(self, url: str) -> None:
        self._pool = redis.ConnectionPool.from_url(url, decode_responses=True, **client_options())
        self._idle: list[Any] = []      # appending and popping are one step each, so that threads need no lock
        self._process = os.getpid()

    def call(self, *command: str | int) -> Any:
        """What Redis answers to a command; raises `BoardsUnavailable`."""
        with _redis_errors():
            return self._exchange(command)

    def run(self, script: Script, key: str, arguments: Sequence[str]) -> Any:
        """What a script answers, sent whole only to a server that does not know it; raises `BoardsUnavailable`."""
        with _redis_errors():
            try:
                return self._exchange(("EVALSHA", script.hash, 1, key, *arguments))
            except NoScriptError:
                return self._exchange(("EVAL", script.text, 1, key, *arguments))

    def close(self) -> None:
        """Close the connections; the next call opens a new one."""
        while self._idle:
            self._idle.pop().disconnect()

    def _exchange(self, command: Any) -> Any:
        connection = self._take()
        try:
            connection.send_packed_command((pack_command(command),))
            answer = connection.read_response()
        except ResponseError:                       # a refusal is an answer, too
            self._idle.append(connection)
            raise
        except BaseException:                       # also a signal's: the next one here would read what this one asked
            connection.disconnect()
            raise
        self._idle.append(connection)
        return answer

    def _take(self) -> Any:
        if self._process != os.getpid():            # a fork must not read its parent's answers
            self._idle, self._process = [], os.getpid()
        try:
            connection = self._idle.pop()
        except IndexError:
            return self._pool.connection_class(**self._pool.connection_kwargs)     # it would count them, for ever
        if connection.is_connected and _has_ended(connection):
            connection.disconnect()
        return connection


def client_options() -> dict[str, Any]:
    """How long any client of ours waits for Redis; without them it would try for a minute."""
    return {
        "socket_connect_timeout": CONNECT_SECONDS,
        "socket_timeout": ANSWER_SECONDS,
        "retry": Retry(NoBackoff(), 0),
    }


def server_process_id(url: str) -> int:
    """Which process answers there, so that nobody takes a stranger's server for their own."""
    with _redis_errors(), redis.Redis.from_url(url, **client_options()) as client:
        return int(client.info("server")["process_id"])


def _has_ended(connection: Any) -> bool:
    """Whether the server has hung up since the last call: between calls nothing else is to be read."""
    try:
        return bool(connection.can_read())
    except (redis.RedisError, OSError):
        return True


@contextmanager
def _redis_errors() -> Iterator[None]:
    try:
        yield
    except (redis.RedisError, OSError) as error:
        raise BoardsUnavailable("Redis does not answer; leaderboards come from the database meanwhile.") from error
