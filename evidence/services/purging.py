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
from evidence.rules.vocab import AuditAction, HeldStatus, State
from evidence.selectors.people import is_administrator
from evidence.services import audit
from evidence.services.actors import Actor
from evidence.services.burying import bury
from evidence.services.errors import Refused
from evidence.services.texts import REASON_MAX, check_text

PURGED = "[purged]"
SHORTEST = 12
"""Shorter texts are left where others say them: "active" stands in half of all records."""
CUT = 60
"""Places that show the beginning of a text only show at least so much of it."""
# Folders of the data folder whose files are copies of what was said: filed mails, uploads.
COPIES = ("mail", "imports")
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
    check_text("reason", reason, longest=REASON_MAX)
    if not reason.strip():
        raise Refused("reason_required", "Say why.", field="reason")
    if actor.user is None or not is_administrator(actor.user):
        raise Refused("right_missing", "Only an administrator corrects what is stored.")
    if seen_version is None:
        raise Refused("version_required", "Say which version you saw; the latest is never assumed.", field="version")
    with transaction.atomic():
        row = model._default_manager.select_for_update(of=("self",)).filter(pk=pk).first()
        if row is None:
            raise Refused("not_found", "There is no such record.")
        if row.version != seen_version:
            raise Refused("version_conflict", "It changed since you opened it.", current_version=row.version)
        texts = _texts_of(row)
        if not texts:
            raise Refused("invalid_value", "It holds no text that could be told from others.")
        if any(text in reason for text in texts):
            raise Refused("invalid_value", "The reason repeats what is to be purged.", field="reason")
        done = _carry_out(row, texts, actor, reason)
        transaction.on_commit(lambda: _remove_copies(texts))
    return done


def _texts_of(row: Evidence | HeldRecord) -> list[str]:
    says = [row.claim_value, row.statement] if isinstance(row, HeldRecord) else []
    if isinstance(row, Evidence):
        says = [row.content, row.summary, row.excerpt, row.claim_value]
    long = {text for text in says if len(text) >= SHORTEST}
    return sorted(long, key=len, reverse=True)


def _carry_out(row: Evidence | HeldRecord, texts: Sequence[str], actor: Actor, reason: str) -> Purged:
    decision_id, rows = new_id(), Counter[str]()
    for record in Evidence.objects.filter(_says(Evidence, texts)).exclude(state=State.DELETED).order_by("pk_uuid"):
        bury(Evidence.objects.select_for_update(of=("self",)).get(pk=record.pk), decision_id)
        rows[Evidence.__name__] += 1
    items = list(HeldRecord.objects.filter(_says(HeldRecord, texts)).values_list("pk", flat=True))
    _end(items, decision_id)
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


def _says(model: type[models.Model], texts: Sequence[str]) -> Q:
    """Rows of the model in whose words one of the texts stands."""
    names = ("content", "summary", "excerpt", "claim_value") if model is Evidence else ("statement", "claim_value")
    found = Q()
    for name in names:
        for text in texts:
            found |= Q(**{f"{name}__contains": text})
    return found


def _scrub(model: type[models.Model], columns: Sequence[models.Field[Any, Any]], texts: Sequence[str]) -> int:
    touched: set[Any] = set()
    for column in columns:
        for pk, value in _holding(model, column, texts):
            new = {"body": None, "salt": None, "purged_at": timezone.now()} if model is Snapshot else {}
            model._default_manager.filter(pk=pk).update(**(new or {column.attname: _without(value, texts)}))
            touched.add(pk)
    return len(touched)


def _holding(
    model: type[models.Model], column: models.Field[Any, Any], texts: Sequence[str]
) -> Iterator[tuple[Any, Any]]:
    """Keys and values of the rows whose column holds one of the texts, or how it begins."""
    is_json = isinstance(column, models.JSONField)
    found = Q()
    rows = model._default_manager.order_by()
    for number, form in enumerate(_forms(texts)):
        written = _as_json(form) if is_json else form
        rows = rows.annotate(**{f"at_{number}": StrIndex(Cast(column.attname, TextField()), Value(written))})
        found |= Q(**{f"at_{number}__gt": 0})
    yield from rows.filter(found).values_list("pk", column.attname).iterator()


def _as_json(text: str) -> str:
    """As the database writes it inside a JSON text."""
    return json.dumps(text, ensure_ascii=connection.vendor != "postgresql")[1:-1]


def _forms(texts: Sequence[str]) -> list[str]:
    """What to look for: the texts, how they begin where they are cut, and both as they stand in a text that is JSON itself."""
    plain = [*texts, *(text[:CUT] for text in texts if len(text) > CUT)]
    escaped = [json.dumps(text, ensure_ascii=ascii_only)[1:-1] for text in plain for ascii_only in (False, True)]
    return list(dict.fromkeys([*plain, *escaped]))


def _without(value: Any, texts: Sequence[str]) -> Any:
    """The value without the texts; a text that begins one of them and was cut goes as a whole."""
    if isinstance(value, dict):
        return {_without(name, texts): _without(one, texts) for name, one in value.items()}
    if isinstance(value, list):
        return [_without(one, texts) for one in value]
    if not isinstance(value, str):
        return value
    for text in texts:
        value = value.replace(text, PURGED)
    return PURGED if any(form in value for form in _forms(texts)) else value


def _remove_copies(texts: Sequence[str]) -> None:
    """Filed mails and uploads are copies that nobody needs: those folders are emptied."""
    for name in COPIES:
        folder = Path(settings.DATA_DIR) / name
        for entry in folder.iterdir() if folder.is_dir() else ():
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink(missing_ok=True)


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
