"""Anchors: where each chain stands, written down outside the database, so that a cut or a chain written anew shows.

Each is a row here, a line of AUDIT_ANCHOR_FILE and, where AUDIT_ANCHOR_URL is set, a signed call of it. Row and messages are
stored together; file and call follow from the outbox, as often as it takes.
"""

from __future__ import annotations

import json
import os
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from evidence.models import AuditAnchor, ChainHead
from evidence.rules.times import to_iso
from evidence.services.audit_keys import seal_of
from evidence.services.calling import Call, target_of
from evidence.services.outbox import enqueue, handles

FILE_TOPIC = "audit-anchor-file"
CALL_TOPIC = "audit-anchor-call"
LAST = 64 * 1024
"""Bytes at the end of the file among which an anchor that was written already is looked for."""


def sweep_anchors(*, now: datetime | None = None) -> int:
    """Anchor every chain that grew since its last anchor; how many that were."""
    at = now or timezone.now()
    return sum(_anchor(head, at) for head in ChainHead.objects.order_by("namespace") if head.seq)


def _anchor(head: ChainHead, at: datetime) -> bool:
    if AuditAnchor.objects.filter(namespace=head.namespace, seq=head.seq).exists():
        return False
    seal = seal_of(namespace=head.namespace, seq=head.seq, digest=head.digest)
    try:
        with transaction.atomic():
            row = AuditAnchor.objects.create(
                namespace=head.namespace, seq=head.seq, digest=head.digest, seal=seal, at=at
            )
            enqueue(topic=FILE_TOPIC, subject=str(row.pk), key=f"{row.pk}")
            if settings.AUDIT_ANCHOR_URL:
                enqueue(topic=CALL_TOPIC, subject=str(row.pk), key=f"{row.pk}")
    except IntegrityError:  # another process anchored the same link
        return False
    return True


def as_line(row: AuditAnchor) -> str:
    told = {"at": to_iso(row.at), "namespace": row.namespace, "seq": row.seq, "digest": row.digest, "seal": row.seal}
    return json.dumps(told, ensure_ascii=False, sort_keys=True) + "\n"


@handles(FILE_TOPIC)
def write_anchor(subject: str) -> None:
    """Append the anchor's line, once: a message that comes again finds it there. Raises OSError, and comes again."""
    row = AuditAnchor.objects.filter(pk=subject).first()
    if row is None:
        return
    file, line = Path(settings.AUDIT_ANCHOR_FILE), as_line(row).encode()
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with file.open("ab+") as stream:
        stream.seek(max(0, file.stat().st_size - LAST))
        if line in stream.read():
            return
        stream.write(line)
        stream.flush()
        os.fsync(stream.fileno())


@handles(CALL_TOPIC)
def send_anchor(subject: str) -> None:
    """Post the anchor to AUDIT_ANCHOR_URL. What is not taken raises, and comes again later."""
    row = AuditAnchor.objects.filter(pk=subject).first()
    if row is None or not settings.AUDIT_ANCHOR_URL:
        return
    call = Call(target_of(settings.AUDIT_ANCHOR_URL))
    try:
        call.open()
        status = call.post(as_line(row).encode(), {"Content-Type": "application/json"})
    finally:
        call.close()
    if not 200 <= status < 300:
        raise RuntimeError(f"the anchor was answered with {status}")
