"""Making, replacing, refreshing and revoking records: the hands of `decide` and `answer_inquiry`.

Each function works inside the caller's transaction and writes into its journal. Superseding deletes nothing (contract 3).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.utils import timezone

from evidence.models import Evidence, HeldRecord
from evidence.models.evidence import EvidenceQuerySet
from evidence.rules.identity import fact_source_id, scope_key
from evidence.rules.records import Claim, Scope
from evidence.rules.vocab import Durability, Kind, Review, State, Trust, TrustClass, Volatility
from evidence.services.errors import Refused
from evidence.services.journal import Journal
from evidence.services.locks import lock_records
from evidence.services.rows import claim_columns, fill, label_columns, scope_columns
from evidence.services.run_news import tell_who_used


@dataclass(frozen=True, slots=True)
class Checked:
    """The check that an approval writes: when, by whom it was read, and who confirms it (contract 10 `checked_at`)."""

    at: datetime
    by: str
    method: str
    confirmed_by: str


Span = tuple[datetime | None, datetime | None]


def create_fact(
    held: HeldRecord, *, decision_id: UUID, checked: Checked, durability: str, journal: Journal, claim: Claim | None = None,
    scope: Scope | None = None, valid: Span | None = None, statement: str = "", replacing: bool = False,
) -> Evidence:  # fmt: skip
    """The fact that an approved proposal becomes. `claim`, `scope`, `valid`, `statement` override its own (answers do).

    Records that hold the same key have to be superseded before this is called; `replacing` does it here.
    """
    start, until = valid if valid is not None else (held.valid_from, held.valid_until)
    said, text = claim or held.claim, statement or (fact_text(claim) if claim else held.statement)
    row = Evidence(
        namespace=held.namespace, kind=Kind.FACT, source_version=str(decision_id), **claim_columns(said), content=text,
        tags=held.tags, rule_type=held.rule_type, layer=held.layer, reach_level=held.reach_level,
        reach_ref=held.reach_ref, valid_from=start, valid_until=until, event_at=held.event_at,
        event_at_text=held.event_at_text, **_check_columns(checked), volatility=held.volatility,
        ttl_days=held.ttl_days, **scope_columns(scope or held.scope), trust=held.trust, review=Review.APPROVED,
        trust_class=held.effective_trust_class, durability=durability,
        derived_from=[held.fact_proposal.observation.record_id], filed_by=held.filed_by,
        origin_system=held.origin_system, origin_id=held.origin_id,
    )  # fmt: skip
    return _stored(row, journal, replacing=replacing)


def create_fact_from(
    evidence: Evidence, *, decision_id: UUID, checked: Checked, journal: Journal,
    claim: Claim | None = None, scope: Scope | None = None, valid: Span | None = None, statement: str = "",
    replacing: bool = False,
) -> Evidence:  # fmt: skip
    """The fact that an owner's answer makes of reported evidence; the report stays as where it came from."""
    start, until = valid if valid is not None else (evidence.valid_from, evidence.valid_until)
    text = evidence.content or evidence.summary or evidence.excerpt
    said = claim or evidence.claim
    if not text and said is not None:
        text = fact_text(said)
    row = Evidence(
        namespace=evidence.namespace, kind=Kind.FACT, source_version=str(decision_id),
        **claim_columns(said), content=statement or (fact_text(claim) if claim else text), tags=evidence.tags,
        rule_type=evidence.rule_type, layer=evidence.layer, reach_level=evidence.reach_level,
        reach_ref=evidence.reach_ref, valid_from=start, valid_until=until, event_at=evidence.event_at,
        event_at_text=evidence.event_at_text, **_check_columns(checked), volatility=evidence.volatility,
        ttl_days=evidence.ttl_days, **scope_columns(scope or evidence.scope), trust=evidence.trust,
        review=Review.APPROVED, trust_class=evidence.trust_class, durability=evidence.durability,
        derived_from=[evidence.record_id], filed_by=evidence.filed_by, origin_system=evidence.origin_system,
        origin_id=evidence.origin_id,
    )  # fmt: skip
    return _stored(row, journal, replacing=replacing)


def create_fact_said(
    text: str, *, namespace: str, scope: Scope, decision_id: UUID, checked: Checked, journal: Journal
) -> Evidence:
    """The fact that a person says in answer to a plain question; nothing but their word stands behind it."""
    row = Evidence(
        namespace=namespace, kind=Kind.FACT, source_version=str(decision_id), **claim_columns(None), content=text,
        event_at=checked.at, **_check_columns(checked), volatility=Volatility.WORK_STATE, **scope_columns(scope),
        trust=Trust.OPERATOR, review=Review.APPROVED, trust_class=TrustClass.DIRECT_USER_INSTRUCTION,
        durability=Durability.LONG_TERM, filed_by=checked.by,
    )  # fmt: skip
    return _stored(row, journal, replacing=True)


def _check_columns(checked: Checked) -> dict[str, object]:
    return {
        "has_check": True,
        "check_at": checked.at,
        "check_by": checked.by,
        "check_method": checked.method,
        "check_confirmed_by": checked.confirmed_by,
    }


def _stored(row: Evidence, journal: Journal, *, replacing: bool) -> Evidence:
    """Give the fact the source that its claim, readers and reach make it (contract 10), and save it."""
    row.source_id = fact_source_id(
        namespace=row.namespace, claim=row.claim, statement=row.content, scope_key=scope_key(row.scope, row.reach)
    )
    fill(row)
    if replacing:
        for old in list(_in_place_of(row).select_for_update(of=("self",)).order_by("pk_uuid")):
            supersede_record(old, by=row.record_id, journal=journal)
    row.save(force_insert=True)
    journal.created(row)
    return row


def _in_place_of(row: Evidence) -> EvidenceQuerySet:
    """Other active facts on the key of this one: of its claim, readers and validity start; without a claim, of its source."""
    same = Evidence.objects.in_namespace(row.namespace).active().filter(kind=Kind.FACT, valid_key=row.valid_key)
    if row.claim_key:
        own = same.on_claim(row.namespace, row.claim_key).filter(scope_key=row.scope_key)
    else:
        own = same.filter(claim_key="", source_id=row.source_id)
    return own.exclude(pk=row.pk)


def fact_text(claim: Claim) -> str:
    """A claim as a sentence, where a person answered with a value instead of approving a text."""
    return f"{claim.subject} · {claim.attribute}: {claim.value}"


def active_record(namespace: str, record_id: str, version: int | None = None) -> Evidence:
    """The record, locked, if it is still active and at the version that was seen; else 409 `version_conflict`."""
    row = lock_records(namespace, [record_id]).get(record_id)
    if row is None or row.state != State.ACTIVE:
        state = "gone" if row is None else str(row.state)
        raise Refused("version_conflict", f"The record {record_id} is {state} by now.", record=record_id)
    if version is not None and version != row.version:
        raise Refused(
            "version_conflict", f"The record {record_id} changed since.", record=record_id, seen_version=version,
            current_version=row.version,
        )  # fmt: skip
    return row


def supersede_record(row: Evidence, *, by: str, journal: Journal) -> None:
    """The old record stays and names its successor; `name_predecessors` links the other way (contract 3)."""
    journal.change(row, state=State.SUPERSEDED, superseded_by=by)


def name_predecessors(record: Evidence, journal: Journal) -> None:
    """The record names the facts and articles that it took the place of, after those that it named before."""
    rows = Evidence.objects.in_namespace(record.namespace).filter(
        superseded_by=record.record_id, kind__in=[Kind.FACT, Kind.ARTICLE]
    )  # fmt: skip
    known = list(record.relations.get("supersedes", []))
    fresh = [one for one in rows.order_by("pk_uuid").values_list("record_id", flat=True) if one not in known]
    if not fresh:
        return
    relations = record.relations | {"supersedes": known + fresh}
    if record.pk in journal.made:
        # Part of making it: the decision leaves it at its first version.
        record.relations = relations
        record.save(update_fields=["relations"])
    else:
        journal.change(record, relations=relations)


def refresh_record_check(row: Evidence, checked: Checked, journal: Journal) -> None:
    """A newer check of the same value. An earlier confirmation is kept where the new one has none (contract 3.4)."""
    # A check dated later than now counts as none (contract 2.3): it does not stand in the way of a real one.
    stands = row.check_at is not None and checked.at < row.check_at <= timezone.now()
    columns = {
        "has_check": True,
        "check_at": row.check_at if stands else checked.at,
        "check_at_text": "",
        "check_by": row.check_by if stands else checked.by,
        "check_method": row.check_method if stands else checked.method,
        "check_confirmed_by": checked.confirmed_by or row.check_confirmed_by,
    }
    journal.change(row, **columns, **_relabelled(row, columns))


def revoke_record(row: Evidence, journal: Journal) -> None:
    """State revoked, texts emptied, id and source kept, so that a late answer is recognised (contract 1, 5)."""
    journal.change(row, state=State.REVOKED, content="", summary="", excerpt="", claim_value="", value_key="")
    tell_who_used(row)


def review_record(row: Evidence, review: Review, journal: Journal) -> None:
    """Held evidence: approve or reject sets the review only, no check and no confirmation (contract 10)."""
    columns = {"review": review}
    journal.change(row, **columns, **_relabelled(row, columns))
    if review == Review.REJECTED:
        tell_who_used(row)


def rescope_record(row: Evidence, scope: Scope, journal: Journal) -> None:
    """Another circle of readers; copies in partitions that lost it go with the search copies (contract 4)."""
    columns = scope_columns(scope)
    moved = _free_place(row, columns, "scopes")
    journal.change(row, **columns, scope_key=moved.scope_key, recheck_key=moved.recheck_key)


def retime_record(row: Evidence, valid: Span, journal: Journal) -> None:
    """From when to when it holds."""
    columns = {"valid_from": valid[0], "valid_until": valid[1]}
    moved = _free_place(row, columns, "validity")
    journal.change(row, **columns, valid_key=moved.valid_key, **_relabelled(row, columns))


def _free_place(row: Evidence, columns: Mapping[str, object], field: str) -> Evidence:
    """The row as it would stand there, if no other fact of its claim does."""
    moved = fill(_probe(row, columns))
    if row.kind == Kind.FACT and _in_place_of(moved).exists():
        raise Refused("invalid_value", "Another fact about this stands there already.", field=field)
    return moved


def _relabelled(row: Evidence, columns: Mapping[str, object]) -> dict[str, object]:
    return label_columns(_probe(row, columns))


def _probe(row: Evidence, columns: Mapping[str, object]) -> Evidence:
    """A throw-away copy with the new columns, to compute from; `journal.change` must still see the old values."""
    values = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
    return Evidence(**(values | dict(columns)))
