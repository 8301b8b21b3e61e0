"""Deciding from the page: what is sent, what comes back, and what a conflict shows (scenarios S1 to S5, S8, S18, S19)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evidence.models import Decision, HeldRecord, HeldSkip, Inquiry, User
from evidence.rules.vocab import Action, ReasonCode, Role
from evidence.services.editing import edit_held
from tests.services import make
from tests.web.conftest import SignIn
from tests.web.forms import HTMX, form_for, forms_of, send

pytestmark = pytest.mark.django_db


def page_of(client: Client, held: HeldRecord):
    return client.get(reverse("item", args=[held.id]))


def decisions(held: HeldRecord, action: str = "approve") -> int:
    return Decision.objects.filter(target_id=str(held.id), action=action).count()


def test_approving_shows_the_next_item_with_a_toast_and_an_undo(desk: Client, reviewer: User) -> None:
    first = make.proposal(statement="Backups run at two.")
    second = make.proposal(statement="Offices close at six.")
    answer = send(desk, page_of(desk, first), "approve")
    text = answer.content.decode()
    assert answer.status_code == 200
    assert answer["HX-Push-Url"] == reverse("item", args=[second.id])
    assert f'data-item="{second.id}"' in text
    assert f'data-decided="{first.id}"' in text
    assert "Approved: Backups run at two." in text
    assert reverse("undo", args=[Decision.objects.get(action="approve").id]) in text
    second.refresh_from_db()
    assert second.lease_holder_id == reviewer.pk


def test_without_scripts_the_same_form_leads_to_the_next_item(desk: Client) -> None:
    first, second = make.proposal(statement="Backups run at two."), make.proposal(statement="Offices close at six.")
    answer = send(desk, page_of(desk, first), "approve", htmx=False)
    assert answer.status_code == 302
    assert answer["Location"].startswith("/queue/next/?done=")
    page = desk.get(answer["Location"]).content.decode()
    assert f'data-item="{second.id}"' in page
    assert "Approved: Backups run at two." in page


def test_the_same_card_sent_twice_is_one_decision(desk: Client) -> None:
    held = make.proposal()
    page = page_of(desk, held)
    first, second = send(desk, page, "approve"), send(desk, page, "approve")
    assert (first.status_code, second.status_code) == (200, 200)
    assert "Approved" in second.content.decode()
    assert decisions(held) == 1


def test_a_card_renders_a_key_of_its_own_each_time(desk: Client) -> None:
    held = make.proposal()
    keys = {form_for(page_of(desk, held), "approve")[1]["idempotency_key"] for _ in range(3)}
    assert len(keys) == 3


@pytest.mark.parametrize("action", [action.value for action in Action])
def test_no_decision_without_the_version_that_was_seen(desk: Client, action: str) -> None:
    held = make.proposal()
    answer = send(desk, page_of(desk, held), action, version="", reason_code="wrong", reason="why?", until="tomorrow")
    assert answer.status_code == 422
    assert answer["HX-Retarget"] == "#problem"
    assert "which version you saw" in answer.content.decode()
    held.refresh_from_db()
    assert held.status == "waiting"
    assert not Decision.objects.filter(target_id=str(held.id)).exclude(action="file").exists()


@pytest.mark.parametrize("version", ["x", "-1", "1.0", "²", "9" * 40])
def test_a_version_that_is_no_number_is_refused(desk: Client, version: str) -> None:
    held = make.proposal()
    assert send(desk, page_of(desk, held), "approve", version=version).status_code == 422
    assert decisions(held) == 0


def test_an_item_decided_meanwhile_says_who_and_what_and_keeps_what_was_typed(desk: Client) -> None:
    held = make.proposal()
    page = page_of(desk, held)
    make.act(held, make.reviewer("ada"), Action.REJECT, reason_code=ReasonCode.WRONG, reason="It is three.")
    answer = send(desk, page, "reject", reason_code="stale", reason="I had typed this.")
    text = answer.content.decode()
    assert answer.status_code == 409
    assert "Already decided" in text
    assert "ada was first" in text
    assert "rejected" in text
    assert "HX-Retarget" not in answer
    assert decisions(held, "reject") == 1
    assert not [form for form in forms_of(answer) if form["fields"].get("action") == "approve"]


def test_a_text_changed_meanwhile_shows_the_difference_and_can_be_decided_anew(desk: Client) -> None:
    held = make.proposal(statement="Backups run every night at two.")
    page = page_of(desk, held)
    edit_held(
        held_id=held.id, seen_version=held.version, actor=make.person(make.reviewer("ada")), reason="moved",
        statement="Backups run every night at three.",
    )  # fmt: skip
    answer = send(desk, page, "reject", reason_code="wrong", reason="I had typed this.")
    text = answer.content.decode()
    assert answer.status_code == 409
    assert "<del>two</del>" in text
    assert "<ins>three</ins>" in text
    assert "ada" in text
    assert "I had typed this.</textarea>" in text
    held.refresh_from_db()
    assert held.status == "waiting"
    again = send(desk, answer, "reject", reason_code="wrong")
    assert again.status_code == 200
    held.refresh_from_db()
    assert held.status == "rejected"


def test_a_conflict_without_scripts_is_a_page_with_the_same_words(desk: Client) -> None:
    held = make.proposal()
    page = page_of(desk, held)
    make.approve(held, make.reviewer("ada"))
    answer = send(desk, page, "approve", htmx=False)
    assert answer.status_code == 409
    assert b"<html" in answer.content
    assert "ada was first" in answer.content.decode()


def test_a_plan_that_changed_is_a_conflict_even_when_the_text_did_not(desk: Client) -> None:
    held = make.proposal(statement="The account is past due.", claim=make.claim("past due"))
    page = page_of(desk, held)
    make.fact("The account is active.", about=make.claim("active"))
    answer = send(desk, page, "approve")
    assert answer.status_code == 409
    held.refresh_from_db()
    assert held.status == "waiting"
    assert "Replaces “active”" in answer.content.decode()


def test_rejecting_carries_code_and_words(desk: Client) -> None:
    held = make.proposal()
    send(desk, page_of(desk, held), "reject", reason_code="too_vague", reason="Which backups?")
    held.refresh_from_db()
    assert (held.status, held.reason_code, held.reason) == ("rejected", "too_vague", "Which backups?")


def test_the_reason_codes_stand_in_the_vocabularys_order_and_none_is_chosen(desk: Client) -> None:
    held, other = make.proposal(), make.proposal(statement="Offices close at six.")
    send(desk, page_of(desk, held), "reject", reason_code="wrong")
    text = page_of(desk, other).content.decode()
    places = [
        text.index(f'name="reason_code" value="{code}" data-key="{digit}"')
        for code, digit in zip(ReasonCode, "1234567890", strict=True)
    ]
    assert places == sorted(places)


def test_a_secret_in_a_reason_is_refused_by_kind_and_never_repeated(desk: Client) -> None:
    held = make.proposal()
    secret = "ghp" + "_" + "a1B2" * 9
    answer = send(desk, page_of(desk, held), "reject", reason_code="wrong", reason=f"see {secret}")
    assert answer.status_code == 422
    assert secret not in answer.content.decode()
    assert "github token" in answer.content.decode()


def test_the_date_of_the_check_goes_with_the_decision(desk: Client) -> None:
    held = make.proposal(volatility="billing", event_at=make.days_ago(5))
    page = page_of(desk, held)
    assert "stale" in page.content.decode()
    send(desk, page, "approve", checked_at="now")
    held.refresh_from_db()
    assert timezone.now() - held.fact_proposal.result.check_at < timedelta(minutes=1)


def test_a_date_can_be_given_and_today_means_by_now(desk: Client) -> None:
    held, other = make.proposal(), make.proposal(statement="Offices close at six.")
    send(desk, page_of(desk, held), "approve", checked_at="date", checked_date="2026-01-02")
    held.refresh_from_db()
    assert held.fact_proposal.result.check_at.date().isoformat() == "2026-01-02"
    today = timezone.localtime().date().isoformat()
    assert send(desk, page_of(desk, other), "approve", checked_at="date", checked_date=today).status_code == 200
    other.refresh_from_db()
    assert other.fact_proposal.result.check_at <= timezone.now()


@pytest.mark.parametrize("given", ["", "yesterday", "2026-02-30", "2999-01-01"])
def test_a_date_that_is_none_is_refused(desk: Client, given: str) -> None:
    held = make.proposal()
    assert send(desk, page_of(desk, held), "approve", checked_at="date", checked_date=given).status_code == 422
    assert decisions(held) == 0


def test_without_a_usable_date_neither_choice_is_made_for_the_person(desk: Client) -> None:
    held = make.proposal(event_at="")
    page = page_of(desk, held)
    assert 'value="source"' not in page.content.decode()
    answer = send(desk, page, "approve")
    assert answer.status_code == 422
    assert "when this was checked" in answer.content.decode()


def test_what_the_plan_needs_is_asked_for_and_taken(desk: Client) -> None:
    held = make.proposal(durability="temporary", layer="L1")
    page = page_of(desk, held)
    assert b'name="durability"' in page.content
    assert b'name="ratify"' in page.content
    assert send(desk, page, "approve").status_code == 422
    assert send(desk, page, "approve", durability="project", ratify="1").status_code == 200
    held.refresh_from_db()
    assert held.fact_proposal.result.durability == "project"


def test_superseding_names_what_it_replaces(desk: Client) -> None:
    current = make.fact("The account is active.", about=make.claim("active"))
    held = make.proposal(statement="The account is past due.", claim=make.claim("past due"))
    page = page_of(desk, held)
    assert f'value="{current.record_id}" checked' in page.content.decode()
    assert send(desk, page, "supersede", reason_code="stale").status_code == 422
    assert send(desk, page, "supersede", reason_code="stale", supersedes=[current.record_id]).status_code == 200
    current.refresh_from_db()
    assert current.state == "superseded"


def test_the_records_to_replace_can_be_searched_and_their_plan_seen(desk: Client) -> None:
    current = make.fact("The lighthouse keeps a log of every ship.")
    held = make.proposal(statement="Offices close at six.")
    found = desk.get(reverse("candidates", args=[held.id]), {"q": "lighthouse"}, **HTMX)
    assert current.record_id in found.content.decode()
    plan = desk.get(reverse("supersede-plan", args=[held.id]), {"supersedes": current.record_id}, **HTMX)
    assert "which becomes superseded" in plan.content.decode()


def test_a_snooze_has_a_date_and_moves_on(desk: Client) -> None:
    held = make.proposal()
    answer = send(desk, page_of(desk, held), "snooze", until="tomorrow")
    held.refresh_from_db()
    assert answer.status_code == 200
    assert timezone.now() < held.snoozed_until < timezone.now() + timedelta(days=2)
    assert "Nothing waits for you" in answer.content.decode()
    assert send(desk, page_of(desk, held), "snooze", until="date", until_date="2020-01-01").status_code == 422


def test_asking_the_owner_opens_a_question_and_moves_on(desk: Client) -> None:
    held, other = make.proposal(), make.proposal(statement="Offices close at six.")
    answer = send(desk, page_of(desk, held), "ask_owner", reason="Is it two or three?")
    question = Inquiry.objects.get(kind="question")
    assert question.question == "Is it two or three?"
    assert answer["HX-Push-Url"] == reverse("item", args=[other.id])
    held.refresh_from_db()
    assert held.status == "waiting"


def test_skipping_is_the_persons_own_and_ends_the_lease(desk: Client, reviewer: User, sign_in: SignIn) -> None:
    held, other = make.proposal(), make.proposal(statement="Offices close at six.")
    desk.post(reverse("lease", args=[held.id]), **HTMX)
    answer = desk.post(reverse("skip", args=[held.id]), **HTMX)
    assert answer["HX-Push-Url"] == reverse("item", args=[other.id])
    assert HeldSkip.objects.get().user == reviewer
    ada = sign_in(make.reviewer("ada"))
    assert f'data-item="{held.id}"' in ada.get(reverse("queue-next")).content.decode()


def test_undo_brings_the_item_back_at_a_higher_version(desk: Client) -> None:
    held = make.proposal()
    send(desk, page_of(desk, held), "approve")
    decision = Decision.objects.get(action="approve")
    answer = desk.post(reverse("undo", args=[decision.id]), {"idempotency_key": "k"}, **HTMX)
    before = held.version
    held.refresh_from_db()
    assert answer.status_code == 200
    assert (held.status, held.version > before) == ("waiting", True)
    assert f'data-item="{held.id}"' in answer.content.decode()
    assert "Undone" in answer.content.decode()


def test_an_undo_that_came_too_late_says_so_beside_the_bar(desk: Client) -> None:
    held = make.proposal()
    send(desk, page_of(desk, held), "approve")
    decision = Decision.objects.get(action="approve")
    for _ in range(2):
        answer = desk.post(reverse("undo", args=[decision.id]), **HTMX)
    assert answer.status_code == 409
    assert answer["HX-Retarget"] == "#problem"
    assert "undone already" in answer.content.decode()


def test_back_on_a_decided_item_shows_it_decided_without_buttons(desk: Client) -> None:
    held = make.proposal()
    send(desk, page_of(desk, held), "approve")
    page = desk.get(reverse("item", args=[held.id]), HTTP_HX_HISTORY_RESTORE_REQUEST="true")
    assert b"<html" in page.content
    assert b"What became of it" in page.content
    assert not [form for form in forms_of(page) if form["fields"].get("action")]


def test_the_filter_under_which_an_item_was_opened_stays(desk: Client) -> None:
    first = make.proposal(statement="Backups run at two.")
    make.proposal(of=make.agent("other-agent"), statement="Offices close at six.")
    third = make.proposal(statement="The lighthouse keeps a log.")
    page = desk.get(reverse("item", args=[first.id]), {"agent": "ops-agent"})
    answer = send(desk, page, "approve")
    assert answer["HX-Push-Url"] == f"{reverse('item', args=[third.id])}?q=agent%3Aops-agent"


def test_who_may_only_read_sees_no_buttons_and_gets_403(sign_in: SignIn) -> None:
    held = make.proposal()
    auditor = sign_in(make.user("audrey", Role.AUDITOR))
    page = page_of(auditor, held)
    assert "not a reviewer" in page.content.decode()
    fields = {"action": "approve", "version": held.version, "idempotency_key": "k"}
    assert auditor.post(reverse("decide", args=[held.id]), fields, **HTMX).status_code == 403
    assert decisions(held) == 0


def test_the_second_approval_names_the_first_and_the_first_cannot_give_both(desk: Client, sign_in: SignIn) -> None:
    ada = sign_in(make.reviewer("ada"))
    held = make.proposal(statement="Backups run at two.", **make.risky("Backups run at two."))
    page = page_of(desk, held)
    assert "first of two approvals" in page.content.decode()
    assert "Becomes a fact" in page.content.decode()
    answer = send(desk, page, "approve")
    assert "First approval given" in answer.content.decode()
    assert "Nothing waits for you" in answer.content.decode()
    own = page_of(desk, held)
    assert "You gave the first approval" in own.content.decode()
    assert "first by <b>reviewer</b>" in page_of(ada, held).content.decode()
    assert send(ada, page_of(ada, held), "approve").status_code == 200
    held.refresh_from_db()
    assert held.status == "approved"


def test_a_forged_request_is_refused_where_the_person_looks(reviewer: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(reviewer)
    held = make.proposal()
    answer = client.post(reverse("decide", args=[held.id]), {"action": "approve", "version": held.version}, **HTMX)
    assert answer.status_code == 403
    assert answer["HX-Retarget"] == "#problem"
    assert decisions(held) == 0
