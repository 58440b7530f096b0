"""The Celery application: which queues there are, and how a message is treated. What is done with one: tasks.py.

    celery -A workers.celery_app worker -Q play -P prefork -c 2                 plays matches
    celery -A workers.celery_app worker -B -Q control -P solo -c 1              keeps dispatch going; one of these
"""

import os
import time
from datetime import UTC, datetime, timedelta
from typing import Any

from celery import Celery
from celery.schedules import schedule

from arena.settings import Settings

PLAY, CONTROL = "play", "control"
TICK_SECONDS = 1.0
PLAY_TASK, TICK_TASK = "workers.tasks.play", "workers.tasks.tick"


def steady_now() -> datetime:
    """A time that goes on evenly; by the one that can be set, ticks would stop when somebody puts the clock back."""
    return datetime(2000, 1, 1, tzinfo=UTC) + timedelta(seconds=time.monotonic())


def configuration(settings: Settings) -> dict[str, Any]:
    """Celery's settings; correctness does not hang on any of them, only on the database."""
    return {
        "broker_url": settings.celery_broker_url,
        "broker_transport_options": _transport_options(settings.celery_broker_url),
        "broker_connection_retry_on_startup": True,
        "broker_connection_max_retries": None,
        "task_serializer": "json",
        "accept_content": ["json"],
        "task_ignore_result": True,
        "task_acks_late": True,
        "task_default_queue": PLAY,
        "task_routes": {PLAY_TASK: {"queue": PLAY}, TICK_TASK: {"queue": CONTROL}},
        "worker_prefetch_multiplier": 1,
        "worker_soft_shutdown_timeout": 8,
        "worker_max_tasks_per_child": 500,
        "worker_hijack_root_logger": False,
        "worker_redirect_stdouts": False,
        "worker_proc_alive_timeout": 60,        # a process proves its sandbox before it says that it is up
        "worker_cancel_long_running_tasks_on_connection_loss": False,      # a match ends without the queue, too
        "beat_scheduler": "celery.beat:Scheduler",                         # in memory: there is nothing to remember
        "beat_schedule": {
            "tick": {
                "task": TICK_TASK,
                "schedule": schedule(TICK_SECONDS, nowfun=steady_now),
                "options": {"expires": TICK_SECONDS},       # dropped when the next one is due, so none pile up
            }
        },
    }


def _transport_options(broker_url: str) -> dict[str, Any]:
    if not broker_url.startswith(("redis://", "rediss://", "redis+socket://")):
        return {}
    return {
        "visibility_timeout": 3600,             # a message delivered again finds nothing to claim
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
        "health_check_interval": 10,
        "socket_timeout": 15,
        "socket_connect_timeout": 3,
        "socket_keepalive": True,
    }


app = Celery("arena", include=["workers.tasks"])
app.conf.update(configuration(Settings.from_environment(os.environ)))

import workers.lifecycle  # noqa: E402, F401  (its handlers have to be there before a worker starts)
