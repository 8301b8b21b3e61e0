"""Rule files of a repository: `AGENTS.md`, `CLAUDE.md`, and the rules of Cursor and Windsurf. Each list item is a candidate.

What people and agents wrote there is text of a repository, whoever it speaks to: it waits like any other, and no file that it
names is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from evidence.exchange import files, front_matter
from evidence.exchange.folders import Found, require_any, walk_tree
from evidence.exchange.items import Place, Problem, Read
from evidence.exchange.rule_lists import rule_items
from evidence.rules.errors import BadInput

STORE = "agents-md"
NAMES = frozenset({"AGENTS.md", "CLAUDE.md", "CLAUDE.local.md", ".cursorrules"})
# Folders of rules, by the ending of what counts in them.
RULES = {".cursor/rules": ".mdc", ".windsurf/rules": ".md", ".claude/rules": ".md"}
# Hidden folders that are looked into, and folders that hold other people's files.
_HIDDEN = frozenset(name.partition("/")[0] for name in RULES)
_OTHERS = frozenset({"node_modules", "vendor", "site-packages", "__pycache__"})


def read(path: Path) -> Iterator[Read]:
    """Items of a repository's folder, or of one such file. `CorruptSource` where there is none."""
    root = files.root_of(path)
    name = files.shown(root.name)
    if not root.is_dir():
        files.check_lines(root, name)
        return _read_file(Found(name, root), files.shown(root.parent.name))
    require_any(root, _wanted, "AGENTS.md or file of rules", enter=_enter)
    return _read_folder(root, name)


def _wanted(name: str) -> bool:
    folder, _slash, last = name.rpartition("/")
    if last in NAMES:
        return True
    return any(f"/{folder}".endswith(f"/{rules}") and last.endswith(ending) for rules, ending in RULES.items())


def _enter(name: str) -> bool:
    last = name.rsplit("/", 1)[-1]
    return last in _HIDDEN or not (last.startswith(".") or last in _OTHERS)


def _read_folder(root: Path, repository: str) -> Iterator[Read]:
    for found in walk_tree(root, _wanted, enter=_enter):
        if isinstance(found, Problem):
            yield found
        else:
            yield from _read_file(found, repository)


def _read_file(found: Found, repository: str) -> Iterator[Read]:
    try:
        text = files.read_document(found.path, largest=files.ARTICLE_MAX)
    except BadInput as bad:
        yield Problem(Place(found.name), bad.code, bad.detail)
        return
    except OSError as error:
        yield Problem(Place(found.name), "invalid_value", f"it cannot be read ({error.strerror})")
        return
    head, lines = front_matter.split(text)
    extra = {name: head.text(name) for name in ("description", "globs", "alwaysApply") if head.text(name)}
    container = f"{repository}/{found.name}"
    yield from rule_items(store=STORE, file=found.name, container=container, head=head, lines=lines, extra=extra)
