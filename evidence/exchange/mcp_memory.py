"""The graph of the MCP memory server: one JSON object a line, entities with observations and relations between entities.

The file has no ids, dates or authors: an observation is named by its entity and its text, a relation by its three parts. A
JSON array of the same objects, which people often make of it, is taken and said.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from evidence.exchange import files, json_stream, strict_json
from evidence.exchange.items import AnyItem, Note, Place, Problem, Read
from evidence.exchange.remembered import Remembered, hash_of, item_of
from evidence.rules.errors import BadInput
from evidence.rules.members import Members, clean_text

STORE = "mcp-memory"
# An entity is one line, however much was observed of it.
ENTITY_MAX = 4 * 1024 * 1024
_ENTITY = frozenset({"type", "name", "entityType", "observations"})
_RELATION = frozenset({"type", "from", "to", "relationType"})
ARRAY = Note("array_form", "the file is one JSON array; the server itself writes one object a line")


def read(path: Path) -> Iterator[Read]:
    """Items of a file. `CorruptSource` before the first where it is no such file at all."""
    file = files.root_of(path)
    name = files.shown(file.name)
    if file.is_dir():
        raise files.CorruptSource(name, "a file is expected, not a folder")
    files.check_lines(file, name)
    if _is_array(file):
        json_stream.check(file, name)
        return _read_array(name, file)
    return _read_lines(name, file)


def _is_array(file: Path) -> bool:
    with files.open_regular(file) as opened:
        return opened.read(1024).removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"[")


def _read_array(name: str, file: Path) -> Iterator[Read]:
    for number, entry in enumerate(json_stream.elements(file, name)):
        for found in _entry(entry, Place(name, part=f"[{number}]")):
            yield found if isinstance(found, Problem) else replace(found, notes=(ARRAY, *found.notes))


def _read_lines(name: str, file: Path) -> Iterator[Read]:
    for number, line in files.read_lines(file, longest=ENTITY_MAX):
        place = Place(name, line=number)
        try:
            if isinstance(line, BadInput):
                raise line
            entry = strict_json.parse_object(files.decode(line))
        except BadInput as bad:
            yield Problem(place, bad.code, bad.detail)
        else:
            yield from _entry(entry, place)


def _entry(entry: Any, place: Place) -> Iterator[AnyItem | Problem]:
    try:
        members = Members(entry)
        kind = members.text("type")
        if kind == "relation":
            yield _relation(members, entry, place)
        elif kind == "entity":
            yield from _observations(members, entry, place)
        else:
            raise BadInput("invalid_value", "type has to be entity or relation", "type")
    except BadInput as bad:
        yield Problem(place, bad.code, bad.detail)


def _observations(members: Members, entry: dict[str, Any], place: Place) -> Iterator[AnyItem | Problem]:
    name = members.required_text("name")
    kind = members.text("entityType")
    extra = {"entityName": name, "entityType": kind, **_others(entry, _ENTITY)}
    for number, said in enumerate(members.raw_list("observations")):
        at = replace(place, part=f"{place.part} observations[{number}]".strip())
        try:
            text = clean_text(said, "observation")
            yield item_of(
                Remembered(
                    place=at, store=STORE, ident=f"{name}#{hash_of(name, text)}",
                    content=f"{name}: {text}" if text.strip() else "", tags=(kind,),
                    says={"entity": name, "entityType": kind, "text": text}, extra=extra,
                )
            )  # fmt: skip
        except BadInput as bad:
            yield Problem(at, bad.code, bad.detail)


def _relation(members: Members, entry: dict[str, Any], place: Place) -> AnyItem:
    """Its ends need not be in the file: the server does not ask for that either."""
    start, end = members.required_text("from"), members.required_text("to")
    kind = members.required_text("relationType")
    ident = f"{start} -{kind}-> {end}"
    return item_of(
        Remembered(
            place=place, store=STORE, ident=f"{ident}#{hash_of(start, kind, end)}", content=f"{start} {kind} {end}",
            tags=("relation",), says={"relation": [start, kind, end]},
            extra={"from": start, "relationType": kind, "to": end, **_others(entry, _RELATION)},
        )
    )  # fmt: skip


def _others(entry: dict[str, Any], known: frozenset[str]) -> dict[str, Any]:
    return {name: value for name, value in entry.items() if name not in known}
