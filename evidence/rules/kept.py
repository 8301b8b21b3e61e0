"""A property that is worked out once and kept, for what the rules read of a text.

As `functools.cached_property`, without the lock that it takes in Python 3.11: two threads may both work it out, and get
the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

Value = TypeVar("Value")


class kept(Generic[Value]):  # noqa: N801  (used as a decorator)
    """For classes whose instances have a dictionary; from the second time on it is read from there."""

    def __init__(self, work_out: Callable[[Any], Value]) -> None:
        self._work_out = work_out
        self._name = work_out.__name__
        self.__doc__ = work_out.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type) -> Value: ...
    def __get__(self, instance: object | None, owner: type) -> Self | Value:
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self._work_out(instance)
        return value
