"""What a service says when it will not do something: a stable code, an HTTP status, plain words (doors "Errors").

Doors turn these into problem details, fragments or exit codes; nothing else in the house invents codes.
"""

from __future__ import annotations

from typing import Any

from evidence.rules.errors import BadInput

STATUS_OF: dict[str, int] = {
    "malformed": 400, "invalid_text": 400,
    "unauthenticated": 401,
    "right_missing": 403, "not_your_scope": 403, "not_your_source": 403, "not_reviewer": 403, "own_edit": 403,
    "four_eyes": 403, "only_people_make_facts": 403, "wrong_namespace": 403,
    "not_found": 404,
    "version_conflict": 409, "already_decided": 409, "verification_outdated": 409, "verification_rejected": 409,
    "reviewed_article": 409, "base_changed": 409, "undo_blocked": 409, "already_rejected": 409,
    "source_version_conflict": 409, "tombstoned": 409, "in_progress": 409, "closed": 409,
    "wrong_state": 409, "projection_drift": 409,
    "too_large": 413, "rate_limited": 429,
    "unknown_member": 422, "reserved": 422, "invalid_value": 422, "secret_detected": 422, "version_required": 422,
    "reason_required": 422, "supersedes_required": 422, "check_date_required": 422, "conversion_required": 422,
    "ratification_required": 422, "empty_selection": 422, "idempotency_conflict": 422, "hidden_reasoning": 422,
}  # fmt: skip


class Refused(Exception):
    """A request that a service refuses. Nothing was written."""

    def __init__(self, code: str, detail: str, **extra: object) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail
        self.extra = extra

    @property
    def status(self) -> int:
        return STATUS_OF[self.code]

    @classmethod
    def of(cls, bad: BadInput) -> Refused:
        """The same refusal, met inside a pure rule."""
        extra: dict[str, object] = {"field": bad.field} if bad.field else {}
        if bad.kinds:
            extra["kinds"] = list(bad.kinds)
        return cls(bad.code, bad.detail, **extra)


_TYPE = "urn:evidence-desk:problem:"
# Members that tell of a decision; an answer with one says that it permits nothing (contract 1).
_OF_A_DECISION = frozenset({"decided_by", "decided_at", "action", "reason_code", "approvals"})


def problem_members(status: int, code: str, detail: str, /, **extra: object) -> dict[str, Any]:
    """What a program is told of an error. `extra` goes beside the standard members; an item's status, of their name, as
    `item_status`.
    """
    body: dict[str, Any] = {
        "type": f"{_TYPE}{code}",
        "title": code.replace("_", " ").capitalize(),
        "status": status,
        "code": code,
        "detail": detail,
    }
    for name, value in extra.items():
        if value is not None:
            body.setdefault("item_status" if name == "status" else name, value)
    if _OF_A_DECISION & set(body):
        body["grants"] = []
    return body
