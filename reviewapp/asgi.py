"""The ASGI application, for hosts that offer nothing else; `manage.py up` serves WSGI."""

from __future__ import annotations

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "reviewapp.settings")

application = get_asgi_application()
