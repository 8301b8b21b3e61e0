"""Trust classes, caps, risk and independence (contract 6, 12.12, 12.15, 12.19), beyond the worked cases."""

from __future__ import annotations

import pytest

from evidence.rules.eligibility import (
    CLASSES,
    capped_trust_class,
    effective_trust_class,
    independent_sources,
    judge,
    known_durability,
    raise_risk,
)
from evidence.rules.records import LinkedEvidence
from evidence.rules.vocab import TrustClass


def test_every_class_has_a_row_in_falling_order_of_weight() -> None:
    assert set(CLASSES) == set(TrustClass)
    weights = [row.weight for row in CLASSES.values()]
    assert weights == sorted(weights, reverse=True)


@pytest.mark.parametrize(
    ("changes", "eligibility", "risk"),
    [
        ({"trust_class": "hearsay"}, "review_only", "medium"),
        ({"durability": "eternal"}, "review_only", "medium"),
        ({"layer": "l2"}, "l1_review_only", "low"),
        ({"layer": ""}, "l1_review_only", "low"),
        ({"verification_status": "odd"}, "auto_candidate", "low"),
        ({"verification_status": "legacy_unverified"}, "auto_candidate", "low"),
        ({"trust_class": "repeated_user_preference", "independent_sources": -1}, "review_only", "low"),
        ({"signals": ("bidi_controls",)}, "auto_candidate", "medium"),
        ({"signals": ("tool_directive",)}, "auto_candidate", "high"),
        ({"durability": "task", "signals": ("bidi_controls",)}, "review_only", "high"),
        ({"trust_class": "unknown", "claimed_class": "generated_content"}, "review_only", "high"),
        ({"trust_class": "unknown", "claimed_class": "repository_text"}, "review_only", "high"),
        ({"trust_class": "unknown", "claimed_class": "user_correction"}, "review_only", "medium"),
        ({"trust_class": "unknown", "claimed_class": "hearsay"}, "review_only", "medium"),
        ({"trust_class": "agent_inference", "claimed_class": "user_correction"}, "review_only", "medium"),
        ({"trust_class": "repository_text", "claimed_class": "user_correction"}, "review_only", "high"),
        ({"trust_class": "user_correction", "claimed_class": "repository_text"}, "auto_candidate", "low"),
        ({"trust_class": "user_correction", "claimed_class": "direct_user_instruction"}, "auto_candidate", "low"),
        ({"verification_status": "rejected", "layer": "L1", "durability": "odd"}, "never", "medium"),
        ({"verification_status": "pending"}, "auto_candidate", "low"),
        ({"verification_status": ""}, "auto_candidate", "low"),
        ({"trust_class": "repeated_user_preference", "independent_sources": 0}, "review_only", "low"),
        ({"trust_class": "repeated_user_preference", "independent_sources": 10**40}, "auto_candidate", "low"),
        ({"trust_class": "user_correction", "independent_sources": 0}, "auto_candidate", "low"),
        ({"trust_class": "User_Correction"}, "review_only", "medium"),
        ({"trust_class": "user_correction "}, "review_only", "medium"),
    ],
    ids=str,
)
def test_standing(changes: dict[str, object], eligibility: str, risk: str) -> None:
    plain = {
        "trust_class": "user_correction", "durability": "project", "layer": "L2", "independent_sources": 1,
    }  # fmt: skip
    found = judge(**(plain | changes))  # type: ignore[arg-type]
    assert (found.eligibility, found.risk) == (eligibility, risk)


@pytest.mark.parametrize(
    ("risk", "signals", "raised"),
    [
        ("low", (), "low"),
        ("low", ("invisible_characters",), "medium"),
        ("low", ("invisible_characters", "bidi_controls", "authority_claim"), "medium"),
        ("medium", ("encoded_payload",), "high"),
        ("high", ("encoded_payload",), "high"),
        ("low", ("encoded_payload", "exfiltration_link"), "high"),
        ("low", ("instruction_like",), "high"),
        ("low", ("a signal of tomorrow",), "medium"),
        ("odd", (), "high"),
    ],
)
def test_signals_raise_risk(risk: str, signals: tuple[str, ...], raised: str) -> None:
    assert raise_risk(risk, signals) == raised


@pytest.mark.parametrize(
    ("claimed", "supporting", "effective"),
    [
        ("user_correction", [], "user_correction"),
        ("hearsay", [], "unknown"),
        ("user_correction", ["repository_text", "agent_inference"], "agent_inference"),
        ("agent_inference", ["user_correction", "repository_text"], "user_correction"),
        ("user_correction", ["direct_user_instruction"], "user_correction"),
        ("third_party_documentation", ["generated_content"], "third_party_documentation"),
        ("user_correction", ["hearsay"], "unknown"),
    ],
)
def test_the_class_that_counts_is_the_best_support(claimed: str, supporting: list[str], effective: str) -> None:
    assert effective_trust_class(claimed, supporting) == effective


@pytest.mark.parametrize(
    ("claimed", "trust", "ceiling", "cited", "capped"),
    [
        ("user_correction", "operator", None, True, "user_correction"),
        ("user_correction", "internal", "agent_inference", True, "agent_inference"),
        ("repository_text", "internal", "agent_inference", True, "repository_text"),
        ("user_correction", "external", None, True, "third_party_documentation"),
        ("user_correction", "partner", None, True, "third_party_documentation"),
        ("generated_content", "external", None, True, "generated_content"),
        ("unknown", "external", None, True, "unknown"),
        ("user_correction", "internal", "hearsay", True, "unknown"),
        ("user_correction", "internal", None, False, "generated_content"),
        ("third_party_documentation", "external", None, False, "generated_content"),
        ("unknown", "internal", None, False, "unknown"),
    ],
)
def test_a_claimed_class_is_capped(claimed: str, trust: str, ceiling: str | None, cited: bool, capped: str) -> None:
    assert capped_trust_class(claimed, trust=trust, ceiling=ceiling, cited=cited) == capped


def test_without_a_word_on_sources_they_were_cited() -> None:
    assert capped_trust_class("user_correction", trust="internal") == "user_correction"


def linked(*origins: tuple[str, str], polarity: str = "supports") -> list[LinkedEvidence]:
    return [LinkedEvidence(f"e-{n}", polarity=polarity, thread=t, agent=a) for n, (t, a) in enumerate(origins)]


@pytest.mark.parametrize(
    ("evidence", "count"),
    [
        ([], 0),
        (linked(*[("t1", "ada")] * 10), 1),
        (linked(("t1", "ada"), ("t1", "bob")), 1),
        (linked(("t1", "ada"), ("t2", "ada")), 1),
        (linked(("t1", "ada"), ("t2", "bob")), 2),
        (linked(("t1", "ada"), ("t1", "bob"), ("t2", "ada")), 2),
        (linked(("t1", ""), ("t2", "")), 2),
        (linked(("t1", ""), ("t1", "")), 1),
        (linked(("", "ada"), ("", "ada"), ("", "bob")), 2),
        (linked(("", ""), ("", "")), 1),
        (linked(("", ""), ("t1", "ada")), 1),
        (linked(("t1", "ada"), ("t2", "bob"), polarity="contradicts"), 0),
        (linked(("t1", "ada"), ("t2", "bob"), polarity="odd"), 0),
    ],
)
def test_independent_sources(evidence: list[LinkedEvidence], count: int) -> None:
    assert independent_sources(evidence) == count


def test_long_chains_of_threads_and_agents_are_counted() -> None:
    chain = [(f"t{n}", f"a{n}") for n in range(2000)] + [(f"t{n}", f"a{n + 1}") for n in range(2000)]
    assert independent_sources(linked(*chain)) == 2000


def test_an_unknown_durability_is_read_as_unknown() -> None:
    assert known_durability("eternal") == "unknown"
    assert known_durability("task") == "task"
