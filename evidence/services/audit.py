"""Writing the audit: one chain of rows per namespace, texts in salted snapshots (DESIGN "The model").

`append` runs inside the transaction of the service that calls it and takes the chain head's lock last, so that an audit
write that fails takes the decision with it (scenario S22). Nothing else writes `Decision` or `Snapshot`.
"""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from evidence.models import ChainHead, Decision, DecisionTouch, Snapshot
from evidence.models.base import new_id
from evidence.models.inserting import insert_many, new_row
from evidence.rules.chain import canonical_json, commitment, link_digest
from evidence.rules.text import sha256_hex
from evidence.rules.vocab import AuditAction
from evidence.selectors.audit import payload_of
from evidence.services.actors import Actor
from evidence.services.audit_keys import seal_of
from evidence.services.signal_announcing import announce
from evidence.services.texts import check_shape

SALT_BYTES = 16
KEY_MAX = 400


@dataclass(frozen=True, slots=True)
class Touch:
    """An object that a decision left at a version: `kind` is held, record or inquiry."""

    kind: str
    id: str
    version: int


def keep(body: Mapping[str, object] | str) -> Snapshot:
    """Store a text with a fresh salt; a mapping is kept as canonical JSON. The body is immutable until purged."""
    text = body if isinstance(body, str) else canonical_json(dict(body))
    return Snapshot.objects.create(salt=secrets.token_bytes(SALT_BYTES), body=text)


def commit_to(snapshot: Snapshot) -> dict[str, str]:
    """What the audit row says of a snapshot: its id and SHA-256(salt || body)."""
    return {"snapshot": str(snapshot.id), "sha256": commitment(bytes(snapshot.salt or b""), snapshot.body or "")}


def key_for(actor: Actor, key: str | None) -> str | None:
    """The stored form of an idempotency key: hashed with its actor, since callers choose the text."""
    check_shape("idempotency_key", key or "", longest=KEY_MAX)
    return sha256_hex(str(actor.kind), actor.id, key) if key else None


def append(
    *,
    namespace: str,
    actor: Actor,
    action: AuditAction,
    target_kind: str,
    target_id: str,
    target_version: int = 0,
    decision_id: uuid.UUID | None = None,
    reason_code: str = "",
    agent: str = "",
    policy_version: int = 0,
    effects: Sequence[Mapping[str, object]] = (),
    snapshots: Mapping[str, Snapshot] | None = None,
    touches: Iterable[Touch] = (),
    idempotency_key: str | None = None,
    bulk_id: uuid.UUID | None = None,
    undoes: uuid.UUID | None = None,
    amends: uuid.UUID | None = None,
    solo: bool = False,
) -> Decision:
    """Add one link to the namespace's chain. Must run inside a transaction; `idempotency_key` comes from `key_for`."""
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("an audit row is written inside the transaction of what it tells of")
    unique = {(touch.kind, touch.id): touch for touch in touches}
    row = Decision(
        id=decision_id or new_id(), namespace=namespace, at=timezone.now(), actor_kind=actor.kind, actor_id=actor.id,
        actor_name=actor.name, door=actor.door, action=action, reason_code=reason_code, agent=agent,
        target_kind=target_kind, target_id=target_id, target_version=target_version, policy_version=policy_version,
        idempotency_key=idempotency_key, bulk_id=bulk_id, undoes=undoes, amends=amends, solo=solo,
        effects=[dict(effect) for effect in effects],
        commitments={name: commit_to(snapshot) for name, snapshot in (snapshots or {}).items()},
        touched=sorted([touch.kind, touch.id, touch.version] for touch in unique.values()),
    )  # fmt: skip
    _link(row)
    insert_many(
        [
            new_row(
                DecisionTouch, decision_id=row.pk, target_kind=touch.kind, target_id=touch.id, version=touch.version
            )
            for touch in unique.values()
        ]
    )
    announce(row)
    return row


def _link(row: Decision) -> None:
    """Give the row its place: the head is locked, so two writers of one namespace take turns."""
    ChainHead.objects.get_or_create(namespace=row.namespace)
    head = ChainHead.objects.select_for_update().get(namespace=row.namespace)
    row.seq, row.prev = head.seq + 1, head.digest
    row.digest = link_digest(row.prev, payload_of(row))
    row.seal = seal_of(namespace=row.namespace, seq=row.seq, digest=row.digest)
    row.save(force_insert=True)
    head.seq, head.digest = row.seq, row.digest
    head.save(update_fields=["seq", "digest"])
