"""Messages leave once, by real SMTP and HTTP on loopback, with what may be said at that moment (S24, S28)."""

from __future__ import annotations

import json
from datetime import timedelta
from email.message import Message
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from evidence.models import Delivery, Inquiry, Membership, News, Outbox, TellingHours, User, Webhook
from evidence.rules.signing import is_signed
from evidence.rules.telling import BACK_OFF, DeliveryState, NoticeKind
from evidence.rules.vocab import InquiryKind, Risk, Role
from evidence.services import sending
from evidence.services.hooking import secret_for
from evidence.services.inquiring import open_inquiry
from evidence.services.mailing import unlinked
from evidence.services.outbox import OUTSIDE, deliver_due
from evidence.services.sending import deliver, send_again
from tests.fixtures.receivers import HookSink, MailSink
from tests.services import make

pytestmark = [pytest.mark.django_db]


@pytest.fixture(autouse=True)
def how_it_is_set(settings: Any) -> None:
    settings.PUBLIC_URL = "https://desk.invalid"
    settings.WEBHOOK_ALLOW_PRIVATE = True


def owner(name: str = "owner", **columns: Any) -> User:
    return make.user(name, Role.OWNER, email=f"{name}@desk.invalid", **columns)


def question(text: str = "Is the door red?", agent: str = "ops-agent") -> Inquiry:
    of = make.agent(agent)
    with transaction.atomic():
        return open_inquiry(
            kind=InquiryKind.QUESTION, severity=Risk.MEDIUM, agent_id=of.id, namespace="default", question=text,
            current=None, incoming=None,
        )  # fmt: skip


def hook(sink: HookSink, **columns: Any) -> Webhook:
    return Webhook.objects.create(name="ops", target=sink.url, host="127.0.0.1", **({"kinds": ["question"]} | columns))


def run(*, later: timedelta = timedelta(minutes=11)) -> None:
    """What a worker does, after the time for which a message waits for more."""
    while deliver_due():
        pass
    due = timezone.now()
    Delivery.objects.filter(due_at__gt=due, due_at__lte=due + later).update(due_at=due)
    Outbox.objects.filter(available_at__lte=due + later).update(available_at=due)
    while deliver_due(lane=OUTSIDE):
        pass


def the_mail(sink: MailSink) -> Message:
    assert len(sink.mails) == 1
    return sink.messages[0]


def text_of(message: Message, kind: str = "plain") -> str:
    part = message.get_body(preferencelist=(kind,))  # type: ignore[attr-defined]
    return str(part.get_content())


def the_delivery(channel: str = "mail") -> Delivery:
    return Delivery.objects.get(channel=channel)


def test_a_question_is_mailed_once_however_often_it_is_delivered(smtp_settings: MailSink) -> None:
    owner()
    row = question()
    run()
    for _ in range(3):
        deliver(str(the_delivery().pk))
    mail = the_mail(smtp_settings)
    assert str(mail["Subject"]).strip() == "[Evidence Desk] A question waits for an answer · ops-agent"
    assert mail["To"] == "owner@desk.invalid"
    assert mail["Message-ID"] == f"<{the_delivery().pk.hex}@localhost>"
    assert mail["List-Unsubscribe"] == "<https://desk.invalid/settings/telling/>"
    assert mail["Auto-Submitted"] == "auto-generated"
    for kind in ("plain", "html"):
        assert "Is the door red?" in text_of(mail, kind)
        assert f"https://desk.invalid/inquiries/{row.pk}/" in text_of(mail, kind)
        assert "/mail/" not in text_of(mail, kind)  # no link that answers, unless the policy allows it
    assert the_delivery().state == DeliveryState.SENT


HOSTILE = "<script>alert(1)</script> \u202egnp.exe\r\nBcc: eve@evil.invalid <img src=x onerror=a>"


def test_hostile_text_is_inert_in_every_part_of_a_mail(smtp_settings: MailSink) -> None:
    owner()
    question(HOSTILE, agent="ops \u202e<b>agent</b>")
    run()
    mail = the_mail(smtp_settings)
    assert [name for name, _ in mail.items() if name.lower() in ("bcc", "cc")] == []
    assert "\u202e" not in str(mail["Subject"])
    assert "[RLO]" in str(mail["Subject"])
    for kind in ("plain", "html"):
        assert "\u202e" not in text_of(mail, kind)
    html = text_of(mail, "html")
    assert "<script" not in html
    assert "<img" not in html
    assert "<b>" not in html
    assert "&lt;script&gt;" in html


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Log in at https://evil.invalid/x now", "Log in at https[://]evil[.]invalid/x now"),
        ("see www.evil.invalid", "see [www.]evil.invalid"),
        ("write to eve@evil.invalid", "write to eve[@]evil.invalid"),
        ("mailto:eve", "[mailto:]eve"),
        ("Node.js 2.39, e.g. deploy.md", "Node.js 2.39, e.g. deploy.md"),
    ],
)  # fmt: skip
def test_a_link_of_an_agent_is_none_in_a_mail(text: str, shown: str) -> None:
    assert unlinked(text) == shown


def test_no_secret_leaves_the_house(smtp_settings: MailSink) -> None:
    owner()
    row = question()
    Inquiry.objects.filter(pk=row.pk).update(question="Is it glpat-" + "x9Kq7Zr2Lm4Np6Ts8Vw1?")
    run()
    assert "glpat-" not in smtp_settings.mails[0].decode()
    assert "left out" in text_of(the_mail(smtp_settings))


def test_what_a_person_may_not_see_any_more_is_not_sent(smtp_settings: MailSink) -> None:
    who = owner()
    question()
    while deliver_due():
        pass
    Membership.objects.filter(user=who).update(ended_at=timezone.now())
    run()
    assert smtp_settings.mails == []
    assert the_delivery().state == DeliveryState.DROPPED


def test_a_question_is_not_mailed_to_who_only_reviews_by_now(smtp_settings: MailSink) -> None:
    who = owner()
    make.user("owner", Role.REVIEWER)
    question()
    while deliver_due():
        pass
    Membership.objects.filter(user=who, role=Role.OWNER).update(ended_at=timezone.now())
    run()
    assert smtp_settings.mails == []


def test_what_is_answered_meanwhile_is_not_said(smtp_settings: MailSink, hook_sink: HookSink) -> None:
    owner()
    hook(hook_sink)
    row = question()
    Inquiry.objects.filter(pk=row.pk).update(status="withdrawn")
    run()
    assert (smtp_settings.mails, hook_sink.calls) == ([], [])


def test_many_are_one_mail_and_one_call(smtp_settings: MailSink, hook_sink: HookSink) -> None:
    owner()
    hook(hook_sink)
    for number in range(40):
        question(f"Is door {number} red?")
    run()
    mail = the_mail(smtp_settings)
    assert str(mail["Subject"]).strip().startswith("[Evidence Desk] 40 questions wait for an answer")
    assert text_of(mail).count("/inquiries/") == 10
    assert "and 30 more" in text_of(mail)
    (call,) = hook_sink.calls
    assert json.loads(call.body)["count"] == 40


# -- what goes wrong --


def test_a_refused_recipient_is_given_up_and_a_busy_server_tried_again(smtp_settings: MailSink) -> None:
    owner()
    question()
    smtp_settings.refuse = "451 later"
    run()
    assert (the_delivery().state, the_delivery().last_error) == (DeliveryState.WAITING, "recipient_refused")
    assert the_delivery().due_at > timezone.now() + BACK_OFF[0] * 0.7  # type: ignore[operator]
    smtp_settings.refuse = "550 nobody of that name"
    run()
    assert the_delivery().state == DeliveryState.DEAD
    assert smtp_settings.mails == []
    smtp_settings.refuse = ""
    assert send_again(the_delivery())
    run()
    assert the_delivery().state == DeliveryState.SENT
    assert not send_again(the_delivery())


def test_no_server_at_all_is_tried_again(settings: Any, smtp_settings: MailSink) -> None:
    owner()
    question()
    settings.EMAIL_PORT = 1
    run()
    assert (the_delivery().state, the_delivery().attempts) == (DeliveryState.WAITING, 1)


def test_a_line_that_breaks_at_the_end_is_doubtful_and_never_sent_twice(smtp_settings: MailSink) -> None:
    owner()
    question()
    smtp_settings.hang_up = True
    run()
    for _ in range(3):
        run()
    assert the_delivery().state == DeliveryState.DOUBTFUL
    assert len(smtp_settings.mails) == 1
    smtp_settings.hang_up = False
    assert send_again(the_delivery())  # a person decides that, and it is the same mail to whoever compares
    run()
    assert len(set(smtp_settings.ids())) == 1


def test_who_died_while_preparing_is_taken_over_and_who_died_while_handing_over_a_mail_is_not(
    smtp_settings: MailSink,
) -> None:
    owner()
    question()
    while deliver_due():
        pass
    delivery = the_delivery()
    Delivery.objects.update(due_at=timezone.now())
    first = sending.claim(str(delivery.pk))
    assert first is not None
    assert sending.claim(str(delivery.pk)) is None  # somebody has it
    Delivery.objects.update(claimed_until=timezone.now())
    second = sending.claim(str(delivery.pk))
    assert second is not None
    # The first one comes back to life: its token is an old one.
    assert not sending._advance(first, DeliveryState.CLAIMED, DeliveryState.HANDING)
    assert sending._advance(second, DeliveryState.CLAIMED, DeliveryState.HANDING)
    Delivery.objects.update(claimed_until=timezone.now())
    deliver(str(delivery.pk))
    assert the_delivery().state == DeliveryState.DOUBTFUL
    assert smtp_settings.mails == []


def test_a_call_whose_caller_died_is_made_again_under_its_id(hook_sink: HookSink) -> None:
    hook(hook_sink)
    question()
    run()
    Delivery.objects.update(state=DeliveryState.HANDING, claimed_until=timezone.now())
    deliver(str(the_delivery("webhook").pk))
    assert hook_sink.ids() == [str(the_delivery("webhook").pk)] * 2
    assert the_delivery("webhook").state == DeliveryState.SENT


def test_quiet_hours_that_began_while_nobody_was_there_hold_it_back(smtp_settings: MailSink) -> None:
    who = owner()
    question()
    while deliver_due():
        pass
    now = timezone.now()
    minute = now.hour * 60 + now.minute
    TellingHours.objects.create(user=who, quiet_from=minute - minute % 60, quiet_until=(minute + 120) % 1440)
    run()
    assert smtp_settings.mails == []
    assert the_delivery().due_at > now  # type: ignore[operator]


# -- webhooks --


def test_a_call_is_signed_and_says_ids_and_no_text(hook_sink: HookSink) -> None:
    made = hook(hook_sink)
    row = question("Is the door red?")
    run()
    (call,) = hook_sink.calls
    news = News.objects.get()
    assert json.loads(call.body) == {
        "version": 1, "id": str(the_delivery("webhook").pk), "type": "news", "digest": False, "count": 1, "left_out": 0,
        "grants": [],
        "events": [{
            "id": str(news.pk), "kind": "question", "at": json.loads(call.body)["events"][0]["at"],
            "subject": {"kind": "inquiry", "id": str(row.pk)}, "agent": "ops-agent", "namespace": "default", "count": 1,
            "url": f"https://desk.invalid/inquiries/{row.pk}/",
        }],
    }  # fmt: skip
    assert "door" not in call.body.decode()
    at = int(call.headers["webhook-timestamp"])
    given = (call.headers["webhook-id"], at, call.body, call.headers["webhook-signature"])
    assert is_signed(secret_for(made), *given)
    assert not is_signed(secret_for(Webhook(name="other")), *given)
    made.refresh_from_db()
    assert (made.failures, made.last_error) == (0, "")
    assert made.last_success_at is not None


def test_slack_gets_a_message_in_which_an_agent_cannot_mention_anybody(hook_sink: HookSink) -> None:
    hook(hook_sink, format="slack")
    row = question(agent="<!channel> *ops*")
    run()
    text = json.loads(hook_sink.calls[0].body)["text"]
    assert text == (
        f"*A question waits for an answer*\n• <https://desk.invalid/inquiries/{row.pk}/|&lt;!channel&gt; ∗ops∗>"
    )


@pytest.mark.parametrize("status", [301, 404, 500])
def test_anything_but_success_is_tried_again_and_a_redirect_is_not_followed(hook_sink: HookSink, status: int) -> None:
    made = hook(hook_sink)
    question()
    hook_sink.status = status
    run()
    delivery = the_delivery("webhook")
    assert (delivery.state, delivery.last_error, delivery.attempts) == (DeliveryState.WAITING, f"status_{status}", 1)
    made.refresh_from_db()
    assert (made.failures, made.last_error) == (1, f"status_{status}")
    assert len(hook_sink.calls) == 1


def test_a_dead_one_is_told_to_the_administrators_once_a_day(hook_sink: HookSink) -> None:
    admin = make.user("admin", Role.ADMINISTRATOR)
    hook(hook_sink)
    hook_sink.status = 500
    question()
    for _ in range(len(BACK_OFF) + 1):
        run(later=timedelta(days=1))
    assert the_delivery("webhook").state == DeliveryState.DEAD
    assert len(hook_sink.calls) == len(BACK_OFF) + 1
    assert len(set(hook_sink.ids())) == 1
    run()
    assert [one.lane for one in Delivery.objects.inbox_of(admin)] == [NoticeKind.WEBHOOK]
    hook_sink.status = 204
    assert send_again(the_delivery("webhook"))
    run()
    assert the_delivery("webhook").state == DeliveryState.SENT


def test_one_that_is_gone_for_good_is_given_up_at_once(hook_sink: HookSink) -> None:
    hook(hook_sink)
    hook_sink.status = 410
    question()
    run()
    assert the_delivery("webhook").state == DeliveryState.DEAD
