"""Decided facts and articles that arrive in an import, as their system decided them.

A fact of a ledger stands here only where nothing else stands on its claim; beside another record it is evidence, and what it
means is a finding for a person (contract 13: filing never changes the current record).
"""

from __future__ import annotations

from dataclasses import replace

from django.utils import timezone

from evidence.exchange.items import FactItem, Note
from evidence.models import Evidence, ImportedItem
from evidence.rules.records import Record
from evidence.rules.resolving import about_same_thing, resolve
from evidence.rules.text import collapse
from evidence.rules.vocab import InquiryKind, Kind, Outcome, Review, Risk, State
from evidence.services.actors import Filer
from evidence.services.audit import Touch
from evidence.services.import_arrival import Arrival, require_agent
from evidence.services.import_records import file_row, release_origin
from evidence.services.import_report import ImportOutcome
from evidence.services.import_rows import build_row, insert, repeated, store_past, supersede
from evidence.services.import_stored import Stored, stored_record
from evidence.services.inquiring import open_inquiry, whom_to_ask
from evidence.services.rows import fill


def store_fact(arrival: Arrival, item: FactItem, known: ImportedItem | None) -> Stored:
    filer = require_agent(arrival, item.agent)
    record = item.record
    if record.review in (Review.HELD, Review.REJECTED):
        # From outside and unreviewed: a claim that waits, on nobody's ledger.
        record = replace(record, kind=Kind.OBSERVATION)
    row = build_row(filer, record, origin_id=item.foreign_id)
    past = tuple(_store_history(filer, older, item.foreign_id) for older in item.history)
    also = tuple(one for one in past if one is not None)
    same = repeated(row)
    if same is not None:
        return same
    if row.state != State.ACTIVE:
        return store_past(row)
    if row.kind == Kind.OBSERVATION:
        if known is not None:
            release_origin(filer, row, item.foreign_id, known)
        return file_row(filer, row, changed=known is not None)
    if row.kind == Kind.ARTICLE:
        return _store_article(filer, row)
    stored = _store_ledger_fact(filer, item, row, also)
    return _in_place_of_observations(row, item, stored) if known is not None else stored


def _in_place_of_observations(row: Evidence, item: FactItem, stored: Stored) -> Stored:
    """What was imported of it while it was no fact there steps back; what was reviewed here stays."""
    rows = Evidence.objects.select_for_update(of=("self",)).active().filter(kind=Kind.OBSERVATION)
    came = rows.from_origin(row.namespace, row.origin_system, item.foreign_id).exclude(source_id=row.source_id)
    older = list(came.exclude(review=Review.APPROVED).order_by("pk_uuid")) if stored.id == row.record_id else []
    for old in older:
        supersede(old, row.record_id)
    touches = (*stored.touches, *(Touch("record", str(old.pk), old.version) for old in older))
    return replace(stored, touches=touches, outcome=ImportOutcome.CHANGED if older else stored.outcome)


def _store_ledger_fact(filer: Filer, item: FactItem, row: Evidence, also: tuple[Evidence, ...]) -> Stored:
    own = Evidence.objects.select_for_update().active().filter(
        namespace=row.namespace, source_id=row.source_id, kind=Kind.FACT
    ).first()  # fmt: skip
    if own is None and not _others(row):
        insert(row)
        return stored_record(row, ImportOutcome.CREATED, also=also)
    if own is not None and not any(_collides(other, row) for other in _others(row)):
        verdict = resolve(own.to_record(), row.to_record(), timezone.now(), scan_secrets=False)
        # Where nobody ever checked the older version, nothing is lost: the source was edited (contract 5).
        if verdict.outcome in (Outcome.SAME, Outcome.SUPERSEDE) or not (own.has_check or own.review):
            return _new_version(own, row, verdict.outcome, also)
    evidence = build_row(filer, replace(item.record, kind=Kind.OBSERVATION), origin_id=item.foreign_id)
    note = Note("beside_a_record", "another record stands on this claim; this one is kept as evidence beside it")
    return file_row(filer, evidence, changed=own is not None, notes=(note,))


def _new_version(own: Evidence, row: Evidence, outcome: Outcome, also: tuple[Evidence, ...]) -> Stored:
    """The ledger moved on: its newer version takes the place of the older, which stays, superseded."""
    if outcome == Outcome.SAME:
        _keep_better_check(own, row)
    supersede(own, row.record_id)
    insert(row)
    return stored_record(row, ImportOutcome.CHANGED, also=(own, *also))


def _keep_better_check(own: Evidence, row: Evidence) -> None:
    """Same value: a confirmation or a later check that was made here is not lost to the file's older one (contract 3.4)."""
    row.check_confirmed_by = row.check_confirmed_by or own.check_confirmed_by
    if own.check_at is not None and (row.check_at is None or own.check_at > row.check_at):
        for name in ("has_check", "check_at", "check_at_text", "check_by", "check_method"):
            setattr(row, name, getattr(own, name))
    fill(row)


def _others(row: Evidence) -> list[Evidence]:
    """Standing records of other sources about the same thing."""
    standing = Evidence.objects.on_claim(row.namespace, row.claim_key).standing().exclude(source_id=row.source_id)
    incoming = row.to_record()
    return [one for one in standing.order_by("pk_uuid")[:50] if about_same_thing(one.to_record(), incoming)]


def _collides(other: Evidence, row: Evidence) -> bool:
    return other.kind == Kind.FACT and (other.scope_key, other.valid_key) == (row.scope_key, row.valid_key)


def _store_article(filer: Filer, row: Evidence) -> Stored:
    """A version of an article. What was approved here gives way only to a later approval (contract 3.3)."""
    active = list(
        Evidence.objects.select_for_update().active().filter(
            namespace=row.namespace, source_id=row.source_id, kind=Kind.ARTICLE
        ).order_by("pk_uuid")
    )  # fmt: skip
    approved = next((one for one in active if one.approval_by), None)
    if approved is not None and not _replaces(approved, row):
        return _beside_approved(filer, approved, row)
    for old in active:
        supersede(old, row.record_id)
    insert(row)
    return stored_record(row, ImportOutcome.CHANGED if active else ImportOutcome.CREATED, also=tuple(active))


def _replaces(approved: Evidence, row: Evidence) -> bool:
    verdict = resolve(approved.to_record(), row.to_record(), timezone.now(), scan_secrets=False)
    return verdict.outcome == Outcome.SUPERSEDE


def _beside_approved(filer: Filer, approved: Evidence, row: Evidence) -> Stored:
    if row.approval_by or collapse(row.content) == collapse(approved.content):
        row.state, row.superseded_by = State.SUPERSEDED, approved.record_id
        insert(row)
        return stored_record(
            row, ImportOutcome.CREATED, Note("approved_here", "the version that was approved here stands")
        )
    older = Evidence.objects.active().filter(namespace=row.namespace, source_id=row.source_id, approval_by="")
    for old in older.filter(kind=Kind.ARTICLE):
        supersede(old, row.record_id)
    insert(row)
    question = f"The article {row.source_id} says something else outside than what was approved here. Which is true?"
    open_inquiry(
        kind=InquiryKind.CONFLICT, severity=Risk.HIGH, agent_id=whom_to_ask(approved, filer.agent.id),
        namespace=row.namespace, question=question, current=approved, incoming=row,
    )  # fmt: skip
    return stored_record(
        row, ImportOutcome.CHANGED, Note("finding_conflict", "the approved version stands; its owner is asked")
    )


def _store_history(filer: Filer, record: Record, origin_id: str) -> Evidence | None:
    """An older value of a fact, superseded; none where an earlier import brought the same value under its own version."""
    row = build_row(filer, record, origin_id=origin_id)
    same = Evidence.objects.filter(namespace=row.namespace, source_id=row.source_id, value_key=row.value_key)
    known = Evidence.objects.filter(namespace=row.namespace, record_id=row.record_id)
    if same.filter(check_at=row.check_at).exists() or known.exists():
        return None
    insert(row)
    return row
