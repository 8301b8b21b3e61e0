"""Pages and numbers of a walk: forwards, backwards, merged where it has several starts, bounded where rows must be looked at.

A page and the number beside its link come from the same walk, so they cannot disagree; a number that would cost too much to
finish says that there are at least so many.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from evidence.models import HeldRecord
from evidence.models.held import HeldQuerySet
from evidence.selectors import paging
from evidence.selectors.paging import Capped, Keyset, Page, read_cursor, write_cursor
from evidence.selectors.queue_walks import Walk, WordWalk
from evidence.selectors.search_terms import among
from evidence.selectors.search_words import Entry, newest

SCAN_LIMIT = 20_000
COUNT_SCAN = 1_000
FIRST_CHUNK, LARGEST_CHUNK = 250, 2_000
Numbered = tuple[int, HeldRecord]


def page_of(walk: Walk | WordWalk, *, after: str = "", before: str = "", limit: int) -> Page[HeldRecord]:
    """The page behind one cursor or in front of another. Raises `BadInput` for a cursor of another list."""
    backwards = bool(before)
    position = read_cursor(walk.keyset, before or after) if before or after else None
    found, horizon = (
        _words_from(walk, position, backwards, limit)
        if isinstance(walk, WordWalk)
        else _rows_from(walk, position, backwards, limit)
    )
    more = len(found) > limit
    found = found[:limit]
    end = found[-1][0] if more else horizon
    rows = [row for _, row in (reversed(found) if backwards else found)]
    stopped = SCAN_LIMIT if not more and horizon is not None else None
    further = write_cursor(walk.keyset, end) if end is not None else ""
    edge = found[0][0] if found else horizon
    came_from = write_cursor(walk.keyset, edge) if edge is not None and position is not None else ""
    if backwards:
        return Page(rows, came_from or further, stopped, further, walk.keyset.name)
    return Page(rows, further, stopped, came_from, walk.keyset.name)


Rows = QuerySet[HeldRecord]
Placed = list[tuple[tuple[Any, ...], HeldRecord]]


def _rows_from(
    walk: Walk, position: tuple[Any, ...] | None, backwards: bool, limit: int
) -> tuple[Placed, tuple[Any, ...] | None]:
    """Up to one row more than the limit, each with its place, and the place up to which everything was looked at."""
    keyset = walk.keyset.backwards if backwards else walk.keyset
    found: list[HeldRecord] = []
    horizon: tuple[Any, ...] | None = None
    for start in walk.starts:
        stretch = keyset.order(start)
        stretch = keyset.after(stretch, position) if position is not None else stretch
        end = None if walk.rest is None else _end_of(stretch, keyset, SCAN_LIMIT // len(walk.starts))
        rows = list(_asked(stretch, walk.rest, keyset, end).select_related("lease_holder")[: limit + 1])
        found += rows
        if end is not None and len(rows) <= limit:
            horizon = end if horizon is None or keyset.is_later(horizon, end) else horizon
    placed = [(keyset.position(row), row) for row in keyset.merged(found)]
    if horizon is not None:
        placed = [one for one in placed if not keyset.is_later(one[0], horizon)]
    return placed[: limit + 1], horizon


def _end_of(stretch: Rows, keyset: Keyset, size: int) -> tuple[Any, ...] | None:
    """The place up to which a stretch of this many rows goes; none where the walk ends before. An index alone tells."""
    columns = [column.lstrip("-") for column in keyset.columns]
    return next(iter(stretch.values_list(*columns)[size - 1 : size]), None)


def _asked(stretch: Rows, rest: Q | None, keyset: Keyset, end: tuple[Any, ...] | None) -> Rows:
    """The rows of the stretch for which the rest holds: those up to its end are looked at, each once."""
    rows = stretch if end is None else keyset.until(stretch, end)
    return rows if rest is None else rows.filter(rest)


def _words_from(
    walk: WordWalk, position: tuple[Any, ...] | None, backwards: bool, limit: int
) -> tuple[Placed, tuple[Any, ...] | None]:
    """The same for matches of words: chunk after chunk of the index, until the page is full or enough was looked at."""
    at = position[0] if position is not None else None
    found: list[Entry] = []
    horizon: tuple[Any, ...] | None = None
    looked, chunk = 0, limit + 1 if walk.rest is None else FIRST_CHUNK
    while len(found) <= limit:
        chunk = min(chunk, SCAN_LIMIT - looked)
        entries = newest(walk.asked, chunk, above=at if backwards else None, below=None if backwards else at)
        entries = entries[::-1] if backwards else entries
        held = set(_narrowed(walk, [entry.held_id for entry in entries]).values_list("pk", flat=True))
        found += [entry for entry in entries if entry.held_id in held]
        looked += len(entries)
        if len(entries) < chunk:
            break
        at = entries[-1].number
        if looked >= SCAN_LIMIT:
            horizon = (at,)
            break
        chunk = min(chunk * 4, LARGEST_CHUNK)
    return _placed(found[: limit + 1]), horizon


def _placed(entries: Sequence[Entry]) -> Placed:
    rows = HeldRecord.objects.select_related("lease_holder").in_bulk([entry.held_id for entry in entries])
    return [((entry.number,), rows[entry.held_id]) for entry in entries if entry.held_id in rows]


def _narrowed(walk: WordWalk, ids: Sequence[UUID]) -> HeldQuerySet:
    places = among("status", walk.asked.statuses) & among("agent_id", walk.asked.agents)
    rows = HeldRecord.objects.filter(pk__in=ids).filter(places)
    return rows.filter(walk.rest) if walk.rest is not None else rows


def count_of(walk: Walk | WordWalk) -> Capped:
    """How many rows the walk has, up to the cap. What must be looked at row by row is counted in its first stretch."""
    cap = paging.COUNT_LIMIT + 1
    if isinstance(walk, WordWalk):
        looked = cap if walk.rest is None else COUNT_SCAN
        entries = newest(walk.asked, looked)
        number = _narrowed(walk, [entry.held_id for entry in entries]).count()
        return Capped(number, at_least=len(entries) == looked)
    if walk.rest is None:
        return paging.capped_count(walk.whole)
    number, unfinished = 0, False
    for start in walk.starts:
        stretch = walk.keyset.order(start)
        end = _end_of(stretch, walk.keyset, COUNT_SCAN // len(walk.starts))
        number += _asked(stretch, walk.rest, walk.keyset, end).order_by().count()
        unfinished = unfinished or (end is not None and walk.keyset.after(stretch, end).exists())
    return Capped(number, at_least=unfinished)
