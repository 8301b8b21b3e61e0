"""Memory folders of Claude Code: topic files of one thought or of lists, their index, and the rule files beside them.

A topic file has no date, author or id: it is what the agent wrote down for itself, whatever its type says. Rule files
(`CLAUDE.md`) are text of a repository; their bullets become candidates, and the files that they name are not read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import unquote

from evidence.exchange import files, front_matter
from evidence.exchange.folders import Found, require_any, walk_tree
from evidence.exchange.items import AnyItem, Note, Place, Problem, Read
from evidence.exchange.markdown_blocks import Block, blocks
from evidence.exchange.remembered import Remembered, hash_of, item_or_problem
from evidence.exchange.rule_lists import rule_items
from evidence.rules.errors import BadInput
from evidence.rules.vocab import TrustClass

STORE = "claude-code"
INDEX = "MEMORY.md"
RULES = ("CLAUDE.md", "CLAUDE.local.md")
_KNOWN = frozenset({"name", "description", "type"})
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)[^)]*\)")
NOT_IN_INDEX = Note("not_in_index", f"{INDEX} does not name this file")


@dataclass(frozen=True, slots=True)
class _Layout:
    """What the named folder is. `memory_of` is the project where it is a memory folder itself, else ""."""

    root: Path
    name: str
    memory_of: str
    is_project: bool

    def place_of(self, name: str) -> _Source | None:
        """What a file is, by where it lies; none for what is neither memory nor rules."""
        *folders, last = name.split("/")
        if not last.endswith(".md"):
            return None
        if self.memory_of:
            return _Source(self.memory_of, name, "index" if name == INDEX else "topic")
        if "memory" in folders:
            at = folders.index("memory")
            inner = "/".join((*folders[at + 1 :], last))
            return _Source(folders[at - 1] if at else self.name, inner, "index" if inner == INDEX else "topic")
        if last in RULES or folders[-2:] == [".claude", "rules"]:
            return self._rules(name, folders)
        return None

    def _rules(self, name: str, folders: list[str]) -> _Source:
        """Of a folder of projects, the first part of the path is the project."""
        if not folders or self.is_project:
            return _Source(self.name, name, "rules")
        return _Source(folders[0], name.split("/", 1)[1], "rules")

    def wanted(self, name: str) -> bool:
        return self.place_of(name) is not None

    def enter(self, name: str) -> bool:
        last = name.rsplit("/", 1)[-1]
        return not last.startswith(".") or (last == ".claude" and not self.memory_of)


@dataclass(frozen=True, slots=True)
class _Source:
    """`file` is the path inside the project's memory folder, of rules inside the named folder."""

    project: str
    file: str
    kind: str


def read(path: Path) -> Iterator[Read]:
    """Items of a memory folder, of a project's folder, or of a folder of such. `CorruptSource` where it is none."""
    root = files.root_of(path)
    name = files.shown(root.name)
    if not root.is_dir():
        raise files.CorruptSource(name, "a folder is expected: a memory folder, or one that holds such")
    is_memory = root.name == "memory" or (root / INDEX).is_file()
    project = files.shown(root.parent.name) if root.name == "memory" else name
    is_project = any((root / one).exists() for one in ("memory", ".claude", *RULES))
    layout = _Layout(root, name, (project or name) if is_memory else "", is_project)
    require_any(root, layout.wanted, f"{INDEX}, topic file or CLAUDE.md", enter=layout.enter)
    return _read_folder(layout)


def _read_folder(layout: _Layout) -> Iterator[Read]:
    at: Path | None = None
    named: frozenset[str] | None = None
    for found in walk_tree(layout.root, layout.wanted, enter=layout.enter):
        source = None if isinstance(found, Problem) else layout.place_of(found.name)
        if isinstance(found, Problem) or source is None:
            if isinstance(found, Problem):
                yield found
            continue
        if source.kind == "rules":
            yield from _guarded(found, source, _rules)
            continue
        folder = found.path.parents[source.file.count("/")]
        if folder != at:
            at, named = folder, _named_in(folder)
        if source.kind == "index":
            yield from _dead_links(found, folder)
            yield from _guarded(found, source, _index)
        else:
            missing = named is not None and source.file not in named
            for item in _guarded(found, source, _topic):
                lacks = missing and not isinstance(item, Problem)
                yield replace(item, notes=(*item.notes, NOT_IN_INDEX)) if lacks else item  # type: ignore[type-var]


_Reader = Callable[[Found, _Source, front_matter.Head, list[str]], Iterator[Read]]


def _guarded(found: Found, source: _Source, reader: _Reader) -> Iterator[Read]:
    """What a reader makes of one file; a file that cannot be read is a problem of its own."""
    try:
        text = files.read_document(found.path, largest=files.ARTICLE_MAX)
    except BadInput as bad:
        yield Problem(Place(found.name), bad.code, bad.detail)
    except OSError as error:
        yield Problem(Place(found.name), "invalid_value", f"it cannot be read ({error.strerror})")
    else:
        yield from reader(found, source, *front_matter.split(text))


def _topic(found: Found, source: _Source, head: front_matter.Head, lines: list[str]) -> Iterator[Read]:
    """A file without a list is one thought, under the file's own name; else each item and each paragraph is one."""
    body = list(blocks(lines, first_line=head.body_line))
    if any(block.is_item for block in body):
        for block in body:
            if block.is_item or not block.text.endswith(":"):
                yield _one(found, source, head, block, ident=f"{source.file}#{hash_of(block.text)}")
        return
    text = "\n".join(lines).strip()
    if not text:
        yield Problem(Place(found.name), "invalid_value", "it says nothing")
        return
    yield _one(found, source, head, Block(head.body_line, False, (), [text]), ident=source.file, whole=text)


def _one(
    found: Found, source: _Source, head: front_matter.Head, block: Block, *, ident: str, whole: str = ""
) -> AnyItem | Problem:
    place = Place(found.name, line=block.line)
    context = head.text("name") or (block.headings[-1] if block.headings else "")
    text = whole or (f"{context}: {block.text}" if context else block.text)
    extra = {name: head.text(name) for name in ("name", "description", "type") if head.text(name)}
    return item_or_problem(
        Remembered(
            place=place, store=STORE, ident=f"{source.project}/{ident}", content=text,
            says={"text": text, "type": head.text("type")}, tags=(head.text("type"),),
            trust_class=TrustClass.AGENT_INFERENCE, extra={**extra, **head.others(_KNOWN)}, notes=unread_notes(head),
        )
    )  # fmt: skip


def unread_notes(head: front_matter.Head) -> tuple[Note, ...]:
    if not head.unread:
        return ()
    return (Note("head_unread", "a member of the head is more than a text or a list of texts; it was left out"),)


# -- the index --


def _links_of(lines: list[str], first_line: int) -> Iterator[tuple[int, str]]:
    """(line, target) of the list items' links to files."""
    for block in blocks(lines, first_line=first_line, nested=False):
        for target in _LINK.findall(block.text) if block.is_item else ():
            if "://" not in target and not target.startswith(("#", "mailto:")):
                yield block.line, unquote(target.split("#", 1)[0]).removeprefix("./")


def _named_in(folder: Path) -> frozenset[str] | None:
    """The files that the index names; none where there is no index that can be read."""
    try:
        head, lines = front_matter.split(files.read_document(folder / INDEX, largest=files.ARTICLE_MAX))
    except (BadInput, OSError):
        return None
    return frozenset(target for _line, target in _links_of(lines, head.body_line))


def _dead_links(found: Found, folder: Path) -> Iterator[Problem]:
    try:
        head, lines = front_matter.split(files.read_document(found.path, largest=files.ARTICLE_MAX))
    except (BadInput, OSError):
        return
    for line, target in _links_of(lines, head.body_line):
        place = Place(found.name, line=line)
        try:
            if not files.inside(folder, target).is_file():
                yield Problem(place, "missing_file", "the file that this line names is not there")
        except BadInput as bad:
            yield Problem(place, bad.code, bad.detail)


def _index(found: Found, source: _Source, head: front_matter.Head, lines: list[str]) -> Iterator[Read]:
    """Items of the index that lead nowhere are notes of their own."""
    for block in blocks(lines, first_line=head.body_line):
        if block.is_item and not _LINK.search(block.text):
            yield _one(found, source, head, block, ident=f"{source.file}#{hash_of(block.text)}")


# -- rule files --


def _rules(found: Found, source: _Source, head: front_matter.Head, lines: list[str]) -> Iterator[Read]:
    yield from rule_items(
        store=STORE, file=found.name, container=f"{source.project}/{source.file}", head=head, lines=lines
    )
