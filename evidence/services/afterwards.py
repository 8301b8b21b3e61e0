"""What follows a decision in the same transaction: audit rows of equals, search copies, and messages for the workers."""

from __future__ import annotations

from evidence.models import Decision, HeldRecord
from evidence.rules.vocab import AuditAction, ReasonCode
from evidence.services import audit
from evidence.services.actors import Actor
from evidence.services.clustering import place_quietly
from evidence.services.effects import Deed
from evidence.services.indexing import sync_index
from evidence.services.journal import Journal
from evidence.services.outbox import enqueue, handles
from evidence.services.verification import verify_held_by_id
from evidence.services.work_news import tell_overturned

REMATCH_TOPIC = "rematch"
REMATCH_LIMIT = 500


def after_decision(decision: Decision, held: HeldRecord, deed: Deed) -> None:
    credit_equals(decision, deed)
    settle(decision, held, deed.journal)


def settle(decision: Decision, held: HeldRecord | None, journal: Journal) -> None:
    """Search copies follow at once; items about the same claim are matched again by a worker."""
    for pk in sorted(journal.records):
        sync_index(record_pk=pk)
    if held is not None:
        enqueue(topic=REMATCH_TOPIC, subject=str(held.id), key=str(decision.id))
    tell_overturned(decision, journal)


def credit_equals(decision: Decision, deed: Deed) -> None:
    """One audit row per equal proposal that closed with this one, by `system`, pointing at the decision (S26)."""
    for row in deed.closed:
        own = audit.append(
            namespace=row.namespace, actor=Actor.system(deed.actor.door), action=AuditAction.CLOSE_EQUAL,
            target_kind="held", target_id=str(row.id), target_version=row.version - 1, agent=row.agent_id,
            reason_code=ReasonCode.DUPLICATE, bulk_id=decision.bulk_id,
            effects=[{"kind": "credited", "target_kind": "decision", "target_id": str(decision.id)}],
        )  # fmt: skip
        row.decision_id, row.replaced_by_id = own.id, deed.held.id
        row.save(update_fields=["decision_id", "replaced_by"])


@handles(REMATCH_TOPIC)
def rematch_neighbours(subject: str) -> None:
    """Waiting items about the same claim as a decided one are verified again: what they match may have changed.

    The decided one leaves its cluster.
    """
    place_quietly(held_id=subject)
    held = HeldRecord.objects.filter(pk=subject).first()
    if held is None:
        return
    waiting = HeldRecord.objects.waiting()
    on_claim, on_topic = (
        waiting.on_claim(held.namespace, held.claim_key),
        waiting.on_topic(held.namespace, held.match_key),
    )
    about = (on_claim if held.claim_key else on_topic).exclude(pk=held.pk)
    for pk in about.order_by("id").values_list("pk", flat=True)[:REMATCH_LIMIT]:
        verify_held_by_id(str(pk))
