"""Settling several re-checks with one press, and taking the whole press back (contract 10 "Sweeps": expiry; DESIGN "Bulk").

One decision and one audit row for each record, under one bulk id, each in a transaction of its own: whatever changed meanwhile
is left alone and named, and a press that was cut off half way is carried on by pressing again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import partial
from uuid import UUID

from django.utils import timezone

from evidence.models import Decision, Membership
from evidence.rules.text import sha256_hex
from evidence.rules.vocab import AuditAction, Role
from evidence.selectors.people import is_administrator
from evidence.services import records, undoing
from evidence.services.actors import Actor
from evidence.services.errors import Refused
from evidence.services.record_deciding import record_of
from evidence.services.texts import REASON_MAX, SUMMARY_MAX, check_text, check_word

MOST = 200
_ACTIONS = (AuditAction.REFRESH_CHECK, AuditAction.REVOKE, AuditAction.ANSWER, AuditAction.SNOOZE)


class Settling(StrEnum):
    """What an owner says about a fact whose turn has come."""

    STILL = "still"
    GONE = "gone"
    ASK = "ask"
    LATER = "later"


@dataclass(frozen=True, slots=True)
class Pick:
    """A record as it was on the screen."""

    record_pk: str
    version: int | None


@dataclass(frozen=True, slots=True)
class Left:
    """A record that was left alone, and why."""

    record_pk: str
    code: str
    detail: str


@dataclass(frozen=True, slots=True)
class Settled:
    bulk_id: UUID
    done: tuple[Decision, ...]
    left: tuple[Left, ...] = ()


@dataclass(frozen=True, slots=True)
class Words:
    """What is said once for all of a press: where they looked, why it is no longer so, what the agent is asked, until when."""

    method: str = ""
    reason: str = ""
    until: datetime | None = None


def settle_rechecks(
    *, action: Settling | str, picks: Sequence[Pick], actor: Actor, idempotency_key: str, words: Words | None = None
) -> Settled:
    """Carry it out for every pick that still stands as it was seen. Raises `Refused` for what is wrong with all of them."""
    said = words or Words()
    word = Settling(check_word("action", str(action), list(Settling)))
    if not picks:
        raise Refused("empty_selection", "Nothing is ticked.", field="pick")
    if len(picks) > MOST:
        raise Refused("too_large", f"More than {MOST} facts at once.", field="pick", longest=MOST)
    if not idempotency_key:
        raise Refused("invalid_value", "A press needs a key of its own.", field="idempotency_key")
    if actor.user is None or not Membership.objects.of(actor.user, Role.OWNER).exists():
        raise Refused("not_reviewer", "You own no agent: the owners say whether a fact is still true.")
    _check(word, said)
    bulk_id = UUID(hex=sha256_hex("recheck", actor.id, idempotency_key)[:32])
    done: list[Decision] = []
    left: list[Left] = []
    for pick in sorted({one.record_pk: one for one in picks}.values(), key=lambda one: one.record_pk):
        carry_out = _verb(word, said, pick, actor, bulk_id, f"{idempotency_key}:{pick.record_pk}")
        try:
            done.append(carry_out())
        except Refused as refused:
            left.append(Left(pick.record_pk, refused.code, refused.detail))
    return Settled(bulk_id, tuple(done), tuple(left))


def _check(word: Settling, said: Words) -> None:
    check_text("method", said.method, longest=SUMMARY_MAX)
    check_text("reason", said.reason, longest=REASON_MAX)
    if word == Settling.GONE and not said.reason.strip():
        raise Refused("reason_required", "Say why this is no longer true.", field="reason")
    if word == Settling.LATER and (said.until is None or said.until <= timezone.now()):
        raise Refused("invalid_value", "Say until when, with a date in the future.", field="until")


def _verb(word: Settling, said: Words, pick: Pick, actor: Actor, bulk_id: UUID, key: str) -> Callable[[], Decision]:
    shared = {
        "record_pk": pick.record_pk, "seen_version": pick.version, "actor": actor, "bulk_id": bulk_id,
        "idempotency_key": key,
    }  # fmt: skip
    verbs: dict[Settling, Callable[[], Decision]] = {
        Settling.STILL: partial(records.recheck_record, method=said.method, reason=said.reason, **shared),  # type: ignore[arg-type]
        Settling.GONE: partial(records.revoke_record, reason=said.reason, **shared),  # type: ignore[arg-type]
        Settling.ASK: partial(records.ask_agent_about, note=said.reason, **shared),  # type: ignore[arg-type]
        Settling.LATER: partial(records.snooze_recheck, until=said.until, **shared),  # type: ignore[arg-type]
    }
    return verbs[word]


def undo_rechecks(*, bulk_id: UUID | str, actor: Actor, reason: str = "") -> Settled:
    """Take back what one press did, the last first; what was decided about a record since stays, and is named.

    Raises `Refused`: not_found for a press that the person neither made nor may undo as an administrator.
    """
    check_text("reason", reason, longest=REASON_MAX)
    first = list(decisions_of_press(bulk_id, actor))
    if not first:
        raise Refused("not_found", "There is no such press of yours.")
    undo_id = UUID(hex=sha256_hex("recheck-undo", str(bulk_id))[:32])
    done: list[Decision] = []
    left: list[Left] = []
    for decision in first:
        try:
            undone = undoing.undo(
                decision_id=decision.id, actor=actor, reason=reason, idempotency_key=f"recheck-undo:{decision.id}",
                bulk_id=undo_id,
            )  # fmt: skip
            done.append(undone.decision)
        except Refused as refused:
            left.append(Left(record_of(decision), refused.code, refused.detail))
    return Settled(undo_id, tuple(done), tuple(left))


def decisions_of_press(bulk_id: UUID | str, actor: Actor) -> Sequence[Decision]:
    """The decisions of one press of this person (of anybody, for an administrator), the last first."""
    if actor.user is None:
        return ()
    rows = Decision.objects.visible_to(actor.user).filter(bulk_id=bulk_id, action__in=_ACTIONS)
    rows = rows if is_administrator(actor.user) else rows.filter(actor_id=str(actor.user.pk))
    # Bulks of held items carry other ids: a press here names records only.
    return [row for row in rows.order_by("-id") if row.target_kind == "record" or record_of(row)]
