"""Records of a file as rows: building them, storing them as they are, and what is here already.

Filing (findings, holding, replacing) is `import_records` and `import_curated`; nothing here compares claims.
"""

from __future__ import annotations

from typing import Any

from evidence.exchange.checked import text_of
from evidence.exchange.items import Note
from evidence.models import Evidence, Tombstone
from evidence.models.evidence import EvidenceQuerySet
from evidence.rules.records import Record
from evidence.rules.vocab import Layer, Review, State
from evidence.services.actors import Filer
from evidence.services.drafts import EvidenceDraft
from evidence.services.errors import Refused
from evidence.services.filing_checks import build_evidence
from evidence.services.import_report import ImportOutcome
from evidence.services.import_stored import Stored, stored_record
from evidence.services.indexing import sync_index
from evidence.services.rows import fill, label_columns, time_columns
from evidence.services.texts import NAME_MAX, check_text, check_texts


def draft_of(record: Record, *, thread: str = "", origin_id: str = "") -> EvidenceDraft:
    """A record of a file as a draft; its check and trust stay what the file says."""
    check, valid = record.check, record.valid
    ttl = record.ttl_days
    return EvidenceDraft(
        source_id=record.source.id, source_version=record.source.version, kind=record.kind, claim=record.claim,
        content=record.content, summary=record.summary, excerpt=record.excerpt, event_at=text_of(record.event_at),
        check_at=text_of(check.at) if check else "", check_method=check.method if check else "",
        check_by=check.by if check else "", check_confirmed_by=(check.confirmed_by or "") if check else "",
        volatility=record.volatility or "work-state", ttl_days=float(ttl) if isinstance(ttl, int | float) else None,
        scope_access=record.scope.access, scope_shared_with=record.scope.shared_with, scope_owner=record.scope.owner,
        scope_project=record.scope.project or "", trust=record.trust, review=record.review or "",
        trust_class=record.trust_class or "unknown", durability=record.durability or "unknown",
        polarity=record.polarity, valid_from=text_of(valid.start) if valid else "",
        valid_until=text_of(valid.until) if valid else "", tags=record.tags, thread=thread, redaction=record.redaction,
        origin_id=origin_id,
    )  # fmt: skip


def build_row(filer: Filer, record: Record, *, thread: str = "", origin_id: str = "", **columns: Any) -> Evidence:
    """The row that a record of a file becomes; nothing is saved. `columns` override what the record says."""
    _check_beyond_drafts(record)
    row = build_evidence(filer, draft_of(record, thread=thread, origin_id=origin_id))
    columns = _beyond_drafts(record) | columns
    changed = {name: value for name, value in columns.items() if getattr(row, name) != value}
    for name, value in changed.items():
        setattr(row, name, value)
    return fill(row) if changed else row


def _check_beyond_drafts(record: Record) -> None:
    """Texts that only a file may state, and that filing therefore does not look at (contract 12.5)."""
    check, approval = record.check, record.approval
    names = {
        "scope.owner": record.scope.owner,
        "scope.project": record.scope.project or "",
        "rule_type": record.rule_type,
        "reach.ref": record.reach.ref if record.reach else "",
        "check.by": check.by if check else "",
        "check.confirmed_by": (check.confirmed_by or "") if check else "",
        "approval.by": approval.by if approval else "",
        "approval.proposal": approval.proposal if approval else "",
    }
    check_texts({name: (text, NAME_MAX) for name, text in names.items() if text})
    for record_id in (*record.derived_from, record.superseded_by or ""):
        check_text("record id", record_id, longest=64)


def _beyond_drafts(record: Record) -> dict[str, Any]:
    """Columns that no draft carries: only a file may say these of a record."""
    columns: dict[str, Any] = {
        "rule_type": record.rule_type, "layer": record.layer or Layer.L2, "derived_from": list(record.derived_from),
        "state": record.state, "superseded_by": record.superseded_by or "",
    }  # fmt: skip
    if record.reach:
        columns |= {"reach_level": record.reach.level, "reach_ref": record.reach.ref}
    if record.approval:
        columns |= {"approval_by": record.approval.by, "approval_proposal": record.approval.proposal}
        columns |= time_columns("approval_at", text_of(record.approval.at))
    return columns


def repeated(row: Evidence) -> Stored | None:
    """The same source version is here already: unchanged, newly approved, or refused because it says something else."""
    known = Evidence.objects.select_for_update().filter(namespace=row.namespace, record_id=row.record_id).first()
    gone = Tombstone.objects.filter(namespace=row.namespace, record_id=row.record_id).exists()
    if gone or (known is not None and known.state in (State.DELETED, State.REVOKED)):
        raise Refused("tombstoned", "This record was deleted; it does not come back under the same source version.")
    if known is None:
        return None
    if known.kind != row.kind:
        # Stored as evidence because another record stood on its claim.
        return stored_record(known, ImportOutcome.UNCHANGED)
    if known.content_hash != row.content_hash:
        raise Refused("source_version_conflict", "This version of this source is already held with different content.")
    if row.approval_by and not known.approval_by and known.state == State.ACTIVE:
        return _approve(known, row)
    return stored_record(known, ImportOutcome.UNCHANGED)


def _approve(known: Evidence, row: Evidence) -> Stored:
    """Its system approved this very version since it was imported."""
    columns = ("approval_by", "approval_at", "approval_at_text", "approval_proposal")
    for name in columns:
        setattr(known, name, getattr(row, name))
    turned = label_columns(known)
    for name, value in turned.items():
        setattr(known, name, value)
    known.version += 1
    known.save(update_fields=[*columns, *turned, "version"])
    sync_index(record_pk=known.pk)
    return stored_record(known, ImportOutcome.CHANGED, Note("approved_there", "its system approved this version since"))


def store_past(row: Evidence) -> Stored:
    """A record that its file calls superseded, revoked or deleted: kept as such, found by nobody."""
    same = repeated(row)
    if same is not None:
        return _stepped_back(row) or same
    if row.state in (State.DELETED, State.REVOKED):
        row.content = row.summary = row.excerpt = row.claim_value = row.value_key = ""
    insert(row)
    older = [] if _successor_is_here(row) else list(_not_decided_here(row).exclude(pk=row.pk).order_by("pk_uuid"))
    for old in older:
        supersede(old, row.superseded_by or row.record_id)
    return stored_record(row, ImportOutcome.CHANGED if older else ImportOutcome.CREATED, also=tuple(older))


def _successor_is_here(row: Evidence) -> bool:
    """What replaced it is a version of the same source that came before it: that one, or what followed, stands."""
    rows = Evidence.objects.in_namespace(row.namespace).filter(source_id=row.source_id)
    return bool(row.superseded_by) and rows.filter(record_id=row.superseded_by).exists()


def _stepped_back(row: Evidence) -> Stored | None:
    """Its system replaced this very version since it was imported; none where it stands already as it says, or by a decision."""
    known = _not_decided_here(row).filter(record_id=row.record_id).first()
    if known is None or row.state != State.SUPERSEDED:
        return None
    supersede(known, row.superseded_by or "")
    return stored_record(known, ImportOutcome.CHANGED, Note("replaced_there", "its system replaced this version since"))


def _not_decided_here(row: Evidence) -> EvidenceQuerySet:
    """Active versions of the same source that nobody here has reviewed or confirmed: what was decided here stays."""
    rows = Evidence.objects.select_for_update(of=("self",)).in_namespace(row.namespace).active()
    same = rows.filter(source_id=row.source_id, kind=row.kind, approval_by="").exclude(review=Review.APPROVED)
    return same.filter(check_confirmed_by__in=["", row.check_confirmed_by])


def insert(row: Evidence) -> None:
    row.save(force_insert=True)
    sync_index(record_pk=row.pk)


def supersede(old: Evidence, by: str) -> None:
    old.state, old.superseded_by = State.SUPERSEDED, by
    old.version += 1
    old.save(update_fields=["state", "superseded_by", "version"])
    sync_index(record_pk=old.pk)
