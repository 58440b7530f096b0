"""The worker that dispatches listens for the bell beside its ticks, so that what was just started begins at once."""

import threading
from collections.abc import Callable

import structlog

from arena.errors import ArenaFault
from arena.services import dispatch
from arena.services.dispatch import Publish
from arena.store.session import Store
from workers import process

PAUSE_SECONDS = 1.0             # where Redis or the database is away; ticks go on meanwhile

log = structlog.get_logger()


class Listener:
    """A thread with a store of its own, as nothing of a store may be shared with who ticks over a fork."""

    def __init__(self, open_store: Callable[[], Store], publish: Publish) -> None:
        self._open_store = open_store
        self._publish = publish
        self._is_ended = threading.Event()
        self._thread = threading.Thread(target=self._listen, name="listener", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Returns when nothing is heard any more."""
        self._is_ended.set()
        self._thread.join()

    def _listen(self) -> None:
        store = self._open_store()
        while not self._is_ended.is_set():
            try:
                if store.bell.is_rung() and not process.is_stopping():
                    dispatch.dispatch_next(store, self._publish)
            except ArenaFault:
                self._is_ended.wait(PAUSE_SECONDS)
            except Exception:               # a mistake of ours must not end it: nobody would start it again
                log.exception("listening_failed")
                self._is_ended.wait(PAUSE_SECONDS)
        store.dispose()
