"""Tables of entries as CSV and as a workbook. No cell is a formula, whatever its text begins with (scenario S17).

A spreadsheet takes a text that begins with `=`, `+`, `-` or `@` for a formula. In CSV such a text gets an apostrophe before it,
which the import takes off again; in a workbook every cell is declared a text. The workbook is written by hand: a ZIP of
XML parts with the texts inside the cells, row by row.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, ZipFile

from evidence.exchange.csv_rows import COLUMNS, COMPUTED, LIST_SEPARATOR, guarded
from evidence.exchange.writing.entries import PROPOSAL, Entry

HEADER = (*COLUMNS, *COMPUTED)
# What a sheet and a cell of a workbook may hold.
ROWS_MAX = 1_048_576
CELL_MAX = 32_767
_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LIKE_ESCAPE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PARTS = "http://schemas.openxmlformats.org/package/2006"
_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'


def cells_of(one: Entry, made_at: str) -> list[str]:
    """The texts of a row, in the order of the header."""
    entry = one.entry
    claim, check, scope, valid = (_part(entry, name) for name in ("claim", "check", "scope", "valid"))
    source = _part(entry, "source")
    cells = {
        "kind": one.kind, "id": one.id, "agent": one.agent, "statement": one.text, "namespace": entry.get("namespace"),
        **claim, "event_at": entry.get("event_at"), "checked_at": check.get("at"), "checked_by": check.get("by"),
        "check_method": check.get("method"), "confirmed_by": check.get("confirmed_by"), "access": scope.get("access"),
        "shared_with": scope.get("shared_with"), "project": scope.get("project"), "valid_from": valid.get("from"),
        "valid_until": valid.get("until"), "source_id": source.get("id"), "source_version": source.get("version"),
        "label": one.label, "exported_at": made_at,
        **{name: entry.get(name) for name in _PLAIN},
    }  # fmt: skip
    if one.kind == PROPOSAL:
        cells["statement"] = entry.get("statement")
    return [_text(cells.get(column)) for column in HEADER]


_PLAIN = (
    "volatility", "ttl_days", "durability", "trust_class", "trust", "layer", "rule_type", "polarity", "tags", "summary",
    "excerpt", "thread", "state", "superseded_by", "review", "redaction",
)  # fmt: skip


def _part(entry: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = entry.get(name)
    return found if isinstance(found, Mapping) else {}


def _text(value: object) -> str:
    if value is None:
        return ""
    return LIST_SEPARATOR.join(str(one) for one in value) if isinstance(value, list | tuple) else str(value)


def write_csv(path: Path, entries: Iterable[Entry], made_at: str) -> int:
    count = 0
    with path.open("x", encoding="utf-8-sig", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(HEADER)
        for one in entries:
            rows.writerow([guarded(cell) for cell in cells_of(one, made_at)])
            count += 1
    return count


def write_xlsx(path: Path, entries: Iterable[Entry], made_at: str) -> int:
    book = _Book(path)
    with book.opened() as archive:
        rows = (cells_of(one, made_at) for one in entries)
        sheets = 0
        while True:
            sheets += 1
            if book.sheet(archive, sheets, rows) < ROWS_MAX - 1:
                break
        book.frame(archive, sheets)
    return book.count


class _Book:
    """A workbook in the making: its sheets first, then what names them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.count = 0

    @contextmanager
    def opened(self) -> Iterator[ZipFile]:
        with self.path.open("xb") as file, ZipFile(file, "w", ZIP_DEFLATED) as archive:
            yield archive

    def sheet(self, archive: ZipFile, number: int, rows: Iterator[list[str]]) -> int:
        """As many rows as a sheet holds; returns how many it took."""
        taken = 0
        with archive.open(f"xl/worksheets/sheet{number}.xml", "w", force_zip64=True) as part:
            part.write(f'{_XML}<worksheet xmlns="{_SHEET}"><sheetData>{_row(list(HEADER))}'.encode())
            while taken < ROWS_MAX - 1 and (cells := next(rows, None)) is not None:
                part.write(_row(cells).encode())
                taken += 1
            part.write(b"</sheetData></worksheet>")
        self.count += taken
        return taken

    def frame(self, archive: ZipFile, sheets: int) -> None:
        numbers = range(1, sheets + 1)
        kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
        parts = "".join(
            f'<Override PartName="/xl/worksheets/sheet{at}.xml" ContentType="{kind}.worksheet+xml"/>' for at in numbers
        )
        archive.writestr(
            "[Content_Types].xml",
            f'{_XML}<Types xmlns="{_PARTS}/content-types"><Default Extension="rels" '
            f'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Override PartName="/xl/workbook.xml" ContentType="{kind}.sheet.main+xml"/>{parts}</Types>',
        )
        names = "".join(f'<sheet name="Records {at}" sheetId="{at}" r:id="rId{at}"/>' for at in numbers)
        archive.writestr(
            "xl/workbook.xml",
            f'{_XML}<workbook xmlns="{_SHEET}" xmlns:r="{_LINKS}"><sheets>{names}</sheets></workbook>',
        )
        links = "".join(_link(at, "worksheet", f"worksheets/sheet{at}.xml") for at in numbers)
        archive.writestr(
            "xl/_rels/workbook.xml.rels", f'{_XML}<Relationships xmlns="{_PARTS}/relationships">{links}</Relationships>'
        )
        main = _link(1, "officeDocument", "xl/workbook.xml")
        archive.writestr("_rels/.rels", f'{_XML}<Relationships xmlns="{_PARTS}/relationships">{main}</Relationships>')


def _link(number: int, kind: str, target: str) -> str:
    return f'<Relationship Id="rId{number}" Type="{_LINKS}/{kind}" Target="{target}"/>'


def _row(cells: list[str]) -> str:
    return f"<row>{''.join(_cell(cell) for cell in cells)}</row>"


def _cell(text: str) -> str:
    if not text:
        return "<c/>"
    shown = _NOT_XML.sub("\ufffd", text if len(text) <= CELL_MAX else f"{text[: CELL_MAX - 1]}…")
    # A carriage return would be read as a line feed; `_x0041_` is how the format writes a letter.
    shown = _LIKE_ESCAPE.sub("_x005F_", escape(shown)).replace("\r", "&#13;")
    return f'<c t="inlineStr"><is><t xml:space="preserve">{shown}</t></is></c>'
