"""Celery: JSON only, late acknowledgement, and a broker whose loss no web request may feel.

Publishing fails within seconds and is not retried: the outbox holds what was to be sent, and its sweep sends it again.
"""

from __future__ import annotations

from typing import Any

from kombu import Exchange, Queue

from reviewapp.runtime.address import FILESYSTEM, celery_url, current_broker, filesystem_folders
from reviewapp.settings.env import DATA_DIR, env

__all__ = [
    "BEAT_HEARTBEAT_FILE",
    "CELERY_ACCEPT_CONTENT",
    "CELERY_BEAT_MAX_LOOP_INTERVAL",
    "CELERY_BEAT_SCHEDULER",
    "CELERY_BEAT_SCHEDULE_FILENAME",
    "CELERY_BROKER_CONNECTION_MAX_RETRIES",
    "CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP",
    "CELERY_BROKER_CONNECTION_TIMEOUT",
    "CELERY_BROKER_TRANSPORT_OPTIONS",
    "CELERY_BROKER_URL",
    "CELERY_ENABLE_UTC",
    "CELERY_RESULT_BACKEND",
    "CELERY_RESULT_SERIALIZER",
    "CELERY_TASK_ACKS_LATE",
    "CELERY_TASK_CREATE_MISSING_QUEUES",
    "CELERY_TASK_DEFAULT_QUEUE",
    "CELERY_TASK_IGNORE_RESULT",
    "CELERY_TASK_PUBLISH_RETRY",
    "CELERY_TASK_QUEUES",
    "CELERY_TASK_REJECT_ON_WORKER_LOST",
    "CELERY_TASK_SERIALIZER",
    "CELERY_TASK_SOFT_TIME_LIMIT",
    "CELERY_TASK_TIME_LIMIT",
    "CELERY_TIMEZONE",
    "CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS",
    "CELERY_WORKER_HIJACK_ROOT_LOGGER",
    "CELERY_WORKER_PREFETCH_MULTIPLIER",
    "REDIS_URL",
]

# REDIS_URL, else what the running `up` wrote down, else where its embedded broker would listen.
REDIS_URL: str = env.str("REDIS_URL", default="") or current_broker(DATA_DIR)
CELERY_BROKER_URL = celery_url(REDIS_URL)

CELERY_TASK_SERIALIZER = "json"
CELERY_RESULT_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_ENABLE_UTC = True
CELERY_TIMEZONE = "UTC"

# Outcomes are rows of the domain; a result backend would be a second, weaker truth.
CELERY_RESULT_BACKEND = None
CELERY_TASK_IGNORE_RESULT = True

# Split by how long somebody waits; one worker consumes all three until more are started.
# Each with an exchange and key of its own: with the defaults all three would be bound to one key and get every message.
CELERY_TASK_QUEUES = [Queue(name, Exchange(name), routing_key=name) for name in ("interactive", "bulk", "import")]
CELERY_TASK_DEFAULT_QUEUE = "interactive"
CELERY_TASK_CREATE_MISSING_QUEUES = False

CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# A task longer than the visibility timeout is delivered twice, hence the limits below half of it. The thread pool does
# not enforce them (only prefork can kill a task), so tasks work in chunks and are idempotent all the same.
VISIBILITY_TIMEOUT_SECONDS = 600
CELERY_TASK_SOFT_TIME_LIMIT = 240
CELERY_TASK_TIME_LIMIT = 270
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False

CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # the worker waits for its broker for ever; publishers do not
CELERY_BROKER_CONNECTION_TIMEOUT = 2
CELERY_TASK_PUBLISH_RETRY = False
CELERY_WORKER_HIJACK_ROOT_LOGGER = False

CELERY_BEAT_SCHEDULER = "reviewapp.beat:HeartbeatScheduler"
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA_DIR / "beat-schedule")
CELERY_BEAT_MAX_LOOP_INTERVAL = 5
BEAT_HEARTBEAT_FILE = DATA_DIR / "run" / "beat"  # touched on every tick


def transport_options(url: str) -> dict[str, Any]:
    """Options of the transport that `url` names. Seconds throughout."""
    if url.startswith(FILESYSTEM):
        return filesystem_folders(url) | {"polling_interval": 0.05}
    return {
        "visibility_timeout": VISIBILITY_TIMEOUT_SECONDS,
        "socket_connect_timeout": 1,
        "socket_timeout": 3,  # a broker that accepts and then says nothing costs a publisher this much
        "socket_keepalive": True,
        "max_retries": 1,
        "interval_start": 0,
        "interval_step": 0.1,
        "interval_max": 0.1,
    }


CELERY_BROKER_TRANSPORT_OPTIONS = transport_options(REDIS_URL)
