"""The keys that sign receipts: from RECEIPT_KEYS, else in a file of the data folder that only its owner may read.

The first key signs, all of them verify. A rotation puts a new one in front and keeps as many old ones as can still be asked for;
a receipt lives for a quarter of an hour, so older keys are of no use.
"""

from __future__ import annotations

import json
import re
import secrets
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from evidence.services.errors import Refused
from evidence.services.key_files import only_for_owner, replace, write_once

FILE = "receipt-keys.json"
KEPT = 3
_SHORTEST = 32
_NAME = re.compile(r"[A-Za-z0-9_-]{1,20}")


class NoKeys(Exception):
    """There is no key, and none can be made: why, in words for the operator."""


@dataclass(frozen=True, slots=True)
class Keys:
    """Secrets by their ids; `current` signs."""

    current: str
    by_id: dict[str, bytes]


_known: dict[tuple[str, int, int], Keys] = {}


def receipt_keys() -> Keys:
    """The keys as they are now; made where there are none yet. Raises `NoKeys`."""
    given = settings.RECEIPT_KEYS
    if given:
        return _from_text(given)
    file = _file()
    try:
        if not file.exists():
            write_once(file, _as_text([_new()]))
        return _read(file)
    except (OSError, ValueError) as error:
        raise NoKeys(f"{FILE} in the data folder cannot be used ({type(error).__name__}).") from error


def rotate_keys() -> str:
    """Put a new key in front; its id. Receipts that are out go on counting until they expire."""
    if settings.RECEIPT_KEYS:
        raise Refused("invalid_value", "The keys are given in RECEIPT_KEYS: put a new one in front of them there.")
    try:
        known = receipt_keys()
        fresh = _new()
        kept = [(name, known.by_id[name]) for name in [known.current, *known.by_id] if name in known.by_id]
        replace(_file(), _as_text([fresh, *dict(kept).items()][:KEPT]))
    except OSError as error:
        raise NoKeys(f"{FILE} in the data folder cannot be written ({error.strerror}).") from error
    return fresh[0]


def _file() -> Path:
    return Path(settings.DATA_DIR) / FILE


def _new() -> tuple[str, bytes]:
    return f"k{secrets.token_hex(4)}", secrets.token_bytes(32)


def _read(file: Path) -> Keys:
    """Kept in this process for as long as the file is the same: every recall asks."""
    only_for_owner(file)
    found = file.stat()
    mark = (str(file), found.st_mtime_ns, found.st_ino)
    if mark not in _known:
        _known.clear()
        rows = json.loads(file.read_text(encoding="ascii"))["keys"]
        _known[mark] = _checked([(row["id"], bytes.fromhex(row["secret"])) for row in rows])
    return _known[mark]


def _from_text(text: str) -> Keys:
    """`id:hex,id:hex`. What is wrong with it is said without repeating it."""
    try:
        pairs = [part.strip().split(":") for part in text.split(",") if part.strip()]
        return _checked([(name, bytes.fromhex(secret)) for name, secret in pairs])
    except ValueError as error:
        raise NoKeys("RECEIPT_KEYS has to be id:hex,id:hex with at least 32 bytes for each key.") from error


def _checked(rows: list[tuple[str, bytes]]) -> Keys:
    if not rows or any(not _NAME.fullmatch(name) or len(secret) < _SHORTEST for name, secret in rows):
        raise ValueError("keys")
    return Keys(rows[0][0], dict(rows))


def _as_text(rows: list[tuple[str, bytes]]) -> str:
    return json.dumps({"keys": [{"id": name, "secret": secret.hex()} for name, secret in rows]}) + "\n"
