"""The scheduler that beat runs: Celery's own, which also leaves a sign of life in the data folder for `manage.py doctor`."""

from __future__ import annotations

from typing import Any

from celery.beat import PersistentScheduler
from django.conf import settings


class HeartbeatScheduler(PersistentScheduler):  # type: ignore[misc]
    """Touches a file on every tick; `CELERY_BEAT_MAX_LOOP_INTERVAL` bounds how far apart the ticks are."""

    def tick(self, *args: Any, **kwargs: Any) -> Any:
        settings.BEAT_HEARTBEAT_FILE.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        settings.BEAT_HEARTBEAT_FILE.touch()
        return super().tick(*args, **kwargs)
