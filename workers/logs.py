"""Logs of a worker: as of every server, and of Celery only what says something new."""

import logging
import time

import structlog
from kombu.exceptions import OperationalError

from arena import logs

CHATTY = ("celery.worker.strategy", "celery.app.trace", "celery.beat")         # a line per message
TELL_OUTAGES = ("celery.beat", "celery.worker", "kombu")                        # each try, with all of its stack

log = structlog.get_logger()


class Outage(logging.Filter):
    """Lets one line through when the queue goes away, a short one, and tells when it is back."""

    def __init__(self) -> None:
        super().__init__()
        self._since: float | None = None

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record says something new."""
        reason = _broken_connection(record)
        if reason is None:
            return True
        if self._since is not None:
            return False
        self._since = time.monotonic()
        record.msg, record.args = "The queue does not answer (%s); it is tried again until it does.", (reason,)
        record.exc_info = record.exc_text = None
        return True

    def end(self) -> None:
        """The queue has just answered."""
        if self._since is not None:
            log.info("queue_answers_again", away_seconds=round(time.monotonic() - self._since, 1))
            self._since = None


outage = Outage()               # of this process


def configure(level: str) -> None:
    """Send everything from this level on to standard error."""
    logs.configure(level)
    for name in CHATTY:
        logging.getLogger(name).setLevel(logging.WARNING)
    for handler in logging.getLogger().handlers:
        handler.addFilter(outage)


def _broken_connection(record: logging.LogRecord) -> BaseException | None:
    """What went wrong with the queue, if that is what the record tells."""
    if not record.name.startswith(TELL_OUTAGES):
        return None
    given = record.args if isinstance(record.args, tuple) else ()
    error = record.exc_info[1] if record.exc_info else next((a for a in given if isinstance(a, BaseException)), None)
    while error is not None:
        if isinstance(error, (OSError, OperationalError)) or type(error).__module__.startswith(("redis.", "amqp.")):
            return error
        error = error.__cause__ or error.__context__
    return None
