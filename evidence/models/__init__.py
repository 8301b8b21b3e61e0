"""The tables, one file per aggregate with its named reads. They know the pure rules and nothing above them."""

from evidence.models.accounts import Agent, Membership, Policy, Token, User
from evidence.models.agent_signals import AgentSignal, AgentSignalTag, SignalHead
from evidence.models.audit import SYSTEM_NAMESPACE, AuditAnchor, ChainHead, Decision, DecisionTouch, Snapshot
from evidence.models.clusters import ClusterEntry, ClusterKey
from evidence.models.desk import SavedView
from evidence.models.evidence import Evidence, RecordLink, Tombstone
from evidence.models.held import (
    FactProposal,
    HeldEvidence,
    HeldLink,
    HeldRecord,
    HeldSkip,
    PromotionProposal,
    Verification,
)
from evidence.models.imports import ImportedItem
from evidence.models.inquiries import Inquiry, InquiryEvidence
from evidence.models.recall import IndexEntry, IndexWalk, RecallItem, RecallLog, VectorEntry
from evidence.models.receipts import DeskMark, Feedback
from evidence.models.rechecks import RecheckItem
from evidence.models.runs import (
    MemoryUtility,
    Run,
    RunArtifact,
    RunEvent,
    RunMemoryLink,
    RunOutcome,
    RunState,
    RunWorkItem,
    WorkItemState,
)
from evidence.models.tallies import Tally
from evidence.models.telling import Delivery, News, Notice, Preference, TellingHours, Webhook
from evidence.models.work import IdempotencyKey, Job, JobItem, Outbox

__all__ = [
    "SYSTEM_NAMESPACE", "Agent", "AgentSignal", "AgentSignalTag", "AuditAnchor", "ChainHead", "ClusterEntry",
    "ClusterKey", "Decision", "DecisionTouch", "Delivery", "DeskMark", "Evidence", "FactProposal", "Feedback",
    "HeldEvidence", "HeldLink", "HeldRecord", "HeldSkip", "IdempotencyKey", "ImportedItem", "IndexEntry", "IndexWalk",
    "Inquiry", "InquiryEvidence", "Job", "JobItem", "Membership", "MemoryUtility", "News", "Notice", "Outbox",
    "Policy", "Preference", "PromotionProposal", "RecallItem", "RecallLog", "RecheckItem", "RecordLink", "Run",
    "RunArtifact", "RunEvent", "RunMemoryLink", "RunOutcome", "RunState", "RunWorkItem", "SavedView", "SignalHead",
    "Snapshot", "Tally", "TellingHours", "Token", "Tombstone", "User", "VectorEntry", "Verification", "Webhook",
    "WorkItemState",
]  # fmt: skip
