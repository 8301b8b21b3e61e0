"""Closing what says nothing new: an equal of the current record, and equals of what was just approved (contract 10, S26).

Nothing is lost: the evidence is linked to the record that says so already, and the item keeps pointing at it.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from evidence.models import Evidence, HeldLink, HeldRecord, RecordLink
from evidence.rules.access import covers
from evidence.rules.text import norm
from evidence.rules.vocab import AuditAction, HeldStatus, Kind, MatchKind, ReasonCode, State, Trust
from evidence.selectors.matching import Matching, links_of
from evidence.services import audit
from evidence.services.actors import Actor
from evidence.services.closing import close_questions
from evidence.services.journal import Journal
from evidence.services.locks import lock_records


def close_if_nothing_new(held: HeldRecord, matching: Matching, now: datetime) -> bool:
    """Close an item that repeats one current record and brings no newer check; by `system`, evidence linked.

    External captures are never closed by anybody but a person. Precondition: held row is locked.
    """
    record = _repeated(held, matching)
    if record is None:
        return False
    row = lock_records(held.namespace, [record.record_id]).get(record.record_id)
    if row is None or row.state != State.ACTIVE:
        return False
    journal = Journal()
    link_to_record(row, links_of(held), journal)
    end_as_equal(held, row, journal, now)
    actor = Actor.system()
    close_questions(held, answer="", actor=actor, journal=journal, now=now, withdrawn=True)
    decision = audit.append(
        namespace=held.namespace, actor=actor, action=AuditAction.CLOSE_EQUAL, target_kind="held",
        target_id=str(held.id), target_version=held.version - 1, reason_code=ReasonCode.DUPLICATE, agent=held.agent_id,
        effects=[{"kind": "link_evidence", "target_kind": "record", "target_id": row.record_id}],
        snapshots={"journal": audit.keep({"journal": journal.entries})}, touches=journal.touches(),
    )  # fmt: skip
    HeldRecord.objects.filter(pk=held.pk).update(decision_id=decision.id)
    held.decision_id = decision.id
    return True


def end_as_equal(held: HeldRecord, record: Evidence, journal: Journal, now: datetime) -> None:
    """Status superseded, because somebody else's equal text stands; the held observation follows its record."""
    observation = held.fact_proposal.observation
    journal.change(
        held, status=HeldStatus.SUPERSEDED, reason_code=ReasonCode.DUPLICATE, decided_at=now, updated_at=now,
        lease_holder_id=None, lease_until=None,
    )  # fmt: skip
    if observation.state == State.ACTIVE:
        journal.change(observation, state=State.SUPERSEDED, superseded_by=record.record_id)


def link_to_record(record: Evidence, links: Iterable[HeldLink], journal: Journal) -> None:
    """Put a held item's evidence behind a record; what stands there already stays."""
    known = set(RecordLink.objects.filter(record=record).values_list("evidence_id", flat=True))
    for link in links:
        if link.evidence_id in known or link.evidence_id == record.pk:
            continue
        known.add(link.evidence_id)
        row = RecordLink.objects.create(
            record=record, evidence=link.evidence, polarity=link.polarity, held_id=link.held_id
        )
        journal.linked(row)


def _repeated(held: HeldRecord, matching: Matching) -> Evidence | None:
    if held.trust == Trust.EXTERNAL or matching.match.kind not in (MatchKind.DUPLICATE, MatchKind.STRENGTHENS):
        return None
    matched = matching.matched()
    if len(matched) != 1 or matched[0].kind not in (Kind.FACT, Kind.ARTICLE):
        return None
    record = matched[0]
    # Closed against a record that its readers cannot read, the claim would be lost to them, and the record given away.
    new = _checked_later(held, record) or not covers(record.scope, held.scope)
    return record if _says_the_same(held, record) and not new else None


def _says_the_same(held: HeldRecord, record: Evidence) -> bool:
    """Equal, not merely alike: a rewording goes to a person."""
    if held.claim_key or record.claim_key:
        return held.claim_key == record.claim_key and held.value_key == record.value_key
    return norm(held.statement) == norm(record.content)


def _checked_later(held: HeldRecord, record: Evidence) -> bool:
    if not held.has_check or held.check_at is None or record.kind == Kind.ARTICLE:
        return False
    return record.check_at is None or held.check_at > record.check_at
