"""Which backends this desk searches: the setting `MEMORY_BACKENDS`, the full-text backend alone where it is unset.

A name in the setting is one of ours, one that an installed package announces under the entry-point group `GROUP`, or a dotted
path to a class. Each is made without arguments and must have every operation of the port.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.module_loading import import_string

from evidence.backends.port import Backend
from evidence.backends.sql import SqlBackend

GROUP = "evidence_desk.backends"
OURS = {
    "sql": "evidence.backends.sql.SqlBackend",
    "vector": "evidence.backends.vector.VectorBackend",
    "hybrid": "evidence.backends.hybrid.HybridBackend",
    "hindsight": "evidence.backends.hindsight.HindsightBackend",
}
_DEFAULT = ("sql",)
_own = SqlBackend()


def default_backend() -> SqlBackend:
    """The index in the desk's own database, which is there whatever else is configured."""
    return _own


def backends() -> tuple[Backend, ...]:
    """Every configured backend, in order of the setting. Raises `ImproperlyConfigured` where one cannot be made."""
    return _made(tuple(getattr(settings, "MEMORY_BACKENDS", _DEFAULT) or _DEFAULT))


def all_backends() -> tuple[Backend, ...]:
    """The full-text index, whatever is configured, then the others."""
    return tuple(dict.fromkeys((default_backend(), *backends())))


def announced() -> dict[str, EntryPoint]:
    """The adapters of installed packages by name. Nobody takes one of our names."""
    return {point.name: point for point in entry_points(group=GROUP) if point.name not in OURS}


@lru_cache(maxsize=8)
def _made(names: tuple[str, ...]) -> tuple[Backend, ...]:
    made = tuple(_backend(name) for name in names)
    if len({backend.name for backend in made}) < len(made):
        raise ImproperlyConfigured(f"MEMORY_BACKENDS: two backends of one name in {', '.join(names)}")
    return made


@lru_cache(maxsize=32)
def _backend(name: str) -> Backend:
    found = _class(name)
    made = _own if found is SqlBackend else found()
    if not isinstance(made, Backend):
        raise ImproperlyConfigured(f"{name} is no memory backend: an operation of the port is missing")
    return made


def _class(name: str) -> Any:
    try:
        if name in OURS or "." in name:
            return import_string(OURS.get(name, name))
        point = announced().get(name)
        if point is not None:
            return point.load()
    except ImportError as error:
        raise ImproperlyConfigured(f"The memory backend {name} cannot be imported: {error}") from error
    known = sorted({*OURS, *announced()})
    raise ImproperlyConfigured(f"There is no memory backend {name}; there are {', '.join(known)}")
