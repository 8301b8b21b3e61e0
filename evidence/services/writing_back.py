"""Decisions about imported items, carried back to where the items came from: planned, compared, carried out, logged.

Only what a person or a policy decided here is written, once; what was decided there stays as it is. The log is a job with one
row for each item, committed with what is known of it also where the run stopped half-way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from django.db import transaction
from django.utils import timezone

from evidence.exchange.writeback import bridge
from evidence.models import Decision, Evidence, HeldRecord, ImportedItem, Job, JobItem
from evidence.rules.vocab import ActorKind, HeldStatus
from evidence.services.errors import Refused
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
    planned = tuple(f"{one.outcome:<9} {one.candidate} ({one.namespace})" for one in left)
    if not apply or not left:
        return WriteBack(planned, 0 if apply else None)
    try:
        done = bridge.carry_out(path, left, python=python)
    except bridge.WriteBackStopped as stopped:
        job = _log(path, left, stopped.done, stopped.detail)
        detail = f"{stopped.detail}; {len(stopped.done)} of {len(left)} were written (log {job.id})"
        raise Refused("invalid_value", detail) from stopped
    return WriteBack(planned, len(done), str(_log(path, left, done, "").id))


def _decided(namespace: str) -> Iterator[bridge.Decided]:
    """Everything of a bridge that was decided here, in the order in which it was."""
    rows = HeldRecord.objects.filter(origin_system="bridge", status__in=list(_OUTCOMES)).exclude(decision_id=None)
    if namespace:
        rows = rows.filter(namespace=namespace)
    for held in rows.exclude(origin_id="").order_by("decided_at", "id").iterator(chunk_size=200):
        decision = Decision.objects.filter(pk=held.decision_id).first() if held.decision_id else None
        known = ImportedItem.objects.filter(
            namespace=held.namespace, system="bridge", kind="proposal", foreign_id=held.origin_id
        ).first()
        if decision is None or known is None or known.decided:
            continue
        one = _one(held, decision, known)
        if one is not None:
            yield one


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
    log = JobItem.objects.filter(subject=result.origin_id, outcome="written", job__kind="write_back").exclude(
        subject=""
    )
    line = log.order_by("-id").first()
    return line.detail.rpartition(" ")[2] if line is not None and line.detail.startswith("approved: ") else ""


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _replaced(held: HeldRecord, result: Evidence) -> dict[str, str]:
    """Memories of the bridge that this decision replaced, with the content that they had."""
    rows = Evidence.objects.filter(
        namespace=held.namespace, origin_system="bridge", superseded_by=result.record_id
    ).exclude(origin_id__in=["", held.origin_id])
    ids = sorted(set(rows.values_list("origin_id", flat=True)))
    known = ImportedItem.objects.filter(namespace=held.namespace, system="bridge", kind="record", foreign_id__in=ids)
    return {one.foreign_id: str(one.extra.get("exact_content_hash", "")) for one in known.order_by("foreign_id")}


@transaction.atomic
def _log(
    path: Path, planned: list[bridge.Decided], done: tuple[bridge.Written, ...] | list[bridge.Written], error: str
) -> Job:
    """What was carried out and what was not, by candidate, decision and the receipt that the bridge gave."""
    now = timezone.now()
    job = Job.objects.create(
        kind="write_back", status="failed" if error else "done", created_by="write-back:bridge", finished_at=now,
        detail={"format": "bridge-decisions", "source": path.name[:200], "written": len(done), "error": error},
    )  # fmt: skip
    written = {one.candidate: one for one in done}
    JobItem.objects.bulk_create(
        JobItem(
            job=job, position=position, subject=one.candidate, outcome="written" if one.candidate in written else "left",
            code=one.decision, detail=f"{one.outcome}: {written[one.candidate].record}" if one.candidate in written else "",
            result_id=written[one.candidate].receipt if one.candidate in written else "",
        )
        for position, one in enumerate(planned)
    )  # fmt: skip
    return job


WRITE_BACKS: Mapping[str, Callable[..., WriteBack]] = {"bridge-decisions": write_bridge_decisions}
