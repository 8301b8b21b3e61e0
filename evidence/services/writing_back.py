"""Decisions about imported items, carried back to where the items came from: planned, compared, carried out, logged.

Only what a person or a policy decided here is written, once; what was decided there stays as it is. The log is a job with one
row for each item, committed with what is known of it also where the run stopped half-way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from django.db import transaction
from django.utils import timezone

from evidence.exchange.files import shown
from evidence.exchange.writeback import bridge, pi
from evidence.models import Decision, Evidence, HeldRecord, ImportedItem, Job, JobItem
from evidence.models.imports import ImportedItemQuerySet
from evidence.rules.vocab import ActorKind, HeldStatus
from evidence.selectors.imports import WRITE_BACK
from evidence.services.errors import Refused
from evidence.services.importing import DEFAULT_NAMESPACE
from evidence.services.texts import check_text

_OUTCOMES = {
    HeldStatus.APPROVED: "approved", HeldStatus.REJECTED: "rejected", HeldStatus.SUPERSEDED: "merged",
    HeldStatus.EXPIRED: "expired",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class WriteBack:
    """`planned` names what is to be written, one line each; `written` is none in a rehearsal."""

    planned: tuple[str, ...]
    written: int | None
    job_id: str = ""


def write_bridge_decisions(*, path: Path, namespace: str = "", apply: bool = False, python: str = "") -> WriteBack:
    """Plan, and with `apply` carry out. Raises `CorruptSource` on drift and `Refused` where the bridge's package stopped."""
    left = bridge.still_to_write(path, list(_decided(namespace)))
    planned = tuple(f"{one.outcome:<9} {shown(one.candidate)} ({shown(one.namespace)})" for one in left)
    if not apply or not left:
        return WriteBack(planned, 0 if apply else None)
    try:
        done = bridge.carry_out(path, left, python=python)
    except bridge.WriteBackStopped as stopped:
        job = _log_bridge(path, left, stopped.done, stopped.detail)
        detail = f"{stopped.detail}; {len(stopped.done)} of {len(left)} were written (log {job.id})"
        raise Refused("invalid_value", detail) from stopped
    return WriteBack(planned, len(done), str(_log_bridge(path, left, done, "").id))


def write_pi_decisions(*, path: Path, namespace: str = "", apply: bool = False, python: str = "") -> WriteBack:
    """Plan, and with `apply` put one patch into the store, which its user applies. Raises `CorruptSource` on drift."""
    left = pi.still_to_write(path, [_for_pi(*one) for one in _decided_of("pi", namespace) if _says_so(one[0])])
    planned = tuple(
        f"{'approved' if one.approved else 'rejected':<9} {shown(one.candidate)} ({shown(one.profile)})" for one in left
    )
    if not apply or not left:
        return WriteBack(planned, 0 if apply else None)
    patch_id = pi.write_patch(path, left, now=timezone.now().isoformat(timespec="milliseconds").replace("+00:00", "Z"))
    lines = [_Logged(one.candidate, one.decision, "written", patch_id, patch_id) for one in left]
    return WriteBack(planned, len(left), str(_log("pi", path, lines, "").id))


def _says_so(held: HeldRecord) -> bool:
    """pi knows two ends of a candidate; one that was closed as equal here stays new there."""
    return held.status in (HeldStatus.APPROVED, HeldStatus.REJECTED)


def _for_pi(held: HeldRecord, decision: Decision, known: ImportedItem) -> pi.Decided:
    result = held.fact_proposal.result
    replaced = _replaced_records(held, result) if held.status == HeldStatus.APPROVED and result is not None else None
    person = decision.actor_kind == ActorKind.PERSON
    return pi.Decided(
        candidate=held.origin_id, decision=str(decision.id), approved=held.status == HeldStatus.APPROVED,
        by=f"human:{decision.actor_name}" if person else f"desk:{decision.actor_kind}",
        reason=check_text("reason", held.reason, longest=2_000), statement=held.statement, layer=held.layer,
        rule_type=held.rule_type, tags=tuple(held.tags), reach=(held.reach_level, held.reach_ref),
        profile=str(known.extra.get("namespace") or ("" if held.namespace == DEFAULT_NAMESPACE else held.namespace)),
        digest=str(known.extra.get("line_digest", "")),
        replaces={one.foreign_id: one.digest for one in replaced} if replaced is not None else {},
    )  # fmt: skip


def _decided(namespace: str) -> Iterator[bridge.Decided]:
    for held, decision, known in _decided_of("bridge", namespace):
        one = _one(held, decision, known)
        if one is not None:
            yield one


def _decided_of(system: str, namespace: str) -> Iterator[tuple[HeldRecord, Decision, ImportedItem]]:
    """Everything of a system that was decided here, in the order in which it was."""
    rows = HeldRecord.objects.filter(origin_system=system, status__in=list(_OUTCOMES)).exclude(decision_id=None)
    if namespace:
        rows = rows.filter(namespace=namespace)
    for held in rows.exclude(origin_id="").order_by("decided_at", "id").iterator(chunk_size=200):
        decision = Decision.objects.filter(pk=held.decision_id).first() if held.decision_id else None
        known = ImportedItem.objects.filter(
            namespace=held.namespace, system=system, kind="proposal", foreign_id=held.origin_id
        ).first()
        if decision is None or known is None or known.decided:
            continue
        yield held, decision, known


def _one(held: HeldRecord, decision: Decision, known: ImportedItem) -> bridge.Decided | None:
    outcome = _OUTCOMES[HeldStatus(held.status)]
    result = held.fact_proposal.result
    target = _held_there(held.namespace, result) if outcome == "merged" and result is not None else ""
    if outcome == "merged" and not target:
        return None  # closed as equal to something that the bridge does not hold
    replaced = _replaced(held, result) if outcome == "approved" and result is not None else {}
    extra: Mapping[str, object] = known.extra
    person = decision.actor_kind == ActorKind.PERSON
    return bridge.Decided(
        candidate=held.origin_id,
        namespace=str(extra.get("namespace") or held.namespace),
        decision=str(decision.id),
        outcome=outcome,
        by=f"human:{decision.actor_name}" if person else f"desk:{decision.actor_kind}",
        reason=check_text("reason", held.reason, longest=2_000),
        reason_code=held.reason_code,
        statement=held.statement,
        tags=tuple(held.tags),
        candidate_ref=str(extra.get("candidate_ref", "")),
        authority=str(extra.get("authority_class", "")),
        epoch=str(extra.get("database_epoch", "")),
        target=target,
        replaces=tuple(replaced),
        reviews=frozenset(str(one) for one in _listed(extra.get("reviews"))),
        hashes={held.origin_id: str(extra.get("exact_content_hash", ""))} | replaced,
    )


def _held_there(namespace: str, result: Evidence) -> str:
    """The memory of the bridge that a record here is: imported from it, or written back to it before; "" where neither."""
    imported = ImportedItem.objects.filter(
        namespace=namespace, system="bridge", kind="record", foreign_id=result.origin_id, target_kind="record"
    )
    if result.origin_system == "bridge" and imported.exists():
        return result.origin_id
    log = JobItem.objects.filter(subject=result.origin_id, outcome="written", job__kind=WRITE_BACK).exclude(subject="")
    line = log.order_by("-id").first()
    return line.detail.rpartition(" ")[2] if line is not None and line.detail.startswith("approved: ") else ""


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _replaced(held: HeldRecord, result: Evidence) -> dict[str, str]:
    """Memories of the bridge that this decision replaced, with the content that they had."""
    return {one.foreign_id: str(one.extra.get("exact_content_hash", "")) for one in _replaced_records(held, result)}


def _replaced_records(held: HeldRecord, result: Evidence) -> ImportedItemQuerySet:
    """What came from the same system and was replaced by this decision."""
    rows = Evidence.objects.filter(
        namespace=held.namespace, origin_system=held.origin_system, superseded_by=result.record_id
    ).exclude(origin_id__in=["", held.origin_id])
    known = ImportedItem.objects.filter(namespace=held.namespace, system=held.origin_system, kind="record")
    return known.filter(foreign_id__in=rows.values_list("origin_id", flat=True)).order_by("foreign_id")


@dataclass(frozen=True, slots=True)
class _Logged:
    """One line of the log: what became of a decision there."""

    subject: str
    decision: str
    outcome: str
    detail: str = ""
    result: str = ""


def _log_bridge(path: Path, planned: Sequence[bridge.Decided], done: Sequence[bridge.Written], error: str) -> Job:
    written = {one.candidate: one for one in done}
    lines = [
        _Logged(one.candidate, one.decision, "written", f"{one.outcome}: {there.record}", there.receipt)
        if (there := written.get(one.candidate))
        else _Logged(one.candidate, one.decision, "left")
        for one in planned
    ]
    return _log("bridge", path, lines, error)


@transaction.atomic
def _log(system: str, path: Path, lines: Sequence[_Logged], error: str) -> Job:
    """What was carried out and what was not, by item, decision and what the other system calls it."""
    written = sum(1 for line in lines if line.outcome == "written")
    job = Job.objects.create(
        kind=WRITE_BACK, status="failed" if error else "done", created_by=f"write-back:{system}",
        finished_at=timezone.now(),
        detail={"format": f"{system}-decisions", "source": path.name[:200], "written": written, "error": error},
    )  # fmt: skip
    JobItem.objects.bulk_create(
        JobItem(
            job=job, position=position, subject=line.subject, outcome=line.outcome, code=line.decision, detail=line.detail,
            result_id=line.result[:64],
        )
        for position, line in enumerate(lines)
    )  # fmt: skip
    return job


WRITE_BACKS: Mapping[str, Callable[..., WriteBack]] = {
    "bridge-decisions": write_bridge_decisions,
    "pi-decisions": write_pi_decisions,
}
