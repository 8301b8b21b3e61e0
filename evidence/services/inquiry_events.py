"""What people are told of about questions, once each and in the transaction of the event. Agents are told nothing: they ask."""

from __future__ import annotations

from collections.abc import Iterable

from evidence.models import Inquiry, User
from evidence.rules.telling import NoticeKind, SubjectKind
from evidence.rules.vocab import InquiryKind, Role
from evidence.services.telling import tell


def tell_opened(inquiry: Inquiry, *, by: User | None = None) -> None:
    """To whom it is assigned, else to every owner of the agent. What is due for a re-check is told of on its own way."""
    if inquiry.kind != InquiryKind.RECHECK:
        _tell(NoticeKind.QUESTION, inquiry, "opened", people=[inquiry.assigned_to_id], by=by)


def tell_assigned(inquiry: Inquiry) -> None:
    _tell(NoticeKind.QUESTION, inquiry, f"assigned:{inquiry.assigned_to_id}", people=[inquiry.assigned_to_id])


def tell_escalated(inquiry: Inquiry, people: Iterable[User]) -> None:
    """Each step once; without anybody to tell, to the administrators."""
    key = f"escalated:{inquiry.escalation}:{inquiry.due_at.isoformat() if inquiry.due_at else ''}"
    _tell(NoticeKind.OVERDUE, inquiry, key, people=[one.pk for one in people], otherwise=Role.ADMINISTRATOR)


def tell_evidence_came(inquiry: Inquiry, evidence_id: object) -> None:
    _tell(NoticeKind.EVIDENCE, inquiry, f"evidence:{evidence_id}", people=[inquiry.assigned_to_id])


def _tell(
    kind: NoticeKind,
    inquiry: Inquiry,
    key: str,
    *,
    people: Iterable[int | None],
    otherwise: Role | None = None,
    by: User | None = None,
) -> None:
    named = [one for one in people if one is not None]
    tell(
        kind=kind, subject=(SubjectKind.INQUIRY, inquiry.pk), key=f"{inquiry.pk}:{key}", agent=inquiry.agent_id,
        namespace=inquiry.namespace, people=named, role=None if named else otherwise, by=by,
    )  # fmt: skip
