"""The app of the floor."""

from __future__ import annotations

from django.apps import AppConfig


class FloorApp(AppConfig):
    name = "bench.floor_app"
    label = "floor"
    default_auto_field = "django.db.models.BigAutoField"
