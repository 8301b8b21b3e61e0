"""Which pages are photographed: a name, an address, who looks, and what is pressed before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import QuerySet
from django.urls import reverse

from evidence.models import Decision, Evidence, HeldRecord, Inquiry, Job, Run, User
from evidence.rules.vocab import Action, HeldKind, HeldStatus, InquiryStatus, Kind, MatchKind, State
from evidence.services.bulk import preview_bulk

REVIEWER, OWNER, ADMIN = "reviewer", "owner", "admin"


@dataclass(frozen=True, slots=True)
class Shot:
    """`press`: the name of a button that opens a panel. `title`: what docs/screens.md says of it."""

    name: str
    title: str
    address: str
    who: str = REVIEWER
    press: str = ""


def plain_shots() -> Iterator[Shot]:
    """Pages of the demo as it comes. A page whose rows are not there is left out."""
    yield Shot("sign-in", "Signing in", reverse("account_login"), who="")
    yield Shot("home", "What needs you now", reverse("home"))
    yield Shot("home-owner", "What needs you now, as an owner", reverse("home"), OWNER)
    yield Shot("queue", "The queue", reverse("queue"))
    yield Shot("queue-search", "A search, with what is wrong in it", reverse("queue") + "?q=riks:high+deploy")
    waiting = HeldRecord.objects.filter(status=HeldStatus.WAITING)
    yield from _items(waiting)
    yield Shot("jobs", "Bulk jobs", reverse("jobs"))
    yield Shot("bulk", "A bulk decision before it is carried out", reverse("job", args=[_preview(waiting)]))
    yield Shot("inquiries", "Questions", reverse("inquiries"), OWNER)
    asked = Inquiry.objects.filter(status=InquiryStatus.OPEN).order_by("asked_at", "pk").first()
    if asked:
        yield Shot("inquiry", "One question, with its two sides", reverse("inquiry", args=[asked.pk]), OWNER)
    yield from _records()
    yield Shot("insights", "Insights", reverse("insights"))
    yield Shot("audit", "The audit", reverse("audit"))
    decision = Decision.objects.order_by("at", "pk").last()
    if decision:
        yield Shot("audit-row", "One row of the audit", reverse("audit-row", args=[decision.pk]))
    yield Shot("settings", "Settings", reverse("settings"))
    yield Shot("telling", "What a person is told, and when", reverse("settings-telling"))
    yield Shot("inbox", "The inbox", reverse("inbox"))
    yield Shot("webhooks", "Webhooks", reverse("webhooks"), ADMIN)
    yield Shot("not-here", "A page that is not there", "/nowhere/")


def _items(waiting: QuerySet[HeldRecord]) -> Iterator[Shot]:
    ordered = waiting.order_by("pk")
    conflict = ordered.filter(match_kind=MatchKind.POTENTIAL_CONFLICT).first()
    if conflict:
        address = reverse("item", args=[conflict.pk])
        yield Shot("item", "One item: a claim that disagrees with a record", address)
        yield Shot("item-reject", "Why it is rejected", address, press="Reject")
        yield Shot("item-help", "The keys", address, press="Keyboard help")
        yield Shot("edit", "Editing an item", reverse("edit", args=[conflict.pk]))
        yield Shot("candidates", "What it replaces", reverse("candidates", args=[conflict.pk]))
    article = ordered.filter(kind=HeldKind.PROMOTION_PROPOSAL).first()
    if article:
        yield Shot("item-article", "A new text for an article", reverse("item", args=[article.pk]))
    capture = ordered.filter(kind=HeldKind.HELD_EVIDENCE).first()
    if capture:
        yield Shot("item-capture", "Something from outside", reverse("item", args=[capture.pk]))


def _preview(waiting: QuerySet[HeldRecord]) -> object:
    user = User.objects.get(username=REVIEWER)
    ids = list(waiting.order_by("pk").values_list("pk", flat=True)[:12])
    return preview_bulk(user=user, action=Action.APPROVE, held_ids=ids).pk


def _records() -> Iterator[Shot]:
    yield Shot("records", "Records", reverse("records"))
    fact = Evidence.objects.filter(kind=Kind.FACT, state=State.ACTIVE).order_by("pk").first()
    if fact:
        yield Shot("record", "One record", f"{reverse('record', args=[fact.record_id])}?ns={fact.namespace}")
    yield Shot("rechecks", "What is to be checked again", reverse("rechecks"), OWNER)
    yield Shot("articles", "Articles", reverse("articles"))
    text = Evidence.objects.filter(kind=Kind.ARTICLE, state=State.ACTIVE).order_by("pk").first()
    if text:
        yield Shot("article", "One article", f"{reverse('article', args=[text.record_id])}?ns={text.namespace}")
        yield Shot("agent", "One agent", reverse("agent", args=[text.scope_owner]))


def imported_shots() -> Iterator[Shot]:
    """Pages of what agents did, and of what came from elsewhere: a store of Agent Memory Bridge was brought in before."""
    yield Shot("imports", "What was brought in", reverse("imports"), ADMIN)
    report = Job.objects.filter(kind="import").order_by("-created_at").first()
    if report:
        yield Shot("import", "One import, line by line", reverse("import", args=[report.pk]), ADMIN)
    yield Shot("write-backs", "What is carried back", reverse("write-backs"), ADMIN)
    yield Shot("runs", "Runs of agents", reverse("runs"))
    run = Run.objects.order_by("pk").last()
    if run:
        yield Shot("run", "One run", reverse("run", args=[run.pk]))
    yield Shot("signals", "Signals between agents", reverse("signals"))
    fact = Evidence.objects.filter(kind=Kind.FACT, state=State.ACTIVE).order_by("pk").first()
    if fact:
        address = reverse("admin:evidence_evidence_correct", args=[fact.pk, "correct"])
        yield Shot("admin-correct", "A correction in the admin site", address, ADMIN)


def hostile_shots(filed: dict[str, HeldRecord]) -> Iterator[Shot]:
    titles = {
        "hostile-conflict": "Text that turns its direction, and letters that cannot be seen",
        "hostile-markup": "Markup and combined characters",
        "hostile-long": "2,000 characters, and an address without a break",
        "hostile-decided": "The same, decided",
    }
    for name, held in filed.items():
        yield Shot(name, titles[name], reverse("item", args=[held.pk]))
    yield Shot("hostile-queue", "The list with such texts", reverse("queue") + "?q=invoices")
