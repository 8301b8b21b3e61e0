"""From AgentX's own promotion proposals to articles: imported, read, edited, approved on the pages, given to agents."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evidence.models import Evidence, HeldRecord
from evidence.rules.records import Reader
from evidence.selectors.planning import current_article
from evidence.selectors.recall import Ask, recall
from evidence.services.verification import verify_held
from tests.services.test_importing import agentx
from tests.web.forms import send

pytestmark = pytest.mark.django_db

SAMPLE = Path(__file__).parents[1] / "data" / "agentx" / "checkout"
WINDOW, RETRY, ROUNDING = (
    "2026-10-07-decisions-deploy-window-k3x9", "2026-10-07-patterns-retry-mail-export-p0q1",
    "2026-10-02-concepts-quote-rounding-aa10",
)  # fmt: skip


@pytest.fixture
def imported(tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    shutil.copytree(SAMPLE, checkout)
    agentx(checkout)
    for held in HeldRecord.objects.waiting().filter(kind="promotion_proposal"):
        verify_held(held_id=held.pk)


def item(origin: str) -> HeldRecord:
    return HeldRecord.objects.get(origin_id=origin)


def given(query: str) -> list[tuple[str, str]]:
    """Articles that an agent which has nothing to do with them is given."""
    found = recall(reader=Reader("sales-agent"), namespace="default", ask=Ask(query), now=timezone.now())
    return [(one.record.source.id, str(one.label)) for one in found.results if one.record.kind == "article"]


@pytest.mark.usefixtures("imported")
def test_a_new_text_for_an_article_that_nobody_reviewed(desk: Client) -> None:
    held = item(WINDOW)
    source = held.promotion.target_source
    assert given("deploy window") == [(source, "unverified")]
    page = desk.get(reverse("item", args=[held.pk]))
    body = page.content.decode()
    article = page.context["article"]
    assert (article.moved, article.is_new, article.is_changed) == (False, False, True)
    assert "never reviewed" in body
    assert article.supporters[0].name == "ops-agent"
    assert send(desk, page, "approve").status_code == 200
    held.refresh_from_db()
    row = current_article(held.namespace, source)
    assert (held.status, row.approval_by, row.content) == ("approved", "reviewer", held.promotion.content)
    assert given("deploy window") == [(source, "approved")]
    versions = desk.get(reverse("article", args=[row.record_id])).context["view"].versions
    assert [one.label for one in versions] == ["approved", "unverified"]
    assert versions[0].decision.target_id == str(held.pk)


@pytest.mark.usefixtures("imported")
def test_a_new_article_edited_before_it_is_approved(desk: Client) -> None:
    held = item(RETRY)
    form = desk.get(reverse("edit", args=[held.pk]))
    values = form.context["values"]
    fields = {name: values[name] for name in ("folder", "path", "statement", "onto", "content")}
    fields |= {"title": values["title"] + ".", "reason": "a full stop", "version": held.version}
    answer = desk.post(reverse("edit", args=[held.pk]), fields)
    assert answer.status_code == 302
    held.refresh_from_db()
    assert held.meaning_editor is None
    page = desk.get(reverse("item", args=[held.pk]))
    assert page.context["article"].is_new
    assert "4 times" in page.content.decode()
    assert send(desk, page, "approve").status_code == 200
    row = Evidence.objects.get(kind="article", approval_proposal=str(held.pk))
    assert (row.approval_by, row.scope_access) == ("reviewer", "public")


@pytest.mark.usefixtures("imported")
def test_what_was_rejected_there_is_history_here(desk: Client) -> None:
    held = item(ROUNDING)
    page = desk.get(reverse("item", args=[held.pk]))
    assert (held.status, page.status_code) == ("rejected", 200)
    assert not Evidence.objects.filter(source_id=held.promotion.target_source).exists()
