"""Reading the audit for people: a list by time, and one row with the texts it committed to. Verifying is `selectors.audit`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar
from uuid import UUID

from evidence.models import Decision, HeldRecord, Inquiry, Snapshot, User
from evidence.rules.vocab import ActorKind, AuditAction
from evidence.selectors.filters import AddressFilter
from evidence.selectors.paging import Keyset, Page, page

PAGE_SIZE = 50
NEWEST = Keyset("audit", ("-id",))


@dataclass(frozen=True, slots=True)
class AuditFilter(AddressFilter):
    """What the audit shows. `who` is an actor's name, `target` an id."""

    WORDS: ClassVar[Mapping[str, frozenset[str]]] = {"action": frozenset(AuditAction), "by": frozenset(ActorKind)}

    action: str = ""
    by: str = ""
    who: str = ""
    agent: str = ""
    ns: str = ""
    target: str = ""
    bulk: str = ""

    @property
    def bulk_id(self) -> UUID | None:
        """The bulk whose rows are wanted; what is no id is the id of none."""
        try:
            return UUID(self.bulk) if self.bulk else None
        except ValueError:
            return UUID(int=0)


def listing(user: User, wanted: AuditFilter, *, after: str = "", limit: int = PAGE_SIZE) -> Page[Decision]:
    rows = Decision.objects.visible_to(user)
    exact = {
        "action": wanted.action, "actor_kind": wanted.by, "actor_name": wanted.who, "agent": wanted.agent,
        "namespace": wanted.ns, "target_id": wanted.target, "bulk_id": wanted.bulk_id,
    }  # fmt: skip
    rows = rows.filter(**{column: word for column, word in exact.items() if word})
    return page(rows, NEWEST, after=after, limit=limit)


def subjects_of(rows: Iterable[Decision], user: User) -> dict[str, str]:
    """What the rows are about, in the words of the item or the question, by target id; only what the person may see."""
    ids: dict[str, list[str]] = {"held": [], "inquiry": []}
    for row in rows:
        ids.get(row.target_kind, []).append(row.target_id)
    held = HeldRecord.objects.visible_to(user).filter(pk__in=ids["held"]).values_list("pk", "statement")
    asked = Inquiry.objects.visible_to(user).filter(pk__in=ids["inquiry"]).values_list("pk", "question")
    return {str(pk): text for pk, text in (*held, *asked)}


@dataclass(frozen=True, slots=True)
class Text:
    """A text that a row committed to: its name, its body (parsed where it is JSON), or that it was purged."""

    name: str
    body: Any
    purged: bool
    sha256: str

    @property
    def entries(self) -> list[tuple[str, Any]]:
        return sorted(self.body.items()) if isinstance(self.body, dict) else []


@dataclass(frozen=True, slots=True)
class DecisionView:
    row: Decision
    texts: list[Text]
    held: HeldRecord | None
    undone_by: Decision | None


def visible_decision(user: User, decision_id: UUID) -> Decision | None:
    return Decision.objects.visible_to(user).filter(pk=decision_id).first()


def decision_view(row: Decision, user: User) -> DecisionView:
    held = None
    if row.target_kind == "held":
        held = HeldRecord.objects.visible_to(user).filter(pk=row.target_id).select_related("agent").first()
    return DecisionView(row, texts_of(row), held, Decision.objects.filter(undoes=row.id).first())


def texts_of(row: Decision) -> list[Text]:
    kept = {
        str(one.id): one for one in Snapshot.objects.filter(id__in=[p["snapshot"] for p in row.commitments.values()])
    }
    return [_text(name, promise, kept.get(promise["snapshot"])) for name, promise in sorted(row.commitments.items())]


def _text(name: str, promise: Mapping[str, str], snapshot: Snapshot | None) -> Text:
    if snapshot is None or snapshot.body is None:
        return Text(name, None, True, promise["sha256"])
    try:
        body: Any = json.loads(snapshot.body)
    except ValueError:
        body = snapshot.body
    return Text(name, body, False, promise["sha256"])


def answer_of(inquiry: Inquiry) -> Decision | None:
    """The decision that ended a question."""
    return Decision.objects.filter(pk=inquiry.decision_id).first() if inquiry.decision_id else None


def asked_by(decision: Decision) -> Inquiry | None:
    """The question that a decision is about."""
    return Inquiry.objects.filter(pk=decision.target_id).first() if decision.target_kind == "inquiry" else None


def undoings(decisions: Iterable[Decision]) -> list[Decision]:
    """What took these back."""
    return list(Decision.objects.filter(undoes__in=[one.pk for one in decisions]))


def about_in_bulk(bulk_id: UUID, target_id: UUID) -> Decision | None:
    """What became of one item in a bulk."""
    return Decision.objects.filter(bulk_id=bulk_id, target_id=str(target_id)).first()
