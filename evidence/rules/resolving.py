"""Which record wins when two speak about the same thing (contract 3, 12.4), and when two do.

Decides nothing and writes nothing: it says what holds between two records at `now`. Carrying it out is a service's work.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from evidence.rules.access import overlaps
from evidence.rules.labels import is_approved, label
from evidence.rules.reasons import ResolveReason
from evidence.rules.records import Check, Reach, Record, Validity
from evidence.rules.text import norm
from evidence.rules.times import read_time
from evidence.rules.usability import usable
from evidence.rules.vocab import Kind, Label, Outcome

_BEGINNING = datetime.min.replace(tzinfo=UTC)
_END = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Resolution:
    """`refreshes_check` is true only with `same`: incoming's check takes the place of current's (contract 12.4)."""

    outcome: Outcome
    reason: ResolveReason
    refreshes_check: bool = False


def resolve(current: Record, incoming: Record, now: datetime, *, scan_secrets: bool = True) -> Resolution:
    """The outcome by contract 3, first rule that applies.

    For two records about the same thing (`about_same_thing`); that is the caller's to see. `scan_secrets` as in `usable`.
    """
    if incoming.kind == Kind.DERIVED:
        return Resolution(Outcome.KEEP, ResolveReason.INCOMING_DERIVED)
    if not usable(incoming, scan_secrets=scan_secrets).usable:
        return Resolution(Outcome.KEEP, ResolveReason.INCOMING_NOT_USABLE)
    if is_approved(current):
        return _against_reviewed_article(current, incoming)
    if same_value(current, incoming):
        return Resolution(Outcome.SAME, ResolveReason.SAME_VALUE, _refreshes(current, incoming, now))
    return _other_value(current, incoming, now)


def same_value(a: Record, b: Record) -> bool:
    """Equal after `norm` (contract 12.1). Without a claim on both sides the text itself is what is claimed."""
    if a.claim is None and b.claim is None:
        return norm(a.content) == norm(b.content)
    return a.claim is not None and b.claim is not None and a.claim.value_key == b.claim.value_key


def about_same_thing(a: Record, b: Record) -> bool:
    """Whether `resolve` has anything to say: one claim key in one namespace, overlapping scope, reach and validity."""
    return (
        a.namespace == b.namespace
        and a.claim is not None
        and b.claim is not None
        and a.claim.key == b.claim.key
        and overlaps(a.scope, b.scope)
        and reach_overlaps(a.reach, b.reach)
        and validity_overlaps(a.valid, b.valid)
    )


def reach_overlaps(a: Reach | None, b: Reach | None) -> bool:
    """Two reaches are apart only where one level names two different refs (project kestrel, project osprey)."""
    if a is None or b is None or norm(a.level) != norm(b.level):
        return True
    return not norm(a.ref) or not norm(b.ref) or norm(a.ref) == norm(b.ref)


def validity_overlaps(a: Validity | None, b: Validity | None) -> bool:
    """Whether two `[from, until)` share an instant. Open and unreadable ends are unbounded (contract 1, 12.2)."""
    a_start, a_end = _bounds(a)
    b_start, b_end = _bounds(b)
    return a_start < b_end and b_start < a_end


def _against_reviewed_article(current: Record, incoming: Record) -> Resolution:
    """Contract 3.3: reviewed text changes only through its review."""
    if is_approved(incoming) and _other_version(current, incoming):
        if _approved_later(incoming, current):
            return Resolution(Outcome.SUPERSEDE, ResolveReason.LATER_APPROVED_VERSION)
        return Resolution(Outcome.KEEP, ResolveReason.NOT_LATER_APPROVED_VERSION)
    if same_value(current, incoming):
        return Resolution(Outcome.SAME, ResolveReason.SAME_VALUE)
    return Resolution(Outcome.CONFLICT, ResolveReason.REVIEWED_ARTICLE)


def _other_value(current: Record, incoming: Record, now: datetime) -> Resolution:
    """Contract 3.5 to 3.9."""
    ours, theirs = _check(current), _check(incoming)
    if label(incoming, now) == Label.UNVERIFIED:
        return Resolution(Outcome.CONFLICT, ResolveReason.INCOMING_UNVERIFIED)
    if _confirmed(theirs):
        return Resolution(Outcome.SUPERSEDE, ResolveReason.INCOMING_CONFIRMED)
    if _confirmed(ours):
        return Resolution(Outcome.CONFLICT, ResolveReason.CURRENT_CONFIRMED)
    if _at(ours) is None:
        return Resolution(Outcome.SUPERSEDE, ResolveReason.CURRENT_UNCHECKED)
    if _newer(theirs, ours):
        return Resolution(Outcome.SUPERSEDE, ResolveReason.NEWER_CHECK)
    return Resolution(Outcome.CONFLICT, ResolveReason.NOT_NEWER)


def _refreshes(current: Record, incoming: Record, now: datetime) -> bool:
    """Contract 12.4."""
    ours, theirs = _check(current), _check(incoming)
    checked = _at(theirs)
    if checked is None or checked > now:
        return False
    return _at(ours) is None or _newer(theirs, ours) or (_confirmed(theirs) and not _confirmed(ours))


def _check(record: Record) -> Check | None:
    """The check that counts: an article's is never read (contract 3, 12.4)."""
    return None if record.kind == Kind.ARTICLE else record.check


def _at(check: Check | None) -> datetime | None:
    return read_time(check.at) if check else None


def _newer(check: Check | None, other: Check | None) -> bool:
    ours, theirs = _at(check), _at(other)
    return ours is not None and theirs is not None and ours > theirs


def _confirmed(check: Check | None) -> bool:
    """An empty `confirmed_by` is none (contract 12.1)."""
    return bool(check and check.confirmed_by)


def _other_version(current: Record, incoming: Record) -> bool:
    return incoming.source.id == current.source.id and incoming.source.version != current.source.version


def _approved_later(incoming: Record, current: Record) -> bool:
    if incoming.approval is None or current.approval is None:
        return False
    later, earlier = read_time(incoming.approval.at), read_time(current.approval.at)
    return later is not None and earlier is not None and later > earlier


def _bounds(valid: Validity | None) -> tuple[datetime, datetime]:
    start = (read_time(valid.start) if valid else None) or _BEGINNING
    end = (read_time(valid.until) if valid else None) or _END
    # An interval that ends before it starts says nothing; taken as always, it can hide no contradiction.
    return (start, end) if start < end else (_BEGINNING, _END)
