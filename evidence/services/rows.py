"""From a checked draft to an `Evidence` row, with everything that is computed about it (contract 1, 2, 10).

Computes and fills columns; decides nothing and saves nothing but what it is asked to.
"""

from __future__ import annotations

from typing import Any

from evidence.models import Evidence
from evidence.rules.identity import claim_key_hash, content_hash, record_id, scope_hash, valid_key, value_hash
from evidence.rules.labels import label_window
from evidence.rules.matching import match_key
from evidence.rules.rechecks import recheck_of, where_checked
from evidence.rules.records import Claim, Record, Scope, Source
from evidence.rules.text import sha256_hex
from evidence.rules.times import read_time


def claim_columns(claim: Claim | None) -> dict[str, str]:
    """The five claim columns; empty without a claim."""
    if claim is None:
        return dict.fromkeys(("claim_subject", "claim_attribute", "claim_value", "claim_key", "value_key"), "")
    return {
        "claim_subject": claim.subject,
        "claim_attribute": claim.attribute,
        "claim_value": claim.value,
        "claim_key": claim_key_hash(claim),
        "value_key": value_hash(claim),
    }


def time_columns(name: str, text: str) -> dict[str, Any]:
    """`<name>` as an instant, and `<name>_text` as it came where it could not be read (contract 12.2)."""
    moment = read_time(text)
    return {name: moment, f"{name}_text": "" if moment else text[:64]}


def scope_columns(scope: Scope) -> dict[str, Any]:
    return {
        "scope_owner": scope.owner,
        "scope_access": scope.access,
        "scope_shared_with": list(scope.shared_with),
        "scope_project": scope.project or "",
    }


def label_columns(row: Evidence, seen: Record | None = None) -> dict[str, Any]:
    """The instants at which the label turns (contract 2), for columns and filters, and what follows from them for its owner.

    `seen`: the row as a record, where that was made already.
    """
    record = seen or row.to_record()
    window = label_window(record)
    return {
        "label_base": window.base,
        "verified_from": window.verified_from,
        "expires_at": window.expires_at,
        **recheck_columns(record, session=row.thread),
    }


def recheck_columns(record: Record, *, session: str) -> dict[str, Any]:
    """From when on its owner is asked whether it is still true, and where one look would settle it."""
    asked = recheck_of(record)
    if asked is None:
        return {"recheck_at": None, "recheck_turns_at": None, "recheck_key": ""}
    key = where_checked(record, session=session).key
    return {"recheck_at": asked.due_at, "recheck_turns_at": asked.turns_at, "recheck_key": key}


def fill(row: Evidence) -> Evidence:
    """Compute id, hashes, keys and label instants of a row whose own columns are set."""
    row.record_id = record_id(Source(row.source_id, row.source_version))
    row.scope_key = scope_hash(row.scope, row.reach)
    row.valid_key = valid_key(row.valid_from)
    record = row.to_record()
    row.content_hash = content_hash(record)
    row.match_key = sha256_hex(match_key(row.to_memory_record())) if row.content and not row.claim_key else ""
    for name, value in label_columns(row, record).items():
        setattr(row, name, value)
    return row
