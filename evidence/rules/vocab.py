"""The contract's words, once. Models, forms, doors and pages build their choices from here.

Sources: contract 1 (record), 2 (label), 3 (resolve), 6 (trust, durability), 7 (match), 8 (verifier), 10 (queue).
Every enum is a ``StrEnum``: members compare equal to the plain words met in old data and in ``explain`` input.
"""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    ARTICLE = "article"
    FACT = "fact"
    OBSERVATION = "observation"
    DERIVED = "derived"


class Volatility(StrEnum):
    BILLING = "billing"
    ACCOUNT = "account"
    OUTAGE = "outage"
    DEPLOY = "deploy"
    WORK_STATE = "work-state"
    STABLE = "stable"


class Access(StrEnum):
    PRIVATE = "private"
    SHARED = "shared"
    PUBLIC = "public"


class Trust(StrEnum):
    """How far the arrival channel is trusted, weakest first by `TRUST_ORDER`."""

    OPERATOR = "operator"
    INTERNAL = "internal"
    EXTERNAL = "external"


TRUST_ORDER: tuple[Trust, ...] = (Trust.EXTERNAL, Trust.INTERNAL, Trust.OPERATOR)


class Review(StrEnum):
    HELD = "held"
    APPROVED = "approved"
    REJECTED = "rejected"


class State(StrEnum):
    ACTIVE = "active"
    SUPERSEDED = "superseded"
    REVOKED = "revoked"
    DELETED = "deleted"


class Label(StrEnum):
    APPROVED = "approved"
    VERIFIED = "verified"
    STALE = "stale"
    UNVERIFIED = "unverified"


class Outcome(StrEnum):
    """What `resolve` says (contract 3)."""

    SAME = "same"
    SUPERSEDE = "supersede"
    KEEP = "keep"
    CONFLICT = "conflict"


class TrustClass(StrEnum):
    DIRECT_USER_INSTRUCTION = "direct_user_instruction"
    USER_CORRECTION = "user_correction"
    REPEATED_USER_PREFERENCE = "repeated_user_preference"
    ACCEPTED_CODE_REVIEW_OUTCOME = "accepted_code_review_outcome"
    EXISTING_PROJECT_CONVENTION = "existing_project_convention"
    PASSING_TOOL_OR_TEST_OUTCOME = "passing_tool_or_test_outcome"
    AGENT_INFERENCE = "agent_inference"
    SINGLE_SESSION_OBSERVATION = "single_session_observation"
    REPOSITORY_TEXT = "repository_text"
    GENERATED_CONTENT = "generated_content"
    THIRD_PARTY_DOCUMENTATION = "third_party_documentation"
    UNKNOWN = "unknown"


class Durability(StrEnum):
    TEMPORARY = "temporary"
    SESSION = "session"
    TASK = "task"
    PROJECT = "project"
    REPOSITORY = "repository"
    USER_GLOBAL = "user_global"
    LONG_TERM = "long_term"
    UNKNOWN = "unknown"


NON_DURABLE: frozenset[Durability] = frozenset({Durability.TEMPORARY, Durability.SESSION, Durability.TASK})
DURABLE: frozenset[Durability] = frozenset(Durability) - NON_DURABLE - {Durability.UNKNOWN}


class Polarity(StrEnum):
    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    QUALIFIES = "qualifies"


class Redaction(StrEnum):
    NONE = "none"
    REDACTED = "redacted"
    DELETED = "deleted"


class Layer(StrEnum):
    L1 = "L1"
    L2 = "L2"


class ReachLevel(StrEnum):
    GLOBAL = "global"
    PROJECT = "project"
    REPOSITORY = "repository"
    DOMAIN = "domain"
    SESSION = "session"


class Eligibility(StrEnum):
    NEVER = "never"
    L1_REVIEW_ONLY = "l1_review_only"
    REVIEW_ONLY = "review_only"
    AUTO_CANDIDATE = "auto_candidate"


class Risk(StrEnum):
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class MatchKind(StrEnum):
    NEW = "new"
    DUPLICATE = "duplicate"
    STRENGTHENS = "strengthens_existing"
    UPDATES = "updates_existing"
    POTENTIAL_CONFLICT = "potential_conflict"
    SUPERSEDES = "supersedes_existing"
    AMBIGUOUS = "ambiguous"


MATCH_NEEDS_REVIEW = frozenset({MatchKind.POTENTIAL_CONFLICT, MatchKind.SUPERSEDES, MatchKind.AMBIGUOUS})


class VerificationStatus(StrEnum):
    PENDING = "pending"  # not run yet, or outdated; never an outcome of the rule itself
    VERIFIED = "verified"
    REVIEW_REQUIRED = "review_required"
    REJECTED = "rejected"
    LEGACY_UNVERIFIED = "legacy_unverified"


class Signal(StrEnum):
    INVISIBLE_CHARACTERS = "invisible_characters"
    BIDI_CONTROLS = "bidi_controls"
    CONFUSABLE_LETTERS = "confusable_letters"
    INSTRUCTION_LIKE = "instruction_like"
    ENCODED_PAYLOAD = "encoded_payload"
    EXFILTRATION_LINK = "exfiltration_link"
    TOOL_DIRECTIVE = "tool_directive"
    AUTHORITY_CLAIM = "authority_claim"


HIGH_SIGNALS: frozenset[Signal] = frozenset({Signal.INSTRUCTION_LIKE, Signal.TOOL_DIRECTIVE, Signal.EXFILTRATION_LINK})


class SecretKind(StrEnum):
    """The closed list of what counts as a secret (contract 12.5)."""

    PRIVATE_KEY = "private_key"
    GITHUB_TOKEN = "github_token"
    GITLAB_TOKEN = "gitlab_token"
    AWS_KEY = "aws_key"
    GOOGLE_KEY = "google_key"
    SLACK_TOKEN = "slack_token"
    SLACK_WEBHOOK = "slack_webhook"
    TELEGRAM_TOKEN = "telegram_token"
    OPENAI_KEY = "openai_key"
    ANTHROPIC_KEY = "anthropic_key"
    STRIPE_KEY = "stripe_key"
    NPM_TOKEN = "npm_token"
    HUGGINGFACE_TOKEN = "huggingface_token"
    JWT = "jwt"
    BEARER_TOKEN = "bearer_token"
    URL_CREDENTIALS = "url_credentials"
    ASSIGNED_SECRET = "assigned_secret"


class HeldKind(StrEnum):
    FACT_PROPOSAL = "fact_proposal"
    PROMOTION_PROPOSAL = "promotion_proposal"
    HELD_EVIDENCE = "held_evidence"


class HeldStatus(StrEnum):
    WAITING = "waiting"
    APPROVED = "approved"
    REJECTED = "rejected"
    SUPERSEDED = "superseded"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"


class InquiryKind(StrEnum):
    CONFLICT = "conflict"
    SUPERSESSION = "supersession"
    AMBIGUOUS = "ambiguous"
    QUESTION = "question"
    RECHECK = "recheck"


class InquiryStatus(StrEnum):
    OPEN = "open"
    ANSWERED = "answered"
    WITHDRAWN = "withdrawn"
    STALE = "stale"


class Answer(StrEnum):
    CURRENT = "current"
    INCOMING = "incoming"
    OTHER_VALUE = "other_value"
    BOTH_SCOPE = "both_scope"
    BOTH_TIME = "both_time"
    NEITHER = "neither"
    NEED_EVIDENCE = "need_evidence"
    ARTICLE_SHOULD_CHANGE = "article_should_change"


class ReasonCode(StrEnum):
    """Why a proposal was rejected or replaced; the digit keys of the desk follow this order."""

    NOT_SUPPORTED = "not_supported"
    DUPLICATE = "duplicate"
    STALE = "stale"
    WRONG = "wrong"
    TOO_VAGUE = "too_vague"
    OUT_OF_SCOPE = "out_of_scope"
    PRIVATE = "private"
    POISONED = "poisoned"
    TEMPORARY = "temporary"
    OTHER = "other"


class Action(StrEnum):
    """What a person may do with a held record (doors: POST held/{id}/decision)."""

    APPROVE = "approve"
    REJECT = "reject"
    SUPERSEDE = "supersede"
    SNOOZE = "snooze"
    ASK_OWNER = "ask_owner"


class Mode(StrEnum):
    """Governance modes (contract 8)."""

    MANUAL = "manual"
    ASSISTED = "assisted"
    AUTO = "auto"


class Treatment(StrEnum):
    """What a mode does with a waiting item by itself, least first: nothing, tick it in a batch, carry it out by policy."""

    WAIT = "wait"
    PRESELECT = "preselect"
    APPLY = "apply"


class Role(StrEnum):
    REVIEWER = "reviewer"
    OWNER = "owner"
    AUDITOR = "auditor"
    ADMINISTRATOR = "administrator"


class Door(StrEnum):
    """Where a request came in; kept with every decision."""

    WEB = "web"
    API = "api"
    MCP = "mcp"
    ADMIN = "admin"
    COMMAND = "command"
    IMPORT = "import"
    TASK = "task"
    # A signed link in a mail: the page asks, and only what is sent from it answers.
    MAIL = "mail"


class Right(StrEnum):
    FILE = "file"
    RECALL = "recall"
    RUNS = "runs"
    SIGNALS = "signals"


OPERATOR_CHANNELS: frozenset[str] = frozenset({"cli", "chat-cli", "exec", "tui", "dashboard", "admin", "voice", "push"})
INTERNAL_CHANNELS: frozenset[str] = frozenset(
    "telegram whatsapp slack discord gitlab github api mcp a2a mesh subagent compaction cron workflow business heartbeat"
    " selftest".split()
)


def trust_of_channel(channel: str | None) -> Trust:
    """The trust of an arrival channel; a node suffix after ``@`` and case do not count, everything else does (contract 1)."""
    word = (channel or "").split("@", 1)[0]
    if not word.isascii():
        return Trust.EXTERNAL  # other scripts' letters fold to plain ones: no look-alike may pass for a known channel
    word = word.lower()
    if word in OPERATOR_CHANNELS:
        return Trust.OPERATOR
    if word in INTERNAL_CHANNELS:
        return Trust.INTERNAL
    return Trust.EXTERNAL


class AuditAction(StrEnum):
    """What an audit row records; a held item's own decisions carry the `Action` words."""

    FILE = "file"
    IMPORT = "import"
    APPROVE = "approve"
    FIRST_APPROVAL = "first_approval"
    REJECT = "reject"
    SUPERSEDE = "supersede"
    SNOOZE = "snooze"
    ASK_OWNER = "ask_owner"
    EDIT = "edit"
    WITHDRAW = "withdraw"
    CLOSE_EQUAL = "close_equal"
    REPLACE = "replace"
    EXPIRE = "expire"
    UNDO = "undo"
    ANSWER = "answer"
    ASSIGN = "assign"
    ESCALATE = "escalate"
    EVIDENCE_CAME = "evidence_came"
    REFRESH_CHECK = "refresh_check"
    REVOKE = "revoke"
    CORRECT = "correct"
    DELETE = "delete"
    PURGE = "purge"
    TOKEN_ISSUE = "token_issue"
    TOKEN_REVOKE = "token_revoke"
    MEMBERSHIP = "membership"
    POLICY = "policy"
    WEBHOOK = "webhook"
    SEED = "seed"
    REDACT = "redact"
    REOPEN = "reopen"
    REASSIGN = "reassign"
    REVERIFY = "reverify"
    LIFT_TOMBSTONE = "lift_tombstone"
    MERGE_AGENTS = "merge_agents"
    RESTORE = "restore"


TERMINAL_ACTIONS: frozenset[AuditAction] = frozenset(
    {
        AuditAction.APPROVE, AuditAction.REJECT, AuditAction.SUPERSEDE, AuditAction.WITHDRAW, AuditAction.CLOSE_EQUAL,
        AuditAction.REPLACE, AuditAction.EXPIRE,
    }
)  # fmt: skip


class ActorKind(StrEnum):
    PERSON = "person"
    AGENT = "agent"
    POLICY = "policy"
    SYSTEM = "system"
    IMPORT = "import"


class FeedbackType(StrEnum):
    """A first word, another one in its place, or its taking back."""

    VOTE = "vote"
    CORRECTION = "correction"
    RETRACTION = "retraction"


class FeedbackOutcome(StrEnum):
    HELPFUL = "helpful"
    MISLEADING = "misleading"
    OUTDATED = "outdated"
    NOT_APPLICABLE = "not_applicable"
    NOT_USED = "not_used"
