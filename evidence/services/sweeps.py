"""Sweeps: periodic, set-based, idempotent, safe when two run at once or one dies (contract 10 "Sweeps").

Nothing that a page, an answer or a filter shows depends on a sweep having run; they tell people, tidy, and resend.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from evidence.models import Evidence, HeldLink, HeldRecord, IdempotencyKey
from evidence.models.held import HeldQuerySet
from evidence.rules.vocab import (
    AuditAction,
    HeldKind,
    HeldStatus,
    Kind,
    State,
)
from evidence.selectors.planning import target_is_gone
from evidence.services import audit
from evidence.services.actors import Actor
from evidence.services.audit_anchoring import sweep_anchors
from evidence.services.bulk import discard_forgotten
from evidence.services.closing import close_questions
from evidence.services.clustering import sweep_clusters
from evidence.services.errors import Refused
from evidence.services.facts import revoke_record
from evidence.services.import_uploads import forget_uploads
from evidence.services.index_upkeep import sweep_index
from evidence.services.inquiry_duties import assign_open, close_ended, escalate_overdue
from evidence.services.journal import Journal
from evidence.services.leasing import free_lapsed
from evidence.services.locks import lock_held
from evidence.services.outbox import deliver_due, enqueue, forget_delivered, poke_long_work
from evidence.services.recheck_sweep import sweep_rechecks
from evidence.services.signal_sweep import sweep_signals
from evidence.services.tallies import merge_tallies
from evidence.services.telling_sweep import sweep_telling
from evidence.services.verification import TOPIC, VERIFIER_VERSION
from evidence.services.verifying import wake_verifier

CHUNK = 500
KEEP_OUTBOX = timedelta(days=2)
KEEP_IDEMPOTENCY = timedelta(hours=24)
KEEP_PREVIEWS = timedelta(days=7)


def sweep_expiry(*, now: datetime | None = None) -> int:
    """Facts whose label turned or soon will: one open re-check each, one message an owner. Decides nothing."""
    return sweep_rechecks(now=now or timezone.now())


def sweep_leases(*, now: datetime | None = None) -> int:
    return free_lapsed(now=now or timezone.now())


def sweep_outbox(*, now: datetime | None = None) -> int:
    """Deliver what is due, then forget what was delivered long ago. Returns how many messages were taken."""
    poke_long_work()
    taken = deliver_due(limit=200)
    forget_delivered(before=(now or timezone.now()) - KEEP_OUTBOX)
    return taken


def sweep_verify(*, now: datetime | None = None) -> int:
    """Ask again for every waiting item that is not verified; the message's key is new each hour, so that one lost is resent."""
    moment = now or timezone.now()
    hour = moment.strftime("%Y%m%d%H%M")[:11]
    pending = HeldRecord.objects.needing_verification().order_by("id")
    rows = list(pending.values_list("id", "version")[:CHUNK])
    with transaction.atomic():
        for pk, version in rows:
            enqueue(topic=TOPIC, subject=str(pk), key=f"{pk}:{version}:{hour}:v{VERIFIER_VERSION}")
        if len(rows) == CHUNK:
            wake_verifier()
    return len(rows)


def sweep_inquiries(*, now: datetime | None = None) -> int:
    """Questions whose item ended are stale; the rest has somebody whose turn it is, and goes further when it lies."""
    moment = now or timezone.now()
    return close_ended(moment) + assign_open() + escalate_overdue(moment)


def sweep_orphans(*, now: datetime | None = None) -> int:
    """Waiting items whose target or whose evidence is all gone expire (contract 10 "Expired"): never by age, and nothing
    is decided.
    """
    moment = now or timezone.now()
    waiting = HeldRecord.objects.waiting().filter(links__isnull=False)
    alive = HeldLink.objects.linked().exclude(evidence__state__in=[State.DELETED, State.REVOKED]).values("held")
    gone = waiting.exclude(pk__in=alive).filter(links__unlinked_at__isnull=True).distinct()
    count = 0
    for pk in [*gone.values_list("pk", flat=True)[:CHUNK], *_without_article().values_list("pk", flat=True)[:CHUNK]]:
        count += _expire(pk, moment)
    return count


def _without_article() -> HeldQuerySet:
    """Proposals for articles that were here and of which no version stands any more."""
    versions = Evidence.objects.filter(
        namespace=OuterRef("namespace"), source_id=OuterRef("promotion__target_source"), kind=Kind.ARTICLE
    )
    changing = HeldRecord.objects.waiting().filter(kind=HeldKind.PROMOTION_PROPOSAL).exclude(promotion__base_version="")
    return changing.filter(Exists(versions)).exclude(Exists(versions.active())).order_by("pk")


def sweep_kept(*, now: datetime | None = None) -> int:
    """What was kept for a while: answers to repeated requests, files of imports, previews that nobody carried out."""
    previews = discard_forgotten(before=(now or timezone.now()) - KEEP_PREVIEWS)
    return sweep_idempotency(now=now) + forget_uploads(now=now) + previews


def sweep_idempotency(*, now: datetime | None = None) -> int:
    deleted, _ = IdempotencyKey.objects.filter(created_at__lt=(now or timezone.now()) - KEEP_IDEMPOTENCY).delete()
    return deleted


SWEEPS: dict[str, Callable[[], int]] = {
    "expiry": sweep_expiry,
    "leases": sweep_leases,
    "outbox": sweep_outbox,
    "verify": sweep_verify,
    "inquiries": sweep_inquiries,
    "orphans": sweep_orphans,
    "retention": sweep_kept,
    "tallies": merge_tallies,
    "clusters": sweep_clusters,
    "telling": sweep_telling,
    "signals": sweep_signals,
    "index": sweep_index,
    "anchors": sweep_anchors,
}


def _why_it_expires(held: HeldRecord) -> str:
    """What its filer is told; empty where target and evidence came back while the row's lock was waited for."""
    if held.kind == HeldKind.PROMOTION_PROPOSAL and held.promotion.base_version:
        article = held.promotion.target_source
        if target_is_gone(held.namespace, article):
            return f"The article that it changes is gone: {article}"
    gone = [State.DELETED, State.REVOKED]
    linked = HeldLink.objects.linked().filter(held=held)
    if linked.exists() and not linked.exclude(evidence__state__in=gone).exists():
        return "All its evidence is gone."
    return ""


def _expire(pk: UUID, now: datetime) -> int:
    with transaction.atomic():
        try:
            held = lock_held(pk)
        except Refused:
            return 0
        reason = _why_it_expires(held) if held.is_waiting else ""
        if not reason:
            return 0
        journal = Journal()
        actor = Actor.system()
        journal.change(held, status=HeldStatus.EXPIRED, reason=reason, decided_at=now, updated_at=now, lease_until=None)
        if held.kind == HeldKind.FACT_PROPOSAL:
            revoke_record(held.fact_proposal.observation, journal)
        close_questions(held, answer="", actor=actor, journal=journal, now=now, withdrawn=True)
        decision = audit.append(
            namespace=held.namespace, actor=actor, action=AuditAction.EXPIRE, target_kind="held", target_id=str(held.id),
            target_version=held.version - 1, agent=held.agent_id, touches=journal.touches(),
        )  # fmt: skip
        HeldRecord.objects.filter(pk=held.pk).update(decision_id=decision.id)
        return 1
