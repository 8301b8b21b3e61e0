"""Who has an item open right now: a courtesy between people, kept in the cache for under a minute and lost without harm.

Nothing decides by it. A cache that does not answer means that nobody is seen, never an error. Several web processes see each
other's people only through a shared cache (CACHE_URL).
"""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

import structlog
from django.core.cache import cache

from evidence.models import User

log = structlog.get_logger(__name__)

SEEN_FOR = timedelta(seconds=45)
"""Longer than the pages' heartbeat, so that nobody flickers."""
MOST_NAMED = 5


def look(*, held_id: UUID | str, user: User, now: datetime) -> tuple[str, ...]:
    """Note that this person has the item open, and name the others who have, those who came first in front."""
    key = f"looking:{held_id}"
    try:
        seen: dict[str, float] = cache.get(key) or {}
        alive = {name: at for name, at in seen.items() if now.timestamp() - at < SEEN_FOR.total_seconds()}
        alive[user.get_username()] = now.timestamp()
        cache.set(key, alive, timeout=int(SEEN_FOR.total_seconds()))
    except Exception as fault:  # noqa: BLE001 - whatever a cache may raise: a courtesy is not worth an error
        log.warning("presence_unknown", why=type(fault).__name__)
        return ()
    return tuple(name for name in alive if name != user.get_username())[:MOST_NAMED]
