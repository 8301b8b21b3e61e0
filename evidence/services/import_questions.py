"""Questions that arrive in an import: open ones are asked here, with both sides; closed ones are kept as history."""

from __future__ import annotations

from django.utils import timezone

from evidence.exchange.items import Note, QuestionItem
from evidence.models import Evidence, HeldRecord, ImportedItem, Inquiry
from evidence.rules.text import norm, sha256_hex
from evidence.rules.times import read_time
from evidence.rules.vocab import Answer, HeldKind, InquiryKind, InquiryStatus, Kind, Risk, State
from evidence.services import audit
from evidence.services.actors import Filer
from evidence.services.errors import Refused
from evidence.services.import_arrival import Arrival, require_agent
from evidence.services.import_report import ImportOutcome
from evidence.services.import_rows import build_row
from evidence.services.import_stored import Stored, stored_inquiry
from evidence.services.indexing import sync_index
from evidence.services.inquiring import open_inquiry, side_of, whom_to_ask
from evidence.services.texts import STATEMENT_MAX, check_text

_SEVERITY = {InquiryKind.CONFLICT: Risk.HIGH}
_STATUS = {"answered": InquiryStatus.ANSWERED, "stale": InquiryStatus.STALE}


def store_question(arrival: Arrival, item: QuestionItem, known: ImportedItem | None) -> Stored:
    filer = require_agent(arrival, item.agent)
    check_text("question", item.question, longest=STATEMENT_MAX)
    check_text("answer", item.answer, longest=STATEMENT_MAX)
    if known is not None:
        earlier = Inquiry.objects.filter(pk=known.target_id).first()
        if earlier is not None:
            return _closed_meanwhile(earlier, item)
    current = _current_side(arrival, item)
    if item.decided is not None:
        return _store_closed(filer, item, current)
    other = _other_record(arrival, item)
    held = _waiting_item(arrival, item) if other is None else None
    asked_here = _asked_here(held, item, current)
    if asked_here is not None:
        return stored_inquiry(asked_here, ImportOutcome.UNCHANGED)
    incoming = other or (held.fact_proposal.observation if held else _incoming_side(filer, item))
    # Of a candidate that does not wait here, or a record that is not here, nothing can be decided: it is plainly asked.
    kind = item.kind if not item.candidate or (incoming and current) else InquiryKind.QUESTION
    inquiry = open_inquiry(
        kind=kind, severity=_SEVERITY.get(kind, Risk.MEDIUM), held=held, namespace=arrival.namespace,
        agent_id=whom_to_ask(current, filer.agent.id) if current else filer.agent.id,
        question=item.question, current=current, incoming=incoming, origin=(arrival.system, item.foreign_id),
    )  # fmt: skip
    asked = read_time(item.asked_at)
    if asked is not None and asked < inquiry.asked_at:
        inquiry.asked_at = asked
        inquiry.save(update_fields=["asked_at"])
    brought = incoming if item.incoming is not None else None
    also = (audit.Touch("record", str(brought.pk), brought.version),) if brought else ()
    return stored_inquiry(inquiry, ImportOutcome.CREATED, also=also)


def _closed_meanwhile(earlier: Inquiry, item: QuestionItem) -> Stored:
    """Answered there since: an open one here stays open, since nobody here has answered it."""
    if item.decided is None:
        return stored_inquiry(earlier, ImportOutcome.UNCHANGED)
    note = Note("decided_elsewhere", f"it was {item.decided.status} there meanwhile; here it is {earlier.status}")
    return stored_inquiry(earlier, ImportOutcome.CHANGED, note)


def _other_record(arrival: Arrival, item: QuestionItem) -> Evidence | None:
    """The second of two facts between which the question asks, where it stands."""
    if not item.incoming_source:
        return None
    return Evidence.objects.filter(namespace=arrival.namespace, source_id=item.incoming_source).active().first()


def _waiting_item(arrival: Arrival, item: QuestionItem) -> HeldRecord | None:
    """The proposal that the question is about, as long as it waits."""
    if not item.candidate:
        return None
    waiting = HeldRecord.objects.waiting().filter(namespace=arrival.namespace, kind=HeldKind.FACT_PROPOSAL)
    return waiting.filter(origin_system=arrival.system, origin_id=item.candidate).first()


def _asked_here(held: HeldRecord | None, item: QuestionItem, current: Evidence | None) -> Inquiry | None:
    """The same question where the verification of the item was faster and opened it already."""
    if held is None or current is None:
        return None
    return Inquiry.objects.open().filter(held=held, kind=item.kind, current_record=current.record_id).first()


def _current_side(arrival: Arrival, item: QuestionItem) -> Evidence | None:
    """What stands: the fact that was asked about, or what took its place on the claim here."""
    if not item.current_source:
        return None
    rows = Evidence.objects.filter(namespace=arrival.namespace)
    own = rows.filter(source_id=item.current_source).active()
    found = own.filter(kind=Kind.FACT).first() or own.first()
    return found or rows.filter(source_id=item.current_source).order_by("-pk_uuid").first()


def _incoming_side(filer: Filer, item: QuestionItem) -> Evidence | None:
    """What was reported against it, as evidence of its agent. No finding is made of it: this question is the finding."""
    if item.incoming is None:
        return None
    row = build_row(filer, item.incoming, origin_id=item.foreign_id)
    known = Evidence.objects.filter(namespace=row.namespace, record_id=row.record_id).first()
    if known is None:
        row.save(force_insert=True)
        sync_index(record_pk=row.pk)
        return row
    if known.state != State.ACTIVE or known.content_hash != row.content_hash:
        raise Refused(
            "source_version_conflict", "What was reported is already held, and says something else or is gone."
        )
    return known


def _store_closed(filer: Filer, item: QuestionItem, current: Evidence | None) -> Stored:
    assert item.decided is not None
    incoming = build_row(filer, item.incoming) if item.incoming else None
    answered = item.decided.status == "answered"
    asked = read_time(item.asked_at)
    inquiry = Inquiry.objects.create(
        kind=item.kind, status=_STATUS.get(item.decided.status, InquiryStatus.WITHDRAWN),
        severity=_SEVERITY.get(item.kind, Risk.MEDIUM), namespace=filer.namespace, agent=filer.agent,
        question=item.question, twin_key=sha256_hex(norm(item.question), filer.namespace, item.foreign_id),
        current_record=current.record_id if current else "",
        current_snapshot=audit.keep(side_of(current)) if current else None,
        incoming_snapshot=audit.keep(side_of(incoming)) if incoming else None,
        asked_at=asked or timezone.now(), touched_at=asked or timezone.now(),
        answer=_answer(item, current, incoming) if answered else "", answer_value=item.answer,
        answered_by=f"{item.decided.by or 'somebody'} in {filer.origin_system}"[:200],
        answered_at=read_time(item.decided.at), origin_system=filer.origin_system, origin_id=item.foreign_id,
    )  # fmt: skip
    return stored_inquiry(inquiry, ImportOutcome.CREATED)


def _answer(item: QuestionItem, current: Evidence | None, incoming: Evidence | None) -> Answer:
    """Which side the foreign answer named. The fact in question may have changed since; then only the value tells."""
    given = norm(item.answer)
    if incoming is not None and given == norm(incoming.claim_value):
        return Answer.INCOMING
    if current is not None and given == norm(current.claim_value):
        return Answer.CURRENT
    return Answer.OTHER_VALUE
