"""Telling people what happened, once each: the way in for every service that has news (contract 10; scenarios S24, S28).

`tell` is called inside the transaction of what happened and writes one row and one outbox message. A worker then finds out
whom it is for and puts a notice into their next message on each channel (`notices.py`); `sending.py` sends what is due.
The same key is the same news, so every step may run twice.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from evidence.models import Delivery, News, User
from evidence.rules.telling import ROLE_OF, NoticeKind, SubjectKind
from evidence.rules.text import sha256_hex
from evidence.rules.vocab import Role
from evidence.services.outbox import enqueue

TOPIC = "tell"
# A message that got lost is written again after this; the news is told once all the same.
LOST_AFTER = timedelta(minutes=2)
KEEP_NEWS = timedelta(days=180)


def tell(
    *,
    kind: NoticeKind,
    subject: tuple[SubjectKind, object],
    key: str,
    agent: str = "",
    namespace: str = "",
    people: Iterable[User | int | None] = (),
    role: Role | None = None,
    by: User | int | None = None,
    at: datetime | None = None,
) -> None:
    """Say that something happened, in the caller's transaction. The same `key` of a kind is told once, ever.

    It goes to `people`; where none are named, to whoever has the kind's role (or `role`) for `agent`. Never to `by`, who did
    it, through whichever of their accounts. Only ids are kept: what a message says is read when it is sent. `at`: when it
    happened, where that was not now.
    """
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("news is written inside the transaction of what it tells of")
    named = sorted({pk for pk in map(_pk, people) if pk is not None})
    whom = role or (None if named else ROLE_OF.get(kind))
    if not named and whom is None:
        return  # it was for one person, and nobody is there any more
    hashed = sha256_hex(kind, key)
    News.objects.bulk_create(
        [
            News(
                key=hashed, kind=kind, subject_kind=subject[0], subject_id=str(subject[1]), agent=agent,
                namespace=namespace, role=whom or "", people=named, by_user=_pk(by), at=at or timezone.now(),
            )
        ],
        ignore_conflicts=True,
    )  # fmt: skip
    enqueue(topic=TOPIC, subject=hashed, key=hashed)


def is_said(kind: NoticeKind, key: str) -> bool:
    """Whether this was told already: cheaper than telling it again, where much comes under one key."""
    return News.objects.filter(key=sha256_hex(kind, key)).exists()


def forget_news_about(*, kind: SubjectKind, subject_id: object) -> int:
    """For a purge: whatever tells of this thing goes, in every inbox and in what is not sent yet. Sent mails are out."""
    with transaction.atomic():
        gone = News.objects.about(kind, str(subject_id))
        touched = list(Delivery.objects.filter(notices__news__in=gone).distinct().values_list("pk", flat=True))
        number = gone.count()
        gone.delete()
        for delivery in Delivery.objects.select_for_update(of=("self",)).filter(pk__in=touched).order_by("pk"):
            delivery.count = delivery.notices.count()
            delivery.save(update_fields=["count"])
        Delivery.objects.filter(pk__in=touched, count=0).delete()
    return number


def tell_again_what_got_lost() -> int:
    """Write the message of news that nobody took up again. Harmless when it was only slow."""
    now = timezone.now()
    keys = list(
        News.objects.untold().filter(at__lte=now - LOST_AFTER).order_by("at").values_list("key", flat=True)[:500]
    )
    with transaction.atomic():
        for key in keys:
            enqueue(topic=TOPIC, subject=key, key=f"{key}:{now:%Y%m%d%H%M}")
    return len(keys)


def _pk(person: User | int | None) -> int | None:
    return person if person is None or isinstance(person, int) else person.pk
