"""Exports of mem0: a list of memories, bare or wrapped, and the history of what they said before.

A memory has an id, and the MD5 of its text names its version. The history still holds text of memories that were deleted
there: of those only the name is kept. A model made these texts out of chats; nobody checked them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from evidence.exchange import files, json_stream, sqlite_file, strict_json
from evidence.exchange.checked import text_of
from evidence.exchange.folders import Found, walk_tree
from evidence.exchange.items import AnyItem, EvidenceItem, Note, Place, Problem, Read, TombstoneItem
from evidence.exchange.remembered import Remembered, item_of
from evidence.rules.errors import BadInput
from evidence.rules.identity import record_id
from evidence.rules.members import Members
from evidence.rules.records import Source
from evidence.rules.vocab import State, TrustClass

STORE = "mem0"
WRAPPERS = ("results", "memories")
HISTORY = ("memory_id", "event")
HISTORY_COLUMNS = ("id", "memory_id", "old_memory", "new_memory", "event", "created_at", "updated_at", "is_deleted")
_KNOWN = frozenset({"id", "memory", "hash", "created_at", "updated_at", "agent_id", "user_id", "run_id", "categories"})
_SUFFIXES = (".json", ".db", ".sqlite")
DELETED = Note("deleted_there", "it was deleted there; of its text nothing is kept")
MAPPING = "it has no text in memory; an export under other names has to be mapped to id and memory first"


@dataclass(frozen=True, slots=True)
class _Source:
    """One file: an export, which is read entry by entry, or a history, whose rows are held (they hold each other's ends)."""

    name: str
    path: Path
    history: list[Any] | None = None


def read(path: Path) -> Iterator[Read]:
    """Items of a file, or of the files of a folder in the order of their names. `CorruptSource` before the first item."""
    root = files.root_of(path)
    if not root.is_dir():
        return _read_sources([_source(files.shown(root.name), root)])
    found = list(walk_tree(root, lambda name: name.endswith(_SUFFIXES), enter=lambda _name: False))
    problems = [one for one in found if isinstance(one, Problem)]
    sources = [_source(one.name, one.path) for one in found if isinstance(one, Found)]
    if not found:
        raise files.CorruptSource(files.shown(root.name), "the folder holds no .json or .db file")
    return _read_sources(sources, problems)


def _source(name: str, path: Path) -> _Source:
    """The file, looked through; `CorruptSource` where it is neither."""
    if sqlite_file.is_database(path):
        return _Source(
            name, path, sqlite_file.rows(path, name, "history", HISTORY_COLUMNS, optional=("actor_id", "role"))
        )
    json_stream.check(path, name, WRAPPERS)
    first = next(json_stream.elements(path, name, WRAPPERS), None)
    if not _is_history(first):
        return _Source(name, path)
    if path.stat().st_size > files.DOCUMENT_MAX:
        raise files.CorruptSource(
            name, f"a history of more than {files.DOCUMENT_MAX // 1024**2} MiB; import the database"
        )
    return _Source(name, path, list(json_stream.elements(path, name, WRAPPERS)))


def _read_sources(sources: list[_Source], problems: Iterable[Problem] = ()) -> Iterator[Read]:
    yield from problems
    # What lies beside an export tells of the past only: the export says what is remembered now.
    exports = [one for one in sources if one.history is None]
    for one in exports:
        for number, entry in enumerate(json_stream.elements(one.path, one.name, WRAPPERS)):
            yield _guarded(entry, Place(one.name, part=f"[{number}]"))
    for one in sources:
        if one.history is not None:
            yield from _read_history(one.name, one.history, is_alone=not exports)


def _is_history(first: object) -> bool:
    return isinstance(first, Mapping) and all(name in first for name in HISTORY)


# -- what is remembered --


def _guarded(entry: Any, place: Place) -> Read:
    try:
        return _memory(Members(entry), entry, place)
    except BadInput as bad:
        return Problem(place, bad.code, bad.detail)


def _memory(members: Members, entry: dict[str, Any], place: Place) -> AnyItem:
    if not members.has("memory"):
        raise BadInput("invalid_value", MAPPING, "memory")
    text, ident = members.required_text("memory"), members.required_text("id")
    extra = {name: value for name, value in entry.items() if name not in _KNOWN and value is not None}
    categories = members.raw("categories")
    return item_of(
        Remembered(
            place=place, store=STORE, ident=ident, content=text, version=version_of(text), says={"memory": text},
            agent=members.text("agent_id") or members.text("user_id"), thread=members.text("run_id"),
            event_at=_time(members, "updated_at") or _time(members, "created_at"),
            tags=members.texts("categories") if isinstance(categories, list) else (),
            trust_class=TrustClass.AGENT_INFERENCE, notes=_hash_note(members.text("hash"), text),
            extra=extra | ({"user_id": members.text("user_id")} if members.text("user_id") else {}),
        )
    )  # fmt: skip


def version_of(text: str) -> str:
    """mem0's own hash of a text. It names the version; nothing is protected by it."""
    return hashlib.md5(text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()


def _hash_note(stated: str, text: str) -> tuple[Note, ...]:
    if stated in ("", version_of(text)):
        return ()
    return (Note("hash_mismatch", "hash is not the one of this text; the text's own names the version", serious=True),)


def _time(members: Members, name: str) -> str:
    value = members.raw(name)
    return text_of(members.instant(name)) if isinstance(value, str) else "" if value is None else json.dumps(value)


# -- what was remembered --


def _read_history(name: str, entries: list[Any], *, is_alone: bool) -> Iterator[Read]:
    """One item for each text that a memory had, the newest first, so that a past one finds what replaced it."""
    following, last, gone = _overview(entries)
    seen: set[tuple[str, str]] = set()
    for number in reversed(range(len(entries))):
        place = Place(name, part=f"[{number}]")
        try:
            members = Members(entries[number])
            ident, event = members.required_text("memory_id"), members.text("event")
            if event not in ("ADD", "UPDATE", "DELETE", "NONE"):
                raise BadInput("invalid_value", "event has to be one of: ADD, UPDATE, DELETE, NONE", "event")
            text = members.text("new_memory")
            version = version_of(text)
            is_now = last.get(ident) == version and ident not in gone
            if not text or (ident, version) in seen or (is_now and not is_alone):
                continue
            seen.add((ident, version))
            if ident in gone:
                yield _gone(members, ident, version, place, is_last=last.get(ident) == version)
                continue
            item = _memory(_as_memory(members, ident, text), {}, place)
        except BadInput as bad:
            yield Problem(place, bad.code, bad.detail)
        else:
            yield item if is_now else _past(item, ident, following)


def _as_memory(members: Members, ident: str, text: str) -> Members:
    """The row as a memory: an update says when it was made, an addition when the memory was."""
    moment = "updated_at" if members.has("updated_at") and members.text("event") == "UPDATE" else "created_at"
    return Members(
        {"id": ident, "memory": text, "created_at": members.raw(moment), "agent_id": members.raw("actor_id")}
    )


def _overview(entries: list[Any]) -> tuple[dict[tuple[str, str], str], dict[str, str], set[str]]:
    """(memory, version) -> the version after it; memory -> its last version; the memories that were deleted."""
    following: dict[tuple[str, str], str] = {}
    last: dict[str, str] = {}
    gone: set[str] = set()
    for entry in entries:
        if not isinstance(entry, Mapping) or not isinstance(entry.get("memory_id"), str):
            continue
        ident, text = entry["memory_id"], entry.get("new_memory")
        if entry.get("event") == "DELETE" or entry.get("is_deleted") in (1, True):
            gone.add(ident)
        elif isinstance(text, str) and text:
            gone.discard(ident)
            version = version_of(text)
            if last.get(ident, version) != version:
                following[ident, last[ident]] = version
            last[ident] = version
    return following, last, gone


def _past(item: AnyItem, ident: str, following: Mapping[tuple[str, str], str]) -> AnyItem:
    """What it said before: superseded by what came after."""
    assert isinstance(item, EvidenceItem)
    record = item.record
    foreign_id = f"{ident}@{record.source.version}"
    after = following.get((ident, record.source.version))
    by = record_id(Source(record.source.id, after)) if after else None
    digest = strict_json.digest_of({"id": foreign_id, "by": by})
    record = replace(record, state=State.SUPERSEDED, superseded_by=by, review=None)
    return replace(item, foreign_id=foreign_id, digest=digest, record=record)


def _gone(members: Members, ident: str, version: str, place: Place, *, is_last: bool) -> TombstoneItem:
    """A text of a memory that was deleted there: its name, so that it does not come back, and nothing else."""
    foreign_id = ident if is_last else f"{ident}@{version}"
    return TombstoneItem(
        place=place, foreign_id=foreign_id, agent=members.text("actor_id") or STORE, notes=(DELETED,),
        digest=strict_json.digest_of({"id": foreign_id, "version": version}),
        source=Source(f"memory:{STORE}/{ident}", version), cause="deleted in mem0",
    )  # fmt: skip
