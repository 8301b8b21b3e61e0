"""Looking around behind the gate: what an agent may read, newest first, counted, written out (doors "browse", "stats", "export").

The same walls as recall: a record that recall would not show is not listed, not counted and no place in a list. Reads only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from django.db.models import Q

from evidence.models import Evidence
from evidence.rules.gate import conflicts_among, gate
from evidence.rules.records import Hit, Reader
from evidence.rules.vocab import Access, Kind, Label, Review
from evidence.selectors.paging import COUNT_LIMIT, Capped, Keyset, read_cursor, write_cursor
from evidence.selectors.recall import Found

BROWSED_KINDS = (Kind.FACT, Kind.ARTICLE, Kind.OBSERVATION)
NEWEST = Keyset("browse", ("-ingested_at", "-pk_uuid"))
_CHUNK = 100
LOOKED_AT = 5_000
"""Readable rows of a kind that one request looks through."""


@dataclass(frozen=True, slots=True)
class Look:
    """What to list. Empty tuples: no restriction."""

    kinds: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    after: str = ""
    limit: int = 20


@dataclass(frozen=True, slots=True)
class Listed:
    """`after` is the signed cursor of the next page, empty on the last one."""

    found: tuple[Found, ...]
    after: str


def listed(*, reader: Reader, namespace: str, look: Look, now: datetime) -> Listed:
    """One page, newest first. Raises `BadInput` malformed for a cursor that this list did not give out.

    What is looked for is looked for among so many readable rows of a kind; the page may then be short, and goes on from there.
    """
    position = read_cursor(NEWEST, look.after) if look.after else None
    rows: dict[Evidence, Found] = {}
    borders: list[Evidence] = []
    for kind in look.kinds or BROWSED_KINDS:
        wanted, border = _looked(_walk(reader, namespace, kind, now, position), look)
        rows |= wanted
        borders += [border] if border is not None else []
    newest = NEWEST.merged(rows)
    if borders:
        # Of a kind whose walk ended early nothing is known beyond its border: the page ends at the first of them.
        last = NEWEST.position(NEWEST.merged(borders)[0])
        newest = [row for row in newest if not NEWEST.is_later(NEWEST.position(row), last)]
    shown = newest[: look.limit]
    after = ""
    if len(newest) > look.limit:
        after = write_cursor(NEWEST, NEWEST.position(shown[-1]))
    elif borders:
        after = write_cursor(NEWEST, last)
    conflicts = conflicts_among([rows[row].record for row in shown])
    found = (rows[row] for row in shown)
    return Listed(tuple(Found(one.result, "", conflicts.get(one.record.id, ())) for one in found), after)


def _looked(walk: Iterator[tuple[Evidence, Found]], look: Look) -> tuple[dict[Evidence, Found], Evidence | None]:
    """What is wanted of a walk, one more than a page; and where the walk was given up, if it was."""
    found: dict[Evidence, Found] = {}
    for number, (row, one) in enumerate(walk, start=1):
        if _is_wanted(one, look):
            found[row] = one
        if len(found) > look.limit:
            break
        if number >= LOOKED_AT:
            return found, row
    return found, None


@dataclass(frozen=True, slots=True)
class Counts:
    kinds: dict[str, Capped]
    labels: dict[str, Capped]


def counts(*, reader: Reader, namespace: str, now: datetime) -> Counts:
    """How much there is to read, of each kind and under each label; of each kind the newest thousand are counted."""
    kinds: dict[str, Capped] = {}
    labels: Counter[str] = Counter()
    for kind in BROWSED_KINDS:
        found = [one for _, one in islice(_walk(reader, namespace, kind, now, None), COUNT_LIMIT + 1)]
        kinds[str(kind)] = Capped(len(found))
        labels.update(str(one.label) for one in found[:COUNT_LIMIT])
    capped = any(number.more for number in kinds.values())
    return Counts(kinds, {str(label): Capped(labels[str(label)], at_least=capped) for label in Label})


def newest(*, reader: Reader, namespace: str, kind: str, now: datetime, limit: int) -> list[Found]:
    return [found for _, found in islice(_walk(reader, namespace, kind, now, None), limit)]


def _walk(
    reader: Reader, namespace: str, kind: str, now: datetime, position: Sequence[object] | None
) -> Iterator[tuple[Evidence, Found]]:
    """All of a kind that the gate lets through, newest first."""
    rows = Evidence.objects.in_namespace(namespace).active().filter(_may_be_read(reader), kind=kind)
    rows = rows.exclude(review__in=[Review.HELD, Review.REJECTED])
    while True:
        stretch = NEWEST.after(NEWEST.order(rows), position) if position is not None else NEWEST.order(rows)
        chunk = list(stretch[:_CHUNK])
        store = {row.record_id: row.to_record() for row in chunk}
        hits = [Hit(row.record_id, row.source_version) for row in chunk]
        by_id = {row.record_id: row for row in chunk}
        # Texts were scanned for secrets at the boundary.
        for result in gate(store, hits, reader, now, scan_secrets=False).results:
            yield by_id[result.record.id], Found(result, "")
        if len(chunk) < _CHUNK:
            return
        position = NEWEST.position(chunk[-1])


def _may_be_read(reader: Reader) -> Q:
    """Leaves out most of what the gate would drop; the gate decides."""
    here = Q(scope_project="") | Q(scope_project__in=list(reader.projects))
    return here & (Q(scope_access__in=[Access.PUBLIC, Access.SHARED]) | Q(scope_owner=reader.agent))


def _is_wanted(found: Found, look: Look) -> bool:
    if look.labels and found.label not in look.labels:
        return False
    return set(look.tags) <= set(found.record.tags)
