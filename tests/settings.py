"""Settings of the test suite: a *file* database (the in-memory one fails under threads), quick hashes, quiet logs.

It lives beside the tests and not in `reviewapp.settings`: importing that package reads the environment, which must be set first.
TEST_DATABASE_URL runs the same suite on PostgreSQL (see tests/on_postgres.py). TEST_ROOT is shared with xdist's workers and
with processes that tests start; the first process makes it and tests/conftest.py removes it.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

TEST_ROOT = Path(os.environ.get("TEST_ROOT") or tempfile.mkdtemp(prefix="evidence-test-"))
os.environ["TEST_ROOT"] = str(TEST_ROOT)
# A developer's own environment must not reach into the tests, nor their data folder be touched by them.
os.environ["DATA_DIR"] = str(TEST_ROOT / "data")
for _name in ("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "DEBUG", "HTTPS", "ALLOWED_HOSTS", "CACHE_URL", "EMAIL_URL"):
    os.environ.pop(_name, None)
os.environ["LOG_LEVEL"] = os.environ.get("TEST_LOG_LEVEL", "ERROR")

from reviewapp.settings import *  # noqa: E402
from reviewapp.settings.base import INSTALLED_APPS  # noqa: E402
from reviewapp.settings.database import database, sqlite  # noqa: E402
from reviewapp.settings.static import PLAIN, STORAGES  # noqa: E402

_url = os.environ.get("TEST_DATABASE_URL", "")
if _url:
    # No persistent connections: a thread's leftover one would keep the test database from being dropped.
    DATABASES = {"default": database(_url) | {"CONN_MAX_AGE": 0}}
else:
    DATABASES = {"default": sqlite(str(TEST_ROOT / "db.sqlite3")) | {"TEST": {"NAME": str(TEST_ROOT / "test.sqlite3")}}}

INSTALLED_APPS = [*INSTALLED_APPS, "zeal"]
ZEAL_RAISE = True

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STATIC_ROOT = TEST_ROOT / "static"
STATIC_ROOT.mkdir(exist_ok=True)
STORAGES = STORAGES | {"staticfiles": {"BACKEND": PLAIN}}
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]", "testserver"]
# Nobody listens there: a test that means to publish asks for the fixture `valkey`.
CELERY_BROKER_URL = f"redis+socket://{TEST_ROOT}/nobody.sock"
# No thread beside the test: what would be written in batches is written when a test flushes it.
BACKGROUND_WRITES = False
