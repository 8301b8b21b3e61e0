"""Words of the contract's vocabulary as people read them, in their language; the words themselves never change."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy


def plain(word: object) -> str:
    """A word of the vocabulary as it reads in a sentence."""
    text = str(word).replace("_", " ").replace("-", " ")
    return str(WORDS.get(text, text))


# The context keeps the state "open" apart from the link "open".
WORDS: dict[str, str | Promise] = {
    # Kind
    "article": pgettext_lazy("word", "article"),
    "fact": pgettext_lazy("word", "fact"),
    "observation": pgettext_lazy("word", "observation"),
    "derived": pgettext_lazy("word", "derived"),
    # Volatility
    "billing": pgettext_lazy("word", "billing"),
    "account": pgettext_lazy("word", "account"),
    "outage": pgettext_lazy("word", "outage"),
    "deploy": pgettext_lazy("word", "deploy"),
    "work state": pgettext_lazy("word", "work state"),
    "stable": pgettext_lazy("word", "stable"),
    # Access
    "private": pgettext_lazy("word", "private"),
    "shared": pgettext_lazy("word", "shared"),
    "public": pgettext_lazy("word", "public"),
    # Trust
    "operator": pgettext_lazy("word", "operator"),
    "internal": pgettext_lazy("word", "internal"),
    "external": pgettext_lazy("word", "external"),
    # Review
    "held": pgettext_lazy("word", "held"),
    "approved": pgettext_lazy("word", "approved"),
    "rejected": pgettext_lazy("word", "rejected"),
    # State
    "active": pgettext_lazy("word", "active"),
    "superseded": pgettext_lazy("word", "superseded"),
    "revoked": pgettext_lazy("word", "revoked"),
    "deleted": pgettext_lazy("word", "deleted"),
    # Label
    "verified": pgettext_lazy("word", "verified"),
    "stale": pgettext_lazy("word", "stale"),
    "unverified": pgettext_lazy("word", "unverified"),
    # Outcome
    "same": pgettext_lazy("word", "same"),
    "supersede": pgettext_lazy("word", "supersede"),
    "keep": pgettext_lazy("word", "keep"),
    "conflict": pgettext_lazy("word", "conflict"),
    # TrustClass
    "direct user instruction": pgettext_lazy("word", "direct user instruction"),
    "user correction": pgettext_lazy("word", "user correction"),
    "repeated user preference": pgettext_lazy("word", "repeated user preference"),
    "accepted code review outcome": pgettext_lazy("word", "accepted code review outcome"),
    "existing project convention": pgettext_lazy("word", "existing project convention"),
    "passing tool or test outcome": pgettext_lazy("word", "passing tool or test outcome"),
    "agent inference": pgettext_lazy("word", "agent inference"),
    "single session observation": pgettext_lazy("word", "single session observation"),
    "repository text": pgettext_lazy("word", "repository text"),
    "generated content": pgettext_lazy("word", "generated content"),
    "third party documentation": pgettext_lazy("word", "third party documentation"),
    "unknown": pgettext_lazy("word", "unknown"),
    # Durability
    "temporary": pgettext_lazy("word", "temporary"),
    "session": pgettext_lazy("word", "session"),
    "task": pgettext_lazy("word", "task"),
    "project": pgettext_lazy("word", "project"),
    "repository": pgettext_lazy("word", "repository"),
    "user global": pgettext_lazy("word", "user global"),
    "long term": pgettext_lazy("word", "long term"),
    # Polarity
    "supports": pgettext_lazy("word", "supports"),
    "contradicts": pgettext_lazy("word", "contradicts"),
    "qualifies": pgettext_lazy("word", "qualifies"),
    # Redaction
    "none": pgettext_lazy("word", "none"),
    "redacted": pgettext_lazy("word", "redacted"),
    # ReachLevel
    "global": pgettext_lazy("word", "global"),
    "domain": pgettext_lazy("word", "domain"),
    # Eligibility
    "never": pgettext_lazy("word", "never"),
    "l1 review only": pgettext_lazy("word", "l1 review only"),
    "review only": pgettext_lazy("word", "review only"),
    "auto candidate": pgettext_lazy("word", "auto candidate"),
    # Risk
    "low": pgettext_lazy("word", "low"),
    "medium": pgettext_lazy("word", "medium"),
    "high": pgettext_lazy("word", "high"),
    # MatchKind
    "new": pgettext_lazy("word", "new"),
    "duplicate": pgettext_lazy("word", "duplicate"),
    "strengthens existing": pgettext_lazy("word", "strengthens existing"),
    "updates existing": pgettext_lazy("word", "updates existing"),
    "potential conflict": pgettext_lazy("word", "potential conflict"),
    "supersedes existing": pgettext_lazy("word", "supersedes existing"),
    "ambiguous": pgettext_lazy("word", "ambiguous"),
    # VerificationStatus
    "pending": pgettext_lazy("word", "pending"),
    "review required": pgettext_lazy("word", "review required"),
    "legacy unverified": pgettext_lazy("word", "legacy unverified"),
    # Signal
    "invisible characters": pgettext_lazy("word", "invisible characters"),
    "bidi controls": pgettext_lazy("word", "bidi controls"),
    "confusable letters": pgettext_lazy("word", "confusable letters"),
    "instruction like": pgettext_lazy("word", "instruction like"),
    "encoded payload": pgettext_lazy("word", "encoded payload"),
    "exfiltration link": pgettext_lazy("word", "exfiltration link"),
    "tool directive": pgettext_lazy("word", "tool directive"),
    "authority claim": pgettext_lazy("word", "authority claim"),
    # SecretKind
    "private key": pgettext_lazy("word", "private key"),
    "github token": pgettext_lazy("word", "github token"),
    "gitlab token": pgettext_lazy("word", "gitlab token"),
    "aws key": pgettext_lazy("word", "aws key"),
    "google key": pgettext_lazy("word", "google key"),
    "slack token": pgettext_lazy("word", "slack token"),
    "slack webhook": pgettext_lazy("word", "slack webhook"),
    "telegram token": pgettext_lazy("word", "telegram token"),
    "openai key": pgettext_lazy("word", "openai key"),
    "anthropic key": pgettext_lazy("word", "anthropic key"),
    "stripe key": pgettext_lazy("word", "stripe key"),
    "npm token": pgettext_lazy("word", "npm token"),
    "huggingface token": pgettext_lazy("word", "huggingface token"),
    "jwt": pgettext_lazy("word", "jwt"),
    "bearer token": pgettext_lazy("word", "bearer token"),
    "url credentials": pgettext_lazy("word", "url credentials"),
    "assigned secret": pgettext_lazy("word", "assigned secret"),
    # HeldKind
    "fact proposal": pgettext_lazy("word", "fact proposal"),
    "promotion proposal": pgettext_lazy("word", "promotion proposal"),
    "held evidence": pgettext_lazy("word", "held evidence"),
    # HeldStatus
    "waiting": pgettext_lazy("word", "waiting"),
    "withdrawn": pgettext_lazy("word", "withdrawn"),
    "expired": pgettext_lazy("word", "expired"),
    # InquiryKind
    "supersession": pgettext_lazy("word", "supersession"),
    "question": pgettext_lazy("word", "question"),
    "recheck": pgettext_lazy("word", "recheck"),
    # InquiryStatus
    "open": pgettext_lazy("word", "open"),
    "answered": pgettext_lazy("word", "answered"),
    # Answer
    "current": pgettext_lazy("word", "current"),
    "incoming": pgettext_lazy("word", "incoming"),
    "other value": pgettext_lazy("word", "other value"),
    "both scope": pgettext_lazy("word", "both scope"),
    "both time": pgettext_lazy("word", "both time"),
    "neither": pgettext_lazy("word", "neither"),
    "need evidence": pgettext_lazy("word", "need evidence"),
    "article should change": pgettext_lazy("word", "article should change"),
    # ReasonCode
    "not supported": pgettext_lazy("word", "not supported"),
    "wrong": pgettext_lazy("word", "wrong"),
    "too vague": pgettext_lazy("word", "too vague"),
    "out of scope": pgettext_lazy("word", "out of scope"),
    "poisoned": pgettext_lazy("word", "poisoned"),
    "other": pgettext_lazy("word", "other"),
    # Action
    "approve": pgettext_lazy("word", "approve"),
    "reject": pgettext_lazy("word", "reject"),
    "snooze": pgettext_lazy("word", "snooze"),
    "ask owner": pgettext_lazy("word", "ask owner"),
    # Mode
    "manual": pgettext_lazy("word", "manual"),
    "assisted": pgettext_lazy("word", "assisted"),
    "auto": pgettext_lazy("word", "auto"),
    # Treatment
    "wait": pgettext_lazy("word", "wait"),
    "preselect": pgettext_lazy("word", "preselect"),
    "apply": pgettext_lazy("word", "apply"),
    # Role
    "reviewer": pgettext_lazy("word", "reviewer"),
    "owner": pgettext_lazy("word", "owner"),
    "auditor": pgettext_lazy("word", "auditor"),
    "administrator": pgettext_lazy("word", "administrator"),
    # Door
    "web": pgettext_lazy("word", "web"),
    "api": pgettext_lazy("word", "api"),
    "mcp": pgettext_lazy("word", "mcp"),
    "admin": pgettext_lazy("word", "admin"),
    "command": pgettext_lazy("word", "command"),
    "import": pgettext_lazy("word", "import"),
    "mail": pgettext_lazy("word", "mail"),
    # Right
    "file": pgettext_lazy("word", "file"),
    "recall": pgettext_lazy("word", "recall"),
    "runs": pgettext_lazy("word", "runs"),
    "signals": pgettext_lazy("word", "signals"),
    # AuditAction
    "first approval": pgettext_lazy("word", "first approval"),
    "edit": pgettext_lazy("word", "edit"),
    "withdraw": pgettext_lazy("word", "withdraw"),
    "close equal": pgettext_lazy("word", "close equal"),
    "replace": pgettext_lazy("word", "replace"),
    "expire": pgettext_lazy("word", "expire"),
    "undo": pgettext_lazy("word", "undo"),
    "answer": pgettext_lazy("word", "answer"),
    "assign": pgettext_lazy("word", "assign"),
    "escalate": pgettext_lazy("word", "escalate"),
    "evidence came": pgettext_lazy("word", "evidence came"),
    "refresh check": pgettext_lazy("word", "refresh check"),
    "revoke": pgettext_lazy("word", "revoke"),
    "correct": pgettext_lazy("word", "correct"),
    "delete": pgettext_lazy("word", "delete"),
    "purge": pgettext_lazy("word", "purge"),
    "token issue": pgettext_lazy("word", "token issue"),
    "token revoke": pgettext_lazy("word", "token revoke"),
    "membership": pgettext_lazy("word", "membership"),
    "policy": pgettext_lazy("word", "policy"),
    "seed": pgettext_lazy("word", "seed"),
    # ActorKind
    "person": pgettext_lazy("word", "person"),
    "agent": pgettext_lazy("word", "agent"),
    "system": pgettext_lazy("word", "system"),
    # JobStatus
    "preparing": pgettext_lazy("word", "preparing"),
    "preview": pgettext_lazy("word", "preview"),
    "running": pgettext_lazy("word", "running"),
    "done": pgettext_lazy("word", "done"),
    "failed": pgettext_lazy("word", "failed"),
    "cancelled": pgettext_lazy("word", "cancelled"),
    # ItemOutcome
    "changed": pgettext_lazy("word", "changed"),
    "refused": pgettext_lazy("word", "refused"),
    "gone": pgettext_lazy("word", "gone"),
    "skipped": pgettext_lazy("word", "skipped"),
    # EffectKind
    "create record": pgettext_lazy("word", "create record"),
    "supersede record": pgettext_lazy("word", "supersede record"),
    "link evidence": pgettext_lazy("word", "link evidence"),
    "write article": pgettext_lazy("word", "write article"),
    "approve evidence": pgettext_lazy("word", "approve evidence"),
    "close question": pgettext_lazy("word", "close question"),
    "open question": pgettext_lazy("word", "open question"),
    # what a snapshot and a form name
    "high risk": pgettext_lazy("word", "high risk"),
    "medium risk": pgettext_lazy("word", "medium risk"),
    "low risk": pgettext_lazy("word", "low risk"),
    "inquiry": pgettext_lazy("word", "inquiry"),
    "record": pgettext_lazy("word", "record"),
    "evidence": pgettext_lazy("word", "evidence"),
    "thread": pgettext_lazy("word", "thread"),
    "source": pgettext_lazy("word", "source"),
    "statement": pgettext_lazy("word", "statement"),
    "claim": pgettext_lazy("word", "claim"),
    "effects": pgettext_lazy("word", "effects"),
    "before": pgettext_lazy("word", "before"),
    "after": pgettext_lazy("word", "after"),
    "plan": pgettext_lazy("word", "plan"),
    "subject": pgettext_lazy("word", "subject"),
    "attribute": pgettext_lazy("word", "attribute"),
    "value": pgettext_lazy("word", "value"),
    "scope": pgettext_lazy("word", "scope"),
    "reason": pgettext_lazy("word", "reason"),
    "version": pgettext_lazy("word", "version"),
    "tags": pgettext_lazy("word", "tags"),
    "excerpt": pgettext_lazy("word", "excerpt"),
    "summary": pgettext_lazy("word", "summary"),
    "any": pgettext_lazy("word", "any"),
}
