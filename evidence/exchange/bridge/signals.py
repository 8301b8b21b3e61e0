"""Signals of a bridge: who published what for whom to take, and where it stands there. A lease there is no lease here."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from evidence.exchange import files
from evidence.exchange.bridge.content import BRIDGE_AGENT, id_of, is_person
from evidence.exchange.bridge.layout import Bridge, listed, texts_of
from evidence.exchange.checked import SUMMARY_MAX, cut
from evidence.exchange.items import Note, Place, Problem, Read, SignalItem
from evidence.exchange.strict_json import digest_of
from evidence.rules.errors import BadInput
from evidence.rules.times import read_time

_SIGNALS = """
SELECT id, namespace, title, substr(content, 1, 70000) AS content, tags_json, session_id, actor, correlation_id, source_app,
 signal_status, claimed_by, claimed_at, lease_expires_at, expires_at, acknowledged_at, created_at
FROM memories WHERE namespace = ? AND kind = 'signal' ORDER BY created_at, id
"""
_STATUSES = ("pending", "claimed", "acked")
_SAID = ("title", "content", "actor", "correlation_id", "created_at", "expires_at", "acknowledged_at")


def read_signals(bridge: Bridge, namespace: str) -> Iterator[Read]:
    for row in bridge.database.rows(_SIGNALS, (namespace,)):
        place = Place(bridge.file, part=f"memories[{files.shown(id_of(row))}]")
        try:
            yield _item(row, place)
        except BadInput as bad:
            yield Problem(place, bad.code, bad.detail)


def _item(row: sqlite3.Row, place: Place) -> SignalItem:
    cells = texts_of(row)
    for name in ("created_at", "expires_at", "acknowledged_at"):
        # Without its end it would wait for ever, and a signal that was done there would be done again.
        if cells[name] and read_time(cells[name]) is None:
            raise BadInput("invalid_value", f"{name} is no time with a zone", name)
    if cells["signal_status"] not in _STATUSES or not cells["created_at"]:
        raise BadInput("invalid_value", "its state is none that the bridge gives a signal", "signal_status")
    if (cells["signal_status"] == "acked") != bool(cells["acknowledged_at"]):
        raise BadInput(
            "invalid_value", "its state and its time of acknowledgement contradict each other", "signal_status"
        )
    actor = cells["actor"].strip()
    tags = tuple(dict.fromkeys(tag for tag in listed(cells["tags_json"], "tags") if tag))
    claimed = {name: cells[name] for name in ("claimed_by", "claimed_at", "lease_expires_at") if cells[name]}
    held = cells["signal_status"] == "claimed"
    note = Note("lease_stays_there", "somebody has claimed it there; here it waits for whoever takes it")
    return SignalItem(
        place=place, foreign_id=cells["id"], agent=actor if actor and not is_person(actor) else BRIDGE_AGENT,
        digest=digest_of({name: cells[name] for name in _SAID} | {"tags": list(tags)}), namespace=cells["namespace"],
        notes=(note,) if held else (), extra=claimed | ({"session_id": cells["session_id"]} if cells["session_id"] else {}),
        title=cut(cells["title"], SUMMARY_MAX), content=cells["content"].strip(), tags=tags,
        correlation_id=cells["correlation_id"], created_at=cells["created_at"], expires_at=cells["expires_at"],
        acknowledged_at=cells["acknowledged_at"], acknowledged_by=cells["claimed_by"],
    )  # fmt: skip
