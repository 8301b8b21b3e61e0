"""Rule files of a repository: which ones are read, what an item becomes, and what stays out."""

from __future__ import annotations

from pathlib import Path

import pytest

from evidence.exchange import agents_md
from evidence.exchange.files import CorruptSource
from evidence.exchange.items import EvidenceItem, Problem

TEXT = """---
description: how we work
---
# Building
Read this first, and @docs/style.md.

- Use pnpm, never npm.
  - Also in CI.
1. Releases are cut on Tuesdays.

```
- no item
```
"""


def repository(tmp_path: Path, *names: str) -> Path:
    root = tmp_path / "harbor-api"
    for name in names:
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(TEXT)
    return root


def test_items_are_candidates_and_nothing_they_name_is_read(tmp_path: Path) -> None:
    found = list(agents_md.read(repository(tmp_path, "AGENTS.md")))
    said = [one for one in found if isinstance(one, Problem)]
    items = [one for one in found if isinstance(one, EvidenceItem)]
    assert [(one.code, one.place.line) for one in said] == [("import_not_followed", 5)]
    assert [one.record.content for one in items] == [
        "Use pnpm, never npm. Also in CI.",
        "Releases are cut on Tuesdays.",
    ]
    first = items[0]
    assert first.foreign_id.startswith("harbor-api/AGENTS.md#")
    assert first.record.source.id == f"entry:agents-md/{first.foreign_id}"
    assert (first.record.trust_class, first.record.durability, first.record.review, first.record.check) == (
        "repository_text", "repository", "held", None,
    )  # fmt: skip
    assert first.extra == {"description": "how we work", "headings": "Building"}


def test_which_files_count(tmp_path: Path) -> None:
    taken = ["AGENTS.md", "web/AGENTS.md", "CLAUDE.md", ".cursorrules", ".cursor/rules/a.mdc", ".windsurf/rules/b.md"]
    left = [
        "README.md",
        ".cursor/a.mdc",
        ".git/AGENTS.md",
        "node_modules/x/AGENTS.md",
        "docs/rules/c.md",
        ".cursor/rules/d.txt",
    ]
    root = repository(tmp_path, *taken, *left)
    (root / "link").symlink_to(tmp_path)
    assert {one.place.file for one in agents_md.read(root)} == {*taken, "link"}
    assert len(list(agents_md.read(root / "AGENTS.md"))) == 3
    with pytest.raises(CorruptSource, match="holds no"):
        agents_md.read(root / "docs")
