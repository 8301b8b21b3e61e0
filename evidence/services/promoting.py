"""Opening a promotion proposal for an article that an owner says should change (contract 3, 10).

The text is filled in as far as it can be; a person reads and edits it before it is approved. Filing one from an agent is
`proposing`; approving one is `deciding`.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from evidence.models import Agent, Evidence, HeldLink, HeldRecord, PromotionProposal
from evidence.models.base import new_id
from evidence.rules.identity import statement_fingerprint
from evidence.rules.placing import filled_in
from evidence.rules.planning import plan
from evidence.rules.vocab import Action, AuditAction, Durability, HeldKind, Kind, Polarity, TrustClass
from evidence.selectors.matching import links_of
from evidence.selectors.people import is_reviewer
from evidence.selectors.planning import situation_of
from evidence.services import audit
from evidence.services.actors import Actor
from evidence.services.conflicts import already_decided, named_version, version_conflict
from evidence.services.errors import Refused
from evidence.services.facts import fact_text
from evidence.services.held_rows import article_hash, content_hash_of
from evidence.services.locks import lock_deciding, lock_held, lock_records
from evidence.services.matching import match_at_filing
from evidence.services.rows import claim_columns, scope_columns
from evidence.services.texts import CONTENT_MAX, STATEMENT_MAX
from evidence.services.verification import enqueue_verification


def open_promotion(
    *,
    article: Evidence,
    text: str,
    old_value: str,
    new_value: str,
    held: HeldRecord | None,
    actor: Actor,
    now: datetime,
    incoming: Evidence | None = None,
) -> HeldRecord:
    """A waiting proposal bound to the article as it is now; the owner who asked for it is its author for four-eyes.

    `incoming`: the evidence that raised the question, where no item did. A version of the article itself is taken whole.
    """
    if article.claim and text.strip() == new_value:
        text = fact_text(replace(article.claim, value=new_value))  # a bare value says nothing where it stands alone
    title = (article.summary or article.source_id.rsplit("/", 1)[-1])[:300]
    rewritten = incoming is not None and incoming.kind == Kind.ARTICLE and incoming.source_id == article.source_id
    whole = incoming.content if rewritten and incoming is not None else ""
    content = whole or filled_in(article.content, text, old_value, new_value)[:CONTENT_MAX]
    statement = f"{title}: {text}"[:STATEMENT_MAX]
    # What the article claims changes with its text, or the new text would go on contradicting what it now says.
    claim = replace(article.claim, value=new_value) if article.claim and new_value else None
    made = HeldRecord(
        id=new_id(), kind=HeldKind.PROMOTION_PROPOSAL, agent_id=_agent_of(article, held, incoming),
        namespace=article.namespace, statement=statement, statement_key=statement_fingerprint(statement),
        **claim_columns(claim), trust=article.trust, trust_class=TrustClass.USER_CORRECTION,
        effective_trust_class=TrustClass.USER_CORRECTION,
        durability=Durability.LONG_TERM, volatility="stable", event_at=now, tags=article.tags,
        **scope_columns(article.scope), meaning_editor_id=actor.user.pk if actor.user else None,
        last_editor_id=actor.user.pk if actor.user else None, filed_by=actor.name, created_at=now, updated_at=now,
    )  # fmt: skip
    behind = _evidence_of(held, incoming)
    target = (article.source_id, article.source_version, title, content)
    made.content_hash = content_hash_of(made, article_hash(*target))
    made.save(force_insert=True)
    PromotionProposal.objects.create(
        held=made, target_source=target[0], base_version=target[1], title=title, content=content,
        agents=list(dict.fromkeys([*(row.scope_owner for row, _ in behind), made.agent_id])),
        occurrences=max(1, len(behind)),
    )  # fmt: skip
    HeldLink.objects.bulk_create([HeldLink(held=made, evidence=row, polarity=said) for row, said in behind])
    match_at_filing(made, now)
    audit.append(
        namespace=made.namespace, actor=actor, action=AuditAction.FILE, target_kind="held", target_id=str(made.id),
        target_version=made.version, agent=made.agent_id, touches=[audit.Touch("held", str(made.id), made.version)],
    )  # fmt: skip
    enqueue_verification(made)
    return made


def propose_for_article(*, held_id: UUID | str, seen_version: int | None, actor: Actor) -> HeldRecord:
    """A reviewer takes what contradicts a reviewed article to its review: a filled-in proposal for its text (contract 10).

    The item itself goes on waiting: it is decided, or closes as equal, once the article says so. The same text that waits
    already is that proposal. 409 where no reviewed article stands against the item.
    """
    seen_version = named_version(seen_version)
    with transaction.atomic():
        lock_deciding(held_id)
        held = lock_held(held_id)
        if actor.user is None or not HeldRecord.objects.visible_to(actor.user).filter(pk=held.pk).exists():
            raise Refused("not_found", "There is no such item.")
        if not is_reviewer(actor.user, held.agent_id):
            raise Refused("not_reviewer", "You are not a reviewer for this agent.")
        if not held.is_waiting:
            raise already_decided(held, seen_version)
        if held.version != seen_version:
            raise version_conflict(held, seen_version)
        article = _article_against(held, actor)
        known = HeldRecord.objects.waiting().filter(
            kind=HeldKind.PROMOTION_PROPOSAL, namespace=held.namespace, agent=held.agent_id,
            promotion__target_source=article.source_id, promotion__base_version=article.source_version,
            links__evidence__in=[link.evidence_id for link in links_of(held)],
        ).order_by("id").first()  # fmt: skip
        if known is not None:
            return known
        value = held.claim_value if held.claim_key == article.claim_key else ""
        return open_promotion(
            article=article, text=held.statement, old_value=article.claim_value, new_value=value, held=held,
            actor=actor, now=timezone.now(),
        )  # fmt: skip


def _article_against(held: HeldRecord, actor: Actor) -> Evidence:
    """The reviewed article that refuses this item its approval."""
    situation = situation_of(held, user=actor.user, now=timezone.now())
    refusal = plan(situation, Action.APPROVE).refusal
    ids = [item.record_id for item in situation.affected if item.reviewed and not item.same_value]
    rows = list(lock_records(held.namespace, ids).values()) if refusal and refusal.code == "reviewed_article" else []
    if not rows:
        raise Refused("version_conflict", "No reviewed article stands against this item.", current_version=held.version)
    return rows[0]


def _agent_of(article: Evidence, held: HeldRecord | None, incoming: Evidence | None) -> str:
    """Whose proposal it is: of the agent whose claim raised the question, else of the article's owner, where that is one."""
    if held is not None:
        return held.agent_id
    owners = [article.scope_owner, *([incoming.scope_owner] if incoming is not None else [])]
    known = set(Agent.objects.filter(pk__in=owners).values_list("pk", flat=True))
    return next((owner for owner in owners if owner in known), article.scope_owner)


def _evidence_of(held: HeldRecord | None, incoming: Evidence | None) -> list[tuple[Evidence, str]]:
    """What stands behind the new text: the item's evidence, else the record that raised the question."""
    if held is not None:
        return [(link.evidence, str(link.polarity)) for link in links_of(held)]
    return [(incoming, str(Polarity.SUPPORTS))] if incoming is not None else []
