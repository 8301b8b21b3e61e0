"""Pages of articles: the list, one article with its versions, the proposal on its item page, editing it, counting them all."""

from __future__ import annotations

import html
import re

import pytest
from django.test import Client
from django.urls import reverse

from evidence.models import Decision, Evidence, HeldRecord, Inquiry, User
from evidence.rules.merging import OURS, THEIRS
from evidence.rules.vocab import Role
from evidence.services.drafts import EvidenceDraft, PromotionTarget
from evidence.services.filing import file_evidence
from tests.services import make
from tests.web.forms import HTMX, forms_of, send

pytestmark = pytest.mark.django_db

BASE = "# Deploys\n\nDeploys happen on Tuesday.\n\n## Freeze\n\nNone in the last week.\n"


def propose(
    article: Evidence | None, content: str, path: str = "graph/runbooks/deploy.md", **members: object
) -> HeldRecord:
    target = PromotionTarget(path, article.source_version if article else "", "Deploys", content)
    return make.proposal(statement="Deploys: when they happen.", target=target, **members)


def unreviewed(name: str, **columns: object) -> Evidence:
    return make.article(
        f"# {name}\n\nText.", source_id=f"wiki:ops-agent/graph/{name}.md", summary=f"About {name}", approval_by="",
        approval_at=None, approval_proposal="", review="", **columns,
    )  # fmt: skip


def text_of(response) -> str:
    body = re.sub(r"<(script|style).*?</\1>", "", response.content.decode(), flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", body)).split())


def article_page(client: Client, row: Evidence, **query: str):
    return client.get(reverse("article", args=[row.record_id]), {"ns": row.namespace, **query})


# -- the list and one article --


def test_the_list_shows_each_article_once_with_its_label(desk: Client) -> None:
    make.article(BASE, summary="Deploys")
    make.article(
        "Other.",
        source_version="2",
        summary="Beside",
        approval_by="",
        approval_at=None,
        approval_proposal="",
        review="",
    )
    unreviewed("escalation")
    make.fact("No article.")
    said = text_of(desk.get(reverse("articles")))
    assert all(word in said for word in ("Deploys", "About escalation", "approved", "unverified", "never reviewed"))
    assert "Beside" not in said
    assert "No article." not in said


@pytest.mark.parametrize(
    ("query", "seen", "unseen"),
    [
        ({"label": "approved"}, "Deploys", "About escalation"),
        ({"label": "unverified"}, "About escalation", "Deploys"),
        ({"q": "week"}, "Deploys", "About escalation"),
        ({"q": "escalation.md"}, "About escalation", "last week"),
        ({"agent": "nobody"}, "No article matches", "About escalation"),
        ({"label": "stale"}, "its label is approved or unverified", "About escalation"),
        ({"label": "nonsense"}, "label cannot be", "no such text"),
    ],
)
def test_filters(desk: Client, query: dict[str, str], seen: str, unseen: str) -> None:
    make.article(BASE, summary="Deploys")
    unreviewed("escalation")
    said = text_of(desk.get(reverse("articles"), query))
    rows = said.partition("Search")[2]
    assert seen in said
    assert unseen not in rows


def test_pages_of_the_list_meet_every_article_once(desk: Client) -> None:
    for number in range(60):
        unreviewed(f"a{number:02}")
    first = desk.get(reverse("articles"))
    second = desk.get(reverse("articles"), {"after": first.context["page"].after})
    seen = [shown.row.source_id for page in (first, second) for shown, _ in page.context["rows"]]
    assert len(seen) == len(set(seen)) == 60
    assert second.context["page"].after == ""


def test_an_article_shows_its_text_its_approval_its_versions_and_what_is_about_it(desk: Client, reviewer: User) -> None:
    first = make.article(BASE, summary="Deploys", content_hash="")
    held = propose(first, BASE.replace("Tuesday", "Thursday"))
    made = make.approve(held, reviewer)
    held.refresh_from_db()
    row = held.promotion.result
    waiting = propose(row, BASE.replace("Tuesday", "Friday"))
    page = article_page(desk, row)
    said = text_of(page)
    assert page.context["rendered"].html.startswith("<h3>Deploys</h3>")
    assert "reviewed by reviewer" in said
    for address in (
        reverse("audit-row", args=[made.decision.id]), reverse("item", args=[held.pk]), reverse("item", args=[waiting.pk]),
        reverse("article", args=[first.record_id]),
    ):  # fmt: skip
        assert f'href="{address}' in page.content.decode(), address
    assert "every agent (public)" in said
    past = article_page(desk, first)
    assert "This is an earlier version." in text_of(past)


def test_the_difference_between_any_two_versions(desk: Client, reviewer: User) -> None:
    first = make.article(BASE, summary="Deploys")
    held = propose(first, BASE.replace("Tuesday", "Thursday"))
    make.approve(held, reviewer)
    held.refresh_from_db()
    page = article_page(desk, held.promotion.result, **{"from": first.record_id}).content.decode()
    assert "<del>Tuesday</del>" in page
    assert "<ins>Thursday</ins>" in page
    other = article_page(desk, held.promotion.result, **{"from": make.fact("x").record_id})
    assert other.context["since"] is None


def test_others_see_nothing_of_an_article(sign_in) -> None:
    row = make.article(BASE, summary="Deploys")
    held = propose(row, BASE + "More.")
    stranger = sign_in(make.user("stranger", Role.REVIEWER, Role.OWNER, of=make.agent("another")))
    assert article_page(stranger, row).status_code == 404
    assert "Deploys" not in text_of(stranger.get(reverse("articles")))
    assert stranger.get(reverse("item", args=[held.pk])).status_code == 404


def test_a_fact_is_no_article(desk: Client) -> None:
    assert article_page(desk, make.fact("x")).status_code == 404


# -- the proposal --


def test_the_item_shows_where_what_and_against_what(desk: Client) -> None:
    row = make.article(BASE, summary="Deploys")
    held = propose(
        row, BASE.replace("Tuesday", "Thursday") + "\n[x](javascript:alert(1)) ![p](https://evil.example/x.png)"
    )
    page = desk.get(reverse("item", args=[held.pk]))
    body = page.content.decode()
    assert "wiki:ops-agent/graph/runbooks/deploy.md" in body
    assert "<ins>Thursday</ins>" in body
    assert "<h4>Deploys</h4>" in body
    assert 'href="javascript' not in body
    assert "<img" not in body
    assert "ops-agent × 1" in text_of(page)
    assert page.context["article"].moved is False


def test_a_new_article_has_nothing_to_compare_with(desk: Client) -> None:
    said = text_of(desk.get(reverse("item", args=[propose(None, BASE).pk])))
    assert "A new article" in said
    assert "what stands now" not in said


def moved(reviewer: User, current: str) -> HeldRecord:
    """A proposal that lost its base: another one for the same article was approved first."""
    row = make.article(BASE, summary="Deploys")
    held = propose(row, BASE.replace("Tuesday", "Thursday"))
    make.approve(propose(row, current), reviewer)
    return held


def test_a_moved_base_shows_three_ways_and_offers_to_bring_the_text_onto_it(desk: Client, reviewer: User) -> None:
    held = moved(reviewer, BASE.replace("last week", "last two weeks"))
    body = desk.get(reverse("item", args=[held.pk])).content.decode()
    assert "Three ways" in body
    assert "Changed in the article since" in body
    assert "Changed by the proposal" in body
    form = desk.get(reverse("edit", args=[held.pk]), {"onto": "current"})
    values = form.context["values"]
    assert "Thursday" in values["content"]
    assert "last two weeks" in values["content"]
    fields = {name: values[name] for name in ("title", "folder", "path", "content", "statement", "onto", "reason")}
    sent = desk.post(reverse("edit", args=[held.pk]), fields | {"version": held.version})
    assert sent.status_code == 302
    held.refresh_from_db()
    assert held.meaning_editor is None
    make.approve(held, reviewer)
    held.refresh_from_db()
    assert "Thursday" in held.promotion.result.content


def test_conflicts_are_marked_and_have_to_be_resolved(desk: Client, reviewer: User) -> None:
    held = moved(reviewer, BASE.replace("Tuesday", "Friday"))
    body = desk.get(reverse("item", args=[held.pk])).content.decode()
    assert "Conflict: both changed this" in body
    values = desk.get(reverse("edit", args=[held.pk]), {"onto": "current"}).context["values"]
    assert OURS in values["content"]
    fields = {name: values[name] for name in ("title", "folder", "path", "content", "statement", "onto", "reason")}
    refused = desk.post(reverse("edit", args=[held.pk]), fields | {"version": held.version})
    assert refused.status_code == 422
    assert "A conflict is left" in text_of(refused)
    assert THEIRS in refused.content.decode().replace("&gt;", ">")
    fields["content"] = BASE.replace("Tuesday", "Thursday, after lunch")
    assert desk.post(reverse("edit", args=[held.pk]), fields | {"version": held.version}).status_code == 302
    held.refresh_from_db()
    assert held.meaning_editor == reviewer


@pytest.mark.parametrize("htmx", [True, False])
def test_approving_an_outdated_text_is_409_with_the_three_ways_and_what_was_typed(desk, reviewer, htmx) -> None:
    row = make.article(BASE, summary="Deploys")
    held = propose(row, BASE.replace("Tuesday", "Thursday"))
    page = desk.get(reverse("item", args=[held.pk]))
    make.approve(propose(row, BASE.replace("Tuesday", "Friday")), reviewer)
    answer = send(desk, page, "approve", htmx=htmx, reason="Ada said so.")
    assert answer.status_code == 409
    body = answer.content.decode()
    assert "The article changed" in body
    assert "Conflict: both changed this" in body
    assert not Decision.objects.filter(target_id=str(held.pk), action="approve").exists()


def test_a_text_that_is_typed_while_the_article_moves_is_kept_and_can_be_brought_on(desk, reviewer) -> None:
    held = moved(reviewer, BASE.replace("last week", "last two weeks"))
    values = desk.get(reverse("edit", args=[held.pk]), {"onto": "current"}).context["values"]
    newest = Evidence.objects.get(kind="article", state="active")
    make.approve(propose(newest, newest.content.replace("last two weeks", "last month")), reviewer)
    fields = {name: values[name] for name in ("title", "folder", "path", "statement", "onto", "reason")}
    typed = fields | {"content": "Typed.\n\n" + values["content"], "version": held.version}
    refused = desk.post(reverse("edit", args=[held.pk]), typed)
    assert refused.status_code == 409
    assert "What you typed against the article" in text_of(refused)
    assert "Typed." in refused.context["values"]["content"]
    brought = desk.post(reverse("edit", args=[held.pk]), typed | {"bring": "1"})
    again = brought.context["values"]
    assert all(word in again["content"] for word in ("Typed.", "last month", "Thursday"))
    sent = {name: again[name] for name in (*fields, "content")} | {"version": held.version}
    assert desk.post(reverse("edit", args=[held.pk]), sent).status_code == 302


def test_looking_first_stores_nothing(desk: Client) -> None:
    held = propose(None, BASE)
    page = desk.post(
        reverse("edit", args=[held.pk]),
        {"title": "T", "folder": "graph", "path": "a.md", "content": "# New\n\n<b>x</b>", "look": "1", "version": "1"},
    )
    held.promotion.refresh_from_db()
    assert (page.status_code, held.promotion.content) == (200, BASE)
    assert "<h3>New</h3>" in page.content.decode()


@pytest.mark.parametrize(
    ("change", "status", "words"),
    [
        ({"path": "../etc/passwd"}, 422, "folders: graph, unified, flat"),
        ({"path": "a//b.md"}, 422, "folders"),
        ({"folder": "secret"}, 422, "folders"),
        ({"title": " "}, 422, "needs a title"),
        ({"content": " "}, 422, "needs a text"),
        ({"content": "The key is AKIAIOSFODNN7EXAMPL0."}, 422, "shaped like a secret"),
        ({"title": "password = hunter2hunter2"}, 422, "shaped like a secret"),
        ({"content": "x" * 65_537}, 413, "longer than"),
        ({"reason": ""}, 422, "Say why"),
        ({"version": "99"}, 409, "changed"),
        ({"version": ""}, 422, "version"),
    ],
)
def test_what_cannot_be_saved_keeps_what_was_typed(desk, change, status, words) -> None:
    held = propose(None, BASE)
    before = (held.version, held.promotion.content)
    fields = {
        "title": "Deploys anew", "folder": "graph", "path": "runbooks/deploy.md", "content": BASE + "More.", "onto": "",
        "statement": held.statement, "reason": "because", "version": held.version,
    }  # fmt: skip
    answer = desk.post(reverse("edit", args=[held.pk]), fields | change)
    assert answer.status_code == status
    assert words in text_of(answer)
    held.refresh_from_db()
    held.promotion.refresh_from_db()
    assert (held.version, held.promotion.content) == before
    assert answer.context["values"]["content"] == str((fields | change)["content"])


def test_an_article_that_is_gone_says_so(desk: Client, reviewer: User) -> None:
    row = make.article(BASE, summary="Deploys")
    held = propose(row, BASE + "More.")
    Evidence.objects.filter(pk=row.pk).update(state="revoked", content="")
    said = text_of(desk.get(reverse("item", args=[held.pk])))
    assert "is gone" in said
    assert "Take the proposal onto" not in said


def test_what_contradicts_a_reviewed_article_can_be_taken_to_its_review(desk: Client, reviewer: User) -> None:
    make.article(BASE, about=make.claim("Tuesday", "harbor-api", "deploy day"), summary="Deploys")
    held = make.proposal(statement="It is Thursday.", claim=make.claim("Thursday", "harbor-api", "deploy day"))
    assert "Propose a new text for the article" in text_of(desk.get(reverse("item", args=[held.pk])))
    address = reverse("item-for-article", args=[held.pk])
    opened = desk.post(address, {"version": held.version}, follow=True)
    assert opened.context["values"]["content"] == BASE.replace("Tuesday", "Thursday")
    again = desk.post(address, {"version": held.version})
    made = HeldRecord.objects.get(kind="promotion_proposal")
    assert again["Location"] == reverse("edit", args=[made.pk])
    assert (made.meaning_editor, made.links.count(), made.claim_value) == (reviewer, held.links.count(), "Thursday")
    held.refresh_from_db()
    assert held.status == "waiting"
    assert desk.post(address, {"version": "99"}).status_code == 409
    assert desk.post(reverse("item-for-article", args=[make.proposal().pk]), {"version": "2"}).status_code == 409


# -- counting --


def test_an_owner_asks_sees_the_list_says_yes_and_takes_it_back(owner_desk: Client) -> None:
    make.agent()
    rows = [unreviewed("a"), unreviewed("b")]
    assert "2 articles of ops-agent were reviewed by nobody" in text_of(owner_desk.get(reverse("articles")))
    asked = owner_desk.post(reverse("articles-ask"), {"agent": "ops-agent", "ns": "default"}, follow=True)
    said = text_of(asked)
    assert "Yes: 2 articles go from ○ unverified to ◆ approved" in said, said[said.find("Yes") :][:300]
    assert "wiki:ops-agent/graph/a.md" in said
    inquiry = Inquiry.objects.get()
    fields = {"answer": "incoming", "version": inquiry.version, "idempotency_key": "k"}
    done = owner_desk.post(reverse("inquiry-answer", args=[inquiry.pk]), fields, follow=True)
    assert "Yes, said olga" in text_of(done)
    assert {Evidence.objects.get(pk=row.pk).approval_by for row in rows} == {"olga"}
    taken = owner_desk.post(reverse("articles-uncount", args=[inquiry.pk]), follow=True)
    assert "Taken back: 2." in text_of(taken)
    assert {Evidence.objects.get(pk=row.pk).approval_by for row in rows} == {""}


def test_what_one_question_does_not_list_is_said_and_can_be_asked_next(
    owner_desk: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evidence.services.article_counting.MOST", 2)
    make.agent()
    for name in ("a", "b", "c"):
        unreviewed(name)
    asked = owner_desk.post(reverse("articles-ask"), {"agent": "ops-agent", "ns": "default"}, follow=True)
    assert [one["source"][-4:] for one in asked.context["shown"]] == ["a.md", "b.md"]
    assert "There are more than these 2." in text_of(asked)
    assert "Ask about the others" not in text_of(asked)
    inquiry = Inquiry.objects.get()
    fields = {"answer": "incoming", "version": inquiry.version, "idempotency_key": "k"}
    done = owner_desk.post(reverse("inquiry-answer", args=[inquiry.pk]), fields, follow=True)
    form = next(form for form in forms_of(done) if form["to"] == reverse("articles-ask"))
    rest = owner_desk.post(form["to"], form["fields"], follow=True)
    assert [one["source"][-4:] for one in rest.context["shown"]] == ["c.md"]
    assert "There are more" not in text_of(rest)


def test_what_changed_since_is_named_and_left_out(owner_desk: Client) -> None:
    make.agent()
    unreviewed("a")
    unreviewed("b")
    owner_desk.post(reverse("articles-ask"), {"agent": "ops-agent", "ns": "default"})
    draft = EvidenceDraft("wiki:ops-agent/graph/b.md", "2", kind="article", content="# b\n\nAnew.")
    file_evidence(filer=make.filer(), draft=draft)
    inquiry = Inquiry.objects.get()
    said = text_of(owner_desk.get(reverse("inquiry", args=[inquiry.pk])))
    assert "Yes: 1 article goes" in said
    assert "changed since" in said
    refused = owner_desk.post(reverse("inquiry-answer", args=[inquiry.pk]), {"answer": "neither", "version": "1"})
    assert refused.status_code == 422


def test_who_owns_nothing_cannot_ask(desk: Client) -> None:
    make.agent()
    unreviewed("a")
    assert "were reviewed by nobody" not in text_of(desk.get(reverse("articles")))
    assert desk.post(reverse("articles-ask"), {"agent": "ops-agent"}).status_code == 403
    assert desk.post(reverse("articles-ask"), {"agent": "no-such"}, **HTMX).status_code == 404
