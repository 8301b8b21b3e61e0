"""Governance modes (contract 8, 6): what is ticked and what the policy carries out, and why not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evidence.rules.governance import REVIEW_PREFERRED, Governed, Treated, treat
from evidence.rules.reasons import WORDS, TreatmentReason
from evidence.rules.vocab import (
    Durability,
    Eligibility,
    HeldKind,
    Layer,
    MatchKind,
    Mode,
    Risk,
    Treatment,
    Trust,
    TrustClass,
    VerificationStatus,
)
from tests.rules.strategies import words

SAFE = Governed(
    kind="fact_proposal", trust="internal", layer="L2", durability="project", trust_class="direct_user_instruction",
    eligibility="auto_candidate", risk="low", match_kind="new", verification_status="verified",
)  # fmt: skip
PREFERRED = {"trust_class": "accepted_code_review_outcome", "eligibility": "review_only"}
LEGACY = {
    "verification_status": "legacy_unverified", "counts_as": "verified", "trust_class": "unknown",
    "durability": "unknown", "eligibility": "review_only", "risk": "medium",
}  # fmt: skip

# What changes from the safest item; then what `assisted` and `auto` do with it, and why.
CASES: list[tuple[dict[str, Any], str, str, str]] = [
    ({}, "preselect", "apply", "eligible"),
    ({"trust": "operator", "durability": "long_term"}, "preselect", "apply", "eligible"),
    ({"match_kind": "duplicate"}, "preselect", "apply", "eligible"),
    ({"match_kind": "strengthens_existing"}, "preselect", "apply", "eligible"),
    ({"match_kind": "updates_existing"}, "preselect", "apply", "eligible"),
    ({"trust_class": "repeated_user_preference"}, "preselect", "apply", "eligible"),
    ({"match_kind": "potential_conflict"}, "wait", "wait", "match_needs_review"),
    ({"match_kind": "supersedes_existing"}, "wait", "wait", "match_needs_review"),
    ({"match_kind": "ambiguous"}, "wait", "wait", "match_needs_review"),
    ({"match_kind": "resembles"}, "wait", "wait", "match_needs_review"),
    ({"kind": "held_evidence"}, "wait", "wait", "not_a_fact_proposal"),
    ({"kind": "promotion_proposal"}, "wait", "wait", "not_a_fact_proposal"),
    ({"kind": "wish"}, "wait", "wait", "not_a_fact_proposal"),
    ({"trust": "external"}, "wait", "wait", "external"),
    ({"trust": "partner"}, "wait", "wait", "external"),
    ({"trust": ""}, "wait", "wait", "external"),
    ({"layer": "L1", "eligibility": "l1_review_only"}, "wait", "wait", "l1"),
    ({"layer": "L1"}, "wait", "wait", "l1"),
    ({"layer": "L3"}, "wait", "wait", "l1"),
    ({"verification_status": "pending"}, "wait", "wait", "not_verified"),
    ({"verification_status": "review_required"}, "wait", "wait", "not_verified"),
    ({"verification_status": "rejected", "eligibility": "never"}, "wait", "wait", "not_verified"),
    ({"verification_status": "legacy_unverified"}, "wait", "wait", "not_verified"),
    ({"verification_status": ""}, "wait", "wait", "not_verified"),
    ({"verification_status": "verified", "counts_as": "review_required"}, "wait", "wait", "not_verified"),
    ({"verification_status": "rejected", "counts_as": "verified"}, "wait", "wait", "not_verified"),
    ({"verification_status": "review_required", "counts_as": "verified"}, "wait", "wait", "not_verified"),
    ({"verification_status": "weird", "counts_as": "verified"}, "wait", "wait", "not_verified"),
    ({"risk": "high"}, "wait", "wait", "high_risk"),
    ({"risk": "severe"}, "wait", "wait", "high_risk"),
    ({"risk": "medium"}, "preselect", "preselect", "not_low_risk"),
    ({"durability": "task"}, "wait", "wait", "not_durable"),
    ({"durability": "unknown"}, "wait", "wait", "not_durable"),
    ({"durability": "eternal"}, "wait", "wait", "not_durable"),
    ({"eligibility": "review_only"}, "wait", "wait", "review_only"),
    ({"eligibility": "review_only", "trust_class": "passing_tool_or_test_outcome"}, "wait", "wait", "review_only"),
    ({"eligibility": "never"}, "wait", "wait", "review_only"),
    ({"eligibility": "sure"}, "wait", "wait", "review_only"),
    (PREFERRED, "preselect", "preselect", "review_preferred"),
    (PREFERRED | {"trust_class": "existing_project_convention"}, "preselect", "preselect", "review_preferred"),
    (PREFERRED | {"verification_status": "review_required"}, "wait", "wait", "not_verified"),
    (PREFERRED | {"risk": "high"}, "wait", "wait", "high_risk"),
    (PREFERRED | {"eligibility": "never"}, "wait", "wait", "review_only"),
    (PREFERRED | {"durability": "session"}, "wait", "wait", "not_durable"),
    ({"from_session_summary": True}, "preselect", "preselect", "session_summary"),
    (LEGACY, "preselect", "preselect", "legacy"),
    (LEGACY | {"counts_as": "review_required"}, "wait", "wait", "not_verified"),
    (LEGACY | {"match_kind": "potential_conflict"}, "wait", "wait", "match_needs_review"),
    (LEGACY | {"layer": "L1"}, "wait", "wait", "l1"),
    (LEGACY | {"durability": "task"}, "wait", "wait", "not_durable"),
    (LEGACY | {"durability": "eternal"}, "wait", "wait", "not_durable"),
    (LEGACY | {"durability": "project"}, "preselect", "preselect", "legacy"),
    (LEGACY | {"eligibility": "l1_review_only"}, "wait", "wait", "review_only"),
    (LEGACY | {"risk": "low", "eligibility": "auto_candidate"}, "preselect", "preselect", "legacy"),
]


@pytest.mark.parametrize(("changes", "assisted", "auto", "reason"), CASES, ids=str)
def test_what_a_mode_does(changes: dict[str, Any], assisted: str, auto: str, reason: str) -> None:
    item = replace(SAFE, **changes)
    assert treat(item, "assisted") == Treated(Treatment(assisted), TreatmentReason(reason))
    assert treat(item, "auto") == Treated(Treatment(auto), TreatmentReason(reason))


@pytest.mark.parametrize("mode", ["manual", "", "automatic", "AUTO"])
def test_manual_and_unknown_modes_leave_everything_to_a_person(mode: str) -> None:
    assert treat(SAFE, mode) == Treated(Treatment.WAIT, TreatmentReason.MANUAL)


def test_every_reason_has_words() -> None:
    assert all(WORDS[reason] for reason in TreatmentReason)


items = st.builds(
    Governed,
    kind=words(HeldKind),
    trust=words(Trust, empty=True),
    layer=words(Layer, empty=True),
    durability=words(Durability),
    trust_class=words(TrustClass),
    eligibility=words(Eligibility),
    risk=words(Risk),
    match_kind=words(MatchKind),
    verification_status=words(VerificationStatus, empty=True),
    counts_as=st.one_of(st.just(""), words(VerificationStatus)),
    from_session_summary=st.booleans(),
)
# Mostly harmless items, so that what goes through is met too.
nearly_safe = st.builds(
    lambda item, names: replace(SAFE, **{name: getattr(item, name) for name in names}),
    items,
    st.sets(st.sampled_from(sorted(SAFE.__slots__)), max_size=3),
)
modes = words(Mode, empty=True)
every = settings(deadline=None)
ORDER = list(Treatment)


@every
@given(st.one_of(items, nearly_safe), modes)
def test_what_goes_through_is_what_the_contract_lets_through(item: Governed, mode: str) -> None:
    treatment = treat(item, mode).treatment
    if treatment == Treatment.WAIT:
        return
    assert mode in ("assisted", "auto")
    assert item.risk != "high"
    assert item.layer == "L2"
    assert item.kind == "fact_proposal"
    assert item.trust in ("operator", "internal")
    assert item.eligibility == "auto_candidate" or item.trust_class in REVIEW_PREFERRED or item.counts_as == "verified"
    if treatment == Treatment.APPLY:
        assert mode == "auto"
        assert (item.verification_status, item.eligibility, item.risk) == ("verified", "auto_candidate", "low")
        assert item.match_kind in ("new", "duplicate", "strengthens_existing", "updates_existing")
        assert not item.from_session_summary


@every
@given(st.one_of(items, nearly_safe), modes)
def test_auto_ticks_at_least_what_assisted_ticks(item: Governed, mode: str) -> None:
    by_mode = {each: ORDER.index(treat(item, each).treatment) for each in ("manual", "assisted", "auto")}
    assert by_mode["manual"] == 0 <= by_mode["assisted"] <= by_mode["auto"]
    assert treat(item, mode) == treat(item, mode if mode in ("assisted", "auto") else "manual")


@every
@given(nearly_safe, st.sampled_from(sorted(set(SAFE.__slots__) - {"from_session_summary", "trust_class", "counts_as"})))
def test_an_unknown_word_always_asks_for_a_person(item: Governed, name: str) -> None:
    assert treat(replace(item, **{name: "weird"}), "auto").treatment == Treatment.WAIT  # type: ignore[arg-type]
