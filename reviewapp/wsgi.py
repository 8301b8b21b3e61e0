"""The WSGI application that granian serves (sync pages run about four times faster under WSGI than under ASGI)."""

from __future__ import annotations

import importlib
import os

from django.core.wsgi import get_wsgi_application

from reviewapp.memory import settle

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "reviewapp.settings")

application = get_wsgi_application()
# Loaded before anybody asks, since it takes most of a second.
importlib.import_module("evidence.mcp.http")
settle()
