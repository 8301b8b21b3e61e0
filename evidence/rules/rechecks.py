"""When an owner is asked whether a fact is still true, and what one look settles (contract 10 "Sweeps": expiry).

Facts only: an article's text changes through its review, and its label does not turn. `stable` never comes by its class; a
lifetime of its own (`ttl_days`) makes it come, and so does an end that somebody recorded (`valid.until`). A fact that was
held or rejected, or came from outside unreviewed, is given to nobody and need not be checked. Asking decides nothing.
No clock: the instants do not depend on when one looks; `why_at` says what they mean at `now`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from evidence.rules.labels import LabelWindow, label_window
from evidence.rules.records import Record
from evidence.rules.text import norm, sha256_hex
from evidence.rules.times import read_time
from evidence.rules.vocab import Kind, Review, State, Trust


@dataclass(frozen=True, slots=True)
class Lead:
    """How long before the turn an owner is asked: a share of the time that the check holds, and no longer than `most`."""

    share: float = 0.25
    most: timedelta = timedelta(days=7)

    def before(self, lifetime: timedelta) -> timedelta:
        return min(lifetime * self.share, self.most)


DEFAULT_LEAD: Final = Lead()


class Why(StrEnum):
    """What a re-check is about at some instant."""

    NOT_YET = "not_yet"
    SOON = "soon"
    TURNED = "turned"
    TIME_OVER = "time_over"


class Place(StrEnum):
    """What is known of where a fact was checked, the most telling first."""

    METHOD = "method"
    SESSION = "session"
    SUBJECT = "subject"
    SOURCE = "source"


@dataclass(frozen=True, slots=True)
class Recheck:
    """`due_at`: from when on an owner is asked. `turns_at`: when the label turns or the recorded time ends, what comes first."""

    due_at: datetime
    turns_at: datetime


@dataclass(frozen=True, slots=True)
class Where:
    """One look there settles every fact of it. `key` is the same for facts of one agent that were checked in one place."""

    place: Place
    name: str
    key: str


# Ways of checking that name no place: whoever wants to look again does not learn from them where.
_NOWHERE: Final = frozenset(
    {
        "", "owner said", "looked it up", "still true, checked now", "checked by the approver",
        "date given by the approver", "as of the source",
    }
)  # fmt: skip


def recheck_of(record: Record, lead: Lead = DEFAULT_LEAD) -> Recheck | None:
    """When its owner is asked about the record; none for what never comes."""
    return recheck_in(label_window(record), valid_until(record), lead) if _stands(record) else None


def recheck_in(window: LabelWindow, until: datetime | None, lead: Lead = DEFAULT_LEAD) -> Recheck | None:
    """The same for a fact that stands, from the instants at which its label turns and the end that it names."""
    ends: list[Recheck] = []
    if window.base == "dated" and window.verified_from is not None and window.expires_at is not None:
        ahead = lead.before(window.expires_at - window.verified_from)
        ends.append(Recheck(window.expires_at - ahead, window.expires_at))
    if until is not None:
        # Whoever recorded the end knows it; what is asked is what holds from then on.
        ends.append(Recheck(until, until))
    if not ends:
        return None
    return Recheck(min(end.due_at for end in ends), min(end.turns_at for end in ends))


def why_at(recheck: Recheck | None, now: datetime, *, until: datetime | None = None) -> Why:
    """What it means at `now`. `until`: the end that the record names itself."""
    if recheck is None or now < recheck.due_at:
        return Why.NOT_YET
    if until is not None and now >= until:
        return Why.TIME_OVER
    return Why.TURNED if now >= recheck.turns_at else Why.SOON


def where_checked(record: Record, *, session: str = "") -> Where:
    """The place where one would look again: what the check names, the session it comes from, what it is about, its source."""
    method = record.check.method if record.check else ""
    if norm(method) not in _NOWHERE:
        place, name, parts = Place.METHOD, method, [norm(method)]
    elif session:
        place, name, parts = Place.SESSION, session, [session]
    elif record.claim is not None:
        place, name = Place.SUBJECT, record.claim.subject
        parts = [norm(name), record.volatility or ""]
    else:
        place, name, parts = Place.SOURCE, record.source.id, [record.source.id]
    return Where(place, name, sha256_hex("recheck", record.namespace, record.scope.owner, place, *parts))


def method_kept(before: str, given: str) -> str:
    """What a new check says of its place: what the person wrote, else the place that was known, so that it stays known."""
    if given.strip():
        return given.strip()
    return "still true, checked now" if norm(before) in _NOWHERE else before


def valid_until(record: Record) -> datetime | None:
    return read_time(record.valid.until) if record.valid else None


def _stands(record: Record) -> bool:
    if record.kind != Kind.FACT or record.state != State.ACTIVE or record.review in (Review.HELD, Review.REJECTED):
        return False
    if record.trust in (Trust.OPERATOR, Trust.INTERNAL):
        return True
    return record.review == Review.APPROVED
