"""The Celery application: its settings, and that every task it names is there."""

import ast
import inspect
import time
from datetime import UTC, datetime, timedelta

import pytest
from celery.beat import Scheduler

from arena.settings import Settings
from workers import tasks
from workers.celery_app import CONTROL, PLAY, TICK_SECONDS, app, configuration


def test_every_beat_entry_and_every_route_names_a_task() -> None:
    named = {entry["task"] for entry in app.conf.beat_schedule.values()} | set(app.conf.task_routes)
    assert named == {tasks.tick.name, tasks.play.name}


def test_ticks_never_wait_behind_matches_and_never_pile_up() -> None:
    (entry,) = app.conf.beat_schedule.values()
    assert app.conf.task_routes[entry["task"]] == {"queue": CONTROL}
    assert app.conf.task_routes[tasks.play.name] == {"queue": PLAY}
    assert entry["options"]["expires"] <= entry["schedule"].run_every.total_seconds()


def test_ticks_go_on_when_the_clock_is_put_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """As beat does it: what it knows of the last one was noted before the jump."""
    entry = Scheduler(app).schedule["tick"]
    later, clock = time.monotonic() + TICK_SECONDS, datetime.now(UTC) - timedelta(hours=1)
    monkeypatch.setattr("celery.app.base.datetime", type("PutBack", (), {"now": lambda zone: clock}))
    monkeypatch.setattr("time.monotonic", lambda: later)
    assert entry.is_due().is_due


@pytest.mark.parametrize("url", ["redis://127.0.0.1:6379/0", "rediss://127.0.0.1:6379/0"])
def test_options_of_redis_go_to_redis(url: str) -> None:
    options = configuration(Settings(redis_url=url))["broker_transport_options"]
    assert options["visibility_timeout"] == 3600
    assert options["socket_timeout"] == 15


def test_another_broker_gets_no_options_of_redis() -> None:
    settings = Settings(broker_url="amqp://guest@127.0.0.1//")
    chosen = configuration(settings)
    assert chosen["broker_url"] == "amqp://guest@127.0.0.1//"
    assert chosen["broker_transport_options"] == {}


def test_messages_are_acknowledged_late_taken_singly_and_json() -> None:
    assert app.conf.task_acks_late
    assert app.conf.worker_prefetch_multiplier == 1
    assert app.conf.task_ignore_result
    assert app.conf.result_backend is None
    assert app.conf.accept_content == ["json"]


def test_tasks_are_short() -> None:
    functions = [node for node in ast.parse(inspect.getsource(tasks)).body if isinstance(node, ast.FunctionDef)]
    assert {node.name for node in functions} >= {"play", "tick"}
    for node in functions:
        assert node.end_lineno is not None
        assert node.end_lineno - node.lineno < 10, f"{node.name} is long; its work belongs into a service"
