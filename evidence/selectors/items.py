"""Everything that the page of one held item shows, gathered once (screens "One at a time"). Reads only.

Plans and permissions come from the selectors that `decide` asks too, so that the page cannot promise something else.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from evidence.backends.registry import default_backend
from evidence.models import (
    Decision,
    DecisionTouch,
    Evidence,
    HeldLink,
    HeldRecord,
    Inquiry,
    User,
    Verification,
)
from evidence.models.visibility import roles_held
from evidence.rules.access import partitions_of
from evidence.rules.extraction import ExtractedClaim, extract_claim
from evidence.rules.labels import label_of_window
from evidence.rules.permissions import Refusal, Standpoint, may_decide
from evidence.rules.planning import Affected, Choices, Effect, EffectKind, Plan, Situation, plan
from evidence.rules.vocab import Action, Door, HeldKind, HeldStatus, ReasonCode
from evidence.selectors.matching import links_of, matching_of
from evidence.selectors.people import standpoint_of
from evidence.selectors.planning import situation_of, window_of
from evidence.selectors.policy import current_policy

EVIDENCE_SHOWN = 20
HISTORY_SHOWN = 12
CANDIDATES_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Shown:
    """A standing record beside the item: the row, its label now, and how the plan sees it."""

    row: Evidence
    label: str
    same_value: bool = False
    reviewed: bool = False
    # Ticked from the start where an item is superseded: it says something else, and is no reviewed article.
    likely: bool = False


@dataclass(frozen=True, slots=True)
class ItemView:
    held: HeldRecord
    plans: dict[str, Plan]
    standing: Standpoint
    # Why not: of any decision (no reviewer), and of approving in particular (four eyes); none when it is allowed.
    decide_refusal: Refusal | None
    approve_refusal: Refusal | None
    solo: bool
    links: list[HeldLink]
    more_evidence: int
    current: list[Shown]
    match_kind: str
    cues: tuple[str, ...]
    verification: Verification | None
    questions: list[Inquiry]
    decisions: list[Decision]
    earlier: list[HeldRecord]
    # What follows once a second person approves, where this approval is only the first of two.
    later: tuple[Effect, ...] = ()
    # What superseding does to the records that are ticked from the start.
    replacing: tuple[Effect, ...] = ()
    replaceable: list[Shown] = field(default_factory=list)

    @property
    def approve(self) -> Plan:
        return self.plans["approve"]

    @property
    def supersede(self) -> Plan:
        return self.plans["supersede"]

    @property
    def last_decision(self) -> Decision | None:
        return next((row for row in self.decisions if row.id == self.held.decision_id), None)


def roles_of(user: User) -> frozenset[str]:
    """The roles that the person has for any agent."""
    return frozenset(role for role, _ in roles_held(user))


def visible_item(user: User, held_id: UUID) -> HeldRecord | None:
    rows = HeldRecord.objects.visible_to(user).select_related(
        "agent",
        "lease_holder",
        "first_approver",
        "last_editor",
        "promotion",
        "held_evidence__evidence",
        "fact_proposal",
    )
    return rows.filter(pk=held_id).first()


def waiting_among(user: User, ids: Collection[UUID]) -> list[UUID]:
    """Those of the ids that wait and that the person may see."""
    rows = HeldRecord.objects.visible_to(user).waiting().filter(pk__in=ids) if ids else HeldRecord.objects.none()
    return list(rows.order_by("pk").values_list("pk", flat=True))


def item_view(held: HeldRecord, user: User, now: datetime) -> ItemView:
    """The whole page of one item. `held` comes from `visible_item`."""
    links = links_of(held)
    matching = matching_of(held, links, now) if held.kind == HeldKind.FACT_PROPOSAL else None
    situation = situation_of(held, user=user, now=now, matching=matching)
    standing = standpoint_of(user, held)
    policy = current_policy()
    approve, reject = (
        may_decide(
            action, standing, risk=held.risk, layer=held.layer, strict=policy.strict_four_eyes,
            two_approvals=policy.two_approvals,
        )
        for action in (Action.APPROVE, Action.REJECT)
    )  # fmt: skip
    current = _current(held, situation, now)
    return ItemView(
        held=held,
        plans={action.value: plan(situation, action) for action in Action},
        standing=standing,
        decide_refusal=reject.refusal,
        approve_refusal=approve.refusal,
        solo=approve.solo,
        links=links[:EVIDENCE_SHOWN],
        more_evidence=max(0, len(links) - EVIDENCE_SHOWN),
        current=current,
        match_kind=situation.match_kind,
        cues=matching.match.cues if matching else (),
        verification=held.verifications.order_by("-created_at", "-id").first(),
        questions=list(Inquiry.objects.open().filter(held=held).order_by("id")),
        decisions=decisions_about("held", str(held.id)),
        earlier=_earlier(held),
        later=_later(situation),
        replacing=_replacing(situation),
        replaceable=[shown for shown in current if not shown.reviewed],
    )


def supersede_plan(held: HeldRecord, user: User, now: datetime, chosen: Sequence[str]) -> Plan:
    """What superseding would do with these records named."""
    situation = situation_of(held, user=user, now=now, named=chosen)
    made = plan(replace(situation, approvals_needed=1), Action.SUPERSEDE, Choices(supersedes=tuple(chosen)))
    return replace(made, effects=(*first_of_two(situation), *made.effects))


def first_of_two(situation: Situation) -> tuple[Effect, ...]:
    """What stands before the effects of a decision that takes two people, when this would be the first."""
    if situation.approvals_have + 1 >= situation.approvals_needed:
        return ()
    words = "First of two approvals: what follows happens when another reviewer approves it too."
    return (Effect(EffectKind.FIRST_APPROVAL, "held", situation.held_id, words),)


def suggested_claim(held: HeldRecord) -> ExtractedClaim | None:
    """What a proposal that was filed without a claim seems to claim; an offer to a person, stored nowhere."""
    if held.kind != HeldKind.FACT_PROPOSAL or held.claim_key:
        return None
    return extract_claim(held.statement)


def find_replaceable(held: HeldRecord, user: User, now: datetime, text: str) -> list[Shown]:
    """Active records in reach of the item that have words of the text, the likest first; reviewed articles are left out."""
    partitions = tuple(sorted({"public", *partitions_of(held.scope)}))
    ids = default_backend().similar(
        namespace=held.namespace, text=text, partitions=partitions, limit=CANDIDATES_SHOWN * 2
    )
    rows = Evidence.objects.in_namespace(held.namespace).standing().visible_to(user).filter(record_id__in=ids)
    found = {row.record_id: row for row in rows if row.approval is None}
    ordered = [found[record_id] for record_id in ids if record_id in found]
    return [_shown(row, now) for row in ordered[:CANDIDATES_SHOWN]]


def decisions_about(kind: str, target_id: str, limit: int = HISTORY_SHOWN) -> list[Decision]:
    """Decisions that were about the object or touched it, newest first."""
    touching = DecisionTouch.objects.filter(target_kind=kind, target_id=target_id).values("decision_id")
    about = Q(target_kind=kind, target_id=target_id) | Q(id__in=touching)
    return list(Decision.objects.filter(about).order_by("-id")[:limit])


def closed_with(held: HeldRecord, user: User, limit: int = HISTORY_SHOWN) -> list[HeldRecord]:
    """Equal proposals that closed when this one was accepted (scenario S26), as far as the person may see them."""
    rows = HeldRecord.objects.visible_to(user).filter(replaced_by=held, reason_code=ReasonCode.DUPLICATE)
    return list(rows.order_by("id")[:limit])


def last_decision_of(held: HeldRecord) -> Decision | None:
    """The decision that ended it, where one did."""
    return Decision.objects.filter(pk=held.decision_id).first() if held.decision_id else None


def last_undoable(user: User, actions: Iterable[str]) -> Decision | None:
    """The person's own newest decision on a page about a held item, unless it was undone already.

    What a command did in their name (the demo) is not what the undo key means.
    """
    mine = Decision.objects.filter(actor_kind="person", actor_id=str(user.pk), door=Door.WEB).order_by("-id")[:20]
    wanted = [row for row in mine if row.action in actions and row.target_kind == "held"]
    undone = set(Decision.objects.filter(undoes__in=[row.id for row in wanted]).values_list("undoes", flat=True))
    return next((row for row in wanted if row.id not in undone), None)


def statement_by_id(held_id: str) -> str:
    """What the item says; empty when it is gone."""
    return HeldRecord.objects.filter(pk=held_id).values_list("statement", flat=True).first() or ""


def was_undone(decision: Decision) -> bool:
    return Decision.objects.filter(undoes=decision.id).exists()


def _later(situation: Situation) -> tuple[Effect, ...]:
    if situation.approvals_have + 1 >= situation.approvals_needed:
        return ()
    return plan(replace(situation, approvals_have=situation.approvals_needed - 1), Action.APPROVE).effects


def _replacing(situation: Situation) -> tuple[Effect, ...]:
    named = tuple(item for item in situation.affected if _likely(item))
    if not named:
        return ()
    full = replace(situation, named=named, approvals_needed=1)
    made = plan(full, Action.SUPERSEDE, Choices(supersedes=tuple(item.record_id for item in named)))
    return (*first_of_two(situation), *made.effects)


def _likely(item: Affected) -> bool:
    return not item.same_value and not item.reviewed


def _current(held: HeldRecord, situation: Situation, now: datetime) -> list[Shown]:
    known: dict[str, Affected] = {item.record_id: item for item in situation.affected}
    rows = Evidence.objects.in_namespace(held.namespace).filter(record_id__in=list(known))
    return [_shown(row, now, known[row.record_id]) for row in sorted(rows, key=lambda row: row.record_id)]


def _shown(row: Evidence, now: datetime, item: Affected | None = None) -> Shown:
    label = label_of_window(window_of(row), now)
    return Shown(row, label, item.same_value, item.reviewed, _likely(item)) if item else Shown(row, label)


def _earlier(held: HeldRecord) -> list[HeldRecord]:
    """What became of the same claim before: decided items on the claim key, else with the very same statement."""
    rows = HeldRecord.objects.saying(held).exclude(pk=held.pk).exclude(status=HeldStatus.WAITING)
    return list(rows.order_by("-created_at")[:HISTORY_SHOWN])
