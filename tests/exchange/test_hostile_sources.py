"""Every format against every kind of damage: said clearly, the rest goes in, and the bytes of the source stay as they are.

A damaged source is either refused as a whole, before its first entry, or read on: then every entry of the other files is there,
and of the damaged one what nobody can take is named with its place. What it came to in the store is asked once for each format.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Mapping
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from evidence.exchange.files import CorruptSource
from evidence.exchange.items import Problem, Read
from evidence.exchange.registry import FORMATS
from evidence.models import Evidence, HeldRecord, ImportedItem, Job, JobItem
from evidence.rules.text import sha256_hex
from tests.exchange.memories import SAMPLES, hashes

# The file of each sample that is damaged, and whether it is a file of lines, a document, or a database.
DAMAGED: Mapping[str, tuple[str, str]] = {
    "jsonl": ("b.jsonl", "lines"),
    "csv": ("table.csv", "table"),
    "agentx": (".agentx/memory/support-agent.jsonl", "lines"),
    "mcp-memory": ("memory.jsonl", "lines"),
    "claude-memory": ("memory/release-day.md", "text"),
    "basic-memory": ("payments/payment-retries.md", "text"),
    "mem0": ("get_all.json", "document"),
    "agents-md": ("CLAUDE.md", "text"),
    "chatgpt": ("memory.json", "document"),
    "bridge": ("bridge.db", "database"),
    "pi": ("inbox/captured.jsonl", "lines"),
}
_SOURCES = {
    "agentx": "agentx/checkout", "claude-memory": "claude-memory/-srv-tidebook", "basic-memory": "basic-memory/main",
    "bridge": "bridge/bridge.db", "mcp-memory": "mcp-memory/memory.jsonl",
}  # fmt: skip
# What is read alone, so that its own damage is all there is.
_ALONE = frozenset({"csv", "bridge", "mcp-memory"})

_LINE = (
    b'{"kind":"observation","source":{"id":"entry:ada/%d","version":"1"},"content":"Till %d is open.",'
    b'"scope":{"owner":"ada"},"trust":"internal"}\n'
)


def sample(tmp_path: Path, name: str) -> tuple[Path, Path]:
    """What is imported, and the file in it that is damaged."""
    root, inside = tmp_path / "there", DAMAGED[name][0]
    if name == "jsonl":
        root.mkdir()
        for at, letter in enumerate("ab"):
            (root / f"{letter}.jsonl").write_bytes(b"".join(_LINE % (n, n) for n in range(10 * at, 10 * at + 10)))
    elif name == "agents-md":
        shutil.copytree(SAMPLES / "claude-memory/-srv-tidebook", root)
        shutil.copy(root / "CLAUDE.md", root / "AGENTS.md")
    elif name == "chatgpt":
        root.mkdir()
        (root / inside).write_bytes(b'[{"content":"Prefers metric units."},{"content":"Lives in Oslo."}]')
    elif name == "csv":
        root.mkdir()
        (root / inside).write_bytes(
            b"agent,statement,trust\n" + b"".join(b"ada,Till %d,internal\n" % n for n in range(9))
        )
    else:
        source = SAMPLES / _SOURCES.get(name, name)
        root.mkdir()
        if source.is_file():
            shutil.copy(source, root / source.name)
        else:
            shutil.copytree(source, root, dirs_exist_ok=True)
    return (root / inside if name in _ALONE else root), root / inside


def half(data: bytes) -> bytes:
    return data[: len(data) // 2 - 3]


def noise(data: bytes) -> bytes:
    return random.Random(3).randbytes(len(data))


def scratched(data: bytes) -> bytes:
    """Some bytes in the middle are others."""
    at = len(data) // 2
    return data[:at] + b"\xff\x00\xfe\x80" * 4 + data[at + 16 :]


DAMAGES: Mapping[str, Callable[[bytes], bytes]] = {
    "truncated": half,
    "utf-16": lambda data: data.decode("latin-1").encode("utf-16"),
    "utf-16 without a mark": lambda data: data.decode("latin-1").encode("utf-16-le"),
    "utf-32": lambda data: data.decode("latin-1").encode("utf-32"),
    "nul": lambda data: data[: len(data) // 2] + b"\0" + data[len(data) // 2 :],
    "latin-1": lambda data: data.replace(b"e", b"\xe9", 3),
    "half a character": lambda data: data.replace(b"e", b"\\ud800", 5),
    "a raw half of a character": lambda data: data.replace(b"e", b"\xed\xa0\x80", 2),
    "an enormous line": lambda data: data + b'{"x":"' + b"y" * 3_000_000 + b'"}\n',
    "a deep nest": lambda data: data + b"[" * 200_000,
    "scratched": scratched,
    "noise": noise,
    "nothing": lambda _data: b"",
    "only a mark": lambda _data: b"\xef\xbb\xbf",
}


def read_all(name: str, path: Path) -> list[Read]:
    return list(FORMATS[name].read(path))


def elsewhere(found: list[Read], file: Path) -> set[str]:
    """Entries of the other files, by what they say."""
    items = [one for one in found if not isinstance(one, Problem) and not str(file).endswith(f"/{one.place.file}")]
    return {sha256_hex(one.foreign_id, one.digest) for one in items}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", DAMAGED)
def test_damage_is_said_and_harms_no_other_entry(tmp_path: Path, name: str, damage: str) -> None:
    path, file = sample(tmp_path, name)
    whole = elsewhere(read_all(name, path), file)
    file.write_bytes(DAMAGES[damage](file.read_bytes()))
    before = hashes(tmp_path)
    refused: CorruptSource | None = None
    try:
        found = read_all(name, path)
    except CorruptSource as corrupt:
        refused = corrupt
    assert hashes(tmp_path) == before
    if refused is not None:
        assert refused.where
        assert refused.detail
        return
    lost = whole - elsewhere(found, file)
    told = [one for one in found if isinstance(one, Problem)]
    assert not lost or told, (name, damage)
    assert all(one.code and one.detail and "\ud800" not in one.detail and "\0" not in one.detail for one in told)


@pytest.mark.parametrize("name", [name for name in DAMAGED if DAMAGED[name][1] != "database"])
def test_a_mark_before_the_first_byte_changes_nothing(tmp_path: Path, name: str) -> None:
    path, file = sample(tmp_path, name)
    whole = read_all(name, path)
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    marked = read_all(name, path)
    assert [type(one) for one in marked] == [type(one) for one in whole]
    assert elsewhere(marked, file) == elsewhere(whole, file)


def stored() -> int:
    return Evidence.objects.count() + HeldRecord.objects.count() + ImportedItem.objects.count()


@pytest.mark.django_db
@pytest.mark.parametrize("damage", ["truncated", "scratched"])
@pytest.mark.parametrize("name", DAMAGED)
def test_the_command_says_how_it_ended(tmp_path: Path, name: str, damage: str) -> None:
    """0: nothing was wrong; 3: something is in the report and the rest went in; 1: nothing was taken."""
    path, file = sample(tmp_path, name)
    file.write_bytes(DAMAGES[damage](file.read_bytes()))
    before = hashes(tmp_path)
    out = StringIO()
    try:
        call_command("import", name, str(path), stdout=out)
        status = 0
    except CommandError as refused:
        status, said = refused.returncode, str(refused)
        assert "nothing was imported" in said
    except SystemExit as stopped:
        status = int(stopped.code or 0)
    assert hashes(tmp_path) == before
    if status == 1:
        assert (stored(), JobItem.objects.count()) == (0, 0)
        return
    job = Job.objects.get()
    assert status in (0, 3)
    assert stored() > 0
    assert job.detail["read"] == JobItem.objects.filter(job=job).count()
    refused_lines = JobItem.objects.filter(outcome="refused")
    assert not refused_lines.filter(code="").exists()
    if status == 3:
        assert JobItem.objects.exclude(code="").exists()
