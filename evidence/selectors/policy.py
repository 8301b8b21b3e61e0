"""The policy in force. Reads only; a change of policy is a proposal of two people (contract 8)."""

from __future__ import annotations

from evidence.models import Policy
from evidence.models.remembered import read_once


def current_policy() -> Policy:
    """The newest version; before any was stored, the defaults as version 0 (manual, two approvals, strict reading)."""
    return read_once("policy", lambda: Policy.objects.order_by("-version").first() or Policy(version=0))
