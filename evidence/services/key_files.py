"""Files of secrets in the data folder: only their owner reads them, and they appear whole or not at all."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def only_for_owner(file: Path) -> None:
    """Take away what a copy or a careless hand allowed others. Raises OSError."""
    if file.stat().st_mode & 0o077:
        file.chmod(0o600)


def write_once(file: Path, text: str) -> None:
    """Two processes that start at once agree: the file appears whole or not at all, and the first one's counts."""
    draft = _draft(file, text)
    try:
        os.link(draft, file)
    except FileExistsError:
        pass
    finally:
        draft.unlink()


def replace(file: Path, text: str) -> None:
    _draft(file, text).replace(file)


def _draft(file: Path, text: str) -> Path:
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = file.with_name(f".{file.name}.{os.getpid()}.{secrets.token_hex(4)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    return draft
