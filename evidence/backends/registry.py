"""Which backends this desk searches: dotted names in the setting `MEMORY_BACKENDS`, the full-text backend where it is unset."""

from __future__ import annotations

from functools import lru_cache

from django.conf import settings
from django.utils.module_loading import import_string

from evidence.backends.port import Backend
from evidence.backends.sql import SqlBackend

_DEFAULT = ("evidence.backends.sql.SqlBackend",)
_own = SqlBackend()


def default_backend() -> SqlBackend:
    """The index in the desk's own database, which is there whatever else is configured."""
    return _own


def backends() -> tuple[Backend, ...]:
    """Every configured backend, in order of the setting."""
    return _made(tuple(getattr(settings, "MEMORY_BACKENDS", _DEFAULT)))


@lru_cache(maxsize=8)
def _made(names: tuple[str, ...]) -> tuple[Backend, ...]:
    made = []
    for name in names:
        backend = import_string(name)()
        if not isinstance(backend, Backend):
            raise TypeError(f"{name} is no memory backend: an operation of the port is missing")
        made.append(backend)
    return tuple(made)
