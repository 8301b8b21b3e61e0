"""Plain names and shapes for the contract's words, as pages show them. Meaning is word and shape first, colour second."""

from __future__ import annotations

from evidence.rules.vocab import (
    Access,
    Answer,
    AuditAction,
    HeldKind,
    HeldStatus,
    InquiryKind,
    Label,
    MatchKind,
    ReasonCode,
    Risk,
    Signal,
    Volatility,
)

SHAPES: dict[str, str] = {
    Label.APPROVED: "◆",
    Label.VERIFIED: "●",
    Label.STALE: "◐",
    Label.UNVERIFIED: "○",
    Risk.HIGH: "▲",
    Risk.MEDIUM: "▴",
    Risk.LOW: "·",
    HeldStatus.APPROVED: "✓",
    HeldStatus.REJECTED: "✕",
    HeldStatus.SUPERSEDED: "⇢",
    HeldStatus.WITHDRAWN: "↩",
    HeldStatus.EXPIRED: "∅",
    HeldStatus.WAITING: "…",
}

KINDS: dict[str, str] = {
    HeldKind.FACT_PROPOSAL: "Fact proposal",
    HeldKind.PROMOTION_PROPOSAL: "Article proposal",
    HeldKind.HELD_EVIDENCE: "External evidence",
}

MATCHES: dict[str, str] = {
    MatchKind.NEW: "new",
    MatchKind.DUPLICATE: "duplicate",
    MatchKind.STRENGTHENS: "strengthens a record",
    MatchKind.UPDATES: "updates a record",
    MatchKind.POTENTIAL_CONFLICT: "potential conflict",
    MatchKind.SUPERSEDES: "wants to replace a record",
    MatchKind.AMBIGUOUS: "ambiguous",
}

REASONS: dict[str, str] = {
    ReasonCode.NOT_SUPPORTED: "Not supported by its evidence",
    ReasonCode.DUPLICATE: "Duplicate",
    ReasonCode.STALE: "Out of date",
    ReasonCode.WRONG: "Wrong",
    ReasonCode.TOO_VAGUE: "Too vague",
    ReasonCode.OUT_OF_SCOPE: "Out of scope",
    ReasonCode.PRIVATE: "Private",
    ReasonCode.POISONED: "Planted or manipulated",
    ReasonCode.TEMPORARY: "Only temporary",
    ReasonCode.OTHER: "Other",
}

# Why a record is replaced; the same codes, read from the other side.
SUPERSEDE_REASONS: tuple[ReasonCode, ...] = (
    ReasonCode.STALE,
    ReasonCode.WRONG,
    ReasonCode.DUPLICATE,
    ReasonCode.TOO_VAGUE,
    ReasonCode.OTHER,
)

SIGNALS: dict[str, str] = {
    Signal.INVISIBLE_CHARACTERS: "invisible characters",
    Signal.BIDI_CONTROLS: "text-direction controls",
    Signal.CONFUSABLE_LETTERS: "look-alike letters",
    Signal.INSTRUCTION_LIKE: "reads like an instruction",
    Signal.ENCODED_PAYLOAD: "encoded payload",
    Signal.EXFILTRATION_LINK: "link that carries data out",
    Signal.TOOL_DIRECTIVE: "tool directive",
    Signal.AUTHORITY_CLAIM: "claims authority",
    "source_burst": "burst from one source",
    "echo": "repeats what it was served",
}

CHECKS: dict[str, str] = {
    "source_support": "Source support",
    "trust_boundary": "Trust",
    "scope": "Scope",
    "layer": "Layer",
    "durability": "Durability",
    "poisoning_risk": "Poisoning risk",
    "match": "Match",
    "redacted_evidence": "Redaction",
    "tombstone": "Deleted before",
    "evidence": "Evidence",
    "contradiction": "Contradiction",
    "secret": "Secrets",
}

DONE: dict[str, str] = {
    AuditAction.APPROVE: "Approved",
    AuditAction.FIRST_APPROVAL: "First approval given",
    AuditAction.REJECT: "Rejected",
    AuditAction.SUPERSEDE: "Approved, replacing others",
    AuditAction.SNOOZE: "Snoozed",
    AuditAction.ASK_OWNER: "Owner asked",
    AuditAction.EDIT: "Edited",
    AuditAction.UNDO: "Undone",
    AuditAction.WITHDRAW: "Withdrawn",
    AuditAction.CLOSE_EQUAL: "Closed as equal",
    AuditAction.REPLACE: "Replaced by its filer",
    AuditAction.EXPIRE: "Expired",
    AuditAction.FILE: "Filed",
    AuditAction.IMPORT: "Imported",
    AuditAction.ANSWER: "Answered",
    AuditAction.ASSIGN: "Assigned",
    AuditAction.ESCALATE: "Escalated",
    AuditAction.EVIDENCE_CAME: "Evidence came",
    AuditAction.REFRESH_CHECK: "Check refreshed",
    AuditAction.REVOKE: "Revoked",
    AuditAction.CORRECT: "Corrected",
    AuditAction.DELETE: "Deleted",
    AuditAction.PURGE: "Purged",
    AuditAction.TOKEN_ISSUE: "Token issued",
    AuditAction.TOKEN_REVOKE: "Token revoked",
    AuditAction.MEMBERSHIP: "Membership changed",
    AuditAction.POLICY: "Policy changed",
    AuditAction.SEED: "Seeded",
}

INQUIRIES: dict[str, str] = {
    InquiryKind.CONFLICT: "Conflict",
    InquiryKind.SUPERSESSION: "Replacement",
    InquiryKind.AMBIGUOUS: "Ambiguous",
    InquiryKind.QUESTION: "Question",
    InquiryKind.RECHECK: "Re-check",
}

ANSWERS: dict[str, str] = {
    Answer.CURRENT: "The current value is true",
    Answer.INCOMING: "The new value is true",
    Answer.OTHER_VALUE: "Another value…",
    Answer.BOTH_SCOPE: "Both, in different scopes…",
    Answer.BOTH_TIME: "Both, at different times…",
    Answer.NEITHER: "Neither",
    Answer.NEED_EVIDENCE: "Need evidence",
    Answer.ARTICLE_SHOULD_CHANGE: "The article should change",
}

ACCESSES: dict[str, str] = {
    Access.PRIVATE: "only this agent",
    Access.SHARED: "this agent and those named",
    Access.PUBLIC: "every agent",
}

VOLATILITIES: dict[str, str] = {word: "never stale" if word == Volatility.STABLE else "2 days" for word in Volatility}


def plain(word: str) -> str:
    """A word of the vocabulary as it reads in a sentence."""
    return word.replace("_", " ").replace("-", " ")
