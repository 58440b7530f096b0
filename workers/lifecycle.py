"""A worker from start to stop: it proves its sandbox before it takes anything, says that it lives, and drains.

Handlers of Celery's signals; `workers.celery_app` imports them.
"""

import sys
from collections.abc import Callable
from typing import Any

import structlog
from billiard import current_process  # type: ignore[import-untyped]  # Celery's multiprocessing ships no types
from celery import bootsteps, platforms, signals

from arena.errors import ArenaFault, SandboxUnavailable, StoreUnavailable
from arena.sandbox.player import pin_to_one_core
from arena.services import dispatch
from arena.store.session import Store
from workers import logs, process
from workers.celery_app import CONTROL, PLAY, app
from workers.listening import Listener

PRESENT_SECONDS = 5.0
CANNOT_PLAY = 78                # exit code: a restart alone will not help

log = structlog.get_logger()


class Role:
    """What this worker was started for; set in the main process, inherited by those that play."""

    plays = False
    dispatches = False
    tier = ""


@signals.setup_logging.connect
def _configure_logs(**_: Any) -> None:
    logs.configure(process.settings().log_level)


@signals.after_task_publish.connect
def _notice_that_the_queue_answers(**_: Any) -> None:
    logs.outage.end()


@signals.celeryd_init.connect
def _prove_the_sandbox(options: dict[str, Any], **_: Any) -> None:
    """Before any process is forked; a worker that cannot play ends here, and has taken nothing."""
    queues = options.get("queues") or PLAY
    names = queues.split(",") if isinstance(queues, str) else queues
    Role.plays, Role.dispatches = PLAY in names, CONTROL in names
    if not Role.plays:
        return
    try:
        Role.tier = process.sandbox().tier
    except ArenaFault as fault:
        print(f"This worker takes no matches: {fault}", file=sys.stderr, flush=True)
        raise SystemExit(CANNOT_PLAY) from fault
    finally:
        process.close()


@signals.worker_process_init.connect
def _begin_process(**_: Any) -> None:
    if not Role.plays:
        return
    process.begin()
    _with_store(process.take_over_from_the_dead)
    try:
        pin_to_one_core(_slot())
        process.sandbox()
    except SandboxUnavailable as fault:
        log.error("sandbox_unavailable", reason=str(fault))
        process.end_worker()
        raise SystemExit(CANNOT_PLAY) from fault


@signals.worker_process_shutdown.connect
def _end_process(**_: Any) -> None:
    process.close()


@signals.worker_shutting_down.connect
def _drain(**_: Any) -> None:
    process.stop()


@signals.beat_embedded_init.connect
def _die_with_the_worker(**_: Any) -> None:
    """The process that only keeps time must not outlive the one it belongs to."""
    platforms.set_pdeathsig("SIGKILL")


class Presence(bootsteps.StartStopStep):
    """The main process tells the database that its slots are there, and when they go."""

    requires = ("celery.worker.components:Timer", "celery.worker.components:Pool")

    def start(self, worker: Any) -> None:
        _tell_presence(worker)

    def stop(self, worker: Any) -> None:
        if Role.plays:
            _with_store(lambda store: dispatch.sign_off_worker(store, _name(worker)))


class LastingPresence(bootsteps.StartStopStep):
    """Tells it again every few seconds.

    A step of the consumer, which starts anew with every connection to the queue: with the old one Celery throws away
    all timers.
    """

    requires = ("celery.worker.consumer.connection:Connection",)

    def start(self, consumer: Any) -> None:
        logs.outage.end()
        if Role.plays:
            _tell_presence(consumer.controller)
            self._timer = consumer.timer.call_repeatedly(PRESENT_SECONDS, _tell_presence, (consumer.controller,))

    def stop(self, consumer: Any) -> None:
        if Role.plays:
            self._timer.cancel()


class Listening(bootsteps.StartStopStep):
    """The worker that dispatches hears the bell; only while it has the queue, as it sends messages then."""

    requires = ("celery.worker.consumer.connection:Connection",)
    _listener: Listener | None = None       # Celery also stops what it could not start

    def start(self, consumer: Any) -> None:
        from workers.tasks import publish  # needs the application, which needs this module

        if Role.dispatches:
            self._listener = Listener(lambda: Store.open(process.settings()), publish)
            self._listener.start()

    def stop(self, consumer: Any) -> None:
        if self._listener is not None:
            self._listener.stop()


def _tell_presence(worker: Any) -> None:
    if Role.plays:
        _with_store(lambda store: _tell(store, worker))


def _tell(store: Store, worker: Any) -> None:
    dispatch.register_worker(store, _name(worker), worker.concurrency, Role.tier)
    process.take_over_from_the_dead(store)


def _name(worker: Any) -> str:
    return str(worker.hostname)[:120]


def _with_store(step: Callable[[Store], None]) -> None:
    """A connection of a moment: none may be open when a process is forked."""
    store = Store.open(process.settings())
    try:
        step(store)
    except StoreUnavailable as fault:
        log.warning("presence_not_told", reason=str(fault))
    finally:
        store.dispose()


def _slot() -> int:
    """Which of the worker's processes this is, from 0."""
    return int(getattr(current_process(), "index", 0))


app.steps["worker"].add(Presence)
app.steps["consumer"].update((LastingPresence, Listening))
