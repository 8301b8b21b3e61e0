"""Mails and calls with real workers and a real broker: once each, though messages come twice and workers die (S24)."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from evidence.models import Delivery, News, Notice, Outbox, Webhook
from evidence.rules.telling import DeliveryState, NoticeKind, SubjectKind
from evidence.rules.vocab import InquiryKind, Risk, Role
from evidence.services import outbox
from evidence.services.inquiring import open_inquiry
from evidence.services.notices import DELIVER_TOPIC
from evidence.services.outbox import OUTSIDE, poke
from evidence.services.telling import tell
from tests.fixtures.receivers import HookSink, MailSink
from tests.fixtures.worker import WorkerProcess
from tests.services import make

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

PEOPLE = 20
HOOKS = 4
KILLS = 2
THREADS = 4
PATIENCE = 120.0
FINAL = {DeliveryState.SENT, DeliveryState.DOUBTFUL, DeliveryState.DEAD, DeliveryState.DROPPED}


@pytest.fixture(autouse=True)
def pokes_are_not_held_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(outbox._quiet, "until", 0.0)


def await_true(what: Callable[[], bool], *, poking: bool = False) -> None:
    """Wait for an outcome, not for a time; `poking` stands in for beat."""
    deadline = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < deadline, Counter(Delivery.objects.values_list("channel", "state"))
        if poking:
            poke()
            poke(OUTSIDE)
        time.sleep(0.05)


def outgoing() -> Any:
    return Delivery.objects.exclude(channel="inbox")


def are_due_now() -> None:
    """As if the time had passed for which messages wait for more."""
    now = timezone.now()
    outgoing().filter(state__in=["collecting", "waiting"]).update(due_at=now)
    Outbox.objects.filter(done_at=None).update(available_at=now)


def leases_ran_out() -> None:
    """As if the time had passed for which a dead worker's messages are left alone."""
    now = timezone.now()
    Delivery.objects.filter(state__in=["claimed", "handing"]).update(claimed_until=now)
    Outbox.objects.filter(done_at=None).update(available_at=now)


def every_message_once_more(round_: str) -> None:
    """Each message a second time, as a broker that lost an acknowledgement delivers it."""
    Outbox.objects.bulk_create(
        Outbox(topic=DELIVER_TOPIC, subject=str(pk), key=f"again:{round_}:{pk}")
        for pk in outgoing().values_list("pk", flat=True)
    )
    Outbox.objects.bulk_create(
        Outbox(topic="tell", subject=key, key=f"again:{round_}:{key}")
        for key in News.objects.values_list("key", flat=True)
    )


def a_question() -> None:
    with transaction.atomic():
        row = open_inquiry(
            kind=InquiryKind.QUESTION, severity=Risk.MEDIUM, agent_id=make.agent().id, namespace="default",
            question="Is the door red?", current=None, incoming=None,
        )  # fmt: skip
        News.objects.all().delete()  # it was told to whom it is assigned; here all owners are to hear of it
        for _ in range(2):
            tell(
                kind=NoticeKind.QUESTION,
                subject=(SubjectKind.INQUIRY, row.pk),
                key="once",
                agent=row.agent_id,
            )


def test_once_each_although_every_message_comes_twice_and_workers_are_killed(
    celery_worker_process: WorkerProcess, mail_sink: MailSink, hook_sink: HookSink
) -> None:
    chance = random.Random(7)
    celery_worker_process.env |= {
        "EMAIL_URL": f"smtp://127.0.0.1:{mail_sink.port}", "WEBHOOK_ALLOW_PRIVATE": "1",
        "PUBLIC_URL": "https://desk.invalid",
    }  # fmt: skip
    for number in range(PEOPLE):
        make.user(f"owner-{number}", Role.OWNER, email=f"owner-{number}@desk.invalid")
    for number in range(HOOKS):
        Webhook.objects.create(name=f"hook-{number}", target=hook_sink.url, host="127.0.0.1", kinds=["question"])
    mail_sink.slow = 0.03
    a_question()
    celery_worker_process.start()
    await_true(lambda: not News.objects.filter(told_at=None).exists(), poking=True)
    assert Notice.objects.count() == 2 * PEOPLE + HOOKS

    every_message_once_more("first")
    are_due_now()
    for killed in range(KILLS):
        enough = len(mail_sink.mails) + chance.randint(2, PEOPLE // (KILLS + 1) - 1)
        await_true(lambda enough=enough: len(mail_sink.mails) >= enough, poking=True)  # type: ignore[misc]
        celery_worker_process.kill()
        assert outgoing().exclude(state__in=FINAL).exists(), "the worker was quicker than the kill: nothing was tested"
        leases_ran_out()
        every_message_once_more(f"kill {killed}")
        celery_worker_process.start()
    await_true(lambda: not outgoing().exclude(state__in=FINAL).exists(), poking=True)
    await_true(lambda: not Outbox.objects.filter(done_at=None).exists(), poking=True)

    # No mail twice. Each arrived, but for those that were leaving when their worker died: these may have, and are not
    # sent again.
    arrived = Counter(mail_sink.ids())
    assert set(arrived.values()) == {1}
    mails = outgoing().filter(channel="mail")
    doubtful = mails.filter(state=DeliveryState.DOUBTFUL).count()
    assert mails.filter(state=DeliveryState.SENT).count() == PEOPLE - doubtful
    assert doubtful <= KILLS * THREADS
    assert {f"<{pk.hex}@localhost>" for pk in mails.filter(state="sent").values_list("pk", flat=True)} <= set(arrived)
    # A call is made again when nobody knows; the receiver can tell by its id.
    calls = Counter(hook_sink.ids())
    assert set(calls) == {str(pk) for pk in outgoing().filter(channel="webhook").values_list("pk", flat=True)}
    assert calls.total() - HOOKS <= KILLS * THREADS
    assert set(outgoing().filter(channel="webhook").values_list("state", flat=True)) == {DeliveryState.SENT}
    # And every inbox has it, whatever became of the mail.
    assert Counter(Delivery.objects.filter(channel="inbox").values_list("count", flat=True)) == {1: PEOPLE}
    assert timedelta(0) < timezone.now() - News.objects.get().at
