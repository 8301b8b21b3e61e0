"""How often a token may ask: requests a minute, counted in Valkey, for all processes together (doors 429 `rate_limited`).

A courtesy among many, not a wall: where Valkey is away nobody is refused. A call to it may cost a quarter of a second at
most, and after a failure it is left alone for a while, so that its loss is not felt.
"""

from __future__ import annotations

import time
from enum import StrEnum
from functools import lru_cache
from threading import Lock
from uuid import UUID

import redis
import structlog
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

from evidence.rules.vocab import Right
from evidence.services.errors import Refused

log = structlog.get_logger(__name__)

WINDOW = 60
PATIENCE = 0.25
LEFT_ALONE = 5.0


class Lane(StrEnum):
    """What is counted together; each has a limit of its own in the settings."""

    RECALL = "recall"
    FILE = "file"
    BULK = "bulk"
    RUNS = "runs"
    SIGNALS = "signals"
    OTHER = "other"


_LANE_OF: dict[Right, Lane] = {
    Right.RECALL: Lane.RECALL,
    Right.FILE: Lane.FILE,
    Right.RUNS: Lane.RUNS,
    Right.SIGNALS: Lane.SIGNALS,
}


def lane_of(right: Right) -> Lane:
    return _LANE_OF.get(right, Lane.OTHER)


class _Breaker:
    """Whether Valkey is worth asking: not for a while after it did not answer."""

    def __init__(self) -> None:
        self._until = 0.0
        self._lock = Lock()

    def is_open(self) -> bool:
        with self._lock:
            return time.monotonic() < self._until

    def trip(self) -> None:
        with self._lock:
            self._until = time.monotonic() + LEFT_ALONE

    def reset(self) -> None:
        with self._lock:
            self._until = 0.0


breaker = _Breaker()


def take_turn(token_id: UUID | str, lane: Lane) -> None:
    """Count one request. Raises `Refused` rate_limited with the seconds until it is worth asking again."""
    limit = settings.RATE_LIMITS.get(lane.value, 0)
    if not limit or not settings.RATE_URL or breaker.is_open():
        return
    now = int(time.time())
    window = now // WINDOW
    try:
        counted = _count(f"evidence:rate:{token_id}:{lane}:{window}")
    except (redis.RedisError, OSError) as error:
        breaker.trip()
        log.warning("rate_limits_without_valkey", error=type(error).__name__)
        return
    if counted > limit:
        wait = WINDOW - now % WINDOW
        detail = f"More than {limit:,} requests of this kind in a minute; try again in {wait} seconds."
        raise Refused("rate_limited", detail, retry_after=wait, limit=limit)


def _count(key: str) -> int:
    line = _client(settings.RATE_URL).pipeline(transaction=True)
    line.incr(key)
    line.expire(key, WINDOW * 2)
    return int(line.execute()[0])


@lru_cache(maxsize=4)
def _client(url: str) -> redis.Redis:
    return redis.Redis.from_url(
        url, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE, retry=Retry(NoBackoff(), 0)
    )
