"""Questions from the page: a link only opens it, a POST answers, and both sides stay readable (S16, S27; contract 10)."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from evidence.models import Evidence, HeldRecord, Inquiry
from evidence.rules.vocab import Role
from evidence.services.records import revoke_record
from tests.services import make
from tests.web.conftest import SignIn

pytestmark = pytest.mark.django_db


def conflict() -> tuple[Evidence, HeldRecord, Inquiry]:
    current = make.fact("The account is active.", about=make.claim("active"))
    held = make.proposal(statement="The account is past due.", claim=make.claim("past due"))
    return current, held, Inquiry.objects.get(held=held)


def answer(client: Client, question: Inquiry, word: str, **fields: object):
    given = {"answer": word, "version": question.version, "idempotency_key": "k"} | fields
    return client.post(reverse("inquiry-answer", args=[question.id]), given)


@pytest.mark.parametrize("first", [True, False])
def test_the_sides_stand_in_the_order_that_was_drawn(owner_desk: Client, first: bool) -> None:
    _, _, question = conflict()
    Inquiry.objects.filter(pk=question.pk).update(incoming_first=first)
    text = owner_desk.get(reverse("inquiry", args=[question.id])).content.decode()
    places = [text.index(">Proposed<"), text.index(">Stands now<")]
    assert places == sorted(places, reverse=not first)


def test_opening_a_question_answers_nothing(owner_desk: Client) -> None:
    _, _, question = conflict()
    for method in (owner_desk.get, owner_desk.head):
        method(reverse("inquiry", args=[question.id]))
        assert method(reverse("inquiry-answer", args=[question.id])).status_code == 405
    question.refresh_from_db()
    assert question.status == "open"


def test_an_answer_decides_the_item_too(owner_desk: Client) -> None:
    current, held, question = conflict()
    done = answer(owner_desk, question, "incoming")
    assert done.status_code == 302
    held.refresh_from_db()
    current.refresh_from_db()
    assert (held.status, current.state) == ("approved", "superseded")
    text = owner_desk.get(done["Location"]).content.decode()
    assert "The new value is true" in text
    assert 'type="radio"' not in text


def test_another_value_is_asked_for_and_taken(owner_desk: Client) -> None:
    _, _, question = conflict()
    refused = answer(owner_desk, question, "other_value", reason="I had typed this.")
    assert refused.status_code == 422
    assert "I had typed this.</textarea>" in refused.content.decode()
    assert answer(owner_desk, question, "other_value", value="on hold").status_code == 302
    assert Evidence.objects.active().filter(kind="fact").get().claim_value == "on hold"


def test_both_can_be_true_each_in_its_scope_or_time(owner_desk: Client) -> None:
    _, _, question = conflict()
    make.agent("data-agent")
    done = answer(
        owner_desk, question, "both_scope", current_access="private", incoming_owner="data-agent",
        incoming_access="shared", incoming_shared_with="sales-agent, qa-agent",
    )  # fmt: skip
    assert done.status_code == 302, done.content.decode()
    scopes = {
        row.claim_value: (row.scope_access, row.scope_shared_with)
        for row in Evidence.objects.active().filter(kind="fact")
    }
    assert scopes == {"active": ("private", []), "past due": ("shared", ["sales-agent", "qa-agent"])}


def test_both_can_be_true_each_in_its_time(owner_desk: Client) -> None:
    _, _, question = conflict()
    assert (
        answer(owner_desk, question, "both_time", current_until="2026-05-01", incoming_from="2026-05-01").status_code
        == 302
    )
    rows = {row.claim_value: (row.valid_from, row.valid_until) for row in Evidence.objects.active().filter(kind="fact")}
    assert rows["active"][1] == rows["past due"][0]
    assert rows["active"][1].isoformat().startswith("2026-05-01")


def test_somebody_was_first(owner_desk: Client) -> None:
    _, _, question = conflict()
    answer(owner_desk, question, "current")
    late = answer(owner_desk, question, "incoming", idempotency_key="other", reason="my words")
    assert late.status_code == 409
    assert "was first" in late.content.decode()


def test_a_question_needs_its_version(owner_desk: Client) -> None:
    _, _, question = conflict()
    assert answer(owner_desk, question, "current", version="").status_code == 422
    assert answer(owner_desk, question, "current", version=question.version + 1).status_code == 409
    assert answer(owner_desk, question, "perhaps").status_code == 422
    question.refresh_from_db()
    assert question.status == "open"


def test_a_side_that_is_gone_stays_readable_and_cannot_win(owner_desk: Client) -> None:
    current, _, question = conflict()
    revoke_record(
        record_pk=current.pk, seen_version=current.version, actor=make.person(make.user("oscar", Role.OWNER)), reason="no longer",
    )  # fmt: skip
    text = owner_desk.get(reverse("inquiry", args=[question.id])).content.decode()
    assert Inquiry.objects.get(pk=question.pk).status == "open"
    assert "this side is gone" in text
    assert "The account is active." in text
    assert 'value="current"' not in text
    assert 'value="incoming"' in text


def test_only_owners_answer(desk: Client) -> None:
    _, _, question = conflict()
    text = desk.get(reverse("inquiry", args=[question.id])).content.decode()
    assert ">ops-agent</bdi> answers this" in text
    assert answer(desk, question, "current").status_code == 403


def test_the_list_shows_what_is_open_and_what_is_for_me(sign_in: SignIn) -> None:
    conflict()
    owner = sign_in(make.user("olga", Role.OWNER, of=make.agent("ops-agent")))
    for query in ("", "?mine=1", "?status=any"):
        assert "Which is true?" in owner.get(reverse("inquiries") + query).content.decode()
    assert "Which is true?" not in owner.get(reverse("inquiries") + "?status=answered").content.decode()
    reader = sign_in(make.user("audrey", Role.AUDITOR))
    assert "Which is true?" not in reader.get(reverse("inquiries") + "?mine=1").content.decode()
