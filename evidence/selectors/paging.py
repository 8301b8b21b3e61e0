"""Keyset pages: a position instead of an offset, so that deciding rows neither skips nor repeats others (scenario S11).

Knows no table. The cursor that a person or a client carries is signed: a made-up position is refused, not guessed at.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Any, Generic, TypeVar
from uuid import UUID

from django.core import signing
from django.db import models
from django.db.models import Q

from evidence.rules.errors import BadInput
from evidence.rules.times import read_time, to_iso

Row = TypeVar("Row", bound=models.Model)

COUNT_LIMIT = 1_000
_SALT = "evidence.keyset"


@dataclass(frozen=True, slots=True)
class Keyset:
    """Columns that order a list, `-` for newest first; together they are unique and none of them is ever null."""

    name: str
    columns: tuple[str, ...]

    def order(self, rows: models.QuerySet[Row]) -> models.QuerySet[Row]:
        return rows.order_by(*self.columns)

    def after(self, rows: models.QuerySet[Row], position: Sequence[Any]) -> models.QuerySet[Row]:
        """Rows that come later than the position."""
        return self._from(rows, position).filter(self._later(position))

    def until(self, rows: models.QuerySet[Row], position: Sequence[Any]) -> models.QuerySet[Row]:
        """Rows up to the position, and the one that stands there."""
        here = Q(**{column.lstrip("-"): value for column, value in zip(self.columns, position, strict=True)})
        back = self.backwards
        return back._from(rows, position).filter(back._later(position) | here)

    def _from(self, rows: models.QuerySet[Row], position: Sequence[Any]) -> models.QuerySet[Row]:
        """What the two others say, once more in a form that the planners turn into a range of the index."""
        first, step = self.columns[0].lstrip("-"), "lte" if self.columns[0].startswith("-") else "gte"
        return rows.filter(**{f"{first}__{step}": position[0]})

    def _later(self, position: Sequence[Any]) -> Q:
        later, equal = Q(), Q()
        for column, value in zip(self.columns, position, strict=True):
            bare, step = column.lstrip("-"), "lt" if column.startswith("-") else "gt"
            later |= equal & Q(**{f"{bare}__{step}": value})
            equal &= Q(**{bare: value})
        return later

    def position(self, row: models.Model) -> tuple[Any, ...]:
        return tuple(getattr(row, column.lstrip("-")) for column in self.columns)

    @property
    def backwards(self) -> Keyset:
        """The same list from its end. Its places are those of this one."""
        turned = tuple(column[1:] if column.startswith("-") else f"-{column}" for column in self.columns)
        return Keyset(self.name, turned)

    def is_later(self, one: Sequence[Any], other: Sequence[Any]) -> bool:
        """Whether a place comes after another one."""
        for column, a, b in zip(self.columns, one, other, strict=True):
            if a != b:
                return bool(a < b) if column.startswith("-") else bool(a > b)
        return False

    def merged(self, rows: Iterable[Row]) -> list[Row]:
        """Rows of several querysets in the one order."""
        found = list(rows)
        for column in reversed(self.columns):
            found.sort(key=attrgetter(column.lstrip("-")), reverse=column.startswith("-"))
        return found


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    """`after` is the signed cursor of the next page, empty on the last one; `before` that of the page in front, where known."""

    rows: list[Row]
    after: str = ""
    # How many rows a filter without an index of its own looked at before it stopped; none = all there were.
    stopped_after: int | None = None
    before: str = ""
    # The name of the order (`Keyset.name`), for those who say it.
    order: str = ""


@dataclass(frozen=True, slots=True)
class Capped:
    """A number that is not counted further than `COUNT_LIMIT`; shown as "1000+" beyond. `at_least`: counting stopped early."""

    number: int
    at_least: bool = False

    @property
    def more(self) -> bool:
        return self.at_least or self.number > COUNT_LIMIT

    def __str__(self) -> str:
        return f"{min(self.number, COUNT_LIMIT)}{'+' if self.more else ''}"

    def __bool__(self) -> bool:
        return self.number > 0


def capped_count(rows: models.QuerySet[Any]) -> Capped:
    """At most one row more than the limit is looked at; COUNT(*) over a big table never happens."""
    return Capped(rows.order_by().values("pk")[: COUNT_LIMIT + 1].count())


def page(rows: models.QuerySet[Row], keyset: Keyset, *, after: str = "", limit: int = 50) -> Page[Row]:
    """One page behind the cursor. Raises `BadInput` malformed for a cursor that this list did not give out."""
    ordered = keyset.order(rows)
    if after:
        ordered = keyset.after(ordered, read_cursor(keyset, after))
    found = list(ordered[: limit + 1])
    more = len(found) > limit
    return Page(found[:limit], write_cursor(keyset, keyset.position(found[limit - 1])) if more else "")


def write_cursor(keyset: Keyset, position: Sequence[Any]) -> str:
    return signing.dumps([keyset.name, *(_pack(value) for value in position)], salt=_SALT, compress=True)


def read_cursor(keyset: Keyset, text: str) -> tuple[Any, ...]:
    try:
        name, *packed = signing.loads(text, salt=_SALT)
        position = tuple(_unpack(value) for value in packed)
    except (signing.BadSignature, ValueError, TypeError) as error:
        raise BadInput(
            "malformed", "This is no place in the list: start from the first page.", field="after"
        ) from error
    if name != keyset.name or len(position) != len(keyset.columns):
        raise BadInput("malformed", "This place belongs to another list: start from the first page.", field="after")
    return position


def _pack(value: Any) -> Any:
    if isinstance(value, UUID):
        return {"u": value.hex}
    if isinstance(value, datetime):
        return {"t": to_iso(value)}
    return value


def _unpack(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    if "u" in value:
        return UUID(hex=value["u"])
    moment = read_time(value["t"])
    if moment is None:
        raise ValueError("unreadable instant in a cursor")
    return moment
