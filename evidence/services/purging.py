"""Purging a text for privacy: out of every table, index and file of the desk, with a decision in the audit that says so.

What is purged is the text of one record or item: what it says, its summary and excerpt, and the value of its claim where that is
long enough to be told from ordinary words. Whatever else holds it is found by looking through every text column there is, so that
a column nobody thought of is not left out: that reads whole tables, and is meant to be rare. Snapshots lose body and salt; the
chain still verifies. Records that say it are deleted with a tombstone; items that say it end. `compact` then makes the database
forget what it wrote before.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import structlog
from django.apps import apps
from django.conf import settings
from django.db import connection, models, transaction
from django.db.models import Q, TextField, Value
from django.db.models.functions import Cast, StrIndex
from django.utils import timezone

from evidence.models import (
    ClusterEntry,
    ClusterKey,
    Decision,
    Evidence,
    HeldRecord,
    Snapshot,
    User,
    VectorEntry,
    Verification,
    triggers,
)
from evidence.models.base import new_id
from evidence.rules.purging import SHORTEST, forms_of, purgeable, without
from evidence.rules.vocab import AuditAction, HeldStatus, State
from evidence.selectors.people import administers_all
from evidence.services import audit
from evidence.services.actors import Actor
from evidence.services.burying import bury
from evidence.services.conflicts import named_version, record_as_seen, version_conflict
from evidence.services.correcting import check_reason
from evidence.services.errors import Refused

# Folders of the data folder whose files are copies of what was said: filed mails, uploads.
COPIES = ("mail", "imports")
# The columns in which a record or an item says something itself; all others quote it.
_SAYING: dict[type[models.Model], tuple[str, ...]] = {
    Evidence: ("content", "summary", "excerpt", "claim_value"), HeldRecord: ("statement", "claim_value"),
}  # fmt: skip
log = structlog.get_logger(__name__)
# Names, addresses and credentials of people, and what is made of chance: no text of an agent comes there.
_NOT_LOOKED_AT = {
    User: frozenset({"password", "username", "first_name", "last_name", "email", "verified_identity"}),
    Snapshot: frozenset({"salt"}), VectorEntry: frozenset({"vector"}),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Purged:
    """The decision, and how many rows of which table lost something."""

    decision: Decision
    rows: dict[str, int]


def purge_record(*, record_pk: UUID | str, seen_version: int | None, actor: Actor, reason: str) -> Purged:
    """Purge what a record says. Raises `Refused`; then nothing is gone."""
    return _purge(Evidence, record_pk, seen_version, actor, reason)


def purge_item(*, held_id: UUID | str, seen_version: int | None, actor: Actor, reason: str) -> Purged:
    """Purge what an item says, waiting or decided."""
    return _purge(HeldRecord, held_id, seen_version, actor, reason)


def _purge(
    model: type[Evidence] | type[HeldRecord], pk: UUID | str, seen_version: int | None, actor: Actor, reason: str
) -> Purged:
    check_reason(reason)
    seen_version = named_version(seen_version)
    if actor.user is None or not administers_all(actor.user):
        raise Refused("right_missing", "Only an administrator of all agents does this.")
    with transaction.atomic():
        row = model._default_manager.select_for_update(of=("self",)).filter(pk=pk).first()
        if row is None:
            raise Refused("not_found", "There is no such record.")
        if isinstance(row, HeldRecord) and row.version != seen_version:
            raise version_conflict(row, seen_version)
        if isinstance(row, Evidence):
            record_as_seen(row, seen_version)
        texts = _texts_of(row)
        if not texts:
            raise Refused("invalid_value", "It holds no text that could be told from others.")
        if any(text in reason for text in texts):
            raise Refused("invalid_value", "The reason repeats what is to be purged.", field="reason")
        done = _carry_out(row, texts, actor, reason)
        transaction.on_commit(_remove_copies)
    return done


def _texts_of(row: Evidence | HeldRecord) -> list[str]:
    names = _SAYING[type(row)]
    return purgeable(getattr(row, name) for name in names)


def _carry_out(row: Evidence | HeldRecord, texts: Sequence[str], actor: Actor, reason: str) -> Purged:
    decision_id, rows = new_id(), Counter[str]()
    said = Evidence.objects.select_for_update(of=("self",)).filter(pk__in=_saying(Evidence, texts))
    for record in said.exclude(state=State.DELETED).order_by("pk_uuid"):
        bury(record, decision_id)
        rows[Evidence.__name__] += 1
    _end(_saying(HeldRecord, texts), decision_id)
    with triggers.lifted(connection):
        for model, columns in _columns():
            rows[model.__name__] += _scrub(model, columns, texts)
    decision = audit.append(
        namespace=row.namespace, actor=actor, action=AuditAction.PURGE,
        target_kind="record" if isinstance(row, Evidence) else "held", target_id=str(row.pk),
        target_version=row.version, decision_id=decision_id,
        agent=row.scope_owner if isinstance(row, Evidence) else row.agent_id,
        effects=[
            {"kind": "purge", "target_kind": name, "target_id": str(count)} for name, count in sorted(rows.items()) if count
        ],
        snapshots={"reason": audit.keep(reason)},
    )  # fmt: skip
    return Purged(decision, {name: count for name, count in rows.items() if count})


def _end(items: Sequence[UUID], decision_id: UUID) -> None:
    """What says it and waits ends: nobody can decide about a text that is gone. Words taken out of it go as well."""
    waiting = HeldRecord.objects.waiting().select_for_update(of=("self",)).filter(pk__in=items).order_by("pk")
    for held in waiting:
        held.status, held.decided_at, held.decision_id = HeldStatus.EXPIRED, timezone.now(), decision_id
        held.save(update_fields=["status", "decided_at", "decision_id"])
    for model in (ClusterEntry, ClusterKey):
        model._default_manager.filter(held_id__in=items).delete()
    Verification.objects.filter(held_id__in=items).update(checks=[], reasons=[], match_reason="")


def _columns() -> Iterator[tuple[type[models.Model], list[Any]]]:
    """Every column of the desk that could hold a text."""
    for model in apps.get_app_config("evidence").get_models():
        left_out = _NOT_LOOKED_AT.get(model, frozenset())
        columns = [
            field for field in model._meta.concrete_fields
            if isinstance(field, (models.CharField, models.TextField, models.JSONField))
            and not field.primary_key and not field.choices and field.name not in left_out
            and (getattr(field, "max_length", None) or SHORTEST) >= SHORTEST
        ]  # fmt: skip
        if columns:
            yield model, columns


def _saying(model: type[models.Model], texts: Sequence[str]) -> list[Any]:
    """Keys of the rows that say one of the texts in words of their own."""
    found = {pk for name in _SAYING[model] for pk, _ in _holding(model, model._meta.get_field(name), texts)}
    return sorted(found)


def _scrub(model: type[models.Model], columns: Sequence[Any], texts: Sequence[str]) -> int:
    touched: set[Any] = set()
    for column in columns:
        for pk, value in _holding(model, column, texts):
            left: dict[str, Any] = {column.attname: without(value, texts)}
            if model is Snapshot:
                left = {"body": None, "salt": None, "purged_at": timezone.now()}
            model._default_manager.filter(pk=pk).update(**left)
            touched.add(pk)
    return len(touched)


def _holding(model: type[models.Model], column: Any, texts: Sequence[str]) -> list[tuple[Any, Any]]:
    """Keys and values of the rows whose column holds one of the texts, or how it begins."""
    is_json = isinstance(column, models.JSONField)
    found = Q()
    rows = model._default_manager.order_by()
    for number, form in enumerate(forms_of(texts)):
        written = _as_json(form) if is_json else form
        rows = rows.annotate(**{f"at_{number}": StrIndex(Cast(column.attname, TextField()), Value(written))})
        found |= Q(**{f"at_{number}__gt": 0})
    return list(rows.filter(found).values_list("pk", column.attname))


def _as_json(text: str) -> str:
    """As the database writes it inside a JSON text."""
    return json.dumps(text, ensure_ascii=connection.vendor != "postgresql")[1:-1]


def _remove_copies() -> None:
    """Filed mails and uploads are copies that nobody needs: those folders are emptied; what cannot be is told in the log."""
    for name in COPIES:
        folder = Path(settings.DATA_DIR) / name
        for entry in folder.iterdir() if folder.is_dir() else ():
            try:
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink(missing_ok=True)
            except OSError as error:
                log.error("copy_not_removed", folder=name, why=type(error).__name__)


def compact(*, now: datetime) -> int:
    """Make the database forget what was overwritten or deleted, and remove backups from before the newest purge; how many.

    Rewrites the whole file on SQLite, and holds writers up meanwhile. Run it after a purge, from cron.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            for table in ("evidence_heldwords", "evidence_fts"):
                cursor.execute(f"INSERT INTO {table}({table}) VALUES ('optimize')")  # noqa: S608 - our own names
            cursor.execute("VACUUM")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        else:
            cursor.execute("VACUUM")
    newest = Decision.objects.filter(action=AuditAction.PURGE).order_by("-id").values_list("at", flat=True).first()
    folder = Path(settings.DATA_DIR) / "backups"
    gone = 0
    for file in folder.glob("*.tar.gz") if folder.is_dir() else ():
        if newest is not None and datetime.fromtimestamp(file.stat().st_mtime, tz=now.tzinfo) < newest:
            file.unlink()
            gone += 1
    return gone
