"""What people are told of about items, decisions and jobs, in the transaction of what happened. One function each."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

from evidence.models import Decision, Evidence, FactProposal, HeldEvidence, HeldRecord, Job, JobItem, PromotionProposal
from evidence.rules.bulk import ItemOutcome, JobKind, JobStatus
from evidence.rules.telling import NoticeKind, SubjectKind
from evidence.rules.vocab import ActorKind, AuditAction, HeldStatus, Risk, State
from evidence.selectors.people import first_approval_counts
from evidence.services.actors import Actor
from evidence.services.journal import Journal
from evidence.services.telling import is_said, tell


def tell_verified(held: HeldRecord) -> None:
    """After each verification: that it waits and is of high risk; and that it is not any more what somebody approved first."""
    if not held.is_waiting:
        return
    if held.first_approver_id is not None and not first_approval_counts(held):
        _about(
            held,
            NoticeKind.VOIDED,
            str(held.first_approval_version),
            people=[held.first_approver_id],
            by=held.last_editor_id,
        )
    if held.risk == Risk.HIGH:
        _about(held, NoticeKind.HIGH_RISK, "")


def tell_waiting(held: HeldRecord) -> None:
    """That it waits, in one piece of news for what comes of an agent within an hour: a digest counts when it is sent.

    Last in its transaction: whoever writes the same news at once waits for this one, and may hold the chain's head already.
    """
    if not held.is_waiting or held.risk == Risk.HIGH:
        return
    came = _came_at(held)
    key = f"{held.agent_id}:{held.namespace}:{came:%Y%m%d%H}"
    if not is_said(NoticeKind.WAITING, key):
        tell(
            kind=NoticeKind.WAITING, subject=(SubjectKind.AGENT, held.agent_id), key=key, agent=held.agent_id,
            namespace=held.namespace, at=came,
        )  # fmt: skip


def tell_first_approval(held: HeldRecord, decision: Decision, actor: Actor) -> None:
    _about(held, NoticeKind.SECOND, str(decision.id), by=actor.user.pk if actor.user else None)


def tell_undone(first: Decision, undone: Decision, actor: Actor) -> None:
    """To whoever took the decision, where somebody else took it back."""
    if first.actor_kind != ActorKind.PERSON or not first.actor_id.isdecimal() or first.actor_id == actor.id:
        return
    tell(
        kind=NoticeKind.OVERTURNED, subject=(SubjectKind.DECISION, undone.id), key=str(undone.id), agent=undone.agent,
        namespace=undone.namespace, people=[int(first.actor_id)], by=actor.user,
    )  # fmt: skip


def tell_overturned(decision: Decision, journal: Journal) -> None:
    """To whoever approved a record that somebody else's decision takes away: revoked, replaced, denied. Undoing tells itself."""
    if decision.action == AuditAction.UNDO:
        return
    left = [UUID(entry["pk"]) for entry in journal.entries if entry.get("before", {}).get("state") == State.ACTIVE]
    left += journal.emptied
    if not left:
        return
    gone = list(Evidence.objects.filter(pk__in=left).exclude(state=State.ACTIVE).values_list("pk", flat=True))
    by = int(decision.actor_id) if decision.actor_kind == ActorKind.PERSON and decision.actor_id.isdecimal() else None
    for approver in _approvers(gone, but=decision):
        tell(
            kind=NoticeKind.OVERTURNED, subject=(SubjectKind.DECISION, decision.pk), key=f"{decision.pk}:{approver}",
            agent=decision.agent, namespace=decision.namespace, people=[approver], by=by,
        )  # fmt: skip


def _approvers(records: list[UUID], *, but: Decision) -> list[int]:
    """Who approved the items that these records came from. One look for each kind of item, so that each walks its index."""
    items: set[UUID] = set(FactProposal.objects.filter(result__in=records).values_list("held_id", flat=True))
    items |= set(PromotionProposal.objects.filter(result__in=records).values_list("held_id", flat=True))
    items |= set(HeldEvidence.objects.filter(evidence__in=records).values_list("held_id", flat=True))
    approved = HeldRecord.objects.filter(pk__in=items, status=HeldStatus.APPROVED).exclude(decision_id=but.pk)
    decisions = Decision.objects.filter(
        pk__in=approved.values_list("decision_id", flat=True), actor_kind=ActorKind.PERSON
    )
    return sorted({int(one) for one in decisions.values_list("actor_id", flat=True) if one.isdecimal()})


def tell_job_ended(job: Job) -> None:
    """To its owner, who is not at the screen any more, where not everything was done."""
    if job.kind not in set(JobKind) or job.status == JobStatus.CANCELLED:
        return
    undone = JobItem.objects.filter(job=job, selected=True).exclude(outcome=ItemOutcome.DONE)
    if job.status == JobStatus.FAILED or undone.exists():
        tell(kind=NoticeKind.JOB, subject=(SubjectKind.JOB, job.pk), key=str(job.pk), people=[job.owner_id])


def tell_import_finished(job: Job) -> None:
    """To whoever started it; an import from the command line has nobody, and the administrators are told."""
    tell(
        kind=NoticeKind.IMPORTED, subject=(SubjectKind.JOB, job.pk), key=str(job.pk),
        namespace=str(job.detail.get("namespace", "")), people=[job.owner_id],
    )  # fmt: skip


def _came_at(held: HeldRecord) -> datetime:
    """When it came to the desk. What was imported keeps its date; its id, a UUIDv7, begins with the time of the import."""
    return max(held.created_at, datetime.fromtimestamp((held.id.int >> 80) / 1000, tz=UTC))


def _about(
    held: HeldRecord, kind: NoticeKind, key: str, *, people: list[int | None] | None = None, by: int | None = None
) -> None:
    tell(
        kind=kind, subject=(SubjectKind.HELD, held.id), key=f"{held.id}:{key}", agent=held.agent_id,
        namespace=held.namespace, people=people or [], by=by,
    )  # fmt: skip
