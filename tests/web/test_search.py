"""The search box and what surrounds it: notices that point at the word, suggestions, saved views, rows that end, hostile text."""

from __future__ import annotations

import html
import re
from datetime import timedelta
from urllib.parse import quote

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from evidence.models import HeldRecord, SavedView, User
from evidence.rules.vocab import Action, Role
from evidence.services.saved_views import save_view
from tests.selectors.rows import held_rows
from tests.services import make
from tests.web.conftest import SignIn

pytestmark = pytest.mark.django_db

ROW = re.compile(r'data-row href="/queue/([0-9a-f-]{36})/')
NUL_ADDRESSES = [
    "/queue/?q=a%00b",
    "/queue/suggest/?q=%00",
    "/queue/rows/?ids=%00",
    "/queue/?after=%00",
    "/queue/next/?q=%00",
]


def page(client: Client, text: str = "", **more: str) -> str:
    query = "&".join(f"{name}={quote(value)}" for name, value in ({"q": text} | more).items())
    answer = client.get(f"{reverse('queue')}?{query}")
    assert answer.status_code == 200
    return answer.content.decode()


def box(text: str) -> str:
    found = re.search(r'name="q" value="([^"]*)"', text)
    assert found is not None
    return html.unescape(found[1])


def test_older_links_open_with_the_search_in_the_box(desk: Client) -> None:
    assert (
        box(desk.get("/queue/?risk=high&only=leased&status=any").content.decode())
        == "risk:high status:any is:leased -is:mine"
    )
    assert 'aria-current="page">High risk' in desk.get("/queue/?risk=high").content.decode()


def test_a_wrong_word_is_underlined_and_said_and_the_rest_is_shown(desk: Client) -> None:
    wanted = held_rows(1, risk="high")[0]
    held_rows(1, risk="low", of="other")
    text = page(desk, "riks:high risk:high")
    assert ROW.findall(text) == [str(wanted.id)]
    assert re.search(r'<mark class="wrong"><bdi class="agent-text">riks:</bdi></mark>', text)
    assert "“riks:” is no field; did you mean “risk:”?" in text
    assert 'href="/queue/?q=risk%3Ahigh+risk%3Ahigh"' in text
    assert "without what is marked" in text
    assert 'aria-invalid="true"' in text


def test_a_search_of_which_nothing_could_be_read_shows_nothing(desk: Client) -> None:
    held_rows(2)
    text = page(desk, "riks:high")
    assert ROW.findall(text) == []
    assert "no part of the search could be read" in text
    assert "Nothing waits for you under this filter" in desk.get("/queue/next/?q=riks:high").content.decode()


def test_a_wrong_value_offers_the_nearest_ones(desk: Client) -> None:
    text = page(desk, "due status:wating age:3d")
    assert "“status:” does not know “wating”; did you mean “waiting”?" in text
    assert 'href="/queue/?q=due+status%3Awaiting+age%3A3d"' in text
    assert 'href="/queue/?q=due+status%3Awating+age%3A%3E3d"' in text


@pytest.mark.parametrize("address", NUL_ADDRESSES)
def test_a_nul_is_refused_with_its_code(desk: Client, address: str) -> None:
    answer = desk.get(address)
    assert answer.status_code == 400
    assert b"invalid_text" in answer.content


@pytest.mark.parametrize(
    "text",
    ['"', "\\", "%_%", "a" * 3_000, "risk:" * 90, "\u202e\u200b", "'; DROP TABLE x; --", "{{ 7*7 }}",
     "<script>alert(1)</script>",
     '"><img src=x onerror=alert(1)>', "期限", "agent:\"", "same:x", "🫶🏽 👨‍👩‍👧", "*", "NEAR(a b)", "a AND b OR NOT c"],
)  # fmt: skip
def test_no_search_breaks_the_page_or_runs(desk: Client, text: str) -> None:
    held_rows(2, statement="A light.")
    body = page(desk, text)
    assert "<script>alert" not in body
    assert "<img src=x" not in body
    assert "49" not in re.findall(r'name="q" value="([^"]*)"', body)[0]
    assert desk.get(f"/queue/next/?q={quote(text)}").status_code == 200
    assert desk.get(f"/queue/suggest/?q={quote(text)}").status_code == 200


def test_a_too_long_search_says_so(desk: Client) -> None:
    held_rows(2, statement="A light.")
    text = page(desk, "light " + "x" * 700)
    assert "at most 600 characters" in text
    assert len(ROW.findall(text)) == 2


def test_nothing_found_offers_to_look_among_decided_items(desk: Client) -> None:
    held_rows(1, statement="A light.", status="rejected")
    assert 'href="/queue/?q=light+status%3Aany"' in page(desk, "light")
    assert len(ROW.findall(page(desk, "light status:any"))) == 1
    assert "status%3Aany+status%3Aany" not in page(desk, "zzzz status:any")


def test_rows_say_all_that_the_list_promises(desk: Client, reviewer: User) -> None:
    now = timezone.now()
    ada = make.reviewer("ada")
    held_rows(
        1, statement="The lighthouse is dark.", risk="high", match_kind="potential_conflict", flags=["echo"],
        lease_holder=ada, lease_until=now + timedelta(minutes=1), expires_at=now + timedelta(days=1, minutes=5),
        first_approver=ada, first_approval_version=1,
    )  # fmt: skip
    held_rows(
        1, of="other", statement="The windmill is dark.", snoozed_until=now + timedelta(days=2), statement_key="x"
    )
    held_rows(1, of="third", statement="The windmill is dark!", statement_key="x", expires_at=now - timedelta(days=1))
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page(desk)))
    said = [
        "The lighthouse is dark.", "ops-agent", "Fact proposal", "potential conflict", "high risk", "turns stale in 1 day",
        "held by ada", "repeats what it was served", "first of two approvals given", "z until", "1 more says the same",
        "stale already", "in the order of review",
    ]  # fmt: skip
    assert [words for words in said if words not in text] == []


def test_equal_proposals_lead_to_each_other(desk: Client) -> None:
    first, second = held_rows(2, statement_key="x")
    text = page(desk)
    links = re.findall(r'href="(/queue/\?q=same[^"]+)"', text)
    assert [ROW.findall(desk.get(link).content.decode()) for link in links] == [[str(second.id)], [str(first.id)]]


def test_the_row_that_is_opened_is_the_one_that_was_listed_on_every_page(desk: Client) -> None:
    held_rows(60, risk="high")
    address = "/queue/?q=risk:high"
    for _ in range(2):
        body = desk.get(address).content.decode()
        for link in re.findall(r'data-row href="([^"]+)"', body)[:3]:
            assert (
                f'data-item="{ROW.findall(f"data-row href={chr(34)}{link}")[0]}"'
                in desk.get(html.unescape(link)).content.decode()
            )
        further = re.search(r'rel="next" href="([^"]+)"', body)
        address = html.unescape(further[1]) if further else address


def test_pages_have_a_way_back(desk: Client) -> None:
    made = held_rows(120)
    first = page(desk)
    second = desk.get(html.unescape(re.findall(r'rel="next" href="([^"]+)"', first)[0])).content.decode()
    assert 'rel="prev"' not in first
    back = html.unescape(re.findall(r'rel="prev" href="([^"]+)"', second)[0])
    assert ROW.findall(desk.get(back).content.decode()) == ROW.findall(first)
    HeldRecord.objects.filter(pk__in=[row.pk for row in made[:50]]).update(status="rejected")
    again = desk.get(back).content.decode()
    assert ROW.findall(again) == [str(row.id) for row in made[50:100]]
    assert "First page" not in again


def test_a_made_up_place_is_refused(desk: Client) -> None:
    for name in ("after", "before"):
        assert desk.get(f"/queue/?{name}=x:y:z").status_code == 400
        assert b"start from the first page" in desk.get(f"/queue/?{name}=x:y:z").content


def test_suggestions_are_options_with_their_place_and_number(desk: Client) -> None:
    held_rows(3, risk="high")
    body = desk.get("/queue/suggest/?q=due%20risk:h&at=10").content.decode()
    (option,) = re.findall(r"<li .*?</li>", body, re.DOTALL)
    assert 'role="option"' in option
    assert 'data-text="high" data-start="9" data-end="10"' in option
    assert "data-ends" in option
    assert '<span class="count">3</span>' in option
    assert "data-ends" not in desk.get("/queue/suggest/?q=ri").content.decode()
    assert desk.get("/queue/suggest/?q=ri&at=x").status_code == 422
    assert desk.get("/queue/suggest/").status_code == 200


def test_hostile_names_are_inert_in_suggestions(desk: Client) -> None:
    make.agent('"><img src=x onerror=alert(1)>\u202e')
    body = desk.get("/queue/suggest/?q=agent:").content.decode()
    assert "<img" not in body
    assert "RLO" in body


def test_an_expired_session_gets_no_login_page_into_the_list(client: Client) -> None:
    for address in ("/queue/suggest/?q=ri", "/queue/rows/?ids="):
        assert client.get(address, HTTP_HX_REQUEST="true").status_code == 401


def test_nothing_here_is_done_by_get(desk: Client) -> None:
    view = save_view(user=User.objects.get(username="reviewer"), name="Mine", query="risk:high")
    for name, args in (("view-save", []), ("view-rename", [view.id]), ("view-delete", [view.id])):
        assert desk.get(reverse(name, args=args)).status_code == 405
    for name in ("queue", "queue-suggest", "queue-rows"):
        assert desk.post(reverse(name)).status_code == 405
    assert SavedView.objects.count() == 1


def test_a_search_is_saved_opened_renamed_and_deleted(desk: Client, reviewer: User) -> None:
    held_rows(2, risk="high")
    answer = desk.post(reverse("view-save"), {"name": "Big <b>ones</b>", "q": "risk:high"})
    assert (answer.status_code, answer["Location"]) == (302, "/queue/?q=risk%3Ahigh")
    text = page(desk, "risk:high")
    shown = '<bdi class="agent-text">Big &lt;b&gt;ones&lt;/b&gt;</bdi> <span class="count">2</span>'
    assert f'href="/queue/?q=risk%3Ahigh" aria-current="page">{shown}' in text
    assert "Save this search" not in text
    view = SavedView.objects.get(user=reviewer)
    answer = desk.post(reverse("view-rename", args=[view.id]), {"name": "Big", "q": "due"})
    assert answer["Location"] == "/queue/?q=due"
    assert desk.post(reverse("view-delete", args=[view.id]), {"q": ""})["Location"] == "/queue/"
    assert not SavedView.objects.exists()


def test_what_cannot_be_saved_leaves_the_list_where_it_was_and_says_why(desk: Client) -> None:
    held_rows(1, risk="high")
    desk.post(reverse("view-save"), {"name": "Big", "q": "risk:high"})
    answer = desk.post(reverse("view-save"), {"name": "Big", "q": "risk:high,medium"})
    body = answer.content.decode()
    assert answer.status_code == 422
    assert "You have a view called “Big” already." in body
    assert box(body) == "risk:high,medium"
    assert 'value="Big"' in body
    assert len(ROW.findall(body)) == 1
    assert desk.post(reverse("view-save"), {"name": "x", "q": "riks:high"}).status_code == 422


def test_views_of_others_are_neither_shown_nor_changed(desk: Client, sign_in: SignIn) -> None:
    view = save_view(user=make.reviewer("ada"), name="Hers", query="risk:high")
    assert "Hers" not in page(desk)
    assert desk.post(reverse("view-rename", args=[view.id]), {"name": "Mine"}).status_code == 404
    desk.post(reverse("view-delete", args=[view.id]))
    assert "Hers" in page(sign_in(view.user))


def test_every_number_of_the_page_equals_the_rows_behind_it(desk: Client, reviewer: User) -> None:
    now = timezone.now()
    for place, risk in enumerate(("low", "high", "high")):
        held_rows(
            2, of=f"agent-{place}", risk=risk, snoozed_until=now + timedelta(days=1) if place else None, filed_by="ada"
        )
    for name, query in (("One", "by:ada risk:high"), ("Two", "statement"), ("Three", "status:any -agent:agent-0")):
        save_view(user=reviewer, name=name, query=query)
    text = page(desk)
    numbers = re.findall(
        r'href="(/queue/[^"]*)"[^>]*>(?:<bdi[^>]*>)?[^<]+(?:</bdi>)? <span class="count">(\d+)</span>', text
    )
    assert len(numbers) == 9
    for address, number in numbers:
        assert len(ROW.findall(desk.get(html.unescape(address)).content.decode())) == int(number), address


def test_rows_that_ended_are_told_to_those_who_may_see_them(desk: Client, reviewer: User, sign_in: SignIn) -> None:
    done, waits = make.proposal(statement="The first fact."), make.proposal(statement="The second fact.")
    make.act(done, reviewer, Action.REJECT, reason_code="wrong")
    address = f"/queue/rows/?ids={done.id},{waits.id}"
    assert desk.get(address).json() == {
        "ended": [{"id": str(done.id), "word": "rejected", "said": "rejected", "shape": "✕", "by": "reviewer"}]
    }  # fmt: skip
    stranger = sign_in(make.user("stranger", Role.REVIEWER, of=make.agent("other")))
    assert stranger.get(address).json() == {"ended": []}
    assert desk.get("/queue/rows/").json() == {"ended": []}
    assert desk.get("/queue/rows/?ids=x").status_code == 400
    assert desk.get("/queue/rows/?ids=" + ",".join([str(done.id)] * 101)).status_code == 413


def test_asking_for_rows_costs_the_same_for_many(desk: Client) -> None:
    ids = ",".join(str(row.id) for row in held_rows(50, status="rejected"))
    with CaptureQueriesContext(connection) as queries:
        desk.get(f"/queue/rows/?ids={ids}")
    assert len(queries) <= 5


def test_the_help_lists_every_field_with_an_example_that_works(desk: Client) -> None:
    text = page(desk)
    links = re.findall(r'<dt><a href="(/queue/\?q=[^"]+)">', text)
    assert len(links) >= 17
    for link in links:
        assert "search-problems" not in desk.get(html.unescape(link)).content.decode(), link
