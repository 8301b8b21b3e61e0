"""The database of Agent Memory Bridge (schema 12), read-only: memories, candidates, reviews and what else tells of them, signals.

Everything that can make the import fail as a whole is looked at before the first item. Runs and feedback are recognised
and counted; the desk does not take them yet.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from evidence.exchange import files
from evidence.exchange.bridge.candidates import read_candidates
from evidence.exchange.bridge.layout import Bridge
from evidence.exchange.bridge.memories import read_memories
from evidence.exchange.bridge.past import not_taken, read_annotations, read_reviews, read_revisions, read_tombstones
from evidence.exchange.bridge.runs import read_runs
from evidence.exchange.bridge.signals import read_signals
from evidence.exchange.items import Read

__all__ = ["read"]


def read(path: Path) -> Iterator[Read]:
    """Items of a bridge's database, namespace by namespace, in an order in which each finds what it refers to."""
    bridge = Bridge.at(path)

    def items() -> Iterator[Read]:
        try:
            for namespace in bridge.namespaces:
                yield from read_memories(bridge, namespace)
                yield from read_candidates(bridge, namespace)
                yield from read_reviews(bridge, namespace)
                yield from read_revisions(bridge, namespace)
                yield from read_annotations(bridge, namespace)
                yield from read_tombstones(bridge, namespace)
                yield from read_signals(bridge, namespace)
            yield from read_runs(bridge)
            yield from not_taken(bridge)
        except sqlite3.Error as error:
            raise files.CorruptSource(bridge.file, "the database is damaged and could not be read further") from error
        finally:
            bridge.database.close()

    return items()
