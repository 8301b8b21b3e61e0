"""A desk with something behind every address, and every address, made from the URLconf and not from a list of pages.

What is new in the URLconf is walked by every test that asks for `addresses`; a parameter that nobody knows fails them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from html.parser import HTMLParser
from itertools import product
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import admin
from django.contrib.admin.utils import quote
from django.db import transaction
from django.http import HttpResponse
from django.urls import NoReverseMatch, URLPattern, get_resolver, reverse
from django.utils import timezone

from evidence.models import (
    Agent,
    Decision,
    Delivery,
    Evidence,
    HeldRecord,
    Inquiry,
    Job,
    JobItem,
    Membership,
    News,
    RunWorkItem,
    SavedView,
    User,
    Webhook,
)
from evidence.rules.records import Claim
from evidence.rules.run_vocab import Evaluator, RunEventType, RunOutcomeWord
from evidence.rules.telling import NoticeKind, SubjectKind
from evidence.rules.vocab import Action, InquiryStatus, Role
from evidence.selectors.insights_rows import _FIGURES
from evidence.services.answering import answer_inquiry
from evidence.services.article_counting import ask_as_owner
from evidence.services.bulk import preview_bulk
from evidence.services.bulk_running import run_bulk
from evidence.services.bulk_selecting import digest_of, take
from evidence.services.drafts import PromotionTarget
from evidence.services.filing import file_evidence
from evidence.services.notices import pass_on
from evidence.services.outbox import BULK, deliver_due
from evidence.services.rechecks import Pick, Words, settle_rechecks
from evidence.services.run_ending import complete_run
from evidence.services.run_recording import begin_run, record_event
from evidence.services.run_shapes import Attributed, Attribution, Beginning, Ending, Happening
from evidence.services.saved_views import save_view
from evidence.services.signal_claiming import claim_next
from evidence.services.signal_publishing import publish_signal
from evidence.services.signal_shapes import SignalDraft
from evidence.services.telling import tell
from evidence.tasks import bulk as _bulk  # noqa: F401 - as in a worker, where the handlers are known
from evidence.tasks import outbox as _outbox  # noqa: F401
from evidence.web.urls import urlpatterns
from tests.builders import a_token
from tests.services import make
from tests.services.test_cluster_deciding import filed, look, together

NAME = 90
"""So much of a text goes into names, of which some may have 200 characters and are put together of several."""


ALIKE = {"candidates", "supersede-plan", "peek"}
"""Pages that show the same whatever item they start from."""


@dataclass
class WholeDesk:
    """What there is, by the name of the URLconf's parameter, and searches that show more than the bare pages."""

    reviewer: User
    waiting: HeldRecord
    conflicted: HeldRecord
    decided: HeldRecord
    question: Inquiry
    fact: Evidence
    decision: Decision
    preview: Job
    finished: Job
    together: Job
    view: SavedView
    counted: Inquiry
    arguments: dict[str, list[Any]] = field(default_factory=dict)
    queries: dict[str, list[dict[str, str]]] = field(default_factory=dict)

    def addresses(self, *, few: bool = False) -> Iterator[tuple[str, str]]:
        """Name and address of everything in the URLconf, every parameter in all its values, with and without a query.

        `few`: one of each.
        """
        for pattern in urlpatterns:
            assert isinstance(pattern, URLPattern)
            assert pattern.name is not None
            names = list(pattern.pattern.converters)
            most = 1 if few or pattern.name in ALIKE else None
            for values in product(*(self.arguments[name][:most] for name in names)):
                address = reverse(pattern.name, kwargs=dict(zip(names, values, strict=True)))
                for query in [{}] if few else [{}, *self.queries.get(pattern.name, [])]:
                    yield pattern.name, f"{address}?{urlencode(query)}" if query else address


def whole_desk(text: str = "", reviewer: User | None = None) -> WholeDesk:
    """`text` stands in everything that an agent, an import or a person may write."""
    who = reviewer or make.reviewer()
    name = f" {text[:NAME]}".replace("/", "|") if text else ""
    of = make.agent(f"ops{name}")
    tags = (f"tag{name}",)

    def about(value: str) -> Claim:
        return Claim(f"account{name}", f"status{name}", f"{value} {text}".strip())

    fact = make.fact(f"The account is active. {text}", about=about("active"), scope_owner=of.id, tags=list(tags))
    conflicted = make.proposal(of, f"The account is past due. {text}", claim=about("past due"), tags=tags)
    waiting = make.proposal(of, f"Backups run at two. {text}", rule_type="", tags=tags)
    make.act(waiting, who, Action.ASK_OWNER, question=f"Is it two? {text}")
    filer = make.filer(of)
    promoted = make.proposal(
        of, f"Deploys happen on Thursday. {text}", evidence=(),
        target=PromotionTarget("graph/deploys.md", "", f"Deploys{name}", f"# Deploys\n\nOn Thursday. {text}"),
    )  # fmt: skip
    captured = file_evidence(
        filer=filer, draft=make.inline(f"A stranger said so. {text}", of=of.id, channel="web-chat", tags=tags)
    ).held
    assert captured is not None
    decided = make.proposal(of, f"Offices close at six. {text}")
    done = make.act(decided, who, Action.REJECT, reason_code="other", reason=f"They do not. {text}")
    approved = make.proposal(of, f"The printer speaks ZPL. {text}")
    made = make.approve(approved, who)
    far = make.proposal(make.agent(f"far{name}", namespace=f"far{name}"[:64]), f"Parcels are weighed in grams. {text}")
    distant = make.act(far, who, Action.REJECT, reason_code="wrong")
    questions = list(Inquiry.objects.filter(status=InquiryStatus.OPEN))
    view = save_view(user=who, name="Mine", query="risk:high")
    preview = preview_bulk(user=who, action=Action.REJECT, held_ids=[waiting.pk, conflicted.pk], reason=text)
    finished = _a_finished_job(who, of.id, text)
    together = _decided_together(who)
    make.proposal(make.agent(f"twin{name}"), f"Backups run at two in the night. {text}")
    article = make.article(
        f"# Deploys\n\n{text}", source_id=f"wiki:{of.id}/graph/one.md", scope_owner=of.id, approval_by=f"ada{name}",
    )  # fmt: skip
    counted = _articles_counted(of, text)
    _signal(of.id, text)
    desk = WholeDesk(
        who, waiting, conflicted, decided, questions[0], fact, done.decision, preview, finished, together, view, counted,
        {
            "held_id": [one.pk for one in (waiting, conflicted, promoted, captured, decided, approved, far)],
            "inquiry_id": [one.pk for one in [*questions, _an_answered_question(of.id, who, text), counted]],
            "article_id": [article.record_id, *_unreviewed()],
            "record_id": [fact.record_id, article.record_id, _evidence_of(waiting).record_id],
            "decision_id": _decisions(done.decision, made.decision, distant.decision),
            "job_id": [preview.pk, finished.pk, together.pk],
            "view_id": [view.pk],
            "run_id": [_a_run(of.id, fact, text)],
            "bulk_id": [_settled(of.id, text)],
            "import_id": [_an_import(who, waiting, text)],
            "form": ["jsonl", "csv"],
            "back_id": [_a_plan(who, text)],
            "agent_id": [of.pk],
            **_told(who, questions[0], name),
        },
    )  # fmt: skip
    desk.queries = _queries(desk, text)
    return desk


def _an_import(who: User, held: HeldRecord, text: str) -> UUID:
    """A file that somebody sent and looked at, and nobody carried out yet."""
    detail = {
        "format": "jsonl", "source": f"facts {text}", "namespace": text[:NAME], "dry_run": True, "file": "facts.jsonl", "read": 2,
        "held": 1, "refused": 1, "error": text,
    }  # fmt: skip
    job = Job.objects.create(kind="import", status="preview", owner=who, created_by=who.get_username(), detail=detail)
    for number, (outcome, code, result) in enumerate([("held", "", f"held:{held.pk}"), ("refused", "malformed", "")]):
        JobItem.objects.create(
            job=job, position=number, subject=f"facts:{number} {text}", outcome=outcome, code=code, detail=text, result_id=result,
        )  # fmt: skip
    return job.pk


def _a_plan(who: User, text: str) -> UUID:
    """What would be carried back into another system, looked at and not carried out."""
    detail = {"store": text, "source": text, "format": "pi-decisions", "dry_run": True, "planned": 1, "error": text}
    job = Job.objects.create(
        kind="write_back_run", status="preview", owner=who, created_by=who.get_username(), detail=detail
    )
    JobItem.objects.create(job=job, position=0, subject=f"rejected {text}", outcome="planned", detail=text)
    return job.pk


def _told(who: User, question: Inquiry, name: str) -> dict[str, list[Any]]:
    """An entry of the inbox, a webhook, and a call that did not arrive."""
    with transaction.atomic():
        tell(kind=NoticeKind.QUESTION, subject=(SubjectKind.INQUIRY, question.pk), key="whole desk", people=[who])
    pass_on(News.objects.order_by("-id").values_list("key", flat=True)[0])
    hook = Webhook.objects.create(
        name=f"Hook{name}"[:60], target="https://hooks.desk.invalid/", host="hooks.desk.invalid", kinds=["question"]
    )
    dead = Delivery.objects.create(
        channel="webhook",
        webhook=hook,
        endpoint=f"hook:{hook.pk}",
        lane="at_once",
        state="dead",
        last_error="no_answer",
    )
    entry = Delivery.objects.inbox_of(who).get(lane=NoticeKind.QUESTION)
    return {"webhook_id": [hook.pk], "delivery_id": [entry.pk, dead.pk], "token": ["no-token-of-ours"]}


def other_addresses() -> list[str]:
    """Pages that are not the desk's own: accounts and the admin site, whatever they are."""
    found = [
        reverse(name) for name in get_resolver("allauth.urls").reverse_dict if isinstance(name, str) and _bare(name)
    ]
    for model in admin.site._registry:
        kind = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        row = model._default_manager.first()
        found += [reverse(f"{kind}_changelist")] + ([reverse(f"{kind}_change", args=[quote(row.pk)])] if row else [])
    return [*found, reverse("admin:index"), reverse("admin:logout")]


def _bare(name: str) -> bool:
    try:
        reverse(name)
    except NoReverseMatch:
        return False
    return True


def _evidence_of(held: HeldRecord) -> Evidence:
    link = held.links.select_related("evidence").first()
    assert link is not None
    return link.evidence


def _a_run(agent: str, fact: Evidence, text: str) -> UUID:
    """A run with a part, an artifact, a record that it used, and two outcomes; `text` stands wherever its agent writes."""
    token = a_token(agent).token
    said: Mapping[str, Any] = {"note": text or "plain", "list": [text]}
    begun = begin_run(
        token=token,
        beginning=Beginning(
            f"project:{text[:NAME]}", f"Look after the account. {text}", acceptance_criteria=(said, text)
        ),
    )

    def tell(word: RunEventType, **more: Any) -> None:
        record_event(token=token, run_id=begun.run.pk, happening=Happening(word, f"It was so. {text}", **more))

    tell(RunEventType.WORK_ITEM_STARTED, goal=f"A part. {text}")
    tell(RunEventType.OBSERVATION, payload=dict(said), evidence=(text,))
    tell(RunEventType.MEMORY_APPLIED, attribution=Attribution(items=(Attributed(fact.record_id),)))
    artifact = {"digest": "a" * 64, "mime_type": "text/csv", "uri": "artifact://bench/flow.csv"}
    tell(RunEventType.ARTIFACT_CREATED, payload=artifact)
    for item in RunWorkItem.objects.filter(run=begun.run).order_by("-number"):
        tell(RunEventType.WORK_ITEM_COMPLETED, work_item=item.pk)
    ending = Ending(RunOutcomeWord.PARTIAL_SUCCESS, Evaluator.AGENT, evidence=(said,), termination_reason=text)
    first = complete_run(token=token, run_id=begun.run.pk, ending=ending).outcome
    later = Ending(RunOutcomeWord.FAILED, Evaluator.SYSTEM, supersedes=first.pk)
    complete_run(token=token, run_id=begun.run.pk, ending=later)
    return begun.run.pk


def _signal(agent: str, text: str) -> None:
    """What an agent tells whoever takes it, in the hands of a worker."""
    token = a_token(agent).token
    name = f"job {text}"[:NAME].strip()
    draft = SignalDraft(f"Rebuild the index. {text}", title=name, tags=(name,), correlation_id=name)
    publish_signal(token=token, draft=draft)
    claim_next(token=token, worker=name, seconds=300)


def _an_answered_question(agent_id: str, who: User, text: str) -> Inquiry:
    about = Claim(f"door {text[:NAME]}", "colour", f"red {text}".strip())
    make.fact(f"The door is red. {text}", about=about, scope_owner=agent_id)
    held = make.proposal(
        make.agent(agent_id), f"The door is blue. {text}", claim=Claim(about.subject, "colour", f"blue {text}".strip())
    )
    asked = Inquiry.objects.get(held=held)
    owner = make.user("the-owner")
    membership = Membership.objects.create(user=owner, role=Role.OWNER, agent_id=agent_id)
    answer_inquiry(
        inquiry_id=asked.pk, actor=make.person(owner), answer="other_value", value=f"green {text}".strip(),
        seen_version=asked.version, idempotency_key="an answer", reason=f"I looked. {text}",
    )  # fmt: skip
    membership.delete()
    return Inquiry.objects.get(pk=asked.pk)


def _unreviewed() -> list[str]:
    return list(Evidence.objects.filter(source_id__contains="/unreviewed").values_list("record_id", flat=True))


def _articles_counted(of: Agent, text: str) -> Inquiry:
    """The question whether all articles that nobody reviewed count as reviewed, answered; and one more such article."""
    never: dict[str, Any] = {"approval_by": "", "approval_at": None, "approval_proposal": "", "review": ""}
    where = f"wiki:{of.id}/graph/unreviewed"
    make.article(
        f"# Hosts\n\n{text}", source_id=f"{where}.md", scope_owner=of.id, summary=f"Hosts {text}"[:300], **never
    )
    owner = make.user("the-counting-owner")
    membership = Membership.objects.create(user=owner, role=Role.OWNER, agent=of)
    asked = ask_as_owner(agent_id=of.id, namespace="default", actor=make.person(owner)).inquiry
    assert asked is not None
    answer_inquiry(
        inquiry_id=asked.pk, actor=make.person(owner), answer="incoming", seen_version=asked.version,
        idempotency_key="counted", reason=f"All are mine. {text}",
    )  # fmt: skip
    membership.delete()
    make.article(f"# Ports\n\n{text}", source_id=f"{where}-two.md", scope_owner=of.id, **never)
    return Inquiry.objects.get(pk=asked.pk)


def _a_finished_job(who: User, agent_id: str, text: str) -> Job:
    """One item rejected, one that somebody else decided before."""
    agent = make.agent(f"other {agent_id}"[:150])
    rows = [make.proposal(agent, f"Host {n} is called quail. {text}") for n in range(2)]
    job = preview_bulk(user=who, action=Action.REJECT, held_ids=[row.pk for row in rows])
    make.act(rows[1], make.reviewer("ada"), Action.REJECT, reason_code="wrong", reason=text)
    take(job_id=job.pk, user=who, which="high_risk")
    number, selection = digest_of(job)
    run_bulk(job_id=job.pk, user=who, number=number, selection=selection, reason_code="wrong", reason=text)
    while deliver_due(lane=BULK) + deliver_due():
        pass
    job.refresh_from_db()
    return job


def _settled(agent_id: str, text: str) -> Any:
    """Two facts that are due, of which an owner said that one is still true; one is due still. The press, by its id."""
    owner = make.user("the-owner")
    membership = Membership.objects.create(user=owner, role=Role.OWNER, agent_id=agent_id)
    rows = [
        make.fact(
            f"Plan {n} costs {n} euros. {text}", scope_owner=agent_id, volatility="billing", source_id=f"fact:plan {n}",
            checked=timezone.now() - timedelta(days=3), check_method=f"Billing page {text}"[:300],
        )
        for n in range(2)
    ]  # fmt: skip
    done = settle_rechecks(
        action="still", picks=[Pick(str(rows[0].pk), 1)], actor=make.person(owner), idempotency_key="a press",
        words=Words(reason=f"I looked. {text}"),
    )  # fmt: skip
    membership.delete()
    return done.bulk_id


def _decided_together(who: User) -> Job:
    """Two rewordings of one thing, rejected with one press."""
    held = filed(2)
    done = together(held[0], who, look(held[0], who), "reject", reason_code="wrong")
    return Job.objects.get(pk=done.decision.bulk_id)


def _decisions(*first: Decision) -> list[Any]:
    """These, and the first of every other action that there is."""
    actions = {decision.action for decision in first}
    found = {decision.action: decision for decision in Decision.objects.exclude(action__in=actions).order_by("-at")}
    return [decision.pk for decision in (*first, *found.values())]


def _queries(desk: WholeDesk, text: str) -> dict[str, list[dict[str, str]]]:
    typed = text or "words"
    done = {"done": str(desk.decision.pk)}
    return {
        "queue": [{"q": f"status:any {typed}"}, {"q": "riks:high"}, {"q": "status:any"}, {"after": "made up"}],
        "queue-suggest": [{"q": "age", "at": "2"}, {"q": "agent:"}, {"q": typed}],
        "queue-rows": [{"ids": f"{desk.waiting.pk},{desk.decided.pk}"}],
        "queue-next": [done, {"q": typed}],
        "item": [{"amend": "1"}, done],
        "edit": [{"fill": "claim"}, {"onto": "current"}],
        "articles": [{"label": "unverified"}, {"label": "nonsense"}, {"q": typed}],
        "article": [{"from": desk.arguments["article_id"][0]}, {"ns": "default"}],
        "candidates": [{"q": "account"}, {"q": typed}],
        "supersede-plan": [{"supersedes": desk.fact.record_id}],
        "job": [{"show": "in"}, {"show": "cannot"}, {"show": "changed"}, {"after": "0"}],
        "inquiries": [
            {"status": "any"},
            {"mine": "1"},
            *({"show": show} for show in ("overdue", "escalated", "agents")),
        ],
        "inquiry": [done],
        "inquiry-plan": [{"answer": "incoming"}, {"answer": "other_value", "value": typed[:400]}],
        "records": [{"state": "active"}, {"kind": "article"}, {"label": "unverified"}, {"q": typed}],
        "record": [{"ns": "default"}],
        "rechecks": [
            {"show": "overdue", "q": typed},
            {"show": "later"},
            {"place": "made up"},
            {"kind": "moonlight"},
            {"done": str(desk.arguments["bulk_id"][0]), "left": f"{desk.fact.pk}:version_conflict,x:y", "more": "2"},
        ],
        "audit": [{"bulk": str(desk.finished.pk)}, {"action": "reject"}],
        "insights": [{"days": "90"}],
        "insights-rows": [{"figure": figure} for figure in _FIGURES],
    }


class _Forms(HTMLParser):
    """Every form of a page: where it goes, how, and the names of all its fields and buttons, those outside it included."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[dict[str, Any]] = []
        self.by_id: dict[str, dict[str, Any]] = {}
        self.outside: list[tuple[str, str]] = []
        self.links: list[str] = []
        self._open: dict[str, Any] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.links += [given[name] for name in ("href", "hx-get", "data-peek", "data-suggest") if name in given]
        if tag == "form":
            self._open = {"to": given.get("action", ""), "method": given.get("method", "get"), "fields": {}}
            self.forms.append(self._open)
            self.by_id[given.get("id", "")] = self._open
        elif tag in ("input", "textarea", "select", "button") and given.get("name"):
            if "form" in given:
                self.outside.append((given["form"], given["name"]))
            elif self._open is not None:
                self._open["fields"][given["name"]] = given.get("value", "")
            if "formaction" in given and self._open is not None:
                self.forms.append(self._open | {"to": given["formaction"]})

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = None


def forms_and_links(response: HttpResponse) -> tuple[list[dict[str, Any]], list[str]]:
    parser = _Forms()
    parser.feed(response.content.decode())
    for form_id, name in parser.outside:
        parser.by_id[form_id]["fields"].setdefault(name, "")
    return parser.forms, parser.links
