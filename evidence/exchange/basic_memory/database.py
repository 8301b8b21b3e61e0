"""The database: an index of the notes, with their text where it keeps it, else with what was found in them.

It names notes as their files do, so that importing both brings nothing twice. Its own times have no zone.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from evidence.exchange import sqlite_file
from evidence.exchange.basic_memory.notes import About, read_note, said_item
from evidence.exchange.basic_memory.syntax import NOTE, Observation, Relation, tags_in, without_tags
from evidence.exchange.items import Place, Problem, Read
from evidence.exchange.sqlite_copy import ForeignDatabase
from evidence.rules.errors import BadInput
from evidence.rules.members import clean_text

_WANTED = {
    "entity": ("id", "title", "permalink", "file_path", "content_type", "updated_at"),
    "observation": ("entity_id", "content", "category", "context", "tags"),
    "relation": ("from_id", "to_name", "relation_type", "context"),
}
MARKDOWN = "text/markdown"


def read_database(where: str, path: Path) -> Iterator[Read]:
    """Items of the notes in the order of their rows. `CorruptSource` before the first item."""
    with sqlite_file.opened(path, where) as database:
        for table, wanted in _WANTED.items():
            sqlite_file.require(database, where, table, wanted)
    return _read(where, path)


def _read(where: str, path: Path) -> Iterator[Read]:
    with sqlite_file.opened(path, where) as database:
        has_text = "markdown_content" in database.columns("note_content")
        entities = database.rows(
            "SELECT id, title, permalink, file_path, updated_at FROM entity WHERE content_type = ? ORDER BY id",
            (MARKDOWN,),
        )
        for entity in entities:
            place = Place(where, part=f"entity[{entity['id']}]")
            try:
                text = _text_of(database, entity["id"]) if has_text else ""
                yield from read_note(text, place) if text else _rows(database, entity, place)
            except BadInput as bad:
                yield Problem(place, bad.code, bad.detail)


def _text_of(database: ForeignDatabase, entity: int) -> str:
    row = database.first("SELECT markdown_content FROM note_content WHERE entity_id = ?", (entity,))
    return clean_text(row[0], "text") if row is not None and row[0] else ""


def _rows(database: ForeignDatabase, entity: sqlite3.Row, place: Place) -> Iterator[Read]:
    about = _about(entity)
    for table, owner, read in (("observation", "entity_id", _observation), ("relation", "from_id", _relation)):
        rows = database.rows(
            f"SELECT * FROM {table} WHERE {owner} = ? ORDER BY rowid",  # noqa: S608 - the names above
            (entity["id"],),
        )
        for number, row in enumerate(rows):
            at = replace(place, part=f"{place.part} {table}[{number}]")
            try:
                yield said_item(about, read(row), at)
            except BadInput as bad:
                yield Problem(at, bad.code, bad.detail)


def _observation(row: sqlite3.Row) -> Observation:
    said = clean_text(row["content"], "content")
    tags = dict.fromkeys((*tags_in(said), *_tags(row["tags"])))
    return Observation(_text(row, "category") or NOTE, without_tags(said), tuple(tags), _text(row, "context"))


def _relation(row: sqlite3.Row) -> Relation:
    return Relation(_text(row, "relation_type"), _text(row, "to_name"), _text(row, "context"))


def _about(entity: sqlite3.Row) -> About:
    permalink = _text(entity, "permalink") or _text(entity, "file_path").removesuffix(".md")
    if not permalink:
        raise BadInput("invalid_value", "the note has neither a permalink nor a path", "permalink")
    return About(
        permalink, _text(entity, "title") or permalink, _text(entity, "updated_at"), extra={"permalink": permalink}
    )


def _text(row: sqlite3.Row, name: str) -> str:
    return "" if row[name] is None else clean_text(row[name], name)


def _tags(stored: object) -> list[str]:
    """The JSON list of tags; what is none has none."""
    try:
        found = json.loads(stored) if isinstance(stored, str) else []
    except (ValueError, RecursionError):
        return []
    return [tag for tag in found if isinstance(tag, str)] if isinstance(found, list) else []
