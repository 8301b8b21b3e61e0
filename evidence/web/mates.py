"""What the card shows beside an item of a cluster, and what its form sends back: who was shown, and who is ticked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.http import QueryDict

from evidence.models import HeldRecord, User
from evidence.rules.gists import gist_of
from evidence.rules.joining import Part
from evidence.rules.planning import Plan
from evidence.rules.search import term_text
from evidence.rules.twins import own_spoken
from evidence.rules.vocab import Action
from evidence.selectors.cluster_mates import SHOWN, Mate, Mates, mates_of
from evidence.selectors.paging import Capped
from evidence.selectors.queue import QueueFilter
from evidence.services.cluster_deciding import Shown, taken_of
from evidence.services.errors import Refused
from evidence.web.diffing import Op, word_diff

DIGITS = "123456789"


@dataclass(frozen=True, slots=True)
class MateView:
    """One member on the card. `digit` is the key that ticks it; `sent` what its form says of it."""

    mate: Mate
    part: Part
    ticked: bool
    sent: str
    digit: str
    is_variation: bool
    only_here: tuple[str, ...]
    only_there: tuple[str, ...]
    """Words of this one alone, and of the one on the screen alone, where a difference drawn in the text would not be read."""

    @property
    def held(self) -> HeldRecord:
        return self.mate.held


@dataclass(frozen=True, slots=True)
class ClusterView:
    """`numbers`: how many each button would decide, by action."""

    rows: list[MateView]
    total: Capped
    more: Capped
    joint: bool
    numbers: Mapping[str, int]
    wanted: QueueFilter


def cluster_view(
    held: HeldRecord, user: User, now: datetime, approve: Plan, *, drafts: Mapping[str, Any]
) -> ClusterView | None:
    """The others that say nearly the same; none for most items."""
    mates = mates_of(held, user, now, approve)
    if not mates.rows:
        return None
    rows = [_row(held, mates, place, drafts) for place in range(len(mates.rows))]
    shown = [Shown(row.held.pk, row.held.version, row.mate.seal, row.part) for row in rows]
    picked = {row.held.pk for row in rows if row.ticked}
    return ClusterView(
        rows=rows,
        total=Capped(1 + len(rows) + mates.more.number, mates.more.at_least),
        more=mates.more,
        joint=mates.joint,
        numbers={action.value: 1 + len(taken_of(action, shown, picked)) for action in (Action.APPROVE, Action.REJECT)},
        wanted=QueueFilter(term_text("cluster", str(held.pk))),
    )


def _row(held: HeldRecord, mates: Mates, place: int, drafts: Mapping[str, Any]) -> MateView:
    mate = mates.rows[place]
    key = str(mate.held.pk)
    # Without a record to add to, an approval is about the one on the screen alone.
    part = mate.standing.part if mates.joint else Part.APART
    was_shown = key in drafts.get("shown", ())
    is_variation = _is_variation(held.statement, mate.held.statement)
    one, other = gist_of(held.statement), gist_of(mate.held.statement)
    ticked = mate.may_decide and (key in drafts.get("ticked", ()) if was_shown else mate.standing.ticked)
    return MateView(
        mate=mate,
        part=part,
        ticked=ticked,
        sent=f"{key}:{mate.held.version}:{part}:{mate.seal}",
        digit=DIGITS[place] if place < len(DIGITS) else "",
        is_variation=is_variation,
        only_here=() if is_variation else own_spoken(other, one),
        only_there=() if is_variation else own_spoken(one, other),
    )


def _is_variation(one: str, other: str) -> bool:
    """Whether the differences between two texts can be read in one; else each stands better for itself."""
    kept = sum(len(piece.text) for piece in word_diff(one, other) if piece.op is Op.SAME)
    return kept * 2 >= min(len(one), len(other))


def shown_in(data: QueryDict) -> list[Shown]:
    """Who was on the page beside the item, as it says."""
    texts = data.getlist("shown")
    if len(texts) > SHOWN:
        raise Refused("too_large", f"At most {SHOWN} items are decided with another.", field="shown")
    return [_shown(text) for text in texts]


def _shown(text: str) -> Shown:
    parts = text.split(":")
    try:
        name, version, part, seal = parts
        if not (version.isascii() and version.isdigit() and len(version) < 10):
            raise ValueError("no version")
        return Shown(UUID(name), int(version), seal[:64], Part(part))
    except ValueError:
        raise Refused("invalid_value", "Items are named by their ids and versions.", field="shown") from None


def ticked_in(data: QueryDict) -> set[UUID]:
    """Who is ticked."""
    try:
        return {UUID(text) for text in data.getlist("ticked")[:SHOWN]}
    except ValueError:
        raise Refused("invalid_value", "Items are named by their ids.", field="ticked") from None
