"""Evidence that arrives in an import: filed as an agent's own would be, held when it came from outside."""

from __future__ import annotations

from evidence.exchange.items import EvidenceItem, Note
from evidence.models import Evidence, HeldRecord, ImportedItem
from evidence.rules.vocab import AuditAction, HeldStatus, Redaction, Review, State
from evidence.services.actors import Filer
from evidence.services.filing import do_file_evidence
from evidence.services.import_arrival import Arrival, require_agent
from evidence.services.import_gone import empty_origin
from evidence.services.import_report import ImportOutcome
from evidence.services.import_rows import build_row, store_past, supersede
from evidence.services.import_stored import Stored, stored_held, stored_record
from evidence.services.proposing import end_by_filer


def store_evidence(arrival: Arrival, item: EvidenceItem, known: ImportedItem | None) -> Stored:
    filer = require_agent(arrival, item.agent)
    row = build_row(filer, item.record, thread=item.thread, origin_id=item.foreign_id)
    if row.state != State.ACTIVE:
        return store_past(row)
    if known is not None and row.redaction == Redaction.DELETED:
        emptied = empty_origin(row, item.foreign_id)
        if emptied:
            return stored_record(emptied[0], ImportOutcome.CHANGED, also=tuple(emptied[1:]))
    if known is not None:
        release_origin(filer, row, item.foreign_id, known)
    return file_row(filer, row, changed=known is not None)


def file_row(filer: Filer, row: Evidence, *, changed: bool, notes: tuple[Note, ...] = ()) -> Stored:
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


def release_origin(filer: Filer, row: Evidence, foreign_id: str, known: ImportedItem) -> None:
    """The source changed: an older capture that still waits is replaced, and the foreign id goes to the new one."""
    if Evidence.objects.filter(namespace=row.namespace, record_id=row.record_id).exists():
        return
    release_held(filer, row.namespace, foreign_id, known)
    older = Evidence.objects.active().filter(namespace=row.namespace, source_id=row.source_id, review=Review.HELD)
    for old in older.filter(kind=row.kind):
        supersede(old, row.record_id)


def release_held(filer: Filer, namespace: str, foreign_id: str, known: ImportedItem) -> HeldRecord | None:
    """Free the foreign id of an earlier held record; one that waits is ended as replaced by its filer's newer one."""
    rows = HeldRecord.objects.select_for_update(of=("self",))
    old = rows.from_origin(namespace, filer.origin_system, foreign_id).first()
    if old is None:
        return None
    old.origin_id = f"{foreign_id}@{known.digest[:8]}"
    old.save(update_fields=["origin_id"])
    if old.is_waiting:
        end_by_filer(old, filer, status=HeldStatus.SUPERSEDED, action=AuditAction.REPLACE)
    return old
