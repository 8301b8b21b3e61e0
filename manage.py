#!/usr/bin/env python
"""Entry point of every command: `python manage.py up`, `doctor`, `import`, ... It knows only the settings' name."""

from __future__ import annotations

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "reviewapp.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        if os.environ.get("DEBUG"):
            raise
        sys.exit(f"The settings cannot be used: {error}")


if __name__ == "__main__":
    main()
