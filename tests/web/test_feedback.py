"""Pages show what agents said of a record, to who may see the agents, and as text whatever it holds."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evidence.models import Evidence, Feedback
from evidence.rules.vocab import Role
from tests.services import make
from tests.web.conftest import SignIn

pytestmark = pytest.mark.django_db
HOSTILE = "<script>alert(1)</script> \u202eevil\u200b "


def word(row: Evidence, outcome: str, **columns: Any) -> Feedback:
    given: dict[str, Any] = {
        "namespace": row.namespace, "agent": "ops-agent", "subject": f"s{Feedback.objects.count()}", "receipt_hash": "x",
        "record_id": row.record_id, "content_version": "x", "query_hash": "q", "mode": "lexical", "rank": 1, "type": "vote",
        "outcome": outcome, "at": timezone.now(),
    }  # fmt: skip
    return Feedback.objects.create(**(given | columns))


def test_a_record_and_the_insights_show_what_was_said(desk: Client) -> None:
    row = make.fact("The vendor account is active.")
    plain = desk.get(reverse("record", args=[row.record_id])).content.decode()
    assert "What agents said" not in plain
    word(row, "helpful")
    word(row, "misleading", reason=HOSTILE + "w" * 200)
    taken_back = word(row, "outdated", reason="It is closed.")
    word(row, "", type="retraction", supersedes=taken_back, subject=taken_back.subject)
    for address in (reverse("record", args=[row.record_id]), reverse("insights")):
        page = desk.get(address).content.decode()
        assert "said-title" in page
        assert "<script>alert" not in page
    page = desk.get(reverse("insights")).content.decode()
    assert "<td>1</td><td>1</td><td>0</td>" in page
    page = desk.get(reverse("record", args=[row.record_id])).content.decode()
    assert "1 helpful, 1 misleading" in page
    assert "outdated" not in page
    assert "\u202e" not in page
    assert "&lt;script&gt;" in page


def test_what_misled_comes_first(desk: Client) -> None:
    good, bad = make.fact("The vendor account is active."), make.fact("Backups run at two.")
    for _ in range(3):
        word(good, "helpful")
    word(bad, "misleading", reason="At four.")
    page = desk.get(reverse("insights")).content.decode()
    assert page.index("Backups run at two.") < page.index("The vendor account is active.")


def test_words_of_agents_that_one_may_not_see_are_not_shown(sign_in: SignIn) -> None:
    row = make.fact("The vendor account is active.")
    word(row, "misleading", agent="elsewhere", reason="A secret of another team.")
    client = sign_in(make.user("owner", Role.OWNER, of=make.agent()))
    answer = client.get(reverse("record", args=[row.record_id]))
    assert answer.status_code == 200
    assert "another team" not in answer.content.decode()
    assert "said-title" not in client.get(reverse("insights")).content.decode()
