"""409, in words that help: who changed it, when, what, and what the plan is now (scenarios S2, S5; doors "Errors")."""

from __future__ import annotations

from evidence.models import Decision, Evidence, HeldRecord
from evidence.rules.planning import Plan
from evidence.rules.times import to_iso
from evidence.services.errors import Refused


def already_decided(held: HeldRecord, seen_version: int) -> Refused:
    who = _last_change(held)
    detail = f"{who.get('decided_by', 'Somebody')} was first: this item is already {held.status}."
    return Refused(
        "already_decided", detail, seen_version=seen_version, current_version=held.version, status=str(held.status),
        reason_code=held.reason_code, **who,
    )  # fmt: skip


def version_conflict(held: HeldRecord, seen_version: int) -> Refused:
    who = _last_change(held)
    by = f" by {who['decided_by']}" if who else ""
    return Refused(
        "version_conflict", f"This item was changed{by} since you opened it.", seen_version=seen_version,
        current_version=held.version, **who,
    )  # fmt: skip


def named_version(seen_version: int | None) -> int:
    """The version that was seen; a request that names none is refused (scenario S4)."""
    if seen_version is None:
        raise Refused("version_required", "Say which version you saw; the latest is never assumed.", field="version")
    return seen_version


def record_as_seen(row: Evidence, seen_version: int | None) -> None:
    """Refuses a record that changed since."""
    if row.version != seen_version:
        raise Refused(
            "version_conflict", "The record changed since you opened it.", seen_version=seen_version,
            current_version=row.version,
        )  # fmt: skip


def plan_changed(held: HeldRecord, seen_version: int, made: Plan) -> Refused:
    return Refused(
        "version_conflict", "What this decision would do has changed since you opened it; look at the new plan.",
        seen_version=seen_version, current_version=held.version, plan=made, plan_digest=made.digest,
    )  # fmt: skip


def _last_change(held: HeldRecord) -> dict[str, str]:
    """The newest audit row about the item, as members of the problem."""
    row = Decision.objects.about("held", str(held.id)).newest_first().first()
    if held.decision_id is not None:
        row = Decision.objects.filter(pk=held.decision_id).first() or row
    if row is None:
        return {}
    return {
        "decided_by": row.actor_name,
        "decided_at": to_iso(row.at),
        "action": str(row.action),
        "decision": str(row.id),
    }
