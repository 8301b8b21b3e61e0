"""What another system deleted, and what only tells of its past: tombstones, emptied texts, history.

A deletion there takes what was imported from there and nobody here has decided about; a decision made here stays, and is said.
"""

from __future__ import annotations

from uuid import UUID

from evidence.exchange.items import DECISION_FIELD, AnyItem, EvidenceItem, FactItem, HistoryItem, Note, TombstoneItem
from evidence.models import Decision, Evidence, HeldRecord, ImportedItem, Tombstone
from evidence.rules.identity import record_id
from evidence.rules.text import sha256_hex
from evidence.rules.vocab import AuditAction, HeldStatus, Redaction, Review, State
from evidence.services.actors import Filer
from evidence.services.audit import Touch
from evidence.services.burying import bury, emptied
from evidence.services.import_arrival import Arrival, require_agent
from evidence.services.import_report import ImportOutcome
from evidence.services.import_stored import Stored
from evidence.services.proposing import end_by_filer
from evidence.services.texts import NAME_MAX, SOURCE_MAX, check_texts


def store_history(arrival: Arrival, item: HistoryItem | EvidenceItem | FactItem, known: ImportedItem | None) -> Stored:
    """Kept in what is remembered of the import, where its foreign id finds it; there is no row of its own."""
    outcome = ImportOutcome.CREATED if known is None else ImportOutcome.CHANGED
    return Stored(outcome, "history", sha256_hex(arrival.system, item.foreign_id)[:32], touches=())


def written_here(item: AnyItem) -> bool:
    """Whether it is a decision of this desk that was written back there: kept as that, and no evidence of itself."""
    named = item.extra.get(DECISION_FIELD)
    if not isinstance(named, str) or not isinstance(item, EvidenceItem | FactItem):
        return False
    try:
        return Decision.objects.filter(pk=UUID(named)).exists()
    except ValueError:
        return False


def store_tombstone(arrival: Arrival, item: TombstoneItem, known: ImportedItem | None) -> Stored:
    """Nothing under this source comes back, and what came from it goes, unless a person here has decided about it."""
    check_texts(
        {
            "source.id": (item.source.id, SOURCE_MAX),
            "source.version": (item.source.version, SOURCE_MAX),
            "deleted_at": (item.deleted_at, NAME_MAX),
            "cause": (item.cause, NAME_MAX),
        }
    )
    filer = require_agent(arrival, item.agent)
    named = record_id(item.source)
    gone, kept = _came_from(arrival, item)
    for row in gone:
        bury(row)
    Tombstone.objects.get_or_create(
        namespace=arrival.namespace, record_id=named, defaults={"source_id": item.source.id}
    )
    touches = [Touch("record", str(row.pk), row.version) for row in gone]
    touches += _withdraw(filer, arrival, item.foreign_id)
    notes = (Note("decided_here", "it was deleted there; what was decided about it here stays"),) if kept else ()
    changed = known is not None or bool(touches)
    outcome = ImportOutcome.CHANGED if changed else ImportOutcome.CREATED
    return Stored(
        outcome, "record" if gone else "tombstone", gone[0].record_id if gone else named, notes, tuple(touches)
    )


def _came_from(arrival: Arrival, item: TombstoneItem) -> tuple[list[Evidence], bool]:
    """Rows that this foreign id brought in, by whether they may go; those that are gone already count as neither."""
    rows = Evidence.objects.select_for_update(of=("self",)).from_origin(
        arrival.namespace, arrival.system, item.foreign_id
    )
    there = list(rows.exclude(state__in=[State.DELETED, State.REVOKED]).order_by("pk_uuid"))
    gone = [row for row in there if row.review != Review.APPROVED and not row.approval_by]
    return gone, len(gone) < len(there)


def _withdraw(filer: Filer, arrival: Arrival, foreign_id: str) -> list[Touch]:
    """A proposal of it that still waits is taken back; a decided one stays decided."""
    rows = HeldRecord.objects.select_for_update(of=("self",)).waiting()
    held = rows.from_origin(arrival.namespace, arrival.system, foreign_id).first()
    if held is None:
        return []
    end_by_filer(held, filer, status=HeldStatus.WITHDRAWN, action=AuditAction.WITHDRAW)
    return [Touch("held", str(held.pk), held.version)]


def empty_origin(incoming: Evidence, foreign_id: str) -> list[Evidence]:
    """Its system emptied this evidence since: so is what was imported of it, in place, so that proposals keep their link."""
    rows = Evidence.objects.select_for_update(of=("self",)).active()
    came = rows.from_origin(incoming.namespace, incoming.origin_system, foreign_id)
    older = list(came.exclude(redaction=Redaction.DELETED).order_by("pk_uuid"))
    for row in older:
        emptied(row, redaction=Redaction.DELETED)
    return older
