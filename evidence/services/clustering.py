"""Keeping the clusters of the queue: each waiting item is compared with the few that could say the same, as it comes and goes.

Derived: nothing is decided here, pages hold what they show against the rule again, and all of it can be thrown away and found
anew. One transaction an item; whoever could meet the same neighbours waits for it. What one look costs is bounded, and what the
bounds lose is said where they stand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from uuid import UUID

import structlog
from django.db import IntegrityError, connection, transaction
from django.db.models import Exists, OuterRef

from evidence.models import ClusterEntry, ClusterKey, HeldRecord
from evidence.models.base import new_id
from evidence.models.held import HeldQuerySet
from evidence.rules.cluster_keys import RULES_VERSION, Keys, Trace, keys_of, may_be_near
from evidence.rules.clusters import ClusterItem, clusters
from evidence.rules.vocab import HeldKind, VerificationStatus
from evidence.selectors.clusters import ITEM_COLUMNS, item_of
from evidence.services.locks import lock_claims

log = structlog.get_logger(__name__)

# Items under one key that are met: of a word that more share, the older ones are found by the other words only.
EACH = 400
# Of those met, the ones that share the most keys are looked at, and of these the first are read.
LOOKED_AT, READ = 100, 30
# A group of neighbours larger than this, or further from one end to the other, is no longer sorted out as a whole: what comes
# joins the cluster that is there.
MOST, STEPS = 50, 5
KEYS_AT_ONCE = 200
# No version of an item.
NOT_YET = 0
CHUNK = 500


def place_quietly(*, held_id: UUID | str) -> None:
    """As `place`, for callers whose own work is done: a cluster that is not found now is found by the sweep."""
    try:
        place(held_id=held_id)
    except Exception:
        log.exception("clustering_failed", held=str(held_id))


def place(*, held_id: UUID | str) -> None:
    """Find the cluster of an item as it is now; one that waits no more leaves its own. Harmless when repeated."""
    pk = UUID(str(held_id))
    entry = ClusterEntry.objects.filter(pk=pk).first()
    held = next(iter(_rows([pk])), None)
    if _is_current(entry, held):
        return
    item = item_of(held) if held is not None else None
    keys = keys_of(item) if item is not None else None
    try:
        with transaction.atomic():
            _lock(pk, entry.block if entry else None, keys)
            others = _take_out(entry) if entry else []
            if held is not None:
                # Counts as placed only when it was looked around, too: a sweep finds what was left half done.
                _put_in(held, keys, version=held.version if connection.vendor == "postgresql" else NOT_YET)
            new = {pk: item} if item is not None and keys is not None else {}
            if connection.vendor == "postgresql":
                _write(_looked_around(new, others))  # nobody waits for these locks but other placings
    except IntegrityError:
        return  # somebody else placed it meanwhile
    if connection.vendor != "postgresql":
        _write_briefly(new, others, held)


def sweep_clusters() -> int:
    """Place what was missed, has changed, or waits no more; returns how many. Run until it gives 0, it rebuilds everything."""
    gone = ClusterEntry.objects.filter(~Exists(_waiting().filter(pk=OuterRef("pk"))))
    current = ClusterEntry.objects.filter(held=OuterRef("pk"), version=OuterRef("version"), rules=RULES_VERSION)
    missing = _waiting().exclude(verification_status=VerificationStatus.PENDING).filter(~Exists(current))
    found = [
        *gone.order_by("pk").values_list("pk", flat=True)[:CHUNK],
        *missing.order_by("id").values_list("pk", flat=True)[:CHUNK],
    ]
    for pk in found:
        place_quietly(held_id=pk)
    return len(found)


def rebuild_clusters() -> int:
    """Throw everything away and find it anew; returns how many items were placed. The queue can be worked on meanwhile."""
    with transaction.atomic():
        ClusterKey.objects.all().delete()
        ClusterEntry.objects.all().delete()
    count = 0
    for count, pk in enumerate(_waiting().order_by("id").values_list("pk", flat=True).iterator(), start=1):  # noqa: B007
        place_quietly(held_id=pk)
    return count


def _waiting() -> HeldQuerySet:
    return HeldRecord.objects.waiting().filter(kind=HeldKind.FACT_PROPOSAL)


def _rows(ids: Collection[UUID]) -> list[HeldRecord]:
    """What waits of these, with what the rule reads of it; the other sixty columns stay where they are.

    Told apart here: asked with the ids, SQLite would begin with all that waits.
    """
    rows = HeldRecord.objects.filter(pk__in=ids).only(*ITEM_COLUMNS, "version")
    return [row for row in rows if row.is_waiting and row.kind == HeldKind.FACT_PROPOSAL]


def _is_current(entry: ClusterEntry | None, held: HeldRecord | None) -> bool:
    if held is None:
        return entry is None
    return entry is not None and (entry.version, entry.rules) == (held.version, RULES_VERSION)


def _lock(pk: UUID, former: int | None, keys: Keys | None) -> None:
    """Two that could be neighbours take turns; nothing else is locked while these are held."""
    numbers = {former, keys.block if keys else None, keys.trace.alike if keys else None} - {None}
    lock_claims("clusters", [str(pk), *map(str, numbers)])


def _take_out(entry: ClusterEntry) -> list[UUID]:
    """Forget an item; returns those that were in one cluster with it."""
    ClusterKey.objects.filter(held=entry.pk).delete()
    entry.delete()
    if entry.cluster is None:
        return []
    return list(ClusterEntry.objects.filter(cluster=entry.cluster).values_list("pk", flat=True)[: MOST + 1])


def _put_in(held: HeldRecord, keys: Keys | None, *, version: int) -> None:
    entry = ClusterEntry(held=held, version=version, rules=RULES_VERSION)
    if keys is not None:
        entry.block, entry.alike, entry.claim = keys.block, keys.trace.alike, keys.trace.claim
        entry.words = list(keys.trace.words)
        # A rebuild that forgot everything meanwhile may have left some of them.
        ClusterKey.objects.bulk_create(
            [ClusterKey(key=key, held=held) for key in sorted(keys.lookup)], ignore_conflicts=True
        )
    entry.save(force_insert=True)


@dataclass(frozen=True, slots=True)
class _Change:
    """Items that get a name, or lose theirs."""

    name: UUID | None
    items: list[UUID]


def _looked_around(new: dict[UUID, ClusterItem], others: list[UUID]) -> list[_Change]:
    """What an item that came, and those that it left, change. Reads only."""
    changes = _sorted_out(new, is_new=True) if new else []
    if 0 < len(others) <= MOST:
        changes += _sorted_out(_items(others))
    return changes


def _write(changes: Iterable[_Change]) -> None:
    for change in changes:
        ClusterEntry.objects.filter(pk__in=change.items).update(cluster=change.name)


def _write_briefly(new: dict[UUID, ClusterItem], others: list[UUID], held: HeldRecord | None) -> None:
    """As on PostgreSQL, where there is one writer for all: it is not kept waiting while this reads.

    Whatever was put in meanwhile has newer keys; then it is looked at again, the last time with the writer stopped.
    """
    for _ in range(2):
        seen = _newest_key()
        changes = _looked_around(new, others)
        with transaction.atomic():
            if _newest_key() == seen:
                _write(changes)
                _is_placed(held)
                return
    with transaction.atomic():
        _write(_looked_around(new, others))
        _is_placed(held)


def _is_placed(held: HeldRecord | None) -> None:
    if held is not None:
        ClusterEntry.objects.filter(pk=held.pk, version=NOT_YET).update(version=held.version)


def _newest_key() -> int:
    return ClusterKey.objects.order_by("-pk").values_list("pk", flat=True).first() or 0


@dataclass(slots=True)
class _Around:
    """Items that are near each other. `whole`: nothing that is near one of them is missing."""

    items: dict[UUID, ClusterItem] = field(default_factory=dict)
    whole: bool = True


def _sorted_out(start: dict[UUID, ClusterItem], *, is_new: bool = False) -> list[_Change]:
    """The clusters of these items and of all that stand around them, where they are other ones than before."""
    around = _around(start)
    found = [{UUID(name) for name in cluster.ids} for cluster in clusters(around.items.values())]
    if not around.whole:
        found = [group for group in found if group & start.keys()]
    if is_new and not found:
        return []  # it came alone, and tells nobody anything new
    entries = ClusterEntry.objects.filter(pk__in=around.items)
    before = {pk: name for pk, name in entries.values_list("pk", "cluster") if name is not None}
    taken: set[UUID] = set()
    changes: list[_Change] = []
    for group in found:
        name = _name_of(group, before, taken)
        taken.add(name)
        changed = sorted(member for member in group if before.get(member) != name)
        if changed:
            changes.append(_Change(name, changed))
    alone = (around.items if around.whole else start).keys() - set().union(*found)
    if alone & before.keys():
        changes.append(_Change(None, sorted(alone & before.keys())))
    return changes


def _name_of(group: Collection[UUID], before: dict[UUID, UUID], taken: set[UUID]) -> UUID:
    """The name that most of its members had, so that links to a cluster last."""
    names = Counter(before[member] for member in group if member in before and before[member] not in taken)
    return min(names, key=lambda name: (-names[name], name)) if names else new_id()


def _around(start: dict[UUID, ClusterItem]) -> _Around:
    around = _Around(dict(start))
    front = dict(around.items)
    asked: set[int] = set()
    met: Counter[UUID] = Counter()
    traces: dict[UUID, Trace] = {}
    for _ in range(STEPS):
        lookups = [keys for item in front.values() if (keys := keys_of(item)) is not None]
        new = {key for keys in lookups for key in keys.lookup} - asked
        asked |= new
        met.update(_under(new))
        # Also those met before: what is not near the first one may be near the second.
        beyond = [pk for pk, _ in met.most_common(LOOKED_AT + len(around.items)) if pk not in around.items]
        _read_traces(beyond[:LOOKED_AT], traces)
        likest = [pk for pk in beyond if pk in traces and any(may_be_near(keys.trace, traces[pk]) for keys in lookups)]
        read = _items(likest[:READ])
        found = {name: item for name, item in read.items() if _stands_by(item, front.values())}
        room = MOST - len(around.items)
        front = dict(list(found.items())[: max(0, room)])
        around.items |= front
        around.whole = around.whole and len(likest) <= READ and len(found) <= room
        if not front:
            return around
    around.whole = False
    return around


def _items(ids: Collection[UUID]) -> dict[UUID, ClusterItem]:
    """What waits of these, in the order of the ids."""
    rows = {row.pk: row for row in _rows(ids)} if ids else {}
    return {pk: item_of(rows[pk]) for pk in ids if pk in rows}


def _under(keys: Collection[int]) -> Counter[UUID]:
    """Items under the keys, with how many they share."""
    ordered, found = sorted(keys), Counter[UUID]()
    for at in range(0, len(ordered), KEYS_AT_ONCE):
        some = ClusterKey.objects.sharing(ordered[at : at + KEYS_AT_ONCE], each=EACH, limit=LOOKED_AT + MOST)
        found.update(dict(some))
    return found


def _read_traces(ids: Collection[UUID], known: dict[UUID, Trace]) -> None:
    """What is kept of these items, where it is not known yet."""
    new = [pk for pk in ids if pk not in known]
    rows = ClusterEntry.objects.filter(pk__in=new) if new else ClusterEntry.objects.none()
    for pk, alike, claim, words in rows.values_list("pk", "alike", "claim", "words"):
        if alike is not None:
            known[pk] = Trace(alike, claim, tuple(words))


def _stands_by(item: ClusterItem, others: Iterable[ClusterItem]) -> bool:
    return any(clusters((item, other)) for other in others)
