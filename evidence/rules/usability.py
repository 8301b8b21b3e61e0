"""Whether a record may count at all: as evidence, as a source, as an answer (contract 4).

Who may read it is `access`; how far it can be relied on is `labels`: a stale record is still usable.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evidence.rules.known_words import unknown_words
from evidence.rules.reasons import UsableReason
from evidence.rules.records import Record
from evidence.rules.secrets import has_secret
from evidence.rules.vocab import Kind, Review, State, Trust


@dataclass(frozen=True, slots=True)
class Usability:
    """`reason` is a `UsableReason`: `usable`, or the first thing that stands against it."""

    usable: bool
    reason: UsableReason


def usable(record: Record, *, scan_secrets: bool = True) -> Usability:
    """Active, not held or rejected, external only when approved, no secret in its text (contract 4).

    Unknown words: not usable (12.3). A missing trust counts as external (contract 1). Validity is not read: a claim about a
    time that has passed is still evidence of that time. `scan_secrets=False` is for callers whose boundary has scanned this
    very text already.
    """
    reason = _against(record)
    if reason is None and scan_secrets and any(map(has_secret, texts_of(record))):
        reason = UsableReason.SECRET
    return Usability(reason is None, reason or UsableReason.USABLE)


def texts_of(record: Record) -> Iterator[str]:
    """Every text of a record in which secrets are looked for (contract 12.5); empty ones left out."""
    claim = record.claim
    members = (claim.subject, claim.attribute, claim.value) if claim else ()
    for text in (record.content, *members, record.summary, record.excerpt, *record.tags, record.source.id):
        if text:
            yield text


def _against(record: Record) -> UsableReason | None:
    if unknown_words(record):
        return UsableReason.UNKNOWN_WORD
    if record.state != State.ACTIVE:
        return UsableReason.NOT_ACTIVE
    if record.review == Review.HELD:
        return UsableReason.HELD
    if record.review == Review.REJECTED:
        return UsableReason.REJECTED
    if record.trust in ("", Trust.EXTERNAL) and record.review != Review.APPROVED:
        return UsableReason.EXTERNAL_UNREVIEWED
    if record.kind == Kind.DERIVED and not record.derived_from:
        return UsableReason.NO_SOURCES
    return None
