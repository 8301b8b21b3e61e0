"""One line per event, from structlog and from the standard library alike: JSON when LOG_FORMAT=json, else key=value.

Whatever looks like a secret is taken out of every line before it is written.
"""

from __future__ import annotations

from typing import Any

import structlog

from reviewapp.logs import redact_secrets
from reviewapp.settings.env import one_of

__all__ = ["LOGGING", "LOGGING_CONFIG"]

LOG_FORMAT = one_of("LOG_FORMAT", ("text", "json"), "text")
LOG_LEVEL = one_of("LOG_LEVEL", ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"), "INFO")
LOGGING_CONFIG = "logging.config.dictConfig"

_shared: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]
_renderer: Any = (
    structlog.processors.JSONRenderer()
    if LOG_FORMAT == "json"
    else structlog.processors.KeyValueRenderer(key_order=["timestamp", "level", "event"], drop_missing=True)
)
_last: list[Any] = [
    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
    structlog.processors.format_exc_info,
    redact_secrets,
    _renderer,
]

structlog.configure(
    processors=[
        structlog.stdlib.filter_by_level,
        *_shared,
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.processors.StackInfoRenderer(),
        structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
    ],
    logger_factory=structlog.stdlib.LoggerFactory(),
    wrapper_class=structlog.stdlib.BoundLogger,
    cache_logger_on_first_use=True,
)

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"()": structlog.stdlib.ProcessorFormatter, "foreign_pre_chain": _shared, "processors": _last},
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    "loggers": {
        # Django's own handlers would print every line a second time, unredacted.
        "django": {"handlers": [], "level": LOG_LEVEL, "propagate": True},
        "django.server": {"handlers": [], "level": LOG_LEVEL, "propagate": True},
        "mcp": {"level": "WARNING"},  # two lines for every request say nothing
        "celery.beat": {"level": "WARNING"},  # one line per tick helps nobody
        "celery.worker.strategy": {"level": "WARNING"},
        "celery.app.trace": {
            "level": "WARNING"
        },  # a line for each sweep that went well would push everything else away
    },
}
