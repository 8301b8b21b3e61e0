"""One value of a text in normal form, and when two such values can be the same (contract 7, 8).

How values are found in a text is for `quantities` and the `*_forms` modules.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple

from evidence.rules.calendar_forms import dates_agree


@dataclass(frozen=True, slots=True)
class Quantity:
    """One value in normal form; equal when kind, value and unit are equal, however it was written."""

    kind: str
    """`number`, `times`, `duration`, `period`, `worktime`, `date`, `time`, `weekday`, `ordinal`, or as in `measures`."""
    value: str
    unit: str = ""
    before: str = field(default="", compare=False)
    """The word before it, folded."""
    after: tuple[str, ...] = field(default=(), compare=False)
    """Up to two words after it, folded: what is counted."""
    is_version: bool = field(default=False, compare=False)


class FoundQuantity(NamedTuple):
    quantity: Quantity
    start: int
    end: int
    """Span in the *plain* text."""


def agree(one: Quantity, other: Quantity) -> bool:
    """Whether two values can be the same: equal, a less precise date or version, a duration said as a period."""
    same = one.value == other.value and one.unit == other.unit
    if one.kind != other.kind:
        return same and {one.kind, other.kind} == {"duration", "period"}
    if same:
        return True
    if one.kind == "date":
        return dates_agree(one.value, other.value)
    if one.kind == "number" and (one.is_version or other.is_version):
        ones, others = one.value.split("."), other.value.split(".")
        short = min(len(ones), len(others))
        return ones[:short] == others[:short]
    return False


def missing(claimed: Iterable[Quantity], given: Iterable[Quantity]) -> tuple[Quantity, ...]:
    """The claimed values that no given one agrees with (contract 8, support)."""
    there = tuple(given)
    return tuple(value for value in claimed if not any(agree(value, other) for other in there))


_HUGE = Decimal(10) ** 30


def decimal_text(value: Decimal) -> str:
    """A plain decimal without needless zeros; very large and very small values stay as they are."""
    if value and not Decimal("1e-12") < abs(value) < _HUGE:
        return str(value)
    return format(value.normalize(), "f")
