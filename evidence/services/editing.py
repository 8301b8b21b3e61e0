"""Editing a held item: its own step, a new version, matched and verified again (contract 10 "Edit").

An edit that changes what is claimed makes the editor its author for four-eyes; a mere rewording does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from evidence.models import Decision, Evidence, HeldLink, HeldRecord, Inquiry
from evidence.rules.identity import statement_fingerprint
from evidence.rules.matching import match, match_key
from evidence.rules.records import Claim, MemoryRecord, Scope
from evidence.rules.text import sha256_hex
from evidence.rules.vocab import AuditAction, HeldKind, HeldStatus, MatchKind, VerificationStatus, Volatility
from evidence.selectors.people import is_reviewer
from evidence.services import audit
from evidence.services.actors import Actor
from evidence.services.closing import close_question
from evidence.services.clustering import place_quietly
from evidence.services.conflicts import already_decided, named_version, version_conflict
from evidence.services.errors import Refused
from evidence.services.filing_checks import check_claim
from evidence.services.held_rows import article_hash_of, content_hash_of
from evidence.services.inquiring import MATCH_KINDS, side_of
from evidence.services.journal import Journal
from evidence.services.locks import lock_claims, lock_held
from evidence.services.promotion_edits import (
    ArticleEdit,
    article_text,
    change_article,
    changes_meaning,
    check_article_edit,
)
from evidence.services.rows import claim_columns, fill, scope_columns
from evidence.services.scopes import checked_scope
from evidence.services.texts import NAME_MAX, REASON_MAX, STATEMENT_MAX, check_shape, check_text, check_word
from evidence.services.verification import do_verify


class Unchanged(Enum):
    """Marks a member that the editor left alone, where none itself is a value."""

    TOKEN = 0


UNCHANGED = Unchanged.TOKEN


def edit_held(
    *,
    held_id: UUID | str,
    seen_version: int | None,
    actor: Actor,
    reason: str,
    statement: str | None = None,
    claim: Claim | Unchanged | None = UNCHANGED,
    volatility: str | None = None,
    scope: Scope | None = None,
    article: ArticleEdit | None = None,
    unlink: Sequence[str] = (),
    idempotency_key: str | None = None,
) -> HeldRecord:
    """Change a waiting item and verify it again; returns it under its new version. Raises `Refused`.

    `unlink` names evidence by record id. A changed meaning voids a first approval; an equal content hash does not.
    """
    seen_version = named_version(seen_version)
    _check_input(statement, claim, volatility, reason)
    if article is not None:
        check_article_edit(article)
    key = audit.key_for(actor, idempotency_key)
    known = Decision.objects.filter(idempotency_key=key).first() if key else None
    if known is not None:
        if (known.action, known.target_id) != (AuditAction.EDIT, str(held_id)):
            raise Refused("idempotency_conflict", "This idempotency key was used for another request.")
        return HeldRecord.objects.get(pk=held_id)
    try:
        with transaction.atomic():
            held = _edit(
                held_id, seen_version, actor, reason, statement, claim, volatility, scope, article, unlink, key
            )
    except IntegrityError:
        raise Refused(
            "invalid_value", "The same agent already has a waiting proposal that says this.", field="claim"
        ) from None
    place_quietly(held_id=held_id)
    return held


def _edit(
    held_id: UUID | str, seen_version: int, actor: Actor, reason: str, statement: str | None,
    claim: Claim | Unchanged | None, volatility: str | None, scope: Scope | None, article: ArticleEdit | None,
    unlink: Sequence[str], key: str | None,
) -> HeldRecord:  # fmt: skip
    held = _locked(held_id, claim, seen_version, actor)
    before, text_before = _meaning(held), article_text(held)
    shown = {"before": words_of(held)}
    values = _new_values(held, statement, claim, volatility, scope)
    journal = Journal()
    now = timezone.now()
    gone = _unlink(held, unlink, actor)
    rewritten = change_article(held, article) if article is not None else False
    if not values and not gone and not rewritten:
        raise Refused("invalid_value", "Nothing was changed.")
    journal.change(
        held, **values, verification_status=VerificationStatus.PENDING, last_editor_id=actor.user.pk if actor.user else None,
        updated_at=now,
    )  # fmt: skip
    derived: dict[str, Any] = {"content_hash": content_hash_of(held, article_hash_of(held))}
    if not held.claim_key:
        derived["match_key"] = sha256_hex(match_key(held.to_candidate(evidence_ids=())))
    if _changes_meaning(before, held) or changes_meaning(held, text_before):
        derived["meaning_editor_id"] = actor.user.pk if actor.user else None
    for name, value in derived.items():
        setattr(held, name, value)
    held.save(update_fields=list(derived))
    _follow_in_observation(held, journal)
    if values:
        follow_in_questions(held, actor, journal)
    snapshots = {
        "shown": audit.keep({**shown, "unlinked": gone}),
        "after": audit.keep({"after": words_of(held), "reason": reason}),
    }
    audit.append(
        namespace=held.namespace, actor=actor, action=AuditAction.EDIT, target_kind="held", target_id=str(held.id),
        target_version=seen_version, agent=held.agent_id, snapshots=snapshots,
        touches=journal.touches(), idempotency_key=key,
        effects=[{"kind": "unlink_evidence", "target_kind": "record", "target_id": one} for one in gone],
    )  # fmt: skip
    do_verify(held)
    return held


def _locked(held_id: UUID | str, claim: Claim | Unchanged | None, seen_version: int, actor: Actor) -> HeldRecord:
    seen = HeldRecord.objects.filter(pk=held_id).values_list("namespace", "claim_key", "statement_key").first()
    if seen is None or actor.user is None or not HeldRecord.objects.filter(pk=held_id).visible_to(actor.user).exists():
        raise Refused("not_found", "There is no such item.")
    new_key = claim_columns(claim)["claim_key"] if isinstance(claim, Claim) else ""
    lock_claims(seen[0], [seen[1] or seen[2], new_key])
    held = lock_held(held_id)
    if not is_reviewer(actor.user, held.agent_id):
        raise Refused("not_reviewer", "You are not a reviewer for this agent.")
    if held.status != HeldStatus.WAITING:
        raise already_decided(held, seen_version)
    if held.version != seen_version:
        raise version_conflict(held, seen_version)
    if held.kind == HeldKind.HELD_EVIDENCE:
        raise Refused("invalid_value", "A capture is what its source says: approve or reject it as it is.")
    return held


def _check_input(statement: str | None, claim: Claim | Unchanged | None, volatility: str | None, reason: str) -> None:
    check_text("reason", reason, longest=REASON_MAX)
    if not reason.strip():
        raise Refused("reason_required", "Say why you changed it; both authors are named.", field="reason")
    if statement is not None:
        check_text("statement", statement, longest=STATEMENT_MAX)
        if not statement.strip():
            raise Refused("invalid_value", "A proposal needs a statement.", field="statement")
    if isinstance(claim, Claim):
        check_claim(claim)
    if volatility is not None:
        check_word("volatility", volatility, list(Volatility))


def _new_values(
    held: HeldRecord,
    statement: str | None,
    claim: Claim | Unchanged | None,
    volatility: str | None,
    scope: Scope | None,
) -> dict[str, Any]:
    """Only the columns that differ from what stands there."""
    wanted: dict[str, Any] = {}
    if statement is not None:
        wanted |= {"statement": statement, "statement_key": statement_fingerprint(statement)}
    if not isinstance(claim, Unchanged):
        wanted |= claim_columns(claim)
    if volatility is not None:
        wanted["volatility"] = volatility
    if scope is not None:
        if scope.owner != held.scope_owner:
            raise Refused("invalid_value", "Whose claim it is stays; change who reads it.", field="scope.owner")
        wanted |= scope_columns(checked_scope(scope, own=held.scope, field="scope"))
    return {name: value for name, value in wanted.items() if getattr(held, name) != value}


def _unlink(held: HeldRecord, record_ids: Sequence[str], actor: Actor) -> list[str]:
    """Take evidence off the item; the row stays for the history. An unknown id is refused."""
    gone: list[str] = []
    for record_id in dict.fromkeys(record_ids):
        check_shape("evidence", record_id, longest=NAME_MAX)
        link = HeldLink.objects.linked().filter(held=held, evidence__record_id=record_id).first()
        if link is None:
            raise Refused("invalid_value", "That evidence is not linked here.", field="evidence")
        link.unlinked_at, link.unlinked_by = timezone.now(), actor.name
        link.save(update_fields=["unlinked_at", "unlinked_by"])
        gone.append(record_id)
    return gone


def _meaning(held: HeldRecord) -> tuple[MemoryRecord, str, str]:
    return (
        MemoryRecord(
            id="before", statement=held.statement, profile=held.namespace, reach=held.reach, tags=tuple(held.tags)
        ),
        held.claim_key,
        held.value_key,
    )


def _changes_meaning(before: tuple[MemoryRecord, str, str], held: HeldRecord) -> bool:
    """Another claim or value, or a text that the matcher does not call a duplicate of the one before (contract 10)."""
    text, claim_key, value_key = before
    if (claim_key, value_key) != (held.claim_key, held.value_key):
        return True
    bare = replace(held.to_candidate(evidence_ids=()), claim=None, supersedes=())
    return match(bare, [text], same_key=True).kind != MatchKind.DUPLICATE


def _follow_in_observation(held: HeldRecord, journal: Journal) -> None:
    """The held observation behind a fact proposal says what the proposal says now."""
    if held.kind != HeldKind.FACT_PROPOSAL:
        return
    row: Evidence = held.fact_proposal.observation
    columns = {
        **claim_columns(held.claim), "content": held.statement, "volatility": held.volatility, **scope_columns(held.scope),
    }  # fmt: skip
    for name, value in columns.items():
        setattr(row, name, value)
    fill(row)
    row.version += 1
    row.save()
    journal.touched["record", str(row.pk)] = row.version


def follow_in_questions(held: HeldRecord, actor: Actor, journal: Journal) -> None:
    """Nobody answers a question about words that are gone: matching asks anew, a reviewer's question shows the new words."""
    side = audit.keep(side_of(held.fact_proposal.observation)) if held.kind == HeldKind.FACT_PROPOSAL else None
    rows = Inquiry.objects.open().select_for_update(of=("self",)).filter(held=held).order_by("pk")
    for row in list(rows):
        if row.kind in MATCH_KINDS:
            close_question(row, answer="", actor=actor, journal=journal, now=timezone.now(), withdrawn=True)
        else:
            journal.change(row, incoming_snapshot_id=side.pk if side else row.incoming_snapshot_id)


def words_of(held: HeldRecord) -> dict[str, Any]:
    """What an edit changes, as the audit keeps it."""
    claim, text = held.claim, article_text(held)
    article = {"article": [text.target, text.base_version, text.title, text.content]} if text else {}
    return article | {
        "statement": held.statement,
        "claim": [claim.subject, claim.attribute, claim.value] if claim else None,
        "volatility": str(held.volatility),
        "scope": [held.scope_owner, str(held.scope_access), held.scope_shared_with],
    }
