"""The link in a mail: it shows one question to one person, decides nothing by being opened, and dies when it should (S16)."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from evidence.models import Decision, HeldRecord, Inquiry, Membership, User
from evidence.rules.vocab import Role
from evidence.selectors.audit import verify_chain
from evidence.services.answering import answer_inquiry
from evidence.services.mail_links import token_for
from tests.fixtures.receivers import MailSink
from tests.services import make
from tests.services.dumps import changes, dump
from tests.services.test_sending import run, text_of

pytestmark = [pytest.mark.django_db]

FIELDS = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)">')


@pytest.fixture(autouse=True)
def allowed(settings: Any) -> None:
    settings.MAIL_ANSWERS = True
    settings.PUBLIC_URL = "https://desk.invalid"


@pytest.fixture
def owner() -> User:
    return make.user("owner", Role.OWNER, email="owner@desk.invalid")


@pytest.fixture
def asked(owner: User) -> Inquiry:
    make.reviewer()
    make.fact(about=make.claim("active"))
    held = make.proposal(make.agent(), "The vendor account is past due.", claim=make.claim("past due"))
    return Inquiry.objects.get(held=held)


def address(asked: Inquiry, who: User) -> str:
    return f"/mail/question/{token_for(asked, who)}/"


def fields(answer: Any) -> dict[str, str]:
    return dict(FIELDS.findall(answer.content.decode()))


def scanner() -> Client:
    """Whoever got hold of the link: not signed in, and held to tokens against forgery."""
    return Client(enforce_csrf_checks=True)


def test_the_mail_carries_the_link_and_the_link_answers(owner: User, asked: Inquiry, smtp_settings: MailSink) -> None:
    run()
    (mail,) = smtp_settings.messages
    found = re.search(r"https://desk\.invalid(/mail/question/[^\s]+/)", text_of(mail))
    assert found
    browser = scanner()
    page = browser.get(found[1])
    assert page.status_code == 200
    assert "past due" in page.content.decode()
    token = fields(page)
    csrf = token["csrfmiddlewaretoken"]
    confirm = browser.post(found[1], {"csrfmiddlewaretoken": csrf, "answer": "incoming"})
    assert Inquiry.objects.get(pk=asked.pk).status == "open", "the plan is shown first"
    sent = fields(confirm)
    assert sent["confirm"] == "1"
    done = browser.post(found[1], sent)
    assert done.status_code == 200
    answered = Inquiry.objects.get(pk=asked.pk)
    assert (answered.status, answered.answer, answered.answered_by) == ("answered", "incoming", "owner")
    row = Decision.objects.get(pk=answered.decision_id)
    assert (row.door, row.actor_id, row.action) == ("mail", str(owner.pk), "answer")
    assert HeldRecord.objects.get(pk=asked.held_id).status == "approved"
    assert verify_chain().ok
    assert browser.get(found[1]).status_code == 404, "the link died with the question"
    assert "sessionid" not in browser.cookies, "a link is not a session"
    assert browser.get("/inquiries/").status_code == 302


def test_without_the_policy_there_is_neither_link_nor_page(
    owner: User, asked: Inquiry, smtp_settings: MailSink, settings: Any
) -> None:
    settings.MAIL_ANSWERS = False
    run()
    assert "/mail/question/" not in text_of(smtp_settings.messages[0])
    assert scanner().get(address(asked, owner)).status_code == 404


def test_a_scanner_that_opens_every_link_decides_nothing(owner: User, asked: Inquiry) -> None:
    before = dump()
    for _ in range(2):
        client = scanner()
        page = client.get(address(asked, owner))
        for link in [address(asked, owner), *re.findall(r'href="([^"]+)"', page.content.decode())]:
            if link.startswith("/"):
                client.get(link)
                client.head(link)
    assert changes(before, dump()) == {}


def test_a_form_that_is_sent_without_its_token_or_confirmation_decides_nothing(owner: User, asked: Inquiry) -> None:
    place = address(asked, owner)
    before = dump()
    everything = {"answer": "incoming", "confirm": "1", "version": asked.version, "idempotency_key": "k"}
    assert scanner().post(place, everything).status_code == 403
    client = scanner()
    csrf = fields(client.get(place))["csrfmiddlewaretoken"]
    # A script of the page that presses its button gets no further than the plan.
    assert client.post(place, {"csrfmiddlewaretoken": csrf, "answer": "incoming"}).status_code == 200
    assert client.post(place, {"csrfmiddlewaretoken": csrf}).status_code == 422
    for method in ("put", "delete", "patch"):
        assert getattr(client, method)(place, HTTP_X_CSRFTOKEN=csrf).status_code == 405
    assert changes(before, dump()) == {}


def test_a_confirmation_without_the_version_that_was_seen_is_refused(owner: User, asked: Inquiry) -> None:
    client = scanner()
    place = address(asked, owner)
    csrf = fields(client.get(place))["csrfmiddlewaretoken"]
    sent = {"csrfmiddlewaretoken": csrf, "answer": "incoming", "confirm": "1", "idempotency_key": "k"}
    assert client.post(place, sent).status_code == 422
    assert Inquiry.objects.get(pk=asked.pk).status == "open"


def test_a_double_click_is_one_answer(owner: User, asked: Inquiry) -> None:
    client, place = scanner(), address(asked, owner)
    csrf = fields(client.get(place))["csrfmiddlewaretoken"]
    sent = fields(client.post(place, {"csrfmiddlewaretoken": csrf, "answer": "current"}))
    client.post(place, sent)
    assert client.post(place, sent).status_code == 404
    assert Decision.objects.filter(action="answer").count() == 1


def _password(asked: Inquiry, who: User) -> None:
    who.set_password("another one entirely")
    who.save()


def _left(asked: Inquiry, who: User) -> None:
    Membership.objects.filter(user=who).update(ended_at=timezone.now())


def _closed(asked: Inquiry, who: User) -> None:
    User.objects.filter(pk=who.pk).update(is_active=False)


def _withdrawn(asked: Inquiry, who: User) -> None:
    Inquiry.objects.filter(pk=asked.pk).update(status="withdrawn")


def _moved(asked: Inquiry, who: User) -> None:
    Inquiry.objects.filter(pk=asked.pk).update(version=asked.version + 1)


def _answered(asked: Inquiry, who: User) -> None:
    answer_inquiry(
        inquiry_id=asked.pk, answer="current", seen_version=asked.version, actor=make.person(who), idempotency_key="k"
    )


@pytest.mark.parametrize("happens", [_password, _left, _closed, _withdrawn, _moved, _answered])
def test_the_link_dies_with_what_it_stands_on(owner: User, asked: Inquiry, happens: Any) -> None:
    place = address(asked, owner)
    assert scanner().get(place).status_code == 200
    happens(asked, owner)
    assert scanner().get(place).status_code == 404


def test_it_dies_of_age(owner: User, asked: Inquiry, time_machine: Any) -> None:
    place = address(asked, owner)
    time_machine.move_to(timezone.now() + timedelta(days=8), tick=False)
    assert scanner().get(place).status_code == 404


def test_a_link_that_was_changed_or_is_for_another_purpose_opens_nothing(owner: User, asked: Inquiry) -> None:
    from django.core import signing

    good = token_for(asked, owner)
    for token in (good[:-2], good + "x", good.swapcase(), "x", signing.dumps([asked.pk.hex, owner.pk, 1, ""])):
        assert scanner().get(f"/mail/question/{token}/").status_code == 404


def test_it_is_not_for_whoever_is_signed_in_as_somebody_else(owner: User, asked: Inquiry, client: Client) -> None:
    """Handed on inside a team, it would have somebody answer in the owner's name."""
    place = address(asked, owner)
    client.force_login(make.user("colleague", Role.OWNER))
    assert client.get(place).status_code == 404
    sent = {"answer": "incoming", "confirm": "1", "version": asked.version, "idempotency_key": "k"}
    assert client.post(place, sent).status_code == 404
    assert Inquiry.objects.get(pk=asked.pk).status == "open"
    client.force_login(owner)
    assert client.get(place).status_code == 200


def test_another_value_is_asked_for_and_shown_before_it_counts(owner: User, asked: Inquiry) -> None:
    client, place = scanner(), address(asked, owner)
    csrf = fields(client.get(place))["csrfmiddlewaretoken"]
    assert client.post(place, {"csrfmiddlewaretoken": csrf, "answer": "other_value"}).status_code == 422
    confirm = client.post(place, {"csrfmiddlewaretoken": csrf, "answer": "other_value", "value": "<b>closed</b>"})
    assert "<b>closed" not in confirm.content.decode()
    sent = fields(confirm) | {"value": "closed"}
    assert client.post(place, sent).status_code == 200
    assert Inquiry.objects.get(pk=asked.pk).answer_value == "closed"


def test_what_needs_more_than_one_field_is_answered_on_its_page(owner: User, asked: Inquiry) -> None:
    client, place = scanner(), address(asked, owner)
    page = client.get(place)
    assert 'value="both_scope"' not in page.content.decode()
    csrf = fields(page)["csrfmiddlewaretoken"]
    sent = {"csrfmiddlewaretoken": csrf, "answer": "both_scope", "confirm": "1", "version": asked.version}
    assert client.post(place, sent).status_code == 422
