"""Canonical JSON, chain digests and salted commitments (DESIGN "The model"). Pure: no clock, no source of salts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from enum import StrEnum

GENESIS = "0" * 64


class Fault(StrEnum):
    """What is wrong with a chain, by the kind of tampering that leaves it."""

    MISSING = "missing_link"
    WRONG_PLACE = "wrong_place"
    EDITED = "edited_link"
    TOUCH = "edited_touch"
    TEXT_GONE = "text_gone"
    TEXT_EDITED = "edited_text"
    PURGED = "purged_without_decision"
    UNREADABLE = "unreadable_link"
    HEAD = "wrong_head"
    CUT = "cut_off"
    REWRITTEN = "rewritten"
    UNSEALED = "no_seal"
    FORGED = "wrong_seal"


def canonical_json(value: object) -> str:
    """One text per value: sorted keys, no spaces, UTF-8 letters as they are, no NaN."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def link_digest(prev: str, payload: Mapping[str, object]) -> str:
    """The digest of one audit row: SHA-256 over its predecessor's digest and its canonical JSON."""
    return hashlib.sha256(f"{prev}\n{canonical_json(payload)}".encode()).hexdigest()


def sealed_text(namespace: str, seq: int, digest: str) -> bytes:
    """What a seal signs: the place of a link and its digest, which covers everything before it."""
    return f"evidence-desk/audit/1\n{namespace}\n{seq}\n{digest}".encode()


def seal_parts(seal: str) -> tuple[str, bytes]:
    """The key's id and the signature of `id:hex`; empty ones for anything else."""
    name, _, signature = seal.partition(":")
    try:
        return name, bytes.fromhex(signature)
    except ValueError:
        return "", b""


def commitment(salt: bytes, body: str) -> str:
    """SHA-256(salt || body): binds a decision to a text without keeping it; a bare hash of a short claim can be guessed."""
    return hashlib.sha256(salt + body.encode()).hexdigest()
