"""Where templates are and what every one of them is given."""

from __future__ import annotations

from reviewapp.settings.env import BASE_DIR

__all__ = ["TEMPLATES"]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        # template_partials wraps the loaders by itself (and caches them when DEBUG is off).
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "evidence.web.inbox.unread_for_header",
            ],
            "builtins": ["django.templatetags.i18n", "template_partials.templatetags.partials", "evidence.web.tags"],
        },
    },
]
