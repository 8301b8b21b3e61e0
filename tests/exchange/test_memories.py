"""The readers of four systems against what is broken, hostile or enormous; sources are never touched."""

from __future__ import annotations

import json
import os
import sqlite3
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from evidence.exchange import basic_memory, claude_memory, mcp_memory, mem0
from evidence.exchange.files import CorruptSource
from evidence.exchange.items import EvidenceItem, Problem, PromotionItem, Read, TombstoneItem
from evidence.exchange.mcp_memory import ENTITY_MAX
from tests.exchange.memories import hashes, memories

Reader = Callable[[Path], Iterator[Read]]


def texts(found: list[Read]) -> list[str]:
    return [item.record.content for item in found if isinstance(item, EvidenceItem)]


def problems(found: list[Read]) -> list[tuple[str, str]]:
    return [(str(item.place), item.code) for item in found if isinstance(item, Problem)]


def entity(name: str, *observations: Any, **members: Any) -> dict[str, Any]:
    return {"type": "entity", "name": name, "entityType": "note", "observations": list(observations)} | members


def graph(tmp_path: Path, *lines: dict[str, Any] | bytes) -> Path:
    path = tmp_path / "memory.jsonl"
    path.write_bytes(b"\n".join(line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines))
    return path


def exported(tmp_path: Path, document: object) -> Path:
    path = tmp_path / "export.json"
    path.write_text(json.dumps(document))
    return path


# -- what cannot be taken at all --


@pytest.mark.parametrize(
    "read", [mcp_memory.read, mem0.read, basic_memory.read, claude_memory.read], ids=lambda read: read.__module__
)
@pytest.mark.parametrize(
    "content",
    [b"PK\x03\x04zipped", b"\x1f\x8bzipped", '{"a": 1}'.encode("utf-16"), b"SQLite format 3\0" + b"x" * 200, None],
    ids=["zip", "gzip", "utf-16", "broken database", "nothing there"],
)
def test_what_is_no_such_source_is_refused_whole(tmp_path: Path, read: Reader, content: bytes | None) -> None:
    path = tmp_path / "source.bin"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(CorruptSource):
        read(path)
    assert content is None or path.read_bytes() == content


@pytest.mark.parametrize("read", [basic_memory.read, claude_memory.read, mem0.read], ids=lambda read: read.__module__)
def test_a_folder_without_anything_of_the_format_is_refused(tmp_path: Path, read: Reader) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    with pytest.raises(CorruptSource, match="holds no"):
        read(tmp_path)


@pytest.mark.parametrize("cut", [1, 100, 2_000])
def test_a_truncated_export_is_refused_whole(tmp_path: Path, cut: int) -> None:
    path = memories(tmp_path, "mem0") / "get_all.json"
    path.write_bytes(path.read_bytes()[:-cut])
    with pytest.raises(CorruptSource, match="not JSON"):
        mem0.read(path)


@pytest.mark.parametrize("document", [{}, {"results": {}}, 7, {"data": []}, "text"])
def test_an_export_of_another_shape_is_refused_whole(tmp_path: Path, document: object) -> None:
    with pytest.raises(CorruptSource, match="no list of entries"):
        mem0.read(exported(tmp_path, document))


# -- what is refused in part --


def test_bad_lines_of_a_graph_are_named_and_the_rest_is_read(tmp_path: Path) -> None:
    path = graph(
        tmp_path, entity("one", "kept"), b"{", entity("", "nameless"), entity("two", 7, "a\0b", "  ", "kept too"),
        {"type": "relation", "from": "one", "to": "two"}, {"type": "thing"}, b"[1]", b"\xff\xfe{}",
        b'{"type":"entity","name":"three","entityType":"x","observations":["half \\ud800 character"]}',
        entity("four", "kept as well", confidence=0.9), entity("five", "x" * ENTITY_MAX), entity("six", "last"),
    )  # fmt: skip
    found = list(mcp_memory.read(path))
    assert texts(found) == ["one: kept", "two: kept too", "four: kept as well", "six: last"]
    assert [place for place, _code in problems(found)] == [
        "memory.jsonl:2", "memory.jsonl:3", "memory.jsonl:4 observations[0]", "memory.jsonl:4 observations[1]",
        "memory.jsonl:4 observations[2]", "memory.jsonl:5", "memory.jsonl:6", "memory.jsonl:7", "memory.jsonl:8",
        "memory.jsonl:9 observations[0]", "memory.jsonl:11",
    ]  # fmt: skip
    kept = found[-3]
    assert isinstance(kept, EvidenceItem)
    assert kept.extra["confidence"] == 0.9


def test_a_byte_order_mark_and_an_unended_last_line_are_nothing(tmp_path: Path) -> None:
    path = graph(tmp_path, b"\xef\xbb\xbf" + json.dumps(entity("one", "kept")).encode())
    assert texts(list(mcp_memory.read(path))) == ["one: kept"]


def test_memories_that_make_no_sense_are_named(tmp_path: Path) -> None:
    found = list(
        mem0.read(
            exported(
                tmp_path,
                [{"id": "1", "memory": "kept", "score": 0.3}, {"id": "2"}, {"memory": "no id"}, 7, {"id": "3", "memory": 4},
                 {"id": "5", "memory": "other hash", "hash": "0" * 32}, {"id": "6", "memory": "odd", "created_at": 1_700_000}],
            )
        )
    )  # fmt: skip
    assert texts(found) == ["kept", "other hash", "odd"]
    assert [place for place, _code in problems(found)] == [f"export.json [{at}]" for at in (1, 2, 3, 4)]
    notes = [note.code for item in found if isinstance(item, EvidenceItem) for note in item.notes]
    assert notes == ["hash_mismatch", "unreadable_time"]


def test_a_history_database_says_what_the_export_of_it_says(tmp_path: Path) -> None:
    folder = memories(tmp_path, "mem0")
    rows = json.loads((folder / "history.json").read_text())
    path = tmp_path / "history.db"
    with sqlite3.connect(path) as connection:
        names = ", ".join(rows[0])
        connection.execute(f"CREATE TABLE history ({names})")
        marks = ", ".join("?" * len(rows[0]))
        connection.executemany(f"INSERT INTO history VALUES ({marks})", [tuple(row.values()) for row in rows])
    connection.close()
    before = hashes(tmp_path)
    found, expected = list(mem0.read(path)), list(mem0.read(folder / "history.json"))
    ids = [(item.foreign_id, item.digest) for item in found if isinstance(item, EvidenceItem | TombstoneItem)]
    assert ids == [(item.foreign_id, item.digest) for item in expected if not isinstance(item, Problem)]
    assert hashes(tmp_path) == before


# -- notes --


def note(tmp_path: Path, text: str, name: str = "note.md") -> list[Read]:
    (tmp_path / name).write_text(text)
    return list(basic_memory.read(tmp_path / name))


@pytest.mark.parametrize(
    ("item", "content", "tags"),
    [
        ("[limit] At most 4 #pay #ops (by PR 2)", "note: At most 4 (by PR 2)", ("limit", "pay", "ops")),
        ("plain with a #tag", "note: plain with a", ("note", "tag")),
        ("[limit] [a link](x) inside", "note: [a link](x) inside", ("limit",)),
        ("[x] done", None, ()),
        ("[ ] open", None, ()),
        ("[-] dropped", None, ()),
        ("[page](https://x.example)", None, ()),
        ("plain, issue #12", None, ()),
        ("implements [[Client wrapper]] (since May)", "note implements Client wrapper (since May)", ("relation",)),
        ('"was replaced by" [[Queue]]', "note was replaced by Queue", ("relation",)),
        ("[[Queue]]", "note links_to Queue", ("relation",)),
    ],
)
def test_list_items_of_a_note(tmp_path: Path, item: str, content: str | None, tags: tuple[str, ...]) -> None:
    found = [one for one in note(tmp_path, f"# Note\n\n- {item}\n") if isinstance(one, EvidenceItem)]
    assert [(one.record.content, one.record.tags) for one in found] == ([(content, tags)] if content else [])


def test_code_of_a_note_is_prose(tmp_path: Path) -> None:
    found = note(tmp_path, "# Note\n\n## Rules\n- [rule] one\n\n## Code\n```\n- [rule] two\n```\n")
    assert texts(found) == ["note: one"]
    (article,) = [one for one in found if isinstance(one, PromotionItem)]
    assert article.content == "# Note\n\n## Code\n```\n- [rule] two\n```"


def test_the_head_of_a_note_is_texts_and_lists_only(tmp_path: Path) -> None:
    head = (
        "title: 'It''s one'\npermalink: \"main/one\" # kept\ntags:\n- a\n- b\nmodified: 2026-10-05T10:00:00Z\n"
        "nested:\n  deep: 1\nanchor: &x y\nalias: *x\nmore: [p, 'q']\ntitle2: >\n  folded\n"
    )
    (found,) = note(tmp_path, f"---\n{head}---\n- [rule] one\n")
    assert isinstance(found, EvidenceItem)
    assert (found.record.content, found.record.tags) == ("It's one: one", ("rule", "a", "b"))
    assert found.foreign_id.startswith("main/one#")
    assert [one.code for one in found.notes] == ["head_unread"]
    assert found.extra == {"permalink": "main/one", "more": ["p", "q"]}


@pytest.mark.parametrize("text", ["---\ntitle: x\n- [rule] one\n", "- [rule] one", "---\n---\n- [rule] one"])
def test_a_note_without_a_head_is_named_by_its_path(tmp_path: Path, text: str) -> None:
    found = [one for one in note(tmp_path, text) if isinstance(one, EvidenceItem)]
    assert [one.foreign_id.partition("#")[0] for one in found] == ["note"]
    assert "no_permalink" in [one.code for one in found[0].notes]


def database(path: Path, *, with_text: bool) -> None:
    """A database with the tables that a project of one note leaves."""
    connection = sqlite3.connect(path)
    connection.executescript(
        """
        CREATE TABLE entity (id INTEGER PRIMARY KEY, title, permalink, file_path, content_type, updated_at);
        CREATE TABLE observation (id INTEGER PRIMARY KEY, entity_id, content, category, context, tags);
        CREATE TABLE relation (id INTEGER PRIMARY KEY, from_id, to_name, relation_type, context);
        INSERT INTO entity VALUES (1, 'Note', 'main/note', 'note.md', 'text/markdown', '2026-10-05 10:00:00');
        INSERT INTO entity VALUES (2, 'Picture', NULL, 'a.png', 'image/png', '2026-10-05 10:00:00');
        INSERT INTO entity VALUES (3, 'Broken', 'main/broken', 'b.md', 'text/markdown', '2026-10-05 10:00:00');
        INSERT INTO observation VALUES (1, 1, 'At most 4 #pay', 'limit', 'by PR 2', '["pay"]');
        INSERT INTO observation VALUES (2, 3, CAST(x'ff' AS TEXT), 'limit', NULL, NULL);
        INSERT INTO observation VALUES (3, 3, 7, 'limit', NULL, 'no list');
        INSERT INTO relation VALUES (1, 1, 'Queue', 'was replaced by', NULL);
        """
    )
    if with_text:
        connection.execute("CREATE TABLE note_content (entity_id, markdown_content)")
        connection.execute("INSERT INTO note_content VALUES (1, ?)", (NOTE,))
    connection.commit()
    connection.close()


NOTE = (
    "---\ntitle: Note\npermalink: main/note\n---\n# Note\n\n- [limit] At most 4 #pay (by PR 2)\n"
    '- "was replaced by" [[Queue]]\n'
)


@pytest.mark.parametrize("with_text", [True, False])
def test_the_database_brings_what_the_notes_bring(tmp_path: Path, with_text: bool) -> None:
    path = tmp_path / "memory.db"
    database(path, with_text=with_text)
    before = hashes(tmp_path)
    found = list(basic_memory.read(path))
    assert hashes(tmp_path) == before
    expected = [one for one in note(tmp_path, NOTE) if isinstance(one, EvidenceItem)]
    kept = [one for one in found if isinstance(one, EvidenceItem)]
    assert [(one.foreign_id, one.digest, one.record.id) for one in kept] == [
        (one.foreign_id, one.digest, one.record.id) for one in expected
    ]
    assert problems(found) == [
        ("memory.db entity[3] observation[0]", "invalid_text"),
        ("memory.db entity[3] observation[1]", "invalid_value"),
    ]
    unreadable = {one.code for item in kept for one in item.notes}
    assert unreadable == (set() if with_text else {"unreadable_time"})


def test_a_database_in_use_is_read_as_far_as_it_was_committed(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    database(path, with_text=False)
    using = sqlite3.connect(path)
    using.execute("PRAGMA journal_mode = WAL")
    using.execute("INSERT INTO observation VALUES (9, 1, 'The till closes at ten.', 'limit', NULL, NULL)")
    using.commit()
    using.execute("INSERT INTO observation VALUES (10, 1, 'Nobody said so yet.', 'limit', NULL, NULL)")
    before = hashes(tmp_path)
    said = " ".join(texts(list(basic_memory.read(path))))
    assert "The till closes at ten." in said
    assert "Nobody said so yet." not in said
    assert hashes(tmp_path) == before
    using.close()


def test_a_damaged_database_or_another_one_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    database(path, with_text=False)
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT INTO observation VALUES (9, 1, ?, 'limit', NULL, NULL)", ("x" * 20_000_000,))
    connection.close()
    with pytest.raises(CorruptSource, match="cannot be read"):
        basic_memory.read(path)
    with pytest.raises(CorruptSource, match="history"):
        mem0.read(path)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(CorruptSource):
        basic_memory.read(path)


# -- folders --


def topic(folder: Path, name: str, text: str) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)


@pytest.mark.parametrize("read", [basic_memory.read, claude_memory.read], ids=lambda read: read.__module__)
def test_links_bad_files_and_hidden_ones_are_left_alone(tmp_path: Path, read: Reader) -> None:
    outside, folder = tmp_path / "outside", tmp_path / "memory"
    topic(outside, "secret.md", "- [rule] not yours\n")
    topic(folder, "a.md", "- [rule] kept\n")
    (folder / "link.md").symlink_to(outside / "secret.md")
    (folder / "links").symlink_to(outside, target_is_directory=True)
    (folder / "loop").symlink_to(folder, target_is_directory=True)
    (folder / "wide.md").write_bytes("- [rule] wide".encode("utf-16"))
    (folder / "nul.md").write_bytes(b"- [rule] a\0b")
    (folder / "large.md").write_bytes(b"- [rule] x\n" * 110_000)
    topic(folder, ".obsidian/x.md", "- [rule] hidden\n")
    os.mkfifo(folder / "pipe.md")
    (folder / "pipe.md").unlink()
    before = hashes(folder)
    found = list(read(folder))
    assert [text.rsplit(" ", 1)[-1] for text in texts(found)] == ["kept"]
    assert sorted(place for place, _code in problems(found)) == [
        "large.md", "link.md", "links", "loop", "nul.md", "wide.md"
    ]  # fmt: skip
    assert hashes(folder) == before


def test_the_index_leads_nowhere_outside(tmp_path: Path) -> None:
    folder = tmp_path / "memory"
    topic(tmp_path, "outside.md", "not yours")
    topic(folder, "a.md", "One thought.")
    topic(
        folder, "MEMORY.md",
        "- [A](a.md)\n- [Up](../outside.md)\n- [Root](/etc/hostname)\n- [Web](https://x.example/a.md)\n- A fact of its own.\n",
    )  # fmt: skip
    found = list(claude_memory.read(folder))
    assert texts(found) == ["A fact of its own.", "One thought."]
    assert problems(found) == [("MEMORY.md:2", "invalid_value"), ("MEMORY.md:3", "invalid_value")]


def test_lists_of_a_topic_keep_what_is_nested_and_what_is_code(tmp_path: Path) -> None:
    folder = tmp_path / "memory"
    topic(
        folder,
        "a.md",
        "# Build\nTo build:\n\n1. Run make.\n   - twice\n   goes on\n2) Wait\n\n```\n- code\n```\n\nA remark.\n",
    )
    assert texts(list(claude_memory.read(folder))) == [
        "Build: Run make. twice goes on", "Build: Wait", "Build: - code", "Build: A remark."
    ]  # fmt: skip


def test_rules_are_bullets_and_name_no_other_file(tmp_path: Path) -> None:
    topic(tmp_path, "shop/CLAUDE.md", "@docs/a.md\n\n- Be brief, see @b.md\n- Mail ada@shop.example\n")
    topic(tmp_path, "shop/.claude/rules/style.md", "- Tabs\n")
    topic(tmp_path, "shop/README.md", "- no rule\n")
    found = list(claude_memory.read(tmp_path))
    assert sorted(texts(found)) == ["Be brief, see @b.md", "Mail ada@shop.example", "Tabs"]
    assert problems(found) == [("shop/CLAUDE.md:1", "import_not_followed")]
    assert [item.notes for item in found if isinstance(item, EvidenceItem) and "Mail" in item.record.content] == [()]
    assert list(claude_memory.read(tmp_path / "shop"))[-1].foreign_id == found[-1].foreign_id  # type: ignore[union-attr]


def test_ten_thousand_files_are_read_one_after_the_other(tmp_path: Path) -> None:
    folder = tmp_path / "memory"
    folder.mkdir()
    for number in range(10_000):
        (folder / f"{number:05}.md").write_text(f"- [rule] till {number} opens at nine\n")
    items = claude_memory.read(folder)
    tracemalloc.start()
    count = sum(isinstance(item, EvidenceItem) for item in items)
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 10_000
    assert peak < 30 * 1024 * 1024


def test_a_graph_of_any_size_is_read_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    with path.open("w") as file:
        for number in range(2_000):
            file.write(json.dumps(entity(f"till {number}", "x" * 2_000)) + "\n")
    items = mcp_memory.read(path)
    tracemalloc.start()
    assert sum(1 for _item in items) == 2_000
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2 * 1024 * 1024
