"""The first page: what needs this person now and nothing else; on a new desk three steps."""

from __future__ import annotations

import html
import json
import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evidence.models import Agent, Decision, Evidence, HeldRecord, Job, JobItem, Token, User
from evidence.rules.vocab import Role
from tests.services import make
from tests.web.conftest import SignIn
from tests.web.test_insights import HOSTILE

pytestmark = pytest.mark.django_db


def home(client: Client) -> str:
    response = client.get(reverse("home"))
    assert response.status_code == 200
    return response.content.decode()


def main(page: str) -> str:
    return page.split("<main")[1].split("</main>", maxsplit=1)[0]


def titles(page: str) -> list[str]:
    return re.findall(r"<h2[^>]*>([^<]+)</h2>", main(page))


def old_fact(days: float, **columns: object) -> Evidence:
    """A fact of a class that holds for two days, checked so many days ago."""
    return make.fact(
        f"Checked {days} days ago", volatility="billing", checked=timezone.now() - timedelta(days=days), **columns
    )


# ---- what needs whom


def test_a_reviewer_sees_the_queue_and_the_way_into_it(desk: Client) -> None:
    make.proposal()
    page = home(desk)
    assert titles(page) == ["Queue", "Next up", "Backlog, 30 days"]
    assert f'href="{reverse("queue-next")}">Review the next one' in page


def test_an_owner_sees_questions_and_what_to_check_again(owner_desk: Client) -> None:
    make.fact("The account is active.", about=make.claim("active"))
    make.proposal(statement="The account is past due.", claim=make.claim("past due"))
    old_fact(5)
    page = home(owner_desk)
    assert titles(page) == ["Questions for you", "Re-checks due", "Backlog, 30 days", "Waiting for reviewers"]
    assert "Review the next one" not in page


@pytest.mark.parametrize("role", [Role.AUDITOR, Role.ADMINISTRATOR])
def test_who_neither_reviews_nor_owns_is_told_that_nothing_needs_them(role: Role, sign_in: SignIn) -> None:
    make.proposal()
    old_fact(5)
    page = home(sign_in(make.user("someone", role)))
    assert titles(page) == ["Nothing needs you now", "Backlog, 30 days", "Waiting for reviewers"]


def test_without_a_role_there_is_nothing_but_the_way_to_get_one(sign_in: SignIn) -> None:
    make.proposal()
    page = home(sign_in(make.user("newcomer")))
    assert titles(page) == []
    assert "python manage.py grant newcomer reviewer" in page


def test_overdue_checks_come_first_and_the_numbers_equal_their_rows(owner_desk: Client) -> None:
    facts = [old_fact(days, source_id=f"fact:{days}") for days in (3, 30, 2.5, 1.6, 1.8, 0.5)]
    make.fact("Never stale", volatility="stable")
    page = main(home(owner_desk))
    shown = re.findall(r"/records/([^/]+)/\?ns=", page)
    assert shown == [facts[number].record_id for number in (1, 0, 2, 4, 3)]
    numbers = re.findall(r'<a href="(/rechecks/[^"]+)">(\d+) (turned already|turn soon)</a>', page)
    assert [(number, what) for _, number, what in numbers] == [("3", "turned already"), ("2", "turn soon")]
    for address, number, _ in numbers:
        rows = owner_desk.get(html.unescape(address)).content.decode()
        assert rows.count('name="pick"') == int(number)


def test_facts_of_agents_that_somebody_else_owns_are_not_theirs_to_check(sign_in: SignIn) -> None:
    old_fact(5)
    mine = old_fact(6, scope_owner="mine")
    make.user("olga", Role.OWNER, of=make.agent("mine"))
    client = sign_in(make.user("olga", Role.REVIEWER))
    page = main(home(client))
    assert mine.record_id in page
    assert page.count("/records/") == 1
    assert "1 turned already" in page


def test_ones_own_bulk_work_that_is_not_over_is_shown(desk: Client, reviewer: User) -> None:
    make.proposal()
    running = Job.objects.create(kind="bulk", status="running", owner=reviewer)
    for position in range(4):
        JobItem.objects.create(job=running, position=position, outcome="done" if position else "")
    preview = Job.objects.create(kind="bulk", status="preview", owner=reviewer)
    JobItem.objects.create(job=preview, position=0)
    over = Job.objects.create(kind="bulk", status="done", owner=reviewer)
    theirs = Job.objects.create(kind="bulk", status="running", owner=make.reviewer("ada"))
    page = home(desk)
    assert "3 of 4 done" in page
    assert "Preview of 1 item, waits for you" in page
    assert str(running.id) in page
    assert str(over.id) not in page
    assert str(theirs.id) not in page


def test_the_backlog_is_drawn_with_its_numbers_as_text(desk: Client) -> None:
    held = make.proposal()
    HeldRecord.objects.filter(pk=held.pk).update(created_at=timezone.now() - timedelta(days=60))
    make.proposal(statement="Offices close at six.")
    page = home(desk)
    assert page.count('role="img"') == 1
    assert re.search(r"1 waited at the end of [^,]+, 2 wait now", page)


def test_a_failed_import_says_so(desk: Client) -> None:
    make.proposal()
    Job.objects.create(kind="import", status="failed", detail={"format": "jsonl"})
    assert "! failed" in home(desk)


def test_names_of_agents_are_shown_as_text(desk: Client, owner_desk: Client) -> None:
    make.proposal(of=make.agent(HOSTILE))
    old_fact(5, scope_owner=HOSTILE)
    for client in (desk, owner_desk):
        page = home(client)
        assert "<img src=x" not in page
        assert 'class="hidden-char"' in page


# ---- a new desk


@pytest.fixture
def admin_desk(sign_in: SignIn) -> Client:
    return sign_in(make.user("admin", Role.ADMINISTRATOR))


def steps_done(page: str) -> int:
    return page.count("Done: ")


def test_a_new_desk_shows_three_steps_to_everybody_and_nothing_else(admin_desk: Client, sign_in: SignIn) -> None:
    for client in (admin_desk, sign_in(make.user("someone", Role.OWNER))):
        page = home(client)
        assert titles(page) == ["Nothing is here yet: three steps"]
        assert page.count('<li class="stack tight">') == 3
        assert steps_done(page) == 0
    assert "Make a token" not in page
    assert "Make a token" in home(admin_desk)


def test_steps_are_ticked_as_they_are_done(admin_desk: Client) -> None:
    Job.objects.create(kind="import", status="done")
    assert steps_done(home(admin_desk)) == 1
    make.reviewer()
    assert steps_done(home(admin_desk)) == 2
    admin_desk.post(reverse("setup-token"), {"agent": "ops-agent"})
    assert steps_done(home(admin_desk)) == 3
    make.proposal()
    assert "three steps" not in home(admin_desk)


def test_a_token_is_made_by_post_shown_once_and_works_as_the_snippet_says(admin_desk: Client, client: Client) -> None:
    assert "eda_" not in home(admin_desk)
    response = admin_desk.post(reverse("setup-token"), {"agent": " ops-agent "})
    assert response.status_code == 200
    assert "no-store" in response["Cache-Control"]
    page = html.unescape(response.content.decode())
    secrets = set(re.findall(r"eda_[\w-]+", page))
    assert len(secrets) == 1
    secret = secrets.pop()
    assert page.count(secret) == 3
    assert secret not in home(admin_desk)
    assert Decision.objects.filter(action="token_issue", actor_name="admin", door="web").count() == 1
    body = json.loads(re.search(r"<<'END'\n(.*?)\nEND", page, re.DOTALL)[1])
    filed = client.post(
        "/api/v1/proposals", body, content_type="application/json", headers={"authorization": f"Bearer {secret}"}
    )
    assert filed.status_code == 201, filed.content
    assert HeldRecord.objects.get().agent_id == "ops-agent"
    settings = json.loads(re.search(r'id="snippet-mcp"[^>]*>(.*?)</pre>', page, re.DOTALL)[1])
    assert settings["mcpServers"]["evidence-desk"]["headers"] == {"Authorization": f"Bearer {secret}"}
    server = settings["mcpServers"]["evidence-desk"]
    assert (server["url"], server["type"]) == ("http://testserver/mcp", "http")
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    accept = {"Accept": "application/json, text/event-stream"}
    answer = Client().post(server["url"], ping, content_type="application/json", headers=server["headers"] | accept)
    assert (answer.status_code, answer.json()["result"]) == (200, {})


def test_looking_makes_no_token(admin_desk: Client) -> None:
    assert admin_desk.get(reverse("setup-token")).status_code == 405
    home(admin_desk)
    assert not Token.objects.exists()


@pytest.mark.parametrize("role", [Role.REVIEWER, Role.OWNER, Role.AUDITOR])
def test_only_an_administrator_makes_a_first_token(sign_in: SignIn, role: Role) -> None:
    response = sign_in(make.user("someone", role)).post(reverse("setup-token"), {"agent": "ops-agent"})
    assert response.status_code == 403
    assert not Agent.objects.exists()
    assert not Token.objects.exists()


@pytest.mark.parametrize("name", ["", "x" * 201, "ghp_" + "a1B2" * 9])
def test_a_name_that_cannot_be_is_refused_and_nothing_is_half_made(admin_desk: Client, name: str) -> None:
    response = admin_desk.post(reverse("setup-token"), {"agent": name})
    assert response.status_code in (413, 422)
    assert 'class="notice bad' in response.content.decode()
    assert not Agent.objects.exists()
    assert not Token.objects.exists()


def test_a_hostile_name_makes_snippets_that_are_text(admin_desk: Client) -> None:
    page = admin_desk.post(reverse("setup-token"), {"agent": HOSTILE}).content.decode()
    assert "<img src=x" not in page
    body = re.search(r"<<'END'\n(.*?)\nEND", html.unescape(page), re.DOTALL)[1]
    assert json.loads(body)["evidence"][0]["source"]["id"].startswith(f"session:{HOSTILE}/")
