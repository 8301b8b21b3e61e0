"""Words of the contract's vocabulary as people read them, in their language; the words themselves never change."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy as _


def plain(word: object) -> str:
    """A word of the vocabulary as it reads in a sentence."""
    text = str(word).replace("_", " ").replace("-", " ")
    return str(WORDS.get(text, text))


# The context keeps the state "open" apart from the link "open".
WORDS: dict[str, str | Promise] = {
    # Kind
    "article": _("word", "article"),
    "fact": _("word", "fact"),
    "observation": _("word", "observation"),
    "derived": _("word", "derived"),
    # Volatility
    "billing": _("word", "billing"),
    "account": _("word", "account"),
    "outage": _("word", "outage"),
    "deploy": _("word", "deploy"),
    "work state": _("word", "work state"),
    "stable": _("word", "stable"),
    # Access
    "private": _("word", "private"),
    "shared": _("word", "shared"),
    "public": _("word", "public"),
    # Trust
    "operator": _("word", "operator"),
    "internal": _("word", "internal"),
    "external": _("word", "external"),
    # Review
    "held": _("word", "held"),
    "approved": _("word", "approved"),
    "rejected": _("word", "rejected"),
    # State
    "active": _("word", "active"),
    "superseded": _("word", "superseded"),
    "revoked": _("word", "revoked"),
    "deleted": _("word", "deleted"),
    # Label
    "verified": _("word", "verified"),
    "stale": _("word", "stale"),
    "unverified": _("word", "unverified"),
    # Outcome
    "same": _("word", "same"),
    "supersede": _("word", "supersede"),
    "keep": _("word", "keep"),
    "conflict": _("word", "conflict"),
    # TrustClass
    "direct user instruction": _("word", "direct user instruction"),
    "user correction": _("word", "user correction"),
    "repeated user preference": _("word", "repeated user preference"),
    "accepted code review outcome": _("word", "accepted code review outcome"),
    "existing project convention": _("word", "existing project convention"),
    "passing tool or test outcome": _("word", "passing tool or test outcome"),
    "agent inference": _("word", "agent inference"),
    "single session observation": _("word", "single session observation"),
    "repository text": _("word", "repository text"),
    "generated content": _("word", "generated content"),
    "third party documentation": _("word", "third party documentation"),
    "unknown": _("word", "unknown"),
    # Durability
    "temporary": _("word", "temporary"),
    "session": _("word", "session"),
    "task": _("word", "task"),
    "project": _("word", "project"),
    "repository": _("word", "repository"),
    "user global": _("word", "user global"),
    "long term": _("word", "long term"),
    # Polarity
    "supports": _("word", "supports"),
    "contradicts": _("word", "contradicts"),
    "qualifies": _("word", "qualifies"),
    # Redaction
    "none": _("word", "none"),
    "redacted": _("word", "redacted"),
    # ReachLevel
    "global": _("word", "global"),
    "domain": _("word", "domain"),
    # Eligibility
    "never": _("word", "never"),
    "l1 review only": _("word", "l1 review only"),
    "review only": _("word", "review only"),
    "auto candidate": _("word", "auto candidate"),
    # Risk
    "low": _("word", "low"),
    "medium": _("word", "medium"),
    "high": _("word", "high"),
    # MatchKind
    "new": _("word", "new"),
    "duplicate": _("word", "duplicate"),
    "strengthens existing": _("word", "strengthens existing"),
    "updates existing": _("word", "updates existing"),
    "potential conflict": _("word", "potential conflict"),
    "supersedes existing": _("word", "supersedes existing"),
    "ambiguous": _("word", "ambiguous"),
    # VerificationStatus
    "pending": _("word", "pending"),
    "review required": _("word", "review required"),
    "legacy unverified": _("word", "legacy unverified"),
    # Signal
    "invisible characters": _("word", "invisible characters"),
    "bidi controls": _("word", "bidi controls"),
    "confusable letters": _("word", "confusable letters"),
    "instruction like": _("word", "instruction like"),
    "encoded payload": _("word", "encoded payload"),
    "exfiltration link": _("word", "exfiltration link"),
    "tool directive": _("word", "tool directive"),
    "authority claim": _("word", "authority claim"),
    # SecretKind
    "private key": _("word", "private key"),
    "github token": _("word", "github token"),
    "gitlab token": _("word", "gitlab token"),
    "aws key": _("word", "aws key"),
    "google key": _("word", "google key"),
    "slack token": _("word", "slack token"),
    "slack webhook": _("word", "slack webhook"),
    "telegram token": _("word", "telegram token"),
    "openai key": _("word", "openai key"),
    "anthropic key": _("word", "anthropic key"),
    "stripe key": _("word", "stripe key"),
    "npm token": _("word", "npm token"),
    "huggingface token": _("word", "huggingface token"),
    "jwt": _("word", "jwt"),
    "bearer token": _("word", "bearer token"),
    "url credentials": _("word", "url credentials"),
    "assigned secret": _("word", "assigned secret"),
    # HeldKind
    "fact proposal": _("word", "fact proposal"),
    "promotion proposal": _("word", "promotion proposal"),
    "held evidence": _("word", "held evidence"),
    # HeldStatus
    "waiting": _("word", "waiting"),
    "withdrawn": _("word", "withdrawn"),
    "expired": _("word", "expired"),
    # InquiryKind
    "supersession": _("word", "supersession"),
    "question": _("word", "question"),
    "recheck": _("word", "recheck"),
    # InquiryStatus
    "open": _("word", "open"),
    "answered": _("word", "answered"),
    # Answer
    "current": _("word", "current"),
    "incoming": _("word", "incoming"),
    "other value": _("word", "other value"),
    "both scope": _("word", "both scope"),
    "both time": _("word", "both time"),
    "neither": _("word", "neither"),
    "need evidence": _("word", "need evidence"),
    "article should change": _("word", "article should change"),
    # ReasonCode
    "not supported": _("word", "not supported"),
    "wrong": _("word", "wrong"),
    "too vague": _("word", "too vague"),
    "out of scope": _("word", "out of scope"),
    "poisoned": _("word", "poisoned"),
    "other": _("word", "other"),
    # Action
    "approve": _("word", "approve"),
    "reject": _("word", "reject"),
    "snooze": _("word", "snooze"),
    "ask owner": _("word", "ask owner"),
    # Mode
    "manual": _("word", "manual"),
    "assisted": _("word", "assisted"),
    "auto": _("word", "auto"),
    # Treatment
    "wait": _("word", "wait"),
    "preselect": _("word", "preselect"),
    "apply": _("word", "apply"),
    # Role
    "reviewer": _("word", "reviewer"),
    "owner": _("word", "owner"),
    "auditor": _("word", "auditor"),
    "administrator": _("word", "administrator"),
    # Door
    "web": _("word", "web"),
    "api": _("word", "api"),
    "mcp": _("word", "mcp"),
    "admin": _("word", "admin"),
    "command": _("word", "command"),
    "import": _("word", "import"),
    "mail": _("word", "mail"),
    # Right
    "file": _("word", "file"),
    "recall": _("word", "recall"),
    "runs": _("word", "runs"),
    "signals": _("word", "signals"),
    # AuditAction
    "first approval": _("word", "first approval"),
    "edit": _("word", "edit"),
    "withdraw": _("word", "withdraw"),
    "close equal": _("word", "close equal"),
    "replace": _("word", "replace"),
    "expire": _("word", "expire"),
    "undo": _("word", "undo"),
    "answer": _("word", "answer"),
    "assign": _("word", "assign"),
    "escalate": _("word", "escalate"),
    "evidence came": _("word", "evidence came"),
    "refresh check": _("word", "refresh check"),
    "revoke": _("word", "revoke"),
    "correct": _("word", "correct"),
    "delete": _("word", "delete"),
    "purge": _("word", "purge"),
    "token issue": _("word", "token issue"),
    "token revoke": _("word", "token revoke"),
    "membership": _("word", "membership"),
    "policy": _("word", "policy"),
    "seed": _("word", "seed"),
    # ActorKind
    "person": _("word", "person"),
    "agent": _("word", "agent"),
    "system": _("word", "system"),
    # JobStatus
    "preparing": _("word", "preparing"),
    "preview": _("word", "preview"),
    "running": _("word", "running"),
    "done": _("word", "done"),
    "failed": _("word", "failed"),
    "cancelled": _("word", "cancelled"),
    # ItemOutcome
    "changed": _("word", "changed"),
    "refused": _("word", "refused"),
    "gone": _("word", "gone"),
    "skipped": _("word", "skipped"),
    # EffectKind
    "create record": _("word", "create record"),
    "supersede record": _("word", "supersede record"),
    "link evidence": _("word", "link evidence"),
    "write article": _("word", "write article"),
    "approve evidence": _("word", "approve evidence"),
    "close question": _("word", "close question"),
    "open question": _("word", "open question"),
    # what a snapshot and a form name
    "high risk": _("word", "high risk"),
    "medium risk": _("word", "medium risk"),
    "low risk": _("word", "low risk"),
    "inquiry": _("word", "inquiry"),
    "record": _("word", "record"),
    "evidence": _("word", "evidence"),
    "thread": _("word", "thread"),
    "source": _("word", "source"),
    "statement": _("word", "statement"),
    "claim": _("word", "claim"),
    "effects": _("word", "effects"),
    "before": _("word", "before"),
    "after": _("word", "after"),
    "plan": _("word", "plan"),
    "subject": _("word", "subject"),
    "attribute": _("word", "attribute"),
    "value": _("word", "value"),
    "scope": _("word", "scope"),
    "reason": _("word", "reason"),
    "version": _("word", "version"),
    "tags": _("word", "tags"),
    "excerpt": _("word", "excerpt"),
    "summary": _("word", "summary"),
    "any": _("word", "any"),
}
