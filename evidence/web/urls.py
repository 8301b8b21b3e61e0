"""Addresses of the pages."""

from __future__ import annotations

from django.urls import path

from evidence.web import health

urlpatterns = [
    path("health/live", health.live, name="health-live"),
    path("health/ready", health.ready, name="health-ready"),
]
