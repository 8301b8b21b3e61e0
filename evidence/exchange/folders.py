"""Walking a folder of files safely: in a fixed order, level by level of names, nothing hidden, no link followed.

A folder's names are held one folder at a time; what lies in them is opened by the reader, one file after the other.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from evidence.exchange.files import CorruptSource, shown
from evidence.exchange.items import Place, Problem

DEPTH_MAX = 16


@dataclass(frozen=True, slots=True)
class Found:
    """A regular file: `name` is its path below the root, with `/`, as it can be shown; `parts` as it lies there."""

    name: str
    path: Path

    @property
    def stem(self) -> str:
        return self.name.rsplit("/", 1)[-1].rsplit(".", 1)[0]


Wanted = Callable[[str], bool]


def walk_tree(root: Path, wanted: Wanted, *, enter: Wanted | None = None) -> Iterator[Found | Problem]:
    """Files below `root` whose shown path is wanted, in the order of their names; links and bottomless folders as problems.

    `enter` says which folders are looked into; without it all that are not hidden.
    """
    yield from _walk(root, "", wanted, enter or (lambda name: not name.rsplit("/", 1)[-1].startswith(".")), 0)


def _walk(folder: Path, above: str, wanted: Wanted, enter: Wanted, depth: int) -> Iterator[Found | Problem]:
    try:
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: os.fsencode(entry.name))
    except OSError as error:
        yield Problem(Place(above.rstrip("/") or "."), "invalid_value", f"it cannot be read ({error.strerror})")
        return
    for entry in found:
        name = f"{above}{shown(entry.name)}"
        if entry.is_symlink():
            if wanted(name) or (entry.is_dir() and enter(name)):
                yield Problem(Place(name), "invalid_value", "it is a link; links are not followed")
        elif entry.is_dir(follow_symlinks=False):
            if not enter(name):
                continue
            if depth >= DEPTH_MAX:
                yield Problem(Place(name), "invalid_value", "the folder lies too deep")
                continue
            yield from _walk(Path(entry.path), f"{name}/", wanted, enter, depth + 1)
        elif wanted(name):
            yield Found(name, Path(entry.path))


def require_any(root: Path, wanted: Wanted, what: str, *, enter: Wanted | None = None) -> None:
    """`CorruptSource` where a folder holds nothing of the format at all: probably another folder was meant."""
    if next(walk_tree(root, wanted, enter=enter), None) is None:
        raise CorruptSource(shown(root.name), f"the folder holds no {what}")
