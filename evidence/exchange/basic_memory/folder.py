"""A project's folder, or one note: Markdown files in the order of their names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from evidence.exchange import files
from evidence.exchange.basic_memory.notes import read_note
from evidence.exchange.folders import Found, require_any, walk_tree
from evidence.exchange.items import Place, Problem, Read
from evidence.rules.errors import BadInput

SUFFIX = ".md"


def read_folder(root: Path) -> Iterator[Read]:
    name = files.shown(root.name)
    if root.is_dir():
        require_any(root, _is_note, f"{SUFFIX} file")
        return _notes(walk_tree(root, _is_note))
    if not _is_note(name):
        raise files.CorruptSource(name, f"a folder of notes, a {SUFFIX} file or a database is expected")
    return _notes(iter([Found(name, root)]))


def _is_note(name: str) -> bool:
    return name.endswith(SUFFIX)


def _notes(found: Iterator[Found | Problem]) -> Iterator[Read]:
    for one in found:
        if isinstance(one, Problem):
            yield one
            continue
        place = Place(one.name)
        try:
            text = files.read_document(one.path, largest=files.ARTICLE_MAX)
        except BadInput as bad:
            yield Problem(place, bad.code, bad.detail)
        except OSError as error:
            yield Problem(place, "invalid_value", f"it cannot be read ({error.strerror})")
        else:
            yield from read_note(text, place)
