"""The verifier's checks (contract 8), one small function each: what was asked, what was found, in words a reviewer reads.

Each gets the same `Question` and gives one `CheckResult`; none knows of another, and `verifier` alone decides the status.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from evidence.rules.eligibility import (
    CLASSES,
    effective_trust_class,
    independent_sources,
    judge,
    known_class,
    known_durability,
)
from evidence.rules.errors import BadInput
from evidence.rules.identity import claim_fingerprint, statement_fingerprint
from evidence.rules.records import Candidate, LinkedEvidence, Tombstone
from evidence.rules.secrets import secret_kinds
from evidence.rules.signals import findings
from evidence.rules.support import Cited, Span, Support, support
from evidence.rules.text import norm
from evidence.rules.vocab import (
    MATCH_NEEDS_REVIEW,
    NON_DURABLE,
    Durability,
    Layer,
    MatchKind,
    Polarity,
    ReachLevel,
    Redaction,
    Risk,
    Signal,
    TrustClass,
)

PASS: Final = "pass"  # noqa: S105 - an outcome
REVIEW: Final = "review"
REJECTED: Final = "rejected"

# Contract 8.2: the five lowest classes and `unknown` never carry a claim alone.
LOW_TRUST: Final = frozenset(
    {
        TrustClass.AGENT_INFERENCE, TrustClass.SINGLE_SESSION_OBSERVATION, TrustClass.REPOSITORY_TEXT,
        TrustClass.GENERATED_CONTENT, TrustClass.THIRD_PARTY_DOCUMENTATION, TrustClass.UNKNOWN,
    }
)  # fmt: skip
HIGH_RISK_CLASSES: Final = frozenset(word for word, standing in CLASSES.items() if standing.risk == Risk.HIGH)


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What one check found. `outcome`: `pass`, `review` or `rejected`; `reason`: the contract's code, empty on a pass.

    `detail` is for a reviewer. `words`: lists of words by what they are (`matched`, `missing` ...). `spans`: places in the
    statement and in cited texts (`ev-1.excerpt`), with `matched`, `missing` or a signal's name. Nothing holds a secret's value.
    """

    name: str
    outcome: str
    reason: str
    detail: str
    numbers: Mapping[str, float] = field(default_factory=dict)
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    spans: tuple[Span, ...] = ()

    def as_dict(self) -> dict[str, object]:
        """Plain values, ready for JSON."""
        return {
            "name": self.name,
            "outcome": self.outcome,
            "reason": self.reason,
            "detail": self.detail,
            "numbers": dict(self.numbers),
            "words": {name: list(words) for name, words in self.words.items()},
            "spans": [span.as_dict() for span in self.spans],
        }


@dataclass(frozen=True)
class Question:
    """What every check reads: the candidate, what it cites, what was deleted, and how it matches."""

    candidate: Candidate
    evidence: Sequence[LinkedEvidence]
    tombstones: Sequence[Tombstone]
    match_kind: str | None = None
    matched: tuple[str, ...] = ()

    @cached_property
    def linked(self) -> list[LinkedEvidence]:
        """Evidence that the candidate names; what it does not name is not linked to it."""
        named = frozenset(self.candidate.evidence_ids)
        return [piece for piece in self.evidence if piece.id in named]

    @cached_property
    def supporting(self) -> list[LinkedEvidence]:
        """Linked evidence that supports and can still be read (contract 12.11: `qualifies` does not support)."""
        return [
            piece for piece in self.linked if piece.polarity == Polarity.SUPPORTS and piece.redaction == Redaction.NONE
        ]

    @cached_property
    def effective_class(self) -> TrustClass:
        return effective_trust_class(self.candidate.trust_class, [piece.trust_class for piece in self.supporting])

    @cached_property
    def texts(self) -> list[tuple[str, str]]:
        """Every text a reader of the claim would meet, with its place."""
        claim = self.candidate.claim
        named = [("statement", self.candidate.statement)]
        if claim is not None:
            named += [
                ("claim subject", claim.subject),
                ("claim attribute", claim.attribute),
                ("claim value", claim.value),
            ]
        for piece in self.linked:
            named += [(f"{piece.id}.summary", piece.summary), (f"{piece.id}.excerpt", piece.excerpt)]
        return [(place, text) for place, text in named if text]


def source_support(question: Question) -> CheckResult:
    """8.1: the cited texts say what is claimed."""
    if not question.linked:
        return CheckResult("source_support", REVIEW, "", "No linked evidence was found, so nothing can support it.")
    cited = [
        Cited(f"{piece.id}.{part}", text)
        for piece in question.supporting
        for part, text in (("summary", piece.summary), ("excerpt", piece.excerpt))
        if text
    ]
    found = support(question.candidate.statement, cited)
    return CheckResult(
        "source_support",
        PASS if found.is_supported else REVIEW,
        "" if found.is_supported else "source_not_supportive",
        _support_detail(found, any_text=bool(cited)),
        {
            "share": round(found.share, 2),
            "found": len(found.matched),
            "needed": found.threshold,
            "sources": len(question.supporting),
        },
        {
            "matched": found.matched,
            "missing": (*found.missing, *found.missing_values, *found.missing_denials),
            "missing_values": found.missing_values,
            "missing_negations": found.missing_denials,
        },
        found.spans,
    )


def _support_detail(found: Support, *, any_text: bool) -> str:
    if not any_text:
        return "None of the linked evidence supports it with a text that can be read."
    if found.is_supported:
        return f"{found.share:.0%} of the claim's words are found in its sources, with every number, date and negation."
    text = "; ".join(found.problems)
    return text[:1].upper() + text[1:] + "."


def trust(question: Question) -> CheckResult:
    """8.2, 12.12: the effective class may carry a claim alone."""
    claimed, effective = known_class(question.candidate.trust_class), question.effective_class
    low = effective in LOW_TRUST
    turned = "" if claimed == effective else f", though {_plain(claimed)} was claimed"
    carries = "never carries a claim alone" if low else "may propose this"
    return CheckResult(
        "trust_boundary",
        REVIEW if low else PASS,
        "low_trust_source" if low else "",
        f"The best source is {_plain(effective)}{turned}: it {carries}.",
        {"weight": CLASSES[effective].weight},
        {"claimed": (str(claimed),), "effective": (str(effective),)},
    )


_TOO_WIDE: Final[Mapping[Durability, frozenset[str]]] = {
    Durability.PROJECT: frozenset({ReachLevel.GLOBAL}),
    Durability.REPOSITORY: frozenset({ReachLevel.GLOBAL}),
    Durability.SESSION: frozenset(ReachLevel) - {ReachLevel.SESSION},
    Durability.TASK: frozenset(ReachLevel) - {ReachLevel.SESSION},
}


def scope(question: Question) -> CheckResult:
    """8.2, 12.12: some supporting evidence reaches as far as the claim does."""
    reach = question.candidate.reach
    level = norm(reach.level) if reach else ""
    # An unknown level is read as the widest (contract 12.3); without a level nothing is claimed about reach.
    widest = level if level in frozenset(ReachLevel) else ReachLevel.GLOBAL
    sources = [known_durability(piece.durability) for piece in question.supporting]
    narrow = [word for word in sources if widest in _TOO_WIDE.get(word, frozenset())]
    unsupported = bool(level and sources) and len(narrow) == len(sources)
    detail = (
        "No source was found whose reach could be judged." if not sources else "Its sources reach as far as it does."
    )
    if unsupported:
        detail = f"Evidence for {_listed(narrow)} only may not propose a claim of scope “{level}”."
    return CheckResult(
        "scope", REVIEW if unsupported else PASS, "scope_unsupported" if unsupported else "", detail,
        words={"level": (level,) if level else (), "sources": tuple(dict.fromkeys(map(str, sources)))},
    )  # fmt: skip


def layer(question: Question) -> CheckResult:
    """8.2: L1 always by ratification; another word than L2 counts as L1 (contract 12.6)."""
    if question.candidate.layer == Layer.L2:
        return CheckResult("layer", PASS, "", "It is for L2.")
    return CheckResult("layer", REVIEW, "l1_ratification", "It is for L1, which a person must ratify.")


def durability(question: Question) -> CheckResult:
    """8.3: temporary, task, session; unknown."""
    word = known_durability(question.candidate.durability)
    if word in NON_DURABLE:
        detail = f"It lasts for a {word} only; a person must convert it before it is kept."
        return CheckResult(
            "durability", REVIEW, "temporary_durability", detail.replace("a temporary only", "a while only")
        )
    if word == Durability.UNKNOWN:
        return CheckResult("durability", REVIEW, "unknown_durability", "Nobody said how long it holds.")
    return CheckResult("durability", PASS, "", f"It is meant to last ({_plain(word)}).")


def poisoning(question: Question) -> CheckResult:
    """8.4, 6, 12.15: where it comes from, and what in its texts speaks to a model."""
    seen: dict[Signal, list[str]] = {}
    spans: list[Span] = []
    for place, text in question.texts:
        for found in findings(text):
            seen.setdefault(found.signal, []).append(place)
            spans.append(Span(place, found.start, found.end, found.signal.value))
    standing = judge(
        trust_class=question.effective_class,
        durability=question.candidate.durability,
        layer=question.candidate.layer,
        independent_sources=independent_sources(question.supporting),
        signals=seen,
    )
    planted = bool(question.supporting) and all(
        known_class(piece.trust_class) in HIGH_RISK_CLASSES for piece in question.supporting
    )
    risk = Risk.HIGH if planted else standing.risk
    reasons = [f"{_plain(signal.value)} in {_listed(places)}" for signal, places in seen.items()]
    if risk == Risk.HIGH and (planted or known_class(question.effective_class) in HIGH_RISK_CLASSES):
        reasons.append("every source is of a kind that others can write into")
    high = risk == Risk.HIGH
    return CheckResult(
        "poisoning_risk", REVIEW if high else PASS, "high_poisoning_risk" if high else "",
        f"The risk is {risk}" + (f": {'; '.join(reasons)}." if reasons else "."),
        {"signals": len(seen)}, {"signals": tuple(signal.value for signal in Signal if signal in seen), "risk": (risk.value,)},
        tuple(spans),
    )  # fmt: skip


def match_review(question: Question) -> CheckResult:
    """8.5: a kind of match that a person must look at; an unknown word is one (contract 12.3)."""
    kind = question.match_kind
    if kind is None:
        return CheckResult("match", PASS, "", "It was not matched against records.")
    needs = kind in MATCH_NEEDS_REVIEW or kind not in frozenset(MatchKind)
    return CheckResult(
        "match", REVIEW if needs else PASS, "match_requires_review" if needs else "",
        f"Match: {_plain(kind)}" + (", which a person must decide." if needs else "."),
        words={"kind": (str(kind),), "records": question.matched},
    )  # fmt: skip


def redaction(question: Question) -> CheckResult:
    """8.6: any linked evidence redacted or deleted; an unknown word counts as redacted (contract 12.3)."""
    gone = [piece for piece in question.linked if piece.redaction != Redaction.NONE]
    if not gone:
        return CheckResult("redacted_evidence", PASS, "", "No linked evidence was redacted or deleted.")
    ids = tuple(piece.id for piece in gone)
    detail = (
        f"{len(gone)} of {len(question.linked)} linked pieces of evidence were redacted or deleted; unlink them first."
    )
    return CheckResult(
        "redacted_evidence", REJECTED, "redacted_or_deleted_evidence", detail, {"gone": len(gone)}, {"evidence": ids}
    )


def tombstone(question: Question) -> CheckResult:
    """8.7, 12.13: own id, ids it supersedes or matches, its words, its claim with value."""
    candidate = question.candidate
    targets = {candidate.id, *candidate.supersedes, *question.matched} - {""}
    words, claim = _fingerprints(candidate.statement, candidate)
    for stone in question.tombstones:
        if stone.record_id and stone.record_id in targets:
            detail = "It aims at a record that was deleted."
        elif words is not None and words in (stone.statement_fingerprint, _words_of(stone)):
            detail = "The same words were deleted before."
        elif claim is not None and claim in (stone.claim_fingerprint, _claim_of(stone)):
            detail = "The same claim with the same value was deleted before."
        else:
            continue
        return CheckResult("tombstone", REJECTED, "tombstoned_recreation", detail)
    return CheckResult("tombstone", PASS, "", "Nothing like it was deleted before.")


def _fingerprints(statement: str, candidate: Candidate) -> tuple[str | None, str | None]:
    words = _safe(lambda: statement_fingerprint(statement)) if norm(statement) else None
    claim = candidate.claim
    return words, _safe(lambda: claim_fingerprint(claim)) if claim is not None else None


def _words_of(stone: Tombstone) -> str | None:
    statement = stone.statement
    return _safe(lambda: statement_fingerprint(statement)) if statement and norm(statement) else None


def _claim_of(stone: Tombstone) -> str | None:
    claim = stone.claim
    return _safe(lambda: claim_fingerprint(claim)) if claim is not None else None


def _safe(fingerprint: Callable[[], str]) -> str | None:
    """Old data with a NUL or a lone surrogate has no fingerprint; nothing can repeat it word for word."""
    try:
        return fingerprint()
    except BadInput:
        return None


def evidence_found(question: Question) -> CheckResult:
    """8.8: ids given and none found, or none given."""
    named, found = len(frozenset(question.candidate.evidence_ids)), len(question.linked)
    if found:
        detail = f"{found} of {named} named pieces of evidence were found."
        return CheckResult("evidence", PASS, "", detail, {"found": found, "named": named})
    detail = f"None of the {named} named pieces of evidence was found." if named else "It names no evidence."
    return CheckResult("evidence", REVIEW, "missing_evidence", detail, {"found": 0, "named": named})


def contradiction(question: Question) -> CheckResult:
    """8.9: linked evidence that contradicts."""
    against = [piece for piece in question.linked if piece.polarity == Polarity.CONTRADICTS]
    if not against:
        return CheckResult("contradiction", PASS, "", "No linked evidence contradicts it.")
    ids = tuple(piece.id for piece in against)
    detail = f"{len(against)} of {len(question.linked)} linked pieces of evidence contradict it."
    return CheckResult(
        "contradiction", REVIEW, "contradicting_evidence", detail, {"contradicting": len(against)}, {"evidence": ids}
    )


def secret(question: Question) -> CheckResult:
    """8.10: a secret in the statement or its evidence: the kind and the place, never the value."""
    tags = [("tags", " ".join(question.candidate.tags))] if question.candidate.tags else []
    found = [(place, kinds) for place, text in (*question.texts, *tags) if (kinds := secret_kinds(text))]
    if not found:
        return CheckResult("secret", PASS, "", "No secret in its texts.")
    told = "; ".join(f"{_listed(kinds)} in {place}" for place, kinds in found)
    kinds = tuple(dict.fromkeys(kind for _, kinds in found for kind in kinds))
    return CheckResult(
        "secret", REJECTED, "secret_detected", f"Found by shape: {told}.", {"places": len(found)}, {"kinds": kinds}
    )


CHECKS: Final[tuple[Callable[[Question], CheckResult], ...]] = (
    source_support, trust, scope, layer, durability, poisoning, match_review, redaction, tombstone, evidence_found,
    contradiction, secret,
)  # fmt: skip
"""In the order of the contract's table (section 8), which is the order of the reasons."""


def _plain(word: str) -> str:
    return str(word).replace("_", " ")


def _listed(words: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(_plain(word) for word in words))
