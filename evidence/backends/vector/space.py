"""The points of one namespace in memory: all of them in one matrix, and which of them are in which partition.

Only ever added to: rows of the table are never changed, a changed record gets a new row. What is gone is found out when its
row is asked for, and after a while everything is read anew. Each process has its own; nothing in it is the truth.
"""

from __future__ import annotations

import threading
import time
from array import array
from collections.abc import Iterator, Sequence
from typing import Any

from evidence.backends.port import RANKED, Deadline
from evidence.models import VectorEntry

_READ_ANEW = 600.0
_CHUNK = 5_000
# Rows that committed late have lower numbers than some that were seen: the last ones are looked at again.
_LATE = 2_000


class Space:
    """Everything of one namespace under one model."""

    def __init__(self, namespace: str, model: str) -> None:
        self._namespace = namespace
        self._model = model
        self._lock = threading.Lock()
        self._empty()

    def _empty(self) -> None:
        self._matrix: Any = None
        self._ids = array("q")
        self._known: set[int] = set()
        self._rows: dict[str, array[int]] = {}
        self._last = 0
        self._read_at = time.monotonic()

    def nearest(
        self, point: Any, partitions: Sequence[str], least: float, deadline: Deadline
    ) -> Iterator[tuple[int, float]]:
        """Numbers of table rows and how alike they are, nearest first, no less than `least`."""
        import numpy

        with self._lock:
            self._catch_up(deadline)
            rows = [self._rows[partition] for partition in partitions if partition in self._rows]
            if not rows or self._matrix is None:
                return iter(())
            ids, matrix = self._ids, self._matrix[: len(self._ids)]
            places = numpy.unique(numpy.concatenate([numpy.frombuffer(one, dtype=numpy.int64).copy() for one in rows]))
        deadline.check()
        # Taking rows out copies them: worth it only where few of all are asked for.
        alike = matrix[places] @ point if len(places) * 4 < len(matrix) else (matrix @ point)[places]
        near = numpy.flatnonzero(alike >= least)
        if len(near) > RANKED:
            near = near[numpy.argpartition(-alike[near], RANKED)[:RANKED]]
        order = near[numpy.lexsort((-places[near], -alike[near]))]
        return ((ids[int(places[one])], float(alike[one])) for one in order)

    def _catch_up(self, deadline: Deadline) -> None:
        rows = VectorEntry.objects.filter(namespace=self._namespace, model=self._model).order_by("id")
        newest = rows.order_by("-id").values_list("id", flat=True).first() or 0
        if newest < self._last or time.monotonic() - self._read_at > _READ_ANEW:
            self._empty()
        if newest > self._last:
            late = (
                set(rows.filter(id__gt=self._last - _LATE, id__lte=self._last).values_list("id", flat=True))
                - self._known
            )
            if late:
                self._add(list(rows.filter(id__in=late).values_list("id", "partitions", "vector")))
        while newest > self._last:
            deadline.check()
            chunk = list(rows.filter(id__gt=self._last).values_list("id", "partitions", "vector")[:_CHUNK])
            if not chunk:
                return
            self._add(chunk)
            self._last = max(self._last, chunk[-1][0])

    def _add(self, rows: Sequence[tuple[int, list[str], bytes]]) -> None:
        import numpy

        said = [
            (number, there, bytes(vector)) for number, there, vector in rows if vector and number not in self._known
        ]
        self._known.update(number for number, _, _ in rows)
        if not said:
            return
        points = numpy.stack([numpy.frombuffer(vector, dtype=numpy.float16) for _, _, vector in said])
        start = len(self._ids)
        self._make_room(start + len(said), points.shape[1])
        self._matrix[start : start + len(said)] = points
        for place, (number, there, _) in enumerate(said, start=start):
            self._ids.append(number)
            for partition in there:
                self._rows.setdefault(partition, array("q")).append(place)

    def _make_room(self, wanted: int, width: int) -> None:
        import numpy

        held = self._matrix
        if held is not None and len(held) >= wanted:
            return
        # A new matrix, so that a search that is reading the old one goes on with it.
        room = numpy.zeros((max(1_024, wanted + wanted // 4), width), dtype=numpy.float32)
        if held is not None:
            room[: len(self._ids)] = held[: len(self._ids)]
        self._matrix = room


_spaces: dict[tuple[str, str], Space] = {}
_making = threading.Lock()


def space(namespace: str, model: str) -> Space:
    with _making:
        return _spaces.setdefault((namespace, model), Space(namespace, model))


def forget_all() -> None:
    """Let go of everything in memory; it is read again when it is asked for."""
    with _making:
        _spaces.clear()
