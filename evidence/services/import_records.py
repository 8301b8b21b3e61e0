"""Records that arrive in an import: evidence as it is filed, decided facts and articles as their system decided them.

A fact of a ledger stands here only where nothing else stands on its claim; beside another record it is evidence, and what it
means is a finding for a person (contract 13: filing never changes the current record).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django.utils import timezone

from evidence.exchange.checked import text_of
from evidence.exchange.items import EvidenceItem, FactItem, Note
from evidence.models import Evidence, HeldRecord, ImportedItem, Tombstone
from evidence.rules.records import Record
from evidence.rules.resolving import about_same_thing, resolve
from evidence.rules.text import collapse
from evidence.rules.vocab import AuditAction, HeldStatus, InquiryKind, Kind, Layer, Outcome, Review, Risk, State
from evidence.services.actors import Filer
from evidence.services.drafts import EvidenceDraft
from evidence.services.errors import Refused
from evidence.services.filing import do_file_evidence
from evidence.services.filing_checks import build_evidence
from evidence.services.import_report import ImportOutcome
from evidence.services.import_stored import Stored, stored_held, stored_record
from evidence.services.indexing import sync_index
from evidence.services.inquiring import open_inquiry
from evidence.services.proposing import end_by_filer
from evidence.services.rows import fill, label_columns, time_columns

if TYPE_CHECKING:
    from evidence.services.import_items import Arrival


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
    row = build_evidence(filer, draft_of(record, thread=thread, origin_id=origin_id))
    columns = _beyond_drafts(record) | columns
    changed = {name: value for name, value in columns.items() if getattr(row, name) != value}
    for name, value in changed.items():
        setattr(row, name, value)
    return fill(row) if changed else row


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


# -- evidence --


def store_evidence(arrival: Arrival, item: EvidenceItem, known: ImportedItem | None) -> Stored:
    from evidence.services.import_items import require_agent

    filer = require_agent(arrival, item.agent)
    row = build_row(filer, item.record, thread=item.thread, origin_id=item.foreign_id)
    if row.state != State.ACTIVE:
        return _store_past(row)
    if known is not None:
        _release_origin(filer, row, item.foreign_id, known)
    return _file(filer, row, changed=known is not None)


def _file(filer: Filer, row: Evidence, *, changed: bool, notes: tuple[Note, ...] = ()) -> Stored:
    filed = do_file_evidence(filer, row)
    if not filed.created:
        return stored_record(filed.record, ImportOutcome.UNCHANGED, *notes)
    if filed.finding is not None:
        notes = (
            *notes,
            Note(f"finding_{filed.finding.outcome}", f"compared with what stands: {filed.finding.outcome}"),
        )
    if filed.held is not None:
        return stored_held(filed.held, ImportOutcome.HELD, *notes)
    return stored_record(filed.record, ImportOutcome.CHANGED if changed else ImportOutcome.CREATED, *notes)


def _release_origin(filer: Filer, row: Evidence, foreign_id: str, known: ImportedItem) -> None:
    """The source changed: an older capture that still waits is replaced, and the foreign id goes to the new one."""
    if Evidence.objects.filter(namespace=row.namespace, record_id=row.record_id).exists():
        return
    release_held(filer, row.namespace, foreign_id, known)
    older = Evidence.objects.active().filter(namespace=row.namespace, source_id=row.source_id, review=Review.HELD)
    for old in older.filter(kind=row.kind):
        _supersede(old, row.record_id)


def release_held(filer: Filer, namespace: str, foreign_id: str, known: ImportedItem) -> HeldRecord | None:
    """Free the foreign id of an earlier held record; one that waits is ended as replaced by its filer's newer one."""
    rows = HeldRecord.objects.select_for_update(of=("self",))
    old = rows.filter(namespace=namespace, origin_system=filer.origin_system, origin_id=foreign_id).first()
    if old is None:
        return None
    old.origin_id = f"{foreign_id}@{known.digest[:8]}"
    old.save(update_fields=["origin_id"])
    if old.is_waiting:
        end_by_filer(old, filer, status=HeldStatus.SUPERSEDED, action=AuditAction.REPLACE)
    return old


# -- facts and articles --


def store_fact(arrival: Arrival, item: FactItem, known: ImportedItem | None) -> Stored:
    from evidence.services.import_items import require_agent

    filer = require_agent(arrival, item.agent)
    record = item.record
    if record.review in (Review.HELD, Review.REJECTED):
        # From outside and unreviewed: a claim that waits, on nobody's ledger.
        record = replace(record, kind=Kind.OBSERVATION)
    row = build_row(filer, record, origin_id=item.foreign_id)
    past = tuple(_store_history(filer, older, item.foreign_id) for older in item.history)
    also = tuple(one for one in past if one is not None)
    repeated = _repeated(row)
    if repeated is not None:
        return repeated
    if row.state != State.ACTIVE:
        return _store_past(row)
    if row.kind == Kind.OBSERVATION:
        if known is not None:
            _release_origin(filer, row, item.foreign_id, known)
        return _file(filer, row, changed=known is not None)
    if row.kind == Kind.ARTICLE:
        return _store_article(filer, row)
    return _store_ledger_fact(filer, item, row, also)


def _repeated(row: Evidence) -> Stored | None:
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


def _store_ledger_fact(filer: Filer, item: FactItem, row: Evidence, also: tuple[Evidence, ...]) -> Stored:
    own = Evidence.objects.select_for_update().active().filter(
        namespace=row.namespace, source_id=row.source_id, kind=Kind.FACT
    ).first()  # fmt: skip
    if own is None and not _others(row):
        _insert(row)
        return stored_record(row, ImportOutcome.CREATED, also=also)
    if own is not None and not any(_collides(other, row) for other in _others(row)):
        verdict = resolve(own.to_record(), row.to_record(), timezone.now(), scan_secrets=False)
        if verdict.outcome in (Outcome.SAME, Outcome.SUPERSEDE):
            return _new_version(own, row, verdict.outcome, also)
    evidence = build_row(filer, replace(item.record, kind=Kind.OBSERVATION), origin_id=item.foreign_id)
    note = Note("beside_a_record", "another record stands on this claim; this one is kept as evidence beside it")
    return _file(filer, evidence, changed=own is not None, notes=(note,))


def _new_version(own: Evidence, row: Evidence, outcome: Outcome, also: tuple[Evidence, ...]) -> Stored:
    """The ledger moved on: its newer version takes the place of the older, which stays, superseded."""
    if outcome == Outcome.SAME:
        _keep_better_check(own, row)
    _supersede(own, row.record_id)
    _insert(row)
    return stored_record(row, ImportOutcome.CHANGED, also=(own, *also))


def _keep_better_check(own: Evidence, row: Evidence) -> None:
    """Same value: a confirmation or a later check that was made here is not lost to the file's older one (contract 3.4)."""
    row.check_confirmed_by = row.check_confirmed_by or own.check_confirmed_by
    if own.check_at is not None and (row.check_at is None or own.check_at > row.check_at):
        for name in ("has_check", "check_at", "check_at_text", "check_by", "check_method"):
            setattr(row, name, getattr(own, name))
    fill(row)


def _others(row: Evidence) -> list[Evidence]:
    """Standing records of other sources about the same thing."""
    standing = Evidence.objects.on_claim(row.namespace, row.claim_key).standing().exclude(source_id=row.source_id)
    incoming = row.to_record()
    return [one for one in standing.order_by("pk_uuid")[:50] if about_same_thing(one.to_record(), incoming)]


def _collides(other: Evidence, row: Evidence) -> bool:
    return other.kind == Kind.FACT and (other.scope_key, other.valid_key) == (row.scope_key, row.valid_key)


def _store_article(filer: Filer, row: Evidence) -> Stored:
    """A version of an article. What was approved here gives way only to a later approval (contract 3.3)."""
    active = list(
        Evidence.objects.select_for_update().active().filter(
            namespace=row.namespace, source_id=row.source_id, kind=Kind.ARTICLE
        ).order_by("pk_uuid")
    )  # fmt: skip
    approved = next((one for one in active if one.approval_by), None)
    if approved is not None and not _replaces(approved, row):
        return _beside_approved(filer, approved, row)
    for old in active:
        _supersede(old, row.record_id)
    _insert(row)
    return stored_record(row, ImportOutcome.CHANGED if active else ImportOutcome.CREATED, also=tuple(active))


def _replaces(approved: Evidence, row: Evidence) -> bool:
    verdict = resolve(approved.to_record(), row.to_record(), timezone.now(), scan_secrets=False)
    return verdict.outcome == Outcome.SUPERSEDE


def _beside_approved(filer: Filer, approved: Evidence, row: Evidence) -> Stored:
    if row.approval_by or collapse(row.content) == collapse(approved.content):
        row.state, row.superseded_by = State.SUPERSEDED, approved.record_id
        _insert(row)
        return stored_record(
            row, ImportOutcome.CREATED, Note("approved_here", "the version that was approved here stands")
        )
    older = Evidence.objects.active().filter(namespace=row.namespace, source_id=row.source_id, approval_by="")
    for old in older.filter(kind=Kind.ARTICLE):
        _supersede(old, row.record_id)
    _insert(row)
    question = f"The article {row.source_id} says something else outside than what was approved here. Which is true?"
    open_inquiry(
        kind=InquiryKind.CONFLICT, severity=Risk.HIGH, agent_id=filer.agent.id, namespace=row.namespace,
        question=question, current=approved, incoming=row,
    )  # fmt: skip
    return stored_record(
        row, ImportOutcome.CHANGED, Note("finding_conflict", "the approved version stands; its owner is asked")
    )


# -- what is past --


def _store_history(filer: Filer, record: Record, origin_id: str) -> Evidence | None:
    """An older value of a fact, superseded; none where an earlier import brought the same value under its own version."""
    row = build_row(filer, record, origin_id=origin_id)
    same = Evidence.objects.filter(namespace=row.namespace, source_id=row.source_id, value_key=row.value_key)
    known = Evidence.objects.filter(namespace=row.namespace, record_id=row.record_id)
    if same.filter(check_at=row.check_at).exists() or known.exists():
        return None
    _insert(row)
    return row


def _store_past(row: Evidence) -> Stored:
    """A record that its file calls superseded, revoked or deleted: kept as such, found by nobody."""
    repeated = _repeated(row)
    if repeated is not None:
        return repeated
    if row.state in (State.DELETED, State.REVOKED):
        row.content = row.summary = row.excerpt = row.claim_value = row.value_key = ""
    _insert(row)
    return stored_record(row, ImportOutcome.CREATED)


def _supersede(old: Evidence, by: str) -> None:
    old.state, old.superseded_by = State.SUPERSEDED, by
    old.version += 1
    old.save(update_fields=["state", "superseded_by", "version"])
    sync_index(record_pk=old.pk)


def _insert(row: Evidence) -> None:
    row.save(force_insert=True)
    sync_index(record_pk=row.pk)
