"""The verifier's checks on what a claim meets (contract 8.5 to 8.9, 12.13): records, deletions, its evidence.

Each gives one result in words a reviewer reads; none knows of another.
"""

from __future__ import annotations

from collections.abc import Callable

from evidence.rules.checks.question import PASS, REJECTED, REVIEW, CheckResult, Question, plain_word
from evidence.rules.errors import BadInput
from evidence.rules.identity import claim_fingerprint, statement_fingerprint
from evidence.rules.records import Candidate, Tombstone
from evidence.rules.text import norm
from evidence.rules.vocab import MATCH_NEEDS_REVIEW, MatchKind, Polarity, Redaction


def match_review(question: Question) -> CheckResult:
    """8.5: a kind of match that a person must look at; an unknown word is one (contract 12.3)."""
    kind = question.match_kind
    if kind is None:
        return CheckResult("match", PASS, "", "It was not matched against records.")
    needs = kind in MATCH_NEEDS_REVIEW or kind not in frozenset(MatchKind)
    return CheckResult(
        "match", REVIEW if needs else PASS, "match_requires_review" if needs else "",
        f"Match: {plain_word(kind)}" + (", which a person must decide." if needs else "."),
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
