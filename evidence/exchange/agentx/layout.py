"""Where things lie in a checkout of AgentX, and how its documents are loaded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evidence.exchange import files, strict_json
from evidence.rules.errors import BadInput

LEDGER = "wiki/_facts.json"
QUESTIONS = "wiki/_questions.json"
PROPOSALS = "wiki/_proposals"
CONTRIBUTIONS = "wiki/_contributions/held.json"
MEMORY = "memory"


@dataclass(frozen=True, slots=True)
class Checkout:
    """`root` is the real path of the `.agentx` folder; all names are relative to it."""

    root: Path

    @classmethod
    def at(cls, path: Path) -> Checkout:
        root = files.root_of(path)
        where = files.shown(root.name)
        if not root.is_dir():
            raise files.CorruptSource(where, "a checkout is a folder that holds .agentx")
        inner = root / ".agentx"
        if inner.is_symlink():
            raise files.CorruptSource(where, "its .agentx is a link; links are not followed")
        if inner.is_dir():
            return cls(inner)
        if root.name == ".agentx" or (root / "wiki").is_dir() or (root / MEMORY).is_dir():
            return cls(root)
        raise files.CorruptSource(where, "it holds no .agentx folder")

    def file(self, name: str) -> Path | None:
        """The file of that name if there is one; a link anywhere on the way, or an unreadable file, is `CorruptSource`."""
        try:
            found = files.inside(self.root, name)
        except BadInput as bad:
            raise files.CorruptSource(name, bad.detail) from bad
        return found if found.exists() else None

    def folder(self, name: str) -> Path | None:
        found = self.file(name)
        return found if found is not None and found.is_dir() else None

    def document(self, name: str) -> Any | None:
        """The parsed JSON document, none when absent; `CorruptSource` when it cannot be read as one."""
        found = self.file(name)
        if found is None:
            return None
        try:
            return strict_json.parse(files.read_document(found))
        except BadInput as bad:
            raise files.CorruptSource(name, bad.detail) from bad
        except OSError as error:
            raise files.CorruptSource(name, f"it cannot be read ({error.strerror or 'input/output error'})") from error

    def memory_files(self) -> Iterator[tuple[str, Path]]:
        folder = self.folder(MEMORY)
        if folder is not None:
            for name, path in files.walk(folder, ".jsonl"):
                yield f"{MEMORY}/{files.shown(name)}", path

    def check_lines(self, name: str, path: Path) -> None:
        """Links are reported later, with their place; anything that is no file of lines stops the import."""
        if not path.is_symlink():
            files.check_lines(path, name)


def entries_of(document: Any, member: str, where: str, *, required: bool = True) -> list[dict[str, Any]]:
    """The list of objects under `member`; `CorruptSource` for any other shape, as AgentX itself has it."""
    if not isinstance(document, dict):
        raise files.CorruptSource(where, "the document is no object")
    found = document.get(member)
    if found is None and not required:
        return []
    if not isinstance(found, list):
        raise files.CorruptSource(where, f"{member} is no list")
    for number, entry in enumerate(found):
        if not isinstance(entry, dict):
            raise files.CorruptSource(where, f"{member}[{number}] is no object")
    return found


def require_texts(entries: list[dict[str, Any]], required: tuple[str, ...], member: str, where: str) -> None:
    """Every entry has every required member as a string, or the whole document counts as corrupt."""
    for number, entry in enumerate(entries):
        missing = [name for name in required if not isinstance(entry.get(name), str)]
        if missing:
            raise files.CorruptSource(where, f"{member}[{number}] has no text in {missing[0]}")
