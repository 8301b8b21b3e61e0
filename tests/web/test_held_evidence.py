"""What came from outside: let in or turned down one by one, or all from one place after a preview; its filer learns why."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from evidence.models import Evidence, HeldRecord, Inquiry, Job
from evidence.rules.vocab import Trust
from evidence.services.drafts import EvidenceDraft
from evidence.services.filing import file_evidence
from evidence.services.outbox import BULK, deliver_due
from evidence.services.verification import verify_held
from evidence.tasks import bulk as _bulk  # noqa: F401 - as in a worker, where the handlers are known
from tests.api.conftest import Door, refusal
from tests.builders import a_token
from tests.services import disputes, make
from tests.web.forms import form_for, send

pytestmark = pytest.mark.django_db


def capture(number: int, thread: str = "feed", **members: Any) -> HeldRecord:
    """A piece of a page that an agent took over a webhook."""
    draft = EvidenceDraft(
        source_id=f"session:ops-agent/{thread}/web/{number}", excerpt=f"Bulletin {number}: parcels wait at dock {number}.",
        channel="webhook", event_at=make.days_ago(1), **members,
    )  # fmt: skip
    held = file_evidence(filer=make.filer(channel_class=Trust.EXTERNAL), draft=draft).held
    assert held is not None
    verify_held(held_id=held.pk)
    held.refresh_from_db()
    return held


def offered(page: Any, action: str) -> list[dict[str, str]]:
    """The forms that lead to a preview of everything from one place."""
    forms = re.findall(r'<form method="post" action="/queue/bulk/">(.*?)</form>', page.content.decode(), re.DOTALL)
    fields = [dict(re.findall(r'name="(\w+)" value="([^"]*)"', form)) for form in forms]
    return [one for one in fields if one.get("action") == action and one.get("scope") == "origin"]


def test_one_is_let_in_and_counts_but_nothing_is_confirmed(desk: Client) -> None:
    disputes.one_person_is_enough()
    held = capture(1)
    page = desk.get(reverse("item", args=[held.pk]))
    assert "stays unverified until somebody checks it" in page.content.decode()
    assert re.search(r'class="well[^>]*>\s*</', page.content.decode()) is None, "a frame around nothing"
    send(desk, page, "approve")
    row = held.held_evidence.evidence
    row.refresh_from_db()
    assert (row.review, row.has_check, row.check_confirmed_by) == ("approved", False, "")
    door = Door(a_token("ops-agent").secret)
    assert door.ids("bulletin parcels") == [row.record_id]


def test_one_is_turned_down_and_its_filer_learns_why(desk: Client) -> None:
    door = Door(a_token("ops-agent", channel_class="external").secret)
    filed = door.post(
        "evidence",
        {
            "source": {"id": "session:ops-agent/feed/web/1"},
            "excerpt": "Dock 9 is closed.",
            "event_at": make.days_ago(1),
        },
    ).json()
    assert (filed["review"], door.ids("dock closed")) == ("held", [])
    assert door.get(f"proposals/{filed['held_id']}").json()["status"] == "waiting"
    page = desk.get(reverse("item", args=[filed["held_id"]]))
    send(desk, page, "reject", reason_code="not_supported", reason="The bulletin says nothing of dock 9.")
    told = door.get(f"proposals/{filed['held_id']}").json()
    assert (told["status"], told["reason_code"], told["record_id"]) == ("rejected", "not_supported", None)
    assert (told["reason"], told["grants"]) == ("The bulletin says nothing of dock 9.", [])
    assert refusal(door.get(f"records/{filed['id']}")) == (404, "not_found")
    stranger = Door(a_token("bob").secret)
    assert refusal(stranger.get(f"proposals/{filed['held_id']}")) == (404, "not_found")


def press(desk: Client, **more: str) -> Any:
    job = Job.objects.latest("created_at")
    page = desk.get(reverse("job", args=[job.pk]))
    number = re.search(r'name="number" value="(\d+)"', page.content.decode())
    selection = re.search(r'name="selection" value="(\w*)"', page.content.decode())
    assert number is not None
    assert selection is not None
    given = {"number": number[1], "selection": selection[1]} | more
    answer = desk.post(reverse("job-run", args=[job.pk]), given)
    while deliver_due(lane=BULK) + deliver_due():
        pass
    return answer


def test_all_from_one_place_are_let_in_after_a_preview_that_is_frozen(desk: Client) -> None:
    disputes.one_person_is_enough()
    risky = capture(0, trust_class="third_party_documentation")
    mine, elsewhere = [risky, capture(1), capture(2)], capture(9, thread="another")
    assert risky.risk == "high"
    make.proposal(evidence=(make.inline("It stood in the feed.", thread="feed"),))
    page = desk.get(reverse("item", args=[mine[0].pk]))
    chosen = next(one for one in offered(page, "approve") if one["by"] == "thread")
    desk.post(reverse("bulk"), chosen)
    job = Job.objects.latest("created_at")
    assert {row.subject for row in job.items.all()} == {str(one.pk) for one in mine}, "captures of that session only"
    preview = desk.get(reverse("job", args=[job.pk])).content.decode()
    assert "Bulletin 1" in preview
    # What is high risk is left out until it is taken in on purpose.
    assert set(job.items.filter(selected=True).values_list("subject", flat=True)) == {str(one.pk) for one in mine[1:]}
    late = capture(4)
    desk.post(reverse("job-select", args=[job.pk]), {"take": "high_risk"})
    changed = mine[2]
    HeldRecord.objects.filter(pk=changed.pk).update(version=changed.version + 1)
    press(desk)
    status = {str(one.pk): HeldRecord.objects.get(pk=one.pk).status for one in [*mine, elsewhere, late]}
    assert [status[str(one.pk)] for one in mine] == ["approved", "approved", "waiting"]
    assert (status[str(elsewhere.pk)], status[str(late.pk)]) == ("waiting", "waiting")
    approved = Evidence.objects.filter(review="approved", thread="feed")
    assert approved.count() == 2
    assert not approved.filter(has_check=True).exists()


def test_a_capture_that_is_let_in_in_bulk_gets_its_finding(desk: Client) -> None:
    disputes.one_person_is_enough()
    disputes.stands()
    held = capture(1, claim=make.claim("past due"))
    desk.post(
        reverse("bulk"), {"action": "approve", "scope": "origin", "by": "agent", "value": "ops-agent", "kind": "held_evidence"},
    )  # fmt: skip
    job = Job.objects.latest("created_at")
    desk.post(reverse("job-select", args=[job.pk]), {"take": "high_risk"})
    press(desk)
    question = Inquiry.objects.open().get()
    assert question.incoming_record == held.held_evidence.evidence.record_id


def test_approving_a_capture_answers_the_question_about_it(desk: Client) -> None:
    disputes.one_person_is_enough()
    question = disputes.about_capture()
    assert question.held is not None
    page = desk.get(reverse("item", args=[question.held_id]))
    assert "Answers the owner" in page.content.decode()
    send(desk, page, "approve")
    question.refresh_from_db()
    assert (question.status, question.answer) == ("answered", "incoming")


def test_only_known_kinds_are_asked_for(desk: Client) -> None:
    held = capture(1)
    given = {"action": "approve", "scope": "origin", "by": "agent", "value": "ops-agent", "kind": "planet"}
    assert desk.post(reverse("bulk"), given).status_code == 422
    assert form_for(desk.get(reverse("item", args=[held.pk])), "approve")
