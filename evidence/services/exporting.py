"""Exporting: what stands and what waits in a namespace, written to a path that nothing lies at yet.

Reads only. Half an export is none: where writing fails, what was written is taken away again.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from tempfile import mkdtemp

from django.utils import timezone

from evidence.exchange.writing import lines, markdown, tables
from evidence.exchange.writing.entries import Writer
from evidence.rules.times import to_iso
from evidence.selectors.exporting import entries_of
from evidence.services.errors import Refused

WRITERS: Mapping[str, Writer] = {
    "jsonl": lines.write,
    "markdown": markdown.write,
    "csv": tables.write_csv,
    "xlsx": tables.write_xlsx,
}


def run_export(*, format_name: str, path: Path, namespace: str = "default") -> int:
    """Write the export and return how many entries it has. Raises `Refused` for an unknown format or a path in use."""
    writer = WRITERS.get(format_name)
    if writer is None:
        raise Refused("invalid_value", f"The format has to be one of: {', '.join(WRITERS)}.", field="format")
    if os.path.lexists(path):
        raise Refused("invalid_value", "Something lies at this path already; nothing is overwritten.", field="path")
    if not path.parent.is_dir():
        raise Refused("invalid_value", "There is no such folder to write into.", field="path")
    now = timezone.now()
    # Beside its place, so that it can be put there in one step; nobody else can look in meanwhile.
    making = Path(mkdtemp(prefix=".export-", dir=path.parent))
    try:
        count = writer(making / "export", entries_of(namespace, now), to_iso(now))
        # It holds what is private to agents: for whoever made it, and nobody else.
        (making / "export").chmod(0o700 if (making / "export").is_dir() else 0o600)
        (making / "export").rename(path)
    finally:
        shutil.rmtree(making, ignore_errors=True)
    return count
