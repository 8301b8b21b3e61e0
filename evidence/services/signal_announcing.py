"""The desk tells an agent what became of what it filed: one signal for each decision, through the outbox, once.

`announce` runs inside the transaction of the decision. What is said holds ids and words of the vocabulary only: statements and
reasons are read where they are (`proposal_status`), under today's permissions, and a purge has nothing to look for here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from evidence.models import Decision, Evidence, HeldRecord, Token
from evidence.rules.text import sha256_hex
from evidence.rules.times import to_iso
from evidence.rules.vocab import ActorKind, Answer, AuditAction, HeldKind, HeldStatus, Right
from evidence.services.outbox import enqueue, handles
from evidence.services.signal_publishing import Origin, store_signal
from evidence.services.signal_shapes import SignalDraft

TOPIC = "announce"
KEPT = timedelta(days=30)
TAG = "decision"
# What its agent did itself is no news to it: withdrawing, replacing.
_TOLD: dict[AuditAction, str] = {
    AuditAction.APPROVE: "was approved",
    AuditAction.REJECT: "was rejected",
    AuditAction.SUPERSEDE: "was approved and replaces what was known",
    AuditAction.CLOSE_EQUAL: "was closed: the same was known, or was approved from another proposal",
    AuditAction.EXPIRE: "has expired: what it was about, or all its evidence, is gone",
    AuditAction.EDIT: "was edited by a person and is checked anew",
}
_UNDONE = "waits again: the decision about it was taken back"
_AMENDED = "was decided anew: the first decision was taken back"
# An owner's answer decides the item that it was asked about.
_ENDED: dict[str, AuditAction] = {
    HeldStatus.APPROVED: AuditAction.APPROVE,
    HeldStatus.REJECTED: AuditAction.REJECT,
    HeldStatus.SUPERSEDED: AuditAction.CLOSE_EQUAL,
}
_OF_RECORDS: dict[AuditAction, str] = {
    AuditAction.REVOKE: "was revoked: it is no longer true",
    AuditAction.DELETE: "was deleted",
    AuditAction.UNDO: "stands as before: the decision about it was taken back",
}
_NEWS: dict[str, frozenset[AuditAction]] = {
    "held": frozenset({*_TOLD, AuditAction.UNDO}),
    "inquiry": frozenset({AuditAction.ANSWER}),
    "record": frozenset(_OF_RECORDS),
}
_NAMES = {HeldKind.HELD_EVIDENCE: "evidence from outside", HeldKind.PROMOTION_PROPOSAL: "proposal for an article"}


@dataclass(frozen=True, slots=True)
class _Told:
    """What is said of one item: `words` follow its name."""

    held: HeldRecord
    action: str
    words: str
    reason_code: str = ""


def announce(decision: Decision) -> None:
    """Leave the message, where the decision is news to an agent that could hear of it."""
    if decision.actor_kind == ActorKind.AGENT or not (_ends(decision) or _asks(decision)):
        return
    if _could_hear(decision.namespace, decision.agent):
        enqueue(topic=TOPIC, subject=str(decision.pk), key=str(decision.pk))


@handles(TOPIC)
def tell_agent(subject: str) -> None:
    """Publish what is to be said. Delivered twice it is said once: each signal's key names the decision and the item."""
    decision = Decision.objects.filter(pk=subject).first()
    if decision is None:
        return
    if decision.target_kind == "record":
        _tell_of_record(decision)
        return
    for told in _all_told(decision):
        _publish(decision, told)
    if _asks(decision):
        _ask(decision)


def _ends(decision: Decision) -> bool:
    """An item ends or waits again by it."""
    return decision.action in _NEWS.get(decision.target_kind, ())


def _asks(decision: Decision) -> bool:
    """An owner wants evidence from the agent."""
    found = any(effect.get("kind") == Answer.NEED_EVIDENCE for effect in decision.effects)
    return found and decision.target_kind == "inquiry"


def _all_told(decision: Decision) -> list[_Told]:
    if decision.target_kind == "inquiry":
        touched = [target for kind, target, _ in decision.touched if kind == "held"]
        items = HeldRecord.objects.filter(pk__in=touched, decision_id=decision.pk).order_by("pk")
        return [_Told(one, _ENDED[status], _TOLD[_ENDED[status]]) for one in items if (status := one.status) in _ENDED]
    held = HeldRecord.objects.filter(pk=decision.target_id).first()
    if held is None:
        return []
    if decision.action != AuditAction.UNDO:
        return [_Told(held, decision.action, _TOLD[AuditAction(decision.action)], decision.reason_code)]
    # An amendment takes back and decides anew at once: what stands now is told by the other decision.
    again = held.status == HeldStatus.WAITING
    return [_Told(held, decision.action, _UNDONE if again else _AMENDED)]


def _publish(decision: Decision, told: _Told) -> None:
    held = told.held
    name = _NAMES.get(HeldKind(held.kind), "proposal")
    reason = f": {told.reason_code.replace('_', ' ')}" if told.reason_code else ""
    about = {
        "kind": "evidence" if held.kind == HeldKind.HELD_EVIDENCE else "proposal", "id": str(held.pk),
        "action": told.action, "reason_code": told.reason_code or None,
    }  # fmt: skip
    _say(
        decision, held.agent_id, f"Your {name} {told.words}{reason}",
        f"Your {name} {held.pk} {told.words}{reason}. `proposal_status` says more.", about,
    )  # fmt: skip


def _tell_of_record(decision: Decision) -> None:
    """To the agent whose record it is. Taking back what was no news is none either."""
    row = Evidence.objects.filter(pk=decision.target_id).first()
    undone = Decision.objects.filter(pk=decision.undoes).first() if decision.undoes else None
    if row is None or (undone is not None and undone.action not in _OF_RECORDS):
        return
    words = _OF_RECORDS[AuditAction(decision.action)]
    about = {"kind": "record", "id": row.record_id, "action": decision.action, "reason_code": None}
    _say(decision, decision.agent, f"Your record {words}", f"Your record {row.record_id} {words}.", about)


def _ask(decision: Decision) -> None:
    question = decision.target_id
    _say(
        decision, decision.agent, "An owner asks you for evidence",
        f"The question {question} waits for evidence from you. `open_questions` says which.",
        {"kind": "question", "id": question, "action": str(Answer.NEED_EVIDENCE), "reason_code": None},
    )  # fmt: skip


def _say(decision: Decision, agent: str, title: str, content: str, about: Mapping[str, object]) -> None:
    now = timezone.now()
    draft = SignalDraft(
        title=title, content=content, tags=(TAG, f"{TAG}:{about['action']}"), recipient=agent, expires_at=now + KEPT
    )  # fmt: skip
    origin = Origin(ActorKind.SYSTEM, key=sha256_hex(TOPIC, str(decision.pk), str(about["id"])))
    told = {**about} | {"at": to_iso(decision.at), "decision": str(decision.pk)}
    with transaction.atomic():
        store_signal(namespace=decision.namespace, draft=draft, origin=origin, now=now, about=told)


def _could_hear(namespace: str, agent: str) -> bool:
    if not agent:
        return False
    tokens = Token.objects.live().filter(agent=agent, namespace=namespace)
    return any(Right.SIGNALS in rights for rights in tokens.values_list("rights", flat=True))
