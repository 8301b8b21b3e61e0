"""The policy in force. Reads only; a change of policy is a proposal of two people (contract 8)."""

from __future__ import annotations

from evidence.models import Policy


def current_policy() -> Policy:
    """The newest version; before any was stored, the defaults as version 0 (manual, two approvals, strict reading)."""
    return Policy.objects.order_by("-version").first() or Policy(version=0)
