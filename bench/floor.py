"""The floor to measure against: a bare Django admin with one model and one action, in a project of its own.

Started as a server of its own (`bench.floor:application`); FLOOR_DATABASE_URL names its database. Knows nothing of the desk.
"""

from __future__ import annotations

import os

import django
import environ
from django.conf import settings
from django.core.wsgi import get_wsgi_application

if not settings.configured:
    database = environ.Env.db_url_config(os.environ["FLOOR_DATABASE_URL"])
    if database["ENGINE"].endswith("sqlite3"):
        database["OPTIONS"] = {
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL",
        }
    settings.configure(
        SECRET_KEY="floor",
        ROOT_URLCONF="bench.floor_site",
        ALLOWED_HOSTS=["*"],
        DATABASES={"default": database | {"CONN_MAX_AGE": 60}},
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        USE_TZ=True,
        INSTALLED_APPS=[
            "django.contrib.admin", "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions",
            "django.contrib.messages", "bench.floor_app",
        ],
        MIDDLEWARE=[
            "django.middleware.security.SecurityMiddleware", "django.contrib.sessions.middleware.SessionMiddleware",
            "django.middleware.common.CommonMiddleware", "django.middleware.csrf.CsrfViewMiddleware",
            "django.contrib.auth.middleware.AuthenticationMiddleware",
            "django.contrib.messages.middleware.MessageMiddleware",
        ],
        TEMPLATES=[
            {
                "BACKEND": "django.template.backends.django.DjangoTemplates",
                "APP_DIRS": True,
                "OPTIONS": {
                    "context_processors": [
                        "django.template.context_processors.request", "django.contrib.auth.context_processors.auth",
                        "django.contrib.messages.context_processors.messages",
                    ]
                },
            }
        ],
    )  # fmt: skip
    django.setup()

application = get_wsgi_application()
