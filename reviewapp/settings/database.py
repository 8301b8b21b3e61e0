"""SQLite in WAL and IMMEDIATE mode by default, PostgreSQL by DATABASE_URL. Knows no model.

Never ATOMIC_REQUESTS: with IMMEDIATE every GET would queue for the write lock, and services own their transactions.
"""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ImproperlyConfigured

from reviewapp.settings.env import DATA_DIR, env, from_url, number

__all__ = ["DATABASES"]

SQLITE = "django.db.backends.sqlite3"
POSTGRES = "django.db.backends.postgresql"
SQLITE_PRAGMAS = (
    "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA temp_store=MEMORY; "
    "PRAGMA mmap_size=134217728; PRAGMA cache_size=-20000; PRAGMA journal_size_limit=67108864;"
)


def sqlite_options() -> dict[str, Any]:
    """IMMEDIATE takes the write lock at BEGIN: with DEFERRED the timeout is ignored when a read becomes a write."""
    return {"transaction_mode": "IMMEDIATE", "timeout": 20, "init_command": SQLITE_PRAGMAS}


def postgres_options(pool_size: int) -> dict[str, Any]:
    """One connection per thread by default; DATABASE_POOL=n shares n of them (threads only: a pool must not be forked)."""
    options: dict[str, Any] = {"connect_timeout": 5}
    if pool_size:
        options["pool"] = {"min_size": 1, "max_size": pool_size, "timeout": 10}
    return options


def sqlite(file: str) -> dict[str, Any]:
    return {"ENGINE": SQLITE, "NAME": file, "OPTIONS": sqlite_options(), "CONN_MAX_AGE": None}


def database(url: str) -> dict[str, Any]:
    """One entry of DATABASES from its address, with the options that its vendor needs. Raises ImproperlyConfigured."""
    config = from_url("DATABASE_URL", lambda: env.db_url_config(url))
    if config.get("ENGINE") == SQLITE:
        return sqlite(config["NAME"])
    if config.get("ENGINE") != POSTGRES:
        raise ImproperlyConfigured("DATABASE_URL must begin with sqlite:/// or postgres://.")
    pool_size = number("DATABASE_POOL", 0)
    config["OPTIONS"] = postgres_options(pool_size) | config.get("OPTIONS", {})
    config["CONN_MAX_AGE"] = 0 if pool_size else 600  # Django refuses persistent connections from a pool
    config["CONN_HEALTH_CHECKS"] = True
    # Behind PgBouncer in transaction mode a server-side cursor loses its transaction.
    config["DISABLE_SERVER_SIDE_CURSORS"] = env.bool("DATABASE_PGBOUNCER", default=False)
    return config


_url = env.str("DATABASE_URL", default="")
# The default is no address: a data folder may have blanks and percent signs in its name.
DATABASES = {"default": database(_url) if _url else sqlite(str(DATA_DIR / "db.sqlite3"))}
