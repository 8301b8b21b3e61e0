"""Names that are computed, never given: record ids, versions, content and claim hashes, scope keys (contract 1, 10, 12.17).

Knows nothing of storage. Every hash is over UTF-8 bytes of parts joined by NUL, so a NUL inside a part is refused:
without that, two different inputs could share one name.
"""

from __future__ import annotations

import json

from evidence.rules.access import escaped, partitions_of
from evidence.rules.errors import INVALID_TEXT, INVALID_VALUE, BadInput
from evidence.rules.records import Claim, Reach, Record, Scope, Source
from evidence.rules.text import NUL, collapse, norm, sha256_hex
from evidence.rules.times import Instant, read_time, to_iso
from evidence.rules.vocab import ReachLevel

BACKEND = "backend:"
ID_DIGITS = 32


def record_id(source: Source) -> str:
    """`e-` + 32 hex of SHA-256(id NUL version); `d-` + the hit id for `backend:` (contract 1, 12.17).

    The bytes count as given, without normalisation. NUL or a lone surrogate: BadInput `invalid_text`.
    """
    digest = _digest(("source.id", source.id), ("source.version", source.version))
    if not source.id.startswith(BACKEND):
        return f"e-{digest[:ID_DIGITS]}"
    hit = source.id.removeprefix(BACKEND)
    if not hit:
        raise BadInput(INVALID_VALUE, "source.id names no hit", "source.id")
    return f"d-{hit}"


def computed_version(*, excerpt: str, content: str, summary: str) -> str:
    """The version of a source that has none of its own: SHA-256 of excerpt, else content, else summary (contract 1).

    Whitespace is collapsed first, so that the same excerpt of the same session is the same record.
    """
    text = collapse(excerpt) or collapse(content) or collapse(summary)
    return _digest(("content", text))


def content_hash(record: Record) -> str:
    """What "different content" compares: kind, claim, content, summary, excerpt, polarity, whitespace-collapsed (contract 1).

    64 hex digits. The parts are hashed as a JSON list, so that no text can pose as two, and no claim is not an empty claim.
    """
    claim = record.claim
    parts = [
        collapse(record.kind),
        None if claim is None else [collapse(text) for text in (claim.subject, claim.attribute, claim.value)],
        collapse(record.content),
        collapse(record.summary),
        collapse(record.excerpt),
        collapse(record.polarity),
    ]
    # ASCII escapes: old data with a lone surrogate still has a hash to compare.
    return sha256_hex(json.dumps(parts, ensure_ascii=True, separators=(",", ":")))


def scope_key(scope: Scope, reach: Reach | None = None) -> str:
    """Where a claim lives, as stable text without NUL: its partitions, then its reach where one is given (contract 7, 10).

    `public`, `public@kestrel`, `agent:ada,agent:bob|project:kestrel`. A scope that nobody reads is `nobody:<owner>`.
    """
    partitions = sorted(partitions_of(scope))
    place = ",".join(partitions) if partitions else f"nobody:{escaped(scope.owner)}"
    where = reach_key(reach)
    return f"{place}|{where}" if where else place


def scope_hash(scope: Scope, reach: Reach | None) -> str:
    """64 hex digits that stand for the scope key, which can be long, in columns and unique constraints."""
    return _digest(("scope", scope_key(scope, reach)))


def valid_key(valid_from: Instant) -> str:
    """Validity start as text: part of what makes one active fact (DESIGN "The model"); empty = holds always."""
    moment = read_time(valid_from)
    return to_iso(moment) if moment else ""


def reach_key(reach: Reach | None) -> str:
    """`level:ref`, both normalised (contract 12.1); a user-wide reach has no ref; none and empty are the empty text."""
    if reach is None:
        return ""
    level, ref = norm(reach.level), norm(reach.ref)
    if not level and not ref:
        return ""
    return level if level == ReachLevel.GLOBAL else f"{escaped(level)}:{escaped(ref)}"


def fact_source_id(*, namespace: str, claim: Claim | None, statement: str, scope_key: str) -> str:
    """The source id of the fact that an approval makes (contract 10): the same claim in the same place, the same fact.

    `fact:` + 32 hex of SHA-256 over namespace NUL claim key (or normalised statement) NUL scope key.
    """
    about = [("statement", norm(statement))] if claim is None else _key_parts(claim)
    digest = _digest(("namespace", namespace), *about, ("scope_key", scope_key))
    return f"fact:{digest[:ID_DIGITS]}"


def claim_key_hash(claim: Claim) -> str:
    """64 hex digits that stand for the claim key in columns and unique constraints."""
    return _digest(*_key_parts(claim))


def value_hash(claim: Claim) -> str:
    """64 hex digits that stand for the normalised value (contract 12.1)."""
    return _digest(("claim.value", claim.value_key))


def statement_fingerprint(statement: str) -> str:
    """What a tombstone keeps of a statement (contract 12.13)."""
    return _digest(("statement", norm(statement)))


def claim_fingerprint(claim: Claim) -> str:
    """What a tombstone keeps of a claim with its value (contract 12.13)."""
    return _digest(*_key_parts(claim), ("claim.value", claim.value_key))


def _key_parts(claim: Claim) -> list[tuple[str, str]]:
    return [("claim.subject", norm(claim.subject)), ("claim.attribute", norm(claim.attribute))]


def _digest(*parts: tuple[str, str]) -> str:
    for field, text in parts:
        if NUL in text:
            raise BadInput(INVALID_TEXT, f"{field} contains a NUL character", field)
    try:
        return sha256_hex(*(text for _, text in parts))
    except UnicodeEncodeError as error:
        field = next(name for name, text in parts if _has_surrogate(text))
        raise BadInput(INVALID_TEXT, f"{field} contains a lone surrogate", field) from error


def _has_surrogate(text: str) -> bool:
    return any("\ud800" <= letter <= "\udfff" for letter in text)
