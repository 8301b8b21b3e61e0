"""The queue of re-checks from the page: by place, one press for what is ticked, what was left alone, and the way back."""

from __future__ import annotations

import html
import re
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from zeal import zeal_context

from evidence.models import Decision, Evidence, HeldRecord, Inquiry, RecallItem, RecallLog, RecheckItem
from evidence.rules.vocab import Role
from evidence.selectors import rechecks as reads
from evidence.selectors.rechecks import RecheckFilter
from evidence.services.records import recheck_record, revoke_record
from tests.services import make
from tests.services.test_rechecks import old
from tests.web.conftest import SignIn
from tests.web.forms import HTMX, forms_of
from tests.web.test_insights import HOSTILE

pytestmark = pytest.mark.django_db
# For what each database sorts and finds in its own way; what is drawn of it is the same on both.
both_databases = pytest.mark.postgres


@pytest.fixture(autouse=True)
def an_agent(db: None) -> None:
    make.agent()


def text(client: Client, query: str = "") -> str:
    response = client.get(f"{reverse('rechecks')}{query}")
    assert response.status_code == 200
    return response.content.decode()


def places(page: str) -> list[str]:
    return [html.unescape(re.sub(r"<[^>]+>", "", one)) for one in re.findall(r"</span> (<bdi.*?</bdi>)</h2>", page)]


def listed(page: str) -> list[str]:
    return re.findall(r'data-row href="/records/([^/"]+)/', page)


def send(client: Client, action: str, *rows: Evidence, htmx: bool = False, **fields: Any) -> Any:
    """As the form of their place would send it."""
    form = next(one for one in forms_of(client.get(reverse("rechecks"))) if one["to"] == reverse("rechecks-settle"))
    form["fields"].pop("pick", None)
    picks = [f"{row.pk}:{row.version}" for row in rows]
    given = form["fields"] | {"action": action, "pick": picks} | fields
    return client.post(form["to"], given, **(HTMX if htmx else {}))


# -- looking --


@both_databases
def test_facts_stand_together_by_place_the_oldest_turn_first(owner_desk: Client) -> None:
    rows = [old(1, days=3), old(2, days=9), old(3, days=5, check_method="Status page"), old(4, days=1.6)]
    old(5, days=1)
    page = text(owner_desk)
    assert places(page) == ["Billing page", "Status page"]
    assert listed(page) == [rows[number].record_id for number in (1, 0, 3, 2)]
    assert page.count("turned on <time") == 3
    assert page.count("turns <time") == 1


@both_databases
def test_each_filter_shows_what_it_says_and_the_numbers_agree(owner_desk: Client) -> None:
    turned, soon = old(1), old(2, days=1.6, scope_owner="qa-agent", volatility="outage")
    over = old(3, volatility="stable", valid_until=timezone.now() - timedelta(hours=1))
    for query, rows in {
        "": {turned, soon, over}, "?show=overdue": {turned, over}, "?show=soon": {soon}, "?show=later": set(),
        "?agent=qa-agent": {soon}, "?kind=outage": {soon}, "?q=plan+2": {soon}, "?q=BILLING": {turned, soon, over},
        "?q=nothing": set(),
    }.items():  # fmt: skip
        assert set(listed(text(owner_desk, query))) == {row.record_id for row in rows}, query
    page = text(owner_desk)
    assert re.findall(r'class="count">([^<]+)<', page) == ["3", "2", "1", "0"]
    assert "its time was over on <time" in page
    assert "kind cannot be" in text(owner_desk, "?kind=moonlight")


@both_databases
def test_pages_show_each_place_once_whatever_is_between(owner_desk: Client) -> None:
    at = timezone.now() - timedelta(days=9)
    for number in range(60):
        old(number, checked=at + timedelta(minutes=number % 7), check_method=f"Page {number % 25}")
    seen, query = [], ""
    while True:
        page = text(owner_desk, query)
        seen += places(page)
        following = re.search(r'rel="next" href="/rechecks/([^"]+)"', page)
        if following is None:
            break
        query = html.unescape(following.group(1))
    assert sorted(seen) == sorted(f"Page {number}" for number in range(25))


@both_databases
def test_a_big_place_is_cut_and_opened(owner_desk: Client) -> None:
    for number in range(70):
        old(number, days=9 - number / 100)
    page = text(owner_desk)
    assert len(listed(page)) == reads.FACTS
    address = html.unescape(re.search(r'href="/rechecks/(\?place=[^"]+)"', page).group(1))  # type: ignore[union-attr]
    whole = text(owner_desk, address)
    rest = html.unescape(re.search(r'rel="next" href="/rechecks/([^"]+)"', whole).group(1))  # type: ignore[union-attr]
    assert len({*listed(whole), *listed(text(owner_desk, rest))}) == 70


def test_a_made_up_place_in_the_list_is_refused(owner_desk: Client) -> None:
    assert owner_desk.get(f"{reverse('rechecks')}?after=made-up").status_code == 400


def test_who_relies_on_it_is_said(owner_desk: Client) -> None:
    row = old()
    for agent, days in (("sales-agent", 1), ("sales-agent", 2), ("qa-agent", 3), ("old-agent", 40)):
        at = timezone.now() - timedelta(days=days)
        recall = RecallLog.objects.create(at=at, namespace="default", agent=agent, query_hash="h")
        RecallItem.objects.create(
            recall=recall, namespace="default", record_id=row.record_id, label="stale", rank=1, at=at
        )
    page = text(owner_desk)
    assert "shown in 3 recalls in 30 days" in page
    assert page.index("sales-agent") < page.index("qa-agent")
    assert "old-agent" not in page


def test_an_owner_sees_their_agents_only_and_who_owns_none_can_look(sign_in: SignIn) -> None:
    theirs, mine = old(1), old(2, scope_owner="mine")
    owner = sign_in(make.user("mina", Role.OWNER, of=make.agent("mine")))
    assert listed(text(owner)) == [mine.record_id]
    auditor = text(sign_in(make.user("audrey", Role.AUDITOR)))
    assert set(listed(auditor)) == {theirs.record_id, mine.record_id}
    assert 'name="pick"' not in auditor
    assert "Still true" not in auditor
    assert "You own no agent" in auditor


def test_texts_are_shown_as_text_everywhere(owner_desk: Client) -> None:
    row = old(
        1, about=make.claim(HOSTILE, HOSTILE, HOSTILE), content=HOSTILE, check_method=HOSTILE, check_by=HOSTILE,
        scope_owner=HOSTILE,
    )  # fmt: skip
    make.agent(HOSTILE)
    done = send(owner_desk, "still", row)
    old(2, about=make.claim(HOSTILE, "b", HOSTILE), content=HOSTILE, check_method=HOSTILE, scope_owner=HOSTILE)
    for page in (text(owner_desk), owner_desk.get(done["Location"]).content.decode()):
        assert "<img src=x" not in page
        assert 'class="hidden-char"' in page


def test_looking_costs_little_and_nothing_is_loaded_one_by_one(owner_desk: Client) -> None:
    for number in range(40):
        old(number, check_method=f"Page {number % 8}")
    owner_desk.get(reverse("rechecks"))
    with zeal_context(), CaptureQueriesContext(connection) as queries:
        owner_desk.get(reverse("rechecks"))
    assert len(queries) < 50
    assert not any("OFFSET" in query["sql"] for query in queries)


@both_databases
@pytest.mark.parametrize("query", ["", "?show=overdue", "?agent=ops-agent", "?show=soon"])
def test_the_list_walks_an_index(owner_desk: Client, query: str) -> None:
    now = timezone.now()
    for number in range(200):
        old(number, days=3 if number < 20 else 0.1, check_method=f"Page {number % 5}")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off")
    user = make.user("olga", Role.OWNER)
    wanted = RecheckFilter.read(dict(part.split("=") for part in query.lstrip("?").split("&") if part))
    plan = reads.ORDER.order(reads.rows_of(user, wanted, now))[:300].explain()
    assert "evidence_rechecks" in plan, plan
    assert not re.search(r"SCAN evidence_evidence(?! USING)|Seq Scan", plan), plan
    assert "TEMP B-TREE" not in plan, plan


# -- one press --


def test_one_press_and_its_undo_without_scripts(owner_desk: Client) -> None:
    rows = [old(1), old(2), old(3)]
    response = send(owner_desk, "still", *rows[:2])
    assert response.status_code == 302
    page = owner_desk.get(response["Location"]).content.decode()
    assert "Still true: 2 facts checked now." in page
    assert listed(page) == [rows[2].record_id]
    undo = re.search(r'action="(/rechecks/[0-9a-f-]+/undo/)"', page).group(1)  # type: ignore[union-attr]
    page = owner_desk.get(owner_desk.post(undo)["Location"]).content.decode()
    assert "Taken back: 2 facts are due again." in page
    assert set(listed(page)) == {row.record_id for row in rows}
    assert "/undo/" not in page


def test_one_press_with_scripts_swaps_the_list_and_says_what_was_done(owner_desk: Client) -> None:
    rows = [old(1), old(2)]
    response = send(owner_desk, "gone", rows[0], htmx=True, reason="Cancelled.")
    page = response.content.decode()
    assert page.lstrip().startswith('<div id="rechecks">')
    assert listed(page) == [rows[1].record_id]
    assert page.count("No longer true: 1 fact revoked.") == 2
    assert response["HX-Push-Url"].startswith("/rechecks/?done=")
    rows[0].refresh_from_db()
    assert (rows[0].state, rows[0].content) == ("revoked", "")


@pytest.mark.parametrize("htmx", [False, True])
def test_what_changed_meanwhile_is_named_with_who_and_when(owner_desk: Client, htmx: bool) -> None:
    rows = [old(1), old(2), old(3)]
    ada = make.person(make.user("ada", Role.OWNER))
    recheck_record(record_pk=rows[0].pk, seen_version=1, actor=ada)
    revoke_record(record_pk=rows[1].pk, seen_version=1, actor=ada, reason="Gone.")
    response = send(owner_desk, "still", *rows, htmx=htmx)
    page = (response if htmx else owner_desk.get(response["Location"])).content.decode()
    assert "Still true: 1 fact checked now." in page
    toast = page.split('id="toast"')[1]
    assert toast.count("<li>") == 2
    assert "changed meanwhile" in toast
    assert "revoked" in toast
    assert toast.count("ada") == 2


def test_nothing_ticked_and_no_reason_are_said_and_what_was_typed_stays(owner_desk: Client) -> None:
    row, _ = old(1), old(2)
    assert send(owner_desk, "still").status_code == 422
    response = send(owner_desk, "gone", row, method="Invoice of May")
    page = response.content.decode()
    assert response.status_code == 422
    assert "Say why this is no longer true." in page
    assert 'value="Invoice of May"' in page
    assert re.search(rf'value="{row.pk}:1" data-pick checked', page)
    refused = send(owner_desk, "gone", row, htmx=True)
    assert (refused.status_code, refused["HX-Retarget"]) == (422, "#problem")
    for pick in ("x:1", f"{row.pk}:x", f"{row.pk}"):
        assert owner_desk.post(reverse("rechecks-settle"), {"action": "still", "pick": pick}).status_code in (302, 422)
    assert not Decision.objects.exists()


def test_the_place_that_was_typed_is_where_it_was_checked(owner_desk: Client) -> None:
    row = old()
    send(owner_desk, "still", row, method="Invoice of May")
    row.refresh_from_db()
    assert row.check_method == "Invoice of May"


def test_asking_and_putting_off(owner_desk: Client) -> None:
    asked, later = old(1), old(2)
    send(owner_desk, "ask", asked)
    assert Inquiry.objects.get().current_record == asked.record_id
    assert "agent asked" in text(owner_desk)
    send(owner_desk, "later", later, until="tomorrow")
    assert RecheckItem.objects.get(record=later).snoozed_by == "olga"
    assert listed(text(owner_desk)) == [asked.record_id]
    page = text(owner_desk, "?show=later")
    assert listed(page) == [later.record_id]
    assert "put off until" in page
    assert send(owner_desk, "later", later, until="date").status_code == 422


def test_another_value_goes_to_the_queue_and_the_list_says_so(owner_desk: Client) -> None:
    row = old()
    address = f"{reverse('record-change', args=[row.record_id])}?ns=default"
    form = next(one for one in forms_of(owner_desk.get(address)) if "/change/" in one["to"])
    assert owner_desk.post(form["to"], form["fields"] | {"value": "1 euros"}).status_code == 422
    response = owner_desk.post(form["to"], form["fields"] | {"value": "12 euros", "method": "Invoice"})
    held = HeldRecord.objects.get()
    assert response["Location"] == reverse("item", args=[held.pk])
    assert held.claim_value == "12 euros"
    assert "waits for a reviewer" in text(owner_desk)
    moved = owner_desk.post(form["to"], form["fields"] | {"value": "13 euros", "version": 9})
    assert moved.status_code == 409


def test_the_page_of_the_record_has_its_line_and_the_same_buttons(owner_desk: Client) -> None:
    row = old()
    address = f"{reverse('record', args=[row.record_id])}?ns=default"
    page = owner_desk.get(address).content.decode()
    assert "re-check due since" in page
    for word in ("Re-check: still true", "It is now", "Ask the agent", "Later", "Revoke"):
        assert word in page
    asks, later = (one for one in forms_of(owner_desk.get(address)) if one["to"] == reverse("rechecks-settle"))
    assert owner_desk.post(asks["to"], asks["fields"] | {"action": "ask"})["Location"] == address
    assert owner_desk.post(later["to"], later["fields"] | {"action": "later", "until": "tomorrow"}).status_code == 302
    page = owner_desk.get(address).content.decode()
    assert "put off until" in page
    assert "the agent is asked" in page
    stale = later["fields"] | {"pick": f"{row.pk}:9", "action": "still", "idempotency_key": uuid.uuid4().hex}
    assert owner_desk.post(later["to"], stale).status_code == 409


def test_insights_lead_here(owner_desk: Client) -> None:
    old(days=1)
    assert f'href="{reverse("rechecks")}"' in owner_desk.get(reverse("insights")).content.decode().split("<main")[1]
