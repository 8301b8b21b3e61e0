"""What does not change while one page is drawn or one item decided is read once: memberships and the policy in force.

Without `one_reading` around it every question asks the database anew. A reading is as short as what it serves: it begins after
the locks of a decision were taken and ends with its transaction, so that nothing is decided on what was true at another time.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar, cast

T = TypeVar("T")

_reading: ContextVar[dict[Hashable, object] | None] = ContextVar("reading", default=None)


@contextmanager
def one_reading() -> Iterator[None]:
    """Begins with nothing known, also inside another reading."""
    token = _reading.set({})
    try:
        yield
    finally:
        _reading.reset(token)


def read_once(key: Hashable, read: Callable[[], T]) -> T:
    """What `read` gives, asked for once under this key as long as the reading lasts. The answer must not be changed."""
    known = _reading.get()
    if known is None:
        return read()
    if key not in known:
        known[key] = read()
    return cast("T", known[key])
