"""A stretch of the audit as lines that a stand-alone verifier reads (tools/verify_audit.py), and one decision's receipt."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from evidence.models import Decision, Snapshot
from evidence.rules.times import to_iso
from evidence.selectors.audit import payload_of

FORMAT = "evidence-desk-audit"
VERSION = 1
BATCH = 500


def exported(
    namespace: str, *, begin: datetime | None = None, end: datetime | None = None, texts: bool = False
) -> Iterator[dict[str, Any]]:
    """A head, the links from `begin` to before `end` in their order, and a last line with where that leaves the chain.

    `texts`: with the salts and bodies that the links commit to, as far as they were not purged. Without them the digests and
    seals can be verified all the same, and nothing is told of what anybody wrote.
    """
    whole = begin is None and end is None
    yield {"format": FORMAT, "version": VERSION, "namespace": namespace, "texts": texts, "whole": whole}
    last: Decision | None = None
    links = 0
    for batch in _batches(namespace, begin, end):
        kept = _texts(batch) if texts else {}
        for last in batch:
            links += 1
            yield _line(last, kept if texts else None)
    yield {"end": True, "links": links, "seq": last.seq if last else 0, "digest": last.digest if last else ""}


def receipt_of(row: Decision) -> dict[str, Any]:
    """What proves a decision to somebody who holds the public key: the whole link and its seal."""
    return {"format": f"{FORMAT}-receipt", "version": VERSION, "namespace": row.namespace} | _line(row, None)


def _line(row: Decision, kept: dict[str, Snapshot] | None) -> dict[str, Any]:
    line: dict[str, Any] = {
        "seq": row.seq, "prev": row.prev, "digest": row.digest, "seal": row.seal, "at": to_iso(row.at),
        "payload": payload_of(row),
    }  # fmt: skip
    if kept is not None:
        line["texts"] = {name: _opened(kept.get(promise["snapshot"])) for name, promise in row.commitments.items()}
    return line


def _opened(snapshot: Snapshot | None) -> dict[str, str] | None:
    if snapshot is None or snapshot.body is None or snapshot.salt is None:
        return None
    return {"salt": bytes(snapshot.salt).hex(), "body": snapshot.body}


def _batches(namespace: str, begin: datetime | None, end: datetime | None) -> Iterator[list[Decision]]:
    rows = Decision.objects.filter(namespace=namespace).order_by("seq")
    rows = rows.filter(at__gte=begin) if begin else rows
    rows = rows.filter(at__lt=end) if end else rows
    after = 0
    while batch := list(rows.filter(seq__gt=after)[:BATCH]):
        yield batch
        after = batch[-1].seq


def _texts(batch: list[Decision]) -> dict[str, Snapshot]:
    ids = [promise["snapshot"] for row in batch for promise in row.commitments.values()]
    return {str(row.id): row for row in Snapshot.objects.filter(id__in=ids)}
