"""Leases: a courtesy that keeps two people from reading the same item, never the guard of a decision (DESIGN).

Claiming is atomic (SKIP LOCKED on PostgreSQL, IMMEDIATE on SQLite). A lease lasts two minutes and is kept alive by a
heartbeat that carries its fencing token; after a take-over the old token renews nothing (scenario S7).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import connection, transaction

from evidence.models import HeldRecord, HeldSkip, User
from evidence.models.held import HeldQuerySet
from evidence.selectors.people import is_reviewer
from evidence.selectors.picking import draw_for, drawn_by_lot, free_rows, unskipped
from evidence.services.errors import Refused

LEASE = timedelta(minutes=2)
MAX_HELD = 3  # items that one person holds at once; the oldest lease is given up for a fourth
TRIES = 5


@dataclass(frozen=True, slots=True)
class Lease:
    """`mine` false: somebody else holds it until `until`; nothing was taken."""

    until: datetime
    token: int
    holder: str
    mine: bool


def claim_next(
    *, user: User, now: datetime, base: HeldQuerySet | None = None, preferred: UUID | None = None, seed: str = ""
) -> HeldRecord | None:
    """The first free item of this person's queue, leased to them; none when there is none. Two people never get one item.

    Skipped items come last, oldest skip first; one pick in ten is drawn by lot (`picking`), and marked so. `base` narrows the
    queue (a search). `preferred` is on the screen already: it comes first where it is still in that queue, and free. `seed`
    stands for the draw that would be this person's.
    """
    queue = HeldRecord.objects.all() if base is None else base
    free = free_rows(user, queue, now)
    lots = drawn_by_lot(user, unskipped(user, free), draw_for(user, seed=seed))
    for _ in range(TRIES):
        with transaction.atomic():
            held = _pick(user, free, preferred, lots)
            preferred = None
            if held is None:
                return None
            if held.leased_at(now) and held.lease_holder_id == user.pk:
                _prolong(held, user, now)  # in another tab, which keeps its token
                return held
            if held.leased_at(now):
                continue
            _take(held, user, now, by_lot=held.pk in lots)
            return held
    return None


def claim(*, held_id: UUID | str, user: User, now: datetime, take_over: bool = False) -> Lease:
    """Lease one item. Held by another person: theirs is returned, unless `take_over`, which is visible to them."""
    with transaction.atomic():
        held = _visible(held_id, user)
        if not held.is_waiting:
            raise Refused("closed", f"The item is {held.status}.")
        if held.leased_at(now) and held.lease_holder_id != user.pk and not take_over:
            assert held.lease_until is not None
            assert held.lease_holder is not None
            return Lease(held.lease_until, held.lease_token, held.lease_holder.get_username(), mine=False)
        if not (held.leased_at(now) and held.lease_holder_id == user.pk):
            return _take(held, user, now)
        # Several tabs of one person share a lease and its token.
        return _prolong(held, user, now)


def extend(*, held_id: UUID | str, user: User, token: int, now: datetime) -> Lease | None:
    """The heartbeat; none when the lease is no longer this one: lapsed and taken, or taken over."""
    with transaction.atomic():
        held = _visible(held_id, user)
        if not held.is_waiting or held.lease_holder_id != user.pk or held.lease_token != token:
            return None
        return _prolong(held, user, now)


def release(*, held_id: UUID | str, user: User, token: int) -> bool:
    """Give it back. A stale token gives nothing back."""
    freed = HeldRecord.objects.filter(pk=held_id, lease_holder=user, lease_token=token).update(
        lease_holder=None, lease_until=None
    )
    return bool(freed)


def skip(*, held_id: UUID | str, user: User, now: datetime) -> None:
    """For this reviewer only: it comes back after everything else; the lease ends."""
    with transaction.atomic():
        held = _visible(held_id, user)
        if not is_reviewer(user, held.agent_id):
            raise Refused("not_reviewer", "Only a reviewer of this agent works off its queue.")
        HeldSkip.objects.update_or_create(user=user, held=held, defaults={"skipped_at": now})
        HeldRecord.objects.filter(pk=held.pk, lease_holder=user).update(lease_holder=None, lease_until=None)


def free_lapsed(*, now: datetime) -> int:
    """Sweep: forget leases that ran out. One statement; nothing depends on it having run."""
    return HeldRecord.objects.filter(lease_until__isnull=False, lease_until__lte=now).update(
        lease_holder=None, lease_until=None
    )


def _pick(user: User, free: HeldQuerySet, preferred: UUID | None, lots: list[UUID]) -> HeldRecord | None:
    """Locked, where the database can pass over what others have locked."""
    wanted = [preferred] if preferred else []
    for pk in [*wanted, *lots[:TRIES]]:
        held = _first(free.filter(pk=pk))
        if held is not None:
            return held
    fresh = unskipped(user, free).in_order()
    return _first(fresh) or _first(free.filter(skips__user=user).order_by("skips__skipped_at", "id"))


def _first(rows: HeldQuerySet) -> HeldRecord | None:
    if connection.features.has_select_for_update_skip_locked:
        rows = rows.select_for_update(skip_locked=True, of=("self",))
    return rows.first()


def _visible(held_id: UUID | str, user: User) -> HeldRecord:
    held = HeldRecord.objects.visible_to(user).select_for_update(of=("self",)).filter(pk=held_id).first()
    if held is None:
        raise Refused("not_found", "There is no such item.")
    return held


def _take(held: HeldRecord, user: User, now: datetime, *, by_lot: bool = False) -> Lease:
    _give_up_oldest(user, held, now)
    held.lease_token += 1
    held.lease_by_lot = by_lot
    return _prolong(held, user, now)


def _prolong(held: HeldRecord, user: User, now: datetime) -> Lease:
    held.lease_holder, held.lease_until = user, now + LEASE
    held.save(update_fields=["lease_holder", "lease_until", "lease_token", "lease_by_lot"])
    return Lease(held.lease_until, held.lease_token, user.get_username(), mine=True)


def _give_up_oldest(user: User, held: HeldRecord, now: datetime) -> None:
    others = HeldRecord.objects.filter(lease_holder=user, lease_until__gt=now).exclude(pk=held.pk)
    for pk in list(others.order_by("-lease_until").values_list("pk", flat=True)[MAX_HELD - 1 :]):
        HeldRecord.objects.filter(pk=pk, lease_holder=user).update(lease_holder=None, lease_until=None)
