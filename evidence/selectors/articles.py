"""Reading articles for people: the list, one article with its versions and who approved them, and what nobody reviewed yet.

An article is all records of kind `article` with one source in one namespace; each of them is one version. Reads only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar
from uuid import UUID

from django.db.models import Exists, OuterRef, Q

from evidence.models import Agent, Decision, DecisionTouch, Evidence, HeldRecord, Inquiry, RecordLink, User
from evidence.models.evidence import EvidenceQuerySet
from evidence.rules.usability import usable
from evidence.rules.vocab import AuditAction, HeldKind, Kind, Label, Review, State
from evidence.selectors.filters import AddressFilter
from evidence.selectors.paging import Keyset, Page, read_cursor, write_cursor
from evidence.selectors.planning import article_versions, current_article
from evidence.selectors.records import Labelled, labelled, with_label

PAGE_SIZE = 50
SCAN_LIMIT = 20_000
VERSIONS_SHOWN = 50
ABOUT_SHOWN = 20
COUNTED = 2_000
NEWEST = Keyset("articles", ("-ingested_at", "-pk_uuid"))
UNSEEN = (Review.HELD, Review.REJECTED)


@dataclass(frozen=True, slots=True)
class ArticleFilter(AddressFilter):
    """What the list shows. `label`: approved is reviewed, unverified is never reviewed; no other label is an article's."""

    WORDS: ClassVar[Mapping[str, frozenset[str]]] = {"label": frozenset(Label)}

    q: str = ""
    label: str = ""
    agent: str = ""
    ns: str = ""


def standing(user: User) -> EvidenceQuerySet:
    """Every article that the person may see, once: its reviewed version, else what stands there unreviewed."""
    reviewed = Evidence.objects.active().filter(
        namespace=OuterRef("namespace"), source_id=OuterRef("source_id"), kind=Kind.ARTICLE, approval_by__gt=""
    )  # fmt: skip
    rows = Evidence.objects.visible_to(user).active().filter(kind=Kind.ARTICLE).exclude(review__in=UNSEEN)
    return rows.filter(Q(approval_by__gt="") | ~Exists(reviewed))


def listing(
    user: User, wanted: ArticleFilter, now: datetime, *, after: str = "", limit: int = PAGE_SIZE
) -> Page[Evidence]:
    """One page, newest first. What no index knows is asked of a bounded stretch, and the page says so."""
    position = read_cursor(NEWEST, after) if after else None
    stretch = NEWEST.order(Evidence.objects.visible_to(user).active().filter(kind=Kind.ARTICLE))
    stretch = NEWEST.after(stretch, position) if position else stretch
    if not any((wanted.q, wanted.label, wanted.agent, wanted.ns)):
        rows = NEWEST.order(standing(user))
        return _paged(list((NEWEST.after(rows, position) if position else rows)[: limit + 1]), limit)
    rows = standing(user).filter(pk__in=stretch.values("pk")[:SCAN_LIMIT])
    rows = with_label(rows, wanted.label, now) if wanted.label else rows
    exact = {"scope_owner": wanted.agent, "namespace": wanted.ns}
    rows = rows.filter(**{column: word for column, word in exact.items() if word})
    for word in wanted.words:
        rows = rows.filter(Q(content__icontains=word) | Q(summary__icontains=word) | Q(source_id__icontains=word))
    found = list(NEWEST.order(rows)[: limit + 1])
    if len(found) > limit:
        return _paged(found, limit)
    last = list(stretch[SCAN_LIMIT - 1 : SCAN_LIMIT])
    return Page(found, _cursor(last[0]) if last else "", SCAN_LIMIT if last else None)


def _paged(found: list[Evidence], limit: int) -> Page[Evidence]:
    return Page(found[:limit], _cursor(found[limit - 1]) if len(found) > limit else "")


def _cursor(row: Evidence) -> str:
    return write_cursor(NEWEST, NEWEST.position(row))


def waiting_for(rows: Iterable[Evidence], user: User) -> dict[tuple[str, str], int]:
    """How many proposals wait for each of these articles, by namespace and source, as far as the person may see them."""
    found: dict[tuple[str, str], int] = {}
    proposals = HeldRecord.objects.waiting().visible_to(user).filter(
        kind=HeldKind.PROMOTION_PROPOSAL, promotion__target_source__in={row.source_id for row in rows}
    )  # fmt: skip
    for key in proposals.order_by("pk").values_list("namespace", "promotion__target_source")[:SCAN_LIMIT]:
        found[key] = found.get(key, 0) + 1
    return found


@dataclass(frozen=True, slots=True)
class ArticleVersion:
    """One version, its label, and how it came to be approved: the item or question, and the row of the audit."""

    row: Evidence
    label: str
    proposal: HeldRecord | None = None
    decision: Decision | None = None


@dataclass(frozen=True, slots=True)
class ArticleView:
    """`row` is the version that is looked at; `current` the one that stands, none where the article is gone."""

    row: Evidence
    label: str
    current: Evidence | None
    versions: list[ArticleVersion]
    more_versions: bool
    waiting: list[HeldRecord]
    decided: list[HeldRecord]
    questions: list[Inquiry]
    facts: list[Labelled]

    @property
    def is_current(self) -> bool:
        return self.current is not None and self.current.pk == self.row.pk

    @property
    def shown(self) -> ArticleVersion | None:
        return next((one for one in self.versions if one.row.pk == self.row.pk), None)


def find_article(user: User, record_id: str, namespace: str = "") -> Evidence | None:
    """A version of an article by the contract's id; without a namespace the newest that the person may see."""
    rows = Evidence.objects.visible_to(user).filter(record_id=record_id, kind=Kind.ARTICLE)
    rows = rows.filter(namespace=namespace) if namespace else rows
    return rows.order_by("-ingested_at").first()


def version_of(row: Evidence, user: User, record_id: str) -> Evidence | None:
    """Another version of the same article."""
    rows = article_versions(row.namespace, row.source_id).visible_to(user)
    return rows.filter(record_id=record_id).first() if record_id else None


def article_view(row: Evidence, user: User, now: datetime) -> ArticleView:
    versions = article_versions(row.namespace, row.source_id).visible_to(user).order_by("-ingested_at", "-pk_uuid")
    found = list(versions[: VERSIONS_SHOWN + 1])
    shown = found[:VERSIONS_SHOWN]
    if row.pk not in {one.pk for one in shown}:
        shown.append(row)
    ids = [one.record_id for one in shown]
    proposals = HeldRecord.objects.visible_to(user).filter(
        namespace=row.namespace, kind=HeldKind.PROMOTION_PROPOSAL, promotion__target_source=row.source_id
    )  # fmt: skip
    about = Q(current_record__in=ids) | Q(incoming_record__in=ids)
    asked = Inquiry.objects.visible_to(user).filter(about, namespace=row.namespace)
    return ArticleView(
        row=row,
        label=labelled(row, now).label,
        current=current_article(row.namespace, row.source_id),
        versions=_with_approvals(shown, user, now),
        more_versions=len(found) > VERSIONS_SHOWN,
        waiting=list(proposals.waiting().select_related("promotion").order_by("-id")[:ABOUT_SHOWN]),
        decided=list(proposals.exclude(status="waiting").order_by("-id")[:ABOUT_SHOWN]),
        questions=list(asked.order_by("-asked_at")[:ABOUT_SHOWN]),
        facts=[labelled(one, now) for one in _facts_from(shown, user)],
    )


def _with_approvals(rows: list[Evidence], user: User, now: datetime) -> list[ArticleVersion]:
    held = {str(one.pk): one for one in HeldRecord.objects.visible_to(user).filter(pk__in=_ids_in(rows))}
    touches = DecisionTouch.objects.filter(target_kind="record", target_id__in=[str(row.pk) for row in rows])
    approving = touches.filter(decision__action=AuditAction.APPROVE).select_related("decision").order_by("pk")
    made = {(touch.target_id, touch.decision.target_id): touch.decision for touch in approving}
    versions = []
    for row in rows:
        key = str(row.pk)
        decision = made.get((key, row.approval_proposal)) or made.get((key, key)) if row.approval_by else None
        versions.append(ArticleVersion(row, labelled(row, now).label, held.get(row.approval_proposal), decision))
    return versions


def _ids_in(rows: list[Evidence]) -> list[UUID]:
    """Approvals that name an item here; one that came from elsewhere names what it was called there."""
    found: list[UUID] = []
    for row in rows:
        try:
            found.append(UUID(row.approval_proposal))
        except ValueError:
            continue
    return found


def _facts_from(rows: list[Evidence], user: User) -> list[Evidence]:
    """Facts with a version of the article behind them, or that one became."""
    backed = RecordLink.objects.filter(evidence__in=rows, record__kind=Kind.FACT).values("record")
    became = [row.superseded_by for row in rows if row.superseded_by]
    facts = Evidence.objects.visible_to(user).filter(kind=Kind.FACT, namespace=rows[0].namespace)
    return list(facts.filter(Q(pk__in=backed) | Q(record_id__in=became)).order_by("-ingested_at")[:ABOUT_SHOWN])


def never_reviewed(agent_id: str, namespace: str, limit: int) -> list[Evidence]:
    """Articles of the agent that stand, may be shown, and were reviewed by nobody; one version of each, by name."""
    reviewed = Evidence.objects.active().filter(
        namespace=namespace, source_id=OuterRef("source_id"), kind=Kind.ARTICLE, approval_by__gt=""
    )  # fmt: skip
    rows = (
        Evidence.objects.in_namespace(namespace)
        .filter(kind=Kind.ARTICLE, state=State.ACTIVE, scope_owner=agent_id, approval_by="")
        .exclude(review__in=UNSEEN)
        .filter(~Exists(reviewed))
    )
    newest: dict[str, Evidence] = {}
    for row in rows.order_by("-ingested_at", "-pk_uuid")[: limit * 2]:
        if usable(row.to_record(), scan_secrets=False).usable:
            newest.setdefault(row.source_id, row)
    return sorted(newest.values(), key=lambda row: row.source_id)[:limit]


def never_reviewed_by_agent(user: User) -> dict[tuple[str, str], int]:
    """How many articles nobody reviewed, by agent and namespace, among the newest that the person may see."""
    rows = NEWEST.order(standing(user).filter(approval_by="")).values_list("scope_owner", "namespace")
    return dict(sorted(Counter(rows[:COUNTED]).items()))


def by_id(user: User, namespace: str, record_ids: Iterable[str]) -> dict[str, Evidence]:
    """Of these versions those that are here and that the person may see."""
    rows = Evidence.objects.in_namespace(namespace).visible_to(user).filter(record_id__in=list(record_ids))
    return {row.record_id: row for row in rows}


def version_named(namespace: str, source_id: str, version: str) -> Evidence | None:
    """The version of an article that a proposal was written against."""
    return article_versions(namespace, source_id).filter(source_version=version).first() if version else None


def may_open(row: Evidence, user: User) -> bool:
    return Evidence.objects.visible_to(user).filter(pk=row.pk).exists()


def known_agents(names: Iterable[str]) -> set[str]:
    return set(Agent.objects.filter(pk__in=list(names)).values_list("pk", flat=True))
