"""Where things lie in a store root of pi, and its line files as objects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evidence.exchange import files, strict_json
from evidence.exchange.items import Place
from evidence.rules.errors import BadInput
from evidence.rules.records import Source

EVIDENCE = "memory/evidence.jsonl"
TOMBSTONES = "memory/tombstones.jsonl"
INQUIRIES = "memory/inquiries.jsonl"
INBOX = "inbox/captured.jsonl"
LAYERS = ("memory/L1.identity.jsonl", "memory/L2.playbooks.jsonl")
PROJECTS = "memory/projects"
PATCHES = "patches"
DAILY = "daily"
# A store knows no agents: whoever worked there stands behind this name.
PI_AGENT = "pi"

Line = tuple[Place, dict[str, Any] | BadInput]


@dataclass(frozen=True, slots=True)
class Known:
    """What the ids of a store are here: evidence and memory records by their record ids; `deleted` holds tombstoned ids."""

    evidence: dict[str, str] = field(default_factory=dict)
    records: dict[str, Source] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)
    profiles: dict[str, str] = field(default_factory=dict)

    @property
    def only_profile(self) -> str:
        """Whose everything is that names no profile itself: the one of all records, if there is but one."""
        found = {profile for profile in self.profiles.values() if profile}
        return found.pop() if len(found) == 1 else ""


@dataclass(frozen=True, slots=True)
class Store:
    """`root` is the real path of the store; all names are relative to it."""

    root: Path
    line_files: tuple[str, ...]

    @classmethod
    def at(cls, path: Path) -> Store:
        """`CorruptSource` where there is no store, or one of its files can be no file of lines."""
        root = files.root_of(path)
        where = files.shown(root.name)
        if not root.is_dir():
            raise files.CorruptSource(where, "a store is a folder that holds memory/ or inbox/")
        store = cls(root, ())
        names = [name for name in (EVIDENCE, TOMBSTONES, INQUIRIES, INBOX, *LAYERS) if store.file(name) is not None]
        names += [name for name, _path in store.folder_files(PROJECTS, ".jsonl")]
        if not names:
            raise files.CorruptSource(where, "it is no store: there is no memory/ and no inbox/ with its files")
        for name in names:
            files.check_lines(root / name, files.shown(name))
        return cls(root, tuple(names))

    def file(self, name: str) -> Path | None:
        """The file of that name if there is one; a link anywhere on the way is `CorruptSource`."""
        try:
            found = files.inside(self.root, name)
        except BadInput as bad:
            raise files.CorruptSource(name, bad.detail) from bad
        return found if found.exists() else None

    def folder_files(self, name: str, suffix: str) -> list[tuple[str, Path]]:
        folder = self.file(name)
        if folder is None or not folder.is_dir():
            return []
        return [(f"{name}/{one}", path) for one, path in files.walk(folder, suffix)]

    def lines(self, *names: str) -> Iterator[Line]:
        """The objects of line files in order, each with its place; `BadInput` in place of one that cannot be taken."""
        for name in names:
            if name not in self.line_files:
                continue
            for number, line in files.read_lines(self.root / name):
                place = Place(files.shown(name), line=number)
                try:
                    if isinstance(line, BadInput):
                        raise line
                    yield place, strict_json.parse_object(files.decode(line))
                except BadInput as bad:
                    yield place, bad

    def record_lines(self) -> Iterator[Line]:
        projects = [name for name in self.line_files if name.startswith(f"{PROJECTS}/")]
        return self.lines(*LAYERS, *projects)
