"""“It is now …”: an owner who looked again found something else. A proposal like any other: a reviewer decides it.

The fact stands until then. Filed under the agent whose fact it is, in the owner's name, with what they saw as its evidence;
who wrote it is its author where four eyes are asked for.
"""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from evidence.models import Agent, Evidence, HeldRecord, User
from evidence.rules.rechecks import method_kept
from evidence.rules.records import Claim
from evidence.rules.text import collapse, norm, sha256_hex
from evidence.rules.times import to_iso
from evidence.rules.vocab import Access, Kind, State, Trust, TrustClass
from evidence.selectors.people import recheck_verdict
from evidence.services.actors import Actor, Filer
from evidence.services.conflicts import named_version, record_as_seen
from evidence.services.drafts import EvidenceDraft, ProposalDraft
from evidence.services.errors import Refused
from evidence.services.facts import fact_text
from evidence.services.proposing import file_proposal
from evidence.services.texts import CLAIM_MEMBER_MAX, STATEMENT_MAX, SUMMARY_MAX, check_text

# What a person types into the desk arrives by this channel (contract 1).
CHANNEL = "dashboard"


def propose_change(
    *, record_pk: UUID | str, seen_version: int | None, value: str, actor: Actor, method: str = ""
) -> HeldRecord:
    """A proposal with the new value of the claim, or the new text where there is no claim. The same again is the first one."""
    row, user = _readable(record_pk, seen_version, actor)
    longest = CLAIM_MEMBER_MAX if row.claim_key else STATEMENT_MAX
    said = collapse(check_text("value", value, longest=longest))
    check_text("method", method, longest=SUMMARY_MAX)
    if not said:
        raise Refused("invalid_value", "Say what is true now.", field="value")
    if norm(said) == norm(row.claim_value if row.claim_key else row.content):
        raise Refused("invalid_value", "That is what it says already: it is still true.", field="value")
    with transaction.atomic():
        filed = file_proposal(filer=_filer(row, actor), draft=_draft(row, said, method))
        if filed.created:
            _name_author(filed.held, user)
    return filed.held


def _readable(record_pk: UUID | str, seen_version: int | None, actor: Actor) -> tuple[Evidence, User]:
    if actor.user is None:
        raise Refused("not_reviewer", "A person says so.")
    seen_version = named_version(seen_version)
    row = Evidence.objects.visible_to(actor.user).filter(pk=record_pk).first()
    if row is None:
        raise Refused("not_found", "There is no such record.")
    refusal = recheck_verdict(actor.user, row.scope_owner).refusal
    if refusal is not None:
        raise Refused(refusal.code, refusal.detail)
    if row.kind != Kind.FACT:
        raise Refused("invalid_value", "Only facts are re-checked; an article's text changes through its review.")
    if row.state != State.ACTIVE:
        raise Refused("closed", f"The record is {row.state}.")
    record_as_seen(row, seen_version)
    return row, actor.user


def _filer(row: Evidence, actor: Actor) -> Filer:
    agent = Agent.objects.filter(pk=row.scope_owner).first()
    if agent is None:
        raise Refused("invalid_value", "The agent of this record is not known here any more.")
    return Filer(agent, row.namespace, actor, channel_class=Trust.OPERATOR, max_access=Access(row.scope_access))


def _draft(row: Evidence, said: str, method: str) -> ProposalDraft:
    """As the fact is, with another value: who may read it, how long it holds and how lasting it is do not change by it."""
    claim = replace(row.claim, value=said) if row.claim else None
    statement = _statement(row, claim, said)
    now = to_iso(timezone.now())
    place = method_kept(row.check_method, method) if method.strip() else row.check_method
    seen = EvidenceDraft(
        source_id=f"entry:{row.scope_owner}/rechecks/{row.record_id}/{sha256_hex(said)[:16]}", content=statement,
        claim=claim, event_at=now, check_at=now, check_method=place, volatility=row.volatility, ttl_days=row.ttl_days,
        scope_access=row.scope_access, scope_shared_with=tuple(row.scope_shared_with), channel=CHANNEL,
        trust_class=TrustClass.USER_CORRECTION, durability=row.durability,
    )  # fmt: skip
    return ProposalDraft(
        statement=statement, claim=claim, evidence=(seen,), event_at=now, check_at=now, check_method=place,
        volatility=row.volatility, ttl_days=row.ttl_days, channel=CHANNEL, trust_class=TrustClass.USER_CORRECTION,
        durability=row.durability, layer=row.layer, rule_type=row.rule_type, tags=tuple(row.tags),
        reach_level=row.reach_level, reach_ref=row.reach_ref, scope_access=row.scope_access,
        scope_shared_with=tuple(row.scope_shared_with),
    )  # fmt: skip


def _statement(row: Evidence, claim: Claim | None, said: str) -> str:
    """The fact's own sentence with the new value in it, where the old one stands in it once; else the claim as a sentence."""
    if claim is None:
        return said
    before = row.claim_value
    if before and row.content.count(before) == 1:
        text = row.content.replace(before, said)
        return text if len(text) <= STATEMENT_MAX else fact_text(claim)
    return fact_text(claim)


def _name_author(held: HeldRecord, user: User) -> None:
    """The owner looked, and the owner wrote it."""
    name = user.get_username()
    held.meaning_editor, held.last_editor, held.check_by = user, user, name
    held.save(update_fields=["meaning_editor", "last_editor", "check_by"])
    rows = [held.fact_proposal.observation_id, *held.links.values_list("evidence_id", flat=True)]
    Evidence.objects.filter(pk__in=rows, has_check=True, filed_by=name).update(check_by=name)
