"""Bulk work on its pages: a selection is frozen and shown, done as shown, reported row by row, taken back (S9, S10, S15, S21)."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from evidence.models import Decision, HeldRecord, Job, Outbox, RecallItem, RecallLog, User
from evidence.rules.bulk import JobStatus
from evidence.rules.vocab import Action, Role, Trust
from evidence.selectors import job_rows
from evidence.services import leasing
from evidence.services.bulk import preview_bulk
from evidence.services.bulk_selecting import digest_of
from evidence.services.drafts import EvidenceDraft
from evidence.services.editing import edit_held
from evidence.services.filing import file_evidence
from evidence.services.outbox import BULK, deliver_due
from evidence.tasks import bulk as _bulk  # noqa: F401 - as in a worker, where the handlers are known
from evidence.tasks import outbox as _outbox  # noqa: F401
from tests.services import make
from tests.web.conftest import SignIn
from tests.web.forms import HTMX

pytestmark = pytest.mark.django_db


def hosts(count: int) -> list[HeldRecord]:
    return [
        make.proposal(
            make.agent(f"agent-{n // 10}"), f"Host number {n} is called quail-{n}.",
            claim=make.claim(f"quail-{n}", f"host {n}", "name"),
        )
        for n in range(count)
    ]  # fmt: skip


def ask(desk: Client, held: list[HeldRecord], action: str = "approve", **fields: object) -> HttpResponse:
    return desk.post(reverse("bulk"), {"action": action, "pick": [str(one.pk) for one in held]} | fields)


def newest() -> Job:
    return Job.objects.latest("created_at")


def page_of(desk: Client, job: Job | None = None, query: str = "") -> str:
    return desk.get(reverse("job", args=[(job or newest()).pk]) + query).content.decode()


def work() -> None:
    while deliver_due(lane=BULK) + deliver_due():
        pass


def button(page: str) -> dict[str, object]:
    """What the run form of a preview would send: all that is on the page, as it is ticked there."""
    fields = {name: re.search(rf'name="{name}" value="([^"]*)"', page)[1] for name in ("number", "selection", "shown")}
    ticked = re.findall(r'name="picked" value="(\d+)"[^>]*checked', page)
    return {**fields, "picked": ticked}


def press(desk: Client, **fields: object) -> HttpResponse:
    job = newest()
    return desk.post(reverse("job-run", args=[job.pk]), button(page_of(desk, job)) | fields)


def test_from_a_selection_over_the_preview_to_the_results(desk: Client, reviewer: User) -> None:
    """Scenario S9, on pages: 3 were previewed, one was changed since."""
    held = hosts(3)
    assert ask(desk, held).status_code == 302
    page = page_of(desk)
    assert "Host number 1 is called quail-1." in page
    assert page.count("Becomes a fact that agents may recall.") == 3
    assert 'name="number" value="3"' in page
    assert not Decision.objects.filter(action="approve").exists()
    edit_held(
        held_id=held[1].pk, seen_version=held[1].version, actor=make.person(make.reviewer("ada")), reason="moved",
        statement="Host number 1 is called wren-1.",
    )  # fmt: skip
    assert "1 on this page changed since" in page_of(desk)
    assert press(desk).status_code == 302
    work()
    page = page_of(desk)
    assert re.search(r"2 approved, 1 changed meanwhile\s*</h2>", page)
    assert 'Edited by <bdi class="agent-text">ada</bdi>' in page
    assert f'href="{reverse("item", args=[held[1].pk])}"' in page  # one click to open it again
    assert "Preview the 1 again" in page
    assert HeldRecord.objects.filter(status="approved").count() == 2
    shown = desk.get(f"{reverse('audit')}?bulk={newest().pk}").content.decode()
    assert shown.count("<b>Approved</b>") == 2


def test_the_number_is_looked_at_again_before_anything_is_done(desk: Client) -> None:
    ask(desk, hosts(3))
    before = button(page_of(desk))
    job = newest()
    # Without scripts: a box was unticked, and the button says the old number.
    refused = desk.post(reverse("job-run", args=[job.pk]), before | {"picked": ["0", "1"]})
    text = refused.content.decode()
    assert refused.status_code == 409
    assert "The selection changed" in text
    assert "Approve 2" in text
    assert not Decision.objects.filter(action="approve").exists()
    assert desk.post(reverse("job-run", args=[job.pk]), button(text)).status_code == 302
    work()
    assert Decision.objects.filter(bulk_id=job.pk).count() == 2


def test_a_selection_made_in_another_tab_is_not_done_under_the_old_number(desk: Client) -> None:
    ask(desk, hosts(3))
    job, before = newest(), button(page_of(desk))
    desk.post(reverse("job-select", args=[job.pk]), {"take": "none"})
    refused = desk.post(reverse("job-run", args=[job.pk]), before)
    assert refused.status_code == 409
    desk.post(reverse("job-select", args=[job.pk]), {"take": "none"})
    assert desk.post(reverse("job-run", args=[job.pk]), before | {"picked": []}).status_code == 422
    assert Job.objects.get(pk=job.pk).status == JobStatus.PREVIEW


def test_pressing_twice_leads_to_the_same_job(desk: Client) -> None:
    ask(desk, hosts(2))
    job, fields = newest(), button(page_of(desk))
    answers = [desk.post(reverse("job-run", args=[job.pk]), fields) for _ in range(2)]
    assert [(one.status_code, one["Location"]) for one in answers] == [(302, reverse("job", args=[job.pk]))] * 2


def test_ticking_answers_with_the_bar_and_with_what_had_to_go(desk: Client) -> None:
    equal = [make.proposal(make.agent(f"agent-{n}"), claim=make.claim(), statement="Past due.") for n in range(2)]
    ask(desk, equal)
    job = newest()
    assert "Says the same as item 1 here" in page_of(desk)
    answer = desk.post(reverse("job-select", args=[job.pk]), {"shown": "0 1", "picked": ["0", "1"]}, **HTMX)
    text = answer.content.decode()
    assert 'id="bulk-bar"' in text
    assert re.search(r'id="pick-0"[^>]*hx-swap-oob="true"', text)
    assert "1 selected; what excludes it was taken out" in text
    assert [row.selected for row in job.items.order_by("position")] == [False, True]


def test_high_risk_is_left_out_and_taken_in_by_a_button_of_its_own(desk: Client) -> None:
    risky = make.proposal(statement="Logs go to disk.", **make.risky("Logs go to disk."))
    ask(desk, [risky, *hosts(1)], "reject")
    page = page_of(desk)
    assert "High risk is never chosen by default." in page
    assert "The 1 of high risk too" in page
    desk.post(reverse("job-select", args=[newest().pk]), {"take": "high_risk", "here": "show=&after=3"})
    assert digest_of(newest())[0] == 2


@pytest.mark.parametrize(
    "fields", [{}, {"pick": []}, {"scope": "matching", "filter": "q=lighthouse"}, {"pick": [str(uuid.uuid4())]}]
)
def test_an_empty_selection_is_a_refusal(desk: Client, fields: dict[str, object]) -> None:
    make.proposal()
    answer = desk.post(reverse("bulk"), {"action": "approve"} | fields)
    assert answer.status_code == 422
    assert "Nothing is selected." in answer.content.decode()
    assert not Job.objects.exists()


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"action": "supersede"}, 422),
        ({"action": "approve", "pick": ["1"]}, 422),
        ({"action": "approve", "pick": ["x\u202e"]}, 422),
        ({"action": "approve", "also": "nonsense"}, 422),
        ({"action": "reject", "scope": "origin", "by": "planet", "value": "mars"}, 422),
        ({"action": "reject", "scope": "origin", "by": "agent", "value": ""}, 422),
        ({"action": "reject", "scope": "origin", "by": "agent", "value": "x" * 700}, 413),
        ({"action": "approve", "reason": "the token is ghp_" + "a1B2c3D4" * 5}, 422),
        ({"action": "approve", "pick": ["\0"]}, 400),
    ],
)
def test_bad_input_is_a_clear_refusal(desk: Client, fields: dict[str, object], status: int) -> None:
    held = make.proposal()
    assert desk.post(reverse("bulk"), {"pick": [str(held.pk)]} | fields).status_code == status
    assert not Job.objects.exists()


@pytest.mark.parametrize(
    ("name", "fields", "status"),
    [
        ("job-select", {"take": "everything"}, 422),
        ("job-select", {"shown": "a b"}, 422),
        ("job-select", {"shown": "0", "picked": ["-1"]}, 422),
        ("job-run", {"shown": "0", "picked": ["0"], "number": "many"}, 422),
        ("job-run", {"shown": "0", "picked": ["0"], "number": "1", "selection": "made up"}, 409),
        ("job-again", {"checked_at": "yesterday"}, 422),
    ],
)
def test_bad_input_on_a_preview_changes_nothing(
    desk: Client, name: str, fields: dict[str, object], status: int
) -> None:
    ask(desk, hosts(1))
    assert desk.post(reverse(name, args=[newest().pk]), fields).status_code == status
    assert digest_of(newest())[0] == 1
    assert newest().status == JobStatus.PREVIEW


def test_a_place_that_is_none_is_refused(desk: Client) -> None:
    ask(desk, hosts(1))
    assert desk.get(reverse("job", args=[newest().pk]) + "?after=x").status_code == 422
    assert desk.get(reverse("job", args=[newest().pk]) + "?show=nonsense").status_code == 200


def test_all_matching_keeps_the_search_and_is_frozen(desk: Client) -> None:
    """Scenario S10."""
    held = hosts(12)
    desk.post(reverse("bulk"), {"action": "approve", "scope": "matching", "filter": "q=agent%3Aagent-1"})
    late = make.proposal(make.agent("agent-1"), "Late to the party.")
    assert {row.subject for row in newest().items.all()} == {str(held[10].pk), str(held[11].pk)}
    page = page_of(desk)
    assert '<code><bdi class="agent-text">agent:agent-1</bdi></code>' in page
    assert str(late.pk) not in page


def test_rows_of_other_pages_and_a_whole_page_go_along_without_scripts(desk: Client) -> None:
    held = hosts(5)
    ask(desk, held[:1], also=f"{held[3].pk} {held[4].pk}")
    assert newest().items.count() == 3
    ask(desk, held[:1], scope="page", shown=" ".join(str(one.pk) for one in held[:3]))
    assert newest().items.count() == 3


def test_the_list_offers_boxes_to_reviewers_only_and_only_for_what_waits(
    desk: Client, owner_desk: Client, reviewer: User
) -> None:
    waiting, done = hosts(2)
    make.approve(done, reviewer)
    page = desk.get(f"{reverse('queue')}?q=status%3Aany").content.decode()
    assert re.findall(r'name="pick" value="([^"]+)"', page) == [str(waiting.pk)]
    assert 'aria-labelledby="row-' in page
    assert 'id="bulk"' not in owner_desk.get(reverse("queue")).content.decode()


def test_what_somebody_else_has_open_is_marked(desk: Client) -> None:
    held = hosts(2)
    leasing.claim(held_id=held[0].pk, user=make.reviewer("ada"), now=timezone.now())
    ask(desk, held)
    assert page_of(desk).count("has it open right now") == 1


def test_the_label_that_an_approval_gives_is_shown_so_that_none_is_stale_by_surprise(desk: Client) -> None:
    held = make.proposal(statement="The queue is degraded.", volatility="outage", event_at=make.days_ago(5))
    ask(desk, [held])
    assert "label-stale" in page_of(desk)
    answer = desk.post(reverse("job-again", args=[newest().pk]), {"checked_at": "now"})
    assert answer.status_code == 302
    assert "label-verified" in page_of(desk)
    press(desk)
    work()
    held.refresh_from_db()
    assert held.fact_proposal.result.check_by == "reviewer"


def test_rejecting_asks_for_the_reason_on_the_button_and_keeps_the_words(desk: Client) -> None:
    ask(desk, hosts(2), "reject")
    refused = press(desk, reason="All of it is planted.")
    text = refused.content.decode()
    assert refused.status_code == 422
    assert "Say why" in text
    assert "All of it is planted." in text
    assert press(desk, reason="All of it is planted.", reason_code="poisoned").status_code == 302
    work()
    assert set(HeldRecord.objects.values_list("reason_code", "reason")) == {("poisoned", "All of it is planted.")}


def test_snoozing_asks_until_when(desk: Client) -> None:
    ask(desk, hosts(2), "snooze")
    assert press(desk).status_code == 422
    assert press(desk, until="date", until_date="2020-01-01").status_code == 422
    assert press(desk, until="three_days").status_code == 302
    work()
    assert HeldRecord.objects.filter(snoozed_until__gt=timezone.now() + timedelta(days=1)).count() == 2


@pytest.mark.parametrize("by", ["agent", "thread"])
def test_everything_from_one_place_is_rejected_from_the_page_of_an_item(desk: Client, by: str) -> None:
    agent = make.agent()
    bad = [
        make.proposal(
            agent,
            f"Planted claim {n}.",
            claim=make.claim(str(n), f"s{n}", "a"),
            evidence=(make.inline(f"planted {n}", thread="t-bad"),),
        )
        for n in range(3)
    ]
    good = make.proposal(agent, "Backups run at two.", evidence=(make.inline("two", thread="t-good"),))
    page = desk.get(reverse("item", args=[bad[0].pk])).content.decode()
    forms = re.findall(r'<input type="hidden" name="scope" value="origin">(.*?)</form>', page, re.DOTALL)
    fields = [dict(re.findall(r'name="(\w+)" value="([^"]*)"', form)) for form in forms]
    chosen = next(one for one in fields if one["by"] == by)
    assert desk.post(reverse("bulk"), chosen | {"action": "reject", "scope": "origin"}).status_code == 302
    expected = {str(one.pk) for one in bad} | ({str(good.pk)} if by == "agent" else set())
    assert {row.subject for row in newest().items.all()} == expected
    assert ("t-bad" if by == "thread" else "ops-agent") in page_of(desk)
    assert press(desk).status_code == 422  # no reason, no rejection
    press(desk, reason_code="poisoned")
    work()
    assert HeldRecord.objects.filter(status="rejected").count() == len(expected)


def test_a_preview_that_is_being_prepared_shows_how_far_it_is_and_then_itself(desk: Client) -> None:
    ask(desk, hosts(30))
    job = newest()
    assert job.status == JobStatus.PREPARING
    page = page_of(desk)
    assert "Preparing the preview: 0" in page
    assert 'hx-trigger="every 2s"' in page
    work()
    answer = desk.get(reverse("job", args=[job.pk]), **HTMX)
    assert answer["HX-Refresh"] == "true"
    assert 'name="number" value="30"' in page_of(desk)


def test_progress_is_polled_while_it_runs_and_not_after(desk: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    from evidence.services import bulk_running

    monkeypatch.setattr(bulk_running, "CHUNK", 2)
    ask(desk, hosts(4))
    press(desk)
    job = newest()
    deliver_due(limit=1, lane=BULK)
    poll = desk.get(reverse("job", args=[job.pk]) + "?step=0", **HTMX).content.decode()
    assert re.search(r"2 approved\s*<span class=\"muted\">of 4</span>", poll)
    assert 'hx-trigger="every 2s"' in poll
    assert "?step=2" in poll
    assert '<div id="live" hx-swap-oob="innerHTML">2 approved of 4.</div>' in poll
    assert "<html" not in poll
    again = desk.get(reverse("job", args=[job.pk]) + "?step=2", **HTMX).content.decode()
    assert 'id="live"' not in again  # says it once, not at every poll
    work()
    last = desk.get(reverse("job", args=[job.pk]) + "?step=2", **HTMX).content.decode()
    assert "every 2s" not in last
    assert "Complete: 4 approved." in last
    assert re.search(r'data-handled="[0-9a-f -]{147}"', last)
    assert re.search(r'<div id="job-after"[^>]* hx-swap-oob="true"', last)
    assert "every 2s" not in page_of(desk)


def test_a_worker_that_fails_is_said_and_tried_again(desk: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    from django.db import OperationalError

    from evidence.services import bulk_running

    def away(**_: object) -> object:
        raise OperationalError("the database went away")

    with monkeypatch.context() as broken:
        broken.setattr(bulk_running, "decide", away)
        ask(desk, hosts(2))
        press(desk)
        deliver_due(limit=1, lane=BULK)
    page = page_of(desk)
    assert "A worker failed (OperationalError)" in page
    assert "0 approved" in page
    Outbox.objects.filter(topic="bulk").update(available_at=timezone.now())
    work()
    assert "2 approved" in page_of(desk)


def test_captures_of_one_source_are_rejected_together(desk: Client) -> None:
    agent = make.agent()
    filed = [
        file_evidence(
            filer=make.filer(agent, channel_class=Trust.EXTERNAL),
            draft=EvidenceDraft(
                source_id="session:ops-agent/t-9/web/page", excerpt=f"Version {n} of the page.", channel="webhook",
                event_at=make.days_ago(1),
            ),
        )
        for n in range(2)
    ]  # fmt: skip
    held = HeldRecord.objects.filter(kind="held_evidence")
    assert held.count() == len(filed) == 2
    page = desk.get(reverse("item", args=[held[0].pk])).content.decode()
    assert "all that cites session" in page
    fields = {
        "action": "reject",
        "scope": "origin",
        "by": "thread",
        "value": "t-9",
        "namespace": "default",
        "owner": "ops-agent",
    }
    desk.post(reverse("bulk"), fields)
    assert newest().items.count() == 2


def test_cancelling_a_preview_leads_back_and_cancelling_a_job_shows_it(desk: Client) -> None:
    ask(desk, hosts(2))
    job = newest()
    assert desk.post(reverse("job-cancel", args=[job.pk]))["Location"] == reverse("queue")
    assert "Nothing was done" in page_of(desk, job)
    assert desk.post(reverse("job-run", args=[job.pk]), {"number": "2"}).status_code == 409
    ask(desk, list(HeldRecord.objects.waiting()))
    press(desk)
    job = newest()
    assert desk.post(reverse("job-cancel", args=[job.pk]))["Location"] == reverse("job", args=[job.pk])
    assert "0 approved, 2 not reached" in " ".join(page_of(desk, job).split())
    assert HeldRecord.objects.waiting().count() == 2


def test_a_bulk_is_undone_from_its_page_with_the_recalls_that_showed_it(desk: Client) -> None:
    held = hosts(2)
    ask(desk, held)
    press(desk)
    work()
    job = newest()
    held[0].refresh_from_db()
    record = held[0].fact_proposal.result
    recall = RecallLog.objects.create(namespace="default", agent="agent-0", query_hash="x", results=1)
    RecallItem.objects.create(
        recall=recall, namespace="default", record_id=record.record_id, label="verified", rank=1, at=timezone.now()
    )
    page = page_of(desk, job)
    assert '<a href="#recalls">1 recall</a> showed' in page
    assert desk.post(reverse("job-undo", args=[job.pk]), {"reason": "Too quick."}).status_code == 302
    work()
    undo = Job.objects.get(kind="bulk_undo")
    page = page_of(desk, undo)
    assert "2 taken back" in page
    assert 'id="recalls"' in page
    assert record.record_id in page
    assert HeldRecord.objects.waiting().count() == 2
    assert "taken back later" in page_of(desk, job)
    assert "Undo all" not in page_of(desk, job)
    assert desk.post(reverse("job-undo", args=[job.pk]))["Location"] == reverse("job", args=[undo.pk])


def test_what_was_left_undone_is_previewed_again(desk: Client) -> None:
    held = hosts(2)
    ask(desk, held)
    make.approve(held[0], make.reviewer("ada"))
    press(desk)
    work()
    job = newest()
    answer = desk.post(reverse("job-again", args=[job.pk]))
    assert answer.status_code == 302
    again = newest()
    assert [row.subject for row in again.items.all()] == [str(held[0].pk)]
    assert "This item is already approved." in page_of(desk, again)


def test_a_job_is_its_owners_and_auditors_may_only_look(desk: Client, sign_in: SignIn) -> None:
    held = hosts(1)
    ask(desk, held)
    job = newest()
    other, auditor = sign_in(make.reviewer("ada")), sign_in(make.user("audrey", Role.AUDITOR))
    one_agent = sign_in(make.user("abe", Role.AUDITOR, of=make.agent("agent-0")))
    for client in (other, one_agent):
        assert client.get(reverse("job", args=[job.pk])).status_code == 404
    page = page_of(auditor, job)
    assert held[0].statement in page
    assert "bulk-bar" not in page
    assert 'name="pick"' not in page
    for client in (other, auditor):
        for name in ("job-run", "job-select", "job-cancel", "job-again", "job-undo"):
            fields = button(page_of(desk, job)) | {"take": "none"}
            assert client.post(reverse(name, args=[job.pk]), fields).status_code == 404
    assert desk.get(reverse("job", args=[uuid.uuid4()])).status_code == 404
    press(desk)
    work()
    assert other.get(reverse("job", args=[job.pk])).status_code == 404
    page = page_of(auditor, job)
    assert "1 approved" in page
    assert "Undo all" not in page
    assert reverse("job", args=[job.pk]) not in other.get(reverse("jobs")).content.decode()
    assert reverse("job", args=[job.pk]) in desk.get(reverse("jobs")).content.decode()


def test_items_that_one_may_not_see_any_more_show_no_text(reviewer: User, sign_in: SignIn) -> None:
    person = make.user("pat", Role.REVIEWER, of=make.agent())
    held = make.proposal(make.agent(), "A private matter.")
    desk = sign_in(person)
    ask(desk, [held])
    person.memberships.all().delete()
    page = page_of(desk)
    assert "A private matter." not in page
    assert "that you may not see any more" in page


def test_an_import_is_no_job_of_this_page(desk: Client, reviewer: User) -> None:
    job = Job.objects.create(kind="import", status="done", owner=reviewer)
    assert desk.get(reverse("job", args=[job.pk])).status_code == 404


def test_nobody_is_shown_anything_without_signing_in(client: Client) -> None:
    for name, args in (("jobs", []), ("job", [uuid.uuid4()])):
        assert client.get(reverse(name, args=args)).status_code == 302
    assert client.post(reverse("bulk"), {"action": "approve"}).status_code == 302


def test_looking_changes_nothing(desk: Client) -> None:
    ask(desk, hosts(2))
    job = newest()
    for name in ("job-run", "job-select", "job-cancel", "job-again", "job-undo"):
        assert desk.get(reverse(name, args=[job.pk])).status_code == 405
    assert desk.get(reverse("bulk")).status_code == 405
    for query in ("", "?show=in", "?show=out", "?show=cannot", "?after=0"):
        page_of(desk, job, query)
    assert (Job.objects.count(), newest().status) == (1, JobStatus.PREVIEW)


@pytest.mark.parametrize(
    "text",
    [
        "<img src=x onerror=alert(1)> and more",
        "{{ 7*7 }} {% now %} text",
        '"><div hx-get="/settings/" hx-trigger="load">',
        "\u202egniteerg\u202c end",
    ],
)
def test_hostile_text_is_inert_in_preview_and_results(desk: Client, text: str) -> None:
    """Scenarios S12, S15."""
    held = make.proposal(statement=text)
    ask(desk, [held])
    preview = page_of(desk)
    press(desk)
    work()
    for page in (preview, page_of(desk)):
        assert "<img" not in page
        assert 'hx-get="/settings/"' not in page
        assert "\u202e" not in page
        assert ("7*7" in page) == ("7*7" in text)


def test_a_long_preview_is_paged_without_gaps(desk: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_rows, "PREVIEW_PAGE", 4)
    ask(desk, hosts(10))
    seen: list[str] = []
    query = ""
    while query is not None:
        page = page_of(desk, None, query)
        seen += re.findall(r'name="picked" value="(\d+)"', page)
        found = re.search(r'rel="next" href="[^"?]*\?show=&amp;after=(\d+)"', page)
        query = f"?after={found[1]}" if found else None
    assert seen == [str(place) for place in range(10)]


def test_a_page_of_the_preview_costs_a_bounded_number_of_questions(desk: Client, reviewer: User) -> None:
    held = hosts(20)
    for action, most in ((Action.REJECT, 22), (Action.APPROVE, 22 + 20 * 9)):
        job = preview_bulk(user=reviewer, action=action, held_ids=[one.pk for one in held])
        with CaptureQueriesContext(connection) as queries:
            page_of(desk, job)
        assert len(queries) <= most, (action, len(queries))
    press(desk)
    work()
    with CaptureQueriesContext(connection) as queries:
        page_of(desk)
    assert len(queries) <= 30, len(queries)


def test_the_audit_of_what_is_no_bulk_is_empty(desk: Client) -> None:
    hosts(1)
    for bulk in (uuid.uuid4(), "nonsense", "\u202e"):
        page = desk.get(reverse("audit"), {"bulk": str(bulk)})
        assert page.status_code == 200
        assert "No decision or event matches." in page.content.decode()


def test_the_list_of_jobs_costs_the_same_for_many_as_for_few(desk: Client) -> None:
    held = hosts(2)
    counted = []
    for more in (1, 6):
        for _ in range(more):
            ask(desk, held)
        with CaptureQueriesContext(connection) as queries:
            assert desk.get(reverse("jobs")).status_code == 200
        counted.append(len(queries))
    assert counted[0] == counted[1]


def test_a_search_that_is_not_understood_selects_nothing(desk: Client):
    """The list leaves the wrong word out and says so; a bulk of all that match would take in more than was meant."""
    make.proposal()
    answer = desk.post(
        reverse("bulk"), {"action": "approve", "scope": "matching", "filter": "q=risk%3Ahihg+agent%3Aops-agent"}
    )
    assert answer.status_code == 422
    assert "not understood" in answer.content.decode()
    assert not Job.objects.exists()
