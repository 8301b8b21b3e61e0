"""What holds for every address of the desk, made from the URLconf: looking changes nothing, no NUL gets anywhere, an expired
session leads to a full sign-in and back, a page from the history is a whole page; and what holds at every door alike.

(Scenarios S1, S13, S16, S18, S19, S21, S24, S26; hostile text is in `test_scenarios_text`, roles in `test_scenarios_access`.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evidence.models import Decision, HeldRecord, Job, Outbox, User
from evidence.rules.vocab import Action, Role
from evidence.services import outbox
from evidence.services.bulk import preview_bulk
from evidence.services.editing import edit_held
from evidence.services.errors import Refused
from tests.services import make
from tests.services.dumps import dump
from tests.web.conftest import SignIn
from tests.web.forms import HTMX, send
from tests.web.whole_desk import WholeDesk, forms_and_links, other_addresses, whole_desk

pytestmark = pytest.mark.django_db


@pytest.fixture
def whole(reviewer: User) -> WholeDesk:
    return whole_desk(reviewer=reviewer)


# --- S16: whatever opens a link decides nothing ---


def test_looking_at_every_address_in_every_role_changes_no_row_of_any_table(whole: WholeDesk, sign_in: SignIn) -> None:
    clients = {
        "stranger": Client(),
        "reviewer": sign_in(whole.reviewer),
        "owner": sign_in(make.user("olga", Role.OWNER)),
        "administrator": sign_in(make.user("root", Role.ADMINISTRATOR, is_staff=True, is_superuser=True)),
    }
    before = dump()
    for name, address in whole.addresses():
        assert clients["reviewer"].get(address).status_code in {200, 204, 400, 403, 404, 405}, (name, address)
    for who, client in clients.items():
        for name, address in whole.addresses(few=True):
            answers = [client.get(address, **HTMX), client.get(address)]
            if who == "reviewer":  # a look without the body, by whoever could do most
                answers.append(client.head(address))
            assert {answer.status_code for answer in answers} <= {200, 204, 302, 400, 401, 403, 404, 405}, (who, name)
    for address in other_addresses():
        for client in clients.values():
            assert client.get(address).status_code < 500, address
        clients["administrator"].head(address)
    assert dump() == before


# --- S13: no NUL in any field of any form, nor in any part of any address ---


def _fields(whole: WholeDesk, desk: Client) -> tuple[dict[str, set[str]], set[str]]:
    """Fields of every form by its address, and every parameter that a link or a search form sends."""
    posted: dict[str, set[str]] = {}
    asked: set[str] = set()
    for _, address in whole.addresses():
        response = desk.get(address)
        if not response.get("Content-Type", "").startswith("text/html"):
            continue
        forms, links = forms_and_links(response)
        for form in forms:
            if form["method"].lower() == "post":
                posted.setdefault(form["to"], set()).update(form["fields"])
            else:
                asked.update(form["fields"])
        asked.update(name for link in links for name in parse_qs(urlsplit(link).query, keep_blank_values=True))
    return posted, asked


def test_a_nul_in_any_field_of_any_form_is_refused_with_its_code(whole: WholeDesk, desk: Client) -> None:
    make.user(whole.reviewer.get_username(), Role.OWNER)  # so that the questions have their form
    posted, _ = _fields(whole, desk)
    names = {name for fields in posted.values() for name in fields}
    assert {"reason", "statement", "answer", "value", "pick", "name", "time_zone", "checked_date", "until"} <= names
    before = dump()
    for address, fields in posted.items():
        for field in fields:
            for extra in ({}, HTMX):
                answer = desk.post(address, {field: "a\x00b"}, **extra)
                assert (answer.status_code, answer.content[:12]) == (400, b"invalid_text"), (address, field)
    assert dump() == before


def test_a_nul_in_any_parameter_of_any_page_is_refused_with_its_code(whole: WholeDesk, desk: Client) -> None:
    _, asked = _fields(whole, desk)
    assert {"q", "ns", "show", "days", "figure", "bulk", "amend"} <= asked
    for name, address in whole.addresses(few=True):
        for parameter in (*asked, "after", "before", "done", "at", "ids", "fill", "step", "mine"):
            answer = desk.get(f"{address}?{quote(parameter)}=a%00b")
            assert (answer.status_code, answer.content[:12]) == (400, b"invalid_text"), (name, parameter)


def test_a_worker_survives_a_nul_in_what_went_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    def handler(subject: str) -> None:
        if subject == "bad":
            raise ValueError("a\x00b \ud800")

    monkeypatch.setitem(outbox._handlers, "test", handler)
    Outbox.objects.all().delete()
    for subject in ("bad", "good"):
        outbox.enqueue(topic="test", subject=subject, key=subject)
    assert outbox.deliver_due() == 2
    assert set(Outbox.objects.filter(done_at__isnull=False).values_list("subject", flat=True)) == {"good"}


# --- S18: the session is gone ---


def _controls(whole: WholeDesk, desk: Client) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Every control that a page has: the page, where it goes, and its fields."""
    for _, address in whole.addresses():
        response = desk.get(address)
        if response.status_code == 200 and response["Content-Type"].startswith("text/html"):
            for form in forms_and_links(response)[0]:
                if form["method"].lower() == "post":
                    yield address, form["to"], form["fields"]


def test_every_control_of_every_page_leads_to_a_full_sign_in_and_back(whole: WholeDesk, desk: Client) -> None:
    make.user(whole.reviewer.get_username(), Role.OWNER)
    controls = {(page, to): fields for page, to, fields in _controls(whole, desk)}
    before = dump()
    stranger = Client()
    for (page, to), fields in controls.items():
        if to.startswith("/accounts/"):
            continue
        back = f"/accounts/login/?next={quote(page, safe='')}"
        answer = stranger.post(to, fields, **HTMX, HTTP_HX_CURRENT_URL=f"http://testserver{page}")
        assert (answer.status_code, answer["HX-Redirect"], answer.content) == (401, back, b""), (page, to)
        plain = stranger.post(to, fields, HTTP_REFERER=f"http://testserver{page}")
        assert (plain.status_code, plain["Location"]) == (302, back), (page, to)
    assert dump() == before


def test_the_way_back_never_leads_to_an_address_that_only_takes_forms(whole: WholeDesk, desk: Client) -> None:
    """After a refusal without scripts the page stands at the address of its action, which nobody can open."""
    stranger = Client()
    for name, address in whole.addresses(few=True):
        if desk.get(address).status_code != 405:
            continue
        answer = stranger.post(address, HTTP_REFERER=f"http://testserver{address}?ns=default")
        back = parse_qs(urlsplit(answer["Location"]).query)["next"][0]
        # Of a page for administrators only its refusal.
        assert desk.get(back).status_code in (200, 403), (name, back)


def test_every_htmx_look_leads_to_a_full_sign_in(whole: WholeDesk) -> None:
    stranger = Client()
    for name, address in whole.addresses(few=True):
        # A link in a mail is opened without signing in, and public keys and metrics are for programs.
        if not name.startswith(("health", "mail", "audit-keys", "metrics")):
            answer = stranger.get(address, **HTMX)
            assert answer.status_code in (401, 405), name
            assert answer.content == b"", name


# --- S19: a page that the browser's history asks for ---


def test_what_the_history_asks_for_is_a_whole_page(whole: WholeDesk, desk: Client) -> None:
    for name, address in whole.addresses():
        plain = desk.get(address)
        if plain.status_code != 200 or plain.streaming or b"<html" not in plain.content:
            continue
        restored = desk.get(address, **HTMX, HTTP_HX_HISTORY_RESTORE_REQUEST="true")
        assert restored.status_code == 200, name
        assert b"<html" in restored.content, name
        assert "no-store" in restored["Cache-Control"], name


# --- S1: sent twice ---


def test_the_second_answer_is_the_same_and_says_that_it_is_the_second(desk: Client) -> None:
    held, following = make.proposal(), make.proposal(statement="Offices close at six.")
    page = desk.get(reverse("item", args=[held.pk]))
    first, second = send(desk, page, "approve"), send(desk, page, "approve")
    assert [answer["HX-Push-Url"] for answer in (first, second)] == [reverse("item", args=[following.pk])] * 2
    assert [b"It had been sent before" in answer.content for answer in (first, second)] == [False, True]
    third = send(desk, page, "approve", htmx=False)
    assert b"It had been sent before" in desk.get(third["Location"]).content
    assert Decision.objects.filter(action="approve").count() == 1


# --- S21: who may not approve is refused at every door alike, and why ---


def _by_page(held: HeldRecord, user: User) -> str:
    client = Client()
    client.force_login(user)
    page = client.get(reverse("item", args=[held.pk]))
    assert re.search(r'data-key="a"[^>]*disabled', page.content.decode())
    answer = send(client, page, "approve")
    assert answer.status_code == 403
    assert b"Another person has to do this." in answer.content
    plain = send(client, page, "approve", htmx=False)
    assert plain.status_code == 403
    return answer.content.decode()


def _by_bulk(held: HeldRecord, user: User) -> tuple[str, str]:
    job = preview_bulk(user=user, action=Action.APPROVE, held_ids=[held.pk])
    item = job.items.get()
    assert item.selected is False
    client = Client()
    client.force_login(user)
    page = client.get(reverse("job", args=[job.pk])).content.decode()
    assert 'name="picked"' not in page
    client.post(reverse("job-run", args=[job.pk]), {"number": "1", "picked": "0", "shown": "0", "selection": "x"})
    return item.code, item.detail


def _edited_by(user: User) -> HeldRecord:
    held = make.proposal(statement="Backups run at two.")
    edit_held(
        held_id=held.pk, seen_version=held.version, actor=make.person(user), reason="moved",
        statement="Backups run at three.",
    )  # fmt: skip
    return held


def _high_risk_of_an_own_agent(user: User) -> HeldRecord:
    make.user(user.get_username(), Role.OWNER, of=make.agent())
    return make.proposal(**make.risky())


def _of_an_own_agent_under_the_strict_policy(user: User) -> HeldRecord:
    make.user(user.get_username(), Role.OWNER, of=make.agent())
    make.policy(strict_four_eyes=True)
    return make.proposal()


@pytest.mark.parametrize(
    ("situation", "code", "words"),
    [
        (_edited_by, "own_edit", "last"),
        (_high_risk_of_an_own_agent, "four_eyes", "own"),
        (_of_an_own_agent_under_the_strict_policy, "four_eyes", "own"),
    ],
)
def test_who_may_not_approve_is_told_so_at_every_door(reviewer: User, situation: Any, code: str, words: str) -> None:
    make.reviewer("ada")
    held = situation(reviewer)
    held.refresh_from_db()
    said = _by_page(held, reviewer)
    bulk_code, bulk_said = _by_bulk(held, reviewer)
    assert bulk_code == code
    assert bulk_said in said
    with pytest.raises(Refused, match=f"^{code}:") as refused:
        make.approve(held, reviewer)
    assert refused.value.detail == bulk_said
    held.refresh_from_db()
    assert held.status == "waiting"
    assert not Decision.objects.filter(action__in=["approve", "first_approval"]).exists()


@pytest.mark.parametrize(
    "situation", [_edited_by, _high_risk_of_an_own_agent, _of_an_own_agent_under_the_strict_policy]
)
@pytest.mark.parametrize("door", ["page", "bulk"])
def test_where_nobody_else_exists_it_goes_through_and_is_marked_solo(
    desk: Client, reviewer: User, situation: Any, door: str
) -> None:
    held = situation(reviewer)
    if door == "page":
        assert send(desk, desk.get(reverse("item", args=[held.pk])), "approve").status_code == 200
    else:
        job = preview_bulk(user=reviewer, action=Action.APPROVE, held_ids=[held.pk])
        desk.post(reverse("job-select", args=[job.pk]), {"take": "high_risk"})
        page = desk.get(reverse("job", args=[job.pk])).content.decode()
        fields = {n: re.search(rf'name="{n}" value="([^"]*)"', page)[1] for n in ("number", "selection", "shown")}
        desk.post(reverse("job-run", args=[job.pk]), {**fields, "picked": "0"})
        while outbox.deliver_due(lane=outbox.BULK) + outbox.deliver_due():
            pass
        assert Job.objects.get(pk=job.pk).items.get().outcome == "done"
    decision = Decision.objects.get(action="approve")
    assert decision.solo is True
    assert b"solo" in desk.get(reverse("item", args=[held.pk])).content


# --- S26: equal ones ---


def test_equal_ones_close_credited_and_one_click_leads_there_and_back(desk: Client) -> None:
    first, *others = [make.proposal(make.agent(f"agent-{n}"), "Backups run at two.") for n in range(3)]
    answer = send(desk, desk.get(reverse("item", args=[first.pk])), "approve").content.decode()
    outcome = desk.get(reverse("item", args=[first.pk])).content.decode()
    assert f'href="{reverse("item", args=[first.pk])}">2 equal proposals closed with it' in answer
    became = outcome.split("What became of it")[1].split("</section>")[0]
    assert "2 equal proposals closed with it, credited" in became
    assert re.findall(r'href="/queue/([0-9a-f-]+)/"', became) == [str(other.pk) for other in others]
    for other in others:
        page = desk.get(reverse("item", args=[other.pk])).content.decode()
        assert "Duplicate" in page
        assert f'href="{reverse("item", args=[first.pk])}"' in page
        other.refresh_from_db()
        assert (other.status, other.replaced_by_id) == ("superseded", first.pk)


# --- S7: the fencing token ---


def test_a_heartbeat_from_before_two_take_overs_prolongs_nothing(desk: Client, reviewer: User, sign_in: SignIn) -> None:
    held = make.proposal()
    address = reverse("lease", args=[held.pk])
    desk.post(address, **HTMX)
    held.refresh_from_db()
    old = held.lease_token
    for client in (sign_in(make.reviewer("ada")), desk):
        client.post(address, {"take_over": "1"}, **HTMX)
    soon = timezone.now() + timedelta(seconds=5)
    HeldRecord.objects.filter(pk=held.pk).update(lease_until=soon)
    desk.post(address, {"token": old}, **HTMX)
    held.refresh_from_db()
    assert (held.lease_holder_id, held.lease_until) == (reviewer.pk, soon)
    desk.post(address, {"token": held.lease_token}, **HTMX)
    held.refresh_from_db()
    assert held.lease_until > soon


# --- S22: what is audited outlives whom and what it is about ---


def test_the_audit_stays_readable_when_the_person_and_the_item_are_gone(sign_in: SignIn) -> None:
    gone = make.reviewer("a-gone-reviewer")
    held = make.proposal()
    done = make.act(held, gone, Action.REJECT, reason_code="wrong", reason="It moved.")
    held.links.all().delete()
    HeldRecord.objects.filter(pk=held.pk).delete()
    gone.delete()
    auditor = sign_in(make.user("audrey", Role.AUDITOR))
    assert "a-gone-reviewer" in auditor.get(reverse("audit")).content.decode()
    page = auditor.get(reverse("audit-row", args=[done.decision.pk])).content.decode()
    for kept in ("a-gone-reviewer", "It moved.", "Backups run every night at two.", done.decision.digest):
        assert kept in page
    assert "holds" in auditor.post(reverse("audit-verify"), **HTMX).content.decode()
