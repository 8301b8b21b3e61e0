"""What a body has wrong, in the doors' words: from a validator's findings to one coded refusal (doors "Errors").

Nothing that was sent is repeated, except for the names of members that look like names: a value may be a secret.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from evidence.rules.secrets import secret_kinds
from evidence.services.errors import STATUS_OF, Refused

# Computed at the store's boundary, or fixed by the credential; never taken from a caller (contract 12.19).
RESERVED = frozenset(
    {
        "match", "match_kind", "matched", "eligibility", "risk", "poisoning_risk", "verification", "verification_status",
        "label", "review", "approval", "approvals", "reader", "agent", "namespace", "trust", "state", "superseded_by",
        "status", "confirmed_by", "ingested_at", "derived_from", "effective_trust_class", "independent_sources", "decision",
    }
)  # fmt: skip
# Reserved only where they stand: `by` of a check, `project` of a scope.
_RESERVED_INSIDE = {"check": frozenset({"by", "confirmed_by"}), "scope": frozenset({"project"})}
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,40}")
_TOO_LONG = frozenset({"string_too_long", "too_long", "bytes_too_long"})
_NO_OBJECT = frozenset({"model_type", "model_attributes_type", "dataclass_type", "dict_type"})
_WORST_FIRST = ("reserved", "unknown_member", "too_large", "invalid_value")
_MOST_TOLD = 20


def refusal(errors: Sequence[Mapping[str, Any]]) -> Refused:
    """One refusal for all findings: the gravest one's code and field, every one in `errors`."""
    found = [_finding(error) for error in errors]
    found.sort(key=lambda finding: _WORST_FIRST.index(finding["code"]) if finding["code"] in _WORST_FIRST else 0)
    worst = found[0]
    detail = f"{worst['field']} {worst['detail']}." if worst["field"] else f"The body {worst['detail']}."
    return Refused(worst["code"], detail, field=worst["field"] or None, errors=found[:_MOST_TOLD])


def path_of(location: Sequence[object]) -> str:
    """`("evidence", 0, "source", "id")` as `evidence[0].source.id`; what is no plain name stands as `…`."""
    path = ""
    for step in location:
        if isinstance(step, int):
            path += f"[{step}]"
        elif " " not in str(step):  # a tag of a union, not a member
            path += ("." if path else "") + safe_name(step)
    return path


def safe_name(name: object) -> str:
    """The name of a member, as far as it is one: callers choose it, and a secret may look like a name."""
    text = str(name)
    return text if _NAME.fullmatch(text) and not secret_kinds(text) else "…"


def _finding(error: Mapping[str, Any]) -> dict[str, str]:
    location, kind = tuple(error["loc"]), str(error["type"])
    code, detail = "invalid_value", str(error["msg"])
    if kind == "extra_forbidden":
        reserved = _is_reserved(location)
        code = "reserved" if reserved else "unknown_member"
        detail = "is computed here and cannot be given" if reserved else "is no member of this object"
    elif kind == "missing":
        detail = "is required"
    elif kind in _TOO_LONG:
        code, detail = "too_large", f"is longer than {error.get('ctx', {}).get('max_length', 'allowed')}"
    elif kind in _NO_OBJECT:
        # The validator's own words name a class of ours.
        detail = "has to be one object"
    elif kind in STATUS_OF:
        code = kind
    return {"field": path_of(location), "code": code, "detail": _plain(detail)}


def _is_reserved(location: Sequence[object]) -> bool:
    name = str(location[-1])
    parent = next((str(step) for step in reversed(location[:-1]) if isinstance(step, str) and " " not in step), "")
    return name in _RESERVED_INSIDE.get(parent, frozenset()) or name in RESERVED


def _plain(message: str) -> str:
    """A validator's message as the end of a sentence that begins with the member's name."""
    text = message.removeprefix("Input ").removesuffix(".")
    return f"should {text.removeprefix('should ')}" if message.startswith("Input should") else text
