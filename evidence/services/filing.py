"""Filing evidence: stored at once, held when it came from outside, never changing the current record (contract 13).

One verb, `file_evidence`; `do_file_evidence` is the same inside a caller's transaction (proposals file theirs inline).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils import timezone

from evidence.models import Evidence, HeldEvidence, HeldLink, HeldRecord, Tombstone
from evidence.models.evidence import EvidenceQuerySet
from evidence.rules.access import readable
from evidence.rules.identity import statement_fingerprint
from evidence.rules.records import Reader
from evidence.rules.sources import source_name
from evidence.rules.text import sha256_hex
from evidence.rules.vocab import AuditAction, HeldKind, Kind, Review, State
from evidence.services import audit
from evidence.services.actors import Filer
from evidence.services.drafts import EvidenceDraft
from evidence.services.echoes import mark_echo, polarity_of
from evidence.services.errors import Refused
from evidence.services.filing_checks import build_evidence
from evidence.services.findings import Finding, find
from evidence.services.indexing import sync_index
from evidence.services.locks import lock_claims
from evidence.services.matching import match_at_filing
from evidence.services.verification import enqueue_verification


@dataclass(frozen=True, slots=True)
class FiledEvidence:
    """`created` false: the same source version was held already, and nothing changed."""

    record: Evidence
    held: HeldRecord | None
    finding: Finding | None
    created: bool


def file_evidence(*, filer: Filer, draft: EvidenceDraft) -> FiledEvidence:
    """Store one piece of evidence. Raises `Refused` with the codes of the doors; then nothing was written."""
    row = build_evidence(filer, draft)
    with transaction.atomic():
        # Two versions of one source take turns, so that the second finds the first.
        lock_claims(filer.namespace, [row.claim_key, row.source_id if _is_edited_in_place(row) else ""])
        filed = do_file_evidence(filer, row)
        if filed.created:
            audit.append(
                namespace=filer.namespace, actor=filer.actor, action=AuditAction.FILE, target_kind="record",
                target_id=str(row.pk), agent=filer.agent.id,
                touches=[audit.Touch("record", str(filed.record.pk), filed.record.version)],
            )  # fmt: skip
    return filed


def do_file_evidence(
    filer: Filer, row: Evidence, *, queue_external: bool = True, proposed: str = ""
) -> FiledEvidence:  # fmt: skip
    """Store a checked row inside the caller's transaction, which holds the lock of its claim key.

    `queue_external=False`: it comes with a proposal, which is what is reviewed. `proposed` is that proposal's claim key:
    about this claim it is the proposal, too, that is asked about and carried out.
    """
    known = _known(filer, row)
    if known is not None:
        return FiledEvidence(known, HeldRecord.objects.filter(held_evidence__evidence=known).first(), None, False)
    _refuse_tombstoned(row)
    now = timezone.now()
    mark_echo(filer, row, now)
    if not _insert(row):
        known = _known(filer, row)
        assert known is not None  # the insert lost against this very row
        return FiledEvidence(known, None, None, False)
    replaced = _supersede_older_versions(row)
    held = _hold(filer, row, now) if row.review == Review.HELD and queue_external else None
    finding = find(filer, row, now, proposed=proposed) if held is None and row.review != Review.HELD else None
    for old in replaced:
        sync_index(record_pk=old.pk)
    sync_index(record_pk=row.pk)
    return FiledEvidence(row, held, finding, True)


def may_read(filer: Filer, record: Evidence) -> bool:
    """Whether the filing credential could read the record (an import reads everything)."""
    return filer.is_import or readable(record.scope, Reader(filer.agent.id, filer.projects))


def _known(filer: Filer, row: Evidence) -> Evidence | None:
    """The record that this source version already is; different content is refused and nothing changes (contract 1)."""
    known = Evidence.objects.filter(namespace=row.namespace, record_id=row.record_id).first()
    if known is None:
        return None
    if not may_read(filer, known):
        # Nothing else is said: not even whether the content is equal (contract 13).
        raise Refused("source_version_conflict", "This version of this source is already held.")
    if known.state == State.DELETED or known.state == State.REVOKED:
        raise Refused("tombstoned", "This record was deleted; it does not come back under the same source version.")
    if known.content_hash != row.content_hash:
        raise Refused("source_version_conflict", "This version of this source is already held with different content.")
    return known


def _refuse_tombstoned(row: Evidence) -> None:
    if Tombstone.objects.filter(namespace=row.namespace, record_id=row.record_id).exists():
        raise Refused("tombstoned", "This record was deleted; it does not come back under the same source version.")


def _insert(row: Evidence) -> bool:
    """Insert inside a savepoint; false when another transaction was first."""
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError:
        if Evidence.objects.filter(namespace=row.namespace, record_id=row.record_id).exists():
            return False
        raise
    return True


# Sources whose new version replaces the old one, by what stands there. Excerpts of one session are siblings.
_EDITED_IN_PLACE = {
    Kind.OBSERVATION: frozenset({"entry", "memory", "task", "run"}),
    Kind.ARTICLE: frozenset({"wiki"}),
}


def older_versions(row: Evidence) -> list[Evidence]:
    """The active versions of an edited source that came before this one, locked (contract 5).

    A reviewed article is none of them: an unapproved version of it goes by contract 3.3.
    """
    return list(_other_versions(row).filter(pk__lt=row.pk).order_by("pk_uuid"))


def _other_versions(row: Evidence) -> EvidenceQuerySet:
    if not _is_edited_in_place(row):
        return Evidence.objects.none()
    rows = Evidence.objects.select_for_update(of=("self",)).in_namespace(row.namespace).active()
    same = rows.filter(source_id=row.source_id, kind=row.kind, scope_owner=row.scope_owner, approval_by="")
    return same.exclude(pk=row.pk)


def _is_edited_in_place(row: Evidence) -> bool:
    return source_name(row.source_id).scheme in _EDITED_IN_PLACE.get(Kind(row.kind), ())


def _supersede_older_versions(row: Evidence) -> list[Evidence]:
    """An edited source: the older version steps back and is linked to the new one; an unreviewed capture replaces nothing.

    What stands there came before, whichever of the two was put together first.
    """
    older = [] if row.review == Review.HELD else list(_other_versions(row).order_by("pk_uuid"))
    for old in older:
        old.state, old.superseded_by = State.SUPERSEDED, row.record_id
        old.version += 1
        old.save(update_fields=["state", "superseded_by", "version"])
    return older


def _hold(filer: Filer, row: Evidence, now: datetime) -> HeldRecord:
    """Queue an external capture: it counts only once a person has looked at it (contract 4)."""
    statement = (row.content or row.summary or row.excerpt or row.claim_value)[:2000]
    held = HeldRecord(
        kind=HeldKind.HELD_EVIDENCE, agent=filer.agent, namespace=row.namespace, statement=statement,
        statement_key=statement_fingerprint(statement), claim_subject=row.claim_subject,
        claim_attribute=row.claim_attribute, claim_value=row.claim_value, claim_key=row.claim_key,
        value_key=row.value_key, content_hash=sha256_hex(row.content_hash), trust=row.trust,
        trust_class=row.trust_class, effective_trust_class=row.trust_class, durability=row.durability,
        tags=row.tags, volatility=row.volatility, ttl_days=row.ttl_days, event_at=row.event_at,
        event_at_text=row.event_at_text, scope_owner=row.scope_owner, scope_access=row.scope_access,
        scope_shared_with=row.scope_shared_with, scope_project=row.scope_project, filed_by=filer.actor.name,
        origin_system=row.origin_system, origin_id=row.origin_id, created_at=now, updated_at=now,
    )  # fmt: skip
    held.save(force_insert=True)
    HeldEvidence.objects.create(held=held, evidence=row)
    HeldLink.objects.create(held=held, evidence=row, polarity=polarity_of(row))
    match_at_filing(held, now)
    enqueue_verification(held)
    return held
