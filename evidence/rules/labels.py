"""The label: how far a record can be relied on (contract 2), as a function of time and as the instants at which it turns.

No clock: `now` is an argument. `label` says it step by step, as the contract does; `label_window` says the same as three
columns for the database. Tests hold the two together for every record.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Literal

from evidence.rules.known_words import unknown_words
from evidence.rules.records import Record
from evidence.rules.times import read_time
from evidence.rules.vocab import Kind, Label, Volatility

DAY = timedelta(days=1)
_CLASS_DAYS = 2.0
_SHORT_LIVED: frozenset[str] = frozenset(Volatility) - {Volatility.STABLE}
_LONGEST_DAYS = 3_652_060  # the days of all years that a datetime can name: no record grows older


@dataclass(frozen=True, slots=True)
class LabelWindow:
    """When a label turns. `dated`: unverified before `verified_from`, then verified, and stale from `expires_at` on (UTC).

    Only `dated` has instants; `expires_at` none = never stale. A check with ttl 0 has both instants equal: never verified.
    """

    base: Literal["approved", "dated", "unverified"]
    verified_from: datetime | None = None
    expires_at: datetime | None = None


_APPROVED = LabelWindow("approved")
_UNVERIFIED = LabelWindow("unverified")


def effective_ttl(volatility: str, ttl_days: object) -> float | None:
    """How many days a check holds; none = for ever. A readable `ttl_days` overrides the class, also a stable one (contract 1).

    Negative, NaN, infinite or no number: ignored (12.2). An unknown or missing class without it: 0, the shortest there is.
    """
    own = _readable_ttl(ttl_days)
    if own is not None:
        return own
    if volatility == Volatility.STABLE:
        return None
    return _CLASS_DAYS if volatility in _SHORT_LIVED else 0.0


def is_approved(record: Record) -> bool:
    """An article version that carries an approval: one with a name, and no unknown word that undoes it (contract 12.3)."""
    return (
        record.kind == Kind.ARTICLE
        and record.approval is not None
        and bool(record.approval.by)
        and not unknown_words(record)
    )


def label(record: Record, now: datetime) -> Label:
    """The label at `now` (an aware datetime), by contract 2 in its order.

    It says how far the claim can be relied on *for the time it speaks of*. Contract 2 does not name `valid`, so a claim whose
    `valid.until` has passed keeps its label, and stays usable: what held in March is as true in May. Validity says which
    claims meet (contract 3), and is shown beside the text.
    """
    if unknown_words(record) or record.kind == Kind.DERIVED:
        return Label.UNVERIFIED
    if record.kind == Kind.ARTICLE:
        return Label.APPROVED if is_approved(record) else Label.UNVERIFIED
    checked = _checked_at(record)
    if checked is None or checked > now or not _has_class(record):
        return Label.UNVERIFIED
    ttl = effective_ttl(record.volatility, record.ttl_days)
    return Label.STALE if ttl is not None and (now - checked) // DAY >= ttl else Label.VERIFIED


def label_window(record: Record) -> LabelWindow:
    """The instants at which the label turns, for columns and filters (contract 2); independent of any `now`."""
    if is_approved(record):
        return _APPROVED
    if unknown_words(record) or record.kind in (Kind.DERIVED, Kind.ARTICLE) or not _has_class(record):
        return _UNVERIFIED
    checked = _checked_at(record)
    if checked is None:
        return _UNVERIFIED
    return LabelWindow("dated", checked, _expiry(checked, effective_ttl(record.volatility, record.ttl_days)))


def label_of_window(window: LabelWindow, now: datetime) -> Label:
    """The label at `now` of a stored window; agrees with `label` of the record it was made of."""
    if window.base == "approved":
        return Label.APPROVED
    if window.base != "dated" or window.verified_from is None or now < window.verified_from:
        return Label.UNVERIFIED
    return Label.STALE if window.expires_at is not None and now >= window.expires_at else Label.VERIFIED


def _has_class(record: Record) -> bool:
    """Without a class and without its own ttl nobody can say how long the check holds."""
    return bool(record.volatility) or _readable_ttl(record.ttl_days) is not None


def _checked_at(record: Record) -> datetime | None:
    return read_time(record.check.at) if record.check else None


def _expiry(checked: datetime, ttl: float | None) -> datetime | None:
    """Whole elapsed days reach a ttl exactly when its next whole number of days has passed: 1.5 acts as 2."""
    if ttl is None:
        return None
    try:
        return checked + timedelta(days=math.ceil(ttl))
    except OverflowError:
        return None


def _readable_ttl(value: object) -> float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        finite = True
    elif isinstance(value, float):
        finite = math.isfinite(value)
    elif isinstance(value, Decimal):
        finite = value.is_finite()
    else:
        return None
    # The cap keeps a whole number of any size inside what float and timedelta can say.
    return float(min(value, _LONGEST_DAYS)) if finite and value >= 0 else None
