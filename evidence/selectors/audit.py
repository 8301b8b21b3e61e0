"""Reading the audit: the payload under a digest, and whether a chain still holds. Writes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from uuid import UUID

from evidence.models import ChainHead, Decision, DecisionTouch, Snapshot
from evidence.rules.chain import GENESIS, commitment, link_digest
from evidence.rules.times import to_iso

BATCH = 1000


def payload_of(row: Decision) -> dict[str, object]:
    """Everything of a row that its digest covers, as canonical JSON takes it: all columns but `digest` and `prev`."""
    return {
        "id": str(row.id), "namespace": row.namespace, "seq": row.seq, "at": to_iso(row.at),
        "actor": [str(row.actor_kind), row.actor_id, row.actor_name], "door": str(row.door),
        "action": str(row.action), "reason_code": row.reason_code, "agent": row.agent,
        "target": [row.target_kind, row.target_id, row.target_version], "policy": row.policy_version,
        "key": row.idempotency_key, "bulk": _text(row.bulk_id), "undoes": _text(row.undoes),
        "amends": _text(row.amends), "solo": row.solo, "effects": row.effects, "commitments": row.commitments,
        "touched": row.touched,
    }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Break:
    """A place where a chain does not hold: what is wrong, in plain words."""

    namespace: str
    seq: int
    detail: str


@dataclass(frozen=True, slots=True)
class ChainReport:
    checked: int = 0
    purged: int = 0
    broken: tuple[Break, ...] = field(default=())

    @property
    def ok(self) -> bool:
        return not self.broken


def verify_chain(namespace: str | None = None) -> ChainReport:
    """Walk the chains from their first link: digests, sequence, heads and the commitments to texts that still exist.

    A purged text (body and salt gone) is counted, not reported: the chain holds without it.
    """
    report = ChainReport()
    for name in _namespaces(namespace):
        part = _verify_one(name)
        report = ChainReport(report.checked + part.checked, report.purged + part.purged, report.broken + part.broken)
    return report


def _namespaces(namespace: str | None) -> list[str]:
    if namespace is not None:
        return [namespace]
    heads = set(ChainHead.objects.values_list("namespace", flat=True))
    return sorted(heads | set(Decision.objects.order_by().values_list("namespace", flat=True).distinct()))


def _verify_one(namespace: str) -> ChainReport:
    prev, seq, checked, purged = GENESIS, 0, 0, 0
    broken: list[Break] = []
    try:
        for batch in _batches(namespace):
            texts, touches = _snapshots(batch), _touches(batch)
            for row in batch:
                checked += 1
                broken += _link_faults(row, prev, seq)
                if touches.get(row.id, []) != row.touched:
                    broken.append(Break(namespace, row.seq, "what it touched is not what was written down"))
                gone, faults = _text_faults(row, texts)
                purged += gone
                broken += faults
                prev, seq = row.digest, row.seq
    except (ValueError, TypeError, AttributeError, KeyError):
        # SQLite keeps any value in any column: an id that is none, a time that is none. Whoever wrote it is to be told of.
        broken.append(Break(namespace, seq, "a later link holds what no link can hold; nothing after it was read"))
        return ChainReport(checked, purged, tuple(broken))
    head = ChainHead.objects.filter(namespace=namespace).first()
    if head is None or (head.seq, head.digest) != (seq, prev):
        broken.append(Break(namespace, seq, "the chain does not end where its head says"))
    return ChainReport(checked, purged, tuple(broken))


def _batches(namespace: str) -> Iterator[list[Decision]]:
    after = -1  # nothing of ours has the number 0, and what somebody put there is to be seen
    while batch := list(Decision.objects.filter(namespace=namespace, seq__gt=after).order_by("seq")[:BATCH]):
        yield batch
        after = batch[-1].seq


def _link_faults(row: Decision, prev: str, seq: int) -> list[Break]:
    faults: list[Break] = []
    if row.seq != seq + 1:
        faults.append(Break(row.namespace, row.seq, f"link {seq + 1} is missing"))
    if row.prev != prev:
        faults.append(Break(row.namespace, row.seq, "it does not follow from the link before"))
    if row.digest != link_digest(row.prev, payload_of(row)):
        faults.append(Break(row.namespace, row.seq, "its content is not what its digest says"))
    return faults


def _text_faults(row: Decision, texts: dict[str, Snapshot]) -> tuple[int, list[Break]]:
    purged, faults = 0, []
    for name, promise in row.commitments.items():
        kept = texts.get(promise["snapshot"])
        if kept is None:
            faults.append(Break(row.namespace, row.seq, f"its text “{name}” is gone without a purge"))
        elif kept.body is None or kept.salt is None:
            purged += 1
        elif commitment(bytes(kept.salt), kept.body) != promise["sha256"]:
            faults.append(Break(row.namespace, row.seq, f"its text “{name}” is not what was committed to"))
    return purged, faults


def _touches(batch: list[Decision]) -> dict[UUID, list[list[object]]]:
    """By decision, as its own column has them: undo and pages search these rows, so they must say the same."""
    found: dict[UUID, list[list[object]]] = {}
    rows = DecisionTouch.objects.filter(decision__in=[row.id for row in batch])
    for decision, *touch in rows.values_list("decision_id", "target_kind", "target_id", "version"):
        found.setdefault(decision, []).append(touch)
    return {decision: sorted(touched) for decision, touched in found.items()}


def _snapshots(batch: list[Decision]) -> dict[str, Snapshot]:
    ids = [promise["snapshot"] for row in batch for promise in row.commitments.values()]
    return {str(row.id): row for row in Snapshot.objects.filter(id__in=ids)}


def _text(value: object) -> str | None:
    return None if value is None else str(value)
