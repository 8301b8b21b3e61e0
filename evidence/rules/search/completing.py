"""What is being typed where the caret stands: the beginning of a field, or of one of its values. Suggests nothing itself."""

from __future__ import annotations

from dataclasses import dataclass

from evidence.rules.search.fields import FIELDS, Field
from evidence.rules.search.scanning import Piece, pieces


@dataclass(frozen=True, slots=True)
class Place:
    """`typed` stands from `start` to `end` and would be replaced. `field` none: it may become a field or stay a word."""

    typed: str
    start: int
    end: int
    field: Field | None = None


def place_at(text: str, caret: int) -> Place | None:
    """The place of the caret; none inside quotes, behind an unknown field, and in the middle of a word."""
    at = min(max(caret, 0), len(text))
    if at < len(text) and not text[at].isspace():
        return None
    before = text[:at]
    found = pieces(before)
    if not found or found[-1].end < at:
        return Place("", at, at)
    return _in_field(found[-1], at) if found[-1].field else _in_word(found[-1], at)


def _in_word(piece: Piece, at: int) -> Place | None:
    part = piece.parts[0]
    return None if part.is_quoted else Place(part.text, part.start, at)


def _in_field(piece: Piece, at: int) -> Place | None:
    field = FIELDS.get(piece.field.lower())
    if field is None:
        return None
    last = piece.parts[-1] if piece.parts and piece.parts[-1].end == at else None
    if last is not None and last.is_quoted:
        return None
    return Place(last.text, last.start, at, field) if last else Place("", at, at, field)
