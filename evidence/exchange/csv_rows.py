"""Tables: one proposal or record a row, under documented column names; comma, semicolon or tab between the cells.

A table says no more than a line of the desk's own format: each row becomes such an entry and is held to the same rules. What
looks like a formula is text, like everything else.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from evidence.exchange import files, jsonl
from evidence.exchange.items import Place, Problem, Read
from evidence.rules.errors import BadInput
from evidence.rules.members import clean_text

REQUIRED = ("statement", "agent")
DELIMITERS = (",", ";", "\t")
KINDS = ("proposal", "observation", "fact", "article")
LIST_SEPARATOR = ";"
# A quote that is never closed swallows what follows; it is given up after as much as any row may hold.
CELL_MAX = 128 * 1024
_MARK = b"\xef\xbb\xbf"
# No UTF-8 has half a character: a row with this one is refused, whatever else stands in it.
_BROKEN = "\udcff"

Put = Callable[[dict[str, Any], str], None]


def _at(*path: str) -> Put:
    """Puts a cell's text under a path of members."""

    def put(entry: dict[str, Any], text: str) -> None:
        *above, last = path
        for name in above:
            entry = entry.setdefault(name, {})
        entry[last] = text

    return put


def _list(*path: str) -> Put:
    def put(entry: dict[str, Any], text: str) -> None:
        parts = [part.strip() for part in text.split(LIST_SEPARATOR)]
        *above, last = path
        for name in above:
            entry = entry.setdefault(name, {})
        entry[last] = [part for part in parts if part]

    return put


def _number(name: str) -> Put:
    def put(entry: dict[str, Any], text: str) -> None:
        try:
            entry[name] = float(text)
        except ValueError as error:
            raise BadInput("invalid_value", f"{name} has to be a number", name) from error

    return put


_SHARED: Mapping[str, Put] = {
    "agent": _at("agent"), "id": _at("id"), "namespace": _at("namespace"),
    "subject": _at("claim", "subject"), "attribute": _at("claim", "attribute"), "value": _at("claim", "value"),
    "event_at": _at("event_at"), "checked_at": _at("check", "at"), "checked_by": _at("check", "by"),
    "check_method": _at("check", "method"), "volatility": _at("volatility"), "ttl_days": _number("ttl_days"),
    "access": _at("scope", "access"), "shared_with": _list("scope", "shared_with"), "project": _at("scope", "project"),
    "trust": _at("trust"), "trust_class": _at("trust_class"), "durability": _at("durability"), "layer": _at("layer"),
    "rule_type": _at("rule_type"), "tags": _list("tags"), "valid_from": _at("valid", "from"),
    "valid_until": _at("valid", "until"),
}  # fmt: skip
_OF_PROPOSAL: Mapping[str, Put] = {
    "statement": _at("statement"), "source_id": _at("evidence", "source", "id"),
    "source_version": _at("evidence", "source", "version"), "summary": _at("evidence", "summary"),
    "excerpt": _at("evidence", "excerpt"), "thread": _at("evidence", "thread"),
    "polarity": _at("evidence", "polarity"),
}  # fmt: skip
_OF_RECORD: Mapping[str, Put] = {
    "statement": _at("content"), "source_id": _at("source", "id"), "source_version": _at("source", "version"),
    "summary": _at("summary"), "excerpt": _at("excerpt"), "thread": _at("thread"), "polarity": _at("polarity"),
    "confirmed_by": _at("check", "confirmed_by"), "state": _at("state"), "superseded_by": _at("superseded_by"),
    "review": _at("review"), "redaction": _at("redaction"),
}  # fmt: skip
# What an export says of its rows: the desk computes these, so an import does not read them.
COMPUTED = ("label", "exported_at")
# What a spreadsheet would take for a formula; behind apostrophes too, so that taking one off is never ambiguous.
_FORMULA = re.compile(r"'*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]")
COLUMNS = ("kind", *dict.fromkeys((*_OF_PROPOSAL, *_OF_RECORD, *_SHARED)))


def guarded(cell: str) -> str:
    """A cell as an export writes it: with an apostrophe where a spreadsheet would see a formula."""
    return f"'{cell}" if _FORMULA.match(cell) else cell


def unguarded(cell: str) -> str:
    """The text of a cell: without the apostrophe that keeps a spreadsheet from seeing a formula, else without outer spaces."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell.strip()


def read(path: Path) -> Iterator[Read]:
    """Items of a table. `CorruptSource` before the first item where the header is not one of ours."""
    file = files.root_of(path)
    name = files.shown(file.name)
    if file.is_dir():
        raise files.CorruptSource(name, "a file is expected, not a folder")
    files.check_lines(file, name)
    delimiter, header = _header(file, name)
    return _read_rows(file, name, delimiter, header)


def _header(file: Path, where: str) -> tuple[str, list[str]]:
    with files.open_regular(file) as opened:
        first = next(_lines(opened), "")
    if not first.strip() or _BROKEN in first or "\0" in first:
        raise files.CorruptSource(where, "its first line is no header of column names in UTF-8")
    found = [(one, _names(first, one)) for one in DELIMITERS]
    delimiter, header = max(found, key=lambda one: sum(name in COLUMNS for name in one[1]))
    unknown = [name for name in header if name not in COLUMNS and name not in COMPUTED]
    missing = [name for name in REQUIRED if name not in header]
    if missing:
        raise files.CorruptSource(where, f"the header lacks {', '.join(missing)}; columns are {', '.join(COLUMNS)}")
    if unknown:
        plain = [name for name in unknown if name.isidentifier() and len(name) <= 24]
        which = f" ({', '.join(plain)})" if plain else ""
        raise files.CorruptSource(
            where, f"the header has {len(unknown)} unknown columns{which}; columns are {', '.join(COLUMNS)}"
        )
    if len(set(header)) != len(header):
        raise files.CorruptSource(where, "the header names a column twice")
    return delimiter, header


def _names(line: str, delimiter: str) -> list[str]:
    try:
        cells = next(csv.reader([line], delimiter=delimiter, strict=True), [])
    except csv.Error:
        return []
    return [cell.strip().lower() for cell in cells]


def _lines(opened: BinaryIO) -> Iterator[str]:
    """Lines as text; what is no UTF-8, or too long, is marked so that its row is refused, and the next ones go on."""
    first = True
    while raw := opened.readline(CELL_MAX):
        if first:
            raw, first = raw.removeprefix(_MARK), False
        if len(raw) == CELL_MAX and not raw.endswith(b"\n"):
            while (rest := opened.readline(CELL_MAX)) and not rest.endswith(b"\n"):
                pass
            yield f"{_BROKEN}\n"
            continue
        try:
            yield raw.decode("utf-8")
        except UnicodeDecodeError:
            yield raw.decode("utf-8", "surrogateescape")


def _read_rows(file: Path, name: str, delimiter: str, header: list[str]) -> Iterator[Read]:
    with files.open_regular(file) as opened:
        rows = csv.reader(_lines(opened), delimiter=delimiter, strict=True)
        is_header = True
        while True:
            place = Place(name, line=rows.line_num + 1)
            try:
                row = next(rows)
            except StopIteration:
                return
            except csv.Error:
                yield Problem(
                    place, "malformed", f"quotes or cells do not add up (lines {place.line} to {rows.line_num})"
                )
                continue
            if is_header:
                is_header = False
            elif any(cell.strip() for cell in row):
                yield _item(row, header, place)


def _item(row: list[str], header: list[str], place: Place) -> Read:
    try:
        if len(row) != len(header):
            cells = f"{len(row)} cells under {len(header)} columns"
            raise BadInput("malformed", f"the row has {cells}")
        cells = {column: unguarded(clean_text(cell, column)) for column, cell in zip(header, row, strict=True)}
        known = {column: cell for column, cell in cells.items() if cell and column not in COMPUTED}
        return jsonl.item_of(_entry(known), place)
    except BadInput as bad:
        return Problem(place, bad.code, bad.detail)


def _entry(cells: dict[str, str]) -> dict[str, Any]:
    kind = cells.pop("kind", KINDS[0]).lower()
    if kind not in KINDS:
        raise BadInput("invalid_value", f"kind has to be one of: {', '.join(KINDS)}", "kind")
    for name in REQUIRED:
        if name not in cells:
            raise BadInput("invalid_value", f"{name} is empty", name)
    is_proposal = kind == KINDS[0]
    columns = {**_SHARED, **(_OF_PROPOSAL if is_proposal else _OF_RECORD)}
    entry: dict[str, Any] = {}
    for name, text in cells.items():
        if name not in columns:
            raise BadInput("invalid_value", f"{name} is not for a row of kind {kind}", name)
        columns[name](entry, text)
    if is_proposal:
        return entry | ({"evidence": [entry["evidence"]]} if "evidence" in entry else {})
    entry.setdefault("scope", {})["owner"] = entry["agent"]
    return entry | {"kind": kind}
