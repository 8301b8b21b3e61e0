"""Canonical JSON, chain digests and salted commitments (DESIGN "The model"). Pure: no clock, no source of salts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

GENESIS = "0" * 64


def canonical_json(value: object) -> str:
    """One text per value: sorted keys, no spaces, UTF-8 letters as they are, no NaN."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def link_digest(prev: str, payload: Mapping[str, object]) -> str:
    """The digest of one audit row: SHA-256 over its predecessor's digest and its canonical JSON."""
    return hashlib.sha256(f"{prev}\n{canonical_json(payload)}".encode()).hexdigest()


def commitment(salt: bytes, body: str) -> str:
    """SHA-256(salt || body): binds a decision to a text without keeping it; a bare hash of a short claim can be guessed."""
    return hashlib.sha256(salt + body.encode()).hexdigest()
