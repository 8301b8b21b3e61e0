"""What storing one imported item came to; shared by the handlers and what calls them."""

from __future__ import annotations

from dataclasses import dataclass

from evidence.exchange.items import Note
from evidence.models import Evidence, HeldRecord, Inquiry
from evidence.services.audit import Touch
from evidence.services.import_report import ImportOutcome


@dataclass(frozen=True, slots=True)
class Stored:
    """`kind` is record, held or inquiry; `id` names it in addresses; `touches` go into the chunk's audit row."""

    outcome: ImportOutcome
    kind: str
    id: str
    notes: tuple[Note, ...] = ()
    touches: tuple[Touch, ...] = ()


def stored_record(row: Evidence, outcome: ImportOutcome, *notes: Note, also: tuple[Evidence, ...] = ()) -> Stored:
    touches = tuple(Touch("record", str(one.pk), one.version) for one in (row, *also))
    return Stored(outcome, "record", row.record_id, notes, touches)


def stored_held(row: HeldRecord, outcome: ImportOutcome, *notes: Note, also: tuple[Touch, ...] = ()) -> Stored:
    return Stored(outcome, "held", str(row.id), notes, (Touch("held", str(row.id), row.version), *also))


def stored_inquiry(row: Inquiry, outcome: ImportOutcome, *notes: Note, also: tuple[Touch, ...] = ()) -> Stored:
    return Stored(outcome, "inquiry", str(row.id), notes, (Touch("inquiry", str(row.id), row.version), *also))
