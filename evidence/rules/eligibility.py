"""Where a claim comes from, and what that allows: trust class, eligibility, risk (contract 6, 12.12, 12.19).

Judges words and counts only; it reads no text (signals come in as words) and knows no policy or mode.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from evidence.rules.records import LinkedEvidence
from evidence.rules.vocab import (
    DURABLE,
    HIGH_SIGNALS,
    Durability,
    Eligibility,
    Layer,
    Polarity,
    Risk,
    Trust,
    TrustClass,
    VerificationStatus,
)

_AUTO, _REVIEW = Eligibility.AUTO_CANDIDATE, Eligibility.REVIEW_ONLY
_LOW, _MEDIUM, _HIGH = Risk.LOW, Risk.MEDIUM, Risk.HIGH
_DURABILITIES = frozenset(Durability)
_STEPS: tuple[Risk, ...] = (_LOW, _MEDIUM, _HIGH)


@dataclass(frozen=True, slots=True)
class ClassStanding:
    """One row of contract 6: weight 0 to 1, and eligibility and risk of a durable L2 claim."""

    weight: float
    eligibility: Eligibility
    risk: Risk
    sources_needed: int = 0


# In the contract's order: from the most to the least authoritative.
CLASSES: Mapping[TrustClass, ClassStanding] = {
    TrustClass.DIRECT_USER_INSTRUCTION: ClassStanding(1.0, _AUTO, _LOW),
    TrustClass.USER_CORRECTION: ClassStanding(1.0, _AUTO, _LOW),
    TrustClass.REPEATED_USER_PREFERENCE: ClassStanding(0.9, _AUTO, _LOW, sources_needed=2),
    TrustClass.ACCEPTED_CODE_REVIEW_OUTCOME: ClassStanding(0.8, _REVIEW, _LOW),
    TrustClass.EXISTING_PROJECT_CONVENTION: ClassStanding(0.65, _REVIEW, _LOW),
    TrustClass.PASSING_TOOL_OR_TEST_OUTCOME: ClassStanding(0.55, _REVIEW, _LOW),
    TrustClass.AGENT_INFERENCE: ClassStanding(0.35, _REVIEW, _MEDIUM),
    TrustClass.SINGLE_SESSION_OBSERVATION: ClassStanding(0.3, _REVIEW, _MEDIUM),
    TrustClass.REPOSITORY_TEXT: ClassStanding(0.25, _REVIEW, _HIGH),
    TrustClass.GENERATED_CONTENT: ClassStanding(0.2, _REVIEW, _HIGH),
    TrustClass.THIRD_PARTY_DOCUMENTATION: ClassStanding(0.2, _REVIEW, _HIGH),
    TrustClass.UNKNOWN: ClassStanding(0.1, _REVIEW, _MEDIUM),
}


@dataclass(frozen=True, slots=True)
class Standing:
    """What a claim's origin allows: `weight` is its class's, 0 to 1."""

    eligibility: Eligibility
    risk: Risk
    weight: float


def judge(
    *,
    trust_class: str,
    durability: str,
    layer: str,
    independent_sources: int,
    verification_status: str | None = None,
    signals: Iterable[str] = (),
    claimed_class: str | None = None,
) -> Standing:
    """Eligibility, risk and weight of a claim of this *effective* class (contract 6; unknown words 12.3, 12.6).

    `claimed_class` is what its filer said of it: where its sources lowered that (12.12) the risk does not fall with it.
    """
    row = CLASSES[known_class(trust_class)]
    eligibility = _eligibility(row, durability, layer, independent_sources, verification_status)
    risk = _class_risk(row, CLASSES[known_class(claimed_class)] if claimed_class is not None else row)
    if risk == _LOW and durability not in DURABLE:
        risk = _MEDIUM
    return Standing(eligibility, raise_risk(risk, signals), row.weight)


def raise_risk(risk: str, signals: Iterable[str]) -> Risk:
    """The risk after signals in the text: any raises it one step, some to high, none lowers it (contract 12.15)."""
    found = [signal for signal in signals if signal]
    start = _STEPS.index(Risk(risk)) if risk in _STEPS else len(_STEPS) - 1
    if any(signal in HIGH_SIGNALS for signal in found):
        return _HIGH
    return _STEPS[min(start + bool(found), len(_STEPS) - 1)]


def known_class(word: str) -> TrustClass:
    """The class, or `unknown` for a word outside the list (contract 12.3)."""
    return TrustClass(word) if word in CLASSES else TrustClass.UNKNOWN


def known_durability(word: str) -> Durability:
    """The durability, or `unknown` for a word outside the list (contract 12.3)."""
    return Durability(word) if word in _DURABILITIES else Durability.UNKNOWN


def effective_trust_class(claimed: str, supporting_classes: Iterable[str]) -> TrustClass:
    """The class that counts (contract 12.12): the best linked supporting one, to which the claimed one is lowered or raised.

    Without supporting evidence the claimed one stands. Of two classes of equal weight the claimed one is kept.
    """
    own = known_class(claimed)
    supporting = [known_class(word) for word in supporting_classes]
    if not supporting:
        return own
    best = max(supporting, key=_weight)
    return own if _weight(own) == _weight(best) else best


def capped_trust_class(claimed: str, *, trust: str, ceiling: str | None = None, cited: bool = True) -> TrustClass:
    """The most that a filer's claimed class can be (contract 12.19); never more than was claimed.

    External (or unknown) trust: third-party documentation at most. A credential's `ceiling`: that at most. Text that a
    model wrote with no cited source (`cited=False`): generated content.
    """
    granted = known_class(claimed)
    if trust not in (Trust.OPERATOR, Trust.INTERNAL):
        granted = _at_most(granted, TrustClass.THIRD_PARTY_DOCUMENTATION)
    if ceiling is not None:
        granted = _at_most(granted, known_class(ceiling))
    if not cited and _weight(granted) >= _weight(TrustClass.GENERATED_CONTENT):
        granted = TrustClass.GENERATED_CONTENT
    return granted


def independent_sources(evidence: Sequence[LinkedEvidence]) -> int:
    """How many pieces of supporting evidence are pairwise independent: another thread *and* another agent (contract 6).

    Ten excerpts of one transcript are one source, and so are ten threads of one agent. Where a piece names only one of
    the two, that one decides; pieces that name neither cannot be told apart, and count as one where there is nothing else.
    """
    pairs = {(e.thread, e.agent) for e in evidence if e.polarity == Polarity.SUPPORTS}
    threads: dict[object, list[object]] = {}
    for position, (thread, agent) in enumerate(sorted(pairs)):
        if thread or agent:
            # A missing name gets one of its own, so that it collides with nothing.
            threads.setdefault(thread or ("thread", position), []).append(agent or ("agent", position))
    return _most_disjoint_pairs(threads) or bool(pairs)


def _most_disjoint_pairs(edges: Mapping[object, list[object]]) -> int:
    """The size of the largest set of (left, right) pairs that share no member: bipartite matching, without recursion."""
    left_of: dict[object, object] = {}
    right_of: dict[object, object] = {}
    return sum(_augment(left, edges, left_of, right_of) for left in edges)


def _augment(
    left: object, edges: Mapping[object, list[object]], left_of: dict[object, object], right_of: dict[object, object]
) -> bool:
    """One breadth-first search for a free right member; moves the pairs on the way to it along."""
    reached_from: dict[object, object] = {}
    waiting = [left]
    for here in waiting:
        for right in edges[here]:
            if right in reached_from:
                continue
            reached_from[right] = here
            if right in left_of:
                waiting.append(left_of[right])
                continue
            free: object | None = right
            while free is not None:
                owner = reached_from[free]
                left_of[free], right_of[owner], free = owner, free, right_of.get(owner)
            return True
    return False


def _class_risk(effective: ClassStanding, claimed: ClassStanding) -> Risk:
    """`unknown` weighs least but is not of the highest risk: generated text does not get safer by citing the unknown."""
    if claimed.weight <= effective.weight:
        return effective.risk
    return max(effective.risk, claimed.risk, key=_STEPS.index)


def _eligibility(
    row: ClassStanding, durability: str, layer: str, sources: int, verification_status: str | None
) -> Eligibility:
    if verification_status == VerificationStatus.REJECTED:
        return Eligibility.NEVER
    if layer != Layer.L2:
        return Eligibility.L1_REVIEW_ONLY
    if durability not in DURABLE or sources < row.sources_needed:
        return Eligibility.REVIEW_ONLY
    return row.eligibility


def _weight(word: TrustClass) -> float:
    return CLASSES[word].weight


def _at_most(word: TrustClass, ceiling: TrustClass) -> TrustClass:
    return ceiling if _weight(word) > _weight(ceiling) else word
