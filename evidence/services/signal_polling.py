"""Reading on in the signals of a namespace: the cursor is held against this desk and its epoch, and refused by name."""

from __future__ import annotations

from datetime import datetime

from evidence.models import Token
from evidence.rules.signal_cursors import BadCursor, CursorFault
from evidence.selectors.agent_signals import Polled, poll_signals
from evidence.services.errors import Refused
from evidence.services.receipts import mark_of_desk
from evidence.services.signal_shapes import PollShape

WORDS: dict[CursorFault, str] = {
    CursorFault.FORM: "It is no cursor of this desk.",
    CursorFault.NAMESPACE: "It is of another namespace.",
    CursorFault.EPOCH: "It is of before the last restore: begin anew without it.",
}


def poll(*, token: Token, asked: PollShape, now: datetime) -> Polled:
    """Raises `Refused` invalid_value with the cursor's `fault`."""
    try:
        return poll_signals(
            token, epoch=mark_of_desk().epoch, since=asked.since, tags=asked.tags, status=asked.status or "",
            limit=asked.limit, now=now,
        )  # fmt: skip
    except BadCursor as bad:
        raise Refused("invalid_value", f"since: {WORDS[bad.fault]}", field="since", fault=str(bad.fault)) from bad
