"""Every word that a user can meet stands on docs/contract.md, and its tables say what the rules say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace

import pytest

from evidence.rules import vocab
from evidence.rules.checks import CHECKS
from evidence.rules.eligibility import CLASSES
from evidence.rules.governance import Governed, treat
from evidence.rules.labels import effective_ttl
from evidence.rules.lexicon import GENERIC_TAGS
from evidence.rules.reasons import DropReason, ResolveReason, TreatmentReason, UsableReason
from evidence.rules.records import (
    Approval,
    Candidate,
    Check,
    Claim,
    LinkedEvidence,
    MemoryRecord,
    Reader,
    Record,
    Scope,
    Source,
    Tombstone,
)
from evidence.rules.similarity import IDENTICAL, NEAR, SIMILAR
from evidence.rules.support import THRESHOLD
from evidence.rules.vocab import HIGH_SIGNALS, MatchKind, Signal, TrustClass, Volatility
from tests.contract.page import PAGE, code_words, table_rows
from tests.rules.casefile import load

TEXT = PAGE.read_text(encoding="utf-8")
WORDS = code_words(TEXT)
ROWS = table_rows(TEXT)

VOCABULARY: Mapping[str, Iterable[str]] = {
    **{
        words.__name__: words
        for words in (
            vocab.Kind, vocab.Volatility, vocab.Access, vocab.Trust, vocab.Review, vocab.State, vocab.Label, vocab.Outcome,
            vocab.TrustClass, vocab.Durability, vocab.Polarity, vocab.Redaction, vocab.ReachLevel, vocab.Eligibility,
            vocab.Risk, vocab.MatchKind, vocab.VerificationStatus, vocab.Signal, vocab.SecretKind, vocab.HeldKind,
            vocab.HeldStatus, vocab.InquiryKind, vocab.InquiryStatus, vocab.Answer, vocab.ReasonCode, vocab.Action,
            vocab.Mode, vocab.Treatment, ResolveReason, UsableReason, DropReason, TreatmentReason,
        )
    },
    "layer that is ratified": ["L1"],
    "operator channels": vocab.OPERATOR_CHANNELS,
    "internal channels": vocab.INTERNAL_CHANNELS,
    "reasons of the verifier": {
        str(reason) for case in load("verify") for member in ("reasons", "reasons_include")
        for reason in case.expect.get(member) or []  # type: ignore[attr-defined]
    },
}  # fmt: skip

SAFE = Governed(
    kind="fact_proposal", trust="internal", layer="L2", durability="project", trust_class="user_correction",
    eligibility="auto_candidate", risk="low", match_kind="new", verification_status="verified",
)  # fmt: skip


@pytest.mark.parametrize("name", VOCABULARY)
def test_every_word_of_the_vocabulary_stands_on_the_page(name: str) -> None:
    assert sorted(word for word in VOCABULARY[name] if str(word) not in WORDS) == []


def test_the_cases_give_a_reason_for_every_check() -> None:
    # Two checks have more than one reason or share one row of the page; none is without.
    assert len(set(VOCABULARY["reasons of the verifier"])) >= len(CHECKS)


@pytest.mark.parametrize(
    "shape",
    [Source, Record, Claim, Check, Approval, Scope, Reader, Candidate, MemoryRecord, LinkedEvidence, Tombstone],
    ids=lambda shape: shape.__name__,
)
def test_every_member_of_a_question_stands_on_the_page(shape: type) -> None:
    assert sorted(field.name for field in fields(shape) if field.name not in WORDS) == []


@pytest.mark.parametrize("trust_class", TrustClass)
def test_the_table_of_trust_classes_says_what_the_rule_says(trust_class: TrustClass) -> None:
    standing = CLASSES[trust_class]
    [row] = [row for row in ROWS if row[0] == trust_class and len(row) == 5]
    eligibility = str(standing.eligibility)
    if standing.sources_needed:
        eligibility += f" from {standing.sources_needed} independent sources on"
    assert row[2:] == [f"{standing.weight}", eligibility, str(standing.risk)]


def test_the_table_of_volatilities_says_what_the_rule_says() -> None:
    found = {word: row[1] for row in ROWS if len(row) == 2 for word in row[0].split(", ") if word in set(Volatility)}
    days = {word: effective_ttl(word, None) for word in Volatility}
    assert found == {word: "for ever" if held is None else f"{held:.0f} days" for word, held in days.items()}


def test_the_table_of_signals_says_what_the_rule_says() -> None:
    found = {row[0]: row[2] for row in ROWS if row[0] in set(Signal)}
    assert found == {signal: "high" if signal in HIGH_SIGNALS else "one step" for signal in Signal}


def test_the_kinds_of_match_stand_in_their_order() -> None:
    found = [row[2] for row in ROWS if len(row) == 3 and row[0].isdigit() and row[2] in set(MatchKind)]
    assert found == [
        "supersedes_existing", "new", "ambiguous", "potential_conflict", "duplicate", "new", "updates_existing",
        "strengthens_existing",
    ]  # fmt: skip


def test_the_table_of_modes_has_its_reasons_in_their_order() -> None:
    found = [(row[0], row[2], row[3]) for row in ROWS if len(row) == 4 and row[0] in set(TreatmentReason)]
    reasons = [*TreatmentReason][1:]
    assert [reason for reason, _, _ in found] == reasons
    waiting = reasons.index(TreatmentReason.REVIEW_ONLY) + 1
    assert [treatments for _, *treatments in found] == [
        *([["wait", "wait"]] * waiting), *([["preselect", "preselect"]] * (len(reasons) - waiting - 1)),
        ["preselect", "apply"],
    ]  # fmt: skip


def test_the_examples_of_modes_say_what_the_rule_says() -> None:
    start = next(at for at, row in enumerate(ROWS) if row[0] == "what is changed")
    rows = [row for row in ROWS[start + 1 :] if len(row) == 4 and (row[0] == "nothing" or " = " in row[0])]
    assert len(rows) == 6
    for changed, assisted, auto, reason in rows:
        name, _, word = changed.partition(" = ")
        item = SAFE if changed == "nothing" else replace(SAFE, **{name: word})
        assert [treat(item, "assisted").treatment, treat(item, "auto").treatment] == [assisted, auto], changed
        assert treat(item, "auto").reason == reason, changed
        assert treat(item, "manual").treatment == "wait"


@pytest.mark.parametrize("number", [IDENTICAL, SIMILAR, NEAR, THRESHOLD])
def test_every_threshold_stands_on_the_page(number: float) -> None:
    assert f"{number:.2f}" in TEXT


def test_tags_that_the_page_calls_no_topic_are_none() -> None:
    assert {"note", "workflow", "general"} <= GENERIC_TAGS
