"""What new evidence says about the current record: a finding, never a change of it (contract 13).

`same` by an internal or operator re-check refreshes the check, as a decision by `policy`; `conflict` opens a question;
`supersede` files a fact proposal, which a person decides.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from django.utils import timezone

from evidence.models import Evidence, Inquiry
from evidence.rules.resolving import about_same_thing, resolve
from evidence.rules.times import read_time
from evidence.rules.vocab import AuditAction, InquiryKind, Kind, Outcome, Risk, State, Trust
from evidence.services import audit
from evidence.services.actors import Actor, Filer
from evidence.services.closing import close_question
from evidence.services.echoes import looked_again
from evidence.services.facts import Checked, refresh_record_check
from evidence.services.inquiring import open_inquiry, touch_with_report, whom_to_ask
from evidence.services.journal import Journal
from evidence.services.locks import lock_records

if TYPE_CHECKING:
    from evidence.services.proposing import FiledProposal

FACTS_ASKED = 10


@dataclass(frozen=True, slots=True)
class Finding:
    """`current` is a record id; what was opened or filed because of it is named. `made`: it was not there before."""

    outcome: Outcome
    reason: str
    current: str
    inquiry_id: UUID | None = None
    held_id: UUID | None = None
    made: bool = False


def find(filer: Filer, row: Evidence, now: datetime, *, proposed: str = "") -> Finding | None:
    """Compare a stored record with the current one on its claim key. Precondition: the claim key is locked.

    About the claim key `proposed` nothing is asked or filed: the evidence comes with a proposal that does.
    """
    current = standing_against(row)
    if current is None:
        return None
    if row.echoes and not looked_again(row, current):
        return Finding(Outcome.KEEP, "echo", current.record_id)
    verdict = resolve(current.to_record(), row.to_record(), now, scan_secrets=False)
    reason = str(verdict.reason)
    if verdict.outcome == Outcome.SAME and verdict.refreshes_check and row.trust in (Trust.INTERNAL, Trust.OPERATOR):
        refresh_check(current, row, actor=Actor.policy(filer.actor.door), agent_id=filer.agent.id)
    finding = Finding(verdict.outcome, reason, current.record_id)
    if proposed and row.claim_key == proposed:
        return finding
    if verdict.outcome == Outcome.CONFLICT:
        inquiry = _ask(filer, current, row)
        return replace(finding, inquiry_id=inquiry.id, made=inquiry.touches == 0)
    if verdict.outcome == Outcome.SUPERSEDE:
        filed = _propose(filer, row)
        return replace(finding, held_id=filed.held.id, made=filed.created) if filed else finding
    return finding


def ask_about_facts(article: Evidence, *, asked: str) -> list[Inquiry]:
    """A reviewed article that says something else than facts that stand: one question each, none of them changes (contract 3).

    Gives the questions that were not open before.
    """
    if not article.claim_key:
        return []
    record = article.to_record()
    facts = Evidence.objects.on_claim(article.namespace, article.claim_key).active().filter(kind=Kind.FACT)
    opened = []
    for fact in facts.exclude(value_key=article.value_key).order_by("pk_uuid")[:FACTS_ASKED]:
        if about_same_thing(fact.to_record(), record):
            about = f"{article.claim_subject} · {article.claim_attribute}"
            opened.append(
                open_inquiry(
                    kind=InquiryKind.CONFLICT, severity=Risk.HIGH, agent_id=asked, namespace=article.namespace,
                    question=f"{about}: the reviewed article says “{article.claim_value}”, a fact says “{fact.claim_value}”. "
                    "Which is true?",
                    current=article, incoming=fact,
                )
            )  # fmt: skip
    return [inquiry for inquiry in opened if inquiry.touches == 0]


def refresh_check(current: Evidence, checked: Evidence, *, actor: Actor, agent_id: str) -> None:
    """Take over a newer check of the same value; an earlier confirmation is kept (contract 3.4, 12.4)."""
    locked = lock_records(current.namespace, [current.record_id])[current.record_id]
    at = read_time(checked.check_at)
    confirmed = bool(checked.check_confirmed_by) and not locked.check_confirmed_by
    if at is None or (locked.check_at is not None and locked.check_at >= at and not confirmed):
        return
    journal = Journal()
    said = Checked(at, checked.check_by, checked.check_method, checked.check_confirmed_by)
    refresh_record_check(locked, said, journal)
    audit.append(
        namespace=locked.namespace, actor=actor, action=AuditAction.REFRESH_CHECK, target_kind="record",
        target_id=str(locked.pk), target_version=locked.version - 1, agent=agent_id,
        effects=[{"kind": "refresh_check", "target_kind": "record", "target_id": locked.record_id}],
        snapshots={"journal": audit.keep({"journal": journal.entries})}, touches=journal.touches(),
    )  # fmt: skip


def standing_against(row: Evidence) -> Evidence | None:
    """The standing fact or approved article about the same thing, in overlapping scope and validity.

    For a version of an article that is reviewed the article itself: what it says goes by contract 3.3.
    """
    if row.kind == Kind.ARTICLE:
        reviewed = Evidence.objects.in_namespace(row.namespace).standing().filter(source_id=row.source_id)
        own = reviewed.filter(kind=Kind.ARTICLE).exclude(pk=row.pk).first()
        if own is not None:
            return own
    if not row.claim_key:
        return None
    incoming = row.to_record()
    standing = Evidence.objects.on_claim(row.namespace, row.claim_key).standing().exclude(pk=row.pk)
    about = [one for one in standing.order_by("pk_uuid")[:50] if about_same_thing(one.to_record(), incoming)]
    # A reviewed article stands above a fact on the same key (contract 3.3).
    return next((one for one in about if one.approval), about[0] if about else None)


def _ask(filer: Filer, current: Evidence, row: Evidence) -> Inquiry:
    asked = whom_to_ask(current, filer.agent.id)
    if row.claim_key:
        twin = touch_with_report(agent_id=asked, current=current, row=row, filed_by=filer.actor.name)
        if twin is not None:
            return twin
    _withdraw_for_older(current, row)
    return open_inquiry(
        kind=InquiryKind.CONFLICT, severity=Risk.HIGH, agent_id=asked, namespace=row.namespace,
        question=_question(filer, current, row), current=current, incoming=row,
    )  # fmt: skip


def _withdraw_for_older(current: Evidence, row: Evidence) -> None:
    """An article that is written anew again is one question, about its newest text."""
    if row.kind != Kind.ARTICLE:
        return
    older = Evidence.objects.in_namespace(row.namespace).filter(source_id=row.source_id, state=State.SUPERSEDED)
    asked = Inquiry.objects.open().select_for_update(of=("self",)).filter(
        namespace=row.namespace, current_record=current.record_id, incoming_record__in=older.values("record_id")
    )  # fmt: skip
    for inquiry in asked.order_by("pk"):
        close_question(inquiry, answer="", actor=Actor.system(), journal=Journal(), now=timezone.now(), withdrawn=True)


def _question(filer: Filer, current: Evidence, row: Evidence) -> str:
    if row.kind == Kind.ARTICLE and row.source_id == current.source_id:
        return f"{filer.agent.id} wrote {row.source_id} anew: it says something else than the reviewed article. Which is true?"
    about = f"{row.claim_subject} · {row.claim_attribute}"
    says = current.claim_value or current.content
    return f"{about}: “{says}” stands, {filer.agent.id} reports “{row.claim_value}”. Which is true?"


def _propose(filer: Filer, row: Evidence) -> FiledProposal | None:
    from evidence.services.proposing import propose_from_evidence

    return propose_from_evidence(filer, row)
