"""News becomes notices in messages: for whom, in which message, once, and never for whoever did it (S24, S28)."""

from __future__ import annotations

import pytest
from django.db import transaction
from django.utils import timezone

from evidence.models import Delivery, News, Notice, Outbox, Preference, User, Webhook
from evidence.rules.telling import Channel, Choice, NoticeKind, SubjectKind
from evidence.rules.vocab import Role
from evidence.services import notices, telling
from evidence.services.outbox import deliver_due
from evidence.services.telling import tell
from evidence.services.telling_sweep import sweep_telling
from tests.services import make

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]


def say(subject: object = "i-1", kind: NoticeKind = NoticeKind.QUESTION, **members: object) -> None:
    with transaction.atomic():
        tell(kind=kind, subject=(SubjectKind.INQUIRY, subject), key=str(subject), **members)  # type: ignore[arg-type]


def pass_all_on() -> None:
    while deliver_due():
        pass


def owner(name: str = "owner", **columns: object) -> User:
    return make.user(name, Role.OWNER, email=f"{name}@desk.invalid", **columns)


def endpoints() -> list[str]:
    return sorted(Notice.objects.values_list("endpoint", flat=True))


def test_it_goes_to_whoever_has_the_role_for_the_agent_on_each_channel() -> None:
    mine = owner()
    other = make.user("other", Role.OWNER, of=make.agent("other-agent"), email="other@desk.invalid")
    make.reviewer()
    say(agent="ops-agent")
    pass_all_on()
    assert endpoints() == [f"inbox:{mine.pk}", f"mail:{mine.pk}"]
    assert not Delivery.objects.filter(user=other).exists()


def test_the_same_key_is_told_once_and_every_step_may_run_again() -> None:
    owner()
    say()
    say()
    pass_all_on()
    key = News.objects.get().key
    News.objects.update(told_at=None)
    notices.pass_on(key)
    notices.pass_on(key)
    assert Notice.objects.count() == 2
    assert set(Delivery.objects.values_list("count", flat=True)) == {1}


def test_who_did_it_is_not_told_through_any_account() -> None:
    doer = owner(verified_identity="one person")
    owner("second-account", verified_identity="one person")
    other = owner("other")
    say(by=doer)
    pass_all_on()
    assert endpoints() == [f"inbox:{other.pk}", f"mail:{other.pk}"]


def test_a_choice_counts_and_without_an_address_there_is_no_mail() -> None:
    off = owner()
    Preference.objects.create(user=off, kind=NoticeKind.QUESTION, channel=Channel.INBOX, choice=Choice.OFF)
    make.user("no-address", Role.OWNER)
    say()
    pass_all_on()
    assert endpoints() == [f"inbox:{User.objects.get(username='no-address').pk}", f"mail:{off.pk}"]


def test_a_burst_is_one_message_on_every_channel() -> None:
    owner()
    Webhook.objects.create(name="ops", target="https://hooks.desk.invalid/x", host="hooks", kinds=["question"])
    for number in range(50):
        say(number)
    pass_all_on()
    assert {(one.channel, one.count) for one in Delivery.objects.all()} == {
        ("inbox", 50),
        ("mail", 50),
        ("webhook", 50),
    }


def test_named_people_get_it_and_nobody_where_nobody_is_named() -> None:
    who = make.user("ada")
    say(kind=NoticeKind.OVERTURNED, people=[who])
    say("i-2", kind=NoticeKind.OVERTURNED, people=[None])
    pass_all_on()
    assert endpoints() == [f"inbox:{who.pk}"]
    assert News.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_news_outside_a_transaction_is_a_mistake() -> None:
    with pytest.raises(RuntimeError, match="inside the transaction"):
        tell(kind=NoticeKind.QUESTION, subject=(SubjectKind.INQUIRY, "i-1"), key="i-1")


def test_a_purge_takes_it_out_of_every_message() -> None:
    owner()
    say("gone")
    pass_all_on()
    say("kept")
    pass_all_on()
    assert telling.forget_news_about(kind=SubjectKind.INQUIRY, subject_id="gone") == 1
    assert set(Delivery.objects.values_list("count", flat=True)) == {1}
    assert telling.forget_news_about(kind=SubjectKind.INQUIRY, subject_id="kept") == 1
    assert not Notice.objects.exists()
    assert not Delivery.objects.exists()


def test_what_nobody_took_up_is_written_again() -> None:
    owner()
    say()
    Outbox.objects.all().delete()
    News.objects.update(at=timezone.now() - telling.LOST_AFTER)
    assert telling.tell_again_what_got_lost() == 1
    pass_all_on()
    assert Notice.objects.count() == 2


def test_what_is_old_is_forgotten_with_its_messages() -> None:
    owner()
    say("old")
    pass_all_on()
    say("new", agent="other")
    pass_all_on()
    News.objects.filter(subject_id="old").update(at=timezone.now() - telling.KEEP_NEWS * 2)
    Delivery.objects.filter(channel="mail").update(last_at=timezone.now() - telling.KEEP_NEWS * 2)
    sweep_telling()
    assert list(News.objects.values_list("subject_id", flat=True)) == ["new"]
    assert Notice.objects.count() == 2
    News.objects.all().delete()
    sweep_telling()
    assert list(Delivery.objects.values_list("channel", flat=True)) == ["inbox"]
