"""What `up` takes from the environment, read and checked once, with an error that says which variable is wrong."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from reviewapp.runtime.ports import LOOPBACK


class CannotStart(Exception):
    """Something the operator must change first. The message says what, and how."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Where the desk listens, keeps its data, and with how many threads."""

    host: str
    port: int
    data_dir: Path
    project: Path
    web_threads: int
    worker_threads: int
    demo: bool
    environ: Mapping[str, str]

    @property
    def host_header(self) -> str:
        """A name that Django accepts from the supervisor's own health request."""
        first = next((name for name in settings.ALLOWED_HOSTS if name != "*"), "localhost")
        return str(first).lstrip(".")


def read_plan() -> Plan:
    environ = dict(os.environ)
    return Plan(
        host=environ.get("HOST") or LOOPBACK,
        port=_number(environ, "PORT", 8000, 65535),
        data_dir=settings.DATA_DIR,
        project=settings.BASE_DIR,
        web_threads=_number(environ, "WEB_THREADS", 4, 256),
        worker_threads=_number(environ, "WORKER_THREADS", 4, 256),
        demo=_demo(),
        environ=environ
        | {
            "DATA_DIR": str(settings.DATA_DIR),
            "DJANGO_SETTINGS_MODULE": environ.get("DJANGO_SETTINGS_MODULE", "reviewapp.settings"),
            "PYTHONUNBUFFERED": "1",
            # Children run in the project's folder; the interpreter of this environment must come first for them too.
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{environ.get('PATH', os.defpath)}",
        },
    )


def _number(environ: Mapping[str, str], name: str, default: int, largest: int) -> int:
    text = environ.get(name, "") or str(default)
    if not text.isdecimal() or not 1 <= int(text) <= largest:
        raise CannotStart(f"{name}={text} is no number from 1 to {largest}. Correct it, or unset it for {default}.")
    return int(text)


def _demo() -> bool:
    try:
        return bool(settings.DEMO)
    except ImproperlyConfigured as error:
        raise CannotStart(f"The settings cannot be read: {error}") from error
