"""Opening a promotion proposal for an article that an owner says should change (contract 3, 10).

The text is filled in as far as it can be; a person reads and edits it before it is approved. Filing one from an agent is
`proposing`; approving one is `deciding`.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from evidence.models import Evidence, HeldLink, HeldRecord, PromotionProposal
from evidence.models.base import new_id
from evidence.rules.identity import statement_fingerprint
from evidence.rules.vocab import AuditAction, Durability, HeldKind, TrustClass
from evidence.selectors.matching import links_of
from evidence.services import audit
from evidence.services.actors import Actor
from evidence.services.held_rows import content_hash_of
from evidence.services.matching import match_at_filing
from evidence.services.rows import claim_columns, scope_columns
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
) -> HeldRecord:
    """A waiting proposal bound to the article as it is now; the owner who asked for it is its author for four-eyes."""
    title = article.summary or article.source_id.rsplit("/", 1)[-1]
    content = filled_in(article.content, text, old_value, new_value)
    statement = f"{title}: {text}"[:2000]
    # What the article claims changes with its text, or the new text would go on contradicting what it now says.
    claim = replace(article.claim, value=new_value) if article.claim and new_value else None
    made = HeldRecord(
        id=new_id(), kind=HeldKind.PROMOTION_PROPOSAL, agent_id=held.agent_id if held else article.scope_owner,
        namespace=article.namespace, statement=statement, statement_key=statement_fingerprint(statement),
        **claim_columns(claim), trust=article.trust, trust_class=TrustClass.USER_CORRECTION,
        effective_trust_class=TrustClass.USER_CORRECTION,
        durability=Durability.LONG_TERM, volatility="stable", event_at=now, tags=article.tags,
        **scope_columns(article.scope), meaning_editor_id=actor.user.pk if actor.user else None,
        last_editor_id=actor.user.pk if actor.user else None, filed_by=actor.name, created_at=now, updated_at=now,
    )  # fmt: skip
    made.content_hash = content_hash_of(made, content)
    made.save(force_insert=True)
    PromotionProposal.objects.create(
        held=made, target_source=article.source_id, base_version=article.source_version, title=title[:300],
        content=content, agents=[made.agent_id],
    )  # fmt: skip
    if held is not None:
        rows = [HeldLink(held=made, evidence=link.evidence, polarity=link.polarity) for link in links_of(held)]
        HeldLink.objects.bulk_create(rows)
    match_at_filing(made, now)
    audit.append(
        namespace=made.namespace, actor=actor, action=AuditAction.FILE, target_kind="held", target_id=str(made.id),
        target_version=made.version, agent=made.agent_id, touches=[audit.Touch("held", str(made.id), made.version)],
    )  # fmt: skip
    enqueue_verification(made)
    return made


def filled_in(content: str, text: str, old_value: str, new_value: str) -> str:
    """The article with the old value replaced where it stands word for word, else with the new text at its end."""
    if old_value and new_value and content.count(old_value) == 1:
        return content.replace(old_value, new_value)
    return f"{content.rstrip()}\n\n{text}\n"
