"""Reading the audit: the payload under a digest, and whether a chain still holds. Writes nothing."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from uuid import UUID

from evidence.models import AuditAnchor, ChainHead, Decision, DecisionTouch, Snapshot
from evidence.rules.chain import GENESIS, Fault, commitment, link_digest
from evidence.rules.times import to_iso
from evidence.rules.vocab import AuditAction

BATCH = 1000
PURGE_TAKES = timedelta(hours=1)
# Whether a seal belongs to the link of this namespace, number and digest.
SealCheck = Callable[[str, str, int, str], bool]


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
    """A place where a chain does not hold: what is wrong, as a word and in plain words."""

    namespace: str
    seq: int
    detail: str
    fault: Fault = Fault.EDITED


@dataclass(frozen=True, slots=True)
class ChainReport:
    checked: int = 0
    purged: int = 0
    broken: tuple[Break, ...] = field(default=())

    @property
    def ok(self) -> bool:
        return not self.broken

    def __add__(self, other: ChainReport) -> ChainReport:
        return ChainReport(self.checked + other.checked, self.purged + other.purged, self.broken + other.broken)


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where a chain stood once, from wherever it was written down."""

    namespace: str
    seq: int
    digest: str
    seal: str = ""


@dataclass(slots=True)
class _Walk:
    """One chain, from a link that is taken for good to its end."""

    namespace: str
    seal_holds: SealCheck | None
    anchors: dict[int, str]
    prev: str = GENESIS
    seq: int = 0
    sealed: bool = False
    purges: Sequence[datetime] = ()
    report: ChainReport = field(default_factory=ChainReport)

    def found(self, seq: int, fault: Fault, detail: str) -> None:
        self.report += ChainReport(broken=(Break(self.namespace, seq, detail, fault),))


def verify_chain(
    namespace: str | None = None,
    *,
    seal_holds: SealCheck | None = None,
    anchors: Iterable[Anchor] = (),
    since: Iterable[Anchor] = (),
) -> ChainReport:
    """Walk the chains: digests, sequence, heads, touches and the commitments to texts that still exist.

    `seal_holds` checks signatures as well; once a link has one, all later ones must. `anchors`: each must lie on its chain, so
    that a cut or a chain written anew is found. `since`: links up to there are taken for good and not read again. A purged text
    (body and salt gone) is counted, not reported: the chain holds without it.
    """
    known: dict[str, dict[int, str]] = {}
    for anchor in anchors:
        known.setdefault(anchor.namespace, {})[anchor.seq] = anchor.digest
    starts = {anchor.namespace: anchor for anchor in since}
    report = ChainReport()
    purges = list(Decision.objects.filter(action=AuditAction.PURGE).order_by("at").values_list("at", flat=True))
    for name in [namespace] if namespace is not None else sorted(_namespaces() | set(known)):
        walk = _Walk(name, seal_holds, known.get(name, {}), purges=purges)
        if name in starts:
            walk.seq, walk.prev, walk.sealed = starts[name].seq, starts[name].digest, bool(starts[name].seal)
        report += _verify_one(walk)
    return report


def newest_anchors() -> list[Anchor]:
    """The last anchor of each namespace that the database itself keeps."""
    found: dict[str, Anchor] = {}
    for row in AuditAnchor.objects.order_by("at", "seq").iterator():
        found[row.namespace] = _anchor(row)
    return list(found.values())


def kept_anchors() -> list[Anchor]:
    return [_anchor(row) for row in AuditAnchor.objects.order_by("at").iterator()]


def _anchor(row: AuditAnchor) -> Anchor:
    return Anchor(row.namespace, row.seq, row.digest, row.seal)


def _namespaces() -> set[str]:
    heads = set(ChainHead.objects.values_list("namespace", flat=True))
    return heads | set(Decision.objects.order_by().values_list("namespace", flat=True).distinct())


def _verify_one(walk: _Walk) -> ChainReport:
    try:
        for batch in _batches(walk.namespace, walk.seq):
            texts, touches = _snapshots(batch), _touches(batch)
            for row in batch:
                _check_link(walk, row)
                if touches.get(row.id, []) != row.touched:
                    walk.found(row.seq, Fault.TOUCH, "what it touched is not what was written down")
                _check_texts(walk, row, texts)
                walk.prev, walk.seq = row.digest, row.seq
                walk.report = replace(walk.report, checked=walk.report.checked + 1)
    except (ValueError, TypeError, AttributeError, KeyError):
        # SQLite keeps any value in any column: an id that is none, a time that is none. Whoever wrote it is to be told of.
        walk.found(walk.seq, Fault.UNREADABLE, "a later link holds what no link can hold; nothing after it was read")
        return walk.report
    _check_end(walk)
    return walk.report


def _batches(namespace: str, seq: int) -> Iterator[list[Decision]]:
    after = seq or -1  # nothing of ours has the number 0, and what somebody put there is to be seen
    while batch := list(Decision.objects.filter(namespace=namespace, seq__gt=after).order_by("seq")[:BATCH]):
        yield batch
        after = batch[-1].seq


def _check_link(walk: _Walk, row: Decision) -> None:
    if row.seq != walk.seq + 1:
        walk.found(row.seq, Fault.MISSING, f"link {walk.seq + 1} is missing")
    if row.prev != walk.prev:
        walk.found(row.seq, Fault.WRONG_PLACE, "it does not follow from the link before")
    if row.digest != link_digest(row.prev, payload_of(row)):
        walk.found(row.seq, Fault.EDITED, "its content is not what its digest says")
    if walk.anchors.pop(row.seq, row.digest) != row.digest:
        walk.found(row.seq, Fault.REWRITTEN, "another link stood here when the chain was anchored")
    _check_seal(walk, row)


def _check_seal(walk: _Walk, row: Decision) -> None:
    if walk.seal_holds is None:
        return
    if row.seal and not walk.seal_holds(row.seal, row.namespace, row.seq, row.digest):
        walk.found(row.seq, Fault.FORGED, "its seal was not made with a key of this desk for this link")
    if walk.sealed and not row.seal:
        walk.found(row.seq, Fault.UNSEALED, "it has no seal, though links before it have one")
    walk.sealed = walk.sealed or bool(row.seal)


def _check_texts(walk: _Walk, row: Decision, texts: dict[str, Snapshot]) -> None:
    for name, promise in row.commitments.items():
        kept = texts.get(promise["snapshot"])
        if kept is None:
            walk.found(row.seq, Fault.TEXT_GONE, f"its text “{name}” is gone without a purge")
        elif kept.body is None or kept.salt is None:
            walk.report = replace(walk.report, purged=walk.report.purged + 1)
            if not _was_purged(kept, walk.purges):
                walk.found(row.seq, Fault.PURGED, f"its text “{name}” was emptied without a decision to purge")
        elif commitment(bytes(kept.salt), kept.body) != promise["sha256"]:
            walk.found(row.seq, Fault.TEXT_EDITED, f"its text “{name}” is not what was committed to")


def _was_purged(kept: Snapshot, purges: Sequence[datetime]) -> bool:
    """Whether somebody decided it: the audit row of a purge is written right after the texts are emptied."""
    at = kept.purged_at
    if at is None:
        return False
    following = bisect_left(purges, at)
    return following < len(purges) and purges[following] - at <= PURGE_TAKES


def _check_end(walk: _Walk) -> None:
    head = ChainHead.objects.filter(namespace=walk.namespace).first()
    if head is None or (head.seq, head.digest) != (walk.seq, walk.prev):
        walk.found(walk.seq, Fault.HEAD, "the chain does not end where its head says")
    for seq in sorted(walk.anchors):
        if seq > walk.seq:
            walk.found(seq, Fault.CUT, "the chain was longer when it was anchored: its end is gone")


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
