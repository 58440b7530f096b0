"""Logs of a worker: as of every server, and of Celery only what says something new."""

import logging

from arena import logs

CHATTY = ("celery.worker.strategy", "celery.app.trace", "celery.beat")         # a line per message


def configure(level: str) -> None:
    """Send everything from this level on to standard error."""
    logs.configure(level)
    for name in CHATTY:
        logging.getLogger(name).setLevel(logging.WARNING)
