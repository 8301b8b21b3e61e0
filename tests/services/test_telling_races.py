"""Several workers at once, on SQLite and on PostgreSQL: one message, nothing lost in it, and it leaves once (S24)."""

from __future__ import annotations

import pytest
from django.db import transaction
from django.utils import timezone

from evidence.models import Delivery, News, Notice
from evidence.rules.telling import DeliveryState, NoticeKind, SubjectKind
from evidence.rules.vocab import Role
from evidence.services.notices import pass_on
from evidence.services.sending import claim, deliver
from evidence.services.telling import tell
from evidence.services.verification import verify_held
from tests.fixtures.receivers import HookSink, MailSink
from tests.services import make
from tests.services.test_races import THREADS, at_once
from tests.services.test_sending import hook, question

pytestmark = [pytest.mark.races, pytest.mark.django_db(transaction=True)]

NEWS = 12


def test_workers_that_pass_the_same_news_on_make_one_message_with_all_of_it() -> None:
    for name in ("ada", "bob"):
        make.user(name, Role.OWNER, email=f"{name}@desk.invalid")
    with transaction.atomic():
        for number in range(NEWS):
            tell(kind=NoticeKind.QUESTION, subject=(SubjectKind.INQUIRY, number), key=str(number))
    keys = list(News.objects.values_list("key", flat=True))

    def work(number: int) -> None:
        for key in keys[number:] + keys[:number]:
            pass_on(key)

    at_once(work)
    assert Notice.objects.count() == NEWS * 4
    assert set(Delivery.objects.values_list("channel", "count")) == {("inbox", NEWS), ("mail", NEWS)}
    assert Delivery.objects.count() == 4


def test_workers_that_send_the_same_message_send_it_once(
    smtp_settings: MailSink, hook_sink: HookSink, settings: object
) -> None:
    settings.WEBHOOK_ALLOW_PRIVATE = True  # type: ignore[attr-defined]
    make.user("ada", Role.OWNER, email="ada@desk.invalid")
    hook(hook_sink)
    question()
    for key in News.objects.values_list("key", flat=True):
        pass_on(key)
    Delivery.objects.exclude(channel="inbox").update(due_at=timezone.now())
    pks = [str(pk) for pk in Delivery.objects.exclude(channel="inbox").values_list("pk", flat=True)]
    at_once(lambda number: [deliver(pk) for pk in pks])
    assert (len(smtp_settings.mails), len(hook_sink.calls)) == (1, 1)
    assert set(Delivery.objects.exclude(channel="inbox").values_list("state", flat=True)) == {DeliveryState.SENT}


def test_news_that_comes_while_the_message_leaves_goes_into_the_next_one() -> None:
    make.user("ada", Role.OWNER, email="ada@desk.invalid")
    with transaction.atomic():
        for number in range(THREADS):
            tell(kind=NoticeKind.QUESTION, subject=(SubjectKind.INQUIRY, number), key=str(number))
    keys = list(News.objects.values_list("key", flat=True))
    pass_on(keys[0])
    Delivery.objects.filter(channel="mail").update(due_at=timezone.now())
    leaving = str(Delivery.objects.get(channel="mail").pk)
    at_once(lambda number: claim(leaving) if number == 0 else pass_on(keys[number]))
    mails = Delivery.objects.filter(channel="mail")
    assert Notice.objects.filter(endpoint__startswith="mail").count() == THREADS
    assert sum(mails.values_list("count", flat=True)) == THREADS
    for one in mails:
        assert one.notices.count() == one.count


def test_items_of_one_agent_verified_at_once_are_one_piece_of_news() -> None:
    held = [make.proposal(statement=f"Host quail-{number} is called so.") for number in range(THREADS)]
    News.objects.all().delete()
    at_once(lambda number: verify_held(held_id=held[number].pk))
    assert News.objects.filter(kind=NoticeKind.WAITING).count() == 1
