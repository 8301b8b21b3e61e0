"""The insights: every number equals the rows behind its link, nobody sees more than theirs, and looking costs little."""

from __future__ import annotations

import html
import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from zeal import zeal_context

from evidence.models import Decision, Evidence, HeldRecord, Inquiry, User
from evidence.rules.vocab import Action, Role
from evidence.selectors.insights_period import RANGES
from evidence.services.batching import flush_all
from evidence.services.proposing import withdraw_proposal
from evidence.services.records import revoke_record
from evidence.services.refusals import count_refused
from evidence.services.tallies import merge_tallies
from evidence.services.undoing import undo
from tests.services import make
from tests.web.conftest import SignIn

pytestmark = pytest.mark.django_db
# For what each database reckons in its own way; what is drawn of it is the same on both.
both_databases = pytest.mark.postgres

HOSTILE = 'a"><img src=x onerror=alert(1)>\u202e agent'


def days_back(held: HeldRecord, filed: float, ended: float | None = None) -> None:
    """As if it had been filed and ended so many days ago; not at midnight, where the days meet."""
    noon = timezone.now()
    columns = {"created_at": noon - timedelta(days=filed)}
    if ended is not None:
        columns["decided_at"] = noon - timedelta(days=ended)
    HeldRecord.objects.filter(pk=held.pk).update(**columns)


def a_month(reviewer: User, agent: str = "ops-agent") -> None:
    """A desk on which everything that the insights tell of has happened, some of it long ago."""
    of = make.agent(agent)
    name = agent if agent.replace("-", "").isalnum() else "somebody"  # a hostile text would need two approvals
    ada = make.reviewer("ada")
    for number, (filed, ended, action) in enumerate(
        [
            (40, 20, "approve"),
            (12, 3, "approve"),
            (5, 0.2, "reject"),
            (3, 2, "reject"),
            (2, 1, "approve"),
            (1, 0, "approve"),
        ]
    ):
        held = make.proposal(of=of, statement=f"Thing {number} of {name} is so.", event_at=make.days_ago(0.5))
        code = {"reason_code": "wrong"} if action == "reject" else {}
        done = make.act(held, reviewer if number % 2 else ada, Action(action), **code)
        days_back(held, filed, ended)
        if number == 1:
            undo(decision_id=done.decision.id, actor=make.person(reviewer))
        if number == 4:
            fact = HeldRecord.objects.get(pk=held.pk).fact_proposal.result
            revoke_record(
                record_pk=fact.pk,
                seen_version=fact.version,
                actor=make.person(make.user("olga", Role.OWNER)),
                reason="no",
                idempotency_key=f"{name} revoked",
            )
    gone = make.proposal(of=of, statement=f"The {name} lighthouse keeps a log.")
    withdraw_proposal(filer=make.filer(of), held_id=gone.id, seen_version=gone.version)
    for number, filed in enumerate((50, 9, 1)):
        days_back(make.proposal(of=of, statement=f"Waiting thing {number} of {name}."), filed)
    for number, age in enumerate((0.1, 2, 5, 10, 45)):
        about = f"account {number} of {name}"
        make.fact(f"{about} is active.", about=make.claim("active", about), scope_owner=agent)
        held = make.proposal(of=of, statement=f"{about} is past due.", claim=make.claim("past due", about))
        Inquiry.objects.filter(held=held).update(asked_at=timezone.now() - timedelta(days=age))
    for number, (volatility, checked) in enumerate([("billing", 1), ("billing", 5), ("stable", 1), ("stable", None)]):
        at = None if checked is None else timezone.now() - timedelta(days=checked)
        make.fact(f"Fact {number} of {name}", volatility=volatility, checked=at, scope_owner=agent)
    make.article(source_id=f"wiki:{agent}/graph/one.md", scope_owner=agent)
    make.article(source_id=f"wiki:{agent}/graph/two.md", scope_owner=agent, approval_by="", review="")


def shown(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200, address
    return response.content.decode()


def links_in(page: str) -> list[tuple[str, int]]:
    """Address and number of every number that is a link."""
    main = page.split("<main")[1].split("</main>", maxsplit=1)[0]
    found = re.findall(r'<a href="([^"]+)">([\d,]+)</a>', main)
    return [(html.unescape(address), int(number.replace(",", ""))) for address, number in found]


def rows_behind(client: Client, address: str) -> int:
    """The rows of all pages; of refusals the sum."""
    count = 0
    while address:
        page = shown(client, address)
        count += len(re.findall(r"data-row", page))
        if "figure=refused" in address:
            return sum(int(number) for number in re.findall(r"<td>(\d+)</td></tr>", page))
        more = re.search(r'rel="next" href="([^"]*)"', page)
        address = html.unescape(more[1]) if more else ""
    return count


@both_databases
def test_every_number_equals_the_rows_behind_its_link(desk: Client, reviewer: User) -> None:
    a_month(reviewer)
    a_month(reviewer, "other-agent")
    count_refused(kinds=["jwt", "github_token"], door="api", agent="ops-agent")
    count_refused(kinds=["jwt"])
    flush_all()
    for days in RANGES:
        found = links_in(shown(desk, f"{reverse('insights')}?days={days}"))
        figures = {re.search(r"figure=([a-z-]+)", address)[1] for address, _ in found if "figure=" in address}
        assert figures == {
            "waiting", "filed", "ended", "labelled", "turning", "asked", "approvals", "overturned", "mine",
            "my-approvals", "my-overturned", "refused",
        }  # fmt: skip
        for address, number in dict.fromkeys(found):
            assert rows_behind(desk, address) == number, address


@both_databases
def test_the_numbers_are_those_of_what_happened(desk: Client, reviewer: User) -> None:
    a_month(reviewer)
    page = shown(desk, reverse("insights"))
    numbers = {re.sub(r"&?(since|until|days)=[^&]*", "", address): number for address, number in links_in(page)}
    rows = "/insights/rows/?figure="
    assert numbers["/queue/"] == HeldRecord.objects.waiting().count() == 9
    assert numbers[f"{rows}overturned"] == 2
    assert numbers[f"{rows}approvals"] == Decision.objects.filter(action="approve").count() == 4
    assert numbers["/records/?label=stale"] == 1
    assert numbers["/records/?kind=article&label=approved"] == 1
    assert numbers[f"{rows}turning"] == 1
    assert "5 days" not in page.split("Oldest")[1][:60]
    assert "50 days" in page.split("Oldest")[1][:200]


@both_databases
def test_merged_counts_say_the_same(desk: Client, reviewer: User) -> None:
    a_month(reviewer)
    before = links_in(shown(desk, reverse("insights")))
    merge_tallies()
    after = links_in(shown(desk, reverse("insights")))
    assert [number for _, number in before] == [number for _, number in after]


@both_databases
@pytest.mark.parametrize("zone", ["Asia/Kathmandu", "America/Los_Angeles", "Pacific/Kiritimati"])
def test_days_and_hours_are_those_of_the_person(sign_in: SignIn, zone: str) -> None:
    far = make.user("far", Role.REVIEWER, time_zone=zone)
    a_month(far)
    client = sign_in(far)
    for address, number in links_in(shown(client, f"{reverse('insights')}?days=7")):
        if "hour=" in address or "figure=waiting" in address:
            assert rows_behind(client, address) == number, address


def test_somebody_elses_agents_are_in_no_number(reviewer: User, sign_in: SignIn) -> None:
    a_month(reviewer)
    own = make.agent("own-agent")
    days_back(make.proposal(of=own, statement="The one thing of their own."), 2)
    client = sign_in(make.user("stranger", Role.REVIEWER, of=own))
    page = shown(client, reverse("insights"))
    assert "ops-agent" not in page
    found = links_in(page)
    assert {number for _, number in found} == {1}
    for address, number in found:
        assert rows_behind(client, address) == number, address
    for address, _ in links_in(shown(sign_in(reviewer), reverse("insights"))):
        if "figure=" in address and "figure=my" not in address and "figure=mine" not in address:
            assert "account" not in shown(client, address).split("<main")[1], address


def test_a_persons_own_figures_are_shown_to_that_person_alone(reviewer: User, sign_in: SignIn) -> None:
    a_month(reviewer)
    theirs = {re.sub("&days=30", "", a): n for a, n in links_in(shown(sign_in(reviewer), reverse("insights")))}
    assert theirs["/insights/rows/?figure=mine"] == 3
    auditor = sign_in(make.user("audrey", Role.AUDITOR, Role.ADMINISTRATOR))
    page = shown(auditor, reverse("insights"))
    assert "Your own decisions" not in page
    assert "reviewer" not in page.split("<main")[1]
    assert rows_behind(auditor, f"{reverse('insights-rows')}?figure=mine&days=30") == 0


def test_a_new_desk_has_nothing_to_draw(desk: Client) -> None:
    page = shown(desk, reverse("insights"))
    assert "Nothing to draw yet" in page
    assert "<svg role" not in page


def test_one_item_is_enough_for_a_picture(desk: Client) -> None:
    make.proposal()
    page = shown(desk, reverse("insights"))
    assert page.count('role="img"') == 4
    assert "No decision in 30 days" in page
    assert "NaN" not in page
    assert "None" not in page.split("<main")[1].replace("None in 30 days", "")


def test_charts_have_names_and_words_and_no_text_of_an_agent_runs(desk: Client, reviewer: User) -> None:
    a_month(reviewer, HOSTILE)
    page = shown(desk, reverse("insights"))
    for chart in re.findall(r'<svg role="img" aria-labelledby="([^"]+)"', page):
        assert all(f'id="{name}"' in page for name in chart.split())
    assert "<img src=x" not in page
    assert "style=" not in page.split("<main")[1]
    assert 'class="hidden-char"' in page
    for address, number in links_in(page):
        if "agent=" in address:
            assert rows_behind(desk, address) == number


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("figure=nothing", 404), ("", 404), ("figure=ended&since=yesterday", 400), ("figure=ended&part=what", 200),
        ("figure=ended&hour=24", 200), ("figure=ended&hour=3&part=decided", 200), ("figure=filed&after=made-up", 400),
        ("figure=waiting&until=9999-12-31T23:59Z", 200), ("figure=refused&since=0001-01-01T00:00Z", 200),
        ("figure=ended&agent=nobody", 200), ("figure=labelled&kind=derived&until=2026-01-01T00:00Z", 200),
    ],
)  # fmt: skip
def test_made_up_addresses_are_answered(desk: Client, query: str, status: int) -> None:
    assert desk.get(f"{reverse('insights-rows')}?{query}").status_code == status
    assert desk.get(f"{reverse('insights')}?days=what&{query}").status_code == 200


def test_looking_asks_the_database_as_often_for_many_rows_as_for_few(desk: Client, reviewer: User) -> None:
    counted = []
    for agents in (("one", "two"), ("three",)):
        for agent in agents:
            a_month(reviewer, agent)
        with zeal_context(), CaptureQueriesContext(connection) as queries:
            shown(desk, f"{reverse('insights')}?days=90")
        counted.append(len(queries))
    assert counted[0] == counted[1]
    assert counted[0] <= 38, counted


def test_what_is_read_is_found_by_an_index(desk: Client, reviewer: User) -> None:
    """No part of the page walks a whole table, on SQLite (whose plans do not depend on how much there is)."""
    a_month(reviewer)
    with CaptureQueriesContext(connection) as queries:
        shown(desk, reverse("insights"))
    big = ("evidence_heldrecord", "evidence_evidence", "evidence_decision", "evidence_tally", "evidence_inquiry")
    for query in queries:
        if not query["sql"].startswith("SELECT") or not any(f'"{table}"' in query["sql"] for table in big):
            continue
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN QUERY PLAN {query['sql']}")
            plan = [row[3] for row in cursor.fetchall()]
        scans = [step for step in plan if step.startswith("SCAN") and any(table in step for table in big)]
        assert scans == [], (plan, query["sql"])


@both_databases
def test_a_removed_record_or_a_future_check_is_not_counted_twice(desk: Client) -> None:
    make.fact("Checked in the future", checked=timezone.now() + timedelta(minutes=5))
    make.fact("Goes stale in a minute", volatility="billing", checked=timezone.now() - timedelta(days=2, minutes=-1))
    make.fact("Went stale a minute ago", volatility="billing", checked=timezone.now() - timedelta(days=2, minutes=1))
    gone = make.fact("Revoked")
    Evidence.objects.filter(pk=gone.pk).update(state="revoked")
    numbers = dict(links_in(shown(desk, reverse("insights"))))
    for label, number in {"verified": 1, "stale": 1, "unverified": 1}.items():
        assert numbers[f"/records/?label={label}"] == number, label
