"""System checks: what Django must refuse to run with, or warn about, before the first request. Each id has a hint.

`manage.py check` runs those about settings; those about the database need `--database default` (migrate runs them too).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.db import connections

from evidence.models import triggers

LOCAL_HOSTS = {"localhost", "127.0.0.1", "[::1]", "::1", ".localhost", "testserver"}
SHORTEST_KEY = 32
FEWEST_CHARACTERS = 5

Apps = Sequence[AppConfig] | None


@register(Tags.database)
def sqlite_mode(app_configs: Apps = None, databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """E001, E002: without IMMEDIATE a busy writer gets "database is locked" at once; without WAL readers block writers."""
    found: list[CheckMessage] = []
    for alias in databases or ():
        connection = connections[alias]
        if connection.vendor != "sqlite":
            continue
        if str(connection.settings_dict["OPTIONS"].get("transaction_mode", "")).upper() != "IMMEDIATE":
            hint = 'Set OPTIONS["transaction_mode"] = "IMMEDIATE" (reviewapp/settings/database.py).'
            found.append(
                Error(
                    f"SQLite database {alias!r} does not begin transactions IMMEDIATE.", hint=hint, id="evidence.E001"
                )
            )
        with connection.cursor() as cursor:
            journal = cursor.execute("PRAGMA journal_mode").fetchone()[0]
        if journal != "wal":
            hint = "Keep the database file on a local disk and the init_command of reviewapp/settings/database.py."
            found.append(
                Error(
                    f"SQLite database {alias!r} uses journal mode {journal!r}, not WAL.", hint=hint, id="evidence.E002"
                )
            )
    return found


@register(Tags.database)
def append_only(app_configs: Apps = None, databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """E003: decisions without their triggers could be changed afterwards. Silent before the first migrate."""
    found: list[CheckMessage] = []
    for alias in databases or ():
        connection = connections[alias]
        if triggers.DECISION not in connection.introspection.table_names():
            continue
        absent = triggers.missing(connection)
        if absent:
            hint = "Run `manage.py migrate`, which puts them back, then `manage.py audit_verify`."
            found.append(
                Error(f"Append-only triggers are missing: {', '.join(absent)}.", hint=hint, id="evidence.E003")
            )
    return found


@register()
def atomic_requests(app_configs: Apps = None, **_: Any) -> list[CheckMessage]:
    """E004: with IMMEDIATE every GET would wait for the write lock; and services own their transactions."""
    hint = "Remove ATOMIC_REQUESTS; services open their own transactions."
    return [
        Error(f"ATOMIC_REQUESTS is on for database {alias!r}.", hint=hint, id="evidence.E004")
        for alias, config in settings.DATABASES.items()
        if config.get("ATOMIC_REQUESTS")
    ]


@register(Tags.security)
def secret_key(app_configs: Apps = None, **_: Any) -> list[CheckMessage]:
    """E005: sessions, receipts and mail links are signed with this key."""
    key = str(settings.SECRET_KEY)
    if len(key) >= SHORTEST_KEY and len(set(key)) >= FEWEST_CHARACTERS and not key.startswith("django-insecure-"):
        return []
    hint = "Leave SECRET_KEY unset (one is made and kept in DATA_DIR), or give 50 random characters."
    return [Error("SECRET_KEY is too weak to sign anything.", hint=hint, id="evidence.E005")]


@register(Tags.security)
def cookies(app_configs: Apps = None, **_: Any) -> list[CheckMessage]:
    """E006, W007: cookies that travel in the clear, on a desk that others than this machine can reach."""
    if settings.DEBUG or set(settings.ALLOWED_HOSTS) <= LOCAL_HOSTS:
        return []
    hint = "Put TLS in front and set HTTPS=1 (with TRUSTED_PROXIES=1 behind one proxy)."
    if settings.HTTPS:
        if settings.SESSION_COOKIE_SECURE and settings.CSRF_COOKIE_SECURE:
            return []
        return [Error("HTTPS is on, but a cookie is not marked Secure.", hint=hint, id="evidence.E006")]
    return [Warning("ALLOWED_HOSTS names other machines, yet HTTPS is off.", hint=hint, id="evidence.W007")]
