"""The desk's own line format: one record or one proposal a line, told apart by their members (doors "Files").

Strict, unlike the readers of foreign formats: unknown members and words and times without a zone make the line a problem.
What approvals, reviews and ids a line carries is history; the store computes its own (contract 12.19).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from evidence.exchange import files, strict_json
from evidence.exchange.items import AnyItem, Place, Problem, Read
from evidence.exchange.jsonl_proposals import proposal_item
from evidence.exchange.jsonl_records import record_item
from evidence.rules.errors import BadInput

SUFFIX = ".jsonl"


def read(path: Path) -> Iterator[Read]:
    """Items of a file, or of a folder's `*.jsonl` files in the order of their names. `CorruptSource` before the first item."""
    root = files.root_of(path)
    if root.is_dir():
        found = list(files.walk(root, SUFFIX))
        if not found:
            raise files.CorruptSource(files.shown(root.name), f"the folder holds no {SUFFIX} file")
        links = [entry for entry in found if entry[1].is_symlink()]
        entries = [entry for entry in found if entry not in links]
    else:
        entries, links = [(path.name, root)], []
    for name, file in entries:
        files.check_lines(file, files.shown(name))
    return _read_all(entries, links)


def _read_all(entries: list[tuple[str, Path]], links: list[tuple[str, Path]]) -> Iterator[Read]:
    for name, _file in links:
        yield Problem(Place(files.shown(name)), "invalid_value", "it is a link; links are not followed")
    for name, file in entries:
        yield from read_file(files.shown(name), file)


def read_file(name: str, file: Path) -> Iterator[Read]:
    for number, line in files.read_lines(file):
        place = Place(name, line=number)
        try:
            if isinstance(line, BadInput):
                raise line
            yield item_of(strict_json.parse_object(files.decode(line)), place)
        except BadInput as bad:
            yield Problem(place, bad.code, bad.detail)


def item_of(entry: Mapping[str, Any], place: Place) -> AnyItem:
    """The item that one line's object is; `BadInput` where it is none."""
    if "statement" in entry:
        return proposal_item(entry, place)
    if "source" in entry:
        return record_item(entry, place)
    raise BadInput("malformed", "a line is a record (with source) or a proposal (with statement)")
