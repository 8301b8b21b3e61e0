"""The plan: what a decision would do, as a value that the page shows and the decision carries out (DESIGN "One way to decide").

Pure: the situation is gathered elsewhere, `now` is an argument. The digest names what the person saw; when the situation
moved meanwhile the digests differ and the decision answers 409 with the new plan (contract 13).
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from itertools import chain

from evidence.rules.chain import canonical_json
from evidence.rules.permissions import Refusal
from evidence.rules.times import to_iso
from evidence.rules.vocab import (
    NON_DURABLE,
    Action,
    HeldKind,
    HeldStatus,
    Label,
    Layer,
    MatchKind,
    Outcome,
    VerificationStatus,
)


class EffectKind(StrEnum):
    CREATE_RECORD = "create_record"
    SUPERSEDE_RECORD = "supersede_record"
    LINK_EVIDENCE = "link_evidence"
    REFRESH_CHECK = "refresh_check"
    WRITE_ARTICLE = "write_article"
    APPROVE_EVIDENCE = "approve_evidence"
    REJECT = "reject"
    CLOSE_EQUAL = "close_equal"
    CLOSE_QUESTION = "close_question"
    OPEN_QUESTION = "open_question"
    FIRST_APPROVAL = "first_approval"
    SNOOZE = "snooze"


class NeedKind(StrEnum):
    """What the person still has to say; the value is the error code when it is missing."""

    CHECK_DATE = "check_date_required"
    CONVERSION = "conversion_required"
    RATIFICATION = "ratification_required"
    SUPERSEDES = "supersedes_required"
    REASON = "reason_required"


@dataclass(frozen=True, slots=True)
class Need:
    kind: NeedKind
    detail: str


@dataclass(frozen=True, slots=True)
class Effect:
    """One thing that happens. `words` is a plain sentence; `version` is the target's version as the plan saw it."""

    kind: EffectKind
    target_kind: str
    target_id: str
    words: str
    version: int = 0

    def as_dict(self) -> dict[str, object]:
        """Ids and words of the vocabulary only, for the audit row; the sentence goes into the snapshot."""
        return {"kind": self.kind.value, "target_kind": self.target_kind, "target_id": self.target_id}


@dataclass(frozen=True, slots=True)
class Affected:
    """A standing record that the item is about."""

    record_id: str
    version: int
    kind: str
    text: str
    label: str
    reviewed: bool = False
    same_value: bool = False
    on_key: bool = False
    outcome: str = Outcome.SUPERSEDE


@dataclass(frozen=True, slots=True)
class Ref:
    id: str
    version: int
    words: str = ""


@dataclass(frozen=True, slots=True)
class LabelPreview:
    """The label that an approval gives: `at` is the check's date, `expires_at` when the label turns (none = never)."""

    label: str
    at: datetime
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class Situation:
    held_id: str
    kind: str
    status: str
    agent: str
    match_kind: str
    risk: str
    layer: str
    durability: str
    verification_status: str
    policy_version: int
    approvals_needed: int = 1
    approvals_have: int = 0
    # No article among these may be replaced by a fact; facts may.
    affected: tuple[Affected, ...] = ()
    equals: tuple[Ref, ...] = ()
    questions: tuple[Ref, ...] = ()
    source_label: LabelPreview | None = None
    now_label: LabelPreview | None = None
    # Promotion proposals: the article's version now, and the one the text was written against.
    target_source: str = ""
    base_version: str = ""
    current_version: str = ""
    # The article was here and is not any more; or it was never here in the version that the text was written against.
    target_gone: bool = False
    base_unknown: bool = False
    evidence_record: str = ""
    named: tuple[Affected, ...] = ()


@dataclass(frozen=True, slots=True)
class Choices:
    """What the person said beside the action. `checked` is "", "source", "now" or "date"."""

    checked: str = ""
    durability: str = ""
    ratify: bool = False
    supersedes: tuple[str, ...] = ()
    reason_code: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    action: str
    effects: tuple[Effect, ...]
    needs: tuple[Need, ...] = ()
    refusal: Refusal | None = None
    labels: dict[str, LabelPreview] = field(default_factory=dict)
    approvals: tuple[int, int] = (0, 1)
    digest: str = ""

    def need(self, kind: NeedKind) -> Need | None:
        return next((need for need in self.needs if need.kind == kind), None)


def plan(situation: Situation, action: str, choices: Choices | None = None) -> Plan:
    """What `action` would do here. Never raises: what is impossible is a `refusal`, what is missing a `need`."""
    chosen = choices or Choices()
    refusal = _refusal(situation, action)
    needs = () if refusal else _needs(situation, action, chosen)
    effects = () if refusal else _effects(situation, action, chosen)
    labels = {}
    if action in (Action.APPROVE, Action.SUPERSEDE) and situation.kind == HeldKind.FACT_PROPOSAL:
        labels = {
            name: preview
            for name, preview in (("source", situation.source_label), ("now", situation.now_label))
            if preview is not None
        }
    return Plan(
        action=action,
        effects=effects,
        needs=needs,
        refusal=refusal,
        labels=labels,
        approvals=(situation.approvals_have, situation.approvals_needed),
        digest=digest_of(situation, action),
    )


def digest_of(situation: Situation, action: str) -> str:
    """Names everything the outcome depends on, apart from the item's own version (checked on its own) and the person.

    What the person chooses on the page (date, records to replace, durability) is an argument of the decision, not of
    the situation, and so is not part of it.
    """
    seen: dict[str, object] = {"action": str(action), "held": situation.held_id, "status": str(situation.status)}
    if action in (Action.APPROVE, Action.SUPERSEDE):
        seen |= {
            "affected": sorted([item.record_id, item.version] for item in situation.affected),
            "equals": sorted([item.id, item.version] for item in situation.equals),
            "match": str(situation.match_kind),
            "risk": str(situation.risk),
            "layer": str(situation.layer),
            "durability": str(situation.durability),
            "approvals": [situation.approvals_have, situation.approvals_needed],
            "label": str(situation.source_label.label) if situation.source_label else None,
            "article": [situation.target_source, situation.current_version],
            "policy": situation.policy_version,
        }
    if action != Action.SNOOZE:
        seen["questions"] = sorted([item.id, item.version] for item in situation.questions)
    return hashlib.sha256(canonical_json(seen).encode()).hexdigest()[:32]


def _refusal(situation: Situation, action: str) -> Refusal | None:
    if situation.status != HeldStatus.WAITING:
        return Refusal("already_decided", f"This item is already {situation.status}.")
    if action not in (Action.APPROVE, Action.SUPERSEDE):
        return None
    if situation.verification_status == VerificationStatus.REJECTED:
        return Refusal(
            "verification_rejected",
            "The verifier rejects this; unlink the bad evidence or correct the cause before approving it.",
        )
    if situation.kind == HeldKind.PROMOTION_PROPOSAL and situation.base_version != situation.current_version:
        return Refusal("base_changed", _base_words(situation))
    if situation.kind == HeldKind.FACT_PROPOSAL:
        article = _blocking_article(situation)
        if article:
            return Refusal(
                "reviewed_article",
                f"A reviewed article stands there ({article.record_id}); its text changes only through a promotion proposal.",
            )
    if action == Action.SUPERSEDE and situation.kind != HeldKind.FACT_PROPOSAL:
        return Refusal("invalid_value", "Only a fact proposal can replace named records.")
    return None


def _base_words(situation: Situation) -> str:
    if situation.target_gone:
        return "The article that this changes is gone; the proposal expires."
    if situation.base_unknown:
        return "The version that this text was written against is not here: bring the text onto what stands now."
    if not situation.base_version:
        return "An article was written there since: bring this text onto it."
    return "The article changed since this text was written against it: bring the text onto it."


def _blocking_article(situation: Situation) -> Affected | None:
    otherwise = (item for item in situation.affected if item.reviewed and not item.same_value)
    # One that says the same is not contradicted, but naming it would supersede it all the same.
    return next(chain(otherwise, (item for item in situation.named if item.reviewed)), None)


def _needs(situation: Situation, action: str, chosen: Choices) -> tuple[Need, ...]:
    needs: list[Need] = []
    if action in (Action.REJECT, Action.SUPERSEDE) and not chosen.reason_code:
        needs.append(Need(NeedKind.REASON, "Say why, with one of the reason codes."))
    if action in (Action.APPROVE, Action.SUPERSEDE) and situation.kind != HeldKind.HELD_EVIDENCE:
        needs += _approval_needs(situation, action, chosen)
    return tuple(needs)


def _approval_needs(situation: Situation, action: str, chosen: Choices) -> list[Need]:
    needs: list[Need] = []
    if situation.layer == Layer.L1 and not chosen.ratify:
        needs.append(Need(NeedKind.RATIFICATION, "L1 memory shapes every session: ratify it expressly."))
    if situation.durability in NON_DURABLE and not chosen.durability:
        needs.append(
            Need(NeedKind.CONVERSION, f"This was filed as {situation.durability}: say for how long it should hold.")
        )
    if situation.kind != HeldKind.FACT_PROPOSAL:
        return needs
    if situation.source_label is None and chosen.checked in ("", "source"):
        needs.append(Need(NeedKind.CHECK_DATE, "The source has no usable date: say when this was checked."))
    if action == Action.SUPERSEDE and not chosen.supersedes:
        needs.append(Need(NeedKind.SUPERSEDES, "Choose the records that this replaces."))
    if action == Action.APPROVE and situation.match_kind == MatchKind.AMBIGUOUS:
        needs.append(
            Need(NeedKind.SUPERSEDES, "Several records are about this: choose Supersede and name those it replaces.")
        )
    return needs


def _effects(situation: Situation, action: str, chosen: Choices) -> tuple[Effect, ...]:
    if action == Action.SNOOZE:
        return (Effect(EffectKind.SNOOZE, "held", situation.held_id, "Hidden from everybody's queue until the date."),)
    if action == Action.ASK_OWNER:
        return (
            Effect(
                EffectKind.OPEN_QUESTION,
                "held",
                situation.held_id,
                "Asks the owner of the agent; the item goes on waiting.",
            ),
        )
    if action == Action.REJECT:
        return (*_rejection(situation), *_closed_questions(situation, "current"))
    if situation.approvals_have + 1 < situation.approvals_needed:
        words = "Recorded as the first of two approvals; another reviewer has to give the second."
        return (Effect(EffectKind.FIRST_APPROVAL, "held", situation.held_id, words),)
    if situation.kind == HeldKind.HELD_EVIDENCE:
        words = "The capture counts as reviewed: it may be shown, but stays unverified until somebody checks it."
        approved = Effect(EffectKind.APPROVE_EVIDENCE, "record", situation.evidence_record, words)
        return (approved, *_closed_questions(situation, "incoming"))
    if situation.kind == HeldKind.PROMOTION_PROPOSAL:
        return (*_article(situation), *_closed_questions(situation, "incoming"))
    return (*_fact(situation, action, chosen), *_equals(situation), *_closed_questions(situation, "incoming"))


def _rejection(situation: Situation) -> tuple[Effect, ...]:
    words = "Kept as rejected; the reason goes back to the agent. Nothing that agents see changes."
    return (Effect(EffectKind.REJECT, "held", situation.held_id, words),)


def _article(situation: Situation) -> tuple[Effect, ...]:
    verb = "Replaces the text of" if situation.current_version else "Writes a new article,"
    words = f"{verb} {situation.target_source}, approved by you."
    return (Effect(EffectKind.WRITE_ARTICLE, "record", situation.target_source, words),)


def _fact(situation: Situation, action: str, chosen: Choices) -> tuple[Effect, ...]:
    existing = next((item for item in situation.affected if item.same_value), None)
    replaced = _replaced(situation, action, chosen)
    if existing and existing.record_id not in {item.record_id for item in replaced}:
        words = f"Adds its evidence to the record that says so already: “{existing.text}”."
        effects = [Effect(EffectKind.LINK_EVIDENCE, "record", existing.record_id, words, existing.version)]
        if not existing.reviewed:
            words = f"Refreshes the check of that record (now {existing.label})."
            effects.append(Effect(EffectKind.REFRESH_CHECK, "record", existing.record_id, words, existing.version))
    else:
        words = "Becomes a fact that agents may recall."
        effects = [Effect(EffectKind.CREATE_RECORD, "held", situation.held_id, words)]
    for item in replaced:
        words = f"Replaces “{item.text}” ({item.label}), which becomes superseded."
        effects.append(Effect(EffectKind.SUPERSEDE_RECORD, "record", item.record_id, words, item.version))
    return tuple(effects)


_REPLACING = frozenset({MatchKind.POTENTIAL_CONFLICT, MatchKind.UPDATES, MatchKind.SUPERSEDES})


def _replaced(situation: Situation, action: str, chosen: Choices) -> tuple[Affected, ...]:
    """On supersede the named ones; on approve what it is matched with as other; in any case what holds the same key."""
    if action == Action.SUPERSEDE:
        taken = [item for item in situation.affected if item.on_key and not item.same_value]
        known = {item.record_id for item in taken}
        return tuple(taken + [item for item in situation.named if item.record_id not in known])
    other = [item for item in situation.affected if not item.same_value and not item.reviewed]
    if situation.match_kind in _REPLACING:
        return tuple(other)
    return tuple(item for item in other if item.on_key)


def _equals(situation: Situation) -> tuple[Effect, ...]:
    return tuple(
        Effect(
            EffectKind.CLOSE_EQUAL,
            "held",
            item.id,
            f"Closes the equal proposal of {item.words}, credited.",
            item.version,
        )
        for item in situation.equals
    )


_ANSWER_WORDS = {"incoming": "what is proposed is true", "current": "what stands is true"}


def _closed_questions(situation: Situation, answer: str) -> tuple[Effect, ...]:
    words = f"Answers the owner's open question: {_ANSWER_WORDS[answer]}."
    return tuple(
        Effect(EffectKind.CLOSE_QUESTION, "inquiry", item.id, words, item.version) for item in situation.questions
    )


def label_words(preview: LabelPreview) -> str:
    """ "verified until 2 Dec" as data: label, and the instant it turns, for doors."""
    turns = f" until {to_iso(preview.expires_at)}" if preview.expires_at and preview.label == Label.VERIFIED else ""
    return f"{preview.label}{turns}"
