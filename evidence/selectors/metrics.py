"""Numbers about the desk for a monitoring system: what waits, how long, what is late. Each by an index, counted to a limit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import QuerySet, Sum

from evidence.models import AuditAnchor, ChainHead, HeldRecord, Inquiry, Outbox
from evidence.rules.vocab import HeldKind, Risk, VerificationStatus

LIMIT = 10_001
"""More than this are not counted: a gauge that stands there says "at least"."""


@dataclass(frozen=True, slots=True)
class Gauge:
    """One number with its labels; ages in seconds, 0 where nothing waits."""

    name: str
    says: str
    value: float
    labels: tuple[tuple[str, str], ...] = ()


def gauges(now: datetime) -> list[Gauge]:
    return [gauge for part in _PARTS for gauge in part(now)]


def _waiting(now: datetime) -> Iterator[Gauge]:
    waiting = HeldRecord.objects.waiting()
    for risk in Risk:
        told = "Items that wait for a person, by risk."
        yield Gauge("desk_waiting_items", told, _count(waiting.filter(risk=risk)), (("risk", risk.value),))
    for kind in HeldKind:
        told = "Items that wait for a person, by kind."
        yield Gauge("desk_waiting_items_of_kind", told, _count(waiting.filter(kind=kind)), (("kind", kind.value),))
    oldest = waiting.order_by("id").values_list("created_at", flat=True).first()
    yield Gauge("desk_oldest_waiting_seconds", "Age of the item that waits longest.", _age(oldest, now))
    unverified = waiting.filter(verification_status=VerificationStatus.PENDING)
    yield Gauge("desk_unverified_items", "Items whose checks have not run yet.", _count(unverified))


def _questions(now: datetime) -> Iterator[Gauge]:
    asked = Inquiry.objects.open()
    yield Gauge("desk_open_questions", "Questions that wait for an owner.", _count(asked))
    oldest = asked.order_by("asked_at").values_list("asked_at", flat=True).first()
    yield Gauge("desk_oldest_question_seconds", "Age of the question that waits longest.", _age(oldest, now))


def _outbox(now: datetime) -> Iterator[Gauge]:
    due = Outbox.objects.filter(done_at__isnull=True, available_at__lte=now)
    yield Gauge("desk_outbox_due", "Messages to workers that are due.", _count(due))
    oldest = due.order_by("available_at").values_list("available_at", flat=True).first()
    yield Gauge("desk_outbox_late_seconds", "How long the latest of them is due.", _age(oldest, now))


def _audit(now: datetime) -> Iterator[Gauge]:
    links = ChainHead.objects.aggregate(links=Sum("seq"))["links"] or 0
    yield Gauge("desk_audit_links", "Links of all audit chains.", links)
    newest = AuditAnchor.objects.order_by("-at").values_list("at", flat=True).first()
    yield Gauge("desk_audit_anchor_age_seconds", "Age of the newest anchor; 0 without any.", _age(newest, now))


_PARTS: tuple[Callable[[datetime], Iterator[Gauge]], ...] = (_waiting, _questions, _outbox, _audit)


def _count(rows: QuerySet[HeldRecord] | QuerySet[Inquiry] | QuerySet[Outbox]) -> int:
    return rows.order_by().values("pk")[:LIMIT].count()


def _age(since: datetime | None, now: datetime) -> float:
    return 0.0 if since is None else max(timedelta(0), now - since).total_seconds()
