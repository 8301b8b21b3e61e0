"""Sending one message, once: claimed with a fencing token, built from what may be said now, handed over, marked.

Between "handed over" and "marked" a worker may die, and nobody can know whether it arrived. SMTP has no way to ask, so a mail is
then not sent again (`doubtful`; the inbox has it all the same, an administrator may send it again under the same Message-ID).
A webhook is called again: its id lets the receiver drop the second one. Everything else is safe to repeat, and is repeated.
"""

from __future__ import annotations

import random
import smtplib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

import structlog
from django.core.mail import EmailMultiAlternatives, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from evidence.models import Delivery, News, Preference, Webhook
from evidence.rules.errors import BadInput
from evidence.rules.telling import (
    OPEN_STATES,
    Channel,
    Choice,
    DeliveryState,
    NoticeKind,
    SubjectKind,
    after_quiet,
    lane_for,
    retry_after,
)
from evidence.selectors.telling import Told, told_to
from evidence.services.calling import Call, CallFailed, target_of
from evidence.services.hooking import TEST, body_for, headers_for
from evidence.services.mailing import build_mail
from evidence.services.notices import DELIVER_TOPIC, hours_of, wake
from evidence.services.outbox import enqueue, handles
from evidence.services.telling import tell

log = structlog.get_logger(__name__)

# Longer than sending takes at the worst, shorter than the outbox waits before it gives the message to another worker.
LEASE = timedelta(seconds=90)
GONE = 410


class Failed(Exception):
    """It was not sent, for sure. `word` says why; `for_good`: trying again is of no use."""

    def __init__(self, word: str, *, for_good: bool = False) -> None:
        super().__init__(word)
        self.word = word
        self.for_good = for_good


class InDoubt(Exception):
    """It may have been sent."""

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


@dataclass(slots=True)
class Errand:
    """A message that is ready: `open` connects, `send` hands it over, `close` is called at the end in any case."""

    open: Callable[[], None]
    send: Callable[[], None]
    close: Callable[[], None]


@handles(DELIVER_TOPIC)
def deliver(subject: str) -> None:
    """Send the message if it is due and nobody else is sending it."""
    delivery = claim(subject)
    if delivery is None:
        return
    try:
        errand = _errand(delivery)
        if errand is None:
            _end(delivery, DeliveryState.DROPPED)
            return
        _carry_out(delivery, errand)
    except Failed as failed:
        _try_later(delivery, failed)
    except InDoubt as doubt:
        if delivery.channel == Channel.WEBHOOK:
            _try_later(delivery, Failed(doubt.word))
        else:
            _end(delivery, DeliveryState.DOUBTFUL, doubt.word)
    except Exception:
        log.exception("delivery_failed", delivery=str(delivery.pk), channel=delivery.channel)
        _try_later(delivery, Failed("internal"))


def claim(subject: str) -> Delivery | None:
    """Take the message, under a new fencing token; none where it is not due, done, or with somebody else."""
    with transaction.atomic():
        delivery = Delivery.objects.select_for_update(of=("self",)).filter(pk=UUID(subject)).first()
        if delivery is None or not _can_be_taken(delivery):
            return None
        now = timezone.now()
        due = _due(delivery, now)
        if due > now:
            delivery.due_at = due
            delivery.save(update_fields=["due_at"])
            wake(delivery, due)
            return None
        delivery.state, delivery.claim, delivery.claimed_until = DeliveryState.CLAIMED, delivery.claim + 1, now + LEASE
        delivery.attempts += 1
        delivery.save(update_fields=["state", "claim", "claimed_until", "attempts"])
        return delivery


def _can_be_taken(delivery: Delivery) -> bool:
    if delivery.state in OPEN_STATES:
        return delivery.due_at is not None
    now = timezone.now()
    if delivery.claimed_until is None or delivery.claimed_until > now:
        return False
    if delivery.state == DeliveryState.HANDING and delivery.channel == Channel.MAIL:
        delivery.state, delivery.last_error = DeliveryState.DOUBTFUL, "worker_died"
        delivery.save(update_fields=["state", "last_error"])
        return False
    return delivery.state in (DeliveryState.CLAIMED, DeliveryState.HANDING)


def _due(delivery: Delivery, now: datetime) -> datetime:
    """Its time; later where quiet hours began while nobody was there to send it."""
    due = delivery.due_at or now
    if delivery.user is not None and due <= now:
        return after_quiet(now, hours_of(delivery.user))
    return due


def _errand(delivery: Delivery) -> Errand | None:
    """What is to be said now, ready to go; none where nothing is left to say."""
    now = timezone.now()
    news = News.objects.filter(notices__delivery=delivery).order_by("at", "id")
    if delivery.webhook is not None:
        return _call(delivery, delivery.webhook, [one for one in told_to(None, news, now) if one.matters], now)
    user = delivery.user
    assert user is not None
    if not user.is_active or not user.email:
        return None
    off = _switched_off(delivery)
    told = [one for one in told_to(user, news, now) if one.matters and one.kind not in off]
    return _mail(build_mail(delivery, user, told, now)) if told else None


def _switched_off(delivery: Delivery) -> set[NoticeKind]:
    chosen = Preference.objects.filter(user=delivery.user, channel=Channel.MAIL)
    return {
        NoticeKind(one.kind) for one in chosen
        if lane_for(NoticeKind(one.kind), Channel.MAIL, Choice(one.choice)) is None
    }  # fmt: skip


def _carry_out(delivery: Delivery, errand: Errand) -> None:
    try:
        errand.open()
        if not _advance(delivery, DeliveryState.CLAIMED, DeliveryState.HANDING):
            return  # somebody else took it over meanwhile
        errand.send()
        _end(delivery, DeliveryState.SENT)
    finally:
        with suppress(Exception):  # a server that is rude at the end took the message all the same
            errand.close()


def _advance(delivery: Delivery, before: DeliveryState, after: DeliveryState) -> bool:
    """Go on, unless the message was taken from us: only the last token counts."""
    own = Delivery.objects.filter(pk=delivery.pk, claim=delivery.claim, state=before)
    return bool(own.update(state=after, claimed_until=timezone.now() + LEASE))


# -- how it ends --


def _end(delivery: Delivery, state: DeliveryState, word: str = "") -> None:
    now = timezone.now()
    with transaction.atomic():
        own = Delivery.objects.filter(pk=delivery.pk, claim=delivery.claim)
        own = own.filter(state__in=[DeliveryState.CLAIMED, DeliveryState.HANDING])
        sent = {"sent_at": now} if state in (DeliveryState.SENT, DeliveryState.DOUBTFUL) else {}
        if not own.update(state=state, last_error=word, claimed_until=None, **sent):
            return
        if delivery.webhook_id is not None and state == DeliveryState.SENT:
            Webhook.objects.filter(pk=delivery.webhook_id).update(failures=0, last_success_at=now, last_error="")
        if state == DeliveryState.DEAD and delivery.webhook is not None and delivery.lane != TEST:
            tell(
                kind=NoticeKind.WEBHOOK, subject=(SubjectKind.WEBHOOK, delivery.webhook.pk),
                key=f"{delivery.webhook.pk}:{now:%Y-%m-%d}",
            )  # fmt: skip


def _try_later(delivery: Delivery, failed: Failed) -> None:
    """Back off, with some chance in it so that not everything comes back at once; give up after enough attempts."""
    now = timezone.now()
    pause = None if failed.for_good or delivery.lane == TEST else retry_after(delivery.attempts, random.random())  # noqa: S311 - no secret
    if delivery.webhook is not None:
        _note_failure(delivery.webhook, failed.word, now)
    if pause is None:
        log.warning("delivery_given_up", delivery=str(delivery.pk), channel=delivery.channel, error=failed.word)
        _end(delivery, DeliveryState.DEAD, failed.word)
        return
    with transaction.atomic():
        own = Delivery.objects.filter(pk=delivery.pk, claim=delivery.claim)
        own = own.filter(state__in=[DeliveryState.CLAIMED, DeliveryState.HANDING])
        if own.update(state=DeliveryState.WAITING, due_at=now + pause, last_error=failed.word, claimed_until=None):
            wake(delivery, now + pause)


def _note_failure(webhook: Webhook, word: str, now: datetime) -> None:
    Webhook.objects.filter(pk=webhook.pk).update(failures=F("failures") + 1, last_failure_at=now, last_error=word)


# -- mail --


def _mail(message: EmailMultiAlternatives) -> Errand:
    connection: BaseEmailBackend = get_connection()
    message.connection = connection

    def connect() -> None:
        try:
            connection.open()
        except smtplib.SMTPAuthenticationError:
            raise Failed("mail_login_refused") from None
        except (OSError, smtplib.SMTPException) as error:
            raise Failed(type(error).__name__[:40]) from None

    def send() -> None:
        try:
            connection.send_messages([message])
        except smtplib.SMTPRecipientsRefused as error:
            codes = [code for code, _ in error.recipients.values()]
            raise Failed("recipient_refused", for_good=bool(codes) and min(codes) >= 500) from None
        except smtplib.SMTPResponseException as error:
            raise Failed(f"smtp_{error.smtp_code}", for_good=error.smtp_code >= 500) from None
        except Exception as error:  # noqa: BLE001 - whatever it was, nobody knows what became of the message
            raise InDoubt(type(error).__name__[:40]) from None

    return Errand(connect, send, connection.close)


# -- webhooks --


def _call(delivery: Delivery, webhook: Webhook, told: list[Told], now: datetime) -> Errand | None:
    if not webhook.active or not (told or delivery.lane == TEST):
        return None
    try:
        call = Call(target_of(webhook.target))
    except BadInput:
        raise Failed("address_refused", for_good=True) from None
    body = body_for(webhook, delivery, told)

    def connect() -> None:
        try:
            call.open()
        except CallFailed as failed:
            raise Failed(failed.word) from None

    def send() -> None:
        try:
            status = call.post(body, headers_for(webhook, delivery, body, timezone.now()))
        except CallFailed as failed:
            raise InDoubt(failed.word) from None
        if not 200 <= status < 300:
            raise Failed(f"status_{status}", for_good=status == GONE)

    return Errand(connect, send, call.close)


# -- what got lost, and what an administrator asks for --


def wake_what_is_late(*, limit: int = 500) -> int:
    """Have a worker look at what is due or was left by a dead one, in case its message got lost. Harmless when not."""
    now = timezone.now()
    late = now - LEASE
    rows = [*Delivery.objects.due(late).order_by("due_at")[:limit], *Delivery.objects.lost(late)[:limit]]
    with transaction.atomic():
        for row in rows:
            enqueue(topic=DELIVER_TOPIC, subject=str(row.pk), key=f"{row.pk}:{row.claim}:{now:%Y%m%d%H%M}")
    return len(rows)


def send_again(delivery: Delivery) -> bool:
    """Give a message that did not arrive, or may not have, one more round. False where it is not one of those any more."""
    now = timezone.now()
    with transaction.atomic():
        trouble = Delivery.objects.in_trouble().filter(pk=delivery.pk)
        if not trouble.update(state=DeliveryState.WAITING, attempts=0, due_at=now, last_error=""):
            return False
        enqueue(topic=DELIVER_TOPIC, subject=str(delivery.pk), key=f"{delivery.pk}:again:{now.isoformat()}")
    return True
