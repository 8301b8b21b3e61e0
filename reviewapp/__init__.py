"""The Django project around the app `evidence`: settings, addresses, task queue, runtime. It holds no rule and no page."""

from __future__ import annotations

from reviewapp.celery import app as celery_app

__all__ = ["celery_app"]
