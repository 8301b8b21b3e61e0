"""Saved memories of ChatGPT: the export's file, a pasted list, and what is no memory."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evidence.exchange import chatgpt
from evidence.exchange.files import CorruptSource
from evidence.exchange.items import EvidenceItem, Problem

MEMORIES = [
    {"id": "m-1", "content": "Prefers metric units.", "enabled": True, "created_at": 1_760_000_000.5, "source": "chat"},
    {"content": "Works on harbor-api.", "enabled": False, "updated_at": "2026-10-05T10:00:00Z"},
    {"content": "Lives in Oslo.", "created_at": "yesterday"},
    {"content": ""}, "text", {"content": "a\0b"}, {"content": "Late.", "create_time": 1e30},
]  # fmt: skip


def test_memories_of_an_export(tmp_path: Path) -> None:
    (tmp_path / "memory.json").write_text(json.dumps(MEMORIES))
    (tmp_path / "conversations-000.json").write_text("[]")
    found = list(chatgpt.read(tmp_path))
    items = [one for one in found if isinstance(one, EvidenceItem)]
    assert [(one.record.content, one.record.event_at) for one in items] == [
        ("Prefers metric units.", "2025-10-09T08:53:20.500000Z"), ("Works on harbor-api.", "2026-10-05T10:00:00Z"),
        ("Lives in Oslo.", "yesterday"), ("Late.", "1e+30"),
    ]  # fmt: skip
    assert [[note.code for note in one.notes] for one in items] == [
        [],
        ["disabled_there"],
        ["unreadable_time"],
        ["unreadable_time"],
    ]
    assert items[0].foreign_id == "m-1"
    assert items[0].extra == {"source": "chat"}
    assert all(one.record.review == "held" and one.record.check is None and not one.thread for one in items)
    said = [(one.code, one.serious) for one in found if isinstance(one, Problem)]
    assert said[-1] == ("not_taken", False)
    assert len(said) == 4


def test_a_pasted_list(tmp_path: Path) -> None:
    path = tmp_path / "memories.txt"
    path.write_bytes(b"- Prefers metric units.\n\n\xe2\x80\xa2 Works on harbor-api.\n\xff\n")
    found = list(chatgpt.read(path))
    assert [one.record.content for one in found if isinstance(one, EvidenceItem)] == [
        "Prefers metric units.", "Works on harbor-api.",
    ]  # fmt: skip
    assert [(one.code, one.place.line) for one in found if isinstance(one, Problem)] == [("invalid_text", 4)]


@pytest.mark.parametrize("content", [b"{", b'{"title": "no memories"}', b'[{"content": "cut'])
def test_what_is_no_export_is_refused_whole(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "memory.json"
    path.write_bytes(content)
    with pytest.raises(CorruptSource):
        chatgpt.read(path)
    path.unlink()
    with pytest.raises(CorruptSource, match="one a line"):
        chatgpt.read(tmp_path)
