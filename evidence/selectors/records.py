"""Reading records for people: lists by kind and state, the label as of now, and one record with its life. Reads only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from django.db.models import Q

from evidence.models import Decision, Evidence, HeldRecord, Inquiry, RecallItem, RecordLink, User
from evidence.models.evidence import EvidenceQuerySet
from evidence.rules.labels import label_of_window
from evidence.rules.vocab import Kind, Label, State
from evidence.selectors.filters import AddressFilter
from evidence.selectors.items import decisions_about
from evidence.selectors.paging import Capped, Keyset, Page, capped_count, read_cursor, write_cursor
from evidence.selectors.planning import window_of

PAGE_SIZE = 50
SCAN_LIMIT = 20_000
VERSIONS = 20
NEWEST = Keyset("records", ("-ingested_at", "-pk_uuid"))
SHOWN_KINDS = (Kind.FACT, Kind.ARTICLE, Kind.OBSERVATION)


@dataclass(frozen=True, slots=True)
class RecordFilter(AddressFilter):
    """What the list of records shows; always one kind in one state, so that an index gives the order."""

    WORDS: ClassVar[Mapping[str, frozenset[str]]] = {
        "kind": frozenset(SHOWN_KINDS),
        "state": frozenset(State),
        "label": frozenset(Label),
    }

    q: str = ""
    kind: str = Kind.FACT.value
    state: str = State.ACTIVE.value
    label: str = ""
    agent: str = ""
    ns: str = ""


@dataclass(frozen=True, slots=True)
class Labelled:
    """A record with its label at the time of looking."""

    row: Evidence
    label: str


def labelled(row: Evidence, now: datetime) -> Labelled:
    return Labelled(row, label_of_window(window_of(row), now))


def with_label(rows: EvidenceQuerySet, label: str, now: datetime) -> EvidenceQuerySet:
    """Rows whose label is this one at `now`, by the stored instants (contract 2)."""
    begun = Q(label_base="dated", verified_from__isnull=False, verified_from__lte=now)
    over = Q(expires_at__isnull=False, expires_at__lte=now)
    wanted = {
        Label.APPROVED: Q(label_base="approved"),
        Label.VERIFIED: begun & ~over,
        Label.STALE: begun & over,
        Label.UNVERIFIED: ~Q(label_base="approved") & ~begun,
    }
    return rows.filter(wanted[Label(label)])


def listing(
    user: User, wanted: RecordFilter, now: datetime, *, after: str = "", limit: int = PAGE_SIZE
) -> Page[Evidence]:
    """One page, newest first. Filters without an index of their own look at a bounded stretch and say so."""
    position = read_cursor(NEWEST, after) if after else None
    base = Evidence.objects.visible_to(user).filter(kind=wanted.kind, state=wanted.state)
    stretch = NEWEST.order(base)
    stretch = NEWEST.after(stretch, position) if position else stretch
    if not any((wanted.q, wanted.label, wanted.agent, wanted.ns)):
        found = list(stretch[: limit + 1])
        return Page(found[:limit], _cursor(found[limit - 1]) if len(found) > limit else "")
    rows = _narrowed(Evidence.objects.filter(pk__in=stretch.values("pk")[:SCAN_LIMIT]), wanted, now)
    found = list(NEWEST.order(rows)[: limit + 1])
    if len(found) > limit:
        return Page(found[:limit], _cursor(found[limit - 1]))
    last = list(stretch[SCAN_LIMIT - 1 : SCAN_LIMIT])
    return Page(found, _cursor(last[0]) if last else "", SCAN_LIMIT if last else None)


def _cursor(row: Evidence) -> str:
    return write_cursor(NEWEST, NEWEST.position(row))


def _narrowed(rows: EvidenceQuerySet, wanted: RecordFilter, now: datetime) -> EvidenceQuerySet:
    exact = {"scope_owner": wanted.agent, "namespace": wanted.ns}
    rows = rows.filter(**{column: word for column, word in exact.items() if word})
    rows = with_label(rows, wanted.label, now) if wanted.label else rows
    for word in wanted.q.split():
        said = Q(content__icontains=word) | Q(claim_subject__icontains=word) | Q(claim_value__icontains=word)
        rows = rows.filter(said | Q(record_id=word) | Q(source_id=word))
    return rows


def kind_counts(user: User) -> dict[str, Capped]:
    """How many active records there are of each kind, capped."""
    seen = Evidence.objects.visible_to(user).active()
    return {kind.value: capped_count(seen.filter(kind=kind)) for kind in SHOWN_KINDS}


@dataclass(frozen=True, slots=True)
class RecordView:
    row: Evidence
    label: str
    backing: list[RecordLink]
    derived: list[Evidence]
    versions: list[Evidence]
    replaced_by: Evidence | None
    proposal: HeldRecord | None
    decisions: list[Decision]
    questions: list[Inquiry]
    recalls: Capped


def find_record(user: User, record_id: str, namespace: str = "") -> Evidence | None:
    """By the contract's id; where several namespaces hold it and none is named, the newest that the person may see."""
    rows = Evidence.objects.visible_to(user).filter(record_id=record_id)
    rows = rows.filter(namespace=namespace) if namespace else rows
    return rows.order_by("-ingested_at").first()


def record_view(row: Evidence, user: User, now: datetime) -> RecordView:
    same = Evidence.objects.in_namespace(row.namespace).visible_to(user)
    return RecordView(
        row=row,
        label=label_of_window(window_of(row), now),
        backing=list(RecordLink.objects.filter(record=row).select_related("evidence").order_by("id")[:50]),
        derived=list(same.filter(record_id__in=list(row.derived_from)[:50])),
        versions=_versions(row, same),
        replaced_by=same.filter(record_id=row.superseded_by).first() if row.superseded_by else None,
        proposal=_proposal_of(row, user),
        decisions=decisions_about("record", str(row.pk), limit=30),
        questions=list(Inquiry.objects.naming(row.namespace, [row.record_id]).visible_to(user)[:10]),
        recalls=capped_count(RecallItem.objects.filter(namespace=row.namespace, record_id=row.record_id)),
    )


def _versions(row: Evidence, same: EvidenceQuerySet) -> list[Evidence]:
    """Other versions of its source, and facts on its claim; newest first. Two questions: one with "or" reads every row."""
    others = same.exclude(pk=row.pk).order_by("-ingested_at")
    found = list(others.filter(source_id=row.source_id)[:VERSIONS])
    if row.claim_key:
        found += others.on_claim(row.namespace, row.claim_key).filter(kind=Kind.FACT)[:VERSIONS]
    newest = sorted({one.pk: one for one in found}.values(), key=lambda one: one.ingested_at, reverse=True)
    return newest[:VERSIONS]


def _proposal_of(row: Evidence, user: User) -> HeldRecord | None:
    made_by = Q(fact_proposal__result=row) | Q(fact_proposal__observation=row) | Q(promotion__result=row)
    seen = HeldRecord.objects.visible_to(user)
    return seen.filter(made_by | Q(held_evidence__evidence=row)).select_related("agent").order_by("-id").first()
