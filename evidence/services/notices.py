"""From news to messages: whom it is for, what each of them wants, and which message it goes into.

Runs in a worker, for one piece of news at a time, and harmlessly again. A notice and its place in a message are one
transaction; a message that is leaving takes nothing in any more.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from django.db import IntegrityError, transaction
from django.utils import timezone

from evidence.models import Delivery, Membership, News, Notice, Preference, TellingHours, User, Webhook
from evidence.rules.telling import (
    HOOK_KINDS,
    PACES,
    Channel,
    Choice,
    DeliveryState,
    Hours,
    Lane,
    NoticeKind,
    due_at,
    joins,
    lane_for,
)
from evidence.services.outbox import enqueue, handles
from evidence.services.telling import TOPIC

DELIVER_TOPIC = "deliver"
ALL_DAY = Hours(ZoneInfo("UTC"))


@dataclass(frozen=True, slots=True)
class Place:
    """Where one notice goes: a person's inbox or mailbox, or a webhook, and there into which lane."""

    channel: Channel
    endpoint: str
    lane: str
    user: User | None = None
    webhook: Webhook | None = None
    hours: Hours = ALL_DAY


@handles(TOPIC)
def pass_on(subject: str) -> None:
    """Give one piece of news to everybody it is for. Once told it is not told again, whoever may see it later."""
    news = News.objects.filter(key=subject, told_at__isnull=True).first()
    if news is None:
        return
    for place in [*_places_of_people(news), *_places_of_webhooks(news)]:
        _put(news, place)
    News.objects.filter(pk=news.pk).update(told_at=timezone.now())


def people_for(news: News) -> list[User]:
    """Active people it is for, each once; whoever did it is left out, through all of their accounts."""
    users = {user.pk: user for user in User.objects.filter(pk__in=news.people, is_active=True)}
    if news.role:
        held = Membership.objects.active().filter(role=news.role).select_related("user")
        held = held.covering(news.agent) if news.agent else held
        # A deputy is told by name, once the owner let something lie.
        held = held.filter(deputy=False)
        users |= {one.user.pk: one.user for one in held}
    doer = User.objects.filter(pk=news.by_user).first() if news.by_user is not None else None
    return [user for user in users.values() if doer is None or user.person_key != doer.person_key]


def hours_of(user: User) -> Hours:
    chosen = TellingHours.objects.filter(user=user).first() or TellingHours()
    return Hours(zone_of(user), chosen.quiet_from, chosen.quiet_until, chosen.digest_at)


def zone_of(user: User) -> ZoneInfo:
    try:
        return ZoneInfo(user.time_zone)
    except (KeyError, ValueError, OSError):
        return ZoneInfo("UTC")


def _places_of_people(news: News) -> Iterable[Place]:
    people = people_for(news)
    kind = NoticeKind(news.kind)
    chosen = {
        (one.user_id, one.channel): Choice(one.choice)
        for one in Preference.objects.filter(user__in=people, kind=news.kind)
    }
    for user in people:
        if lane_for(kind, Channel.INBOX, chosen.get((user.pk, Channel.INBOX))) is not None:
            # In an inbox things of one kind stand together.
            yield Place(Channel.INBOX, f"inbox:{user.pk}", news.kind, user)
        lane = lane_for(kind, Channel.MAIL, chosen.get((user.pk, Channel.MAIL)))
        if lane is not None and user.email:
            yield Place(Channel.MAIL, f"mail:{user.pk}", lane, user, hours=hours_of(user))


def _places_of_webhooks(news: News) -> Iterable[Place]:
    if news.kind not in HOOK_KINDS:
        return
    for hook in Webhook.objects.active().order_by("name"):
        if news.kind in hook.kinds and (not hook.agents or news.agent in hook.agents):
            lane = lane_for(NoticeKind(news.kind), Channel.WEBHOOK, None)
            if lane is not None:
                yield Place(Channel.WEBHOOK, f"hook:{hook.pk}", lane, webhook=hook)


def _put(news: News, place: Place) -> None:
    """Into the message that collects things for this place, or into a new one. Nothing where it is in one already."""
    for _ in range(3):
        try:
            with transaction.atomic():
                if Notice.objects.filter(news=news, endpoint=place.endpoint).exists():
                    return
                delivery = _collecting(place)
                Notice.objects.create(news=news, endpoint=place.endpoint, delivery=delivery)
                return
        except IntegrityError:
            continue  # another worker was first, with this notice or with a new message: look again


def _collecting(place: Place) -> Delivery:
    """The message, locked, with one more thing in it and its time moved."""
    now = timezone.now()
    open_ones = Delivery.objects.select_for_update(of=("self",)).filter(
        endpoint=place.endpoint, lane=place.lane, state=DeliveryState.COLLECTING
    )
    delivery = open_ones.first()
    if delivery is not None and place.channel == Channel.INBOX and not _still_joins(delivery, now):
        delivery.state = DeliveryState.SENT
        delivery.save(update_fields=["state"])
        delivery = None
    if delivery is None:
        delivery = Delivery(
            channel=place.channel, user=place.user, webhook=place.webhook, endpoint=place.endpoint, lane=place.lane,
            first_at=now, last_at=now,
        )  # fmt: skip
        if place.channel == Channel.INBOX:
            delivery.sent_at = now
    delivery.last_at, delivery.count = now, delivery.count + 1
    before = delivery.due_at
    if place.channel != Channel.INBOX:
        delivery.due_at = due_at(
            lane=Lane(place.lane), channel=place.channel, first_at=delivery.first_at, last_at=now,
            last_sent_at=_last_sent(place), hours=place.hours,
        )  # fmt: skip
    delivery.save()
    if delivery.due_at is not None and before is None:
        wake(delivery, delivery.due_at)
    return delivery


def wake(delivery: Delivery, at: datetime) -> None:
    """Have a worker look at the message at that time, in the caller's transaction."""
    enqueue(topic=DELIVER_TOPIC, subject=str(delivery.pk), key=f"{delivery.pk}:{at.isoformat()}", at=at)


def _still_joins(delivery: Delivery, now: datetime) -> bool:
    """What was read is done with; what is new stands on its own."""
    if delivery.read_at is not None:
        return False
    return joins(first_at=delivery.first_at, last_at=delivery.last_at, at=now, pace=PACES[Channel.INBOX])


def _last_sent(place: Place) -> datetime | None:
    sent = Delivery.objects.filter(endpoint=place.endpoint, sent_at__isnull=False).order_by("-sent_at")
    return sent.values_list("sent_at", flat=True).first()
