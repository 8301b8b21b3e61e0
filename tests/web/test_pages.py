"""Every page: who gets it, in which role, and what it says to those who do not."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from evidence.models import Decision, Evidence, HeldRecord, Inquiry
from evidence.rules.vocab import Role
from tests.services import make
from tests.web.conftest import SignIn

pytestmark = pytest.mark.django_db


def filled() -> tuple[HeldRecord, Inquiry, Evidence, Decision]:
    """A waiting item in conflict with a record, the question that it opened, and a decision on another item."""
    current = make.fact("The account is active.", about=make.claim("active"))
    held = make.proposal(statement="The account is past due.", claim=make.claim("past due"))
    done = make.approve(make.proposal(statement="Backups run at two."), make.reviewer())
    return held, Inquiry.objects.get(held=held), current, done.decision


def addresses() -> list[str]:
    held, inquiry, current, decision = filled()
    return [
        reverse("home"), reverse("queue"), reverse("queue-next"), reverse("item", args=[held.id]),
        reverse("item", args=[decision.target_id]), reverse("edit", args=[held.id]), reverse("candidates", args=[held.id]),
        reverse("inquiries"), reverse("inquiry", args=[inquiry.id]), reverse("records"),
        reverse("record", args=[current.record_id]), reverse("audit"), reverse("audit-row", args=[decision.id]),
        reverse("agent", args=["ops-agent"]), reverse("settings"), reverse("insights"),
    ]  # fmt: skip


@pytest.mark.parametrize("role", list(Role))
def test_every_page_opens_for_every_role(role: Role, sign_in: SignIn) -> None:
    client = sign_in(make.user("someone", role))
    for address in addresses():
        response = client.get(address)
        assert response.status_code == 200, address
        assert b'style="' not in response.content, address
        assert b"<script>" not in response.content, address


def test_every_page_asks_strangers_to_sign_in_and_brings_them_back(client: Client) -> None:
    for address in addresses():
        response = client.get(address)
        assert (response.status_code, response["Location"].split("?")[0]) == (302, "/accounts/login/"), address
        assert f"next={address.replace('/', '%2F')}" in response["Location"]


def test_an_htmx_control_met_by_an_expired_session_leads_to_a_full_page_login(client: Client) -> None:
    held = make.proposal()
    response = client.post(
        reverse("decide", args=[held.id]), {"action": "approve", "version": held.version},
        HTTP_HX_REQUEST="true", HTTP_HX_CURRENT_URL=f"http://testserver/queue/{held.id}/?risk=high",
    )  # fmt: skip
    assert response.status_code == 401
    assert response["HX-Redirect"] == f"/accounts/login/?next=%2Fqueue%2F{held.id}%2F%3Frisk%3Dhigh"
    assert response.content == b""


def test_a_plain_form_sent_after_the_session_expired_comes_back_to_its_page_not_to_the_action(client: Client) -> None:
    held = make.proposal()
    page = f"/queue/{held.id}/"
    response = client.post(reverse("decide", args=[held.id]), HTTP_REFERER=f"http://testserver{page}")
    assert response["Location"] == f"/accounts/login/?next=%2Fqueue%2F{held.id}%2F"
    response = client.post(reverse("decide", args=[held.id]), HTTP_REFERER="http://elsewhere.example/queue/")
    assert response["Location"] == "/accounts/login/?next=%2F"


def test_what_belongs_to_other_agents_is_not_there(sign_in: SignIn) -> None:
    held, inquiry, current, decision = filled()
    stranger = sign_in(make.user("stranger", Role.REVIEWER, Role.OWNER, of=make.agent("other-agent")))
    for name, one in {
        "item": held.id, "edit": held.id, "candidates": held.id, "inquiry": inquiry.id, "record": current.record_id,
        "audit-row": decision.id, "agent": "ops-agent",
    }.items():  # fmt: skip
        assert stranger.get(reverse(name, args=[one])).status_code == 404, name
    for name, one in {
        "decide": held.id,
        "skip": held.id,
        "lease": held.id,
        "undo": decision.id,
        "inquiry-answer": inquiry.id,
    }.items():
        assert stranger.post(reverse(name, args=[one]), {"version": 1}).status_code == 404, name
    for name in ("home", "queue", "records", "inquiries", "audit"):
        assert b"account" not in stranger.get(reverse(name)).content.split(b"<main")[1], name


def test_pages_are_kept_by_nobody_and_run_nothing_inline(desk: Client) -> None:
    response = desk.get(reverse("item", args=[make.proposal().id]))
    assert "no-store" in response["Cache-Control"]
    assert "default-src 'self'" in response["Content-Security-Policy"]
    assert b'hx-history="false"' in response.content


def test_a_page_that_is_not_there_says_so_in_the_house_style(desk: Client) -> None:
    response = desk.get("/queue/00000000-0000-7000-8000-000000000000/")
    assert response.status_code == 404
    assert b"you may not see" in response.content


def test_an_unknown_filter_word_is_named_and_the_list_still_shows(desk: Client) -> None:
    held = make.proposal()
    response = desk.get(reverse("queue"), {"risk": "enormous", "agent": held.agent_id})
    assert response.status_code == 200
    assert "“risk:” does not know “enormous”" in response.content.decode()
    assert str(held.id) in response.content.decode()


@pytest.mark.parametrize("name", ["queue", "records", "inquiries", "audit"])
def test_a_made_up_place_in_a_list_is_refused(desk: Client, name: str) -> None:
    for place in ("nonsense", "WyJxdWV1ZSIsMV0:1a:b", "%00"):
        assert desk.get(f"{reverse(name)}?after={place}").status_code == 400


@pytest.mark.parametrize("name", ["decide", "skip", "lease"])
def test_no_action_answers_to_a_link(desk: Client, name: str) -> None:
    held = make.proposal()
    for method in (desk.get, desk.head):
        assert method(reverse(name, args=[held.id])).status_code == 405
    held.refresh_from_db()
    assert (held.status, held.lease_holder_id) == ("waiting", None)


def test_looking_claims_nothing(desk: Client) -> None:
    held = make.proposal()
    for address in (reverse("queue-next"), reverse("item", args=[held.id]), reverse("queue")):
        desk.get(address)
    held.refresh_from_db()
    assert held.lease_holder_id is None


def test_the_shortcuts_can_be_switched_off(desk: Client) -> None:
    assert b'data-shortcuts="on"' in desk.get("/").content
    desk.post(reverse("settings-shortcuts"), {"on": ""})
    assert b'data-shortcuts="off"' in desk.get("/").content
    desk.post(reverse("settings-shortcuts"), {"on": "1"})
    assert b'data-shortcuts="on"' in desk.get("/").content


def test_times_are_shown_in_the_zone_of_the_person(desk: Client) -> None:
    held = make.proposal(event_at="2026-06-01T22:30:00Z")
    assert "1 Jun 2026, 22:30" in desk.get(reverse("item", args=[held.id])).content.decode()
    assert desk.post(reverse("settings-time-zone"), {"time_zone": "Europe/Berlin"}).status_code == 302
    assert "2 Jun 2026, 00:30" in desk.get(reverse("item", args=[held.id])).content.decode()
    assert desk.post(reverse("settings-time-zone"), {"time_zone": "Mars/Olympus"}).status_code == 422


def test_an_agent_may_have_any_name(desk: Client) -> None:
    make.proposal(of=make.agent("team/agent one"), evidence=())
    page = desk.get(reverse("queue"))
    assert page.status_code == 200
    assert desk.get(reverse("agent", args=["team/agent one"])).status_code == 200
