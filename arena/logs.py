"""Logs of the servers as one JSON object a line: our own events, and what libraries say.

Never a bot's source, its output or a token; tracebacks therefore come without the values of variables.
"""

import logging
import sys

import structlog
from structlog.typing import Processor

_SHARED: tuple[Processor, ...] = (
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
)


def configure(level: str) -> None:
    """Send everything from this level on to standard error."""
    numeric = logging.getLevelNamesMapping()[level.upper()]
    structlog.configure(
        processors=[*_SHARED, structlog.processors.JSONRenderer()],
        wrapper_class=structlog.make_filtering_bound_logger(numeric),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.add_logger_name, *_SHARED],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(),
            ],
        )
    )
    logging.basicConfig(level=numeric, handlers=[handler], force=True)
