"""Plain names and shapes for the contract's words, as pages show them. Meaning is word and shape first, colour second."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from evidence.rules.signal_vocab import AgentSignalStatus
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
from evidence.web.run_words import RUN_SHAPES
from evidence.web.vocabulary import plain

__all__ = [
    "ACCESSES", "ANSWERS", "CHECKS", "DONE", "INQUIRIES", "KINDS", "LABEL_SHAPES", "MATCHES", "REASONS", "SHAPES", "SIGNALS",
    "SUPERSEDE_REASONS", "VOLATILITIES", "plain",
]  # fmt: skip

# The label and the status share a word, and not a shape.
LABEL_SHAPES: dict[str, str] = {Label.APPROVED: "◆"}

SHAPES: dict[str, str] = {
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
    AgentSignalStatus.CLAIMED: "◑",
    AgentSignalStatus.ACKED: "✓",
    **RUN_SHAPES,
}

KINDS: dict[str, str | Promise] = {
    HeldKind.FACT_PROPOSAL: _("Fact proposal"),
    HeldKind.PROMOTION_PROPOSAL: _("Article proposal"),
    HeldKind.HELD_EVIDENCE: _("External evidence"),
}

MATCHES: dict[str, str | Promise] = {
    MatchKind.NEW: _("new"),
    MatchKind.DUPLICATE: _("duplicate"),
    MatchKind.STRENGTHENS: _("strengthens a record"),
    MatchKind.UPDATES: _("updates a record"),
    MatchKind.POTENTIAL_CONFLICT: _("potential conflict"),
    MatchKind.SUPERSEDES: _("wants to replace a record"),
    MatchKind.AMBIGUOUS: _("ambiguous"),
}

REASONS: dict[str, str | Promise] = {
    ReasonCode.NOT_SUPPORTED: _("Not supported by its evidence"),
    ReasonCode.DUPLICATE: _("Duplicate"),
    ReasonCode.STALE: _("Out of date"),
    ReasonCode.WRONG: _("Wrong"),
    ReasonCode.TOO_VAGUE: _("Too vague"),
    ReasonCode.OUT_OF_SCOPE: _("Out of scope"),
    ReasonCode.PRIVATE: _("Private"),
    ReasonCode.POISONED: _("Planted or manipulated"),
    ReasonCode.TEMPORARY: _("Only temporary"),
    ReasonCode.OTHER: _("Other"),
}

# Why a record is replaced; the same codes, read from the other side.
SUPERSEDE_REASONS: tuple[ReasonCode, ...] = (
    ReasonCode.STALE,
    ReasonCode.WRONG,
    ReasonCode.DUPLICATE,
    ReasonCode.TOO_VAGUE,
    ReasonCode.OTHER,
)

SIGNALS: dict[str, str | Promise] = {
    Signal.INVISIBLE_CHARACTERS: _("invisible characters"),
    Signal.BIDI_CONTROLS: _("text-direction controls"),
    Signal.CONFUSABLE_LETTERS: _("look-alike letters"),
    Signal.INSTRUCTION_LIKE: _("reads like an instruction"),
    Signal.ENCODED_PAYLOAD: _("encoded payload"),
    Signal.EXFILTRATION_LINK: _("link that carries data out"),
    Signal.TOOL_DIRECTIVE: _("tool directive"),
    Signal.AUTHORITY_CLAIM: _("claims authority"),
    "source_burst": _("burst from one source"),
    "echo": _("repeats what it was served"),
}

CHECKS: dict[str, str | Promise] = {
    "source_support": _("Source support"),
    "trust_boundary": _("Trust"),
    "scope": _("Scope"),
    "layer": _("Layer"),
    "durability": _("Durability"),
    "poisoning_risk": _("Poisoning risk"),
    "match": _("Match"),
    "redacted_evidence": _("Redaction"),
    "tombstone": _("Deleted before"),
    "evidence": _("Evidence"),
    "contradiction": _("Contradiction"),
    "secret": _("Secrets"),
}

HOOK_FORMATS: dict[str, str | Promise] = {"generic": _("JSON, signed"), "slack": _("Slack message")}

DONE: dict[str, str | Promise] = {
    AuditAction.APPROVE: _("Approved"),
    AuditAction.FIRST_APPROVAL: _("First approval given"),
    AuditAction.REJECT: _("Rejected"),
    AuditAction.SUPERSEDE: _("Approved, replacing others"),
    AuditAction.SNOOZE: _("Snoozed"),
    AuditAction.ASK_OWNER: _("Owner asked"),
    AuditAction.EDIT: _("Edited"),
    AuditAction.UNDO: _("Undone"),
    AuditAction.WITHDRAW: _("Withdrawn"),
    AuditAction.CLOSE_EQUAL: _("Closed as equal"),
    AuditAction.REPLACE: _("Replaced by its filer"),
    AuditAction.EXPIRE: _("Expired"),
    AuditAction.FILE: _("Filed"),
    AuditAction.IMPORT: _("Imported"),
    AuditAction.ANSWER: _("Answered"),
    AuditAction.ASSIGN: _("Assigned"),
    AuditAction.ESCALATE: _("Escalated"),
    AuditAction.EVIDENCE_CAME: _("Evidence came"),
    AuditAction.REFRESH_CHECK: _("Check refreshed"),
    AuditAction.REVOKE: _("Revoked"),
    AuditAction.CORRECT: _("Corrected"),
    AuditAction.DELETE: _("Deleted"),
    AuditAction.PURGE: _("Purged"),
    AuditAction.TOKEN_ISSUE: _("Token issued"),
    AuditAction.TOKEN_REVOKE: _("Token revoked"),
    AuditAction.MEMBERSHIP: _("Membership changed"),
    AuditAction.POLICY: _("Policy changed"),
    AuditAction.WEBHOOK: _("Webhook changed"),
    AuditAction.SEED: _("Seeded"),
    AuditAction.REDACT: _("Excerpt redacted"),
    AuditAction.REOPEN: _("Reopened"),
    AuditAction.REASSIGN: _("Moved to another agent"),
    AuditAction.REVERIFY: _("Verified again"),
    AuditAction.LIFT_TOMBSTONE: _("Tombstone lifted"),
    AuditAction.MERGE_AGENTS: _("Agents merged"),
    AuditAction.RESTORE: _("Restored from a backup"),
}

INQUIRIES: dict[str, str | Promise] = {
    InquiryKind.CONFLICT: _("Conflict"),
    InquiryKind.SUPERSESSION: _("Replacement"),
    InquiryKind.AMBIGUOUS: _("Ambiguous"),
    InquiryKind.QUESTION: _("Question"),
    InquiryKind.RECHECK: _("Re-check"),
}

ANSWERS: dict[str, str | Promise] = {
    Answer.CURRENT: _("The current value is true"),
    Answer.INCOMING: _("The new value is true"),
    Answer.OTHER_VALUE: _("Another value…"),
    Answer.BOTH_SCOPE: _("Both, in different scopes…"),
    Answer.BOTH_TIME: _("Both, at different times…"),
    Answer.NEITHER: _("Neither"),
    Answer.NEED_EVIDENCE: _("Need evidence"),
    Answer.ARTICLE_SHOULD_CHANGE: _("The article should change"),
}

ACCESSES: dict[str, str | Promise] = {
    Access.PRIVATE: _("only this agent"),
    Access.SHARED: _("this agent and those named"),
    Access.PUBLIC: _("every agent"),
}

VOLATILITIES: dict[str, str | Promise] = {
    word: _("never stale") if word == Volatility.STABLE else _("2 days") for word in Volatility
}
