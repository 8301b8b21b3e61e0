"""What an agent may do with its own observations after they were filed: name and tag them, and have them forgotten (doors "MCP").

What anybody else relies on is not touched here: then a person is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from evidence.models import Agent, Evidence, HeldEvidence, HeldLink, Inquiry, InquiryEvidence, RecordLink
from evidence.rules.sources import may_file
from evidence.rules.usability import usable
from evidence.rules.vocab import Access, AuditAction, InquiryKind, InquiryStatus, Kind, Risk, State
from evidence.services import audit
from evidence.services.actors import Filer
from evidence.services.errors import Refused
from evidence.services.filing import may_read
from evidence.services.indexing import sync_index
from evidence.services.inquiring import open_inquiry, side_of
from evidence.services.journal import Journal
from evidence.services.locks import lock_claims, lock_records
from evidence.services.run_news import tell_who_used
from evidence.services.texts import SUMMARY_MAX, check_tags, check_text

QUOTED = 300
REASON_LONGEST = 500
BESIDE = 100


@dataclass(frozen=True, slots=True)
class Forgotten:
    """Gone at once, or the question whether it should go."""

    record: Evidence
    inquiry: Inquiry | None

    @property
    def at_once(self) -> bool:
        return self.inquiry is None


def annotate_record(
    *, filer: Filer, record_id: str, tags: Sequence[str] | None = None, title: str | None = None
) -> Evidence:
    """Other tags and another title for one's own observation; none: as they are. What it says stays as it was filed.

    Raises `Refused`: not_found, not_your_source, invalid_value.
    """
    if tags is None and title is None:
        raise Refused("invalid_value", "Give tags, a title, or both.", field="tags")
    kept = check_tags(dict.fromkeys(tags)) if tags is not None else ()
    check_text("title", title or "", longest=SUMMARY_MAX)
    with transaction.atomic():
        row = _own_observation(filer, record_id)
        wanted: dict[str, object] = {"tags": list(kept)} if tags is not None else {}
        if title is not None:
            _refuse_content(row)
            wanted["summary"] = title
        changed = {name: value for name, value in wanted.items() if getattr(row, name) != value}
        if not changed:
            return row
        journal, before = Journal(), side_of(row)
        journal.change(row, **changed)
        audit.append(
            namespace=row.namespace, actor=filer.actor, action=AuditAction.EDIT, target_kind="record",
            target_id=str(row.pk), target_version=row.version - 1, agent=row.scope_owner,
            effects=[{"kind": "edit", "target_kind": "record", "target_id": row.record_id}],
            snapshots={"shown": audit.keep(before), "journal": audit.keep({"journal": journal.entries})},
            touches=journal.touches(),
        )  # fmt: skip
        sync_index(record_pk=row.pk)
    return row


def forget_record(*, filer: Filer, record_id: str, reason: str = "") -> Forgotten:
    """One's own private observation on which nothing rests goes at once; of anything else its owner is asked.

    Raises `Refused` not_found for what the agent may not read, exactly as for what does not exist.
    """
    check_text("reason", reason, longest=REASON_LONGEST)
    with transaction.atomic():
        row = _readable(filer, record_id)
        if _is_only_its_own(filer, row):
            _delete(filer, row)
            return Forgotten(row, None)
        return Forgotten(row, _ask(filer, row, reason.strip()))


def _readable(filer: Filer, record_id: str) -> Evidence:
    """The record, its claim locked and then itself, if recall would show it to this agent."""
    rows = Evidence.objects.in_namespace(filer.namespace).filter(record_id=record_id)
    claim_key = rows.values_list("claim_key", flat=True).first()
    if claim_key:
        lock_claims(filer.namespace, [claim_key])
    row = lock_records(filer.namespace, [record_id]).get(record_id)
    if row is None or not may_read(filer, row) or not usable(row.to_record(), scan_secrets=False).usable:
        raise Refused("not_found", "There is no such record.")
    return row


def _own_observation(filer: Filer, record_id: str) -> Evidence:
    row = _readable(filer, record_id)
    if row.scope_owner != filer.agent.id or not may_file(
        row.source_id, agent=filer.agent.id, namespace=filer.namespace
    ):
        raise Refused("not_your_source", "Only what your agent filed itself can be annotated.", field="record")
    if row.kind != Kind.OBSERVATION:
        raise Refused(
            "invalid_value", "Only observations are annotated; propose a change of anything else.", field="record"
        )
    return row


def _refuse_content(row: Evidence) -> None:
    """Where the summary is all that was said, another one would be another text under the same id."""
    if not (row.content or row.excerpt or row.claim_key):
        raise Refused("invalid_value", "Its title is all that it says; file a new version instead.", field="title")


def _is_only_its_own(filer: Filer, row: Evidence) -> bool:
    """Its own, read by nobody else, and nothing rests on it: no proposal, no record, no question."""
    own = row.kind == Kind.OBSERVATION and row.scope_owner == filer.agent.id and row.scope_access == Access.PRIVATE
    if not own or not may_file(row.source_id, agent=filer.agent.id, namespace=filer.namespace):
        return False
    return not (_is_cited(row) or _is_asked_about(row) or HeldEvidence.objects.filter(evidence=row).exists())


def _is_cited(row: Evidence) -> bool:
    """Whether a proposal or a record rests on it; what an answer made of it stands on the same claim."""
    if HeldLink.objects.linked().filter(evidence=row).exists() or RecordLink.objects.filter(evidence=row).exists():
        return True
    beside = Evidence.objects.on_claim(row.namespace, row.claim_key).filter(kind=Kind.FACT).order_by("pk_uuid")
    return any(row.record_id in made for made in beside.values_list("derived_from", flat=True)[:BESIDE])


def _is_asked_about(row: Evidence) -> bool:
    if Inquiry.objects.naming(row.namespace, [row.record_id]).exists():
        return True
    return InquiryEvidence.objects.filter(evidence=row, inquiry__status=InquiryStatus.OPEN).exists()


def _delete(filer: Filer, row: Evidence) -> None:
    """State deleted, texts gone, id and source kept: the same source version does not come back. No copy is kept to undo it."""
    journal = Journal()
    journal.change(
        row, state=State.DELETED, content="", summary="", excerpt="", tags=[], claim_value="", value_key="",
        match_key="", content_hash="", check_method="", recheck_at=None, recheck_turns_at=None,
    )  # fmt: skip
    audit.append(
        namespace=row.namespace, actor=filer.actor, action=AuditAction.DELETE, target_kind="record",
        target_id=str(row.pk), target_version=row.version - 1, agent=row.scope_owner,
        effects=[{"kind": "deleted", "target_kind": "record", "target_id": row.record_id}], touches=journal.touches(),
    )  # fmt: skip
    sync_index(record_pk=row.pk)
    tell_who_used(row)


def _ask(filer: Filer, row: Evidence, reason: str) -> Inquiry:
    """One open question to the owner of the record's agent, whatever reasons this agent gives for it, and how often."""
    says = (row.claim_value or row.content or row.summary or row.excerpt)[:QUOTED]
    question = f"{filer.agent.id} asks to forget: “{says}”. Is it still true?"
    same = Inquiry.objects.naming(row.namespace, [row.record_id]).filter(
        kind=InquiryKind.QUESTION, current_record=row.record_id, question__startswith=question
    )  # fmt: skip
    known = same.select_for_update(of=("self",)).order_by("pk").first()
    if known is not None:
        known.touches, known.touched_at = known.touches + 1, timezone.now()
        known.save(update_fields=["touches", "touched_at"])
        return known
    owned = Agent.objects.filter(pk=row.scope_owner).exists()
    inquiry = open_inquiry(
        kind=InquiryKind.QUESTION, severity=Risk.MEDIUM, agent_id=row.scope_owner if owned else filer.agent.id,
        namespace=row.namespace, question=f"{question} It says: “{reason}”" if reason else question, current=row,
        incoming=None,
    )  # fmt: skip
    audit.append(
        namespace=row.namespace, actor=filer.actor, action=AuditAction.ASK_OWNER, target_kind="inquiry",
        target_id=str(inquiry.pk), agent=inquiry.agent_id,
        effects=[{"kind": "open_question", "target_kind": "record", "target_id": row.record_id}],
        touches=[audit.Touch("inquiry", str(inquiry.pk), inquiry.version)],
    )  # fmt: skip
    return inquiry
