"""What agents say of what they were shown: chains of votes, corrections and retractions (doors "Recall").

Append-only, and nothing follows from it: no record, index, belief, recall, ranking or policy changes. A chain belongs to an
agent, a query and a record; neither the other results nor their order matter, so that a word can be amended whatever has come.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from evidence.models import Feedback, Token
from evidence.models.receipts import REASON_LENGTH
from evidence.rules.receipts import Receipt, token_hash
from evidence.rules.text import sha256_hex
from evidence.rules.vocab import FeedbackOutcome, FeedbackType
from evidence.services.errors import Refused
from evidence.services.receipts import look_at
from evidence.services.run_utility import refresh_of_word
from evidence.services.texts import NAME_MAX, check_text, check_word

_WITH_REASON = frozenset({FeedbackOutcome.MISLEADING, FeedbackOutcome.OUTDATED})


@dataclass(frozen=True, slots=True)
class Given:
    """`created` false: this very word was there already."""

    row: Feedback
    created: bool


@dataclass(frozen=True, slots=True)
class Word:
    """What is said."""

    receipt: str
    record_id: str
    rank: int
    type: FeedbackType
    outcome: str
    reason: str
    supersedes: UUID | None


def give_feedback(
    *, token: Token, receipt: str, record_id: str, rank: int, outcome: str = "", reason: str = "", kind: str = "vote",
    supersedes: UUID | None = None, now: datetime | None = None,
) -> Given:  # fmt: skip
    """Say it once. Raises `Refused`: 422 for a receipt that does not hold (`fault`) and for what is missing, 409
    `version_conflict` where another word stands that this one does not name (`head`), `closed` for what was taken back.
    """
    word = _checked(receipt, record_id, rank, outcome, reason, kind, supersedes)
    at = now or timezone.now()
    try:
        with transaction.atomic():
            return _give(token, word, at)
    except IntegrityError:
        # The same word, or another one, came first.
        with transaction.atomic():
            return _give(token, word, at)


def _give(token: Token, word: Word, now: datetime) -> Given:
    if word.supersedes is not None:
        return _amend(token, word, now)
    found, one = look_at(token, word.receipt, record_id=word.record_id, rank=word.rank, now=now)
    subject = _subject(token, found, word.record_id)
    root = Feedback.objects.filter(subject=subject, supersedes__isnull=True).first()
    if root is None:
        return Given(_store(token, word, found, subject, one.content_version, now), True)
    head = _head_of(subject)
    if head.pk == root.pk and _same(root, word):
        return Given(root, False)
    raise _stands(head)


def _amend(token: Token, word: Word, now: datetime) -> Given:
    """Put another word in the place of the agent's last one. The receipt of any word of the chain is good enough for that,
    however old: it was looked at when it came. Else a fresh one of the same query.
    """
    before = Feedback.objects.filter(pk=str(word.supersedes), namespace=token.namespace, agent=token.agent_id).first()
    if before is None or before.record_id != word.record_id:
        raise Refused("invalid_value", "supersedes names no word of yours about this record.", field="supersedes")
    chain = Feedback.objects.filter(subject=before.subject)
    known = chain.filter(receipt_hash=token_hash(word.receipt), rank=word.rank).first()
    if known is None:
        found, one = look_at(token, word.receipt, record_id=word.record_id, rank=word.rank, now=now)
        if _subject(token, found, word.record_id) != before.subject:
            raise Refused("invalid_value", "The receipt is of another query than that word.", field="receipt")
        version = one.content_version
    else:
        found, version = None, known.content_version
    after = Feedback.objects.filter(supersedes=before).first()
    if after is not None:
        if _same(after, word):
            return Given(after, False)
        raise _stands(_head_of(before.subject))
    if before.type == FeedbackType.RETRACTION and word.type == FeedbackType.RETRACTION:
        raise Refused("closed", "It was taken back already; a correction may put another word in its place.")
    return Given(_store(token, word, found or before, before.subject, version, now), True)


def _store(
    token: Token, word: Word, of: Receipt | Feedback, subject: str, version: str, now: datetime
) -> Feedback:  # fmt: skip
    row = Feedback.objects.create(
        at=now, namespace=token.namespace, agent=token.agent_id or "", subject=subject,
        receipt_hash=token_hash(word.receipt), record_id=word.record_id, content_version=version,
        query_hash=of.query if isinstance(of, Receipt) else of.query_hash, mode=of.mode, rank=word.rank, type=word.type,
        outcome=word.outcome, reason=word.reason, supersedes_id=word.supersedes,
    )  # fmt: skip
    if row.supersedes_id is not None:
        refresh_of_word(row)
    return row


def _subject(token: Token, receipt: Receipt, record_id: str) -> str:
    return sha256_hex("feedback", token.namespace, token.agent_id or "", receipt.query, receipt.mode, record_id)


def _head_of(subject: str) -> Feedback:
    return Feedback.objects.filter(subject=subject).heads().get()


def _same(row: Feedback, word: Word) -> bool:
    return (row.type, row.outcome, row.reason) == (word.type, word.outcome, word.reason)


def _stands(head: Feedback) -> Refused:
    detail = "Another word of yours stands here: correct it or take it back, naming it in supersedes."
    return Refused("version_conflict", detail, head=str(head.pk), outcome=head.outcome or None, type=str(head.type))


def _checked(
    receipt: str, record_id: str, rank: int, outcome: str, reason: str, said: str, supersedes: UUID | None
) -> Word:
    kind = FeedbackType(check_word("type", said, list(FeedbackType)))
    check_text("record", record_id, longest=NAME_MAX)
    if outcome:
        check_word("outcome", outcome, list(FeedbackOutcome))
    elif kind != FeedbackType.RETRACTION:
        raise Refused("invalid_value", "outcome is required.", field="outcome")
    check_text("reason", reason, longest=REASON_LENGTH)
    if outcome in _WITH_REASON and kind != FeedbackType.RETRACTION and not reason.strip():
        raise Refused("reason_required", f"Say what is {outcome} about it.", field="reason")
    if (kind == FeedbackType.VOTE) != (supersedes is None):
        detail = "A vote is the first word." if kind == FeedbackType.VOTE else "Say which word of yours this is about."
        raise Refused("invalid_value", detail, field="supersedes")
    return Word(receipt, record_id, rank, kind, outcome, reason, supersedes)
