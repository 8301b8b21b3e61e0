"""The inbox, the choices of what one is told, and the administrators' webhooks, as pages and without a script."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone
from zeal import zeal_context

from evidence.models import Decision, Delivery, Inquiry, Membership, News, Preference, TellingHours, User, Webhook
from evidence.rules.telling import Channel, DeliveryState, NoticeKind
from evidence.rules.vocab import InquiryKind, Risk, Role
from evidence.selectors.inbox import unread_count
from evidence.services.inquiring import open_inquiry
from evidence.services.outbox import deliver_due
from evidence.tasks import outbox as _outbox  # noqa: F401 - as in a worker, where the handlers are known
from tests.fixtures.receivers import HookSink
from tests.services import make
from tests.services.test_sending import hook, run

pytestmark = [pytest.mark.django_db]


def question(text: str = "Is the door red?", agent: str = "ops-agent", *, passed_on: bool = True) -> Inquiry:
    with transaction.atomic():
        row = open_inquiry(
            kind=InquiryKind.QUESTION, severity=Risk.MEDIUM, agent_id=make.agent(agent).id, namespace="default",
            question=text, current=None, incoming=None,
        )  # fmt: skip
    while passed_on and deliver_due():
        pass
    return row


@pytest.fixture
def owner() -> User:
    return make.user("owner", Role.OWNER)


@pytest.fixture
def mine(owner: User) -> Client:
    client = Client()
    client.force_login(owner)
    return client


@pytest.fixture
def admins() -> Client:
    client = Client()
    client.force_login(make.user("admin", Role.ADMINISTRATOR))
    return client


def body(answer: Any) -> str:
    return str(answer.content.decode())


def test_what_happened_is_there_and_the_number_at_the_top_says_so(owner: User, mine: Client) -> None:
    row = question()
    page = body(mine.get("/inbox/"))
    assert "A question waits for an answer" in page
    assert f"/inquiries/{row.pk}/" in page
    assert "Is the door red?" in page
    assert "<b >1</b>" in body(mine.get("/"))
    assert Delivery.objects.get().read_at is None, "looking marks nothing"


def test_reading_is_a_form_and_can_be_taken_back(owner: User, mine: Client) -> None:
    question()
    entry = Delivery.objects.get()
    address = f"/inbox/{entry.pk}/read/"
    assert mine.get(address).status_code == 405
    assert mine.post(address, {"read": "1"}).status_code == 302
    assert unread_count(owner) == 0
    assert "Nothing unread" in body(mine.get("/inbox/?show=unread"))
    mine.post(address, {"read": "0"})
    assert unread_count(owner) == 1


def test_nobody_marks_what_is_anothers(owner: User) -> None:
    question()
    stranger = Client()
    stranger.force_login(make.user("stranger", Role.OWNER))
    stranger.post(f"/inbox/{Delivery.objects.get(user=owner).pk}/read/", {"read": "1"})
    assert unread_count(owner) == 1


def test_marking_all_leaves_what_came_since(owner: User, mine: Client) -> None:
    question()
    seen = Delivery.objects.get()
    Delivery.objects.update(state=DeliveryState.SENT)
    question("And the window?")
    mine.post("/inbox/read/", {"until": str(seen.pk)})
    assert unread_count(owner) == 1
    polled = body(mine.get(f"/inbox/unread/?since={seen.pk}"))
    assert "1 new entry" in polled
    assert 'id="inbox-count"' in polled


def test_what_may_not_be_seen_any_more_shows_nothing_of_it(owner: User, mine: Client) -> None:
    question()
    Membership.objects.filter(user=owner).update(ended_at=timezone.now())
    page = body(mine.get("/inbox/"))
    assert "Is the door red?" not in page
    assert "You may not see this any more" in page


def test_a_long_burst_is_one_entry_with_a_few_lines(owner: User, mine: Client) -> None:
    for number in range(12):
        question(f"Is door {number} red?", passed_on=False)
    while deliver_due():
        pass
    page = body(mine.get("/inbox/"))
    assert "12 questions wait for an answer" in page
    assert page.count("Is door ") == 4
    assert "and 8 more" in page


def test_many_entries_are_pages_that_neither_skip_nor_repeat(owner: User, mine: Client) -> None:
    for _ in range(70):
        Delivery.objects.create(
            channel=Channel.INBOX, user=owner, endpoint=f"inbox:{owner.pk}", lane="question", state="sent", count=1
        )
    seen: list[str] = []
    address = "/inbox/"
    while address:
        answer = mine.get(address)
        seen += [str(entry.delivery.pk) for entry in answer.context["inbox"].entries]
        after = answer.context["inbox"].page.after
        address = f"/inbox/?after={after}" if after else ""
    assert len(seen) == len(set(seen)) == 70


def test_a_full_page_costs_a_handful_of_queries(owner: User, mine: Client, django_assert_max_num_queries: Any) -> None:
    for number in range(8):
        question(f"Is door {number} red?")
        Delivery.objects.update(state=DeliveryState.SENT)
    with zeal_context(), django_assert_max_num_queries(14):
        mine.get("/inbox/")


# -- choices --


def choices(**changed: str) -> dict[str, str]:
    return {"quiet_from": "", "quiet_until": "", "digest_at": "09:00"} | changed


def test_choices_are_kept_and_the_default_needs_no_row(owner: User, mine: Client) -> None:
    sent = choices(**{"question.mail": "digest", "high_risk.mail": "at_once"}, quiet_from="22:30", quiet_until="06:15")
    assert mine.post("/settings/telling/save/", sent).status_code == 302
    assert list(Preference.objects.values_list("kind", "channel", "choice")) == [("question", "mail", "digest")]
    hours = TellingHours.objects.get(user=owner)
    assert (hours.quiet_from, hours.quiet_until, hours.digest_at) == (22 * 60 + 30, 6 * 60 + 15, 9 * 60)
    page = body(mine.get("/settings/telling/"))
    assert 'value="22:30"' in page
    assert '<option value="digest" selected>' in page
    mine.post("/settings/telling/save/", choices(**{"question.mail": "at_once"}))
    assert not Preference.objects.exists()


@pytest.mark.parametrize(
    "wrong",
    [
        {"waiting.mail": "at_once"}, {"question.inbox": "digest"}, {"question.mail": "loudly"}, {"quiet_from": "25:00"},
        {"quiet_from": "22:00"}, {"digest_at": ""}, {"digest_at": "noon"},
    ],
)  # fmt: skip
def test_what_is_not_offered_is_refused_and_nothing_is_kept(mine: Client, wrong: dict[str, str]) -> None:
    answer = mine.post("/settings/telling/save/", choices(**({"high_risk.mail": "off"} | wrong)))
    assert answer.status_code == 422
    assert not Preference.objects.exists()
    assert not TellingHours.objects.exists()


def test_only_administrators_are_asked_about_webhooks(mine: Client, admins: Client) -> None:
    assert 'name="webhook_dead.mail"' not in body(mine.get("/settings/telling/"))
    assert 'name="webhook_dead.mail"' in body(admins.get("/settings/telling/"))


# -- webhooks --

NEW = {"name": "Ops", "target": "https://hooks.example.com/T0/B0/secret", "format": "generic", "kinds": ["question"]}


def test_a_secret_is_shown_once_and_the_address_never(admins: Client) -> None:
    made = body(admins.post("/settings/webhooks/new/", NEW))
    assert made.count("whsec_") == 1
    page = body(admins.get("/settings/webhooks/"))
    assert "whsec_" not in page
    for text in (made, page, body(admins.get("/admin/evidence/webhook/"))):
        assert "B0/secret" not in text
    row = Webhook.objects.get()
    detail = body(admins.get(f"/admin/evidence/webhook/{row.pk}/change/"))
    assert "B0/secret" not in detail
    assert row.salt not in detail
    noted = Decision.objects.get(action="webhook")
    assert (noted.target_id, noted.effects[0]["kind"], noted.actor_name) == (str(row.pk), "webhook_created", "admin")
    again = body(admins.post(f"/settings/webhooks/{row.pk}/secret/"))
    assert again.count("whsec_") == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"target": "http://hooks.example.com/"}, {"target": "javascript:alert(1)"}, {"target": "https://u:p@h.example/"},
        {"name": " "}, {"kinds": []}, {"kinds": ["webhook_dead"]}, {"kinds": ["everything"]}, {"agents": "nobody-of-that-name"},
        {"format": "xml"},
    ],
)  # fmt: skip
def test_what_cannot_be_called_is_refused_in_words(admins: Client, wrong: dict[str, Any]) -> None:
    answer = admins.post("/settings/webhooks/new/", NEW | wrong)
    assert answer.status_code == 422
    assert not Webhook.objects.exists()
    assert not Decision.objects.filter(action="webhook").exists()


def test_others_see_and_change_nothing(mine: Client, admins: Client) -> None:
    admins.post("/settings/webhooks/new/", NEW)
    row = Webhook.objects.get()
    assert mine.get("/settings/webhooks/").status_code == 403
    for part in ("", "secret/", "test/", "delete/"):
        assert mine.post(f"/settings/webhooks/{row.pk}/{part}", NEW).status_code == 403
    assert mine.post("/settings/webhooks/new/", NEW | {"name": "Mine"}).status_code == 403
    assert Webhook.objects.get() == row


def test_a_test_call_reaches_the_other_side_and_says_that_it_is_one(
    admins: Client, hook_sink: HookSink, settings: Any
) -> None:
    settings.WEBHOOK_ALLOW_PRIVATE = True
    row = hook(hook_sink)
    for _ in range(2):  # pressed twice is once
        admins.post(f"/settings/webhooks/{row.pk}/test/")
    run()
    (call,) = hook_sink.calls
    assert b'"type":"test"' in call.body
    row.refresh_from_db()
    assert row.last_success_at is not None
    hook_sink.status = 500
    admins.post(f"/settings/webhooks/{row.pk}/test/")
    run()
    page = body(admins.get("/settings/webhooks/"))
    assert "given up: it answered with status 500" in page
    hook_sink.status = 204
    dead = Delivery.objects.get(state=DeliveryState.DEAD)
    assert admins.post(f"/settings/deliveries/{dead.pk}/again/").status_code == 302
    run()
    assert "Nothing: everything that was due was taken." in body(admins.get("/settings/webhooks/"))
    assert admins.post(f"/settings/deliveries/{dead.pk}/again/").status_code == 404
    assert not News.objects.filter(kind=NoticeKind.WEBHOOK).exists()


def test_one_that_is_changed_and_removed(admins: Client) -> None:
    admins.post("/settings/webhooks/new/", NEW)
    row = Webhook.objects.get()
    admins.post(f"/settings/webhooks/{row.pk}/", NEW | {"name": "Quiet", "target": "", "kinds": ["high_risk"]})
    row.refresh_from_db()
    assert (row.name, row.active, row.kinds, row.host) == ("Quiet", False, ["high_risk"], "hooks.example.com")
    assert row.target == NEW["target"]
    admins.post(f"/settings/webhooks/{row.pk}/delete/")
    assert not Webhook.objects.exists()
    assert Decision.objects.filter(action="webhook").count() == 3
