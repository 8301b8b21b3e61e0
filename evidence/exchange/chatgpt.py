"""Saved memories of ChatGPT: the `memory.json` of an export, or a list that was pasted into a file, one memory a line.

No memory leads to its chat, so there is no evidence and no thread. Conversations are no memories: they are said, and left there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from evidence.exchange import files, json_stream
from evidence.exchange.items import Note, Place, Problem, Read
from evidence.exchange.remembered import Remembered, hash_of, item_of
from evidence.rules.errors import BadInput
from evidence.rules.members import Members
from evidence.rules.times import to_iso
from evidence.rules.vocab import TrustClass

STORE = "chatgpt"
MEMORIES = "memory.json"
WRAPPERS = ("memories",)
_DATES = ("updated_at", "update_time", "created_at", "create_time")
_READ = frozenset({"content", "id", "enabled", *_DATES})
_CHATS = "conversations"
DISABLED = Note("disabled_there", "it is switched off there")
_NO_MEMORY = "a chat is no memory; it was left there"


def read(path: Path) -> Iterator[Read]:
    """Items of an export's folder, of its `memory.json`, or of a list of lines. `CorruptSource` where it is none of these."""
    root = files.root_of(path)
    name = files.shown(root.name)
    if root.is_dir():
        file = root / MEMORIES
        if not file.is_file():
            raise files.CorruptSource(
                name, f"the folder holds no {MEMORIES}; paste the memories into a file, one a line"
            )
        chats = [files.shown(shown) for shown, _path in files.walk(root, ".json") if shown.startswith(_CHATS)]
        json_stream.check(file, MEMORIES, WRAPPERS)
        return _of_export(file, MEMORIES, chats)
    if root.suffix == ".json":
        json_stream.check(root, name, WRAPPERS)
        return _of_export(root, name, [])
    files.check_lines(root, name)
    return _of_lines(root, name)


def _of_export(file: Path, name: str, chats: list[str]) -> Iterator[Read]:
    for number, entry in enumerate(json_stream.elements(file, name, WRAPPERS), start=1):
        place = Place(name, part=f"memory {number}")
        try:
            yield _memory(entry, place)
        except BadInput as bad:
            yield Problem(place, bad.code, bad.detail)
    for chat in chats:
        yield Problem(Place(chat), "not_taken", _NO_MEMORY, serious=False)


def _memory(entry: object, place: Place) -> Read:
    if not isinstance(entry, Mapping):
        raise BadInput("malformed", "a memory is an object with its content")
    members = Members(entry)
    text = members.required_text("content")
    off = members.raw("enabled") is False
    extra = {str(name): value for name, value in entry.items() if name not in _READ}
    return item_of(
        Remembered(
            place=place, store=STORE, ident=members.text("id") or hash_of(text), content=text, says={"text": text, "off": off},
            event_at=_date(members), trust_class=TrustClass.AGENT_INFERENCE, extra=extra,
            notes=(DISABLED,) if off else (), tags=("disabled",) if off else (),
        )
    )  # fmt: skip


def _date(members: Members) -> str:
    """Seconds since 1970 are UTC; a text stays as it came."""
    for name in _DATES:
        value = members.raw(name)
        if isinstance(value, int | float) and not isinstance(value, bool):
            try:
                return to_iso(datetime.fromtimestamp(value, UTC))
            except (ValueError, OverflowError, OSError):
                return str(value)[:64]
        if value:
            return members.text(name)
    return ""


def _of_lines(file: Path, name: str) -> Iterator[Read]:
    """One memory a line; what marks a list item is none of it."""
    for number, line in files.read_lines(file):
        place = Place(name, line=number)
        try:
            if isinstance(line, BadInput):
                raise line
            text = files.decode(line).strip().lstrip("-*•").strip()
            if text:
                yield item_of(
                    Remembered(
                        place=place, store=STORE, ident=hash_of(text), content=text, says={"text": text},
                        trust_class=TrustClass.AGENT_INFERENCE,
                    )
                )  # fmt: skip
        except BadInput as bad:
            yield Problem(place, bad.code, bad.detail)
