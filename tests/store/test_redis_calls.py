"""Calls to Redis on a real server: kept connections, whatever becomes of the server, the thread or the process."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from redis.connection import AbstractConnection

from arena.errors import BoardsUnavailable
from arena.store.redis_calls import RedisCalls, Script, server_process_id
from tests.support.redis_server import RedisServer, running_redis

pytestmark = pytest.mark.services


@pytest.fixture
def calls(empty_redis: RedisServer) -> Iterator[RedisCalls]:
    opened = RedisCalls(empty_redis.url)
    yield opened
    opened.close()


def connections(server: RedisServer) -> int:
    with server.client() as client:
        return len(client.client_list()) - 1


def test_a_call_after_a_restart_needs_no_second_try(redis_url: str) -> None:
    assert redis_url
    with running_redis() as server:
        calls = RedisCalls(server.url)
        before = int(calls.call("INCR", "number"))
        server.stop()
        server.start()
        assert calls.call("PING") == "PONG"
        assert before == 1
        calls.close()


def test_a_script_is_sent_to_a_server_that_does_not_know_it(
    calls: RedisCalls, redis_server_of_the_session: RedisServer
) -> None:
    script = Script("return {KEYS[1], #ARGV, false, redis.call('INCR', KEYS[1])}")
    with redis_server_of_the_session.client() as client:
        for number in (1, 2, 3):
            assert calls.run(script, "counted", ["one", "two"]) == ["counted", 2, None, number]
            if number == 2:
                client.script_flush()


def test_what_redis_refuses_is_told_and_the_connection_goes_on(calls: RedisCalls) -> None:
    calls.call("SET", "text", "é\n")
    for _ in range(3):
        with pytest.raises(BoardsUnavailable):
            calls.call("LPUSH", "text", "x")
        assert calls.call("GET", "text") == "é\n"


def test_threads_never_get_each_others_answers(calls: RedisCalls, redis_server_of_the_session: RedisServer) -> None:
    before = connections(redis_server_of_the_session)
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda number: calls.call("ECHO", str(number)), range(2000)))
    assert answers == [str(number) for number in range(2000)]
    assert 1 <= connections(redis_server_of_the_session) - before <= 8


def test_who_is_interrupted_before_the_answer_leaves_it_to_nobody(
    calls: RedisCalls, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert calls.call("ECHO", "warm") == "warm"
    send = AbstractConnection.send_packed_command

    def interrupted(connection: AbstractConnection, command: list[bytes]) -> None:
        send(connection, command)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(AbstractConnection, "send_packed_command", interrupted)
        with pytest.raises(KeyboardInterrupt):
            calls.call("BLPOP", "empty", "0.5")         # answered when the next call has been sent
    assert calls.call("ECHO", "yours") == "yours"


def test_connections_are_opened_and_closed_without_end(calls: RedisCalls) -> None:
    for number in range(150):
        assert calls.call("ECHO", str(number)) == str(number)
        calls.close()


def test_a_fork_opens_a_connection_of_its_own(calls: RedisCalls) -> None:
    ours = calls.call("CLIENT", "ID")
    child = os.fork()
    if child == 0:
        same = True
        try:
            same = calls.call("CLIENT", "ID") == ours
        finally:
            os._exit(int(same))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert calls.call("CLIENT", "ID") == ours


def test_who_answers_is_known(redis_server_of_the_session: RedisServer) -> None:
    assert server_process_id(redis_server_of_the_session.url) == redis_server_of_the_session.process.pid
