"""Long arrays read element by element say what a parser says, and are refused where it refuses."""

from __future__ import annotations

import json
import random
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from evidence.exchange import json_stream, mcp_memory, mem0
from evidence.exchange.files import CorruptSource

VALUES: list[Any] = [
    {"a": [1, {"b": "]"}]}, "text \\\" ] } , \u20ac \U0001f600", [], {}, [[]], 0, -1.5e3, True, None, "", {"": ""}, "\\", '"',
]  # fmt: skip


def read(tmp_path: Path, data: bytes, names: tuple[str, ...] = ()) -> list[Any]:
    path = tmp_path / "list.json"
    path.write_bytes(data)
    found = list(json_stream.elements(path, "list.json", names))
    assert json_stream.check(path, "list.json", names) == len(found)
    return found


@pytest.mark.parametrize("chunk", [1, 2, 7, 64 * 1024])
@pytest.mark.parametrize("indent", [None, 2])
def test_elements_are_what_a_parser_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int, indent: int | None
) -> None:
    monkeypatch.setattr(json_stream, "CHUNK", chunk)
    lot = random.Random(3)
    for size in range(12):
        values = lot.choices(VALUES, k=size)
        for ascii_only in (True, False):
            text = json.dumps(values, indent=indent, ensure_ascii=ascii_only)
            assert read(tmp_path, f"\ufeff {text}\n ".encode()) == values
            wrapped = json.dumps({"n": 1, "other": values, "results": values, "end": {}}, ensure_ascii=ascii_only)
            assert read(tmp_path, wrapped.encode(), ("results", "memories")) == values


@pytest.mark.parametrize("chunk", [1, 64 * 1024])
def test_a_document_that_is_cut_off_anywhere_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int
) -> None:
    monkeypatch.setattr(json_stream, "CHUNK", chunk)
    for text in (json.dumps(VALUES), json.dumps({"x": 1, "results": VALUES, "y": "z"})):
        whole = text.encode()
        for length in range(len(whole)):
            with pytest.raises(CorruptSource):
                read(tmp_path, whole[:length], ("results",))


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "{}", "7", '"a"', "[1 2]", "[1,]", "[,1]", "[1]]", "[1] x", "[1}", '{"results": 1}', '{"results": [1]',
        '{"results": [], "results": []}', '{"a" 1, "results": []}', "[NaN]", '[{"a":1,"a":2}]', "[01]", "[tru]", '["a\nb"]',
        "[" * 200 + "]" * 200,
    ],
)  # fmt: skip
def test_what_is_no_such_document_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(CorruptSource, match=r"^list\.json: "):
        read(tmp_path, text.encode(), ("results",))


@pytest.mark.parametrize("data", [b'["\xff"]', '["a"]'.encode("utf-16"), b'["a\0b"]', b"\x00"])
def test_other_encodings_are_refused(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(CorruptSource):
        read(tmp_path, data)


def test_an_element_of_any_size_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_stream, "ELEMENT_MAX", 100_000)
    with pytest.raises(CorruptSource, match="larger than"):
        read(tmp_path, b'["' + b"x" * 300_000 + b'"]')


def test_an_export_of_any_size_is_read_in_little_memory(tmp_path: Path) -> None:
    memories, graph = tmp_path / "export.json", tmp_path / "graph.json"
    with memories.open("w") as one, graph.open("w") as other:
        one.write('{"results": [')
        other.write("[")
        for number in range(4_000):
            comma = "," if number else ""
            one.write(comma + json.dumps({"id": str(number), "memory": f"till {number} {'x' * 2_000}"}))
            entity = {"type": "entity", "name": str(number), "entityType": "", "observations": ["x" * 2_000]}
            other.write(comma + json.dumps(entity))
        one.write("]}")
        other.write("]")
    tracemalloc.start()
    assert sum(1 for _item in mem0.read(memories)) == 4_000
    assert sum(1 for _item in mcp_memory.read(graph)) == 4_000
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2 * 1024 * 1024
