"""Which item a person gets next: what they hold, else the first of the order; one pick in ten is drawn from all of it.

The draw belongs to the person and to what they finished last, and to nothing else. So it stays the same while a page is
reloaded, fetched ahead, or claimed, and changes with the next decision or skip.
"""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db.models import Exists, OuterRef

from evidence.models import Decision, HeldRecord, HeldSkip, Tally, User
from evidence.models.held import HeldQuerySet
from evidence.models.tallies import Figure
from evidence.models.visibility import agents_of
from evidence.rules.lots import FEWEST, NO_DRAW, Draw, draw, one_of
from evidence.rules.vocab import Door, Role

# So many items behind the drawn place are looked at, and the pick is one of so many that may be had.
STRETCH = 2_000
CANDIDATES = 32
_LOOKED_BACK = 20


def next_pick(user: User, base: HeldQuerySet, now: datetime, *, leaving: UUID | str | None = None) -> HeldRecord | None:
    """What a claim would give, skipped items last. `leaving`: the item on the screen that it will follow."""
    rows = free_rows(user, base, now).select_related("agent", "lease_holder")
    rows = rows if leaving is None else rows.exclude(pk=leaving)
    fresh = unskipped(user, rows)
    if leaving is None:
        held = fresh.filter(lease_holder=user, lease_until__gt=now).in_order().first()
        if held is not None:
            return held
    lots = drawn_by_lot(user, fresh, draw_for(user, leaving=leaving))
    picked = rows.filter(pk=lots[0]).first() if lots else None
    if picked is not None:
        picked.drawn = True
        return picked
    return fresh.in_order().first() or rows.filter(skips__user=user).order_by("skips__skipped_at", "id").first()


def free_rows(user: User, base: HeldQuerySet, now: datetime) -> HeldQuerySet:
    """What of `base` the person may be given now."""
    return base.waiting().reviewable_by(user).awake(now).free_for(user, now).open_to(user)


def unskipped(user: User, rows: HeldQuerySet) -> HeldQuerySet:
    return rows.filter(~Exists(HeldSkip.objects.filter(user=user, held=OuterRef("pk"))))


def draw_for(user: User, *, leaving: UUID | str | None = None, seed: str = "") -> Draw:
    """The draw of the person's next pick. `leaving` is the item still on the screen that it will follow.

    Who did nothing yet gets the first of the order: chance follows work, it does not open it.
    """
    after = seed or leaving or _last_finished(user)
    return draw(seed or f"{user.pk}:{after}") if after else NO_DRAW


def drawn_by_lot(user: User, rows: HeldQuerySet, drawn: Draw) -> list[UUID]:
    """Items of `rows` in the order of the lot, the pick first; none where this is no such pick, or `rows` are too few.

    `rows` is the person's queue as it may be had now: narrowed, free, awake, without what they skipped.
    """
    if not drawn.by_lot:
        return []
    waiting = HeldRecord.objects.waiting()
    found = _behind(rows, waiting, drawn)
    if len(found) < FEWEST:
        # Theirs may be a small part of all that waits: look among the items of one agent of theirs.
        agent = _one_agent(user, drawn)
        found = _behind(rows, waiting.filter(agent_id=agent), drawn) if agent is not None else []
    return one_of(found, drawn.seed) if len(found) >= FEWEST else []


def _behind(rows: HeldQuerySet, waiting: HeldQuerySet, drawn: Draw) -> list[UUID]:
    """The next few items at and behind the drawn place, around the end to the beginning."""
    found: list[UUID] = []
    for part in (waiting.filter(lot__gte=drawn.point), waiting.filter(lot__lt=drawn.point)):
        stretch = part.order_by("lot").values("pk")[:STRETCH]
        narrowed = rows.filter(pk__in=stretch).order_by("lot", "pk").values_list("pk", flat=True)
        found += narrowed[: CANDIDATES - len(found)]
        if len(found) >= CANDIDATES:
            break
    return found


def _one_agent(user: User, drawn: Draw) -> str | None:
    """One of the agents that the person reviews, drawn by how many of its items wait; none where they review all."""
    agents = agents_of(user, Role.REVIEWER)
    if not agents:
        return None
    waiting: dict[tuple[str, ...], int] = Tally.objects.of(Figure.WAITING).filter(agent__in=agents).by("agent")
    shares = sorted((agent, number) for (agent,), number in waiting.items() if number > 0)
    place = drawn.point % max(1, sum(number for _, number in shares))
    for agent, number in shares:
        if place < number:
            return agent
        place -= number
    return None


def _last_finished(user: User) -> str:
    """The item that the person decided, undid or skipped last; empty for who did nothing yet."""
    rows = Decision.objects.filter(actor_id=str(user.pk), door=Door.WEB).order_by("-id")[:_LOOKED_BACK]
    decided = next((row for row in rows.only("at", "target_kind", "target_id") if row.target_kind == "held"), None)
    skipped = HeldSkip.objects.filter(user=user).order_by("-skipped_at").only("skipped_at", "held_id").first()
    if decided is None:
        return str(skipped.held_id) if skipped else ""
    return str(skipped.held_id) if skipped and skipped.skipped_at > decided.at else decided.target_id
