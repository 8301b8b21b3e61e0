"""Text normalisation that every rule shares (contract 1 `norm`, 12.1).

Nothing here knows stop words, stems or cues: those live beside the rules that use them.
"""

from __future__ import annotations

import hashlib
import unicodedata
from uuid import UUID

NUL = "\0"


def norm(text: str) -> str:
    """NFC, casefold, whitespace runs to one space, trim (contract 1)."""
    return " ".join(unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold()).split())


def collapse(text: str) -> str:
    """Whitespace runs to one space, trimmed; letters and case stay as they are."""
    return " ".join(text.split())


def sha256_hex(*parts: str) -> str:
    """SHA-256 over the UTF-8 bytes of the parts, joined by NUL; lone surrogates raise `UnicodeEncodeError`."""
    return hashlib.sha256(NUL.join(parts).encode("utf-8")).hexdigest()


def uuid_of(text: str) -> UUID | None:
    """An id that cannot be one is answered like one that does not exist."""
    try:
        return UUID(text)
    except ValueError:
        return None
