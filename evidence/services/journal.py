"""What a decision changed, kept so that it can be undone: before-images of rows and the rows it created.

Every change raises the row's `version`. The before-images hold texts and therefore go into a snapshot, never into the
audit row itself. Undo restores the old values under a still higher version (contract 10 "Undo").
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import models

from evidence.models import Evidence, HeldLink, HeldRecord, Inquiry, RecordLink
from evidence.rules.times import read_time, to_iso
from evidence.services.audit import Touch

_KIND_OF: dict[type[models.Model], str] = {HeldRecord: "held", Evidence: "record", Inquiry: "inquiry"}
MODEL_OF: dict[str, type[models.Model]] = {kind: model for model, kind in _KIND_OF.items()}
_LINKS: dict[type[models.Model], str] = {RecordLink: "record_link", HeldLink: "held_link"}
LINK_OF: dict[str, type[models.Model]] = {name: model for model, name in _LINKS.items()}


@dataclass(slots=True)
class Journal:
    """Collects changes in order. `entries` is JSON-ready."""

    entries: list[dict[str, Any]] = field(default_factory=list)
    touched: dict[tuple[str, str], int] = field(default_factory=dict)
    # Records whose search copies may have to change.
    records: set[UUID] = field(default_factory=set)
    # Rows that came into being here.
    made: set[UUID] = field(default_factory=set)
    # Records that were deleted here.
    emptied: set[UUID] = field(default_factory=set)

    def change(self, row: HeldRecord | Evidence | Inquiry, **values: Any) -> None:
        """Set columns, raise the version, save just those columns; remember what they were."""
        before = {name: _plain(getattr(row, name)) for name in values}
        for name, value in values.items():
            setattr(row, name, value)
        row.version += 1
        row.save(update_fields=[*values, "version"])
        self._note("changed", row, before=before)

    def created(self, row: HeldRecord | Evidence | Inquiry) -> None:
        self._note("created", row)
        self.made.add(row.pk)

    def linked(self, row: RecordLink | HeldLink) -> None:
        self.entries.append({"what": "linked", "link": _LINKS[type(row)], "pk": row.pk})

    def left(self, row: HeldRecord | Evidence | Inquiry) -> None:
        """It was changed in a way that cannot be taken back: no before-image is kept, only at which version it is now."""
        self.touched[_KIND_OF[type(row)], str(row.pk)] = row.version
        if isinstance(row, Evidence):
            self.emptied.add(row.pk)

    def touches(self) -> list[Touch]:
        return [Touch(kind, target, version) for (kind, target), version in self.touched.items()]

    def _note(self, what: str, row: HeldRecord | Evidence | Inquiry, **more: Any) -> None:
        kind = _KIND_OF[type(row)]
        self.entries.append({"what": what, "kind": kind, "pk": str(row.pk), "version": row.version, **more})
        self.touched[kind, str(row.pk)] = row.version
        if isinstance(row, Evidence):
            self.records.add(row.pk)


def restored(model: type[models.Model], before: dict[str, Any]) -> dict[str, Any]:
    """A before-image as values for the columns of `model`: instants and ids come back from their text."""
    values: dict[str, Any] = {}
    for name, value in before.items():
        column = model._meta.get_field(name if not name.endswith("_id") else _field_of(model, name))
        is_instant = isinstance(column, models.DateTimeField)
        values[name] = read_time(value) if is_instant and value is not None else value
    return values


def _field_of(model: type[models.Model], name: str) -> str:
    names = {column.name for column in model._meta.get_fields()}
    return name if name in names else name.removesuffix("_id")


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return to_iso(value)
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, models.Model):
        raise TypeError("journal columns by their id: owner_id=…, not owner=…")
    return value if value is None or isinstance(value, (int, float, list, dict)) else str(value)
