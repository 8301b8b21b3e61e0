"""From text to pieces: where terms begin and end, what stands in quotes. Knows no field and judges nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass

_FIELD = re.compile(r"([A-Za-z][A-Za-z_-]*):(?!//)", re.ASCII)  # an address is a word, not a field


@dataclass(frozen=True, slots=True)
class Part:
    """A value as typed: without its quotes, and its place with them."""

    text: str
    start: int
    end: int
    is_quoted: bool = False
    is_closed: bool = True


@dataclass(frozen=True, slots=True)
class Piece:
    """A term as typed. `field` is empty for words and phrases; `parts` are its values, none for a bare `field:`."""

    field: str
    parts: tuple[Part, ...]
    negated: bool
    start: int
    end: int


def pieces(text: str) -> list[Piece]:
    found: list[Piece] = []
    at = _skip(text, 0)
    while at < len(text):
        piece = _piece(text, at)
        found.append(piece)
        at = _skip(text, piece.end)
    return found


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _piece(text: str, start: int) -> Piece:
    negated = text[start] == "-" and start + 1 < len(text) and not text[start + 1].isspace()
    at = start + negated
    found = _FIELD.match(text, at)
    if found is None:
        part = _part(text, at, stop_at_comma=False)
        return Piece("", (part,), negated, start, part.end)
    parts, end = _values(text, found.end())
    return Piece(found[1], parts, negated, start, end)


def _values(text: str, at: int) -> tuple[tuple[Part, ...], int]:
    """The values behind a colon, with commas between them; an empty one is none."""
    parts: list[Part] = []
    while True:
        part = _part(text, at, stop_at_comma=True)
        if part.text or part.is_quoted:
            parts.append(part)
        if part.end >= len(text) or text[part.end] != ",":
            return tuple(parts), part.end
        at = part.end + 1


def _part(text: str, at: int, *, stop_at_comma: bool) -> Part:
    if text.startswith('"', at):
        return _quoted(text, at)
    end = at
    while end < len(text) and not text[end].isspace() and not (stop_at_comma and text[end] == ","):
        end += 1
    return Part(text[at:end], at, end)


def _quoted(text: str, start: int) -> Part:
    letters: list[str] = []
    at = start + 1
    while at < len(text):
        if text[at] == '"':
            return Part("".join(letters), start, at + 1, is_quoted=True)
        if text[at] == "\\" and text[at + 1 : at + 2] in ("\\", '"'):
            at += 1
        letters.append(text[at])
        at += 1
    return Part("".join(letters), start, len(text), is_quoted=True, is_closed=False)
