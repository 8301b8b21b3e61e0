"""Reading signals between agents: what an agent may read, on from where it stopped; what a person sees of an agent's."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.utils.crypto import salted_hmac

from evidence.models import AgentSignal, SignalHead, Token, User
from evidence.models.agent_signals import AgentSignalQuerySet
from evidence.models.visibility import agents_of
from evidence.rules.signal_cursors import Place, cursor_of, position_of
from evidence.rules.text import uuid_of
from evidence.rules.times import to_iso

SHOWN = 50


@dataclass(frozen=True, slots=True)
class Polled:
    rows: list[AgentSignal]
    cursor: str


def own_signal(token: Token, signal_id: str) -> AgentSignal | None:
    """One that the token may read; none for another's, exactly as for one that does not exist."""
    pk = uuid_of(signal_id)
    return _readable(token).filter(pk=pk).first() if pk else None


def poll_signals(
    token: Token, *, epoch: str, since: str, tags: Iterable[str], status: str, limit: int, now: datetime
) -> Polled:
    """Oldest first. Raises `BadCursor`. The cursor stands behind the last one shown; where that was all, behind all there are."""
    place, secret = Place(epoch, token.namespace), _secret()
    position = position_of(since, place, secret) if since else 0
    # Asked before the rows: what is published in between comes next time.
    head = SignalHead.objects.filter(pk=token.namespace).values_list("sequence", flat=True).first() or 0
    rows = list(_readable(token).after(position).filter(sequence__lte=head).tagged(tags).in_state(status, now)[:limit])
    last = rows[-1].sequence if len(rows) == limit else max(head, position)
    return Polled(rows, cursor_of(place, last, secret))


def _readable(token: Token) -> AgentSignalQuerySet:
    return AgentSignal.objects.readable_by(token.namespace, token.agent_id or "")


def _secret() -> bytes:
    return salted_hmac("evidence.signal-cursor", settings.SECRET_KEY, algorithm="sha256").digest()


def signal_json(row: AgentSignal, now: datetime) -> dict[str, Any]:
    """A claim whose lease is over is told as what it is: pending, in nobody's hands."""
    status, held = row.status_at(now), row.holder
    in_hands = status in ("claimed", "acked") and held is not None
    return {
        "id": str(row.pk), "namespace": row.namespace, "publisher": row.publisher or None, "to": row.recipient or None,
        "title": row.title, "content": row.content, "tags": list(row.tags), "correlation_id": row.correlation_id,
        "about": dict(row.about), "flags": list(row.flags), "status": str(status), "claim_required": row.claim_required,
        "created_at": to_iso(row.created_at), "expires_at": _iso(row.expires_at),
        "claimed_by": {"agent": held.agent, "consumer": held.worker} if in_hands and held else None,
        "claimed_at": _iso(row.claimed_at) if in_hands else None,
        "lease_expires_at": _iso(row.lease_until) if in_hands else None, "claims": row.claims,
        "acknowledged_at": _iso(row.acked_at),
    }  # fmt: skip


def signal_answer(row: AgentSignal, now: datetime) -> dict[str, Any]:
    return {"signal": signal_json(row, now), "grants": []}


def claimed_answer(row: AgentSignal | None, reason: str | None, now: datetime) -> dict[str, Any]:
    """`row` none: nothing was taken, for that reason."""
    told = signal_json(row, now) if row else None
    return {"claimed": row is not None, "reason": str(reason) if reason else None, "signal": told, "grants": []}


def polled_answer(polled: Polled, now: datetime) -> dict[str, Any]:
    return {"items": [signal_json(row, now) for row in polled.rows], "next": polled.cursor, "grants": []}


def _iso(value: datetime | None) -> str | None:
    return to_iso(value) if value else None


@dataclass(frozen=True, slots=True)
class SignalList:
    """A page for a person, newest first. `before`: the id from which the next page goes on."""

    rows: list[AgentSignal]
    before: str


def signals_page(user: User, *, agent: str, status: str, before: UUID | None, now: datetime) -> SignalList:
    """What the person may see; with `agent` what was published by it, is for it, or is in its hands."""
    seen = agents_of(user)
    if agent and seen is not None and agent not in seen:
        return SignalList([], "")
    names = [agent] if agent else None if seen is None else sorted(seen)
    found = _newest(names, status, before, now)
    return SignalList(found[:SHOWN], str(found[SHOWN - 1].pk) if len(found) > SHOWN else "")


def _newest(names: list[str] | None, status: str, before: UUID | None, now: datetime) -> list[AgentSignal]:
    """Three walks of an index each, merged: none of them sorts, and none looks at more than a page."""
    columns = ["publisher", "recipient", "holder_agent"] if names is not None else [""]
    found: dict[UUID, AgentSignal] = {}
    for column in columns:
        rows = AgentSignal.objects.in_state(status, now).order_by("-id")
        rows = rows.filter(**{f"{column}__in": names}) if column else rows
        rows = rows.filter(pk__lt=before) if before else rows
        found |= {row.pk: row for row in rows[: SHOWN + 1]}
    return sorted(found.values(), key=lambda row: row.pk, reverse=True)[: SHOWN + 1]
