"""Reads a search: each piece becomes a term or a problem that says where it is wrong and what may have been meant.

A term with one wrong value is left out as a whole: half a condition would show something that nobody asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from difflib import get_close_matches
from uuid import UUID

from evidence.rules.search.fields import FIELDS, Field, Holds
from evidence.rules.search.scanning import Part, Piece, pieces
from evidence.rules.search.terms import Op, Problem, Query, Term, read_span

LONGEST = 600
MOST_TERMS = 40
MOST_VALUES = 20
_SIGNS = {"<": Op.UNDER, ">": Op.OVER}
_SHOWN = 40
_LISTED = 8


class _Wrong(Exception):
    """Why a piece is no term."""

    def __init__(self, code: str, message: str, part: Part | None = None, suggestions: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.part = part
        self.suggestions = tuple(suggestions)


def parse(text: str) -> Query:
    """The query of any text. Takes terms one by one, so that one that is wrong does not spoil the others."""
    terms: dict[tuple[str, Op, tuple[str, ...], bool], Term] = {}
    problems: list[Problem] = []
    found, rest = _within_bounds(text)
    for piece in found:
        try:
            term = _term(piece)
        except _Wrong as wrong:
            place = wrong.part or piece
            problems.append(Problem(wrong.code, wrong.message, place.start, place.end, wrong.suggestions))
        else:
            # Said twice is said once.
            terms.setdefault((term.field, term.op, term.values, term.negated), term)
    return Query(tuple(terms.values()), (*problems, rest) if rest else tuple(problems))


def _within_bounds(text: str) -> tuple[list[Piece], Problem | None]:
    """The pieces that are read, and what is said of the rest. A piece that the end of the text cuts in two is rest."""
    found = pieces(text[:LONGEST])
    if len(text) > LONGEST and found and found[-1].end == LONGEST and not text[LONGEST].isspace():
        found.pop()
    end = found[-1].end if found else 0
    rest = None
    if len(text) > LONGEST and text[end:].strip():
        message = f"A search has at most {LONGEST} characters; what follows is left out."
        rest = Problem("too_long", message, end, len(text))
    if len(found) > MOST_TERMS:
        message = f"A search has at most {MOST_TERMS} terms; what follows is left out."
        rest = Problem("too_many", message, found[MOST_TERMS].start, len(text))
    return found[:MOST_TERMS], rest


def _term(piece: Piece) -> Term:
    for part in piece.parts:
        if not _storable(part.text):
            raise _Wrong("invalid_text", "That holds a character that no text may hold.", part)
        if not part.is_closed:
            raise _Wrong("unclosed_quote", "The quotation mark is not closed.", part, (f'{_reopened(part)}"',))
    if not piece.field:
        return _text(piece)
    field = FIELDS.get(piece.field.lower())
    if field is None:
        raise _unknown_field(piece)
    if not piece.parts:
        raise _Wrong("missing_value", f"“{field.name}:” needs a value right behind it, such as {field.example}.")
    if len(piece.parts) > MOST_VALUES:
        raise _Wrong("too_many", f"“{field.name}:” takes at most {MOST_VALUES} values.")
    if field.holds is Holds.SPAN:
        return _span(piece, field)
    values = tuple(dict.fromkeys(_value(field, part) for part in piece.parts))
    return Term(field.name, Op.IS, values, piece.negated, piece.start, piece.end)


def _reopened(part: Part) -> str:
    """A part without its closing mark, as it was typed."""
    return '"' + part.text.replace("\\", "\\\\").replace('"', '\\"').rstrip()


def _text(piece: Piece) -> Term:
    part = piece.parts[0]
    if not any(letter.isalnum() for letter in part.text):
        raise _Wrong("no_word", f"“{_cut(part.text)}” has no letter or digit to look for.")
    op = Op.PHRASE if part.is_quoted else Op.WORD
    return Term("", op, (part.text,), piece.negated, piece.start, piece.end)


def _unknown_field(piece: Piece) -> _Wrong:
    start = piece.start + piece.negated
    colon = start + len(piece.field) + 1
    near = nearest(piece.field.lower(), FIELDS)[:1]
    meant = (
        f"did you mean {_either(f'{name}:' for name in near)}?"
        if near
        else "put it in quotes to look for it as a word."
    )
    message = f"“{piece.field}:” is no field; {meant}"
    return _Wrong("unknown_field", message, Part("", start, colon), (f"{name}:" for name in near))


def _value(field: Field, part: Part) -> str:
    if field.holds is Holds.NAME:
        if not part.text.strip():
            raise _Wrong("missing_value", f"“{field.name}:” needs a value, such as {field.example}.", part)
        return part.text
    if field.holds is Holds.ID:
        return _id(field, part)
    word = field.word(part.text)
    if word is None:
        near = nearest(part.text.casefold(), field.spellings)
        meant = f"did you mean {_either(near)}?" if near else f"it can be {_listed(field.words)}."
        message = f"“{field.name}:” does not know “{_cut(part.text)}”; {meant}"
        raise _Wrong("unknown_value", message, part, near)
    return word


def _id(field: Field, part: Part) -> str:
    if len(part.text) in (32, 36):
        with suppress(ValueError):
            return str(UUID(part.text))
    raise _Wrong("not_an_id", f"“{field.name}:” takes the id of an item.", part)


def _span(piece: Piece, field: Field) -> Term:
    part = piece.parts[0]
    op = _SIGNS.get(part.text[:1]) if not part.is_quoted else None
    span = read_span(part.text[1:]) if op else None
    if op is None or span is None or len(piece.parts) > 1:
        known = read_span(part.text)
        near = (f">{known}", f"<{known}") if known else ()
        message = f"“{field.name}:” takes > or <, a number and one of d, h, w, m (minutes), such as {field.example}."
        raise _Wrong("bad_span", message, part, near)
    return Term(field.name, op, (str(span),), piece.negated, piece.start, piece.end)


def nearest(typed: str, known: Iterable[str]) -> tuple[str, ...]:
    """Known words that the typed one may stand for: what it begins, else what is spelt like it."""
    words = list(known)
    begun = [word for word in words if len(typed) > 1 and word.startswith(typed)]
    return tuple(begun[:2] or get_close_matches(typed[:_SHOWN], words, n=2, cutoff=0.7))


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def _either(words: Iterable[str]) -> str:
    return " or ".join(f"“{word}”" for word in words)


def _listed(words: tuple[str, ...]) -> str:
    shown = ", ".join(words[:_LISTED])
    return shown if len(words) <= _LISTED else f"{shown} …"


def _storable(text: str) -> bool:
    return not any(letter == "\0" or "\ud800" <= letter <= "\udfff" for letter in text)
